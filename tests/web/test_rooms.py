"""Room actions on the map of a phone, in taps; and what only the one who looked may read."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

import companion.rules
from companion.library import load_content
from companion.table.session import Session
from tests.web.conftest import panel_of
from tests.web.test_phones import Room, browser, room  # noqa: F401  fixtures
from web.rooms import seen
from web.terms import Terms

playwright = pytest.importorskip("playwright.sync_api")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed")

Make = Callable[..., Room]
THREE = ["captain", "scout", "soldier"]


class Taps:
    """A phone whose taps are counted."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.count = 0

    def on(self, selector: str, text: str = "") -> None:
        found = self.page.locator(selector, **({"has_text": text} if text else {})).first
        found.tap()
        self.count += 1


def hears(page: Any, text: str) -> None:
    """A line of the log with these words."""
    page.locator("#log li", has_text=text).first.wait_for()


def stand(table: Room, where: str, tile: str = "", seat: int = 1) -> None:
    """Somebody stands in a room with this tile, by hand."""
    if tile:
        known = {"do": "reveal", "room": where, "tile": tile, "token": "malfunction/1"}
        assert table.session.submit(known)["status"] == "done"
        broken = {"do": "remove", "piece": "malfunction", "at": where}
        assert table.session.submit(broken)["status"] == "done"
    put = {"do": "place", "piece": THREE[seat - 1], "to": where}
    assert table.session.submit(put)["status"] == "done"


@pytest.fixture
def table(room: Make) -> Room:  # noqa: F811
    return room(players=THREE, digital=True)


@pytest.mark.browser
@needs_browser
def test_a_simple_action_is_two_taps(table: Room) -> None:
    stand(table, "003", "comms_room")
    phone = table.seat(1, language="it")
    taps = Taps(phone)
    taps.on("#room-003 .floor")
    taps.on("#sheet .room-action", "Inviare il Segnale")
    phone.wait_for_selector("#sheet", state="hidden")
    hears(phone, "Segnale")
    assert taps.count == 2
    assert table.session.view("table")[1]["seats"][0]["signal"] is True


@pytest.mark.browser
@needs_browser
def test_a_room_is_chosen_on_the_map_with_the_third_tap(table: Room) -> None:
    stand(table, "003", "fire_control_system")
    assert table.session.submit({"do": "place", "piece": "fire", "to": "011"})["status"] == "done"
    phone = table.seat(1)
    taps = Taps(phone)
    taps.on("#room-003 .floor")
    taps.on("#sheet .room-action")
    phone.wait_for_selector("#room-011.choose")
    taps.on("#room-011 .floor")
    phone.wait_for_selector("#room-011:not(.fire)")
    assert taps.count == 3
    assert table.session.view("table")[1]["rooms"]["011"]["fire"] is False


@pytest.mark.browser
@needs_browser
def test_a_refused_action_says_why_and_may_have_happened_anyway(table: Room) -> None:
    stand(table, "003", "comms_room")
    put = {"do": "place", "piece": "malfunction", "to": "003"}
    assert table.session.submit(put)["status"] == "done"
    phone = table.seat(1)
    taps = Taps(phone)
    taps.on("#room-003 .floor")
    refused = phone.locator("#sheet .room-action.barred")
    assert "Malfunction" in refused.inner_text()
    taps.on("#sheet .room-action")
    taps.on("#notice button:not(.plain):not(.why)")
    phone.wait_for_selector("#notice", state="hidden")
    assert taps.count == 3
    assert table.session.view("table")[1]["seats"][0]["signal"] is True


@pytest.mark.browser
@needs_browser
def test_a_search_is_two_taps_and_counts_down(table: Room) -> None:
    stand(table, "006", "canteen")
    found = {"do": "items", "room": "006", "count": 2}
    assert table.session.submit(found)["status"] == "done"
    phone = table.seat(1, language="it")
    taps = Taps(phone)
    taps.on("#room-006 .floor")
    taps.on("#sheet [data-do=search]", "Ricerca · 2")
    phone.wait_for_selector("#sheet", state="hidden")
    hears(phone, "2 Strumenti verdi")
    assert taps.count == 2
    assert table.session.view("table")[1]["rooms"]["006"]["items"] == 1


@pytest.mark.browser
@needs_browser
def test_an_object_is_handed_over_to_who_stands_beside(table: Room) -> None:
    for command in (
        {"do": "place", "piece": "egg", "to": "011"},
        {"do": "pick_up", "seat": 1, "piece": "egg"},
    ):
        assert table.session.submit(command)["status"] == "done"
    phone = table.seat(1)
    phone.locator('.chip[data-seat="1"] .more').tap()
    phone.locator("#sheet [data-do=hand_over]", has_text="Scout").tap()
    phone.wait_for_selector("#sheet", state="hidden")
    hears(phone, "Captain → Scout")
    seats = table.session.view("table")[1]["seats"]
    assert [bool(p["objects"]) for p in seats] == [False, True, False]


