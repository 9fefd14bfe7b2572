"""How a Metagorger attacks, and what the dead leave behind (CA-22, CA-23, CA-25 to CA-29)."""

from __future__ import annotations

from companion.game import Steps
from companion.game.state import DEAD, SUPPLY
from companion.rules.encounter import place_miniature
from companion.rules.movement import token_to_bag
from companion.rules.play import Play, tell
from companion.rules.species.carnomorphs.mutations import card_of, take_card
from companion.rules.wounds import contaminate, light_wounds

#: Shamblers that come where these die, and the rules of it.
HEIRS = {"fleshbeast": (1, "CA-27"), "butcher": (2, "CA-28")}


def metagorger_attack(play: Play, mini: str, target: int, rule: str) -> Steps:
    """No card: a Mutation card, a Contamination card and a Light Wound; then it is gone.

    Whoever has a Mutation card takes no second one (CA-23). A Shambler token goes into the bag.
    """
    person = play.person(target)
    has = card_of(person) is not None
    rule = f"{rule} CA-22" + (" CA-23 FAQ-C1" if has else "")
    yield tell("metagorger_attacks", rule, piece=mini, seat=target, room=play.room_of(mini))
    if not has:
        yield from take_card(play, target, "CA-22")
    yield from contaminate(play, target, 1, "CA-22")
    zone = play.state.where[mini]
    play.put(mini, SUPPLY)
    play.state.injuries.pop(mini, None)
    yield tell("left_board", "CA-22", piece=mini, move=[(mini, zone, SUPPLY)])
    yield from token_to_bag(play, "shambler", "CA-22 CA-70")
    if person.state != DEAD:
        yield from light_wounds(play, target, 1, "CA-22")


def heirs(play: Play, kind: str, room: str | None) -> Steps:
    """Shamblers that come where one dies; no token moves (CA-29)."""
    count, rule = HEIRS.get(kind, (0, ""))
    for _ in range(count if room else 0):
        yield from place_miniature(play, "shambler", room or "", f"{rule} CA-29 CA-75 FAQ-C10")
