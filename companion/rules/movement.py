"""How intruders move: through corridors, closed doors and technical entrances."""

from __future__ import annotations

from collections.abc import Sequence

from companion.game import Ask, Draw, Need, Steps
from companion.game.board import Corridor
from companion.game.procedure import options
from companion.game.state import BAG, SUPPLY, kind_of, room_zone
from companion.rules.decks import draw_event_number
from companion.rules.facts import Doors
from companion.rules.play import Play, tell


def step_through(play: Play, minis: Sequence[str], room: str, corridor: str, rule: str) -> Steps:
    """Intruders of one room move through one corridor, all at the same moment (BASE-41).

    A closed door is destroyed and all stay (BASE-38); with The Way of Moving it only stops those
    that are neither Queen nor Breeder (BASE-226).
    """
    if not minis:
        return
    yield Need(Doors(rule))
    if play.door(corridor) == "closed":
        breaking = [m for m in minis if breaks_doors(play, m)]
        together = " BASE-41" if len(minis) > 1 else ""
        if breaking:
            from companion.rules.markers import destroy_door

            yield from destroy_door(play, corridor, f"{rule} BASE-38{together}")
        else:
            yield tell("door_holds", f"{rule} BASE-226 BASE-176", corridor=corridor)
        for mini in minis:
            yield tell("stays", f"{rule} BASE-38{together}", piece=mini, room=room)
        return
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
    yield from play.species.arrived(play, target, rule)


def breaks_doors(play: Play, mini: str) -> bool:
    """Whether this intruder destroys closed doors (BASE-226)."""
    if not play.weakness("the_way_of_moving"):
        return True
    return kind_of(mini) in ("queen", "breeder")


def leave_by(play: Play, minis: Sequence[str], room: str, number: int, rule: str) -> Steps:
    """Intruders of one room move through the exit with a number: corridor or technical entrance."""
    if not minis:
        return
    way = play.board.exit(room, number)
    if isinstance(way, Corridor):
        yield from step_through(play, minis, room, way.id, rule)
        return
    for mini in minis:
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
    yield from token_to_bag(play, kind_of(mini), rule)


def token_to_bag(play: Play, kind: str, rule: str) -> Steps:
    """A token of a type from the pool into the bag; none there: skipped (BASE-17, BASE-18)."""
    pool = play.draw_pool(kind)
    if not pool:
        yield tell("token_missing", f"{rule} BASE-17 FAQ-A59", token=kind)
        return
    pick = play.switch("returned_token_pick")
    token = pool[0]
    if len({t.split("#")[0] for t in pool}) > 1:
        if pick == "highest":
            token = max(pool, key=lambda t: int(t.split("#")[0].rsplit("/", 1)[1]))
        else:
            token = yield Draw(
                "token",
                tuple(pool),
                "bag",
                Ask(
                    "card",
                    "ask.token_in",
                    "BASE-18",
                    {"token": kind},
                    options=options(
                        list(dict.fromkeys(t.split("#")[0] for t in pool)), "ask.token", "token"
                    ),
                ),
            )
    play.put_token(token, BAG)
    yield tell("token_in", rule, token=kind)


def retreat(play: Play, mini: str, rule: str) -> Steps:
    """An Event card gives the corridor; injuries stay (BASE-174)."""
    room = play.room_of(mini)
    if room is None:
        return
    number = yield from draw_event_number(play, "BASE-174 BASE-175")
    yield tell("retreats", f"{rule} BASE-174", piece=mini, number=number)
    way = play.board.exit(room, number)
    rules = f"{rule} BASE-174"
    if isinstance(way, Corridor):
        if play.door(way.id) == "closed":
            rules += " BASE-176 FAQ-A18"
        elif play.people_in(way.other(room)):
            rules += " BASE-178"
    else:
        rules += " BASE-177"
    yield from leave_by(play, [mini], room, number, rules)
