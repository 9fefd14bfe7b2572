"""What is measured once: how big the board is, how it looks empty, and how the lens bends.

The printed frame markers have a known size, so a picture of the laid frame tells the board's. A
printed sheet of squares, held to many places of the picture, tells what the lens does; whether
that is worth keeping is measured on pictures that the lens was not worked out from.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from vision.detect import Grey, Mark, Points
from vision.kit import FrameMarker, frame
from vision.look import PX_PER_MM, BoardLook, learnt
from vision.optional import need
from vision.quality import true_marks
from vision.read import MARGIN_MM, Reader
from vision.register import Lens, homography, inverse, project, register, square
from vision.squaresheet import square_sheet

BOARD_MARKERS = 6  # of the eight, for a measure of the board
BOARD_PICTURES = 5  # a median of fewer tells little of its own spread
EMPTY_PICTURES = 5
SURE = 0.007  # of the width: what a camera does alike in all its pictures
ODD = 0.04  # of a side: a told size this far from a measured one is worth another look
ROUNDS = 12  # until the size does not change any more
LENS_VIEWS = 8  # fewer views say too little
LENS_CORNERS = 12  # of a view
LENS_REACH = 0.7  # of half the diagonal: how far out the views must go together
LENS_PARAMETERS = 4
ZONES = (3, 3)  # of the picture, for the guidance
STILL_PX = 2.5  # a sheet that moved less between two looks is held still
OTHER_PLACE = 0.12  # of the picture's width: a view nearer to one that is kept adds nothing
WORTH = 0.9  # of the error before: only below is a lens worth keeping


@dataclass(frozen=True, slots=True)
class BoardSize:
    """A measured board: width and height in mm, how sure (half the spread), from how many."""

    mm: tuple[float, float]
    spread_mm: float
    pictures: int


class BoardMeasure:
    """Measures the board from pictures of the laid frame; fed one after the other."""

    def __init__(self, start_mm: tuple[float, float], lens: Lens | None = None) -> None:
        self._start, self._lens = start_mm, lens
        self._found: list[tuple[float, float]] = []

    def add(self, grey: Grey, marks: Iterable[Mark]) -> tuple[float, float] | None:
        """The board's size by the frame ``marks`` of one picture; None: they do not tell it."""
        size = (grey.shape[1], grey.shape[0])
        lens = self._lens if self._lens is not None and self._lens.size == size else None
        found = measured_board(true_marks(grey, marks), size, self._start, lens)
        if found is not None:
            self._found.append(found)
        return found

    @property
    def result(self) -> BoardSize | None:
        """The median so far; None before the first."""
        if not self._found:
            return None
        every = np.array(self._found)
        middle = np.median(every, axis=0)
        away = np.abs(every - middle)
        spread = max(float(np.percentile(away, 90)), SURE * float(middle[0]))
        width, height = (round(float(v), 1) for v in middle)
        return BoardSize((width, height), round(spread, 1), len(every))


def measured_board(
    marks: Iterable[Mark],
    size: tuple[int, int],
    start_mm: tuple[float, float],
    lens: Lens | None = None,
) -> tuple[float, float] | None:
    """Width and height in mm of the board whose frame ``marks`` a picture of ``size`` shows.

    The markers' middles give the perspective, their sides the scale along and across. None when
    fewer than `BOARD_MARKERS` are seen, or when they do not lie as a laid frame does.
    """
    best: dict[int, Mark] = {}
    for mark in marks:
        if mark.id not in best or mark.quality > best[mark.id].quality:
            best[mark.id] = mark
    wanted = {m.id: m for m in frame(start_mm)}
    ids = sorted(best.keys() & wanted.keys())
    if len(ids) < BOARD_MARKERS:
        return None
    model = lens or Lens(size)
    board = start_mm
    for _ in range(2):  # once straight, once with the lens that the frame then tells
        board = _sized([best[i] for i in ids], board, model)
        if not all(100 <= side <= 3000 for side in board):
            return None
        fit = register(best.values(), {m.id: m for m in frame(board)}, board, size, lens)
        if fit is None or not fit.ok or fit.outliers:
            return None
        if lens is not None or fit.lens.k == model.k:
            break
        model = fit.lens
    return board


