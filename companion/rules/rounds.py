"""A player's own round and its end, and passing (BASE-70 to BASE-73).

Nobody has to say that a round ends: who never did passes at the latest before the Event Phase.
"""

from __future__ import annotations

from companion.game import Need, Person, Refused, Steps
from companion.game.state import ABOARD, POD_WAITING
from companion.rules.facts import (
    Bleeding,
    Bleeds,
    Characters,
    Marked,
    WoundsLie,
    lay_wounds,
    recall,
    which_of,
    wounds_of,
)
from companion.rules.facts.people import DIED
from companion.rules.play import Play, tell
from companion.rules.verbs import SEAT, step, verb
from companion.rules.wounds import light_wounds


@verb("pass", seat=SEAT)
def pass_turn(play: Play, seat: int, round_ends: bool = True) -> Steps:
    """A player passes (BASE-71), or stays in a Pod (BASE-351); it only shows who is ready.

    ``round_ends`` false: it is somebody else's round in which all pass (BASE-274).
    """
    person = play.person(seat)
    if person.passed:  # a second time there is nothing to happen anyway
        raise Refused("pass.already", {"seat": seat}, rule="BASE-70")
    person.passed = True
    if person.state == POD_WAITING:
        yield tell("waits_in_pod", "BASE-351", seat=seat, pod=person.pod)
    else:
        yield tell("passed", "BASE-71", seat=seat)
    if play.tracks("wounds") or person.serious:
        bleeding = yield Need(Bleeds(seat, "BASE-202", wounds_of(person)))
    else:
        bleeding = False
    if bleeding:
        yield tell("bleeds", "BASE-202", seat=seat)
        yield from light_wounds(play, seat, 1, "BASE-202")
    if round_ends:
        yield from end_of_own_round(play, seat)


@verb("end_turn", seat=SEAT)
def end_turn(play: Play, seat: int) -> Steps:
    """The end of a player's own round: fire wounds who stands in it (BASE-73)."""
    if play.person(seat).passed:
        play.refuse("pass.already", seat=seat)
    yield from end_of_own_round(play, seat)


def end_of_own_round(play: Play, seat: int) -> Steps:
    """One light wound for ending the own round in a burning room; no Fire reaches into a Pod."""
    person = play.person(seat)
    burning = [] if person.state == POD_WAITING else (yield Need(Marked("fire", "BASE-73")))
    play.state.turn = next_turn(play, seat)
    if play.state.turn is None and person.passed:
        yield tell("all_passed", "BASE-70")
    if person.state == ABOARD and person.room in burning:
        yield tell("stands_in_fire", "BASE-73 BASE-129", seat=seat, room=person.room)
        yield from light_wounds(play, seat, 1, "BASE-73")
    if person.state != POD_WAITING:
        yield from play.species.own_round_ends(play, [person])


def next_turn(play: Play, seat: int) -> int | None:
    """Whose round comes after a seat's: the next to the left who has not passed (BASE-70); who
    waits in a Pod chooses in a round too (BASE-351).
    """
    left = [p.seat for p in play.playing() if not p.passed]
    return min(left, key=lambda s: (s <= seat, s), default=None)


@step("last_rounds", touches=("wounds",))
def last_rounds(play: Play) -> Steps:
    """Who never said that they passed has passed now: what the end of that round brings.

    Asked once, of those it concerns: the table may have done it already. A turn has as many rounds
    as people like; of who never ends one it is their last that counts.
    """
    late = [p for p in play.playing() if not p.passed]
    if not late or play.switch("ask_last_rounds") == "no":
        return
    aboard = [p for p in late if p.state == ABOARD]
    yield from late_wounds(play, late, aboard)
    yield from play.species.own_round_ends(play, aboard, late=True)


def late_wounds(play: Play, late: list[Person], aboard: list[Person]) -> Steps:
    """Fire around who is ``aboard`` and a Bleeding wound of anybody (BASE-73, BASE-202)."""
    burning: list[str] = []
    if aboard:
        burning = yield Need(Marked("fire", "BASE-73"))
    if burning:
        yield Need(Characters("BASE-73"))
    there = [p.seat for p in aboard if p.room in burning]
    everybody = tuple(p.seat for p in play.playing())
    if play.state.tracking.get("wounds") == "told":
        return
    asked = not play.tracks("wounds") and "wounds" not in play.state.sure
    if not (asked and recall.short(play)):
        yield from told_wounds(play, late, there)
    elif not there and not any(p.serious for p in late):
        return
    if recall.short(play):
        ahead = tuple(there) if asked else ()
        rule = "BASE-70 BASE-73 BASE-202"
        before = {seat: lost(play.person(seat)) for seat in everybody}
        lie = yield Need(WoundsLie(everybody, rule, True, tuple(there), ahead))
        for seat in everybody if asked else ():
            yield from shown_wounds(play, seat, lie[seat], before[seat], burns=seat in there)


def lost(person: Person) -> int:
    """Somebody's wounds in light ones."""
    return person.light + 3 * recall.total(person)


def shown_wounds(play: Play, seat: int, level: str, before: int, *, burns: bool) -> Steps:
    """The wounds of the last round of somebody who had ``before``, told as ``level`` says."""
    person = play.person(seat)
    if level == DIED:
        lay_wounds(play, person, f"0-{recall.FATAL}")
        more = 1
    else:
        more = min(max(lost(person) - before, 0), 2)
        light, hard = (lost(person) - more) % 3, (lost(person) - more) // 3
        lay_wounds(play, person, f"{light}-{hard}")
    for left in range(more, 0, -1):
        yield from last_wound(play, person, burns=burns and left == 1)


def last_wound(play: Play, person: Person, *, burns: bool) -> Steps:
    """One Light Wound of the last round: of the Fire, or of a Bleeding wound."""
    if burns:
        yield tell("stands_in_fire", "BASE-73 BASE-129", seat=person.seat, room=person.room)
    else:
        yield tell("bleeds", "BASE-202", seat=person.seat)
    yield from light_wounds(play, person.seat, 1, "BASE-73" if burns else "BASE-202")


def told_wounds(play: Play, late: list[Person], burning: list[int]) -> Steps:
    """Who takes a wound of the last round, of those whom Fire or Bleeding concerns."""
    bleeding: list[int] = []
    if play.tracks("wounds") or any(p.serious for p in late):
        taken = tuple((p.seat, wounds_of(p)) for p in late)
        bleeding = yield Need(Bleeding(taken, "BASE-202"))
    hurt = [p for p in late if p.seat in bleeding or p.seat in burning]
    if not hurt:
        return
    rule = "BASE-70 BASE-73 BASE-202"
    seats = [p.seat for p in hurt]
    chosen = yield which_of(hurt, "ask.last_rounds", rule, prefill=seats)
    for person in hurt:
        if person.seat not in chosen:
            continue
        if person.seat in bleeding:
            yield from last_wound(play, person, burns=False)
        if person.state == ABOARD and person.seat in burning:
            yield from last_wound(play, person, burns=True)
