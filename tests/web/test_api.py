"""Commands over HTTP: statuses, words, names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask

from companion.game.errors import Fault
from companion.table.ports import Health, Status
from companion.table.session import Session
from tests.web.conftest import Phone, take_seat
from web.app import create_app
from web.blueprints.api import clean_name
from web.services import Services

Phones = Callable[[], Phone]


def test_a_command_is_done_once(phone: Phones, playing: Session) -> None:
    player = phone()
    command: dict[str, Any] = {"id": "abc-1", "do": "slime", "seat": 1, "on": True}
    first = player.post("/api/command", command)
    assert first.status_code == 200
    assert first.json
    assert first.json["status"] == "done"
    seq = playing.seq
    second = player.post("/api/command", command)
    assert second.status_code == 200
    assert second.json
    assert second.json["status"] == "already"
    assert playing.seq == seq
    other = player.post("/api/command", {**command, "on": False})
    assert other.status_code == 409  # not "already": nobody did that
    assert other.json
    assert "another command" in other.json["text"]
    assert playing.seq == seq
    assert player.post("/api/command", {**command, "base": 7}).status_code == 200


@pytest.mark.parametrize(
    ("command", "status"),
    [
        ({"do": "move", "seat": 1, "to": "999"}, 400),
        ({"do": "move", "seat": -1, "to": "006"}, 400),
        ({"do": "move", "seat": 10**6, "to": "006"}, 400),
        ({"do": "move", "seat": 1, "to": "006", "colour": "red"}, 400),
        ({"do": "fly"}, 400),
        ({"do": 7}, 400),
        ({}, 400),
        ({"id": "x" * 37, "do": "event_phase"}, 400),
        ({"do": "move", "seat": 1, "to": "021"}, 422),
        ({"do": "setup", "players": ["captain"]}, 422),
        ({"do": "answer", "value": True}, 422),
        ({"do": "undo", "target": 12345}, 409),
    ],
)
def test_bad_commands_get_a_fitting_status_a_sentence_and_change_nothing(
    phone: Phones, playing: Session, command: dict[str, Any], status: int
) -> None:
    before = playing.seq, playing.view("table")
    player = phone()
    player.post("/api/language", {"language": "fr"})
    answer = player.post("/api/command", command)
    assert answer.status_code == status
    assert answer.json
    assert len(answer.json["text"]) > 10
    assert "{" not in answer.json["text"]
    assert (playing.seq, playing.view("table")) == before


@pytest.mark.parametrize(
    ("command", "begins"),
    [
        ({"do": "move", "seat": 9, "to": "006"}, "Posto: "),
        ({"do": "move", "seat": 1, "to": "999"}, "Destinazione: "),
        ({"do": "move", "seat": 1, "to": "006", "colour": "red"}, "La parola “colour”: "),
    ],
)
def test_a_refusal_names_a_field_as_people_do(
    phone: Phones, playing: Session, command: dict[str, Any], begins: str
) -> None:
    player = phone()
    player.post("/api/language", {"language": "it"})
    answer = player.post("/api/command", command)
    assert answer.json
    assert answer.json["text"].startswith(begins)


def test_a_refused_public_fact_may_have_happened_anyway(phone: Phones, playing: Session) -> None:
    player = phone()
    answer = player.command("move", seat=1, to="021")
    assert answer.json
    assert answer.json["by_hand"] is True
    assert player.command("by_hand").status_code == 200
    assert playing.view("table")[1]["seats"][0]["room"] == "021"


def test_a_full_disk_is_a_plain_503(
    phone: Phones, playing: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(command: object) -> None:
        raise Fault("table", "table.busy")

    player = phone()
    player.token()
    monkeypatch.setattr(playing, "submit", full)
    answer = player.command("event_phase")
    assert answer.status_code == 503
    assert answer.json
    assert answer.json["code"] == "table.busy"


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("  Ada  Lovelace ", "Ada Lovelace"),
        ("Zoë", "Zoë"),
        ("a\u202eb\u200bc\u0007d", "abcd"),
        ("<b>Bob</b>", "<b>Bob</b>"),
    ],
)
def test_names_keep_what_can_be_seen(given: str, kept: str) -> None:
    assert clean_name(given) == kept


@pytest.mark.parametrize("name", ["", "   ", "\u200b\u200b", "x" * 21])
def test_a_name_that_cannot_be_is_a_400(
    app: Flask, phone: Phones, playing: Session, name: str
) -> None:
    player = phone()
    take_seat(player, app, 1)
    assert player.command("join", by="seat:1", seat=1, name=name).status_code == 400


def test_a_name_is_only_ever_text(app: Flask, phone: Phones) -> None:
    player = phone()
    answer = player.command(
        "setup", digital=True, players=[{"character": "captain", "name": "<img src=x>"}]
    )
    assert answer.status_code == 200
    for path in ("/", "/table", "/host", "/story", "/story.svg", "/pack"):
        text = player.get(path).text
        assert "<img" not in text, path
    for path in ("/", "/pack"):
        assert "&lt;img src=x" in player.get(path).text, path


def test_the_language_of_a_browser(phone: Phones, playing: Session) -> None:
    reader = phone()
    assert '<html lang="fr" ' in reader.get("/table", **{"Accept-Language": "fr-CA"}).text
    assert reader.post("/api/language", {"language": "it"}).status_code == 200
    assert '<html lang="it" ' in reader.get("/table", **{"Accept-Language": "fr"}).text
    assert reader.post("/api/language", {"language": "tlh"}).status_code == 400


def test_why_is_one_look_away(phone: Phones) -> None:
    answer = phone().get("/api/rule/BASE-115 BASE-999")
    assert answer.json
    assert [r["id"] for r in answer.json["rules"]] == ["BASE-115"]
    assert phone().get("/api/rule/NOTHING-1").status_code == 404


def test_health(phone: Phones, playing: Session) -> None:
    answer = phone().get("/health").json
    assert answer
    assert answer.keys() == {"status", "version", "game", "seq", "parts"}
    assert answer["status"] == "ready"
    assert answer["game"] == "evening"
    assert answer["seq"] == playing.seq


def test_every_reading_of_a_rule_can_be_chosen(phone: Phones, playing: Session) -> None:
    player = phone()
    chosen = {}
    known = playing.content.switches
    for name in (min(known, key=len), max(known, key=len)):  # a reading's name is no person's
        chosen[name] = known[name].values[-1]
        answer = player.command("switch", name=name, value=chosen[name])
        assert answer.status_code == 200, (name, answer.json)
    assert playing.view("table")[1]["switches"] == chosen


def test_health_says_what_to_do_about_a_fault(session: Session) -> None:
    crashed = Health("lights", Status.FAILED, "fault.lights.crashed")
    app = create_app(session, Services(health=lambda: [crashed]))
    answer = Phone(app.test_client()).get("/health", **{"Accept-Language": "en"}).json
    assert answer
    assert answer["status"] == "degraded"
    text = answer["parts"][0]["text"]
    assert text.startswith("The lights stopped")
    assert text.endswith("report the error that stands in its log.")


def test_only_the_host_says_what_the_box_is_printed_in(phone: Phones, playing: Session) -> None:
    player, host = phone(), phone()
    assert player.post("/api/box", {"language": "it"}).status_code == 403
    host.post("/api/host", {"code": "271828"})
    assert host.post("/api/box", {"language": "it"}).status_code == 200
    assert playing.kept("web.box_language") == "it"
