"""The last card and the objectives, as the pages draw them: symbols and our own paraphrase."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from companion.game.state import kind_of
from web.services import View
from web.terms import NOTHING, Terms


def last_card(view: View, terms: Terms) -> dict[str, Any] | None:
    """The card or token that was turned last, or None. ``boxed``: the box drew it."""
    card = view.get("last_card")
    shown = _last(card, terms) if card else None
    if shown and view.get("truth", {}).get(shown["deck"]) == "digital":
        shown["boxed"] = True
    return shown


def _last(card: Mapping[str, Any], terms: Terms) -> dict[str, Any] | None:
    ident = str(card.get("card") or card.get("id") or "")
    match card.get("deck"):
        case "event":
            return _event(card, ident, terms)
        case "attack":
            return _attack(card, ident, terms)
        case "bag":
            return {
                "deck": "bag",
                "title": terms.token(ident),
                "kind": terms.term("intruder_token"),
                "icon": kind_of(ident),
                "number": ident.split("/", 1)[1].split("#")[0] if "/" in ident else "",
            }
        case deck if f"{deck}_card" in terms.content.terms:
            return _own(card, ident, terms)
    return None


def _own(card: Mapping[str, Any], ident: str, terms: Terms) -> dict[str, Any]:
    """A card of a deck that only one species has."""
    known = terms.content.own_cards.get(ident)
    return {
        "deck": card["deck"],
        "title": terms.card(ident),
        "kind": terms.term(f"{card['deck']}_card"),
        "numbers": [card["n"]] if "n" in card else [],
        "movers": [],
        "text": effect(ident, known.rule, terms) if known else "",
        "rule": known.rule if known else "",
        "of": terms.seat(card["seat"]) if "seat" in card else "",
    }


def _event(card: Mapping[str, Any], ident: str, terms: Terms) -> dict[str, Any]:
    known = terms.content.events.get(ident)
    return {
        "deck": "event",
        "title": terms.card(ident),
        "kind": terms.term("event_card"),
        "numbers": list(card.get("corridors", known.corridors if known else ())),
        "movers": [
            {"icon": m, "label": terms.piece(m)}
            for m in card.get("moves", known.moves if known else ())
        ],
        "text": ""
        if card.get("only_number") or known is None
        else effect(ident, known.rule, terms),
        "rule": known.rule if known else "",
        "only_number": bool(card.get("only_number")),
    }


def in_words(ident: str, terms: Terms) -> str:
    """An Event or Attack card that one person alone may read: its number, its symbols, our
    paraphrase. Empty for a card that content does not know.
    """
    content = terms.content
    event, attack = content.events.get(ident), content.attacks.get(ident)
    if event:
        kinds = ", ".join(map(terms.piece, event.moves))
        numbers = ", ".join(map(str, event.corridors))
        moves = terms.say("ui.card.moves", {"number": numbers, "kinds": kinds or NOTHING})
        return f"{moves} · {effect(ident, event.rule, terms)}"
    if attack:
        kinds = ", ".join(map(terms.piece, attack.attackers))
        return f"{kinds} · {effect(ident, attack.rule, terms)}"
    return ""


def _attack(card: Mapping[str, Any], ident: str, terms: Terms) -> dict[str, Any]:
    known = terms.content.attacks.get(ident)
    check = bool(card.get("check"))
    attackers = known.attackers if known else ()
    of = kind_of(str(card.get("piece", "")))
    shown: dict[str, Any] = {
        "deck": "attack",
        "title": terms.card(ident),
        "kind": terms.term("attack_card"),
        "check": check,
        "blood": _drop(known.blood_for(of) if check else known.blood) if known else "",
        "blood_of": []
        if known is None or check
        else [
            {"icon": kind, "label": terms.piece(kind), "blood": _drop(blood)}
            for kind, blood in known.blood_of.items()
        ],
        "movers": [{"icon": a, "label": terms.piece(a)} for a in attackers],
        "text": effect(ident, known.rule, terms) if known and card.get("hits") else "",
        "rule": known.rule if known else "",
    }
    if "hits" in card:
        shown["verdict"] = terms.say("ui.card.hits" if card["hits"] else "ui.card.misses")
    if "piece" in card:
        shown["of"] = terms.piece(str(card["piece"]))
    return shown


def _drop(blood: int | None) -> int | str:
    return "arrow" if blood is None else blood


def rule_text(rules: str, terms: Terms) -> str:
    """Our paraphrase of the first rule that an id list names."""
    for ident in rules.split():
        known = terms.content.rules.get(ident)
        if known:
            return known.text.get(terms.language) or known.text["en"]
    return ""


def effect(ident: str, rules: str, terms: Terms) -> str:
    """What a card does: its rule without the name and the symbols, which the card shows itself."""
    text = rule_text(rules, terms)
    head = re.match(rf"{re.escape(terms.card(ident))}( \([^)]*\))?\s?:\s", text)
    said = _in_this_game(text[head.end() :] if head else text, terms)
    return said[:1].upper() + said[1:]


def _in_this_game(text: str, terms: Terms) -> str:
    """A card's text without what it adds about Weaknesses that nobody has discovered."""
    first, *more = re.split(r"(?<=\.) ", text)
    weaknesses = terms.content.weaknesses.items()
    unknown = [w.names.get(terms.language) for i, w in weaknesses if i not in terms.discovered]
    return " ".join([first, *(s for s in more if not any(name in s for name in unknown))])


def objective(ident: str, terms: Terms, *, kept: bool) -> dict[str, Any]:
    """One objective of the reader's own."""
    known = terms.content.objectives.get(ident)
    if known is None:
        return {"title": ident, "text": "", "deck": "", "kept": kept}
    return {
        "title": known.names.get(terms.language),
        "text": terms.objective_text(ident),
        "deck": terms.term(f"objective_{known.deck}"),
        "kept": kept,
    }