def _sized(marks: Sequence[Mark], board: tuple[float, float], lens: Lens) -> tuple[float, float]:
    """The board size by which the markers' middles and sides agree, begun from ``board``."""
    corners = [lens.straighten(m.corners) for m in marks]
    middles = np.stack([Mark(m.id, c, 1).centre for m, c in zip(marks, corners, strict=True)])
    for _ in range(ROUNDS):
        places: Mapping[int, FrameMarker] = {m.id: m for m in frame(board)}
        true = np.array([places[m.id].xy_mm for m in marks])
        to_board = inverse(homography(true, middles))
        arms = np.stack([project(to_board, c) for c in corners])
        across, down = arms[:, 1] - arms[:, 0], arms[:, 2] - arms[:, 1]
        other_across, other_down = arms[:, 2] - arms[:, 3], arms[:, 3] - arms[:, 0]
        # A marker that lies askew has both sides in both directions: their squares add up.
        sides = np.sqrt(((across + other_across) / 2) ** 2 + ((down + other_down) / 2) ** 2)
        printed = np.array([places[m.id].size_mm for m in marks])
        ratio = np.median(printed[:, None] / sides, axis=0)
        grown = (board[0] * float(ratio[0]), board[1] * float(ratio[1]))
        if max(abs(a - b) for a, b in zip(grown, board, strict=True)) < 0.02:
            return grown
        board = grown
    return board


# The lens --------------------------------------------------------------------------------------


class EmptyLook:
    """Learns how the empty board looks, by pictures in which ``reader`` reads its frame and no
    piece. ``pieces``: what it read in the last one, in the words of the kit."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._flats: list[Grey] = []
        self.pieces: tuple[str, ...] = ()

    def add(self, grey: Grey) -> bool:
        """Take a picture (height, width); whether it shows the empty board."""
        reading = self._reader.read(grey)
        self.pieces = tuple(piece.piece for piece in reading.pieces)
        if reading.fit is None or not reading.registration.ok or reading.pieces:
            return False
        flat, _ = self._reader.flatten(grey, reading.fit, PX_PER_MM, MARGIN_MM)
        self._flats = [*self._flats, flat][-EMPTY_PICTURES:]
        return True

    @property
    def pictures(self) -> int:
        """How many pictures show the empty board so far."""
        return len(self._flats)

    @property
    def enough(self) -> bool:
        """Whether more pictures would teach nothing."""
        return len(self._flats) >= EMPTY_PICTURES

    @property
    def result(self) -> BoardLook | None:
        """How the empty board looks; None: no picture showed it."""
        flats = self._flats
        return learnt(flats, self._reader.kit.board_mm, MARGIN_MM) if flats else None


@dataclass(frozen=True, eq=False)
class SheetView:
    """The sheet in one picture: its inner corners by number, in px (n, 2) and in mm (n, 2)."""

    size: tuple[int, int]
    ids: tuple[int, ...]
    px: Points
    mm: Points

    @property
    def centre(self) -> Points:
        """Where it is, px."""
        return np.asarray(self.px.mean(axis=0))

    def moved(self, other: SheetView) -> float:
        """How far a corner that both have moved, px; infinite when they share none."""
        common = sorted(set(self.ids) & set(other.ids))
        if not common:
            return float("inf")
        here = self.px[[self.ids.index(i) for i in common]]
        there = other.px[[other.ids.index(i) for i in common]]
        return float(np.linalg.norm(here - there, axis=1).max())


def find_sheet(grey: Grey) -> SheetView | None:
    """The sheet of squares in ``grey``, or None when too little of it is seen."""
    cv = need("cv2", "opencv-python-headless")
    sheet = square_sheet()
    corners, ids, _, _ = cv.aruco.CharucoDetector(sheet).detectBoard(grey)
    if ids is None or len(ids) < LENS_CORNERS:
        return None
    numbers = tuple(int(i) for i in np.asarray(ids).reshape(-1))
    px = np.asarray(corners, dtype=np.float64).reshape(-1, 2)
    mm = np.asarray(sheet.getChessboardCorners(), dtype=np.float64)[list(numbers), :2]
    if np.linalg.matrix_rank(mm - mm.mean(axis=0), tol=1.0) < 2:  # all in one line
        return None
    return SheetView((grey.shape[1], grey.shape[0]), numbers, px, mm)


@dataclass(frozen=True, slots=True)
class LensGain:
    """What a calibrated lens is worth, on views it was not worked out from: rms px and mm."""

    lens: Lens
    views: int
    before_px: float
    after_px: float
    before_mm: float
    after_mm: float

    @property
    def worth(self) -> bool:
        """Whether it is better by enough to be kept."""
        return self.after_px < WORTH * self.before_px


@dataclass
class LensCourse:
    """Collects views of the sheet and works the lens out. ``known``: the lens used so far.

    ``live``: whether views come from a hand that moves the sheet; a view then counts when it is
    held still at a new place.
    """

    known: Lens | None = None
    live: bool = True
    views: list[SheetView] = field(default_factory=list)
    _last: SheetView | None = None

    def add(self, view: SheetView | None) -> bool:
        """Take a view; whether it was kept."""
        before, self._last = self._last, view
        if view is None or (self.views and view.size != self.views[0].size):
            return False
        if self.live:
            if before is None or view.moved(before) > STILL_PX:
                return False
            apart = OTHER_PLACE * view.size[0]
            if any(np.linalg.norm(view.centre - v.centre) < apart for v in self.views):
                return False
        self.views.append(view)
        return True

    @property
    def zones(self) -> tuple[tuple[bool, ...], ...]:
        """Rows of the picture's zones: whether a corner of the sheet was seen there."""
        columns, rows = ZONES
        seen = np.zeros((rows, columns), bool)
        for view in self.views:
            at = (view.px / np.array(view.size) * [columns, rows]).astype(int)
            at = np.clip(at, 0, [columns - 1, rows - 1])
            seen[at[:, 1], at[:, 0]] = True
        return tuple(tuple(bool(v) for v in row) for row in seen)

    @property
    def enough(self) -> bool:
        """Whether the views are many and reach far enough out."""
        if len(self.views) < LENS_VIEWS:
            return False
        plain = Lens(self.views[0].size)
        reach = max(np.linalg.norm(v.px - plain.centre, axis=1).max() for v in self.views)
        return bool(reach >= LENS_REACH * plain.radius)

    def result(self) -> LensGain | None:
        """The lens and its gain; None while the views are too few."""
        if not self.enough:
            return None
        size = self.views[0].size
        before = self.known if self.known is not None and self.known.size == size else Lens(size)
        tried = fitted_lens(self.views[0::2])
        others = self.views[1::2]
        lens = fitted_lens(self.views)
        was, now = _errors(before, others), _errors(tried, others)
        return LensGain(lens, len(self.views), was[0], now[0], was[1], now[1])


