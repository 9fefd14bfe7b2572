"""Setup: flags, numbers and the draft, through the public door."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.bench.evening import table as sealed
from companion.game import BadInput, Chance, Refused
from companion.library import load_content
from companion.scenario.record import record
from companion.table import views
from companion.table.journal import MemoryJournal
from companion.table.table import Table
from companion.table.verify import verify

CONTENT = load_content()


def table(seed: int = 1) -> Table:
    return Table(CONTENT, MemoryJournal({"game": "g"}), Chance(bytes([seed]) * 32))


def settle(game: Table, pick: int = 0) -> list[tuple[str, str | int]]:
    """Answer every question of the setup; what was asked of whom."""
    asked = []
    while game.root is not None:
        ident, ask = next(iter(game.prompts().items()))
        asked.append((ask.key, ask.to))
        option = ask.options[pick % len(ask.options)].id
        game.command({"do": "answer", "prompt": ident, "value": option, "by": "table"})
    return asked


@pytest.mark.parametrize("species", ["void_seeders", "carnomorphs"])
def test_nobody_plays_aliens_that_have_no_cards_for_it(species: str) -> None:
    game = table()
    with pytest.raises(Refused) as problem:
        game.command(
            {
                "do": "setup",
                "players": ["captain", "scout"],
                "species": species,
                "intruder_player": True,
            }
        )
    assert (problem.value.code, problem.value.rule) == ("setup.no_intruder_player", "BASE-66")
    assert game.state.phase == "lobby"


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"players": ["captain", "scout"], "solo": True}, "setup.solo_alone"),
        ({"players": ["captain"], "coop": True}, "setup.together"),
        ({"players": ["captain"], "flags": ["intruder_player"]}, "setup.together"),
        ({"players": ["captain"], "flags": ["hard"]}, "setup.unknown"),
        ({"players": ["captain"], "flags": "solo"}, "command.table"),
        ({"players": [{}]}, "setup.unknown_character"),
        ({"players": [{"character": "captain", "number": 2}]}, "setup.numbers"),
        (
            {"players": [{"character": "captain", "number": 1}], "numbers": "dealt"},
            "setup.numbers_dealt",
        ),
    ],
)
def test_what_does_not_go_together_is_refused(wrong: Mapping[str, Any], code: str) -> None:
    game = table()
    with pytest.raises(BadInput) as problem:
        game.command({"do": "setup", **wrong})
    assert problem.value.code == code
    assert game.state.phase == "lobby"


@settings(deadline=None, max_examples=30)
@given(count=st.integers(1, 5), seed=st.integers(0, 255), pick=st.integers(0, 1))
def test_a_drafted_group_has_a_character_and_a_number_each(
    count: int, seed: int, pick: int
) -> None:
    game = table(seed)
    game.command({"do": "setup", "players": [{}] * count, "draft": True, "numbers": "dealt"})
    asked = settle(game, pick)
    people = game.state.seats
    order = [p.seat for p in sorted(people.values(), key=lambda p: p.number)]
    drafts = [to for key, to in asked if key == "ask.draft_keep"]
    assert drafts == order
    assert len({p.character for p in people.values()}) == count
    assert sorted(p.number for p in people.values()) == list(range(1, count + 1))
    assert game.state.first_player == order[0]
    assert list(people) == sorted(people)


def test_real_help_cards_and_draft_cards_are_entered() -> None:
    game = table()
    game.command(
        {
            "do": "setup",
            "players": [{}, {}],
            "draft": True,
            "numbers": "dealt",
            "truth": {"help_cards": "physical", "draft": "physical", "pods": "digital"},
        }
    )
    assert [key for key, _ in settle(game)] == [
        "ask.help_card",
        "ask.draft_card",
        "ask.draft_card",
        "ask.draft_keep",
        "ask.draft_card",
        "ask.draft_card",
        "ask.draft_keep",
    ]


def test_the_objectives_of_a_cooperative_game_are_everybodys() -> None:
    game = table()
    game.command({"do": "setup", "players": ["captain", "scout"], "coop": True, "digital": True})
    seats = views.view(game, "table")["seats"]
    shown = [s["objectives"]["open"] for s in seats]
    assert shown == [p.objectives for p in game.state.seats.values()]
    assert all(CONTENT.objectives[o].deck == "solo_coop" for (o,) in shown)


def test_the_objectives_of_a_usual_game_are_on_no_table() -> None:
    game = table()
    game.command({"do": "setup", "players": ["captain", "scout"], "digital": True})
    assert all(s["objectives"]["open"] == [] for s in views.view(game, "table")["seats"])


def test_a_drafted_game_can_be_recorded() -> None:
    game = table()
    game.command({"do": "setup", "players": [{}, {}], "draft": True, "digital": True})
    settle(game)
    game.command({"do": "end_turn", "seat": 1})
    text = record(game)
    people = [p.character for p in game.state.seats.values()]
    assert f'players = ["{people[0]}", "{people[1]}"]' in text
    assert text.count("[[when]]") == 1


def test_undoing_the_setup_goes_back_to_the_lobby() -> None:
    game = table()
    game.command({"do": "setup", "players": [{}, {}], "draft": True})
    game.command({"do": "undo", "by": "scenario"})
    assert game.state.phase == "lobby"
    assert game.state.seats == {}


def cards_shown(game: Table) -> list[str]:
    """The draft cards that wait for a choice."""
    return [str(o.id) for ask in game.prompts().values() for o in ask.options]


def test_each_choice_of_a_draft_is_one_undo(tmp_path: Path) -> None:
    game = sealed(CONTENT, 3, tmp_path / "a.game")
    journal = game.journal
    setup = {"do": "setup", "players": [{}, {}, {}], "draft": True, "digital": True}
    game.command(setup)
    first = cards_shown(game)

    def choose(card: str) -> None:
        ident = next(iter(game.prompts()))
        game.command({"do": "answer", "prompt": ident, "value": card, "by": "table"})

    choose(first[0])
    second = cards_shown(game)
    choose(second[1])
    third = cards_shown(game)
    choose(third[0])
    assert game.state.phase == "player"
    with pytest.raises(Refused, match=r"undo\.secret"):  # objectives were dealt
        game.command({"do": "undo", "by": "table"})
    dealt = {seat: list(p.objectives) for seat, p in game.state.seats.items()}
    game.command({"do": "undo", "by": "host", "confirm": True})
    assert (game.state.phase, cards_shown(game)) == ("setup", third)
    assert len(game.state.seats) == 2
    assert not any(p.objectives for p in game.state.seats.values())
    game.command({"do": "redo", "by": "table"})
    assert {seat: list(p.objectives) for seat, p in game.state.seats.items()} == dealt
    game.command({"do": "undo", "by": "host", "confirm": True})
    assert views.view(game, "table")["can"]["undo"]["do"] == "answer"
    game.command({"do": "undo", "by": "table"})
    assert cards_shown(game) == second
    game.command({"do": "undo", "by": "table"})
    assert (cards_shown(game), game.state.seats) == (first, {})
    assert views.view(game, "table")["can"]["undo"]["do"] == "setup"
    choose(first[0])
    assert cards_shown(game) == second  # nothing was fished for
    game.command({"do": "undo", "by": "table"})
    again = Table(CONTENT, journal, game.source)  # shut and opened again
    assert (cards_shown(again), views.view(again, "table")) == (first, views.view(game, "table"))
    again.command({"do": "redo", "by": "table"})
    assert cards_shown(again) == second
    again.command({"do": "undo", "by": "table"})
    again.command({"do": "undo", "by": "table"})
    assert again.state.phase == "lobby"
    again.command(setup)
    assert cards_shown(again) == first
    assert verify(journal, CONTENT).problems == ()


def test_an_undo_takes_no_reason_of_its_own() -> None:
    game = table()
    game.command({"do": "setup", "players": ["captain", "scout"]})
    game.command({"do": "signal", "seat": 1})
    for reason in ("choice", "corridor_closed"):
        with pytest.raises(BadInput, match="because"):
            game.command({"do": "undo", "because": reason, "by": "table"})
    assert game.state.seats[1].signal


@pytest.mark.parametrize(
    ("species", "on_the_table"),
    [
        ("intruders", {"items"}),
        ("void_seeders", {"items", "weaknesses"}),
        ("carnomorphs", {"items", "adaptations", "mutations"}),
    ],
)
def test_cards_whose_text_nobody_knows_stay_on_the_table(
    species: str, on_the_table: set[str]
) -> None:
    """Whatever a box takes upon itself: what it cannot read is shuffled and read by hands."""
    game = table()
    setup = {"players": ["captain", "scout"], "species": species}
    game.command({"do": "setup", **setup, "digital": True})
    steps = {step["id"] for step in views.view(game, "table")["checklist"]}
    decks = {"items", "weaknesses", "adaptations", "mutations", "panic", "event", "attack"}
    assert steps & decks == on_the_table
    assert bool(game.state.hidden.get("weaknesses")) is (species == "intruders")


def test_a_mutation_is_chosen_from_the_cards_in_hand_and_named_when_it_is_turned() -> None:
    game = table()
    setup = {"players": ["captain", "scout"], "species": "carnomorphs", "digital": True}
    game.command({"do": "setup", **setup, "preset": "everything"})
    game.command({"do": "mutate", "seat": 1, "card": True})
    assert game.root is None, "nobody is asked: two cards are drawn and one put back by hand"
    game.command({"do": "contaminate", "seat": 1})
    game.command({"do": "mutation_action", "seat": 1})
    [(ident, asked)] = game.prompts().items()
    assert (asked.key, asked.rule) == ("ask.which_mutation", "CA-15")
    game.command({"do": "answer", "prompt": ident, "value": {"name": "Read from the card"}})
    assert game.state.seats[1].own["mutation"] == "Read from the card"


def test_a_truth_that_is_stated_counts_where_the_box_knows_every_card() -> None:
    held = {}
    for species in ("carnomorphs", "void_seeders"):
        game = table()
        setup = {"do": "setup", "players": ["captain", "scout"], "species": species}
        game.command({**setup, "truth": {"weaknesses": "digital"}})
        held[species] = game.state.truth["weaknesses"]
    assert held["carnomorphs"] == "digital"
    assert held["void_seeders"] == "physical", "six of its eight cards the box does not know"
