"""The change gate: is anything moving, and where does the table differ from what was last read?

It works on a picture shrunk eight times, in cells, so watching a still table costs next to
nothing. A change of the whole room's light is not a change of the table.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from vision.detect import Grey
from vision.likely import shrunk
from vision.optional import need

SHRINK = 8
SMALLEST = 128  # px across the small picture, unless the picture itself is smaller
CELLS = (64, 48)  # across and down
CHANGED = 9.0  # grey levels by which the most changed spot of a cell differs
LIGHT = 0.002  # change of the whole picture's light below which it is none
Mask = npt.NDArray[np.bool_]  # (down, across)


class ChangeGate:
    """Compares pictures with the one before and with the one last read."""

    def __init__(self) -> None:
        self._cv: Any = need("cv2", "opencv-python-headless")
        self._before: Grey | None = None
        self._read: Grey | None = None

    def watch(self, picture: Grey) -> Mask:
        """The cells that moved since the picture before; all of them at the first picture."""
        small = self._small(picture)
        moved = self._differs(self._before, small)
        self._before = small
        return moved

    def since_read(self) -> Mask:
        """The cells of the picture last watched that differ from the one last read."""
        if self._before is None:
            return np.ones(CELLS[::-1], dtype=bool)
        return self._differs(self._read, self._before)

    def mark_read(self) -> None:
        """The picture last watched was read."""
        self._read = self._before

    def unread(self) -> None:
        """What was read last was read by other light: nothing is known of it any more."""
        self._read = None

    def _small(self, picture: Grey) -> Grey:
        width = picture.shape[1]
        shrink = max(1, min(SHRINK, width // SMALLEST))
        while shrink > 1 and shrink % 2 == 0:  # halves are several times faster than an eighth
            picture, shrink = shrunk(picture, 2), shrink // 2
        height, width = (side // shrink for side in picture.shape)
        size = (max(CELLS[0], width), max(CELLS[1], height))
        return np.asarray(self._cv.resize(picture, size, interpolation=self._cv.INTER_AREA))

    def _differs(self, old: Grey | None, new: Grey) -> Mask:
        if old is None or old.shape != new.shape:
            return np.ones(CELLS[::-1], dtype=bool)
        # Light that rises or falls everywhere is taken out by its ratio, not its level.
        ratio = _level(new) / max(1.0, _level(old))
        change = self._cv.absdiff(new, old)
        if abs(ratio - 1) > LIGHT:
            lit = self._cv.convertScaleAbs(old, alpha=ratio)
            change = np.minimum(change, self._cv.absdiff(new, lit))
        mask = np.zeros(CELLS[::-1], dtype=bool)
        spots = self._cv.findNonZero(self._cv.compare(change, CHANGED, self._cv.CMP_GT))
        if spots is not None:
            x, y = spots.reshape(-1, 2).T
            mask[y * CELLS[1] // new.shape[0], x * CELLS[0] // new.shape[1]] = True
        return mask


def _level(picture: Grey) -> float:
    """How bright most of a picture is."""
    return float(np.median(picture[::3, ::3]))


def boxes(mask: Mask, size: tuple[int, int]) -> list[tuple[int, int, int, int]]:
    """Rectangles (left, top, right, bottom) in px of a picture of ``size`` round changed cells.

    Cells that touch share a rectangle.
    """
    cv = need("cv2", "opencv-python-headless")
    _, _, stats, _ = cv.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
    wide, tall = size[0] / CELLS[0], size[1] / CELLS[1]
    return [
        (int(x * wide), int(y * tall), int(np.ceil((x + w) * wide)), int(np.ceil((y + h) * tall)))
        for x, y, w, h, _ in stats[1:].tolist()
    ]
