from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from companion.game.board import Board
from companion.table.ports import Meaning, Mood, RoomLight, Scene
from hardware.frame import FROM_SHARE, Painter, painter
from hardware.layout import EdgeLayout, RoomLayout, Side, edge_layout, screen_layout
from hardware.meanings import BLACK, LEGEND, Colour, animates

from .boards import ROOMS, scenes, small_board
from .flashes import RATE, most_in_a_second

LOOK = LEGEND["look"].colour
PLAYER = LEGEND["player"].colour
QUIET = Scene(Mood.PLAYER, progress=1.0)


def edge(pixels: int = 60) -> tuple[Painter, EdgeLayout]:
    layout = edge_layout(pixels, 1.5)
    return painter(small_board(), layout), layout


def rooms() -> Painter:
    return painter(small_board(), RoomLayout({room: (i,) for i, room in enumerate(ROOMS)}, 7))


def every_painter() -> list[Painter]:
    return [edge()[0], rooms(), painter(small_board(), screen_layout(small_board(), 24))]


def nearest(layout: EdgeLayout, side: Side, along: float) -> int:
    return min(layout.by_side[side], key=lambda i: abs(layout.pixels[i].along - along))


def with_rooms(*lights: RoomLight, mood: Mood = Mood.PLAYER, **words: object) -> Scene:
    return Scene(mood, rooms=lights, progress=1.0, **words)  # type: ignore[arg-type]


@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.parametrize("pixels", [24, 60, 100])
def test_the_crosshair_lights_the_column_and_the_row(room: str, pixels: int) -> None:
    paint, layout = edge(pixels)
    place = small_board().rooms[room]
    frame = paint.frame(Scene(Mood.PLAYER, pointer=(room,), progress=1.0), 0.0)
    lit = {i for i, colour in enumerate(frame) if colour == LOOK}
    assert lit == {
        nearest(layout, Side.TOP, place.x),
        nearest(layout, Side.BOTTOM, place.x),
        nearest(layout, Side.LEFT, place.y),
        nearest(layout, Side.RIGHT, place.y),
    }


def test_from_is_dim_and_narrow_and_to_is_bright() -> None:
    paint, layout = edge()
    frame = paint.frame(Scene(Mood.PLAYER, pointer=("001", "005"), progress=1.0), 0.0)
    start = nearest(layout, Side.TOP, small_board().rooms["001"].x)
    goal = nearest(layout, Side.TOP, small_board().rooms["005"].x)
    assert frame[goal] == LOOK
    assert frame[start] == tuple(round(c * FROM_SHARE) for c in LOOK)
    assert frame[start - 1] == frame[start + 1] == BLACK
    assert frame[start - 2] == frame[start + 2] == PLAYER
    bottom = nearest(layout, Side.BOTTOM, small_board().rooms["001"].x)
    glow = paint.frame(
        Scene(Mood.PLAYER, pointer=("001", "005"), side=1, seats=2, progress=1.0), 0.0
    )
    assert [glow[bottom + n] for n in (-1, 0, 1)] == [BLACK, frame[start], BLACK]


def brightest_along(layout: EdgeLayout, frame: tuple[Colour, ...], leave: set[int]) -> float:
    top = [i for i in layout.by_side[Side.TOP] if i not in leave]
    return layout.pixels[max(top, key=lambda i: sum(frame[i]))].along


def test_outside_the_player_phase_a_light_runs_from_the_one_to_the_other() -> None:
    paint, layout = edge(100)
    scene = Scene(Mood.EVENT, pointer=("001", "005"))
    board = small_board()
    leave = {
        i
        for i in layout.by_side[Side.TOP]
        for room in ("001", "005")
        if abs(layout.pixels[i].along - board.rooms[room].x) < 0.06
    }
    period = LEGEND["look"].rhythm.period
    seen = [
        brightest_along(layout, paint.frame(scene, period * part), leave)
        for part in (0.2, 0.4, 0.6, 0.8)
    ]
    assert seen == sorted(seen)
    assert seen[0] < 0.35
    assert seen[-1] > 0.65


