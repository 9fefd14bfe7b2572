from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import pytest

from companion.game.errors import BadInput, Fault
from companion.table.ports import Meaning, Mood, RoomLight, Scene, Status
from hardware.frame import painter
from hardware.lamps import LampTransport
from hardware.lights import LightLoop
from hardware.limits import limited
from hardware.meanings import BLACK, LEGEND, Frame
from hardware.settings import Build, Driver, LightSettings

from .boards import small_board

gpiozero = pytest.importorskip("gpiozero")
from gpiozero import Device  # noqa: E402
from gpiozero.pins.mock import MockFactory, MockPWMPin  # noqa: E402

LAMPS = {"mood": (17, 27, 22), "alarm": (5,), "fire": (6, 13, 19), "dark": (26,)}
SETTINGS = LightSettings(
    build=Build.LAMPS, driver=Driver.LAMPS, lamps=LAMPS, brightness=1.0, supply_ma=5000
)


@pytest.fixture
def factory() -> Iterator[Any]:
    before = Device.pin_factory
    made = MockFactory(pin_class=MockPWMPin)
    Device.pin_factory = made
    yield made
    made.reset()
    Device.pin_factory = before


def duty(factory: Any, *pins: int) -> tuple[float, ...]:
    return tuple(round(factory.pin(pin).state or 0.0, 2) for pin in pins)


def shown(scene: Scene, t: float = 0.0) -> dict[str, tuple[int, int, int]]:
    board = small_board()
    frame: Frame = painter(board, SETTINGS.layout(board)).frame(scene, t)
    return dict(zip(LAMPS, frame, strict=True))


def test_a_lamp_says_one_thing() -> None:
    quiet = shown(Scene(Mood.PLAYER))
    amber, lamp = LEGEND["player"].colour, quiet["mood"]
    assert max(lamp) == 160  # alone it is brighter than all round the board, of the same hue
    assert all(abs(a * lamp[0] / amber[0] - b) < 2 for a, b in zip(amber, lamp, strict=True))
    assert quiet["alarm"] == quiet["fire"] == BLACK
    assert quiet["dark"] == lamp  # every section has power
    rooms = (RoomLight("001", Meaning.FIRE), RoomLight("002", Meaning.DARK))
    busy = shown(Scene(Mood.PLAYER, rooms=rooms, alarm=True))
    assert busy["alarm"] == LEGEND["alarm"].colour
    assert busy["fire"][0] > busy["fire"][1] > busy["fire"][2]
    assert sum(busy["dark"]) < sum(quiet["dark"]) / 4


def test_every_mood_is_seen_and_told_from_the_others_at_half_brightness() -> None:
    chosen = LightSettings(build=Build.LAMPS, lamps={"mood": (17, 27, 22)})
    paint = painter(small_board(), chosen.layout(small_board()))
    taken = {m: limited(paint.frame(Scene(m, calm=True), 0.0), chosen.limits)[0] for m in Mood}
    assert min(map(max, taken.values())) >= 4  # of 255
    assert len(set(taken.values())) == len(Mood)


def test_the_strongest_contamination_is_told() -> None:
    chosen = LightSettings(build=Build.LAMPS, lamps={"contamination": (5,), "look": (6,)})
    paint = painter(small_board(), chosen.layout(small_board()))

    def told(*levels: int, pointer: tuple[str, ...] = ()) -> Frame:
        lights = tuple(RoomLight(f"00{n}", Meaning.CONTAMINATION, n) for n in levels)
        return paint.frame(Scene(Mood.PLAYER, rooms=lights, pointer=pointer), 0.0)

    assert told(1, 3) == told(3) != told(2)
    assert told()[1] == BLACK
    assert told(pointer=("001",))[1] == LEGEND["look"].colour


