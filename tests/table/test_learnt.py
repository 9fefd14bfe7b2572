"""A card that nobody knows is entered by hand once, and offered by its name from then on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.game import BadInput, Chance
from companion.library import load_content
from companion.table.folder import DataFolder
from companion.table.games import new_game, resume_or_new
from companion.table.journal import MemoryJournal
from companion.table.table import Table
from companion.table.verify import verify

CONTENT = load_content()
LINE = {"name": "Not in the lists", "blood": 6, "attackers": ["adult"], "effect": "none"}


def begin(table: Table) -> Table:
    """One person and an Adult in the Hibernatorium; the Attack deck lies on the table."""
    truth = {"attack": "physical", "objectives": "physical"}
    table.command({"do": "setup", "players": ["captain"], "digital": True, "truth": truth})
    table.command({"do": "place", "piece": "adult", "to": "011"})
    table.command({"do": "event_phase", "step": "attack"})
    return table


@pytest.fixture
def table() -> Table:
    return begin(Table(CONTENT, MemoryJournal({"game": "g"}), Chance(b"learnt")))


def offered(table: Table) -> list[Any]:
    [ask] = table.prompts().values()
    return [option.id for option in ask.options]


def say(table: Table, value: Any) -> None:
    [prompt] = table.prompts()
    table.command({"do": "answer", "prompt": prompt, "value": value})


def test_an_unknown_card_is_read_from_the_card_and_learnt(table: Table) -> None:
    assert "learnt:Not in the lists" not in offered(table)
    say(table, LINE)
    assert [line["type"] for line in table.log.lines(None)][-2:] == [
        "attack_hits", "card_by_table",
    ]  # fmt: skip
    table.command({"do": "event_phase", "step": "attack"})
    say(table, "learnt:Not in the lists")
    assert table.state.last_card is not None
    assert table.state.last_card["card"] == "Not in the lists"


def test_the_number_counts_in_a_damage_check(table: Table) -> None:
    say(table, {**LINE, "attackers": []})
    table.command({"do": "injure", "intruder": "adult", "hits": 5, "room": "011"})
    say(table, "learnt:Not in the lists")
    assert table.state.injuries == {"adult#1": 5}


def test_what_has_no_name_is_not_learnt(table: Table) -> None:
    say(table, {"blood": 2, "attackers": ["adult"], "effect": "none"})
    assert table.state.learnt == {}


def test_a_line_that_cannot_be_is_refused_and_not_learnt(table: Table) -> None:
    with pytest.raises(BadInput, match="range"):
        say(table, {**LINE, "blood": 99})
    assert table.state.learnt == {}


def test_undo_forgets_what_was_mistyped(table: Table) -> None:
    say(table, LINE)
    table.command({"do": "undo"})
    assert table.state.learnt == {}


def test_the_next_game_knows_it_too(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    folder.create()
    table = begin(new_game(folder, CONTENT, simulated=True))
    say(table, LINE)
    again = begin(new_game(folder, CONTENT, simulated=True, learnt=table.state.learnt))
    assert "learnt:Not in the lists" in offered(again)
    say(again, "learnt:Not in the lists")
    assert verify(again.journal, CONTENT).problems == ()
    again.journal.close()
    reopened, _ = resume_or_new(folder, CONTENT, simulated=True)
    assert reopened.state.learnt == table.state.learnt
    reopened.journal.close()
    table.journal.close()