def test_a_single_room_is_closed_in_from_both_sides() -> None:
    paint, layout = edge(100)
    scene = Scene(Mood.EVENT, pointer=("003",))
    early, late = (paint.frame(scene, t * LEGEND["look"].rhythm.period) for t in (0.1, 0.5))
    top = layout.by_side[Side.TOP]

    def reach(frame: tuple[Colour, ...]) -> float:
        return max(abs(layout.pixels[i].along - 0.5) for i in top if sum(frame[i]) > 250)

    assert reach(late) < reach(early)
    assert sum(early[i] != late[i] for i in top if layout.pixels[i].along < 0.5) >= 2
    assert sum(early[i] != late[i] for i in top if layout.pixels[i].along > 0.5) >= 2


def test_a_room_to_look_at_is_pointed_at_without_a_pointer() -> None:
    paint, layout = edge()
    frame = paint.frame(with_rooms(RoomLight("002", Meaning.LOOK)), 0.0)
    assert frame[nearest(layout, Side.BOTTOM, 0.30)] == LOOK


def test_fire_burns_at_its_column_on_the_nearer_long_side_and_flickers() -> None:
    paint, layout = edge()
    scene = with_rooms(RoomLight("002", Meaning.FIRE))
    near, far = nearest(layout, Side.TOP, 0.30), nearest(layout, Side.BOTTOM, 0.30)
    frames = [paint.frame(scene, i / 30) for i in range(60)]
    reds = [f[near][0] for f in frames]
    assert max(reds) - min(reds) > 80
    assert {f[far] for f in frames} == {PLAYER}
    assert all(f[near][0] > f[near][1] > f[near][2] for f in frames)


def test_two_fires_do_not_move_in_step() -> None:
    layout = rooms()
    scene = with_rooms(RoomLight("001", Meaning.FIRE), RoomLight("004", Meaning.FIRE))
    pairs = [(f[0], f[3]) for f in (layout.frame(scene, i / 30) for i in range(30))]
    assert sum(a != b for a, b in pairs) > 20


def test_contamination_grows_with_its_level() -> None:
    paint, layout = edge()
    pixel = nearest(layout, Side.TOP, 0.30)
    blues = [
        paint.frame(with_rooms(RoomLight("002", Meaning.CONTAMINATION, n)), 0.0)[pixel][2]
        for n in (1, 2, 3)
    ]
    assert blues[0] * 1.2 < blues[1]
    assert blues[1] * 1.2 < blues[2]


def test_a_dark_room_leaves_a_gap() -> None:
    paint, layout = edge()
    frame = paint.frame(with_rooms(RoomLight("002", Meaning.DARK)), 0.0)
    assert frame[nearest(layout, Side.TOP, 0.30)] == tuple(round(c * 0.15) for c in PLAYER)


def test_fire_wins_the_pixels_it_shares() -> None:
    paint, layout = edge(24)
    shared = [RoomLight("006", Meaning.CONTAMINATION, 3), RoomLight("006", Meaning.FIRE)]
    alone = paint.frame(with_rooms(RoomLight("006", Meaning.FIRE)), 0.2)
    pixel = nearest(layout, Side.BOTTOM, 0.32)
    assert paint.frame(with_rooms(*shared), 0.2)[pixel] == alone[pixel]


@pytest.mark.parametrize("left", range(7))
def test_the_countdown_has_a_red_pixel_a_space(left: int) -> None:
    paint, layout = edge()
    scene = Scene(Mood.PLAYER, alarm=True, countdown=left, progress=1.0)
    frame = paint.frame(scene, 0.0)
    red = LEGEND["alarm"].colour
    side = layout.by_side[Side.RIGHT]
    assert sum(frame[i] == red for i in side) == left
    assert sum(frame[i] == BLACK for i in side) == 6 - left
    assert sum(frame[i] == red for i in range(60) if i not in side) == 4  # the corners


