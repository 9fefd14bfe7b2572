from __future__ import annotations

import pytest

from companion.game.board import Board

from .boards import small_board


@pytest.fixture
def board() -> Board:
    return small_board()
