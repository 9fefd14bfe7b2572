"""How good a picture of the table is, in what a person can do something about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from vision.detect import Detector, Grey, Mark, Points
from vision.kit import FRAME_IDS, MODULES
from vision.optional import need
from vision.privacy import board_outline
from vision.read import Reading
from vision.register import Fit

Pattern = npt.NDArray[np.bool_]  # (MODULES, MODULES), true where white

STEPS = 25  # samples of a profile across an edge
ALONG = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)  # of a side: where profiles are taken
REACH = 0.85  # modules to either side of an edge: the border is one wide, the margin too
GLARE_LEVEL = 250
FINE = 12  # samples of a module, when edges of both kinds are measured
FEWEST_EDGES = 20
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
    """The frame's marks with their sides where `edges` finds them, freed of `bloom`."""
    detector, found = Detector(), []
    for mark in marks:
        if mark.id in FRAME_IDS:
            corners = edges(grey, mark.corners).corners
            pattern = detector.pattern(mark.id) > 0
            found.append(Mark(mark.id, unbloomed(grey, corners, pattern), mark.quality))
    return found


def unbloomed(grey: Grey, corners: Points, pattern: Pattern) -> Points:
    """The ``corners`` (4, 2) of a black square as they are printed, where white blooms over black.

    Light that spreads moves every edge from white to black and every one from black to white by as
    much, but the other way, so the two kinds together tell the scale. ``pattern``: which modules
    are white. What cannot be measured is left as it is.
    """
    cv: Any = need("cv2", "opencv-python-headless")
    fine, side = FINE, MODULES * FINE
    unit = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32)
    there = cv.getPerspectiveTransform(unit, corners.astype(np.float32))
    spread = np.arange(-fine, side + fine) + 0.5
    grid = np.stack(np.meshgrid(spread, spread), axis=-1).reshape(1, -1, 2).astype(np.float32)
    at = cv.perspectiveTransform(grid, there).reshape(len(spread), len(spread), 2)
    flat = cv.remap(grey, at, None, cv.INTER_LINEAR).astype(float)
    whole = np.pad(pattern, 1, constant_values=True)
    cells = flat.reshape(MODULES + 2, fine, MODULES + 2, fine)
    middle = slice(fine // 3, fine - fine // 3)
    levels = cells[:, middle][:, :, :, middle].mean(axis=(1, 3))
    half = (float(np.median(levels[whole])) + float(np.median(levels[~whole]))) / 2
    fits = [_scale(f, w, half) for f, w in ((flat, whole), (flat.T, whole.T))]
    if None in fits:
        return corners
    (x, across), (y, down) = (fit for fit in fits if fit is not None)
    true = np.array([[[x, y], [x + across, y], [x + across, y + down], [x, y + down]]], np.float32)
    found = cv.perspectiveTransform(true * side, there)
    return np.asarray(found.reshape(4, 2), dtype=np.float64)


def _scale(flat: Points, whole: Pattern, half: float) -> tuple[float, float] | None:
    """Where the square begins along the rows of ``flat`` and how wide it is, in sides."""
    rows, seen = [], []
    for row in range(1, MODULES + 1):
        lines = slice(row * FINE + FINE // 4, (row + 1) * FINE - FINE // 4)
        profile = flat[lines].mean(axis=0) - half
        for module in range(MODULES + 1):
            before, after = whole[row, module], whole[row, module + 1]
            if before == after:
                continue
            edge = (module + 1) * FINE
            part = profile[edge - FINE // 2 - 1 : edge + FINE // 2 + 1] * (1 if after else -1)
            cross = np.flatnonzero((part[:-1] < 0) & (part[1:] >= 0))
            if len(cross) == 1:
                n = int(cross[0])
                along = n + part[n] / (part[n] - part[n + 1])
                rows.append([1.0, module, 1.0 if after else -1.0])
                seen.append((edge - FINE // 2 - 1 + along + 0.5) / FINE - 1)
    if len(rows) < FEWEST_EDGES:
        return None
    (start, module, _), _, rank, _ = np.linalg.lstsq(np.array(rows), np.array(seen), rcond=None)
    if rank < 3 or abs(module - 1) > 0.1:
        return None
    return float(start) / MODULES, float(module)
