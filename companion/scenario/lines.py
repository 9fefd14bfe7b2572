"""The lines of a failed case: a short text for machines that a person's sentence is made from."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from companion.game import BadInput, CompanionError
from companion.locale import Words

LONGEST = 400


class Line(str):
    """What is wrong with a case. As text it is short and always English; `sentence` is for people.

    ``key`` names the message ``case.…``, filled by ``params``.
    """

    key: str
    params: Mapping[str, Any]

    def __new__(cls, text: str, key: str, **params: Any) -> Line:  # noqa: D102
        line = super().__new__(cls, text)
        line.key, line.params = f"case.{key}", params
        return line

    @classmethod
    def of(cls, problem: CompanionError, where: str) -> Line:
        """The line of an error that was raised; ``where`` is its place in the file."""
        return cls(f"{where}: {problem.code} {problem.params}", "error", path=where, why=problem)

    def sentence(self, words: Words) -> str:
        """The line in the reader's language; an error inside it is said in words."""
        filled = {
            name: words.say(v.key, v.params) if isinstance(v, CompanionError) else v
            for name, v in self.params.items()
        }
        return words.say(self.key, filled)


def differs(path: str, wanted: Any, found: Any) -> Line:
    """The line of one difference."""
    want, have = shown(wanted), shown(found)
    return Line(
        f"{path}: expected {want}, found {have}", "expected", path=path, wanted=want, found=have
    )


def shown(value: Any) -> str:
    """A value as a case would state it, cut where it is very long."""
    text = _shown(value)
    return text if len(text) <= LONGEST else text[:LONGEST] + "…"


def _shown(value: Any) -> str:
    match value:
        case None:
            return "-"
        case bool():
            return "true" if value else "false"
        case str():
            return f'"{value}"'
        case Mapping():
            inner = ", ".join(f"{k} = {_shown(v)}" for k, v in value.items())
            return "{ " + inner + " }" if inner else "{}"
        case Sequence() | set():
            return "[" + ", ".join(map(_shown, value)) + "]"
    return str(value)


def nearest(word: str, known: Iterable[str]) -> str:
    """The known word that was most likely meant."""
    return next(iter(difflib.get_close_matches(word, list(known), n=1, cutoff=0.0)), "-")


def unknown(path: str, word: Any, known: Iterable[Any]) -> BadInput:
    """The error of a word that is not known at a place: names those that are, nearest first."""
    names = [str(k) for k in known]
    meant = nearest(str(word), names)
    return BadInput(
        f"{path}.{word}" if path else str(word),
        "scenario.no_such_word",
        {"nearest": meant, "allowed": listed(names)},
    )


def listed(names: Iterable[str]) -> str:
    """Names in a row; very many are cut after a whole one."""
    text = ", ".join(names) or "-"
    return text if len(text) <= LONGEST else text[:LONGEST].rpartition(", ")[0] + ", …"
