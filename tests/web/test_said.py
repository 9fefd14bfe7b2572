"""What the panel says when something is wrong, and what it calls things."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from companion.locale import languages, words
from companion.table.session import Session
from tests.web.conftest import Phone
from web.blueprints.pages import whole

Phones = Callable[[], Phone]


def test_a_command_without_a_word_names_the_word_and_an_unknown_one_is_named(
    phone: Phones, playing: Session
) -> None:
    reader = phone()
    for language in ("it", "fr", "en"):
        reader.post("/api/language", {"language": language})
        for body, named in (
            ({}, "(do)"),
            ({"do": "frobnicate"}, "frobnicate"),
            ({"do": "pass", "seat": 1, "haste": True}, "haste"),
        ):
            reply = reader.post("/api/command", body)
            assert reply.status_code == 400
            assert named in reply.json["text"], (language, body)
            assert words(language).say("ui.field.other", {"name": "do"}) not in reply.json["text"]
        reader = phone()


def test_a_wrong_page_token_says_to_open_the_page_again_and_speaks_of_no_seat(
    phone: Phones, playing: Session
) -> None:
    reader = phone()
    wrong = reader.post("/api/command", {"do": "undo"}, **{"X-Companion-Token": "0" * 32})
    foreign = reader.post("/api/command", {"do": "undo"}, Origin="http://elsewhere.example")
    for reply, key in ((wrong, "ui.http.token"), (foreign, "ui.http.origin")):
        assert reply.status_code == 403
        assert reply.json["text"] == words("en").say(key)
        assert "seat" not in reply.json["text"]


@pytest.mark.parametrize(("language", "head"), [("it", "Turno 1"), ("fr", "Tour 1")])
def test_the_turn_is_counted_in_the_readers_language(
    phone: Phones, playing: Session, language: str, head: str
) -> None:
    reader = phone()
    reader.post("/api/language", {"language": language})
    assert head in reader.get("/").text
    assert "Round" not in reader.get("/").text


def test_the_dead_are_dead_persons(phone: Phones, playing: Session) -> None:
    playing.start()
    playing.submit({"do": "state", "seat": 1, "state": "dead", "by": "table"})
    reader = phone()
    reader.post("/api/language", {"language": "it"})
    assert re.search(r"Capitano</b>.*<small>morto</small>", reader.get("/story").text)
    playing.stop()


@pytest.mark.parametrize(
    ("address", "parts"),
    [
        ("http://192.168.178.100:8080", ["http://", "192.168.178.100", ":8080"]),
        ("http://[fd00::1]:8080", ["http://", "[fd00::1]", ":8080"]),
        ("http://companion.local", ["http://", "companion.local"]),
    ],
)
def test_an_address_breaks_between_its_parts_only(address: str, parts: list[str]) -> None:
    assert re.findall(r">([^<>]+)</span>", str(whole(address))) == parts


def test_every_rule_that_a_rule_names_can_be_looked_up(phone: Phones, playing: Session) -> None:
    known = playing.content.rules
    named = {
        other
        for rule in known.values()
        for language in languages()
        for other in re.findall(r"\b[A-Z]{2,9}-[A-Z]?\d+\b", rule.text[language])
    }
    assert named
    assert not named - set(known)
