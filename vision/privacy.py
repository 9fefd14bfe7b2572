"""Nothing beside the board is ever shown: hands, faces and the room stay black."""

from __future__ import annotations

import numpy as np

from vision.detect import Grey, Points
from vision.optional import need
from vision.register import Fit


def board_outline(fit: Fit, board_mm: tuple[float, float]) -> Points:
    """The board's edge in the picture, (n, 2), bent with the lens."""
    width, height = board_mm
    t = np.linspace(0, 1, 9)[:-1, None]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float64)
    edges = [a + (b - a) * t for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True)]
    return fit.picture(np.concatenate(edges))


def blackened(picture: Grey, outline: Points) -> Grey:
    """A copy of ``picture`` that is black outside the polygon ``outline``, (n, 2) px."""
    cv = need("cv2", "opencv-python-headless")
    mask = np.zeros(picture.shape[:2], np.uint8)
    cv.fillPoly(mask, [np.round(outline * 16).astype(np.int32)], 255, shift=4)
    return np.where(mask > 0, picture, 0).astype(np.uint8)


def small_png(picture: Grey, outline: Points, width: int = 640) -> bytes:
    """``picture``, black outside ``outline``, as a PNG at most ``width`` px wide."""
    cv = need("cv2", "opencv-python-headless")
    safe = blackened(picture, outline)
    ratio = min(1.0, width / safe.shape[1])
    if ratio < 1:
        safe = cv.resize(safe, None, fx=ratio, fy=ratio, interpolation=cv.INTER_AREA)
    return as_png(safe)


def as_png(picture: Grey) -> bytes:
    """``picture`` as a PNG."""
    cv = need("cv2", "opencv-python-headless")
    return bytes(cv.imencode(".png", picture)[1])
