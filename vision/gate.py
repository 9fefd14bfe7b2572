"""The change gate: is anything moving, and where does the table differ from what was last read?

It works on a picture shrunk eight times, in cells, so watching a still table costs next to
nothing. A change of the whole room's light is not a change of the table.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from vision.detect import Grey
from vision.optional import need

SHRINK = 8
CELLS = (32, 24)  # across and down
CHANGED = 9.0  # grey levels by which the most changed spot of a cell differs
LIGHT = 0.002  # change of the whole picture's light below which it is none
Mask = npt.NDArray[np.bool_]  # (down, across)


class ChangeGate:
    """Compares pictures with the one before and with the one last read."""

    def __init__(self) -> None:
        self._cv: Any = need("cv2", "opencv-python-headless")
        self._before: npt.NDArray[np.float32] | None = None
        self._read: npt.NDArray[np.float32] | None = None

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

    def _small(self, picture: Grey) -> npt.NDArray[np.float32]:
        height, width = picture.shape
        shrink = max(1, min(SHRINK, width // (CELLS[0] * 4)))
        size = (max(CELLS[0], width // shrink), max(CELLS[1], height // shrink))
        small = self._cv.resize(picture, size, interpolation=self._cv.INTER_AREA)
        return np.asarray(small, dtype=np.float32)

    @staticmethod
    def _differs(old: npt.NDArray[np.float32] | None, new: npt.NDArray[np.float32]) -> Mask:
        if old is None or old.shape != new.shape:
            return np.ones(CELLS[::-1], dtype=bool)
        # Light that rises or falls everywhere is taken out by its ratio, not its level.
        some = slice(None, None, 3), slice(None, None, 3)
        ratio = float(np.median(new[some])) / max(1.0, float(np.median(old[some])))
        change = np.abs(new - old)
        if abs(ratio - 1) > LIGHT:
            change = np.minimum(change, np.abs(new - old * ratio))
        down = np.linspace(0, new.shape[0], CELLS[1] + 1).astype(int)[:-1]
        across = np.linspace(0, new.shape[1], CELLS[0] + 1).astype(int)[:-1]
        worst = np.maximum.reduceat(np.maximum.reduceat(change, down, axis=0), across, axis=1)
        return np.asarray(worst > CHANGED)


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
