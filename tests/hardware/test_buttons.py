from __future__ import annotations

import queue
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from companion.game.errors import BadInput, Fault
from companion.table.ports import Status
from hardware.buttons import Buttons
from hardware.lamps import LampTransport
from hardware.settings import ButtonSettings

gpiozero = pytest.importorskip("gpiozero")
from gpiozero import Device  # noqa: E402
from gpiozero.pins.mock import MockFactory, MockPWMPin  # noqa: E402

PINS = {"next": 17, "draw": 22, "undo": 27, "break": 5}
SETTINGS = ButtonSettings(pins=PINS, hold_s=0.1, debounce_s=0.04)


class Clock:
    """Time that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def factory() -> Iterator[Any]:
    """Mock pins as gpiozero's own factory; the one before is restored."""
    before = Device.pin_factory
    made = MockFactory()
    Device.pin_factory = made
    yield made
    made.reset()
    Device.pin_factory = before


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def presses() -> queue.Queue[str]:
    return queue.Queue()


@pytest.fixture
def buttons(factory: Any, clock: Clock, presses: queue.Queue[str]) -> Iterator[Buttons]:
    with Buttons(SETTINGS, presses.put, pin_factory=factory, clock=clock) as made:
        yield made


def push(factory: Any, clock: Clock, name: str, after: float = 1.0) -> None:
    clock.now += after
    factory.pin(PINS[name]).drive_low()


def let_go(factory: Any, clock: Clock, name: str, after: float = 0.1) -> None:
    clock.now += after
    factory.pin(PINS[name]).drive_high()


def none_left(presses: queue.Queue[str], wait: float = 0.05) -> bool:
    try:
        presses.get(timeout=wait)
    except queue.Empty:
        return True
    return False


def test_a_press_counts_once_however_long_it_is_held(
    buttons: Buttons, factory: Any, clock: Clock, presses: queue.Queue[str]
) -> None:
    push(factory, clock, "next")
    assert presses.get(timeout=2) == "next"
    assert none_left(presses, 0.3)  # three times the hold time
    let_go(factory, clock, "next")
    assert none_left(presses)
    push(factory, clock, "next")
    assert presses.get(timeout=2) == "next"


def test_chatter_at_both_edges_is_one_press(
    buttons: Buttons, factory: Any, clock: Clock, presses: queue.Queue[str]
) -> None:
    push(factory, clock, "draw")
    for _ in range(5):
        let_go(factory, clock, "draw", after=0.002)
        push(factory, clock, "draw", after=0.002)
    let_go(factory, clock, "draw", after=0.5)
    for _ in range(5):
        push(factory, clock, "draw", after=0.002)
        let_go(factory, clock, "draw", after=0.002)
    assert presses.get(timeout=2) == "draw"
    assert none_left(presses)


@pytest.mark.parametrize("name", ["undo", "break"])
def test_a_short_press_does_not_count_where_a_hold_is_asked(
    buttons: Buttons, factory: Any, clock: Clock, presses: queue.Queue[str], name: str
) -> None:
    push(factory, clock, name)
    let_go(factory, clock, name, after=0.02)
    clock.now += 1
    assert none_left(presses, 0.1)
    push(factory, clock, name)
    clock.now += 0.2
    assert presses.get(timeout=2) == name
    assert none_left(presses, 0.1)
    let_go(factory, clock, name)


def test_a_hold_counts_once_for_each_press(
    buttons: Buttons, factory: Any, clock: Clock, presses: queue.Queue[str]
) -> None:
    push(factory, clock, "undo")
    clock.now += 0.2
    assert presses.get(timeout=2) == "undo"
    clock.now += 5
    assert none_left(presses, 0.1)
    let_go(factory, clock, "undo")
    push(factory, clock, "undo")
    clock.now += 0.2
    assert presses.get(timeout=2) == "undo"


def test_a_slow_game_neither_blocks_the_pins_nor_is_flooded(factory: Any, clock: Clock) -> None:
    go, seen = threading.Event(), []

    def slow(name: str) -> None:
        go.wait(5)
        seen.append(name)

    with Buttons(SETTINGS, slow, pin_factory=factory, clock=clock):
        started = time.monotonic()
        for _ in range(50):
            push(factory, clock, "next")
            let_go(factory, clock, "next")
        assert time.monotonic() - started < 2
        go.set()
        end = time.monotonic() + 2
        while len(seen) < 8 and time.monotonic() < end:
            time.sleep(0.01)
        time.sleep(0.05)
    assert 8 <= len(seen) <= 9


def test_an_error_of_the_game_does_not_end_the_buttons(factory: Any, clock: Clock) -> None:
    seen: queue.Queue[str] = queue.Queue()

    def refuse_first(name: str) -> None:
        seen.put(name)
        if seen.qsize() == 1:
            raise RuntimeError("refused")

    with Buttons(SETTINGS, refuse_first, pin_factory=factory, clock=clock):
        for name in ("next", "draw"):
            push(factory, clock, name)
            let_go(factory, clock, name)
        end = time.monotonic() + 2
        while seen.qsize() < 2 and time.monotonic() < end:
            time.sleep(0.01)
    assert [seen.get(), seen.get()] == ["next", "draw"]


def test_closing_releases_the_pins(factory: Any, presses: queue.Queue[str]) -> None:
    first = Buttons(SETTINGS, presses.put, pin_factory=factory)
    assert first.health().status is Status.READY
    with pytest.raises(Fault) as caught:
        Buttons(SETTINGS, presses.put, pin_factory=factory)
    assert caught.value.code == "buttons.pin_busy"
    assert caught.value.params["pin"] == "17"
    first.close()
    first.close()
    assert first.health().status is Status.OFF
    Buttons(SETTINGS, presses.put, pin_factory=factory).close()


