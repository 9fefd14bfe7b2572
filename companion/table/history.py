"""Root commands and how far they got; what undo takes back and redo does again."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.game import Ask, State
from companion.rules import Verb
from companion.table.journal import SNAPSHOTS


@dataclass(slots=True)
class Root:
    """A root command and how far it got. ``before`` is the state it started from."""

    seq: int
    verb: Verb
    args: dict[str, Any]
    forced: bool
    before: State
    key: str
    entry: dict[str, Any] | None = None
    drawn: list[Any] = field(default_factory=list)
    answers: dict[int, Any] = field(default_factory=dict)
    events: int = 0
    draws: int = 0
    open: dict[int, Ask] = field(default_factory=dict)
    overruled: list[str] = field(default_factory=list)  # rules that "it happened anyway" broke

    def answered(self, number: int, value: Any) -> Root:
        """The same root with one more answer, to be tried."""
        return Root(
            self.seq,
            self.verb,
            self.args,
            self.forced,
            self.before,
            self.key,
            self.entry,
            list(self.drawn),
            {**self.answers, number: value},
            self.events,
            self.draws,
        )


@dataclass(slots=True)
class Group:
    """A command of people and everything that followed by itself: the unit of undo."""

    seq: int
    inputs: list[dict[str, Any]]  # the command, then answers, as accepted
    rows: set[int] = field(default_factory=set)
    draws: int = 0
    secret: bool = False
    watched: bool | None = None  # another Character stood by; None: not looked at yet

    @property
    def choice(self) -> int | None:
        """The question that a choice of a setup answered, when nothing else was undone."""
        first = self.inputs[0]
        return int(first["number"]) if first["do"] == "answer" else None


class History:
    """Groups that can be undone, and those that were and can be redone.

    A group can be undone while the journal keeps the state before it, so a table that was closed
    and opened again can undo exactly what it could before.
    """

    def __init__(self) -> None:
        self.done: deque[Group] = deque()
        self.undone: list[Group] = []
        self._snapshots: deque[int] = deque(maxlen=SNAPSHOTS)

    @property
    def current(self) -> Group | None:
        """The group that runs, or ran last."""
        return self.done[-1] if self.done else None

    @property
    def forgotten(self) -> bool:
        """Whether there were groups that are too old to undo."""
        return len(self._snapshots) == SNAPSHOTS

    def stored(self, seq: int) -> None:
        """The state before row ``seq`` is in the journal; the oldest one may have left it."""
        self._snapshots.append(seq)
        while self.done and self.done[0].seq < self._snapshots[0]:
            self.done.popleft()

    def branch(self, kind: str) -> None:
        """Redo goes on along what was undone; anything else leaves that way for good."""
        if kind == "redo":
            self.undone.pop()
        else:
            self.undone.clear()

    def answered(self, kind: str, answer: Mapping[str, Any]) -> None:
        """An answer was given: anew, or again as part of what was undone."""
        if kind != "redo":
            self.undone.clear()
        elif self.undone and self.undone[-1].choice == answer.get("number"):
            self.undone.pop()

    def undo(self) -> Group:
        """Move the last group to the undone ones."""
        self.undone.append(self.done.pop())
        return self.undone[-1]
