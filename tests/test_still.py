"""The lights hold still while the camera takes its picture: a strip that really shines on it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("cv2", reason="the simulated camera needs the vision extra")

import cv2
import numpy as np

from companion.app import App
from companion.config import Config
from companion.game.board import Board
from companion.library import load_content
from companion.table.folder import DataFolder
from companion.table.ports import Meaning, Mood, RoomLight, Scene, Sighting, Status, StillMoment
from companion.table.scene import scene
from hardware import Driver, EdgeLayout, LightLoop, LightSettings, SimulatedTransport
from tests.running import until
from vision.camera import Frame
from vision.kit import build_kit
from vision.loop import CameraLoop
from vision.read import Reader
from vision.render import Renderer, View
from vision.settings import VisionSettings
from vision.simulate import SimulatedTable
from web.settings import WebSettings

BOARD: Board = load_content().boards["nemesis/basic"]
KIT = build_kit()
PIXELS = 60
STRIP = LightSettings(driver=Driver.APA102, pixels=PIXELS, brightness=0.6, supply_ma=2000)
SMALL = View((1920, 1080), light=120.0)
SHRINK = 8
#: Grey levels that a white pixel at full adds beside itself, and how far its light reaches.
GLOW, REACH_MM = 1500.0, 55.0
EVENT = Scene(
    Mood.EVENT,
    rooms=(
        *(RoomLight(room, Meaning.FIRE) for room in ("002", "006", "014", "017")),
        RoomLight("009", Meaning.CONTAMINATION, 3),
    ),
    pointer=("007", "012"),
    alarm=True,
    countdown=4,
)
BURNING = Scene(Mood.PLAYER, rooms=EVENT.rooms)


class Shining:
    """A table in an evening's light, lit by a strip round its board, with one clock for both."""

    name = "simulated"

    def __init__(self, shown: Scene, *, still: bool) -> None:
        self.now = 100.0
        self.bus = SimulatedTransport()
        self.lights = LightLoop(
            STRIP, BOARD, open_transport=lambda: self.bus, clock=lambda: self.now
        )
        self.table = SimulatedTable(BOARD, KIT, SMALL, clock=lambda: self.now)
        self.told: list[Sighting] = []
        self.moments: list[StillMoment] = []
        pose: Callable[[], StillMoment | None] = self.pose if still else lambda: None
        self.camera = CameraLoop(self.table, Reader(BOARD, KIT), self.told.append, pose=pose)
        self._glow = glows()
        self._next_frame = self._next_picture = self.now
        self.lights.show(shown)

    def pose(self) -> StillMoment | None:
        moment = self.lights.pose()
        if moment is not None:
            self.moments.append(moment)
        return moment

    def picture(self) -> Frame:
        grey = self.table.frame().grey
        sent = np.frombuffer(self.bus.last, np.uint8)[4 : 4 + 4 * PIXELS].reshape(PIXELS, 4)
        power = sent[:, 1:] @ np.array([0.11, 0.59, 0.3]) / 255  # blue, green, red as a camera
        glow = np.tensordot(power.astype(np.float32), self._glow, 1)
        lit = grey * (1 + cv2.resize(glow, grey.shape[::-1]))
        return Frame(np.clip(lit, 0, 255).astype(np.uint8), self.now)

    def run(self, seconds: float) -> None:
        """Let both loops do what is due, as their threads would."""
        end = self.now + seconds
        while self.now < end:
            if self.now >= self._next_frame:
                self._next_frame = self.now + self.lights.step(self.now)
            if self.now >= self._next_picture:
                self.camera.step(self.picture())
                self._next_picture = self.now + self.camera._wait
                self._next_frame = self.now
            self.now = max(min(self._next_frame, self._next_picture), self.now + 1e-3)