def test_the_time_left_sinks_on_the_left_side() -> None:
    paint, layout = edge()
    sand = LEGEND["progress"].colour
    side = layout.by_side[Side.LEFT]
    for progress, lit in ((0.0, 12), (0.5, 6), (1.0, 0)):
        frame = paint.frame(Scene(Mood.PLAYER, progress=progress), 0.0)
        assert [frame[i] == sand for i in side] == [False] * (12 - lit) + [True] * lit


def test_the_top_of_the_sand_shows_through_the_glow_of_a_seat() -> None:
    paint, layout = edge()
    scene = Scene(Mood.PLAYER, side=2, seats=4, progress=0.5)
    frame = paint.frame(scene, 0.0)
    side = layout.by_side[Side.LEFT]
    assert [frame[i] == LEGEND["progress"].colour for i in side].index(True) == 6


def test_the_glow_sits_on_the_side_of_the_seat() -> None:
    layout = edge_layout(60, 1.5)
    paint = painter(small_board(), layout, seat_one=Side.BOTTOM)
    sides = []
    for seat in (1, 2, 3, 4):
        frame = paint.frame(Scene(Mood.PLAYER, side=seat, seats=4, progress=1.0), 0.0)
        sides.append(layout.pixels[max(range(60), key=lambda i: sum(frame[i]))].side)
    assert sides == [Side.BOTTOM, Side.LEFT, Side.TOP, Side.RIGHT]


@pytest.mark.parametrize(("side", "seats"), [(None, 4), (5, 4), (0, 4), (1, 0)])
def test_no_glow_without_a_seat_at_the_table(side: int | None, seats: int) -> None:
    paint, _ = edge()
    assert paint.frame(Scene(Mood.PLAYER, side=side, seats=seats, progress=1.0), 0.0) == (
        paint.frame(QUIET, 0.0)
    )


def test_every_mood_looks_different() -> None:
    for paint in every_painter():
        frames = {paint.frame(Scene(mood, progress=1.0, calm=True), 0.0) for mood in Mood}
        assert len(frames) == len(Mood)


def test_a_light_goes_round_in_the_lobby() -> None:
    paint, layout = edge()
    frames = [paint.frame(Scene(Mood.LOBBY), t) for t in (0.0, 3.0, 6.0)]
    places = [layout.round[max(range(60), key=lambda i: sum(f[i]))] for f in frames]
    steps = [(b - a) % 1.0 for a, b in pairwise(places)]
    assert steps == pytest.approx([0.25, 0.25], abs=0.02)


def test_rooms_show_their_own_light_and_the_mood_elsewhere() -> None:
    paint = rooms()
    frame = paint.frame(
        with_rooms(RoomLight("001", Meaning.DARK), RoomLight("002", Meaning.SPREAD), calm=True), 0.0
    )
    assert frame[0] == tuple(round(c * 0.15) for c in PLAYER)
    assert frame[1] == LEGEND["spread"].colour
    assert frame[2] == PLAYER
    assert frame[6] == BLACK  # a pixel of no room


def test_rooms_point_from_dim_to_bright() -> None:
    frame = rooms().frame(Scene(Mood.PLAYER, pointer=("001", "005")), 0.0)
    assert frame[4] == LOOK
    assert frame[0] == tuple(round(c * FROM_SHARE) for c in LOOK)


def test_the_alarm_colours_the_resting_rooms() -> None:
    frames = {rooms().frame(Scene(Mood.EVENT, alarm=True), t)[2] for t in (0.0, 0.18)}
    assert len(frames) == 2
    assert all(red > 2 * blue for red, _, blue in frames)


def test_a_room_the_board_does_not_know_is_not_drawn() -> None:
    for paint in every_painter():
        scene = with_rooms(RoomLight("099", Meaning.FIRE))
        assert paint.frame(scene, 0.4) == paint.frame(QUIET, 0.4)
        pointing = Scene(Mood.PLAYER, pointer=("099",), progress=1.0)
        assert paint.frame(pointing, 0.4) == paint.frame(QUIET, 0.4)


