"""The camera over the board: which one, for which board side, and its simulated twin."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from companion.app.cameracourse import CameraCourse
from companion.app.camerapage import CameraPage
from companion.app.profile import Profile
from companion.library.model import FIRST_BOARD, FIRST_SPECIES, Content
from companion.table.ports import Health, Sighting, Status, StillMoment
from vision.settings import VisionSettings

PART = "camera"
HEARTBEAT_S = 5.0  # a still table is read again so often


class Eye:
    """Watches the board side and the species in play, with a real or the simulated camera.

    When another side or species is set up, its own thread lets the camera go and takes it again
    for those. Without OpenCV, or switched off, it says so in `health` and does nothing. ``pose``
    asks the lights to hold still for a picture, ``light`` to light the board for one. ``profile``:
    what was measured of board and lens. ``simulate``: whatever the source is, unless it is off.
    """

    def __init__(
        self,
        content: Content,
        settings: VisionSettings,
        seen: Callable[[Sighting], None],
        *,
        simulate: bool,
        pose: Callable[[], StillMoment | None] = lambda: None,
        light: Callable[[], StillMoment | None] = lambda: None,
        profile: Profile | None = None,
    ) -> None:
        self._content = content
        self._profile = profile
        asks = not settings.infrared  # whose lamps shine whatever the others do
        self._pose = pose if asks and settings.still_lights else lambda: None
        self._light = light if asks and settings.reading_light else lambda: None
        self._settings = settings
        self._seen = seen
        self._simulate = simulate
        self._idle = self._why_idle()
        self._changed = threading.Condition()
        self._view: Mapping[str, Any] | None = None
        self._last: Mapping[str, Any] | None = None
        self._stale = False
        self._stopping = False
        self._watched = ("", "")  # board and species
        self._loop: Any = None
        self._hands: Any = None
        self.page: Any = None  # the simulated table for browsers, once there is one
        self.setup: CameraPage | None = None  # for the host's page, where there is a camera
        if self._idle is None and profile is not None:
            self.setup = CameraPage(profile, self._read_anew)
        self._thread = threading.Thread(target=self._run, name="eye", daemon=True)
        if self._idle is None and self._simulate:
            from companion.app.simulated import SimulatorPage

            self.page = SimulatorPage()

    def _why_idle(self) -> Health | None:
        if self._settings.source == "off":
            return Health(PART, Status.OFF)
        if find_spec("cv2") is None:
            params = {"module": "cv2", "install": "table-companion[vision]"}
            return Health(PART, Status.FAILED, "fault.vision.library_missing", params)
        return None

    def start(self) -> None:
        """Begin to watch."""
        if self._idle is None:
            self._thread.start()

    def stop(self) -> None:
        """Let the camera go."""
        with self._changed:
            self._stopping = True
            self._changed.notify()
        if self._thread.is_alive():
            self._thread.join(5)

    def health(self) -> Health:
        """How the camera fares."""
        if self._idle is not None:
            return self._idle
        loop = self._loop
        return Health(PART, Status.STARTING) if loop is None else loop.health()

    def follow(self, view: Mapping[str, Any]) -> None:
        """Take the table's view; returns at once."""
        with self._changed:
            self._view = self._last = view
            self._changed.notify()
        if self.setup is not None:
            self.setup.follow(view)

    def _read_anew(self) -> None:
        """Board or lens were measured anew: let the camera go and take it again with them."""
        with self._changed:
            self._stale, self._view = True, self._last
            self._changed.notify()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._stopping or self._view is not None)
                view, self._view = self._view, None
                stale, self._stale = self._stale, False
                if self._stopping:
                    break
            assert view is not None
            board = view["game"]["board"] or FIRST_BOARD
            watched = (board, view["game"]["species"] or FIRST_SPECIES)
            if stale or watched != self._watched:
                self._let_go()
                self._take(*watched)
            if self._hands is not None:
                self._hands.follow(view)
        self._let_go()

    def _take(self, board_id: str, species: str) -> None:
        from vision import CameraLoop, CameraSettings, Reader, SimulatedTable
        from vision.box import box_kit

        board = self._content.boards[board_id]
        size = self._settings.board_mm
        if size is None and self._profile is not None:
            size = self._profile.board_mm(board_id)
        kits = (1, 2, 3) if self._settings.tokens else (1, 2)
        kit = box_kit(self._content, board, size, species=species, kits=kits)
        look = self._profile.look(board_id, kit.board_mm) if self._profile is not None else None
        camera: Any
        if self._simulate:
            from companion.app.simulated import Hands

            camera = SimulatedTable(board, kit)
            self._hands = Hands(camera)
            self._hands.start()
            self.page.show(camera)
        else:
            camera = open_camera(self._settings.source)
        self._loop = CameraLoop(
            camera,
            Reader(board, kit, lens=self._lens_of(camera.name), look=look),
            self._seen,
            settings=CameraSettings(heartbeat=HEARTBEAT_S),
            pose=self._pose,
            light=self._light,
        )
        if self.setup is not None:
            assert self._profile is not None
            lens, profile = self._lens_of(camera.name), self._profile
            live = not self._simulate
            self.setup.attach(
                self._loop,
                lambda: CameraCourse(board, kit, profile, camera.name, live=live, lens=lens),
            )
        self._loop.start()
        self._watched = (board_id, species)

    def _lens_of(self, camera: str) -> Any:
        """The calibrated lens of this camera, if one was kept."""
        kept = self._profile.lens() if self._profile is not None else None
        return kept.lens if kept is not None and kept.camera == camera else None

    def _let_go(self) -> None:
        loop, hands = self._loop, self._hands
        self._loop = self._hands = None
        if self.setup is not None:
            self.setup.detach()
        if loop is not None:
            loop.stop()
        if hands is not None:
            hands.stop()


def open_camera(source: str) -> Any:
    """The camera of a source setting; opening the device itself is the loop's business."""
    from vision import CaptureCamera, FolderCamera, PiCamera
    from vision.camera import PICTURES

    if source in ("auto", "picamera2"):
        return PiCamera()
    if source.isdigit():
        return CaptureCamera(int(source))
    if "://" not in source and (Path(source).is_dir() or Path(source).suffix.lower() in PICTURES):
        return FolderCamera(Path(source))
    return CaptureCamera(source)
