"""The Contamination check at the end of the game (CA-54 to CA-56)."""

from __future__ import annotations

from companion.game import Ask, Person, Steps
from companion.rules.contamination import by_hand, cards_of, draw_four, read_cards
from companion.rules.ending import perish
from companion.rules.play import Play, tell
from companion.rules.species.carnomorphs.mutations import DEADLY, UNKNOWN, card_of, markers
from companion.rules.verdicts import say


def contamination_check(play: Play, person: Person) -> Steps:
    """Infected, or with a Mutation card: each Contamination card of four is a marker."""
    seat = person.seat
    if card_of(person) is None:
        if not (yield from _infected(play, seat)):
            yield from say(play, "verdict_healthy", "CA-54 CA-55", seat=seat)
            return
        person.own["mutation"] = UNKNOWN
        yield tell("mutated_at_the_end", "CA-55", seat=seat)
    else:
        yield tell("mutation_decides", "CA-54", seat=seat)
    missing = DEADLY - markers(person)
    if by_hand(play):
        dies = yield Ask(
            "yes_no", "ask.four_cards_markers", "CA-56", {"seat": seat, "n": missing}, by_hand=False
        )
    else:
        drawn = yield from draw_four(play, seat, "CA-56")
        found = sum(card != "action" for card in drawn)
        yield tell("four_cards", "CA-56", seat=seat, n=found)
        person.own["markers"] = markers(person) + found
        dies = found >= missing
    yield from say(play, "verdict_mutates" if dies else "verdict_endures", "CA-56", seat=seat)
    if dies:
        yield from perish(play, person, "CA-56")


def _infected(play: Play, seat: int) -> Steps:
    """Whether one of all own Contamination cards is infected (CA-55)."""
    if by_hand(play):
        return (yield Ask("yes_no", "ask.check_infected", "CA-55", {"seat": seat}, by_hand=False))
    if not cards_of(play, seat):
        return False
    shown = yield from read_cards(play, seat, "CA-55")
    infected = "infected" in shown
    yield tell("scanned", "CA-55", seat=seat, infected=infected)
    return infected