def glows() -> Any:
    """How strongly each pixel of the strip lights each spot of the picture, shrunk."""
    layout = STRIP.layout(BOARD)
    assert isinstance(layout, EdgeLayout)
    width, height = KIT.board_mm
    across, down = SMALL.size[0] // SHRINK, SMALL.size[1] // SHRINK
    places = np.array([(p.x * width, p.y * height) for p in layout.pixels])
    at = Renderer(BOARD, KIT, SMALL).picture(places) / SHRINK
    scale = np.hypot(*(at[0] - at[1])) / np.hypot(*(places[0] - places[1]))  # px a mm
    y, x = np.mgrid[0:down, 0:across]
    away = np.stack([(x - ax) ** 2 + (y - ay) ** 2 for ax, ay in at])
    return (GLOW / 255 * np.exp(-away / (2 * (REACH_MM * scale) ** 2))).astype(np.float32)


@pytest.mark.slow
@pytest.mark.parametrize("shown", [EVENT, BURNING], ids=["event", "player"])
def test_every_piece_is_read_by_lights_that_move(shown: Scene) -> None:
    shining = Shining(shown, still=True)
    rooms = {"captain": "011", "adult#1": "006", "scout": "001", "adult#2": "017", "larva#1": "020"}
    for piece, room in rooms.items():
        shining.table.move(piece, room)
    shining.run(16)
    assert len(shining.moments) >= 3
    assert {p.piece: p.room for p in shining.told[-1].pieces} == rooms
    assert all(sighting.registration.ok for sighting in shining.told)


@pytest.mark.slow
def test_a_piece_taken_off_is_seen_gone_only_because_the_lights_hold_still() -> None:
    gone = {}
    for still in (True, False):
        shining = Shining(EVENT, still=still)
        shining.run(14)
        shining.table.move("captain", "011")
        shining.table.move("adult#1", "006")
        shining.run(8)
        shining.table.remove("adult#1")
        shining.run(30)
        gone[still] = shining.told[-1].gone
        assert {p.piece for p in shining.told[-1].pieces} >= {"captain"}
    assert gone == {True: ("adult#1",), False: ()}


def test_one_picture_is_read_in_a_moment_and_none_while_the_light_ramps() -> None:
    clock = [0.0]
    asked: list[float] = []
    told: list[Sighting] = []

    def pose() -> StillMoment | None:
        asked.append(clock[0])
        begin = clock[0] + 0.12
        return StillMoment(begin, begin + 0.3, begin + 0.42) if len(asked) < 3 else None

    table = SimulatedTable(BOARD, KIT, SMALL, clock=lambda: clock[0])
    camera = CameraLoop(table, Reader(BOARD, KIT), told.append, pose=pose)
    table.move("captain", "011")
    frame = table.frame().grey

    def look(at: float) -> bool:
        clock[0] = at
        return camera.step(Frame(frame, at)) is not None

    assert not look(0.0)  # asks; the light ramps
    assert camera._wait == pytest.approx(0.22)
    read = [at for at in (0.1, 0.2, 0.25, 0.35, 0.45, 0.5) if look(at)]
    assert read == [0.25]
    assert asked == [0.0]
    # A camera so slow that it comes too late reads what it has, and asks again next time.
    assert not look(20.0)
    assert look(21.0)
    assert asked == [0.0, 20.0]
    assert look(40.0)  # no moment is given: the picture at hand
    assert len(told) == 3


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[App]:
    """The program with a strip in memory, and no camera."""
    monkeypatch.setattr("hardware.lights.opener", lambda _: SimulatedTransport)
    web, eye = WebSettings(host="127.0.0.1", port=0), VisionSettings(source="off")
    made = App(Config(web=web, camera=eye, lights=STRIP), DataFolder(tmp_path), simulate=False)
    made.start()
    yield made
    made.stop()


