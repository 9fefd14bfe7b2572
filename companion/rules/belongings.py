"""What characters find and carry: searching a room, Heavy Objects in their hands, trading.

Item cards are the table's; the companion holds the Item counter of each room and the Objects.
"""

from __future__ import annotations

from companion.game import BadInput, Need, Person, Steps
from companion.game.state import ABOARD, INTRUDER_BOARD, OBJECTS, SUPPLY, kind_of, room_zone
from companion.rules.facts import Characters, Explored, Intruders
from companion.rules.markers import nest_if_empty
from companion.rules.play import Play, tell
from companion.rules.verbs import COUNT, PIECE, ROOM, SEAT, verb


@verb("search", touches=("characters", "intruders", "rooms"), seat=SEAT)
def search(play: Play, seat: int) -> Steps:
    """A character searches the room: its Item counter goes down, cards are drawn (BASE-99).

    Fire and Malfunction do not matter (BASE-100), and no noise is made (BASE-101). Refused: in
    Combat, in an unexplored room or one without Items, with the counter at 0.
    """
    person = play.person(seat)
    yield Need(Characters("BASE-99"))
    room = person.room
    if person.state != ABOARD or room is None:
        play.refuse("room.not_aboard", seat=seat)
        return
    yield Need(Intruders("BASE-99"))
    if play.in_combat(person):
        play.refuse("search.in_combat", seat=seat)
    yield Need(Explored("BASE-99"))
    tile = play.content.tiles.get(play.tile(room) or "")
    if tile is None or not play.explored(room):
        play.refuse("room.unexplored", room=room)
        return
    if not tile.search:
        play.refuse("search.not_here", room=room)
    left = play.state.items.get(room)
    if left == 0:
        play.refuse("search.nothing_left", room=room)
    if left:
        play.state.items[room] = left - 1
    rules = "BASE-99 BASE-101 FAQ-A46"
    if play.marker("fire", room) or play.marker("malfunction", room):
        rules += " BASE-100"
    colour = tile.colour
    if colour == "white" and person.character == "scout":
        colour, rules = "all", f"{rules} BASE-286"
    yield tell(f"searches_{colour}", rules, seat=seat, room=room)
    yield tell("item_counter", "BASE-99", room=room, items=play.state.items.get(room))


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
    if not found:
        play.refuse("pick_up.not_here", piece=kind, room=person.room)
        found = play.state.pieces(kind, SUPPLY)
    if not found:
        raise BadInput("piece", "command.none_left", {"value": kind})
    free_hand(play, person)
    play.put(found[0], f"held:{seat}")
    yield tell("picked_up", "BASE-93 BASE-95", seat=seat, piece=found[0])
    yield from nest_if_empty(play)


@verb("put_down", seat=SEAT, piece=PIECE)
def put_down(play: Play, seat: int, piece: str) -> Steps:
    """A carried object stays in the room; an Egg put down in the Nest is no pile (BASE-173)."""
    kind = _object(piece)
    person = play.person(seat)
    found = _held(play, seat, kind)
    if not found or person.room is None:
        raise BadInput("piece", "command.none_left", {"value": kind})
    play.put(found[0], room_zone(person.room))
    yield tell("put_down", "BASE-94 BASE-173", seat=seat, piece=found[0], room=person.room)


@verb("hand_over", touches=("characters", "intruders"), seat=SEAT, piece=PIECE, to=SEAT)
def hand_over(play: Play, seat: int, piece: str, to: int) -> Steps:
    """Trade of a Heavy Object with somebody in the same room (BASE-97, FAQ-A47).

    Refused: in different rooms, in Combat, not carried, no hand free.
    """
    kind = _object(piece)
    giver, taker = play.person(seat), play.person(to)
    if giver is taker:
        raise BadInput("to", "command.unknown_seat", {"value": str(to)})
    yield Need(Characters("BASE-97"))
    if giver.room is None or giver.room != taker.room or taker.state != ABOARD:
        play.refuse("trade.not_together", seat=seat, to_seat=to)
    yield Need(Intruders("BASE-97"))
    if play.in_combat(giver):
        play.refuse("search.in_combat", seat=seat)
    found = _held(play, seat, kind)
    if not found:
        raise BadInput("piece", "command.none_left", {"value": kind})
    free_hand(play, taker)
    play.put(found[0], f"held:{to}")
    yield tell("handed_over", "BASE-97 BASE-95 FAQ-A47", seat=seat, to_seat=to, piece=found[0])


def free_hand(play: Play, person: Person) -> None:
    """Refuse when no hand slot is free: two, or one with an Arm wound (BASE-95, BASE-202)."""
    slots = 1 if "arm" in person.serious else 2
    held = [p for p in play.state.in_zone(f"held:{person.seat}") if kind_of(p) in OBJECTS]
    if len(held) >= slots:
        play.refuse("pick_up.hands_full", seat=person.seat)


def _held(play: Play, seat: int, kind: str) -> list[str]:
    found = play.state.pieces(kind, f"held:{seat}")
    if not found:
        play.refuse("put_down.not_held", piece=kind, seat=seat)
    return found or play.state.pieces(kind, SUPPLY)


def _object(piece: str) -> str:
    kind = kind_of(piece)
    if kind not in OBJECTS:
        raise BadInput("piece", "command.unknown_piece", {"value": piece[:40]})
    return kind
