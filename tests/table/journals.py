"""What the journal's tests share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.game.state import canonical
from companion.table.journal import AnyJournal, Journal, Row

HEADER = {
    "game": "evening",
    "rules": 1,
    "content": "1",
    "content_hash": "c0ffee",
    "commitment": "ab" * 32,
    "created": "2026-05-01T20:00:00+00:00",
}


def clock() -> Any:
    """A wall clock that says the same at every run."""

    def ticks() -> Iterator[str]:
        second = 0
        while True:
            yield f"2026-05-01T20:{second // 60:02d}:{second % 60:02d}.000+00:00"
            second += 1

    return ticks().__next__


def state(number: int) -> dict[str, Any]:
    """A state that looks different every time and packs as badly as a real one."""
    return {
        "round": number,
        "where": {f"noise#{i}": f"room:{i * number % 21:03d}" for i in range(60)},
    }


def write(journal: AnyJournal, number: int, **more: Any) -> Row:
    """One command's row."""
    given: dict[str, Any] = {
        "kind": "command",
        "input": {"do": "move", "by": "seat:1", "seat": 1, "to": f"{number % 21:03d}"},
        "draws": [{"purpose": "noise", "count": number, "size": 10, "value": "2", "by": "box"}],
        "events": [{"type": "moved", "rule": "BASE-1", "params": {"n": number}, "to": "public"}],
        "state": f"{number:064x}",
        "snapshot": canonical(state(number)),
        "command_id": f"c{number}",
    }
    return journal.append(**{**given, **more})


def game(path: Path, rows: int, **private: Any) -> Journal:
    """A new game with so many rows."""
    journal = Journal.create(path, HEADER, private=private, now=clock(), busy_s=0.1)
    for number in range(1, rows + 1):
        write(journal, number)
    return journal


def everything(journal: AnyJournal) -> dict[str, Any]:
    """All that can be read from a journal."""
    rows = list(journal.rows())
    return {
        "header": dict(journal.header),
        "rows": rows,
        "last": journal.last,
        "snapshots": {row.seq: journal.snapshot(row.seq) for row in rows},
        "known": {f"c{n}": journal.known(f"c{n}") for n in range(len(rows) + 2)},
        "private": journal.private(),
    }
