"""The printed sheet of squares by which a lens is measured (OpenCV calls it ChArUco)."""

from __future__ import annotations

from typing import Any

from vision.optional import need

DICTIONARY = "DICT_6X6_50"  # not the kit's: a sheet on the board is no piece
SQUARES = (7, 10)
SQUARE_MM, MARKER_MM = 22.0, 16.0


def square_sheet() -> Any:
    """OpenCV's object for the sheet."""
    aruco = need("cv2", "opencv-python-headless").aruco
    dictionary = aruco.getPredefinedDictionary(getattr(aruco, DICTIONARY))
    return aruco.CharucoBoard(SQUARES, SQUARE_MM, MARKER_MM, dictionary)
