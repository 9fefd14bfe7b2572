"""The packed game on its page: what to do, a sheet a person, the list to lay it out, no secret."""

from __future__ import annotations

from collections.abc import Callable
from html import unescape

import pytest

from companion.game import Chance
from companion.locale import words
from companion.rules.packing import GROUPS
from companion.table.journal import MemoryJournal
from companion.table.session import Session
from companion.table.table import Table
from tests.web.conftest import SEED, Phone, new_session, panel_of
from tests.web.test_phones import Room, browser, room  # noqa: F401  fixtures
from tests.web.test_rooms import THREE, Make, needs_browser
from web import create_app


def test_the_page_says_what_lies_where_and_the_list_is_made_from_it(
    phone: Callable[[], Phone], playing: Session
) -> None:
    reader = phone()
    for language in ("en", "it", "fr"):
        text = reader.get(f"/pack?lang={language}").text
        assert "pack." not in text.split("<main", 1)[1].split("</main>", 1)[0]
        assert text.count('class="one"') >= 4
    assert reader.command("unpack").status_code == 200

    groups = {i["group"] for i in playing.view("table")[1]["instructions"]}
    assert {"figures", "ship"} <= groups


@pytest.mark.parametrize("language", ["en", "it", "fr"])
def test_the_page_says_how_what_lies_face_down_is_packed_unseen(
    phone: Callable[[], Phone], session: Session, language: str
) -> None:
    """Tiles first, and whatever else may not be looked at while it is put away, in this order."""
    assert session.submit({"do": "setup", "players": THREE})["status"] == "done"
    text = unescape(phone().get(f"/pack?lang={language}").text)
    hidden = ("own", "tiles", "exploration", "engines", "coordinates", "weaknesses")
    steps = [words(language).say(f"pack.step.{step}") for step in hidden]
    places = [text.find(f"<li>{step}</li>") for step in steps]
    assert -1 not in places
    assert places == sorted(places)


@pytest.mark.parametrize("species", ["intruders", "carnomorphs"])
@pytest.mark.parametrize("truth", ["digital", "physical"])
def test_objectives_go_into_an_envelope_where_they_are_cards(
    phone: Callable[[], Phone], session: Session, species: str, truth: str
) -> None:
    setup = {"do": "setup", "players": THREE, "species": species, "truth": {"objectives": truth}}
    assert session.submit(setup)["status"] == "done"
    reader = phone()
    for language, objectives in {"en": "Objectives", "it": "Obiettivi", "fr": "Objectifs"}.items():
        text = unescape(reader.get(f"/pack?lang={language}").text)
        away = text.split("<ol>", 1)[1].split("</li>", 1)[0]
        assert (objectives in away) is (truth == "physical")
    assert reader.command("unpack").status_code == 200
    page = panel_of(reader.client.application).page("table", "en")
    [own] = [i["piece"] for i in page["instructions"] if "envelope" in i["piece"]]
    assert ("Objectives" in own) is (truth == "physical")


def test_the_recap_says_which_step_is_next_and_what_is_still_asked(
    phone: Callable[[], Phone], session: Session
) -> None:
    def told(language: str) -> str:
        text = unescape(phone().get(f"/pack?lang={language}").text)
        return text.split("<main", 1)[1].split("</section>", 1)[0].replace("\xa0", " ")

    assert session.submit({"do": "setup", "players": THREE})["status"] == "done"
    assert "?" not in told("en")
    assert session.submit({"do": "noise_roll", "seat": 1})["status"] == "done"
    [asked] = session.view("table")[1]["prompts"]
    question = words("en").say(asked["key"], {"seat": "Captain"})
    assert f"A question is still open: {question}" in told("en")
    assert session.submit({"do": "undo"})["status"] == "done"
    assert "question" not in told("en")
    assert session.submit({"do": "event_phase"})["status"] == "done"
    due = session.view("table")[1]["can"]["next"]
    for language, start in {"en": "Next: ", "it": "Poi: ", "fr": "Ensuite : "}.items():
        assert f"{start}{words(language).say(f'step.{due}')}." in told(language)
    assert session.submit({"do": "undo"})["status"] == "done"
    assert session.submit({"do": "place", "piece": "queen", "to": "011"})["status"] == "done"
    assert words("en").say("ui.page.waiting", {"n": 3}) in told("en")


