"""Export, import and backup; and that no secret leaves the box while the game runs."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.game import BadInput, Fault
from companion.game.state import canonical
from companion.table import redact
from companion.table.archive import (
    BACKUPS,
    backup,
    check_chain,
    export_game,
    import_game,
    last_backup,
    lines,
)
from companion.table.chain import Row
from companion.table.journal import Journal, MemoryJournal
from tests.table.journals import HEADER, clock, everything, game, write

CANARY = "canary"


def secretive(canary: str) -> list[dict[str, Any]]:
    """Rows of a game in which everything secret carries the canary."""
    event = {"type": "moved", "rule": "BASE-1", "params": {"n": 1}, "to": "public"}
    secret = {"type": "dealt", "rule": "BASE-58", "params": {"objective": canary}, "to": [2]}
    draw = {"purpose": "bag", "count": 0, "size": 9, "value": "adult/3#2", "by": "box"}
    hidden = {**draw, "purpose": "objective", "value": canary}
    return [
        {
            "kind": "command",
            "input": {"do": "setup", "by": "host", "game": "nemesis", "players": ["captain"]},
            "draws": [hidden, {**hidden, "purpose": "setup_bag"}, {**hidden, "purpose": "token"}],
            "events": [event, secret, {**secret, "instructions": [{"piece": canary}]}],
        },
        {"kind": "command", "input": {"do": "encounter", "by": "seat:1", "seat": 1, "id": canary},
         "draws": [draw], "events": [event]},
        # A draw of a public kind in a row that tells somebody something.
        {"kind": "command", "input": {"do": "encounter", "by": "seat:1", "seat": 1},
         "draws": [{**draw, "value": canary}], "events": [event, secret]},
        {
            "kind": "answer",
            "input": {"do": "answer", "by": "seat:2", "prompt": "p1.1", "root": 1, "number": 1,
                      "value": canary, "secret": True},
            "draws": [{**draw, "value": canary}],
            "events": [],
        },
        # The same without the mark: what it led to was not for all, so it was not either.
        {"kind": "answer", "input": {"do": "answer", "by": "seat:2", "root": 1, "value": canary},
         "draws": [], "events": [secret]},
        {
            "kind": "answer",
            "input": {"do": "answer", "by": "seat:1", "root": 2, "value": True, "secret": False},
         "draws": [], "events": [event]},
        {"kind": "ledger", "input": {"do": "note", "by": "host", "text": canary},
         "draws": [], "events": []},
        {"kind": "ledger", "input": {"do": "join", "seat": 2, "language": "it", "name": canary},
         "draws": [], "events": []},
        # What nobody listed: a new command, new words of old ones, a new part of an event.
        {"kind": "command", "input": {"do": "peek", "card": canary, "by": "seat:2"},
         "draws": [], "events": [{**event, "reading": canary}]},
        {"kind": "command", "input": {"do": "move", "seat": 1, "to": "006", "why": canary},
         "draws": [{**draw, "purpose": "peek", "value": canary}], "events": [event]},
        {"kind": "step", "input": {"do": "step", "step": "event", "card": canary},
         "draws": [], "events": [event, {**secret, "to": None}]},
    ]  # fmt: skip


def played(path: Path, canary: str) -> Path:
    header = {**HEADER, "host_name": canary}
    with Journal.create(path, header, private={"seed.secret": canary}, now=clock()) as journal:
        for number, row in enumerate(secretive(canary)):
            journal.append(
                **row,
                state=canary + str(number),
                snapshot=canonical({"objectives": canary}),
                command_id=f"{canary}{number}",
            )
        journal.keep("pin", canary)
    return path


def test_no_secret_is_in_a_redacted_export(tmp_path: Path) -> None:
    out = export_game(played(tmp_path / "a.game", CANARY), tmp_path / "out.jsonl", full=False)
    text = out.read_text()
    assert CANARY not in text
    told = [json.loads(line) for line in text.splitlines()]
    with Journal.open(tmp_path / "a.game") as journal:
        digests = [d for row in journal.rows() for d in (row.hash, row.previous, row.state)]
    assert not [d for d in digests if d in text]
    rows = [line["row"] for line in told if "row" in line]
    assert [row["seq"] for row in rows] == list(range(1, 12))
    # What everybody saw is there.
    assert rows[0]["input"] == {
        "do": "setup",
        "by": "host",
        "game": "nemesis",
        "players": ["captain"],
    }
    assert rows[0]["draws"] == [{"hidden": True}] * 3
    assert rows[0]["events"] == [
        {"type": "moved", "rule": "BASE-1", "params": {"n": 1}, "to": "public"}
    ]
    assert rows[1]["draws"][0]["value"] == "adult/3#2"
    assert rows[5]["input"]["value"] is True
    assert rows[7]["input"] == {"do": "join", "seat": 2, "language": "it", "hidden": True}
    assert rows[9]["input"] == {"do": "move", "seat": 1, "to": "006", "hidden": True}
    assert told[0]["header"] == {**HEADER, "format": 1}


def test_two_games_that_differ_in_secrets_export_the_same(tmp_path: Path) -> None:
    exports = [
        "".join(lines(played(tmp_path / f"{canary}.game", canary), full=False))
        for canary in ("one", "another and longer")
    ]
    assert exports[0] == exports[1]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.just(CANARY),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


@given(
    st.sampled_from(["objective", "setup_bag", "token", "contamination", "draw", "pod", "new"]),
    st.lists(st.integers(1, 5), min_size=1),
    JSON,
    st.dictionaries(st.sampled_from(["value", "objective", "card", "pin", "secret"]), JSON),
)
def test_whatever_a_secret_row_holds_stays(
    purpose: str, seats: list[int], value: Any, words: dict[str, Any]
) -> None:
    row = Row(
        1,
        "answer",
        "2026-05-01T20:00:00.000+00:00",
        {**words, "do": "answer", "secret": True, "value": CANARY},
        [{"purpose": purpose, "count": 0, "size": 2, "value": value, "by": "box"}],
        [{"type": "t", "rule": "", "params": {"p": [value, CANARY]}, "to": seats}],
        CANARY,
        CANARY,
        CANARY,
    )
    assert CANARY not in json.dumps(redact.row(row))


def test_the_export_of_a_game_that_is_over_is_whole_but_for_the_box(tmp_path: Path) -> None:
    path = tmp_path / "evening.game"
    with game(path, 12, seed=CANARY) as journal:
        write(journal, 13, keep=True)
        told = everything(journal)
    out = export_game(path, tmp_path / "out.jsonl", full=True)
    assert out.stat().st_mode & 0o777 == 0o600
    assert CANARY not in out.read_text()

    taken = import_game(out, tmp_path / "games")

    assert taken == tmp_path / "games" / "evening.game"
    with Journal.open(taken) as journal:
        again = everything(journal)
        assert (again["header"], again["rows"]) == (told["header"], told["rows"])
        assert again["snapshots"] == told["snapshots"]
        assert again["private"] == {}
        assert write(journal, 14).seq == 14
    assert taken.stat().st_mode & 0o777 == 0o600
    copy = export_game(taken, tmp_path / "copy.jsonl", full=True).read_text().splitlines()
    assert copy[:-3] == out.read_text().splitlines()[:-1]


def test_an_export_is_named_by_its_end(tmp_path: Path, exported: list[str]) -> None:
    digest = hashlib.sha256("".join(exported[:-1]).encode()).hexdigest()
    assert json.loads(exported[-1]) == {"end": digest}


def test_an_export_while_the_game_is_played(tmp_path: Path) -> None:
    path = tmp_path / "evening.game"
    with game(path, 3) as journal:
        told = lines(path, full=True)
        assert json.loads(next(told))["redacted"] is False
        write(journal, 4)
        rest = [json.loads(line) for line in told]
        assert [line["row"]["seq"] for line in rest if "row" in line] in ([1, 2, 3], [1, 2, 3, 4])


def test_an_export_that_cannot_be_written(tmp_path: Path) -> None:
    path = tmp_path / "evening.game"
    game(path, 3).close()
    with pytest.raises(Fault) as raised:
        export_game(path, tmp_path / "nowhere" / "out.jsonl", full=True)
    assert raised.value.code == "file.unwritable"
    out = tmp_path / "out.jsonl"
    out.write_text("old")
    with pytest.raises(BadInput):
        export_game(tmp_path / "none.game", out, full=True)
    assert out.read_text() == "old"
    assert {f.name for f in tmp_path.iterdir()} == {"evening.game", "out.jsonl"}


# Bad imports ----------------------------------------------------------------------------------


@pytest.fixture
def exported(tmp_path: Path) -> list[str]:
    path = tmp_path / "evening.game"
    game(path, 4).close()
    return list(lines(path, full=True))


def refuse(tmp_path: Path, text: str | bytes) -> BadInput:
    file, games = tmp_path / "in.jsonl", tmp_path / "games"
    file.write_bytes(text if isinstance(text, bytes) else text.encode(errors="surrogatepass"))
    with pytest.raises(BadInput) as raised:
        import_game(file, games)
    assert not games.exists() or not list(games.iterdir())
    return raised.value


@pytest.mark.parametrize(
    "text",
    ["", "hello\n", "[]\n", '{"kind": "other"}\n', '{"kind":"companion.game","redacted":false}\n'],
)
def test_a_file_that_is_no_export(tmp_path: Path, text: str) -> None:
    assert refuse(tmp_path, text).code in ("archive.unreadable", "archive.cut_off")


def test_a_picture_is_no_export(tmp_path: Path) -> None:
    assert refuse(tmp_path, b"\x89PNG\r\n\x1a\n\xff\xfe\n" * 20).code == "archive.unreadable"


def test_a_redacted_export_cannot_be_played(tmp_path: Path) -> None:
    path = tmp_path / "evening.game"
    game(path, 4).close()
    assert refuse(tmp_path, "".join(lines(path, full=False))).code == "archive.redacted"


@pytest.mark.parametrize("line", range(9))
def test_an_export_that_lost_a_line(tmp_path: Path, exported: list[str], line: int) -> None:
    assert len(exported) == 10
    error = refuse(tmp_path, "".join(exported[:line] + exported[line + 1 :]))
    assert error.code in ("archive.unreadable", "archive.line")


def test_an_export_that_was_cut_off(tmp_path: Path, exported: list[str]) -> None:
    assert refuse(tmp_path, "".join(exported[:-1])).code == "archive.cut_off"
    error = refuse(tmp_path, "".join(exported)[:-40])
    assert error.code == "archive.cut_off"


def changes(line: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The same line with one thing other than it was."""
    for key in line:
        yield {**line, key: None}
        yield {**line, key: {"deep": line[key]}}
        yield {k: v for k, v in line.items() if k != key}
        if isinstance(line[key], dict):
            for inner in changes(line[key]):
                yield {**line, key: inner}
        if isinstance(line[key], str):
            yield {**line, key: line[key] + "\ud800"}


