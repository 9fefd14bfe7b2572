"""Undo says what hands must put back: what was moved already, and nothing that was not."""

from __future__ import annotations

import pytest

from companion.game import Chance
from companion.library import load_content
from companion.table.journal import MemoryJournal
from companion.table.table import Table


@pytest.fixture
def table() -> Table:
    made = Table(load_content(), MemoryJournal({"game": "undo"}), Chance(bytes(32)))
    made.command(
        {
            "do": "setup",
            "players": ["captain", "scout"],
            "digital": True,
            "preset": "everything",
            "truth": {"objectives": "physical"},
        }
    )
    made.command({"do": "place", "piece": "adult#1", "to": "006"})
    return made


def told(table: Table) -> list[tuple[str, str | None, str | None]]:
    return [(i["piece"], i["from"], i["to"]) for i in table.ledger.open()]


def retreat(table: Table) -> str:
    table.command({"do": "retreat", "intruder": "adult#1"})
    return next(i["to"] for i in table.ledger.open() if i["piece"] == "adult#1")


def test_a_move_that_was_made_is_moved_back(table: Table) -> None:
    to = retreat(table)
    table.command({"do": "tick", "instruction": "all"})
    table.command({"do": "undo", "by": "scenario"})
    assert ("adult#1", to, "006") in told(table)


def test_a_move_that_was_not_made_yet_needs_nothing(table: Table) -> None:
    retreat(table)
    table.command({"do": "undo", "by": "scenario"})
    assert not [t for t in told(table) if t[0] == "adult#1"]


def test_a_figure_walks_back(table: Table) -> None:
    table.command({"do": "move", "seat": 1, "to": "014"})
    table.command({"do": "undo", "by": "scenario"})
    assert ("captain", "014", "011") in told(table)
