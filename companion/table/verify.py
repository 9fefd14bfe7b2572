"""Replays a whole game from its journal and says where it would have come out otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from companion.game import CompanionError
from companion.library.model import Content
from companion.rules import RULES
from companion.table.fairness import SECRET, SHARES, SealedChance, commitment
from companion.table.journal import AnyJournal, MemoryJournal, Row
from companion.table.table import Table

#: Problems that other rules explain.
OTHERWISE = ("verify.refused", "verify.differs")


@dataclass(frozen=True, slots=True)
class Verdict:
    """``rows`` replayed; ``problems`` as message codes with parameters, empty when all is well."""

    rows: int
    draws: int
    problems: tuple[tuple[str, dict[str, Any]], ...]


def verify(journal: AnyJournal, content: Content) -> Verdict:
    """Replay every command with the opened seed: draws, events and states must be the same.

    The hash chain itself is checked when the journal is opened. A game of another edition of the
    rules that comes out otherwise is no worse for it: ``verify.rules`` says so instead.
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
    played = journal.header.get("rules")
    if played != RULES and any(code in OTHERWISE for code, _ in problems):
        problems = [one for one in problems if one[0] not in OTHERWISE]
        problems.append(("verify.rules", {"played": str(played), "known": str(RULES)}))
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
