"""Small screens and quiet pages, in a real browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from tests.web.conftest import new_session
from tests.web.test_phones import (  # noqa: F401  fixtures of a real browser
    SMALL,
    THREE,
    Room,
    browser,
    pytestmark,
    room,
)
from web import Services


class Pieces:
    """A simulated table with nothing on it."""

    def png(self) -> bytes:
        return b""

    def pieces(self) -> list[dict[str, Any]]:
        return []

    def drag(self, piece: str, x: float, y: float) -> None: ...

    def remove(self, piece: str) -> None: ...

    def hand(self, on: bool) -> None: ...


LIGHTS = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle r="{}"/></svg>'


@pytest.fixture
def lit(browser: Any, services: Services) -> Iterator[Room]:  # noqa: F811
    """A simulated table whose lights show ``table.lamp``."""
    lamp = [1]
    parts = replace(
        services, addresses=tuple, simulator=Pieces(), strip=lambda: LIGHTS.format(lamp[0])
    )
    session = new_session()
    assert session.submit({"do": "setup", "players": THREE, "digital": True})["status"] == "done"
    made = Room(browser, session, parts)
    made.lamp = lamp  # type: ignore[attr-defined]
    yield made
    complaints = made.complaints
    made.close()
    assert complaints == []


def test_lights_that_stand_still_are_not_drawn_again(lit: Room) -> None:
    page = lit.page("/sim", size={"width": 1280, "height": 800})
    page.wait_for_selector("#lights svg circle", state="attached")
    page.evaluate("document.querySelector('#lights svg').dataset.first = '1'")
    with page.expect_response(lambda r: "/strip.svg" in r.url) as looked:
        pass
    assert looked.value.status == 204
    assert page.locator("#lights svg[data-first]").count() == 1
    lit.lamp[0] = 3  # type: ignore[attr-defined]
    page.wait_for_selector("#lights svg circle[r='3']", state="attached")


def test_lights_out_of_sight_are_not_asked_for(lit: Room) -> None:
    page = lit.page("/table", size={"width": 1280, "height": 800})
    page.wait_for_selector("body[data-link=live] #head .round")
    asked: list[str] = []
    page.on("request", lambda r: asked.append(r.url))
    page.wait_for_timeout(2500)
    assert [url for url in asked if "/strip" in url] == []
    page.click("#lights summary")
    page.wait_for_selector("#lights svg circle", state="attached")


@pytest.mark.parametrize("size", [(800, 600), (390, 844), (1280, 800)])
def test_the_simulated_table_shows_the_board_before_the_camera(
    lit: Room, size: tuple[int, int]
) -> None:
    page = lit.page("/sim", size={"width": size[0], "height": size[1]})
    board, camera = (
        page.locator(e).bounding_box() for e in (".map .board", "figure:has(#picture)")
    )
    assert (board["y"], board["x"]) < (camera["y"], camera["x"])
    assert board["y"] + 100 < size[1]


def test_the_setup_leaves_the_lobby_once(room: Callable[..., Room]) -> None:  # noqa: F811
    table = room()
    screen = table.page("/", size={"width": 1280, "height": 800})
    screen.wait_for_selector("body[data-link=live]")
    went: list[str] = []
    screen.on("request", lambda r: went.append(r.url) if r.is_navigation_request() else None)
    # The reply is held up, so that the stream tells of the setup first.
    screen.route("**/api/command", lambda r: (screen.wait_for_timeout(0), r.continue_()))
    screen.click("#setup button.main")
    screen.wait_for_url("**/table")
    screen.wait_for_selector("body[data-link=live] #head .round")
    screen.wait_for_timeout(500)
    assert [url.removeprefix(table.base) for url in went] == ["/table"]


def test_a_rule_that_a_rule_names_unfolds_below_it(room: Callable[..., Room]) -> None:  # noqa: F811
    table = room()
    page = table.page("/rules", language="it", size=SMALL)
    page.fill(".search", "BASE-255")
    page.fill(".search", "mano Cabins")
    link = page.locator(".found .ref").first
    link.wait_for()
    ident = link.inner_text()
    link.click()
    unfolded = page.locator(f".found [data-of='{ident}']")
    unfolded.wait_for()
    assert table.session.content.rules[ident].text["it"][:20] in unfolded.inner_text()
    link.click()
    unfolded.wait_for(state="detached")


def test_an_address_keeps_its_port_together_on_a_phone(
    browser: Any,  # noqa: F811
    services: Services,
) -> None:
    parts = replace(services, addresses=lambda: ["192.168.178.100", "127.0.0.1"])
    table = Room(browser, new_session(), parts)
    page = table.page("/", size=SMALL)
    heights = page.locator(".address .whole").evaluate_all(
        "all => all.map((e) => [e.innerText, Math.round(e.getClientRects().length),"
        " e.getBoundingClientRect().height, e.getBoundingClientRect().right])"
    )
    assert [h[0] for h in heights][:2] == ["http://", "192.168.178.100"]
    line = heights[0][2]
    for _text, _rects, high, right in heights:
        assert high == line
        assert right <= SMALL["width"]
    table.close()