def test_without_pins_nothing_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gpiozero", None)
    with Buttons(ButtonSettings(), print) as none:
        assert none.health().status is Status.OFF


def test_without_gpiozero_the_fault_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gpiozero", None)
    with pytest.raises(Fault) as caught:
        Buttons(SETTINGS, print)
    assert (caught.value.code, caught.value.temporary) == ("buttons.no_gpiozero", False)


@pytest.mark.filterwarnings("error")
def test_a_computer_without_pins_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_factory() -> None:
        raise gpiozero.BadPinFactory("Unable to load any default pin factory!")

    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.setattr(Device, "_default_pin_factory", staticmethod(no_factory))
    with pytest.raises(Fault) as caught:
        Buttons(SETTINGS, print)
    assert (caught.value.code, caught.value.temporary) == ("buttons.no_pins", False)


def test_lamps_and_buttons_that_begin_at_once_do_not_both_get_a_pin(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    both = threading.Barrier(2)

    def found() -> MockFactory:
        time.sleep(0.1)  # a real library takes its time
        return MockFactory(pin_class=MockPWMPin)

    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.setattr(Device, "_default_pin_factory", staticmethod(found))
    pin = PINS["next"]

    def lamps() -> LampTransport:
        both.wait(5)
        return LampTransport([(pin,)])

    def buttons() -> Buttons:
        both.wait(5)
        return Buttons(ButtonSettings(pins={"next": pin}), print)

    with ThreadPoolExecutor(2) as pool:
        begun = [pool.submit(lamps), pool.submit(buttons)]
        ended = [one.exception(10) for one in begun]
    for one, error in zip(begun, ended, strict=True):
        if error is None:
            one.result().close()
    refused = [error.code for error in ended if isinstance(error, Fault)]
    assert refused in (["lights.pin_busy"], ["buttons.pin_busy"])


def test_a_pin_that_another_program_holds(factory: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(*_: Any, **__: Any) -> None:
        raise RuntimeError("'GPIO busy'")

    monkeypatch.setattr(factory, "pin", busy)
    with pytest.raises(Fault) as caught:
        Buttons(SETTINGS, print, pin_factory=factory)
    assert (caught.value.code, caught.value.temporary) == ("buttons.pin_busy", True)


def test_the_hourglass_acts_when_pressed(
    factory: Any, clock: Clock, presses: queue.Queue[str]
) -> None:
    pins = ButtonSettings(pins={"hourglass": 17})
    with Buttons(pins, presses.put, pin_factory=factory, clock=clock):
        factory.pin(17).drive_low()
        assert presses.get(timeout=2) == "hourglass"


def test_a_knob_tells_every_click_and_its_way(factory: Any, presses: queue.Queue[str]) -> None:
    with Buttons(ButtonSettings(knob=(23, 24)), presses.put, pin_factory=factory):
        a, b = factory.pin(23), factory.pin(24)

        def click(first: Any, second: Any) -> str:
            for pin, low in ((first, True), (second, True), (first, False), (second, False)):
                (pin.drive_low if low else pin.drive_high)()
            return presses.get(timeout=2)

        one, other = click(a, b), click(b, a)
        assert {one, other} == {"brighter", "dimmer"}
        assert click(a, b) == one


def miss_the_release(factory: Any, clock: Clock, name: str) -> None:
    """The finger is off, and the pin has told nobody."""
    clock.now += 0.1
    factory.pin(PINS[name])._state = True
    time.sleep(0.1)  # longer than between two looks


def test_a_release_without_its_press_is_nothing(
    buttons: Buttons, factory: Any, clock: Clock, presses: queue.Queue[str]
) -> None:
    for name in ("next", "undo"):
        factory.pin(PINS[name])._state = False  # down, and nobody was told
        clock.now += 5
        let_go(factory, clock, name)
    assert none_left(presses, 0.1)


def test_the_press_after_a_missed_release_counts(
    buttons: Buttons, factory: Any, clock: Clock, presses: queue.Queue[str]
) -> None:
    push(factory, clock, "next")
    assert presses.get(timeout=2) == "next"
    miss_the_release(factory, clock, "next")
    push(factory, clock, "next")
    assert presses.get(timeout=2) == "next"
    assert none_left(presses)


def test_a_short_press_whose_release_was_missed_is_no_hold(
    buttons: Buttons, factory: Any, clock: Clock, presses: queue.Queue[str]
) -> None:
    push(factory, clock, "undo")
    clock.now -= 0.05  # short of the hold when the finger leaves
    miss_the_release(factory, clock, "undo")
    clock.now += 5
    assert none_left(presses, 0.1)
    push(factory, clock, "undo")
    clock.now += 0.2
    assert presses.get(timeout=2) == "undo"


def test_a_second_report_of_the_same_press_is_no_press(
    buttons: Buttons, factory: Any, clock: Clock, presses: queue.Queue[str]
) -> None:
    push(factory, clock, "next")
    assert presses.get(timeout=2) == "next"
    clock.now += 5
    factory.pin(PINS["next"])._call_when_changed()  # down still: an edge was lost between
    assert none_left(presses, 0.1)


@pytest.mark.parametrize("knob", [(1, 2), (23,), (17, 18)])
def test_a_bad_knob(knob: tuple[int, ...]) -> None:
    with pytest.raises(BadInput, match="buttons"):
        ButtonSettings(pins={"next": 17}, knob=knob)
