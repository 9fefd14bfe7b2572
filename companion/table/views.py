"""What each audience may know, made here and nowhere else.

Every view is built up from nothing by what its audience may see; there is nothing to take out
afterwards. The table's view holds public facts; a seat's adds its own; the host's adds recovery
and switches, and no secret. `companion.table.session` numbers them per stream.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from companion.game import Ask, Person, State
from companion.game.state import (
    ABOARD,
    BAG,
    BOTTOM,
    DECK,
    DISCARD,
    INTRUDER_BOARD,
    OBJECTS,
    SUPPLY,
    corridor_zone,
    in_order,
    kind_of,
    room_zone,
)
from companion.rules import Play
from companion.rules.checklist import checklist
from companion.rules.fresh import offers
from companion.rules.rooms import Action, actions_in, bar
from companion.rules.species import strategy, written
from companion.rules.tables import PRESETS
from companion.table.due import due
from companion.table.fairness import SECRET, SHARES
from companion.table.ledger import place_of
from companion.table.table import Table


def view(
    table: Table,
    audience: str,
    extra: Mapping[str, Any] | None = None,
    shared: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The view of ``table``, ``host`` or ``seat:<n>`` as JSON data.

    ``shared`` is what `public` gave for this moment, to make several views of one state.

    ``extra`` are public facts from outside the game: health of the parts, the camera's
    differences, who is present. Raises KeyError for an unknown audience.
    """
    seen = dict(public(table) if shared is None else shared)
    seen.update(extra or {})
    seat = _seat(audience)
    seen["prompts"] = [
        _prompt(i, ask) for i, ask in table.prompts().items() if not ask.secret or seat == ask.to
    ]
    seen["waiting"] = sum(ask.secret for ask in table.prompts().values())
    seen["log"] = table.log.lines(seat)
    if seat is not None:
        seen["me"] = _own(table, seat)
    elif audience == "host":
        learnt = {key: dict(line) for key, line in sorted(table.state.learnt.items())}
        seen["host"] = {"undone": table.redoable() is not None, "learnt": learnt}
    return seen


def _seat(audience: str) -> int | None:
    if audience in ("table", "host"):
        return None
    kind, _, number = audience.partition(":")
    if kind != "seat" or number not in ("1", "2", "3", "4", "5"):
        raise KeyError(audience)
    return int(number)


def public(table: Table) -> dict[str, Any]:
    """What everybody may know: the part that all views have in common."""
    state = table.state
    header = table.journal.header
    seen: dict[str, Any] = {
        "game": {
            "id": header.get("game", ""),
            "name": state.game,
            "board": state.board,
            "species": state.species,
            "mode": state.mode,
            "status": _status(table),
            "simulated": bool(header.get("simulated")),
            "content": header.get("content", ""),
            "commitment": header.get("commitment", ""),
            "ending": state.ending,
            "coop": state.coop,
            "intruder_player": state.intruder_player,
            "intruder_seat": state.intruder_seat,
            "seating": dict(state.seating),
            "players": _players(table),
        },
        "round": state.round,
        "phase": state.phase,
        "step": state.step,
        "agenda": [e["step"] for e in state.agenda if e.get("wait")],
        "tracks": {
            "start": table.content.games[state.game].time_start if state.game else 0,
            "time": state.time,
            "self_destruct": state.self_destruct,
            "hibernation": state.hibernation_open,
        },
        "first_player": state.first_player,
        "turn": state.turn,
        "choices": _choices(table),
        "people": {str(s): dict(p) for s, p in sorted(table.ledger.people.items())},
        "seats": [],
        "rooms": {},
        "corridors": {},
        "spaces": {},
        "tracking": dict(state.tracking),
        "truth": dict(state.truth),
        "switches": dict(state.switches),
        "preset": state.preset,
        "unsure": sorted(state.unsure),
        "instructions": [dict(i) for i in due(table)],
        "last_card": state.last_card,
        "differences": [],
        "verdicts": [dict(v) for v in state.verdicts],
        "winners": None if state.winners is None else list(state.winners),
        "seal": _seal(table),
    }
    if state.phase != "lobby":
        play = Play(state, table.content)
        lying = _by_zone(state)
        told = {seat: str(p.get("name", "")) for seat, p in table.ledger.people.items()}
        seen["seats"] = [
            {**_person(play, p, lying), "name": p.name or told.get(seat, "")}
            for seat, p in sorted(state.seats.items())
        ]
        seen["rooms"] = {room: _room(play, room, lying) for room in sorted(play.board.rooms)}
        seen["corridors"] = {
            c: _corridor(play, lying.get(corridor_zone(c), []))
            for c in sorted(play.board.corridors)
        }
        seen["spaces"] = {s: {"noise": f"space:{s}" in lying} for s in sorted(play.board.spaces)}
        seen["pods"] = _pods(play)
        seen["eggs"] = _kinds(lying, INTRUDER_BOARD)["egg"]
        seen["nest_destroyed"] = state.nest_destroyed
        seen["destination"] = state.destination
        seen["airlock"] = state.airlock
        seen["weaknesses"] = dict(state.weaknesses)
        seen["bag"] = {"count": sum(p.startswith("token:") for p in lying.get(BAG, ()))}
        seen["offers"] = [] if table.root else offers(play)  # while a question is open, no card
        seen["decks"] = {
            deck: {
                "left": len(_cards(lying, deck, DECK)) + len(_cards(lying, deck, BOTTOM)),
                "discard": _cards(lying, deck, DISCARD),
            }
            for deck in ("event", "attack", *play.content.species[state.species].decks)
        }
        spare = _kinds(lying, SUPPLY)
        seen["species"] = play.species.view(play)
        seen["phase_steps"] = list(play.species.phase(play))
        seen["supply"] = {kind: spare[kind] for kind in ("fire", "malfunction", "door", "egg")}
    seen["checklist"] = _checklist(table)
    seen["can"] = _can(table)
    seen["statistics"] = _statistics(table)
    return seen


