"""Finding printed squares in a grey picture, alike on every OpenCV from 4.10 to 5.

Pictures are grey ``uint8`` arrays (height, width); points are pixels (x, y), the centre of the
first pixel at (0, 0).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import dist
from typing import Any

import numpy as np
import numpy.typing as npt

from vision.kit import DICTIONARY, MODULES
from vision.optional import need

Grey = npt.NDArray[np.uint8]
Points = npt.NDArray[np.float64]

CORRECTED_BITS = 2
SAMPLES = 3  # per module and axis, when a square's pattern is measured
SAMPLED = SAMPLES * MODULES


def _grid() -> npt.NDArray[np.float32]:
    """(3, `SAMPLED` ** 2): where a unit square is sampled, the samples of a module side by side,
    with ones below."""
    steps = ((np.arange(SAMPLED) + 0.5) / SAMPLED).reshape(MODULES, SAMPLES)
    v, u = (
        np.broadcast_to(axis, (MODULES, MODULES, SAMPLES, SAMPLES)).reshape(-1)
        for axis in (steps[:, None, :, None], steps[None, :, None, :])
    )
    return np.stack([u, v, np.ones_like(u)]).astype(np.float32)


def _shares() -> Points:
    """(n, 4): how near the middle of each module within the border is to each corner."""
    at = (np.arange(1, MODULES - 1) + 0.5) / MODULES
    u, v = (axis.reshape(-1, 1) for axis in np.meshgrid(at, at))
    return np.concatenate([(1 - u) * (1 - v), u * (1 - v), u * v, (1 - u) * v], axis=1)


GRID, SHARES = _grid(), _shares()


@dataclass(frozen=True, eq=False)
class Mark:
    """One square that was read. ``corners``: (4, 2), clockwise from the pattern's top-left.

    ``quality`` is how well the pixels match the printed pattern: 1 is perfect, 0 is noise.
    """

    id: int
    corners: Points
    quality: float

    @cached_property
    def centre(self) -> Points:
        """The square's centre, (2,): where its diagonals cross."""
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = self.corners.tolist()
        across, down = (cx - ax, cy - ay), (dx - bx, dy - by)
        cross = across[0] * down[1] - across[1] * down[0]
        if abs(cross) < 1e-9:
            return np.asarray(self.corners.mean(axis=0))
        t = ((bx - ax) * down[1] - (by - ay) * down[0]) / cross
        return np.array([ax + t * across[0], ay + t * across[1]])

    @cached_property
    def side(self) -> float:
        """Mean side in px."""
        a, b, c, d = self.corners.tolist()
        return (dist(a, b) + dist(b, c) + dist(c, d) + dist(d, a)) / 4


def flat_ids(ids: Any) -> list[int]:
    """Marker numbers of any shape OpenCV returns: none, (n,), (n, 1), (1, n)."""
    return [] if ids is None else [int(i) for i in np.asarray(ids).reshape(-1)]


def corner_lists(corners: Any) -> list[Points]:
    """Corners of any shape OpenCV returns, as (4, 2) arrays."""
    if corners is None:
        return []
    return [np.asarray(c, dtype=np.float64).reshape(4, 2) for c in corners]


