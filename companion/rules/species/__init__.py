"""One module a species. `Strategy` is what they have in common; nothing else knows their names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from companion.game import Steps

if TYPE_CHECKING:
    from companion.rules.play import Play


class Strategy(Protocol):
    """How one species does what every species does."""

    id: str

    def starting_bag(self, play: Play) -> dict[str, int]:
        """Tokens of each kind in the bag at setup."""

    def development(self, play: Play, token: str) -> Steps:
        """Bag development for a token just drawn (still in the bag's zone)."""

    def moves_by_event(self, mini: str, kinds: Sequence[str]) -> bool:
        """Whether a miniature moves by an event that names these kinds."""

    def arrived(self, play: Play, room: str, rule: str) -> Steps:
        """What follows when intruders have come into a room."""


_STRATEGIES: dict[str, Strategy] = {}


def register(strategy: Strategy) -> Strategy:
    """Make a species known."""
    _STRATEGIES[strategy.id] = strategy
    return strategy


def written() -> frozenset[str]:
    """Ids of the species that can be played."""
    return frozenset(_STRATEGIES)


def strategy(species: str) -> Strategy:
    """The strategy of a species. KeyError for one that is not written yet."""
    return _STRATEGIES[species]
