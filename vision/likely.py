"""Where on the board a printed square may lie, before anybody looks closely.

A small printed pattern changes from black to white more often than almost anything else on a
table. So the places of the most change, found on a picture made small, are looked at closely and
the rest of the board is not.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from vision.detect import Grey, Points
from vision.optional import need

POOLED = 4.5  # px across a place in the map of change
LEAST_CONTRAST = 10.0
FAINTEST = 2.0  # mean change of grey below which there is nothing


def shrunk(grey: Grey, factor: int) -> Grey:
    """``grey`` made smaller by a whole ``factor``, every px the mean of those it stands for."""
    if factor == 1:
        return grey
    cv: Any = need("cv2", "opencv-python-headless")
    height, width = (side // factor for side in grey.shape)
    part = grey[: height * factor, : width * factor]
    return np.asarray(cv.resize(part, (width, height), interpolation=cv.INTER_AREA))


def busiest(picture: Grey, window_px: float) -> tuple[Points, Points]:
    """The middles (n, 2) of the places where ``picture`` changes most, and how much each does.

    A place is ``window_px`` wide and none is nearer to another than that; the busiest come first.
    """
    cv: Any = need("cv2", "opencv-python-headless")
    across = cv.absdiff(picture[1:-1, 2:], picture[1:-1, :-2])
    down = cv.absdiff(picture[2:, 1:-1], picture[:-2, 1:-1])
    change = cv.addWeighted(across, 0.5, down, 0.5, 0, dst=across)
    del down
    pool = max(1, int(window_px / POOLED))
    change = shrunk(change, pool).astype(np.float32)
    window = int(window_px / pool * 0.9) | 1
    much = cv.blur(change, (window, window))
    apart = 2 * int(window_px / pool * 0.7) + 1
    peak = (much == cv.dilate(much, np.ones((apart, apart), np.uint8))) & (much > FAINTEST)
    rows, columns = np.nonzero(peak)
    order = np.argsort(-much[rows, columns], kind="stable")
    rows, columns = rows[order], columns[order]
    middles: Points = (np.stack([columns, rows], axis=1).astype(np.float64) + 0.5) * pool + 0.5
    return middles, much[rows, columns].astype(np.float64)


def contrast(picture: Grey, places: Points, window_px: float) -> Points:
    """Between the darkest and the brightest px of each of the ``places``, ``window_px`` wide."""
    cv: Any = need("cv2", "opencv-python-headless")
    half = int(window_px / 2)
    found = []
    for x, y in places.astype(int).tolist():
        part = picture[max(0, y - half) : y + half + 1, max(0, x - half) : x + half + 1]
        low, high, _, _ = cv.minMaxLoc(part)
        found.append(max(LEAST_CONTRAST, high - low))
    return np.array(found)