def fitted_lens(views: Sequence[SheetView]) -> Lens:
    """The lens by which the sheet is flat in every view: least squares over all corners."""
    size = views[0].size
    at = np.zeros(LENS_PARAMETERS)
    damping = 1e-3
    miss = _misses(size, at, views)
    for _ in range(40):
        slopes = np.stack(
            [
                (_misses(size, at + step, views) - miss) / 1e-4
                for step in np.eye(LENS_PARAMETERS) * 1e-4
            ],
            axis=1,
        )
        normal = slopes.T @ slopes
        step = np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-9), -slopes.T @ miss)
        there = _misses(size, at + step, views)
        if there @ there < miss @ miss:
            done = 1 - (there @ there) / (miss @ miss) < 1e-6
            at, miss, damping = at + step, there, damping / 4
            if done:
                break
        else:
            damping *= 6
            if damping > 1e6:
                break
    return _lens(size, at)


def _lens(size: tuple[int, int], at: Points) -> Lens:
    """The lens of four numbers: both bends, and the middle's shift in tenths of the radius."""
    tenth = 0.1 * float(np.hypot(*size)) / 2
    return Lens(size, float(at[0]), float(at[1]), (float(at[2]) * tenth, float(at[3]) * tenth))


def _misses(size: tuple[int, int], at: Points, views: Sequence[SheetView]) -> Points:
    """Where the sheet's corners are seen, off where a flat sheet's would be: px, one a number.

    A lens that bends nothing has no middle, so a shift costs a little too.
    """
    lens = _lens(size, at)
    return np.concatenate([*(_miss(lens, view).reshape(-1) for view in views), 0.5 * at[2:]])


def _miss(lens: Lens, view: SheetView) -> Points:
    flat = homography(view.mm, lens.straighten(view.px))
    return np.asarray(lens.bend(project(flat, view.mm)) - view.px)


def _errors(lens: Lens, views: Sequence[SheetView]) -> tuple[float, float]:
    """The root mean square of the misses of ``views`` in px, and in mm on the sheet."""
    px, mm = [], []
    for view in views:
        miss = np.linalg.norm(_miss(lens, view), axis=1)
        to_mm = homography(lens.straighten(view.px), view.mm)
        corners = square(view.centre.tolist(), 20.0)
        scale = float(np.linalg.norm(np.diff(project(to_mm, corners), axis=0), axis=1).mean()) / 20
        px.append(miss)
        mm.append(miss * scale)
    rms = [float(np.sqrt((np.concatenate(v) ** 2).mean())) for v in (px, mm)]
    return rms[0], rms[1]
