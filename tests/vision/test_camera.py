from __future__ import annotations

import dataclasses
import os
import socket
import sys
import threading
import time
import types
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.game.board import Board
from companion.game.errors import BadInput, Fault
from companion.locale import words
from companion.table.ports import Sighting, Status
from vision.camera import Camera, CaptureCamera, FolderCamera, Frame
from vision.detect import Grey
from vision.kit import Kit
from vision.loop import CameraLoop, CameraSettings
from vision.picamera import PREVIEW, PiCamera
from vision.read import Reader, Reading
from vision.render import View
from vision.simulate import SimulatedTable

SMALL = View((1920, 1080))


# -- sources --------------------------------------------------------------------------------


def test_a_folder_of_stills(tmp_path: Path) -> None:
    for n in (1, 2):
        cv2.imwrite(str(tmp_path / f"{n}.png"), np.full((40, 60, 3), n * 50, np.uint8))
    (tmp_path / "notes.txt").write_text("no picture")
    camera = FolderCamera(tmp_path, clock=lambda: 3.0)
    assert isinstance(camera, Camera)
    camera.open()
    assert [int(camera.frame().grey[0, 0]) for _ in range(3)] == [50, 100, 50]
    assert camera.frame().at == 3.0
    camera.close()
    with pytest.raises(Fault):
        camera.frame()


def test_folder_faults(tmp_path: Path) -> None:
    for folder, code in ((tmp_path, "folder_empty"), (tmp_path / "none", "camera_missing")):
        with pytest.raises(Fault) as fault:
            FolderCamera(folder).open()
        assert fault.value.code == f"vision.{code}"
        assert fault.value.temporary
    (tmp_path / "broken.jpg").write_text("text")
    camera = FolderCamera(tmp_path)
    camera.open()
    with pytest.raises(Fault) as fault:
        camera.frame()
    assert fault.value.temporary


def test_a_still_that_is_missing_for_a_moment_is_waited_for(tmp_path: Path) -> None:
    for name in ("a.png", "b.png"):
        cv2.imwrite(str(tmp_path / name), np.full((20, 30), 90, np.uint8))
    camera = FolderCamera(tmp_path)
    camera.open()
    (tmp_path / "a.png").unlink()
    with pytest.raises(Fault) as missing:
        camera.frame()
    assert (missing.value.code, missing.value.temporary) == ("vision.image_missing", True)
    assert "a.png" in words("en").say(missing.value.key, missing.value.params)
    assert camera.frame().grey.shape == (20, 30)


def test_a_stream_that_stalls_is_said_soon_and_not_called_unplugged() -> None:
    jpeg = cv2.imencode(".jpg", np.full((240, 320), 90, np.uint8))[1].tobytes()
    head = f"--x\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n".encode()
    over = threading.Event()

    def serve(listener: socket.socket) -> None:
        sender, _ = listener.accept()
        with sender:
            sender.recv(4096)
            sender.sendall(b"HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace; ")
            sender.sendall(b"boundary=x\r\n\r\n" + (head + jpeg + b"\r\n") * 30)
            over.wait(60)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=serve, args=(listener,), daemon=True).start()
        camera = CaptureCamera(f"http://127.0.0.1:{listener.getsockname()[1]}/video")
        try:
            camera.open()
            begun = time.monotonic()
            with pytest.raises(Fault) as stalled:
                deque((camera.frame() for _ in range(60)), maxlen=0)
        finally:
            over.set()
            camera.close()
    assert stalled.value.code == "vision.stream_stalled"
    assert time.monotonic() - begun < 20


def test_a_video_file_starts_again(tmp_path: Path) -> None:
    file = str(tmp_path / "table.avi")
    writer = cv2.VideoWriter(file, cv2.VideoWriter.fourcc(*"MJPG"), 10, (64, 48))
    if not writer.isOpened():
        pytest.skip("this OpenCV writes no video")
    for n in range(3):
        writer.write(np.full((48, 64, 3), 40 + 60 * n, np.uint8))
    writer.release()
    camera = CaptureCamera(file)
    camera.open()
    levels = [int(camera.frame().grey.mean()) for _ in range(4)]
    camera.close()
    camera.close()
    assert levels[0] < levels[1] < levels[2]
    assert levels[3] == levels[0]


