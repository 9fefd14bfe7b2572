"""The sheet as a printer sees it: pdftoppm at a known resolution, then measured."""

from __future__ import annotations

import dataclasses
import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.cli import main
from companion.game.board import Board
from vision.detect import Detector, Mark
from vision.kit import SHEET_IDS, Kit, build_kit
from vision.pdf import PAPER_MM
from vision.read import read_image
from vision.sheet import BAR_MM, rgb, sheet_pdf

DPI = 200
MM = 25.4 / DPI

pytestmark = pytest.mark.skipif(shutil.which("pdftoppm") is None, reason="needs poppler-utils")


def words(key: str, params: Any) -> str:
    return " ".join([key, *(str(v) for v in params.values())])


def pages(
    kit: Kit, folder: Path, paper: str, copies: dict[str, int] | None = None
) -> list[np.ndarray]:
    data = sheet_pdf(
        kit,
        say=words,
        name=lambda p: p.title(),
        paper=paper,
        colours={"captain": "blue"},
        copies=copies,
    )
    (folder / "kit.pdf").write_bytes(data)
    subprocess.run(
        ["pdftoppm", "-r", str(DPI), "-gray", "-png", "kit.pdf", "page"], cwd=folder, check=True
    )
    return [cv2.imread(str(p), 0) for p in sorted(folder.glob("page-*.png"))]


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_every_marker_is_printed_once_in_its_true_size(
    kit: Kit, tmp_path: Path, paper: str
) -> None:
    width, height = PAPER_MM[paper]
    found: dict[int, Mark] = {}
    for page in pages(kit, tmp_path, paper):
        assert abs(page.shape[1] * MM - width) < 0.3
        assert abs(page.shape[0] * MM - height) < 0.3
        ink = np.argwhere(page < 200) * MM
        assert ink.min() > 9
        assert ink[:, 0].max() < height - 9
        assert ink[:, 1].max() < width - 9
        marks = Detector().detect(page)
        assert {m.id for m in marks} >= set(SHEET_IDS[paper]), "every page has its bar"
        ends = [next(m for m in marks if m.id == i).centre for i in SHEET_IDS[paper]]
        assert np.linalg.norm(ends[1] - ends[0]) * MM == pytest.approx(BAR_MM, abs=0.15)
        for mark in marks:
            if mark.id not in SHEET_IDS[paper]:
                assert mark.id not in found
                found[mark.id] = mark
    for marker in (*kit.fixed, *kit.pieces):
        assert found[marker.id].side * MM == pytest.approx(marker.size_mm, abs=0.25)
    assert set(found) == {m.id for m in (*kit.fixed, *kit.pieces)}


def test_tokens_that_are_alike_are_printed_as_often_as_the_box_holds_them(tmp_path: Path) -> None:
    kit = dataclasses.replace(build_kit(kits=(3,)), fixed=())
    copies = {"fire": 8, "malfunction": 8, "door": 12, "door_destroyed": 12}
    found: list[Mark] = []
    for page in pages(kit, tmp_path, "letter", copies):
        found += [m for m in Detector().detect(page) if m.id not in SHEET_IDS["letter"]]
    ids = {m.piece: m.id for m in kit.pieces}
    assert Counter(m.id for m in found) == {ids[piece]: n for piece, n in copies.items()}
    assert all(m.side * MM == pytest.approx(12.0, abs=0.25) for m in found)


def test_frame_cards_laid_at_the_board_stand_where_the_kit_says(kit: Kit, tmp_path: Path) -> None:
    """Cut out, turned with the flap under the board, the corner card's end at the corner."""
    first = pages(dataclasses.replace(kit, pieces=()), tmp_path, "a4")[0]
    marks = {m.id: m for m in Detector().detect(first)}
    for marker in kit.fixed:
        x, y = marker.xy_mm
        height = kit.board_mm[1]
        # Clockwise quarter turns a card makes when it is laid at its edge.
        turn = 0 if y > height else 1 if x < 0 else 2 if y < 0 else 3
        corners = marks[marker.id].corners
        up = corners[0] - corners[3]
        angle = np.degrees(np.arctan2(up[0], -up[1])) + 90 * turn
        assert abs((angle + 180) % 360 - 180) < 1, "the pattern stands upright on the board"


@pytest.mark.parametrize("scale", [1.0, 0.97, 1.02])
def test_a_photo_of_the_sheet_tells_what_the_printer_did(
    board: Board, kit: Kit, tmp_path: Path, scale: float
) -> None:
    page = pages(kit, tmp_path, "a4")[0]
    h, w = page.shape
    shrink = np.array([[scale, 0, w * (1 - scale) / 2], [0, scale, h * (1 - scale) / 2]])
    printed = cv2.warpAffine(page, shrink, (w, h), borderValue=255, flags=cv2.INTER_AREA)
    paper = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32) - 0.5
    photo_at = np.array([[380, 160], [1500, 190], [1650, 1700], [300, 1740]], np.float32)
    photo = cv2.warpPerspective(
        printed, cv2.getPerspectiveTransform(paper, photo_at), (2000, 1900), borderValue=60
    )
    photo = cv2.rotate(cv2.GaussianBlur(photo, (0, 0), 0.8), cv2.ROTATE_90_CLOCKWISE)
    answer = read_image(photo, board, kit)
    assert not answer["registration"]["ok"]
    assert answer["pieces"] == []
    assert answer["print_scale"]["scale"] == pytest.approx(scale, abs=0.004)
    assert answer["print_scale"]["ok"] is (scale == 1.0)


@pytest.mark.parametrize(("across", "down"), [(1.0, 1.0), (1.0, 0.97), (0.97, 1.0)])
def test_the_reader_says_in_words_how_true_the_sheet_is_both_ways(
    across: float,
    down: float,
    kit: Kit,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    page = pages(kit, tmp_path, "a4")[0]
    h, w = page.shape
    squeeze = np.array([[across, 0, w * (1 - across) / 2], [0, down, h * (1 - down) / 2]])
    printed = cv2.warpAffine(page, squeeze, (w, h), borderValue=255, flags=cv2.INTER_AREA)
    photo = cv2.copyMakeBorder(printed, 90, 90, 90, 90, cv2.BORDER_CONSTANT, value=60)
    cv2.imwrite(str(tmp_path / "photo.png"), cv2.GaussianBlur(photo, (0, 0), 0.8))
    good = across == down == 1.0
    assert main(["read", str(tmp_path / "photo.png")]) == (0 if good else 1)
    out, err = capsys.readouterr()
    assert ("Good to use" in out, "Print again" in out) == (good, not good)
    across_said, down_said = (float(share) for share in re.findall(r"([\d.]+)%", out))
    assert across_said == pytest.approx(100 * across, abs=0.5)
    assert down_said == pytest.approx(100 * down, abs=1)
    assert err == ""


def test_a_cut_off_sheet_has_no_scale(board: Board, kit: Kit, tmp_path: Path) -> None:
    page = pages(kit, tmp_path, "a4")[0]
    assert "print_scale" not in read_image(page[300:], board, kit)


def test_colours() -> None:
    assert rgb("#ff0000") == (1.0, 0.0, 0.0)
    assert rgb("red")[0] > rgb("red")[1]
    assert rgb("nonsense") == rgb("#zzzzzz")
