from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from companion.game.board import Board
from companion.game.errors import BadInput, Fault
from companion.table.ports import Meaning, Mood, RoomLight, Scene, Status
from hardware.encode import apa102, ws2812
from hardware.frame import POSE, painter
from hardware.lights import (
    FRAME_S,
    POSE_EVERY_S,
    POSE_S,
    REFRESH_S,
    RETRY_CAP_S,
    SCENE_S,
    LightLoop,
    off,
)
from hardware.limits import current_ma, limited
from hardware.settings import Driver, LightSettings
from hardware.transport import SimulatedTransport

from .boards import scenes, small_board
from .flashes import most_in_a_second

SETTINGS = LightSettings(pixels=24)
STRIP = LightSettings(pixels=24, driver=Driver.APA102)
CALM = Scene(Mood.PLAYER, pointer=("002",))
BURNING = Scene(Mood.PLAYER, rooms=(RoomLight("002", Meaning.FIRE),))
DARK = ((0, 0, 0),) * 24
DARK_BYTES = apa102(DARK)


class Strip(SimulatedTransport):
    """A strip that fails while ``fault`` is set, and remembers that it was closed."""

    def __init__(self) -> None:
        super().__init__()
        self.fault: Exception | None = None
        self.opened = 0
        self.closed = 0

    def open(self) -> Strip:
        self.opened += 1
        if self.fault is not None and self.frames == 0:
            raise self.fault
        return self

    def send(self, data: bytes) -> None:
        if self.fault is not None:
            raise self.fault
        super().send(data)

    def close(self) -> None:
        self.closed += 1


def loop(strip: Strip, settings: LightSettings = STRIP) -> LightLoop:
    return LightLoop(settings, small_board(), open_transport=strip.open)


def eventually(condition: Callable[[], bool], seconds: float = 5.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.005)
    return condition()


def test_dark_before_the_first_scene() -> None:
    strip = Strip()
    lights = loop(strip)
    assert lights.frame() == DARK
    lights.step(0.0)
    assert strip.last == DARK_BYTES


@pytest.mark.parametrize(
    ("driver", "encode"),
    [(Driver.APA102, apa102), (Driver.WS2812, ws2812)],
)
def test_the_bytes_are_the_scene_within_the_limits(
    driver: Driver, encode: Callable[..., bytes], board: Board
) -> None:
    settings = LightSettings(pixels=24, driver=driver, brightness=1.0, supply_ma=200)
    strip = Strip()
    lights = loop(strip, settings)
    lights.show(CALM)
    lights.step(0.0)
    frame = painter(board, settings.layout(board)).frame(CALM, 0.0)
    assert lights.frame() == frame
    assert strip.last == encode(limited(frame, settings.limits))


def test_thirty_frames_a_second_while_something_moves() -> None:
    strip = Strip()
    lights = loop(strip)
    lights.show(BURNING)
    now, sent = 0.0, set()
    while now < 1.0:
        now += max(lights.step(now), 1e-6)
        sent.add(strip.last)
    assert 29 <= strip.frames <= 31
    assert len(sent) > 10
    assert lights.step(now) == pytest.approx(FRAME_S)


def test_a_still_scene_is_sent_once_and_then_refreshed_each_second() -> None:
    strip = Strip()
    lights = loop(strip)
    lights.show(CALM)
    assert lights.step(0.0) == REFRESH_S
    for now in (0.1, 0.5, 0.99):
        lights.step(now)
    assert strip.frames == 1
    lights.step(1.0)
    assert strip.frames == 2


def test_the_newest_scene_wins_and_changes_never_flash() -> None:
    strip = Strip()
    lights = loop(strip)
    red, blue = Scene(Mood.PLAYER, alarm=True), Scene(Mood.EVENT, calm=True)
    shown, now = [], 0.0
    for turn in range(300):
        lights.show(red if turn % 2 else blue)
        lights.step(now)
        shown.append(strip.last)
        now += 0.01
    changes = sum(a != b for a, b in pairwise(shown))
    assert changes <= 3.0 / SCENE_S + 1
    lights.show(red)
    lights.step(now + SCENE_S)
    assert lights.lit().scene == red


