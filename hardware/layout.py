"""Where the pixels are: round the board's edge, in its rooms, or both on a screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import pairwise

from companion.game.board import Board
from companion.game.errors import BadInput


class Side(StrEnum):
    """A side of the board, in clockwise order seen from above."""

    TOP = "top"
    RIGHT = "right"
    BOTTOM = "bottom"
    LEFT = "left"


SIDES = tuple(Side)


class Corner(StrEnum):
    """A corner of the board, in clockwise order; each is where the side of its index starts."""

    TOP_LEFT = "top_left"
    TOP_RIGHT = "top_right"
    BOTTOM_RIGHT = "bottom_right"
    BOTTOM_LEFT = "bottom_left"


CORNERS = tuple(Corner)


@dataclass(frozen=True, slots=True)
class EdgePixel:
    """One pixel of the edge frame.

    ``x``, ``y`` are fractions of the board's width and height; on its side one of them is 0 or 1.
    """

    side: Side
    x: float
    y: float

    @property
    def along(self) -> float:
        """The place along its side: x on the long sides, y on the short ones."""
        return self.x if self.side in (Side.TOP, Side.BOTTOM) else self.y


@dataclass(frozen=True)
class EdgeLayout:
    """The pixels of the edge frame in the order of the strip; ``aspect`` is width : height.

    ``hidden`` pixels are never lit: under a corner, behind a box, dead.
    """

    pixels: tuple[EdgePixel, ...]
    aspect: float
    hidden: frozenset[int] = frozenset()

    @property
    def count(self) -> int:
        """How many pixels a frame has."""
        return len(self.pixels)

    @cached_property
    def by_side(self) -> Mapping[Side, tuple[int, ...]]:
        """Pixel numbers a side, from left to right or from top to bottom."""
        return {
            side: tuple(
                sorted(
                    (
                        i
                        for i, p in enumerate(self.pixels)
                        if p.side is side and i not in self.hidden
                    ),
                    key=lambda i: self.pixels[i].along,
                )
            )
            for side in SIDES
        }

    @cached_property
    def round(self) -> tuple[float, ...]:
        """Each pixel's place clockwise round the edge, 0-1 from the top-left corner."""
        return tuple(self.place(p.side, p.along) for p in self.pixels)

    def place(self, side: Side, along: float) -> float:
        """Where a point of a side lies clockwise round the edge, 0-1 from the top-left corner."""
        width, height = self.aspect, 1.0
        way = {
            Side.TOP: along * width,
            Side.RIGHT: width + along * height,
            Side.BOTTOM: width + height + (1.0 - along) * width,
            Side.LEFT: 2 * width + height + (1.0 - along) * height,
        }[side]
        return way / (2 * (width + height))


@dataclass(frozen=True)
class RoomLayout:
    """The pixels of each room; a strip may have pixels that belong to none."""

    rooms: Mapping[str, tuple[int, ...]]
    count: int


@dataclass(frozen=True)
class LampLayout:
    """A few lamps, each for one thing: ``mood``, ``alarm`` or a meaning of rooms."""

    lamps: tuple[str, ...]

    @property
    def count(self) -> int:
        """How many pixels a frame has: one a lamp."""
        return len(self.lamps)


@dataclass(frozen=True)
class ScreenLayout:
    """What a screen draws: an edge frame, then one pixel for each room of the board."""

    edge: EdgeLayout
    rooms: RoomLayout

    @property
    def count(self) -> int:
        """How many pixels a frame has: the edge's, then the rooms'."""
        return self.edge.count + self.rooms.count


Layout = EdgeLayout | RoomLayout | LampLayout | ScreenLayout


