"""What public facts tell of the bag, against counting by hand and against the bag itself."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from companion.bench.evening import Evening, table
from companion.game import BadInput, Refused
from companion.game.state import BAG, kind_of
from companion.library import load_content
from companion.library.model import Content
from companion.rules import Play
from companion.table import views
from companion.table.chain import standing
from companion.table.statistics import Follower, Kind, Statistics
from companion.table.table import Table

ADULTS = ["adult/2#1", "adult/2#2", "adult/3#1", "adult/4#1"]


@pytest.fixture(scope="module")
def content() -> Content:
    return load_content()


def begin(content: Content, seed: int = 1, players: int = 3) -> Table:
    running = table(content, seed, None)
    names = ["captain", "scout", "soldier", "mechanic", "medic"][:players]
    running.command({"do": "setup", "players": names, "preset": "everything", "digital": True})
    return running


def seen(running: Table) -> Any:
    running.command({"do": "statistics", "on": True, "by": "host"})
    return views.view(running, "table")["statistics"]


def test_nobody_sees_them_before_the_host_says_so(content: Content) -> None:
    running = begin(content)
    assert views.view(running, "table")["statistics"] is None
    with pytest.raises(Refused, match="host_only"):
        running.command({"do": "statistics", "on": True, "by": "seat:1"})
    assert seen(running)["bag"]["adult"] == 6
    running.command({"do": "statistics", "on": False, "by": "host"})
    assert views.view(running, "seat:1")["statistics"] is None


def test_the_starting_bag_of_three(content: Content) -> None:
    """1 Blank, 4 Larvae, 1 Creeper, 1 Queen, 6 Adults: 13 tokens (BASE-54)."""
    told = seen(begin(content))
    assert told["bag"] == {
        "blank": 1,
        "larva": 4,
        "creeper": 1,
        "adult": 6,
        "breeder": 0,
        "queen": 1,
    }
    assert told["draw"]["larva"] == pytest.approx(4 / 13, abs=1e-4)
    everything = 12 / 13  # all but the Blank surprise an empty hand
    assert told["surprise"][0] == pytest.approx(everything, abs=1e-4)
    assert told["surprise"][4] == 0
    # With 3 cards: the Queen's 4, and the Adults whose number is 4.
    fours = sum(t == 4 for t in content.creature("intruders", "adult").values)
    assert told["surprise"][3] == pytest.approx((1 + 6 * fours / 12) / 13, abs=1e-4)


def test_drawing_teaches_the_numbers_by_bayes() -> None:
    """Two of four put in unseen, one drawn and put back: every case counted one by one."""
    kind = Kind.of(ADULTS)
    kind.put("random")
    kind.put("random")
    kind.taken("adult/3")
    weights: Counter[tuple[int, int, int]] = Counter()
    for pair in itertools.permutations(ADULTS, 2):
        for drawn, other in (pair, pair[::-1]):
            if drawn.startswith("adult/3"):
                place = "234".index(other.split("/")[1][0])
                weights[tuple(int(i == place) for i in range(3))] += 1  # type: ignore[index]
    total = sum(weights.values())
    assert kind.bag == pytest.approx({k: w / total for k, w in weights.items()})
    kind.back("adult/3")
    assert kind.count() == 2
    assert kind.expected()["adult/3"] == pytest.approx(1)


def test_the_highest_goes_back_when_the_table_plays_so() -> None:
    kind = Kind.of(ADULTS)
    kind.put("highest")
    assert kind.expected() == {"adult/2": 0, "adult/3": 0, "adult/4": 1}


@settings(max_examples=3, deadline=None)
@given(seed=st.integers(0, 10_000))
@example(seed=248)  # the table changes how a token goes back
def test_counts_agree_with_the_bag_and_odds_are_odds(seed: int) -> None:
    """Through a whole random game, undo included, what is counted is what lies in the bag."""
    content = load_content()
    evening = Evening(content, seed, None, preset="everything")
    evening.play(80)
    running = evening.table
    assume(running.state.truth["bag"] == "digital")  # else the box itself only supposes
    told = running.statistics()
    assert told is not None
    counts = Counter(kind_of(t) for t in running.state.tokens(BAG))
    shown = told.to_json()
    assert {k: n for k, n in shown["bag"].items() if n} == dict(counts)
    assert sum(shown["draw"].values()) == pytest.approx(float(bool(counts)), abs=1e-3)
    assert shown["surprise"] == sorted(shown["surprise"], reverse=True)
    assert all(0 <= p <= 1 for p in shown["surprise"])
    how = Play(running.state, content).switch("returned_token_pick")
    fresh = Statistics.of(content.species[running.state.species], how)
    for row in standing(running.journal.rows()):
        fresh.take(row)
    assert fresh.to_json() == shown, "kept up to date and read anew differ"


def test_two_games_that_differ_only_in_what_is_hidden_show_the_same(content: Content) -> None:
    one, other = begin(content, seed=1), begin(content, seed=2)
    assert one.state.tokens(BAG) != other.state.tokens(BAG)
    assert seen(one) == seen(other)


@pytest.mark.parametrize("seed", [2, 5])
def test_followed_through_undo_and_redo_is_what_the_whole_journal_tells(
    content: Content, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Follower, "EVERY", 7)
    running = begin(content, seed)
    species, follower = content.species[running.state.species], Follower()
    chance = random.Random(seed)
    undone = 0
    for _ in range(120):
        do = chance.choice(["noise", "noise", "bag_development", "undo", "redo", "out"])
        command: dict[str, Any] = {"do": do, "by": "scenario"}
        if do == "noise":
            command = {"do": "place", "piece": "noise", "to": "006-011"}
        elif do == "out":
            lying = running.state.tokens(BAG)
            command = {"do": "bag", "token": chance.choice(lying), "to": "out"}
        try:
            running.command(command)
            while running.root is not None:
                running.command({"do": "by_hand"})
        except (Refused, BadInput):
            continue
        undone += do == "undo"
        if chance.random() < 0.4:
            continue  # the next look comes after several commands
        anew = Statistics.of(species)
        for row in standing(running.journal.rows()):
            anew.take(row)
        followed = follower.of(running.journal, species, "random")
        assert followed.to_json() == anew.to_json()
    assert undone > 5
