"""The board as a drawing of our own, made from the content's geometry.

Ids: ``room-006``, ``corridor-005-010``, ``space-technical``, ``pods-A``. The page fills each
``g.marks``; nothing in the drawing is text of the game but numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from companion.game.board import Board, Corridor, Room

WIDTH = 1000  # units across the long side of the board
MARGIN = 26


@dataclass(frozen=True, slots=True)
class _Sheet:
    """Where fractions of the board lie on the drawing; ``upright`` turns the Cockpit to the top."""

    board: Board
    upright: bool

    @property
    def height(self) -> float:
        return WIDTH / self.board.aspect

    @property
    def size(self) -> tuple[float, float]:
        return (self.height, WIDTH) if self.upright else (WIDTH, self.height)

    def at(self, x: float, y: float) -> tuple[float, float]:
        if self.upright:
            return round((1 - y) * self.height, 1), round(x * WIDTH, 1)
        return round(x * WIDTH, 1), round(y * self.height, 1)


@lru_cache(maxsize=8)
def _drawn(board_id: str, upright: bool, board: _ById) -> str:
    sheet = _Sheet(board.board, upright)
    width, height = sheet.size
    box = f"{-MARGIN} {-MARGIN} {width + 2 * MARGIN:.0f} {height + 2 * MARGIN:.0f}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="board" viewBox="{box}" '
        f'data-board="{board_id}" data-way="{"upright" if upright else "wide"}" role="group">',
        f'<rect class="hull" x="{-MARGIN + 4}" y="{-MARGIN + 4}" rx="40" '
        f'width="{width + 2 * MARGIN - 8:.0f}" height="{height + 2 * MARGIN - 8:.0f}"/>',
        *_spaces(sheet),
        *(part for c in sheet.board.corridors.values() for part in _line(sheet, c)),
        *(part for r in sheet.board.rooms.values() for part in _room(sheet, r)),
        *(part for c in sheet.board.corridors.values() for part in _badge(sheet, c)),
        '<g class="figures"></g><g class="arrows"></g></svg>',
    ]
    return "".join(parts)


@dataclass(frozen=True)
class _ById:
    """A board that compares by identity, for the cache."""

    board: Board

    def __hash__(self) -> int:
        return id(self.board)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ById) and other.board is self.board


def drawing(board: Board, *, upright: bool = False) -> str:
    """The board as SVG text; ``upright`` for a phone held upright, the Cockpit at the top."""
    return _drawn(board.id, upright, _ById(board))


def _ends(sheet: _Sheet, corridor: Corridor) -> tuple[tuple[float, float], ...]:
    a, b = (sheet.board.rooms[r] for r in corridor.rooms)
    return sheet.at(a.x, a.y), sheet.at(corridor.x, corridor.y), sheet.at(b.x, b.y)


def _line(sheet: _Sheet, corridor: Corridor) -> Iterator[str]:
    (ax, ay), (mx, my), (bx, by) = _ends(sheet, corridor)
    # The curve passes through the printed middle: its control point lies twice as far out.
    cx, cy = round(2 * mx - (ax + bx) / 2, 1), round(2 * my - (ay + by) / 2, 1)
    yield (
        f'<path class="way" id="way-{corridor.id}" d="M{ax} {ay}Q{cx} {cy} {bx} {by}" fill="none"/>'
    )


def _badge(sheet: _Sheet, corridor: Corridor) -> Iterator[str]:
    _, (x, y), _ = _ends(sheet, corridor)
    numbers = " ".join(map(str, corridor.numbers))
    yield (
        f'<g class="corridor" id="corridor-{corridor.id}" data-id="{corridor.id}" '
        f'data-rooms="{" ".join(corridor.rooms)}" data-numbers="{numbers}" '
        f'data-x="{x}" data-y="{y}" transform="translate({x} {y})">'
        f'<circle class="hit" r="30"/><rect class="plate" x="-19" y="-14" width="38" height="28" '
        f'rx="8"/><text class="number" y="7">{"·".join(map(str, corridor.numbers))}</text>'
        f'<g class="marks"></g></g>'
    )


def _room(sheet: _Sheet, room: Room) -> Iterator[str]:
    x, y = sheet.at(room.x, room.y)
    radius = round(room.radius * WIDTH, 1)
    points = " ".join(
        f"{radius * 1.1 * a:.1f},{radius * 1.1 * b:.1f}"
        for a, b in ((1, 0), (0.5, 0.87), (-0.5, 0.87), (-1, 0), (-0.5, -0.87), (0.5, -0.87))
    )
    entrances = " ".join(f"{e.number}:{e.network}" for e in room.technical)
    vents = "".join(
        f'<g class="vent {e.network}" transform="translate('
        f'{(i - (len(room.technical) - 1) / 2) * 20:.0f} {radius * 0.98:.1f})">'
        f'<rect x="-9" y="-9" width="18" height="18" rx="4"/>'
        f'<text y="5">{e.number}</text></g>'
        for i, e in enumerate(room.technical)
    )
    yield (
        f'<g class="room {room.kind}" id="room-{room.id}" data-id="{room.id}" data-r="{radius}" '
        f'data-x="{x}" data-y="{y}" data-technical="{entrances}" transform="translate({x} {y})">'
        f'<polygon class="floor" points="{points}"/>'
        f'<text class="label" y="{-radius * 0.56:.1f}">{room.id}</text> '
        f'<text class="name"></text><g class="marks" aria-hidden="true"></g></g>'
        f'<g class="vents" transform="translate({x} {y})" aria-hidden="true">{vents}</g>'
    )


def _spaces(sheet: _Sheet) -> Iterator[str]:
    for space, (x, y) in sheet.board.spaces.items():
        sx, sy = sheet.at(x, y)
        yield (
            f'<g class="space {space}" id="space-{space}" data-id="{space}" data-x="{sx}" '
            f'data-y="{sy}" transform="translate({sx} {sy})"><circle class="hit" r="42"/>'
            f'<circle class="ring" r="34"/><use href="#i-vent" x="-16" y="-16" width="32" '
            f'height="32"/><g class="marks"></g></g>'
        )
    for section, places in sheet.board.pods.items():
        for number, (px, py) in enumerate(places):
            x, y = sheet.at(px, py)
            yield (
                f'<g class="pod" id="pod-{section}-{number}" data-section="{section.lower()}" '
                f'transform="translate({x} {y})"><circle r="17"/><text y="6"></text></g>'
            )
