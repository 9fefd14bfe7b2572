"""The shapes a content file may have: one declaration checks the file and makes its JSON Schema.

A shape answers two questions: ``check(value, place)`` raises `BadInput` that names file, key and
reason; ``schema()`` is the same shape as JSON Schema (draft 2020-12). What needs other entries
(references, sums) is checked in `companion.library.links`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, NoReturn, Protocol

from companion.game.errors import BadInput

JsonSchema = dict[str, Any]

_LONGEST_SHOWN = 80
_LARGEST = 1_000_000


def shown(value: object) -> str:
    """A value of a file as it may stand in a message: short, on one line."""
    try:
        text = " ".join(str(value).split())
    except (ValueError, RecursionError):  # a number of thousands of digits, tables without end
        return "…"
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…"


@dataclass(frozen=True, slots=True)
class Place:
    """Where in the content something stands: a file and the keys that lead to it."""

    file: str
    key: str = ""

    def into(self, key: str | int) -> Place:
        """The place one key deeper, or of one item of a list."""
        if isinstance(key, int):
            return Place(self.file, f"{self.key}[{key}]")
        return Place(self.file, f"{self.key}.{shown(key)}" if self.key else shown(key))

    def __str__(self) -> str:
        return f"{self.file}: {self.key}" if self.key else self.file

    def refuse(self, reason: str, **params: Any) -> NoReturn:
        """Raise `BadInput` ``content.<reason>`` for this place."""
        raise BadInput(
            str(self), f"content.{reason}", {"file": self.file, "key": self.key, **params}
        )

    def refuse_word(self, reason: str, value: object, known: Iterable[str]) -> NoReturn:
        """Refuse an unknown word; the message names the known one most like it, if any."""
        like = next(iter(get_close_matches(str(value), list(known), n=1)), None)
        if like is None:
            self.refuse(reason, value=shown(value))
        self.refuse(f"{reason}_near", value=shown(value), nearest=like)


class Shape(Protocol):
    """What a value of a content file must look like."""

    def check(self, value: Any, place: Place) -> None:
        """Raise `BadInput` unless ``value`` has this shape."""

    def schema(self) -> JsonSchema:
        """This shape as JSON Schema."""


@dataclass(frozen=True, slots=True)
class Text:
    """A string of 1 to ``longest`` characters, matching ``pattern`` as a whole if given."""

    pattern: str = ""
    longest: int = 2000

    def check(self, value: Any, place: Place) -> None:
        """See `Shape`."""
        if not isinstance(value, str):
            place.refuse("want_text", value=shown(value))
        if not 1 <= len(value) <= self.longest or not value.strip():
            place.refuse("text_length", max=self.longest, count=len(value))
        if self.pattern and not re.fullmatch(self.pattern, value):
            place.refuse("bad_id", value=shown(value), pattern=self.pattern)

    def schema(self) -> JsonSchema:
        """See `Shape`."""
        made: JsonSchema = {"type": "string", "minLength": 1, "maxLength": self.longest}
        if self.pattern:
            made["pattern"] = f"^(?:{self.pattern})$"
        return made


@dataclass(frozen=True, slots=True)
class Word:
    """One of a few words."""

    allowed: tuple[str, ...]

    def check(self, value: Any, place: Place) -> None:
        """See `Shape`."""
        if not isinstance(value, str):
            place.refuse("want_text", value=shown(value))
        if value not in self.allowed:
            place.refuse("not_one_of", value=shown(value), allowed=", ".join(self.allowed))

    def schema(self) -> JsonSchema:
        """See `Shape`."""
        return {"enum": list(self.allowed)}


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number from ``low`` to ``high``."""

    low: int
    high: int

    def check(self, value: Any, place: Place) -> None:
        """See `Shape`."""
        if not isinstance(value, int) or isinstance(value, bool):
            place.refuse("want_whole", value=shown(value))
        if not self.low <= value <= self.high:
            place.refuse("out_of_range", value=shown(value), min=self.low, max=self.high)

    def schema(self) -> JsonSchema:
        """See `Shape`."""
        return {"type": "integer", "minimum": self.low, "maximum": self.high}


@dataclass(frozen=True, slots=True)
class Number:
    """A number from ``low`` to ``high``."""

    low: float
    high: float

    def check(self, value: Any, place: Place) -> None:
        """See `Shape`."""
        if not isinstance(value, int | float) or isinstance(value, bool):
            place.refuse("want_number", value=shown(value))
        if not self.low <= value <= self.high:  # not a number is in no range either
            place.refuse("out_of_range", value=shown(value), min=self.low, max=self.high)

    def schema(self) -> JsonSchema:
        """See `Shape`."""
        return {"type": "number", "minimum": self.low, "maximum": self.high}


