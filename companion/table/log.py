"""The log as each audience reads it: its own lines, under its own numbers."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection
from typing import Any

KEPT = 400


class Log:
    """The newest lines. A line's number counts only what its reader may see: no gap tells."""

    def __init__(self) -> None:
        self._lines: deque[dict[str, Any]] = deque()
        self._gone: Counter[int | None] = Counter()  # lines that left, by reader; None: public
        self._first: dict[str, int] = {}  # the row in which each public type stood first

    def add(self, seq: int, event: dict[str, Any]) -> None:
        """Take up an event of journal row ``seq`` (`Event.to_json`)."""
        line = {"seq": seq, **event}
        if event["to"] == "public" and event["type"] not in self._first:
            self._first[event["type"]] = seq
            line["first"] = True
        self._lines.append(line)
        if len(self._lines) > KEPT:
            old = self._lines.popleft()
            self._gone.update([None] if old["to"] == "public" else old["to"])

    def undo(self, rows: Collection[int]) -> None:
        """Mark the lines of these rows: nothing is deleted."""
        for line in self._lines:
            if line["seq"] in rows:
                line["undone"] = True
        self._first = {type: seq for type, seq in self._first.items() if seq not in rows}

    def lines(self, seat: int | None, most: int) -> list[dict[str, Any]]:
        """The newest ``most`` lines for a seat, or for those who see public ones only."""
        seen = [
            line
            for line in self._lines
            if line["to"] == "public" or (seat is not None and seat in line["to"])
        ]
        gone = self._gone[None] + (self._gone[seat] if seat is not None else 0)
        first = max(len(seen) - most, 0)
        return [
            {
                "n": gone + n,
                "type": line["type"],
                "params": line["params"],
                "rule": line["rule"],
                "undone": "undone" in line,
                "secret": line["to"] != "public",
                "first": "first" in line,
            }
            for n, line in enumerate(seen[first:], start=first + 1)
        ]
