"""Room actions and what a seat has seen alone, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from web.cards import in_words
from web.services import View
from web.terms import Terms


def actions(room: Mapping[str, Any], view: View, terms: Terms) -> list[dict[str, Any]]:
    """What a room offers: label, cost, choices, and in plain words why not now."""
    return [_action(given, view, terms) for given in room.get("actions", ())]


def _action(given: Mapping[str, Any], view: View, terms: Terms) -> dict[str, Any]:
    refused = given.get("refused")
    kind = given.get("kind")
    return {
        "action": given["action"],
        "label": terms.param("action", given["action"], {}),
        "cost": terms.say("ui.action_cost", {"n": given["cost"]}),
        "kind": kind,
        "targets": [
            {"id": t, "label": str(terms.param(kind or "", t, {}))}
            for t in given.get("targets", ())
        ],
        "scans": _scans(view) if given.get("scans") else None,
        "reason": terms.say(f"refuse.{refused['code']}", refused["params"]) if refused else "",
    }


def _scans(view: View) -> str:
    """``hand``: the table scans with the box's scanner; ``cards``: how many has to be said."""
    return "hand" if view.get("truth", {}).get("contamination") == "physical" else "cards"


def seen(entries: Sequence[Mapping[str, Any]], terms: Terms) -> list[dict[str, Any]]:
    """What was shown to one seat alone, newest first: title, text, and when."""
    return [
        {**_shown(entry, terms), "when": terms.say("ui.round", {"n": entry.get("round", 0)})}
        for entry in reversed(entries)
    ]


def _shown(entry: Mapping[str, Any], terms: Terms) -> dict[str, str]:
    match entry["kind"]:
        case "engine":
            return {
                "title": terms.tile(f"engine_{entry['engine']}"),
                "text": terms.term(entry["state"]),
            }
        case "coordinates":
            places = sorted(entry["places"].items())
            text = " · ".join(f"{letter.upper()} {terms.term(place)}" for letter, place in places)
            return {"title": terms.term("coordinates"), "text": text}
        case "event":
            return {
                "title": terms.card(entry["card"]),
                "text": in_words(entry["card"], terms),
            }
        case "room":
            found = [terms.tile(entry["tile"])] if "tile" in entry else []
            if "exploration" in entry:
                found.append(str(terms.param("exploration", entry["exploration"], {})))
            return {"title": str(entry["room"]), "text": " · ".join(found)}
    return {"title": str(entry["kind"]), "text": ""}
