"""One module a species. `Strategy` is what they have in common; nothing else knows their names."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.rules.species.common import Strategy


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
