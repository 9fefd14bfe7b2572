"""The command line as a stranger uses it: exit codes, one plain sentence, no traceback."""

from __future__ import annotations

import errno
import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from companion.cli import DONE, FAILED, UNAVAILABLE, USAGE, main, write
from companion.game import Fault

CASE = """
title = "Silence is nothing"
source = ["BASE-117"]
[setup]
players = ["captain"]
[given.rooms.014]
tile = "cabins"
[chance]
noise = ["silence"]
[[when]]
do = "move"
to = "014"
[then]
log = ["BASE-117"]
"""


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("COMPANION_LANGUAGE", "en")
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))


def test_board_json_is_the_contract(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["board", "nemesis/basic", "--json"]) == DONE
    board = json.loads(capsys.readouterr().out)
    assert len(board["rooms"]) == 21
    assert len(board["corridors"]) == 28
    room = next(r for r in board["rooms"] if r["id"] == "002")
    assert {"id", "kind", "x", "y", "radius", "technical"} <= set(room)
    assert {e["number"] for e in room["technical"]} == {1, 2}
    assert {"id", "rooms", "numbers", "x", "y"} <= set(board["corridors"][0])


def test_markers_json_is_the_contract(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["markers", "list", "--json", "--board-mm", "820,560"]) == DONE
    kit = json.loads(capsys.readouterr().out)
    assert kit["dictionary"].startswith("DICT_")
    assert kit["board_mm"] == [820, 560]
    assert len(kit["fixed"]) == 8
    assert all({"id", "xy_mm", "size_mm"} <= set(f) for f in kit["fixed"])
    assert all(
        {"id", "piece", "kind", "form", "size_mm", "unique"} <= set(p) for p in kit["pieces"]
    )
    numbers = [m["id"] for m in [*kit["fixed"], *kit["pieces"]]]
    assert len(numbers) == len(set(numbers))


def test_the_kit_of_an_expansion_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["markers", "list", "--json", "--species", "carnomorphs"]) == DONE
    pieces = {p["piece"] for p in json.loads(capsys.readouterr().out)["pieces"]}
    assert {"metagorger#8", "shambler#8", "fleshbeast#3", "butcher#1", "captain"} <= pieces
    assert not {"adult#1", "larva#1"} & pieces


