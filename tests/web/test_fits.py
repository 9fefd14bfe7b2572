"""Late in an evening of five everything is still in sight: names, places, odds, the dead's page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.library import load_content
from companion.locale import words
from tests.web.test_phones import Room, browser, pytestmark, room  # noqa: F401  fixtures

FIVE = [
    {"character": character, "name": name}
    for character, name in (
        ("captain", "Anna"),
        ("scientist", "Bartolomeo il Grande"),
        ("soldier", "Chloé"),
        ("mechanic", "Bo"),
        ("medic", "Massimiliana"),
    )
]
SMALL = {"width": 360, "height": 780}
WIDE = {"width": 1280, "height": 800}
EDGES = "all => all.map((e) => e.getBoundingClientRect()).map((r) => [r.left, r.right])"


@pytest.fixture
def late(room: Callable[..., Room]) -> Room:  # noqa: F811
    """Everybody is hurt, slimy and somewhere with a long name; the fifth is dead."""
    table = room(players=FIVE, species="carnomorphs", digital=True, preset="everything")
    tell = table.session.submit
    tell({"do": "tick", "check": "all"})
    tell({"do": "statistics", "on": True, "by": "host"})
    tell({"do": "reveal", "room": "009", "tile": "evacuation_section_a", "token": "fire/2"})
    for seat, player in enumerate(FIVE, start=1):
        tell({"do": "place", "piece": player["character"], "to": "009"})
        tell({"do": "slime", "seat": seat, "on": True})
        tell({"do": "signal", "seat": seat})
        for _ in range(2):
            tell({"do": "wound", "seat": seat, "kind": "light"})
    tell({"do": "state", "seat": 5, "state": "dead"})
    return table


def edges(page: Any, selector: str) -> list[list[float]]:
    return list(page.locator(selector).evaluate_all(EDGES))


@pytest.mark.parametrize("language", ["en", "it", "fr"])
def test_five_people_stand_beside_each_other_and_the_own_one_whole(
    late: Room, language: str
) -> None:
    screen = late.page("/table", language=language, size=WIDE)
    screen.wait_for_selector(".chip:nth-child(5)")
    assert all(left >= 0 and right <= 1280 for left, right in edges(screen, ".chip, .chip *"))
    cut = "all => all.filter((e) => e.scrollWidth > e.clientWidth + 1).length"
    assert screen.locator(".chip b").evaluate_all(cut) == 0  # whose it is
    phone = late.seat(2, language=language, size=SMALL)
    assert all(left >= 0 and right <= 360 for left, right in edges(phone, ".acting, .acting *"))
    place = phone.locator(".chip.acting small").first
    assert place.inner_text().startswith("009")


@pytest.mark.parametrize("language", ["en", "it", "fr"])
def test_names_of_people_are_read_beside_a_room_with_a_long_name(late: Room, language: str) -> None:
    screen = late.page("/table", language=language, size=WIDE)
    screen.wait_for_selector(".chip:nth-child(5)")
    widths = "all => all.map((e) => [e.textContent, e.scrollWidth, e.clientWidth])"
    shown = screen.locator(".chip i").evaluate_all(widths)
    assert {name for name, *_ in shown} == {player["name"] for player in FIVE}
    for name, whole, seen in shown:
        assert seen >= min(whole, 70), name  # ten letters
    phone = late.seat(2, language=language, size=SMALL)
    name, whole, seen = phone.locator(".chip.acting i").evaluate_all(widths)[0]
    assert seen >= min(whole, 60)


@pytest.mark.parametrize("language", ["en", "it", "fr"])
def test_who_conducts_on_a_wide_screen_sees_the_map(late: Room, language: str) -> None:
    page = late.seat(5, language=language, size=WIDE)
    page.wait_for_selector("#conductor h2")
    board, told = (page.locator(e).bounding_box() for e in ("#board .board", "#conductor"))
    assert board["x"] + board["width"] <= told["x"]
    assert board["height"] > 300
    assert board["y"] + board["height"] <= WIDE["height"]
    named = page.locator("#conductor .person").first.inner_text()
    assert "\n009" in named  # the place is apart from the name
    assert page.locator("#conductor a").last.bounding_box()["height"] >= 44


@pytest.mark.parametrize("language", ["en", "it", "fr"])
def test_the_odds_are_read_whole_on_a_small_phone(late: Room, language: str) -> None:
    phone = late.seat(1, language=language, size=SMALL)
    phone.click("[data-do=more]")
    phone.click("#sheet [data-do=statistics]")
    phone.wait_for_selector("#sheet .odds td")
    inside = phone.locator("#sheet").bounding_box()
    assert all(r <= inside["x"] + inside["width"] - 4 for _, r in edges(phone, "#sheet .odds td"))


@pytest.mark.parametrize("language", ["en", "it", "fr"])
def test_links_and_headers_keep_off_the_edge(late: Room, language: str) -> None:
    for path in ("/rules", "/join", "/host", "/story", "/pack"):
        page = late.page(path, language=language, size=SMALL)
        page.wait_for_selector("header h1")
        assert edges(page, "header.bar") == [[0, 360]], path
        assert all(left >= 12 and right <= 348 for left, right in edges(page, "a")), path
        page.context.close()


@pytest.mark.parametrize("language", ["en", "it", "fr"])
def test_what_is_said_of_the_link_leaves_the_phase_its_line(late: Room, language: str) -> None:
    phone = late.seat(1, language=language, size=SMALL)
    phase = phone.locator(".head .phase").bounding_box()
    late.server.stop()
    phone.wait_for_selector("body[data-link=lost] #link:not(:empty)")
    after, line = (phone.locator(part).bounding_box() for part in (".head .phase", "#link"))
    assert {**after, "y": 0} == {**phase, "y": 0}, "neither cut nor broken"
    assert abs(after["y"] - phase["y"]) <= 4
    assert line["y"] >= after["y"] + after["height"]
    assert line["x"] >= 0
    assert line["x"] + line["width"] <= 360


MARKS = "?!;:»%"


def test_no_french_line_begins_with_a_question_mark() -> None:
    said = words("fr").say("refuse.prompt_open.asked", {"question": "qui ?"})
    assert "«\N{NO-BREAK SPACE}qui ?\N{NO-BREAK SPACE}»" in said
    for key in sorted(words("fr").keys()):
        text = words("fr").say(key, Unfilled(n=2))
        assert not any(f" {mark}" in text for mark in MARKS), key


def test_no_french_line_of_the_content_begins_with_a_sign() -> None:
    """As pages and the command line show it: rules, names, objectives, cards, readings."""
    content = load_content()
    told = [rule.text["fr"] for rule in content.rules.values()]
    told += [card.text["fr"] for card in content.cards.values()]
    told += [objective.text["fr"] for objective in content.objectives.values()]
    for switch in content.switches.values():
        told += [switch.names["fr"], *(held["fr"] for held in switch.value_names.values())]
    named = [
        *content.terms.values(),
        *(thing.names for kind in (content.tiles, content.events) for thing in kind.values()),
    ]
    told += [names.get("fr") for names in named]
    assert sum("\N{NO-BREAK SPACE}" in text for text in told) > 300
    assert [text for text in told if any(f" {mark}" in text for mark in MARKS)] == []
    assert [text for text in told if "« " in text] == []


class Unfilled(dict[str, Any]):
    def __missing__(self, name: str) -> str:
        return name
