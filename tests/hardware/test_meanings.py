from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.table.ports import Meaning, Mood, RoomLight, Scene
from hardware.frame import FROM_SHARE, painter
from hardware.layout import LampLayout, Layout, RoomLayout, edge_layout, screen_layout
from hardware.meanings import (
    LEGEND,
    Colour,
    Pattern,
    Rhythm,
    animates,
    contamination_share,
    level,
    moves,
    palette,
    shown,
    target,
)

from .boards import ROOMS, scenes, small_board
from .flashes import RATE, most_in_a_second
from .seeing import least_apart

#: Positions of the night dial.
DIAL = (0.0, 0.25, 0.5, 0.75, 1.0)

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


def at_once(scene: Scene, night: float = 0.0, *, rooms: bool = False) -> dict[str, list[Colour]]:
    """Every meaning a scene shows, with the colours it may have when it stands still.

    ``rooms``: what lights in the rooms show (builds B and C), which have no sides.
    """
    names = {light.meaning.value for light in shown(scene)} | {scene.mood.value}
    names |= {"look"} if target(scene) else set()
    names |= {"alarm"} if scene.alarm else set()
    if rooms:
        names -= {scene.mood.value} if scene.alarm else set()
    elif scene.mood in (Mood.PLAYER, Mood.EVENT):
        names |= {"side", "progress"}
    found = {}
    if len(scene.pointer) == 2 and scene.pointer[0] != scene.pointer[1]:
        found["from"] = [still("look", night, FROM_SHARE)]
    for name in names - {"dark"}:  # a gap has no colour: its shape tells it
        shares = [contamination_share(n) for n in (1, 2, 3)] if name == "contamination" else [1.0]
        if rooms and name == "alarm":
            shares = [0.3]  # of the rooms that have nothing else to say
        found[name] = [still(name, night, share) for share in shares]
    return found


def still(name: str, night: float, share: float = 1.0) -> Colour:
    """The colour of a meaning that may not move."""
    red, green, blue = palette(night)[name]
    share *= LEGEND[name].rhythm.still
    return round(red * share), round(green * share), round(blue * share)


def same_or_by_shape(one: str, two: str) -> bool:
    """From and to are one meaning; a "from" is a pixel between two dark ones, which no side has."""
    return {one, two} in ({"from", "look"}, {"from", "side"})


@cache
def far_apart(one: Colour, two: Colour) -> bool:
    return least_apart(one, two) >= 20


def rhythms_differ(one: str, two: str) -> bool:
    a, b = LEGEND[one].rhythm, LEGEND[two].rhythm
    return a.pattern is not b.pattern or max(a.period, b.period) >= 1.5 * min(a.period, b.period)


def as_played(scene: Scene) -> Scene:
    """A lobby has no board yet: nothing burns in it."""
    if scene.mood is not Mood.LOBBY:
        return scene
    return replace(scene, rooms=(), pointer=(), alarm=False)


@given(scenes().map(as_played), st.sampled_from(DIAL), st.booleans())
@settings(deadline=None, max_examples=100)
def test_two_meanings_at_once_differ_in_rhythm_or_in_colour_to_every_eye(
    scene: Scene, night: float, rooms: bool
) -> None:
    found = at_once(scene, night, rooms=rooms)
    for one, two in combinations(sorted(found), 2):
        if same_or_by_shape(one, two):
            continue
        signs = ["look" if name == "from" else name for name in (one, two)]
        moving = [moves(scene, sign) for sign in signs]
        if all(moving):
            assert rhythms_differ(*signs)
        elif not any(moving):
            for a, b in product(found[one], found[two]):
                assert far_apart(a, b), (one, two, a, b)


@pytest.mark.parametrize("night", DIAL)
@pytest.mark.parametrize("rooms", [False, True])
def test_in_calm_every_pair_is_told_apart_by_colour(rooms: bool, night: float) -> None:
    """The hardest scenes of the property above, all of them, however far night has come."""
    for mood, meanings in product([m for m in Mood if m is not Mood.LOBBY], hardest()):
        scene = hardest_scene(mood, meanings)
        found = at_once(scene, night, rooms=rooms)
        assert len(found) >= 3
        for one, two in combinations(sorted(found), 2):
            if same_or_by_shape(one, two):
                continue
            for a, b in product(found[one], found[two]):
                assert far_apart(a, b), (one, two, a, b)


def hardest() -> list[tuple[Meaning, ...]]:
    return list(combinations(Meaning, 3))


def hardest_scene(mood: Mood, meanings: tuple[Meaning, ...]) -> Scene:
    """Three meanings of rooms, the alarm, whose turn, the time: and nothing may move."""
    lit = [
        (meaning, level)
        for meaning in sorted(meanings, key=lambda m: m is Meaning.CONTAMINATION)
        if meaning is not Meaning.LOOK
        for level in ((1, 2, 3) if meaning is Meaning.CONTAMINATION else (1,))
    ]
    places = ("001", "003", "004", "006", "002")  # the last two in nearly the same column
    pointer = ("005", "002") if Meaning.LOOK in meanings else ()
    return Scene(
        mood,
        rooms=tuple(RoomLight(room, *what) for room, what in zip(places, lit, strict=False)),
        pointer=pointer,
        alarm=True,
        side=1,
        seats=2,
        progress=0.5,
        calm=True,
    )


@pytest.mark.parametrize("night", [0.0, 1.0])
@pytest.mark.parametrize("build", ["edge", "rooms", "lamps", "screen"])
def test_the_colours_that_are_told_apart_are_those_the_strip_shows(
    build: str, night: float
) -> None:
    """So that what is proven of the legend is proven of frames: every build paints them."""
    board = small_board()
    layout: Layout = {
        "edge": edge_layout(100, 1.5),
        "rooms": RoomLayout({room: (i,) for i, room in enumerate(ROOMS)}, 6),
        "lamps": LampLayout(("mood", "alarm", "look", "fire", "contamination", "spread")),
        "screen": screen_layout(board, 100),
    }[build]
    paint = painter(board, layout, night=night)
    for mood, meanings in product((Mood.PLAYER, Mood.OVER), hardest()):
        scene = hardest_scene(mood, meanings)
        frame = set(paint.frame(scene, 0.7))
        due = at_once(scene, night, rooms=build == "rooms")
        if build == "lamps":
            # Its mood has a lamp of its own, and shines brighter there than all round a board.
            left_out = ("from", "side", "progress", *Mood)
            due = {n: c[-1:] for n, c in due.items() if n not in left_out}
        if build == "rooms" and len({light.room for light in scene.rooms} | {*scene.pointer}) == 6:
            del due["alarm"]  # no room is left that has nothing else to say
        for name, colours in due.items():
            if name == "contamination":  # one of its rooms may lie under the crosshair
                assert len(set(colours) & frame) >= len(colours) - 1
            elif name != "side":  # a glow, brightest between two pixels
                assert set(colours) <= frame, (name, colours, frame)


def test_danger_fire_and_contamination_are_told_by_rhythm_alone() -> None:
    for one, two in combinations(("alarm", "fire", "contamination"), 2):
        assert rhythms_differ(one, two)


@given(scenes())
@settings(deadline=None)
def test_still_scenes_have_still_levels(scene: Scene) -> None:
    for name in LEGEND:
        if not moves(scene, name):
            assert level(scene, name, 0.3) == level(scene, name, 1.7)
