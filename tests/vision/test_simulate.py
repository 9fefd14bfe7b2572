from __future__ import annotations

import threading

import cv2
import numpy as np
import pytest

from companion.game.board import Board
from companion.game.errors import BadInput
from vision.kit import Kit, build_kit
from vision.layout import Cardboard
from vision.read import Reader
from vision.render import Renderer, View
from vision.simulate import SimulatedTable

SMALL = View((1920, 1080))


def test_pieces_of_one_room_lie_side_by_side(board: Board, kit: Kit) -> None:
    table = Cardboard(board, kit)
    crowd = ["captain", "pilot", "scientist", "scout", "soldier", "laika"]
    for piece in crowd:
        table.move(piece, "011")
    laid = table.snapshot().laid
    for n, a in enumerate(laid):
        for b in laid[:n]:
            assert np.hypot(a.x - b.x, a.y - b.y) > 15
    reader = Reader(board, kit)
    read = reader.read(Renderer(board, kit, SMALL).render(table.snapshot()))
    assert {p.piece: p.room for p in read.pieces} == dict.fromkeys(crowd, "011")


@pytest.mark.parametrize("species", ["void_seeders", "carnomorphs"])
def test_the_miniatures_of_an_expansion_are_read_where_they_stand(
    board: Board, species: str
) -> None:
    kit = build_kit(species=species, characters=())
    table = Cardboard(board, kit)
    minis = [m.piece for m in kit.pieces if "#" in m.piece]
    places = dict(zip(minis, sorted(board.rooms), strict=False))
    for piece, room in places.items():
        table.move(piece, room)
    read = Reader(board, kit).read(
        Renderer(board, kit, View((2304, 1296))).render(table.snapshot())
    )
    assert {p.piece: p.room for p in read.pieces} == places


def test_what_is_not_there_is_refused(board: Board, kit: Kit) -> None:
    table = Cardboard(board, kit)
    for piece, to, code in (
        ("nobody", "011", "vision.unknown_piece"),
        ("captain", "099", "vision.unknown_room"),
        ("captain", (5.0, 0.5), "vision.off_table"),
        ("captain", (0.5,), "vision.off_table"),
        ("captain", (float("nan"), 0.5), "vision.off_table"),
    ):
        with pytest.raises(BadInput) as bad:
            table.move(piece, to)
        assert bad.value.code == code
    assert table.pieces() == {}
    assert table.remove("captain") is False
    table.move("captain", "011")
    assert table.remove("captain") is True


def test_many_hands_move_at_once(board: Board, kit: Kit) -> None:
    table = Cardboard(board, kit)
    pieces = [m.piece for m in kit.pieces if m.form == "mini"]
    rooms = sorted(board.rooms)

    def play(share: list[str]) -> None:
        for turn in range(6):
            for piece in share:
                table.move(piece, rooms[(turn * 5 + len(piece)) % len(rooms)])
                table.pieces()

    threads = [threading.Thread(target=play, args=(pieces[n::4],)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(table.pieces()) == set(pieces)
    assert table.snapshot().version == 6 * len(pieces)


def test_the_simulated_table_is_a_camera(board: Board, kit: Kit) -> None:
    table = SimulatedTable(board, kit, SMALL, clock=lambda: 7.0)
    table.open()
    table.move("adult#1", "006")
    table.tokens(fire=["006", "nowhere"], noise=["005-010"], doors={"001-003": "closed"})
    first, second = table.frame(), table.frame()
    assert first.at == 7.0
    assert first.grey.shape == (1080, 1920)
    assert (first.grey != second.grey).any(), "the sensor's noise is fresh"
    reading = Reader(board, kit).read(first.grey)
    assert [(p.piece, p.room) for p in reading.pieces] == [("adult#1", "006")]
    table.remove("adult#1")
    assert Reader(board, kit).read(table.frame().grey).pieces == ()
    table.close()


def test_figures_and_hands_really_cover(board: Board, kit: Kit) -> None:
    table = Cardboard(board, kit)
    x, y = table.move("captain", "013")
    table.hand((x, y))
    renderer = Renderer(board, kit, SMALL)
    assert Reader(board, kit).read(renderer.render(table.snapshot())).pieces == ()
    table.hand(None)
    assert len(Reader(board, kit).read(renderer.render(table.snapshot())).pieces) == 1


def test_the_browser_sees_only_the_board(board: Board, kit: Kit) -> None:
    table = SimulatedTable(board, kit, SMALL)
    table.move("captain", "011")
    png = table.render_plan(480)
    assert len(png) < 120_000
    picture = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_GRAYSCALE)
    assert picture.shape[1] == 480
    outline = Renderer(board, kit, SMALL).outline() * 480 / 1920
    outside = np.full(picture.shape, 255, np.uint8)
    grown = outline + np.sign(outline - outline.mean(axis=0)) * 2
    cv2.fillPoly(outside, [np.round(grown).astype(np.int32)], 0)
    assert picture[outside > 0].max() == 0
    assert picture.max() > 100
