"""The Void Seeders on a phone: Insanity beside the name, Panic cards, and what is not there."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.conftest import new_session
from tests.web.test_phones import Room, browser, room  # noqa: F401  fixtures
from tests.web.test_rooms import THREE, Make, Taps, hears, needs_browser
from web.present import page as page_of

TRUTH = {"panic": "physical", "objectives": "physical"}


@pytest.fixture
def table(room: Make) -> Room:  # noqa: F811
    made = room(players=THREE, digital=True, species="void_seeders", truth=TRUTH)
    for piece in THREE[1:]:
        made.session.submit({"do": "place", "piece": piece, "to": "001"})
    return made


def insanity(table: Room, seat: int = 1) -> int:
    level: int = table.session.view("table")[1]["seats"][seat - 1]["species"]["insanity"]
    return level


def sheet(page: Any) -> None:
    page.locator("#seats .chip button.more").first.tap()


@pytest.mark.browser
@needs_browser
def test_insanity_stands_beside_the_name_and_a_hand_moves_it(table: Room) -> None:
    page = table.seat(1)
    sheet(page)
    page.locator("#sheet button", has_text="Insanity +1").tap()
    hears(page, "Insanity 1 → 2")
    badge = page.locator("#seats .chip").first.get_by_role("img", name="Insanity 2")
    assert badge.inner_text().strip() == "2"
    assert insanity(table) == 2
    sheet(page)
    assert page.locator("#sheet button", has_text="Slime").count() == 0
    assert page.locator("#sheet button", has_text="Larva").count() == 0


@pytest.mark.browser
@needs_browser
def test_a_panic_card_of_the_table_is_named_and_shown(table: Room) -> None:
    table.session.submit({"do": "insanity", "seat": 1, "level": 3})
    page = table.seat(1)
    taps = Taps(page)
    taps.on("#seats .chip button.more")
    taps.on("#sheet button", "Panic card")
    taps.on("#asks button.option", "Self-Mutilation")
    hears(page, "Panic: Self-Mutilation (level 3)")
    assert taps.count == 3
    assert page.locator("#card article.panic h2").inner_text().startswith("Self-Mutilation")
    assert not table.session.view("table")[1]["prompts"], "nobody has a Wound since the setup"


@pytest.mark.browser
@needs_browser
def test_a_panic_card_nobody_knows_takes_its_level_and_a_word(table: Room) -> None:
    page = table.seat(1)
    table.session.submit({"do": "panic", "seat": 1})
    taps = Taps(page)
    taps.on("#asks details.line summary")
    page.fill("#asks details.line input", "Not in the lists")
    taps.on("#asks details.line button[data-value='1']")
    taps.on("#asks details.line button.big")
    hears(page, "do what the card says")
    page.locator("#asks button[data-value=false]").tap()
    hears(page, "cannot be resolved")
    assert taps.count == 3
    assert insanity(table) == 2
    table.session.submit({"do": "panic", "seat": 1})
    page.locator("#asks button.option", has_text="Not in the lists").wait_for()


def test_a_species_without_insanity_refuses_the_marker() -> None:
    session = new_session()
    assert session.submit({"do": "setup", "players": THREE})["status"] == "done"
    reply = session.submit({"do": "insanity", "seat": 1, "level": 2})
    assert (reply["status"], reply["code"]) == ("refused", "species.not_here")


def test_a_panic_card_that_moves_somebody_stays_the_card_that_is_shown() -> None:
    session = new_session()
    switches = {"offer_cancels": "no"}
    setup = {"players": THREE, "digital": True, "species": "void_seeders", "truth": TRUTH}
    session.submit({"do": "setup", **setup, "switches": switches})
    session.submit({"do": "insanity", "seat": 1, "level": 2})
    session.submit({"do": "panic", "seat": 1})
    view = session.view("table")[1]
    answer = {"do": "answer", "prompt": view["prompts"][0]["id"], "value": "blind_escape"}
    assert session.submit(answer)["status"] == "done"
    view = session.view("table")[1]
    (drawn,) = [line for line in view["log"] if line["type"] == "direction_drawn"]
    card = page_of(view, session.content, "it")["card"]
    assert (card["deck"], card["title"]) == ("panic", "Blind Escape")
    assert card["numbers"] == [drawn["params"]["number"]]
