"""Cameras, markers, marker sheets, registration, reading, tracking and the simulated table.

Nothing here needs OpenCV until it is used; without it using raises a `Fault` that names what to
install. Pictures are grey ``uint8`` arrays (height, width); lengths are millimetres on the board;
``xy`` are fractions of the board.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from companion.game.errors import Fault

if TYPE_CHECKING:
    from vision.camera import Camera, CaptureCamera, FolderCamera, Frame
    from vision.kit import Kit, build_kit
    from vision.layout import Cardboard, Layout
    from vision.loop import CameraLoop, CameraSettings
    from vision.picamera import PiCamera
    from vision.print_scale import print_scale
    from vision.read import Reader, Reading, load_grey, read_image
    from vision.render import Renderer, View
    from vision.sheet import lens_pdf, sheet_pdf
    from vision.simulate import SimulatedTable
    from vision.track import Tracker

_HOMES = {
    "Camera": "camera",
    "CameraLoop": "loop",
    "CameraSettings": "loop",
    "CaptureCamera": "camera",
    "Cardboard": "layout",
    "FolderCamera": "camera",
    "Frame": "camera",
    "Kit": "kit",
    "Layout": "layout",
    "PiCamera": "picamera",
    "Reader": "read",
    "Reading": "read",
    "Renderer": "render",
    "SimulatedTable": "simulate",
    "Tracker": "track",
    "View": "render",
    "build_kit": "kit",
    "lens_pdf": "sheet",
    "load_grey": "read",
    "print_scale": "print_scale",
    "read_image": "read",
    "sheet_pdf": "sheet",
}

__all__ = [
    "Camera",
    "CameraLoop",
    "CameraSettings",
    "CaptureCamera",
    "Cardboard",
    "FolderCamera",
    "Frame",
    "Kit",
    "Layout",
    "PiCamera",
    "Reader",
    "Reading",
    "Renderer",
    "SimulatedTable",
    "Tracker",
    "View",
    "build_kit",
    "lens_pdf",
    "load_grey",
    "print_scale",
    "read_image",
    "sheet_pdf",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(name)
    try:
        return getattr(import_module(f"vision.{home}"), name)
    except ModuleNotFoundError as error:
        if error.name not in {"numpy", "cv2", "pydyf"}:
            raise
        raise Fault(
            "camera",
            "vision.library_missing",
            {"module": error.name, "install": "table-companion[vision]"},
            temporary=False,
        ) from error
