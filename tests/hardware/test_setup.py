from __future__ import annotations

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.game.board import Board
from companion.game.errors import BadInput
from companion.settings import Builder
from hardware.layout import CORNERS, EdgeLayout, RoomLayout, Side, corner_layout, edge_layout
from hardware.meanings import BLACK
from hardware.settings import Build, Driver, LightSettings
from hardware.setup import Kind, config, following, picture, replaced, taken, toml, trial

from .boards import ROOMS

EDGE = {
    "build": "edge",
    "driver": "apa102",
    "pixels": 40,
    "supply_ma": 1500,
    "corner_top_left": 30,
    "corner_top_right": 2,
    "corner_bottom_right": 10,
    "corner_bottom_left": 22,
    "hidden": "10, 11",
    "seat_one": "left",
}


def course(board: Board, said: dict[str, Any]) -> dict[str, Any]:
    """Answer every question that comes with what is said, or with what is usual."""
    answers: dict[str, Any] = {}
    while (question := following(board, answers)) is not None:
        answers[question.name] = taken(question, said.get(question.name, question.usual))
    return answers


def settings_of(answers: dict[str, Any]) -> LightSettings:
    """Through the text and back, as the program reads it."""
    raw = tomllib.loads(toml(config(answers)))["lights"]
    builder = Builder(lambda key: key)
    made = builder.build(LightSettings, raw, "lights.")
    assert builder.problems == []
    assert isinstance(made, LightSettings)
    return made


def test_the_build_is_asked_first_and_a_screen_needs_no_more(board: Board) -> None:
    first = following(board, {})
    assert first is not None
    assert (first.name, first.kind, set(first.options)) == ("build", Kind.CHOICE, set(Build))
    assert following(board, {"build": "screen"}) is None
    assert settings_of({"build": "screen"}).build is Build.SCREEN


def test_an_edge_is_mapped_by_its_corners(board: Board) -> None:
    answers = course(board, EDGE)
    made = settings_of(answers)
    assert (made.driver, made.pixels, made.supply_ma) == (Driver.APA102, 40, 1500)
    assert (made.corners, made.hidden, made.seat_one) == ((30, 2, 10, 22), (10, 11), Side.LEFT)
    layout = made.layout(board)
    assert isinstance(layout, EdgeLayout)
    assert [layout.pixels[i].side for i in (30, 39, 0, 1)] == [Side.TOP] * 4
    assert (layout.pixels[30].x, layout.pixels[30].y) == (0.0, 0.0)
    assert (layout.pixels[2].x, layout.pixels[2].y) == (1.0, 0.0)
    assert (layout.pixels[22].x, layout.pixels[22].y) == (0.0, 1.0)
    assert not {10, 11} & {i for own in layout.by_side.values() for i in own}


def test_a_single_light_is_put_right_after_the_corners(board: Board) -> None:
    said = {**EDGE, "elsewhere": "5", "side_5": "left", "along_5": 25}
    made = settings_of(course(board, said))
    layout = made.layout(board)
    assert isinstance(layout, EdgeLayout)
    assert (layout.pixels[5].side, layout.pixels[5].y) == (Side.LEFT, 0.25)
    assert layout.pixels[4].side is Side.RIGHT


def test_a_strip_the_other_way_round(board: Board) -> None:
    layout = corner_layout(40, 1.5, (0, 28, 20, 8))
    assert [layout.pixels[i].side for i in (4, 12, 24, 34)] == [
        Side.LEFT,
        Side.BOTTOM,
        Side.RIGHT,
        Side.TOP,
    ]
    assert layout.pixels[20].x == 1.0
    assert layout.pixels[20].y == 1.0
    assert layout.pixels[34].x == pytest.approx(0.5)


@given(start=st.integers(0, 59), turns=st.booleans())
def test_wherever_it_begins_the_pixels_lie_as_on_an_even_strip(start: int, turns: bool) -> None:
    even = edge_layout(60, 1.0, clockwise=turns)
    corners = [(start + n * 15) % 60 if turns else (start - n * 15) % 60 for n in range(4)]
    found = corner_layout(60, 1.0, corners)
    for i, pixel in enumerate(found.pixels):
        other = even.pixels[(i - start) % 60]
        assert pixel.side is other.side
        assert abs(pixel.along - other.along) < 0.034  # half a pixel


@pytest.mark.parametrize("corners", [(0, 20, 10, 30), (0, 0, 10, 20), (1, 2, 3), (0, 30, 10, 20)])
def test_corners_that_go_neither_way_are_refused(corners: tuple[int, ...]) -> None:
    with pytest.raises(BadInput) as caught:
        LightSettings(pixels=40, corners=corners)
    assert (caught.value.path, caught.value.code) == ("lights.corners", "lights.corners")


