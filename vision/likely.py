"""Where on the board a printed square may lie, before anybody looks closely.

A small printed pattern changes from black to white more often than almost anything else on a
table. So the places of the most change, found on a picture made small, are looked at closely and
the rest of the board is not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from vision.detect import Grey, Points
from vision.optional import need

POOLED = 4.5  # px across a place in the map of change
LEAST_CONTRAST = 10.0
ROWS = 100  # above and below the middle of a picture that noise is measured in
MEDIAN = 0.6745  # of the size of what is spread with sigma 1
NO_LIMIT = 255
FAINTEST = 2.0  # mean change of grey below which there is nothing


def shrunk(grey: Grey, factor: int) -> Grey:
    """``grey`` made smaller by a whole ``factor``, every px the mean of those it stands for."""
    if factor == 1:
        return grey
    cv: Any = need("cv2", "opencv-python-headless")
    height, width = (side // factor for side in grey.shape)
    part = grey[: height * factor, : width * factor]
    return np.asarray(cv.resize(part, (width, height), interpolation=cv.INTER_AREA))


def noise(grey: Grey) -> float:
    """Sigma of the sensor's noise in grey levels, by the rows in the middle of ``grey``."""
    middle = grey.shape[0] // 2
    rows = grey[max(0, middle - ROWS) : middle + ROWS].astype(np.int16)
    bent = np.abs(2 * rows[:, 1:-1] - rows[:, :-2] - rows[:, 2:])
    return float(np.median(bent)) / (MEDIAN * 6**0.5) if bent.size else 0.0


@dataclass(frozen=True, slots=True)
class Search:
    """What counts as a place: ``apart`` of its width from a busier one at least, and a change of
    ``sharpest`` is all that counts of a sharper one; ``dense``: in proportion to the contrast, its
    change in that of the frame's own markers."""

    apart: float = 0.7
    sharpest: int = NO_LIMIT
    dense: float = 0.65


USUAL = Search()
#: Noise and soft edges leave small squares little change, and in a lamp's gloss the rim of a base
#: changes more than they do: then more places, and sharp edges are no sign of print.
NOISY = Search(apart=0.45, sharpest=32, dense=0.7)


def busiest(picture: Grey, window_px: float, search: Search = USUAL) -> tuple[Points, Points]:
    """The middles (n, 2) of the places where ``picture`` changes most, and how much each does.

    A place is ``window_px`` wide; the busiest come first.
    """
    cv: Any = need("cv2", "opencv-python-headless")
    across = cv.absdiff(picture[1:-1, 2:], picture[1:-1, :-2])
    down = cv.absdiff(picture[2:, 1:-1], picture[:-2, 1:-1])
    change = cv.addWeighted(across, 0.5, down, 0.5, 0, dst=across)
    del down
    if search.sharpest < NO_LIMIT:
        cv.min(change, search.sharpest, dst=change)
    pool = max(1, int(window_px / POOLED))
    change = shrunk(change, pool).astype(np.float32)
    window = int(window_px / pool * 0.9) | 1
    much = cv.blur(change, (window, window))
    apart = 2 * int(window_px / pool * search.apart) + 1
    peak = (much == cv.dilate(much, np.ones((apart, apart), np.uint8))) & (much > FAINTEST)
    rows, columns = np.nonzero(peak)
    order = np.argsort(-much[rows, columns], kind="stable")
    rows, columns = rows[order], columns[order]
    middles: Points = (np.stack([columns, rows], axis=1).astype(np.float64) + 0.5) * pool + 0.5
    return middles, much[rows, columns].astype(np.float64)


def contrast(picture: Grey, places: Points, window_px: float, search: Search = USUAL) -> Points:
    """Between the darkest and the brightest px of each of the ``places``, ``window_px`` wide, as
    far as it can make a change."""
    cv: Any = need("cv2", "opencv-python-headless")
    half = int(window_px / 2)
    found = []
    for x, y in places.astype(int).tolist():
        part = picture[max(0, y - half) : y + half + 1, max(0, x - half) : x + half + 1]
        low, high, _, _ = cv.minMaxLoc(part)
        found.append(min(max(LEAST_CONTRAST, high - low), 2.0 * search.sharpest))
    return np.array(found)
