"""The drawn board: everything on it, inside it, for both ways of holding a phone."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from companion.library import load_content
from web.map import drawing
from web.qr import code

BOARDS = sorted(load_content().boards)


@pytest.mark.parametrize("upright", [False, True])
@pytest.mark.parametrize("board_id", BOARDS)
def test_rooms_corridors_and_spaces_are_drawn_once_and_inside(board_id: str, upright: bool) -> None:
    board = load_content().boards[board_id]
    root = ElementTree.fromstring(drawing(board, upright=upright))
    ids = [e.get("id") for e in root.iter() if e.get("id")]
    assert len(ids) == len(set(ids))
    assert {i for i in ids if i and i.startswith("room-")} == {f"room-{r}" for r in board.rooms}
    assert {i for i in ids if i and i.startswith("corridor-")} == {
        f"corridor-{c}" for c in board.corridors
    }
    assert {i for i in ids if i and i.startswith("space-")} == {f"space-{s}" for s in board.spaces}
    left, top, width, height = map(float, (root.get("viewBox") or "").split())
    assert (height > width) == upright
    for part in root.iter():
        if part.get("data-r"):
            x, y, r = (float(part.get(f"data-{k}") or 0) for k in "xyr")
            assert left <= x - r
            assert x + r <= left + width
            assert top <= y - r
            assert y + r <= top + height


def test_a_corridor_knows_its_rooms_and_numbers() -> None:
    board = load_content().boards["nemesis/basic"]
    root = ElementTree.fromstring(drawing(board))
    part = next(e for e in root.iter() if e.get("id") == "corridor-001-003")
    assert part.get("data-rooms") == "001 003"
    assert part.get("data-numbers") == "1 2"


def test_codes_are_dark_on_light() -> None:
    drawn = code("http://192.168.1.5:8080/join#token", "Seat 1")
    assert "#d9d5c8" in drawn
    assert "#0b0d10" in drawn
    assert "<title>Seat 1</title>" in drawn
    assert "token" not in drawn
