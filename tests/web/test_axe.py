"""The pages through axe-core: names, roles, contrast, order of headings.

The main pages in Italian and French here; every page, sheet and language on two screens in the
nightly tier.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.web.conftest import new_session
from tests.web.test_phones import (  # noqa: F401  fixtures of a real browser
    THREE,
    Room,
    browser,
    pytestmark,
)
from tests.web.test_small import LIGHTS, Pieces
from web import Services
from web.blueprints.pages import LOOKS

AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text("utf-8")
LOOK = """async () => (await axe.run(document, {resultTypes: ["violations"]})).violations
    .map((v) => v.id + ": " + v.nodes
        .map((n) => n.html.slice(0, 160) + " " + (n.any[0]?.message ?? "")).join(" | "))"""

PHONE = {"width": 360, "height": 740}
SCREEN = {"width": 1280, "height": 800}


def faults(page: Any) -> list[str]:
    """What axe finds wrong with a page as it is now."""
    page.wait_for_timeout(250)
    page.evaluate(AXE)
    return [str(one) for one in page.evaluate(LOOK)]


class Checked:
    """A table whose pages are looked at; keeps what was wrong and where."""

    def __init__(self, table: Room, language: str) -> None:
        self.table, self.language = table, language
        self.found: list[str] = []

    def look(self, page: Any, where: str) -> None:
        self.found += [f"{where}: {one}" for one in faults(page)]

    def page(self, path: str, size: dict[str, int]) -> Any:
        return self.table.page(path, language=self.language, size=size)


@pytest.fixture
def make(browser: Any, services: Services) -> Iterator[Callable[[str], Checked]]:  # noqa: F811
    made: list[Room] = []

    def build(language: str) -> Checked:
        lights = LIGHTS.format(1)
        parts = replace(services, addresses=tuple, simulator=Pieces(), strip=lambda: lights)
        made.append(Room(browser, new_session(), parts))
        return Checked(made[-1], language)

    yield build
    for one in made:
        one.close()


def test_the_main_pages(make: Callable[[str], Checked]) -> None:
    check = make("it")
    session = check.table.session
    for path in ("/", "/rules"):
        page = check.page(path, PHONE)
        check.look(page, path)
        page.context.close()
    setup = {"do": "setup", "players": THREE, "truth": {"objectives": "physical"}}
    assert session.submit(setup)["status"] == "done"
    session.submit({"do": "tick", "check": "all"})
    session.submit({"do": "place", "piece": "adult", "to": "007", "by": "device"})
    seat = check.table.seat(1, language="fr", size=PHONE)
    check.look(seat, "seat")
    # In English two of these three figures bear two letters: axe looks at words, not at one letter.
    check.look(check.table.seat(2, language="en", size=PHONE), "two letters")
    table = check.page("/table", SCREEN)
    table.wait_for_selector("body[data-link=live] #head .round")
    check.look(table, "table")
    check.look(check.page("/story", PHONE), "story")
    check.language = "fr"
    host = check.page("/host", PHONE)
    host.fill("#digits", "271828")
    host.click("#key button")
    host.wait_for_selector("#tracking label")
    check.look(host, "host")
    assert not check.found, "\n".join(check.found)


@pytest.mark.parametrize("language", ["en", "it", "fr"])
def test_a_room_is_called_by_what_is_written_in_it(
    make: Callable[[str], Checked], language: str
) -> None:
    check = make(language)
    session = check.table.session
    setup = {"do": "setup", "players": THREE, "preset": "everything", "digital": True}
    assert session.submit(setup)["status"] == "done"
    known = {"do": "reveal", "room": "006", "tile": "canteen", "token": "malfunction/2"}
    assert session.submit(known)["status"] == "done"
    table = check.page("/table", SCREEN)
    table.wait_for_selector("#room-006 .items")
    table.evaluate(AXE)
    rule = {"runOnly": {"type": "rule", "values": ["label-content-name-mismatch"]}}
    ran = table.evaluate("(rule) => axe.run(document, rule)", rule)
    assert ran["violations"] == []
    assert any("room-006" in node["html"] for one in ran["passes"] for node in one["nodes"])
    spoken = table.get_attribute("#room-006", "aria-label").split(", ")
    assert spoken[2].startswith("2 "), spoken


@pytest.mark.slow
@pytest.mark.parametrize("look", LOOKS)
def test_the_main_pages_in_every_look(make: Callable[[str], Checked], look: str) -> None:
    check = make("en")
    session = check.table.session
    setup = {"do": "setup", "players": THREE, "digital": True, "truth": {"dice": "physical"}}
    assert session.submit(setup)["status"] == "done"
    session.submit({"do": "tick", "check": "all"})
    session.submit({"do": "place", "piece": "fire", "to": "007"})
    seat = check.table.seat(1, language="en", size=PHONE)
    for page in (seat, check.page("/table", SCREEN), check.page("/story", PHONE)):
        page.evaluate("(look) => { document.documentElement.dataset.look = look; }", look)
        check.look(page, f"{look} {page.url}")
    session.submit({"do": "event_phase"})
    while session.view("table")[1]["step"] != "event" and session.view("table")[1]["agenda"]:
        session.submit({"do": "next"})
    seat.wait_for_selector("#card .card")
    check.look(seat, f"{look} card")
    seat.click("#menu summary")
    check.look(seat, f"{look} menu")
    assert not check.found, "\n".join(check.found)


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "it", "fr"])
def test_pages_before_the_game(make: Callable[[str], Checked], language: str) -> None:
    check = make(language)
    for size in (PHONE, SCREEN):
        for path in ("/", "/rules", "/story", "/pack", "/join", "/seat/2", "/table", "/nothing"):
            page = check.page(path, size)
            if path == "/rules":
                page.fill(".search", "BASE-255")
                page.locator(".found").wait_for()
            check.look(page, f"{path} {size['width']}")
            page.context.close()
    check.look(check.page("/host", PHONE), "host key")
    assert not check.found, "\n".join(check.found)


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "it", "fr"])
@pytest.mark.parametrize("size", [PHONE, SCREEN], ids=["phone", "screen"])
def test_pages_of_a_game(
    make: Callable[[str], Checked], language: str, size: dict[str, int]
) -> None:
    check = make(language)
    session = check.table.session
    setup = {"do": "setup", "players": THREE, "digital": True, "truth": {"dice": "physical"}}
    assert session.submit(setup)["status"] == "done"
    session.submit({"do": "statistics", "on": True, "by": "host"})
    seat = check.table.seat(1, language=language, size=size)
    check.look(seat, "checklist")
    session.submit({"do": "tick", "check": "all"})
    table = check.page("/table", size)
    table.wait_for_selector("body[data-link=live] #head .round")
    session.submit({"do": "noise_roll", "seat": 1})
    seat.wait_for_selector(".ask.roll")
    check.look(seat, "roll")
    session.submit({"do": "by_hand"})
    for piece, room in (("fire", "006"), ("malfunction", "014"), ("adult", "007"), ("egg", "011")):
        session.submit({"do": "place", "piece": piece, "to": room, "by": "device"})
    session.submit({"do": "wound", "seat": 2, "kind": "light"})
    session.submit({"do": "state", "seat": 3, "state": "dead"})
    seat.wait_for_selector(".secret-asks .ask")
    for page, name in ((seat, "seat"), (table, "table")):
        check.look(page, f"{name} deciding")
    seat.click(".second")
    seat.wait_for_selector("#secret.shown")
    check.look(seat, "shown")
    for number in (1, 2, 3):
        for prompt in session.view(f"seat:{number}")[1]["prompts"]:
            if prompt["secret"]:
                value = prompt["options"][0]["id"]
                answer = {"do": "answer", "prompt": prompt["id"], "value": value}
                session.submit({**answer, "by": f"seat:{number}"})
    seat.wait_for_selector(".secret-asks .ask", state="detached")
    check.look(seat, "seat")
    check.look(table, "table")
    opened = [
        ("more", "[data-do=more]"),
        ("person", ".chip.acting .more"),
        ("cards", "#actions [data-do=cards]"),
    ]
    for name, button in opened:
        seat.click(button)
        seat.wait_for_selector("#sheet[open] button")
        check.look(seat, name)
        seat.keyboard.press("Escape")
    for inside in ("rules", "statistics"):
        seat.click("[data-do=more]")
        seat.click(f"#sheet [data-do={inside}]")
        seat.wait_for_selector(f"#sheet :is(.{inside}, .odds)")
        check.look(seat, inside)
        seat.keyboard.press("Escape")
    for part in ("#room-007", "#corridor-006-011"):
        seat.locator(part).focus()
        seat.keyboard.press("Shift+Enter")
        seat.wait_for_selector("#sheet[open] button")
        check.look(seat, part)
        seat.keyboard.press("Escape")
    seat.click("[data-do=more]")
    seat.click("#sheet [data-do=host]")
    seat.fill("#digits", "271828")
    seat.click("#key button")
    seat.wait_for_selector("#tracking label")
    check.look(seat, "host's drawer")
    seat.keyboard.press("Escape")
    session.submit({"do": "state", "seat": 3, "state": "dead"})
    dead = check.table.seat(3, language=language, size=size)
    dead.wait_for_selector("#conductor h2")
    check.look(dead, "conductor")
    dead.context.close()
    session.submit({"do": "game_end", "cause": "jump", "by": "host"})
    session.submit({"do": "next"})
    seat.wait_for_selector("#verdicts li")
    check.look(seat, "verdicts")
    host = check.page("/host", size)
    host.fill("#digits", "271828")
    host.click("#key button")
    host.wait_for_selector("#tracking label")
    host.locator("details").evaluate_all("all => all.forEach((d) => { d.open = true; })")
    check.look(host, "host")
    for path in ("/story", "/pack", "/", "/sim"):
        page = check.page(path, size)
        check.look(page, path)
        page.context.close()
    assert not check.found, "\n".join(check.found)
