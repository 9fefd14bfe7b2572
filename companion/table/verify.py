"""Replays a whole game from its journal and says where it would have come out otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from companion.game import CompanionError
from companion.library.model import Content
from companion.table.fairness import SECRET, SHARES, SealedChance, commitment
from companion.table.journal import AnyJournal, MemoryJournal, Row
from companion.table.table import Table


@dataclass(frozen=True, slots=True)
class Verdict:
    """``rows`` replayed; ``problems`` as message codes with parameters, empty when all is well."""

    rows: int
    draws: int
    problems: tuple[tuple[str, dict[str, Any]], ...]


def verify(journal: AnyJournal, content: Content) -> Verdict:
    """Replay every command with the opened seed: draws, events and states must be the same.

    The hash chain itself is checked when the journal is opened.
    """
    problems: list[tuple[str, dict[str, Any]]] = []
    secret = journal.kept(SECRET)
    if secret and commitment(bytes.fromhex(secret)) != journal.header.get("commitment"):
        problems.append(("verify.commitment", {}))
    again: Table | None = None
    try:
        for table in replay(journal, content):
            again = table
    except CompanionError as problem:
        where = again.seq + 1 if again else 1
        problems.append(("verify.refused", {"row": where, "reason": str(problem)}))
    rows = list(journal.rows())
    for row, copy in zip(rows, again.journal.rows() if again else (), strict=False):
        if different(row, copy):
            problems.append(("verify.differs", {"row": row.seq, "do": row.input.get("do", "")}))
            break
    return Verdict(len(rows), sum(len(r.draws) for r in rows), tuple(problems))


def replay(journal: AnyJournal, content: Content) -> Iterator[Table]:
    """A second table, in memory, after every input of the journal. Raises what an input raises.

    Steps that follow by themselves belong to the input they follow.
    """
    copy = MemoryJournal(dict(journal.header))
    for key in (SECRET, SHARES):
        copy.keep(key, journal.kept(key))
    table = Table(content, copy, SealedChance(copy, str(journal.header.get("game", ""))))
    for row in journal.rows():
        if row.seq > table.seq:
            table.repeat(row)
            yield table


def different(row: Row, again: Row) -> bool:
    """Whether two rows tell of different draws, events or states."""
    return (row.draws, row.events, row.state) != (again.draws, again.events, again.state)
