"""What the Event and Attack cards of the Void Seeders do that no card of the base game does."""

from __future__ import annotations

from companion.game import Need, Steps
from companion.game.board import Corridor
from companion.game.state import DEAD, kind_of, room_zone
from companion.library.model import AttackCard, EventCard
from companion.rules import attacks, events
from companion.rules.attacks import maul
from companion.rules.contamination import by_hand, in_hand, read_cards
from companion.rules.decks import draw_event_number
from companion.rules.encounter import place_miniature
from companion.rules.events import spread
from companion.rules.facts import (
    Characters,
    Explored,
    FewerCards,
    Intruders,
    Marked,
    Noise,
    recall,
)
from companion.rules.facts.people import which_of
from companion.rules.markers import place_fire, place_malfunction, place_noise
from companion.rules.phase import FULL_HAND, start_self_destruct
from companion.rules.play import Play, tell
from companion.rules.species.void_seeders.facts import FewerThanLevel
from companion.rules.species.void_seeders.insanity import Level, madder, raise_to_highest
from companion.rules.species.void_seeders.panic import panic
from companion.rules.wounds import contaminate, serious_wound

# Event cards ------------------------------------------------------------------------------------


def terror(play: Play, card: EventCard) -> Steps:
    """Hands are filled and scanned, infected: Insanity 5; then all hands are discarded (VS-E1)."""
    people = play.playing()
    yield tell("draws_up", card.rule, n=FULL_HAND)
    infected: list[int] = []
    if by_hand(play):
        infected = yield which_of(people, "ask.terror_infected", f"{card.rule} VS-101")
    else:
        for person in people:
            count = yield from in_hand(play, person.seat, card.rule, None)
            shown = yield from read_cards(play, person.seat, f"{card.rule} BASE-216", count)
            if "infected" in shown:
                infected.append(person.seat)
    for person in people:
        if person.seat in infected:
            yield tell("scanned", f"{card.rule} BASE-216", seat=person.seat, infected=True)
            yield from raise_to_highest(play, person.seat, f"{card.rule} VS-101")
    for person in people:
        if person.hand is not None:
            person.hand = 0
        if person.action_cards is not None:
            person.action_cards = 0
    yield tell("hands_discarded", card.rule)


def tendrils(play: Play, card: EventCard) -> Steps:
    """Insanity +1 in rooms with a technical entrance (VS-E3)."""
    yield Need(Characters(card.rule))
    there = [p for p in play.playing() if p.room and play.board.networks(p.room)]
    if not there:
        yield tell("nothing_happens", card.rule)
    for person in there:
        yield from madder(play, person.seat, card.rule)


def computer_rooms(play: Play) -> list[str]:
    """The explored rooms with a computer, by number."""
    tiles = play.content.tiles
    return [r for r in play.explored_rooms() if (t := tiles.get(play.tile(r) or "")) and t.computer]


def computer_system_failure(play: Play, card: EventCard) -> Steps:
    """One failing computer makes all the others fail (VS-E4)."""
    yield Need(Explored(card.rule))
    failing = yield Need(Marked("malfunction", card.rule))
    rooms = computer_rooms(play)
    if not any(room in failing for room in rooms):
        yield tell("nothing_happens", card.rule)
        return
    for room in rooms:
        if room not in failing:
            yield from place_malfunction(play, room, card.rule)


def ship_ai_failure(play: Play, card: EventCard) -> Steps:
    """Two failing computers start the self-destruct; else the first one fails (VS-E14)."""
    yield Need(Explored(card.rule))
    failing = yield Need(Marked("malfunction", card.rule))
    rooms = computer_rooms(play)
    if sum(room in failing for room in rooms) >= 2:
        if play.state.self_destruct is not None:
            yield tell("self_destruct_runs", f"{card.rule} BASE-311")
        else:
            yield from start_self_destruct(play, card.rule)
    elif rooms:
        yield from place_malfunction(play, rooms[0], card.rule)
    else:
        yield tell("nothing_happens", card.rule)


def monophobia(play: Play, card: EventCard) -> Steps:
    """A Panic card for each character alone and not in Combat (VS-E5)."""
    yield Need(Characters(card.rule))
    yield Need(Intruders(card.rule))
    rooms = [p.room for p in play.playing()]
    alone = [
        p.seat for p in play.playing() if rooms.count(p.room) == 1 and not play.intruders(p.room)
    ]
    yield from panic_due(play, alone, card.rule)


def neurosis(play: Play, card: EventCard) -> Steps:
    """A Panic card for each character in a room with a Lair or next to one (VS-E6)."""
    yield Need(Characters(card.rule))
    yield Need(Intruders(card.rule))
    dens = {room for lair in play.state.pieces("lair") if (room := play.room_of(lair))}
    near = {n for room in dens for n in play.board.neighbours(room)} | dens
    yield from panic_due(play, [p.seat for p in play.playing() if p.room in near], card.rule)


def panic_due(play: Play, seats: list[int], rule: str) -> Steps:
    """Panic cards become due for these people, one after the other."""
    if not seats:
        yield tell("nothing_happens", rule)
    for seat in seats:
        play.due("panic", seat=seat, rule=rule)


