"""Which room, corridor or neither a point of the board lies in."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import inf

import numpy as np

from companion.game.board import Board
from vision.detect import Points
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
        scale = np.array([width, height, width])
        rooms = {r.id: np.array([r.x, r.y, r.radius]) * scale for r in board.rooms.values()}
        self._names = list(rooms)
        self._rooms = np.stack(list(rooms.values()))
        corridors = list(board.corridors.values())
        self._corridors = [c.id for c in corridors]
        self._middles = np.array([[c.x * width, c.y * height] for c in corridors]).reshape(-1, 2)
        ends = np.array([[rooms[r] for r in c.rooms[:2]] for c in corridors]).reshape(-1, 2, 3)
        self._radii = ends[:, :, 2].mean(axis=1)
        self._paths = ends[:, :, :2] - self._middles[:, None]  # from the middle to both rooms
        self.locate = lru_cache(maxsize=256)(self._locate)  # most pieces stay where they are

    def _locate(self, x: float, y: float, form: Form = "mini") -> Spot:
        """The place of the point (mm) for a marker of this ``form``.

        A marker between rooms belongs to a corridor; one off both belongs nowhere.
        """
        at = np.array([x, y])
        shares = np.hypot(*(at - self._rooms[:, :2]).T) / self._rooms[:, 2]
        room = int(shares.argmin())
        share = float(shares[room])
        aside, heart, corridor = self._to_corridor(at)
        reach = ROOM_REACH[form]
        if share <= reach and not (share > 1.0 and heart < CORRIDOR_HEART):
            return Spot(self._names[room], None, min(1.0, 0.5 + (reach - share)))
        if aside <= CORRIDOR_REACH:
            return Spot(None, corridor, min(1.0, 0.5 + (CORRIDOR_REACH - aside)))
        return Spot(None, None, min(1.0, 0.5 + (share - reach)))

    def _to_corridor(self, at: Points) -> tuple[float, float, str]:
        """How far the nearest corridor's path and its middle are, in radii of its rooms, and
        its id. A path leads straight from the middle to both rooms."""
        if not self._corridors:
            return inf, inf, ""
        away = at - self._middles
        along = (self._paths * away[:, None]).sum(axis=2)
        share = np.clip(along / np.maximum((self._paths**2).sum(axis=2), 1e-9), 0.0, 1.0)
        off = away[:, None] - self._paths * share[:, :, None]
        path = np.hypot(off[..., 0], off[..., 1]).min(axis=1) / self._radii
        best = int(path.argmin())
        heart = float(np.hypot(*away[best])) / self._radii[best]
        return float(path[best]), heart, self._corridors[best]
