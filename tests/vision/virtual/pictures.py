"""Scaffolding of .ci/camera-virtual: pictures of the simulated table for the virtual camera."""

from __future__ import annotations

import sys
from pathlib import Path

import cv2

from tests.vision.virtual_table import table

folder = Path(sys.argv[1])
cardboard = table()
for number in range(4):
    cv2.imwrite(str(folder / f"{number}.jpg"), cardboard.frame().grey, [1, 95])
