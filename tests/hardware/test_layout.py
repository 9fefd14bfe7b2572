from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.game.board import Board
from hardware.layout import SIDES, Corner, Side, edge_layout, screen_layout


def test_even_pixels_follow_the_lengths_of_the_sides() -> None:
    layout = edge_layout(50, 1.5)
    assert {s: len(p) for s, p in layout.by_side.items()} == {
        Side.TOP: 15,
        Side.RIGHT: 10,
        Side.BOTTOM: 15,
        Side.LEFT: 10,
    }


@given(
    pixels=st.integers(1, 120),
    aspect=st.floats(0.5, 3.0),
    corner=st.sampled_from(Corner),
    clockwise=st.booleans(),
)
@settings(deadline=None)
def test_the_strip_runs_once_round_from_its_corner(
    pixels: int, aspect: float, corner: Corner, clockwise: bool
) -> None:
    layout = edge_layout(pixels, aspect, corner=corner, clockwise=clockwise)
    assert layout.count == pixels
    assert sorted(i for side in SIDES for i in layout.by_side[side]) == list(range(pixels))
    start = {
        Corner.TOP_LEFT: layout.place(Side.TOP, 0.0),
        Corner.TOP_RIGHT: layout.place(Side.RIGHT, 0.0),
        Corner.BOTTOM_RIGHT: layout.place(Side.BOTTOM, 1.0),
        Corner.BOTTOM_LEFT: layout.place(Side.LEFT, 1.0),
    }[corner]
    way = 1 if clockwise else -1
    for i, place in enumerate(layout.round):
        assert (way * (place - start)) % 1.0 == pytest.approx((i + 0.5) / pixels)


@pytest.mark.parametrize(
    ("corner", "clockwise", "first", "second"),
    [
        (Corner.TOP_LEFT, True, Side.TOP, Side.RIGHT),
        (Corner.TOP_LEFT, False, Side.LEFT, Side.BOTTOM),
        (Corner.BOTTOM_RIGHT, True, Side.BOTTOM, Side.LEFT),
        (Corner.BOTTOM_LEFT, False, Side.BOTTOM, Side.RIGHT),
    ],
)
def test_known_corners_give_each_side_its_count(
    corner: Corner, clockwise: bool, first: Side, second: Side
) -> None:
    layout = edge_layout(10, 1.5, corner=corner, clockwise=clockwise, sides=(4, 1, 3, 2))
    assert [p.side for p in layout.pixels[:5]] == [first] * 4 + [second]


def test_places_lie_on_their_side() -> None:
    for pixel in edge_layout(40, 1.4).pixels:
        assert {Side.TOP: pixel.y == 0, Side.BOTTOM: pixel.y == 1}.get(pixel.side, True)
        assert {Side.LEFT: pixel.x == 0, Side.RIGHT: pixel.x == 1}.get(pixel.side, True)
        assert 0.0 < pixel.along < 1.0


def test_sides_must_add_up() -> None:
    with pytest.raises(ValueError, match="add up to 10"):
        edge_layout(10, 1.5, sides=(4, 1, 3, 3))


def test_a_screen_has_the_edge_and_a_pixel_a_room(board: Board) -> None:
    layout = screen_layout(board, 30)
    assert layout.count == 30 + len(board.rooms)
    assert layout.rooms.rooms["001"] == (0,)