def test_lamps_shine_through_pins_and_let_them_go(factory: Any) -> None:
    lamps = LampTransport(list(LAMPS.values()), pin_factory=factory)
    lamps.send(bytes([255, 0, 51, 0, 102, 0, 0, 0, 0, 255, 255, 255]))
    assert duty(factory, 17, 27, 22) == (1.0, 0.0, 0.2)
    assert duty(factory, 5) == (0.4,)  # one pin: the brightest of the three
    assert duty(factory, 26) == (1.0,)
    lamps.close()
    lamps.close()
    LampTransport(list(LAMPS.values()), pin_factory=factory).close()  # the pins are free


def test_the_loop_drives_them_and_leaves_them_dark(factory: Any) -> None:
    lights = LightLoop(SETTINGS, small_board())
    lights.show(Scene(Mood.PLAYER, alarm=True))
    lights.step(0.0)
    assert duty(factory, 5)[0] > 0.1
    assert lights._strip.fault is None
    lights._strip.close()
    assert duty(factory, 5) == (0.0,)
    LampTransport([(5,)], pin_factory=factory).close()


def test_a_busy_pin_is_said_and_tried_again(factory: Any) -> None:
    button = gpiozero.Button(6, pin_factory=factory)
    with pytest.raises(Fault) as caught:
        LampTransport(list(LAMPS.values()), pin_factory=factory)
    assert (caught.value.code, caught.value.temporary) == ("lights.pin_busy", True)
    assert caught.value.params["pin"] == "6, 13, 19"
    lights = LightLoop(SETTINGS, small_board())
    lights._status = Status.READY
    lights.show(Scene(Mood.PLAYER, alarm=True))
    lights.step(0.0)
    assert lights._strip.fault is not None
    button.close()
    lights.step(5.0)
    assert lights._strip.fault is None
    assert duty(factory, 5)[0] > 0.1
    lights._strip.close()


def test_without_gpiozero_and_without_pins(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_factory() -> None:
        raise gpiozero.BadPinFactory("Unable to load any default pin factory!")

    with monkeypatch.context() as patch:
        patch.setattr(Device, "pin_factory", None)
        patch.setattr(Device, "_default_pin_factory", staticmethod(no_factory))
        with pytest.raises(Fault) as caught:
            LampTransport([(5,)])
        assert (caught.value.code, caught.value.temporary) == ("lights.no_pins", False)
    monkeypatch.setitem(sys.modules, "gpiozero", None)
    with pytest.raises(Fault) as caught:
        LampTransport([(5,)])
    assert (caught.value.code, caught.value.temporary) == ("lights.no_gpiozero", False)


def test_pins_that_fail_while_lit(factory: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    lamps = LampTransport([(5,)], pin_factory=factory)
    monkeypatch.setattr(type(lamps._lamps[0]), "value", property(fset=lambda *_: 1 / 0))
    with pytest.raises(Fault) as caught:
        lamps.send(bytes(3))
    assert caught.value.code == "lights.lost"
    lamps.close()


@pytest.mark.parametrize(
    ("words", "path", "code"),
    [
        ({"lamps": {"moon": (5,)}}, "lights.lamps.moon", "setting.choice"),
        ({"lamps": {"mood": (5, 6)}}, "lights.lamps.mood", "lights.lamp_pins"),
        ({"lamps": {"mood": (5,), "fire": (5,)}}, "lights.lamps.fire", "setting.twice"),
        ({"lamps": {"mood": (40,)}}, "lights.lamps.mood", "setting.whole"),
        ({"build": Build.LAMPS}, "lights.lamps", "setting.missing"),
        ({"driver": Driver.LAMPS}, "lights.build", "setting.choice"),
        (
            {"build": Build.LAMPS, "lamps": {"mood": (5,)}, "driver": Driver.APA102},
            "lights.driver",
            "setting.choice",
        ),
    ],
)
def test_a_bad_lamp_setting_names_its_key(words: dict[str, Any], path: str, code: str) -> None:
    with pytest.raises(BadInput) as caught:
        LightSettings(**words)
    assert (caught.value.path, caught.value.code) == (path, code)
