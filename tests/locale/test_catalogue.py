from __future__ import annotations

import logging
from io import BytesIO

import pytest
from babel.messages.pofile import read_po

from companion import locale
from companion.locale.catalogue import Words, read

HEADERS = {
    "en": "nplurals=2; plural=(n != 1);",
    "it": "nplurals=3; plural=(n == 1 ? 0 : n != 0 && n % 1000000 == 0 ? 1 : 2);",
    "fr": "nplurals=3; plural=((n == 0 || n == 1) ? 0 : n != 0 && n % 1000000 == 0 ? 1 : 2);",
}
FORMS = {
    "en": ("{n} intruder", "{n} intruders"),
    "it": ("{n} intruso", "{n} di intrusi", "{n} intrusi"),
    "fr": ("{n} intrus seul", "{n} d'intrus", "{n} intrus"),
}


def catalogue(language: str) -> Words:
    forms = "\n".join(f'msgstr[{i}] "{form}"' for i, form in enumerate(FORMS[language]))
    text = (
        f'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n'
        f'"Plural-Forms: {HEADERS[language]}\\n"\n\n'
        f'msgid "log.count"\nmsgid_plural "log.count"\n{forms}\n\n'
        'msgid "log.moved"\nmsgstr "{piece} → {room}"\n'
    )
    return Words(read_po(BytesIO(text.encode()), locale=language))


@pytest.mark.parametrize(
    ("language", "n", "form"),
    [
        ("en", 0, 1),
        ("en", 1, 0),
        ("en", 2, 1),
        ("en", 5, 1),
        ("en", 1_000_000, 1),
        ("it", 0, 2),
        ("it", 1, 0),
        ("it", 2, 2),
        ("it", 5, 2),
        ("it", 1_000_000, 1),
        ("fr", 0, 0),
        ("fr", 1, 0),
        ("fr", 2, 2),
        ("fr", 5, 2),
        ("fr", 1_000_000, 1),
    ],
)
def test_plural_form(language: str, n: int, form: int) -> None:
    said = catalogue(language).say("log.count", {"n": n})
    assert said == FORMS[language][form].replace("{n}", str(n))


@pytest.mark.parametrize("language", locale.languages())
def test_shipped_catalogue_states_the_plural_rule_the_tests_use(language: str) -> None:
    header = dict(read(language).mime_headers)["Plural-Forms"]
    assert header == HEADERS[language]


def test_params_are_filled() -> None:
    said = catalogue("en").say("log.moved", {"piece": "Adult", "room": "012"})
    assert said == "Adult → 012"


def test_values_are_never_templates() -> None:
    """A player's name with braces is printed, not read."""
    said = catalogue("en").say("log.moved", {"piece": "{room}", "room": "{0.__class__}"})
    assert said == "{room} → {0.__class__}"


@pytest.mark.parametrize(
    ("key", "params"), [("log.gone", {}), ("log.moved", {"piece": "x"}), ("log.count", {})]
)
def test_what_is_missing_raises_under_test_and_is_logged_at_the_table(
    key: str, params: dict[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    words = catalogue("it")
    with pytest.raises(KeyError, match=key):
        words.say(key, params)
    locale.raise_on_missing(False)
    try:
        with caplog.at_level(logging.ERROR):
            assert words.say(key, params) == key
    finally:
        locale.raise_on_missing(True)
    assert key in caplog.text


@pytest.mark.parametrize(
    ("wanted", "language"),
    [
        ("it", "it"),
        ("it-IT", "it"),
        ("IT-it,it;q=0.9,en;q=0.8", "it"),
        ("fr-CA,fr;q=0.9", "fr"),
        ("de;q=0.9,fr;q=0.8", "fr"),
        ("en;q=0.1, it;q=0.2", "it"),
        ("it;q=0, fr", "fr"),
        ("ja", "en"),
        ("*", "en"),
        ("", "en"),
        (None, "en"),
        (";q=x,,;q=", "en"),
        ("../../etc/passwd", "en"),
    ],
)
def test_best(wanted: str | None, language: str) -> None:
    assert locale.best(wanted) == language


def test_words_are_read_once_and_english_stands_in() -> None:
    assert locale.words("fr-FR") is locale.words("fr")
    assert locale.words("tlh").language == "en"
    with pytest.raises(KeyError):
        read("tlh")


@pytest.mark.parametrize(("language", "yes"), [("en", "Yes"), ("it", "Sì"), ("fr", "Oui")])
def test_shipped_words(language: str, yes: str) -> None:
    words = locale.words(language)
    assert words.has("ui.yes")
    assert words.say("ui.yes") == yes
    assert not words.has("")
