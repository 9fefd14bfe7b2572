"""Compares what is with ``[then]``: partial, in the same words as ``[given]``; lists unordered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.game import BadInput, Person
from companion.game.state import (
    BAG,
    DECK,
    DISCARD,
    INTRUDER_BOARD,
    SUPPLY,
    kind_of,
    label_of,
)
from companion.rules import Play
from companion.rules.facedown import SLOTS
from companion.rules.verdicts import JUDGED, MET
from companion.rules.victory import trophy_taken
from companion.scenario.lines import Line, differs, shown, unknown
from companion.table import views
from companion.table.ledger import place_of
from companion.table.table import Table


class Known(dict[str, Any]):
    """A table whose words are all there are: another word in a case is a mistake."""


class Counted(dict[str, Any]):
    """A table of what is there by name; ``names`` are those that could be."""

    def __init__(self, there: Mapping[str, Any], names: Iterable[str]) -> None:
        super().__init__(there)
        self.names = {*names, *there}


#: Tables of a page whose words depend on what they tell of.
FREE = ("params", "choices", "people")


def closed(value: Any, name: str = "") -> Any:
    """A page's data with its words known all the way down."""
    if isinstance(value, Mapping):
        inner = {str(k): closed(v, str(k)) for k, v in value.items()}
        return inner if name in FREE else Known(inner)
    return [closed(v) for v in value] if isinstance(value, list) else value


@dataclass(frozen=True, slots=True)
class Either:
    """A fact that may be stated in more than one way."""

    ways: tuple[Any, ...]


def _trophy_taken(table: Table) -> bool:
    if table.state.phase == "lobby":
        return False
    play = Play(table.state, table.content)
    return trophy_taken(play)


def facts(table: Table) -> Known:
    """The state in the words of a scenario."""
    state = table.state
    seen = views.view(table, "table")
    public = {p["seat"]: p for p in seen["seats"]}
    bag: dict[str, int] = {}
    for token in state.tokens(BAG):
        bag[kind_of(token)] = bag.get(kind_of(token), 0) + 1
    spaces = {s: Known(v) for s, v in seen["spaces"].items()}
    kinds = {kind_of(p[6:]) for p in state.where if p.startswith("token:")}
    return Known(
        first_player=state.first_player,
        round=state.round,
        phase=state.phase,
        over=state.phase == "over",
        ending=state.ending,
        met=state.met,
        intruder_player=state.intruder_seat or False,
        destination=state.destination,
        nest_destroyed=state.nest_destroyed,
        queen_killed=_trophy_taken(table),
        coop=state.coop,
        ship_destroyed=state.ship_destroyed,
        reached=state.reached,
        winners=_winners(table),
        verdicts=_verdicts(table),
        first_death=state.first_death,
        tracks=Known(seen["tracks"]),
        bag=Either((Counted(bag, kinds), state.tokens(BAG))),
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
        intruder_board=[p for p, zone in state.where.items() if zone == INTRUDER_BOARD],
        own=state.own,
        weaknesses=Either((state.weaknesses, list(state.weaknesses.values()))),
        hidden_weaknesses=state.hidden.get("weaknesses", {}),
        airlock=state.airlock,
        engines=Counted(state.hidden.get("engines", {}), ("1", "2", "3")),
        coordinates=list(state.hidden.get("coordinates", {}).values()),
        adaptations=_adaptations(table),
        learnt=state.learnt,
        **{k: closed(v) for k, v in seen.get("species", {}).items()},
        unsure=sorted(state.unsure),
        locked=sorted(state.locked),
        pods=Counted(
            {p["id"]: p["section"] for p in seen.get("pods", [])},
            (p for p in state.where if p.startswith("pod_")),
        ),
        agenda=[e["step"] for e in state.agenda],
        decks=Known(
            {
                deck: Known(deck=state.cards(deck, DECK), discard=state.cards(deck, DISCARD))
                for deck in _decks(table)
            }
        ),
        supply=Known(
            {
                **{k: len(state.pieces(k, SUPPLY)) for k in _kinds(state.where)},
                **{f"token:{k}": len(state.tokens(SUPPLY, k)) for k in kinds},
            }
        ),
    )


def _adaptations(table: Table) -> Any:
    """Cards of the own slots of a species that are turned, by slot or as a list."""
    state = table.state
    if state.phase == "lobby" or Play(state, table.content).species.slots == SLOTS:
        return []
    return Either((state.weaknesses, list(state.weaknesses.values())))


def _decks(table: Table) -> tuple[str, ...]:
    species = table.content.species.get(table.state.species)
    return ("event", "attack", "wound", *(species.decks if species else ()))


def _winners(table: Table) -> Either:
    """By seat or by character."""
    seats = table.state.winners
    if seats is None:
        return Either((None,))
    return Either((list(seats), [table.state.seats[s].character for s in seats]))


#: What a verdict says of a survivor's body, or mind.
BODIES = {
    "verdict_healthy": "healthy",
    "verdict_recovers": "recovers",
    "verdict_succumbs": "succumbs",
    "verdict_endures": "endures",
    "verdict_mutates": "mutates",
    "verdict_sane": "healthy",
    "verdict_keeps_mind": "recovers",
    "verdict_loses_mind": "succumbs",
}


