"""What the texts of the Intruder Attack cards do, by the effect names of the content."""

from __future__ import annotations

from collections.abc import Callable

from companion.game import Need, Steps
from companion.game.state import ASIDE, DEAD, SUPPLY, kind_of, room_zone
from companion.library.model import AttackCard
from companion.rules.facts import BadlyWounded, FewerCards, SeriousWounds, wounds_of
from companion.rules.facts.recall import injuries_pass
from companion.rules.markers import slime
from companion.rules.play import Play, tell
from companion.rules.wounds import (
    contaminate,
    death,
    light_wounds,
    look_round,
    serious_wound,
)

Effect = Callable[[Play, str, int, AttackCard], Steps]


def scratch(play: Play, mini: str, target: int, card: AttackCard) -> Steps:
    """One light wound and one Contamination card (BASE-188)."""
    yield from light_wounds(play, target, 1, card.rule)
    if play.person(target).state != DEAD:
        yield from contaminate(play, target, 1, card.rule)


def claw_attack(play: Play, mini: str, target: int, card: AttackCard) -> Steps:
    """Two light wounds and one Contamination card (BASE-189)."""
    yield from light_wounds(play, target, 2, card.rule)
    if play.person(target).state != DEAD:
        yield from contaminate(play, target, 1, card.rule)


def bite(play: Play, mini: str, target: int, card: AttackCard) -> Steps:
    """With two serious wounds death, else a serious wound (BASE-190)."""
    light = kind_of(mini) == "adult" and play.weakness("the_way_of_fighting")
    yield from maul(play, target, 2, card.rule, light=light)


def tail_attack(play: Play, mini: str, target: int, card: AttackCard) -> Steps:
    """With one serious wound death, else a serious wound (BASE-191)."""
    yield from maul(play, target, 1, card.rule)


def frenzy(play: Play, mini: str, target: int, card: AttackCard) -> Steps:
    """Everyone in the room: with two serious wounds death, else a serious wound (BASE-194)."""
    people = play.people_in(play.room_of(mini) or "")
    if len(people) == 1:
        yield from maul(play, people[0].seat, 2, card.rule)
        return
    for person in people:
        yield from look_round(play, person.seat)
    taken = tuple((p.seat, wounds_of(p)) for p in people)
    badly = yield Need(BadlyWounded(taken, 2, f"{card.rule} BASE-198"))
    for person in people:
        yield from _mauled(play, person.seat, person.seat in badly, card.rule)


def maul(play: Play, seat: int, limit: int, rule: str, *, light: bool = False) -> Steps:
    """With ``limit`` serious wounds death, else one more; a light one where it fights worse."""
    badly = SeriousWounds(seat, limit, f"{rule} BASE-198", wounds_of(play.person(seat)))
    yield from look_round(play, seat, badly)
    fatal = yield Need(badly)
    yield from _mauled(play, seat, fatal, rule, light=light)


def _mauled(play: Play, seat: int, fatal: bool, rule: str, *, light: bool = False) -> Steps:
    if fatal:
        yield from death(play, seat, f"{rule} BASE-198")
    elif light:
        yield tell("fights_worse", f"{rule} BASE-225", seat=seat)
        yield from light_wounds(play, seat, 1, rule)
    else:
        yield from serious_wound(play, seat, rule)


def transformation(play: Play, mini: str, target: int, card: AttackCard) -> Steps:
    """The Creeper becomes a Breeder; an empty hand suffers its Surprise Attack (BASE-192)."""
    from companion.rules.combat import intruder_attack

    breeder = play.spare("breeder")
    room = play.room_of(mini)
    if breeder is None or room is None:
        yield tell("miniature_missing", f"{card.rule} BASE-21", kind="breeder", room=room)
        return
    play.put(mini, SUPPLY)
    injuries = play.state.injuries.pop(mini, 0)
    play.put(breeder, room_zone(room))
    if injuries:
        play.state.injuries[breeder] = injuries
    injuries_pass(play, mini, breeder)
    yield tell(
        "transformed",
        f"{card.rule} BASE-193",
        piece=mini,
        into=breeder,
        room=room,
        move=[(mini, room_zone(room), SUPPLY), (breeder, SUPPLY, room_zone(room))],
    )
    empty = yield Need(FewerCards(target, 1, card.rule))
    if empty:
        yield tell("surprise", f"{card.rule} BASE-153", seat=target, piece=breeder)
        yield from intruder_attack(
            play, breeder, target=target, rule=f"{card.rule} BASE-153", surprise=True
        )


