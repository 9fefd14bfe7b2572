"""Attack and Feeding: step 5 of the Event Phase (CA-36 to CA-45, CA-76, CA-81)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.game import Ask, Need, Steps
from companion.game.procedure import options
from companion.game.state import INTRUDER_BOARD, REMOVED, SUPPLY, kind_of, room_zone
from companion.rules.facts import Characters, Explored, Intruders
from companion.rules.markers import nest_if_empty
from companion.rules.phase import attacks_come, everybody_attacks, somebody_attacks
from companion.rules.play import Play, tell
from companion.rules.species.carnomorphs.adaptations import available, turn_up
from companion.rules.species.carnomorphs.facts import HEAVY, Loose
from companion.rules.species.carnomorphs.feeding import ORDER, Larder, Meal, feed
from companion.rules.species.carnomorphs.mutations import ID
from companion.rules.verbs import step

FEED_TOUCHES = ("intruders", "injuries", "objects", "counters")


def voracious(play: Play) -> bool:
    """Whether Carnomorphs feed before they attack (CA-37)."""
    return play.weakness("voracious")


def may_feed(play: Play) -> bool | None:
    """Whether anybody would feed now, from what is held; None when that is not known."""
    if not (play.holds("intruders") and play.holds("characters")):
        return None
    rooms = [r for r in play.rooms_with_intruders() if voracious(play) or not play.people_in(r)]
    if not rooms:
        return False
    if not (play.holds("objects") and play.holds("rooms")):
        return None
    return any(feed(larder(play, room)) for room in rooms)


def may_happen(play: Play) -> bool:
    """Whether anybody would attack or feed now, or only the table knows; sure attacks just come."""
    if attacks_come(play):
        return False
    return may_feed(play) is not False or somebody_attacks(play)


@step("attack", species=ID, touches=("wounds", *FEED_TOUCHES), waits=may_happen)
def attack_and_feeding(play: Play) -> Steps:
    """Those in Combat attack, the others feed; with Voracious all feed first (CA-37, CA-38).

    Who is in Combat is seen once, when the step begins: whoever attacks does not feed after it.
    Feeding is one step with the question of who is where, unless attacks come first.
    """
    play.state.step = "attack"
    play.state.own.pop("feeding", None)
    yield Need(Characters("BASE-293 CA-36"))
    yield Need(Intruders("BASE-293 CA-36"))
    rooms = play.rooms_with_intruders()
    if voracious(play):
        yield from feed_rooms(play, rooms)
        play.due("attacks")
        return
    calm = [room for room in rooms if not play.people_in(room)]
    yield from everybody_attacks(play)
    if calm == rooms:
        yield from feed_rooms(play, calm)
    elif calm:
        play.due("feeding", rooms=calm)


@step("attacks", touches=("wounds", "intruders", "objects"))
def attacks(play: Play) -> Steps:
    """The attacks that come after Feeding (CA-37)."""
    yield from everybody_attacks(play)


@step("feeding", touches=FEED_TOUCHES)
def feeding(play: Play, rooms: list[str]) -> Steps:
    """After the attacks the Carnomorphs of the other rooms feed (CA-38)."""
    yield Need(Characters("CA-38"))
    yield Need(Intruders("CA-38"))
    yield from feed_rooms(play, rooms)


def feed_rooms(play: Play, rooms: list[str]) -> Steps:
    """Carnomorphs feed, room by room: by number, or as the table says (CA-38, BASE-186)."""
    if play.state.pieces("egg", INTRUDER_BOARD):
        yield Need(Explored("CA-38 CA-45"))  # only then it matters which room is the Nest
    hungry = tuple(room for room in rooms if play.intruders(room))
    if hungry and not (yield Need(Loose(hungry, "CA-38 CA-81"))):
        play.state.unsure.add("intruders")  # the table feeds them by itself
        return
    fed = False
    while hungry:
        room = yield from next_room(play, hungry)
        hungry = tuple(r for r in hungry if r != room)
        fed = (yield from feed_room(play, room)) or fed
    if not fed:
        yield tell("nobody_feeds", "CA-38")


def next_room(play: Play, hungry: Sequence[str]) -> Steps:
    """Where Carnomorphs feed next: asked by switch, while several rooms have food (BASE-186)."""
    if play.switch("attack_order") == "table decides":
        laid = [room for room in hungry if feed(larder(play, room))]
        if len(laid) > 1:
            rooms = options(laid, "ask.room", "room")
            return (yield Ask("place", "ask.next_feeding", "CA-38 BASE-186", options=rooms))
    return hungry[0]


def larder(play: Play, room: str) -> Larder:
    """One room as `feed` sees it."""
    state = play.state
    den = play.room_tile("nest") == room and not state.nest_destroyed
    return Larder(
        minis=play.intruders(room),
        injuries=state.injuries,
        objects=[p for kind in HEAVY for p in state.pieces(kind, room_zone(room))],
        pile=state.pieces("egg", INTRUDER_BOARD) if den else [],
        spare={kind: available(play, kind) for kind in ORDER},
    )


def feed_room(play: Play, room: str) -> Steps:
    """What happens in one room, kept as one picture of before and after; whether anybody fed."""
    before = larder(play, room)
    meals = feed(before)
    if not meals:
        return False
    fighting = bool(play.people_in(room))
    seen = _seen(play, before)
    eaten = []
    for meal in meals:
        rule = _rules(play, meal, pile=meal.food in before.pile, fighting=fighting)
        yield from eat(play, meal, room, rule)
        eaten.append({"eater": meal.eater, "food": meal.food, "into": meal.into, "rule": rule})
    shown = {"room": room, "before": seen, "meals": eaten}
    shown["after"] = _seen(play, larder(play, room))
    play.state.own["feeding"] = [*play.state.own.get("feeding", ()), shown]
    if any(meal.food in before.pile for meal in meals):
        yield from nest_if_empty(play)
    for meal in meals:
        if meal.into:
            yield from turn_up(play, kind_of(meal.into), "CA-41")
    return True


def _rules(play: Play, meal: Meal, *, pile: bool, fighting: bool) -> str:
    food = kind_of(meal.food)
    found = ["CA-38", "CA-39", "CA-40"]
    if meal.into:
        found += ["CA-41", "CA-70"]
    else:
        found.append("CA-42")
    found.append("CA-43")
    if food == "corpse_blue":
        found.append("CA-44")
    if pile:
        found.append("CA-45")
    if fighting:
        found.append("CA-76" if pile else "CA-81")
    if voracious(play):
        found.append("CA-37")
    return " ".join(found)


def eat(play: Play, meal: Meal, room: str, rule: str) -> Steps:
    """One meal: the Injuries go, the miniature changes, the food is gone (CA-40 to CA-43)."""
    state, here = play.state, room_zone(room)
    moves: list[tuple[str, str | None, str | None]] = []
    state.injuries.pop(meal.eater, None)
    if meal.into:
        came = state.where[meal.into]
        play.put(meal.eater, SUPPLY)
        play.put(meal.into, here)
        moves += [(meal.eater, here, SUPPLY), (meal.into, came, here)]
    zone, kind = state.where[meal.food], kind_of(meal.food)
    gone = REMOVED if kind == "corpse_blue" else SUPPLY
    play.put(meal.food, gone)
    state.injuries.pop(meal.food, None)
    for person in state.seats.values():
        if person.corpse == meal.food:
            person.corpse = None  # nobody comes back from that (BASE-209)
    moves.append((meal.food if kind in ORDER else kind, zone, gone))
    yield tell(
        "fed_and_grown" if meal.into else "fed",
        rule,
        piece=meal.eater,
        into=meal.into,
        food=kind,
        room=room,
        move=moves,
    )


def _seen(play: Play, room: Larder) -> dict[str, Any]:
    """A room as it is shown: miniatures with their injuries, Objects, Eggs of the pile."""
    return {
        "intruders": [
            {"id": m, "type": kind_of(m), "injuries": play.state.injuries.get(m, 0)}
            for m in room.minis
        ],
        "objects": [kind_of(p) for p in room.objects],
        "eggs": len(room.pile),
    }