def _statistics(table: Table) -> dict[str, Any] | None:
    """Bag and odds when the host lets them be seen, the evening's numbers when it is over too."""
    state = table.state
    if not table.ledger.statistics and state.phase != "over":
        return None
    found = table.statistics()
    reaction = Play(state, table.content).weakness("reaction_to_danger")
    return None if found is None else found.to_json(reaction=reaction)


def _status(table: Table) -> str:
    """``over`` when the last verdict is told, not before."""
    if table.state.phase == "lobby":
        return "lobby"
    return "over" if table.finished else "playing"


def _players(table: Table) -> int:
    """How many play: while they draft, those who have no character yet among them."""
    root = table.root
    if root is not None and table.state.phase == "setup":
        return len(root.args["players"])
    return len(table.state.seats)


def _seal(table: Table) -> dict[str, Any] | None:
    """The opened seal of a game that is over, and how many draws were undone in it."""
    if not table.finished:
        return None
    rows = (row for row in table.journal.rows() if row.kind == "undo")
    undone = sum(int(e["params"].get("n", 0)) for row in rows for e in row.events)
    journal = table.journal
    return {
        "commitment": journal.header.get("commitment", ""),
        "secret": journal.kept(SECRET),
        "shares": dict(journal.kept(SHARES) or {}),
        "undone": undone,
    }


def _choices(table: Table) -> dict[str, list[str]]:
    content = table.content
    return {
        "boards": [b for b in content.boards if b.split("/")[0] in content.games],
        "species": [s for s in content.species if s in written()],
        "by_player": [s for s in content.species if s in written() and strategy(s).by_player],
        "modes": ["standard"],
        "presets": list(PRESETS),
        "characters": sorted(content.characters),
    }


def _checklist(table: Table) -> list[dict[str, Any]]:
    """The steps of the setup, until all are ticked, somebody closes it or the turn is over."""
    state, checked = table.state, table.ledger.checked
    if state.phase != "player" or state.round != 1 or "all" in checked:
        return []
    people = table.ledger.people.items()
    present = [seat for seat, person in people if person.get("present")]
    tasks = checklist(Play(state, table.content), present)
    if all(task.id in checked for task in tasks):
        return []
    return [{**task.to_json(), "done": task.id in checked} for task in tasks]


def _by_zone(state: State) -> dict[str, list[str]]:
    """Every zone's pieces, in order: one pass for the whole view."""
    found: dict[str, list[str]] = {}
    for piece in in_order(state.where):
        found.setdefault(state.where[piece], []).append(piece)
    return found


def _kinds(lying: Mapping[str, list[str]], zone: str) -> Counter[str]:
    """How many pieces of each kind lie in a zone."""
    return Counter(kind_of(p) for p in lying.get(zone, ()) if "#" in p)


def _cards(lying: Mapping[str, list[str]], deck: str, zone: str) -> list[str]:
    """The cards of a deck in a zone, in order, without the prefix (`State.cards`)."""
    head = f"{deck}:"
    return [p[len(head) :] for p in lying.get(zone, ()) if p.startswith(head)]


