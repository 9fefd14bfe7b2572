"""Which room, corridor or neither a point of the board lies in."""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot, inf

from companion.game.board import Board
from vision.kit import Form

# A miniature's marker is a tongue beside its base, so it may look out of its room.
ROOM_REACH: dict[Form, float] = {"mini": 1.3, "token": 1.1}  # in radii of the room
CORRIDOR_REACH = 0.5  # in radii of the rooms it joins, to both sides of its line
CORRIDOR_HEART = 0.35  # in radii: nearer to a corridor's middle than this, it is the corridor


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a point is. ``certainty`` (0-1) falls towards the edge of the place."""

    room: str | None
    corridor: str | None
    certainty: float


class Places:
    """Looks points up on a ``board`` of ``board_mm`` (width, height)."""

    def __init__(self, board: Board, board_mm: tuple[float, float]) -> None:
        width, height = board_mm
        self._rooms = [
            (room.id, room.x * width, room.y * height, room.radius * width)
            for room in board.rooms.values()
        ]
        at = {room: (x, y, r) for room, x, y, r in self._rooms}
        self._corridors = [
            (c.id, (c.x * width, c.y * height), at[c.rooms[0]], at[c.rooms[1]])
            for c in board.corridors.values()
        ]

    def locate(self, x: float, y: float, form: Form = "mini") -> Spot:
        """The place of the point (mm) for a marker of this ``form``.

        A marker between rooms belongs to a corridor; one off both belongs nowhere.
        """
        room, share = min(
            ((name, hypot(x - rx, y - ry) / r) for name, rx, ry, r in self._rooms),
            key=lambda found: found[1],
        )
        corridor, aside, heart = min(
            (self._to_corridor(x, y, c) for c in self._corridors),
            key=lambda found: found[1],
            default=("", inf, inf),
        )
        reach = ROOM_REACH[form]
        if share <= reach and not (share > 1.0 and heart < CORRIDOR_HEART):
            return Spot(room, None, min(1.0, 0.5 + (reach - share)))
        if aside <= CORRIDOR_REACH:
            return Spot(None, corridor, min(1.0, 0.5 + (CORRIDOR_REACH - aside)))
        return Spot(None, None, min(1.0, 0.5 + (share - reach)))

    @staticmethod
    def _to_corridor(
        x: float,
        y: float,
        corridor: tuple[
            str, tuple[float, float], tuple[float, float, float], tuple[float, float, float]
        ],
    ) -> tuple[str, float, float]:
        """A corridor's id, the distance to its path and to its middle, in radii of its rooms."""
        name, middle, one, two = corridor
        radius = (one[2] + two[2]) / 2
        path = min(_to_line(x, y, middle, one[:2]), _to_line(x, y, middle, two[:2]))
        return name, path / radius, hypot(x - middle[0], y - middle[1]) / radius


def _to_line(x: float, y: float, a: tuple[float, float], b: tuple[float, float]) -> float:
    """Distance of (x, y) to the stretch from ``a`` to ``b``."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = dx * dx + dy * dy
    t = 0.0 if length == 0 else max(0.0, min(1.0, ((x - a[0]) * dx + (y - a[1]) * dy) / length))
    return hypot(x - a[0] - t * dx, y - a[1] - t * dy)
