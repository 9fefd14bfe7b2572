"""Printed cards act as buttons, and what the camera proposes is taken, shown, or left."""

from __future__ import annotations

from typing import Any

import pytest

from companion.app.buttons import Presses
from companion.app.commandcards import CommandCards
from companion.game import BadInput
from companion.library import load_content
from companion.table.ports import Placement, Registration, Sighting
from companion.table.scene import scene
from companion.table.session import Session
from tests.web.conftest import Phone, new_session
from web import Services, create_app

CARDS = ("card_next", "card_break", "card_encounter")


@pytest.fixture
def session() -> Session:
    made = new_session()
    made._quiet = 0.0
    made.submit({"do": "setup", "players": ["captain", "scout"], "digital": True})
    return made


class Camera:
    """Sightings of these pieces, one a second."""

    def __init__(self, session: Session) -> None:
        self.presses = Presses(session, 60)
        self._cards, self._session, self.at = CommandCards(self.presses), session, 0.0
        for _ in range(7):
            self.see()

    def see(self, ok: bool = True, **pieces: str | None) -> None:
        self.at += 1.0
        placed = tuple(
            Placement(n, name, "command" if name in CARDS else name, room, None, (0.1, -0.02), 0.9)
            for n, (name, room) in enumerate(pieces.items())
        )
        sighting = Sighting(self.at, Registration(ok, 8, 0.4), placed if ok else ())
        self._session.see(sighting)
        self._cards.see(sighting)


def view(session: Session) -> dict[str, Any]:
    return dict(session.view("table")[1])


def rows(session: Session) -> list[str]:
    return [line["type"] for line in session.log("table")]


def test_next_acts_once_for_each_time_it_is_laid_down(session: Session) -> None:
    camera = Camera(session)
    camera.see(card_next=None)
    assert view(session)["phase"] == "event"
    told = rows(session)
    camera.see(card_next=None)
    camera.see(ok=False)  # the frame is covered: nothing was taken away
    camera.see(card_next=None)
    assert rows(session) == told
    camera.see()
    camera.see(card_next=None)
    assert rows(session) != told


def test_what_lay_there_from_the_start_is_no_press(session: Session) -> None:
    cards = CommandCards(Presses(session, 60))
    for at in (0.0, 1.0, 2.0, 8.0):
        there = (Placement(28, "card_next", "command", None, None, (0, 0), 1.0),) if at else ()
        cards.see(Sighting(at, Registration(True, 8), there))
    assert view(session)["phase"] == "player"


def test_break_holds_while_its_card_lies_there(session: Session) -> None:
    camera = Camera(session)
    camera.see(card_break=None)
    assert (camera.presses.pause, view(session)["pause"]) == (True, True)
    camera.see(card_break=None)
    assert camera.presses.pause
    camera.see()
    assert (camera.presses.pause, view(session)["pause"]) == (False, False)


def test_an_encounter_happens_where_the_card_lies(session: Session) -> None:
    session.submit({"do": "place", "piece": "captain", "to": "007"})
    camera = Camera(session)
    camera.see(card_encounter="003")  # nobody is there
    camera.see()
    camera.see(card_encounter=None)  # and beside the board it means nothing
    camera.see()
    assert "encounter" not in rows(session)
    camera.see(card_encounter="007")
    assert "encounter" in rows(session)
    refused = camera.presses.encounter("001")
    assert (refused["status"], refused["code"]) == ("refused", "encounter.who")


def test_all_that_the_camera_sees_is_taken_in_one_go(session: Session) -> None:
    camera = Camera(session)
    camera.see(captain="007", scout="003")
    assert {d["piece"] for d in view(session)["differences"]} == {"captain", "scout"}
    assert session.take("all", "table")["status"] == "done"
    assert [s["room"] for s in view(session)["seats"]] == ["007", "003"]
    assert view(session)["differences"] == []
    assert view(session)["can"]["undo"]["do"] == "rearrange"
    with pytest.raises(BadInput):
        session.take("all", "table")
    assert session.submit({"do": "undo", "by": "table"})["status"] == "done"
    assert {s["room"] for s in view(session)["seats"]} == {"011"}


def test_where_one_of_all_is_refused_the_others_are_taken(session: Session) -> None:
    camera = Camera(session)
    camera.see(captain="007", scout="003")
    first, other = (dict(d) for d in view(session)["differences"])
    session._differences = [first, {**other, "piece": "nobody"}]
    with pytest.raises(BadInput):
        session.take("all", "table")
    moved = {s["character"]: s["room"] for s in view(session)["seats"]}
    assert moved[first["piece"]] == first["to"]


def test_nothing_is_asked_in_a_break(session: Session) -> None:
    camera = Camera(session)
    camera.see(captain="007")
    camera.presses.rest(True)
    camera.see(captain="007")
    assert view(session)["differences"] == []
    camera.presses.rest(False)
    camera.see(captain="007")
    assert [d["piece"] for d in view(session)["differences"]] == ["captain"]


def test_show_me_lights_where_it_is_held_and_where_it_is_seen(session: Session) -> None:
    camera = Camera(session)
    camera.see(captain="007")
    (found,) = view(session)["differences"]
    services = Services(host_code="271828", presses=camera.presses)
    phone = Phone(create_app(session, services).test_client())
    reply = phone.post("/api/show", {"difference": found["id"]})
    assert (reply.status_code, reply.json) == (200, {"status": "done", "rooms": ["011", "007"]})
    lit = scene(view(session), load_content().board(None), point=camera.presses.pointed)
    assert lit.pointer == ("011", "007")
    camera.presses.stop()
    assert phone.post("/api/show", {"difference": "d:none"}).status_code == 404
    assert phone.post("/api/break", {"on": True}).status_code == 200
    assert view(session)["pause"] is True
    assert phone.post("/api/break", {"on": "yes"}).status_code == 400