class Detector:
    """Reads squares of one dictionary. ``smallest_px``: the smallest side worth looking for.

    ``windows`` are the smallest and largest adaptive threshold window and the step, in px.
    """

    def __init__(
        self,
        dictionary: str = DICTIONARY,
        *,
        smallest_px: float = 9.0,
        windows: tuple[int, int, int] = (5, 21, 8),
        minimum_quality: float = 0.45,
    ) -> None:
        self._cv: Any = need("cv2", "opencv-python-headless")
        aruco = self._cv.aruco
        self._dictionary = aruco.getPredefinedDictionary(getattr(aruco, dictionary))
        # Both set here: builds differ in the dictionaries' own values.
        self._dictionary.maxCorrectionBits = CORRECTED_BITS
        self._smallest = smallest_px
        self._windows = windows
        self._minimum = minimum_quality
        self._detectors: dict[int, Any] = {}
        self._patterns: dict[int, npt.NDArray[np.float32]] = {}
        self._insides: dict[int, Points] = {}

    def detect(self, grey: Grey) -> list[Mark]:
        """All squares in ``grey``, each with its quality; one picture may show an id twice."""
        longer = max(grey.shape)
        detector = self._detectors.get(longer)
        if detector is None:
            detector = self._detectors[longer] = self._build(longer)
        corners, ids, _ = detector.detectMarkers(grey)
        return self._checked(grey, zip(flat_ids(ids), corner_lists(corners), strict=True))

    def _build(self, longer: int) -> Any:
        aruco = self._cv.aruco
        parameters = aruco.DetectorParameters()
        low, high, step = self._windows
        wanted = {
            "minMarkerPerimeterRate": 4 * self._smallest / longer,
            "maxMarkerPerimeterRate": 4.0,
            "errorCorrectionRate": 1.0,
            "perspectiveRemovePixelPerCell": 8,
            "adaptiveThreshWinSizeMin": low,
            "adaptiveThreshWinSizeMax": high,
            "adaptiveThreshWinSizeStep": step,
            "polygonalApproxAccuracyRate": 0.05,
            "minCornerDistanceRate": 0.05,
            "minDistanceToBorder": 1,
            "cornerRefinementMethod": aruco.CORNER_REFINE_NONE,
        }
        for name, value in wanted.items():
            if hasattr(parameters, name):
                setattr(parameters, name, value)
        return aruco.ArucoDetector(self._dictionary, parameters)

    def _checked(self, grey: Grey, found: Iterable[tuple[int, Points]]) -> list[Mark]:
        pairs = list(found)
        if not pairs:
            return []
        cells = self.sample(grey, [corners for _, corners in pairs])
        marks = []
        for (number, corners), seen in zip(pairs, cells, strict=True):
            quality = self.match(number, seen)
            if quality >= self._minimum:
                marks.append(Mark(number, corners, quality))
        return marks

    def sample(self, grey: Grey, squares: Sequence[Points]) -> npt.NDArray[np.float32]:
        """Mean grey of every module of each square: (n, MODULES, MODULES)."""
        if not squares:
            return np.zeros((0, MODULES, MODULES), np.float32)
        at = self._to_squares(squares)
        seen = self._cv.remap(
            grey, at, None, self._cv.INTER_LINEAR, borderMode=self._cv.BORDER_REPLICATE
        )
        cells = seen.reshape(-1, MODULES, MODULES, SAMPLES * SAMPLES).mean(axis=-1)
        return np.asarray(cells, dtype=np.float32)

    def _to_squares(self, squares: Sequence[Points]) -> npt.NDArray[np.float32]:
        """Where the samples of each of ``squares`` lie: (n, `SAMPLED` ** 2, 2), those of a module
        side by side."""
        unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], dtype=np.float32)
        maps = np.stack(
            [self._cv.getPerspectiveTransform(unit, s.astype(np.float32)) for s in squares]
        )
        across = np.einsum("nij,jk->nik", maps.astype(np.float32), GRID)
        return np.ascontiguousarray((across[:, :2] / across[:, 2:]).transpose(0, 2, 1))

    def glance(self, grey: Grey, marks: Sequence[Mark]) -> npt.NDArray[np.float64]:
        """How alike the patterns of ``marks`` are to what ``grey`` shows there, (n,), up to 1: one
        px of each module, without the border that all patterns share."""
        if not marks:
            return np.zeros(0)
        where = (SHARES @ np.stack([mark.corners for mark in marks])).astype(np.float32)
        seen = self._cv.remap(grey, where, None, self._cv.INTER_LINEAR).astype(np.float64)
        want = np.stack([self._inside(mark.id) for mark in marks])
        seen -= seen.mean(axis=1, keepdims=True)
        size = np.sqrt(np.einsum("ij,ij->i", seen, seen))
        return np.asarray(np.einsum("ij,ij->i", seen, want) / np.maximum(size, 1e-6))

    def _inside(self, number: int) -> Points:
        """The modules of a number within its border, with zero mean and length one."""
        if number not in self._insides:
            inside = self.pattern(number)[1:-1, 1:-1].reshape(-1).astype(np.float64)
            inside -= inside.mean()
            self._insides[number] = inside / max(1e-6, float(np.linalg.norm(inside)))
        return self._insides[number]

    def match(self, number: int, cells: npt.NDArray[np.float32]) -> float:
        """Correlation of measured modules (MODULES, MODULES) with the printed pattern, 0-1."""
        want = self.pattern(number)
        seen = cells - cells.mean()
        spread = float(np.linalg.norm(seen) * np.linalg.norm(want))
        return max(0.0, float((seen * want).sum()) / spread) if spread > 1e-6 else 0.0

    def pattern(self, number: int) -> npt.NDArray[np.float32]:
        """The printed modules of a number, black border included, with zero mean."""
        if number not in self._patterns:
            image = self._cv.aruco.generateImageMarker(self._dictionary, number, MODULES)
            plain = np.asarray(image, dtype=np.float32) / 255
            self._patterns[number] = plain - plain.mean()
        return self._patterns[number]

    def sharpen(self, grey: Grey, corners: Points) -> Points:
        """The ``corners`` of a large square to a fraction of a pixel."""
        side = float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean())
        half = int(max(1, min(5, side / MODULES * 0.7)))
        points = corners.astype(np.float32).reshape(-1, 1, 2).copy()
        criteria = (self._cv.TERM_CRITERIA_EPS | self._cv.TERM_CRITERIA_MAX_ITER, 20, 0.02)
        self._cv.cornerSubPix(grey, points, (half, half), (-1, -1), criteria)
        refined = points.reshape(4, 2).astype(np.float64)
        moved = np.linalg.norm(refined - corners, axis=1).max()
        return refined if moved <= half + 1 else corners
