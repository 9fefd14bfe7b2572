"""The board as a graph: rooms, corridors, technical networks, and where each lies.

Coordinates are fractions of the board's width (x, radius) and height (y), the origin in the
top-left corner, as one sits with the Cockpit to the left.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True, slots=True)
class Entrance:
    """A technical entrance of a room: its printed number and the network behind it."""

    number: int
    network: str  # space id: "technical", or "technical_red" / "technical_blue"


@dataclass(frozen=True, slots=True)
class Room:
    """One printed room space. ``kind`` is ``special``, ``1``, ``2`` or ``fixed_tile``."""

    id: str
    kind: str
    x: float
    y: float
    radius: float
    fixed: str | None = None  # the tile or special room printed here
    technical: tuple[Entrance, ...] = ()


@dataclass(frozen=True, slots=True)
class Corridor:
    """A corridor joins two rooms and carries one or two numbers at both ends (BASE-24, BASE-25)."""

    id: str
    rooms: tuple[str, str]
    numbers: tuple[int, ...]
    x: float
    y: float

    def other(self, room: str) -> str:
        """The room at the other end from ``room``."""
        a, b = self.rooms
        return b if room == a else a


@dataclass(frozen=True)
class Board:
    """A board side. ``spaces`` maps each technical space id to its (x, y)."""

    id: str
    rooms: Mapping[str, Room]
    corridors: Mapping[str, Corridor]
    spaces: Mapping[str, tuple[float, float]]
    aspect: float  # width : height
    pods: Mapping[str, tuple[tuple[float, float], ...]]
    start_room: str
    names: Mapping[str, str]

    @cached_property
    def _by_room(self) -> dict[str, tuple[Corridor, ...]]:
        found: dict[str, list[Corridor]] = {room: [] for room in self.rooms}
        for corridor in self.corridors.values():
            for room in corridor.rooms:
                found[room].append(corridor)
        return {room: tuple(sorted(c, key=lambda c: c.id)) for room, c in found.items()}

    @cached_property
    def _neighbours(self) -> dict[str, tuple[str, ...]]:
        return {
            room: tuple(sorted({c.other(room) for c in corridors}))
            for room, corridors in self._by_room.items()
        }

    def corridors_of(self, room: str) -> tuple[Corridor, ...]:
        """All corridors that touch ``room``, by id."""
        return self._by_room[room]

    def neighbours(self, room: str) -> tuple[str, ...]:
        """Rooms joined to ``room`` by a corridor, by number; doors are not looked at (BASE-27)."""
        return self._neighbours[room]

    def between(self, a: str, b: str) -> tuple[Corridor, ...]:
        """The corridors that join rooms ``a`` and ``b`` (two on some boards, BASE-383)."""
        return tuple(c for c in self._by_room[a] if c.other(a) == b)

    def exit(self, room: str, number: int) -> Corridor | Entrance:
        """What the number leads to from ``room``; every room has each of 1-4 once (BASE-24)."""
        for corridor in self._by_room[room]:
            if number in corridor.numbers:
                return corridor
        for entrance in self.rooms[room].technical:
            if entrance.number == number:
                return entrance
        raise KeyError(f"{room} has no exit {number}")

    def networks(self, room: str) -> tuple[str, ...]:
        """The technical spaces that ``room`` opens on, each once."""
        return tuple(dict.fromkeys(e.network for e in self.rooms[room].technical))

    def entrances(self, network: str) -> tuple[str, ...]:
        """The rooms with an entrance to ``network``, by number."""
        return tuple(sorted(r for r in self.rooms if network in self.networks(r)))
