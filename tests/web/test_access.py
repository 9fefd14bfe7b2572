"""Reaching it all otherwise: by keyboard, in every look, large, still, in forced colours."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.web.test_axe import PHONE, SCREEN, Checked, make  # noqa: F401
from tests.web.test_phones import HIDE, THREE, Room, browser, pytestmark, room  # noqa: F401

CSS = (Path(__file__).parents[2] / "web" / "static" / "tokens.css").read_text("utf-8")
LOOKS = ["", *sorted(set(re.findall(r'\[data-look="(\w+)"\]', CSS)))]
WIDER = "() => document.scrollingElement.scrollWidth > document.scrollingElement.clientWidth + 1"


def reach(page: Any, selector: str, most: int = 120) -> None:
    """Go there with the Tab key alone."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("s => document.activeElement?.matches(s) ?? false", selector):
            return
    raise AssertionError(f"no Tab leads to {selector}")


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "it", "fr"])
def test_a_phone_that_comes_and_goes_in_every_look(
    make: Callable[[str], Checked],  # noqa: F811
    language: str,
) -> None:
    check = make(language)
    session = check.table.session
    lobby = check.page("/", PHONE)
    lobby.click(".chair[data-seat='1'] [data-claim]")
    lobby.wait_for_selector("#pin:not([hidden])")
    check.look(lobby, "the PIN in the lobby")
    lobby.context.close()
    assert session.submit({"do": "setup", "players": THREE, "digital": True})["status"] == "done"
    session.submit({"do": "tick", "check": "all"})
    other = check.page("/", PHONE)
    other.click("[data-back='1']")
    other.wait_for_selector("#code[open] input")
    seat = check.table.seat(2, language=language, size=PHONE)
    gone = check.page("/seat/1", PHONE)
    gone.wait_for_selector("#back input")
    lost = check.table.seat(3, language=language, size=PHONE)
    check.table.server._panel.streams.leave(3, "moved")
    lost.wait_for_selector("#ended[open]")
    seat.click(".second")
    seat.wait_for_selector(".note textarea")
    for look in LOOKS:
        for page, name in ((other, "PIN"), (gone, "nobody"), (lost, "ended"), (seat, "notes")):
            page.evaluate("l => { document.documentElement.dataset.look = l; }", look)
            check.look(page, f"{name} {look}")
    seat.click("[data-do=more]")
    seat.wait_for_selector("#sheet [data-do=pin]")
    check.look(seat, "more")
    seat.click("#sheet [data-do=ask-leave]")
    seat.wait_for_selector("#sheet [data-do=leave]")
    check.look(seat, "leave")
    assert not check.found, "\n".join(check.found)


@pytest.mark.slow
def test_a_round_by_keyboard_alone(room: Callable[..., Room]) -> None:  # noqa: F811
    table = room(players=THREE, digital=True)
    table.session.submit({"do": "tick", "check": "all"})
    page = table.seat(1, size=SCREEN)
    reach(page, "#room-006")
    page.keyboard.press("Shift+Enter")  # what may be put right about a Room
    page.wait_for_selector("#sheet[open]")
    reach(page, "#sheet [data-do=place]")
    page.keyboard.press("Enter")
    page.wait_for_selector("#sheet:not([open])", state="attached")
    page.wait_for_selector(".log li:first-child:has-text('006')")
    reach(page, "[data-do=undo]")
    page.keyboard.press("Enter")
    page.wait_for_selector(".log .gone")
    reach(page, ".grip")
    page.keyboard.down("Enter")
    page.wait_for_selector("#secret.shown .objective")
    page.keyboard.up("Enter")
    page.wait_for_selector("#secret:not(.shown)")
    reach(page, ".second")
    page.keyboard.press("Enter")
    page.wait_for_selector(".note textarea")
    reach(page, ".note textarea")
    page.keyboard.type("he lies")
    page.wait_for_selector(".note [role=status]:not(:empty)")
    reach(page, "#actions [data-do=event_phase]")
    page.keyboard.press("Enter")
    page.wait_for_selector("#actions [data-do=next]:not([aria-disabled])")
    before = table.session.seq
    reach(page, "#actions [data-do=next]")
    page.keyboard.press("Enter")
    page.wait_for_function("() => !document.querySelector('body.sending')")
    page.wait_for_selector("#actions [data-do=next], .ask", state="attached")
    assert table.session.seq > before
    assert table.session.kept("note.seat:1") == "he lies"


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize(
    "size", [{"width": 640, "height": 400}, {"width": 320, "height": 480}], ids=["200", "400"]
)
def test_text_twice_and_four_times_as_large_scrolls_one_way_only(
    room: Callable[..., Room],  # noqa: F811
    language: str,
    size: dict[str, int],
) -> None:
    """A screen of 1280 points at 200 % is one of 640, at 400 % one of 320."""
    table = room(players=THREE, digital=True)
    seat = table.seat(1, language=language, size=size)
    for path in ("/", "/table", "/rules", "/story", "/host", "/seat/2"):
        page = table.page(path, language=language, size=size)
        page.wait_for_timeout(200)
        assert not page.evaluate(WIDER), path
        page.context.close()
    assert not seat.evaluate(WIDER)
    if size["width"] == 640:  # a phone whose owner wants letters twice as large
        phone = table.seat(3, language=language, size={"width": 390, "height": 844})
        phone.evaluate("document.documentElement.style.fontSize = '200%'")
        assert not phone.evaluate(WIDER)
        phone.click("[data-do=more]")
        phone.wait_for_selector("#sheet[open] button.option")
        assert (
            phone.evaluate("(s => s.scrollWidth - s.clientWidth)(document.querySelector('#sheet'))")
            <= 0
        )
        phone.context.close()
    for part in ("[data-do=more]", "[data-do=undo]", "#actions .main"):
        box = seat.locator(part).first.bounding_box()
        assert box["x"] >= 0, part
        assert box["x"] + box["width"] <= size["width"] + 1, part
        assert box["y"] + box["height"] <= size["height"] + 1, part