def test_a_waiting_scene_is_due_when_its_time_has_come() -> None:
    lights = loop(Strip())
    lights.show(CALM)
    lights.step(0.0)
    lights.show(BURNING)
    assert lights.step(0.05) == pytest.approx(SCENE_S - 0.05)


def test_the_owners_calm_holds_for_every_scene() -> None:
    lights = loop(Strip(), LightSettings(pixels=24, driver=Driver.APA102, calm=True))
    lights.show(BURNING)
    lights.step(0.0)
    first = lights.frame()
    lights.step(5.0)
    assert lights.frame() == first
    assert first != DARK


def test_the_dials_turn_while_it_runs() -> None:
    strip = Strip()
    lights = loop(strip)
    lights.show(CALM)
    lights.step(0.0)
    bright = strip.last
    lights.dial(brightness=0.1, night=1.0)
    lights.step(0.01)
    assert sum(strip.last) < sum(bright)
    with pytest.raises(BadInput, match="brightness"):
        lights.dial(brightness=2.0, night=0.0)


def test_another_board_starts_dark() -> None:
    lights = loop(Strip())
    lights.show(CALM)
    lights.step(0.0)
    lights.use(small_board())
    assert lights.frame() == DARK
    lights.step(0.1)
    assert lights.frame() == DARK
    assert lights.lit().scene is None


def test_a_driver_that_fails_is_tried_again_ever_more_slowly_and_recovers() -> None:
    strip = Strip()
    strip.fault = Fault("lights", "lights.no_spi", {"device": "/dev/spidev0.0"})
    lights = loop(strip)
    lights.show(CALM)
    lights.start()
    assert eventually(lambda: lights.health().status is Status.DEGRADED)
    assert lights.health().code == "fault.lights.no_spi"
    assert lights.health().params["device"] == "/dev/spidev0.0"
    assert lights.frame() != DARK  # the stand-in goes on
    lights.stop()


def test_the_back_off_doubles_up_to_a_minute() -> None:
    strip = Strip()
    strip.fault = Fault("lights", "lights.busy")
    lights = loop(strip)
    tries = []
    for second in range(400):
        before = strip.opened
        lights.step(float(second))
        if strip.opened > before:
            tries.append(second)
    gaps = [b - a for a, b in pairwise(tries)]
    assert gaps == [1, 2, 4, 8, 16, 32, 60, 60, 60, 60, 60]
    assert max(gaps) == RETRY_CAP_S
    strip.fault = None
    lights.step(500.0)
    assert strip.last == DARK_BYTES


def test_a_strip_lost_in_play_is_closed_and_opened_again() -> None:
    strip = Strip()
    lights = loop(strip)
    lights.show(CALM)
    lights.step(0.0)
    good = strip.last
    strip.fault, strip.last = Fault("lights", "lights.lost"), b""
    lights.step(1.0)
    assert strip.closed == 1
    strip.fault = None
    lights.step(2.0)
    assert (strip.opened, strip.last) == (2, good)


def test_a_permanent_fault_is_not_tried_again() -> None:
    strip = Strip()
    strip.fault = Fault("lights", "lights.no_spidev", temporary=False)
    with loop(strip) as lights:
        assert eventually(lambda: lights.health().status is Status.FAILED)
    for second in range(100):
        lights.step(1e6 + second)
    assert strip.opened == 1


def test_a_driver_with_a_bug_does_not_end_the_lights() -> None:
    strip = Strip()
    strip.fault = TypeError("bytes wanted")
    with loop(strip) as lights:
        assert eventually(lambda: lights.health().code == "fault.lights.lost")
        assert lights.health().params["said"] == "bytes wanted"


