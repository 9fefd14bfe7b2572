"""A game that began with another edition of the rules goes on, and what cannot is said plainly."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.cli import FAILED, main
from companion.game import Steps
from companion.library import load_content
from companion.locale import words
from companion.rules import RULES, STEPS, VERBS, Play
from companion.rules.play import tell
from companion.rules.verbs import Verb
from companion.table import games
from companion.table.folder import DataFolder
from companion.table.games import new_game, newest, open_game, resume_or_new
from companion.table.table import Table
from companion.table.verify import verify

CONTENT = load_content()
OLD = 7
LANGUAGES = ("en", "it", "fr")
SETUP = {"do": "setup", "players": ["captain", "scout"], "species": "carnomorphs"}


@pytest.fixture
def folder(tmp_path: Path) -> DataFolder:
    made = DataFolder(tmp_path)
    made.create()
    return made


def played(folder: DataFolder, monkeypatch: pytest.MonkeyPatch, *commands: dict[str, Any]) -> Table:
    """A game that the program of the older edition plays; still open."""
    with monkeypatch.context() as then:
        then.setattr(games, "RULES", OLD)
        table = new_game(folder, CONTENT, simulated=True)
    for command in (SETUP, {"do": "tick", "check": "all"}, *commands):
        assert table.command(dict(command))["status"] == "done"
    return table


def test_in_the_middle_of_a_question_nothing_is_lost(
    folder: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = played(folder, monkeypatch, {"do": "noise_roll", "seat": 1})
    before, asked = old.state.digest(), old.prompts()
    old.journal.close()
    table, recovery = resume_or_new(folder, CONTENT, simulated=True)
    assert recovery is None
    assert table.resumed is not None
    key, params = table.resumed
    assert (key, params["played"], params["known"]) == ("resumed.older", str(OLD), str(RULES))
    assert (table.state.digest(), table.prompts()) == (before, asked)
    assert asked
    assert verify(table.journal, CONTENT).problems == ()
    [prompt] = asked
    value = asked[prompt].options[0].id
    assert table.command({"do": "answer", "prompt": prompt, "value": value})["status"] == "done"
    table.journal.close()
    assert all(str(OLD) in words(language).say(key, params) for language in LANGUAGES)


def test_verify_says_that_other_rules_cannot_be_compared(
    folder: DataFolder, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def slower(play: Play) -> Steps:
        yield tell("time", "BASE-289", time=play.state.time)

    with monkeypatch.context() as then:
        then.setitem(STEPS, "time", replace(STEPS["time"], run=slower))
        old = played(folder, monkeypatch, {"do": "event_phase", "step": "time"})
    old.command({"do": "tracking", "topic": "noise", "level": "asked"})
    held = old.state.time
    old.journal.close()
    [path] = newest(folder)
    table = open_game(path, CONTENT)
    assert table.state.time == held  # as it was told then
    told = {"played": str(OLD), "known": str(RULES)}
    assert verify(table.journal, CONTENT).problems == (("verify.rules", told),)
    table.journal.close()
    for language in LANGUAGES:
        monkeypatch.setenv("COMPANION_LANGUAGE", language)
        assert main(["verify", str(path)]) == FAILED
        assert capsys.readouterr().out.strip() == words(language).say("cli.verify.rules", told)


def test_what_these_rules_cannot_repeat_is_left_to_the_table(
    folder: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def whistle(play: Play) -> Steps:
        play.state.round += 1
        yield tell("note", "", text="whistle")

    with monkeypatch.context() as then:
        then.setitem(VERBS, "whistle", Verb("whistle", whistle, {}))
        old = played(folder, monkeypatch, {"do": "note", "text": "kept"}, {"do": "whistle"})
    rows = old.seq
    old.journal.close()
    table, _ = resume_or_new(folder, CONTENT, simulated=True)
    assert table.resumed is not None
    assert table.resumed[0] == "resumed.left"
    assert (table.seq, table.state.round, table.root) == (rows, 1, None)
    assert table.command({"do": "pass", "seat": 1})["status"] == "done"
    table.journal.close()
    again = open_game(newest(folder)[0], CONTENT)  # that is history now
    assert again.resumed is not None
    assert (again.resumed[0], again.seq) == ("resumed.older", rows + 1)
    again.journal.close()
