"""Whether an objective is fulfilled: what its condition says, against what is so at the end.

A condition is data of the content. A table of words is fulfilled when all of them are;
``any`` holds several tables of which one is enough::

    condition = { signal = true, any = [{ ship_destroyed = true }, { queen_killed = true }] }

Each word is judged from the state where the table holds that fact, and asked where it does not:
one small question, and only while the answer still decides something.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from companion.game import Ask, Person, Steps
from companion.game.state import DEAD, LAUNCHED, REMOVED, room_zone
from companion.rules.play import Play

Condition = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Claim:
    """Somebody's objective at the end. In cooperation it is everybody's (BASE-367)."""

    play: Play
    owner: Person

    @property
    def people(self) -> list[Person]:
        """Those of whom what the objective says may be true: survivors in cooperation."""
        return alive(self.play) if self.play.state.coop else [self.owner]

    def holds(self, topic: str) -> bool:
        """Whether the table holds facts of a kind, and is sure of them."""
        return self.play.holds(topic)


def alive(play: Play) -> list[Person]:
    """Survivors, in order."""
    return [p for p in play.order() if p.state != DEAD]


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a condition: its rules, and what the state says (None: it does not know).

    ``personal``: the fact is the owner's own, so the question names them.
    """

    rule: str
    read: Callable[[Claim, Any], bool | None]
    personal: bool = False

    def key(self, name: str, value: Any, claim: Claim) -> str:
        """Under which the answer to a question stays settled."""
        about = f":{value}" if value is not True else ""
        whose = f":{claim.owner.seat}" if self.personal and not claim.play.state.coop else ""
        return f"{name}{about}{whose}"


WORDS: dict[str, Word] = {}


def word(
    name: str, rule: str, *, personal: bool = False
) -> Callable[[Callable[[Claim, Any], bool | None]], Callable[[Claim, Any], bool | None]]:
    """Register how a word of a condition is read from the state."""

    def register(
        read: Callable[[Claim, Any], bool | None],
    ) -> Callable[[Claim, Any], bool | None]:
        WORDS[name] = Word(rule, read, personal)
        return read

    return register


@word("reaches", "BASE-376")
def _reaches(claim: Claim, place: str) -> bool:
    """The ship arrives; a Pod that reaches Earth does not bring the ship there."""
    return not claim.play.state.ship_destroyed and claim.play.state.reached == place


@word("ship_destroyed", "BASE-362")
def _ship_destroyed(claim: Claim, _: bool) -> bool:
    return claim.play.state.ship_destroyed


@word("sole_survivor", "BASE-366")
def _sole_survivor(claim: Claim, _: bool) -> bool:
    return [p.seat for p in alive(claim.play)] == [claim.owner.seat]


@word("others_survive", "BASE-366")
def _others_survive(claim: Claim, least: int) -> bool:
    return len([p for p in alive(claim.play) if p is not claim.owner]) >= least


@word("player_dead", "BASE-369 BASE-370")
def _player_dead(claim: Claim, number: int) -> bool:
    """By any cause; the owner's own number leaves only the other half of the card."""
    named = [p for p in claim.play.state.seats.values() if p.number == number]
    return any(p.state == DEAD and p is not claim.owner for p in named)


@word("signal", "BASE-374 FAQ-A41", personal=True)
def _signal(claim: Claim, _: bool) -> bool | None:
    """The owner's own; together as many Characters as there are cards that ask for it."""
    play = claim.play
    sent = [p for p in play.state.seats.values() if p.signal]
    wanted = len(_asking_for_signal(play))
    enough = len(sent) >= wanted if play.state.coop else claim.owner.signal
    return enough or (False if claim.holds("counters") else None)


def _asking_for_signal(play: Play) -> list[str]:
    held = [o for p in play.state.seats.values() for o in p.objectives]
    conditions = [(play.content.objectives[o].condition or {}) for o in held]
    return [o for o, c in zip(held, conditions, strict=True) if c.get("signal")]


@word("nest_destroyed", "BASE-372 FAQ-A36")
def _nest_destroyed(claim: Claim, _: bool) -> bool | None:
    state = claim.play.state
    if state.nest_destroyed or state.ship_destroyed:
        return True
    return False if claim.holds("counters") else None


def trophy_taken(play: Play) -> bool:
    """Whether the one that objectives ask for has been killed (BASE-373)."""
    return any(play.state.where[m] == REMOVED for m in play.state.pieces(play.species.trophy))


