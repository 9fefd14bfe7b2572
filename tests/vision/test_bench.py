"""What ``companion bench vision`` counts; the whole of it runs by hand and takes minutes."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import pytest

from companion import bench
from companion.bench import pictures, vision
from companion.game import BadInput
from companion.library import load_content
from companion.locale import words
from vision.box import box_kit
from vision.layout import Cardboard
from vision.read import Reader
from vision.render import Renderer, View

SMALL = (1920, 1080)


def test_a_tally_counts_what_is_read_missed_and_false(tmp_path: Path) -> None:
    content = load_content()
    board = content.board(None)
    kit = box_kit(content, board)
    table = Cardboard(board, kit)
    table.move("captain", "011")
    table.move("adult#1", "006")
    table.move("scout", (0.7, 0.75))
    renderer = Renderer(board, kit, View(SMALL))
    cv2.imwrite(str(tmp_path / "one.png"), renderer.render(table.snapshot()))
    at, ids = table.pieces(), {p.piece: p.id for p in kit.pieces}

    def told(piece: str, room: str, visible: float = 1.0) -> dict[str, object]:
        return {"id": ids[piece], "room": room, "xy": at[piece], "visible": visible}

    away = {**told("scout", "010"), "xy": [0.1, 0.1]}  # it is not there: what is read is false
    hidden = {"id": ids["medic"], "room": "004", "xy": [0.3, 0.3], "visible": 0.5}
    missing = {**hidden, "id": ids["pilot"], "visible": 0.99}
    truth = [told("captain", "011"), told("adult#1", "007"), away, hidden, missing]
    (tmp_path / "one.json").write_text(json.dumps({"difficulty": "normal", "pieces": truth}))
    (picture,) = pictures.in_folder(tmp_path)
    tally = vision.Tally()
    tally.add(picture, Reader(board, kit), vision.Defaults(kit))
    assert (picture.size, picture.difficulty) == (SMALL, "normal")
    assert (tally.wanted, tally.read, tally.false) == (4, 2, 1)
    assert (tally.placed, tally.right) == (2, 1), "the adult is in another room than told"
    assert tally.ratios[0] > 0


def test_what_is_hidden_counts_as_hidden() -> None:
    content = load_content()
    board = content.board(None)
    table = Cardboard(board, pictures.small(box_kit(content, board)))
    table.move("captain", (0.3, 0.4))
    renderer = Renderer(board, table.kit, View(SMALL))
    assert renderer.visible(table.snapshot())["captain"] > vision.CLEAR
    table.hand((0.3, 0.4))
    assert renderer.visible(table.snapshot())["captain"] < 0.3


@pytest.mark.parametrize("told", [None, "nothing", '{"pieces": [{"id": 8}]}'])
def test_pictures_without_truth_are_refused(tmp_path: Path, told: str | None) -> None:
    (tmp_path / "one.png").write_bytes(b"")
    if told is not None:
        (tmp_path / "one.json").write_text(told)
    with pytest.raises(BadInput) as wrong:
        bench.run(["vision"], words("en"), pictures=tmp_path)
    assert wrong.value.key.startswith("bad.bench_")
    assert str(tmp_path) in words("en").say(wrong.value.key, wrong.value.params)


def test_bare_tables_are_read_as_bare() -> None:
    content = load_content()
    board = content.board(None)
    kit = box_kit(content, board)
    reader = Reader(board, kit)
    assert vision.count_on_bare_tables(board, kit, reader, 2) == 0
    scraps = vision.bare_table(board, kit, 373)  # one of 11 px, much like a marker when shrunk
    assert reader.read(scraps).pieces == ()
    assert reader.read(vision.bare_table(board, kit, 1)).registration.ok
    assert not reader.read(vision.bare_table(board, kit, 3)).registration.ok


def test_nothing_is_called_good_before_the_pictures_are_there(tmp_path: Path) -> None:
    with pytest.raises(BadInput):
        next(iter(vision.run(words("en"), tmp_path / "none")))
