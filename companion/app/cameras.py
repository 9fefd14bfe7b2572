"""Which camera is opened."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from vision import CaptureCamera, FolderCamera, PiCamera


def open_camera(source: str) -> Any:
    """The camera of a source setting; opening the device itself is the loop's business."""
    if source in ("auto", "picamera2"):
        return PiCamera()
    if source.isdigit():
        return CaptureCamera(int(source))
    if Path(source).is_dir():
        return FolderCamera(Path(source))
    return CaptureCamera(source)