def test_a_scene_that_cannot_be_drawn_is_dark_and_the_next_one_is_shown() -> None:
    strip = Strip()
    broken = Scene(Mood.PLAYER, progress=None)  # type: ignore[arg-type]
    with loop(strip) as lights:
        lights.show(CALM)
        assert eventually(lambda: lights.frame() != DARK)
        lights.show(broken)
        assert eventually(lambda: lights.health().status is Status.FAILED)
        assert eventually(lambda: strip.last == DARK_BYTES)
        assert lights.health().code == "fault.lights.crashed"
        lights.show(CALM)
        assert eventually(lambda: lights.health().status is Status.READY)
        assert eventually(lambda: strip.last != DARK_BYTES)


def test_the_thread_shows_at_once_and_is_dark_at_the_end() -> None:
    strip = Strip()
    lights = loop(strip)
    assert lights.health().status is Status.STARTING
    with lights:
        assert eventually(lambda: strip.last == DARK_BYTES)
        started = time.monotonic()
        lights.show(CALM)
        assert eventually(lambda: strip.last not in (b"", DARK_BYTES))
        assert time.monotonic() - started < REFRESH_S / 2
        assert lights.health().status is Status.READY
    assert strip.last == DARK_BYTES
    assert strip.closed == 1
    assert lights.frame() == DARK
    assert lights.health().status is Status.OFF
    lights.stop()


def test_it_is_dark_after_an_error_of_the_program() -> None:
    strip = Strip()

    def run() -> None:
        with loop(strip) as lights:
            lights.show(CALM)
            assert eventually(lambda: strip.last not in (b"", DARK_BYTES))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        run()
    assert strip.last == DARK_BYTES


def test_a_simulated_strip_says_so() -> None:
    with LightLoop(SETTINGS, small_board()) as lights:
        assert lights.health().status is Status.SIMULATED


def test_a_device_that_hangs_holds_nobody_up() -> None:
    release = threading.Event()

    class Hanging(Strip):
        def send(self, data: bytes) -> None:
            release.wait(10)

    with loop(Hanging()) as lights:
        time.sleep(0.05)
        started = time.monotonic()
        lights.show(CALM)
        lights.frame()
        lights.health()
        assert time.monotonic() - started < 0.5
        release.set()


