"""Objectives: every card can be judged, and asking comes to the same as knowing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.game import Ask
from companion.game.procedure import Steps
from companion.library import load_content
from companion.library.kinds import CONDITION
from companion.library.model import Content
from companion.rules import Play
from companion.rules.facts import TOPICS
from companion.rules.victory import WORDS, Claim, judge, verdict
from companion.table.table import Table
from tests.rules.test_trials import begin

CONTENT = load_content()
FIVE = ["captain", "scout", "soldier", "pilot", "mechanic"]
TABLE = begin(CONTENT, players=FIVE)


def test_the_words_of_content_and_of_the_rules_are_the_same() -> None:
    assert set(CONDITION) == set(WORDS)


def test_every_objective_of_the_box_can_be_judged() -> None:
    assert len(CONTENT.objectives) == 25
    for objective in CONTENT.objectives.values():
        assert objective.condition, objective.id


def claim(facts: Mapping[str, Any], level: str) -> Claim:
    """Seat 2's claim at an end where these things are so; ``level``: held, or asked."""
    state = TABLE.state.copy()
    play = Play(state, CONTENT)
    state.tracking = dict.fromkeys(TOPICS, level)
    state.ship_destroyed = facts["destroyed"]
    state.reached = None if facts["destroyed"] else facts["reached"]
    state.nest_destroyed = facts["nest"]
    state.weaknesses = dict.fromkeys(facts["weaknesses"], "vital_places")
    state.coop = facts["coop"]
    if facts["queen"]:
        state.where["queen#1"] = "removed"
    if facts["explored"]:
        state.explored = set(play.board.rooms)
    for kind in facts["carried"]:
        state.where[f"{kind}#1"] = "held:2"
    for person in state.seats.values():
        person.state = "launched" if person.seat in {2, *facts["alive"]} else "dead"
        person.signal = person.seat in facts["signals"]
        person.room = None
    return Claim(play, play.person(2))


FACTS = st.fixed_dictionaries(
    {
        "destroyed": st.booleans(),
        "reached": st.sampled_from(["earth", "mars", "venus", "deep_space"]),
        "nest": st.booleans(),
        "queen": st.booleans(),
        "explored": st.booleans(),
        "coop": st.booleans(),
        "weaknesses": st.sets(st.sampled_from(["corpse", "egg", "carcass"])),
        "carried": st.sets(st.sampled_from(["egg", "corpse_blue"])),
        "alive": st.sets(st.integers(1, 5)),
        "signals": st.sets(st.integers(1, 5)),
        "items": st.booleans(),
        "corpse": st.booleans(),
    }
)


def answered(steps: Steps, truth: Claim, facts: Mapping[str, Any]) -> tuple[bool, list[str]]:
    """Run a judgement, answering each question from another table that knows."""
    asked: list[str] = []
    reply: Any = None
    try:
        while True:
            ask = steps.send(reply)
            assert isinstance(ask, Ask)
            name = ask.key.removeprefix("ask.fact_").removesuffix("_together")
            asked.append(f"{name} {dict(ask.params)}")
            value = next((v for k, v in ask.params.items() if k != "seat"), True)
            read = WORDS[name].read(truth, value)
            reply = facts["items" if name == "items" else "corpse"] if read is None else read
    except StopIteration as done:
        return done.value, asked


@pytest.mark.parametrize("objective", sorted(CONTENT.objectives))
@given(facts=FACTS)
def test_asking_comes_to_the_same_as_knowing(objective: str, facts: dict[str, Any]) -> None:
    condition = CONTENT.objectives[objective].condition
    assert condition
    knows, asks = claim(facts, "tracked"), claim(facts, "asked")
    by_state, few = answered(judge(knows, condition), knows, facts)
    by_answers, asked = answered(judge(asks, condition), knows, facts)
    assert by_answers == by_state
    assert len(asked) == len(set(asked)) <= len(condition) + 1
    assert all(q.startswith(("items", "corpse_in")) for q in few)
    assert verdict(asks, condition) == by_state  # settled: nothing is asked twice


@pytest.mark.parametrize("objective", sorted(CONTENT.objectives))
def test_the_owners_number_never_counts_against_the_owner(objective: str) -> None:
    condition = CONTENT.objectives[objective].condition or {}
    parts = condition.get("any", ())
    number = next((p["player_dead"] for p in parts if "player_dead" in p), None)
    if number is None:
        return
    facts = {
        "destroyed": False,
        "reached": "earth",
        "nest": False,
        "queen": False,
        "explored": False,
        "coop": False,
        "weaknesses": set(),
        "carried": set(),
        "alive": {1, 2, 3, 4, 5} - {number},
        "signals": set(),
    }
    made = claim(facts, "tracked")
    assert verdict(made, condition) is (number != 2)


def test_an_unknown_card_is_asked_by_name(content: Content) -> None:
    """A card of an owner's pack without a condition: the table judges it."""
    from dataclasses import replace

    own = replace(content.objectives["hoarder"], id="mystery", condition=None)
    taught = replace(content, objectives={**content.objectives, "mystery": own})
    table: Table = begin(taught, players=["captain", "scout"])
    table.state.seats[2].objectives = ["mystery"]
    table.state.seats[2].state, table.state.seats[2].room = "launched", None
    table.state.hidden["engines"] = dict.fromkeys("123", "working")
    table.command({"do": "game_end", "cause": "jump"})
    while not table.prompts():
        table.command({"do": "next"})
    (ask,) = table.prompts().values()
    assert (ask.key, ask.params) == ("ask.fulfilled_card", {"seat": 2, "objective": "mystery"})
    table.command({"do": "answer", "value": True})
    table.command({"do": "next"})
    assert table.state.winners == [2]
    assert table.finished


@pytest.fixture(scope="module")
def content() -> Content:
    return CONTENT
