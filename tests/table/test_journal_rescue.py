"""A game whose file was damaged goes on from its last sound row; one of another version waits."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from companion.cli import DONE, USAGE, main
from companion.library import load_content
from companion.library.model import Content
from companion.locale import words
from companion.table.archive import backup, export_game
from companion.table.folder import DataFolder
from companion.table.games import new_game, newest, open_game, resume_or_new
from companion.table.verify import verify

LANGUAGES = ("en", "it", "fr")


@pytest.fixture(scope="module")
def content() -> Content:
    return load_content()


@pytest.fixture
def folder(tmp_path: Path) -> DataFolder:
    made = DataFolder(tmp_path / "data")
    made.create()
    return made


@pytest.fixture
def evening(folder: DataFolder, content: Content) -> Path:
    """A game of a dozen rows, closed."""
    table = new_game(folder, content, simulated=True)
    table.command({"do": "setup", "players": ["captain", "scout"], "digital": True})
    for number in range(10):
        table.command({"do": "note", "text": f"note {number}"})
    table.command({"do": "pass", "seat": 1, "id": "the last one"})
    table.journal.close()
    return newest(folder)[0]


def change(path: Path, *statements: str) -> None:
    with sqlite3.connect(path) as connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()


def flip(path: Path, text: bytes) -> None:
    """Flip a bit of the first byte of a text, wherever it stands in the file."""
    raw = bytearray(path.read_bytes())
    raw[raw.index(text)] ^= 1
    path.write_bytes(raw)


def test_of_a_game_that_was_over_nothing_goes_on_and_the_message_says_so(
    folder: DataFolder, content: Content, evening: Path
) -> None:
    table = open_game(evening, content)
    table.command({"do": "game_end", "cause": "table", "by": "host"})
    while not table.finished:
        table.command({"do": "next"})
    turn = table.state.round
    table.journal.close()
    change(evening, "UPDATE replies SET reply = '{}'")
    table, recovery = resume_or_new(folder, content, simulated=True)
    assert recovery is not None
    assert (table.seq, table.state.phase) == (0, "lobby")
    for language in LANGUAGES:
        said = words(language).say(recovery.key, recovery.params)
        assert str(recovery.aside) in said
        assert str(turn) in said.replace(str(recovery.aside), "")
    assert "new game begins" in words("en").say(recovery.key, recovery.params)
    assert "goes on" not in words("en").say(recovery.key, recovery.params)
    table.journal.close()


def test_it_goes_on_from_the_last_sound_row(
    folder: DataFolder, content: Content, evening: Path
) -> None:
    flip(evening, b"note 5")
    damaged = evening.read_bytes()
    table, recovery = resume_or_new(folder, content, simulated=True)
    assert recovery is not None
    assert (recovery.key, recovery.rows) == ("recovered.sound", 6)
    assert recovery.aside.read_bytes() == damaged
    assert (table.seq, table.state.phase) == (6, "player")
    assert "in turn 1" in words("en").say(recovery.key, recovery.params)  # as people count
    assert table.command({"do": "pass", "seat": 1, "id": "the last one"})["status"] == "done"
    assert not verify(table.journal, content).problems
    table.journal.close()
    again, nothing = resume_or_new(folder, content, simulated=True)
    assert (again.seq, nothing) == (7, None)
    again.journal.close()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE snapshots SET data = zeroblob(20)",
        "DELETE FROM snapshots",
        "UPDATE replies SET reply = '{}'",
        "UPDATE meta SET seal = 'x'",
        "CREATE TABLE guests (name TEXT)",
    ],
)
def test_damage_beside_the_rows_loses_nothing(
    folder: DataFolder, content: Content, evening: Path, statement: str
) -> None:
    change(evening, statement)
    table, _ = resume_or_new(folder, content, simulated=True)
    assert table.seq == 12
    assert table.state.seats[1].passed
    assert not verify(table.journal, content).problems
    table.journal.close()


def test_a_lost_seed_is_drawn_anew_and_verify_says_so(
    folder: DataFolder, content: Content, evening: Path
) -> None:
    change(evening, "UPDATE kept SET value = '\"00\"'")
    table, recovery = resume_or_new(folder, content, simulated=True)
    assert recovery is not None
    assert table.seq == 12
    assert table.command({"do": "noise_roll", "seat": 2})["status"] == "done"
    assert "verify.commitment" in [code for code, _ in verify(table.journal, content).problems]
    table.journal.close()


def test_a_backup_goes_on_only_when_it_holds_more(
    folder: DataFolder, content: Content, evening: Path
) -> None:
    backup(evening, folder.backups)
    flip(evening, b"note 5")
    table, recovery = resume_or_new(folder, content, simulated=True)
    assert recovery is not None
    assert (recovery.key, recovery.rows, table.seq) == ("recovered.backup", 12, 12)
    for number in range(3):
        table.command({"do": "note", "text": f"later {number}"})
    table.journal.close()
    flip(evening, b"later 2")
    table, recovery = resume_or_new(folder, content, simulated=True)
    assert recovery is not None
    assert (recovery.key, recovery.rows, table.seq) == ("recovered.sound", 14, 14)
    table.journal.close()


def test_nothing_sound_begins_a_new_game(
    folder: DataFolder, content: Content, evening: Path
) -> None:
    evening.write_bytes(b"\0" * 5000)
    table, recovery = resume_or_new(folder, content, simulated=True)
    assert recovery is not None
    assert (recovery.key, table.seq) == ("recovered.new", 0)
    assert recovery.aside.read_bytes() == b"\0" * 5000
    table.journal.close()


# Other versions -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("statement", "word"),
    [
        ("PRAGMA user_version = 7", "newer"),
        ("PRAGMA user_version = -1", "older"),
        ("UPDATE meta SET value = '7' WHERE key = 'format'", "newer"),
        ("UPDATE meta SET value = '0' WHERE key = 'format'", "older"),
    ],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_of_another_version_is_named_and_left_alone(
    folder: DataFolder,
    evening: Path,
    statement: str,
    word: str,
    language: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("COMPANION_LANGUAGE", language)
    change(evening, statement)
    before, names = evening.read_bytes(), sorted(folder.games.iterdir())
    out = str(evening.with_suffix(".jsonl"))
    data = ["--data", str(folder.root)]
    for arguments in (
        ["run", "--simulate", "--port", "0", *data],
        ["verify", str(evening)],
        ["export", str(evening), "--out", out],
        ["backup", str(evening), *data],
        ["scenario", "record", str(evening)],
    ):
        assert main(arguments) == USAGE, arguments
        said = capsys.readouterr().err
        assert {"en": "another version", "it": "un'altra versione", "fr": "une autre version"}[
            language
        ] in said, arguments
        newer = {"en": "newer", "it": "più nuova", "fr": "plus récente"}[language]
        assert (newer in said) == (word == "newer")
    assert evening.read_bytes() == before
    assert sorted(folder.games.iterdir()) == names


# Exports --------------------------------------------------------------------------------------


@pytest.mark.parametrize("full", [False, True])
def test_an_export_is_no_damaged_game(
    tmp_path: Path, evening: Path, full: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    out = export_game(evening, tmp_path / "game.jsonl", full=full)
    before = out.read_bytes()
    for arguments in (["verify", str(out)], ["export", str(out), "--out", str(tmp_path / "x")]):
        assert main(arguments) == USAGE
        said = capsys.readouterr().err
        assert ("companion import" if full else "without its secrets") in said
    assert out.read_bytes() == before


def test_games_are_named_as_files_or_by_their_name(
    folder: DataFolder, evening: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = ["--data", str(folder.root)]
    for name in (evening.stem, evening.name, str(evening)):
        assert main(["verify", name, *data]) == DONE
        out = tmp_path / "out.jsonl"
        assert main(["export", name, "--out", str(out), *data]) == DONE
        assert out.stat().st_size > 1000
    assert main(["verify", "no such game", *data]) == USAGE
    assert evening.stem in capsys.readouterr().err  # those there are


def test_verify_of_a_damaged_game_names_the_sound_rows(
    evening: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flip(evening, b"note 5")
    assert main(["verify", str(evening)]) == USAGE
    assert "6" in capsys.readouterr().err
