"""Checks an answer against its question before any procedure sees it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.game.errors import BadInput
from companion.game.naming import named
from companion.game.procedure import Ask


def check(ask: Ask, value: Any) -> Any:
    """The answer in its plain form, or BadInput ``answer.<why>`` (field ``value``).

    yes_no: bool; choice and roll: an option's id; faces: a seat or a list; place: an id, a list,
    or a mapping piece → id or None (of several places True stands for the prefill); card: an id, a
    list or, where the question is free, a card line as a mapping; confirm: True.
    """
    match ask.kind:
        case "yes_no":
            if not isinstance(value, bool):
                raise BadInput("value", "answer.yes_no")
            return value
        case "confirm":
            if value is not True:
                raise BadInput("value", "answer.confirm")
            return True
        case "place" if ask.pieces is not None:
            return _mapping(ask, value)
        case _:
            if ask.free and isinstance(value, Mapping):
                return dict(value)
            if ask.multiple:
                if value is True and ask.kind == "place" and ask.prefill is not None:
                    value = ask.prefill
                if not isinstance(value, list):
                    raise BadInput("value", "answer.list")
                chosen = [_option(ask, item) for item in value]
                return [o.id for o in ask.options if o.id in chosen]
            if isinstance(value, list) and len(value) == 1:
                value = value[0]
            return _option(ask, value)


def _option(ask: Ask, value: Any) -> Any:
    if isinstance(value, (str, int)):
        for option in ask.options:
            same_kind = isinstance(value, bool) == isinstance(option.id, bool)
            if same_kind and (option.id == value or str(option.id) == str(value)):
                return option.id
        if ask.kind == "card":  # a kind is enough where it has one number
            found = named([str(option.id) for option in ask.options], value)
            if len(found) == 1:
                return found[0]
    allowed = ", ".join(str(o.id) for o in ask.options)
    raise BadInput("value", "answer.option", {"value": str(value)[:60], "allowed": allowed[:400]})


def _mapping(ask: Ask, value: Any) -> dict[str, Any]:
    prefill = dict(ask.prefill or {})
    if value is True:
        return prefill
    if not isinstance(value, Mapping):
        raise BadInput("value", "answer.places")
    answer = prefill
    for piece, place in value.items():
        if piece not in (ask.pieces or ()):
            raise BadInput("value", "answer.piece", {"value": str(piece)[:60]})
        answer[piece] = None if place is None else _option(ask, place)
    return answer