def devour(play: Play, mini: str, target: int, card: AttackCard) -> Steps:
    """With one serious wound death, else a serious wound; whoever eats heals (CA-A1)."""
    yield from maul(play, target, 1, card.rule)
    healed = play.state.injuries.pop(mini, 0)
    if healed:
        yield tell("healed", card.rule, piece=mini, count=healed)


def spawn(play: Play, mini: str, target: int, card: AttackCard) -> Steps:
    """One of the kind that the card names comes into the room; slime (CA-A2)."""
    from companion.rules.encounter import place_miniature

    room = play.room_of(mini)
    if room:
        yield from place_miniature(
            play, str(card.params.get("appears", kind_of(mini))), room, card.rule
        )
    yield from slime(play, target, card.rule)


def bash(play: Play, mini: str, target: int, card: AttackCard) -> Steps:
    """A serious wound and a Contamination card (CA-A3)."""
    yield from serious_wound(play, target, card.rule)
    if play.person(target).state != DEAD:
        yield from contaminate(play, target, 1, card.rule)


def regurgitate(play: Play, mini: str, target: int, card: AttackCard) -> Steps:
    """Slime, a Contamination card, and a Carcass in the room (CA-A4)."""
    yield from slime_attack(play, mini, target, card)
    room = play.room_of(mini)
    carcass = play.spare("carcass")
    if room is None or carcass is None:
        yield tell("nothing_left", card.rule, piece="carcass", room=room)
        return
    play.put(carcass, room_zone(room))
    yield tell(
        "object_comes",
        card.rule,
        piece="carcass",
        room=room,
        move=[("carcass", SUPPLY, room_zone(room))],
    )


def slime_attack(play: Play, mini: str, target: int, card: AttackCard) -> Steps:
    """A slime marker and a Contamination card (BASE-195)."""
    yield from slime(play, target, card.rule)
    yield from contaminate(play, target, 1, card.rule)


def summoning(play: Play, mini: str, target: int, card: AttackCard) -> Steps:
    """An intruder out of the bag into the room; it does not attack now (BASE-196, BASE-197)."""
    from companion.rules.encounter import blank, draw_token, place_miniature

    room = play.room_of(mini)
    token = yield from draw_token(play, card.rule)
    if token is None or room is None:
        return
    if kind_of(token) == "blank":
        if play.switch("summoning_blank") == "as Encounter":
            yield tell("summoned_blank", f"{card.rule} BASE-197", room=room)
            yield from blank(play, target, room)
        else:
            yield tell("token_back", f"{card.rule} BASE-197", token="blank")
        return
    play.put_token(token, ASIDE)
    yield from place_miniature(play, kind_of(token), room, card.rule)
    play.put_token(token, SUPPLY)


def none(play: Play, mini: str, target: int, card: AttackCard) -> Steps:
    """A card without a known text: nothing the companion holds changes."""
    yield tell("card_by_table", card.rule, card=card.id, deck="attack")


EFFECTS: dict[str, Effect] = {
    "scratch": scratch,
    "claw_attack": claw_attack,
    "bite": bite,
    "tail_attack": tail_attack,
    "devour": devour,
    "spawn": spawn,
    "bash": bash,
    "regurgitate": regurgitate,
    "frenzy": frenzy,
    "transformation": transformation,
    "slime": slime_attack,
    "summoning": summoning,
    "none": none,
}
