"""Public Python encoders for the same strips, run on a bus that only keeps the bytes.

They are no dependencies: what is not installed is not compared. Those of Adafruit and apa102-pi
ask for Blinka's board modules, which look for hardware when imported; modules that only know a
memory bus stand in for them while a peer is made.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any, Final
from unittest.mock import patch

from hardware import Frame

Encode = Callable[[Frame], bytes]
"""A frame of duty values in, the bytes of the strip out."""

APA102: Final = "APA102"
WS2812: Final = "WS2812"


class Bus:
    """Every bus the peers know, in memory: `sent` are the bytes since it was last emptied."""

    def __init__(self, *_: Any, **__: Any) -> None:
        self.sent = bytearray()

    def _take(self, data: Any, *_: Any) -> None:
        self.sent += bytes(data)

    write = xfer = xfer2 = xfer3 = writebytes = writebytes2 = data = _take

    def try_lock(self) -> bool:
        """The bus is always free."""
        return True

    def _nothing(self, *_: Any, **__: Any) -> None:
        """What needs no answer."""

    open = close = configure = unlock = deinit = command = cleanup = _nothing

    def __enter__(self) -> Bus:
        return self

    def __exit__(self, *_: object) -> None:
        return


def peers(pixels: int) -> dict[str, tuple[str, Encode]]:
    """The encoders that are installed, each with the chip it is for, ready for ``pixels``."""
    found: dict[str, tuple[str, Encode]] = {}
    for name, (chip, make) in _PEERS.items():
        bus = Bus()
        with patch.dict(sys.modules, _stand_ins(bus)):
            try:
                found[name] = chip, _emptied(bus, make(pixels, bus))
            except ImportError:
                continue
    return found


def missing(found: Mapping[str, object]) -> list[str]:
    """The names of the encoders that are not installed."""
    return [name for name in _PEERS if name not in found]


def _emptied(bus: Bus, show: Callable[[Frame], None]) -> Encode:
    def encode(frame: Frame) -> bytes:
        bus.sent.clear()
        show(frame)
        return bytes(bus.sent)

    return encode


def _stand_ins(bus: Bus) -> dict[str, ModuleType]:
    def module(name: str, **parts: Any) -> ModuleType:
        made = ModuleType(name)
        vars(made).update(parts)
        return made

    def given(*_: Any, **__: Any) -> Bus:
        return bus

    device = module("adafruit_bus_device.spi_device", SPIDevice=given)
    pin = module("microcontroller.pin", spiPorts=[(0, 11, 10, 9)])
    return {
        "spidev": module("spidev", SpiDev=given),
        "board": module("board"),
        "busio": module("busio", SPI=given),
        "digitalio": module("digitalio"),
        "adafruit_bitbangio": module("adafruit_bitbangio", SPI=given),
        "adafruit_bus_device": module("adafruit_bus_device", spi_device=device),
        "adafruit_bus_device.spi_device": device,
        "microcontroller": module("microcontroller", pin=pin, Pin=object),
        "microcontroller.pin": pin,
        "neopixel_write": module("neopixel_write"),
        "circuitpython_typing": module("circuitpython_typing", ReadableBuffer=bytes),
    }


# The peers, each as its own documentation uses it ------------------------------------------------


def _pi5neo(pixels: int, _: Bus) -> Callable[[Frame], None]:
    strip = importlib.import_module("pi5neo").Pi5Neo("/dev/spidev0.0", pixels, 800, quiet_mode=True)

    def show(frame: Frame) -> None:
        for i, (red, green, blue) in enumerate(frame):
            strip.set_led_color(i, red, green, blue)
        strip.update_strip(None)

    return show


def _apa102_pi(pixels: int, _: Bus) -> Callable[[Frame], None]:
    driver = importlib.import_module("apa102_pi.driver.apa102")
    with patch.object(driver.logging, "basicConfig"):  # it would turn the program's log on
        strip = driver.APA102(num_led=pixels, global_brightness=31)

    def show(frame: Frame) -> None:
        for i, (red, green, blue) in enumerate(frame):
            strip.set_pixel(i, red, green, blue)
        strip.show()

    return show


def _dotstar(pixels: int, _: Bus) -> Callable[[Frame], None]:
    return _pixelbuf(importlib.import_module("adafruit_dotstar").DotStar(0, 0, pixels))


def _neopixel_spi(pixels: int, bus: Bus) -> Callable[[Frame], None]:
    kind = importlib.import_module("neopixel_spi").NeoPixel_SPI
    return _pixelbuf(kind(bus, pixels, pixel_order="GRB"))


def _pixelbuf(strip: Any) -> Callable[[Frame], None]:
    strip.auto_write = False

    def show(frame: Frame) -> None:
        strip[:] = frame
        strip.show()

    return show


def _luma(pixels: int, bus: Bus) -> Callable[[Frame], None]:
    image = importlib.import_module("PIL.Image")
    device = importlib.import_module("luma.led_matrix.device").apa102(bus, cascaded=pixels)

    def show(frame: Frame) -> None:
        picture = image.new("RGBA", (pixels, 1))
        picture.putdata([(*colour, 255) for colour in frame])
        device.display(picture)

    return show


_PEERS: Final[Mapping[str, tuple[str, Callable[[int, Bus], Callable[[Frame], None]]]]] = {
    "pi5neo": (WS2812, _pi5neo),
    "adafruit-circuitpython-neopixel-spi": (WS2812, _neopixel_spi),
    "apa102-pi": (APA102, _apa102_pi),
    "adafruit-circuitpython-dotstar": (APA102, _dotstar),
    "luma.led_matrix": (APA102, _luma),
}
