"""Text 40 % longer than ours, as another language may need: nothing runs out sideways."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from companion.locale import Words
from tests.web.test_axe import make  # noqa: F401  the pages, without their axe
from tests.web.test_phones import THREE, browser, pytestmark  # noqa: F401

#: By how much the widest part of an open sheet stands out of it.
INSIDE = """() => {
    const sheet = document.querySelector('#sheet');
    const edge = (e) => Math.round(e.getBoundingClientRect().right);
    return Math.max(0, ...[...sheet.querySelectorAll('*:not(.spoken)')].map(edge)) - edge(sheet);
}"""
WIDE = "() => document.documentElement.scrollWidth - screen.width"
NARROW = {"width": 360, "height": 640}
SAY = Words.say


def longer(self: Words, key: str, params: Mapping[str, Any] | None = None) -> str:
    """The message, and vowels after it: as many letters more as 40 % are."""
    text = SAY(self, key, params)
    more = max(1, round(0.4 * len(text)))
    return text + " " + " ".join("aeiou"[: min(5, more - n)] for n in range(0, more, 6))


def test_no_page_runs_out_sideways_with_longer_words(
    make: Any,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Words, "say", longer)
    check = make("en")
    session = check.table.session
    out: dict[str, int] = {}
    words = ""
    for path in ("/", "/rules", "/join"):
        page = check.page(path, NARROW)
        page.wait_for_timeout(150)
        out[path] = page.evaluate(WIDE)
        page.context.close()
    setup = {"do": "setup", "players": THREE, "truth": {"objectives": "physical"}}
    assert session.submit(setup)["status"] == "done"
    for path in ("/table", "/story", "/pack", "/seat/1", "/host"):
        page = check.page(path, NARROW)
        if path == "/host":
            page.fill("#digits", "271828")
            page.click("#key button")
            page.wait_for_selector("#tracking label")
        page.wait_for_timeout(400)
        words += page.locator("body").inner_text()
        out[path] = page.evaluate(WIDE)
        page.context.close()
    assert words.count(" aeiou") > 50  # the pages do say the longer words
    seat = check.table.seat(1, language="en", size=NARROW)
    session.submit({"do": "tick", "check": "all"})
    for piece, room in (("adult", "011"), ("fire", "011"), ("breeder", "011")):
        session.submit({"do": "place", "piece": piece, "to": room, "by": "device"})
    seat.wait_for_selector("#actions .against")
    seat.locator("#hint button").last.click()  # no more hints of a first game
    sheets = {
        "more": lambda: seat.click("[data-do=more]"),
        "person": lambda: seat.click(".chip.acting .more"),
        "cards": lambda: seat.click("#actions [data-do=cards]"),
        "room": lambda: seat.locator("#room-011").press("Shift+Enter"),
        "corridor": lambda: seat.locator("#corridor-006-011").press("Shift+Enter"),
    }
    for name, opens in sheets.items():
        opens()
        seat.wait_for_selector("#sheet[open] button:has-text(' aeiou'), #sheet[open] button.option")
        out[name] = seat.evaluate(INSIDE)
        seat.keyboard.press("Escape")
    seat.click("[data-do=more]")
    seat.click("#sheet [data-do=host]")
    seat.fill("#digits", "271828")
    seat.click("#key button")
    seat.wait_for_selector("#tracking label")
    out["host's drawer"] = seat.evaluate(INSIDE)
    seat.keyboard.press("Escape")
    session.submit({"do": "state", "seat": 1, "state": "dead"})
    seat.wait_for_selector("#conductor h2")
    out["conductor"] = seat.evaluate(WIDE)
    assert {path: by for path, by in out.items() if by > 0} == {}
