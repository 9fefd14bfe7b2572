"""Scaffolding of .ci/camera-virtual: our PiCamera, the real picamera2, a virtual sensor.

The virtual sensor has no raw stream, one format and no controls, so a subclass answers what
picamera2 asks of a Raspberry Pi's sensor. Everything else is the real thing.
"""

from __future__ import annotations

import sys
import threading
import time
from typing import Any

import picamera2
from picamera2.allocators import LibcameraAllocator

from companion.game.errors import Fault
from tests.vision.virtual_table import BOARD, KIT, PIECES
from vision.picamera import PiCamera
from vision.read import Reader

Real = picamera2.Picamera2


class OnVirtual(Real):
    """picamera2 on a sensor that only knows NV12."""

    made: list[Any] = []  # noqa: RUF012 - scaffolding

    def __init__(self, number: int = 0) -> None:
        super().__init__(number)
        self.allocator = LibcameraAllocator(self.camera)
        self.stalled = False
        self.kept_back: list[Any] = []
        self.made.append(self)

    def process_requests(self, display: Any) -> None:
        if self.stalled:  # pictures no longer reach anybody
            with self._requestslock:
                self.kept_back += self._requests
                self._requests = []
        super().process_requests(display)

    def _get_raw_modes(self) -> list[dict[str, Any]]:
        return [{"format": "NV12", "size": (1280, 720)}]

    def create_video_configuration(self, **asked: Any) -> Any:
        if "main" in asked:  # picamera2 itself asks for its defaults at the start
            for stream in ("main", "lores"):
                asked[stream] = {**asked[stream], "format": "NV12"}
            asked["lores"]["size"] = asked["main"]["size"]  # it scales nothing
        return super().create_video_configuration(**asked)


picamera2.Picamera2 = OnVirtual
reader = Reader(BOARD, KIT)
for _ in range(2):  # taken, let go, and taken again
    camera = PiCamera((1280, 720), sleep=lambda _s: None)
    camera.open()
    try:
        began = time.monotonic()
        frames = [camera.frame() for _ in range(60)]
        took = time.monotonic() - began
        reading = reader.read(frames[-1].grey)
        assert reading.registration.ok, reading.registration
        found = {p.piece: p.room for p in reading.pieces}
        assert found == PIECES, found
        print(f"{len(frames)} pictures of {frames[-1].grey.shape} in {took:.2f} s, read: {found}")
    finally:
        camera.close()

# A front end that stalls: no picture comes any more; the camera is let go and comes back.
camera = PiCamera((1280, 720), sleep=lambda _s: None)
camera.open()
OnVirtual.made[-1].stalled = True
try:
    camera.frame()
except Fault as fault:
    print("stalled:", fault.code)
else:
    sys.exit("a stalled camera gave a picture")
ended = threading.Thread(target=camera.close, daemon=True)
ended.start()
ended.join(20)
assert not ended.is_alive(), "close hangs behind a picture that never comes"
camera = PiCamera((1280, 720), sleep=lambda _s: None)
camera.open()
assert camera.frame().grey.shape == (720, 1280)
camera.close()
print("and it came back")