def test_single_pixels_are_put_right(board: Board) -> None:
    made = LightSettings(
        pixels=40, corners=(0, 12, 20, 32), places={"5": (Side.LEFT, 0.25)}, hidden=(7,)
    )
    layout = made.layout(board)
    assert isinstance(layout, EdgeLayout)
    assert (layout.pixels[5].side, layout.pixels[5].x, layout.pixels[5].y) == (Side.LEFT, 0.0, 0.25)
    for words in ({"x": (Side.TOP, 0.1)}, {"99": (Side.TOP, 0.1)}, {"5": (Side.TOP, 1.5)}):
        with pytest.raises(BadInput, match=r"lights\.places"):
            LightSettings(pixels=40, places=words)


def test_rooms_and_lamps_and_wled(board: Board) -> None:
    rooms = course(
        board, {"build": "rooms", "driver": "wled", "wled": "10.0.0.9", "room_003": "7 8"}
    )
    made = settings_of(rooms)
    assert (made.build, made.driver, made.wled) == (Build.ROOMS, Driver.WLED, "10.0.0.9")
    assert made.rooms["003"] == (7, 8)
    assert isinstance(made.layout(board), RoomLayout)
    assert set(made.rooms) == set(ROOMS)
    lamps = settings_of(course(board, {"build": "lamps", "lamp_mood": "17 27 22", "lamp_fire": 5}))
    assert (lamps.driver, lamps.lamps) == (Driver.LAMPS, {"mood": (17, 27, 22), "fire": (5,)})


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [
        ("build", "moon", "setting.choice"),
        ("pixels", "many", "setting.whole"),
        ("pixels", 3, "setting.whole"),
        ("pixels", True, "setting.whole"),
        ("corner_top_left", 40, "setting.whole"),
        ("hidden", "1 x", "setting.whole"),
        ("hidden", [True], "setting.whole"),
    ],
)
def test_a_wrong_answer_says_what_may_be_said(
    board: Board, name: str, value: Any, code: str
) -> None:
    answers: dict[str, Any] = {}
    while (question := following(board, answers)) is not None:
        if question.name == name:
            with pytest.raises(BadInput) as caught:
                taken(question, value)
            assert caught.value.code == code
            return
        answers[question.name] = taken(question, EDGE.get(question.name, question.usual))
    raise AssertionError(name)


def test_the_strip_shows_the_light_that_is_meant_and_then_the_sides(board: Board) -> None:
    answers = {k: v for k, v in EDGE.items() if k in ("build", "driver", "pixels", "supply_ma")}
    frame = picture(answers, (7,))
    assert [i for i, colour in enumerate(frame) if colour != BLACK] == [7]
    whole = picture(course(board, EDGE), ())
    assert whole[35] == whole[1] != whole[5] != whole[15] != whole[25]
    other = {**EDGE, "corner_top_left": 0, "corner_top_right": 28, "corner_bottom_left": 8}
    turned = picture({**other, "corner_bottom_right": 20}, ())
    assert turned[34] == whole[35]  # the top is white, whichever way the strip runs
    assert turned[4] == whole[25]


def test_it_is_only_lit_when_it_is_known_how() -> None:
    assert trial({"build": "edge", "driver": "apa102"}) is None
    ready = {"driver": "wled", "wled": "x.local", "pixels": 30, "supply_ma": 900}
    made = trial(ready)
    assert made is not None
    assert (made.driver, made.wled, made.pixels) == (Driver.WLED, "x.local", 30)
    assert trial({**ready, "driver": "simulated"}) is None


def test_only_the_lights_of_a_configuration_are_replaced() -> None:
    before = (
        "# mine\n[web]\nport = 81\n\n[lights]\nbuild = 'rooms'\n[lights.rooms]\n001 = [1]\n\n"
        "[buttons.pins]\nnext = 17\n"
    )
    after = replaced(before, {"build": "edge", "driver": "apa102", "corners": [1, 2, 3, 4]})
    assert after.startswith("# mine\n[web]\nport = 81\n")
    read = tomllib.loads(after)
    assert read["web"] == {"port": 81}
    assert read["buttons"] == {"pins": {"next": 17}}
    assert read["lights"] == {"build": "edge", "driver": "apa102", "corners": [1, 2, 3, 4]}
    assert tomllib.loads(replaced("", {"wled": 'a"b'})) == {"lights": {"wled": 'a"b'}}
    assert len(CORNERS) == 4
