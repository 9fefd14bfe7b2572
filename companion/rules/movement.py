"""How intruders move: through corridors, closed doors and technical entrances."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from companion.game import Ask, Draw, Need, Steps
from companion.game.board import Corridor
from companion.game.procedure import options
from companion.game.state import (
    ABOARD,
    BAG,
    POD_WAITING,
    SUPPLY,
    corridor_zone,
    kind_of,
    label_of,
    room_zone,
    value_of,
)
from companion.rules.decks import draw_event_number
from companion.rules.facts import Doors
from companion.rules.markers import turn_door
from companion.rules.play import Play, tell


def step_through(
    play: Play,
    minis: Sequence[str],
    room: str,
    corridor: str,
    rule: str,
    shut: Collection[str] = (),
) -> Steps:
    """Intruders of one room move through one corridor, all at the same moment (BASE-41).

    A closed door is destroyed and all stay (BASE-38); with The Way of Moving it only stops those
    that are neither Queen nor Breeder (BASE-226). ``shut``: doors that were closed when the moves
    of this moment began; whoever comes from their other side stays too (BASE-298).
    """
    minis = [m for m in minis if play.nature(m).moves]
    if not minis:
        return
    yield Need(Doors(rule))
    door = play.door(corridor)
    if (door == "closed" or corridor in shut) and not play.species.through_doors:
        rules = f"{rule} BASE-41" if len(minis) > 1 else rule
        if door != "closed" or any(breaks_doors(play, m) for m in minis):
            rules += " BASE-38"
            if door == "closed":
                yield from destroy_door(play, corridor, rules)
        else:
            rules += " BASE-226"
            yield tell("door_holds", rules, corridor=corridor)
        for mini in minis:
            yield tell("stays", rules, piece=mini, room=room)
        return
    if door == "closed":
        rule = f"{rule} {play.species.through_doors}".strip()
    target = play.board.corridors[corridor].other(room)
    for mini in minis:
        play.put(mini, room_zone(target))
    for mini in minis:
        hidden = "" if target in play.state.explored else " BASE-113 FAQ-A27"
        fights = " FAQ-A61 BASE-140" if play.people_in(target) else ""
        yield tell(
            "moved",
            f"{rule}{hidden}{fights}",
            piece=mini,
            room=room,
            to_room=target,
            corridor=corridor,
            move=[(mini, room_zone(room), room_zone(target), corridor)],
        )
    yield from out_of_pods(play, target, rule)


def out_of_pods(play: Play, room: str, rule: str) -> Steps:
    """One has come: people in the Pods of the Evacuation Section are in its room (BASE-353)."""
    for person in play.order():
        if person.state == POD_WAITING and person.room == room:
            person.state = ABOARD
            person.pod = None
            yield tell("pod_emptied", f"{rule} BASE-353", seat=person.seat, room=room)


def destroy_door(play: Play, corridor: str, rule: str) -> Steps:
    """Lay a closed door down; it can never be closed again (BASE-42)."""
    yield from turn_door(play, corridor, "destroyed")
    zone = corridor_zone(corridor)
    yield tell("door_destroyed", rule, corridor=corridor, move=[("door", zone, zone)])


def breaks_doors(play: Play, mini: str) -> bool:
    """Whether this intruder destroys closed doors (BASE-226)."""
    if not play.weakness("the_way_of_moving"):
        return True
    return kind_of(mini) in ("queen", "breeder")


def leave_by(
    play: Play,
    minis: Sequence[str],
    room: str,
    number: int,
    rule: str,
    shut: Collection[str] = (),
) -> Steps:
    """Intruders of one room move through the exit with a number: corridor or technical entrance.

    ``shut`` as in `step_through`.
    """
    minis = [m for m in minis if play.nature(m).moves]
    if not minis:
        return
    way = play.board.exit(room, number)
    if isinstance(way, Corridor):
        yield from step_through(play, minis, room, way.id, rule, shut)
        return
    for mini in minis:
        if shut_out := play.nature(mini).shut_out:
            yield tell("stays", f"{rule} {shut_out}", piece=mini, room=room)
            continue
        yield tell(
            "into_technical",
            f"{rule} BASE-33 FAQ-A9",
            piece=mini,
            room=room,
            space=way.network,
        )
        yield from back_to_bag(play, mini, f"{rule} BASE-33")


def back_to_bag(play: Play, mini: str, rule: str) -> Steps:
    """A miniature leaves the board: injuries gone, one token of its type into the bag (BASE-33)."""
    zone = play.state.where[mini]
    play.put(mini, SUPPLY)
    play.state.injuries.pop(mini, None)
    yield tell("left_board", rule, piece=mini, move=[(mini, zone, SUPPLY)])
    yield from play.species.token_returns(play, kind_of(mini), rule)


def token_to_bag(play: Play, kind: str, rule: str) -> Steps:
    """A token of a type from the pool into the bag; none there: skipped (BASE-17, BASE-18)."""
    pool = play.draw_pool(kind)
    if not pool:
        yield tell("token_missing", f"{rule} BASE-17 FAQ-A59", token=kind)
        return
    token = pool[0]
    if len({label_of(t) for t in pool}) > 1:
        match play.switch("returned_token_pick"):
            case "highest":
                token = max(pool, key=lambda t: value_of(t) or 0)
            case "ask":
                labels = list(dict.fromkeys(label_of(t) for t in pool))
                label = yield Ask(
                    "card",
                    "ask.token_in",
                    "BASE-18",
                    {"token": kind},
                    options=options(labels, "ask.token", "token"),
                )
                token = next(t for t in pool if label_of(t) == label)
            case _:
                token = yield unseen("token", pool)
        rule = f"{rule} BASE-18"
    play.put_token(token, BAG)
    yield tell("token_in", rule, token=kind)


def unseen(purpose: str, pool: Sequence[str]) -> Draw:
    """One token of a type, number side unseen (BASE-18, FAQ-A1).

    Nobody is ever asked which: with a bag of cardboard the box only supposes one, and what a hand
    draws later tells (`companion.rules.encounter.draw_token`).
    """
    return Draw(purpose, tuple(pool), "unseen", Ask("confirm", "", "BASE-18"))


def retreat(play: Play, mini: str, rule: str) -> Steps:
    """An Event card gives the corridor; injuries stay (BASE-174)."""
    room = play.room_of(mini)
    if room is None:
        return
    if not play.nature(mini).moves:
        yield tell("stays", rule, piece=mini, room=room)
        return
    number = yield from draw_event_number(play, "BASE-174 BASE-175")
    yield tell("retreats", f"{rule} BASE-174", piece=mini, number=number)
    way = play.board.exit(room, number)
    rules = f"{rule} BASE-174"
    if isinstance(way, Corridor):
        if play.door(way.id) == "closed" and not play.species.through_doors:
            rules += " BASE-176 FAQ-A18"
        elif play.people_in(way.other(room)):
            rules += " BASE-178"
    else:
        rules += " BASE-177"
    yield from leave_by(play, [mini], room, number, rules)
