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
