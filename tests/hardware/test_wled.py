from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial

import pytest

from companion.game.errors import BadInput, Fault
from companion.table.ports import Meaning, Mood, RoomLight, Scene, Status
from hardware.encode import plain, wled
from hardware.frame import painter
from hardware.lights import LightLoop
from hardware.limits import limited
from hardware.settings import Driver, LightSettings, wled_address
from hardware.wled import REFRESH_S, TIMEOUT_S, WledTransport, examined

from .boards import small_board
from .fakewled import HOST, IDLE, FakeWled

CALM = Scene(Mood.PLAYER, pointer=("002",))
OTHER = Scene(Mood.PLAYER, pointer=("004",))
BURNING = Scene(Mood.PLAYER, rooms=(RoomLight("002", Meaning.FIRE),))
DARK = bytes(3 * 24)


@pytest.fixture
def fake() -> Iterator[FakeWled]:
    made = FakeWled()
    yield made
    made.down()


def settings_for(fake: FakeWled) -> LightSettings:
    return LightSettings(driver=Driver.WLED, pixels=24, supply_ma=500, wled=f"{HOST}:{fake.port}")


def loop(fake: FakeWled) -> LightLoop:
    def opened() -> WledTransport:
        return WledTransport(HOST, fake.port, pixels=24, http_port=fake.http_port)

    return LightLoop(settings_for(fake), small_board(), open_transport=opened)


def wanted(fake: FakeWled, scene: Scene) -> bytes:
    chosen, board = settings_for(fake), small_board()
    frame = painter(board, chosen.layout(board)).frame(scene, 0.0)
    return plain(limited(frame, chosen.limits))


def eventually(condition: Callable[[], bool], seconds: float = 8.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.01)
    return condition()


def shows(fake: FakeWled, due: bytes) -> bool:
    return fake.shown == due


def test_a_packet_is_drgb_with_its_time_out() -> None:
    assert wled(((1, 2, 3), (255, 0, 9)), timeout_s=2) == bytes([2, 2, 1, 2, 3, 255, 0, 9])


@pytest.mark.parametrize(
    ("text", "found"),
    [("wled.local", ("wled.local", 21324)), ("10.0.0.7:21325", ("10.0.0.7", 21325))],
)
def test_an_address(text: str, found: tuple[str, int]) -> None:
    assert wled_address(text) == found


def test_an_address_that_is_not_there() -> None:
    with pytest.raises(BadInput) as caught:
        LightSettings(driver=Driver.WLED)
    assert (caught.value.path, caught.value.code) == ("lights.wled", "setting.missing")


@pytest.mark.parametrize("text", ["a b", ":80", "wled:", "wled:x", "wled:0", "wled:99999"])
def test_no_address(text: str) -> None:
    with pytest.raises(BadInput) as caught:
        LightSettings(driver=Driver.WLED, wled=text)
    assert (caught.value.path, caught.value.code) == ("lights.wled", "lights.no_wled")


def test_the_scene_arrives_within_its_limits_and_stands_while_nothing_changes(
    fake: FakeWled,
) -> None:
    with loop(fake) as lights:
        lights.show(CALM)
        assert eventually(lambda: fake.shown == wanted(fake, CALM))
        time.sleep(TIMEOUT_S + 0.3)
        assert fake.shown == wanted(fake, CALM)
        assert lights.health().status is Status.READY
    assert eventually(lambda: fake.shown == DARK, 1.0)


def test_every_second_packet_lost_is_still_shown_soon(fake: FakeWled) -> None:
    fake.loses = lambda n: n % 2 == 0
    with loop(fake) as lights:
        for scene in (CALM, OTHER, CALM, OTHER):
            lights.show(scene)
            due = wanted(fake, scene)
            assert eventually(partial(shows, fake, due), 3 * REFRESH_S + 0.5)
            time.sleep(0.25)
    assert eventually(lambda: fake.shown in (DARK, IDLE), 1.0)


def test_two_in_three_lost_never_let_it_fall_back_to_its_own_picture(fake: FakeWled) -> None:
    fake.loses = lambda n: n % 3 != 0
    with loop(fake) as lights:
        lights.show(CALM)
        assert eventually(lambda: fake.shown == wanted(fake, CALM))
        end = time.monotonic() + 3.0
        while time.monotonic() < end:
            assert fake.shown != IDLE
            time.sleep(0.02)