def _person(play: Play, person: Person, lying: Mapping[str, list[str]]) -> dict[str, Any]:
    fighting = person.state == ABOARD and any(
        kind_of(p) in play.content.species[play.state.species].creatures and "#" in p
        for p in lying.get(room_zone(person.room or ""), [])
    )
    return {
        "seat": person.seat,
        "number": person.number,
        "character": person.character,
        "colour": play.content.characters[person.character].colour,
        "language": person.language,
        "state": person.state,
        "room": person.room,
        "pod": person.pod,
        "light": person.light,
        "serious": len(person.serious),
        "dressed": len(person.dressed),
        "slime": person.slime,
        "signal": person.signal,
        "passed": person.passed,
        "larva": f"sheet:{person.seat}" in lying,
        "contamination": sum(person.contamination.values()),
        "objects": [p for p in lying.get(f"held:{person.seat}", []) if kind_of(p) in OBJECTS],
        "in_combat": fighting,
        "objectives": {
            "dealt": len(person.objectives),
            "kept": person.kept is not None,
            "open": list(person.objectives) if play.state.coop else [],
        },
        "species": play.species.person_view(play, person),
    }


def _room(play: Play, room: str, lying: Mapping[str, list[str]]) -> dict[str, Any]:
    state = play.state
    creatures = play.content.species[state.species].creatures
    here = lying.get(room_zone(room), [])
    kinds = [kind_of(p) for p in here]
    minis = [p for p in here if kind_of(p) in creatures]
    minis.sort(key=lambda m: -creatures[kind_of(m)].size)
    failing = "malfunction" in kinds and play.holds("malfunction")
    return {
        "explored": room in state.explored,
        "tile": play.tile(room),
        "items": state.items.get(room),
        "fire": "fire" in kinds,
        "malfunction": "malfunction" in kinds,
        "intruders": [
            {"id": m, "type": kind_of(m), "injuries": state.injuries.get(m, 0)} for m in minis
        ],
        "objects": [k for k in kinds if k in OBJECTS],
        "actions": [_action(play, room, what, failing) for what in actions_in(play, room).values()],
    }


def _action(play: Play, room: str, what: Action, failing: bool) -> dict[str, Any]:
    """What a room offers, and why not now; who may use it, a page sees from places and Combat."""
    targets = what.targets(play, room)
    barred = bar(play, room, what, failing=failing)
    if barred is None and what.empty and not targets:
        barred = what.empty, {"room": room}
    return {
        "action": what.name,
        "cost": what.cost,
        "kind": what.kind or None,
        "targets": targets,
        "scans": what.scans,
        "refused": barred and {"code": barred[0], "params": barred[1]},
    }


def _corridor(play: Play, here: list[str]) -> dict[str, Any]:
    door = next((p for p in here if kind_of(p) == "door"), None)
    state = "open" if door is None else "closed"
    if door in play.state.destroyed:
        state = "destroyed"
    return {"door": state, "noise": any(kind_of(p) == "noise" for p in here)}


def _pods(play: Play) -> list[dict[str, Any]]:
    return [
        {"id": p, "section": place_of(zone), "locked": p in play.state.locked}
        for p, zone in sorted(i for i in play.state.where.items() if i[0].startswith("pod_"))
        if zone.startswith("section:")
    ]


def _can(table: Table) -> dict[str, Any]:
    """What the buttons of every page may do: from public facts only."""
    state = table.state
    waiting = table.root is None and bool(state.agenda)
    undo = table.undoable()
    redo = table.redoable()
    return {
        "event_phase": table.root is None and state.phase == "player" and not state.agenda,
        "next": state.agenda[0]["step"] if waiting else None,
        "undo": None
        if undo is None
        else {"do": undo.inputs[0]["do"], "target": undo.seq, "params": _public_input(undo.inputs)},
        "interrupt": undo is not None and table.interruptible(),
        "redo": None if redo is None else {"do": redo.inputs[0]["do"]},
        "close_step": table.root is not None and all(a.by_hand for a in table.root.open.values()),
    }


def _public_input(inputs: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    first = next(iter(inputs))
    public = ("seat", "to", "room", "piece", "corridor", "step", "intruder")
    return {k: first[k] for k in public if k in first}


def _prompt(ident: str, ask: Ask) -> dict[str, Any]:
    return {
        "id": ident,
        "to": "any" if ask.to == "any" else [f"seat:{ask.to}"],
        "kind": ask.kind,
        "key": ask.key,
        "params": dict(ask.params),
        "options": [o.to_json() for o in ask.options],
        "prefill": ask.prefill,
        "multiple": ask.multiple,
        "pieces": None if ask.pieces is None else list(ask.pieces),
        "free": ask.free,
        "rule": ask.rule,
        "secret": ask.secret,
        "by_hand": ask.by_hand,
    }


def _own(table: Table, seat: int) -> dict[str, Any]:
    person = table.state.seats.get(seat)
    held = list(person.objectives) if person else []
    play = Play(table.state, table.content)
    return {
        "seat": seat,
        "secrets": {
            "objectives": held,
            "kept": person.kept if person else None,
            "seen": [dict(entry) for entry in person.seen] if person else [],
            "species": play.species.secret_view(play, person) if person else {},
        },
    }