@word("queen_killed", "BASE-373 FAQ-A36")
def _queen_killed(claim: Claim, _: bool) -> bool | None:
    """In play, or by the ship's destruction; the jump does not kill her."""
    state = claim.play.state
    if state.ship_destroyed or trophy_taken(claim.play):
        return True
    return False if claim.holds("intruders") else None


@word("all_explored", "BASE-375")
def _all_explored(claim: Claim, _: bool) -> bool | None:
    if not claim.holds("rooms"):
        return None
    return set(claim.play.board.rooms) <= claim.play.state.explored


@word("weakness", "BASE-371")
def _weakness(claim: Claim, slot: str) -> bool:
    return slot in claim.play.species.studied(claim.play)


@word("weaknesses", "BASE-371")
def _weaknesses(claim: Claim, least: int) -> bool:
    return len(claim.play.species.studied(claim.play)) >= least


@word("carries", "BASE-377", personal=True)
def _carries(claim: Claim, kind: str) -> bool | None:
    """Into a Pod or into sleep; whoever lives at the end is in one or the other."""
    if not claim.holds("objects"):
        return None
    zones = [f"held:{p.seat}" for p in claim.people]
    return any(claim.play.state.pieces(kind, zone) for zone in zones)


@word("corpse_in", "BASE-62")
def _corpse_in(claim: Claim, tile: str) -> bool | None:
    """Where the blue Corpse lies; whether it counts on a wreck, only the card can say."""
    state = claim.play.state
    if state.ship_destroyed or not (claim.holds("objects") and claim.holds("rooms")):
        return None
    room = claim.play.room_tile(tile)
    return room is not None and bool(state.pieces("corpse_blue", room_zone(room)))


@word("in_pod", "BASE-378", personal=True)
def _in_pod(claim: Claim, _: bool) -> bool:
    return any(p.state == LAUNCHED for p in claim.people)


@word("items", "BASE-378", personal=True)
def _items(_claim: Claim, _least: int) -> bool | None:
    """Items are the players' own; the number is never asked, only whether it is reached."""
    return None


# Judging ----------------------------------------------------------------------------------------


def known(claim: Claim, name: str, value: Any) -> bool | None:
    """What a word comes to, from the state or from an answer given before."""
    told = WORDS[name]
    read = told.read(claim, value)
    return claim.play.state.settled.get(told.key(name, value, claim)) if read is None else read


def verdict(claim: Claim, condition: Condition) -> bool | None:
    """Whether a condition is fulfilled; None while a fact is missing that would decide it."""
    found: list[bool | None] = []
    for name, value in condition.items():
        if name == "any":
            parts = [verdict(claim, part) for part in value]
            found.append(True if True in parts else None if None in parts else False)
        else:
            found.append(known(claim, name, value))
    return False if False in found else None if None in found else True


def missing(claim: Claim, condition: Condition) -> Iterator[tuple[str, Any]]:
    """The words whose facts are not known and would still decide something."""
    if verdict(claim, condition) is not None:
        return
    for name, value in condition.items():
        if name == "any":
            for part in value:
                yield from missing(claim, part)
        elif known(claim, name, value) is None:
            yield name, value


def rules_of(claim: Claim, condition: Condition) -> list[str]:
    """The rules that a condition stands on, each once."""
    found: list[str] = []
    for name, value in condition.items():
        if name == "any":
            found += [r for part in value for r in rules_of(claim, part)]
        else:
            found += [r for w in WORDS[name].rule.split() for r in claim.play.cite(w).split()]
    own = claim.owner.number in _numbers(condition)
    drop = "BASE-369" if own else "BASE-370"
    return [r for r in dict.fromkeys(found) if r != drop or "BASE-369" not in found]


def _numbers(condition: Condition) -> list[int]:
    parts = [condition, *condition.get("any", ())]
    return [part["player_dead"] for part in parts if "player_dead" in part]


def judge(claim: Claim, condition: Condition) -> Steps:
    """Whether a condition is fulfilled; asks the facts it needs, one at a time."""
    while (lack := next(missing(claim, condition), None)) is not None:
        name, value = lack
        told = WORDS[name]
        params: dict[str, Any] = {"seat": claim.owner.seat}
        if value is not True:
            params[PARAMS.get(name, "n")] = value
        if name == "queen_killed":
            params["kind"] = claim.play.species.trophy
        together = "_together" if claim.play.state.coop and told.personal else ""
        answer = yield Ask("yes_no", f"ask.fact_{name}{together}", told.rule, params, by_hand=False)
        claim.play.state.settled[told.key(name, value, claim)] = answer
    return verdict(claim, condition)


#: What a word's value is called in its question, where it is no number.
PARAMS = {"carries": "piece", "corpse_in": "tile"}