@dataclass(frozen=True, slots=True)
class Flag:
    """True or false."""

    def check(self, value: Any, place: Place) -> None:
        """See `Shape`."""
        if not isinstance(value, bool):
            place.refuse("want_flag", value=shown(value))

    def schema(self) -> JsonSchema:
        """See `Shape`."""
        return {"type": "boolean"}


@dataclass(frozen=True, slots=True)
class Either:
    """A whole number, or a certain word where the print shows a sign instead."""

    number: Whole
    word: str

    def check(self, value: Any, place: Place) -> None:
        """See `Shape`."""
        if isinstance(value, str):
            Word((self.word,)).check(value, place)
        else:
            self.number.check(value, place)

    def schema(self) -> JsonSchema:
        """See `Shape`."""
        return {"anyOf": [self.number.schema(), {"const": self.word}]}


@dataclass(frozen=True, slots=True)
class Many:
    """A list of ``least`` to ``most`` items of one shape, each only once if ``distinct``."""

    item: Shape
    least: int = 0
    most: int = 200
    distinct: bool = False

    def check(self, value: Any, place: Place) -> None:
        """See `Shape`."""
        if not isinstance(value, list):
            place.refuse("want_list", value=shown(value))
        if not self.least <= len(value) <= self.most:
            place.refuse("list_length", min=self.least, max=self.most, count=len(value))
        for n, item in enumerate(value):
            self.item.check(item, place.into(n))
            if self.distinct and item in value[:n]:
                place.into(n).refuse("duplicate", value=shown(item))

    def schema(self) -> JsonSchema:
        """See `Shape`."""
        made: JsonSchema = {
            "type": "array",
            "items": self.item.schema(),
            "minItems": self.least,
            "maxItems": self.most,
        }
        if self.distinct:
            made["uniqueItems"] = True
        return made


@dataclass(frozen=True, slots=True)
class Table:
    """A table with known keys; ``needed`` must be there, ``optional`` may."""

    needed: Mapping[str, Shape]
    optional: Mapping[str, Shape] = field(default_factory=dict)

    def check(self, value: Any, place: Place) -> None:
        """See `Shape`."""
        if not isinstance(value, dict):
            place.refuse("want_table", value=shown(value))
        known = {**self.needed, **self.optional}
        for key, item in value.items():
            if key not in known:
                place.into(key).refuse_word("unknown_key", key, known)
            known[key].check(item, place.into(key))
        for key in self.needed:
            if key not in value:
                place.into(key).refuse("missing_key", value=key)

    def schema(self) -> JsonSchema:
        """See `Shape`."""
        shapes = {**self.needed, **self.optional}
        return {
            "type": "object",
            "properties": {key: shape.schema() for key, shape in shapes.items()},
            "required": sorted(self.needed),
            "additionalProperties": False,
        }


@dataclass(frozen=True, slots=True)
class Entries:
    """A table whose keys are ids that match ``ids``, with entries of one shape."""

    ids: str
    entry: Shape
    least: int = 0

    def check(self, value: Any, place: Place) -> None:
        """See `Shape`."""
        if not isinstance(value, dict):
            place.refuse("want_table", value=shown(value))
        if len(value) < self.least:
            place.refuse("too_few_entries", min=self.least, count=len(value))
        for key, entry in value.items():
            self.check_entry(key, entry, place.into(key))

    def check_entry(self, key: str, entry: Any, place: Place) -> None:
        """Check one entry and its id; ``place`` is the entry's own."""
        if not re.fullmatch(self.ids, key):
            place.refuse("bad_id", value=shown(key), pattern=self.ids)
        self.entry.check(entry, place)

    def schema(self) -> JsonSchema:
        """See `Shape`."""
        return {
            "type": "object",
            "propertyNames": {"pattern": f"^(?:{self.ids})$"},
            "additionalProperties": self.entry.schema(),
            "minProperties": self.least,
        }


@dataclass(frozen=True, slots=True)
class Plain:
    """Parameters of a function: words, flags and numbers only."""

    def check(self, value: Any, place: Place) -> None:
        """See `Shape`."""
        if isinstance(value, str | bool):
            return
        if not isinstance(value, int | float):
            place.refuse("want_plain", value=shown(value))
        if not -_LARGEST <= value <= _LARGEST:
            place.refuse("out_of_range", value=shown(value), min=-_LARGEST, max=_LARGEST)

    def schema(self) -> JsonSchema:
        """See `Shape`."""
        return {
            "type": ["boolean", "number", "string"],
            "minimum": -_LARGEST,
            "maximum": _LARGEST,
        }
