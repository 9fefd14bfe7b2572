"""What a page shows of the species in play alone: levels, markers, meals, cards that lie open."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.rules.species import strategy, written
from web.cards import rule_text
from web.services import View
from web.terms import Terms

Page = dict[str, Any]


def species(view: View, terms: Terms) -> Page:
    """The part of the page that only the species in play fills."""
    name = view["game"].get("species", "")
    ways = strategy(name) if name in written() else None
    held = view.get("species", {})
    return {
        "id": name,
        "tools": [
            {
                "icon": tool["icon"],
                "label": terms.say(f"ui.tool.{tool['key']}"),
                "what": {k: v for k, v in tool.items() if k not in ("icon", "key")},
            }
            for tool in (ways.tools if ways else ())
        ],
        "meals": [_meal(room, terms) for room in held.get("feeding", ())],
        "open": [_open(slot, card, terms) for slot, card in view.get("weaknesses", {}).items()],
    }


def in_play(kind: str, view: View, terms: Terms) -> bool:
    """Whether this game has tokens of a kind: Insanity tokens by the colours of its characters."""
    colours = {terms.content.characters[s["character"]].colour for s in view.get("seats", ())}
    return not kind.startswith("insanity_") or kind.removeprefix("insanity_") in colours


def marks(seat: Mapping[str, Any], terms: Terms) -> list[Page]:
    """What lies on a character's board for this species: ``icon``, ``label`` and a number."""
    own = seat.get("species", {})
    found: list[Page] = []
    if own.get("insanity"):
        label = f"{terms.term('insanity')} {own['insanity']}"
        found.append({"icon": "insanity", "label": label, "value": own["insanity"]})
    if own.get("markers"):
        label = terms.say("ui.mutation_markers", {"n": own["markers"]})
        found.append({"icon": "mutation_marker", "label": label, "value": own["markers"]})
    if own.get("mutation"):
        found.append({"icon": "mutation", "label": _mutation(own["mutation"], terms)})
    return found


def secret(held: Mapping[str, Any], terms: Terms) -> list[Page]:
    """Cards that only their owner sees, as the cover of the own page shows them."""
    card = held.get("mutation")
    if not card:
        return []
    known = terms.content.own_cards.get(card)
    text = rule_text(known.rule, terms) if known and not known.unknown else ""
    return [
        {
            "title": _mutation(card, terms),
            "text": text or terms.say("ui.mutation_read"),
            "deck": terms.term("mutation_card"),
        }
    ]


def _mutation(card: str, terms: Terms) -> str:
    known = terms.content.own_cards.get(card)
    if known is None and card != "unknown":
        return card  # read from its card by this table
    if known is None or known.unknown:
        return terms.term("mutation_card")
    return known.names.get(terms.language)


def _open(slot: str, card: str, terms: Terms) -> Page:
    """A weakness that was found, or what takes its place, and where it lies."""
    known = terms.content.weaknesses.get(card)
    rule = known.rule if known else ""
    return {
        "title": known.names.get(terms.language) if known else card,
        "slot": terms.piece(slot),
        "text": rule_text(rule, terms),
        "rule": rule,
    }


def facts(view: View, terms: Terms) -> list[Page]:
    """The small numbers of the species' own board."""
    held = view.get("species", {})
    found: list[Page] = []
    if "lairs_destroyed" in held:
        label = terms.say("ui.lairs_destroyed")
        found.append({"icon": "lair", "label": label, "value": held["lairs_destroyed"]})
    if "adaptations_removed" in held:
        gone = len(held["adaptations_removed"])
        label = terms.say("ui.adaptations_removed")
        found.append({"icon": "adaptation", "label": label, "value": gone})
    return found


def _meal(fed: Mapping[str, Any], terms: Terms) -> Page:
    """One room before and after feeding, and who ate what."""
    return {
        "room": fed["room"],
        "label": terms.room(fed["room"]),
        "before": _lying(fed["before"], terms),
        "after": _lying(fed["after"], terms),
        "meals": [
            {
                "text": terms.say(
                    "ui.meal.grows" if meal.get("into") else "ui.meal",
                    {
                        "piece": meal["eater"],
                        "food": meal["food"],
                        "into": meal.get("into") or "",
                    },
                ),
                "rule": meal.get("rule", ""),
            }
            for meal in fed["meals"]
        ],
    }


def is_meal(instruction: Mapping[str, Any], view: View) -> bool:
    """Whether a picture of feeding shows what this instruction says."""
    places = (instruction.get("from"), instruction.get("to"))
    return any(
        fed["room"] in places and meal.get("rule") == instruction.get("rule")
        for fed in view.get("species", {}).get("feeding", ())
        for meal in fed["meals"]
    )


def _lying(seen: Mapping[str, Any], terms: Terms) -> list[Page]:
    minis = [
        {"icon": i["type"], "label": terms.piece(i["type"]), "injuries": i["injuries"]}
        for i in seen["intruders"]
    ]
    objects = [{"icon": o, "label": terms.piece(o), "injuries": 0} for o in seen["objects"]]
    eggs = [{"icon": "egg", "label": terms.term("egg"), "injuries": 0, "count": seen["eggs"]}]
    return [*minis, *objects, *(eggs if seen["eggs"] else [])]
