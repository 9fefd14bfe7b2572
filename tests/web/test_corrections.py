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


@pytest.mark.browser
@browser_only
def test_whose_character_is_dead_conducts_the_table(room: Callable[..., Room]) -> None:  # noqa: F811
    table = room(players=THREE, digital=True)
    table.session.submit({"do": "tick", "check": "all"})
    phone = table.seat(2, size=SMALL)
    assert phone.locator("#conductor").is_hidden()
    table.session.submit({"do": "state", "seat": 2, "state": "dead"})
    phone.wait_for_selector("#conductor h2:has-text('dead')")
    assert "Pods" in phone.inner_text("#conductor .aloud p:last-child")
    phone.click("#conductor [data-seat='3']")  # taps for the Soldier, whose hands are full
    phone.wait_for_selector(".chip.acting[data-seat='3']")
    phone.click("#conductor .bundle .done")
    phone.wait_for_selector("#conductor .bundle", state="detached")
    phone.click("#actions [data-do=event_phase]")
    phone.wait_for_selector("[data-phase=event] #conductor")
    phone.wait_for_selector("#actions [data-do=next]")


@pytest.mark.browser
@browser_only
def test_markers_and_doors_are_dragged_too(room: Callable[..., Room]) -> None:  # noqa: F811
    table = room(players=THREE, digital=True)
    submit = table.session.submit
    submit({"do": "tick", "check": "all"})
    submit({"do": "place", "piece": "fire", "to": "007"})
    submit({"do": "place", "piece": "noise", "to": "006-011"})
    submit({"do": "door", "corridor": "008-011", "state": "closed"})
    phone = table.seat(2, size={"width": 1024, "height": 768})  # nothing lies over the map
    phone.wait_for_selector("#room-007 [data-piece=fire]", state="attached")
    carry(phone, "fire", "#room-006 .floor")
    phone.wait_for_selector("#room-006 [data-piece=fire]", state="attached")
    carry(phone, "noise", "#corridor-007-008 .plate")
    phone.wait_for_selector("#corridor-007-008 [data-piece=noise]", state="attached")
    carry(phone, "door", "#corridor-006-007 .plate")
    phone.wait_for_selector("#corridor-006-007 [data-piece=door]", state="attached")
    phone.wait_for_selector(".log li:first-child:has-text('Door'):has-text('Scout')")
    view = table.session.view("table")[1]
    assert [r for r, held in view["rooms"].items() if held["fire"]] == ["006"]
    assert [c for c, held in view["corridors"].items() if held["noise"]] == ["007-008"]
    assert [c for c, held in view["corridors"].items() if held["door"] == "closed"] == ["006-007"]
    assert phone.locator("#sheet[open], .ask, .ghost").count() == 0
