"""Feeding: who eats what in one room, and what it becomes (CA-38 to CA-45). Pure.

Names of pieces in, meals out; `companion.rules.species.carnomorphs.phase` does what they say.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from companion.game.state import kind_of, natural

#: Who feeds first (CA-39).
ORDER = ("butcher", "fleshbeast", "shambler", "metagorger")
#: What a kind becomes by feeding (CA-41).
NEXT = {"metagorger": "shambler", "shambler": "fleshbeast", "fleshbeast": "butcher"}
#: What is eaten first (CA-43).
MENU = ("corpse_red", "egg", "carcass", "metagorger", "corpse_blue")


@dataclass(frozen=True, slots=True)
class Larder:
    """One room before anybody eats.

    ``minis``: the Carnomorphs there. ``objects``: what lies loose. ``pile``: the Eggs of the
    species' board when the room is the Nest. ``spare``: by kind the miniatures that may come, the
    first to be taken first.
    """

    minis: Sequence[str]
    injuries: Mapping[str, int] = field(default_factory=dict)
    objects: Sequence[str] = ()
    pile: Sequence[str] = ()
    spare: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Meal:
    """One Carnomorph feeds: it heals, becomes ``into`` (None: stays as it is) and eats ``food``."""

    eater: str
    food: str
    into: str | None


def feed(room: Larder) -> list[Meal]:
    """The meals of one room, in order; each Carnomorph there feeds at most once.

    Of equal ones the most injured eats first and the least injured is eaten first.
    """
    waiting = in_order(room.minis, room.injuries)
    live = list(waiting)
    food = [*natural(room.pile), *natural(room.objects)]
    spare = {kind: list(minis) for kind, minis in room.spare.items()}
    meals: list[Meal] = []
    for eater in waiting:
        if eater not in live:
            continue  # eaten meanwhile
        dish = best([*food, *(m for m in reversed(live) if m != eater)])
        if dish is None:
            continue
        into = _grown(eater, spare)
        (live if dish in live else food).remove(dish)
        if into:
            live[live.index(eater)] = into
        meals.append(Meal(eater, dish, into))
    return meals


def in_order(minis: Iterable[str], injuries: Mapping[str, int]) -> list[str]:
    """Carnomorphs in the order in which they feed."""
    return sorted(natural(minis), key=lambda m: (ORDER.index(kind_of(m)), -injuries.get(m, 0)))


def best(food: Iterable[str]) -> str | None:
    """What is eaten first of all this, None when nothing of it is food."""
    edible = [f for f in food if kind_of(f) in MENU]
    return min(edible, key=lambda f: MENU.index(kind_of(f)), default=None)


def _grown(eater: str, spare: dict[str, list[str]]) -> str | None:
    """The miniature of the next level, and the eater's own is free for another."""
    larger = spare.get(NEXT.get(kind_of(eater), ""))
    if not larger:
        return None
    spare.setdefault(kind_of(eater), []).append(eater)
    return larger.pop(0)
