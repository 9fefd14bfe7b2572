"""``companion calibrate``: the board and the lens are measured, kept, and read with."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("cv2", reason="needs the vision extra")

import cv2

from companion.app.profile import KeptLens, Profile
from companion.cli import main
from companion.library import load_content
from companion.table.folder import DataFolder
from vision.calibrate import LensCourse, SheetView
from vision.kit import build_kit
from vision.quality import Grade, quality
from vision.read import Reader
from vision.register import Lens
from vision.render import View
from vision.simulate import SimulatedTable
from vision.squaresheet import SQUARE_MM, SQUARES, square_sheet

BOARD = load_content().boards["nemesis/basic"]
TRUE_MM = (760.0, 520.0)
SIZE = (1600, 900)
SHEET_PX_MM = 5
Capsys = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def stills(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two pictures of a board that is not as wide as is assumed, and one of them upright."""
    folder = tmp_path_factory.mktemp("stills")
    for number, view in enumerate((View(SIZE), View(SIZE, tilt=18, azimuth=40, k=-0.06))):
        table = SimulatedTable(BOARD, build_kit(TRUE_MM), view)
        table.move("captain", "011")
        cv2.imwrite(str(folder / f"{number}.png"), table.frame().grey)
    return folder


@pytest.fixture(scope="module")
def sheets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sheet of squares in nine places, through a lens that bends."""
    folder = tmp_path_factory.mktemp("sheets")
    for number, picture in enumerate(_sheets(Lens((1280, 720), 0.11, 0.04))):
        cv2.imwrite(str(folder / f"{number}.png"), picture)
    return folder


def _sheets(lens: Lens) -> Iterator[np.ndarray]:
    width, height = (round(n * SQUARE_MM * SHEET_PX_MM) for n in SQUARES)
    sheet = square_sheet().generateImage((width, height), marginSize=0, borderBits=1)
    x, y = np.meshgrid(*(np.arange(n, dtype=float) for n in lens.size))
    straight = lens.straighten(np.stack([x, y], axis=-1).reshape(-1, 2)).astype(np.float32)
    where = straight.reshape(lens.size[1], lens.size[0], 2)
    for number in range(9):
        left, top = 40 + 400 * (number % 3), -60 + 180 * (number // 3)
        lean = 26 * (number % 3 - 1)
        at = np.array(
            [[left, top], [left + 300, top + lean], [left + 290, top + 440], [left - 20, top + 420]]
        )
        own = np.array([[0, 0], [width, 0], [width, height], [0, height]])
        to_view = cv2.getPerspectiveTransform(own.astype(np.float32), at.astype(np.float32))
        flat = cv2.warpPerspective(sheet, to_view, lens.size, borderValue=200, flags=cv2.INTER_AREA)
        seen = cv2.remap(flat, where, None, cv2.INTER_LINEAR, borderValue=200)
        yield cv2.GaussianBlur(seen, (0, 0), 0.7)


def run(*arguments: str, said: str = "", monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr("sys.stdin", io.StringIO(said))
    return main(list(arguments))


def test_the_board_is_measured_kept_and_read_with(
    stills: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = str(tmp_path / "data")
    assert run("calibrate", str(stills), "--data", data, said="\n", monkeypatch=monkeypatch) == 0
    assert "8 of 8" in capsys.readouterr().out
    kept = Profile(DataFolder(Path(data))).board_mm("nemesis/advanced")
    assert kept == pytest.approx(TRUE_MM, rel=0.01)
    monkeypatch.setenv("COMPANION_DATA", data)
    assert main(["markers", "list", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert (tuple(listed["board_mm"]), listed["board_measured"]) == (kept, True)
    assert main(["read", str(stills / "0.png"), "--json"]) == 0
    (read,) = json.loads(capsys.readouterr().out)
    assert [(p["piece"], p["room"]) for p in read["pieces"]] == [("captain", "011")]


def test_a_ruler_is_believed_and_what_the_camera_says_is_told(
    stills: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one = str(stills / "0.png")
    said = "nonsense\n800,547\n"
    assert run("calibrate", one, "--data", str(tmp_path), said=said, monkeypatch=monkeypatch) == 0
    out = capsys.readouterr().out
    assert Profile(DataFolder(tmp_path)).board_mm("nemesis/basic") == (800.0, 547.0)
    assert "measure again" in out


@pytest.mark.parametrize(
    ("arguments", "said", "kept"),
    [
        ([], "520,760\n", None),
        ([], "520,760\n520,760\n", (520.0, 760.0)),
        ([], "520,760\n\n", (760.0, 520.0)),
        (["--board-mm", "400,280", "--yes"], "", None),
    ],
)
def test_an_impossible_size_is_kept_only_when_it_is_typed_twice(
    arguments: list[str],
    said: str,
    kept: tuple[float, float] | None,
    stills: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    command = ("calibrate", str(stills / "0.png"), "--data", str(tmp_path), *arguments)
    assert run(*command, said=said, monkeypatch=monkeypatch) == (0 if kept else 1)
    told = capsys.readouterr()
    assert ("swapped" if said else "measure again") in told.out + told.err
    size = Profile(DataFolder(tmp_path)).board_mm("nemesis/basic")
    assert size == (pytest.approx(kept, rel=0.01) if kept else None)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["{empty}"], 1),  # no frame in it
        (["{still}"], 1),  # nobody answers
        (["{still}", "--lens", "--yes"], 1),  # no sheet in it
        (["{empty}/none"], 3),
        (["{still}", "--board-mm", "8"], 2),
        (["{still}", "--board", "moon"], 2),
    ],
)
def test_nothing_is_kept_of_what_was_not_seen(
    arguments: list[str], code: int, stills: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty = tmp_path / "empty.png"
    cv2.imwrite(str(empty), np.full((200, 300), 90, np.uint8))
    told = [a.format(empty=empty, still=stills / "0.png") for a in arguments]
    data = tmp_path / "data"
    assert run("calibrate", *told, "--data", str(data), monkeypatch=monkeypatch) == code
    assert not list(data.glob("profiles/*"))


def test_a_lens_is_kept_when_it_gains_and_only_for_its_camera(
    sheets: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given = ("calibrate", str(sheets), "--lens", "--data", str(tmp_path))
    assert run(*given, said="\n", monkeypatch=monkeypatch) == 0
    assert "■■■ ■■■ ■■■" in capsys.readouterr().out
    kept = Profile(DataFolder(tmp_path)).lens()
    assert kept is not None
    assert kept.camera == f"folder:{sheets.name}"
    assert kept.lens.size == (1280, 720)
    assert kept.lens.k == pytest.approx(0.11, abs=0.03)
    assert kept.after_px < 0.5 * kept.before_px


def test_a_straight_lens_is_not_worth_keeping() -> None:
    """Corners of a flat sheet seen by a pinhole, with the noise of finding them."""
    random, size = np.random.default_rng(3), (1280, 720)
    mm = np.array([[22.0 * x, 22.0 * y] for x in range(6) for y in range(9)])
    course = LensCourse(live=False)
    for number in range(10):
        lean = random.normal(0, 2e-4, 2)
        flat = np.array([[2.4, 0.1, 300.0 * (number % 4)], [-0.1, 2.4, 180.0 * (number % 3)]])
        px = (mm @ flat[:, :2].T + flat[:, 2]) / (1 + mm @ lean)[:, None]
        seen = px + random.normal(0, 0.15, px.shape)
        course.add(SheetView(size, tuple(range(len(mm))), seen, mm))
    gain = course.result()
    assert gain is not None
    assert gain.before_px < 0.3
    assert not gain.worth


def test_a_hand_s_views_count_when_they_are_still_and_elsewhere() -> None:
    mm = np.array([[22.0 * x, 22.0 * y] for x in range(4) for y in range(4)])

    def at(x: float) -> SheetView:
        return SheetView((1000, 600), tuple(range(16)), mm + np.array([x, 50.0]), mm)

    course = LensCourse()
    taken = [course.add(view) for view in (at(0), at(40), at(41), None, at(500), at(500), at(505))]
    assert taken == [False, False, True, False, False, True, False]
    assert not course.enough


@pytest.mark.parametrize(
    ("view", "weak"),
    [
        (View(), set()),
        (View(blur=1.8), {"sharp"}),
        (View(light=45.0), {"light"}),
        (View(SIZE), {"modules", "sharp"}),
    ],
)
def test_what_is_wrong_with_a_picture_is_said(view: View, weak: set[str]) -> None:
    kit = build_kit()
    grey = SimulatedTable(BOARD, kit, view).frame().grey
    seen = quality(grey, Reader(BOARD, kit).read(grey, second_look=False), kit.board_mm)
    assert {name for name, grade in seen.grades.items() if grade is not Grade.GOOD} == weak


@pytest.mark.parametrize("text", ["", "[]", "{", '{"lens": {"size": [1, 2]}, "nemesis": {}}'])
def test_a_damaged_profile_is_none(text: str, tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    folder.create()
    for name in ("board.json", "camera.json"):
        (folder.profiles / name).write_text(text)
    profile = Profile(folder)
    assert profile.board_mm("nemesis/basic") is None
    assert profile.lens() is None
    profile.keep_board("nemesis/basic", (700, 480), measured=False)
    lens = KeptLens("picamera2:0", Lens((100, 80), 0.1, 0.0, (1.0, 2.0)), 1.5, 0.5)
    profile.keep_lens(lens)
    assert (profile.board_mm("nemesis/advanced"), profile.lens()) == ((700.0, 480.0), lens)
    profile.keep_lens(None)
    assert profile.lens() is None
