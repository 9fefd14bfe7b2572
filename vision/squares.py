"""Finding squares of a known size on a board laid flat, when figures stand in their margins.

OpenCV's detector needs a closed dark quadrilateral. Here one whole edge between two corners is
enough: on a flat board it already says where the square must be, and its pattern then proves it.
Where blur leaves no edge whole, the dark border in its white margin is laid over the place.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import erf
from typing import Any

import numpy as np
import numpy.typing as npt

from vision.detect import CORRECTED_BITS, SAMPLED, SAMPLES, Grey, Mark, Points
from vision.kit import MODULES
from vision.optional import need

Cells = npt.NDArray[np.float32]  # (n, MODULES * MODULES)

WORTH_TRYING = 0.52  # match of a square as its edge suggests it
WORTH_MOVING = 0.62  # after one coarse move
WORTH_REFINING = 0.66  # after two coarse moves
WORTH_SOFT = 0.3  # more of each for every module of blur: what is soft is all more alike
PROVED = np.array([0.72, 0.77, 0.82])  # match at the end, by the number of wrong modules
# The same with the pattern made as soft as the picture, by the white sides that show, and how far
# ahead of every other number it must be.
SOFT_PROVED = np.array([9.0, 9.0, 0.91, 0.88, 0.86])
AHEAD = 0.15
SOFTER = (1.0, 1.4, 1.9)  # times the blur: some squares lie out of focus
MARGIN = 2  # modules of white round a pattern that blur brings into it
BLURS = 20  # steps of blur to a module
FAINTEST = 20.0  # norm of the grey differences below which a square is noise
ROWS = 8192  # of squares sampled at once; OpenCV's maps end at 32767
ALONE = 250_000  # multiplications of a product that OpenBLAS does in the calling thread
MOVES = np.array(
    [
        (0, 0, 0, 0),
        *((dx, dy, 0, 0) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy),
        *((0, 0, turn, 0) for turn in (-1, 1)),
        *((0, 0, 0, size) for size in (-1, 1)),
    ],
    dtype=np.float64,
)  # px: right, down, turned at the corner, grown at every side
# Where no edge is whole: the border and the margin round it, laid over the place in every way.
RINGED = 0.45  # match of both
NEAR_PX = 16  # how far the middle of a square may lie from that of its place
STEP_PX = 4  # between two middles that are tried
COARSE_PX = 2.0  # of the move from such a middle to the best one near it
AT_A_PLACE = 4  # squares that are tried further
DOWN, ACROSS = (axis.reshape(-1) for axis in np.indices((MODULES, MODULES)))
# Even light, and light that falls off to one side or down: (MODULES**2, 3), orthonormal.
RAMP = np.linalg.qr(np.stack([np.ones(MODULES**2), ACROSS, DOWN], axis=1))[0].astype(np.float32)
# Of a square's white margin that must show, by the number of wrong modules: a figure may stand in
# the others.
BRIGHT_SIDES = np.array([2, 2, 3])
WINDOW = 0.7  # of a side: the neighbourhood whose mean parts dark from bright
THRESHOLD = 5  # grey levels below the local mean


class SquareFinder:
    """Finds the squares ``numbers`` of a dictionary whose sides lie within ``sides_px``.

    ``patterns``: (n, MODULES, MODULES), zero mean, one for each of ``numbers``. ``usual_px``: the
    sides that are looked for where no edge is whole.
    """

    def __init__(
        self,
        numbers: Sequence[int],
        patterns: Sequence[npt.NDArray[np.float32]],
        sides_px: tuple[float, float],
        usual_px: Sequence[float] = (),
    ) -> None:
        self._cv: Any = need("cv2", "opencv-python-headless")
        self._low, self._high = sides_px
        self._usual = usual_px
        self._numbers = [number for number in numbers for _ in range(4)]
        self._ids = np.array(self._numbers)
        turned = [np.rot90(pattern, turn) for pattern in patterns for turn in range(4)]
        bank = np.stack([t.reshape(-1) for t in turned]).astype(np.float32)
        self._white = bank > 0
        self._banks: dict[tuple[int, bool], Cells] = {}
        self._bank = self._soft(0.0)
        middles = (np.arange(MODULES, dtype=np.float32) + 0.5) / MODULES
        points = np.stack(np.meshgrid(middles, middles)).reshape(2, 1, -1)
        inside = ((np.arange(SAMPLES) + 0.5) / SAMPLES - 0.5) / MODULES
        around = np.stack(np.meshgrid(inside, inside)).reshape(2, -1, 1)
        # Where modules are sampled: (2, samples of one module, MODULES**2), once each or finely.
        self._points: Cells = points.astype(np.float32)
        self._grid: Cells = (points + around).astype(np.float32)
        # The same for the margin, half a module out on each side: (2, 1, 4 * MODULES).
        low, high = np.full(MODULES, -0.5 / MODULES), np.full(MODULES, 1 + 0.5 / MODULES)
        sides = [(middles, low), (high, middles), (middles, high), (low, middles)]
        self._beside: Cells = np.hstack([np.stack(side) for side in sides])[:, None].astype("f4")
        self._ring, self._ringed = _ring()
        rim = np.ones((MODULES, MODULES), dtype=bool)
        rim[1:-1, 1:-1] = False
        self._rim = rim.reshape(-1)  # the black border of every pattern

    def find(self, flat: Grey, blur: float = 0.0, places: Points | None = None) -> list[Mark]:
        """The squares in ``flat``, a board seen straight from above. ``blur``: of the picture it
        was made from, sigma in modules of the squares. ``places``: px (n, 2), about in the middle
        of squares, round each of which more is tried unless a square is found at once."""
        soft = self._cv.GaussianBlur(flat, (3, 3), 0)
        marks = self._told(flat, soft, self.candidates(soft), blur)
        if places is not None and self._usual:
            middles = np.array([mark.centre for mark in marks]).reshape(-1, 1, 2)
            away = np.linalg.norm(middles - places, axis=2).min(axis=0, initial=np.inf)
            if (away > self._low).any():
                around = self._round(soft, places[away > self._low])
                marks += self._told(flat, soft, around, blur)
        return marks

    def _told(self, flat: Grey, soft: Grey, squares: Points, blur: float) -> list[Mark]:
        """Which of the ``squares`` that ``flat`` may show, softened as ``soft``, it does."""
        if len(squares) == 0:
            return []
        bank, more = self._soft(blur), WORTH_SOFT * blur
        match, best = self._match(soft, squares, bank)
        worth = match >= WORTH_TRYING + more
        squares, match, best = self._distinct(squares[worth], match[worth], best[worth], 0.25)
        squares, match, best = self._moved_best(soft, squares, 1.2, bank)
        worth = match >= WORTH_MOVING + more
        squares, match, best = self._distinct(squares[worth], match[worth], best[worth], 0.4)
        squares, match = self._settled(soft, squares, bank[best], 0.9, self._points)
        worth = match >= WORTH_REFINING + more
        squares, match, best = self._distinct(squares[worth], match[worth], best[worth], 0.5)
        squares, match = self._settled(soft, squares, bank[best], 0.6, self._points)
        for step in (0.5, 0.3):
            squares, match = self._settled(flat, squares, bank[best], step, self._grid)
        proved, quality = self._proved(flat, squares, best, blur)
        return [
            Mark(self._numbers[index], np.roll(corners, int(index) % 4, axis=0), float(quality))
            for corners, quality, index in zip(
                _corners(squares[proved]), quality[proved], best[proved], strict=True
            )
        ]

    def _round(self, soft: Grey, places: Points) -> Points:
        """Squares (n, 4) near the ``places`` (n, 2) of ``soft`` that a dark border with a white
        margin suggests. How a square lies is told by all the edges round its middle."""
        steps = np.arange(-NEAR_PX, NEAR_PX + 1, STEP_PX)
        grid = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
        middles = places[:, None] + grid
        turns = self._turns(soft, middles.reshape(-1, 2))
        squares = np.stack([_about(middles.reshape(-1, 2), turns, side) for side in self._usual])
        match = (self._even(soft, squares.reshape(-1, 4), self._ring) @ self._ringed).reshape(
            len(self._usual), len(places), -1
        )
        size, match = match.argmax(axis=0), match.max(axis=0)
        tried = np.argsort(-match, axis=1)[:, :AT_A_PLACE]
        rows = np.arange(len(places))[:, None]
        squares = squares.reshape(len(self._usual), len(places), -1, 4)
        near = squares[size[rows, tried], rows, tried][match[rows, tried] >= RINGED]
        if len(near) == 0:
            return np.zeros((0, 4))
        moved = _moved(near, MOVES * COARSE_PX)
        cells = self._even(soft, moved.reshape(-1, 4), self._ring)
        best = (cells @ self._ringed).reshape(-1, len(MOVES)).argmax(axis=1)
        return np.asarray(moved[np.arange(len(near)), best])

    def _turns(self, soft: Grey, points: Points) -> Points:
        """How the edges round each of the ``points`` lie: radians, the same at a right angle."""
        cv = self._cv
        half = cv.resize(soft, None, fx=0.5, fy=0.5, interpolation=cv.INTER_AREA)
        right, down = (cv.Scharr(half, cv.CV_32F, dx, 1 - dx) for dx in (1, 0))
        one, two = right * right, down * down
        both, cross = one + two, 2 * right * down
        one -= two
        both += 1.0
        wide = self._usual[0] / 4
        four = [
            cv.GaussianBlur(part / both, (0, 0), wide)
            for part in (one * one - cross * cross, 2 * one * cross)
        ]
        at = np.clip((points / 2).astype(int), 0, np.array(half.shape[::-1]) - 1)
        cos, sin = (part[at[:, 1], at[:, 0]] for part in four)
        return np.asarray(np.arctan2(sin, cos) / 4, dtype=np.float64)

    def _proved(
        self, flat: Grey, squares: Points, best: npt.NDArray[np.intp], blur: float
    ) -> tuple[npt.NDArray[np.bool_], Points]:
        """Which settled squares are what they look like, by their modules one by one or, where
        those run into each other, by all of them together; and how well each matches the print."""
        cells = self._cells(flat, squares, self._grid)
        sides = self._bright_sides(flat, squares)
        wrong = self._wrong_bits(cells, best)
        even, rows = _even(cells), np.arange(len(squares))
        quality = np.einsum("ij,ij->i", even, self._bank[best])
        few = np.minimum(wrong, CORRECTED_BITS)
        proved = (wrong == few) & (quality >= PROVED[few]) & (sides >= BRIGHT_SIDES[few])
        level = _even(np.asarray(cells - cells @ RAMP @ RAMP.T, dtype=np.float32))
        for softness in (blur * softer for softer in SOFTER):
            for seen, bank in (
                (even, self._soft(softness)),
                (level, self._soft(softness, level=True)),
            ):
                scores = self._scores(seen, bank)
                match = scores[rows, best]
                scores[self._ids == self._ids[best][:, None]] = -1.0
                ahead = match - scores.max(axis=1, initial=-1.0)
                proved |= (match >= SOFT_PROVED[sides]) & (ahead >= AHEAD)
        return proved, quality.astype(np.float64)

    def _soft(self, blur: float, *, level: bool = False) -> Cells:
        """Every pattern as it looks through ``blur``, zero mean and length one: (n, MODULES**2).
        ``level``: also without what a ramp of light explains."""
        step = round(blur * BLURS), level
        if step not in self._banks:
            spread = _spread(step[0] / BLURS)
            whole = np.pad(
                self._white.reshape(-1, MODULES, MODULES).astype(np.float64),
                ((0, 0), (MARGIN, MARGIN), (MARGIN, MARGIN)),
                constant_values=1.0,
            )
            seen = (spread @ whole @ spread.T).reshape(len(whole), -1)
            seen -= seen @ RAMP @ RAMP.T if level else seen.mean(axis=1, keepdims=True)
            seen /= np.linalg.norm(seen, axis=1, keepdims=True)
            self._banks[step] = seen.astype(np.float32)
        return self._banks[step]

    def candidates(self, flat: Grey) -> Points:
        """Squares that some edge in ``flat`` suggests: (n, 4) of corner x, y and side vector."""
        block = max(3, int(np.sqrt(self._low * self._high) * WINDOW) | 1)
        dark = self._cv.adaptiveThreshold(
            flat,
            255,
            self._cv.ADAPTIVE_THRESH_MEAN_C,
            self._cv.THRESH_BINARY_INV,
            block,
            THRESHOLD,
        )
        shrunk = self._cv.erode(dark, np.ones((3, 3), np.uint8))
        return np.concatenate([self._edges(dark, 0.0), self._edges(shrunk, 1.0)])

    def _edges(self, dark: Grey, shrunk_px: float) -> Points:
        contours, _ = self._cv.findContours(dark, self._cv.RETR_LIST, self._cv.CHAIN_APPROX_SIMPLE)
        shortest = self._low * 2
        polygons, lengths = [], []
        for contour in contours:
            if len(contour) < 4:
                continue
            _, _, w, h = self._cv.boundingRect(contour)
            if w + h < shortest:
                continue
            polygon = self._cv.approxPolyDP(contour, 0.07 * self._low + 0.6, True)
            if len(polygon) >= 3:
                polygons.append(polygon)
                lengths.append(len(polygon))
        if not polygons:
            return np.zeros((0, 4))
        start = np.concatenate(polygons).reshape(-1, 2).astype(np.float64)
        following = np.arange(1, len(start) + 1)
        ends = np.cumsum(lengths)
        following[ends - 1] = ends - lengths  # the last corner of each shape leads to its first
        along = start[following] - start
        side = np.hypot(along[:, 0], along[:, 1])
        fits = (side >= self._low - 1 - 2 * shrunk_px) & (side <= self._high + 1)
        start, along, side = start[fits], along[fits], side[fits]
        # Outlines of dark shapes and of holes in them run so that the dark lies on one side; the
        # sides of a square run the other way round it, so each edge is taken from its end.
        unit = along / side[:, None]
        normal = np.stack([-unit[:, 1], unit[:, 0]], axis=1)
        grow = shrunk_px + 0.5
        origin = start + along + unit * grow + normal * grow
        return np.concatenate([origin, -unit * (side + 2 * grow)[:, None]], axis=1)

    def _cells(self, flat: Grey, squares: Points, grid: Cells) -> Cells:
        """Mean grey of every module of each square, sampled at ``grid``: (n, MODULES**2)."""
        if len(squares) == 0:
            return np.zeros((0, MODULES * MODULES), dtype=np.float32)
        x, y, ux, uy = squares.astype(np.float32).T[:, :, None]
        u, v = grid.reshape(2, -1)
        across, down = ux * u, uy * u
        across -= uy * v
        across += x
        down += ux * v
        down += y
        rows = [
            self._cv.remap(
                flat,
                across[start : start + ROWS],
                down[start : start + ROWS],
                self._cv.INTER_LINEAR,
                borderMode=self._cv.BORDER_REPLICATE,
            )
            for start in range(0, len(squares), ROWS)
        ]
        seen = np.concatenate(rows) if len(rows) > 1 else rows[0]
        samples = grid.shape[1]
        if samples == 1:
            return np.asarray(seen, dtype=np.float32)
        each = seen.reshape(-1, samples, MODULES * MODULES)
        return np.asarray(each.sum(axis=1, dtype=np.float32) / np.float32(samples))

    def _even(self, flat: Grey, squares: Points, grid: Cells) -> Cells:
        """The cells of each square with zero mean and, unless it is faint, of length one."""
        return _even(self._cells(flat, squares, grid))

    def _match(
        self, flat: Grey, squares: Points, bank: Cells
    ) -> tuple[Points, npt.NDArray[np.intp]]:
        """How well each square matches its best pattern of ``bank``, 0-1, and which that is."""
        if len(squares) == 0:
            return np.zeros(0), np.zeros(0, dtype=np.intp)
        cells = self._even(flat, squares, self._points)
        scores = self._scores(cells, bank)
        best = scores.argmax(axis=1)
        return scores[np.arange(len(best)), best].astype(np.float64), best

    @staticmethod
    def _scores(cells: Cells, bank: Cells) -> Cells:
        """How well each square's cells match each pattern of ``bank``: (n, patterns)."""
        # A few rows at a time: beyond, a BLAS calls helpers on other cores, which spin while they
        # wait for work; OpenCV's product does the same.
        rows = max(1, ALONE // bank.size)
        padded = np.zeros((-(-len(cells) // rows) * rows, cells.shape[1]), np.float32)
        padded[: len(cells)] = cells
        scores = padded.reshape(-1, rows, cells.shape[1]) @ bank.T
        return np.asarray(scores.reshape(len(padded), len(bank))[: len(cells)])

    def _moved_best(
        self, flat: Grey, squares: Points, step: float, bank: Cells
    ) -> tuple[Points, Points, npt.NDArray[np.intp]]:
        """Each square shifted, turned or scaled by ``step`` px to where it matches best."""
        tried = _moved(squares, MOVES * step)
        match, best = self._match(flat, tried.reshape(-1, 4), bank)
        match, best = match.reshape(-1, len(MOVES)), best.reshape(-1, len(MOVES))
        rows, pick = np.arange(len(squares)), match.argmax(axis=1)
        return tried[rows, pick], match[rows, pick], best[rows, pick]

    def _settled(
        self,
        flat: Grey,
        squares: Points,
        patterns: Cells,
        step: float,
        grid: Cells,
    ) -> tuple[Points, Points]:
        """The same for squares whose pattern is decided: one of ``patterns`` (n, MODULES**2) for
        each."""
        tried = _moved(squares, MOVES * step)
        cells = self._even(flat, tried.reshape(-1, 4), grid)
        cells = cells.reshape(-1, len(MOVES), MODULES * MODULES)
        match = np.einsum("imj,ij->im", cells, patterns)
        rows, pick = np.arange(len(squares)), match.argmax(axis=1)
        return tried[rows, pick], match[rows, pick].astype(np.float64)

    def _wrong_bits(self, cells: Cells, best: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
        """How many modules of each square are black where its pattern is white, or the other
        way round."""
        white = self._white[best]
        bright = (cells * white).sum(axis=1) / white.sum(axis=1)
        dark = (cells * ~white).sum(axis=1) / (~white).sum(axis=1)
        level = (bright + dark)[:, None] / 2
        return np.asarray(((cells > level) != white).sum(axis=1))

    def _bright_sides(self, flat: Grey, squares: Points) -> npt.NDArray[np.intp]:
        """On how many of its four sides each square has a white margin.

        A scrap of a printed pattern on dark ground has none, however alike the pattern.
        """
        cells = self._cells(flat, squares, self._points)
        border = cells[:, self._rim].mean(axis=1, keepdims=True)
        brightest = cells.max(axis=1, keepdims=True)
        beside = self._cells(flat, squares, self._beside).reshape(-1, 4, MODULES)
        return np.asarray((beside.mean(axis=2) > (border + brightest) / 2).sum(axis=1))

    def _distinct(
        self, squares: Points, match: Points, best: npt.NDArray[np.intp], apart: float
    ) -> tuple[Points, Points, npt.NDArray[np.intp]]:
        """The best of the squares whose middles lie in one cell, ``apart`` of a side wide."""
        if len(squares) == 0:
            return squares, match, best
        x, y, ux, uy = squares.T
        size = apart * np.sqrt(self._low * self._high)
        across = ((x + (ux - uy) / 2) / size).astype(np.int64)
        down = ((y + (uy + ux) / 2) / size).astype(np.int64)
        order = np.argsort(-match, kind="stable")
        _, first = np.unique((across * 1_000_003 + down)[order], return_index=True)
        kept = order[first]
        return squares[kept], match[kept], best[kept]


def _even(cells: Cells) -> Cells:
    """The ``cells`` of each square with zero mean and, unless it is faint, of length one."""
    even = cells - cells.mean(axis=1, keepdims=True)
    spread = np.sqrt(np.einsum("ij,ij->i", even, even))
    even /= np.maximum(spread, FAINTEST)[:, None]
    return np.asarray(even)


def _spread(blur: float) -> Points:
    """How much of each module of a row with its margin is seen in each module of the pattern, when
    an edge is ``blur`` modules soft (sigma): (MODULES, MODULES + 2 * MARGIN)."""
    at = (np.arange(SAMPLED) + 0.5) / SAMPLES + MARGIN
    edges = np.arange(MODULES + 2 * MARGIN + 1)
    away = (edges - at[:, None]) / max(blur * np.sqrt(2), 1e-6)
    passed = np.array([[erf(a) for a in row] for row in away.tolist()]) / 2
    shares = np.diff(passed, axis=1).reshape(MODULES, SAMPLES, -1).mean(axis=1)
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def _ring() -> tuple[Cells, Cells]:
    """Where the border and the margin of a square are sampled, (2, 1, n), and how they look there:
    zero mean and length one, (n,)."""
    at = np.arange(-1, MODULES + 1)
    u, v = (axis.reshape(-1) for axis in np.meshgrid(at, at))
    depth = np.minimum(np.minimum(u, v), MODULES - 1 - np.maximum(u, v))
    shown = depth <= 0
    points = (np.stack([u, v])[:, None, shown] + 0.5) / MODULES
    white = depth[shown] < 0
    look = white / white.sum() - ~white / (~white).sum()
    return points.astype(np.float32), (look / np.linalg.norm(look)).astype(np.float32)


def _about(middles: Points, turns: Points, side: float) -> Points:
    """(n, 4) squares of one ``side`` about the ``middles`` (n, 2), turned by ``turns`` (n,)."""
    x, y = middles.T
    ux, uy = np.cos(turns) * side, np.sin(turns) * side
    return np.stack([x - (ux - uy) / 2, y - (uy + ux) / 2, ux, uy], axis=1)


def _corners(squares: Points) -> Points:
    """(n, 4, 2) corners of (n, 4) corner-and-side squares, clockwise."""
    origin, along = squares[:, :2], squares[:, 2:]
    down = np.stack([-along[:, 1], along[:, 0]], axis=1)
    return np.stack([origin, origin + along, origin + along + down, origin + down], axis=1)


def _moved(squares: Points, moves: Points) -> Points:
    """(n, m, 4): every square shifted by dx, dy px, its corners turned and grown by px."""
    x, y, ux, uy = squares.T[:, :, None]
    right, below, turn, size = moves.T
    side = np.hypot(ux, uy)
    turned, grown = turn / (side * 0.7), 1 + 2 * size / side
    cos, sin = np.cos(turned) * grown, np.sin(turned) * grown
    new = np.empty((len(squares), len(moves), 4))
    new[..., 2] = vx = ux * cos - uy * sin
    new[..., 3] = vy = ux * sin + uy * cos
    new[..., 0] = x + (ux - uy - vx + vy) / 2 + right
    new[..., 1] = y + (uy + ux - vy - vx) / 2 + below
    return new
