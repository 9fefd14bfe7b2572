"""Several phones at once in a real browser against a real server."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from companion.table.session import Session
from tests.web.conftest import new_session
from tests.web.test_secrets import secret_words
from web import Server, Services, create_app, panel

playwright = pytest.importorskip("playwright.sync_api")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed"),
]

PHONE = {"width": 390, "height": 844}
SIZES = [(360, 640), (390, 844), (1024, 768), (1920, 1080)]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as started:
        opened = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


class Room:
    """A table with its server and the pages open on it; remembers what browsers complained of."""

    def __init__(self, browser: Any, session: Session, services: Services) -> None:
        self.browser, self.session, self.services = browser, session, services
        self.complaints: list[str] = []
        session.start()
        self.server = self._serve(0)
        self.base = f"http://127.0.0.1:{self.server.port}"

    def _serve(self, port: int) -> Server:
        server = Server(create_app(self.session, self.services), "127.0.0.1", port)
        server.start()
        return server

    def restart(self) -> None:
        """The panel goes and comes back on the same port."""
        self.server.stop()
        self.server = self._serve(self.server.port)

    def page(self, path: str, *, language: str = "en", size: dict[str, int] = PHONE) -> Any:
        touch = size["width"] < 800
        context = self.browser.new_context(
            viewport=size, locale=language, has_touch=touch, is_mobile=touch
        )
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.on("pageerror", lambda e: self.complaints.append(str(e)))
        page.on(
            "console",
            lambda m: self.complaints.append(m.text) if "Content Security" in m.text else None,
        )
        page.goto(self.base + path)
        return page

    def seat(self, seat: int, **options: Any) -> Any:
        """A phone that takes a seat in the lobby."""
        page = self.page("/", **options)
        page.click(f".chair[data-seat='{seat}'] [data-claim]")
        page.wait_for_url(f"**/seat/{seat}")
        page.wait_for_selector("body[data-link=live] #head .round")
        return page

    def close(self) -> None:
        for context in self.browser.contexts:
            context.close()
        self.server.stop()
        self.session.stop()


@pytest.fixture
def room(browser: Any, services: Services) -> Iterator[Callable[..., Room]]:
    made: list[Room] = []

    def make(**setup: Any) -> Room:
        session = new_session()
        if setup is not None and setup.get("players"):
            assert session.submit({"do": "setup", **setup})["status"] == "done"
        made.append(Room(browser, session, replace(services, addresses=tuple)))
        return made[-1]

    yield make
    for one in made:
        complaints = one.complaints
        one.close()
        assert complaints == []


PINNED = """e => Object.assign(e.style,
    {position: "fixed", inset: "0 auto auto 0", width: "360px", height: "310px", borderRadius: 0,
     zIndex: 99})"""
THREE = ["captain", "scout", "soldier"]
HIDE = """on => { Object.defineProperty(document, 'hidden', {value: on, configurable: true});
    document.dispatchEvent(new Event('visibilitychange')); }"""


def test_three_phones_join_and_five_choices_begin_the_game(room: Callable[..., Room]) -> None:
    table = room()
    screen = table.page("/", size={"width": 1280, "height": 800})
    phones = [table.page("/", language=tag) for tag in ("it", "fr", "en")]
    for seat, phone in enumerate(phones, start=1):
        phone.click(f".chair[data-seat='{seat}'] [data-claim]")
        phone.wait_for_url(f"**/?seat={seat}")
    screen.wait_for_selector("#setup fieldset >> nth=4")
    assert screen.locator("#setup fieldset").count() == 5
    screen.wait_for_selector("body[data-link=live]")
    screen.click("#setup button.main")
    screen.wait_for_url("**/table")
    for seat, phone in enumerate(phones, start=1):
        phone.wait_for_url(f"**/seat/{seat}")
        phone.wait_for_selector(f".chip.acting[data-seat='{seat}']")
    assert "Fase dei giocatori" in phones[0].inner_text("#head")
    assert "Phase des joueurs" in phones[1].inner_text("#head")


def test_a_move_and_its_noise_are_two_taps(room: Callable[..., Room]) -> None:
    table = room(players=THREE, truth={"tiles": "digital", "exploration": "digital"})
    known = {"do": "reveal", "room": "006", "tile": "airlock_control", "token": "malfunction/1"}
    assert table.session.submit(known)["status"] == "done"
    phone = table.seat(2, language="it")
    other = table.page("/table", language="fr", size={"width": 1024, "height": 768})
    other.wait_for_selector("body[data-link=live] #head .round")
    phone.locator("#room-006 .floor").tap()
    phone.wait_for_selector(".ask.roll")
    assert phone.locator(".ask.roll .face").count() == 6
    assert other.locator(".ask.roll .face").count() == 6  # any device may answer
    phone.locator(".ask.roll [data-value='2']").tap()
    phone.wait_for_selector(".ask", state="detached")
    other.wait_for_selector("#corridor-006-011.noisy")
    assert table.session.view("table")[1]["corridors"]["006-011"]["noise"] is True
    assert table.session.view("table")[1]["seats"][1]["room"] == "006"
    assert "006" in other.inner_text(".chip[data-seat='2']")


def test_a_tap_counts_though_somebody_sits_down_while_the_finger_is_down(
    room: Callable[..., Room],
) -> None:
    table = room(players=[{"character": c} for c in THREE], truth={"dice": "physical"})
    screen = table.page("/table", size={"width": 1280, "height": 800})
    lobby = table.page("/")
    screen.wait_for_selector("body[data-link=live] #head .round")
    table.session.submit({"do": "noise_roll", "seat": 1, "by": "table"})
    face = screen.locator(".ask .face[data-value='danger']")
    face.scroll_into_view_if_needed()
    face.hover()
    screen.mouse.down()
    lobby.click(".chair[data-seat='2'] [data-claim]")
    lobby.wait_for_url("**/seat/2")
    time.sleep(1.2)  # who is connected is looked at once a second
    screen.mouse.up()
    screen.wait_for_selector(".ask", state="detached")


def test_a_long_press_stays_one_on_a_phone_that_is_late(room: Callable[..., Room]) -> None:
    table = room(players=THREE, digital=True)
    screen = table.page("/table", size={"width": 1280, "height": 800})
    screen.wait_for_selector("body[data-link=live] #head .round")
    screen.locator("#room-014 .floor").scroll_into_view_if_needed()
    screen.locator("#room-014 .floor").hover()
    screen.mouse.down()
    # Busy from before half a second until after the finger is up: no timer runs meanwhile.
    screen.evaluate(
        "() => void setTimeout(() => { const t = Date.now(); while (Date.now() - t < 1200); }, 200)"
    )
    time.sleep(0.8)
    screen.mouse.up()
    screen.wait_for_selector("#sheet[open] [data-do=reveal]")
    assert table.session.view("table")[1]["seats"][0]["room"] == "011", "a tap would move there"


def test_objectives_are_read_only_while_held_and_covered_when_let_go(
    room: Callable[..., Room],
) -> None:
    table = room(players=THREE)
    mine = table.session.view("seat:1")[1]["me"]["secrets"]["objectives"]
    title = table.session.content.objectives[mine[0]].names.get("en")
    phone = table.seat(1)
    assert title not in phone.content()
    grip = phone.locator(".grip")
    grip.scroll_into_view_if_needed()
    place = grip.bounding_box()
    phone.mouse.move(place["x"] + 10, place["y"] + 10)
    phone.mouse.down()
    phone.wait_for_selector("#secret.shown .objective")
    assert title in phone.inner_text("#secret .cover")
    phone.mouse.up()
    phone.wait_for_selector("#secret:not(.shown)", state="attached")
    assert title not in phone.content()
    phone.click(".second")  # the equal second way
    phone.wait_for_selector("#secret.shown .objective")
    phone.evaluate("dispatchEvent(new Event('blur'))")
    assert title not in phone.content()
    for away in ("dispatchEvent(new Event('pagehide'))", f"({HIDE})(true)"):
        phone.click(".second")
        phone.wait_for_selector("#secret.shown .objective")
        phone.evaluate(away)
        assert title not in phone.content(), away


def test_what_was_uncovered_and_left_alone_is_covered_after_eight_seconds(
    room: Callable[..., Room],
) -> None:
    table = room(players=THREE)
    words = secret_words(table.session, 1)
    phone = table.seat(1)
    phone.clock.install()
    phone.reload()
    phone.wait_for_selector("body[data-link=live] #head .round")
    for _ in range(2):  # and as long again when it is uncovered again
        phone.click(".second")
        phone.wait_for_selector("#secret.shown .objective")
        phone.clock.run_for(7_500)
        assert phone.locator("#secret.shown .objective").count() == 2
        phone.clock.run_for(1_000)
        assert phone.locator("#secret.shown").count() == 0
        assert phone.get_attribute(".second", "aria-expanded") == "false"
        assert not [w for w in words if w in phone.content()]


def test_a_television_that_mirrors_a_phone_shows_nothing_before_it_is_uncovered(
    room: Callable[..., Room],
) -> None:
    """The seat's own page as large as a wall, and the table's on a phone that holds the seat."""
    table = room(players=THREE)
    words = set.union(*(secret_words(table.session, seat) for seat in (1, 2, 3)))
    pictures = set()
    for seat in (1, 2):
        wall = table.seat(seat, size={"width": 1920, "height": 1080})
        assert wall.locator(".wide-screen").is_visible()
        assert not [w for w in words if w in wall.content()]
        box = wall.locator("#secret")
        box.evaluate(PINNED)
        pictures.add(box.screenshot(animations="disabled"))
    assert len(pictures) == 1
    phone = table.seat(3)
    assert phone.locator(".wide-screen").is_hidden()
    phone.click(".second")
    phone.wait_for_selector("#secret.shown .objective")
    phone.goto(f"{table.base}/table")  # left while it lay open
    phone.wait_for_selector("body[data-link=live] #head .round")
    assert phone.locator("#secret").count() == 0
    assert not [w for w in words if w in phone.content()]
    phone.go_back()
    phone.wait_for_selector("body[data-link=live] #head .round")
    assert not [w for w in words if w in phone.content()]


def test_covered_seats_look_the_same(room: Callable[..., Room]) -> None:
    table = room(players=THREE)
    pictures = set()
    for seat in (1, 2, 3):
        phone = table.seat(seat)
        box = phone.locator("#secret")
        # On whole pixels: what stands above may be a fraction of a pixel higher on another page.
        box.evaluate(PINNED)
        pictures.add(box.screenshot(animations="disabled"))
        phone.context.close()
    assert len(pictures) == 1


def test_the_objective_to_keep_is_chosen_by_place(room: Callable[..., Room]) -> None:
    table = room(players=THREE)
    phone = table.seat(1)
    screen = table.page("/table", size={"width": 1280, "height": 800})
    screen.wait_for_selector("body[data-link=live] #head .round")
    table.session.submit({"do": "place", "piece": "adult", "to": "006"})
    phone.wait_for_selector("#secret .secret-asks .ask")
    screen.wait_for_selector(".waiting")
    assert screen.locator(".ask").count() == 0
    wanted = table.session.view("seat:1")[1]["prompts"][0]["options"][1]["id"]
    second = phone.locator(".secret-asks [data-place='2']")
    second.click()
    assert table.session.view("seat:1")[1]["me"]["secrets"]["kept"] is None  # asks once more
    phone.locator(".secret-asks [data-place='2']").click()
    phone.wait_for_selector(".secret-asks .ask", state="detached")
    for seat in (2, 3):
        prompt = table.session.view(f"seat:{seat}")[1]["prompts"][0]
        value = prompt["options"][0]["id"]
        answer = {"do": "answer", "by": f"seat:{seat}", "prompt": prompt["id"], "value": value}
        assert table.session.submit(answer)["status"] == "done"
    screen.wait_for_selector(".waiting", state="detached")
    assert table.session.view("seat:1")[1]["me"]["secrets"]["kept"] == wanted


SMALL = {"width": 360, "height": 640}
BOX = """e => { const r = e.getBoundingClientRect();
    return [r.left, r.top, r.right, r.bottom].map(Math.round); }"""


@pytest.mark.parametrize("language", ["en", "it", "fr"])
def test_a_secret_choice_leads_every_seats_small_screen_alike(
    room: Callable[..., Room], language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(panel, "NOTICE", 0)  # the news of the other phones is not for these
    table = room(players=THREE)
    phones = [table.seat(seat, language=language, size=SMALL) for seat in (1, 2, 3)]
    for phone in phones:
        phone.evaluate("document.querySelector('main').scrollTop = 9999")
    table.session.submit({"do": "place", "piece": "adult", "to": "006"})
    pictures, boxes = set(), set()
    for phone in phones:
        phone.wait_for_selector("#secret .secret-asks .ask")
        bar = phone.locator("#actions").evaluate(BOX)
        for part in (
            "#secret .waiting",
            "[data-place='1']",
            "[data-place='2']",
            ".grip",
            ".second",
        ):
            left, top, right, bottom = phone.locator(part).evaluate(BOX)
            assert 0 <= left < right <= SMALL["width"], part
            assert 56 <= top < bottom <= bar[1], part  # below the header, above the buttons
        assert "3" in phone.inner_text("#secret .waiting")
        pictures.add(phone.locator("#secret").screenshot(animations="disabled"))
        boxes.add(tuple(phone.locator("#secret").evaluate(BOX)))
    assert len(pictures) == len(boxes) == 1
    prompt = table.session.view("seat:1")[1]["prompts"][0]
    value = prompt["options"][0]["id"]
    answer = {"do": "answer", "by": "seat:1", "prompt": prompt["id"], "value": value}
    assert table.session.submit(answer)["status"] == "done"
    phones[0].wait_for_selector(".secret-asks .ask", state="detached")
    assert tuple(phones[0].locator("#secret").evaluate(BOX)) in boxes  # stays where it was
    assert "2" in phones[0].inner_text("#secret .waiting")


def test_the_news_of_a_phone_covers_nothing_and_is_not_for_itself(
    room: Callable[..., Room],
) -> None:
    table = room(players=THREE)
    first = table.seat(1, size=SMALL)
    second = table.seat(2, size=SMALL)
    first.wait_for_selector("#news:not(:empty)")
    header, news, page = (first.locator(e).evaluate(BOX) for e in (".bar", "#news", "main"))
    assert header[3] <= news[1] < news[3] <= page[1]
    second.wait_for_selector(".chip[data-seat='3'] [aria-label='no phone']")
    assert second.inner_text("#news") == ""


def test_a_phone_in_the_lobby_is_awake(room: Callable[..., Room]) -> None:
    table = room()
    phone = table.page("/")
    phone.click(".chair[data-seat='1'] [data-claim]")
    phone.wait_for_url("**/?seat=1")
    other = table.page("/")
    for page in (phone, other):
        page.wait_for_selector(".chair[data-seat='1'][data-state=here]")
    phone.context.close()
    other.wait_for_selector(".chair[data-seat='1'][data-state=asleep]")


def test_a_dead_seats_phone_acts_for_nobody_unasked(room: Callable[..., Room]) -> None:
    table = room(players=THREE)
    table.session.submit({"do": "state", "seat": 3, "state": "dead"})
    phone = table.seat(3)
    phone.wait_for_selector("#actions .gone")
    assert "Soldier: dead" in phone.inner_text("#actions .gone")
    assert phone.locator("#actions .tools").count() == 0
    assert phone.locator("#actions [data-do=event_phase]").count() == 1  # the course goes on
    phone.locator("#room-006 .floor").tap()
    phone.wait_for_selector("#sheet[open]")  # looks at the room; nobody walks
    assert phone.locator("#sheet [data-do=move]").count() == 0
    assert {s["room"] for s in table.session.view("table")[1]["seats"][:2]} == {"011"}
    phone.click("#sheet header button")
    phone.click(".chip[data-seat='2'] .who")
    phone.wait_for_selector("#actions .tools .for")
    assert phone.inner_text("#actions .tools .for") == "Scout"
    phone.click("#actions [data-do=noise_roll]")
    phone.wait_for_selector(".ask h2:has-text('Scout')")


def test_what_was_told_earlier_is_folded_away(room: Callable[..., Room]) -> None:
    table = room(players=THREE)
    for number in range(2, 7):
        table.session.submit({"do": "place", "piece": "fire", "to": f"00{number}", "by": "device"})
    phone = table.seat(1, size=SMALL)
    phone.wait_for_selector("#todo .earlier")
    assert phone.locator("#todo > .bundle").count() == 2
    assert phone.locator("#todo .earlier .bundle").count() == 3
    phone.click("#todo summary")
    phone.locator("#todo .earlier .bundle .done").first.click()
    phone.wait_for_selector("#todo summary:has-text('2')")
    assert phone.locator("#todo .earlier[open]").count() == 1  # stays unfolded
    phone.click("#todo > .whole")
    phone.wait_for_selector("#todo .bundle", state="detached")
    assert table.session.view("table")[1]["instructions"] == []


def test_another_phone_takes_the_seat_and_the_old_one_says_so(room: Callable[..., Room]) -> None:
    table = room(players=THREE)
    old = table.seat(1)
    host = table.seat(2)
    host.click("[data-do=more]")
    host.click("#sheet [data-do=host]")  # a drawer: the page below keeps its place
    host.fill("#sheet #digits", "271828")
    host.click("#sheet #key button")
    host.wait_for_selector("#sheet #tracking label")
    host.wait_for_selector("#seat-1 .state:has-text('connected')")
    host.click("[data-renew='1']")
    old.click("[data-give=true]")  # a phone that is awake is asked first
    host.wait_for_selector("#seat-1 .qr-card svg")
    host.click("#sheet > header button")
    assert host.url.endswith("/seat/2")
    assert host.locator("body[data-link=live] #board svg").is_visible()
    token = table.server._panel.keys.claim_token(1)
    new = table.page(f"/join#{token}")
    assert token not in new.url  # out of the address before anything else
    new.click("#sit")
    new.wait_for_url("**/seat/1")
    old.wait_for_selector("#ended[open]")
    assert old.evaluate("document.body.dataset.link") == "moved"
    assert "another phone" in old.inner_text("#ended h2")


def test_a_setting_that_was_refused_shows_again_what_stands(room: Callable[..., Room]) -> None:
    table = room(players=THREE, truth={"dice": "physical"})
    host = table.seat(2)
    host.click("[data-do=more]")
    host.click("#sheet [data-do=host]")
    host.fill("#sheet #digits", "271828")
    host.click("#sheet #key button")
    host.wait_for_selector("#sheet #truth select")
    table.session.submit({"do": "noise_roll", "seat": 1, "by": "table"})
    dice = host.locator("#truth select").first
    assert dice.input_value() == "physical"
    dice.select_option("digital")
    host.wait_for_selector("#notice:not([hidden])")
    assert table.session.view("table")[1]["truth"]["dice"] == "physical"
    host.wait_for_function("() => document.querySelector('#truth select').value === 'physical'")


def test_a_phone_that_slept_while_its_seat_moved_learns_it_and_comes_back_by_the_pin(
    room: Callable[..., Room],
) -> None:
    table = room(players=THREE)
    old = table.seat(1, language="it")
    pin = re.findall(r"\b\d{4}\b", old.inner_text("#pin"))
    assert len(pin) == 1
    assert "#" not in old.url
    old.evaluate(HIDE, True)
    new = table.page("/")
    new.click(".chair[data-seat='1'] [data-back]")
    new.fill("#code input", pin[0])
    new.click("#code .main")
    new.wait_for_url("**/seat/1")
    new.wait_for_selector("body[data-link=live] #head .round")
    old.evaluate(HIDE, False)  # its key is void: the stream is refused, not cut
    old.wait_for_selector("#ended[open]")
    assert "altro telefono" in old.inner_text("#ended h2")
    old.click("#again")
    old.fill("#back input", pin[0])
    old.click("#back .main")
    old.wait_for_selector("body[data-link=live] #head .round")
    new.wait_for_selector("#ended[open]")


def test_a_phone_that_slept_an_hour_asks_anew_within_a_second_of_waking(
    room: Callable[..., Room],
) -> None:
    """Frozen without a word: no event tells the page, and its stream looks open for ever."""
    table = room(players=THREE)
    phone = table.page("/rules")
    phone.clock.install()
    phone.goto(f"{table.base}/table")
    phone.wait_for_selector("body[data-link=live] #head .round")
    with phone.expect_request("**/stream/table?**", timeout=5000):
        phone.clock.fast_forward(3_600_000)
    phone.wait_for_selector("body[data-link=live]")
    table.session.submit({"do": "slime", "seat": 2, "on": True})
    phone.wait_for_selector(".chip[data-seat='2'] .sign [href='#i-slime']", state="attached")


def test_a_page_older_than_the_program_loads_itself_again(room: Callable[..., Room]) -> None:
    table = room(players=THREE)
    phone = table.page("/seat/1")
    old = phone.content()
    assert 'data-mark="' in old
    stale = re.sub('data-mark="[^"]*"', 'data-mark="of last year"', table.page("/table").content())
    phone.route("**/table", lambda way: way.fulfill(body=stale, content_type="text/html"), times=1)
    phone.goto(f"{table.base}/table")
    phone.wait_for_selector("body[data-link=older]")
    assert "updated" in phone.inner_text("#link")
    phone.wait_for_selector("body[data-link=live]")


def test_pages_come_back_by_themselves_after_a_restart(room: Callable[..., Room]) -> None:
    table = room(players=THREE)
    phones = [table.seat(seat) for seat in (1, 2)]
    table.restart()
    table.session.submit({"do": "slime", "seat": 2, "on": True})
    for phone in phones:
        phone.wait_for_selector("body[data-link=live]")
        phone.wait_for_selector(".chip[data-seat='2'] .sign [href='#i-slime']", state="attached")
    phones[0].click("[data-do=undo]")
    phones[1].wait_for_selector(".chip[data-seat='2'] .sign [href='#i-slime']", state="detached")


def test_a_sleeping_page_closes_its_stream_and_is_right_when_it_wakes(
    room: Callable[..., Room],
) -> None:
    table = room(players=THREE)
    phone = table.seat(1)
    hide = """on => { Object.defineProperty(document, 'hidden', {value: on, configurable: true});
        document.dispatchEvent(new Event('visibilitychange')); }"""
    phone.evaluate(hide, True)
    assert table.server._panel.streams.wait_empty(4)
    table.session.submit({"do": "slime", "seat": 1, "on": True})
    phone.evaluate(hide, False)
    phone.wait_for_selector(
        ".chip[data-seat='1'] .sign [href='#i-slime']", state="attached", timeout=2000
    )


TOO_LATE = """async () => {
  const script = [...document.scripts].map((s) => s.src).find((s) => s.includes("/static/"));
  const { command } = await import(new URL("send.js", script).href);
  await command({ do: "answer", value: true });
}"""


def test_a_refusal_offers_that_it_happened_anyway(room: Callable[..., Room]) -> None:
    table = room(players=THREE)
    table.session.submit({"do": "door", "corridor": "006-011", "state": "closed"})
    phone = table.seat(1)
    phone.wait_for_selector("#corridor-006-011.closed", state="attached")
    assert "reach" not in phone.locator("#room-006").get_attribute("class")
    phone.locator("#room-006 .floor").tap()
    phone.wait_for_selector("#notice:not([hidden]) p")
    phone.evaluate(TOO_LATE)  # the second tap of two: the first one's refusal stays to be read
    phone.get_by_role("button", name="It happened anyway").click()
    phone.wait_for_selector("#notice", state="hidden")
    for _ in range(40):
        if table.session.view("table")[1]["seats"][0]["room"] == "006":
            break
        time.sleep(0.05)
    assert table.session.view("table")[1]["log"][-1]["undone"] is False
    assert any(e["type"] == "happened_anyway" for e in table.session.view("table")[1]["log"])


MEASURE = """() => {
  const wide = document.documentElement.scrollWidth > screen.width + 1;
  const small = [...document.querySelectorAll('button, select, a.big, summary')].filter((e) => {
    const r = e.getBoundingClientRect();
    if (!r.width || e.closest('.log')) return false;
    return r.height < 44 || r.width < 44;
  }).map((e) => e.outerHTML.slice(0, 80));
  return {wide, small};
}"""


@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
def test_pages_fit_and_fingers_find_their_buttons(
    room: Callable[..., Room], size: tuple[int, int]
) -> None:
    table = room(players=[*THREE, "medic", "pilot"], truth={"dice": "physical"})
    table.session.submit({"do": "noise_roll", "seat": 1})
    frame = {"width": size[0], "height": size[1]}
    for language in ("en", "it", "fr"):
        for path in ("/", "/table", "/host"):
            page = table.page(path, language=language, size=frame)
            if path == "/table":
                page.wait_for_selector(".ask.roll")
                tops = page.locator(".ask.roll .face").evaluate_all(
                    "all => all.map((e) => e.getBoundingClientRect().top)"
                )
                rows = [6] if size[0] < 900 else [3, 3]  # a phone's map stays in view
                assert sorted(tops.count(top) for top in set(tops)) == rows, language
            found = page.evaluate(MEASURE)
            assert not found["wide"], (language, path)
            assert found["small"] == [], (language, path)
            page.context.close()
