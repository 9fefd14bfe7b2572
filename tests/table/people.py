"""A table whose secrets are chosen: what tests of secrecy share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.game import Chance
from companion.library.model import Content
from companion.table.journal import MemoryJournal
from companion.table.table import Table


class Dealer:
    """Chance in which the objectives dealt are given: in dealing order, by id."""

    def __init__(self, objectives: Sequence[str], seed: int = 0) -> None:
        self._objectives = list(objectives)
        self._chance = Chance(seed.to_bytes(32, "big"))

    def pick(
        self, purpose: str, options: Sequence[str], *, epoch: int, count: int, key: str
    ) -> Any:
        if purpose == "objective":
            return self._objectives[count]
        return options[self._chance.index(len(options), purpose, epoch, count, key)]


def deck(content: Content, name: str, players: int) -> list[str]:
    """The objectives of a deck that may be dealt to so many players."""
    return [
        o.id
        for _, o in sorted(content.objectives.items())
        if o.deck == name and o.min_players <= players
    ]


def begun(
    content: Content, deal: Sequence[str], characters: Sequence[str], seed: int = 0, **setup: Any
) -> Table:
    """A game in play where these objectives were dealt: personal, corporate, a seat after seat."""
    table = Table(content, MemoryJournal({"game": "g", "commitment": "c"}), Dealer(deal, seed))
    table.command({"do": "setup", "players": list(characters), "digital": True, **setup})
    return table