def _verdicts(table: Table) -> Known:
    """``engines``, ``course``, and by character ``contamination`` and ``objectives``."""
    found = Known(engines=None, course=None, spared=[], contamination=Known(), objectives=Known())
    for seat in table.state.seats.values():
        found["contamination"][seat.character] = found["objectives"][seat.character] = None
    for verdict in table.state.verdicts:
        params = verdict["params"]
        person = table.state.seats.get(params.get("seat"))
        who = person.character if person else ""
        match verdict["type"]:
            case "verdict_ship_gone" | "verdict_engines_hold" | "verdict_engines_fail" as told:
                found["engines"] = {"gone": "skipped", "hold": "hold", "fail": "explode"}[
                    told.rsplit("_", 1)[1]
                ]
            case "verdict_course":
                found["course"] = params["arrival"]
            case "verdict_spared":
                found["spared"].append(who)
            case told if told in BODIES:
                found["contamination"][who] = BODIES[told]
            case told if told in JUDGED:
                found["objectives"][who] = verdict["type"] in MET
    return found


def _kinds(where: Mapping[str, str]) -> set[str]:
    return {kind_of(p) for p in where if "#" in p and ":" not in p}


def _room(seen: Mapping[str, Any]) -> Known:
    return Known({**closed(seen), "item_counter": seen["items"]})


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
            **public["species"],
            "mutation": person.own.get("mutation"),
            "mutation_markers": person.own.get("markers", 0),
            "objects": [kind_of(p) for p in public["objects"]],
            "objectives": list(person.objectives),
            "kept": person.kept,
        }
    )


def differences(wanted: Any, found: Any, path: str = "then") -> list[Line]:
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
            return [differs(path, wanted, found)]
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
    return [] if same else [differs(path, wanted, found)]


def _must_know(key: str, found: Mapping[str, Any], path: str) -> None:
    """BadInput for a word that a table cannot have, whatever is in it now."""
    if isinstance(found, Known):
        raise unknown(path, key, found)
    if isinstance(found, Counted) and key not in found.names:
        raise unknown(path, key, sorted(found.names))


def _table(wanted: Mapping[str, Any], found: Any, path: str) -> list[Line]:
    if isinstance(found, list):  # numbers by kind against a list of pieces
        if any(isinstance(p, Mapping) and "type" not in p for p in found):
            raise BadInput(path, "scenario.no_table", {"found": shown(found)})
        kinds = [p["type"] if isinstance(p, Mapping) else kind_of(str(p)) for p in found]
        found = {kind: kinds.count(kind) for kind in kinds}
    if not isinstance(found, Mapping):
        if found is not None:
            raise BadInput(path, "scenario.no_table", {"found": shown(found)})
        return [differs(path, wanted, found)]
    lines: list[Line] = []
    for key, value in wanted.items():
        if key in found:
            lines += differences(value, found[key], f"{path}.{key}")
            continue
        _must_know(key, found, path)
        if value not in (0, False, [], {}):
            lines.append(differs(f"{path}.{key}", value, None))
    return lines


def unwanted(wanted: Any, found: Any, path: str) -> list[Line]:
    """Lines for everything of ``wanted`` that is so: ``[then.not]`` states what must not be."""
    if isinstance(wanted, Mapping) and isinstance(found, (Mapping, Either)):
        if isinstance(found, Either):
            found = next((w for w in found.ways if isinstance(w, Mapping)), {})
        lines: list[Line] = []
        for key, value in wanted.items():
            if key in found:
                lines += unwanted(value, found[key], f"{path}.{key}")
            else:
                _must_know(key, found, path)
        return lines
    if isinstance(wanted, list) and wanted:
        if isinstance(found, Either):
            found = next((w for w in found.ways if isinstance(w, list)), [])
        items = list(found) if isinstance(found, (list, Mapping)) else []
        return [
            Line(f"{path}: {shown(item)} is there", "is_so", path=path, value=shown(item))
            for item in wanted
            if any(not differences(item, there) for there in items)
        ]
    if differences(wanted, found, path):
        return []
    return [Line(f"{path}: it is {shown(wanted)}", "is_so", path=path, value=shown(wanted))]


def pieces_are_known(stated: Any, kinds: Iterable[str], path: str) -> None:
    """BadInput for a kind of piece, or a word of one, that no room could hold."""
    known = sorted(kinds)
    rooms = stated.get("rooms") if isinstance(stated, Mapping) else None
    for room, inside in rooms.items() if isinstance(rooms, Mapping) else ():
        for name in ("intruders", "objects"):
            pieces = inside.get(name) if isinstance(inside, Mapping) else None
            where = f"{path}.rooms.{room}.{name}"
            for piece in pieces if isinstance(pieces, (list, Mapping)) else ():
                if isinstance(piece, Mapping):
                    for word in piece:
                        if word not in PIECE:
                            raise unknown(where, word, PIECE)
                    piece = piece.get("type")
                if isinstance(piece, str) and kind_of(piece) not in known:
                    raise unknown(where, piece, known)


PIECE = ("id", "type", "injuries")


def _unordered(wanted: list[Any], found: list[Any], path: str) -> list[Line]:
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
    return [differs(path, wanted, found)]


INSTRUCTION = ("piece", "kind", "from", "to", "via", "rule")


def instruction_differences(wanted: list[Any], events: list[Mapping[str, Any]]) -> list[Line]:
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
    lines: list[Line] = []
    for want in wanted:
        for word in want:
            if word not in INSTRUCTION:
                raise unknown("then.instructions", word, INSTRUCTION)
        for one in given:
            piece = want.get("piece")
            rest = {k: v for k, v in want.items() if k != "piece"}
            if piece in (None, one["piece"], one["kind"]) and not differences(rest, one):
                given.remove(one)
                break
        else:
            others = [{k: g[k] for k in ("piece", "from", "to")} for g in given]
            lines.append(differs("then.instructions", want, others))
    return lines
