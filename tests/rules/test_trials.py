"""Faults that people reported of other companions, each tried on this one."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from companion.game import Ask, BadInput, Chance, Refused
from companion.game.state import BAG, SUPPLY, label_of
from companion.library import load_content
from companion.library.model import Content
from companion.rules import VERBS
from companion.scenario.given import apply_given
from companion.table import views
from companion.table.journal import MemoryJournal
from companion.table.table import Table

FOUR = ["captain", "scout", "soldier", "mechanic"]


@pytest.fixture(scope="module")
def content() -> Content:
    return load_content()


def begin(
    content: Content,
    seed: int = 1,
    players: list[str] = FOUR,
    given: Mapping[str, Any] | None = None,
    **setup: Any,
) -> Table:
    """A running game with everything held and drawn by the box, unless said otherwise."""
    table = Table(content, MemoryJournal({}), Chance(seed.to_bytes(32, "big")))
    table.command(
        {"do": "setup", "players": players, "preset": "everything", "digital": True, **setup}
    )
    apply_given(table.state, given or {}, content, "trial")
    return table


def told(table: Table, *types: str) -> list[dict[str, Any]]:
    """Events of these types, oldest first."""
    return [e for row in table.journal.rows() for e in row.events if e["type"] in types]


def answer_all(table: Table, chance: random.Random) -> None:
    """Answer what is open, anyhow."""
    while prompts := table.prompts():
        ident, ask = next(iter(prompts.items()))
        table.command(
            {"do": "answer", "prompt": ident, "value": any_answer(ask, chance), "by": "scenario"}
        )


def any_answer(ask: Ask, chance: random.Random) -> Any:
    if ask.kind in ("yes_no", "confirm"):
        return ask.kind == "confirm" or chance.random() < 0.5
    if ask.pieces is not None:
        return True
    choice = chance.choice(ask.options).id
    return [choice] if ask.multiple else choice


def test_t1_every_adult_is_equally_likely_to_start(content: Content) -> None:
    games = 200
    seen: Counter[str] = Counter()
    for seed in range(games):
        seen.update(begin(content, seed).state.tokens(BAG, "adult"))
    expected = games * 7 / 12
    spread = (games * 7 / 12 * 5 / 12) ** 0.5
    assert len(seen) == 12
    assert sum(seen.values()) == games * 7
    assert all(abs(n - expected) < 4 * spread for n in seen.values()), seen


def test_t2_a_blank_chosen_by_hand_goes_back(content: Content) -> None:
    table = begin(content, truth={"bag": "physical"})
    before = table.state.tokens(BAG)
    table.command({"do": "encounter", "seat": 1})
    (prompt,) = table.prompts()
    table.command({"do": "answer", "prompt": prompt, "value": "blank"})
    assert table.state.tokens(BAG) == before
    assert [e["params"]["token"] for e in told(table, "token_back")] == ["blank"]


def test_t4_adding_one_adds_one(content: Content) -> None:
    table = begin(content)
    bag, supply = table.state.tokens(BAG), table.state.tokens(SUPPLY)
    table.command({"do": "bag", "token": "larva", "to": "in"})
    added = set(table.state.tokens(BAG)) - set(bag)
    assert [label_of(t) for t in added] == ["larva/1"]
    assert set(supply) - set(table.state.tokens(SUPPLY)) == added


def test_t5_no_card_is_made_or_lost_in_five_rounds(content: Content) -> None:
    table = begin(content, 5)
    chance = random.Random(5)
    counts = set()
    for _ in range(5):
        if table.state.phase == "over":
            break
        table.command({"do": "event_phase"})
        answer_all(table, chance)
        while table.state.agenda:
            table.command({"do": "next"})
            answer_all(table, chance)
        cards = Counter(p.split(":")[0] for p in table.state.where if ":" in p)
        counts.add((cards["event"], cards["attack"], cards["token"], cards["exploration"]))
    assert table.state.round > 3
    assert counts == {(20, 20, 27, 20)}


def test_t7_looking_changes_nothing(content: Content) -> None:
    table = begin(content)
    table.command({"do": "noise_roll", "seat": 1})
    before = table.state.digest()
    for audience in ("table", "host", "seat:1", "seat:2", "seat:3", "seat:4"):
        views.view(table, audience)
    assert table.state.digest() == before


def test_t9_the_count_shown_is_the_count_there(content: Content) -> None:
    table = begin(content, 9)
    chance = random.Random(9)
    done = 0
    for _ in range(1000):
        if table.state.phase == "over":
            table = begin(content, done + 10)
        rooms = sorted(content.boards["nemesis/basic"].rooms)
        seat = chance.randint(1, 4)
        command = chance.choice(
            [
                {"do": "bag_development"},
                {"do": "noise_roll", "seat": seat},
                {"do": "encounter", "seat": seat},
                {"do": "move", "seat": seat, "to": chance.choice(rooms)},
                {"do": "bag", "token": chance.choice(["larva", "adult"]), "to": "in"},
                {"do": "bag", "token": "larva", "to": "out"},
                {"do": "event_phase", "step": chance.choice(["attack", "event"])},
            ]
        )
        try:
            table.command(command)
            answer_all(table, chance)
            done += 1
        except (Refused, BadInput):
            continue
        shown = views.view(table, "table")["bag"]["count"]
        inside = sum(z == BAG for p, z in table.state.where.items() if p.startswith("token:"))
        assert shown == inside
    assert done > 300


def test_t10_tokens_of_miniatures_on_the_board_can_be_used(content: Content) -> None:
    table = begin(
        content,
        players=["captain"],
        given={
            "bag": {"blank": 1, "larva": 1, "adult": 10},
            "rooms": {"001": {"intruders": ["adult", "adult"]}},
        },
        truth={"bag": "physical"},
    )
    table.command({"do": "bag_development"})
    while prompts := table.prompts():
        (ident,) = prompts
        offered = [o.id for o in prompts[ident].options]
        value = "larva/1" if "larva/1" in offered else offered[0]
        table.command({"do": "answer", "prompt": ident, "value": value})
    assert len(table.state.tokens(BAG, "adult")) == 11
    assert not told(table, "token_missing")


def test_t13_an_empty_bag_is_told_with_its_rule(content: Content) -> None:
    table = begin(content, given={"bag": []})
    table.command({"do": "bag_development"})
    (event,) = told(table, "bag_empty")
    assert "BASE-147" in event["rule"]
    assert table.root is None


def _queen_comes(content: Content) -> Table:
    table = begin(
        content,
        given={
            "bag": ["queen"],
            "rooms": {"003": {"tile": "nest"}},
            "characters": {"captain": {"room": "003", "hand": 5}},
        },
    )
    table.command({"do": "bag_development"})
    return table


def test_t14_the_first_encounter_may_come_by_the_nest(content: Content) -> None:
    table = _queen_comes(content)
    asks = list(table.prompts().values())
    assert sorted(a.to for a in asks) == [1, 2, 3, 4]
    assert {a.key for a in asks} == {"ask.keep_objective"}
    answer_all(table, random.Random(1))
    assert all(p.kept for p in table.state.seats.values())
    table.command({"do": "encounter", "seat": 2})
    assert len(told(table, "first_encounter")) == 1


def test_t15_the_first_encounter_is_recorded_in_the_first_round(content: Content) -> None:
    table = _queen_comes(content)
    assert table.state.round == 1
    assert table.state.met
    assert len(told(table, "first_encounter")) == 1


def test_t16_a_blank_is_told_differently_in_encounter_and_development(content: Content) -> None:
    told_in = {}
    for do in ("encounter", "bag_development"):
        table = begin(content, given={"bag": ["blank"]})
        start = table.seq
        table.command({"do": do, **({"seat": 1} if do in VERBS and VERBS[do].args else {})})
        events = [e for row in table.journal.rows(start) for e in row.events]
        told_in[do] = {r for e in events for r in e["rule"].split()}
    assert {"BASE-146", "FAQ-A6"} <= told_in["encounter"]
    assert {"BASE-338", "FAQ-A58"} <= told_in["bag_development"]
    assert not {"BASE-146", "FAQ-A6"} & told_in["bag_development"]
    assert not {"BASE-338", "FAQ-A58"} & told_in["encounter"]


def test_t18_undo_neither_fishes_nor_peeks(content: Content) -> None:
    def drawn(table: Table) -> str:
        return str(told(table, "token_drawn")[-1]["params"]["token"])

    others = set()
    for seed in range(12):
        table = begin(content, seed, given={"met": True})
        table.command({"do": "encounter", "seat": 1})
        first = drawn(table)
        answer_all(table, random.Random(seed))
        table.command({"do": "undo", "by": "scenario"})
        table.command({"do": "encounter", "seat": 1})
        assert drawn(table) == first
        answer_all(table, random.Random(seed))
        table.command({"do": "undo", "by": "scenario"})
        table.command({"do": "encounter", "seat": 2})
        others.add(drawn(table) == first)
        assert len(told(table, "undone")) == 2
    assert False in others


def test_a_wound_that_no_card_is_left_for_is_not_offered_and_not_taken(content: Content) -> None:
    table = begin(content, players=["captain", "scout"], truth={"wounds": "physical"})
    deck = table.state.cards("wound", "deck")
    table.state.where.update({f"wound:{c}": "discard" for c in deck if c.startswith("hand#")})
    table.command({"do": "wound", "seat": 1, "kind": "serious"})
    (ask,) = table.prompts().values()
    assert [o.id for o in ask.options] == ["body", "leg", "arm", "bleeding"]
    with pytest.raises(BadInput):
        table.command({"do": "answer", "value": "hand"})
    table.command({"do": "answer", "value": "leg"})
    assert table.state.seats[1].serious == ["leg"]