@pytest.mark.browser
@needs_browser
def test_the_list_lies_open_in_the_order_of_laying_out(room: Make) -> None:  # noqa: F811
    table = room(players=["captain", "scout"], digital=True)
    for command in (
        {"do": "place", "piece": "noise", "to": "006-011"},
        {"do": "place", "piece": "adult", "to": "001"},
        {"do": "unpack"},
    ):
        assert table.session.submit(command)["status"] == "done"
    listed = table.session.view("table")[1]["instructions"]
    groups = list(dict.fromkeys(i["group"] for i in listed))
    assert groups == [g for g in GROUPS if g in groups]
    assert len(groups) > 3

    phone = table.seat(1)
    phone.wait_for_selector("#todo .bundle h3")
    titles = phone.locator("#todo .bundle h3").all_inner_texts()
    said = words("en").say
    assert [t.casefold() for t in titles] == [said(f"pack.group.{g}").casefold() for g in groups]
    assert phone.locator("#todo .bundle").first.is_visible()
    assert phone.locator("#todo details.earlier").count() == 0


def test_the_start_page_tells_a_packed_game_until_somebody_plays_on() -> None:
    content = new_session().content
    journal = MemoryJournal({"game": "evening", "content": content.version})
    first = Session(Table(content, journal, Chance(SEED)))
    first.submit({"do": "setup", "players": THREE, "digital": True})
    first.submit({"do": "door", "corridor": "006-011", "state": "closed"})
    evening = create_app(first)
    assert 'class="packed"' not in Phone(evening.test_client()).get("/").text

    week_after = Session(Table(content, journal, Chance(SEED)))
    reader = Phone(create_app(week_after).test_client())
    said = {"en": "We stopped in turn 1", "it": "nel turno 1", "fr": "au tour 1"}
    for language, sentence in said.items():
        text = reader.get(f"/?lang={language}").text
        assert 'class="packed"' in text
        assert sentence in text.split('class="packed"', 1)[1].split("</section>", 1)[0]
    assert reader.command("first_player", seat=2).status_code == 200
    assert 'class="packed"' not in reader.get("/").text


@pytest.mark.browser
@needs_browser
def test_a_packed_game_is_laid_out_bundle_by_bundle(room: Make) -> None:  # noqa: F811
    table: Room = room(players=THREE, digital=True)
    table.session.submit({"do": "place", "piece": "fire", "to": "006"})
    phone = table.seat(1)
    phone.goto(f"{table.base}/pack")
    phone.locator("#unpack").tap()
    phone.wait_for_url("**/seat/1")
    phone.wait_for_selector("#todo .bundle")
    groups = phone.locator("#todo .bundle h3")
    assert groups.count() >= 3
    lines = len(table.session.view("table")[1]["instructions"])
    markers = phone.locator("#todo .bundle", has_text="Fire")
    if not markers.is_visible():
        phone.locator("#todo .earlier summary").tap()
    markers.locator("li button").first.tap()
    markers.wait_for(state="detached")
    assert len(table.session.view("table")[1]["instructions"]) == lines - 1
    table.session.submit({"do": "undo"})  # the fire: it lies there, and is taken off again
    phone.locator("#todo li", has_text="Fire").filter(has_text="box").first.wait_for()
    left = phone.locator("#todo .bundle").count()
    phone.locator("#todo .bundle .done:visible").first.tap()
    phone.wait_for_function("n => document.querySelectorAll('#todo .bundle').length < n", arg=left)
    phone.locator("#todo .whole").tap()
    phone.wait_for_selector("#todo .bundle", state="detached")
    assert table.session.view("table")[1]["instructions"] == []


@pytest.mark.browser
@needs_browser
def test_the_list_stands_once_on_a_phone_and_one_tap_leads_to_it(room: Make) -> None:  # noqa: F811
    table = room(players=THREE, digital=True)
    table.session.submit({"do": "tick", "check": "all"})
    table.session.submit({"do": "unpack"})
    phone = table.seat(1, size={"width": 360, "height": 780})
    phone.wait_for_selector("#todo .bundle")
    lines = len(table.session.view("table")[1]["instructions"])
    assert phone.locator("[data-instruction]:visible").count() == lines
    phone.locator("#latest a.hint").tap()
    phone.wait_for_function(
        "() => { const t = document.querySelector('#todo .bundle h3').getBoundingClientRect().top;"
        " return t > 0 && t < 300; }"
    )
    table.session.submit({"do": "place", "piece": "fire", "to": "014", "by": "device"})
    phone.wait_for_selector("#latest .bundle .done")  # what happens now is still at hand
    assert phone.locator("#latest .bundle li").count() == 1