def agoraphobia(play: Play, card: EventCard) -> Steps:
    """The Despoiler where two or more stand together, without a Surprise Attack (VS-E7)."""
    yield Need(Characters(card.rule))
    yield Need(Intruders(card.rule))
    crowded = [room for room in sorted(play.board.rooms) if len(play.people_in(room)) > 1]
    if not crowded:
        yield tell("nothing_happens", card.rule)
    elif play.spare("despoiler") is None:
        yield tell("miniature_missing", card.rule, kind="despoiler", room=crowded[0])
    else:
        yield from place_miniature(play, "despoiler", crowded[0], card.rule)


def fire_wave(play: Play, card: EventCard) -> Steps:
    """Fire around the burning room with the lowest number (VS-E9)."""
    burning = yield Need(Marked("fire", card.rule))
    if burning:
        yield from spread(play, [min(burning)], card.rule)
    else:
        yield tell("nothing_happens", card.rule)


def generator_overheat(play: Play, card: EventCard) -> Steps:
    """A failing Generator burns and fire spreads; a working one fails (VS-E10)."""
    yield Need(Explored(card.rule))
    failing = yield Need(Marked("malfunction", card.rule))
    room = play.room_tile("generator")
    if room is None:
        yield tell("nothing_happens", card.rule)
    elif room in failing:
        yield from place_fire(play, room, card.rule)
        burning = yield Need(Marked("fire", card.rule))
        yield from spread(play, sorted({*burning, room}), card.rule)
    else:
        yield from place_malfunction(play, room, card.rule)


def fuel_explosion(play: Play, card: EventCard) -> Steps:
    """Fire in each Engine (VS-E13)."""
    for room in sorted(play.board.rooms):
        if (play.board.rooms[room].fixed or "").startswith("engine_"):
            yield from place_fire(play, room, card.rule)


def whispers(play: Play, card: EventCard) -> Steps:
    """Noise in the corridors of another card's number where people stand (VS-E11).

    A corridor that has Noise already is an Encounter for whom it reaches first. Technical
    corridors count where the switch lets them count as corridors (BASE-35).
    """
    number = yield from draw_event_number(play, card.rule)
    yield Need(Characters(card.rule))
    noisy = yield Need(Noise(card.rule))
    technical = play.switch("each_corridor_includes_technical") == "yes"
    met: set[str] = set()
    for person in play.playing():
        way = play.board.exit(person.room or "", number)
        if not isinstance(way, Corridor) and not technical:
            continue
        space = way.id if isinstance(way, Corridor) else way.network
        if space in met:
            continue
        met.add(space)
        if space in noisy:
            yield tell("noise_twice", card.rule, seat=person.seat, space=space)
            play.due("encounter", seat=person.seat)
        else:
            yield from place_noise(play, space, card.rule)
    if not met:
        yield tell("nothing_happens", card.rule)


def fear(play: Play, card: EventCard) -> Steps:
    """A Contamination card for whoever's Insanity is above the hand (VS-E12)."""
    levels: list[tuple[int, int]] = []
    for person in play.playing():
        level = yield Need(Level(person.seat, card.rule))
        if level is not None:
            levels.append((person.seat, level))
    fewer: list[int] = []
    if recall.short(play) and levels:
        fewer = yield Need(FewerThanLevel(tuple(levels), card.rule))
    else:
        for seat, level in levels:
            if (yield Need(FewerCards(seat, level, card.rule))):
                fewer.append(seat)
    for seat in fewer:
        yield from contaminate(play, seat, 1, card.rule)


# Attack cards -----------------------------------------------------------------------------------


def duplicate(play: Play, mini: str, target: int, card: AttackCard) -> Steps:
    """Another one of the attacker's kind; it does not attack in this step (VS-A3)."""
    room = play.room_of(mini)
    kind = kind_of(mini)
    spare = play.spare(kind)
    if room is None or spare is None:
        yield tell("miniature_missing", card.rule, kind=kind, room=room)
        return
    came = play.state.where[spare]
    play.put(spare, room_zone(room))
    yield tell("placed", card.rule, piece=spare, room=room, move=[(spare, came, room_zone(room))])


def dread(play: Play, mini: str, target: int, card: AttackCard) -> Steps:
    """A serious wound and a Panic card (VS-A4)."""
    yield from serious_wound(play, target, card.rule)
    yield from panic(play, target, card.rule)


def braineating(play: Play, mini: str, target: int, card: AttackCard) -> Steps:
    """With a serious wound death, else two serious wounds (VS-A5)."""
    yield from maul(play, target, 1, card.rule)
    if play.person(target).state != DEAD:
        yield from serious_wound(play, target, card.rule)


def dismay(play: Play, mini: str, target: int, card: AttackCard) -> Steps:
    """A Contamination card and a Panic card (VS-A7)."""
    yield from contaminate(play, target, 1, card.rule)
    yield from panic(play, target, card.rule)


events.EFFECTS.update(
    terror=terror,
    tendrils=tendrils,
    computer_system_failure=computer_system_failure,
    monophobia=monophobia,
    neurosis=neurosis,
    agoraphobia=agoraphobia,
    fire_wave=fire_wave,
    generator_overheat=generator_overheat,
    whispers=whispers,
    fear=fear,
    fuel_explosion=fuel_explosion,
    ship_ai_failure=ship_ai_failure,
)
attacks.EFFECTS.update(duplicate=duplicate, dread=dread, braineating=braineating, dismay=dismay)