@pytest.mark.browser
@needs_browser
def test_a_look_is_read_under_the_cover_of_the_own_page_alone(table: Room) -> None:
    stand(table, "019")
    phone, other = table.seat(1), table.seat(2)
    taps = Taps(phone)
    taps.on("#room-019 .floor")
    taps.on("#sheet .room-action")
    hears(phone, "looks at")
    top = table.session.view("seat:1")[1]["me"]["secrets"]["seen"][0]["state"]
    assert "Engine 3" not in phone.inner_text("#secret .cover")
    taps.on("#secret .second")
    phone.wait_for_selector("#secret .seen")
    read = phone.inner_text("#secret .cover .seen")
    assert "Engine 3" in read
    assert top.capitalize() in read
    assert taps.count == 3
    other.locator("#secret .second").tap()
    other.wait_for_selector("#secret.shown")
    assert other.locator("#secret .cover .seen").count() == 0


@pytest.mark.browser
@needs_browser
def test_an_engine_is_broken_and_everybody_hears_of_the_order(table: Room) -> None:
    stand(table, "019")
    phone, other = table.seat(1), table.seat(2)
    taps = Taps(phone)
    taps.on("#room-019 .floor")
    taps.on("#sheet [data-do=repair]")
    taps.on(".ask [data-value=swap]")
    hears(other, "has changed")
    assert taps.count == 3
    seen = table.session.view("seat:1")[1]["me"]["secrets"]["seen"]
    assert [one["engine"] for one in seen] == ["3", "3"]
    assert {one["state"] for one in seen} == {"working", "damaged"}


@pytest.mark.browser
@needs_browser
def test_the_engine_control_room_is_no_engine(table: Room) -> None:
    stand(table, "006", "engine_control_room")
    phone = table.seat(1)
    phone.locator("#room-006 .floor").tap()
    phone.wait_for_selector("#sheet .room-action")
    assert phone.locator("#sheet [data-do=repair]").count() == 0


def test_the_page_of_a_look_reaches_its_own_stream_only(app: Flask, playing: Session) -> None:
    looks = [
        {"do": "room_action", "seat": 1, "room": "001", "action": "look_coordinates"},
        {"do": "room_action", "seat": 1, "room": "019"},
    ]
    for look in looks:
        assert playing.submit({**look, "remote": True})["status"] == "done"
    panel = panel_of(app)
    card = playing.view("seat:1")[1]["me"]["secrets"]["seen"][0]["places"]
    assert tuple(card.values()) in playing.content.games["nemesis"].coordinates
    for audience in ("table", "host", "seat:1", "seat:2", "seat:3"):
        shown = json.loads(panel.text(audience, playing.view(audience)[1], "en"))
        seen = [one["title"] for one in shown.get("me", {}).get("seen", ())]
        own = ["Engine 3", "Coordinates card"] if audience == "seat:1" else []
        assert seen == own, audience
        text = json.dumps([playing.view(audience)[1], shown])
        assert ("deep_space" in text) is (audience == "seat:1"), audience


def test_every_look_that_the_rules_can_grant_is_shown_in_words() -> None:
    """The kinds are read from the rules: a new one without words fails here."""
    looks = {
        "engine": {"engine": "1", "state": "working"},
        "coordinates": {"places": {"a": "earth", "b": "mars"}},
        "room": {"room": "002", "tile": "nest", "exploration": "slime/2"},
        "event": {"card": "hunt_2"},
    }
    rules = [f.read_text() for f in (Path(companion.rules.__file__).parent).rglob("*.py")]
    granted = {k for text in rules for k in re.findall(r'show\([^)]*\{"kind": "(\w+)"', text)}
    assert granted == set(looks)
    content = load_content()
    for language in ("en", "it", "fr"):
        terms = Terms(content, language, {})
        for kind, held in looks.items():
            (shown,) = seen([{"kind": kind, **held, "round": 1}], terms)
            assert shown["title"] not in (kind, ""), kind
            assert shown["text"], kind
            assert not [
                v for v in held.values() if isinstance(v, str) and "_" in v and v in str(shown)
            ], kind


@pytest.mark.browser
@needs_browser
def test_who_plays_the_intruders_reads_the_cards_to_choose_from(room: Make) -> None:  # noqa: F811
    table = room(players=THREE, digital=True, intruder_player=True)
    told = table.session.submit
    assert told({"do": "death", "seat": 2})["status"] == "done"
    assert told({"do": "event_phase", "step": "end"})["status"] == "done"
    assert told({"do": "answer", "value": True, "by": "seat:2"})["status"] == "done"
    plan = {"do": "intruder_action", "use": "effect", "card": "planning"}
    assert told(plan)["status"] == "done"
    (prompt,) = table.session.view("seat:2")[1]["prompts"]
    phone, other = table.seat(2), table.seat(1)
    phone.locator("#secret .second").tap()
    other.locator("#secret .second").tap()
    phone.wait_for_selector("#secret .cover .objective >> nth=2")
    read = phone.locator("#secret .cover .objective").all_inner_texts()
    for option, text in zip(prompt["options"], read, strict=True):
        card = table.session.content.events[option["id"]]
        rule = table.session.content.rules[card.rule.split()[0]]
        assert card.names.get("en") in text
        assert f"Corridor {card.corridors[0]}: " in text
        says = rule.text["en"].partition(": ")[2]  # name and symbols stand before it already
        assert says
        assert says[1:] in text
        assert card.names.get("en") not in other.inner_text("#secret .cover")
