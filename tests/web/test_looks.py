"""How a screen shows things: its look from the first byte, what its menu keeps, theatre."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask

from companion.table.session import Session
from tests.web.conftest import Phone, take_seat
from tests.web.test_phones import (  # noqa: F401  fixtures of a real browser
    THREE,
    Room,
    browser,
    pytestmark,
    room,
)
from tests.web.test_tokens import TOKENS
from web import Services, create_app
from web.blueprints.pages import LOOKS

Phones = Callable[[], Phone]
SCREEN = {"width": 1280, "height": 800}


@pytest.mark.parametrize("look", [*LOOKS, "", "blinding"])
def test_the_first_bytes_have_the_look_that_was_kept(phone: Phones, look: str) -> None:
    one = phone()
    if look:
        one.client.set_cookie("companion_look", look, domain="localhost")
    wanted = look if look in LOOKS else "dark"
    for path in ("/", "/table", "/seat/4", "/nothing"):
        page = one.get(path).text
        assert f'data-look="{wanted}"' in page, path
        assert f'name="theme-color" content="{TOKENS[wanted]["ground"]}"' in page
        kind = "light" if wanted == "light" else "dark"
        assert f'name="color-scheme" content="{kind}"' in page


def test_no_page_draws_the_lights_to_know_whether_there_are_any(
    session: Session, services: Services
) -> None:
    drawn: list[str] = []
    parts = replace(services, lit=lambda: True, strip=lambda: drawn.append("") or "<svg/>")
    one = Phone(create_app(session, parts).test_client())
    session.submit({"do": "setup", "players": ["captain", "scout"]})
    assert 'id="lights"' in one.get("/table").text
    for path in ("/", "/table", "/seat/1", "/host", "/rules", "/story", "/pack"):
        one.get(path)
    assert drawn == []
    dark = Phone(create_app(session, replace(parts, lit=lambda: False)).test_client())
    assert 'id="lights"' not in dark.get("/table").text


def test_a_phone_with_two_seats_leads_from_one_to_the_other(
    phone: Phones, playing: Session, app: Flask
) -> None:
    one = phone()
    take_seat(one, app, 1)
    assert 'class="others"' not in one.get("/seat/1").text
    take_seat(one, app, 3)
    for seat, other in ((1, 3), (3, 1)):
        found = re.search(r'<p class="others">.*?</p>', one.get(f"/seat/{seat}").text)
        assert found
        assert re.findall(r'href="([^"]+)"', found[0]) == [f"/seat/{other}"]
    assert 'class="others"' not in one.get("/seat/1?from=0").text, "a lent screen leads nowhere"


def test_an_attack_card_lies_with_the_back_of_its_own_deck(
    room: Callable[..., Room],  # noqa: F811
) -> None:
    table = room(players=THREE, digital=True, truth={"objectives": "physical"})
    page = table.page("/table", size=SCREEN)
    page.wait_for_selector("#sound:not([hidden])", state="attached")
    table.session.submit({"do": "place", "piece": "queen", "to": "011"})
    page.wait_for_selector("#room-011 [data-piece^=queen]")
    table.session.submit({"do": "event_phase", "step": "attack"})
    page.wait_for_selector("#theatre-box .back.attack [href='#i-attack']", state="attached")
    page.wait_for_selector("#theatre-box.turned .card.attack")


def test_the_table_turns_draws_and_itself_as_its_menu_says(
    room: Callable[..., Room],  # noqa: F811
) -> None:
    table = room(players=THREE, digital=True)
    table.session.submit({"do": "tick", "check": "all"})
    page = table.page("/table", size=SCREEN)
    page.context.add_init_script("Object.defineProperty(navigator, 'wakeLock', {value: undefined})")
    page.reload()  # as on plain http
    page.wait_for_selector("body[data-link=live] #head .round")
    page.wait_for_selector("video.awake", state="attached")
    page.wait_for_function("() => document.querySelector('video.awake').currentTime > 0")
    page.wait_for_selector("#sound:not([hidden])", state="attached")  # its late parts are here

    def draws() -> Any:
        table.session.submit({"do": "event_phase"})
        for _ in range(8):
            view = table.session.view("table")[1]
            if (view.get("last_card") or {}).get("deck") == "event":
                return view["last_card"]["card"]
            table.session.submit({"do": "next"})
        raise AssertionError("no card was drawn")

    draws()
    page.wait_for_selector("#theatre-box .back")
    page.locator("#actions [data-do='more']").click()  # a touch ends it and does what it touches
    assert page.locator("#theatre-box").count() == 0
    page.wait_for_selector("#sheet[open] .counts")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    page.locator("#menu summary").press("Enter")
    page.locator("#turn").press("Enter")
    page.locator("[data-look=deep]").click()
    page.locator("[data-switch=awake]").click()
    page.wait_for_selector("video.awake", state="detached")
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.closest('#menu summary') !== null")
    page.reload()
    page.wait_for_selector("html[data-look=deep][data-turned=on][data-awake=off]")
    page.wait_for_selector("body[data-link=live] #head .round")
    page.click("#menu summary")
    for name in ("#turn", "#theatre"):
        box = page.locator(name).bounding_box()
        assert 0 <= box["y"] <= SCREEN["height"] - box["height"], name
    assert page.evaluate("getComputedStyle(document.querySelector('main')).transform") != "none"