def test_many_threads_may_show() -> None:
    strip = Strip()
    with loop(strip) as lights:
        scenes = [Scene(Mood.PLAYER, pointer=(room,)) for room in ("001", "002", "003")]

        def push() -> None:
            for n in range(200):
                lights.show(scenes[n % 3])

        threads = [threading.Thread(target=push) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        lights.show(CALM)
        assert eventually(lambda: lights.lit().scene == CALM)


def test_off_darkens_what_a_killed_program_left_on() -> None:
    strip = Strip()
    strip.last = b"\xff"
    off(STRIP, open_transport=strip.open)
    assert strip.last == DARK_BYTES
    assert strip.closed == 1


def test_off_says_what_is_wrong() -> None:
    strip = Strip()
    strip.fault = Fault("lights", "lights.permission", temporary=False)
    with pytest.raises(Fault):
        off(STRIP, open_transport=strip.open)
    off(SETTINGS)  # a simulated strip is always dark enough


# -- still moments for the camera ------------------------------------------------------------------

ALARM = Scene(
    Mood.EVENT,
    rooms=(RoomLight("002", Meaning.FIRE), RoomLight("004", Meaning.CONTAMINATION, 2)),
    pointer=("001", "005"),
    alarm=True,
    countdown=3,
)


class Posing:
    """A loop whose clock is stepped by hand, and what its strip was sent, by time."""

    def __init__(self, scene: Scene, settings: LightSettings = STRIP) -> None:
        self.now = 10.0
        self.strip = Strip()
        self.settings = settings
        self.lights = LightLoop(
            settings, small_board(), open_transport=self.strip.open, clock=lambda: self.now
        )
        self.lights.show(scene)
        self.sent: list[tuple[float, bytes]] = []
        self.run(0.5)

    def run(self, seconds: float) -> None:
        end = self.now + seconds
        while self.now < end:
            wait = self.lights.step(self.now)
            self.sent.append((self.now, self.strip.last))
            self.now += min(max(wait, 1e-3), FRAME_S)

    def between(self, begin: float, end: float) -> set[bytes]:
        return {data for at, data in self.sent if begin <= at <= end}


def test_in_a_still_moment_the_strip_is_one_dim_white_and_then_goes_on() -> None:
    settings = LightSettings(
        pixels=24, driver=Driver.APA102, corners=(0, 8, 12, 20), hidden=(3,), supply_ma=400
    )
    posing = Posing(ALARM, settings)
    moment = posing.lights.pose()
    assert moment is not None
    assert moment.end - moment.begin == pytest.approx(POSE_S)
    assert POSE_S <= 0.3
    page = posing.lights.frame()
    posing.run(2)
    white = tuple((0, 0, 0) if i == 3 else POSE for i in range(24))
    (sent,) = posing.between(moment.begin, moment.end)
    assert sent == apa102(limited(white, settings.limits))
    assert len(posing.between(moment.over, posing.now)) > 10  # it moves again
    assert posing.lights.frame() != page  # a page never saw the white
    assert POSE not in posing.lights.frame()


def test_in_the_player_phase_a_fire_only_stands_still() -> None:
    posing = Posing(BURNING)
    moment = posing.lights.pose()
    assert moment is not None
    posing.run(1)
    (sent,) = posing.between(moment.begin, moment.end)
    painted = painter(small_board(), STRIP.layout(small_board())).frame(BURNING, moment.begin)
    assert sent == apa102(limited(painted, STRIP.limits))


@pytest.mark.parametrize(
    ("scene", "settings"),
    [
        (CALM, STRIP),  # nothing moves
        (replace(ALARM, calm=True), STRIP),
        (ALARM, replace(STRIP, calm=True)),
        (Scene(Mood.LOBBY), STRIP),
        (Scene(Mood.BREAK, alarm=True), STRIP),
        (ALARM, SETTINGS),  # a strip that is only drawn shines on nothing
    ],
)
def test_no_moment_is_given_where_none_is_needed(scene: Scene, settings: LightSettings) -> None:
    assert Posing(scene, settings).lights.pose() is None


def test_there_is_one_moment_in_five_seconds_and_none_without_a_strip() -> None:
    posing = Posing(ALARM)
    asked = []
    for _ in range(150):
        if posing.lights.pose() is not None:
            asked.append(posing.now)
        posing.run(0.1)
    assert len(asked) == 3
    assert all(b - a >= POSE_EVERY_S for a, b in pairwise(asked))
    posing.strip.fault = Fault("lights", "lights.lost")
    posing.run(6)
    assert posing.lights.pose() is None


def test_a_new_scene_waits_until_the_picture_is_taken() -> None:
    posing = Posing(ALARM)
    moment = posing.lights.pose()
    assert moment is not None
    posing.lights.show(CALM)
    posing.run(moment.end - posing.now)
    assert posing.lights.lit().scene == ALARM
    posing.run(0.5)
    assert posing.lights.lit().scene == CALM


@given(scene=scenes(), after=st.floats(0, 3))
@example(scene=ALARM, after=0.3)
@example(scene=BURNING, after=0.1)
@settings(max_examples=12, deadline=None)
def test_no_pixel_flashes_faster_for_a_still_moment(scene: Scene, after: float) -> None:
    """Nor does the strip draw more than its supply gives."""
    bright = LightSettings(pixels=24, driver=Driver.APA102, brightness=1.0, supply_ma=300)
    posing = Posing(scene, bright)
    posing.run(after)
    posing.lights.pose()
    posing.run(2.5)
    for _, data in posing.sent:
        pixels = [tuple(data[4 + 4 * i + 1 : 8 + 4 * i]) for i in range(24)]
        assert current_ma(tuple(pixels)) <= 300  # type: ignore[arg-type]
    rate = round(1 / FRAME_S)
    for i in range(24):
        light = [sum(data[5 + 4 * i : 8 + 4 * i]) / 765 for _, data in posing.sent]
        assert most_in_a_second(light, rate) <= 3
