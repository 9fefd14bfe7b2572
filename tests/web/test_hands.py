"""What a phone asks its reader's hands for stays on it until it is put away."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.library import load_content
from companion.table.session import Session
from tests.web.conftest import new_session
from tests.web.test_phones import Room, browser, room  # noqa: F401  fixtures
from tests.web.test_rooms import THREE, needs_browser
from web.present import page

TAKES = "Captain · takes a Contamination card"
DRAWS = "Captain · draws two Mutation cards, keeps one face down"
ASKED = "#latest li:has(.m-hand)"


def shown(session: Session) -> list[dict[str, Any]]:
    """The log as the table's page has it."""
    log: list[dict[str, Any]] = page(session.view("table")[1], load_content(), "en")["log"]
    return log


def asked(phone: Any) -> list[str]:
    """The lines that ask the reader's hands for something."""
    return [str(text) for text in phone.locator(ASKED).all_text_contents()]


def much_happens(table: Room, phones: tuple[Any, ...]) -> None:
    """More news than a phone shows at once, and all phones have it."""
    for corridor in ("001-002", "001-003", "002-006", "003-007"):
        door = {"do": "door", "corridor": corridor, "state": "closed"}
        assert table.session.submit(door)["status"] == "done"
        table.session.submit({**door, "state": "open"})
    for phone in phones:
        phone.wait_for_selector("#latest li:last-child >> text=003–007")


@pytest.mark.browser
@needs_browser
def test_what_hands_have_to_do_stays_until_it_is_put_away(
    room: Callable[..., Room],  # noqa: F811
) -> None:
    table = room(players=THREE, species="carnomorphs")
    own, other = phones = table.seat(1), table.seat(2)
    narrow = table.page("/table")
    narrow.wait_for_selector("body[data-link=live] #head .round")
    assert asked(own) == []
    assert table.session.submit({"do": "contaminate", "seat": 1})["status"] == "done"
    assert table.session.submit({"do": "mutation", "seat": 1, "on": True})["status"] == "done"
    much_happens(table, (*phones, narrow))
    assert asked(own) == asked(narrow) == [TAKES, DRAWS]
    assert asked(other) == [], "it asks for somebody else's hands"
    own.reload()  # a phone that slept for long may load its page again
    own.wait_for_selector(ASKED)
    assert asked(own) == [TAKES, DRAWS]
    own.locator("#latest .away").tap()
    own.wait_for_selector(ASKED, state="detached")
    assert table.session.submit({"do": "signal", "seat": 2, "on": True})["status"] == "done"
    own.wait_for_selector("#latest li >> text=Signal")
    assert asked(own) == [], "it was put away"
    own.reload()
    own.wait_for_selector("body[data-link=live] #head .round")
    assert asked(own) == []
    assert asked(narrow) == [TAKES, DRAWS], "another screen puts away for itself"


@pytest.mark.browser
@needs_browser
def test_what_is_open_now_stands_above_what_waits_for_hands(
    room: Callable[..., Room],  # noqa: F811
) -> None:
    table = room(players=THREE, species="carnomorphs")
    phone = table.seat(1, language="fr", size={"width": 360, "height": 780})
    for ask in (
        {"do": "contaminate", "seat": 1},
        {"do": "mutation", "seat": 1, "on": True},
        {"do": "wound", "seat": 1, "kind": "light"},
    ):
        assert table.session.submit(ask)["status"] == "done"
    phone.wait_for_selector("#latest li:has(.m-hand) >> nth=2", state="attached")
    much_happens(table, (phone,))  # they are news no more
    phone.wait_for_selector("#latest summary:has-text('3')")
    table.session.submit({"do": "place", "piece": "fire", "to": "005", "by": "device"})
    phone.wait_for_selector("#latest > .bundle:first-child .done")
    strip, bundle, news, kept = (
        phone.locator(part).bounding_box()
        for part in ("#latest", "#latest > .bundle", "#latest > .told", "#latest > details")
    )
    assert strip["height"] <= 210
    ends = [part["y"] + part["height"] for part in (bundle, news, kept)]
    assert bundle["y"] < ends[0] <= news["y"] < ends[1] <= kept["y"] < ends[2]
    assert ends[2] <= strip["y"] + strip["height"], "nothing is out of sight"
    assert not phone.locator(ASKED).first.is_visible()
    phone.locator("#latest summary").tap()
    phone.locator(ASKED).first.wait_for()
    table.session.submit({"do": "place", "piece": "fire", "to": "006", "by": "device"})
    phone.wait_for_selector("#latest > .bundle .to:has-text('006')")
    assert phone.locator(ASKED).first.is_visible(), "it stays open for who opened it"


def test_a_card_that_hands_have_drawn_and_named_is_not_asked_for_again() -> None:
    asks = []
    for preset in ("bag_and_board", "everything"):
        session = new_session()
        setup = {"do": "setup", "players": ["captain"], "preset": preset}
        assert session.submit(setup)["status"] == "done"
        session.submit({"do": "wound", "seat": 1, "kind": "serious"})
        for asked in session.view("table")[1]["prompts"]:
            value = asked["options"][0]["id"]
            session.submit({"do": "answer", "prompt": asked["id"], "value": value})
        [line] = [line for line in shown(session) if "· Serious Wound" in line["text"]]
        asks.append(line.get("hands"))
    assert asks == [[1], None]


@pytest.mark.browser
@needs_browser
def test_what_is_undone_asks_no_hands(room: Callable[..., Room]) -> None:  # noqa: F811
    table = room(players=THREE)
    phone = table.seat(1)
    assert table.session.submit({"do": "contaminate", "seat": 1})["status"] == "done"
    phone.wait_for_selector(ASKED)
    assert table.session.submit({"do": "undo"})["status"] == "done"
    phone.wait_for_selector(ASKED, state="detached")


@pytest.mark.browser
@needs_browser
def test_a_move_to_make_is_not_told_again_below_it(room: Callable[..., Room]) -> None:  # noqa: F811
    table = room(players=THREE)
    phone = table.seat(1)
    fire = {"do": "place", "piece": "fire", "to": "005", "by": "device"}
    assert table.session.submit(fire)["status"] == "done"
    phone.wait_for_selector("#latest > .bundle .to:has-text('005')")
    assert phone.locator("#latest .told li", has_text="005").count() == 0
    assert phone.locator("#log li", has_text="005").count() == 1, "the log has it"
    assert table.session.submit({"do": "signal", "seat": 2, "on": True})["status"] == "done"
    phone.wait_for_selector("#latest .told li >> text=Signal")  # what no piece shows is told


@pytest.mark.browser
@needs_browser
def test_below_a_question_the_strip_of_news_is_never_empty(
    room: Callable[..., Room],  # noqa: F811
) -> None:
    table = room(players=THREE, truth={"dice": "physical"})
    phone = table.seat(1, size={"width": 360, "height": 780})
    table.session.submit({"do": "place", "piece": "fire", "to": "005", "by": "device"})
    phone.wait_for_selector("#latest > .bundle .to:has-text('005')")
    table.session.submit({"do": "noise_roll", "seat": 1, "by": "table"})
    phone.wait_for_selector("#asks .ask .face")
    strip = phone.locator("#latest")
    assert not strip.is_visible() or phone.locator("#latest li:visible").count()
