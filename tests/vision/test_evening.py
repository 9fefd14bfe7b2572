"""What happens in a living room: nothing leaves that did not, and what left is seen gone."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from companion.game.board import Board
from tests.vision.stage import SMALL, Evening, sleeve
from vision.kit import Kit

PIECES = {"captain": "013", "adult#1": "006", "queen#1": "016", "larva#1": "003", "scout": "011"}


@pytest.fixture
def evening(board: Board, kit: Kit) -> Evening:
    """Five figures stand from the start: the camera never saw the board under them."""
    evening = Evening(board, kit, shadow=0.4)
    for piece, room in PIECES.items():
        evening.table.move(piece, room)
    evening.run(1.2)
    assert evening.rooms == PIECES
    return evening


def place(evening: Evening, piece: str) -> tuple[float, float]:
    (x, y), (width, height) = evening.table.pieces()[piece], evening.table.kit.board_mm
    return x * width, y * height


def test_what_stood_there_from_the_start_and_is_taken_is_seen_gone(evening: Evening) -> None:
    for piece in ("adult#1", "queen#1"):
        evening.table.remove(piece)
    evening.run(4.4)
    assert set(evening.gone) == {"adult#1", "queen#1"}
    assert set(evening.rooms) == PIECES.keys() - {"adult#1", "queen#1"}


@pytest.mark.parametrize("wide", [70.0, pytest.param(190.0, marks=pytest.mark.slow)])
def test_a_sleeve_takes_nothing_away(evening: Evening, wide: float) -> None:
    x, y = place(evening, "scout")
    evening.stage.things.append(sleeve((x, y - 30), wide))
    evening.run(6)
    assert evening.rooms == PIECES
    evening.stage.things.clear()
    evening.table.move("scout", "014")
    evening.run(1)
    assert evening.rooms == {**PIECES, "scout": "014"}
    assert evening.gone == ()


@pytest.mark.slow
def test_a_lamp_switched_off_takes_nothing_away(evening: Evening) -> None:
    def lamp(_stage: object, picture: np.ndarray) -> None:
        falling = np.linspace(0.75, 0.3, picture.shape[1])
        picture[:] = (picture * falling).astype(np.uint8)

    evening.stage.things.append(lamp)
    evening.run(5)
    evening.stage.things[:] = [lambda _stage, picture: picture.fill(3)]
    evening.run(2)
    assert evening.rooms == PIECES
    assert evening.gone == ()


@pytest.mark.parametrize(
    ("piece", "turn"),
    [("adult#1", 0.4), *(pytest.param(p, t, marks=pytest.mark.slow)
      for p in ("captain", "queen#1", "larva#1") for t in (1.2, 3.0, 5.1))],
)  # fmt: skip
def test_a_figure_that_fell_over_has_not_left(evening: Evening, piece: str, turn: float) -> None:
    evening.stage.fallen[piece] = turn
    evening.run(5)
    assert evening.rooms == PIECES
    assert evening.gone == ()
    if piece == "adult#1":
        evening.stage.fallen.clear()
        evening.table.remove(piece)
        evening.run(4.4)
        assert evening.gone == (piece,)


@pytest.mark.slow
def test_a_figure_that_fell_where_the_bare_board_is_known_has_not_left(
    board: Board, kit: Kit
) -> None:
    evening = Evening(board, kit)
    evening.run(1)
    evening.stage.things.append(lambda stage, picture: stage.block(picture, 60, 60, 2, 9, 180))
    evening.run(1)  # read twice: the board is known
    evening.table.move("adult#1", "006")
    evening.run(1.2)
    evening.stage.fallen["adult#1"] = 2.0
    evening.run(5)
    assert evening.rooms == {"adult#1": "006"}
    evening.stage.fallen.clear()
    evening.table.remove("adult#1")
    evening.run(4.4)
    assert evening.gone == ("adult#1",)


def test_all_tongues_of_a_crowded_room_covered(board: Board, kit: Kit) -> None:
    """Five tongued figures in one room: settled without a question, and they stay when each
    tongue is covered by something of its own."""
    people = ["captain", "pilot", "scientist", "scout", "soldier"]
    evening = Evening(board, kit)
    for piece in people:
        evening.table.move(piece, board.start_room)
    evening.run(3)
    stand = dict.fromkeys(people, board.start_room)
    assert evening.rooms == stand
    told = len(evening.told)
    spots = [(p.x, p.y) for p in evening.table.snapshot().laid]
    for x, y in spots:
        evening.stage.things.append(
            lambda stage, picture, x=x, y=y: stage.block(picture, x, y, 2.0, 10.0, 150)  # type: ignore[misc]
        )
    evening.run(6)
    assert len(evening.told) > told
    for sighting in evening.told:
        assert all(stand[p.piece] == p.room for p in sighting.pieces)
        assert sighting.gone == sighting.duplicates == ()
    assert evening.rooms == stand


def test_two_pieces_of_one_number_are_told_and_none_moves(evening: Evening, kit: Kit) -> None:
    adult = kit.piece_by_name["adult#1"]
    twin = dataclasses.replace(kit.piece_by_name["adult#2"], id=adult.id)
    x, y = (room := evening.table.board.rooms["014"]).x, room.y
    laid = evening.table.snapshot()
    width, height = kit.board_mm
    again = dataclasses.replace(laid.laid[0], marker=twin, x=x * width, y=y * height)
    both = dataclasses.replace(laid, laid=(*laid.laid, again), version=laid.version + 1)
    evening.table.snapshot = lambda: both  # type: ignore[method-assign]
    evening.run(2)
    assert evening.told[-1].duplicates == ("adult#1",)
    assert evening.rooms == PIECES


@pytest.mark.parametrize(
    "knocked",
    [
        dataclasses.replace(SMALL, tilt=SMALL.tilt + 0.29),  # 5 mm to one side, 1 m up
        pytest.param(dataclasses.replace(SMALL, roll=SMALL.roll + 1), marks=pytest.mark.slow),
    ],
)
def test_a_knock_beside_figures_never_seen_bare_takes_nothing_away(
    evening: Evening, board: Board, kit: Kit, knocked: object
) -> None:
    told = len(evening.told)
    other = Evening(board, kit, knocked, shadow=0.4)  # type: ignore[arg-type]
    evening.stage = other.stage
    evening.run(4)
    assert len(evening.told) > told
    for sighting in evening.told[told:]:
        assert {p.piece: p.room for p in sighting.pieces} == PIECES
        assert sighting.gone == ()
    assert evening.told[told:][:2][-1].registration.ok, "it recovers within two readings"
