"""What the camera sees against what the table holds: instructions ticked, differences proposed.

The camera never changes the game. A piece seen where an open instruction wants it closes that
instruction; anything else that differs becomes a proposal for a person to take or ignore.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import Any

from companion.table.ports import Placement, Sighting


@dataclass(frozen=True, slots=True)
class Difference:
    """A piece seen elsewhere than held. ``room`` None: seen gone.

    ``twice``: its marker lies at both places (rooms, corridors, ``between`` or ``beside``), which
    nothing can take over: one has to go.
    """

    id: str
    piece: str
    kind: str
    held: str | None
    room: str | None
    twice: bool = False

    def to_json(self) -> dict[str, Any]:
        """As shown in the table's view; ``twice`` only where it is so."""
        return {
            "id": self.id,
            "piece": self.piece,
            "kind": self.kind,
            "from": self.held,
            "to": self.room,
            **({"twice": True} if self.twice else {}),
        }


@dataclass(frozen=True, slots=True)
class Reading:
    """What follows from a sighting: instructions that are done, and proposals."""

    done: tuple[str, ...] = ()
    differences: tuple[Difference, ...] = ()


def held_places(view: Mapping[str, Any]) -> dict[str, str]:
    """Piece → room by the table's view: characters and intruders."""
    places = {s["character"]: s["room"] for s in view["seats"] if s["room"]}
    for room, seen in view["rooms"].items():
        places.update({i["id"]: room for i in seen["intruders"]})
    return places


#: Printed tokens that lie in rooms and corridors, by the word of instructions about them.
TOKENS = ("fire", "malfunction", "door")


def tokens(sighting: Sighting) -> frozenset[tuple[str, str]]:
    """Where replacement tokens are seen: (piece, room or corridor)."""
    return frozenset(
        (p.piece, p.room or p.corridor or "") for p in sighting.pieces if p.kind in TOKENS
    )


def compare(
    view: Mapping[str, Any],
    sighting: Sighting,
    before: frozenset[tuple[str, str]] = frozenset(),
) -> Reading:
    """Read a sighting against the table's view. ``before``: `tokens` seen earlier in this game.

    Interchangeable miniatures are compared by kind and room: which Adult stands where is nobody's
    business. Kinds whose places the table does not track give no difference.
    """
    if not sighting.registration.ok or not view["seats"]:
        return Reading()
    seen = {p.piece: p for p in sighting.pieces if p.kind not in ("command", *TOKENS)}
    done = _done(view, seen, set(sighting.gone))
    done += _tokens_done(view, tokens(sighting), before)
    waiting = {i["piece"] for i in view["instructions"] if i["id"] not in done}
    waiting |= {i["kind"] for i in view["instructions"] if i["id"] not in done}
    held = held_places(view)
    people = {s["character"] for s in view["seats"]}
    found: list[Difference] = []
    for piece, placement in sorted(seen.items()):
        topic = "characters" if piece in people else "intruders"
        unknown = topic == "intruders" and "#" not in piece
        if view["tracking"].get(topic, "tracked") != "tracked" or unknown:
            continue
        if piece in waiting or placement.kind in waiting or placement.room is None:
            continue
        if placement.room != held.get(piece) and not _swapped(piece, placement.room, held, seen):
            found.append(
                Difference(
                    f"d:{piece}:{placement.room}",
                    piece,
                    placement.kind,
                    held.get(piece),
                    placement.room,
                )
            )
    for piece in sighting.gone:
        if piece in held and piece not in seen and piece not in waiting and "#" in piece:
            kind = piece.split("#")[0]
            if kind not in waiting:
                found.append(Difference(f"d:{piece}:gone", piece, kind, held[piece], None))
    return Reading(tuple(done), (*found, *_twice(sighting)))


def spot(placed: Placement) -> str:
    """The room or corridor of a piece, or that it lies ``between`` them or ``beside`` the board."""
    inside = all(0.0 <= share <= 1.0 for share in placed.xy)
    return placed.room or placed.corridor or ("between" if inside else "beside")


def _twice(sighting: Sighting) -> list[Difference]:
    """Markers that lie at two places at once: a card printed twice, or on the wrong figure."""
    places: dict[str, list[str]] = {}
    kinds = {p.piece: p.kind for p in sighting.twice}
    for placed in sighting.twice:
        places.setdefault(placed.piece, []).append(spot(placed))
    return [
        Difference(f"twice:{piece}:{'+'.join(sorted(where))}", piece, kinds[piece], one, two, True)
        for piece, where in places.items()
        for one, two in [sorted(where)[:2]]
    ]


def agreed(view: Mapping[str, Any], sighting: Sighting, ids: Set[str]) -> set[str]:
    """Those of the differences ``ids`` whose piece is now seen where the table holds it."""
    if not sighting.registration.ok:
        return set()
    held = held_places(view)
    right = {p.piece for p in sighting.pieces if p.room and held.get(p.piece) == p.room}
    moved = (ident for ident in ids if not ident.startswith("twice:"))
    return {ident for ident in moved if ident.partition(":")[2].rpartition(":")[0] in right}


def _done(view: Mapping[str, Any], seen: Mapping[str, Any], gone: set[str]) -> list[str]:
    """Instructions whose piece (or an equal one not needed elsewhere) is where it should be."""
    held = held_places(view)
    used: set[str] = set()
    done = []
    for instruction in view["instructions"]:
        piece, kind, target = instruction["piece"], instruction["kind"], instruction["to"]
        if target in view["rooms"]:
            fitting = [
                p
                for p, placement in seen.items()
                if placement.kind == kind and placement.room == target and p not in used
            ]
            settled = {p for p, room in held.items() if room == target and p != piece}
            fitting = [p for p in fitting if p == piece or p not in settled]
            if fitting:
                used.add(piece if piece in fitting else fitting[0])
                done.append(instruction["id"])
        elif piece in gone and piece not in seen:  # to the supply, a board, a hand
            done.append(instruction["id"])
    return done


def _tokens_done(
    view: Mapping[str, Any], now: frozenset[tuple[str, str]], before: frozenset[tuple[str, str]]
) -> list[str]:
    """Instructions for markers and doors that are seen done.

    One that comes is seen where it should be. One that goes was seen there before and is not any
    more: who has not printed these tokens ticks by hand.
    """
    done = []
    for instruction in view["instructions"]:
        piece, source, target = instruction["kind"], instruction["from"], instruction["to"]
        if piece not in TOKENS:
            continue
        gone = (piece, source) in before and (piece, source) not in now
        if (piece, target) in now or (target == "supply" and gone):
            done.append(instruction["id"])
    return done


def _swapped(piece: str, room: str, held: Mapping[str, str], seen: Mapping[str, Any]) -> bool:
    """Whether an equal miniature held in this room is missing there: two that look alike."""
    kind = piece.split("#")[0]
    if "#" not in piece:
        return False
    missing = [
        p
        for p, where in held.items()
        if where == room and p.split("#")[0] == kind and (p not in seen or seen[p].room != room)
    ]
    return bool(missing)
