"""The log as each audience reads it: its own lines, under its own numbers."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence
from typing import Any

from companion.rules.byhand import HAND
from companion.table.taken import CANCELLED, taken_back

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
        #: By the row of a card that took lines back: what these lines say.
        self._back: dict[int, list[dict[str, Any]]] = {}
        #: The row in which each public type, and each rule, stood first.
        self._first: dict[str, int] = {}

    def add(
        self, seq: int, event: dict[str, Any], by: str = "", after: Sequence[dict[str, Any]] = ()
    ) -> None:
        """Take up an event of journal row ``seq`` (`Event.to_json`); ``by`` is whose phone said so,
        kept with what a hand put right. ``after``: those of its row behind it.

        Lines that it takes back are marked like those of an undo.
        """
        to = event["to"]
        if event["type"] == CANCELLED:
            stand = [line for _, line in self._lines[None] if not line["undone"]]
            back = taken_back(stand, event, after)
            self._back[seq] = [line["params"] for line in back]
            self._mark(self._back[seq], undone=True)
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

    def _mark(self, said: Collection[dict[str, Any]], *, undone: bool) -> None:
        """Mark the lines that say just this, or say that they stand again."""
        which = {id(params) for params in said}
        for lines in self._lines.values():
            for place, (seq, line) in enumerate(lines):
                if id(line["params"]) in which:
                    lines[place] = (seq, {**line, "undone": undone})

    def undo(self, rows: Collection[int]) -> None:
        """Mark the lines of these rows: nothing is deleted. What a card of one took back stands."""
        for row in rows:
            self._mark(self._back.pop(row, ()), undone=False)
        for lines in self._lines.values():
            for place, (seq, line) in enumerate(lines):
                if seq in rows:
                    lines[place] = (seq, {**line, "undone": True})
        self._first = {type: seq for type, seq in self._first.items() if seq not in rows}

    def lines(self, seat: int | None) -> list[dict[str, Any]]:
        """The newest lines for a seat, or for those who see public ones only; oldest first."""
        return [line for _, line in self._lines[seat]]