def test_every_change_of_a_line_is_noticed(tmp_path: Path, exported: list[str]) -> None:
    tried = 0
    for number in (0, 3, 4, 9):
        for changed in changes(json.loads(exported[number])):
            text = "".join(
                json.dumps(changed) + "\n" if at == number else line
                for at, line in enumerate(exported)
            )
            assert refuse(tmp_path, text).code.startswith(("archive.", "journal.")), changed
            tried += 1
    assert tried > 60


@pytest.mark.parametrize(
    "name", ["../evil", "/etc/evil", "", ".hidden", "a/b", "a\\b", "x" * 99, None, 7, "a\n"]
)
def test_a_game_s_name_cannot_lead_out_of_the_folder(tmp_path: Path, name: Any) -> None:
    journal = MemoryJournal({**HEADER, "game": name})
    first = {"kind": "companion.game", "redacted": False, "header": dict(journal.header)}
    text = json.dumps(first) + "\n" + json.dumps({"end": 0}) + "\n"
    assert refuse(tmp_path, text).code == "archive.unreadable"
    assert {f.name for f in tmp_path.rglob("*")} <= {"in.jsonl", "games"}


def test_a_game_that_is_there_is_not_replaced(tmp_path: Path, exported: list[str]) -> None:
    file, path = tmp_path / "in.jsonl", tmp_path / "evening.game"
    file.write_text("".join(exported))
    before = path.read_bytes()
    for source in (file, backup(path, tmp_path / "backups")):
        with pytest.raises(BadInput) as raised:
            import_game(source, tmp_path)
        assert raised.value.code == "journal.exists"
    assert path.read_bytes() == before


