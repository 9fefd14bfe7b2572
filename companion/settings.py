"""Turns raw values (of a TOML file, the environment, a command line) into settings dataclasses."""

from __future__ import annotations

import dataclasses
import math
import types
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from enum import Enum
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from companion.game.errors import BadInput

_MISSING = object()


def leaves(type_: type, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Every key of a settings type, dotted, with the type of its value."""
    hints = get_type_hints(type_)
    for item in dataclasses.fields(type_):
        hint = hints[item.name]
        if dataclasses.is_dataclass(hint) and isinstance(hint, type):
            yield from leaves(hint, f"{prefix}{item.name}.")
        else:
            yield f"{prefix}{item.name}", hint


def nearest(word: str, known: list[str]) -> str:
    """The known word that was most likely meant (some word always, the first when unsure)."""
    return (get_close_matches(word, known, n=1, cutoff=0.0) or known or [""])[0]


class Builder:
    """Makes a settings object, and notes every value it had to leave at its default.

    Args:
        where: gives the words that name the source of a dotted key, for messages.
    """

    def __init__(self, where: Callable[[str], str]) -> None:
        self._where = where
        self.problems: list[BadInput] = []

    def build(self, type_: type, raw: Mapping[str, Any], prefix: str = "") -> Any:
        """An instance of the dataclass ``type_``; what is missing or wrong takes its default.

        Where there is no default either, or the type's own check fails, the caller's default
        stands in for the whole.
        """
        hints = get_type_hints(type_)
        known = {item.name: item for item in dataclasses.fields(type_)}
        values: dict[str, Any] = {}
        for name, value in raw.items():
            key = f"{prefix}{name}"
            if name not in known:
                self._refuse(key, "setting.unknown", nearest=prefix + nearest(name, list(known)))
                continue
            made = self._value(value, hints[name], key)
            if made is not _MISSING:
                values[name] = made
        for name, item in known.items():
            if name not in raw and not _has_default(item):
                self._refuse(f"{prefix}{name}", "setting.missing")
        if any(name not in values and not _has_default(item) for name, item in known.items()):
            return _MISSING
        try:
            return type_(**values)
        except BadInput as error:  # from the type's own check
            key = error.path if error.path.startswith(prefix) else f"{prefix}{error.path}"
            params = {name: value for name, value in error.params.items() if name != "path"}
            self._refuse(key, error.code, **params)
            return _MISSING

    def _refuse(self, key: str, code: str, **params: Any) -> Any:
        self.problems.append(BadInput(self._where(key), code, params))
        return _MISSING

    def _value(self, value: Any, hint: Any, key: str) -> Any:
        origin, args = get_origin(hint), get_args(hint)
        if origin in (Union, types.UnionType):
            inner = [arg for arg in args if arg is not type(None)]
            return None if value is None else self._value(value, inner[0], key)
        if origin is Literal:
            return self._one_of(value, list(args), key)
        if origin is tuple:
            return self._tuple(value, args, key)
        if origin is not None and issubclass(origin, Mapping):
            return self._mapping(value, args[1], key)
        if dataclasses.is_dataclass(hint) and isinstance(hint, type):
            if not isinstance(value, Mapping):
                return self._refuse(key, "setting.not_table")
            return self.build(hint, value, f"{key}.")
        if isinstance(hint, type) and issubclass(hint, Enum):
            chosen = self._one_of(value, [item.value for item in hint], key)
            return chosen if chosen is _MISSING else hint(chosen)
        return self._scalar(value, hint, key)

    def _scalar(self, value: Any, hint: Any, key: str) -> Any:
        if hint is bool:
            return value if isinstance(value, bool) else self._refuse(key, "setting.not_switch")
        if hint is int:
            whole = isinstance(value, int) and not isinstance(value, bool)
            return value if whole else self._refuse(key, "setting.not_integer")
        if hint is float:
            number = isinstance(value, int | float) and not isinstance(value, bool)
            if number and math.isfinite(value):
                return float(value)
            return self._refuse(key, "setting.not_number")
        if not isinstance(value, str):
            return self._refuse(key, "setting.not_text")
        return Path(value).expanduser() if hint is Path else value

    def _one_of(self, value: Any, allowed: list[Any], key: str) -> Any:
        if value in allowed and not isinstance(value, bool):
            return value
        words = ", ".join(str(word) for word in allowed if word != "")
        return self._refuse(key, "setting.choice", value=str(value), allowed=words)

    def _tuple(self, value: Any, args: tuple[Any, ...], key: str) -> Any:
        if not isinstance(value, list | tuple):
            return self._refuse(key, "setting.not_list")
        hints = [args[0]] * len(value) if args[-1] is Ellipsis else list(args)
        if len(hints) != len(value):
            return self._refuse(key, "setting.length", n=len(hints))
        made = [self._value(item, hint, key) for item, hint in zip(value, hints, strict=True)]
        return _MISSING if _MISSING in made else tuple(made)

    def _mapping(self, value: Any, hint: Any, key: str) -> Any:
        if not isinstance(value, Mapping):
            return self._refuse(key, "setting.not_table")
        made = {name: self._value(item, hint, f"{key}.{name}") for name, item in value.items()}
        return _MISSING if _MISSING in made.values() else made


def _has_default(item: dataclasses.Field[Any]) -> bool:
    return (
        item.default is not dataclasses.MISSING or item.default_factory is not dataclasses.MISSING
    )