def test_capture_faults(tmp_path: Path) -> None:
    text = tmp_path / "video.mp4"
    text.write_text("no video")
    with pytest.raises(BadInput):
        CaptureCamera(str(text)).open()
    with pytest.raises(Fault) as fault:
        CaptureCamera(str(tmp_path / "none.mp4")).open()
    assert fault.value.code == "vision.camera_missing"
    with pytest.raises(Fault):
        CaptureCamera(0).frame()


# -- picamera2, by its documented calls ----------------------------------------------------------


class FakeRequest:
    def __init__(self, camera: FakePicamera2) -> None:
        self.camera = camera

    def make_array(self, name: str) -> np.ndarray:
        if self.camera.broken_array:
            raise RuntimeError("mapping failed")
        width, height = self.camera.config[name]["size"]
        padded = np.zeros((height * 3 // 2, width + 32), np.uint8)
        padded[:height, :width] = 77 if name == "main" else 33
        return padded

    def release(self) -> None:
        self.camera.lent -= 1


class FakePicamera2:
    busy = False
    made: list[FakePicamera2] = []  # noqa: RUF012 - emptied by the fixture

    def __init__(self, camera_num: int = 0) -> None:
        if self.busy:
            raise RuntimeError("Failed to acquire camera: Device or resource busy")
        self.calls: list[str] = []
        self.lent = 0
        self.stalled = self.broken_array = False
        self.waiting = 0  # jobs that timed out stay in picamera2's list
        self.controls: dict[str, Any] = {}
        self.config: dict[str, Any] = {}
        self.camera_controls = {
            "AeEnable": (False, True, None), "AwbEnable": (False, True, None),
            "ExposureTime": (60, 10**6, None), "AnalogueGain": (1.0, 16.0, None),
            "AfMode": (0, 2, 0), "LensPosition": (0.0, 15.0, 1.0),
        }  # fmt: skip
        self.made.append(self)

    def create_video_configuration(self, main: dict, lores: dict, raw: None, **rest: Any) -> dict:
        assert rest == {"buffer_count": 3, "queue": False}
        assert raw is None
        assert main["format"] == lores["format"] == "YUV420"
        return {"main": main, "lores": lores}

    def configure(self, config: dict) -> None:
        self.config = config
        self.calls.append("configure")

    def start(self) -> None:
        self.calls.append("start")

    def cancel_all_and_flush(self) -> None:
        self.waiting = 0

    def stop(self) -> None:
        assert not self.waiting, "it would wait for ever behind a picture that never comes"
        self.calls.append("stop")

    def close(self) -> None:
        self.calls.append("close")

    def autofocus_cycle(self, wait: float | None = None) -> bool:
        self._wait(wait)
        self.calls.append("autofocus")
        return True

    def _wait(self, wait: float | None) -> None:
        assert wait is not None, "a stalled camera must not hang the loop"
        if self.stalled:
            self.waiting += 1
            raise TimeoutError

    def capture_metadata(self, wait: float | None = None) -> dict[str, Any]:
        self._wait(wait)
        return {"ExposureTime": 60_000, "AnalogueGain": 2.0, "LensPosition": 0.8}

    def set_controls(self, controls: dict[str, Any]) -> None:
        assert set(controls) <= set(self.camera_controls)
        self.controls |= controls

    def capture_request(self, wait: float | None = None) -> FakeRequest:
        self._wait(wait)
        self.lent += 1
        assert self.lent <= 3, "the camera starves: requests are not given back"
        return FakeRequest(self)


@pytest.fixture
def picamera2(monkeypatch: pytest.MonkeyPatch) -> type[FakePicamera2]:
    module = types.ModuleType("picamera2")
    module.Picamera2 = FakePicamera2  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "picamera2", module)
    monkeypatch.setattr(FakePicamera2, "made", [])
    return FakePicamera2


def test_picamera_gives_the_grey_plane_and_locks_everything(
    picamera2: type[FakePicamera2],
) -> None:
    camera = PiCamera((640, 480), clock=lambda: 5.0, sleep=lambda _s: None)
    camera.open()
    for _ in range(9):
        frame = camera.frame()
    assert frame.grey.shape == (480, 640)
    assert (frame.grey == 77).all()
    assert frame.preview is not None
    assert frame.preview.shape == PREVIEW[::-1]
    (device,) = picamera2.made
    assert device.lent == 0
    controls = device.controls
    assert controls["AeEnable"] is False
    assert controls["AwbEnable"] is False
    assert controls["ExposureTime"] == 20_000
    assert controls["AnalogueGain"] == pytest.approx(6.0), "a capped exposure is made up by gain"
    assert controls["AfMode"] == 0
    assert controls["LensPosition"] == pytest.approx(0.8)
    camera.close()
    camera.close()
    assert device.calls[-2:] == ["stop", "close"]


def test_picamera_with_a_fixed_lens(picamera2: type[FakePicamera2]) -> None:
    real = picamera2.__init__

    def fixed(self: FakePicamera2, camera_num: int = 0) -> None:
        real(self, camera_num)
        del self.camera_controls["AfMode"], self.camera_controls["LensPosition"]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(picamera2, "__init__", fixed)
        PiCamera((640, 480), sleep=lambda _s: None).open()
    assert "LensPosition" not in picamera2.made[0].controls
    assert "autofocus" not in picamera2.made[0].calls


def test_a_front_end_that_stalls_at_the_start_is_let_go_again(
    picamera2: type[FakePicamera2], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(picamera2, "start", lambda self: setattr(self, "stalled", True))
    with pytest.raises(Fault) as fault:
        PiCamera((640, 480), sleep=lambda _s: None).open()
    assert fault.value.code == "vision.camera_unplugged"
    assert picamera2.made[0].calls[-2:] == ["stop", "close"]


def test_picamera_faults(picamera2: type[FakePicamera2], monkeypatch: pytest.MonkeyPatch) -> None:
    camera = PiCamera((640, 480), sleep=lambda _s: None)
    camera.open()
    device = picamera2.made[0]
    device.broken_array = True
    with pytest.raises(Exception, match="mapping failed"):
        camera.frame()
    assert device.lent == 0, "the request goes back even then"
    device.broken_array, device.stalled = False, True
    with pytest.raises(Fault) as fault:
        camera.frame()
    assert fault.value.code == "vision.camera_unplugged"
    assert fault.value.temporary
    camera.close()
    assert device.calls[-2:] == ["stop", "close"]
    monkeypatch.setattr(picamera2, "busy", True)
    with pytest.raises(Fault) as fault:
        PiCamera().open()
    assert fault.value.code == "vision.camera_busy"
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(Fault) as fault:
        PiCamera().open()
    assert fault.value.code == "vision.library_missing"
    assert not fault.value.temporary
    assert "apt" in fault.value.params["install"]


# -- the loop -------------------------------------------------------------------------------


class Evening:
    """A simulated table, a loop stepped by hand and a clock."""

    def __init__(self, board: Board, kit: Kit) -> None:
        self.now = 0.0
        self.table = SimulatedTable(board, kit, SMALL, clock=lambda: self.now)
        self.told: list[Sighting] = []
        self.loop = CameraLoop(self.table, Reader(board, kit), self.told.append)

    def run(self, seconds: float, grey: np.ndarray | None = None) -> None:
        for _ in range(round(seconds / 0.2)):
            self.now += 0.2
            frame = self.table.frame()
            self.loop.step(frame if grey is None else Frame(grey, self.now))

    @property
    def rooms(self) -> dict[str, str | None]:
        return {p.piece: p.room for p in self.told[-1].pieces}


@pytest.fixture
def evening(board: Board, kit: Kit) -> Evening:
    return Evening(board, kit)


def test_a_move_is_told_once_within_a_second_after_the_hand(evening: Evening) -> None:
    evening.run(1.4)
    evening.table.move("captain", "011")
    evening.table.move("adult#1", "006")
    evening.run(1.6)
    assert evening.rooms == {"captain": "011", "adult#1": "006"}
    x, y = evening.table.pieces()["adult#1"]
    evening.table.hand((x, y))
    evening.run(1.0)
    evening.table.move("adult#1", "016")
    evening.table.hand((0.8, 0.9))
    evening.run(0.4)
    assert evening.rooms["adult#1"] == "006"
    told = len(evening.told)
    evening.table.hand(None)
    evening.run(1.2)
    changes = [{p.piece: p.room for p in s.pieces}["adult#1"] for s in evening.told[told - 1 :]]
    assert changes[-1] == "016"
    assert changes == sorted(changes), "no way back in between"
    assert set(evening.rooms) == {"captain", "adult#1"}
    assert evening.loop.health().status is Status.SIMULATED


def test_a_hand_that_stays_removes_nothing_and_a_taken_piece_leaves(evening: Evening) -> None:
    evening.run(1.4)
    evening.table.move("captain", "013")
    evening.run(1.6)
    x, y = evening.table.pieces()["captain"]
    evening.table.hand((x, y))
    evening.run(8)
    assert evening.rooms == {"captain": "013"}
    assert evening.told[-1].gone == ()
    evening.table.remove("captain")
    evening.table.hand(None)
    evening.run(8)
    assert evening.rooms == {}
    assert evening.told[-1].gone == ("captain",)


def test_a_still_table_is_hardly_read(evening: Evening) -> None:
    evening.table.move("captain", "011")
    evening.run(2)
    reads = len(evening.told)
    evening.run(12)
    assert len(evening.told) == reads


class Hasty(Reader):
    """Misses what is new in every quick look, as a reader may by a speck of noise."""

    def reread(
        self, grey: Grey, before: Reading, changed: Sequence[tuple[int, int, int, int]]
    ) -> Reading | None:
        again = super().reread(grey, before, changed)
        if again is None or again.fit is None:
            return None
        return self.conclude(grey, again.fit, [m for m in again.marks if m in before.marks], before)


def test_a_square_that_a_quick_look_missed_is_found_soon(board: Board, kit: Kit) -> None:
    evening = Evening(board, kit)
    evening.loop = CameraLoop(evening.table, Hasty(board, kit), evening.told.append)
    evening.run(1.4)
    evening.table.move("captain", "011")
    evening.run(1)
    assert evening.rooms == {}, "the quick look has it: nothing is tried here"
    evening.run(1.4)
    assert evening.rooms == {"captain": "011"}


class Unlucky(Hasty):
    """Misses every piece in the next ``misses`` looks at all of the table too."""

    misses = 0

    def read(self, *args: Any, **options: Any) -> Reading:
        reading = super().read(*args, **options)
        if self.misses == 0 or reading.fit is None:
            return reading
        self.misses -= 1
        frame = [mark for mark in reading.marks if mark.id in self.kit.frame_by_id]
        missed = self.conclude(args[0], reading.fit, frame)
        return dataclasses.replace(missed, usual=reading.usual)


def test_a_moved_piece_that_a_whole_look_missed_is_found_before_it_counts_as_taken(
    board: Board, kit: Kit
) -> None:
    evening = Evening(board, kit)
    reader = Unlucky(board, kit)
    evening.loop = CameraLoop(evening.table, reader, evening.told.append)
    evening.run(1.4)
    evening.table.move("captain", "011")
    evening.run(3)
    assert evening.rooms == {"captain": "011"}
    evening.table.move("captain", "013")
    reader.misses = 1
    evening.run(8)
    assert reader.misses == 0
    assert evening.rooms == {"captain": "013"}
    assert not any(sighting.gone for sighting in evening.told)


def test_a_covered_lens_is_said_and_comes_back(evening: Evening) -> None:
    evening.table.move("captain", "011")
    evening.run(1.6)
    evening.run(1, np.full((1080, 1920), 4, np.uint8))
    health = evening.loop.health()
    assert (health.status, health.code) == (Status.DEGRADED, "fault.vision.camera_dark")
    evening.run(1.6)
    assert evening.loop.health().status is Status.SIMULATED
    assert evening.rooms == {"captain": "011"}
    evening.run(2, np.full((1080, 1920), 90, np.uint8))
    assert evening.loop.health().code == "fault.vision.board_not_found"
    assert evening.rooms == {"captain": "011"}
    assert evening.loop.snapshot() is None


def test_the_snapshot_is_black_beside_the_board(evening: Evening) -> None:
    evening.run(0.6)
    png = evening.loop.snapshot(480)
    assert png is not None
    picture = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_GRAYSCALE)
    assert picture[:8].max() == 0
    assert picture[:, :20].max() == 0
    assert picture.max() > 60


class Unsteady:
    """A camera that is unplugged after every second picture, and once busy."""

    name = "unsteady"

    def __init__(self, table: SimulatedTable) -> None:
        self.table = table
        self.opened = self.closed = self.frames = 0

    def open(self) -> None:
        self.opened += 1
        if self.opened == 2:
            raise Fault("camera", "vision.camera_busy", {"source": self.name})

    def frame(self) -> Frame:
        self.frames += 1
        if self.opened == 1 and self.frames > 2:
            raise Fault("camera", "vision.camera_unplugged", {"source": self.name})
        return self.table.frame()

    def close(self) -> None:
        self.closed += 1


def wait_for(what: Any, seconds: float = 20) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if what():
            return True
        time.sleep(0.01)
    return False


def test_an_unplugged_camera_is_tried_again(board: Board, kit: Kit) -> None:
    camera = Unsteady(SimulatedTable(board, kit, SMALL))
    codes: list[str] = []
    told: list[Sighting] = []
    quick = CameraSettings(every=0.01, first_pause=0.15)
    loop = CameraLoop(camera, Reader(board, kit), told.append, settings=quick)
    assert loop.health().status is Status.OFF
    loop.start()
    loop.start()

    def recovered() -> bool:
        health = loop.health()
        if health.code and (not codes or codes[-1] != health.code):
            codes.append(health.code)
        return camera.opened >= 3 and health.status is Status.READY

    assert wait_for(recovered)
    loop.stop()
    assert codes == ["fault.vision.camera_unplugged", "fault.vision.camera_busy"]
    assert camera.closed >= camera.opened
    assert told
    assert loop.health().status is Status.OFF


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has threads that stand back")
def test_reading_stands_back_for_whoever_answers_a_phone(board: Board, kit: Kit) -> None:
    nice: list[int] = []

    class Watched(Unsteady):
        def frame(self) -> Frame:
            nice.append(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))
            return self.table.frame()

    loop = CameraLoop(Watched(SimulatedTable(board, kit, SMALL)), Reader(board, kit), print)
    loop.start()
    assert wait_for(lambda: bool(nice))
    loop.stop()
    assert nice[0] > os.getpriority(os.PRIO_PROCESS, threading.get_native_id())


def test_a_permanent_fault_ends_the_loop_and_says_why(board: Board, kit: Kit) -> None:
    class Missing(Unsteady):
        def open(self) -> None:
            raise Fault("camera", "vision.library_missing", {"module": "x"}, temporary=False)

    loop = CameraLoop(Missing(SimulatedTable(board, kit)), Reader(board, kit), lambda _s: None)
    loop.start()
    assert wait_for(lambda: loop.health().status is Status.FAILED)
    assert loop.health().code == "fault.vision.library_missing"
    assert loop.health().params["module"] == "x"
    loop.stop()
