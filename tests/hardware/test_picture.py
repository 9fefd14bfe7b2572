from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from companion.game.board import Board
from companion.table.ports import Meaning, Mood, RoomLight, Scene
from hardware.frame import painter
from hardware.layout import Layout, RoomLayout, edge_layout, screen_layout
from hardware.picture import picture

SVG = "{http://www.w3.org/2000/svg}"
SCENE = Scene(Mood.EVENT, rooms=(RoomLight("002", Meaning.FIRE),), pointer=("001", "005"))


def drawn(board: Board, layout: Layout, scene: Scene = SCENE, **words: object) -> ET.Element:
    frame = painter(board, layout).frame(scene, 0.0)
    return ET.fromstring(picture(board, scene, frame, layout, **words))  # type: ignore[arg-type]


def test_every_pixel_is_drawn_in_its_colour_round_the_board(board: Board) -> None:
    layout = edge_layout(30, board.aspect)
    frame = painter(board, layout).frame(SCENE, 0.0)
    dots = {int(c.get("data-pixel", "-1")): c for c in drawn(board, layout).iter(f"{SVG}circle")}
    for i, colour in enumerate(frame):
        assert dots[i].get("fill") == "#{:02x}{:02x}{:02x}".format(*colour)
    box = drawn(board, layout).findall(f"{SVG}rect")[1]
    left, width = float(box.get("x", "")), float(box.get("width", ""))
    for i, pixel in enumerate(layout.pixels):
        x = float(dots[i].get("cx", ""))
        if pixel.x in (0.0, 1.0):
            assert not left <= x <= left + width
        else:
            assert x == pytest.approx(left + pixel.x * width, abs=0.06)


def test_a_screen_shows_edge_and_rooms(board: Board) -> None:
    tree = drawn(board, screen_layout(board, 20), replace(SCENE, rooms=()), width=800)
    assert len([c for c in tree.iter(f"{SVG}circle") if c.get("data-pixel")]) == 20
    rooms = {c.get("data-room"): c for c in tree.iter(f"{SVG}circle") if c.get("data-room")}
    assert set(rooms) == set(board.rooms)
    assert rooms["005"].get("stroke") != rooms["003"].get("stroke")
    assert len(tree.findall(f"{SVG}polyline")) == len(board.corridors)
    assert tree.get("width") == "800"


def test_two_lines_of_light_cross_over_each_room_pointed_at(board: Board) -> None:
    layout = edge_layout(30, board.aspect)
    assert len(drawn(board, layout).findall(f"{SVG}path")) == 4
    assert not drawn(board, layout, Scene(Mood.PLAYER)).findall(f"{SVG}path")
    assert not drawn(board, RoomLayout({"001": (0,)}, 1)).findall(f"{SVG}path")


def test_there_are_no_words_but_the_labels_given(board: Board) -> None:
    layout = screen_layout(board)
    assert not list(drawn(board, layout).iter(f"{SVG}text"))
    labels = {"001": "<b>&\"'", "002": "Nid d’intrus"}
    texts = [t.text for t in drawn(board, layout, labels=labels).iter(f"{SVG}text")]
    assert texts == list(labels.values())


def test_a_frame_of_another_strip_is_refused(board: Board) -> None:
    with pytest.raises(ValueError, match="3 pixels for a layout of 30"):
        picture(board, SCENE, ((0, 0, 0),) * 3, edge_layout(30, board.aspect))
