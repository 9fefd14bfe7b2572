"""Finding squares of a known size on a board laid flat, when figures stand in their margins.

OpenCV's detector needs a closed dark quadrilateral. Here one whole edge between two corners is
enough: on a flat board it already says where the square must be, and its pattern then proves it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from vision.detect import CORRECTED_BITS, SAMPLED, SAMPLES, Grey, Mark, Points
from vision.kit import MODULES
from vision.optional import need

Cells = npt.NDArray[np.float32]  # (n, MODULES * MODULES)

WORTH_TRYING = 0.5  # match of a square as its edge suggests it
WORTH_REFINING = 0.72  # after two coarse moves
PROVED = (0.72, 0.77, 0.82)  # match at the end, by the number of wrong modules
FAINTEST = 20.0  # norm of the grey differences below which a square is noise
ROWS = 8192  # of squares sampled at once; OpenCV's maps end at 32767
MOVES = np.array(
    [
        (0, 0, 0, 0),
        *((dx, dy, 0, 0) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy),
        *((0, 0, turn, 0) for turn in (-1, 1)),
        *((0, 0, 0, size) for size in (-1, 1)),
    ],
    dtype=np.float64,
)  # px: right, down, turned at the corner, grown at every side
THRESHOLD = 5  # grey levels below the local mean


class SquareFinder:
    """Finds the squares ``numbers`` of a dictionary whose sides lie within ``sides_px``.

    ``patterns``: (n, MODULES, MODULES), zero mean, one for each of ``numbers``.
    """

    def __init__(
        self,
        numbers: Sequence[int],
        patterns: Sequence[npt.NDArray[np.float32]],
        sides_px: tuple[float, float],
    ) -> None:
        self._cv: Any = need("cv2", "opencv-python-headless")
        self._low, self._high = sides_px
        self._numbers = [number for number in numbers for _ in range(4)]
        turned = [np.rot90(pattern, turn) for pattern in patterns for turn in range(4)]
        bank = np.stack([t.reshape(-1) for t in turned]).astype(np.float32)
        self._white = bank > 0
        self._bank = bank / np.linalg.norm(bank, axis=1, keepdims=True)
        steps = (np.arange(SAMPLED, dtype=np.float32) + 0.5) / SAMPLED
        u, v = np.meshgrid(steps, steps)
        self._grid: Cells = np.stack([u.ravel(), v.ravel()]).astype(np.float32)  # (2, SAMPLED**2)
        middles = (np.arange(MODULES, dtype=np.float32) + 0.5) / MODULES
        u, v = np.meshgrid(middles, middles)
        self._points: Cells = np.stack([u.ravel(), v.ravel()]).astype(np.float32)  # (2, MODULES**2)

    def find(self, flat: Grey) -> list[Mark]:
        """The squares in ``flat``, a board seen straight from above."""
        soft = self._cv.GaussianBlur(flat, (3, 3), 0)
        squares = self.candidates(soft)
        if len(squares) == 0:
            return []
        match, best = self._match(soft, squares, self._points)
        worth = match >= WORTH_TRYING
        squares, match, best = self._distinct(squares[worth], match[worth], best[worth], 0.06)
        squares, match, best = self._moved_best(soft, squares, 1.2, self._points)
        squares, match, best = self._moved_best(soft, squares, 1.0, self._points)
        worth = match >= WORTH_REFINING
        squares, match, best = self._distinct(squares[worth], match[worth], best[worth], 0.2)
        for step in (0.8, 0.5, 0.3):
            squares, match, best = self._moved_best(flat, squares, step, self._grid)
        marks = []
        for origin, quality, index, cells in zip(
            squares, match, best, self._cells(flat, squares, self._grid), strict=True
        ):
            wrong = self._wrong_bits(cells, int(index))
            if wrong <= CORRECTED_BITS and quality >= PROVED[wrong]:
                corners = np.roll(_corners(origin[None])[0], int(index) % 4, axis=0)
                marks.append(Mark(self._numbers[index], corners, float(quality)))
        return marks

    def candidates(self, flat: Grey) -> Points:
        """Squares that some edge in ``flat`` suggests: (n, 4) of corner x, y and side vector."""
        mean = np.sqrt(self._low * self._high)
        found = []
        for window in (0.45, 0.95):
            block = max(3, int(mean * window) | 1)
            dark = self._cv.adaptiveThreshold(
                flat,
                255,
                self._cv.ADAPTIVE_THRESH_MEAN_C,
                self._cv.THRESH_BINARY_INV,
                block,
                THRESHOLD,
            )
            found.append(self._edges(dark, 0.0))
            shrunk = self._cv.erode(dark, np.ones((3, 3), np.uint8))
            found.append(self._edges(shrunk, 1.0))
        return np.concatenate(found)

    def _edges(self, dark: Grey, shrunk_px: float) -> Points:
        contours, _ = self._cv.findContours(dark, self._cv.RETR_LIST, self._cv.CHAIN_APPROX_SIMPLE)
        ends: list[Points] = []
        shortest = self._low * 2
        for contour in contours:
            if len(contour) < 4:
                continue
            _, _, w, h = self._cv.boundingRect(contour)
            if w + h < shortest:
                continue
            polygon = self._cv.approxPolyDP(contour, 0.07 * self._low + 0.6, True)
            if len(polygon) < 3:
                continue
            points = polygon.reshape(-1, 2).astype(np.float64)
            ends.append(np.concatenate([points, np.roll(points, -1, axis=0)], axis=1))
        if not ends:
            return np.zeros((0, 4))
        edge = np.concatenate(ends)
        along = edge[:, 2:] - edge[:, :2]
        side = np.linalg.norm(along, axis=1)
        fits = (side >= self._low - 1 - 2 * shrunk_px) & (side <= self._high + 1)
        edge, along, side = edge[fits], along[fits], side[fits]
        # Contours of dark shapes run with the dark to one side; both are tried, patterns decide.
        unit = along / side[:, None]
        normal = np.stack([-unit[:, 1], unit[:, 0]], axis=1)
        grow = shrunk_px + 0.5
        length = (side + 2 * grow)[:, None]
        one = np.concatenate([edge[:, :2] - unit * grow - normal * grow, unit * length], axis=1)
        two = np.concatenate([edge[:, 2:] + unit * grow + normal * grow, -unit * length], axis=1)
        return np.concatenate([one, two])

    def _cells(self, flat: Grey, squares: Points, grid: Cells) -> Cells:
        """Mean grey of every module of each square, sampled at ``grid``: (n, MODULES**2)."""
        if len(squares) == 0:
            return np.zeros((0, MODULES * MODULES), dtype=np.float32)
        x, y, ux, uy = (squares[:, i : i + 1].astype(np.float32) for i in range(4))
        u, v = grid
        across, down = x + ux * u - uy * v, y + uy * u + ux * v
        rows = []
        for start in range(0, len(squares), ROWS):
            part = slice(start, start + ROWS)
            rows.append(
                self._cv.remap(
                    flat,
                    across[part],
                    down[part],
                    self._cv.INTER_LINEAR,
                    borderMode=self._cv.BORDER_REPLICATE,
                )
            )
        seen = np.concatenate(rows).astype(np.float32)
        if seen.shape[1] != MODULES * MODULES:
            seen = seen.reshape(-1, MODULES, SAMPLES, MODULES, SAMPLES).mean(axis=(2, 4))
        return np.asarray(seen.reshape(-1, MODULES * MODULES), dtype=np.float32)

    def _match(
        self, flat: Grey, squares: Points, grid: Cells
    ) -> tuple[Points, npt.NDArray[np.intp]]:
        """How well each square matches its best pattern, 0-1, and which pattern that is."""
        cells = self._cells(flat, squares, grid)
        cells = cells - cells.mean(axis=1, keepdims=True)
        spread = np.linalg.norm(cells, axis=1, keepdims=True)
        scores = (cells / np.maximum(spread, FAINTEST)) @ self._bank.T
        return scores.max(axis=1).astype(np.float64), scores.argmax(axis=1)

    def _moved_best(
        self, flat: Grey, squares: Points, step: float, grid: Cells
    ) -> tuple[Points, Points, npt.NDArray[np.intp]]:
        """Each square shifted, turned or scaled by ``step`` px to where it matches best."""
        tried = _moved(squares, MOVES * step)
        match, best = self._match(flat, tried.reshape(-1, 4), grid)
        match, best = match.reshape(-1, len(MOVES)), best.reshape(-1, len(MOVES))
        rows, pick = np.arange(len(squares)), match.argmax(axis=1)
        return tried[rows, pick], match[rows, pick], best[rows, pick]

    def _wrong_bits(self, cells: npt.NDArray[np.float32], index: int) -> int:
        white = self._white[index]
        level = (cells[white].mean() + cells[~white].mean()) / 2
        return int(((cells > level) != white).sum())

    @staticmethod
    def _distinct(
        squares: Points, match: Points, best: npt.NDArray[np.intp], apart: float
    ) -> tuple[Points, Points, npt.NDArray[np.intp]]:
        """The best of squares whose middles are less than ``apart`` of a side from each other."""
        middle = _corners(squares).mean(axis=1) if len(squares) else np.zeros((0, 2))
        near = np.hypot(squares[:, 2], squares[:, 3]) * apart
        free = np.ones(len(squares), dtype=bool)
        kept: list[int] = []
        for index in np.argsort(-match):
            if free[index]:
                kept.append(int(index))
                away = middle - middle[index]
                free &= np.hypot(away[:, 0], away[:, 1]) > near[index]
        return squares[kept], match[kept], best[kept]


def _corners(squares: Points) -> Points:
    """(n, 4, 2) corners of (n, 4) corner-and-side squares, clockwise."""
    origin, along = squares[:, :2], squares[:, 2:]
    down = np.stack([-along[:, 1], along[:, 0]], axis=1)
    return np.stack([origin, origin + along, origin + along + down, origin + down], axis=1)


def _moved(squares: Points, moves: Points) -> Points:
    """(n, m, 4): every square shifted by dx, dy px, its corners turned and grown by px."""
    centre = _corners(squares).mean(axis=1)[:, None, :] + moves[None, :, :2]
    along = squares[:, None, 2:]
    side = np.linalg.norm(along, axis=-1, keepdims=True)
    turn = moves[None, :, 2:3] / (side * 0.7)
    grown = 1 + 2 * moves[None, :, 3:4] / side
    cos, sin = np.cos(turn) * grown, np.sin(turn) * grown
    new = np.concatenate(
        [along[..., :1] * cos - along[..., 1:] * sin, along[..., :1] * sin + along[..., 1:] * cos],
        axis=-1,
    )
    down = np.concatenate([-new[..., 1:], new[..., :1]], axis=-1)
    return np.concatenate([centre - (new + down) / 2, new], axis=-1)