def edge_layout(
    pixels: int,
    aspect: float,
    *,
    corner: Corner = Corner.TOP_LEFT,
    clockwise: bool = True,
    sides: Sequence[int] = (),
) -> EdgeLayout:
    """An edge strip of ``pixels`` that starts at ``corner`` and runs one way round the board.

    ``sides`` are the four counts in the order the strip runs, when its corners are known;
    without them the pixels are spaced evenly by length. Raises ValueError when the four counts
    do not add up to ``pixels``.
    """
    start = CORNERS.index(corner)
    order = [
        SIDES[(start + step) % 4] if clockwise else SIDES[(start - 1 - step) % 4]
        for step in range(4)
    ]
    lengths = [aspect if side in (Side.TOP, Side.BOTTOM) else 1.0 for side in order]
    if sides:
        if len(sides) != 4 or sum(sides) != pixels:
            raise ValueError(f"four sides that add up to {pixels} are needed, not {list(sides)}")
        places = [
            (side, (i + 0.5) / n) for side, n in zip(order, sides, strict=True) for i in range(n)
        ]
    else:
        places = list(_even(order, lengths, pixels))
    return EdgeLayout(tuple(_pixel(side, way, clockwise) for side, way in places), aspect)


def corner_layout(
    pixels: int,
    aspect: float,
    corners: Sequence[int],
    *,
    hidden: Sequence[int] = (),
    places: Mapping[int, tuple[Side, float]] | None = None,
) -> EdgeLayout:
    """An edge strip whose pixels at the four corners (in the order of `CORNERS`) are known.

    It may begin anywhere and run either way; the pixels between two corners are spaced evenly.
    ``places`` puts single pixels right: the side, and how far along it from left or top (0-1).
    ``hidden`` ones are never lit. Raises BadInput ``lights.corners``.
    """
    clockwise = check_corners(corners)
    found: dict[int, EdgePixel] = {}
    for n, side in enumerate(SIDES):
        start, end = corners[n], corners[(n + 1) % 4]
        if not clockwise:
            start, end = end, start
        count = (end - start) % pixels
        for step in range(count):
            found[(start + step) % pixels] = _pixel(side, step / count, clockwise)
    for i, (side, along) in (places or {}).items():
        found[i] = _pixel(side, along if side in (Side.TOP, Side.RIGHT) else 1.0 - along, True)
    return EdgeLayout(tuple(found[i] for i in range(pixels)), aspect, frozenset(hidden))


def check_corners(corners: Sequence[int]) -> bool:
    """Whether the four pixels run clockwise. Raises BadInput ``lights.corners`` if neither way."""
    turned = [*corners, corners[0]] if len(corners) == 4 else []
    falls = sum(b < a for a, b in pairwise(turned))
    if len(set(corners)) != 4 or falls not in (1, 3):
        numbers = ", ".join(map(str, corners))
        raise BadInput("lights.corners", "lights.corners", {"numbers": numbers})
    return falls == 1


def screen_layout(board: Board, pixels: int = 60) -> ScreenLayout:
    """The screen's own layout of ``board``: an even edge frame, and a pixel a room by number."""
    rooms = {room: (i,) for i, room in enumerate(sorted(board.rooms))}
    return ScreenLayout(edge_layout(pixels, board.aspect), RoomLayout(rooms, len(rooms)))


def _even(order: list[Side], lengths: list[float], pixels: int) -> list[tuple[Side, float]]:
    total = sum(lengths)
    found: list[tuple[Side, float]] = []
    for i in range(pixels):
        way = (i + 0.5) / pixels * total
        for side, length in zip(order, lengths, strict=True):
            if way < length:
                found.append((side, way / length))
                break
            way -= length
    return found


def _pixel(side: Side, way: float, clockwise: bool) -> EdgePixel:
    """The pixel a share ``way`` along ``side`` in the direction of the strip."""
    along = way if (side in (Side.TOP, Side.RIGHT)) == clockwise else 1.0 - way
    return {
        Side.TOP: EdgePixel(side, along, 0.0),
        Side.RIGHT: EdgePixel(side, 1.0, along),
        Side.BOTTOM: EdgePixel(side, along, 1.0),
        Side.LEFT: EdgePixel(side, 0.0, along),
    }[side]
