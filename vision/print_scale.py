"""How true a printed sheet is, from one photo of the whole page on a darker table.

The paper's edges give the scale, because paper has a known size; the two squares at the ends of
the check bar are then as far apart as the printer made them. Whether it did the same down the page
is told by all printed squares, which are then not square any more.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from vision.detect import Detector, Grey, Mark, Points
from vision.kit import SHEET_IDS
from vision.optional import need
from vision.pdf import PAPER_MM
from vision.register import homography, project
from vision.sheet import BAR_MM

TOLERANCE = 0.01  # of the length: more is worth printing again
TOLERANCE_DOWN = 0.015  # the squares tell it less sharply


@dataclass(frozen=True, slots=True)
class PrintScale:
    """``scale`` is printed length over true length: 0.97 means the printer shrank it by 3 %.

    It is measured across the page, ``down`` the other way.
    """

    paper: str
    scale: float
    down: float

    @property
    def ok(self) -> bool:
        """Whether the sheet can be used."""
        return abs(self.scale - 1) <= TOLERANCE and abs(self.down - 1) <= TOLERANCE_DOWN

    def as_json(self) -> dict[str, Any]:
        """For ``companion read --json``."""
        scales = {"scale": round(self.scale, 4), "down": round(self.down, 4)}
        return {"paper": self.paper, **scales, "ok": self.ok}


def print_scale(grey: Grey, marks: Iterable[Mark] | None = None) -> PrintScale | None:
    """The scale of the sheet photographed in ``grey``; None when no whole sheet is seen.

    ``marks`` are squares already found in the picture.
    """
    marks = list(Detector().detect(grey) if marks is None else marks)
    found = {m.id: m for m in marks}
    for paper, (left, right) in SHEET_IDS.items():
        if left in found and right in found:
            page = _page(grey, found[left], found[right])
            if page is None:
                return None
            width, height = PAPER_MM[paper]
            true = np.array([[0, 0], [width, 0], [width, height], [0, height]])
            to_mm = homography(page, true)
            ends = project(to_mm, np.stack([found[left].centre, found[right].centre]))
            scale = float(np.linalg.norm(ends[1] - ends[0])) / BAR_MM
            return PrintScale(paper, scale, scale / _wider(to_mm, marks))
    return None


def _wider(to_mm: Points, marks: Iterable[Mark]) -> float:
    """How much wider than high the squares are printed; they may be turned on the page anyhow."""
    spreads = np.array([project(to_mm, m.corners).var(axis=0) for m in marks])
    across, down = spreads.T
    size = np.sqrt(across * down)  # a larger square tells more
    return float(np.exp((size * np.log(across / down)).sum() / size.sum() / 2))


def _page(grey: Grey, left: Mark, right: Mark) -> Points | None:
    """The paper's corners (4, 2), clockwise from the sheet's own top-left."""
    cv = need("cv2", "opencv-python-headless")
    soft = cv.GaussianBlur(grey, (5, 5), 0)
    level, _ = cv.threshold(soft, 0, 255, cv.THRESH_BINARY | cv.THRESH_OTSU)
    light = (soft > level).astype(np.uint8)
    contours, _ = cv.findContours(light, cv.RETR_EXTERNAL, cv.CHAIN_APPROX_NONE)
    for contour in sorted(contours, key=cv.contourArea, reverse=True)[:3]:
        inside = all(
            cv.pointPolygonTest(contour, tuple(map(float, m.centre)), False) > 0
            for m in (left, right)
        )
        hull = cv.convexHull(contour)
        rough = cv.approxPolyDP(hull, 0.03 * cv.arcLength(hull, True), True)
        touches = _touches_border(hull.reshape(-1, 2), grey)
        if inside and len(rough) == 4 and not touches:
            corners = _sharp(contour.reshape(-1, 2).astype(float), rough.reshape(4, 2))
            return _from_top_left(corners, left, right)
    return None


def _touches_border(points: Points, grey: Grey) -> bool:
    height, width = grey.shape
    return bool(
        (points <= 1).any()
        or (points[:, 0] >= width - 2).any()
        or (points[:, 1] >= height - 2).any()
    )


def _sharp(outline: Points, rough: Points) -> Points:
    """The corners where lines through the outline's four edges meet."""
    lines = []
    for a, b in zip(rough, np.roll(rough, -1, axis=0), strict=True):
        along = (b - a) / np.linalg.norm(b - a)
        away = outline - a
        t = away @ along
        off = np.abs(away @ np.array([-along[1], along[0]]))
        length = np.linalg.norm(b - a)
        near = outline[(t > 0.06 * length) & (t < 0.94 * length) & (off < 0.02 * length)]
        middle = near.mean(axis=0)
        direction = np.linalg.svd(near - middle, full_matrices=False)[2][0]
        normal = np.array([-direction[1], direction[0]])
        lines.append((normal, normal @ middle))
    corners = []
    for (n1, c1), (n2, c2) in zip([lines[-1], *lines[:-1]], lines, strict=True):
        corners.append(np.linalg.solve(np.stack([n1, n2]), np.array([c1, c2])))
    return np.stack(corners)


def _from_top_left(corners: Points, left: Mark, right: Mark) -> Points:
    """Corners clockwise in the picture, starting at the sheet's top-left."""
    middle = corners.mean(axis=0)
    turned = corners[np.argsort(np.arctan2(*(corners - middle).T[::-1]))]
    across = right.centre - left.centre
    down = (left.corners[3] - left.corners[0]) + (left.corners[2] - left.corners[1])
    aim = across / np.linalg.norm(across) + down / np.linalg.norm(down)
    first = int(np.argmin((turned - middle) @ aim))
    return np.asarray(np.roll(turned, -first, axis=0))
