"""The loop as a newcomer sees it: phones, clicks, an intruder, hands, camera, light."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from companion.app import App
from tests.running import running
from tests.running import until as _until

playwright = pytest.importorskip("playwright.sync_api")
pytest.importorskip("cv2", reason="the simulated camera needs the vision extra")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed"),
]

PATIENCE_S = 30.0
SCREEN = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}


until = partial(_until, patience_s=PATIENCE_S)


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    with running(tmp_path) as made:
        yield made


class Evening:
    """The table's screen and three phones; every byte that each of them was sent."""

    def __init__(self, app: App, browser: Any) -> None:
        self.app = app
        self.bytes: dict[str, list[str]] = {}
        assert app.server
        self._base = f"http://127.0.0.1:{app.server.port}"
        self._browser = browser
        self.screen = self.open("screen", "/", SCREEN, "en")

    def open(self, name: str, path: str, size: dict[str, int], language: str) -> Any:
        """A page in a browser of its own, with all that goes down its lines."""
        context = self._browser.new_context(viewport=size, locale=language, has_touch=True)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_S * 1000)
        got = self.bytes.setdefault(name, [])
        page.on("response", lambda r: got.append(_text(r)))
        page.goto(self._base + path)
        return page

    @property
    def view(self) -> Any:
        """What the table may know now."""
        assert self.app.session
        return self.app.session.view("table")[1]

    def secrets(self, seat: int) -> list[str]:
        """The objectives of a seat, ids and printed names."""
        assert self.app.session
        held = self.app.session.view(f"seat:{seat}")[1]["me"]["secrets"]["objectives"]
        names = [self.app.session.content.objectives[o].names.get("en") for o in held]
        return [*held, *names]

    def answer_public(self) -> None:
        """Answer what is open on the table's screen, by a click."""
        prompt = next(p for p in self.view["prompts"] if not p["secret"])
        asks = self.screen.locator("#asks .ask")

        def tap(button: Any) -> None:
            with suppress(playwright.Error):  # the page was repainted under the finger
                button.dispatch_event("click", timeout=500)

        def answered() -> bool:
            if prompt["id"] not in [p["id"] for p in self.view["prompts"]]:
                return True
            many = prompt["multiple"] or prompt["pieces"]
            if prompt["kind"] != "confirm" and not prompt["pieces"]:
                chosen = asks.first.locator("[data-value][aria-pressed=true]")
                if not (many and chosen.count()):
                    tap(asks.first.locator("[data-value]").last)
            if many or prompt["kind"] == "confirm":
                tap(asks.first.locator("button.main").first)
            self.screen.wait_for_timeout(200)
            return False

        until(answered)


def _text(response: Any) -> str:
    if "event-stream" in (response.headers.get("content-type") or ""):
        return ""
    try:
        return str(response.text())
    except playwright.Error:
        return ""


def test_an_evening_begins(app: App) -> None:
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            _evening(Evening(app, browser))
        finally:
            browser.close()


def _evening(evening: Evening) -> None:
    screen = evening.screen
    phones = {
        seat: evening.open(f"phone{seat}", "/", PHONE, language)
        for seat, language in ((1, "it"), (2, "fr"), (3, "en"))
    }
    # Three phones join, five choices begin the game.
    for seat, phone in phones.items():
        phone.click(f".chair[data-seat='{seat}'] [data-claim]")
        phone.wait_for_url(f"**/?seat={seat}")
    assert screen.locator("#setup fieldset").count() == 5
    screen.locator("#setup button.main").click()
    screen.wait_for_url("**/table")
    for seat, phone in phones.items():
        phone.wait_for_url(f"**/seat/{seat}")
        phone.wait_for_selector("body[data-link=live] #head .round")

    # A move by one tap; what comes is asked where everybody can see it.
    phones[1].locator("#room-014 .floor").tap()
    until(lambda: evening.view["seats"][0]["room"] == "014")
    until(lambda: evening.view["rooms"]["014"]["explored"])
    while any(not p["secret"] for p in evening.view["prompts"]):
        evening.answer_public()

    # Nobody else has been sent a secret.
    for seat in phones:
        for other in phones:
            if other != seat:
                sent = "".join(evening.bytes[f"phone{other}"]) + phones[other].content()
                assert not [s for s in evening.secrets(seat) if s in sent]

    # An encounter places an intruder (the Blank brings nobody); all keep one objective in secret.
    dark = evening.app._lights.frame()  # type: ignore[union-attr]
    drawn = 0
    while not any(r["intruders"] for r in evening.view["rooms"].values()):
        assert drawn < 8
        drawn += 1
        assert evening.app.session
        if not evening.view["prompts"] and not evening.view["waiting"]:
            reply = evening.app.session.submit({"do": "encounter", "seat": 2, "by": "seat:2"})
            assert reply["status"] == "done"
    waiting = evening.view["instructions"]
    for seat, phone in phones.items():
        if evening.app.session.view(f"seat:{seat}")[1]["prompts"]:  # type: ignore[union-attr]
            for _ in range(2):  # the choice is asked once more
                phone.locator(".secret-asks [data-place='1']").click()
            phone.wait_for_selector(".secret-asks .ask", state="detached")
    while any(not p["secret"] for p in evening.view["prompts"]):
        evening.answer_public()

    # The table moves what it was told to, the camera sees it, the instruction closes, light moves.
    standing = {i["id"] for r in evening.view["rooms"].values() for i in r["intruders"]}
    placed = [i["id"] for i in waiting if i["piece"] in standing]
    assert placed, "the screen names a piece to move"
    until(lambda: not set(placed) & {i["id"] for i in evening.view["instructions"]})
    until(lambda: evening.app._lights.frame() != dark)  # type: ignore[union-attr]

    # The event phase runs to its end with one button.
    assert evening.view["phase"] == "player"
    screen.locator("#actions .main").click()
    until(lambda: evening.view["phase"] == "event")
    for _ in range(60):
        if evening.view["phase"] != "event":
            break
        if any(not p["secret"] for p in evening.view["prompts"]):
            evening.answer_public()
        elif evening.view["can"]["next"]:
            with suppress(playwright.Error):  # the page may be a repaint ahead or behind
                button = screen.locator("#actions .main[data-do='next']")
                button.dispatch_event("click", timeout=1000)
            screen.wait_for_timeout(150)
    assert evening.view["phase"] in ("player", "over")

    # A person drags a figure of the simulated table; the table's screen asks, a person takes it.
    if evening.view["phase"] == "player":
        _drag(evening)


def _drag(evening: Evening) -> None:
    figure = next(s for s in evening.view["seats"] if s["state"] == "aboard")
    piece, home = figure["character"], figure["room"]
    target = next(r for r in ("003", "012", "016") if r != home)
    sim = evening.open("sim", "/sim", SCREEN, "en")
    page = evening.app._eye.page  # type: ignore[union-attr]
    until(lambda: any(p["piece"] == piece for p in page.pieces()))
    grip = sim.locator(f".piece[data-piece='{piece}'], #piece-{piece}").first
    grip.wait_for()
    start = grip.bounding_box()
    floor = sim.locator(f"#room-{target}").bounding_box()
    sim.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    sim.mouse.down()
    sim.mouse.move(floor["x"] + floor["width"] / 2, floor["y"] + floor["height"] / 2, steps=8)
    sim.mouse.up()
    found = until(lambda: [d for d in evening.view["differences"] if d["piece"] == piece])
    assert (found[0]["from"], found[0]["to"]) == (home, target)
    evening.screen.locator("#seen button").first.click()
    until(
        lambda: next(s for s in evening.view["seats"] if s["character"] == piece)["room"] == target
    )
