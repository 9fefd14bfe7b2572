from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.table.ports import Mood
from hardware.limits import Limits, current_ma, limited
from hardware.meanings import LEGEND, palette

colours = st.tuples(*[st.integers(0, 255)] * 3)
frames = st.lists(colours, min_size=1, max_size=120).map(tuple)
limits = st.builds(
    Limits,
    brightness=st.floats(0, 1),
    supply_ma=st.floats(0, 8000),
    night=st.floats(0, 1),
)
WHITE = (255, 255, 255)


@given(frame=frames, bounds=limits)
@settings(deadline=None)
def test_no_frame_draws_more_than_the_supply(
    frame: tuple[tuple[int, int, int], ...], bounds: Limits
) -> None:
    duty = limited(frame, bounds)
    assert len(duty) == len(frame)
    assert all(0 <= c <= 255 for pixel in duty for c in pixel)
    assert current_ma(duty) <= max(bounds.supply_ma, len(frame)) + 1e-6  # the idle mA a pixel


@pytest.mark.parametrize("supply", [200, 500, 1000, 2500])
def test_all_white_is_capped_by_the_supply(supply: int) -> None:
    duty = limited((WHITE,) * 60, Limits(brightness=1.0, supply_ma=supply))
    assert supply - 0.2 * supply <= current_ma(duty) <= supply
    assert len(set(duty)) == 1  # evenly, and still white
    assert len(set(duty[0])) == 1


def test_a_white_pixel_at_full_draws_61_ma() -> None:
    duty = limited((WHITE,), Limits(brightness=1.0, supply_ma=1000))
    assert duty == (WHITE,)
    assert current_ma(duty) == pytest.approx(61.0)


def test_a_supply_below_the_idle_current_leaves_the_strip_dark() -> None:
    assert set(limited((WHITE,) * 60, Limits(1.0, 60.0))) == {(0, 0, 0)}


def test_gamma_is_two_point_two_and_nothing_visible_vanishes() -> None:
    frame = tuple((v, v, v) for v in range(256))
    duty = [pixel[0] for pixel in limited(frame, Limits(1.0, 60_000))]
    assert duty == sorted(duty)
    assert (duty[0], duty[1], duty[128], duty[255]) == (0, 1, 56, 255)
    dim = [pixel[0] for pixel in limited(frame, Limits(0.05, 60_000))]
    assert dim[0] == 0
    assert min(dim[1:]) == 1


def test_brightness_is_a_cap() -> None:
    (pixel,) = limited((WHITE,), Limits(0.5, 1000))
    assert pixel == (55, 55, 55)
    assert limited((WHITE,), Limits(0.0, 1000)) == ((0, 0, 0),)


def test_night_is_warmer_and_much_dimmer() -> None:
    """A third of the light is left, and of what shines longest hardly any blue."""
    by_day, by_night = (
        limited(tuple(map(rounded, palette(n).values())), Limits(1.0, 60_000, night=n))
        for n in (0.0, 1.0)
    )
    assert current_ma(by_night) < current_ma(by_day) / 3
    moods = {mood.value for mood in Mood}
    for name, day, night in zip(LEGEND, by_day, by_night, strict=True):
        if name in moods:
            red, _, blue = palette(1.0)[name]
            assert red > 3 * blue
        else:
            assert sum(night) <= sum(day) / 2
            assert night[2] <= max(1, day[2] / 2)


def rounded(hue: tuple[float, float, float]) -> tuple[int, int, int]:
    red, green, blue = hue
    return round(red), round(green), round(blue)


@given(frame=frames, night=st.floats(0, 0.9))
@settings(deadline=None)
def test_turning_the_night_dial_never_brightens(
    frame: tuple[tuple[int, int, int], ...], night: float
) -> None:
    less = limited(frame, Limits(0.8, 60_000, night=night))
    more = limited(frame, Limits(0.8, 60_000, night=night + 0.1))
    assert all(b <= a for p, q in zip(less, more, strict=True) for a, b in zip(p, q, strict=True))
