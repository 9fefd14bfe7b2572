"""The end on disk: secrets until the last verdict, the story, the seal, a journal that verifies."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.game import Refused
from companion.library import load_content
from companion.table import views
from companion.table.archive import lines
from companion.table.fairness import SECRET, SealedChance, commitment, seal
from companion.table.journal import Journal
from companion.table.session import AUDIENCES
from companion.table.story import story
from companion.table.table import Table
from companion.table.verify import verify

CONTENT = load_content()
PEOPLE = ("captain", "scout", "soldier")


class Envelope:
    """Keeps a seal until there is a journal to keep it."""

    def __init__(self) -> None:
        self._held: dict[str, Any] = {}

    def kept(self, key: str) -> Any:
        return self._held.get(key)

    def keep(self, key: str, value: Any) -> None:
        self._held[key] = value


def played(path: Path) -> Table:
    """A sealed game up to its end: the scout sleeps, the soldier has left, the captain dies."""
    closed = Envelope()
    header = {"game": "g", "content": CONTENT.version, "commitment": seal(closed)}
    journal = Journal.create(path, header)
    journal.keep(SECRET, closed.kept(SECRET))
    table = Table(CONTENT, journal, SealedChance(journal, "g"))
    table.command({"do": "setup", "players": list(PEOPLE), "digital": True})
    table.command({"do": "noise_roll", "seat": 1})
    table.command({"do": "undo"})
    table.command({"do": "signal", "seat": 2})
    table.command({"do": "state", "seat": 2, "state": "hibernated"})
    table.command({"do": "state", "seat": 3, "state": "launched"})
    table.command({"do": "game_end", "by": "table"})
    return table


def to_the_end(table: Table) -> None:
    """Every verdict, each question answered: the first option, or no."""
    while not table.finished:
        for ident, ask in list(table.prompts().items()):
            value = ask.options[0].id if ask.options else False
            table.command({"do": "answer", "prompt": ident, "value": value, "by": f"seat:{ask.to}"})
        if table.root is None and table.state.agenda:
            table.command({"do": "next"})


def test_nothing_is_revealed_before_its_verdict_and_of_the_dead_never(tmp_path: Path) -> None:
    table = played(tmp_path / "g.game")
    dead = list(table.state.seats[1].objectives)
    living = [o for seat in (2, 3) for o in table.state.seats[seat].objectives]
    assert table.state.seats[1].state == "dead"
    shown = json.dumps([views.view(table, a) for a in ("table", "host", "seat:1")])
    export = "".join(lines(tmp_path / "g.game", full=False))
    assert not [o for o in living if f'"{o}"' in shown + export]
    assert views.view(table, "table")["game"]["status"] == "playing"
    assert views.view(table, "table")["seal"] is None
    to_the_end(table)
    for audience in AUDIENCES:
        if audience != "seat:1":
            text = json.dumps(views.view(table, audience))
            assert not [o for o in dead if f'"{o}"' in text], audience
    turned = [v["params"]["seat"] for v in table.state.verdicts if "objective" in v["type"]]
    assert set(turned) == {p.seat for p in table.state.seats.values() if p.state != "dead"}
    table.journal.close()


def test_the_seal_opens_after_the_last_verdict_and_the_game_verifies(tmp_path: Path) -> None:
    table = played(tmp_path / "g.game")
    to_the_end(table)
    seen = views.view(table, "table")
    assert seen["game"]["status"] == "over"
    assert commitment(bytes.fromhex(seen["seal"]["secret"])) == seen["seal"]["commitment"]
    assert seen["seal"]["undone"] == 1
    assert verify(table.journal, CONTENT).problems == ()
    table.journal.close()


def test_undo_past_the_open_seal_asks_the_host(tmp_path: Path) -> None:
    table = played(tmp_path / "g.game")
    to_the_end(table)
    with pytest.raises(Refused, match=r"undo\.secret"):
        table.command({"do": "undo", "by": "table"})
    table.command({"do": "undo", "by": "host", "confirm": True})
    assert not table.finished
    assert table.state.winners is None
    table.command({"do": "next"})
    assert table.finished
    assert verify(table.journal, CONTENT).problems == ()
    table.journal.close()


def test_a_table_opened_again_goes_on_with_the_next_verdict(tmp_path: Path) -> None:
    table = played(tmp_path / "g.game")
    table.command({"do": "next"})
    before = table.state.digest()
    table.journal.close()
    journal = Journal.open(tmp_path / "g.game")
    again = Table(CONTENT, journal, SealedChance(journal, "g"))
    again.go_on()
    assert again.state.digest() == before
    to_the_end(again)
    assert again.state.winners is not None
    journal.close()


def test_the_table_is_right_about_an_objective(tmp_path: Path) -> None:
    table = played(tmp_path / "g.game")
    with pytest.raises(Refused, match=r"judge\.not_judged"):
        table.command({"do": "judge", "seat": 3, "fulfilled": True})
    to_the_end(table)
    survivor = next(p.seat for p in table.state.seats.values() if p.state != "dead")
    for fulfilled in (True, False, True):
        table.command({"do": "judge", "seat": survivor, "fulfilled": fulfilled})
        assert table.state.winners is not None
        assert (survivor in table.state.winners) is fulfilled
    table.journal.close()


def test_the_story_tells_what_stands_and_nothing_undone(tmp_path: Path) -> None:
    table = played(tmp_path / "g.game")
    to_the_end(table)
    told = story(table.journal.rows())
    kinds = [line["type"] for chapter in told["chapters"] for line in chapter["lines"]]
    assert kinds.count("signal") == 1
    assert {"hibernated", "now_launched"} <= set(kinds)  # who left by the table's word left too
    assert told["chapters"][-1]["round"] == 0
    assert kinds[-1] in ("verdict_winners", "verdict_nobody")
    assert told["sums"]["deaths"] >= 1
    table.command({"do": "undo", "by": "host", "confirm": True})
    again = story(table.journal.rows())
    assert "verdict_winners" not in str(again)
    assert "verdict_nobody" not in str(again)
    table.journal.close()
