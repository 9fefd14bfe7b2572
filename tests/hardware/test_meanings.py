from __future__ import annotations

import math
from itertools import combinations

import pytest
from hypothesis import given, settings

from companion.table.ports import Meaning, Mood, RoomLight, Scene
from hardware.meanings import LEGEND, Pattern, Rhythm, animates, level, moves, shown, target

from .boards import scenes
from .flashes import RATE, most_in_a_second

MOVING = {
    name: sign.rhythm for name, sign in LEGEND.items() if sign.rhythm.pattern is not Pattern.STEADY
}


def test_every_meaning_and_mood_has_a_sign() -> None:
    assert set(LEGEND) >= {m.value for m in Meaning} | {m.value for m in Mood}


@pytest.mark.parametrize(("one", "two"), list(combinations(MOVING, 2)))
def test_two_moving_meanings_differ_in_shape_and_in_period(one: str, two: str) -> None:
    a, b = MOVING[one], MOVING[two]
    assert a.pattern is not b.pattern
    assert max(a.period, b.period) / min(a.period, b.period) >= 1.5


@pytest.mark.parametrize("name", MOVING)
def test_no_rhythm_flashes_more_than_three_times_a_second(name: str) -> None:
    samples = [MOVING[name].level(i / RATE) for i in range(20 * RATE)]
    assert all(0.0 <= s <= 1.0 for s in samples)
    assert max(samples) - min(samples) >= 0.5  # it does move
    assert most_in_a_second(samples) <= 3


def test_the_counter_sees_a_flash_of_four_hertz() -> None:
    fast = Rhythm(Pattern.BLINK, 0.25)
    assert most_in_a_second([fast.level(i / RATE) for i in range(5 * RATE)]) >= 4


def test_a_phase_shifts_the_rhythm() -> None:
    breath = LEGEND["contamination"].rhythm
    assert breath.level(1.0, 0.5) == pytest.approx(breath.level(1.0 + breath.period / 2))
    assert not math.isclose(breath.level(1.0), breath.level(1.0, 0.5))


def test_of_two_meanings_in_a_room_the_more_important_is_shown() -> None:
    scene = Scene(
        Mood.EVENT,
        rooms=(RoomLight("001", Meaning.CONTAMINATION, 2), RoomLight("001", Meaning.FIRE)),
    )
    assert shown(scene) == (RoomLight("001", Meaning.FIRE),)


def test_three_meanings_at_once_and_the_crosshair_is_one() -> None:
    rooms = tuple(RoomLight(f"00{i}", m) for i, m in enumerate(Meaning, 1) if m != Meaning.LOOK)
    assert {r.meaning for r in shown(Scene(Mood.EVENT, rooms=rooms))} == {
        Meaning.FIRE,
        Meaning.CONTAMINATION,
        Meaning.DARK,
    }
    pointing = Scene(Mood.EVENT, rooms=rooms, pointer=("001",))
    assert {r.meaning for r in shown(pointing)} == {Meaning.FIRE, Meaning.CONTAMINATION}


def test_the_most_important_light_is_painted_last() -> None:
    rooms = (RoomLight("001", Meaning.LOOK), RoomLight("002", Meaning.SPREAD))
    assert [r.meaning for r in shown(Scene(Mood.EVENT, rooms=rooms))] == ["spread", "look"]


def test_the_crosshair_falls_back_to_the_first_room_to_look_at() -> None:
    rooms = (RoomLight("002", Meaning.FIRE), RoomLight("003", Meaning.LOOK))
    assert target(Scene(Mood.PLAYER, rooms=rooms)) == ("003",)
    assert target(Scene(Mood.PLAYER, rooms=rooms, pointer=("001", "002"))) == ("001", "002")
    assert target(Scene(Mood.PLAYER)) == ()


def test_in_the_player_phase_only_fire_moves() -> None:
    scene = Scene(Mood.PLAYER)
    assert {name for name in LEGEND if moves(scene, name)} == {"fire"}


def test_calm_moves_nothing() -> None:
    for mood in Mood:
        scene = Scene(mood, rooms=(RoomLight("001", Meaning.FIRE),), alarm=True, calm=True)
        assert not any(moves(scene, name) for name in LEGEND)
        assert not animates(scene)


@given(scenes())
@settings(deadline=None)
def test_still_scenes_have_still_levels(scene: Scene) -> None:
    for name in LEGEND:
        if not moves(scene, name):
            assert level(scene, name, 0.3) == level(scene, name, 1.7)
