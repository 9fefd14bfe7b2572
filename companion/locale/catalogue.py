"""Reads the message catalogues and fills their messages."""

from __future__ import annotations

import gettext
import logging
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import Any

from babel.core import negotiate_locale
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

DEFAULT = "en"
_LANGUAGES = ("en", "it", "fr")

#: What French sets off from the word before or after it; no line may break there.
_APART = re.compile(r" (?=[?!;»%:](?:\W|$))|(?<=«) ")

_log = logging.getLogger(__name__)
_missing_raises = False


def languages() -> tuple[str, ...]:
    """The languages there is a catalogue for, English first."""
    return _LANGUAGES


def raise_on_missing(on: bool) -> None:
    """Whether a missing message or parameter is a KeyError (tests) or is logged (at the table)."""
    global _missing_raises
    _missing_raises = on


def read(language: str) -> Catalog:
    """Parse one catalogue.

    Raises:
        KeyError: there is no catalogue for ``language``.
    """
    if language not in _LANGUAGES:
        raise KeyError(language)
    with (files(__package__) / f"{language}.po").open("rb") as stream:
        return read_po(stream, locale=language, abort_invalid=True)


class Words:
    """The messages of one language. Immutable, shared between threads."""

    def __init__(self, catalog: Catalog) -> None:
        self.language = str(catalog.locale)
        if self.language == "fr":
            _hold_together(catalog)
        compiled = BytesIO()
        write_mo(compiled, catalog)
        compiled.seek(0)
        self._translations = gettext.GNUTranslations(compiled)
        self._plural: dict[str, bool] = {
            message.id if isinstance(message.id, str) else message.id[0]: message.pluralizable
            for message in catalog
            if message.id and message.string
        }

    def has(self, key: str) -> bool:
        """Whether there is a message ``key``."""
        return key in self._plural

    def keys(self) -> frozenset[str]:
        """All message ids."""
        return frozenset(self._plural)

    def say(self, key: str, params: Mapping[str, Any] | None = None) -> str:
        """The message ``key`` with its ``{placeholders}`` filled from ``params``.

        A message with plural forms takes the form for the integer parameter ``n``. A parameter
        ``reason`` may be a key (``why.…``, see `companion.game.errors.why`) and is said too. A
        message or a parameter that is missing is logged and gives the key itself, so that a table
        never loses
        its page to a forgotten word; under ``raise_on_missing(True)`` it is a KeyError.
        """
        params = params or {}
        reason = params.get("reason")
        if isinstance(reason, str) and reason.startswith("why."):
            params = {**params, "reason": self._translations.gettext(reason).format_map(params)}
        try:
            if self._plural[key]:
                form = self._translations.ngettext(key, key, int(params["n"]))
            else:
                form = self._translations.gettext(key)
            return form.format_map(params)
        except KeyError as missing:
            if _missing_raises:
                raise KeyError(f"{self.language}: {key}: {missing}") from missing
            _log.error("no words for %s in %s (missing: %s)", key, self.language, missing)
            return key


def held_together(text: str) -> str:
    """A French text with spaces at which no line breaks, where a sign is set off from a word."""
    return _APART.sub("\N{NO-BREAK SPACE}", text)


def _hold_together(catalog: Catalog) -> None:
    """Give the messages of a French catalogue spaces at which no line breaks."""
    for message in catalog:
        text = message.string
        if isinstance(text, str):
            message.string = held_together(text)
        elif text:
            message.string = tuple(map(held_together, text))


def words(language: str) -> Words:
    """The words of ``language``, a tag such as ``it`` or ``it-IT``; English for unknown ones."""
    return _load(best(language))


@cache
def _load(language: str) -> Words:
    return Words(read(language))


def best(wanted: str | None) -> str:
    """The language to use for a tag (``fr-CA``) or an Accept-Language header.

    >>> best("de;q=0.9, fr-CA;q=0.8, en;q=0.1")
    'fr'
    """
    ranked: list[tuple[float, str]] = []
    for part in (wanted or "")[:400].split(","):
        tag, _, quality = part.strip().partition(";q=")
        try:
            weight = float(quality) if quality else 1.0
        except ValueError:
            weight = 0.0
        if weight > 0:
            ranked.append((-weight, tag.strip().lower()))
    preferred = [tag for _, tag in sorted(ranked, key=lambda item: item[0])]
    return negotiate_locale(preferred, _LANGUAGES, sep="-", aliases={}) or DEFAULT
