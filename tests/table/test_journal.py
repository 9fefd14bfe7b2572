"""The journal holds what it was given, in a file as in memory."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.game import BadInput
from companion.game.state import canonical
from companion.table.journal import SNAPSHOTS, AnyJournal, Journal, MemoryJournal
from tests.table.journals import HEADER, clock, everything, game, state, write


@pytest.fixture(params=["file", "memory"])
def journal(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[AnyJournal]:
    made: AnyJournal = (
        Journal.create(tmp_path / "a.game", HEADER, now=clock())
        if request.param == "file"
        else MemoryJournal(HEADER, now=clock())
    )
    yield made
    made.close()


def test_a_row_comes_back_as_it_was_written(journal: AnyJournal) -> None:
    command = {"do": "note", "text": "Ripley’s “ça va” – \u0000\U0001f47e", "n": 10**30, "f": 0.1}
    written = journal.append(
        kind="ledger", input=command, draws=[{"value": None}], events=[{"to": [1]}], state="aa"
    )
    assert written == journal.last == next(journal.rows())
    assert (written.seq, written.kind, written.input) == (1, "ledger", command)
    assert (written.draws, written.events, written.state) == (
        [{"value": None}],
        [{"to": [1]}],
        "aa",
    )
    assert written.at == "2026-05-01T20:00:00.000+00:00"


def test_the_chain_can_be_computed_by_anybody(journal: AnyJournal) -> None:
    def sha(data: Any) -> str:
        text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()

    write(journal, 1)
    write(journal, 2)
    first, second = journal.rows()
    assert first.previous == sha(dict(journal.header))
    assert second.previous == first.hash
    for row in (first, second):
        body = row.to_json()
        assert body.pop("hash") == sha(body)


def test_file_and_memory_agree_in_everything(tmp_path: Path) -> None:
    memory = MemoryJournal(HEADER, now=clock())
    memory.keep("seed", "00")
    with game(tmp_path / "a.game", 0, seed="00") as disk:
        for journal in (disk, memory):
            for number in range(1, SNAPSHOTS + 30):
                write(journal, number, keep=number == 7, snapshot=canonical(state(number % 5)))
        assert everything(disk) == everything(memory)
        written = everything(disk)
    with Journal.open(tmp_path / "a.game") as again:
        assert everything(again) == written


def test_rows_are_read_from_where_one_left_off(journal: AnyJournal) -> None:
    for number in range(1, 8):
        write(journal, number)
    assert [row.seq for row in journal.rows(after=5)] == [6, 7]
    assert list(journal.rows(after=7)) == []


def test_the_newest_snapshots_stay_and_one_a_round(journal: AnyJournal) -> None:
    kept = SNAPSHOTS + 20
    for number in range(1, kept + 1):
        write(journal, number, keep=number in (3, 9), snapshot=canonical({"n": number}))
    there = [seq for seq in range(1, kept + 1) if journal.snapshot(seq) is not None]
    assert there == [3, 9, *range(kept - SNAPSHOTS + 1, kept + 1)]
    assert journal.snapshot(9) == {"n": 9}


def test_a_row_without_snapshot_has_none(journal: AnyJournal) -> None:
    write(journal, 1, snapshot=None)
    assert journal.snapshot(1) is None
    assert journal.snapshot(99) is None


def test_command_ids_are_known_for_the_whole_game(journal: AnyJournal) -> None:
    assert journal.known("c1") is None
    for number in range(1, 4):
        write(journal, number)
    write(journal, 4, command_id=None)
    assert journal.known("c1") == {"status": "done", "seq": 1}
    assert journal.known("c3") == {"status": "done", "seq": 3}
    assert journal.known("c4") is None


def test_private_values(journal: AnyJournal) -> None:
    assert journal.kept("pin") is None
    assert journal.kept("pin", "none") == "none"
    journal.keep("pin", {"seat": 2, "digits": "0042"})
    journal.keep("pin", {"seat": 3, "digits": "1234"})
    journal.keep("empty", None)
    assert journal.kept("pin") == {"seat": 3, "digits": "1234"}
    assert journal.private() == {"pin": {"seat": 3, "digits": "1234"}, "empty": None}


@pytest.mark.parametrize(
    "given",
    [
        {"input": {"do": float("nan")}},
        {"input": {"do": "\ud800"}},
        {"input": {"do": object()}},
        {"draws": [{"value": {1, 2}}]},
        {"events": [{"to": float("inf")}]},
    ],
)
def test_what_is_not_json_is_refused_and_changes_nothing(
    journal: AnyJournal, given: dict[str, Any]
) -> None:
    write(journal, 1)
    before = everything(journal)
    with pytest.raises(BadInput) as raised:
        write(journal, 2, **given)
    assert raised.value.code == "journal.not_json"
    assert raised.value.path == next(iter(given))
    assert everything(journal) == before
    assert write(journal, 2).seq == 2


def test_an_unknown_kind_is_refused(journal: AnyJournal) -> None:
    with pytest.raises(BadInput) as raised:
        write(journal, 1, kind="gossip")
    assert raised.value.code == "journal.kind"
    assert journal.last is None


def test_what_is_appended_is_a_copy(journal: AnyJournal) -> None:
    command = {"do": "pass", "list": [1]}
    row = write(journal, 1, input=command)
    command["list"].append(2)  # type: ignore[attr-defined]
    assert row.input["list"] == [1]


def test_only_the_owner_may_read_the_file(tmp_path: Path) -> None:
    path = tmp_path / "games" / "a.game"
    with game(path, 3):
        files = {f.name: f.stat().st_mode & 0o777 for f in path.parent.iterdir()}
        assert set(files) == {"a.game", "a.game-wal", "a.game-shm"}
        assert set(files.values()) == {0o600}
        assert path.parent.stat().st_mode & 0o777 == 0o700
    path.chmod(0o644)
    Journal.open(path).close()
    assert path.stat().st_mode & 0o777 == 0o600
    assert [f.name for f in path.parent.iterdir()] == ["a.game"]


def test_the_file_is_written_as_decided(tmp_path: Path) -> None:
    with game(tmp_path / "a.game", 1) as journal:
        writer = journal._writer
        assert writer.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert writer.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL


def test_a_game_is_not_begun_over_another(tmp_path: Path) -> None:
    game(tmp_path / "a.game", 2).close()
    before = (tmp_path / "a.game").read_bytes()
    with pytest.raises(BadInput) as raised:
        Journal.create(tmp_path / "a.game", HEADER)
    assert raised.value.code == "journal.exists"
    assert (tmp_path / "a.game").read_bytes() == before


def test_a_game_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadInput) as raised:
        Journal.open(tmp_path / "none.game")
    assert raised.value.code == "journal.missing"
    assert list(tmp_path.iterdir()) == []


def test_a_strange_file_name_is_only_a_name(tmp_path: Path) -> None:
    path = tmp_path / "a?mode=memory&x=#1 %41.game"
    game(path, 2).close()
    with Journal.open(path) as journal:
        assert len(list(journal.rows())) == 2
    assert [f.name for f in tmp_path.iterdir()] == [path.name]


def test_others_read_while_one_thread_writes(tmp_path: Path) -> None:
    with game(tmp_path / "a.game", 1) as journal:
        done = threading.Event()
        seen: list[int] = []
        wrong: list[Any] = []

        def read() -> None:
            while not done.is_set():
                rows = [row.seq for row in journal.rows()]
                if rows != list(range(1, len(rows) + 1)) or journal.known("c1") is None:
                    wrong.append(rows)
                seen.append(len(rows))

        threads = [threading.Thread(target=read) for _ in range(3)]
        for thread in threads:
            thread.start()
        for number in range(2, 120):
            write(journal, number, keep=number % 20 == 0)
        done.set()
        for thread in threads:
            thread.join()
        assert not wrong
        assert len(set(seen)) > 1


def test_a_half_read_journal_does_not_stop_the_writer(tmp_path: Path) -> None:
    with game(tmp_path / "a.game", 10) as journal:
        reading = journal.rows()
        assert next(reading).seq == 1
        write(journal, 11, keep=True)
        assert [row.seq for row in reading][-1] == 11


def test_the_log_is_brought_into_the_file_between_commands_and_not_within_one(
    tmp_path: Path,
) -> None:
    """SQLite does it by itself at 1000 pages, while the phone that asked waits."""
    path = tmp_path / "a.game"
    log = path.with_name("a.game-wal")
    with game(path, 1) as journal:
        for n in range(2, 400):
            write(journal, n, snapshot=canonical({"n": n, "filling": "x" * 9000}))
            journal.tidy()
        assert log.stat().st_size < 900 * 4096
        written = log.stat().st_mtime_ns, path.stat().st_mtime_ns
        journal.tidy()
        assert (log.stat().st_mtime_ns, path.stat().st_mtime_ns) == written


def test_closing_twice_is_once(tmp_path: Path) -> None:
    journal = game(tmp_path / "a.game", 1)
    journal.close()
    journal.close()
