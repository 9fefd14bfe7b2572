"""What the owner of a table says about its lights and buttons; checked when it is made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final, Literal

from companion.game.board import Board
from companion.game.errors import BadInput
from hardware.layout import (
    Corner,
    LampLayout,
    Layout,
    RoomLayout,
    Side,
    check_corners,
    corner_layout,
    edge_layout,
    screen_layout,
)
from hardware.limits import IDLE_MA, Limits


class Build(StrEnum):
    """How the lights are built: A the edge frame, B and C in the rooms, D lamps, E a screen."""

    EDGE = "edge"
    ROOMS = "rooms"
    LAMPS = "lamps"
    SCREEN = "screen"


class Driver(StrEnum):
    """What the bytes go to."""

    SIMULATED = "simulated"
    APA102 = "apa102"
    WS2812 = "ws2812"
    WLED = "wled"
    LAMPS = "lamps"


#: What a lamp of build D may show: the mood, the alarm, or one meaning of rooms anywhere.
LAMPS: Final = ("mood", "alarm", "look", "fire", "contamination", "dark", "spread")
WLED_PORT: Final = 21324
PRESSED: Final = ("next", "draw", "hourglass")
HELD: Final = ("undo", "break")
BUTTONS: Final = PRESSED + HELD
MAX_PIXELS: Final = 400  # one SPI transfer of a WS2812 frame stays below 4096 bytes

Direction = Literal["clockwise", "anticlockwise"]
Order = Literal["", "rgb", "rbg", "grb", "gbr", "brg", "bgr"]


@dataclass(frozen=True, slots=True)
class LightSettings:
    """The section ``[lights]``. Raises BadInput that names the key and what it may be.

    ``pixels`` is the whole strip; it starts at ``corner`` and runs in ``direction`` seen from
    above; ``sides`` are its four counts in that order when they are known. Or ``corners`` are the
    pixels at the four corners, from the top left clockwise over the board: the strip may then begin
    anywhere, and its direction follows. ``hidden`` pixels are never lit, ``places`` puts single
    ones right (side, and 0-1 along it from left or top). ``rooms`` maps a room
    to its pixel numbers (build ``rooms``). ``seat_one`` is the side of the board where seat 1
    sits. ``lamps`` maps what a lamp shows to its BCM pins (build ``lamps``): one for a white one,
    red, green and blue for a coloured one. ``wled`` is the name or address of a WLED controller,
    with ``:port`` where it is not the usual one. ``brightness`` and ``night`` are 0-1,
    ``supply_ma`` what the strip may draw in mA, ``order`` the colour order of the strip, empty
    for the usual one of the driver.

    >>> LightSettings(driver=Driver.APA102, pixels=72, supply_ma=2000).pixels
    72
    """

    build: Build = Build.EDGE
    driver: Driver = Driver.SIMULATED
    pixels: int = 60
    corner: Corner = Corner.TOP_LEFT
    direction: Direction = "clockwise"
    sides: tuple[int, ...] = ()
    corners: tuple[int, ...] = ()
    hidden: tuple[int, ...] = ()
    places: Mapping[str, tuple[Side, float]] = field(default_factory=dict)
    rooms: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    lamps: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    seat_one: Side = Side.BOTTOM
    wled: str = ""
    brightness: float = 0.5
    night: float = 0.0
    supply_ma: int = 1000
    calm: bool = False
    spi_bus: int = 0
    spi_device: int = 0
    order: Order = ""

    def __post_init__(self) -> None:
        _whole("lights.pixels", self.pixels, 1, MAX_PIXELS)
        _number("lights.brightness", self.brightness, 0.0, 1.0)
        _number("lights.night", self.night, 0.0, 1.0)
        # Below this the strip would draw too much with every pixel dark.
        _whole("lights.supply_ma", self.supply_ma, int(IDLE_MA * self.pixels) + 1, 60_000)
        _whole("lights.spi_bus", self.spi_bus, 0, 10)
        _whole("lights.spi_device", self.spi_device, 0, 4)
        self._check_sides()
        self._check_corners()
        self._check_rooms()
        self._check_lamps()
        if self.build is Build.SCREEN:
            _choice("lights.driver", self.driver, (Driver.SIMULATED,))
        if self.driver is Driver.WLED:
            wled_address(self.wled)

    def _check_sides(self) -> None:
        for i, count in enumerate(self.sides):
            _whole(f"lights.sides[{i}]", count, 0, self.pixels)
        if self.sides and (len(self.sides) != 4 or sum(self.sides) != self.pixels):
            raise BadInput("lights.sides", "lights.sides", {"pixels": self.pixels})

    def _check_corners(self) -> None:
        last = self.pixels - 1
        for i, pixel in enumerate(self.corners):
            _whole(f"lights.corners[{i}]", pixel, 0, last)
        if self.corners:
            check_corners(self.corners)
        for i, pixel in enumerate(self.hidden):
            _whole(f"lights.hidden[{i}]", pixel, 0, last)
        for name, (_, along) in self.places.items():
            if not name.isdecimal():
                raise BadInput(f"lights.places.{name}", "setting.not_integer")
            _whole(f"lights.places.{name}", int(name), 0, last)
            _number(f"lights.places.{name}", along, 0.0, 1.0)

    def _check_rooms(self) -> None:
        numbers = [
            (f"lights.rooms.{room}", pixel) for room, own in self.rooms.items() for pixel in own
        ]
        for path, pixel in numbers:
            _whole(path, pixel, 0, self.pixels - 1)
        _once(numbers)
        if self.build is Build.ROOMS and not numbers:
            raise BadInput("lights.rooms", "setting.missing")

    def _check_lamps(self) -> None:
        numbers = []
        for name, pins in self.lamps.items():
            _choice(f"lights.lamps.{name}", name, LAMPS)
            if len(pins) not in (1, 3):
                raise BadInput(f"lights.lamps.{name}", "lights.lamp_pins", {"n": len(pins)})
            for pin in pins:
                _whole(f"lights.lamps.{name}", pin, 2, 27)
                numbers.append((f"lights.lamps.{name}", pin))
        _once(numbers)
        if self.build is Build.LAMPS:
            if not self.lamps:
                raise BadInput("lights.lamps", "setting.missing")
            _choice("lights.driver", self.driver, (Driver.SIMULATED, Driver.LAMPS))
        elif self.driver is Driver.LAMPS:
            _choice("lights.build", self.build, (Build.LAMPS,))

    @property
    def count(self) -> int:
        """How many pixels, or lamps, the device has."""
        return len(self.lamps) if self.build is Build.LAMPS else self.pixels

    @property
    def limits(self) -> Limits:
        """What bounds every frame."""
        return Limits(self.brightness, self.supply_ma, self.night)

    def layout(self, board: Board) -> Layout:
        """Where the pixels are on ``board``."""
        match self.build:
            case Build.EDGE if self.corners:
                return corner_layout(
                    self.pixels,
                    board.aspect,
                    self.corners,
                    hidden=self.hidden,
                    places={int(name): place for name, place in self.places.items()},
                )
            case Build.EDGE:
                return edge_layout(
                    self.pixels,
                    board.aspect,
                    corner=self.corner,
                    clockwise=self.direction == "clockwise",
                    sides=self.sides,
                )
            case Build.ROOMS:
                return RoomLayout(self.rooms, self.pixels)
            case Build.LAMPS:
                return LampLayout(tuple(self.lamps))
            case Build.SCREEN:
                return screen_layout(board, self.pixels)

    def on_screen(self) -> LightSettings:
        """The same wishes for a table without a strip: build E, simulated."""
        return replace(self, build=Build.SCREEN, driver=Driver.SIMULATED)


@dataclass(frozen=True, slots=True)
class ButtonSettings:
    """The section ``[buttons]``. Raises BadInput that names the key and what it may be.

    ``pins`` maps a button's name to its BCM pin; buttons close to ground. ``next``, ``draw`` and
    ``hourglass`` act when pressed, ``undo`` and ``break`` when held for ``hold_s``. ``debounce_s``
    is how long a contact may chatter. ``knob`` are the two pins of a rotary knob for the brightness
    of the lights, ``glass_s`` how long the hourglass runs.

    >>> ButtonSettings(pins={"next": 17, "undo": 27}).hold_s
    1.5
    """

    pins: Mapping[str, int] = field(default_factory=dict)
    knob: tuple[int, ...] = ()
    hold_s: float = 1.5
    debounce_s: float = 0.04
    glass_s: float = 120.0

    def __post_init__(self) -> None:
        numbers = [(f"buttons.pins.{name}", pin) for name, pin in self.pins.items()]
        for name, pin in self.pins.items():
            _choice(f"buttons.pins.{name}", name, BUTTONS)
            _whole(f"buttons.pins.{name}", pin, 2, 27)
        for pin in self.knob:
            _whole("buttons.knob", pin, 2, 27)
            numbers.append(("buttons.knob", pin))
        if len(self.knob) not in (0, 2):
            raise BadInput("buttons.knob", "setting.length", {"n": 2})
        _once(numbers)
        _number("buttons.hold_s", self.hold_s, 0.05, 10.0)
        _number("buttons.debounce_s", self.debounce_s, 0.0, 0.5)
        _number("buttons.glass_s", self.glass_s, 5.0, 3600.0)


@dataclass(frozen=True, slots=True)
class SoundSettings:
    """The section ``[sound]``. Raises BadInput that names the key and what it may be.

    ``cues`` plays short sounds on this computer through ALSA, on ``device`` (empty: the usual
    one), as loud as ``volume`` 0-1. The table screen has sound and a narrator of its own.
    """

    cues: bool = False
    device: str = ""
    volume: float = 0.6

    def __post_init__(self) -> None:
        _number("sound.volume", self.volume, 0.0, 1.0)


#: The pins on which a strip's bytes and clock leave the Pi, by SPI bus.
_STRIP_PINS: Final[Mapping[int, tuple[int, ...]]] = {0: (10, 11), 1: (20, 21)}


def pins_apart(lights: LightSettings, buttons: ButtonSettings) -> None:
    """No pin is a button and a lamp, or a button and the strip's. BadInput names the button."""
    lit: set[int] = set()
    if lights.build is Build.LAMPS:
        lit = {pin for own in lights.lamps.values() for pin in own}
    elif lights.driver in (Driver.APA102, Driver.WS2812):
        lit = {*_STRIP_PINS.get(lights.spi_bus, ())}
    pressed = [(f"buttons.pins.{name}", pin) for name, pin in buttons.pins.items()]
    turned = [("buttons.knob", pin) for pin in buttons.knob]
    for path, pin in (*pressed, *turned):
        if pin in lit:
            raise BadInput(path, "setting.lit_pin", {"value": pin})


def wled_address(text: str) -> tuple[str, int]:
    """The host and port in ``name``, ``address`` or either with ``:port``. Raises BadInput."""
    if not text:
        raise BadInput("lights.wled", "setting.missing")
    host, colon, port = text.partition(":")
    if not host or " " in text:
        raise BadInput("lights.wled", "lights.no_wled", {"value": text})
    if not colon:
        return host, WLED_PORT
    if not port.isdecimal() or not 0 < int(port) < 65536:
        raise BadInput("lights.wled", "lights.no_wled", {"value": text})
    return host, int(port)


def _choice(path: str, value: str, allowed: Sequence[str]) -> None:
    if value not in allowed:
        raise BadInput(path, "setting.choice", {"value": value, "allowed": ", ".join(allowed)})


def _whole(path: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise BadInput(path, "setting.whole", {"value": value, "low": low, "high": high})


def _number(path: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        raise BadInput(path, "setting.range", {"value": value, "low": low, "high": high})


def _once(numbers: Sequence[tuple[str, int]]) -> None:
    """No number may stand twice; the second place is named."""
    seen: set[int] = set()
    for path, number in numbers:
        if number in seen:
            raise BadInput(path, "setting.twice", {"value": number})
        seen.add(number)
