"""Chance of a scenario: outcomes queued by the file, in order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.game import BadInput, Chance
from companion.game.naming import named
from companion.game.state import label_of
from companion.scenario.lines import listed

#: Draws that a case need not queue: which copy of equal tokens, and face-down cardboard.
UNSTATED = (
    *("token", "tile", "exploration", "setup_bag", "objective", "pod", "wound"),
    *("engine", "coordinates", "weakness", "mutation"),
)

#: Draws of setup that a case may state all the same.
SETUP = ("help_card", "draft")

#: Cards drawn for the Intruder player to choose from.
CHOICES = ("attack_choice", "event_choice")

QUEUES = (
    "bag",
    "noise",
    "combat",
    "event",
    "attack",
    "contamination",
    "draw",
    "panic",
    *UNSTATED,
    *SETUP,
    *CHOICES,
)


class Empty(Exception):
    """A draw with nothing queued for it."""

    def __init__(self, purpose: str) -> None:
        self.purpose = purpose
        super().__init__(purpose)


class Queue:
    """A `companion.game.chance.Source`. Before `open` a fixed seed answers (the setup)."""

    def __init__(self, outcomes: Mapping[str, list[Any]], path: str) -> None:
        for name in outcomes:
            if name not in QUEUES:
                raise BadInput(
                    f"{path}: chance.{name}", "scenario.unknown", {"allowed": ", ".join(QUEUES)}
                )
        self._outcomes = {name: list(values) for name, values in outcomes.items()}
        self._path = path
        self._fixed = Chance(b"a scenario always begins the same")
        self._open = False
        self._served: dict[tuple[str, int, str], Any] = {}

    def open(self) -> None:
        """From now on the queues answer."""
        self._open = True

    def left(self) -> dict[str, list[Any]]:
        """Outcomes nobody asked for."""
        return {name: values for name, values in self._outcomes.items() if values}

    def pick(
        self, purpose: str, options: Sequence[str], *, epoch: int, count: int, key: str
    ) -> Any:
        """The next outcome; an undone one is kept for the same command. `Empty` when none."""
        if not self._open and not (purpose in SETUP and self._outcomes.get(purpose)):
            return self._fixed.pick(purpose, options, epoch=epoch, count=count, key=key)
        place = (purpose, count, key)
        if place not in self._served:
            waiting = self._outcomes.get(purpose)
            if waiting:
                self._served[place] = waiting.pop(0)
            elif purpose == "draw" and len(set(options)) == 1:
                self._served[place] = options[0]
            elif purpose in UNSTATED and waiting is None:
                return self._fixed.pick(purpose, options, epoch=epoch, count=count, key=key)
            else:
                raise Empty(purpose)
        return self._match(purpose, options, self._served[place])

    def state(self, purpose: str, outcome: Any) -> None:
        """The next outcome of a purpose, stated by the command itself."""
        self._outcomes.setdefault(purpose, []).insert(0, outcome)

    def waiting(self, purpose: str) -> list[Any]:
        """What is queued for a purpose."""
        return list(self._outcomes.get(purpose, []))

    def _match(self, purpose: str, options: Sequence[str], wanted: Any) -> Any:
        if isinstance(wanted, Mapping):
            if purpose not in ("event", "attack"):
                raise BadInput(f"{self._path}: chance.{purpose}", "answer.option")
            return dict(wanted)
        if isinstance(wanted, bool):
            wanted = "infected" if wanted else "clean"
        wanted = str(wanted)
        if purpose == "draw" and wanted == "contamination":
            wanted = next((c for c in ("unscanned", "infected", "clean") if c in options), wanted)
        if purpose == "contamination" and wanted == "not_infected":
            wanted = "clean"
        found = named(options, wanted)
        if found:
            return found[0]
        raise BadInput(
            f"{self._path}: chance.{purpose}",
            "scenario.not_there",
            {"value": wanted, "allowed": listed(sorted({label_of(o) for o in options}))},
        )
