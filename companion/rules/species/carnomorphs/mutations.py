"""Mutations: the card kept out of two, its markers, the Mutation Action (CA-10 to CA-19).

``Person.own`` holds ``mutation`` (the card beside the character board, `UNKNOWN` where it lies on
the table and the box does not know which), ``open`` (it lies face up) and ``markers``. Which card
it is stays its owner's secret until the first Mutation Action.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.game import Ask, BadInput, Draw, Need, Person, Refused, Steps
from companion.game.procedure import Option, options
from companion.game.state import ABOARD, DEAD, DECK, DISCARD
from companion.rules.contamination import cards_of, read_cards, take_away
from companion.rules.decks import learnt
from companion.rules.facts import Characters
from companion.rules.play import Play, tell
from companion.rules.study import named_card
from companion.rules.verbs import COUNT, DATA, FLAG, SEAT, maybe, verb
from companion.rules.wounds import contaminate, death

ID = "carnomorphs"
UNKNOWN = "unknown"
DEADLY = 4  # the marker that kills (CA-17)
SIDES = {"infected": "infected", "clean": "not_infected"}


def card_of(person: Person) -> str | None:
    """The Mutation card somebody has, `UNKNOWN` when only the table knows it, or None."""
    card: str | None = person.own.get("mutation")
    return card


def markers(person: Person) -> int:
    """Mutation markers on a character board."""
    return int(person.own.get("markers", 0))


# The card -------------------------------------------------------------------------------------


def take_card(play: Play, seat: int, rule: str) -> Steps:
    """Two Mutation cards are drawn and one is kept, face down; a second one is never had."""
    person = play.person(seat)
    if card_of(person):
        yield tell("mutation_already", f"{rule} CA-12", seat=seat)
        return
    yield tell("mutation_drawn", f"{rule} CA-11", seat=seat)
    if play.state.truth.get("mutations") != "digital":
        person.own["mutation"] = UNKNOWN
        return
    pair: list[str] = []
    for _ in range(2):
        left = tuple(c for c in deck(play) if c not in pair)
        pair.append((yield Draw("mutation", left, "mutations", Ask("confirm", "", "CA-11"))))
    kept = yield Ask(
        "card",
        "ask.keep_mutation",
        "CA-11",
        options=options(sorted(pair), "ask.mutation", "mutation"),
        to=seat,
        secret=True,
        by_hand=False,
    )
    play.put(f"mutation:{kept}", f"held:{seat}")
    person.own["mutation"] = kept
    yield tell("mutation_kept", "CA-11", to=(seat,), seat=seat, mutation=kept)


def deck(play: Play) -> Sequence[str]:
    """The Mutation deck; when it is used up, what was put aside is shuffled back."""
    if len(play.state.cards("mutation", DECK)) < 2:
        for card in play.state.cards("mutation", DISCARD):
            play.put(f"mutation:{card}", DECK)
    return play.state.cards("mutation", DECK)


def lose_card(play: Play, seat: int, rule: str) -> Steps:
    """Surgery and the Antidote take the card away; the markers stay (CA-18).

    One that never lay open goes back unseen: what it was stays its owner's.
    """
    person = play.person(seat)
    card = card_of(person)
    if card is None:
        return
    if card in play.content.own_cards:
        play.put(f"mutation:{card}", DISCARD if person.own.get("open") else DECK)
    person.own = {"markers": markers(person)} if markers(person) else {}
    yield tell("mutation_off", f"{rule} CA-18", seat=seat, n=markers(person))


# Markers --------------------------------------------------------------------------------------


def take_marker(play: Play, seat: int, rule: str) -> Steps:
    """A Mutation marker, or the card for who has none; the fourth marker kills (CA-16, CA-17)."""
    person = play.person(seat)
    if person.state == DEAD:
        return
    if card_of(person) is None:
        yield from take_card(play, seat, f"{rule} CA-16")
        return
    person.own["markers"] = markers(person) + 1
    yield tell("mutation_marker", f"{rule} CA-10", seat=seat, n=markers(person))
    if markers(person) >= DEADLY:
        yield from fourth_marker(play, seat, rule)


def fourth_marker(play: Play, seat: int, rule: str) -> Steps:
    """The character dies of it and a Shambler stands in the room (CA-17)."""
    from companion.rules.encounter import place_miniature

    room = play.person(seat).room
    yield from death(play, seat, f"{rule} CA-17 FAQ-C8")
    if room:
        yield from place_miniature(play, "shambler", room, "CA-17 CA-75")


# The Mutation Action ----------------------------------------------------------------------------


@verb("mutation_action", touches=("wounds",), seat=SEAT)
def mutation_action(play: Play, seat: int) -> Steps:
    """One Contamination card of the hand is scanned, a marker taken, the card's part resolved.

    Cost and moment are printed on the card: the table keeps them (CA-77). Refused: not aboard, no
    Mutation card, no Contamination card at all.
    """
    here(play)
    person = play.person(seat)
    yield Need(Characters("CA-13"))
    if person.state != ABOARD:
        play.refuse("room.not_aboard", seat=seat)
    card = card_of(person)
    if card is None:
        play.refuse("mutation.none", seat=seat)
        return
    if not cards_of(play, seat):
        play.refuse("mutation.nothing_to_scan", seat=seat)
    yield tell("mutation_action", "CA-13 CA-77", seat=seat)
    card = yield from turn_up(play, seat)
    shown = yield from read_cards(play, seat, "CA-13", 1)
    side = "infected" if "infected" in shown else "clean"
    yield tell("scanned", "CA-13 CA-14", seat=seat, infected=side == "infected")
    if side == "clean":
        take_away(play, seat, 1, ("clean", "unscanned", "infected"))
        yield tell("card_removed", "CA-14", seat=seat, result=side)
        yield from contaminate(play, seat, 1, "CA-14")
    yield from take_marker(play, seat, "CA-13")
    if person.state != DEAD:
        yield from resolve(play, seat, card, side)


def turn_up(play: Play, seat: int) -> Steps:
    """The first use turns the card for everybody (CA-15); returns which card it is."""
    person = play.person(seat)
    card = card_of(person) or UNKNOWN
    if person.own.get("open"):
        return card
    if card == UNKNOWN:
        card = yield from which(play, seat)
    person.own["mutation"], person.own["open"] = card, True
    yield tell("mutation_shown", "CA-15", seat=seat, mutation=card)
    return card


def which(play: Play, seat: int) -> Steps:
    """The table says which card it has turned: one whose name is known, or another.

    The name read from another is remembered: next time it is one of the options.
    """
    named = [c for c in deck(play) if not play.content.own_cards[c].unknown]
    before = learnt(play, "mutation")
    card = yield Ask(
        "card",
        "ask.which_mutation",
        "CA-15",
        {"seat": seat},
        options=(
            *options(named, "ask.mutation", "mutation"),
            *(Option(k, "ask.learnt", {"name": line["name"]}) for k, line in before.items()),
            Option(UNKNOWN, "ask.other_mutation"),
        ),
        free=True,
    )
    if not isinstance(card, str) or card in before:
        return named_card(play, before[card] if isinstance(card, str) else card, "mutation")
    if card != UNKNOWN:
        play.put(f"mutation:{card}", f"held:{seat}")
    return card


def resolve(play: Play, seat: int, card: str, side: str) -> Steps:
    """The part of the card for what the scan showed; the table reads what no source knows."""
    known = play.content.own_cards.get(card)
    if known and known.effect == "mimicry" and side == "clean":
        yield tell("mutation_attacked", f"CA-14 {known.rule} FAQ-C6", seat=seat, mutation=card)
    else:
        yield tell(f"mutation_{SIDES[side]}", "CA-14", seat=seat, mutation=card)


# Told by hand -----------------------------------------------------------------------------------


@verb("mutate", touches=(), seat=maybe(SEAT), card=maybe(DATA))
def mutate(play: Play, seat: int | None = None, card: Any = None) -> Steps:
    """A Mutation marker by a card or a rule the table reads; ``card`` true: a Mutation card."""
    here(play)
    if seat is None:
        raise BadInput("seat", "command.missing_field")
    if play.person(seat).state == DEAD:
        play.refuse("death.already", seat=seat)
        return
    yield from (take_card if card else take_marker)(play, seat, "CA-16" if not card else "CA-11")


@verb("mutation", late=True, seat=SEAT, on=maybe(FLAG), count=maybe(COUNT))
def mutation_by_hand(
    play: Play, seat: int, on: bool | None = None, count: int | None = None
) -> Steps:
    """What lies beside a character board: a Mutation card or none, and how many markers."""
    here(play)
    person = play.person(seat)
    if on is False:
        yield from lose_card(play, seat, "CA-18")
    elif on and not card_of(person):
        yield from take_card(play, seat, "CA-11")
    if count is not None:
        if count >= DEADLY:
            raise BadInput("count", "command.range", {"value": str(count), "low": 0, "high": 3})
        person.own["markers"] = count
        yield tell("mutation_marker", "CA-10", seat=seat, n=count)


def here(play: Play) -> None:
    """Refuse what only these aliens know, in a game of others."""
    if play.state.species != ID:
        raise Refused("species.not_here", {"species": play.state.species})
