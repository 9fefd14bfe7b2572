"""Lights and sound change when the card on the table's screen is turned, not before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Flask

from companion.app.curtain import MOST, WAIT_S, Curtain
from tests.web.conftest import Phone, new_session
from web import Services, create_app


class Stage:
    """A curtain with a clock that is turned by hand."""

    def __init__(self, *, watched: bool = True) -> None:
        self.seen: list[str] = []
        self.timers: list[Callable[[], None]] = []
        self.curtain = Curtain(lambda view: self.seen.append(view["name"]), self.later)
        self.curtain.watched = lambda: watched

    def later(self, seconds: float, done: Callable[[], None]) -> Callable[[], None]:
        assert seconds == WAIT_S
        self.timers.append(done)
        return lambda: None

    def view(self, name: str, card: str = "", *, round: int = 1, truth: str = "digital") -> None:
        held: dict[str, Any] = {"name": name, "round": round, "truth": {"event": truth}}
        self.curtain.follow(
            {**held, "last_card": {"deck": "event", "card": card} if card else None}
        )


def test_what_a_card_brings_is_lit_when_it_is_turned() -> None:
    stage = Stage()
    stage.view("before")
    stage.view("drawn", "hunt")
    stage.view("and a tap", "hunt")
    assert stage.seen == ["before"]
    stage.timers[0]()
    assert stage.seen == ["before", "and a tap"]  # the newest, once
    stage.view("next", "hunt")
    assert stage.seen[-1] == "next"


def test_a_card_touched_away_holds_nothing_back() -> None:
    stage = Stage()
    stage.view("before")
    stage.view("drawn", "hunt")
    stage.curtain.rise()
    assert stage.seen == ["before", "drawn"]
    stage.timers[0]()
    assert stage.seen == ["before", "drawn"]


def test_the_lights_wait_as_seldom_as_the_screen_does() -> None:
    stage = Stage()
    stage.view("a game that goes on", "panic")  # known before anybody looked
    assert stage.seen == ["a game that goes on"]
    for n in range(MOST):
        stage.view("drawn", f"card {n}")
        stage.timers[-1]()
    stage.view("one more", "card 9")
    assert stage.seen[-1] == "one more"
    stage.view("real", "card 10", round=2, truth="physical")
    assert stage.seen[-1] == "real"
    for unwatched in (Stage(watched=False),):
        unwatched.view("before")
        unwatched.view("drawn", "hunt")
        assert unwatched.seen == ["before", "drawn"]


def test_a_screen_that_turns_cards_says_so_and_turns_them() -> None:
    stage = Stage()
    session = new_session()
    app: Flask = create_app(session, Services(host_code="271828", curtain=stage.curtain))
    phone = Phone(app.test_client())
    assert not stage.curtain.watched()
    for path, turns in (("/stream/table", False), ("/stream/table?theatre=on", True)):
        stream = phone.get(path)
        next(iter(stream.response))
        assert stage.curtain.watched() is turns
        stream.close()
    stage.view("before")
    stage.curtain.watched = lambda: True
    stage.view("drawn", "hunt")
    assert phone.post("/api/turned").status_code == 200
    assert stage.seen == ["before", "drawn"]
