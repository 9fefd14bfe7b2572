"""A disk that is full, read-only or held by others: a plain fault, nothing half-written."""

from __future__ import annotations

import errno
import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from companion.game import Fault
from companion.table import store
from companion.table.archive import backup, check_chain
from companion.table.journal import Journal
from tests.table.journals import HEADER, everything, game, state, write


def expect(code: str, *, temporary: bool = True) -> Any:
    class Expected:
        def __enter__(self) -> None: ...

        def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
            assert isinstance(error, Fault), error
            assert (error.part, error.code) == ("journal", code)
            assert error.temporary is temporary
            assert error.params["path"]
            return True

    return Expected()


def test_a_full_disk_takes_nothing_and_goes_on_later(tmp_path: Path) -> None:
    path = tmp_path / "a.game"
    with game(path, 5) as journal:
        before = everything(journal)
        writer = journal._writer
        pages = writer.execute("PRAGMA page_count").fetchone()[0]
        writer.execute(f"PRAGMA max_page_count={pages}")
        big = {"do": "note", "text": os.urandom(30_000).hex()}
        for _ in range(3):
            with expect("journal.disk_full"):
                write(journal, 6, input=big)
            with expect("journal.disk_full"):
                journal.keep("big", big)
        assert everything(journal) == before
        writer.execute("PRAGMA max_page_count=100000")
        assert write(journal, 6, input=big).seq == 6
        assert journal.kept("big") is None
    assert check_chain(path) == []


LIMITED = """
import resource, sys
from pathlib import Path
from companion.game import Fault
from companion.table.journal import Journal
from tests.table.journals import write

path = Path(sys.argv[1])
with Journal.open(path) as journal:
    size = path.stat().st_size
    for grown in range(4096, 120_000, 7000):
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + grown, resource.RLIM_INFINITY))
        number = journal.last.seq
        codes = set()
        for _ in range(12):
            try:
                write(journal, journal.last.seq + 1)
            except Fault as fault:
                codes.add((fault.code, fault.temporary))
        print(grown, journal.last.seq - number, sorted(codes), flush=True)
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
    print("last", write(journal, journal.last.seq + 1).seq)
"""


def test_writes_that_stop_anywhere_leave_whole_rows(tmp_path: Path) -> None:
    """The kernel itself refuses to let the log grow, at many places inside a row."""
    path = tmp_path / "a.game"
    game(path, 2).close()
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(path)], capture_output=True, text=True, check=True
    )
    assert "('journal." in done.stdout
    assert "', False)" not in done.stdout
    last = int(done.stdout.split("last ")[1])
    assert last > 10
    with Journal.open(path) as journal:
        assert journal.last is not None
        assert journal.last.seq == last
        assert journal.snapshot(last) == state(last)


def test_a_new_game_on_a_full_disk_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(store, "sync", full)
    with expect("journal.disk_full"):
        Journal.create(tmp_path / "a.game", HEADER)
    assert list(tmp_path.iterdir()) == []


def test_a_backup_on_a_full_disk_keeps_the_last_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, folder = tmp_path / "a.game", tmp_path / "backups"
    with game(path, 3) as journal:
        first = backup(path, folder)
        write(journal, 4)

        def full(source: Path) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr(store, "sync", full)
        with expect("journal.disk_full"):
            backup(path, folder)
    assert list(folder.iterdir()) == [first]
    assert check_chain(first) == []


def test_a_disk_that_became_read_only(tmp_path: Path) -> None:
    with game(tmp_path / "a.game", 2) as journal:
        journal._writer.execute("PRAGMA query_only=ON")
        with expect("journal.read_only"):
            write(journal, 3)
        journal._writer.execute("PRAGMA query_only=OFF")
        assert write(journal, 3).seq == 3


def test_a_file_held_by_another_program(tmp_path: Path) -> None:
    path = tmp_path / "a.game"
    with game(path, 2) as journal:
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with expect("journal.locked"):
            write(journal, 3)
        assert [row.seq for row in journal.rows()] == [1, 2]
        other.execute("ROLLBACK")
        other.close()
        assert write(journal, 3).seq == 3


def test_two_writers_do_not_interleave(tmp_path: Path) -> None:
    path = tmp_path / "a.game"
    with game(path, 2) as journal, Journal.open(path, busy_s=0.1) as other:
        write(other, 3)
        with expect("journal.two_writers", temporary=False):
            write(journal, 3)
        assert [row.seq for row in other.rows()] == [1, 2, 3]
    assert check_chain(path) == []


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (errno.ENOSPC, "journal.disk_full"),
        (errno.EDQUOT, "journal.disk_full"),
        (errno.EROFS, "journal.read_only"),
        (errno.EACCES, "journal.read_only"),
        (errno.EIO, "journal.io"),
    ],
)
def test_what_the_system_says_becomes_a_fault(tmp_path: Path, number: int, code: str) -> None:
    with expect(code), store.faults(tmp_path / "a.game"):
        raise OSError(number, os.strerror(number))


def test_a_closed_game_on_a_read_only_disk_can_be_read(tmp_path: Path) -> None:
    """The reader needs to write nothing: no log, no shared memory."""
    path = tmp_path / "a.game"
    game(path, 3).close()
    before = path.read_bytes()
    path.chmod(0o400)
    tmp_path.chmod(0o500)
    try:
        with sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True) as plain:
            assert plain.execute("SELECT count(*) FROM rows").fetchone() == (3,)
        plain.close()
        assert check_chain(path) == []
    finally:
        tmp_path.chmod(0o700)
    assert path.read_bytes() == before
    assert [f.name for f in tmp_path.iterdir()] == ["a.game"]
