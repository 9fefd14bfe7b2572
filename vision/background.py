"""What the bare board looks like, learnt where nothing stands, kept in memory only.

It answers one question: does the place of a piece that is no longer read show bare board, or is
something over it? Where the board was never seen bare the answer is no.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
import numpy.typing as npt

from vision.detect import Grey
from vision.look import PX_PER_MM, BoardLook

FOOTPRINT_MM = 75.0  # round a piece nothing is learnt: its figure leans over it
PATCH_MM = 22.0  # round a marker's place that must look bare
ALIKE = 13.0  # grey levels the patch may differ by, at its 95th percentile
LEARN = 1  # earlier readings a spot must agree with to count as learnt


class EmptyBoard:
    """Learns a board laid flat at `PX_PER_MM`; pictures are (height, width) of the board."""

    def __init__(self) -> None:
        self._look: npt.NDArray[np.float32] | None = None
        self._times: npt.NDArray[np.uint8] | None = None

    def learn(self, flat: Grey, pieces_mm: Iterable[tuple[float, float]]) -> None:
        """Take in a still picture; ``pieces_mm`` are the places of all pieces on it."""
        new = flat.astype(np.float32)
        if self._look is None or self._times is None or self._look.shape != new.shape:
            self._look, self._times = new.copy(), np.zeros(new.shape, np.uint8)
        free = np.ones(new.shape, dtype=bool)
        reach = int(FOOTPRINT_MM * PX_PER_MM)
        for x, y in pieces_mm:
            cx, cy = int(x * PX_PER_MM), int(y * PX_PER_MM)
            free[
                max(0, cy - reach) : max(0, cy + reach), max(0, cx - reach) : max(0, cx + reach)
            ] = False
        gain = self._gain(new)
        alike = np.abs(new - self._look * gain) < ALIKE
        known = self._times >= LEARN
        fresh = free & alike
        self._times[fresh & ~known] += 1
        self._times[free & ~alike] = 0
        self._look[free] = new[free] / gain

    def look(self, board_mm: tuple[float, float], margin_mm: float) -> BoardLook | None:
        """What was learnt so far, to find the board by; None before anything was."""
        if self._look is None or self._times is None:
            return None
        flat = np.clip(self._look, 0, 255).astype(np.uint8)
        return BoardLook(flat, self._times >= LEARN, board_mm, margin_mm)

    def bare(self, flat: Grey, places_mm: Mapping[str, tuple[float, float]]) -> frozenset[str]:
        """Those of ``places_mm`` (by piece) at which ``flat`` shows the bare board."""
        if self._look is None or self._times is None or self._look.shape != flat.shape:
            return frozenset()
        gain = self._gain(flat.astype(np.float32))
        half = int(PATCH_MM / 2 * PX_PER_MM)
        height, width = flat.shape
        found = set()
        for piece, (x, y) in places_mm.items():
            cx, cy = int(x * PX_PER_MM), int(y * PX_PER_MM)
            if not (half <= cx < width - half and half <= cy < height - half):
                continue
            part = slice(cy - half, cy + half + 1), slice(cx - half, cx + half + 1)
            if (self._times[part] < LEARN).any():
                continue
            away = np.abs(flat[part].astype(np.float32) - self._look[part] * gain)
            if float(np.percentile(away, 95)) < ALIKE:
                found.add(piece)
        return frozenset(found)

    def _gain(self, new: npt.NDArray[np.float32]) -> float:
        """How much brighter the room is than when the look was learnt."""
        assert self._look is not None
        assert self._times is not None
        known = self._times >= LEARN
        if known.sum() < 400:
            return 1.0
        base = float(np.median(self._look[known]))
        return float(np.clip(np.median(new[known]) / max(1.0, base), 0.3, 3.0))
