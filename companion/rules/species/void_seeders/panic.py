"""Panic cards: drawn, compared with the Insanity Level, resolved or driving deeper (VS-28 on)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from companion.game import Ask, BadInput, Need, Refused, Steps
from companion.game.board import Corridor
from companion.game.procedure import options
from companion.game.state import ABOARD, DEAD, DECK, DISCARD
from companion.library.model import Names, OwnCard
from companion.rules.combat import escape_begins
from companion.rules.decks import draw_card, draw_event_number, learn, ready, show
from companion.rules.facts import Characters, Doors, Explored, Intruders, Marked
from companion.rules.facts.people import which_of
from companion.rules.leaving import moved_away
from companion.rules.markers import may_fail, place_fire, place_malfunction
from companion.rules.moving import arrive, escape
from companion.rules.play import Play, tell
from companion.rules.species.void_seeders.facts import Dressed, ItemsLeft
from companion.rules.species.void_seeders.insanity import Level, madder
from companion.rules.verbs import DATA, SEAT, maybe, step, verb
from companion.rules.wounds import death, light_wounds, serious_wound

TOUCHES = ("wounds", "objects", "insanity", "characters")

#: An effect returns False when it could not be resolved.
Effect = Callable[[Play, int, OwnCard], Steps]


@verb("panic", touches=TOUCHES, seat=maybe(SEAT), card=maybe(DATA))
def panic_command(play: Play, seat: int | None = None, card: Any = None) -> Steps:
    """A character resolves a Panic card: drawn, or the one that is named.

    ``card``: a card's id or text, or a card line (``name``, ``level``, ``effect``). Refused for
    a species without Panic cards.
    """
    if "panic" not in play.aliens.decks:
        raise Refused("species.not_here", {"species": play.state.species})
    if seat is None:
        raise BadInput("seat", "command.missing_field")
    yield from panic(play, seat, "VS-28", card)


@step("panic", touches=TOUCHES)
def due_panic(play: Play, seat: int, rule: str) -> Steps:
    """A Panic card that has become due, unless its character is gone meanwhile."""
    yield from panic(play, seat, rule)


def panic(play: Play, seat: int, rule: str, named: Any = None) -> Steps:
    """One Panic card for one character (VS-28 to VS-31)."""
    if not play.takes_part(play.person(seat)):
        return
    card: OwnCard = yield from draw_panic(play, rule, named)
    needed = int(card.params["level"])
    show(play, "panic", card.id, seat=seat, level=needed)
    yield tell("panic_drawn", f"{rule} VS-28", seat=seat, card=card.id, n=needed)
    held = yield Need(Level(seat, "VS-28"))
    if held is None:
        reached = yield Ask("yes_no", "ask.panic_reached", "VS-28", {"seat": seat, "n": needed})
    else:
        reached = held >= needed
    if not reached:
        yield tell("panic_below", "VS-29", seat=seat, n=needed)
        yield from madder(play, seat, "VS-29")
        return
    if (yield from interrupted(play, seat, card)):
        return
    card = replace(card, rule=f"VS-30 {card.rule}")
    resolved = yield from EFFECTS[card.effect](play, seat, card)
    if not resolved:
        yield tell("panic_impossible", f"VS-29 {card.rule}", seat=seat, card=card.id)
        yield from madder(play, seat, "VS-29")


def interrupted(play: Play, seat: int, card: OwnCard) -> Steps:
    """Whether somebody else in the room cancels the effect with an Interruption (VS-31)."""
    yield Need(Characters("VS-31"))
    room = play.person(seat).room
    others = [p for p in play.people_in(room or "") if p.seat != seat]
    if not others or play.switch("offer_cancels") == "no":
        return False
    found = yield which_of(
        others, "ask.interruption", f"VS-31 {card.rule}", {"seat": seat, "card": card.id}
    )
    if not found:
        return False
    by = play.person(found[0])
    for field in ("hand", "action_cards"):
        if getattr(by, field):
            setattr(by, field, getattr(by, field) - 1)
    yield tell("panic_interrupted", "VS-31", seat=seat, by=by.seat, card=card.id)
    return True


def draw_panic(play: Play, rule: str, named: Any = None) -> Steps:
    """A Panic card, put on the discard pile; an empty deck is its discard pile (VS-110)."""
    if named is None:
        yield from ready(play, "panic", "VS-110")
        named = yield from draw_card(play, "panic", rule)
    elif isinstance(named, Mapping):
        learn(play, "panic", named)
    card = panic_card(play, named)
    if f"panic:{card.id}" in play.state.where:
        play.put(f"panic:{card.id}", DISCARD)
    return card


def panic_card(play: Play, named: Any) -> OwnCard:
    """The card of an id or text, or one made from a card line. BadInput names what is wrong."""
    if isinstance(named, str):
        cards = play.content.own_cards
        alike = [c for c in play.state.cards("panic", DECK) if cards[c].text == named]
        found = cards.get(named) or next((cards[c] for c in alike), None)
        found = found or next((c for c in cards.values() if c.text == named), None)
        if found is None or found.effect not in EFFECTS:
            raise BadInput("card", "command.unknown_word", {"value": named[:40]})
        return found
    line: Mapping[str, Any] = named if isinstance(named, Mapping) else {}
    level = line.get("level")
    if not isinstance(level, int) or isinstance(level, bool) or not 1 <= level <= 5:
        raise BadInput(
            "value.level", "command.range", {"value": str(level)[:20], "low": 1, "high": 5}
        )
    name = str(line.get("name") or "?")[:40]
    effect = str(line.get("effect") or "none")
    if effect not in EFFECTS:
        raise BadInput(
            "value.effect",
            "answer.option",
            {"value": effect[:40], "allowed": ", ".join(sorted(EFFECTS))},
        )
    alike_rule = next(
        (c.rule for c in play.content.own_cards.values() if c.effect == effect), "VS-30"
    )
    return OwnCard(name, name, Names({"en": name}), effect, alike_rule, {"level": level})


# What the cards do ------------------------------------------------------------------------------


def own_room(play: Play, seat: int) -> str:
    """Where a character stands who takes part."""
    room = play.person(seat).room
    assert room
    return room


def with_self(play: Play, seat: int) -> list[int]:
    """Everybody in the room of a character, itself included though it may sit in a Pod."""
    there = {p.seat for p in play.people_in(own_room(play, seat))} | {seat}
    return [p.seat for p in play.order() if p.seat in there]


def none(play: Play, seat: int, card: OwnCard) -> Steps:
    """A card without a known text: the table reads it, and says whether it could be resolved."""
    yield tell("card_by_table", card.rule, card=card.id, deck="panic")
    resolved = yield Ask("yes_no", "ask.panic_resolved", "VS-29", {"seat": seat, "card": card.id})
    return resolved


def destructive_outburst(play: Play, seat: int, card: OwnCard) -> Steps:
    """Malfunction in the own room (VS-P1)."""
    room = own_room(play, seat)
    yield Need(Explored(card.rule))
    failing = yield Need(Marked("malfunction", card.rule))
    if room in failing or not may_fail(play, room):
        return False
    yield from place_malfunction(play, room, card.rule)
    return True


def defeatism(play: Play, seat: int, card: OwnCard) -> Steps:
    """Insanity +1 for everybody in the room (VS-P2)."""
    for there in with_self(play, seat):
        yield from madder(play, there, card.rule)
    return True


def blind_escape(play: Play, seat: int, card: OwnCard) -> Steps:
    """Through the corridor that an Event card names (VS-P3)."""
    room = own_room(play, seat)
    panic = play.state.last_card or {}
    number = yield from draw_event_number(play, card.rule)
    play.state.last_card = {**panic, "n": number}  # it stays the card that is told
    way = play.board.exit(room, number)
    if not isinstance(way, Corridor):
        return False
    yield Need(Doors(card.rule))
    if play.door(way.id) == "closed":
        return False
    yield from driven(play, seat, way, card.rule)
    return True


def insane_courage(play: Play, seat: int, card: OwnCard) -> Steps:
    """To a neighbouring room with a Void Seeder or a Lair (VS-P5)."""
    room = own_room(play, seat)
    yield Need(Intruders(card.rule))
    yield Need(Doors(card.rule))
    ways = {
        way.other(room): way
        for way in play.board.corridors_of(room)
        if play.door(way.id) != "closed" and play.intruders(way.other(room))
    }
    if not ways:
        return False
    target = next(iter(ways))
    if len(ways) > 1:
        target = yield Ask(
            "place",
            "ask.insane_courage",
            card.rule,
            {"seat": seat},
            options=options(sorted(ways), "ask.room", "room"),
        )
    yield from driven(play, seat, ways[target], card.rule)
    return True


def driven(play: Play, seat: int, way: Corridor, rule: str) -> Steps:
    """A character moves against its will; out of Combat that is an Escape, by switch (BASE-87)."""
    person = play.person(seat)
    room = own_room(play, seat)
    yield Need(Intruders(rule))
    if person.state != ABOARD:  # out of the Pod
        person.state, person.pod = ABOARD, None
        rule = f"{rule} VS-98"
    yield from moved_away(play, seat, f"{rule} VS-98")
    yield tell("panic_moves", rule, seat=seat, room=room, to_room=way.other(room))
    if play.in_combat(person) and play.switch("vs_panic_escape") == "yes":
        pieces = yield from escape_begins(play, seat)
        yield from escape(play, seat, room, pieces, way.other(room), way.id)
        return
    yield from arrive(play, seat, way.other(room), way)


def lost_by_owner(question: str) -> Effect:
    """What only its player knows: asked whether there is any, and the table takes it off."""

    def effect(play: Play, seat: int, card: OwnCard) -> Steps:
        held = yield Ask("yes_no", question, card.rule, {"seat": seat})
        if held:
            yield tell("panic_by_table", card.rule, seat=seat, card=card.id)
        return held

    return effect


def sabotage(play: Play, seat: int, card: OwnCard) -> Steps:
    """The item counter of the own room goes to 0 (VS-P6)."""
    room = own_room(play, seat)
    yield Need(Explored(card.rule))
    tile = play.content.tiles.get(play.tile(room) or "")
    if tile is None or not tile.search:
        return False
    if not (yield Need(ItemsLeft(room, card.rule))):
        return False
    if room in play.state.items:
        play.state.items[room] = 0
    yield tell("items_lost", card.rule, room=room)
    return True


def self_mutilation(play: Play, seat: int, card: OwnCard) -> Steps:
    """Two light wounds (VS-P7)."""
    yield from light_wounds(play, seat, 2, card.rule)
    return True


def heart_attack(play: Play, seat: int, card: OwnCard) -> Steps:
    """Death (VS-P8)."""
    yield from death(play, seat, card.rule)
    return True


def bloodlust(play: Play, seat: int, card: OwnCard) -> Steps:
    """A serious wound to each other character in the room; alone, to oneself (VS-P9)."""
    people = [p.seat for p in play.people_in(own_room(play, seat)) if p.seat != seat]
    for hurt in people or [seat]:
        yield from serious_wound(play, hurt, card.rule)
    return True


def demotivation(play: Play, seat: int, card: OwnCard) -> Steps:
    """Everybody in the room discards an Action card; own Insanity +1 (VS-P10)."""
    people = with_self(play, seat)
    for person in map(play.person, people):
        if person.action_cards:
            person.action_cards -= 1
            person.hand = person.hand and person.hand - 1
        elif person.hand and person.action_cards is None:
            person.hand -= 1
    yield tell("discard_one_each", card.rule, seats=people)
    yield from madder(play, seat, card.rule)
    return True


def ripping_of_the_bandages(play: Play, seat: int, card: OwnCard) -> Steps:
    """A light wound, and a dressed serious wound is undressed (VS-P11)."""
    person = play.person(seat)
    if not (yield Need(Dressed(seat, card.rule))):
        return False
    yield from light_wounds(play, seat, 1, card.rule)
    if person.state == DEAD:
        return True
    kinds = list(dict.fromkeys(person.dressed))
    kind = kinds[0] if kinds else "unknown"
    if len(kinds) > 1:
        kind = yield Ask(
            "card",
            "ask.undress",
            card.rule,
            {"seat": seat},
            options=options(kinds, "ask.wound", "wound"),
        )
    if kinds:
        person.dressed.remove(kind)
        person.serious.append(kind)
    yield tell("undressed", card.rule, seat=seat, wound=kind)
    return True


def hopelessness(play: Play, seat: int, card: OwnCard) -> Steps:
    """One of three drawn Action cards leaves the game; none among them: impossible (VS-P12)."""
    removed = yield Ask("yes_no", "ask.hopelessness", card.rule, {"seat": seat})
    if removed:
        person = play.person(seat)
        person.deck = max(person.deck - 1, 0)
        yield tell("action_card_gone", card.rule, seat=seat)
    return removed


def pyromaniac(play: Play, seat: int, card: OwnCard) -> Steps:
    """Fire in the own room (VS-P14)."""
    room = own_room(play, seat)
    burning = yield Need(Marked("fire", card.rule))
    if room in burning:
        return False
    yield from place_fire(play, room, card.rule)
    return True


EFFECTS: dict[str, Effect] = {
    "destructive_outburst": destructive_outburst,
    "defeatism": defeatism,
    "blind_escape": blind_escape,
    "destruction": lost_by_owner("ask.heavy_item"),  # a held Heavy Item (VS-P4)
    "insane_courage": insane_courage,
    "sabotage": sabotage,
    "self_mutilation": self_mutilation,
    "heart_attack": heart_attack,
    "bloodlust": bloodlust,
    "demotivation": demotivation,
    "ripping_of_the_bandages": ripping_of_the_bandages,
    "hopelessness": hopelessness,
    "hallucinations": lost_by_owner("ask.ammo"),  # all Ammo of one own Weapon (VS-P13)
    "pyromaniac": pyromaniac,
    "none": none,
}