def test_moments_are_given_between_steps_while_something_moves(app: App) -> None:
    def do(**command: Any) -> None:
        assert app.session is not None
        assert app.session.submit(command)["status"] == "done"

    def given() -> bool:
        """Whether a moment is given now that the lights show what is so, however long ago."""
        lights, session = app._lights, app.session
        assert lights is not None
        assert session is not None
        view = session.view("table")[1]
        until(lambda: lights.lit().scene == scene(view, BOARD), 30)
        lights._pose = None
        return app._hold_still() is not None

    assert not given()  # the lobby
    do(do="setup", players=["captain"], truth={"objectives": "physical"})
    do(do="tick", instruction="all")
    assert not given()  # nothing moves
    assert app._light_board() is not None  # but a dark board may be lit
    assert app._lights is not None
    app._lights._pose = None
    assert app._light_board() is None  # and not so often while nobody is told to move anything
    do(do="place", piece="fire", to="006")
    do(do="tick", instruction="all")
    assert given()  # it burns
    do(do="move", seat=1, to="014")  # whose tile is asked for
    assert not given()
    do(do="undo")
    do(do="event_phase")
    do(do="tick", instruction="all")
    assert not given()  # nobody has a piece to move
    do(do="place", piece="fire", to="001")
    assert given()


def test_a_dark_board_is_lit_for_one_picture_and_read_by_it() -> None:
    clock = [0.0]
    told: list[Sighting] = []
    lit_until = [-9.0]

    def light() -> StillMoment | None:
        if clock[0] < lit_until[0] + 5.0:
            return None
        begin = clock[0] + 0.12
        lit_until[0] = begin + 0.3
        return StillMoment(begin, begin + 0.3, begin + 0.42)

    table = SimulatedTable(BOARD, KIT, SMALL, clock=lambda: clock[0])
    table.move("captain", "011")
    bright = table.frame().grey
    black = np.full_like(bright, 4)
    blind = CameraLoop(table, Reader(BOARD, KIT), told.append)
    blind.step(Frame(black, 0.0))
    assert blind.health().code == "fault.vision.camera_dark"
    camera = CameraLoop(table, Reader(BOARD, KIT), told.append, light=light)
    for tenth in range(80):
        clock[0] = tenth / 10
        shining = lit_until[0] - 0.3 <= clock[0] <= lit_until[0]
        camera.step(Frame(bright if shining else black, clock[0]))
    assert len(told) == 2  # the second picture settles what the first one showed
    assert [(p.piece, p.room) for p in told[-1].pieces] == [("captain", "011")]
    assert camera.health().status is Status.SIMULATED
    assert max(b - a for a, b in itertools.pairwise([s.at for s in told])) >= 5.0
    clock[0] = 100.0
    camera.step(Frame(black, 100.0))
    assert camera.health().code == "fault.vision.camera_dark"  # it was not lit for long


def test_the_reading_light_is_dim_white_ramped_rare_and_never_calm() -> None:
    clock = [10.0]
    bus = SimulatedTransport()
    lights = LightLoop(STRIP, BOARD, open_transport=lambda: bus, clock=lambda: clock[0])
    still = Scene(Mood.PLAYER)

    def run(to: float) -> list[int]:
        """Step as the thread would; the brightest pixel sent at each step."""
        sent = []
        while clock[0] < to:
            wait = lights.step(clock[0])
            sent.append(max(bus.last[4 : 4 + 4 * PIXELS][1::4]))
            clock[0] += min(max(wait, 1 / 60), 1 / 30)
        return sent

    lights.show(still)
    before = run(11.0)[-1]
    assert lights.pose() is None  # nothing moves: there is nothing to hold
    moment = lights.pose(light=True)
    assert moment is not None
    assert moment.end - moment.begin == pytest.approx(0.3)
    up = run(moment.begin)
    during = run(moment.end - 0.02)
    run(moment.over)
    assert before <= min(up)
    assert len(set(up)) >= 3  # it ramps
    assert len(set(during[1:])) == 1
    assert before < during[-1] < 255
    assert run(moment.over + 0.5)[-1] == before
    assert lights.pose(light=True) is None
    clock[0] += 5.0
    assert lights.pose(light=True) is not None
    for scene_, settings in ((Scene(Mood.LOBBY), STRIP), (still, replace(STRIP, calm=True))):
        other = LightLoop(settings, BOARD, open_transport=lambda: bus, clock=lambda: clock[0])
        other.show(scene_)
        other.step(clock[0])
        assert other.pose(light=True) is None
