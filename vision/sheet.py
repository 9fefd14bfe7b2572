"""The printable marker kit, in true millimetres, and whether a printer kept to them.

Every card has a cutting line, the name of its piece, a band of its colour and the kit's version.
At the foot of every page is a bar of 100 mm between two squares; photographed together with the
whole page it tells how much the printer shrank the sheet, because paper has a known size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from math import asin, cos, pi, sin
from typing import Any

import numpy as np

from vision.detect import Detector
from vision.kit import MODULES, SHEET_IDS, FrameMarker, Kit, PieceMarker, build_kit
from vision.pdf import PAPER_MM, Colour, Page, document
from vision.squaresheet import SQUARE_MM, SQUARES, square_sheet

Words = Callable[[str, Mapping[str, Any]], str]
Name = Callable[[str], str]

EDGE_MM = 10.0  # left free, printers do not reach further
GAP_MM = 3.0
BAND_MM = 3.4
FLAP_MM = 9.0  # of a frame card, under the board
BAR_MM = 100.0
BAR_SIZE_MM = 12.0  # black side of the squares at its ends
BAR_HEIGHT_MM = 20.0
GREY: Colour = (0.55, 0.55, 0.55)
INK: Colour = (0.05, 0.05, 0.05)
WHITE: Colour = (1.0, 1.0, 1.0)
BLUE: Colour = (0.10, 0.30, 0.75)
DOOR_MM = 2.0  # assumed: how thick a door's cardboard is
KEEL_MM = 9.0  # of a roof, down both sides of the door
DRAWING_MM = 60.0
ICON_MM = 4.5
#: Drawn on replacement tokens, so that hands find them: points of a polygon, 1 to each side.
ICONS: Mapping[str, tuple[tuple[float, float], ...]] = {
    "fire": ((0, -1), (0.5, -0.1), (0.75, 0.4), (0.3, 1), (-0.3, 1), (-0.75, 0.4), (-0.35, -0.3)),
    "malfunction": ((0.2, -1), (-0.6, 0.2), (-0.05, 0.1), (-0.3, 1), (0.6, -0.3), (0.05, -0.2)),
    "door_destroyed": ((-0.9, -0.6), (-0.1, -0.4), (0.1, -0.9), (0.9, 0.6), (0, 0.3), (-0.3, 0.9)),
}
COLOURS: Mapping[str, Colour] = {
    "red": (0.78, 0.10, 0.12),
    "blue": (0.10, 0.30, 0.75),
    "green": (0.10, 0.50, 0.20),
    "white": (0.80, 0.80, 0.80),
    "purple": (0.45, 0.18, 0.60),
    "orange": (0.90, 0.48, 0.05),
    "yellow": (0.90, 0.75, 0.10),
    "pink": (0.90, 0.40, 0.62),
    "black": (0.10, 0.10, 0.10),
}


@dataclass(frozen=True, slots=True)
class _Card:
    """One thing to cut out: its size in mm and how to draw it with its top-left at (x, y)."""

    width: float
    height: float
    draw: Callable[[Page, float, float], None]


def sheet_pdf(
    kit: Kit,
    *,
    say: Words,
    name: Name,
    paper: str = "a4",
    colours: Mapping[str, str] | None = None,
    copies: Mapping[str, int] | None = None,
) -> bytes:
    """The PDF of ``kit``.

    ``say(key, params)`` gives the sheet's words, ``name(piece)`` the printed name of a piece.
    ``colours`` maps pieces to a colour of `COLOURS` or ``#rrggbb``, ``copies`` interchangeable
    tokens to how many of them are printed (1). ``paper`` is ``a4`` or ``letter``; anything else
    is a `KeyError`.
    """
    size = PAPER_MM[paper]
    press = _Press(kit, say, name, dict(colours or {}), dict(copies or {}))
    cards = [*press.frame_cards(), *press.piece_cards(), *press.drawings()]
    pages = []
    for number, content in enumerate(_shelves(cards, size), 1):
        page = Page(size)
        page.text(
            say("vision.sheet.title", {"version": kit.version, "page": number}),
            EDGE_MM,
            EDGE_MM + 3,
            9,
        )
        page.text(say("vision.sheet.how", {}), EDGE_MM, EDGE_MM + 7, 6.5, width=size[0] - 20)
        for card, x, y in content:
            card.draw(page, x, y)
        press.bar(page, paper)
        pages.append(page)
    return document(pages)


def lens_pdf(*, say: Words, paper: str = "a4") -> bytes:
    """The PDF of the sheet of squares by which a lens is measured, with the check bar."""
    size = PAPER_MM[paper]
    page = Page(size)
    page.text(say("vision.sheet.lens", {}), EDGE_MM, EDGE_MM + 3, 9)
    page.text(say("vision.sheet.lens.how", {}), EDGE_MM, EDGE_MM + 7, 6.5, width=size[0] - 20)
    columns, rows = SQUARES
    wide, high = round(columns * SQUARE_MM), round(rows * SQUARE_MM)
    # Every edge of the sheet lies on a whole millimetre: one px of OpenCV's picture is one.
    picture = square_sheet().generateImage((wide, high), marginSize=0, borderBits=1)
    left = (size[0] - wide) / 2
    top = EDGE_MM + 10
    for row, cells in enumerate(picture < 128):
        for black, group in groupby(range(wide), key=lambda c: bool(cells[c])):
            run = list(group)
            if black:
                below = row + 1 < high and bool(picture[row + 1, run[0]] < 128)
                page.box(left + run[0], top + row, len(run), 1.02 if below else 1.0)
    _Press(build_kit(kits=()), say, str, {}, {}).bar(page, paper)
    return document([page])


def _shelves(
    cards: Iterable[_Card], size: tuple[float, float]
) -> list[list[tuple[_Card, float, float]]]:
    """Cards in rows on as many pages as they need: lists of (card, x, y)."""
    top, floor = EDGE_MM + 11, size[1] - EDGE_MM - BAR_HEIGHT_MM
    pages: list[list[tuple[_Card, float, float]]] = [[]]
    x, y, row = EDGE_MM, top, 0.0
    for card in cards:
        if x + card.width > size[0] - EDGE_MM:
            x, y, row = EDGE_MM, y + row + GAP_MM, 0.0
        if y + card.height > floor:
            pages.append([])
            x, y, row = EDGE_MM, top, 0.0
        pages[-1].append((card, x, y))
        x, row = x + card.width + GAP_MM, max(row, card.height)
    return pages


class _Press:
    """Draws the cards of one kit."""

    def __init__(
        self,
        kit: Kit,
        say: Words,
        name: Name,
        colours: dict[str, str],
        copies: dict[str, int],
    ) -> None:
        self._kit, self._say, self._name = kit, say, name
        self._colours, self._copies = colours, copies
        self._detector = Detector(kit.dictionary)

    def marker(
        self, page: Page, number: int, x: float, y: float, size: float, turns: int = 0
    ) -> None:
        """The black square of ``size`` mm centred at (x, y), turned by quarters clockwise."""
        page.box(x - size / 2, y - size / 2, size, size)
        module = size / MODULES
        for row, cells in enumerate(np.rot90(self._detector.pattern(number) > 0, -turns)):
            for white, group in groupby(range(MODULES), key=lambda c: bool(cells[c])):
                columns = list(group)
                if white:
                    page.box(
                        x - size / 2 + columns[0] * module,
                        y - size / 2 + row * module,
                        len(columns) * module,
                        module + (0.02 if row < MODULES - 1 else 0),
                        WHITE,
                    )

    def frame_cards(self) -> list[_Card]:
        """One card for each frame marker, with a flap that goes under the board."""
        return [self._frame_card(marker) for marker in self._kit.fixed]

    def _frame_card(self, marker: FrameMarker) -> _Card:
        width, height = self._kit.board_mm
        x, y = marker.xy_mm
        margin = marker.size_mm / MODULES
        half = marker.size_mm / 2 + margin
        # A corner card reaches as far as the board's own corner; left and right as one looks at
        # the card with the board above it.
        sides = {"left": half, "right": half}
        along = (y, height) if x < 0 or x > width else (x, width)
        if abs(along[0] - along[1] / 2) > 1:
            towards_end = along[0] > along[1] / 2
            end = min(along[0], along[1] - along[0])
            clockwise = x < 0 or y > height
            sides["right" if towards_end == clockwise else "left"] = end
        total = sides["left"] + sides["right"]
        # The picture is turned so that the pattern stands upright on the board.
        turn = 0 if y > height else 3 if x < 0 else 2 if y < 0 else 1

        def draw(page: Page, left: float, top: float) -> None:
            gap = abs(min(x, y, width - x, height - y)) - half
            edge = top + FLAP_MM
            bottom = edge + gap + 2 * half + BAND_MM
            page.path([(left, top), (left + total, top), (left + total, bottom), (left, bottom)])
            page.path([(left, edge), (left + total, edge)], dashed=True, close=False)
            under = self._say("vision.sheet.under_board", {})
            page.text(under, left + 1, top + 4, 5, GREY, total - 2)
            middle = left + sides["left"]
            self.marker(page, marker.id, middle, edge + gap + half, marker.size_mm, turn)
            page.path([(middle, edge), (middle, edge - 2)], close=False)
            label = self._say(f"vision.sheet.frame.{marker.id}", {})
            page.text(label, left + 1, bottom - 1, 5.5, INK, total - 2)

        return _Card(total, FLAP_MM + 2 * half + BAND_MM + 0.6, draw)

    def piece_cards(self) -> list[_Card]:
        """A tongue for every miniature, a plain card for every token, a strip for every roof."""
        cards = []
        for marker in self._kit.pieces:
            if marker.form == "mini":
                cards.append(self._tongue(marker))
            elif marker.piece == "door":
                cards += [self._roof(marker)] * self._copies.get(marker.piece, 1)
            else:
                cards += [self._token(marker)] * self._copies.get(marker.piece, 1)
        return cards

    def _tongue(self, marker: PieceMarker) -> _Card:
        radius, card = marker.base_radius_mm, marker.card_mm
        length = BAND_MM + card

        def draw(page: Page, left: float, top: float) -> None:
            middle = left + radius
            x = middle - card / 2
            self._band(page, marker, x, top, card)
            self.marker(page, marker.id, middle, top + BAND_MM + card / 2, marker.size_mm)
            # The tongue's sides meet the disc where it is as wide as the tongue.
            centre = top + length + radius
            opening = asin(card / 2 / radius)
            angles = [opening + (2 * pi - 2 * opening) * k / 48 for k in range(49)]
            arc = [(middle + radius * sin(a), centre - radius * cos(a)) for a in angles]
            page.path([(x, top), (x + card, top), *arc])
            page.text(
                f"{marker.id} · v{self._kit.version}", middle - 5, centre + radius * 0.6, 5, GREY
            )

        return _Card(2 * radius, length + 2 * radius, draw)

    def _token(self, marker: PieceMarker) -> _Card:
        card = marker.card_mm
        icon = ICONS.get(marker.piece)
        foot = ICON_MM if icon else 0.0

        def draw(page: Page, left: float, top: float) -> None:
            self._band(page, marker, left, top, card)
            middle = top + BAND_MM + card / 2
            self.marker(page, marker.id, left + card / 2, middle, marker.size_mm)
            bottom = top + BAND_MM + card
            if icon:
                page.box(left, bottom, card, foot, rgb(self._colours.get(marker.piece, "")))
                for third in (0.25, 0.75):
                    x, y = left + card * third, bottom + foot / 2
                    page.shape([(x + dx * foot * 0.4, y + dy * foot * 0.4) for dx, dy in icon], INK)
            bottom += foot
            page.path([(left, top), (left + card, top), (left + card, bottom), (left, bottom)])

        return _Card(card, BAND_MM + card + foot, draw)

    def _roof(self, marker: PieceMarker) -> _Card:
        """A strip that is folded into a T and slipped onto a standing door: keel, half, top, …"""
        card = marker.card_mm
        half = (card - DOOR_MM) / 2
        parts = (KEEL_MM, half, card, half, KEEL_MM)
        total = sum(parts)

        def draw(page: Page, left: float, top: float) -> None:
            page.path(
                [(left, top), (left + total, top), (left + total, top + card), (left, top + card)]
            )
            x = left
            for width in parts[:-1]:
                x += width
                page.path([(x, top), (x, top + card)], dashed=True, close=False)
            middle = left + KEEL_MM + half + card / 2
            self.marker(page, marker.id, middle, top + card / 2, marker.size_mm)
            end = left + KEEL_MM + half + card
            for at in (left, end + half):
                self._band(page, marker, at, top, KEEL_MM)
            page.text(f"{marker.id} · v{self._kit.version}", left + 1, top + card - 2, 5, GREY)

        return _Card(total, card, draw)

    def drawings(self) -> list[_Card]:
        """How the cards are put together, from the side: for each kind of card in this kit."""
        found = []
        if self._kit.fixed and any(m.kind == "command" for m in self._kit.pieces):
            found.append(self._drawing("frame", _frame_drawing))
        if any(m.form == "mini" for m in self._kit.pieces):
            found.append(self._drawing("tongue", _tongue_drawing))
        if any(m.piece == "door" for m in self._kit.pieces):
            found.append(self._drawing("roof", _roof_drawing))
        return found

    def _drawing(self, name: str, sketch: Callable[[Page, float, float], None]) -> _Card:
        def draw(page: Page, left: float, top: float) -> None:
            sketch(page, left, top)
            page.text(
                self._say(f"vision.sheet.drawing.{name}", {}), left, top + 21, 6, INK, DRAWING_MM
            )

        return _Card(DRAWING_MM, 23.0, draw)

    def _band(self, page: Page, marker: PieceMarker, x: float, y: float, width: float) -> None:
        colour = rgb(self._colours.get(marker.piece, ""))
        page.box(x, y, width, BAND_MM, colour)
        dark = sum(colour) < 1.6
        ink = WHITE if dark else INK
        page.text(self._name(marker.piece), x + 0.8, y + BAND_MM - 1, 6, ink, width - 1.6)

    def bar(self, page: Page, paper: str) -> None:
        """The check bar: the squares' centres and the bar's ends are `BAR_MM` apart."""
        width, height = page.size
        left = (width - BAR_MM) / 2
        y = height - EDGE_MM - BAR_SIZE_MM
        half = BAR_SIZE_MM / 2
        for number, x in zip(SHEET_IDS[paper], (left, left + BAR_MM), strict=True):
            self.marker(page, number, x, y + half, BAR_SIZE_MM)
        line = y - 1.8
        page.box(left, line - 0.2, BAR_MM, 0.4)
        for k in range(11):
            tall = 3.0 if k in (0, 10) else 1.6
            page.box(left + 10 * k - 0.1, line - tall / 2, 0.2, tall)
        words = self._say("vision.sheet.bar", {"mm": int(BAR_MM)})
        page.text(words, left + half + 4, y + half, 7, INK, BAR_MM - BAR_SIZE_MM - 8)


def _frame_drawing(page: Page, x: float, y: float) -> None:
    """The board on the flap of a frame card, both on the table."""
    page.box(x + 2, y + 12, 34, 2.4, (0.2, 0.2, 0.2))  # the board
    page.box(x + 27, y + 14.4, 30, 0.5, BLUE)  # the card, its flap below the board
    page.path([(x, y + 15.4), (x + 60, y + 15.4)], close=False)
    page.box(x + 40, y + 14.2, 12, 0.7)  # its square


def _tongue_drawing(page: Page, x: float, y: float) -> None:
    """A figure whose base and ring hold the disc of a card between them; the tongue looks out."""
    page.shape([(x + 12, y), (x + 16, y), (x + 20, y + 11), (x + 8, y + 11)], GREY)
    page.box(x + 4, y + 11, 20, 2)  # the base
    page.box(x + 3, y + 13.2, 40, 0.5, BLUE)  # the card: disc and tongue
    page.box(x + 3, y + 13.9, 22, 1.6, (0.75, 0.2, 0.2))  # the ring, clipped on from below
    page.box(x + 29, y + 12.9, 12, 0.7)
    page.path([(x, y + 15.8), (x + 60, y + 15.8)], close=False)


def _roof_drawing(page: Page, x: float, y: float) -> None:
    """A folded strip on a standing door: the two keels grip it."""
    page.box(x + 29, y + 4, 2, 12, (0.45, 0.45, 0.45))  # the door
    page.box(x + 20, y + 2, 20, 0.5, BLUE)  # the top
    page.box(x + 24, y + 1.4, 12, 0.7)
    page.box(x + 20, y + 2.8, 8.4, 0.5, BLUE)  # the halves, folded back
    page.box(x + 31.6, y + 2.8, 8.4, 0.5, BLUE)
    page.box(x + 28, y + 2.8, 0.5, 8, BLUE)  # the keels
    page.box(x + 31.5, y + 2.8, 0.5, 8, BLUE)
    page.path([(x, y + 16), (x + 60, y + 16)], close=False)


def rgb(colour: str) -> Colour:
    """A colour's red, green and blue, 0-1; grey for a colour that is not known."""
    if colour.startswith("#") and len(colour) == 7:
        try:
            value = int(colour[1:], 16)
        except ValueError:
            return GREY
        return (value >> 16) / 255, (value >> 8 & 255) / 255, (value & 255) / 255
    return COLOURS.get(colour, GREY)
