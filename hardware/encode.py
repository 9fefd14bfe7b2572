"""Duty values to the bytes of a strip, for chips driven over SPI.

``order`` is the order in which the strip wants its colours, a permutation of ``rgb``.
"""

from __future__ import annotations

from itertools import chain
from typing import Final

from hardware.meanings import Frame

APA102_HZ: Final = 4_000_000
WS2812_HZ: Final = 2_400_000
# A WS2812 takes over its colours after 280 microseconds of silence; 300 at WS2812_HZ.
_WS2812_SILENCE: Final = bytes(90)


def apa102(frame: Frame, *, order: str = "bgr", cap: int = 31) -> bytes:
    """The bytes for APA102 and SK9822: 32 zero bits, four bytes a pixel, and the end.

    ``cap`` is the chips' own current setting, 0-31, the same for every pixel. The end is the 32
    zero bits an SK9822 waits for, then a clock edge for every second pixel. Zeros, because ones
    would light the pixels of a longer strip.
    """
    count = len(frame)
    body = bytearray(4 * count)
    body[0::4] = bytes((0xE0 | cap,)) * count
    body[1::4], body[2::4], body[3::4] = _columns(frame, order)
    return b"".join((bytes(4), body, bytes(4 + (count + 15) // 16)))


def ws2812(frame: Frame, *, order: str = "grb") -> bytes:
    """The bytes for WS2812 on SPI at 2.4 MHz: three SPI bits a bit, between two silences.

    One is sent as 110 (833 ns high), zero as 100 (417 ns). The line idles high on some boards,
    so the frame starts with a silence too.
    """
    body = bytearray(9 * len(frame))
    for place, column in enumerate(_columns(frame, order)):
        for part, table in enumerate(_WS2812_BITS):
            body[3 * place + part :: 9] = column.translate(table)
    return b"".join((_WS2812_SILENCE, body, _WS2812_SILENCE))


def wled(frame: Frame, *, timeout_s: int) -> bytes:
    """A DRGB packet of WLED's realtime UDP: what to show, and for how long after the last packet.

    It holds 490 pixels at most; the controller knows the order of its strip's colours.
    """
    return bytes((2, timeout_s)) + plain(frame)


def plain(frame: Frame) -> bytes:
    """Red, green and blue of every pixel."""
    return bytes(chain.from_iterable(frame))


def _columns(frame: Frame, order: str) -> tuple[bytes, bytes, bytes]:
    """All pixels' first, second and third value in the strip's order."""
    if sorted(order) != ["b", "g", "r"]:
        raise ValueError(f"{order!r} is no order of r, g and b")
    flat = plain(frame)
    a, b, c = ("rgb".index(colour) for colour in order)
    return flat[a::3], flat[b::3], flat[c::3]


def _three_bits(value: int) -> bytes:
    bits = 0
    for place in range(7, -1, -1):
        bits = bits << 3 | (0b110 if value >> place & 1 else 0b100)
    return bits.to_bytes(3, "big")


# The first, second and third byte of what stands for each value.
_WS2812_BITS: Final = tuple(bytes(_three_bits(v)[part] for v in range(256)) for part in range(3))
