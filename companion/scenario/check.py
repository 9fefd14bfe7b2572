"""Compares what is with ``[then]``: partial, in the same words as ``[given]``; lists unordered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.game import Person
from companion.game.state import BAG, DECK, DISCARD, SUPPLY, kind_of, label_of
from companion.table import views
from companion.table.ledger import place_of
from companion.table.table import Table


class Known(dict[str, Any]):
    """A table whose words are all there are: another word in a case is a mistake."""


@dataclass(frozen=True, slots=True)
class Either:
    """A fact that may be stated in more than one way."""

    ways: tuple[Any, ...]


def facts(table: Table) -> Known:
    """The state in the words of a scenario."""
    state = table.state
    seen = views.view(table, "table")
    public = {p["seat"]: p for p in seen["seats"]}
    bag: dict[str, int] = {}
    for token in state.tokens(BAG):
        bag[kind_of(token)] = bag.get(kind_of(token), 0) + 1
    spaces = {s: Known(v) for s, v in seen["spaces"].items()}
    return Known(
        first_player=state.first_player,
        round=state.round,
        phase=state.phase,
        over=state.phase == "over",
        ending=state.ending,
        met=state.met,
        destination=state.destination,
        nest_destroyed=state.nest_destroyed,
        first_death=state.first_death,
        tracks=Known(seen["tracks"]),
        bag=Either((bag, state.tokens(BAG))),
        rooms=Known({r: _room(v) for r, v in seen["rooms"].items()}),
        corridors=Known({**{c: Known(v) for c, v in seen["corridors"].items()}, **spaces}),
        spaces=Known(spaces),
        technical=spaces.get("technical", Known()),
        technical_red=spaces.get("technical_red", Known()),
        technical_blue=spaces.get("technical_blue", Known()),
        characters=Known(
            {p.character: _character(p, public[p.seat]) for p in state.seats.values()}
        ),
        eggs=seen.get("eggs", 0),
        weaknesses=Either((state.weaknesses, list(state.weaknesses.values()))),
        hidden_weaknesses=state.hidden.get("weaknesses", {}),
        airlock=state.airlock,
        engines=state.hidden.get("engines", {}),
        coordinates=list(state.hidden.get("coordinates", {}).values()),
        adaptations=[],
        unsure=sorted(state.unsure),
        locked=sorted(state.locked),
        pods={p["id"]: p["section"] for p in seen.get("pods", [])},
        agenda=[e["step"] for e in state.agenda],
        decks={
            deck: {"deck": state.cards(deck, DECK), "discard": state.cards(deck, DISCARD)}
            for deck in ("event", "attack", "wound")
        },
        supply={
            **{k: len(state.pieces(k, SUPPLY)) for k in _kinds(state.where)},
            **{
                f"token:{k}": len(state.tokens(SUPPLY, k))
                for k in {kind_of(t[6:]) for t in state.where if t.startswith("token:")}
            },
        },
    )


def _kinds(where: Mapping[str, str]) -> set[str]:
    return {kind_of(p) for p in where if "#" in p and ":" not in p}


def _room(seen: Mapping[str, Any]) -> Known:
    return Known({**seen, "item_counter": seen["items"]})


def _character(person: Person, public: Mapping[str, Any]) -> Known:
    cards = person.contamination
    wounds = [{"type": w, "dressed": False} for w in person.serious]
    dressed = [{"type": w, "dressed": True} for w in person.dressed]
    return Known(
        {
            **public,
            "light_wounds": person.light,
            "serious_wounds": Either(
                (
                    len(person.serious) + len(dressed),
                    len(person.serious),
                    wounds + dressed,
                    list(person.serious),
                )
            ),
            "dressed_wounds": Either((len(dressed), list(person.dressed))),
            "hand": Either((person.hand, person.hand if person.hand is not None else "unknown")),
            "action_cards": person.action_cards,
            "cards": Known({**cards, "action": person.deck, "contamination": sum(cards.values())}),
            "contamination": sum(cards.values()),
            "insanity": 0,
            "objects": [kind_of(p) for p in public["objects"]],
            "objectives": list(person.objectives),
            "kept": person.kept,
        }
    )


def differences(wanted: Any, found: Any, path: str = "then") -> list[str]:
    """Lines that say where ``found`` is not what is wanted; empty: it matches."""
    if isinstance(found, Either):
        tried = [differences(wanted, way, path) for way in found.ways]
        return min(tried, key=len)
    if isinstance(wanted, Mapping):
        return _table(wanted, found, path)
    if isinstance(wanted, list):
        if isinstance(found, Mapping):
            found = [k for k, n in found.items() if isinstance(n, int) for _ in range(n)]
        if not isinstance(found, Sequence) or isinstance(found, str):
            return [f"{path}: expected a list, found {_shown(found)}"]
        return _unordered(wanted, list(found), path)
    if isinstance(found, Mapping) and isinstance(wanted, str) and "type" in found:
        same = wanted in (found["type"], found.get("id"))
    elif isinstance(found, list) and isinstance(wanted, int) and not isinstance(wanted, bool):
        same = wanted == len(found)
    elif isinstance(wanted, str) and isinstance(found, str):
        same = wanted in (found, label_of(found), kind_of(found))
    elif wanted is False and found is None:
        same = True
    else:
        same = wanted == found and isinstance(wanted, bool) == isinstance(found, bool)
    return [] if same else [f"{path}: expected {_shown(wanted)}, found {_shown(found)}"]


def _shown(value: Any) -> str:
    text = repr(value.ways[0] if isinstance(value, Either) else value)
    return text if len(text) <= 400 else text[:400] + "…"


def _table(wanted: Mapping[str, Any], found: Any, path: str) -> list[str]:
    if isinstance(found, list):  # numbers by kind against a list of pieces
        kinds = [p["type"] if isinstance(p, Mapping) else kind_of(str(p)) for p in found]
        found = {kind: kinds.count(kind) for kind in kinds}
    if not isinstance(found, Mapping):
        return [f"{path}: expected a table, found {_shown(found)}"]
    lines: list[str] = []
    for key, value in wanted.items():
        if key in found:
            lines += differences(value, found[key], f"{path}.{key}")
        elif isinstance(found, Known):
            lines.append(f"{path}.{key}: unknown word; known: {', '.join(map(str, found))}"[:600])
        elif value not in (0, False, [], {}):
            lines.append(f"{path}.{key}: expected {_shown(value)}, found nothing")
    return lines


def unwanted(wanted: Any, found: Any, path: str) -> list[str]:
    """Lines for everything of ``wanted`` that is so: ``[then.not]`` states what must not be."""
    if isinstance(wanted, Mapping) and isinstance(found, (Mapping, Either)):
        if isinstance(found, Either):
            found = next((w for w in found.ways if isinstance(w, Mapping)), {})
        lines: list[str] = []
        for key, value in wanted.items():
            if key in found:
                lines += unwanted(value, found[key], f"{path}.{key}")
            elif isinstance(found, Known):
                lines.append(f"{path}.{key}: unknown word; known: {', '.join(found)}"[:600])
        return lines
    if isinstance(wanted, list) and wanted:
        if isinstance(found, Either):
            found = next((w for w in found.ways if isinstance(w, list)), [])
        items = list(found) if isinstance(found, (list, Mapping)) else []
        return [
            f"{path}: {_shown(item)} is there"
            for item in wanted
            if any(not differences(item, there) for there in items)
        ]
    return [] if differences(wanted, found, path) else [f"{path}: it is {_shown(wanted)}"]


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
    return [f"{path}: expected {_shown(wanted)}, found {_shown(found)}"]


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
