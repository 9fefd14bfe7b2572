"""What is refused leaves nothing open, and "it happened anyway" makes it happen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.bench.evening import game, table
from companion.game import BadInput, Refused
from companion.game.state import BAG, SUPPLY, label_of
from companion.library import load_content
from companion.library.model import Content
from companion.table import views
from companion.table.fairness import SealedChance
from companion.table.journal import Journal
from companion.table.table import Table
from companion.table.verify import verify

SETUP = {"do": "setup", "players": ["captain", "scout"], "digital": True, "by": "seat:1"}


@pytest.fixture(scope="module")
def content() -> Content:
    return load_content()


def begin(content: Content, path: Path | None = None, **setup: Any) -> Table:
    running = table(content, 3, path)
    running.command({**SETUP, **setup})
    return running


def answer(running: Table, value: Any) -> dict[str, Any]:
    ident = next(iter(running.prompts()))
    return running.command({"do": "answer", "prompt": ident, "value": value, "by": "seat:1"})


def log(running: Table) -> list[str]:
    return [line["type"] for line in views.view(running, "table")["log"]]


def test_a_move_that_no_corridor_allows_asks_nothing_first(content: Content) -> None:
    running = begin(content, preset="bag")
    with pytest.raises(Refused, match=r"move\.no_corridor"):
        answer_places(running, {"do": "move", "seat": 1, "to": "001", "by": "seat:1"})
    assert running.root is None
    assert running.state.seats[1].room == "011"


def answer_places(running: Table, command: dict[str, Any]) -> None:
    """Give a command and agree with every prefilled place it asks for."""
    running.command(command)
    while running.root is not None:
        (ask,) = running.prompts().values()
        assert ask.key != "ask.intruders", "asked where the Intruders are before looking at the way"
        answer(running, True)


def test_a_question_of_what_can_never_be_does_not_stay_open(content: Content) -> None:
    running = begin(content, preset="bag", players=["scientist", "scout"])
    running.command({"do": "tracking", "topic": "characters", "level": "asked"})
    running.command({"do": "study", "seat": 1, "target": "door#9", "by": "seat:1"})
    with pytest.raises(BadInput, match="target"):
        answer(running, True)
    assert running.prompts() == {}
    assert "undone" in log(running)


@pytest.fixture
def shut(content: Content, tmp_path: Path) -> Table:
    """A table that asks for doors; the answer has just been that the way is closed."""
    running = begin(content, tmp_path / "a.game")
    running.command({"do": "tracking", "topic": "doors", "level": "asked"})
    running.command({"do": "move", "seat": 1, "to": "006", "by": "seat:1"})
    with pytest.raises(Refused, match="corridor_closed"):
        answer(running, {"006-011": "closed"})
    return running


def test_an_answer_that_shows_a_closed_door_takes_the_move_back(shut: Table) -> None:
    assert shut.prompts() == {}
    assert shut.state.seats[1].room == "011"
    assert "undone" in log(shut)
    shut.command({"do": "move", "seat": 1, "to": "006", "by": "seat:1"})
    assert [ask.key for ask in shut.prompts().values()] == ["ask.doors"]


def test_it_happened_anyway_moves_the_figure_through_the_closed_door(
    shut: Table, content: Content, tmp_path: Path
) -> None:
    shut.command({"do": "by_hand", "by": "seat:1"})
    assert shut.state.seats[1].room == "006"
    assert shut.state.unsure == set()
    assert "happened_anyway" in log(shut)
    held = shut.state.digest()
    shut.journal.close()
    journal = Journal.open(tmp_path / "a.game")
    again = Table(content, journal, SealedChance(journal, game(3)))
    assert again.state.digest() == held
    assert verify(journal, content).problems == ()
    journal.close()


def test_only_who_was_refused_can_say_so(shut: Table) -> None:
    with pytest.raises(Refused, match=r"by_hand\.nothing"):
        shut.command({"do": "by_hand", "by": "seat:2"})


def test_a_refused_answer_may_be_sent_again_under_its_id(content: Content) -> None:
    running = begin(content)
    running.command({"do": "tracking", "topic": "doors", "level": "asked"})
    for _ in range(2):
        running.command({"do": "move", "seat": 1, "to": "006", "by": "seat:1"})
        with pytest.raises(Refused, match="corridor_closed"):
            running.command(
                {"do": "answer", "value": {"006-011": "closed"}, "by": "seat:1", "id": "same"}
            )


def test_an_adult_that_goes_into_a_real_bag_is_never_looked_at(content: Content) -> None:
    """BASE-18, FAQ-A1: its number is learnt when it is drawn, and no token is made or lost."""
    running = begin(content, truth={"bag": "physical"})
    before = sorted(p for p in running.state.where if p.startswith("token:"))
    held = running.state.tokens(BAG, "adult")
    other = next(
        t
        for t in running.state.tokens(SUPPLY, "adult")
        if label_of(t) not in {label_of(h) for h in held}
    )
    running.command({"do": "bag_development", "by": "seat:1"})
    (ask,) = running.prompts().values()
    assert ask.key == "ask.bag_token"
    answer(running, "blank")
    assert running.prompts() == {}, "the Adult that the Blank brings was asked for"
    running.command({"do": "encounter", "seat": 1, "by": "seat:1"})
    (ask,) = running.prompts().values()
    assert label_of(other) in [o.id for o in ask.options]
    answer(running, label_of(other))
    assert running.state.last_card == {"deck": "bag", "card": label_of(other)}
    assert sorted(p for p in running.state.where if p.startswith("token:")) == before
    assert len(running.state.tokens(BAG, "adult")) == len(held)


def test_anyway_is_about_the_last_refusal_only(content: Content) -> None:
    """A refusal that nobody can overrule makes the one before it history."""
    running = begin(content)
    for command in ({"do": "move", "seat": 1, "to": "001"}, {"do": "next"}):
        with pytest.raises(Refused):
            running.command({**command, "by": "seat:1"})
    with pytest.raises(Refused, match=r"by_hand\.nothing"):
        running.command({"do": "by_hand", "by": "seat:1"})
    assert running.state.seats[1].room == "011"


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ({"do": "event_phase"}, "phase.already_event"),
        ({"do": "pass", "seat": 1}, "pass.already"),
        (SETUP, "setup.running"),
    ],
)
def test_what_two_people_say_at_once_happens_once(
    content: Content, command: dict[str, Any], code: str
) -> None:
    running = begin(content)
    if command["do"] != "setup":
        running.command({**command, "by": "seat:1"})
    before = running.state.digest()
    with pytest.raises(Refused) as slower:
        running.command({**command, "by": "seat:2"})
    assert (slower.value.code, slower.value.by_hand) == (code, False)
    with pytest.raises(Refused, match=r"by_hand\.nothing"):
        running.command({"do": "by_hand", "by": "seat:2"})
    assert running.state.digest() == before


def test_an_event_phase_of_which_one_step_was_played_alone_can_begin(content: Content) -> None:
    running = begin(content)
    running.command({"do": "event_phase", "step": "time", "by": "seat:1"})
    assert (running.state.phase, running.state.agenda) == ("event", [])
    running.command({"do": "event_phase", "by": "seat:2"})
    assert running.state.agenda or running.root


def test_a_repair_that_happened_elsewhere_asks_at_which_engine(content: Content) -> None:
    running = begin(content)
    with pytest.raises(Refused, match=r"repair\.not_there"):
        running.command({"do": "repair", "seat": 1, "by": "seat:1"})
    running.command({"do": "by_hand", "by": "seat:1"})
    [which] = running.prompts().values()
    assert [o.id for o in which.options] == ["1", "2", "3"]
    top = running.state.hidden["engines"]["2"]
    answer(running, "2")
    answer(running, "swap")
    assert running.state.hidden["engines"]["2"] != top


@pytest.mark.parametrize("preset", ["bag", "bag_and_board"])
def test_a_pod_boarded_anyway_launches_also_after_the_box_was_off(
    content: Content, tmp_path: Path, preset: str
) -> None:
    running = begin(content, tmp_path / "a.game", preset=preset)
    running.command({"do": "place", "piece": "queen", "to": "011", "by": "seat:1"})
    for ident, ask in running.prompts().items():  # everybody's Objectives
        kept = {"do": "answer", "prompt": ident, "value": ask.options[0].id, "by": "scenario"}
        running.command(kept)
    pod = next(p for p, zone in running.state.where.items() if zone.startswith("section:"))
    boards = {"do": "pod", "action": "board", "pod": pod, "seat": 1, "by": "seat:1"}
    with pytest.raises(Refused, match=r"pod\.not_there"):
        running.command(boards)
    running.command({"do": "by_hand", "by": "seat:1"})
    asked = [ask.key for ask in running.prompts().values()]
    if asked == ["ask.noise"]:  # where the board is not held
        answer(running, [])
        asked = [ask.key for ask in running.prompts().values()]
    assert asked == ["ask.launch_or_wait"]
    assert "boarding_prevented" not in log(running)
    assert "malfunction_allows" not in log(running)
    running.journal.close()
    journal = Journal.open(tmp_path / "a.game")
    again = Table(content, journal, SealedChance(journal, game(3)))
    answer(again, "launch")
    assert again.prompts() == {}
    assert again.state.seats[1].state == "launched"
    assert again.state.where[pod] == "removed"
    assert verify(journal, content).problems == ()
    for do in ("undo", "redo"):
        again.command({"do": do, "by": "scenario"})
    assert again.state.seats[1].state == "launched"
    assert verify(journal, content).problems == ()
    journal.close()
