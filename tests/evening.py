"""An evening with everything simulated, played through real pages, for its test."""

from __future__ import annotations

import json
import re
import shutil
import socket
import threading
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

from companion.app import App
from companion.library.model import Content
from tests.running import until as _until

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
PATIENCE_S = 90.0  # for a machine with much else to do; nothing waits longer than it must
EVERYBODYS = "/api/rules/all"  # the same in every game: tests/web/test_secrets.py
PHONE = {"width": 390, "height": 844}
SCREEN = {"width": 1280, "height": 800}

until = partial(_until, patience_s=PATIENCE_S)


def free_port() -> int:
    """A port of the loopback that nobody listens on: a QR code has to name it."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Wire:
    """Every byte that leaves the server, streams and headers included, by browser and path."""

    def __init__(self) -> None:
        self._answers: list[tuple[str, str, bytearray]] = []
        self._lock = threading.Lock()

    def tap(self, app: Any) -> Any:
        """Listen in on a Flask application; returns it."""
        inner = app.wsgi_app

        def listened(environ: Any, start_response: Any) -> Iterator[bytes]:
            heard = bytearray()
            environ.pop("HTTP_ACCEPT_ENCODING", None)  # packed bytes hide what they say
            with self._lock:
                browser = environ.get("HTTP_USER_AGENT", "")
                self._answers.append((browser, environ["PATH_INFO"], heard))

            def start(status: str, headers: list[tuple[str, str]], *error: Any) -> Any:
                heard.extend(repr((status, headers)).encode())
                return start_response(status, headers, *error)

            chunks: Iterable[bytes] = inner(environ, start)
            try:
                for chunk in chunks:
                    heard.extend(chunk)
                    yield chunk
            finally:
                getattr(chunks, "close", lambda: None)()

        app.wsgi_app = listened
        return app

    def browsers(self) -> set[str]:
        """Everybody who was sent anything."""
        with self._lock:
            return {browser for browser, _, _ in self._answers}

    def found(self, browser: str, words: Iterable[str], path: str = "") -> set[str]:
        """Those of the words that went to a browser: plain, in JSON, or escaped in a page."""
        with self._lock:
            heard = [
                bytes(h)
                for b, p, h in self._answers
                if b == browser and path in ("", p) and p != EVERYBODYS
            ]
        sent = [_unpacked(answer) for answer in heard]
        return {w for w in words if any(form in s for form in _written(w) for s in sent)}


def _unpacked(answer: bytes) -> bytes:
    """An answer as its browser reads it, unpacked; a stream that still runs too."""
    head, packed, body = answer.partition(b"\x1f\x8b\x08")
    if not packed or b"gzip" not in head:
        return answer
    return head + zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(packed + body)


def _written(word: str) -> set[bytes]:
    plain = (word, escape(word), json.dumps(word)[1:-1], json.dumps(word, ensure_ascii=False)[1:-1])
    return {form.encode() for form in plain}


# Keeps every instruction that a page ever showed: they close faster than a test looks.
WATCH = """
window.told = {};
new MutationObserver(() => {
  for (const line of document.querySelectorAll("[data-instruction]")) {
    window.told[line.dataset.instruction] = line.innerText;
  }
}).observe(document, {childList: true, subtree: true});
"""
# The colour that every room's ring has in the picture of the lights as it is painted.
GLOW = """(drawn) => Object.fromEntries([...drawn.querySelectorAll("[data-room]")]
  .map((ring) => [ring.dataset.room, getComputedStyle(ring).stroke]))"""
# The room of a drawing nearest to a piece on it; null when the piece is not there.
NEAREST = """piece => {
  const middle = (part) => {
    const { x, y, width, height } = part.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  };
  const held = document.querySelector(`.piece[data-piece="${piece}"] circle`);
  if (!held) return null;
  const [x, y] = middle(held);
  const far = (room) => {
    const [a, b] = middle(room.querySelector(".floor"));
    return Math.hypot(a - x, b - y);
  };
  return [...document.querySelectorAll(".room")].sort((a, b) => far(a) - far(b))[0].dataset.id;
}"""


class Evening:
    """The running program and the browsers round it. ``looks`` takes the screenshots."""

    def __init__(self, app: App, wire: Wire, browser: Any, looks: Path) -> None:
        assert app.session
        assert app.server
        self.session = app.session
        self.content: Content = app.session.content
        self.host_code = app.host_code
        self.base = f"http://127.0.0.1:{app.server.port}"
        self.wire = wire
        self.phones: dict[int, Any] = {}
        self.steps: set[str] = set()
        self.done: list[str] = []  # what the browsers asked for, in order
        self.complaints: list[str] = []
        self._browser = browser
        self._looks = looks
        self._dealt: defaultdict[int, set[str]] = defaultdict(set)

    def open(self, path: str, name: str, language: str, size: dict[str, int] = SCREEN) -> Any:
        """A page in a browser of its own that calls itself ``name``."""
        touch = size is PHONE
        context = self._browser.new_context(
            viewport=size, locale=language, has_touch=touch, is_mobile=touch, user_agent=name
        )
        context.add_init_script(WATCH)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_S * 1000)
        page.on("pageerror", lambda error: self.complaints.append(f"{name}: {error}"))
        page.on("request", self._asked)
        page.goto(path if "://" in path else self.base + path)
        return page

    def _asked(self, request: Any) -> None:
        if request.url.endswith("/api/command"):
            self.done.append(json.loads(request.post_data)["do"])

    def look(self, page: Any, name: str) -> None:
        """Keep what a page looks like, for people."""
        self._looks.mkdir(exist_ok=True)
        page.screenshot(path=str(self._looks / f"{name}.png"))

    # What is true, and what is shown -------------------------------------------------------------

    @property
    def view(self) -> Any:
        """What everybody may know now."""
        return self.session.view("table")[1]

    def room_of(self, piece: str) -> str | None:
        """Where the game holds an intruder."""
        for room, held in self.view["rooms"].items():
            if any(i["id"] == piece for i in held["intruders"]):
                return str(room)
        return None

    def dealt(self, seat: int) -> set[str]:
        """Every objective that a seat has held so far."""
        secrets = self.session.view(f"seat:{seat}")[1]["me"]["secrets"]
        self._dealt[seat] |= set(secrets["objectives"])
        return self._dealt[seat]

    def words(self, objectives: Iterable[str]) -> set[str]:
        """Ids of objectives and their names in every language."""
        known = self.content.objectives
        return {w for o in objectives for w in (o, *known[o].names.by_language.values())}

    def told(self, screen: Any, kind: str) -> list[tuple[str, str]]:
        """Every way that the screen told a kind of intruder to go, by its name there: from, to."""
        name = self.name(screen, kind)
        lines = screen.evaluate("() => Object.values(window.told)")
        found = [re.fullmatch(rf"{name}\s.*?([^·]*) → (\d{{3}})\b.*", x, re.DOTALL) for x in lines]
        return [(ways[1].strip(), ways[2]) for ways in found if ways]

    def name(self, page: Any, kind: str) -> str:
        """What a kind of intruder is called in the language of a page."""
        creature = self.content.species[self.view["game"]["species"]].creatures[kind]
        return creature.names.get(page.evaluate("() => document.documentElement.lang"))

    def glow(self, screen: Any) -> dict[str, str]:
        """The colour of every room's light as the screen shows it, to who looks there."""
        screen.locator("#lights").scroll_into_view_if_needed()  # out of sight it stands still
        return dict(screen.locator("#lights .lit svg").evaluate(GLOW))

    # What people do ------------------------------------------------------------------------------

    def join(self, seat: int, lobby: Any, language: str) -> None:
        """A phone scans a seat's code off the lobby's screen and sits down."""
        lobby.click(f".chair[data-seat='{seat}'] .show")
        lobby.wait_for_selector("#code[open] svg")
        self.look(lobby, f"code-{seat}")
        link = until(lambda: read_code(lobby.locator("#code svg").screenshot()))
        lobby.click("#code button")
        lobby.wait_for_selector("#code:not([open])", state="attached")
        assert link.startswith(f"{self.base}/join#"), link
        phone = self.phones[seat] = self.open(link, f"phone {seat}", language, PHONE)
        phone.click("#sit")
        phone.wait_for_selector(f".chair.mine[data-seat='{seat}']")
        lobby.wait_for_selector(f".chair[data-seat='{seat}']:not(:has([data-claim]))")
        lobby.wait_for_selector("body[data-link=live]")

    def choose(self, lobby: Any, name: str, value: str = "") -> str:
        """One of the five choices by a click, never what stood there; returns what was chosen.

        Only where a single value is offered is that one clicked.
        """
        radios = lobby.locator(f"#setup [name='{name}']")
        offered: list[str] = radios.evaluate_all("all => all.map((one) => one.value)")
        before = lobby.locator(f"#setup [name='{name}']:checked").input_value()
        other = [v for v in offered if v != before] or offered
        chosen = value or other[-1]
        assert chosen in other, (chosen, other)
        lobby.click(f"#setup label:has([name='{name}'][value='{chosen}'])")
        return chosen

    def press(self, page: Any, do: str) -> None:
        """Press one of the buttons below and wait until what it did is on disk."""
        with page.expect_response("**/api/command") as reply:
            page.click(f"#actions [data-do='{do}']")
        assert reply.value.ok, (do, reply.value.text())

    def place(self, page: Any, kind: str, room: str) -> str:
        """Say on a room's sheet that an intruder stands there; returns its id."""
        name = (
            self.content.species["intruders"]
            .creatures[kind]
            .names.get(page.evaluate("() => document.documentElement.lang"))
        )
        page.click(f"#room-{room} .floor")
        page.click(f"#sheet[open] [data-do='place']:has-text('+ {name}')")
        held = until(lambda: self.view["rooms"][room]["intruders"])
        return str(held[0]["id"])

    def keep_objectives(self) -> None:
        """Every phone that is asked keeps its first objective; it is asked once more."""
        for seat, phone in self.phones.items():
            if self.waits(seat):
                first = phone.locator("#secret [data-place='1']")
                first.click()
                phone.wait_for_selector("#secret .likely")
                first.click()
                phone.wait_for_selector("#secret .ask", state="detached")

    def waits(self, seat: int) -> bool:
        """Whether a seat is asked something in secret."""
        return any(p["secret"] for p in self.session.view(f"seat:{seat}")[1]["prompts"])

    def answer(self, page: Any) -> None:
        """Answer every open question on a page with what is likeliest, secrets on their phones."""
        for _ in range(60):
            self.keep_objectives()
            asked = self.view["prompts"]
            if not asked:
                page.wait_for_selector("#asks .ask", state="detached")
                return
            self.reply(page, asked[0])
        raise AssertionError("questions without end")

    def reply(self, page: Any, prompt: Any, value: str = "") -> None:
        """Answer one question by a tap: ``value``, or whatever comes first."""
        box = page.locator(f".ask[data-prompt='{prompt['id']}']")
        box.wait_for()
        shown = prompt["kind"] == "faces" and prompt["multiple"] and prompt["prefill"] is not None
        if value or prompt["kind"] == "yes_no":
            last = box.locator(f"[data-value='{value or 'false'}']")
        elif prompt["kind"] == "confirm" or prompt["pieces"] or shown:
            last = box.locator("button.main")
        else:
            if box.locator("summary").count():
                box.locator("summary").first.click()
            last = box.locator(".option, .person, .face").first
            if prompt["multiple"] and prompt["kind"] != "faces":
                last.click()
                last = box.locator("button.main")
        with page.expect_response("**/api/command") as reply:
            last.click()
        assert reply.value.ok, (prompt, reply.value.text())
        box.wait_for(state="detached")

    def event_phase(self, screen: Any) -> None:
        """Run the event phase by its buttons to the end; ``steps`` are those that it stood at."""
        self.press(screen, "event_phase")
        while True:
            self.steps.add(self.view["step"])
            self.answer(screen)
            if self.view["phase"] != "event":
                return
            assert self.view["can"]["next"], "the event phase stands still"
            screen.wait_for_selector("#actions [data-do='next']")
            before = screen.inner_text("#steps .now")
            self.press(screen, "next")
            screen.wait_for_function(
                "was => document.querySelector('#asks .ask')"
                " || document.querySelector('#steps .now')?.innerText !== was",
                arg=before,
            )


def read_code(png: bytes) -> str:
    """What a QR code in a screenshot says; empty when there is none."""
    import cv2
    import numpy as np

    image = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_GRAYSCALE)
    assert image is not None
    # Each of OpenCV's readers misses some sizes of some codes; a wider edge helps both.
    image = cv2.copyMakeBorder(image, 24, 24, 24, 24, cv2.BORDER_CONSTANT, value=235)
    for scale in (1.0, 1.5, 2.0, 0.75, 0.5, 1.25, 3.0, 0.6):
        size = (round(image.shape[1] * scale), round(image.shape[0] * scale))
        sized = cv2.resize(image, size)
        for reader in (cv2.QRCodeDetector(), cv2.QRCodeDetectorAruco()):
            said, _, _ = reader.detectAndDecode(sized)
            if said:
                return str(said)
    return ""
