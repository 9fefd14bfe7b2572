"""Noise rolls and Danger."""

from __future__ import annotations

from companion.game import Ask, Draw, Need, Steps
from companion.game.board import Corridor
from companion.game.procedure import options
from companion.game.state import POD_WAITING
from companion.rules.facts import Characters, Doors, Intruders, Noise, Slimed
from companion.rules.fresh import remember
from companion.rules.markers import place_noise
from companion.rules.movement import step_through
from companion.rules.play import Play, tell
from companion.rules.verbs import SEAT, step, verb


@step("noise_roll", touches=("noise", "intruders"))
def due_noise_roll(play: Play, seat: int, unless_in_combat: bool = False) -> Steps:
    """A roll that has become due, unless its character is gone meanwhile (BASE-332).

    With ``unless_in_combat`` (bag development) Combat is looked at now, not earlier (BASE-330).
    """
    person = play.person(seat)
    if not play.takes_part(person):
        return
    if unless_in_combat:
        yield Need(Characters("BASE-330"))
        yield Need(Intruders("BASE-330"))
        if play.in_combat(person):
            yield tell("noise_exempt", "BASE-328 BASE-330", seat=seat)
            return
    yield from noise_roll(play, seat)


@verb("noise_roll", touches=("noise", "intruders"), seat=SEAT)
def noise_roll(play: Play, seat: int, again: bool = False) -> Steps:
    """Roll for noise in a character's room (BASE-115).

    What the box's die does may be rolled again for a moment, once (BASE-122): not ``again``.
    """
    person = play.person(seat)
    if not play.takes_part(person):
        play.refuse("noise.not_aboard", seat=seat)
        return
    face = yield Draw(
        "noise",
        play.game.noise_die,
        "dice",
        Ask(
            "roll",
            "ask.noise_die",
            "BASE-115",
            {"seat": seat},
            options=options(list(dict.fromkeys(play.game.noise_die)), "ask.noise_face", "face"),
        ),
    )
    waiting = " BASE-329 FAQ-A5" if person.state == POD_WAITING else ""
    yield tell("noise_rolled", f"BASE-115{waiting}", seat=seat, face=face, room=person.room)
    room = person.room
    assert room
    was, start = play.state.copy(), play.dues
    if face == "silence":
        yield from silence(play, seat, "BASE-117")
    elif face == "danger":
        yield from danger(play, room, "BASE-118")
    else:
        yield from noise_in(play, seat, room, int(face))
    if not again and play.state.truth.get("dice") == "digital":
        remember(play, was, "noise", seat, due=start, dues=play.dues - start)


def silence(play: Play, seat: int, rule: str) -> Steps:
    """Silence is nothing; on a slimed character it is Danger (BASE-117, BASE-127)."""
    slimed = play.species.slime and (yield Need(Slimed(seat, "BASE-127")))
    if slimed:
        yield tell("silence_slimed", f"{rule} BASE-127 FAQ-A63", seat=seat)
        room = play.person(seat).room
        assert room
        yield from danger(play, room, "BASE-118")
    else:
        yield tell("silence", rule, seat=seat)


def noise_in(play: Play, seat: int, room: str, number: int) -> Steps:
    """A number: noise in that corridor, or an Encounter where noise lies already (BASE-116)."""
    way = play.board.exit(room, number)
    space = way.id if isinstance(way, Corridor) else way.network
    through = "" if isinstance(way, Corridor) else " BASE-31 FAQ-A62"
    if not isinstance(way, Corridor) and len(play.board.spaces) > 1:
        through += " BASE-381"
    if isinstance(way, Corridor) and len(way.numbers) > 1:
        through += " BASE-25"
    if isinstance(way, Corridor) and play.door(way.id) != "open":
        through += " BASE-45"
    noisy = yield Need(Noise("BASE-116"))
    if space in noisy:
        again = "" if isinstance(way, Corridor) else " BASE-32"
        yield tell("noise_twice", f"BASE-116{through}{again}", seat=seat, space=space)
        play.due("encounter", seat=seat)
    else:
        yield from place_noise(play, space, f"BASE-116{through}")


def danger(play: Play, room: str, rule: str) -> Steps:
    """What is near and not in Combat comes; if nothing can, noise in every empty corridor."""
    yield Need(Characters(rule))
    yield Need(Intruders(rule))
    yield Need(Doors(rule))
    blocked = play.switch("danger_closed_door") == "block"
    held = ""
    coming: list[tuple[str, list[str], str]] = []
    for neighbour in play.board.neighbours(room):
        free = [
            m for m in play.intruders(neighbour) if play.nature(m).moves and not play.fighting(m)
        ]
        ways = play.board.between(neighbour, room)
        passes = bool(play.species.through_doors)
        open_ways = [c for c in ways if passes or play.door(c.id) != "closed"]
        if free and (open_ways or not blocked):
            coming.append((neighbour, free, (open_ways or ways)[0].id))
        elif free:
            held = " BASE-39"
    if coming:
        company = " BASE-121" if len(play.people_in(room)) > 1 else ""
        yield tell("danger_comes", f"{rule}{company}", room=room)
        for neighbour, free, corridor in coming:
            if play.door(corridor) == "closed" and not play.species.through_doors:
                yield tell("danger_door", "BASE-39 BASE-40", corridor=corridor)
            yield from step_through(play, free, neighbour, corridor, f"{rule} BASE-120")
        return
    if play.species.quiet_danger(play, room):
        yield tell("danger_nothing", rule, room=room)
        return
    noisy = yield Need(Noise(rule))
    empty = [
        s
        for s in [*(c.id for c in play.board.corridors_of(room)), *play.board.networks(room)]
        if s not in noisy
    ]
    if not empty:
        yield tell("danger_nothing", f"{rule}{held} BASE-119 FAQ-A4", room=room)
    else:
        yield tell("danger_noise", f"{rule}{held}", room=room)
    for space in empty:
        yield from place_noise(play, space, rule)
