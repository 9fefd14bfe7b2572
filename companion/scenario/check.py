"""Compares what is with ``[then]``: partial, in the same words as ``[given]``; lists unordered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.game.state import BAG, DECK, DISCARD, SUPPLY, kind_of, label_of
from companion.table import views
from companion.table.ledger import place_of
from companion.table.table import Table


def facts(table: Table) -> dict[str, Any]:
    """The state in the words of a scenario."""
    state = table.state
    seen = views.view(table, "table")
    characters = {}
    for person in state.seats.values():
        public = next(p for p in seen["seats"] if p["seat"] == person.seat)
        characters[person.character] = {
            **public,
            "light_wounds": person.light,
            "serious_wounds": len(person.serious) + len(person.dressed),
            "wounds": list(person.serious),
            "hand": person.hand,
            "cards": dict(person.contamination),
            "objects": [kind_of(p) for p in public["objects"]],
            "objectives": list(person.objectives),
            "kept": person.kept,
        }
    bag: dict[str, int] = {}
    for token in state.tokens(BAG):
        bag[kind_of(token)] = bag.get(kind_of(token), 0) + 1
    return {
        "first_player": state.first_player,
        "round": state.round,
        "phase": state.phase,
        "ending": state.ending,
        "met": state.met,
        "destination": state.destination,
        "nest_destroyed": state.nest_destroyed,
        "first_death": state.first_death,
        "tracks": seen["tracks"],
        "bag": bag,
        "tokens": sorted(label_of(t) for t in state.tokens(BAG)),
        "rooms": seen["rooms"],
        "corridors": seen["corridors"],
        "spaces": seen["spaces"],
        "technical": seen["spaces"].get("technical", {}),
        "characters": characters,
        "eggs": seen["eggs"],
        "weaknesses": state.weaknesses,
        "unsure": sorted(state.unsure),
        "locked": sorted(state.locked),
        "pods": {p["id"]: p["section"] for p in seen["pods"]},
        "agenda": [e["step"] for e in state.agenda],
        "decks": {
            deck: {"deck": state.cards(deck, DECK), "discard": state.cards(deck, DISCARD)}
            for deck in ("event", "attack")
        },
        "supply": {
            kind: len(state.pieces(kind, SUPPLY))
            for kind in sorted({kind_of(p) for p in state.where if "#" in p and ":" not in p})
        },
    }


def differences(wanted: Any, found: Any, path: str = "then") -> list[str]:
    """Lines that say where ``found`` is not what is wanted; empty: it matches."""
    if isinstance(wanted, Mapping):
        if not isinstance(found, Mapping):
            return [f"{path}: expected a table, found {found!r}"]
        lines: list[str] = []
        for key, value in wanted.items():
            if key not in found:
                if value in (0, False, None, [], {}):
                    continue
                lines.append(f"{path}.{key}: expected {value!r}, found nothing")
            else:
                lines += differences(value, found[key], f"{path}.{key}")
        return lines
    if isinstance(wanted, list):
        if isinstance(found, Mapping):
            found = [k for k, n in found.items() for _ in range(n)]
        if not isinstance(found, Sequence) or isinstance(found, str):
            return [f"{path}: expected a list, found {found!r}"]
        return _unordered(wanted, list(found), path)
    if wanted is False and found is None:
        return []
    if wanted != found or isinstance(wanted, bool) != isinstance(found, bool):
        return [f"{path}: expected {wanted!r}, found {found!r}"]
    return []


def _unordered(wanted: list[Any], found: list[Any], path: str) -> list[str]:
    """Every wanted item has its own partner, and nothing is left over."""
    partners: dict[int, int] = {}

    def assign(w: int, seen: set[int]) -> bool:
        for f in range(len(found)):
            if f in seen or differences(wanted[w], found[f]):
                continue
            seen.add(f)
            if f not in partners or assign(partners[f], seen):
                partners[f] = w
                return True
        return False

    matched = sum(assign(w, set()) for w in range(len(wanted)))
    if matched == len(wanted) == len(found):
        return []
    return [f"{path}: expected {wanted!r}, found {found!r}"]


def instruction_differences(wanted: list[Any], events: list[Mapping[str, Any]]) -> list[str]:
    """Each wanted instruction was given, by kind or identity, from and to by place."""
    given = [
        {
            "piece": i["piece"],
            "kind": kind_of(i["piece"]),
            "from": place_of(i["from"]),
            "to": place_of(i["to"]),
            "via": i["via"],
            "rule": event["rule"],
        }
        for event in events
        for i in event.get("instructions", ())
    ]
    lines = []
    for want in wanted:
        for one in given:
            piece = want.get("piece")
            rest = {k: v for k, v in want.items() if k != "piece"}
            if piece in (None, one["piece"], one["kind"]) and not differences(rest, one):
                given.remove(one)
                break
        else:
            shown = [(g["piece"], g["from"], g["to"]) for g in given]
            lines.append(f"then.instructions: {want!r} was not given; others: {shown!r}")
    return lines
