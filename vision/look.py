"""Finding the board without its frame, by what it looks like when nothing stands on it.

The learnt picture is laid over the one at hand, near where the board was last, or by features where
nothing is known; then many small pieces of it are each found to a fraction of a px, and what most
of them agree on is the fit. Too few that agree: the answer is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from vision.detect import Grey, Points
from vision.likely import shrunk
from vision.optional import need
from vision.register import (
    CORNER_NOISE_PX,
    Fit,
    Lens,
    Matrix,
    camera_of,
    homography,
    predicted_error,
    project,
)

PX_PER_MM = 1.0
TILE_MM = 44.0  # of the learnt picture that are looked for at once
EVERY_MM = 32.0
REACHES_MM = (16.0, 5.0, 3.0)  # how far off each is looked for, pass by pass
ALIKE = 0.7  # correlation of a tile that is found
TEXTURE = 2.5  # grey levels of standard deviation a tile needs
AGREE_MM = 3.0  # of a tile's place with what most say
FEWEST_TILES = 14
MOST_AGREE = 0.6  # of the tiles found
FEATURES_WIDTH = 1152
FEWEST_FEATURES = 14
UNLIKE = 0.8  # of the second best match a feature's best may be away


@dataclass(frozen=True, eq=False)
class BoardLook:
    """The empty board straight from above: ``flat`` at `PX_PER_MM` with ``margin_mm`` of table
    round it, and where it is ``known``."""

    flat: Grey
    known: npt.NDArray[np.bool_]
    board_mm: tuple[float, float]
    margin_mm: float

    def find(self, grey: Grey, near: Fit | None, lens: Lens | None = None) -> Fit | None:
        """The board in ``grey``; ``near``: where it was last. None: not sure."""
        size = (grey.shape[1], grey.shape[0])
        if near is not None and near.lens.size == size:
            fit = self._settled(grey, near.to_picture, near.lens)
            if fit is not None:
                return fit
        lens = lens or (near.lens if near is not None and near.lens.size == size else Lens(size))
        start = self._by_features(grey, lens)
        return None if start is None else self._settled(grey, start, lens)

    def _settled(self, grey: Grey, h: Matrix, lens: Lens) -> Fit | None:
        """The fit that the tiles agree on, begun from ``h`` (board mm to straightened px)."""
        cv: Any = need("cv2", "opencv-python-headless")
        to_mm = np.array(
            [
                [1 / PX_PER_MM, 0, -self.margin_mm],
                [0, 1 / PX_PER_MM, -self.margin_mm],
                [0, 0, 1.0],
            ]
        )
        rows, columns = self.flat.shape
        fit = None
        for reach in REACHES_MM:
            map_px = h @ to_mm
            flat = _laid_flat(cv, grey, map_px, lens, (columns, rows))
            places, found = self._tiles(cv, flat, int(reach * PX_PER_MM))
            if len(places) < FEWEST_TILES:
                return None
            _, inside = cv.findHomography(
                places.astype(np.float32), found.astype(np.float32), cv.RANSAC, AGREE_MM
            )
            kept = inside is not None and inside.reshape(-1) > 0
            if np.sum(kept) < max(FEWEST_TILES, MOST_AGREE * len(places)):
                return None
            board, px = project(to_mm, places[kept]), project(map_px, found[kept])
            h = homography(board, px)
            miss = np.linalg.norm(project(h, board) - px, axis=1)
            residual = float(np.sqrt((miss**2).mean()))
            noise = max(CORNER_NOISE_PX, residual)
            error = predicted_error(h, board, self.board_mm, noise)
            fit = Fit(h, lens, (), (), residual, error, camera_of(h, lens), tiles=len(board))
        return fit if fit is not None and fit.ok else None

    def _tiles(self, cv: Any, flat: Grey, reach: int) -> tuple[Points, Points]:
        """The middles of the tiles found, (n, 2) each: in the learnt picture and in ``flat``."""
        half, step = int(TILE_MM / 2 * PX_PER_MM), int(EVERY_MM * PX_PER_MM)
        rows, columns = self.flat.shape
        places, found = [], []
        for y in range(half + reach, rows - half - reach, step):
            for x in range(half + reach, columns - half - reach, step):
                part = slice(y - half, y + half + 1), slice(x - half, x + half + 1)
                if self.known[part].mean() < 0.97:
                    continue
                tile = self.flat[part]
                if float(tile.std()) < TEXTURE:
                    continue
                around = flat[
                    y - half - reach : y + half + reach + 1, x - half - reach : x + half + reach + 1
                ]
                match = cv.matchTemplate(around, tile, cv.TM_CCOEFF_NORMED)
                _, best, _, (u, v) = cv.minMaxLoc(match)
                if best >= ALIKE and 0 < u < 2 * reach and 0 < v < 2 * reach:
                    places.append((x, y))
                    dx, dy = _peak(match[v, u - 1 : u + 2]), _peak(match[v - 1 : v + 2, u])
                    found.append((x + u - reach + dx, y + v - reach + dy))
        return np.array(places, float).reshape(-1, 2), np.array(found, float).reshape(-1, 2)

    def _by_features(self, grey: Grey, lens: Lens) -> Matrix | None:
        """Board mm to straightened px by features that both pictures share, roughly."""
        cv: Any = need("cv2", "opencv-python-headless")
        factor = max(1, round(grey.shape[1] / FEATURES_WIDTH))
        even = cv.createCLAHE(4.0, (8, 8))
        sift = cv.SIFT_create(2500, contrastThreshold=0.015)
        ours = sift.detectAndCompute(even.apply(self.flat), self.known.astype(np.uint8))
        theirs = sift.detectAndCompute(even.apply(shrunk(grey, factor)), None)
        if any(d is None or len(d) < FEWEST_FEATURES for _, d in (ours, theirs)):
            return None
        pairs = cv.BFMatcher().knnMatch(ours[1], theirs[1], k=2)
        good = [a for a, *rest in pairs if rest and a.distance < UNLIKE * rest[0].distance]
        if len(good) < FEWEST_FEATURES:
            return None
        here = np.array([ours[0][m.queryIdx].pt for m in good]) / PX_PER_MM - self.margin_mm
        px = (np.array([theirs[0][m.trainIdx].pt for m in good]) + 0.5) * factor - 0.5
        there = lens.straighten(px)
        limit = 4.0 * factor
        h, inside = cv.findHomography(
            here.astype(np.float32), there.astype(np.float32), cv.RANSAC, limit
        )
        if h is None or int(inside.sum()) < FEWEST_FEATURES:
            return None
        mirrored = np.linalg.det(h[:2, :2] - np.outer(h[:2, 2], h[2, :2])) <= 0
        return None if mirrored else np.asarray(h, dtype=np.float64)


def learnt(pictures: Sequence[Grey], board_mm: tuple[float, float], margin_mm: float) -> BoardLook:
    """The look of an empty board by ``pictures`` of it, straight from above at `PX_PER_MM`; black
    beside the board."""
    flat = np.median(np.stack(pictures), axis=0).astype(np.uint8)
    edge = int(margin_mm * PX_PER_MM)
    known = np.zeros(flat.shape, bool)
    known[edge:-edge, edge:-edge] = True
    return BoardLook(np.where(known, flat, 0).astype(np.uint8), known, board_mm, margin_mm)


def _laid_flat(cv: Any, grey: Grey, to_px: Matrix, lens: Lens, size: tuple[int, int]) -> Grey:
    """The board of ``grey`` straight from above, ``size`` (columns, rows)."""
    if lens.straight:
        how = cv.INTER_LINEAR | cv.WARP_INVERSE_MAP
        return np.asarray(cv.warpPerspective(grey, to_px, size, flags=how))
    grid = np.stack(np.meshgrid(np.arange(size[0]), np.arange(size[1])), axis=-1)
    at = lens.bend(project(to_px, grid.reshape(-1, 2).astype(float)))
    where = at.reshape(size[1], size[0], 2).astype(np.float32)
    return np.asarray(cv.remap(grey, where, None, cv.INTER_LINEAR))


def _peak(three: npt.NDArray[np.float32]) -> float:
    """Where between three neighbours the highest lies, off the middle one."""
    a, b, c = (float(v) for v in np.asarray(three).reshape(-1))
    bend = a - 2 * b + c
    return 0.0 if bend >= 0 else float(np.clip((a - c) / (2 * bend), -0.5, 0.5))
