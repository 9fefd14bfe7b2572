"""From a command to what seven phones show: part of ``companion bench web`` where a browser is."""

from __future__ import annotations

import shutil
import statistics
import time
from typing import Any

from companion.bench.web import HOST, Device, Server

PAGES = 7  # five seats, the table, and one more phone that shows the table
COMMANDS = 40
WAIT_S = 0.25  # between commands; a page that shows nothing by then counts as so late
CHARACTERS = ("captain", "scout", "soldier", "mechanic", "pilot")
PHONE = {"width": 390, "height": 844}
# When a page has painted what a view changed, in milliseconds of the machine's clock.
WATCH = """() => {
  window.painted = [];
  const now = () => performance.timeOrigin + performance.now();
  const paint = () => setTimeout(() => window.painted.push(now()));
  new MutationObserver(() => requestAnimationFrame(paint))
    .observe(document.querySelector("#seats"), {childList: true, subtree: true});
}"""


def repaint(server: Server, commands: int = COMMANDS) -> tuple[float, float] | None:
    """Milliseconds from sending a command to its repaint: median, 99th of 100; None: no browser.

    A fresh game of five is set up; theatre is off on every page.
    """
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return None
    if chromium is None:
        return None
    base = f"http://{HOST}:{server.port}"
    device = Device(server)
    players = [{"character": name} for name in CHARACTERS]
    device.send({"id": "repaint", "do": "setup", "players": players, "digital": True})
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        pages = [_page(browser, base, seat) for seat in (1, 2, 3, 4, 5, 0, 0)]
        taken: list[float] = []
        for n in range(commands):
            begun = time.time() * 1000
            device.send({"id": f"paint{n}", "do": "first_player", "seat": 1 + (n + 1) % 5})
            time.sleep(WAIT_S)
            for page in pages:
                read = "(since) => window.painted.find((at) => at >= since) ?? null"
                painted = page.evaluate(read, begun)
                taken.append((painted or begun + WAIT_S * 1000) - begun)
        browser.close()
    return statistics.median(taken), statistics.quantiles(taken, n=100)[98]


def _page(browser: Any, base: str, seat: int) -> Any:
    """A phone of its own: on its seat, or with what the table shows."""
    context = browser.new_context(viewport=PHONE, locale="en", has_touch=True, is_mobile=True)
    context.add_cookies([{"name": "companion_theatre", "value": "off", "url": base}])
    page = context.new_page()
    page.goto(f"{base}/" if seat else f"{base}/table")
    if seat:
        page.click(f".chair[data-seat='{seat}'] [data-claim]")
    page.wait_for_selector("body[data-link=live] #head .round")
    page.evaluate(WATCH)
    return page
