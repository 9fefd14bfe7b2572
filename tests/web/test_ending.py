"""The end on the pages: verdicts in words, the next one a tap away, the story in each language."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.web.conftest import Phone, panel_of


def ended(phone: Phone) -> None:
    """A simulated game of two whose end has come; the scout sleeps."""
    session = panel_of(phone.client.application).session
    session.submit({"do": "setup", "players": ["captain", "scout"], "digital": True})
    phone.command("state", seat=2, state="hibernated")


def pages(phone: Phone, language: str = "en") -> dict[str, Any]:
    return panel_of(phone.client.application).page("table", language)


def tell_all(phone: Phone) -> dict[str, Any]:
    session = panel_of(phone.client.application).session
    for _ in range(20):
        page = pages(phone)
        if page["status"] == "over":
            return page
        for prompt in session.view("seat:2")[1]["prompts"]:
            value = prompt["options"][0]["id"] if prompt["options"] else False
            session.submit({"do": "answer", "by": "seat:2", "prompt": prompt["id"], "value": value})
        if pages(phone)["can"]["next"]:
            assert phone.command("next").status_code == 200
    raise AssertionError("the end never came")


def test_each_next_tells_one_verdict(phone: Callable[[], Phone]) -> None:
    held = phone()
    ended(held)
    assert pages(held)["verdicts"] is None
    assert held.command("game_end", cause="jump").status_code == 200
    page = pages(held)
    assert page["verdicts"]["lines"] == []
    assert page["can"]["next"] == "check_engines"
    held.command("next")
    page = pages(held)
    assert page["verdicts"]["lines"][0]["text"].startswith(("At least two", "Two Engines"))
    page = tell_all(held)
    assert page["verdicts"]["done"]
    assert page["verdicts"]["lines"][-1]["tone"] == "last"


@pytest.mark.parametrize("language", ["en", "it", "fr"])
@pytest.mark.parametrize("end", [False, True])
def test_pods_are_spoken_of_when_they_unlock_not_when_the_ship_explodes(
    phone: Callable[[], Phone], language: str, end: bool
) -> None:
    """The hint is about the first death, BASE-208: who dies with the ship unlocks nothing."""
    held = phone()
    session = panel_of(held.client.application).session
    session.submit({"do": "setup", "players": ["captain", "scout"], "digital": True})
    told = {"do": "game_end", "cause": "explosion"} if end else {"do": "death", "seat": 1}
    assert session.submit(told)["status"] == "done"
    assert len([True for line in pages(held, language)["log"] if line["hint"]]) == (0 if end else 1)


@pytest.mark.parametrize(
    ("language", "title", "end"),
    [
        ("en", "The story of the evening", "The end"),
        ("it", "Il racconto della serata", "La fine"),
        ("fr", "Le récit de la soirée", "La fin"),
    ],
)
def test_the_story_in_three_languages(
    phone: Callable[[], Phone], language: str, title: str, end: str
) -> None:
    held = phone()
    assert "ui." not in held.get(f"/story?lang={language}").text.split("<main")[1]
    ended(held)
    held.command("signal", seat=2)
    held.command("game_end", cause="jump")
    tell_all(held)
    answer = held.get(f"/story?lang={language}")
    assert answer.status_code == 200
    assert title in answer.text
    assert f"<h2>{end}</h2>" in answer.text
    body = answer.text.split("<main", 1)[1]
    assert not re.search(r"story\.(?!js\b|svg\b)", body)
    assert "{" not in body
