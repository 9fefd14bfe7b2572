"""``companion bench taps``: an evening of five through the real pages, every tap counted.

The players see the pages and nothing else: what they do follows from what a page shows, as it
would with people. Dice, tiles and exploration tokens lie on the table, as they usually do. There is
no camera first, and then there is one.
"""

from __future__ import annotations

import random
import shutil
import statistics
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from companion.app import App
from companion.config import Config
from companion.game import Fault
from companion.locale import Words
from companion.table.folder import DataFolder
from vision.settings import VisionSettings
from web.settings import WebSettings

#: At most so many taps each time: what decides whether a table uses it a second evening.
BUDGETS = {
    "move": 2,
    "camera_move": 1,
    "exploration": 3,
    "shot": 2,
    "encounter": 3,
    "event_phase": 10,
    "roll": 1,
}
PLAYERS = 5
ROUNDS = 6
EVENINGS = 4  # at most: an evening may end before a late Event Phase
LATE = 4  # from this round on at least five Intruders stand about
CROWD = 5
TRIES = 3  # each, to bring a figure back to a known and empty room
PHONE = {"width": 390, "height": 844}
SCREEN = {"width": 1280, "height": 800}
HOST = "127.0.0.1"
PATIENCE_S = 30.0
STILL_MS = 200  # a page that has not changed for so long shows what came of a tap
NOTHING_MS = 4000  # a tap that has changed nothing by then changes nothing

# When the page last showed anything new. That a command is under way, or was taken, is not news.
WATCH = """
window.changed = 0;
new MutationObserver((all) => {
  const quiet = (one) => one.target === document.body || one.target.closest?.("#notice")
    || (one.target.id === "sheet" && one.type === "attributes");
  if (!all.every(quiet)) window.changed = performance.now();
}).observe(document, {childList: true, subtree: true, attributes: true, characterData: true});
"""
NOW = "() => performance.now()"
STILL = f"""(since) => document.body && document.body.dataset.link === "live"
  && !document.body.classList.contains("sending")
  && performance.now() - window.changed > {STILL_MS}
  && (window.changed > since || performance.now() - since > {NOTHING_MS})"""
# The rooms that a tap leads to, as they are drawn.
REACH = """() => [...document.querySelectorAll(".room.reach")].map((room) => {
  const { id, x, y, r } = room.dataset;
  const stands = (figure) => {
    const [a, b] = figure.getAttribute("transform").match(/-?[\\d.]+/g).map(Number);
    return Math.hypot(a - x, b - y) < 1.4 * r;
  };
  return { id, known: room.classList.contains("explored"),
    empty: ![...room.querySelectorAll(".intruder")].length
      && ![...document.querySelectorAll(".figure")].some(stands) };
})"""
# What the newest lines of the log tell of Intruders.
ALIEN = """() => [...document.querySelectorAll("#log li.alien")].map((line) => line.textContent)"""
# Whether a figure of the simulated table lies in a room.
LIES = """([piece, room]) => {
  const middle = (part) => {
    const { x, y, width, height } = part.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  };
  const held = document.querySelector(`.piece[data-piece="${piece}"] circle`);
  const floor = document.querySelector(`#room-${room} .floor`);
  if (!held) return false;
  const [[a, b], [x, y]] = [middle(held), middle(floor)];
  return Math.hypot(a - x, b - y) < floor.getBoundingClientRect().width / 2;
}"""


def run(say: Words) -> Iterator[tuple[bool, str]]:
    """Play both evenings; pairs of whether a path stayed within its budget, and its sentence.

    Raises Fault when there is no browser to play with.
    """
    counted: dict[str, list[int]] = {path: [] for path in BUDGETS}
    whole: list[int] = []
    for seed in range(1, EVENINGS + 1):
        with evening("off", seed=seed) as table:
            table.play(ROUNDS)
            for path in BUDGETS:
                counted[path] += table.taps[path]
            whole += table.whole
        if all(counted[path] for path in BUDGETS if path != "camera_move"):
            break
    with evening("simulated") as table:
        table.moves_by_hand()
        counted["camera_move"] = table.taps["camera_move"]
    for path, most in BUDGETS.items():
        found = counted[path]
        text = {"path": say.say(f"bench.taps.{path}"), "most": str(most)}
        if not found:
            yield False, say.say("bench.taps.never", text)
            continue
        yield max(found) <= most, say.say("bench.taps.path", {**text, **_figures(found)})
    if whole:
        yield True, say.say("bench.taps.whole", _figures(whole))


