"""Event cards that expansions bring and that only the ship is concerned with."""

from __future__ import annotations

from companion.game import Need, Steps
from companion.library.model import EventCard
from companion.rules.airlock import seal, sealable
from companion.rules.events import EFFECTS, coloured, fail_rooms, spread
from companion.rules.facts import Characters, Doors, Explored, Intruders, Marked, Slimed
from companion.rules.markers import (
    close_door,
    noise_around,
    place_fire,
    place_malfunction,
    put_out_fire,
)
from companion.rules.play import Play, tell


def rooms_fail(play: Play, card: EventCard) -> Steps:
    """Malfunction in the rooms of the ``tiles`` that the card names, where they are explored."""
    yield Need(Explored(card.rule))
    found = [play.room_tile(tile) for tile in str(card.params["tiles"]).split()]
    yield from fail_rooms(play, card, sorted(room for room in found if room))


def colour_fails(play: Play, card: EventCard) -> Steps:
    """Malfunction in every explored room of a ``colour``."""
    yield Need(Explored(card.rule))
    yield from fail_rooms(play, card, coloured(play, str(card.params["colour"])))


def generator_overload(play: Play, card: EventCard) -> Steps:
    """With so many ``malfunctions`` on the board Self-Destruct starts."""
    from companion.rules.phase import start_self_destruct

    failing = yield Need(Marked("malfunction", card.rule))
    if play.state.self_destruct is not None:
        yield tell("self_destruct_runs", card.rule)
    elif len(failing) >= int(card.params["malfunctions"]):
        yield from start_self_destruct(play, card.rule)
    else:
        yield tell("nothing_happens", card.rule)


def quarantine(play: Play, card: EventCard) -> Steps:
    """All doors of rooms with a slimed character close."""
    yield Need(Characters(card.rule))
    yield Need(Doors(card.rule))
    rooms: list[str] = []
    for person in play.aboard():
        slimed = yield Need(Slimed(person.seat, card.rule))
        if slimed and person.room and person.room not in rooms:
            rooms.append(person.room)
    ways = list(dict.fromkeys(c.id for room in rooms for c in play.board.corridors_of(room)))
    if not ways:
        yield tell("nothing_happens", card.rule)
    for way in ways:
        yield from close_door(play, way, card.rule, sparing=ways)


def growl(play: Play, card: EventCard) -> Steps:
    """Noise in each corridor of each room with an intruder."""
    yield Need(Intruders(card.rule))
    rooms = play.rooms_with_intruders()
    if not rooms:
        yield tell("nothing_happens", card.rule)
    for room in rooms:
        yield from noise_around(play, room, f"{card.rule} BASE-35")


def chemical_fire(play: Play, card: EventCard) -> Steps:
    """The highest burning room fails and goes out; fire in all its neighbours."""
    burning = yield Need(Marked("fire", card.rule))
    if not burning:
        yield tell("nothing_happens", card.rule)
        return
    room = burning[-1]
    yield Need(Explored(card.rule))
    yield from place_malfunction(play, room, card.rule)
    yield from put_out_fire(play, room, card.rule)
    yield from spread(play, [room], card.rule)


def ammunition_meltdown(play: Play, card: EventCard) -> Steps:
    """The lowest room of a ``colour``: no items left, fire there and in its neighbours."""
    yield Need(Explored(card.rule))
    rooms = coloured(play, str(card.params["colour"]))
    if not rooms:
        yield tell("nothing_happens", card.rule)
        return
    room = rooms[0]
    if room in play.state.items:
        play.state.items[room] = 0
    yield tell("items_lost", card.rule, room=room)
    yield from place_fire(play, room, card.rule)
    yield from spread(play, [room], card.rule)


def airlock_glitch(play: Play, card: EventCard) -> Steps:
    """The Emergency Airlock procedure in the highest explored yellow room (BASE-251)."""
    yield Need(Explored(card.rule))
    rooms = coloured(play, "yellow")
    if not rooms:
        yield tell("nothing_happens", card.rule)
        return
    yield Need(Doors(card.rule))
    if sealable(play, rooms[-1]):
        yield from seal(play, rooms[-1], "")
    else:
        yield tell("airlock_fails", f"{card.rule} BASE-251", room=rooms[-1])


EFFECTS |= {
    "rooms_fail": rooms_fail,
    "colour_fails": colour_fails,
    "generator_overload": generator_overload,
    "quarantine": quarantine,
    "growl": growl,
    "chemical_fire": chemical_fire,
    "ammunition_meltdown": ammunition_meltdown,
    "airlock_glitch": airlock_glitch,
}
