"""Event cards that only these aliens know: mutation, biomatter, the beast (CA-E1 to CA-E16)."""

from __future__ import annotations

from companion.game import Need, Steps
from companion.game.state import SUPPLY, kind_of, room_zone
from companion.library.model import EventCard
from companion.rules.encounter import place_miniature
from companion.rules.events import EFFECTS, four_cards, seek
from companion.rules.facts import Characters, Intruders
from companion.rules.markers import slime
from companion.rules.movement import out_of_pods
from companion.rules.play import Play, tell
from companion.rules.species.carnomorphs.adaptations import available
from companion.rules.species.carnomorphs.facts import HeavyRooms, Loose, SlimedPeople
from companion.rules.species.carnomorphs.mutations import take_marker


def rampant_mutation(play: Play, card: EventCard) -> Steps:
    """Everybody draws four and scans; an infected card gives a Mutation marker (CA-E1)."""
    for person in play.playing():
        infected = yield from four_cards(play, person.seat, card.rule)
        if infected:
            yield from take_marker(play, person.seat, card.rule)


def reawakening(play: Play, card: EventCard) -> Steps:
    """A Carcass of each room becomes a Shambler, which attacks who is there (CA-E2)."""
    yield Need(Characters(card.rule))
    yield Need(Intruders(card.rule))
    yield Need(Loose(tuple(sorted(play.board.rooms)), card.rule))
    rooms = play.rooms_with("carcass")
    if not rooms:
        yield tell("nothing_happens", card.rule)
    for room in rooms:
        if not available(play, "shambler"):
            yield tell("miniature_missing", f"{card.rule} CA-75", kind="shambler", room=room)
            return
        carcass = play.state.pieces("carcass", room_zone(room))[0]
        play.put(carcass, SUPPLY)
        gone = [("carcass", room_zone(room), SUPPLY)]
        yield tell("reawakens", card.rule, piece="carcass", room=room, move=gone)
        mini = yield from place_miniature(play, "shambler", room, card.rule)
        if mini and play.people_in(room):
            play.due("intruder_attack", piece=mini, rule=card.rule)


def marked_prey(play: Play, card: EventCard) -> Steps:
    """Slime for who has a Heavy Object, or is in a room with one (CA-E7)."""
    yield Need(Characters(card.rule))
    rooms = yield Need(HeavyRooms(card.rule))
    marked = [p for p in play.aboard() if p.room in rooms]
    if not marked:
        yield tell("nothing_happens", card.rule)
    for person in marked:
        yield from slime(play, person.seat, card.rule)


def scavenging(play: Play, card: EventCard) -> Steps:
    """All but the kind that ``stays`` go to a Heavy Object next door, carried or not (CA-E11)."""
    yield Need(Characters(card.rule))
    yield Need(Intruders(card.rule))
    rooms = yield Need(HeavyRooms(card.rule))
    minis = [m for m in play.intruders() if kind_of(m) != card.params["stays"]]
    yield from seek(play, minis, rooms, card.rule)


def beast_on_the_prowl(play: Play, card: EventCard) -> Steps:
    """The ``beast`` goes to the first slimed character; not there: the slimed roll (CA-E16)."""
    yield Need(Characters(card.rule))
    yield Need(Intruders(card.rule))
    seats = tuple(p.seat for p in play.playing())
    slimed = (yield Need(SlimedPeople(seats, card.rule))) if seats else []
    beasts = [m for m in play.intruders() if kind_of(m) == card.params["beast"]]
    rooms = [room for seat in slimed if (room := play.person(seat).room)]
    if not slimed or (beasts and (play.fighting(beasts[0]) or not rooms)):
        yield tell("nothing_happens", card.rule)
    elif beasts:
        zone = play.state.where[beasts[0]]
        play.put(beasts[0], room_zone(rooms[0]))
        gone = [(beasts[0], zone, room_zone(rooms[0]))]
        yield tell("prowls", card.rule, piece=beasts[0], room=rooms[0], move=gone)
        yield from out_of_pods(play, rooms[0], card.rule)
    else:
        for seat in slimed:
            yield tell("must_roll", card.rule, seat=seat)
            play.due("noise_roll", seat=seat, unless_in_combat=True)


EFFECTS |= {
    "rampant_mutation": rampant_mutation,
    "reawakening": reawakening,
    "marked_prey": marked_prey,
    "scavenging": scavenging,
    "beast_on_the_prowl": beast_on_the_prowl,
}
