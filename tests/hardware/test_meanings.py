from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations, product

import pytest
from hypothesis import given, settings

from companion.table.ports import Meaning, Mood, RoomLight, Scene
from hardware.frame import FROM_SHARE
from hardware.meanings import (
    LEGEND,
    Colour,
    Pattern,
    Rhythm,
    animates,
    contamination_share,
    level,
    moves,
    shown,
    target,
)

from .boards import scenes
from .flashes import RATE, most_in_a_second
from .seeing import least_apart

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


def at_once(scene: Scene) -> dict[str, list[Colour]]:
    """Every meaning a scene shows, with the colours it may have when it stands still."""
    names = {light.meaning.value for light in shown(scene)} | {scene.mood.value}
    names |= {"look"} if target(scene) else set()
    names |= {"alarm"} if scene.alarm else set()
    names |= {"side", "progress"} if scene.mood in (Mood.PLAYER, Mood.EVENT) else set()
    found = {}
    if len(scene.pointer) == 2 and scene.pointer[0] != scene.pointer[1]:
        red, green, blue = LEGEND["look"].colour
        share = FROM_SHARE * LEGEND["look"].rhythm.still
        found["from"] = [(round(red * share), round(green * share), round(blue * share))]
    for name in names - {"dark"}:  # a gap has no colour: its shape tells it
        levels = [contamination_share(n) for n in (1, 2, 3)] if name == "contamination" else [1.0]
        still = LEGEND[name].rhythm.still
        red, green, blue = LEGEND[name].colour
        found[name] = [
            (round(red * share * still), round(green * share * still), round(blue * share * still))
            for share in levels
        ]
    return found


def same_or_by_shape(one: str, two: str) -> bool:
    """From and to are one meaning; a "from" is a pixel between two dark ones, which no side has."""
    return {one, two} in ({"from", "look"}, {"from", "side"})


def rhythms_differ(one: str, two: str) -> bool:
    a, b = LEGEND[one].rhythm, LEGEND[two].rhythm
    return a.pattern is not b.pattern or max(a.period, b.period) >= 1.5 * min(a.period, b.period)


def as_played(scene: Scene) -> Scene:
    """A lobby has no board yet: nothing burns in it."""
    if scene.mood is not Mood.LOBBY:
        return scene
    return replace(scene, rooms=(), pointer=(), alarm=False)


@given(scenes().map(as_played))
@settings(deadline=None, max_examples=300)
def test_two_meanings_at_once_differ_in_rhythm_or_in_colour_to_every_eye(scene: Scene) -> None:
    found = at_once(scene)
    for one, two in combinations(sorted(found), 2):
        if same_or_by_shape(one, two):
            continue
        signs = ["look" if name == "from" else name for name in (one, two)]
        moving = [moves(scene, sign) for sign in signs]
        if all(moving):
            assert rhythms_differ(*signs)
        elif not any(moving):
            for a, b in product(found[one], found[two]):
                assert least_apart(a, b) >= 20, (one, two, a, b)


@pytest.mark.parametrize("mood", [m for m in Mood if m is not Mood.LOBBY])
def test_in_calm_every_pair_is_told_apart_by_colour(mood: Mood) -> None:
    """The hardest scenes of the property above, all of them."""
    for meanings in combinations(Meaning, 3):
        rooms = tuple(RoomLight(f"00{n}", meaning) for n, meaning in enumerate(meanings, 1))
        pointer = ("001", "002") if Meaning.LOOK in meanings else ()
        scene = Scene(mood, rooms=rooms, pointer=pointer, alarm=True, calm=True)
        found = at_once(scene)
        assert len(found) >= 4
        for one, two in combinations(sorted(found), 2):
            if same_or_by_shape(one, two):
                continue
            for a, b in product(found[one], found[two]):
                assert least_apart(a, b) >= 20, (one, two, a, b)


def test_danger_fire_and_contamination_are_told_by_rhythm_alone() -> None:
    for one, two in combinations(("alarm", "fire", "contamination"), 2):
        assert rhythms_differ(one, two)


@given(scenes())
@settings(deadline=None)
def test_still_scenes_have_still_levels(scene: Scene) -> None:
    for name in LEGEND:
        if not moves(scene, name):
            assert level(scene, name, 0.3) == level(scene, name, 1.7)
