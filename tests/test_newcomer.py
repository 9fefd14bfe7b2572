"""Somebody who has read the README alone: three phones seated and the first token out of the bag.

They see only pages and codes, know no address but the one the program prints, and tap what the
words on the screen say. Taps and scans are counted, and written down with what was seen.
"""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

playwright = pytest.importorskip("playwright.sync_api")
pytest.importorskip("cv2", reason="codes are read off the screen with OpenCV")

from tests.evening import CHROMIUM, PATIENCE_S, PHONE, SCREEN, free_port, read_code  # noqa: E402
from tests.running import until  # noqa: E402

MOST_TAPS = 12  # scans of a code are counted as taps
MOST_SECONDS = 180.0
A_TAP_S = 4.0  # what a person needs to read a screen and find the button, beside the program's time


class Newcomer:
    """One person going round the table: the screen beside the board, and three phones."""

    def __init__(self, browser: Any, address: str) -> None:
        self._browser, self._address = browser, address
        self.began = time.monotonic()
        self.taps = 0
        self.transcript: list[str] = []
        self.screen = self.open("the table's screen", address, SCREEN)

    def note(self, who: str, what: str) -> None:
        at = time.monotonic() - self.began
        self.transcript.append(f"{at:6.1f} s  {self.taps:2} taps  {who}: {what}")

    def open(self, who: str, address: str, size: dict[str, int]) -> Any:
        touch = size is PHONE
        context = self._browser.new_context(
            viewport=size, locale="en", has_touch=touch, is_mobile=touch
        )
        page = context.new_page()
        page.set_default_timeout(PATIENCE_S * 1000)
        page.goto(address)
        self.note(who, f"opens what it was given, reads “{heading(page)}”")
        return page

    def tap(self, who: str, page: Any, words: str) -> None:
        """Tap the button that says so; it has to be on the screen, or a scroll away."""
        button = page.get_by_role("button", name=words, exact=True).locator("visible=true").first
        button.wait_for()
        button.scroll_into_view_if_needed()
        button.click()
        self.taps += 1
        self.note(who, f"taps “{words}”")

    def scan(self, seat: int) -> Any:
        """Hold a phone's camera before the code of a seat, as it stands on the screen."""
        card = self.screen.locator(".chair", has_text=f"Seat {seat}").locator(".qr-card svg")

        def seen() -> str | None:
            try:
                card.scroll_into_view_if_needed()
                return read_code(card.screenshot())
            except playwright.Error:  # somebody sat down: the seats were drawn anew meanwhile
                return None

        link = until(seen, PATIENCE_S)
        self.taps += 1
        self.note(f"phone {seat}", f"scans the code of “Seat {seat}”")
        return self.open(f"phone {seat}", link, PHONE)


def heading(page: Any) -> str:
    return str(page.locator("h1").first.inner_text())


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """What the README's command prints."""
    command = [sys.executable, "-m", "companion", "run", "--data", str(tmp_path / "data")]
    command += ["--host", "127.0.0.1", "--port", str(free_port())]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout
        try:
            found = None
            while found is None and (line := program.stdout.readline()):
                found = re.search(r"http://\S+", line)
            assert found
            yield found[0]
        finally:
            program.terminate()
            program.wait(20)


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed")
def test_three_seats_and_the_first_token_within_twelve_taps(
    address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        one = Newcomer(browser, address)
        phones = {}
        for seat in (1, 2, 3):
            phones[seat] = one.scan(seat)
            one.tap(f"phone {seat}", phones[seat], "I sit here")
            phones[seat].locator("body[data-link=live]").wait_for()
            one.screen.locator(f".chair[data-seat='{seat}'][data-state=here]").wait_for()
        one.tap("the table's screen", one.screen, "Start the game")
        one.screen.wait_for_url("**/table")
        for seat, phone in phones.items():
            phone.wait_for_url(f"**/seat/{seat}")
            phone.locator("#head", has_text="Player Phase").wait_for()
        one.note("all phones", "show the Player Phase")
        one.tap("phone 1", phones[1], "Encounter")
        card = one.screen.locator("#card .card.bag")
        card.wait_for()
        one.note("the table's screen", f"shows the token: {' '.join(card.inner_text().split())}")
        seconds = time.monotonic() - one.began
        browser.close()
    people = seconds + one.taps * A_TAP_S
    one.note("in all", f"{seconds:.0f} s here; with {A_TAP_S:.0f} s more a tap, {people:.0f} s")
    told = "\n".join(one.transcript) + "\n"
    (tmp_path / "transcript.txt").write_text(told)
    with capsys.disabled():
        sys.stdout.write(f"\n{told}")
    assert one.taps <= MOST_TAPS, told
    assert people <= MOST_SECONDS, told
