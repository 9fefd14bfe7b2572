"""Duty values to the bytes of a strip, for chips driven over SPI.

``order`` is the order in which the strip wants its colours, a permutation of ``rgb``.
"""

from __future__ import annotations

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
    a, b, c = _places(order)
    head = 0xE0 | cap
    body = bytearray(4)
    for pixel in frame:
        body += bytes((head, pixel[a], pixel[b], pixel[c]))
    body += bytes(4 + (len(frame) + 15) // 16)
    return bytes(body)


def ws2812(frame: Frame, *, order: str = "grb") -> bytes:
    """The bytes for WS2812 on SPI at 2.4 MHz: three SPI bits a bit, between two silences.

    One is sent as 110 (833 ns high), zero as 100 (417 ns). The line idles high on some boards,
    so the frame starts with a silence too.
    """
    a, b, c = _places(order)
    bits = _WS2812_BITS
    body = b"".join(bits[pixel[a]] + bits[pixel[b]] + bits[pixel[c]] for pixel in frame)
    return _WS2812_SILENCE + body + _WS2812_SILENCE


def _places(order: str) -> tuple[int, int, int]:
    if sorted(order) != ["b", "g", "r"]:
        raise ValueError(f"{order!r} is no order of r, g and b")
    return "rgb".index(order[0]), "rgb".index(order[1]), "rgb".index(order[2])


def _three_bits(value: int) -> bytes:
    bits = 0
    for place in range(7, -1, -1):
        bits = bits << 3 | (0b110 if value >> place & 1 else 0b100)
    return bits.to_bytes(3, "big")


_WS2812_BITS: Final = tuple(_three_bits(value) for value in range(256))
