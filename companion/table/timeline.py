"""The evening as a board that can be run through: what stood where, from public events only."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from typing import Any

from companion.game.procedure import PUBLIC
from companion.game.state import kind_of
from companion.table.chain import Row, standing
from companion.table.story import TOLD
from companion.table.taken import facts

MARKS = ("fire", "malfunction", "noise")
BOARD = ("room", "corridor", "space")
DOORS = {
    "door_closed": "closed",
    "door_now_closed": "closed",
    "door_destroyed": "destroyed",
    "door_now_destroyed": "destroyed",
    "door_opened": "open",
    "door_now_open": "open",
    "door_taken": "open",
}
#: Events after which a person stands in no Room any more.
GONE = ("died", "hibernated", "launched", "now_dead", "now_hibernated", "now_launched")

Change = dict[str, Any]


#: The line of a moment that only an answer told.
STANDS = {"type": "stands", "params": {}, "rule": ""}


def timeline(rows: Iterable[Row], people: Mapping[str, int] | None = None) -> list[dict[str, Any]]:
    """Moments in order: ``{round, line {type, params, rule} | None, changes}``.

    A change is ``{piece, to}`` (a Room, or None for off the board; ``seat:<n>`` is a person,
    ``seats`` all of them), ``{mark, at, on}``, ``{door, state}`` or ``{room, tile}``. What was
    undone did not happen, and what only some may know is not in it; what a card took back is no
    line. Where the table was asked how everything stands, what was new in the answer is the moment
    of the answer: a game with *Bag* knows no other. ``people``: the seat of each character.
    """
    moments: list[dict[str, Any]] = []
    rooms: dict[str, str | None] = {}  # where a piece stands
    noisy: set[str] = set()
    number = 1
    rows = standing(rows)
    happened = {id(event) for event in facts(rows)}
    for row in rows:
        events = [event for event in row.events if event["to"] == PUBLIC]
        changes: list[Change] = []
        moved, said = [], [e for e in events if e["type"] in TOLD and id(e) in happened]
        changes += _answered(row.input, people or {}, rooms, noisy)
        rooms.update({c["piece"]: c["to"] for c in changes if "piece" in c})
        for event in events:
            if event["type"] == "round_begins":
                number = int(event["params"]["n"])
            found = list(_changes(event, rooms))
            rooms.update({c["piece"]: c["to"] for c in found if "piece" in c})
            changes += found
            moved += [event] if found else []
        for change in changes:
            if change.get("mark") == "noise":
                (noisy.add if change["on"] else noisy.discard)(change["at"])
        if changes or said:
            line = (said or moved or [STANDS])[-1]
            shown = {"type": line["type"], "params": line["params"], "rule": line["rule"]}
            moments.append({"round": number, "line": shown, "changes": changes})
    return moments


def _answered(
    given: Mapping[str, Any],
    people: Mapping[str, int],
    rooms: Mapping[str, str | None],
    noisy: Set[str],
) -> list[Change]:
    """What an answer to "how does everything stand?" says anew: pieces, Doors, tiles, noise."""
    value = given.get("value")
    if given.get("do") != "answer" or given.get("secret"):
        return []
    if isinstance(value, list) and any("-" in str(space) for space in value):  # corridors: noise
        turned = [(space, True) for space in value if space not in noisy]
        turned += [(space, False) for space in sorted(noisy - set(value))]
        return [{"mark": "noise", "at": space, "on": on} for space, on in turned]
    if not isinstance(value, dict):
        return []
    found: list[Change] = []
    for name, to in value.items():
        piece = f"seat:{people[name]}" if name in people else name
        if "#" in piece or name in people:
            if name in people and to and not str(to).isdigit():
                continue  # how somebody fares, not where
            before = rooms.get(piece, rooms.get("seats") if name in people else None)
            if to != before and (to or name not in people):
                found.append({"piece": piece, "to": to})
        elif to in (None, "open", "closed", "destroyed") and "-" in name:
            found.append({"door": name, "state": to or "open"})
        elif to and name.isdigit():
            found.append({"room": name, "tile": to})
    return found


def _changes(event: dict[str, Any], rooms: Mapping[str, str | None]) -> Iterator[Change]:
    kind, params = event["type"], event["params"]
    if kind == "setup_characters":
        yield {"piece": "seats", "to": params["room"]}
    elif kind == "explored":
        yield {"room": params["room"], "tile": params["tile"]}
    elif kind in DOORS:
        yield {"door": params["corridor"], "state": DOORS[kind]}
        return
    elif kind == "noise":
        yield {"mark": "noise", "at": params["space"], "on": True}
        return
    elif kind == "taken_away" and kind_of(params["piece"]) in MARKS:
        yield {"mark": kind_of(params["piece"]), "at": params["space"], "on": False}
    elif kind == "taken_away":
        yield {"piece": params["piece"], "to": None}
    elif kind == "shifted":
        piece, source, target = params["piece"], params["from_place"], params["to_place"]
        if piece in MARKS:
            yield {"mark": piece, "at": source, "on": False}
            yield {"mark": piece, "at": target, "on": True}
        elif piece == "door":
            yield {"door": source, "state": "open"}
            yield {"door": target, "state": params["door"]}
    elif kind == "put":
        yield {"piece": params["piece"], "to": params["room"]}
    elif kind in GONE and "seat" in params:
        yield {"piece": f"seat:{params['seat']}", "to": None}
    elif kind == "now_aboard":
        seat = f"seat:{params['seat']}"
        start = rooms.get("seats")
        yield {"piece": seat, "to": rooms.get(seat, start) or start}
    elif kind in ("put_character", "stepped_out", "pod_emptied") and "seat" in params:
        yield {"piece": f"seat:{params['seat']}", "to": params["room"]}
    elif "seat" in params and "to_room" in params:
        yield {"piece": f"seat:{params['seat']}", "to": params["to_room"]}
    for moved in event.get("instructions", ()):
        yield from _moved(moved["piece"], moved["from"], moved["to"])


def _moved(piece: str, source: str | None, target: str | None) -> Iterator[Change]:
    """What an instruction does to the board."""
    name = kind_of(piece)
    if name in MARKS:
        for zone, on in ((source, False), (target, True)):
            where, _, place = (zone or "").partition(":")
            if where in BOARD:
                yield {"mark": name, "at": place, "on": on}
    elif "#" in piece:
        where, _, place = (target or "").partition(":")
        yield {"piece": piece, "to": place if where == "room" else None}