def _figures(counts: list[int]) -> dict[str, str]:
    median = f"{statistics.median(counts):g}"
    return {"worst": str(max(counts)), "median": median, "n": str(len(counts))}


@contextmanager
def evening(camera: str, *, seed: int = 1, players: int = PLAYERS) -> Iterator[Evening]:
    """A running table, a phone for each player, the game set up and everybody sat down.

    ``camera`` is ``off`` or ``simulated``. Raises Fault without Playwright or Chromium.
    """
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise _missing("Playwright", "pip install playwright") from None
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        raise _missing("Chromium", "sudo apt install chromium")
    config = Config(
        web=WebSettings(host=HOST, port=0), camera=VisionSettings(source=camera, quiet_s=0)
    )
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as started:
        app = App(config, DataFolder(Path(folder)), simulate=False)
        app.start()
        try:
            assert app.server
            browser = started.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            table = Evening(browser, f"http://{HOST}:{app.server.port}", seed)
            table.begin(players)
            yield table
            browser.close()
        finally:
            app.stop()


def _missing(what: str, install: str) -> Fault:
    params = {"what": what, "install": install}
    return Fault("bench", "bench.no_browser", params, temporary=False)


class Evening:
    """The people round the table, who read pages and tap.

    ``taps`` holds, by path, how many taps each time took; ``whole`` those of every late Event
    Phase with all that happened in it.
    """

    def __init__(self, browser: Any, base: str, seed: int) -> None:
        self.taps: defaultdict[str, list[int]] = defaultdict(list)
        self.whole: list[int] = []
        self.phones: dict[int, Any] = {}
        self._chance = random.Random(seed)
        self._browser = browser
        self._base = base
        self._count = 0
        self._all = 0

    # Pages ---------------------------------------------------------------------------------------

    def open(self, path: str, size: dict[str, int]) -> Any:
        """A page in a browser of its own."""
        context = self._browser.new_context(
            viewport=size, locale="en", has_touch=True, is_mobile=size is PHONE
        )
        context.add_cookies([{"name": "companion_theatre", "value": "off", "url": self._base}])
        context.add_init_script(WATCH)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_S * 1000)
        page.goto(self._base + path)
        return page

    def begin(self, players: int) -> None:
        """The usual game is chosen on the screen; everybody takes a seat with a phone."""
        self.screen = self.open("/", SCREEN)
        choices = {"count": str(players), "species": "intruders", "dice": "physical"}
        for name, value in choices.items():
            self.screen.click(f"#setup label:has([name='{name}'][value='{value}'])")
        self.screen.click("#setup button.main")
        self.screen.wait_for_selector("body[data-link=live] #head .round")
        for seat in range(1, players + 1):
            phone = self.phones[seat] = self.open("/", PHONE)
            phone.click(f".chair[data-seat='{seat}'] [data-claim]")
            phone.wait_for_selector(f"body[data-link=live] .chip.acting[data-seat='{seat}']")
            self.still(phone)
        self.still(self.screen)
        self.screen.click("#setup-list [data-keep='close']")
        self.still(self.screen)

    def still(self, page: Any, since: float = 0.0) -> None:
        """Wait until a page shows everything that came of the tap at ``since``."""
        page.wait_for_function(STILL, arg=since)

    def tap(self, page: Any, selector: str, text: str = "") -> None:
        """One tap, counted, and what came of it."""
        found = page.locator(selector, **({"has_text": text} if text else {})).first
        since = page.evaluate(NOW)
        found.tap()
        self._count += 1
        self._all += 1
        self.still(page, since)

    @contextmanager
    def path(self, name: str) -> Iterator[None]:
        """Count the taps inside under a name, and not under that of a path around it."""
        outside, self._count = self._count, 0
        try:
            yield
            self.taps[name].append(self._count)
        finally:
            self._count = outside

    # The evening ---------------------------------------------------------------------------------

    def play(self, rounds: int) -> None:
        """So many rounds, or until the game ends."""
        for number in range(1, rounds + 1):
            for seat in self.phones:
                for _ in range(2):
                    self.turn(seat)
            if self.over():
                return
            if number >= LATE:
                self.crowd()
            if not self.event_phase(late=number >= LATE):
                return

    def over(self) -> bool:
        """Whether the table's screen says that the game has ended: everybody may be dead by now."""
        self.still(self.screen)
        return bool(self.screen.locator("body[data-phase='over']").count())

    def turn(self, seat: int) -> None:
        """One action on the own phone: shoot what stands there, else go somewhere."""
        phone = self.phones[seat]
        self.still(phone)
        if not phone.locator(f".chip.aboard.acting[data-seat='{seat}']").count():
            return
        if phone.locator("#actions button.shoot").count():
            self.shoot(phone)
            return
        rooms = phone.evaluate(REACH)
        known = [r for r in rooms if r["known"] and r["empty"]]
        unknown = [r for r in rooms if not r["known"]]
        if unknown and (not known or self._chance.random() < 0.5):
            self.explore(phone, self._chance.choice(unknown)["id"])
        elif rooms:
            self.move(phone, self._chance.choice(known or rooms)["id"])

    def shoot(self, phone: Any) -> None:
        """At what the first button says, and the die. A noise roll for an Egg is the next path."""
        before = phone.evaluate(ALIEN)
        with self.path("shot"):
            self.tap(phone, "#actions button.shoot")
            if self.asked(phone)[:1] == ["roll"]:
                self.reply(phone, "roll")
        self.follow(phone, before)

    def move(self, phone: Any, room: str) -> None:
        """To a room and, with nobody there, the die."""
        before = phone.evaluate(ALIEN)
        with self.path("move"):
            self.tap(phone, f"#room-{room} .floor")
            self.answer(phone, "roll")
        self.follow(phone, before)

    def explore(self, phone: Any, room: str) -> None:
        """Room, tile and token. The die that follows is the second tap of every move."""
        before = phone.evaluate(ALIEN)
        with self.path("exploration"):
            self.tap(phone, f"#room-{room} .floor")
            self.answer(phone, "card")
        self.follow(phone, before)

    def follow(self, phone: Any, before: list[str]) -> None:
        """What comes next: the die, an Encounter's questions, once the choice of objectives."""
        self.answer(phone, "roll")
        self.keep_objectives()
        if self.asked(phone) or phone.evaluate(ALIEN) != before:
            with self.path("encounter"):
                self.answer(phone)
        self.keep_objectives()
        self.answer(phone)

    # Questions -----------------------------------------------------------------------------------

    def asked(self, page: Any) -> list[str]:
        """The kinds of the open questions."""
        read = "all => all.map((one) => one.classList[1])"
        return list(page.locator("#asks .ask[data-prompt]").evaluate_all(read))

    def answer(self, page: Any, *kinds: str) -> None:
        """Answer every open question, or those of these kinds until another kind comes."""
        self.still(page)
        for _ in range(40):
            asked = self.asked(page)
            if not asked or (kinds and asked[0] not in kinds):
                return
            self.reply(page, asked[0])
        raise AssertionError("questions without end")

    def reply(self, page: Any, kind: str) -> None:
        """Answer the first question as somebody might: No, as shown, one of the options."""
        box = "#asks .ask[data-prompt] >> nth=0"
        if kind == "yes_no":
            self.tap(page, f"{box} >> [data-value='false']")
            return
        if kind == "confirm" or page.locator(f"{box} >> .pieces").count():
            self.tap(page, f"{box} >> button.main")
            return
        send = page.locator(f"{box} >> [data-keep='send']")
        if not send.count():
            options = page.locator(f"{box} >> :is(.option, .person, .face)")
            if not options.first.is_visible():
                self.tap(page, f"{box} >> summary")
            n = self._chance.randrange(options.count())
            self.tap(page, f"{box} >> :is(.option, .person, .face) >> nth={n}")
        elif kind != "card" or "picked" in (page.locator(box).inner_html()):
            self.tap(page, f"{box} >> [data-keep='send']")  # as it is, or nobody
        else:
            self.tap(page, f"{box} >> .option >> nth=0")
            self.tap(page, f"{box} >> [data-keep='send']")

    def keep_objectives(self) -> None:
        """Whoever is asked keeps the first objective, on the own phone."""
        for phone in self.phones.values():
            self.still(phone)
            if phone.locator("#secret .ask").count():
                with self.path("objective"):
                    self.tap(phone, "#secret [data-place='1']")
                    self.tap(phone, "#secret [data-place='1']")

    # The Event Phase -----------------------------------------------------------------------------

    def crowd(self) -> None:
        """At least five Intruders stand about, as they do late; somebody says so on the screen.

        In Rooms where a tap opens the sheet: it moves who acts there where it can.
        """
        page = self.screen
        for _ in range(2 * CROWD):
            if page.locator(".room .intruder").count() >= CROWD:
                return
            read = "all => all.map((one) => one.dataset.id)"
            rooms = page.locator(".room.explored:not(.reach)").evaluate_all(read)
            self.tap(page, f"#room-{self._chance.choice(rooms)} .floor")
            if self._chance.random() < 0.5:
                self.tap(page, "#sheet [data-do='place']", "+ Adult")
            else:
                self.tap(page, "#sheet [data-do='place']", "+ Creeper")
            self.keep_objectives()

    def event_phase(self, *, late: bool) -> bool:
        """From its button to the next round, what had to be moved told as done; False at the end.

        A noise roll, and an Encounter that it causes, are paths of their own.
        """
        page = self.screen
        self.still(page)
        begun = self._all
        with self.path("event_phase" if late else "early"):
            self.tap(page, "#actions [data-do='event_phase']")
            self.answer_step(page)
            while page.locator("#actions [data-do='next']").count():
                self.tap(page, "#actions [data-do='next']")
                self.answer_step(page)
            over = self.over()
            if not over and page.locator("#todo .done").count():
                self.tap(page, "#todo .done")
        if late and not over:
            self.whole.append(self._all - begun)
        return bool(page.locator("#actions [data-do='event_phase']").count())

    def answer_step(self, page: Any) -> None:
        """The questions of one step."""
        rolled = False
        while True:
            self.keep_objectives()
            asked = self.asked(page)
            if not asked:
                return
            if asked[0] == "roll":
                rolled = True
                with self.path("roll"):
                    self.reply(page, "roll")
            elif rolled:
                with self.path("encounter"):
                    while self.asked(page)[:1] not in ([], ["roll"]):
                        self.reply(page, self.asked(page)[0])
            else:
                self.reply(page, asked[0])

    # With a camera -------------------------------------------------------------------------------

    def moves_by_hand(self, enough: int = PLAYERS) -> None:
        """Figures are put down on the table that the camera sees, and a phone is tapped.

        Each explores two rooms first, so that there is a known and empty one to go back to. Whoever
        meets an Intruder on the way stays, and the next one tries, until ``enough`` have moved.
        """
        sim = self.open("/sim", SCREEN)
        for seat, phone in TRIES * list(self.phones.items()):
            if len(self.taps["camera_move"]) >= enough:
                return
            way = []
            for _ in range(2):
                unknown = [r["id"] for r in phone.evaluate(REACH) if not r["known"]]
                if not unknown or phone.locator("#actions button.shoot").count():
                    break
                way.append(self._chance.choice(unknown))
                self.explore(phone, way[-1])
            if len(way) < 2 or phone.locator("#actions button.shoot").count():
                continue
            back = [r for r in phone.evaluate(REACH) if r["id"] == way[0] and r["empty"]]
            if back:
                self.put_down(sim, seat, way[1], way[0])

    def put_down(self, sim: Any, seat: int, at: str, room: str) -> None:
        """A hand carries a figure; the phone asks for the die at once."""
        phone = self.phones[seat]
        piece = phone.inner_text(f".chip[data-seat='{seat}'] .names b").lower()
        sim.wait_for_function(LIES, arg=[piece, at])
        drag(sim, piece, room)
        before = phone.evaluate(ALIEN)
        phone.wait_for_selector("#seen .face")
        with self.path("camera_move"):
            self.tap(phone, "#seen .face")
            phone.wait_for_selector(f"#room-{room}.here")
            self.answer(phone, "roll")
        self.follow(phone, before)


def drag(sim: Any, piece: str, room: str) -> None:
    """Drag a piece of the simulated table into a room with the mouse; ``sim`` is its page."""
    sim.locator("#board").scroll_into_view_if_needed()
    start = sim.locator(f".piece[data-piece='{piece}'] circle").bounding_box()
    end = sim.locator(f"#room-{room} .floor").bounding_box()
    sim.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    sim.mouse.down()
    sim.mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=6)
    sim.mouse.up()
