"""What the owner of a table says about its lights and buttons; checked when it is made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Final

from companion.game.board import Board
from companion.game.errors import BadInput
from hardware.layout import (
    CORNERS,
    Corner,
    Layout,
    RoomLayout,
    Side,
    edge_layout,
    screen_layout,
)
from hardware.limits import IDLE_MA, Limits


class Build(StrEnum):
    """How the lights are built: A the edge frame, B and C lights in the rooms, E a screen."""

    EDGE = "edge"
    ROOMS = "rooms"
    SCREEN = "screen"


class Driver(StrEnum):
    """What the bytes go to."""

    SIMULATED = "simulated"
    APA102 = "apa102"
    WS2812 = "ws2812"


_DIRECTIONS: Final = ("clockwise", "anticlockwise")
_ORDERS: Final = ("", "rgb", "rbg", "grb", "gbr", "brg", "bgr")
PRESSED: Final = ("next", "draw")
HELD: Final = ("undo", "break")
BUTTONS: Final = PRESSED + HELD
MAX_PIXELS: Final = 400  # one SPI transfer of a WS2812 frame stays below 4096 bytes


@dataclass(frozen=True, slots=True)
class LightSettings:
    """The section ``[lights]``. Raises BadInput that names the key and what it may be.

    ``pixels`` is the whole strip; it starts at ``corner`` and runs in ``direction`` seen from
    above; ``sides`` are its four counts in that order when they are known. ``rooms`` maps a room
    to its pixel numbers (build ``rooms``). ``seat_one`` is the side of the board where seat 1
    sits. ``brightness`` and ``night`` are 0-1, ``supply_ma`` what the strip may draw in mA,
    ``order`` the colour order of the strip, empty for the usual one of the driver.

    >>> LightSettings(driver="apa102", pixels=72, supply_ma=2000).pixels
    72
    """

    build: str = Build.EDGE
    driver: str = Driver.SIMULATED
    pixels: int = 60
    corner: str = Corner.TOP_LEFT
    direction: str = "clockwise"
    sides: tuple[int, ...] = ()
    rooms: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    seat_one: str = Side.BOTTOM
    brightness: float = 0.5
    night: float = 0.0
    supply_ma: int = 1000
    calm: bool = False
    spi_bus: int = 0
    spi_device: int = 0
    order: str = ""

    def __post_init__(self) -> None:
        _choice("lights.build", self.build, tuple(Build))
        _choice("lights.driver", self.driver, tuple(Driver))
        _whole("lights.pixels", self.pixels, 1, MAX_PIXELS)
        _choice("lights.corner", self.corner, CORNERS)
        _choice("lights.direction", self.direction, _DIRECTIONS)
        _choice("lights.seat_one", self.seat_one, tuple(Side))
        _number("lights.brightness", self.brightness, 0.0, 1.0)
        _number("lights.night", self.night, 0.0, 1.0)
        # Below this the strip would draw too much with every pixel dark.
        _whole("lights.supply_ma", self.supply_ma, int(IDLE_MA * self.pixels) + 1, 60_000)
        _flag("lights.calm", self.calm)
        _whole("lights.spi_bus", self.spi_bus, 0, 10)
        _whole("lights.spi_device", self.spi_device, 0, 4)
        _choice("lights.order", self.order, _ORDERS)
        self._check_sides()
        self._check_rooms()
        if self.build == Build.SCREEN and self.driver != Driver.SIMULATED:
            _choice("lights.driver", self.driver, (Driver.SIMULATED,))

    def _check_sides(self) -> None:
        _list("lights.sides", self.sides)
        for i, count in enumerate(self.sides):
            _whole(f"lights.sides[{i}]", count, 0, self.pixels)
        if self.sides and (len(self.sides) != 4 or sum(self.sides) != self.pixels):
            raise BadInput(
                "lights.sides",
                "setting.sides",
                {"pixels": self.pixels, "value": list(self.sides)},
            )
        object.__setattr__(self, "sides", tuple(self.sides))

    def _check_rooms(self) -> None:
        if not isinstance(self.rooms, Mapping):
            raise BadInput("lights.rooms", "setting.type", {"value": str(self.rooms)})
        seen: set[int] = set()
        for room, pixels in self.rooms.items():
            path = f"lights.rooms.{room}"
            _list(path, pixels)
            for pixel in pixels:
                _whole(path, pixel, 0, self.pixels - 1)
                if pixel in seen:
                    raise BadInput(path, "setting.twice", {"value": pixel})
                seen.add(pixel)
        object.__setattr__(self, "rooms", {room: tuple(p) for room, p in self.rooms.items()})
        if self.build == Build.ROOMS and not seen:
            raise BadInput("lights.rooms", "setting.missing")

    @property
    def limits(self) -> Limits:
        """What bounds every frame."""
        return Limits(self.brightness, self.supply_ma, self.night)

    def layout(self, board: Board) -> Layout:
        """Where the pixels are on ``board``."""
        match Build(self.build):
            case Build.EDGE:
                return edge_layout(
                    self.pixels,
                    board.aspect,
                    corner=Corner(self.corner),
                    clockwise=self.direction == _DIRECTIONS[0],
                    sides=self.sides,
                )
            case Build.ROOMS:
                return RoomLayout(self.rooms, self.pixels)
            case Build.SCREEN:
                return screen_layout(board, self.pixels)

    def on_screen(self) -> LightSettings:
        """The same wishes for a table without a strip: build E, simulated."""
        return replace(self, build=Build.SCREEN, driver=Driver.SIMULATED)


@dataclass(frozen=True, slots=True)
class ButtonSettings:
    """The section ``[buttons]``. Raises BadInput that names the key and what it may be.

    ``pins`` maps a button's name to its BCM pin; buttons close to ground. ``next`` and ``draw``
    act when pressed, ``undo`` and ``break`` when held for ``hold_s``. ``debounce_s`` is how long
    a contact may chatter.

    >>> ButtonSettings(pins={"next": 17, "undo": 27}).hold_s
    1.5
    """

    pins: Mapping[str, int] = field(default_factory=dict)
    hold_s: float = 1.5
    debounce_s: float = 0.04

    def __post_init__(self) -> None:
        if not isinstance(self.pins, Mapping):
            raise BadInput("buttons.pins", "setting.type", {"value": str(self.pins)})
        seen: set[int] = set()
        for name, pin in self.pins.items():
            path = f"buttons.pins.{name}"
            _choice(path, name, BUTTONS)
            _whole(path, pin, 2, 27)
            if pin in seen:
                raise BadInput(path, "setting.twice", {"value": pin})
            seen.add(pin)
        _number("buttons.hold_s", self.hold_s, 0.05, 10.0)
        _number("buttons.debounce_s", self.debounce_s, 0.0, 0.5)


def _choice(path: str, value: Any, allowed: tuple[str, ...]) -> None:
    if not isinstance(value, str) or value not in allowed:
        words = ", ".join(str(a) or '""' for a in allowed)
        raise BadInput(path, "setting.choice", {"value": str(value), "allowed": words})


def _whole(path: str, value: Any, low: int, high: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise BadInput(path, "setting.whole", {"value": str(value), "low": low, "high": high})


def _number(path: str, value: Any, low: float, high: float) -> None:
    fits = isinstance(value, int | float) and not isinstance(value, bool)
    if not fits or not low <= value <= high:
        raise BadInput(path, "setting.range", {"value": str(value), "low": low, "high": high})


def _flag(path: str, value: Any) -> None:
    if not isinstance(value, bool):
        raise BadInput(path, "setting.choice", {"value": str(value), "allowed": "true, false"})


def _list(path: str, value: Any) -> None:
    if not isinstance(value, list | tuple):
        raise BadInput(path, "setting.type", {"value": str(value)})
