from __future__ import annotations

import pytest

pytest.importorskip("cv2", reason="needs the vision extra")

from companion.game.board import Board
from companion.library import load_content
from vision.kit import Kit, build_kit
from vision.layout import Cardboard
from vision.read import Reader


@pytest.fixture(scope="session")
def board() -> Board:
    return load_content().boards["nemesis/basic"]


@pytest.fixture(scope="session")
def kit() -> Kit:
    return build_kit()


@pytest.fixture(scope="session")
def reader(board: Board, kit: Kit) -> Reader:
    return Reader(board, kit)


@pytest.fixture
def full_table(board: Board, kit: Kit) -> Cardboard:
    """Every figure of the kit on the board, five characters together in the start room."""
    table = Cardboard(board, kit)
    minis = [m.piece for m in kit.pieces if m.form == "mini"]
    rooms = sorted(board.rooms)
    for number, piece in enumerate(minis):
        table.move(piece, board.start_room if number < 5 else rooms[number % len(rooms)])
    return table
