"""What really goes down the wire while scenes come and go: bounded in current and in flashes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.table.ports import Scene
from hardware.lights import LightLoop
from hardware.limits import current_ma
from hardware.meanings import Frame
from hardware.settings import Driver, LightSettings
from hardware.transport import SimulatedTransport

from .boards import scenes, small_board
from .flashes import most_in_a_second

RATE = 30
PIXELS = 24
#: Scenes, each with the seconds after which the next one comes.
evenings = st.lists(st.tuples(scenes(), st.floats(0.01, 1.5)), min_size=1, max_size=8)


def lit(data: bytes, pixels: int = PIXELS) -> Frame:
    """The duty values in the bytes of an APA102 strip, its own current setting included."""
    assert data[:4] == bytes(4)
    found = []
    for i in range(4, 4 + 4 * pixels, 4):
        head, blue, green, red = data[i : i + 4]
        assert head & 0xE0 == 0xE0
        share = (head & 0x1F) / 31
        found.append((round(red * share), round(green * share), round(blue * share)))
    return tuple(found)


def evening(asked: list[tuple[Scene, float]], chosen: LightSettings, seconds: float) -> list[Frame]:
    """Every frame of a loop at 30 a second while the scenes come one after the other."""
    strip = SimulatedTransport()
    lights = LightLoop(chosen, small_board(), open_transport=lambda: strip)
    frames, due, left = [], 0.0, list(asked)
    for n in range(int(seconds * RATE)):
        now = n / RATE
        while left and now >= due:
            scene, pause = left.pop(0)
            lights.show(scene)
            due += pause
        lights.step(now)
        frames.append(lit(strip.last))
    return frames


@given(asked=evenings, supply=st.integers(25, 1500), night=st.floats(0, 1))
@settings(max_examples=25, deadline=None)
def test_the_strip_never_draws_more_than_its_supply(
    asked: list[tuple[Scene, float]], supply: int, night: float
) -> None:
    chosen = LightSettings(
        driver=Driver.APA102, pixels=PIXELS, supply_ma=supply, brightness=1.0, night=night
    )
    for frame in evening(asked, chosen, 3.0):
        assert current_ma(frame) <= supply


def flashes(asked: list[tuple[Scene, float]], supply: int) -> int:
    chosen = LightSettings(driver=Driver.APA102, pixels=PIXELS, supply_ma=supply, brightness=1.0)
    frames = evening(asked, chosen, 6.0)
    return max(
        most_in_a_second([sum(frame[pixel]) / 765 for frame in frames], RATE)
        for pixel in range(PIXELS)
    )


@given(asked=evenings, supply=st.sampled_from([150, 400, 60_000]))
@settings(max_examples=25, deadline=None)
def test_nothing_flashes_faster_than_three_times_a_second_while_scenes_change(
    asked: list[tuple[Scene, float]], supply: int
) -> None:
    assert flashes(asked, supply) <= 3


@pytest.mark.slow
@given(asked=evenings, supply=st.sampled_from([150, 400, 60_000]))
@settings(max_examples=400, deadline=None)
def test_nothing_flashes_in_many_evenings(asked: list[tuple[Scene, float]], supply: int) -> None:
    assert flashes(asked, supply) <= 3
