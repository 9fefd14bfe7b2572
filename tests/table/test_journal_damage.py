"""A damaged, foreign, newer or older file: noticed before anything is played on it."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from companion.game import BadInput, Fault
from companion.game.state import canonical
from companion.table import checks, store
from companion.table.archive import backup, check_chain, import_game, recover
from companion.table.chain import seal
from companion.table.journal import Journal
from tests.table.journals import everything, game, write

ROWS = 25


@cache
def sound() -> tuple[bytes, str]:
    """The bytes of a closed game, and all that is in it."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "a.game"
        with game(path, ROWS, seed="5eed" * 16) as journal:
            told = repr(everything(journal))
        return path.read_bytes(), told


def reads_or_says_so(raw: bytes) -> str:
    """Open these bytes as a game: the code of the error, or "" when all is as it was."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "a.game"
        path.write_bytes(raw)
        problems = check_chain(path)
        assert path.read_bytes() == raw
        error = None
        try:
            with Journal.open(path, busy_s=0.1) as journal:
                assert repr(everything(journal)) == sound()[1]
                # Whatever is different is in no way of playing on.
                write(journal, ROWS + 1)
        except (BadInput, Fault) as raised:
            error = raised
        if error is None:
            assert not problems
            assert check_chain(path) == []
            return ""
        assert error.code.startswith("journal.")
        if error.code == "journal.damaged":
            assert problems
            assert 1 <= error.params["row"] == error.params["sound"] + 1 <= ROWS + 1
        return error.code


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 1 << 20), st.integers(0, 7))
@example(3408, 7)  # in the text of a table: SQLite's own message is no UTF-8 then
@example(16378, 5)  # a tree that leads back: reading on would never end
def test_a_flipped_bit_anywhere_is_noticed_or_changes_nothing(place: int, bit: int) -> None:
    raw = bytearray(sound()[0])
    raw[place % len(raw)] ^= 1 << bit
    reads_or_says_so(bytes(raw))


@pytest.mark.parametrize("place", range(100))
def test_every_byte_of_the_file_header(place: int) -> None:
    raw = bytearray(sound()[0])
    raw[place] ^= 0xFF
    reads_or_says_so(bytes(raw))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 1 << 30))
def test_a_file_cut_short_is_noticed(length: int) -> None:
    raw = sound()[0]
    assert reads_or_says_so(raw[: length % len(raw)]) == "journal.damaged"


@pytest.mark.parametrize("raw", [b"", b"A text file.\n" * 1000, b"\x89PNG\r\n\x1a\n" + bytes(5000)])
def test_a_file_that_is_no_game(raw: bytes) -> None:
    assert reads_or_says_so(raw) == "journal.damaged"


def test_another_program_s_database(tmp_path: Path) -> None:
    path = tmp_path / "a.game"
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE meta (key TEXT, value TEXT)")
    other.commit()
    other.close()
    assert reads_or_says_so(path.read_bytes()) == "journal.damaged"


@settings(max_examples=15, deadline=None)
@given(st.data())
def test_damage_in_the_log_after_a_crash_loses_only_its_end(data: st.DataObject) -> None:
    """SQLite drops a torn end of the log; what remains is the game up to some row, whole."""
    with TemporaryDirectory() as folder:
        path, crashed = Path(folder) / "a.game", Path(folder) / "b.game"
        with game(path, 6) as journal:
            rows = list(journal.rows())
            for source, target in zip(store.with_logs(path), store.with_logs(crashed), strict=True):
                if source.suffix != ".game-shm":
                    shutil.copy(source, target)
        log = store.with_logs(crashed)[1]
        raw = bytearray(log.read_bytes())
        raw[data.draw(st.integers(0, len(raw) - 1))] ^= 1 << data.draw(st.integers(0, 7))
        log.write_bytes(raw)
        with Journal.open(crashed) as journal:
            left = list(journal.rows())
            assert left == rows[: len(left)]


# Deliberate changes ---------------------------------------------------------------------------


def tamper(path: Path, *statements: str) -> None:
    with sqlite3.connect(path) as connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()


@pytest.mark.parametrize(
    ("statement", "row", "problem"),
    [
        ("UPDATE rows SET input = replace(input, 'seat:1', 'seat:2') WHERE seq = 4", 4, "hash"),
        ("UPDATE rows SET at = '2026-01-01' WHERE seq = 1", 1, "hash"),
        ("UPDATE rows SET draws = '[]' WHERE seq = 9", 9, "hash"),
        ("UPDATE rows SET state = 'x' WHERE seq = 10", 10, "hash"),
        ("UPDATE rows SET events = '{' WHERE seq = 3", 3, "unreadable"),
        ("UPDATE rows SET events = '{}' WHERE seq = 3", 3, "unreadable"),
        ("UPDATE rows SET kind = 'gossip' WHERE seq = 3", 3, "unreadable"),
        ("DELETE FROM rows WHERE seq = 5", 5, "order"),
        ("DELETE FROM rows WHERE seq = 1", 1, "order"),
    ],
)
def test_a_changed_row_is_named(tmp_path: Path, statement: str, row: int, problem: str) -> None:
    path = tmp_path / "a.game"
    game(path, 10).close()
    tamper(path, statement)
    with pytest.raises(BadInput) as raised:
        Journal.open(path)
    assert raised.value.code == "journal.damaged"
    assert raised.value.params == {"path": str(path), "row": row, "sound": row - 1}
    first = check_chain(path)[0]
    assert first.key == f"journal.problem.{problem}"
    assert first.params["row"] in (row, row + 1)  # of a missing row, the next one


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        ("UPDATE snapshots SET data = zeroblob(20) WHERE seq = 4", "snapshots"),
        ("UPDATE kept SET value = '\"0bad\"'", "kept"),
        ("UPDATE replies SET reply = '{}' WHERE id = 'c3'", "replies"),
        ("UPDATE meta SET value = replace(value, 'ing', 'ung') WHERE key = 'header'", "header"),
        ("CREATE TABLE guests (name TEXT)", "tables"),
        ("CREATE TRIGGER t AFTER INSERT ON rows BEGIN DELETE FROM kept; END", "tables"),
    ],
)
def test_a_change_beside_the_rows_is_found(tmp_path: Path, statement: str, problem: str) -> None:
    path = tmp_path / "a.game"
    game(path, 10, seed="00").close()
    tamper(path, statement)
    with pytest.raises(BadInput) as raised:
        Journal.open(path)
    assert raised.value.code == "journal.damaged"
    assert f"journal.problem.{problem}" in [p.key for p in check_chain(path)]


def test_a_header_changed_with_its_seal_breaks_the_chain(tmp_path: Path) -> None:
    path = tmp_path / "a.game"
    with game(path, 2) as journal:
        changed = canonical({**journal.header, "commitment": "forged"})
    tamper(
        path,
        f"UPDATE meta SET value = '{changed}', seal = '{seal('header', changed)}'"
        " WHERE key = 'header'",
    )
    assert [(p.key, p.params) for p in check_chain(path)] == [("journal.problem.link", {"row": 1})]


def test_a_sound_file_has_no_problems(tmp_path: Path) -> None:
    path = tmp_path / "a.game"
    with game(path, 10):
        assert check_chain(path) == []  # while it is played, too
    assert check_chain(path) == []
    assert [p.key for p in check_chain(tmp_path / "none.game")] == ["bad.journal.missing"]


# The way out ----------------------------------------------------------------------------------


def test_a_damaged_game_goes_aside_and_its_backup_goes_on(tmp_path: Path) -> None:
    path, backups = tmp_path / "games" / "evening.game", tmp_path / "backups"
    with game(path, 8, seed="00") as journal:
        backup(path, backups)
        told = everything(journal)
        write(journal, 9)
    raw = bytearray(path.read_bytes())
    raw[:4096] = bytes(4096)
    path.write_bytes(raw)
    with pytest.raises(BadInput):
        Journal.open(path)
    with pytest.raises(BadInput):
        backup(path, backups)  # no bad copy beside the good one

    found = recover(path, backups)

    assert not path.exists()
    assert found.aside.name == "evening.game.damaged"
    assert found.aside.read_bytes() == raw
    assert found.backup is not None
    assert import_game(found.backup, path.parent) == path
    with Journal.open(path) as journal:
        assert everything(journal) == told
        assert write(journal, 9).seq == 9
    path.write_bytes(raw)
    assert recover(path, backups).aside.name == "evening.game.damaged-2"


def test_the_log_goes_aside_with_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.game"
    with game(path, 3) as journal:
        copies = [f for f in store.with_logs(path) if f.exists()]
        held = {f.name: f.read_bytes() for f in copies if f.suffix != ".game-shm"}
        journal.rows()
    for name, raw in held.items():
        (tmp_path / name).write_bytes(raw)
    found = recover(path, tmp_path / "none")
    assert found.backup is None
    with sqlite3.connect(found.aside) as aside:
        assert aside.execute("SELECT count(*) FROM rows").fetchone() == (3,)
    aside.close()
    assert not [f for f in tmp_path.iterdir() if "damaged" not in f.name]


# Other formats --------------------------------------------------------------------------------


def test_a_newer_format_is_refused_and_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.game"
    with monkeypatch.context() as later:
        later.setattr(store, "FORMAT", store.FORMAT + 1)
        game(path, 2).close()
    before = path.read_bytes()
    with pytest.raises(BadInput) as raised:
        Journal.open(path)
    assert raised.value.code == "journal.newer"
    assert raised.value.params["format"] == store.FORMAT + 1
    assert [p.key for p in check_chain(path)] == ["bad.journal.newer"]
    assert path.read_bytes() == before


def rename_kind(connection: sqlite3.Connection) -> None:
    connection.execute("ALTER TABLE kept RENAME COLUMN value TO content")


def rename_back(connection: sqlite3.Connection) -> None:
    connection.execute("ALTER TABLE kept RENAME COLUMN content TO value")


def fail(connection: sqlite3.Connection) -> None:
    connection.execute("DELETE FROM kept")
    raise sqlite3.OperationalError("no such thing")


def later(monkeypatch: pytest.MonkeyPatch, *steps: Callable[[sqlite3.Connection], None]) -> None:
    """Be a later version, with these migrations from format 1 on."""
    monkeypatch.setattr(store, "FORMAT", 1 + len(steps))
    monkeypatch.setattr(checks, "MIGRATIONS", dict(enumerate(steps, start=1)))


def test_an_older_format_is_brought_up_in_order_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.game"
    with game(path, 5, seed="00") as journal:
        told = everything(journal)
    later(monkeypatch, rename_kind, rename_back)
    assert check_chain(path) == []
    saved = backup(path, tmp_path / "backups")  # a backup before any upgrade
    with Journal.open(path) as journal:
        assert everything(journal) == told
        assert write(journal, 6).seq == 6
    with Journal.open(path) as journal:  # once is enough
        assert journal.last is not None
        assert journal.last.seq == 6
    old = tmp_path / "a.game.format1"
    for copy in (old, saved):
        with sqlite3.connect(copy) as connection:
            assert connection.execute("SELECT value FROM meta WHERE key = 'format'").fetchone() == (
                "1",
            )
            assert connection.execute("SELECT count(*) FROM rows").fetchone() == (5,)
        connection.close()
    assert old.stat().st_mode & 0o777 == 0o600


def test_a_migration_that_fails_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.game"
    with game(path, 5, seed="00") as journal:
        told = everything(journal)
    with monkeypatch.context() as patched:
        later(patched, rename_kind, fail)
        with pytest.raises((BadInput, Fault)):
            Journal.open(path)
    with Journal.open(path) as journal:
        assert everything(journal) == told


def test_a_format_with_no_way_up_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.game"
    game(path, 2).close()
    monkeypatch.setattr(store, "FORMAT", 3)
    monkeypatch.setattr(checks, "MIGRATIONS", {2: rename_back})
    with pytest.raises(BadInput) as raised:
        Journal.open(path)
    assert raised.value.code == "journal.older"
    assert [f.name for f in tmp_path.iterdir()] == ["a.game"]


def test_the_format_is_part_of_the_header(tmp_path: Path) -> None:
    with game(tmp_path / "a.game", 0) as journal:
        assert journal.header["format"] == store.FORMAT
        assert json.loads(canonical(dict(journal.header)))["game"] == "evening"
