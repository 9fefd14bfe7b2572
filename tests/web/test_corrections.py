"""Putting right what stands wrong: dragged on the map from any phone, named in the log, undone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask

from companion.table.session import Session
from tests.web.conftest import panel_of
from tests.web.test_phones import CHROMIUM, THREE, Room, browser, room  # noqa: F401

SMALL = {"width": 360, "height": 740}


def test_a_correction_names_whose_phone_made_it(app: Flask, playing: Session) -> None:
    place = {"do": "place", "piece": "captain", "to": "006"}
    assert playing.submit({**place, "by": "seat:2"})["status"] == "done"
    assert playing.submit({**place, "to": "007"})["status"] == "done"
    for language, who in (("en", "Scout"), ("it", "Esploratore")):
        log = panel_of(app).page("table", language)["log"]
        assert log[-2]["text"].endswith(f" · {who}")
        assert "006" in log[-2]["text"]
        assert who not in log[-1]["text"]  # the table's own screen
    undo = panel_of(app).page("seat:2", "en")["can"]["undo"]
    assert "Captain" in undo["label"]
    assert "007" in undo["label"]


browser_only = pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed")


def middle(page: Any, part: str) -> tuple[float, float]:
    box = page.locator(part).first.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def carry(page: Any, piece: str, there: str) -> None:
    page.mouse.move(*middle(page, f"[data-piece='{piece}']"))
    page.mouse.down()
    page.mouse.move(*middle(page, there), steps=6)
    page.mouse.up()


@pytest.mark.browser
@browser_only
def test_a_figure_is_dragged_where_it_stands_and_a_step_has_a_soft_second(
    room: Callable[..., Room],  # noqa: F811
) -> None:
    table = room(players=THREE, digital=True)
    table.session.submit({"do": "tick", "check": "all"})
    phone = table.seat(2, size=SMALL)
    phone.wait_for_selector("[data-piece='captain']", state="attached")
    carry(phone, "captain", "#room-006 .floor")
    phone.wait_for_selector(".log li:first-child:has-text('006'):has-text('Scout')")
    assert table.session.view("table")[1]["seats"][0]["room"] == "006"
    assert phone.locator("#sheet[open], .ask").count() == 0  # it was no tap and no long press
    carry(phone, "captain", "#head")  # let go beside the board: nothing
    assert phone.locator(".ghost").count() == 0
    phone.click("[data-do=undo]")
    phone.wait_for_selector(".log .gone")
    assert table.session.view("table")[1]["seats"][0]["room"] == "011"
    phone.click("#actions [data-do=event_phase]")
    phone.wait_for_selector("#actions [data-do=next][aria-disabled]")
    before = table.session.seq
    phone.evaluate("document.querySelector('#actions [data-do=next]').click()")
    assert phone.locator("#actions .undo.fresh").count() == 1
    phone.wait_for_selector("#actions [data-do=next]:not([aria-disabled])")
    assert table.session.seq == before  # the second tap was not the next step
    phone.click("#actions [data-do=undo]")
    phone.wait_for_selector("#actions [data-do=event_phase]")
