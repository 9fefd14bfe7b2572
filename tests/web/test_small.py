"""Small screens and quiet pages, in a real browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from companion.locale import words
from companion.table.ports import Placement, Registration, Sighting
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
        services,
        addresses=tuple,
        simulator=Pieces(),
        strip=lambda: LIGHTS.format(lamp[0]) if lamp[0] else "",
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


def test_a_page_opened_before_anything_is_lit_shows_the_lights_that_come(lit: Room) -> None:
    lit.lamp[0] = 0  # type: ignore[attr-defined]
    page = lit.page("/table", size={"width": 1280, "height": 800})
    page.click("#lights summary")
    assert page.locator("#lights svg").count() == 0
    lit.lamp[0] = 2  # type: ignore[attr-defined]
    page.wait_for_selector("#lights svg circle[r='2']", state="attached")


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
    page.wait_for_selector(".found .rule")
    before = page.inner_text(".found")
    page.fill(".search", "mano Cabins")
    other = "was => document.querySelector('.found').innerText !== was"
    page.wait_for_function(other, arg=before)  # the list of the first search takes no tap
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


def seen_whole(page: Any, selector: str) -> bool:
    """Whether a finger and an eye find it without scrolling: in the window, under nothing."""
    return bool(
        page.locator(selector).first.evaluate(
            """e => { const r = e.getBoundingClientRect();
            const top = document.elementFromPoint((r.left + r.right) / 2, (r.top + r.bottom) / 2);
            return r.top >= 0 && r.bottom <= innerHeight && r.width > 0 && e.contains(top); }"""
        )
    )


def test_what_came_of_ones_own_action_is_on_a_small_screen_without_scrolling(
    room: Callable[..., Room],  # noqa: F811
) -> None:
    table = room(players=["captain"], digital=True)
    phone = table.seat(1, size=SMALL)
    phone.locator("#room-006 .floor").tap()
    phone.wait_for_selector("#latest li:has-text('006')")
    assert seen_whole(phone, "#latest li:last-child")
    for _ in range(20):  # the event phase, whatever it asks
        view = table.session.view("table")[1]
        if (view["last_card"] or {}).get("deck") == "event" or view["prompts"]:
            break
        phone.locator("#actions .steer .main").tap()
        phone.wait_for_timeout(300)
    phone.wait_for_selector("#latest .brief")
    assert seen_whole(phone, "#latest .brief .corridor-number")


@pytest.mark.parametrize("language", ["en", "it", "fr"])
def test_the_noise_of_a_danger_is_one_line_and_none_is_missing(
    room: Callable[..., Room],  # noqa: F811
    language: str,
) -> None:
    table = room(players=["captain"], preset="everything")
    phone = table.seat(1, size=SMALL, language=language)
    phone.wait_for_selector("body[data-link=live] #room-011")
    assert table.session.submit({"do": "noise_roll", "seat": 1})["status"] == "done"
    [asked] = table.session.view("table")[1]["prompts"]
    answer = {"do": "answer", "prompt": asked["id"], "value": "danger"}
    assert table.session.submit(answer)["status"] == "done"
    phone.wait_for_selector("#latest li:has-text('011–015')")
    told = [line.strip() for line in phone.locator("#latest li").all_text_contents()]
    noise = words(language).say("log.noise", {"space": "006–011, 008–011, 011–014, 011–015"})
    assert told[-1] == noise
    assert len(told) == 3
    assert seen_whole(phone, "#latest li:last-child")


def test_what_the_table_has_to_do_is_done_without_scrolling(
    room: Callable[..., Room],  # noqa: F811
) -> None:
    table = room(players=THREE)
    phone = table.seat(1, size=SMALL)
    table.session.submit({"do": "place", "piece": "fire", "to": "014", "by": "device"})
    phone.wait_for_selector("#latest .bundle")
    assert seen_whole(phone, "#latest .bundle .to")
    assert seen_whole(phone, "#latest .bundle .done")
    phone.locator("#latest .bundle .done").tap()
    phone.wait_for_selector("#latest .bundle", state="detached")
    assert table.session.view("table")[1]["instructions"] == []
    phone.locator("#latest .away").tap()
    phone.wait_for_selector("#latest .told", state="detached")


def test_a_secret_never_stands_in_the_open_strip(room: Callable[..., Room]) -> None:  # noqa: F811
    table = room(players=THREE, digital=True)
    phone = table.seat(1, size=SMALL)
    table.session.submit({"do": "peek", "seat": 1, "room": "014", "by": "seat:1"})
    phone.wait_for_selector("#latest li")
    seen = table.session.view("seat:1")[1]["me"]["secrets"]["seen"]
    assert seen
    own = [line for line in table.session.view("seat:1")[1]["log"] if line["secret"]]
    assert own
    tile = table.session.content.tiles[seen[-1]["tile"]].names.get("en")
    assert tile not in phone.inner_text("#latest")


def test_a_player_without_a_phone_chooses_on_the_tables_screen(
    room: Callable[..., Room],  # noqa: F811
) -> None:
    table = room(players=THREE)
    screen = table.page("/table", size={"width": 1280, "height": 800})
    pages = screen.evaluate("history.length")
    phone = table.seat(1)
    table.session.submit({"do": "place", "piece": "adult", "to": "006"})
    screen.wait_for_selector("[data-lend='3']")
    # Whoever has no phone, not who must choose; who came just now is known within a second.
    screen.wait_for_selector("[data-lend='1']", state="detached")
    assert screen.locator("[data-lend]").count() == 2
    wanted = table.session.view("seat:3")[1]["prompts"][0]["options"][1]["id"]
    title = table.session.content.objectives[wanted].names.get("en")
    screen.click("[data-lend='3']")
    screen.click("[data-do=lend]")
    screen.wait_for_url("**/seat/3?from=0")
    phone.wait_for_selector("#news:has-text('lent')")
    assert table.session.view("table")[1]["log"][-1]["type"] == "phone_lent"
    screen.wait_for_selector(".secret-asks .ask")
    assert title not in screen.content()  # covered until the player asks
    for _ in range(2):  # asks once more
        screen.locator(".secret-asks [data-place='2']").click()
    screen.wait_for_url("**/table")
    assert screen.evaluate("history.length") == pages  # no way back to the page that was lent
    assert table.session.view("seat:3")[1]["prompts"] == []
    for seat in (1, 2):
        prompt = table.session.view(f"seat:{seat}")[1]["prompts"][0]
        value = prompt["options"][0]["id"]
        answer = {"do": "answer", "by": f"seat:{seat}", "prompt": prompt["id"], "value": value}
        assert table.session.submit(answer)["status"] == "done"
    assert table.session.view("seat:3")[1]["me"]["secrets"]["kept"] == wanted
    assert title not in screen.content()
    assert screen.goto(f"{table.base}/seat/3").status == 401
    # A phone may be lent too, and comes back to its own seat.
    phone.click("[data-do=more]")
    phone.click("#sheet [data-lend='2']")
    phone.click("[data-do=lend]")
    phone.wait_for_url("**/seat/2?from=1")
    phone.click("#give-back")
    phone.wait_for_url("**/seat/1")


@pytest.mark.parametrize("language", ["en", "it", "fr"])
def test_who_may_choose_without_a_phone_is_listed_alike_before_and_after(
    room: Callable[..., Room],  # noqa: F811
    language: str,
) -> None:
    table = room(players=THREE)
    screen = table.page("/table", language=language, size={"width": 1280, "height": 800})
    table.session.submit({"do": "place", "piece": "adult", "to": "006"})
    screen.wait_for_selector("[data-lend='3']")
    listed = screen.locator("#asks .options").inner_html()
    said = screen.locator("#asks .hint").all_inner_texts()
    assert said[-1] == words(language).say("ui.page.lend.all")
    counts = [screen.inner_text("#asks .waiting p >> nth=0")]
    for seat in (2, 1):
        [prompt] = table.session.view(f"seat:{seat}")[1]["prompts"]
        value = prompt["options"][0]["id"]
        answer = {"do": "answer", "by": f"seat:{seat}", "prompt": prompt["id"], "value": value}
        assert table.session.submit(answer)["status"] == "done"
        screen.wait_for_function(
            "before => document.querySelector('#asks .waiting p').textContent !== before",
            arg=counts[-1],
        )
        counts.append(screen.inner_text("#asks .waiting p >> nth=0"))
        assert screen.locator("#asks .options").inner_html() == listed
        assert screen.locator("#asks .hint").all_inner_texts() == said
    assert [count[-1] for count in counts] == ["3", "2", "1"]


def test_a_seat_with_a_phone_is_not_lent(room: Callable[..., Room]) -> None:  # noqa: F811
    table = room(players=THREE)
    table.seat(2)
    screen = table.page("/table", size={"width": 1280, "height": 800})
    status = screen.evaluate(
        """() => fetch("/api/lend", {method: "POST", body: '{"seat": 2}', headers: {
        "Content-Type": "application/json",
        "X-Companion-Token": document.querySelector("meta[name=token]").content}})
        .then((r) => r.status)"""
    )
    assert status == 409


def test_a_question_lies_over_a_long_list_of_things_to_lay_out(
    room: Callable[..., Room],  # noqa: F811
) -> None:
    """A table that plays before it has ticked its setup sees what it is asked."""
    table = room(players=THREE, digital=True, truth={"bag": "physical"})
    phone = table.seat(1, size=SMALL)
    phone.locator(".setup-list li").first.wait_for()
    table.session.submit({"do": "encounter", "seat": 1})
    ask = phone.locator("#asks .ask")
    ask.wait_for()
    box = ask.bounding_box()
    assert box is not None
    assert box["y"] + 60 < SMALL["height"]  # its head at least is in sight
    shown = phone.evaluate(
        "([x, y]) => document.elementFromPoint(x, y)?.closest('.ask') !== null",
        [box["x"] + box["width"] / 2, box["y"] + 20],
    )
    assert shown


@pytest.mark.parametrize("size", [{"width": 360, "height": 780}, {"width": 1280, "height": 800}])
def test_a_page_is_as_high_as_its_screen(
    room: Callable[..., Room],  # noqa: F811
    size: dict[str, int],
) -> None:
    """Only its parts scroll: a page that is shifted as a whole hides its head, and no finger gets
    it back."""
    table = room(players=THREE, species="carnomorphs")
    for path in ("/table", "/seat/1"):
        page = table.seat(1, size=size) if path == "/seat/1" else table.page(path, size=size)
        page.wait_for_selector("body[data-link=live] #head .round")
        page.evaluate("() => document.documentElement.scrollTo(0, 9999)")
        assert page.evaluate("() => document.documentElement.scrollTop") == 0, path


def test_a_piece_dragged_off_the_simulated_table_lies_in_the_tray(
    browser: Any,  # noqa: F811
    services: Services,
) -> None:
    pytest.importorskip("cv2", reason="the simulated camera needs the vision extra")
    from companion.app.simulated import SimulatorPage
    from vision.kit import build_kit
    from vision.simulate import SimulatedTable

    session, shown = new_session(), SimulatorPage()
    table = SimulatedTable(session.content.boards["nemesis/basic"], build_kit((800, 547)))
    shown.show(table)
    made = Room(browser, session, replace(services, addresses=tuple, simulator=shown))
    try:
        page = made.page("/sim", size={"width": 1280, "height": 800})
        page.wait_for_function("() => document.querySelector('#picture').naturalWidth > 0")
        table.move("captain", "011")
        figure = page.wait_for_selector("[data-piece=captain]").bounding_box()
        page.mouse.move(figure["x"] + figure["width"] / 2, figure["y"] + figure["height"] / 2)
        page.mouse.down()
        board = page.locator("#board").bounding_box()
        page.mouse.move(board["x"] + board["width"] / 2, board["y"] - 60)
        page.mouse.up()
        page.click("#tray button")
        page.wait_for_selector("[data-piece=captain]")
        assert table.pieces()["captain"] == (0.5, 0.5)
        page.wait_for_selector("#tray button", state="detached")
        assert made.complaints == []
    finally:
        made.close()


@pytest.mark.parametrize(("language", "place"), [("en", "beside the board"), ("it", "accanto al")])
def test_two_markers_of_one_number_are_a_line_to_put_away_and_not_to_take(
    lit: Room, language: str, place: str
) -> None:
    seats = lit.session.view("table")[1]["seats"]
    piece, start = seats[0]["character"], seats[0]["room"]
    page = lit.page("/table", language=language, size={"width": 1280, "height": 800})
    page.wait_for_selector("body[data-link=live]")

    def at(where: str | None, x: float) -> Placement:
        return Placement(1, piece, piece, where, None, (x, 0.5), 0.9)

    both = (at(start, 0.5), at(None, 1.1))
    for moment in (0.0, 30.0):  # it has to stand a while
        lit.session.see(
            Sighting(moment, Registration(True, 8), both[:1], duplicates=(piece,), twice=both)
        )
    line = page.wait_for_selector("#seen li")
    assert place in line.inner_text()
    assert start in line.inner_text()
    assert line.query_selector("[data-keep^=g]") is not None
    assert line.query_selector("[data-keep^=t], [data-keep^=m]") is None
    lit.session.see(Sighting(40.0, Registration(True, 8), both[:1]))
    page.wait_for_selector("#seen li", state="detached")
