"""The driver: what a procedure may yield, and who answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from companion.game import (
    Ask,
    AskAll,
    BadInput,
    Draw,
    Event,
    Need,
    Run,
    State,
    Steps,
    Tell,
    options,
    run,
)
from companion.game.procedure import KINDS


class First:
    """Chance that takes the first outcome and counts."""

    def __init__(self) -> None:
        self.picks = 0

    def pick(
        self, purpose: str, options: Sequence[str], *, epoch: int, count: int, key: str
    ) -> Any:
        self.picks += 1
        return options[count % len(options)]


@dataclass
class Context:
    state: State

    def told(self, event: Event) -> Event:
        return event


@dataclass(frozen=True)
class Flag:
    """A fact: whether seat 1's sheet is slimed, kept in ``round`` for the test."""

    topic: str = "slime"
    key: str = "flag"
    rule: str = "R-1"

    def read(self, play: Context) -> bool:
        return play.state.round == 1

    def ask(self, play: Context) -> Ask:
        return Ask("yes_no", "ask.flag", self.rule, prefill=self.read(play))

    def write(self, play: Context, answer: bool) -> bool:
        play.state.round = int(answer)
        return answer

    def neutral(self, play: Context) -> bool:
        return False


def go(steps: Any, state: State | None = None, drawn: Sequence[Any] = (), **answers: Any) -> Run:
    """Run a procedure that takes a list and appends what it learnt."""
    context = Context((state or State()).copy())
    given = {int(k[1:]): v for k, v in answers.items()}
    return run(context, lambda: steps(context), source=First(), key="k", drawn=drawn, answers=given)


def asking(**ask: Any) -> Any:
    def steps(context: Context) -> Steps:
        value = yield Ask(ask.pop("kind"), "ask.it", "R-1", **ask)
        yield Tell(Event("said", "R-1", {"value": value}))

    return steps


TWO = options(["a", "b"])
ANSWERS: dict[str, tuple[dict[str, Any], Any, Any]] = {
    "yes_no": ({}, True, "yes"),
    "choice": ({"options": TWO}, "a", "c"),
    "faces": ({"options": options([1, 2]), "multiple": True}, [2], [3]),
    "place": ({"options": TWO, "pieces": ("x",)}, {"x": "b"}, {"y": "b"}),
    "card": ({"options": TWO, "free": True}, {"effect": "none"}, "c"),
    "roll": ({"options": TWO}, "b", 7),
    "confirm": ({}, True, False),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_question(kind: str) -> None:
    more, right, wrong = ANSWERS[kind]
    assert [a.kind for a in go(asking(kind=kind, **more)).open.values()] == [kind]
    done = go(asking(kind=kind, **more), _1=right)
    assert done.finished
    assert done.events[0].params["value"] == right
    with pytest.raises(BadInput):
        go(asking(kind=kind, **more), _1=wrong)


@pytest.mark.parametrize(
    ("level", "unsure", "asked", "told"),
    [
        ("tracked", False, False, False),
        ("tracked", True, True, False),
        ("asked", False, True, False),
        ("told", False, False, True),
    ],
)
def test_who_answers_a_need(level: str, unsure: bool, asked: bool, told: bool) -> None:
    def steps(context: Context) -> Steps:
        first = yield Need(Flag())
        again = yield Need(Flag())
        yield Tell(Event("known", "R-1", {"first": first, "again": again}))

    state = State(round=1, tracking={"slime": level}, unsure={"flag"} if unsure else set())
    result = go(steps, state)
    assert bool(result.open) == asked
    assert any(e.type == "by_table" for e in result.events) == told
    if asked:
        after = go(steps, state, _1=False)
        assert after.finished, "asked once in a run, not twice"
        assert after.events[0].params == {"first": False, "again": False}
        assert "flag" not in after.state.unsure


def draw(component: str = "dice") -> Any:
    def steps(context: Context) -> Steps:
        ask = Ask("roll", "ask.die", "R-1", options=options(["1", "2"]))
        for _ in range(2):
            value = yield Draw("noise", ("1", "2"), component, ask)
            yield Tell(Event("rolled", "R-1", {"face": value}))

    return steps


def test_draws_come_from_the_box_and_are_counted() -> None:
    result = go(draw())
    assert [e.params["face"] for e in result.events] == ["1", "2"]
    assert result.state.draws == {"noise": 2}
    assert [d.by for d in result.drawn] == ["box", "box"]


def test_earlier_draws_are_fed_back_not_drawn_again() -> None:
    result = go(draw(), drawn=["2"])
    assert [e.params["face"] for e in result.events] == ["2", "2"]


def test_physical_draws_are_asked() -> None:
    state = State(truth={"dice": "physical"})
    assert list(go(draw(), state).open) == [1]
    assert list(go(draw(), state, _1="2").open) == [2]
    done = go(draw(), state, _1="2", _2="1")
    assert [d.value for d in done.drawn] == ["2", "1"]
    assert {d.by for d in done.drawn} == {"table"}


def test_several_seats_at_once_in_any_order() -> None:
    def steps(context: Context) -> Steps:
        given = yield AskAll({s: Ask("yes_no", "ask.it", "R-1", to=s) for s in (1, 2)})
        yield Tell(Event("all", "R-1", {"given": given}))

    assert list(go(steps).open) == [1, 2]
    assert list(go(steps, _2=True).open) == [1]
    assert go(steps, _2=True, _1=False).events[0].params["given"] == {1: False, 2: True}


def test_a_procedure_without_an_end_is_stopped() -> None:
    def steps(context: Context) -> Steps:
        while True:
            yield Tell(Event("again", "R-1"))

    with pytest.raises(RuntimeError, match="did not come to an end"):
        go(steps)


def test_the_state_before_is_never_touched() -> None:
    def steps(context: Context) -> Steps:
        context.state.where["adult#1"] = "bag"
        context.state.agenda.append({"step": "x"})
        yield Tell(Event("done", "R-1"))

    before = State(where={"adult#1": "supply"})
    digest = before.digest()
    assert go(steps, before).state.where == {"adult#1": "bag"}
    assert before.digest() == digest
    assert State.from_json(before.to_json()).digest() == digest


def test_the_table_cannot_have_drawn_what_is_not_there() -> None:
    def steps(context: Context) -> Steps:
        yield Draw("it", ("a", "b"), "bag", Ask("choice", "ask.it", "R-1", options=options("abc")))

    state = State(truth={"bag": "physical"})
    assert go(steps, state, _1="b").finished
    with pytest.raises(BadInput, match="answer"):
        go(steps, state, _1="c")
