"""A recorded game runs as a case and comes to the same end; a running one keeps its secrets."""

from __future__ import annotations

import random
import tomllib

import pytest

from companion.game import BadInput, Refused
from companion.library.model import Content
from companion.scenario import run_case
from companion.scenario.case import parse_case
from companion.scenario.record import record
from companion.table.table import Table
from tests.rules.test_trials import answer_all, begin


def played(content: Content, seed: int, commands: int = 30) -> Table:
    """A game of four with whatever chance brings, undo and redo among it."""
    table = begin(content, seed)
    chance = random.Random(seed)
    rooms = sorted(content.boards["nemesis/basic"].rooms)
    for _ in range(commands):
        command = chance.choice(
            [
                {"do": "move", "seat": chance.randint(1, 4), "to": chance.choice(rooms)},
                {"do": "noise_roll", "seat": chance.randint(1, 4)},
                {"do": "wound", "seat": chance.randint(1, 4)},
                {"do": "event_phase"} if not table.state.agenda else {"do": "next"},
                {"do": "undo", "by": "scenario"},
                {"do": "redo", "by": "scenario"},
            ]
        )
        try:
            table.command(command)
            if chance.random() < 0.7:  # else the question may be undone
                answer_all(table, chance)
        except (Refused, BadInput):
            continue
    answer_all(table, chance)
    return table


@pytest.mark.parametrize("seed", range(10))
def test_a_game_that_is_over_is_recorded_whole(content: Content, seed: int) -> None:
    table = played(content, seed)
    if table.state.phase != "over":
        while table.state.agenda:
            table.command({"do": "next"})
            answer_all(table, random.Random(seed))
        table.command({"do": "game_end"})
    data = tomllib.loads(record(table))
    data["then"] = {
        "phase": "over",
        "ending": table.state.ending,
        "round": table.state.round,
        "tracks": {"time": table.state.time},
        "bag": [t.split("#")[0] for t in table.state.tokens("bag")],
    }
    result = run_case(parse_case(data), content)
    assert result.passed, result.problems


def test_a_running_game_gives_no_objective_away(content: Content) -> None:
    table = begin(content, 3)
    table.command({"do": "encounter", "seat": 1})
    answer_all(table, random.Random(3))
    text = record(table)
    dealt = {o for p in table.state.seats.values() for o in p.objectives}
    assert not [o for o in dealt if o in text]
    result = run_case(parse_case(tomllib.loads(text)), content)
    assert result.passed, result.problems


def test_what_was_refused_undone_and_forced_is_recorded_as_it_was(content: Content) -> None:
    """A closed door found by an answer and taken anyway; a question undone and answered anew."""
    table = begin(content, 3)
    table.command({"do": "tracking", "topic": "doors", "level": "asked"})
    move = {"do": "move", "seat": 1, "to": "006"}
    table.command(move)
    with pytest.raises(Refused):
        table.command({"do": "answer", "value": {"006-011": "closed"}})
    table.command({"do": "by_hand"})
    answer_all(table, random.Random(1))
    table.command({"do": "move", "seat": 2, "to": "006"})
    table.command({"do": "answer", "value": {"006-011": "open"}})
    table.command({"do": "undo", "by": "scenario"})
    table.command({"do": "move", "seat": 2, "to": "006"})
    with pytest.raises(Refused):
        table.command({"do": "answer", "value": {"006-011": "closed"}})
    table.command({"do": "move", "seat": 2, "to": "008"})
    answer_all(table, random.Random(2))
    while table.state.agenda:
        table.command({"do": "next"})
        answer_all(table, random.Random(2))
    table.command({"do": "game_end"})
    data = tomllib.loads(record(table))
    assert [w["do"] for w in data["when"]][:4] == ["tracking", "move", "undo", "move"]
    data["then"] = {"characters": {"captain": {"room": "006"}, "scout": {"room": "008"}}}
    result = run_case(parse_case(data), content)
    assert result.passed, result.problems


def test_an_open_answer_to_a_look_for_one_seat_is_left_out_with_its_question(
    content: Content,
) -> None:
    table = begin(content, 3)
    table.command({"do": "place", "piece": "scout", "to": "019"})
    table.command({"do": "repair", "seat": 2})
    table.command({"do": "answer", "value": "keep"})
    table.command({"do": "signal", "seat": 1})
    data = tomllib.loads(record(table))
    assert [w["do"] for w in data["when"]][-2:] == ["place", "signal"]
    result = run_case(parse_case(data), content)
    assert result.passed, result.problems
