"""Pages of other sites in a player's browser, and names of theirs that point at our address."""

from __future__ import annotations

import http.server
import shutil
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.web.test_phones import Room, room  # noqa: F401  a fixture

playwright = pytest.importorskip("playwright.sync_api")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed"),
]
Make = Callable[..., Room]
EVIL = "evil.example"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A browser to which the name of another site means this machine."""
    with playwright.sync_playwright() as started:
        opened = started.chromium.launch(
            executable_path=CHROMIUM,
            args=["--no-sandbox", f"--host-resolver-rules=MAP {EVIL} 127.0.0.1"],
        )
        yield opened
        opened.close()


class Bait(http.server.BaseHTTPRequestHandler):
    """Another program's page, on a port of its own."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>bait</title><p>cats")

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing on the tests' screen."""


@pytest.fixture
def bait() -> Iterator[int]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Bait)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_address[1]
    server.shutdown()
    server.server_close()


#: Everything a page may try: what came of each, as words that can be compared.
TRY = """async (base) => {
  const found = {};
  for (const path of ["/", "/table", "/seat/1", "/api/me", "/api/notes/1", "/api/log/seat:1"])
    for (const mode of ["cors", "no-cors"])
      found[`${mode} ${path}`] = await fetch(base + path, {mode, credentials: "include"})
        .then(async (a) => a.type === "opaque" ? "opaque" : `${a.status} ${await a.text()}`,
              () => "no");
  found.post = await fetch(`${base}/api/command`, {method: "POST", credentials: "include",
    body: JSON.stringify({do: "slime", seat: 1, on: true})})
    .then((a) => String(a.status), () => "no");
  const listen = (path) => new Promise((done) => {
    const source = new EventSource(base + path, {withCredentials: true});
    source.onopen = () => done("open");
    source.addEventListener("hello", () => done("heard"));
    source.onerror = () => { source.close(); done("no"); };
  });
  found.table = await listen("/stream/table");
  found.seat = await listen("/stream/seat:1");
  const part = (kind, path) => new Promise((done) => {
    const part = document.createElement(kind);
    part.onload = part.onerror = done;
    part.src = base + path;
    document.body.append(part);
    setTimeout(done, 1500);
  });
  for (const path of ["/stream/seat:1", "/stream/table"]) {
    await part("iframe", path);
    await part("img", path);
  }
  return found;
}"""


@pytest.mark.parametrize("name", [EVIL, "127.0.0.1"])
def test_a_page_of_another_site_or_port_reads_nothing_and_opens_no_stream(
    room: Make,  # noqa: F811
    bait: int,
    name: str,
) -> None:
    table = room(players=["captain", "scout", "soldier"], digital=True)
    phone = table.seat(1)
    streams = table.server._panel.streams
    (mine,) = [s for s in streams._open if s.audience == "seat:1"]
    page = phone.context.new_page()  # the player's own browser: it holds the seat
    page.goto(f"http://{name}:{bait}/")
    found = page.evaluate(TRY, table.base)
    assert set(found.values()) <= {"no", "opaque"}, found
    assert mine in streams._open  # nobody's page was ended for it
    assert max(s.number for s in streams._open) == mine.number
    assert phone.evaluate("document.body.dataset.link") == "live"
    assert table.session.view("table")[1]["seats"][0]["slime"] is False
    page.close()


def test_another_name_for_our_address_is_turned_away_by_what_it_is_called(
    room: Make,  # noqa: F811
) -> None:
    """DNS rebinding: for the browser the box is the site that the page came from."""
    table = room(players=["captain", "scout", "soldier"], digital=True)
    base = table.base.replace("127.0.0.1", EVIL)
    page = table.browser.new_context().new_page()
    for path in ("/", "/table", "/seat/1", "/join", "/host", "/api/me", "/health"):
        answer = page.goto(base + path)
        assert answer.status == 400, path
        assert "#map" not in page.content()
    found = page.evaluate(TRY, "")  # of the same site: its scripts would read every answer
    told = {key: value for key, value in found.items() if value != "no"}
    assert all(value.startswith("400 ") or value == "400" for value in told.values()), told
    assert (found["table"], found["seat"]) == ("no", "no")
    assert table.server._panel.streams.count() == 0
    assert table.session.view("table")[1]["seats"][0]["slime"] is False
    page.context.close()