# Backups --------------------------------------------------------------------------------------


def test_a_backup_of_a_running_game_is_the_whole_game(tmp_path: Path) -> None:
    path, folder = tmp_path / "evening.game", tmp_path / "backups"
    with game(path, 5, seed="00") as journal:
        copy = backup(path, folder)
        told = everything(journal)
        write(journal, 6)
    assert [f.name for f in folder.iterdir()] == ["evening.000005.game"]
    assert folder.stat().st_mode & 0o777 == 0o700
    assert copy.stat().st_mode & 0o777 == 0o600
    back = import_game(copy, tmp_path / "games")
    with Journal.open(back) as journal:
        assert everything(journal) == told


def test_the_newest_backups_of_each_game_stay(tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    with game(tmp_path / "other.game", 1):
        backup(tmp_path / "other.game", folder)
    path = tmp_path / "evening.game"
    with game(path, 0) as journal:
        for number in range(1, BACKUPS + 4):
            write(journal, number)
            backup(path, folder)
    names = sorted(f.name for f in folder.iterdir())
    assert names == [
        *(f"evening.{n:06d}.game" for n in range(4, BACKUPS + 4)),
        "other.000001.game",
    ]


def test_the_last_backup_is_the_newest_that_is_sound(tmp_path: Path) -> None:
    path, folder = tmp_path / "evening.game", tmp_path / "backups"
    assert last_backup(path, folder) is None
    with game(path, 2) as journal:
        good = backup(path, folder)
        write(journal, 3)
        bad = backup(path, folder)
    assert last_backup(path, folder) == bad
    bad.write_bytes(bad.read_bytes()[:5000])
    assert check_chain(bad)
    assert last_backup(path, folder) == good
