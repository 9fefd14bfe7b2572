"""Prompts in words: the question, the options, and what a page needs to answer them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.game.state import kind_of
from web.cards import in_words
from web.terms import Terms

#: Cards drawn for one person to choose from, who alone sees what stands on them.
SHOWN = ("ask.card_event", "ask.card_attack")


def prompt(given: Mapping[str, Any], terms: Terms, printed: Terms | None) -> dict[str, Any]:
    """One prompt as a page shows it; see `companion.game.procedure.Ask` for its parts."""
    pieces = given.get("pieces")
    return {
        "id": given["id"],
        "kind": given["kind"],
        "to": given.get("to", "any"),
        "text": terms.say(given["key"], given.get("params", {})),
        "seat": given.get("params", {}).get("seat"),
        "about": given.get("params", {}).get("room"),
        "options": [_option(o, terms, printed) for o in given.get("options", ())],
        "prefill": given.get("prefill"),
        "multiple": bool(given.get("multiple")),
        "pieces": None if pieces is None else [_piece(p, terms) for p in pieces],
        "line": card_line(given["key"], terms) if given.get("free") else None,
        "rule": given.get("rule", ""),
        "secret": bool(given.get("secret")),
        "by_hand": bool(given.get("by_hand")),
    }


def card_line(key: str, terms: Terms) -> dict[str, Any]:
    """What the form for a card nobody knows asks: its number, the symbols on it, its name.

    ``field`` and ``symbols`` are the words of the card line, empty where the card has none.
    """
    deck = key.removeprefix("ask.").removesuffix("_card")
    species = terms.species
    numbers: list[Any] = []
    apart: list[str] = []  # kinds with a number of their own on every card
    if deck == "event":
        numbers = [1, 2, 3, 4]
    elif deck == "attack" and species:
        cards = [terms.content.attacks[card] for card in species.attacks]
        held = {n for card in cards for n in (card.blood, *card.blood_of.values())}
        numbers = [*sorted(n for n in held if n is not None), "retreat"]
        apart = sorted({kind for card in cards for kind in card.blood_of})
    elif species and any(
        "level" in terms.content.own_cards[card].params
        for card in getattr(species.decks.get(deck), "known", ())
    ):
        numbers = [1, 2, 3, 4, 5]
    symbols = {"event": "moves", "attack": "attackers"}.get(deck, "")
    kinds = [c.id for c in species.creatures.values() if c.miniatures] if species else []
    return {
        "field": {"event": "corridors", "attack": "blood"}.get(deck, "level" if numbers else ""),
        "numbers": numbers,
        "apart": [{"id": kind, "label": terms.piece(kind)} for kind in apart],
        "symbols": symbols,
        "kinds": [{"id": kind, "label": terms.piece(kind)} for kind in kinds if symbols],
    }


def _option(option: Mapping[str, Any], terms: Terms, printed: Terms | None) -> dict[str, Any]:
    params = option.get("params", {})
    key = option.get("key")
    label = terms.say(key, params) if key else str(option["id"])
    shown: dict[str, Any] = {"id": option["id"], "label": label}
    if printed and key and ("tile" in params or "card" in params or "token" in params):
        boxed = printed.say(key, params)
        if boxed != label:
            shown["box"] = boxed
    if "piece" in params and (room := terms.stands_in(str(params["piece"]))):
        shown["label"] += f" · {room}"
    icon = _icon(params)
    if icon:
        shown["icon"] = icon
    if "seat" in params:
        shown["seat"] = params["seat"]
    if "objective" in params:
        text = terms.objective_text(str(params["objective"]))
        if text:
            shown["text"] = text
    if key in SHOWN:
        shown["told"] = in_words(str(params["card"]), terms)
    return shown


def _icon(params: Mapping[str, Any]) -> str:
    for name in ("token", "piece", "exploration", "face", "result", "door"):
        if name in params:
            value = kind_of(str(params[name]))
            return f"face-{value}" if name == "face" else value
    return ""


def _piece(piece: str, terms: Terms) -> dict[str, Any]:
    kind = kind_of(piece)
    label = terms.piece(piece)
    shown = {"id": piece, "kind": kind, "icon": kind, "label": label}
    character = terms.content.characters.get(kind)
    if character:
        shown.update(icon="aboard", hex=character.hex)
    if "#" in piece:
        shown["number"] = piece.split("#", 1)[1]
    return shown
