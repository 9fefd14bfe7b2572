"""Cameras: one small interface, several sources.

A camera answers grey pictures with the time they were taken. Whatever goes wrong is a `Fault` of
the part ``camera``; a temporary one is worth another try, the loop tries again by itself.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from companion.game.errors import BadInput, Fault
from vision.detect import Grey
from vision.optional import need
from vision.read import as_grey, load_grey

PICTURES = {".jpg", ".jpeg", ".png", ".bmp", ".tif", ".tiff", ".webp", ".pgm"}


STALLED_MS = 5000  # a stream that sends nothing for so long has stalled


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A grey picture (height, width), ``uint8``, and when it was taken, in monotonic seconds.

    ``preview`` is a smaller version when the camera makes one; it feeds the change gate.
    """

    grey: Grey
    at: float
    preview: Grey | None = None


@runtime_checkable
class Camera(Protocol):
    """What the loop needs of a camera. One thread uses it."""

    name: str

    def open(self) -> None:
        """Take the device. Raises `Fault`."""

    def frame(self) -> Frame:
        """The newest picture; waits for it at most a few seconds. Raises `Fault`."""

    def close(self) -> None:
        """Let the device go. Never raises; may be called twice."""


class CaptureCamera:
    """A camera, video file or stream that OpenCV opens: a number, a path or an address.

    ``size`` (width, height) is asked of devices. A file that ends starts again.
    """

    def __init__(
        self,
        source: int | str,
        size: tuple[int, int] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = f"capture:{source}"
        self._source = source
        self._stream = isinstance(source, str) and "://" in source
        self._size = size
        self._clock = clock
        self._capture: Any = None

    def open(self) -> None:
        """Take the device or file."""
        cv = need("cv2", "opencv-python-headless")
        if self._stream:
            slow = (cv.CAP_PROP_OPEN_TIMEOUT_MSEC, cv.CAP_PROP_READ_TIMEOUT_MSEC)
            patience = [value for key in slow for value in (key, STALLED_MS)]
            capture = cv.VideoCapture(self._source, cv.CAP_FFMPEG, patience)
        else:
            capture = cv.VideoCapture(self._source)
        if not capture.isOpened():
            capture.release()
            if isinstance(self._source, str) and Path(self._source).is_file():
                raise BadInput("camera.source", "vision.not_an_image", {"file": self._source})
            raise Fault("camera", "vision.camera_missing", {"source": str(self._source)})
        if self._size is not None:
            capture.set(cv.CAP_PROP_FRAME_WIDTH, self._size[0])
            capture.set(cv.CAP_PROP_FRAME_HEIGHT, self._size[1])
            capture.set(cv.CAP_PROP_BUFFERSIZE, 1)
        self._capture = capture

    def frame(self) -> Frame:
        """The next picture."""
        if self._capture is None:
            raise Fault("camera", "vision.camera_closed", {"source": str(self._source)})
        good, picture = self._capture.read()
        if not good and self._stream:
            raise Fault("camera", "vision.stream_stalled", {"source": str(self._source)})
        if not good and isinstance(self._source, str):
            cv = need("cv2", "opencv-python-headless")
            self._capture.set(cv.CAP_PROP_POS_FRAMES, 0)
            good, picture = self._capture.read()
        if not good:
            raise Fault("camera", "vision.camera_unplugged", {"source": str(self._source)})
        return Frame(as_grey(picture, self.name), self._clock())

    def close(self) -> None:
        """Let the device go."""
        capture, self._capture = self._capture, None
        if capture is not None:
            capture.release()


class FolderCamera:
    """A folder of still pictures (or one), by name, shown one after the other and then again."""

    def __init__(self, folder: str | Path, clock: Callable[[], float] = time.monotonic) -> None:
        self.name = f"folder:{Path(folder).name}"
        self._folder = Path(folder)
        self._clock = clock
        self._files: list[Path] = []
        self._next = 0

    def open(self) -> None:
        """List the pictures."""
        try:
            every = [self._folder] if self._folder.is_file() else self._folder.iterdir()
            found = sorted(p for p in every if p.suffix.lower() in PICTURES)
        except OSError as error:
            raise Fault("camera", "vision.camera_missing", {"source": str(self._folder)}) from error
        if not found:
            raise Fault("camera", "vision.folder_empty", {"source": str(self._folder)})
        self._files, self._next = found, 0

    @property
    def pictures(self) -> int:
        """How many pictures there are, once it is open."""
        return len(self._files)

    def frame(self) -> Frame:
        """The next picture; files that are no pictures are a temporary fault."""
        if not self._files:
            raise Fault("camera", "vision.camera_closed", {"source": str(self._folder)})
        path = self._files[self._next % len(self._files)]
        self._next += 1
        try:
            return Frame(load_grey(path), self._clock())
        except BadInput as error:
            raise Fault("camera", "vision.not_an_image", {"file": path.name}) from error
        except Fault as fault:  # one that is missing now may be there next time
            raise Fault("camera", fault.code, {"file": path.name}) from fault

    def close(self) -> None:
        """Forget the pictures."""
        self._files = []
