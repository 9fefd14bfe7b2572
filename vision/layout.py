"""The simulated table's cardboard: which piece lies where. Shared by the camera and the browser.

Distances are millimetres, ``xy`` fractions of the board. A piece's place is its marker's; its
figure stands beside the marker, at ``turn``.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import atan2, cos, hypot, pi, sin

from companion.game.board import Board
from companion.game.errors import BadInput
from vision.kit import Kit, PieceMarker

FIGURE_MM = {"larva": 14.0, "creeper": 28.0, "adult": 42.0, "breeder": 55.0, "queen": 80.0}
FIGURE_MM |= {"lurker": 28.0, "whisperer": 42.0, "stalker": 55.0, "despoiler": 80.0, "lair": 28.0}
FIGURE_MM |= {"metagorger": 28.0, "shambler": 42.0, "fleshbeast": 55.0, "butcher": 80.0}
USUAL_FIGURE_MM = 36.0
CAMERA_MM = 950.0  # assumed above the board's middle when free spots are looked for


def figure_height(marker: PieceMarker) -> float:
    """How tall the marker's figure is, in mm; 0 for a flat token."""
    return 0.0 if marker.form == "token" else FIGURE_MM.get(marker.kind, USUAL_FIGURE_MM)


@dataclass(frozen=True, slots=True)
class Laid:
    """One piece on the table: its marker's centre in mm, and where its figure stands from it."""

    marker: PieceMarker
    x: float
    y: float
    turn: float = 0.0  # radians: the direction from the marker to its figure

    @property
    def base_radius(self) -> float:
        """Radius of the figure's base; 0 for a flat token."""
        return self.marker.base_radius_mm

    @property
    def figure_height(self) -> float:
        """Height of the figure; 0 for a flat token."""
        return figure_height(self.marker)

    @property
    def card_mm(self) -> float:
        """Side of the printed card: the black square and a margin of one module."""
        return self.marker.card_mm

    @property
    def figure(self) -> tuple[float, float]:
        """The middle of the figure's base."""
        away = self.base_radius + self.card_mm / 2
        return self.x + away * cos(self.turn), self.y + away * sin(self.turn)


@dataclass(frozen=True)
class Layout:
    """One moment of the table. ``version`` grows with every change.

    ``doors`` maps corridor to closed or destroyed; fire and malfunction lie in rooms, noise in
    corridors: plain tokens the camera has no markers for.
    """

    version: int = 0
    laid: tuple[Laid, ...] = ()
    fire: tuple[str, ...] = ()
    malfunction: tuple[str, ...] = ()
    noise: tuple[str, ...] = ()
    doors: Mapping[str, str] = field(default_factory=dict)
    hand: tuple[float, float] | None = None  # fractions: where a hand reaches to


