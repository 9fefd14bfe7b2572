"""Pages are put into words once, and what they say follows the names of things."""

from __future__ import annotations

import threading
import time

import pytest

from companion.library import load_content
from tests.web.conftest import new_session
from web.panel import Shown
from web.present import Said, page


def test_ten_streams_that_ask_at_once_have_one_page_made() -> None:
    made: list[str] = []

    def make() -> str:
        time.sleep(0.05)
        made.append("text")
        return "text"

    shown, view = Shown(), {"round": 1}
    got: list[str] = []
    readers = [
        threading.Thread(target=lambda: got.append(shown.get(("table", "en"), view, make)))
        for _ in range(10)
    ]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()
    assert (got, made) == (["text"] * 10, ["text"])
    assert shown.get(("table", "en"), {"round": 1}, lambda: "newer") == "newer"


def test_a_page_that_could_not_be_made_is_tried_again() -> None:
    shown, view = Shown(), {"round": 1}
    with pytest.raises(ZeroDivisionError):
        shown.get(("table",), view, lambda: str(1 / 0))
    assert shown.get(("table",), view, lambda: "text") == "text"


def test_kept_lines_say_what_fresh_ones_do_while_names_change() -> None:
    session, content, said = new_session(), load_content(), Said()
    session.submit({"do": "setup", "players": ["captain", "scout"], "digital": True})
    commands = [
        {"do": "place", "piece": "fire", "to": "004"},
        {"do": "reveal", "room": "004"},
        {"do": "place", "piece": "malfunction", "to": "004"},
        {"do": "undo", "by": "scenario"},
        {"do": "undo", "by": "scenario"},
    ]
    texts = set()
    for command in commands:
        assert session.submit(command)["status"] == "done"
        for audience in ("table", "seat:1"):
            for language in ("en", "fr"):
                view = session.view(audience)[1]
                kept = page(view, content, language, said=said)
                assert kept == page(view, content, language)
        texts.add(kept["log"][-1]["text"])
    assert len(texts) > 1