@pytest.mark.slow
def test_still_and_in_forced_colours(browser: Any, room: Callable[..., Room]) -> None:  # noqa: F811
    table = room(players=THREE, digital=True)
    context = browser.new_context(
        viewport=SCREEN, reduced_motion="reduce", forced_colors="active", locale="en"
    )
    page = context.new_page()
    page.goto(f"{table.base}/table")
    page.wait_for_selector("body[data-link=live] #head .round")
    table.session.submit({"do": "place", "piece": "fire", "to": "006", "by": "device"})
    page.wait_for_selector("#room-006.fire")
    moving = page.evaluate(
        "() => document.getAnimations().filter((a) => a.playState === 'running').length"
    )
    assert moving == 0
    # What a colour says is said by a shape and a word too.
    assert page.locator("#room-006 .m-fire").count() == 1
    assert "Fire" in page.locator("#room-006").get_attribute("aria-label")
    edge = page.locator("#actions .main").evaluate("e => getComputedStyle(e).borderStyle")
    assert edge != "none"


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", ["Queen", "Adult", "Adult", "Injuries: 3", "Larva ×2"]),
        ("it", ["Regina", "Intruso Adulto", "Intruso Adulto", "Danni: 3", "Larva ×2"]),
        ("fr", ["Reine", "Intrus Adulte", "Intrus Adulte", "Dégâts : 3", "Larve ×2"]),
    ],
)
def test_who_hears_the_map_hears_injuries_and_how_many_there_are(
    room: Callable[..., Room],  # noqa: F811
    language: str,
    told: list[str],
) -> None:
    table = room(players=THREE, truth={"objectives": "physical"})
    for piece in ("queen", "larva", "larva", "adult"):
        table.session.submit({"do": "place", "piece": piece, "to": "006"})
    hurt = {"do": "place", "piece": "adult", "to": "006", "injuries": 3}
    assert table.session.submit(hurt)["status"] == "done"
    page = table.page("/table", language=language)
    page.wait_for_selector("body[data-link=live] #head .round")
    page.wait_for_selector("#room-006 .intruder .many")
    spoken = page.get_attribute("#room-006", "aria-label").replace("\u202f", " ")
    parts = spoken.replace("\u00a0", " ").split(", ")
    assert [p for p in parts if p in told] == told, parts


def seen(page: Any, selector: str) -> bool:
    """Whether the words of a part are of another colour than what lies right behind them."""
    cv2 = pytest.importorskip("cv2", reason="pictures are looked at with OpenCV")
    numpy = pytest.importorskip("numpy")
    page.wait_for_selector(f"{selector}:not(:empty)")
    part = page.locator(selector).first
    part.scroll_into_view_if_needed()
    words = part.evaluate(
        """e => { const all = document.createRange(); all.selectNodeContents(e);
        const { x, y, width, height } = all.getBoundingClientRect();
        return { x, y, width, height }; }"""
    )
    pixels = cv2.imdecode(numpy.frombuffer(page.screenshot(clip=words), numpy.uint8), 0)
    return bool(pixels.std() > 20)


def test_words_on_colour_are_read_in_forced_colours(
    browser: Any,  # noqa: F811
    room: Callable[..., Room],  # noqa: F811
) -> None:
    """The device lays its own ground behind words, which must not be their colour."""
    for scheme in ("light", "dark"):
        table = room()
        context = browser.new_context(
            viewport=SCREEN, forced_colors="active", color_scheme=scheme, locale="en"
        )
        page = context.new_page()
        page.goto(f"{table.base}/")
        assert seen(page, "legend b"), scheme
        assert seen(page, "#setup button.main"), scheme
        table.session.submit({"do": "setup", "players": THREE, "digital": True})
        page.wait_for_url("**/table")
        page.wait_for_selector("body[data-link=live] #head .round")
        table.seat(1, size=PHONE)  # which is news
        assert seen(page, "#news"), scheme


def test_undo_is_a_whole_word_where_letters_are_twice_as_large(
    room: Callable[..., Room],  # noqa: F811
) -> None:
    for language in ("en", "it", "fr"):
        table = room(players=THREE, digital=True)
        table.session.submit({"do": "tick", "check": "all"})
        table.session.submit({"do": "slime", "seat": 1, "on": True})
        phone = table.seat(1, language=language, size=PHONE)
        phone.wait_for_selector("#actions .main")
        phone.evaluate("document.documentElement.style.fontSize = '200%'")
        for button in phone.locator("#actions .steer button").all():
            inside = "e => [e.scrollWidth - e.clientWidth, e.getBoundingClientRect().right]"
            out, right = button.evaluate(inside)
            assert out <= 1, (language, button.inner_text())
            assert right <= PHONE["width"], (language, button.inner_text())