def test_a_restart_is_said_and_survived(fake: FakeWled) -> None:
    with loop(fake) as lights:
        lights.show(CALM)
        assert eventually(lambda: fake.shown == wanted(fake, CALM))
        fake.down()
        assert eventually(lambda: lights.health().status is Status.DEGRADED)
        assert lights.health().code == "fault.lights.wled_gone"
        assert lights.health().params["reason"] == "why.no_answer"
        lights.show(OTHER)
        assert eventually(lambda: lights.lit().scene == OTHER)  # the stand-in goes on
        fake.up()
        assert eventually(lambda: fake.shown == wanted(fake, OTHER))
        assert eventually(lambda: lights.health().status is Status.READY)


def test_it_goes_dark_by_itself_when_the_companion_dies(fake: FakeWled) -> None:
    lights = loop(fake)
    lights.show(CALM)
    lights.step(0.0)  # and then nothing more, as after a kill
    assert eventually(lambda: fake.shown == wanted(fake, CALM))
    assert eventually(lambda: fake.shown == IDLE, TIMEOUT_S + 1.0)


def test_one_that_is_not_there_is_said_at_once(fake: FakeWled) -> None:
    assert examined(HOST, fake.http_port, pixels=20) == 24
    fake.down()
    with pytest.raises(Fault) as caught:
        WledTransport(HOST, fake.port, pixels=24, http_port=fake.http_port)
    assert (caught.value.code, caught.value.temporary) == ("lights.wled_gone", True)
    fake.up()


def test_a_name_that_nobody_has() -> None:
    with pytest.raises(Fault) as caught:
        WledTransport("nobody.invalid", 21324, pixels=24)
    assert caught.value.code == "lights.wled_gone"
    assert caught.value.params["reason"] == "why.no_such_name"


def test_one_that_is_too_short_is_not_tried_again(fake: FakeWled) -> None:
    fake.pixels = 10
    with pytest.raises(Fault) as caught:
        WledTransport(HOST, fake.port, pixels=24, http_port=fake.http_port)
    assert (caught.value.code, caught.value.temporary) == ("lights.wled_short", False)
    assert caught.value.params["has"] == "10"


def test_something_else_answers(fake: FakeWled) -> None:
    fake.pixels = None  # type: ignore[assignment]
    with pytest.raises(Fault) as caught:
        WledTransport(HOST, fake.port, pixels=24, http_port=fake.http_port)
    assert caught.value.code == "lights.wled_gone"


@pytest.mark.parametrize("switch", [("takes", False), ("overridden", True)])
def test_one_that_takes_no_packets_is_said_and_comes_back(
    fake: FakeWled, switch: tuple[str, bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hardware.wled._LOOK_S", 0.1)
    name, deaf = switch
    with loop(fake) as lights:
        lights.show(CALM)
        assert eventually(lambda: fake.shown == wanted(fake, CALM))
        setattr(fake, name, deaf)  # in its own page, in the middle of the game
        assert eventually(lambda: lights.health().code == "fault.lights.wled_deaf")
        assert lights.health().status is Status.DEGRADED
        with pytest.raises(Fault) as caught:
            WledTransport(HOST, fake.port, pixels=24, http_port=fake.http_port)
        assert (caught.value.code, caught.value.temporary) == ("lights.wled_deaf", True)
        setattr(fake, name, not deaf)
        assert eventually(lambda: fake.shown == wanted(fake, CALM))
        assert eventually(lambda: lights.health().status is Status.READY)


def test_an_answer_that_is_missed_once_changes_nothing(
    fake: FakeWled, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hardware.wled._LOOK_S", 0.05)
    with loop(fake) as lights:
        lights.show(CALM)
        assert eventually(lambda: fake.shown == wanted(fake, CALM))
        for _ in range(3):
            fake.busy = 1
            assert eventually(lambda: fake.busy == 0)
            time.sleep(0.15)  # and the next answer came
        assert lights.health().status is Status.READY
        assert DARK not in {packet[2:] for packet in fake.packets[1:]}
        fake.busy = 1000
        assert eventually(lambda: lights.health().code == "fault.lights.wled_gone")


def test_one_that_hides_its_configuration_is_believed(fake: FakeWled) -> None:
    fake.takes, fake.secret = False, True
    assert examined(HOST, fake.http_port, pixels=24) == 24


def test_thirty_frames_a_second_while_it_burns(fake: FakeWled) -> None:
    with loop(fake) as lights:
        lights.show(BURNING)
        assert eventually(lambda: len(set(fake.packets)) > 8, 10.0)
