"""What has just happened and a card may still cancel or roll again (BASE-122, BASE-155, BASE-199).

Nobody is asked: the attack or the roll takes its effect, what it changed is kept, and until the
next thing happens whoever could hold such a card finds a button. See docs/decisions/0011.
"""

from __future__ import annotations

from typing import Any

from companion.game import Instruction, Person, State
from companion.game.state import DEAD, natural
from companion.rules.facts import recall
from companion.rules.play import Play

_PERSON = ("state", "room", "pod", "light", "serious", "dressed", "slime", "contamination", "own")
_STATE = (
    "injuries",
    "locked",
    "pods_unlocked",
    "first_death",
    "destroyed",
    "nest_destroyed",
    "own",
)


def cards_for(play: Play, seat: int, effect: str) -> list[str]:
    """Cards with an effect that the character of a seat could hold: public facts."""
    character = play.person(seat).character
    return [
        card.id
        for card in play.content.cards.values()
        if card.effect == effect and card.character in ("", character)
    ]


def offers(play: Play) -> list[dict[str, Any]]:
    """What may be cancelled or rolled again now: seat, card, and what it concerns."""
    fresh = play.state.fresh
    if not fresh or play.switch("offer_cancels") == "no":
        return []
    found: list[dict[str, Any]] = []
    effect = "reroll" if fresh["what"] == "noise" else "cancel_attack"
    for seat in fresh["seats"]:
        if recall.said(play, f"cancels:{seat}") is False:
            continue
        for card in cards_for(play, seat, effect):
            if fresh["surprise"] or not play.content.cards[card].params.get("surprise"):
                found.append({"seat": seat, "card": card, "what": fresh["what"]})
    return found


def remember(
    play: Play, was: State, what: str, seat: int | None, *, surprise: bool = False, **more: int
) -> None:
    """Keep what an attack (``attack``) or a roll (``noise``) on ``seat`` changed since ``was``.

    Without a seat it was meant for all in a Room. Nothing is kept when nobody could cancel it.
    """
    now = play.state
    people = {str(s): _changed(was.seats[s], now.seats[s]) for s in was.seats}
    people = {s: fields for s, fields in people.items() if fields}
    values = {n: _plain(getattr(was, n)) for n in _STATE if getattr(was, n) != getattr(now, n)}
    fresh = {
        "what": what,
        "seat": seat,
        "seats": [seat] if what == "noise" else sorted({seat or 0, *map(int, people)} - {0}),
        "surprise": surprise,
        "where": {p: z for p, z in was.where.items() if now.where[p] != z},
        "people": people,
        "values": values,
        **more,
    }
    now.fresh = fresh
    if not offers(play):
        now.fresh = None


def _changed(was: Person, now: Person) -> dict[str, Any]:
    return {n: getattr(was, n) for n in _PERSON if getattr(was, n) != getattr(now, n)}


def _plain(value: Any) -> Any:
    return sorted(value) if isinstance(value, set) else value


def take_back(play: Play, fresh: dict[str, Any], seat: int) -> list[Instruction]:
    """Undo what is kept, as far as it concerns ``seat``; returns what hands must put back.

    The one attacked takes the whole attack back, but for what it did to others (FAQ-A26); anybody
    else only what happened to them.
    """
    state = play.state
    person = state.seats[seat]
    whole = seat == fresh["seat"]
    before = fresh["people"].get(str(seat), {})
    revived = person.state == DEAD and before.get("state", DEAD) != DEAD
    for name, value in before.items():
        setattr(person, name, value)
        if name == "slime":
            state.sure.discard(f"slime:{seat}")
    deaths = any(p.get("state") for s, p in fresh["people"].items() if s != str(seat))
    kept = ("first_death", "pods_unlocked", "locked") if deaths else ()
    for name, value in fresh["values"].items():
        if name not in kept and (whole or (revived and name not in ("injuries", "destroyed"))):
            setattr(state, name, set(value) if isinstance(getattr(state, name), set) else value)
    moves = []
    corpses = 1 if revived else 0
    own = (f"held:{seat}", f"sheet:{seat}")
    other = tuple(f"{w}:{s}" for w in ("held", "sheet") for s in state.seats if s != seat)
    for piece in natural(fresh["where"]):
        zone, now = fresh["where"][piece], state.where[piece]
        corpse = piece.startswith("corpse_red")
        if corpse and corpses:
            corpses -= 1
        elif (
            (zone not in own and now not in own and (corpse or not whole))
            or zone in other
            or now in other
        ):
            continue
        state.where[piece] = zone
        if ":" not in piece:  # cards and tokens are nobody's business but their owner's
            moves.append(Instruction(piece, now, zone))
    if revived and person.room:
        moves.append(Instruction(person.character, None, f"room:{person.room}"))
    return moves
