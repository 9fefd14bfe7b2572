"""Whether a piece that is no longer read has left, by what changed round where it stood.

A figure that goes leaves bare board: its own place changes and nothing new lies round it. A hand, a
sleeve or a figure that fell over lies beyond that place and has edges where there were none; a
token on the tongue leaves the figure where it was. A shadow that goes takes edges with it. Kept in
memory only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import hypot
from typing import Any

import numpy as np
import numpy.typing as npt

from vision.detect import Grey, Points
from vision.kit import PieceMarker
from vision.layout import figure_height
from vision.look import PX_PER_MM
from vision.optional import need

REACH_MM = 110.0  # round a piece that is looked at: a tall figure falls no farther
SAME_MM = 4.0  # a piece that moved less stands where it stood
SOFT = 1.0  # sigma px that takes the sensor's noise out
LEAST = 7.0  # grey levels beyond what a shift by one px explains that are a change
CLEAR = 6.0  # times the noise that is one
SHADOW = 2.2  # times as bright it may be where a shadow went
SLACK_MM = 3.0  # of the own place, for what the lens and the light do to its rim
RING_MM = 14.0  # round the own place: board that the place's own should look like
BASE_CHANGED = 0.4  # of the figure's base and body
MARKER_ALIKE = 0.55  # correlation from which a printed square still counts as in sight
MOST_NOISE = 5.0  # grey levels: beyond, the whole neighbourhood changed
MOST_CHANGED = 0.3  # of what lies round the piece: more is a cloth over everything
ODD = 0.15  # of the own place may look unlike the board round it
LONG_MM = 6.0  # of a new thing that keeps a piece from counting as left
BESIDE_MM = 12.0  # from the own place: there a figure lies that fell
TOPPLED = 0.6  # of a figure's height: so long is a new thing beside it that may be the figure
LARGEST_TOKEN_MM = 24.0  # what is longer is no token of the box


@dataclass(frozen=True, eq=False)
class Stand:
    """Where a piece stands in the flat picture, px: ``at``; its printed ``card`` (4, 2), and the
    outline of its base and body as the camera sees them, (n, 2), None for a flat token."""

    at: tuple[float, float]
    card: Points
    figure: Points | None
    height_mm: float


def stand(marker: PieceMarker, corners_mm: Points, camera_mm: Points, margin_mm: float) -> Stand:
    """The stand of a piece by the ``corners_mm`` (4, 2) of its printed square on the board.

    The figure stands at the foot of the pattern. ``margin_mm``: of table in the flat picture.
    """
    centre = corners_mm.mean(axis=0)
    card = centre + (corners_mm - centre) * (marker.card_mm / marker.size_mm)
    shift = margin_mm
    x, y = ((centre + shift) * PX_PER_MM).tolist()
    height = figure_height(marker)
    figure = None
    radius = marker.base_radius_mm
    if radius:
        down = corners_mm[2:].mean(axis=0) - corners_mm[:2].mean(axis=0)
        away = down / max(1e-9, float(hypot(*down)))
        base = centre + away * (marker.card_mm / 2 + radius)
        turns = np.linspace(0, 2 * np.pi, 16, endpoint=False)
        circle = np.column_stack([np.cos(turns), np.sin(turns)])
        rings = []
        for r, z in ((radius, 0.0), (radius, 4.0), (radius * 0.4, height)):
            ring = base + circle * r
            rings.append(ring + (ring - camera_mm[:2]) * (z / (camera_mm[2] - z)))
        figure = (np.concatenate(rings) + shift) * PX_PER_MM
    return Stand((x, y), (card + shift) * PX_PER_MM, figure, height)


@dataclass(frozen=True, eq=False)
class _Then:
    """Round a piece as it was when it was last read: a crop at ``left``, ``top`` of the flat."""

    left: int
    top: int
    look: Grey
    level: float
    stands: Mapping[str, Stand]


class Departures:
    """Remembers how it looked round each piece when it was last read; pieces by any name."""

    def __init__(self) -> None:
        self._cv: Any = need("cv2", "opencv-python-headless")
        self._last: tuple[Grey, Mapping[str, Stand]] | None = None
        self._then: dict[str, _Then] = {}

    def look(
        self, flat: Grey, stands: Mapping[str, Stand], missing: Iterable[str]
    ) -> tuple[frozenset[str], frozenset[str]]:
        """Take in a still picture; which of the ``missing`` pieces are seen to have left, and
        beside which of them something lies that may be the piece itself.

        ``stands``: of everything read in it. A piece never read in a still picture is in neither.
        """
        flat = self._cv.GaussianBlur(flat, (0, 0), SOFT)
        missing = set(missing)
        for piece in missing - self._then.keys():
            if self._last is not None and piece in self._last[1]:
                self._then[piece] = self._crop(piece)
        for piece in self._then.keys() - missing:
            del self._then[piece]
        self._last = flat, dict(stands)
        gone, beside = set(), set()
        for piece, then in self._then.items():
            left, lies = self._judged(piece, then, flat, stands)
            if left:
                gone.add(piece)
            if lies:
                beside.add(piece)
        return frozenset(gone), frozenset(beside)

    def _crop(self, piece: str) -> _Then:
        assert self._last is not None
        flat, stands = self._last
        x, y = stands[piece].at
        reach = int(REACH_MM * PX_PER_MM)
        left, top = max(0, int(x) - reach), max(0, int(y) - reach)
        part = flat[top : int(y) + reach, left : int(x) + reach].copy()
        return _Then(left, top, part, _level(flat), stands)

    def _judged(
        self, piece: str, then: _Then, flat: Grey, stands: Mapping[str, Stand]
    ) -> tuple[bool, bool]:
        """Whether the piece left, and whether something as long as it lies beside its place."""
        cv, own = self._cv, then.stands[piece]
        height, width = then.look.shape
        now = flat[then.top : then.top + height, then.left : then.left + width]
        gain = _level(flat) / max(1.0, then.level)
        old = np.clip(then.look.astype(np.float32) * gain, 0, 255)
        new = now.astype(np.float32)
        noise = float(np.median(np.abs(new - old))) * 1.48
        least = max(LEAST, CLEAR * noise)
        box = np.ones((3, 3), np.uint8)
        brighter, darker = new - cv.dilate(old, box), cv.erode(old, box) - new
        changed = np.maximum(brighter, darker) > least
        # Where a shadow went it is brighter, and what edges there are grow with it.
        unlit = (darker > least) | (brighter > old * (SHADOW - 1) + least)
        was_edge = cv.dilate(cv.morphologyEx(old, cv.MORPH_GRADIENT, box), np.ones((5, 5)))
        is_edge = cv.morphologyEx(new, cv.MORPH_GRADIENT, box)
        strange = unlit | (is_edge > np.maximum(was_edge * SHADOW, least))
        mine = self._area(then, [own], SLACK_MM)
        every = {**then.stands, **stands}
        moved = [
            there
            for name, there in (*then.stands.items(), *stands.items())
            if name != piece and self._moved(name, then.stands, stands)
        ]
        around = ~(mine | self._area(then, moved, SLACK_MM))
        standing = [there for name, there in every.items() if name != piece]
        new_things = self._things(strange & around)
        near = self._area(then, [own], BESIDE_MM)
        lies = any(
            side >= min(TOPPLED * own.height_mm, LARGEST_TOKEN_MM) * PX_PER_MM
            or (side >= LONG_MM * PX_PER_MM and (thing & self._area(then, standing, 2.0)).any())
            for thing, side in new_things
            if (thing & near).any()
        )
        if own.figure is None or noise > MOST_NOISE or not around.any():
            return False, lies
        inside, body = self._area(then, [own], -1.0), self._polygon(then, own.figure)
        ring = self._area(then, [own], RING_MM) & around & ~self._area(then, standing, 1.0)
        low, high = np.percentile(new[ring], [5, 95]) if ring.any() else (255.0, 0.0)
        odd = (new[inside] < low - least / 2) | (new[inside] > high + least / 2)
        left = (
            max((side for _, side in new_things), default=0.0) < LONG_MM * PX_PER_MM
            and float(changed[around].mean()) < MOST_CHANGED
            and float(odd.mean()) < ODD
            and float(changed[body].mean()) >= BASE_CHANGED
            and _alike(old, new, self._polygon(then, own.card)) < MARKER_ALIKE
        )
        return left, lies

    @staticmethod
    def _moved(piece: str, then: Mapping[str, Stand], now: Mapping[str, Stand]) -> bool:
        if piece not in then or piece not in now:
            return True
        (x, y), (u, v) = then[piece].at, now[piece].at
        return hypot(x - u, y - v) > SAME_MM * PX_PER_MM

    def _area(self, then: _Then, stands: Iterable[Stand], slack_mm: float) -> npt.NDArray[np.bool_]:
        """What the ``stands`` cover of the crop, wider by ``slack_mm``, or narrower."""
        mask = np.zeros(then.look.shape, np.uint8)
        for one in stands:
            for shape in (one.card, one.figure):
                if shape is not None:
                    mask |= self._polygon(then, shape).astype(np.uint8)
        side = 2 * round(abs(slack_mm) * PX_PER_MM) + 1
        change = self._cv.dilate if slack_mm > 0 else self._cv.erode
        return np.asarray(change(mask, np.ones((side, side), np.uint8)) > 0)

    def _polygon(self, then: _Then, shape: Points) -> npt.NDArray[np.bool_]:
        mask = np.zeros(then.look.shape, np.uint8)
        hull = self._cv.convexHull((shape - [then.left, then.top]).astype(np.float32))
        self._cv.fillConvexPoly(mask, np.round(hull).astype(np.int32), 1)
        return mask > 0

    def _things(self, strange: npt.NDArray[np.bool_]) -> list[tuple[npt.NDArray[np.bool_], float]]:
        """Where each of the ``strange`` things is, and its longer side in px."""
        cv = self._cv
        closed = cv.morphologyEx(
            strange.astype(np.uint8), cv.MORPH_CLOSE, np.ones((9, 9), np.uint8)
        )
        _, labels, stats, _ = cv.connectedComponentsWithStats(closed, connectivity=8)
        sides = [float(max(w, h)) for _, _, w, h, _ in stats.tolist()]
        return [
            (labels == n, side) for n, side in enumerate(sides) if n and side >= LONG_MM * PX_PER_MM
        ]


def _level(flat: Grey) -> float:
    return float(np.median(flat[::3, ::3]))


def _alike(
    old: npt.NDArray[np.float32], new: npt.NDArray[np.float32], where: npt.NDArray[np.bool_]
) -> float:
    """How alike both pictures are ``where``, whatever the light: 1 the same, 0 unlike."""
    if not where.any():
        return 1.0
    a, b = old[where] - old[where].mean(), new[where] - new[where].mean()
    return float((a * b).sum() / max(1e-6, float(np.sqrt((a * a).sum() * (b * b).sum()))))