class Cardboard:
    """The pieces on the simulated table; any thread may move them.

    >>> table = Cardboard(board, build_kit())          # doctest: +SKIP
    >>> table.move("captain", "011")                   # doctest: +SKIP
    """

    def __init__(self, board: Board, kit: Kit) -> None:
        self.board = board
        self.kit = kit
        self._lock = threading.Lock()
        self._now = Layout()

    def snapshot(self) -> Layout:
        """The table now; never changes afterwards."""
        with self._lock:
            return self._now

    def pieces(self) -> dict[str, tuple[float, float]]:
        """Every piece on the table and its (x, y) as fractions of the board."""
        width, height = self.kit.board_mm
        return {p.marker.piece: (p.x / width, p.y / height) for p in self.snapshot().laid}

    def move(self, piece: str, to: str | Sequence[float]) -> tuple[float, float]:
        """Put ``piece`` on a free spot of the room ``to``, or at the fractions ``to``.

        A piece that is not on the table comes onto it. Answers where it lies now. Raises
        `BadInput` for an unknown piece or room and for a place far off the table.
        """
        marker = self.kit.piece_by_name.get(piece)
        if marker is None:
            raise BadInput("piece", "vision.unknown_piece", {"piece": piece})
        width, height = self.kit.board_mm
        with self._lock:
            others = tuple(p for p in self._now.laid if p.marker.piece != piece)
            if isinstance(to, str):
                room = self.board.rooms.get(to)
                if room is None:
                    raise BadInput("to", "vision.unknown_room", {"room": to})
                place = free_spot(
                    marker, others, (room.x * width, room.y * height, room.radius * width), width
                )
            else:
                if len(to) != 2 or not all(-0.2 <= v <= 1.2 for v in to):
                    raise BadInput("to", "vision.off_table", {"piece": piece})
                x, y = to[0] * width, to[1] * height
                place = Laid(marker, x, y, atan2(y - height / 2, x - width / 2))
            self._change(laid=(*others, place))
        return place.x / width, place.y / height

    def remove(self, piece: str) -> bool:
        """Take ``piece`` off the table; whether it was there."""
        with self._lock:
            left = tuple(p for p in self._now.laid if p.marker.piece != piece)
            gone = len(left) != len(self._now.laid)
            if gone:
                self._change(laid=left)
        return gone

    def tokens(
        self,
        *,
        fire: Iterable[str] = (),
        malfunction: Iterable[str] = (),
        noise: Iterable[str] = (),
        doors: Mapping[str, str] | None = None,
    ) -> None:
        """Lay the plain tokens exactly so. Places the board does not have are left out."""
        rooms, corridors = self.board.rooms, self.board.corridors
        with self._lock:
            self._change(
                fire=tuple(sorted(r for r in fire if r in rooms)),
                malfunction=tuple(sorted(r for r in malfunction if r in rooms)),
                noise=tuple(sorted(c for c in noise if c in corridors)),
                doors={c: s for c, s in sorted((doors or {}).items()) if c in corridors},
            )

    def hand(self, over: tuple[float, float] | None) -> None:
        """Hold a hand over the fractions ``over``, or take it away."""
        with self._lock:
            self._change(hand=over)

    def _change(self, **changes: object) -> None:
        new = replace(self._now, **changes)  # type: ignore[arg-type]
        if new != self._now:
            self._now = replace(new, version=self._now.version + 1)


def free_spot(
    marker: PieceMarker,
    others: Sequence[Laid],
    room: tuple[float, float, float],
    board_width: float,
) -> Laid:
    """Where a sensible hand would put the piece in ``room`` (x, y, radius in mm).

    Its figure covers no other marker and no figure covers its own, as long as there is room; the
    tongue may be turned anywhere.
    """
    x, y, radius = room
    near = [p for p in others if hypot(p.x - x, p.y - y) < radius * 4]
    out = atan2(y - board_width * 0.34, x - board_width / 2)
    best, least = Laid(marker, x, y, out), float("inf")
    for share in (0.0, 0.35, 0.7, 0.95):
        for step in range(12 if share else 1):
            angle = out + pi * step / 6
            at_x, at_y = x + radius * share * cos(angle), y + radius * share * sin(angle)
            for turn in range(8):
                spot = Laid(marker, at_x, at_y, out + pi * turn / 4)
                cost = share + 0.1 * min(turn, 8 - turn)
                cost += sum(_in_the_way(spot, p, board_width) for p in near)
                if cost < least:
                    best, least = spot, cost
    return best


def _in_the_way(a: Laid, b: Laid, board_width: float) -> float:
    """How badly two pieces disturb each other: 0 when both markers stay in sight."""
    cost = 10.0 * max(0.0, (a.card_mm + b.card_mm) * 0.6 - hypot(a.x - b.x, a.y - b.y))
    for one, two in ((a, b), (b, a)):
        if one.base_radius:
            fx, fy = one.figure
            lean = one.figure_height / CAMERA_MM
            tip = (fx + (fx - board_width / 2) * lean, fy + (fy - board_width * 0.34) * lean)
            reach = one.base_radius + two.card_mm * 0.7
            for t in (0.0, 0.5, 1.0):
                px, py = fx + (tip[0] - fx) * t, fy + (tip[1] - fy) * t
                cost += max(0.0, reach - hypot(px - two.x, py - two.y))
    if a.base_radius and b.base_radius:
        (ax, ay), (bx, by) = a.figure, b.figure
        cost += 4.0 * max(0.0, a.base_radius + b.base_radius - hypot(ax - bx, ay - by))
    return cost
