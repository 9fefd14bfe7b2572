"""A turned card says its name and its symbols once: its words are what it does."""

from __future__ import annotations

import re
from typing import Any

import pytest

from companion.library import load_content
from web.cards import in_words, last_card
from web.terms import Terms

CONTENT = load_content()


@pytest.mark.parametrize("language", ["en", "it", "fr"])
@pytest.mark.parametrize("deck", ["event", "attack"])
def test_the_words_of_a_card_do_not_say_its_name_and_its_symbols_again(
    deck: str, language: str
) -> None:
    cards: Any = CONTENT.events if deck == "event" else CONTENT.attacks
    terms = Terms(CONTENT, language, {})
    for ident in cards:
        shown = last_card({"last_card": {"deck": deck, "card": ident, "hits": True}}, terms)
        assert shown is not None
        assert shown["text"], ident
        assert not re.match(rf"{re.escape(shown['title'])}\s?[(:]", shown["text"]), ident
        assert shown["text"][0].isupper() or shown["text"][0].isdigit(), ident
        assert in_words(ident, terms).endswith(shown["text"])


def test_a_card_says_what_it_does() -> None:
    view = {"last_card": {"deck": "event", "card": "coolant_leak"}}
    shown = last_card(view, Terms(CONTENT, "en", {}))
    assert shown is not None
    assert shown["text"].startswith("Generator with Malfunction: ")


@pytest.mark.parametrize("language", ["en", "it", "fr"])
def test_a_bite_speaks_of_the_way_of_fighting_once_it_is_discovered(language: str) -> None:
    card = {"last_card": {"deck": "attack", "card": "bite/6", "piece": "adult#1", "hits": True}}
    told = {}
    for found in ({}, {"egg": "vital_places"}, {"egg": "the_way_of_fighting"}):
        shown = last_card(card, Terms(CONTENT, language, {"weaknesses": found}))
        assert shown is not None
        told[" ".join(found.values())] = shown["text"]
    assert told[""] == told["vital_places"]
    assert "The Way of Fighting" not in told[""]
    assert told["the_way_of_fighting"].startswith(told[""])
    assert "The Way of Fighting" in told["the_way_of_fighting"]
