"""The log as each audience reads it: its own lines, under its own numbers."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection
from typing import Any

from companion.rules.byhand import HAND

LINES = 80  # of one reader, the newest; nobody is shown more

#: Seats that may read secret lines of their own, and None for all who read public ones only.
READERS = (None, 1, 2, 3, 4, 5)


class Log:
    """The newest lines. A line's number counts only what its reader may see: no gap tells.

    A line that has been handed out is never changed: views hold it.
    """

    def __init__(self) -> None:
        self._count: dict[int | None, int] = dict.fromkeys(READERS, 0)
        self._lines: dict[int | None, deque[tuple[int, dict[str, Any]]]] = {
            reader: deque(maxlen=LINES) for reader in READERS
        }  # with the journal row they came with
        #: The row in which each public type, and each rule, stood first.
        self._first: dict[str, int] = {}

    def add(self, seq: int, event: dict[str, Any], by: str = "") -> None:
        """Take up an event of journal row ``seq`` (`Event.to_json`); ``by`` is whose phone said so,
        kept with what a hand put right.
        """
        to = event["to"]
        first, news = False, ""
        if to == "public":
            first = event["type"] not in self._first
            rules = str(event["rule"]).split()
            news = " ".join(rule for rule in rules if rule not in self._first)
            for known in (event["type"], *rules):
                self._first.setdefault(known, seq)
        made: dict[int, dict[str, Any]] = {}
        for reader in READERS:
            if to != "public" and reader not in to:
                continue
            number = self._count[reader] = self._count[reader] + 1
            if number not in made:
                made[number] = {
                    "n": number,
                    "type": event["type"],
                    "params": event["params"],
                    "rule": event["rule"],
                    "undone": False,
                    "secret": to != "public",
                    "first": first,
                    "news": news,
                }
                if event["rule"] == HAND and to == "public" and by.startswith("seat:"):
                    made[number]["by"] = by
            self._lines[reader].append((seq, made[number]))

    def undo(self, rows: Collection[int]) -> None:
        """Mark the lines of these rows: nothing is deleted."""
        for lines in self._lines.values():
            for place, (seq, line) in enumerate(lines):
                if seq in rows:
                    lines[place] = (seq, {**line, "undone": True})
        self._first = {type: seq for type, seq in self._first.items() if seq not in rows}

    def lines(self, seat: int | None) -> list[dict[str, Any]]:
        """The newest lines for a seat, or for those who see public ones only; oldest first."""
        return [line for _, line in self._lines[seat]]
