"""What characters find and carry: searching a room, Heavy Objects in their hands, trading.

Item cards are the table's; the companion holds the Item counter of each room and the Objects.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.game import Ask, BadInput, Person, Steps
from companion.game.state import (
    ABOARD,
    INTRUDER_BOARD,
    OBJECTS,
    REMOVED,
    SUPPLY,
    kind_of,
    room_zone,
)
from companion.rules.facts import faces
from companion.rules.markers import nest_if_empty
from companion.rules.play import Play, tell
from companion.rules.verbs import COUNT, PIECE, ROOM, SEAT, verb

OUT = (REMOVED, INTRUDER_BOARD)  # what no hand can have taken unseen


@verb("search", touches=("counters",), seat=SEAT)
def search(play: Play, seat: int) -> Steps:
    """A character searches the room: its Item counter goes down, cards are drawn (BASE-99).

    Fire and Malfunction do not matter (BASE-100), and no noise is made (BASE-101). Nothing is
    asked; refused, as far as it is held: in Combat, in an unexplored room or one without Items,
    with the counter at 0.
    """
    person = play.person(seat)
    if person.state != ABOARD:
        play.refuse("room.not_aboard", seat=seat)
    room = person.room if play.holds("characters") and play.holds("rooms") else None
    tile = None
    if room is not None:
        not_fighting(play, person)
        tile = play.content.tiles.get(play.tile(room) or "")
        if not play.explored(room):
            play.refuse("room.unexplored", room=room)
        elif tile is not None and not tile.search:
            play.refuse("search.not_here", room=room)
    rules = "BASE-99 BASE-101 FAQ-A46"
    if room and (play.marker("fire", room) or play.marker("malfunction", room)):
        rules += " BASE-100"
    colour = tile.colour if tile is not None and tile.search else "unknown"
    if colour == "white" and person.character == "scout":
        colour, rules = "all", f"{rules} BASE-286"
    left = play.state.items.get(room or "") if play.holds("counters") else None
    if left == 0:
        play.refuse("search.nothing_left", room=room)
    yield tell(f"searches_{colour}", rules, seat=seat, room=room)
    if room and left:
        play.state.items[room] = left - 1
        yield tell("item_counter", "BASE-99", room=room, items=left - 1)


@verb("items", room=ROOM, count=COUNT)
def items(play: Play, room: str, count: int) -> Steps:
    """The Item counter of a room stands elsewhere than held."""
    play.state.items[room] = count
    yield tell("item_counter", "BASE-105", room=room, items=count)


@verb("pick_up", seat=SEAT, piece=PIECE)
def pick_up(play: Play, seat: int, piece: str) -> Steps:
    """A character takes a Heavy Object of the room into a free hand slot (BASE-93, BASE-95)."""
    kind = _object(piece)
    person = play.person(seat)
    room = room_zone(person.room or "")
    sources = [room, INTRUDER_BOARD] if play.room_tile("nest") == person.room else [room]
    found = [p for zone in sources for p in play.state.pieces(kind, zone)]
    if not found and play.holds("objects") and play.holds("characters"):
        play.refuse("pick_up.not_here", piece=kind, room=person.room)
    taken = yield from which(play, piece, found or _elsewhere(play, kind))
    free_hand(play, person)
    play.put(taken, f"held:{seat}")
    yield tell("picked_up", "BASE-93 BASE-95", seat=seat, piece=taken)
    yield from nest_if_empty(play)


@verb("put_down", seat=SEAT, piece=PIECE)
def put_down(play: Play, seat: int, piece: str) -> Steps:
    """A carried object stays in the room; an Egg put down in the Nest is no pile (BASE-173)."""
    kind = _object(piece)
    person = play.person(seat)
    laid = yield from which(play, piece, _carried(play, seat, kind))
    if person.room is None:
        raise BadInput("piece", "command.none_left", {"value": kind})
    play.put(laid, room_zone(person.room))
    yield tell("put_down", "BASE-94 BASE-173", seat=seat, piece=laid, room=person.room)


def which(play: Play, piece: str, found: Sequence[str]) -> Steps:
    """Which of several equal objects: the one named, or a Corpse by its owner, who may come back.

    Only where all play together a Corpse is somebody's (BASE-209); otherwise the first will do.
    """
    owners = [p for p in play.state.seats.values() if p.corpse in found]
    if piece in found or len(found) < 2 or not owners:
        return piece if piece in found else found[0]
    seat = yield Ask("faces", "ask.whose_corpse", "BASE-209", options=faces(owners))
    return play.person(seat).corpse or found[0]


@verb("hand_over", seat=SEAT, piece=PIECE, to=SEAT)
def hand_over(play: Play, seat: int, piece: str, to: int) -> Steps:
    """Trade of a Heavy Object with somebody in the same room (BASE-97, FAQ-A47).

    Nothing is asked; refused, as far as it is held: in different rooms, in Combat, not carried,
    no hand free.
    """
    kind = _object(piece)
    giver, taker = play.person(seat), play.person(to)
    if giver is taker:
        raise BadInput("to", "command.unknown_seat", {"value": str(to)})
    together = giver.room is not None and giver.room == taker.room and taker.state == ABOARD
    if play.holds("characters"):
        if not together:
            play.refuse("trade.not_together", seat=seat, to_seat=to)
        not_fighting(play, giver)
    given = yield from which(play, piece, _carried(play, seat, kind))
    free_hand(play, taker)
    play.put(given, f"held:{to}")
    yield tell("handed_over", "BASE-97 BASE-95 FAQ-A47", seat=seat, to_seat=to, piece=given)


def not_fighting(play: Play, person: Person) -> None:
    """Refuse in Combat what is no fight, no Escape and no card (BASE-78)."""
    if play.holds("intruders") and play.in_combat(person):
        play.refuse("search.in_combat", seat=person.seat)


def free_hand(play: Play, person: Person) -> None:
    """Refuse when no hand slot is free: two, or one with an Arm wound (BASE-95, BASE-202)."""
    slots = 1 if "arm" in person.serious else 2
    held = [p for p in play.state.in_zone(f"held:{person.seat}") if kind_of(p) in OBJECTS]
    if len(held) >= slots and play.holds("objects"):
        play.refuse("pick_up.hands_full", seat=person.seat)


def _carried(play: Play, seat: int, kind: str) -> list[str]:
    found = play.state.pieces(kind, f"held:{seat}")
    if not found and play.holds("objects"):
        play.refuse("put_down.not_held", piece=kind, seat=seat)
    return found or _elsewhere(play, kind)


def _elsewhere(play: Play, kind: str) -> list[str]:
    """Pieces of a kind that the table has where they are not held to be: of the supply first.

    BadInput when the box has none.
    """
    found = play.state.pieces(kind, SUPPLY)
    if not found and not play.holds("objects"):
        found = [p for p in play.state.pieces(kind) if play.state.where[p] not in OUT]
    if not found:
        raise BadInput("piece", "command.none_left", {"value": kind})
    return found


def _object(piece: str) -> str:
    kind = kind_of(piece)
    if kind not in OBJECTS:
        raise BadInput("piece", "command.unknown_piece", {"value": piece[:40]})
    return kind