def test_sheet_is_written(tmp_path: Path) -> None:
    out = tmp_path / "kit.pdf"
    assert main(["markers", "sheet", "--out", str(out), "--paper", "letter"]) == DONE
    assert out.read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["board", "atlantis"], USAGE),
        (["frobnicate"], USAGE),
        ([], USAGE),
        (["markers", "list", "--board-mm", "-1,1000000"], USAGE),
        (["markers", "list", "--board-mm", "wide"], USAGE),
        (["markers", "list", "--species", "smurfs"], USAGE),
        (["markers", "sheet", "--out", "x.pdf", "--language", "zz"], USAGE),
        (["markers", "sheet", "--out", "/nowhere/at/all.pdf"], UNAVAILABLE),
        (["run", "--port", "1000000"], USAGE),
        (["run", "--port", "-1"], USAGE),
        (["scenario", "run", "none.toml"], UNAVAILABLE),
        (["verify", "none.game"], USAGE),
        (["read", "none.jpg"], UNAVAILABLE),
    ],
)
def test_bad_usage_is_one_sentence(
    arguments: list[str], code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == code
    shown = capsys.readouterr()
    text = shown.err or shown.out
    assert text.strip()
    assert "Traceback" not in text
    assert "Error:" not in text


def test_a_text_file_is_no_image(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    image = tmp_path / "notes.jpg"
    image.write_text("not a picture")
    assert main(["read", str(image)]) in (USAGE, UNAVAILABLE)
    assert "notes.jpg" in capsys.readouterr().err


def test_errors_follow_the_language(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = set()
    for language in ("en", "it", "fr"):
        monkeypatch.setenv("COMPANION_LANGUAGE", language)
        main(["board", "atlantis"])
        said.add(capsys.readouterr().err)
    assert len(said) == 3


def test_scenario_run_counts_and_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = tmp_path / "good.toml", tmp_path / "bad.toml"
    good.write_text(CASE)
    bad.write_text(CASE.replace("BASE-117", "BASE-118"))
    assert main(["scenario", "run", str(good)]) == DONE
    assert main(["scenario", "run", str(good), str(bad)]) == FAILED
    assert "BASE-118" in capsys.readouterr().out
    main(["scenario", "run", "--json", str(tmp_path)])
    found = json.loads(capsys.readouterr().out)
    assert [f["passed"] for f in found] == [False, True]


def test_base_install_needs_no_vision() -> None:
    """``import companion`` and the core work with pure Python only."""
    program = (
        "import sys\n"
        "for name in ('cv2', 'numpy', 'gpiozero', 'spidev', 'picamera2'):\n"
        "    sys.modules[name] = None\n"
        "import companion, companion.cli, companion.table.session, companion.scenario\n"
        "import companion.app, hardware, vision, web.app\n"
        "from companion.library import load_content; load_content()\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


BROKEN = {
    "broken.toml": ("title = [", USAGE),
    "words.toml": (CASE + '[then.rooms.014]\ncolour = "red"\n', USAGE),
    "rules.toml": (CASE.replace('source = ["BASE-117"]', 'source = ["BASE-1117"]'), USAGE),
    "fails.toml": (CASE.replace('log = ["BASE-117"]', 'log = ["BASE-118"]'), FAILED),
    "missing.toml": (None, UNAVAILABLE),
    "good.toml": (CASE, DONE),
}


@pytest.mark.parametrize(
    ("names", "code"),
    [
        *(([name], code) for name, (_, code) in BROKEN.items()),
        (["missing.toml", "broken.toml", "good.toml"], USAGE),
        (["broken.toml", "missing.toml", "fails.toml", "good.toml"], FAILED),
        (["missing.toml", "good.toml"], UNAVAILABLE),
    ],
)
def test_a_broken_case_stops_no_other_and_names_its_kind(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], names: list[str], code: int
) -> None:
    for name, (text, _) in BROKEN.items():
        if text is not None:
            (tmp_path / name).write_text(text)
    assert main(["scenario", "run", *(str(tmp_path / n) for n in names)]) == code
    shown = capsys.readouterr().out
    assert f"{names.count('good.toml')} of {len(names)} passed" in shown
    assert all(name in shown for name in names)


def test_a_failing_case_is_told_in_the_readers_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "case.toml"
    file.write_text(CASE.replace('to = "014"', 'to = "001"'))
    said = set()
    for language, words in (("en", "was refused"), ("it", "rifiutato"), ("fr", "refusée")):
        monkeypatch.setenv("COMPANION_LANGUAGE", language)
        assert main(["scenario", "run", str(file)]) == FAILED
        shown = capsys.readouterr().out
        assert words in shown
        assert "{" not in shown
        assert "no_corridor" not in shown
        said.add(shown)
    assert len(said) == 3


def test_a_picture_without_a_board_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cv2 = pytest.importorskip("cv2", reason="reading pictures needs the vision extra")
    numpy = pytest.importorskip("numpy")
    image = tmp_path / "wall.png"
    cv2.imwrite(str(image), numpy.full((480, 640, 3), 90, numpy.uint8))
    assert main(["read", str(image), "--json"]) == FAILED
    shown = capsys.readouterr()
    assert json.loads(shown.out)[0]["registration"]["ok"] is False
    assert "wall.png" in shown.err


def test_a_board_goes_by_its_short_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["board", "basic", "--json"]) == DONE
    short = capsys.readouterr().out
    main(["board", "nemesis/basic", "--json"])
    assert capsys.readouterr().out == short
    assert main(["board", "basics"]) == USAGE
    assert "nemesis/basic" in capsys.readouterr().err


def test_a_configuration_file_anywhere_is_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("[web]\nport = 8090\n")
    assert main(["config", "check", str(file)]) == DONE
    assert "mine.toml" in capsys.readouterr().out
    file.write_text("[web]\nprot = 8090\n")
    assert main(["config", "check", str(file)]) == FAILED
    assert "port" in capsys.readouterr().out
    assert main(["config", "check", str(tmp_path / "none.toml")]) == UNAVAILABLE
    assert "none.toml" in capsys.readouterr().err


def test_a_camera_source_that_is_no_word_of_ours_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('[camera]\nsource = "none"\n')
    assert main(["config", "check", str(file)]) == FAILED
    said = capsys.readouterr().out
    assert "camera.source" in said
    assert "off" in said
    for fits in ("off", "auto", "0", "/dev/video2", "evening.mp4"):
        file.write_text(f'[camera]\nsource = "{fits}"\n')
        assert main(["config", "check", str(file)]) == DONE


@pytest.mark.parametrize("source", ["off", "simulated"])
def test_the_start_says_of_the_camera_what_is_so(tmp_path: Path, source: str) -> None:
    (tmp_path / "config.toml").write_text(f'[camera]\nsource = "{source}"\n')
    program = (
        "import sys; from companion import cli; from companion.app import App;"
        "from companion.cli import play; play.on_a_pi = lambda: False;"
        "App.run = lambda app: None; sys.exit(cli.main(sys.argv[1:]))"
    )
    run = ["run", "--data", str(tmp_path), "--host", "127.0.0.1", "--port", "0"]
    environ = {**os.environ, "LANG": "en_GB.UTF-8", "LC_ALL": "en_GB.UTF-8"}
    ran = subprocess.run(
        [sys.executable, "-c", program, *run], capture_output=True, text=True, env=environ
    )
    assert ran.returncode == 0, ran.stderr
    first = ran.stdout.splitlines()[0]
    assert f"Camera: {source}." in first


ENGLISH = ("expected", "required", "invalid", "argument", "usage", "error", "line ", "WARN", "show")


@pytest.mark.parametrize(
    ("language", "arguments", "named"),
    [
        ("it", ["run", "--port"], "--port"),
        ("fr", ["export", "evening"], "--out"),
        ("it", ["scenario", "run"], "FILE"),
        ("fr", ["doctor", "--json=1"], "--json"),
        ("it", ["bench", "--games", "many"], "--games"),
        ("fr", ["bench", "everything"], "everything"),
        ("it", ["frobnicate"], "frobnicate"),
        ("fr", ["run", "--frobnicate"], "--frobnicate"),
        ("it", ["markers", "sheet", "--out", "x.pdf", "--paper", "a3"], "--paper"),
        ("it", ["scenario"], "coverage"),
    ],
)
def test_wrong_usage_names_the_argument_in_the_readers_language(
    language: str,
    arguments: list[str],
    named: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("COMPANION_LANGUAGE", language)
    assert main(arguments) == USAGE
    said = capsys.readouterr()
    assert said.out == ""
    assert named in said.err.split("Us", 1)[0]  # before how it is used
    assert not [word for word in ENGLISH if word in said.err]


def test_help_is_in_the_readers_language(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COMPANION_LANGUAGE", "it")
    with pytest.raises(SystemExit) as left:
        main(["run", "--help"])
    assert left.value.code == 0
    said = capsys.readouterr().out
    assert said.startswith("uso: companion run")
    assert "opzioni:" in said
    assert not [word for word in ("usage", "options", "show") if word in said]


@pytest.mark.parametrize("language", ["it", "fr"])
def test_a_slip_in_a_file_is_told_without_the_parsers_english(
    language: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("COMPANION_LANGUAGE", language)
    file = tmp_path / "slip.toml"
    for text in (b"a = 1\nb = = 2\n", b"a = 1\na = 2\n", b"a = 1\nb = '\xff'\n"):
        file.write_bytes(text)
        for arguments in (["config", "check", str(file)], ["scenario", "run", str(file)]):
            assert main(arguments) != DONE
            told = "".join(capsys.readouterr())
            assert re.search(r"\b(riga|ligne) 2\b", told)
            assert not re.search(r"line 2|[Ii]nvalid|[Cc]annot|codec|overwrite", told)


def test_libraries_of_pictures_say_nothing_beside_us(tmp_path: Path) -> None:
    cv2 = pytest.importorskip("cv2")
    numpy = pytest.importorskip("numpy")
    whole = cv2.imencode(".png", numpy.random.default_rng(1).integers(0, 255, (90, 90)))[1]
    picture = tmp_path / "cut.png"
    picture.write_bytes(whole.tobytes()[:3000])
    run = [sys.executable, "-m", "companion", "read", str(picture)]
    done = subprocess.run(run, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == USAGE
    assert done.stderr.splitlines() == ["cut.png is not a picture. Give a JPEG or PNG file."]
    camera = "from vision.camera import CaptureCamera as C\ntry: C(7).open()\nexcept Exception: 0"
    done = subprocess.run(
        [sys.executable, "-c", camera], capture_output=True, text=True, timeout=60
    )
    assert done.stderr == ""


def test_a_file_that_did_not_fit_is_not_left_behind_empty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, data: bytes) -> int:
        path.touch()
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    kept = tmp_path / "old.pdf"
    kept.touch()
    for path in (tmp_path / "new.pdf", kept):
        with pytest.raises(Fault, match=r"file\.unwritable"):
            write(path, b"%PDF")
    assert [p.name for p in tmp_path.iterdir()] == ["old.pdf"]


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("{here}", "{here}"),
        ("off", "switched off"),
        ("{here}/none", "No camera was found at"),
        ("simulated", "simulated table"),
    ],
)
def test_the_check_of_a_configuration_says_which_camera_is_used(
    source: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("cv2", reason="needs the vision extra")
    file = tmp_path / "mine.toml"
    file.write_text(f'[camera]\nsource = "{source.format(here=tmp_path)}"\n')
    assert main(["config", "check", str(file)]) == DONE
    assert said.format(here=tmp_path) in capsys.readouterr().out.splitlines()[1]


def test_a_picture_that_cannot_be_read_stops_no_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cv2 = pytest.importorskip("cv2", reason="reading pictures needs the vision extra")
    numpy = pytest.importorskip("numpy")
    wall, notes = tmp_path / "wall.png", tmp_path / "notes.jpg"
    cv2.imwrite(str(wall), numpy.full((480, 640, 3), 90, numpy.uint8))
    notes.write_text("not a picture")
    images = [str(tmp_path / "none.png"), str(wall), str(notes)]
    for more in ([], ["--json"]):
        assert main(["read", *images, *more]) == UNAVAILABLE
        shown = capsys.readouterr()
        assert "wall.png" in shown.out
        for name in ("none.png", "notes.jpg", "wall.png"):
            assert name in shown.err
    assert [one["image"] for one in json.loads(shown.out)] == [str(wall)]
    assert main(["read", str(notes), str(wall)]) == USAGE


def test_two_markers_of_one_number_are_said_of_a_picture(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cv2 = pytest.importorskip("cv2", reason="reading pictures needs the vision extra")
    from companion.library import load_content
    from vision.kit import build_kit
    from vision.layout import Cardboard
    from vision.render import Renderer, View

    board = load_content().boards["nemesis/basic"]
    table = Cardboard(board, build_kit((800, 547)))
    table.move("captain", "011")
    table.move("scout", "014")
    for twice in (False, True):
        laid = table.snapshot()
        if twice:
            number = table.kit.piece_by_name["captain"].id
            twins = (replace(one, marker=replace(one.marker, id=number)) for one in laid.laid)
            laid = replace(laid, laid=tuple(twins), version=laid.version + 1)
        picture = Renderer(board, table.kit, View()).render(laid)
        cv2.imwrite(str(tmp_path / "table.png"), picture)
        assert main(["read", str(tmp_path / "table.png"), "--board-mm", "800,547"]) == DONE
        out = capsys.readouterr().out
        assert ("captain is read twice" in out) is twice
    assert "011, 014" in out or "014, 011" in out