@pytest.mark.parametrize("pixels", [1, 2, 3, 5])
def test_a_very_short_strip_still_paints(pixels: int, board: Board) -> None:
    paint = painter(board, edge_layout(pixels, 1.5))
    scene = Scene(
        Mood.EVENT,
        rooms=(RoomLight("002", Meaning.FIRE),),
        pointer=("001", "005"),
        alarm=True,
        countdown=3,
    )
    assert len(paint.frame(scene, 0.3)) == pixels


@given(scene=scenes(), t=st.floats(0, 1e6))
@settings(max_examples=40, deadline=None)
def test_frames_are_colours(scene: Scene, t: float) -> None:
    for paint in every_painter():
        frame = paint.frame(scene, t)
        assert len(frame) == paint.count
        assert all(isinstance(c, int) and 0 <= c <= 255 for pixel in frame for c in pixel)


@given(shown=st.lists(st.tuples(scenes(), st.floats(0, 1e3)), min_size=2, max_size=4))
@settings(max_examples=25, deadline=None)
def test_a_frame_does_not_depend_on_what_was_painted_before(
    shown: list[tuple[Scene, float]],
) -> None:
    for used, fresh in zip(every_painter(), every_painter(), strict=True):
        for scene, t in shown:
            used.frame(scene, t - 0.3)
            used.frame(scene, t)
        scene, t = shown[-1]
        assert used.frame(scene, t) == fresh.frame(scene, t)


@given(scene=scenes(), times=st.tuples(st.floats(0, 1e3), st.floats(0, 1e3)))
@settings(deadline=None)
def test_a_scene_that_does_not_animate_has_one_frame(
    scene: Scene, times: tuple[float, float]
) -> None:
    if not animates(scene):
        for paint in every_painter():
            assert paint.frame(scene, times[0]) == paint.frame(scene, times[1])


@given(scene=scenes())
@settings(deadline=None)
def test_in_the_player_phase_only_the_pixels_of_fire_move(scene: Scene) -> None:
    lights = tuple(light for light in scene.rooms if light.meaning is not Meaning.FIRE)
    still = Scene(Mood.PLAYER, lights, scene.pointer, scene.alarm, scene.countdown)
    for paint in every_painter():
        assert len({paint.frame(still, t) for t in (0.0, 0.4, 1.1, 2.3)}) == 1


FULL = Scene(
    Mood.EVENT,
    rooms=(
        RoomLight("002", Meaning.FIRE),
        RoomLight("003", Meaning.FIRE),
        RoomLight("004", Meaning.CONTAMINATION, 3),
        RoomLight("005", Meaning.CONTAMINATION, 1),
    ),
    pointer=("001", "005"),
    alarm=True,
    countdown=3,
)


@given(scene=scenes())
@example(FULL)
@example(Scene(Mood.LOBBY, alarm=True))
@example(Scene(Mood.EVENT, rooms=tuple(RoomLight(r, Meaning.SPREAD) for r in ROOMS)))
@example(Scene(Mood.EVENT, pointer=("003",), alarm=True))
@settings(max_examples=15, deadline=None)
def test_no_pixel_flashes_more_than_three_times_a_second(scene: Scene) -> None:
    if not animates(scene):
        return
    for paint in every_painter():
        frames = [paint.frame(scene, i / RATE) for i in range(4 * RATE)]
        for pixel in range(paint.count):
            light = [sum(frame[pixel]) / 765 for frame in frames]
            assert most_in_a_second(light) <= 3


@pytest.mark.slow
@given(scene=scenes())
@settings(max_examples=300, deadline=None)
def test_no_pixel_flashes_in_many_scenes(scene: Scene) -> None:
    test_no_pixel_flashes_more_than_three_times_a_second.hypothesis.inner_test(scene)
