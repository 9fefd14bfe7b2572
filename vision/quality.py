"""How good a picture of the table is, in what a person can do something about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from vision.detect import Grey, Mark, Points
from vision.kit import FRAME_IDS, MODULES
from vision.optional import need
from vision.privacy import board_outline
from vision.read import Reading
from vision.register import Fit

STEPS = 25  # samples of a profile across an edge
ALONG = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)  # of a side: where profiles are taken
REACH = 0.85  # modules to either side of an edge: the border is one wide, the margin too
GLARE_LEVEL = 250
WIDE = 1.2816 * 2  # sigmas from 10 to 90 % of a soft edge


class Grade(StrEnum):
    """How a figure fares."""

    GOOD = "good"
    FAIR = "fair"
    POOR = "poor"


@dataclass(frozen=True, slots=True)
class Quality:
    """One picture. ``frame``: numbers of the frame markers seen. None: the board was not found.

    ``px_per_module`` of the smallest piece in the worst corner; ``blur_px`` is the softness of the
    frame markers' edges (sigma); ``light`` the white of the frame cards (0-255); ``glare`` the
    share of the board that is white with light.
    """

    frame: tuple[int, ...]
    found: bool
    px_per_module: float | None = None
    blur_px: float | None = None
    light: float | None = None
    glare: float | None = None

    @property
    def grades(self) -> Mapping[str, Grade]:
        """How each figure fares, by its name."""
        seen = len(self.frame)
        grades = {"frame": _grade(seen, 7, 4 if self.found else 9)}
        if self.px_per_module is not None:
            grades["modules"] = _grade(self.px_per_module, 2.5, 2.0)
            if self.blur_px is not None:
                share = self.blur_px / self.px_per_module
                grades["sharp"] = _grade(-share, -0.35, -0.6)
        if self.light is not None:
            grades["light"] = _grade(self.light, 110, 55)
        if self.glare is not None:
            grades["glare"] = _grade(-self.glare, -0.003, -0.03)
        return grades

    @property
    def missing(self) -> tuple[int, ...]:
        """Frame markers that are not seen."""
        return tuple(i for i in FRAME_IDS if i not in self.frame)


def _grade(value: float, good: float, fair: float) -> Grade:
    return Grade.GOOD if value >= good else Grade.FAIR if value >= fair else Grade.POOR


def quality(grey: Grey, reading: Reading, board_mm: tuple[float, float]) -> Quality:
    """How good ``grey`` is, of which ``reading`` is the reading."""
    frame = sorted({m.id for m in reading.marks if m.id in FRAME_IDS})
    fit = reading.fit
    if not reading.registration.ok or fit is None:
        return Quality(tuple(frame), False)
    seen = [edges(grey, m.corners) for m in reading.marks if m.id in FRAME_IDS]
    return Quality(
        tuple(frame),
        True,
        reading.quality.get("px_per_module"),
        float(np.median([e.blur_px for e in seen])) if seen else None,
        float(np.median([e.white for e in seen])) if seen else None,
        _glare(grey, fit, board_mm),
    )


def _glare(grey: Grey, fit: Fit, board_mm: tuple[float, float]) -> float:
    """The share of the board that is white with light."""
    cv: Any = need("cv2", "opencv-python-headless")
    step = max(1, grey.shape[1] // 1200)
    small = grey[::step, ::step]
    mask = np.zeros(small.shape, np.uint8)
    cv.fillPoly(mask, [np.round(board_outline(fit, board_mm) / step).astype(np.int32)], 255)
    inside = small[mask > 0]
    return float((inside >= GLARE_LEVEL).mean()) if inside.size else 0.0


@dataclass(frozen=True, eq=False)
class Edges:
    """A black square's ``corners`` (4, 2), how soft its sides are (sigma), its margin's white."""

    corners: Points
    blur_px: float
    white: float


def edges(grey: Grey, corners: Points) -> Edges:
    """Where the sides of the black square found at ``corners`` (4, 2) really are.

    They lie where its grey is half way from black to white: blur rounds corners off, so those
    that are found lie inside.
    """
    cv: Any = need("cv2", "opencv-python-headless")
    side = float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean())
    reach = REACH * side / MODULES
    away = np.linspace(-reach, reach, STEPS)
    lines, widths, whites = [], [], []
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        along = (b - a) / max(float(np.linalg.norm(b - a)), 1e-9)
        out = np.array([along[1], -along[0]])  # corners run clockwise with y downwards
        middle = np.array([a + (b - a) * t for t in ALONG])
        at = (middle[:, None, :] + away[None, :, None] * out).astype(np.float32)
        profile = cv.remap(grey, at, None, cv.INTER_LINEAR).astype(float).mean(axis=0)
        shift, width = _edge(profile, away)
        lines.append((a + shift * out, along))
        widths.append(width)
        whites.append(profile[-4:].mean())
    blur, white = float(np.median(widths)), float(np.median(whites))
    found = []
    for (p, u), (q, v) in zip([lines[-1], *lines[:-1]], lines, strict=True):
        matrix = np.stack([u, -v], axis=1)
        if abs(float(np.linalg.det(matrix))) < 1e-6:
            return Edges(corners, blur, white)
        found.append(p + u * np.linalg.solve(matrix, q - p)[0])
    return Edges(np.stack(found), blur, white)


def _edge(profile: Points, away: Points) -> tuple[float, float]:
    """Where a profile from dark to light is half way, and its softness: both px."""
    dark, light = float(profile[:4].mean()), float(profile[-4:].mean())
    if light - dark < 8:
        return 0.0, float(away[-1])
    level = np.maximum.accumulate((profile - dark) / (light - dark))
    level = level + np.arange(len(level)) * 1e-9  # interp wants it to rise
    tenth, half, most = np.interp([0.1, 0.5, 0.9], level, away)
    return float(half), float(most - tenth) / WIDE


def true_marks(grey: Grey, marks: Iterable[Mark]) -> list[Mark]:
    """The frame's marks with their sides where `edges` finds them."""
    frame = (m for m in marks if m.id in FRAME_IDS)
    return [Mark(m.id, edges(grey, m.corners).corners, m.quality) for m in frame]
