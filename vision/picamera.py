"""The Raspberry Pi's camera through picamera2.

Written to picamera2's documented calls; picamera2 and libcamera come from Raspberry Pi OS (apt),
never from PyPI. The main stream is YUV420, whose first rows are the grey picture: nothing is
converted. The small stream feeds the change gate.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from companion.game.errors import Fault
from vision.camera import Frame
from vision.detect import Grey
from vision.optional import need

PREVIEW = (640, 360)
SETTLE_S = 1.5  # for exposure and white balance before they are locked
FRAME_TIMEOUT_S = 4.0
FOCUS_TIMEOUT_S = 10.0
LONGEST_EXPOSURE_US = 20_000  # two half periods of 50 Hz mains
BUSY_WORDS = ("busy", "in use", "acquire")


class PiCamera:
    """A camera on the Pi's ribbon. ``size`` (width, height) is what is read; ``index`` chooses one.

    ``lens_position`` fixes the focus where the lens can move (dioptres); None focuses once.
    """

    def __init__(
        self,
        size: tuple[int, int] = (2304, 1296),
        *,
        index: int = 0,
        lens_position: float | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.name = f"picamera2:{index}"
        self._size, self._index = size, index
        self._lens_position = lens_position
        self._clock, self._sleep = clock, sleep
        self._camera: Any = None

    def open(self) -> None:
        """Take the camera, let its exposure settle and lock exposure, white balance and focus."""
        module = need("picamera2", "python3-picamera2 (apt)")
        try:
            camera = module.Picamera2(self._index)
        except Exception as error:
            raise self._fault(error, "vision.camera_missing") from error
        self._camera = camera
        try:
            camera.configure(
                camera.create_video_configuration(
                    main={"size": self._size, "format": "YUV420"},
                    lores={"size": PREVIEW, "format": "YUV420"},
                    raw=None,
                    buffer_count=3,
                    queue=False,
                )
            )
            camera.start()
            self._lock(camera)
        except Exception as error:
            self.close()
            raise self._fault(error, "vision.camera_unplugged") from error

    def frame(self) -> Frame:
        """The newest picture and its small version. The request always goes back."""
        if self._camera is None:
            raise Fault("camera", "vision.camera_closed", {"source": self.name})
        try:
            request = self._camera.capture_request(wait=FRAME_TIMEOUT_S)
        except Exception as error:  # picamera2 raises what its job raised, TimeoutError included
            raise self._fault(error, "vision.camera_unplugged") from error
        try:
            main = _grey(request.make_array("main"), self._size)
            preview = _grey(request.make_array("lores"), PREVIEW)
        finally:
            request.release()
        return Frame(main, self._clock(), preview)

    def close(self) -> None:
        """Stop and close, in that order.

        A picture that never came is still waited for inside picamera2, and would keep `stop`
        waiting for ever: it is cancelled first.
        """
        camera, self._camera = self._camera, None
        if camera is None:
            return
        cancel = getattr(camera, "cancel_all_and_flush", lambda: None)
        for end in (cancel, camera.stop, camera.close):
            try:
                end()
            except Exception:
                continue

    def _lock(self, camera: Any) -> None:
        self._sleep(SETTLE_S)
        offered = camera.camera_controls
        seen = camera.capture_metadata(wait=FRAME_TIMEOUT_S)
        wanted: dict[str, Any] = {}
        if "ExposureTime" in offered and "ExposureTime" in seen:
            exposure = int(seen["ExposureTime"])
            gain = float(seen.get("AnalogueGain", 1.0))
            if exposure > LONGEST_EXPOSURE_US:
                gain *= exposure / LONGEST_EXPOSURE_US
                exposure = LONGEST_EXPOSURE_US
            highest = offered["AnalogueGain"][1] if "AnalogueGain" in offered else gain
            wanted |= {
                "AeEnable": False,
                "ExposureTime": exposure,
                "AnalogueGain": min(gain, float(highest)),
            }
        if "AwbEnable" in offered:
            wanted["AwbEnable"] = False
        if "AfMode" in offered:
            position = self._lens_position
            if position is None:
                camera.autofocus_cycle(wait=FOCUS_TIMEOUT_S)
                found = camera.capture_metadata(wait=FRAME_TIMEOUT_S)
                position = float(found.get("LensPosition", 1.0))
            wanted |= {"AfMode": 0, "LensPosition": position}  # 0: manual
        camera.set_controls({name: wanted[name] for name in wanted if name in offered})

    def _fault(self, error: Exception, code: str) -> Fault:
        said = str(error).lower()
        if any(word in said for word in BUSY_WORDS):
            code = "vision.camera_busy"
        return Fault("camera", code, {"source": self.name})


def _grey(planes: Any, size: tuple[int, int]) -> Grey:
    """The grey picture of a YUV420 array, whose rows may be padded: a copy."""
    width, height = size
    return np.array(planes[:height, :width], dtype=np.uint8)
