"""The lit table as a drawing: the board as a graph, the strip round it, the lights in its rooms.

The drawing holds no words but the labels it is given.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from companion.game.board import Board
from companion.table.ports import Scene
from hardware.layout import EdgeLayout, LampLayout, Layout, RoomLayout, ScreenLayout
from hardware.meanings import BLACK, LEGEND, LOOK, Colour, Frame, target

_MARGIN: Final = 0.06  # of the width, round the board
_TABLE: Final = "#08090c"
_BOARD: Final = "#11141a"
_LINE: Final = "#343b48"
_TEXT: Final = "#aeb6c4"


def picture(
    board: Board,
    scene: Scene,
    frame: Frame,
    layout: Layout,
    *,
    labels: Mapping[str, str] | None = None,
    width: int = 1000,
) -> str:
    """The lit table as SVG text, ``width`` units wide.

    ``frame`` is in screen colours, as `Painter.frame` makes it for ``layout``. ``labels`` are
    written into rooms by id. Raises ValueError when the frame does not fit the layout.
    """
    if len(frame) != layout.count:
        raise ValueError(f"a frame of {len(frame)} pixels for a layout of {layout.count}")
    edge, rooms = _parts(layout)
    lamps = layout.lamps if isinstance(layout, LampLayout) else ()
    draw = _Drawing(board, width)
    split = edge.count if edge else 0
    return draw.svg(
        [
            *draw.table(),
            *draw.crosshair(target(scene) if edge else ()),
            *draw.corridors(),
            *draw.rooms(_room_colours(rooms, frame[split:]), labels or {}),
            *draw.edge(edge, frame[:split]),
            *draw.lamps(lamps, frame),
        ]
    )


def _parts(layout: Layout) -> tuple[EdgeLayout | None, RoomLayout | None]:
    match layout:
        case EdgeLayout():
            return layout, None
        case RoomLayout():
            return None, layout
        case LampLayout():
            return None, None
        case ScreenLayout():
            return layout.edge, layout.rooms


def _room_colours(layout: RoomLayout | None, frame: Frame) -> Mapping[str, Colour]:
    """The brightest pixel of each room."""
    if layout is None:
        return {}
    return {
        room: max((frame[i] for i in pixels), key=sum, default=BLACK)
        for room, pixels in layout.rooms.items()
    }


class _Drawing:
    def __init__(self, board: Board, width: int) -> None:
        self._board = board
        self._margin = _MARGIN * width
        self._width = width - 2 * self._margin
        self._height = self._width / board.aspect
        self._size = (width, self._height + 2 * self._margin)

    def svg(self, parts: Sequence[str]) -> str:
        width, height = self._size
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_n(width)} {_n(height)}" '
            f'width="{_n(width)}" height="{_n(height)}">'
        )
        glow = (
            '<defs><filter id="glow" x="-200%" y="-200%" width="500%" height="500%">'
            f'<feGaussianBlur stdDeviation="{_n(self._margin * 0.3)}"/></filter></defs>'
        )
        return "\n".join([head, glow, *parts, "</svg>\n"])

    def table(self) -> Iterator[str]:
        yield f'<rect width="100%" height="100%" fill="{_TABLE}"/>'
        yield (
            f'<rect x="{_n(self._margin)}" y="{_n(self._margin)}" width="{_n(self._width)}" '
            f'height="{_n(self._height)}" rx="6" fill="{_BOARD}" stroke="{_LINE}"/>'
        )

    def corridors(self) -> Iterator[str]:
        for corridor in self._board.corridors.values():
            a, b = (self._board.rooms[room] for room in corridor.rooms)
            points = " ".join(self._xy(*at) for at in ((a.x, a.y), (corridor.x, corridor.y)))
            points += " " + self._xy(b.x, b.y)
            yield f'<polyline points="{points}" fill="none" stroke="{_LINE}" stroke-width="2"/>'

    def rooms(self, lit: Mapping[str, Colour], labels: Mapping[str, str]) -> Iterator[str]:
        for room in self._board.rooms.values():
            x, y, radius = self._x(room.x), self._y(room.y), room.radius * self._width
            colour = lit.get(room.id, BLACK)
            if colour != BLACK:
                yield self._light(x, y, radius, colour)
            yield (
                f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius * 0.8)}" fill="{_BOARD}" '
                f'stroke="{_hex(colour) if colour != BLACK else _LINE}" stroke-width="3" '
                f"data-room={quoteattr(room.id)}/>"
            )
            if label := labels.get(room.id):
                yield (
                    f'<text x="{_n(x)}" y="{_n(y)}" fill="{_TEXT}" font-family="sans-serif" '
                    f'font-size="{_n(radius * 0.6)}" text-anchor="middle" '
                    f'dominant-baseline="central">{escape(label)}</text>'
                )

    def edge(self, layout: EdgeLayout | None, frame: Frame) -> Iterator[str]:
        if layout is None:
            return
        away = self._margin / 2
        for i, (pixel, colour) in enumerate(zip(layout.pixels, frame, strict=True)):
            x = self._x(pixel.x) + away * (pixel.x == 1.0) - away * (pixel.x == 0.0)
            y = self._y(pixel.y) + away * (pixel.y == 1.0) - away * (pixel.y == 0.0)
            if colour != BLACK:
                yield self._light(x, y, self._margin * 0.3, colour)
            yield (
                f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(self._margin * 0.12)}" '
                f'fill="{_hex(colour)}" data-pixel="{i}"/>'
            )

    def lamps(self, names: tuple[str, ...], frame: Frame) -> Iterator[str]:
        """The lamps in a row under the board."""
        for n, (name, colour) in enumerate(zip(names, frame, strict=False)):
            x, y = self._x((n + 1) / (len(names) + 1)), self._y(1.0) + self._margin / 2
            if colour != BLACK:
                yield self._light(x, y, self._margin * 0.4, colour)
            yield (
                f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(self._margin * 0.25)}" '
                f'fill="{_hex(colour)}" stroke="{_LINE}" data-lamp={quoteattr(name)}/>'
            )

    def crosshair(self, rooms: tuple[str, ...]) -> Iterator[str]:
        """The two lines of light that cross over each room pointed at."""
        colour = _hex(LEGEND[LOOK].colour)
        places = [self._board.rooms[room] for room in rooms if room in self._board.rooms]
        for n, room in enumerate(reversed(places)):
            x, y = self._x(room.x), self._y(room.y)
            style = f'stroke="{colour}" stroke-opacity="{0.3 if n == 0 else 0.12}"'
            wide = f'stroke-width="{_n(room.radius * self._width * (0.5 if n == 0 else 0.2))}"'
            top, left = self._margin, self._margin
            bottom, right = top + self._height, left + self._width
            yield f'<path d="M{_n(x)} {_n(top)}V{_n(bottom)}" {style} {wide}/>'
            yield f'<path d="M{_n(left)} {_n(y)}H{_n(right)}" {style} {wide}/>'

    def _light(self, x: float, y: float, radius: float, colour: Colour) -> str:
        return (
            f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}" fill="{_hex(colour)}" '
            'filter="url(#glow)"/>'
        )

    def _x(self, x: float) -> float:
        return self._margin + x * self._width

    def _y(self, y: float) -> float:
        return self._margin + y * self._height

    def _xy(self, x: float, y: float) -> str:
        return f"{_n(self._x(x))},{_n(self._y(y))}"


def _n(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _hex(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)
