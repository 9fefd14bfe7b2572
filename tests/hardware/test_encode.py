from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.encode import WS2812_HZ, apa102, ws2812

THREE = ((255, 0, 0), (0, 128, 1), (16, 32, 64))
frames = st.lists(st.tuples(*[st.integers(0, 255)] * 3), max_size=80).map(tuple)


def test_golden_apa102() -> None:
    assert apa102(THREE).hex(" ") == (
        "00 00 00 00 ff 00 00 ff ff 01 80 00 ff 40 20 10 00 00 00 00 00"
    )


def test_golden_apa102_with_cap_and_order() -> None:
    assert apa102(THREE[:1], order="grb", cap=8).hex() == "00000000" + "e800ff00" + "0000000000"


def test_apa102_has_an_edge_for_every_second_pixel_at_the_end() -> None:
    for count in (1, 16, 17, 60, 144, 300):
        end = len(apa102(((1, 2, 3),) * count)) - 4 - 4 * count
        assert (end - 4) * 8 >= count / 2  # after the 32 bits of the SK9822
    assert len(apa102(((0, 0, 0),) * 60)) == 4 + 240 + 4 + 4


def test_golden_ws2812() -> None:
    silence = bytes(90)
    # 255 = 110 eight times, 0 = 100 eight times, 128 = 110 then 100, 1 = 100 then 110.
    full, none = bytes.fromhex("db6db6"), bytes.fromhex("924924")
    assert ws2812(((255, 0, 0),)) == silence + none + full + none + silence
    assert ws2812(((0, 128, 1),)) == (
        silence + bytes.fromhex("d24924") + none + bytes.fromhex("924926") + silence
    )
    assert ws2812(((255, 0, 0),), order="rgb") == silence + full + none + none + silence


def test_ws2812_silence_is_long_enough() -> None:
    tail = ws2812(((255, 255, 255),)).rstrip(b"\0")
    silent_bytes = len(ws2812(((255, 255, 255),))) - len(tail)
    assert silent_bytes * 8 / WS2812_HZ >= 280e-6


def test_ws2812_of_the_longest_strip_is_one_transfer() -> None:
    from hardware.settings import MAX_PIXELS

    assert len(ws2812(((255, 255, 255),) * MAX_PIXELS)) <= 4096


@given(frames)
@settings(deadline=None)
def test_apa102_can_be_read_back(frame: tuple[tuple[int, int, int], ...]) -> None:
    data = apa102(frame)
    pixels = [data[4 + 4 * i : 8 + 4 * i] for i in range(len(frame))]
    assert [(p[3], p[2], p[1]) for p in pixels] == list(frame)
    assert all(p[0] == 0xFF for p in pixels)
    assert not any(data[:4])
    assert not any(data[4 + 4 * len(frame) :])


@given(frames)
@settings(deadline=None)
def test_ws2812_can_be_read_back(frame: tuple[tuple[int, int, int], ...]) -> None:
    bits = "".join(f"{byte:08b}" for byte in ws2812(frame)[90:-90])
    symbols = [bits[i : i + 3] for i in range(0, len(bits), 3)]
    assert set(symbols) <= {"110", "100"}
    values = "".join("1" if s == "110" else "0" for s in symbols)
    sent = [int(values[i : i + 8], 2) for i in range(0, len(values), 8)]
    assert sent == [c for r, g, b in frame for c in (g, r, b)]


@pytest.mark.parametrize("order", ["", "rg", "rgbb", "xyz", "rrg"])
def test_an_order_that_is_none_is_refused(order: str) -> None:
    with pytest.raises(ValueError, match="order"):
        apa102(THREE, order=order)
