"""Sleeping in the Hibernatorium, and the Escape Pods."""

from __future__ import annotations

from typing import Any

from companion.game import Ask, BadInput, Need, Person, Steps
from companion.game.procedure import options
from companion.game.state import ABOARD, HIBERNATED, LAUNCHED, POD_WAITING, REMOVED
from companion.rules.ending import nobody_left
from companion.rules.facts import Characters, Intruders, Marked
from companion.rules.noise import noise_roll
from companion.rules.play import Play, tell
from companion.rules.rounds import next_turn, pass_turn
from companion.rules.verbs import PIECE, SEAT, maybe, step, verb, word

POD_SEATS = 2
#: Steps by which somebody leaves the ship's rooms, after a noise roll.
LEAVING = ("fall_asleep", "take_place")


@verb("hibernate", touches=("characters",), seat=SEAT)
def hibernate(play: Play, seat: int) -> Steps:
    """The Hibernatorium's action: a noise roll, then sleep if nothing came (BASE-267, BASE-125)."""
    person = play.person(seat)
    yield Need(Characters("BASE-267"))
    yield Need(Intruders("BASE-267"))
    if person.state != ABOARD or person.room != play.board.start_room:
        play.refuse("hibernate.not_there", seat=seat)
        yield from stands(play, person, play.board.start_room)
    if not play.state.hibernation_open:
        play.refuse("hibernate.closed", time=play.state.time)
    if play.in_combat(person):
        play.refuse("room.in_combat", seat=seat)
    failing = yield Need(Marked("malfunction", "BASE-135"))
    if person.room in failing:
        play.refuse("room.malfunction", room=person.room)
    told = despite(play, person)
    yield from noise_roll(play, seat)
    play.due("fall_asleep", seat=seat, **told)


@step("fall_asleep", touches=("characters",))
def fall_asleep(play: Play, seat: int, despite: list[str] | None = None) -> Steps:
    """After the roll: asleep and out of play, if no intruder came (BASE-267, BASE-343)."""
    person = play.person(seat)
    if came(play, person, despite):
        yield tell("sleep_prevented", "BASE-267", seat=seat)
        return
    person.state = HIBERNATED
    room, person.room = person.room, None
    yield tell("hibernated", "BASE-267 BASE-343 BASE-125 FAQ-A11", seat=seat, room=room)
    yield from nobody_left(play)


def stands(play: Play, person: Person, room: str | None) -> Steps:
    """It happened anyway: then somebody is awake where it happens, if the place is known."""
    room = room or person.room or play.board.start_room
    if (person.room, person.state) != (room, ABOARD):
        person.room, person.state, person.pod = room, ABOARD, None
        yield tell("put_character", "BASE-23", seat=person.seat, room=room)


def despite(play: Play, person: Person) -> dict[str, Any]:
    """For the step after the roll: it happened anyway, and the Intruders that stood there then."""
    return {"despite": play.intruders(person.room)} if play.forced else {}


def came(play: Play, person: Person, stood: list[str] | None) -> bool:
    """Whether somebody cannot leave: gone, or an Intruder is there that had not ``stood`` there."""
    there = play.intruders(person.room) if person.room else []
    return person.state != ABOARD or not set(there) <= set(stood or ())


def moved_away(play: Play, seat: int, rule: str) -> Steps:
    """Who is moved before sleep or a Pod's place was taken takes neither (BASE-267, BASE-348)."""
    agenda = play.state.agenda
    left = [e for e in agenda if e["step"] not in LEAVING or e.get("seat") != seat]
    if len(left) < len(agenda):
        agenda[:] = left
        yield tell("leaving_prevented", rule, seat=seat)


@verb(
    "pod",
    touches=("characters",),
    action=word("lock", "unlock", "board", "launch", "step_out"),
    pod=maybe(PIECE),
    seat=maybe(SEAT),
)
def pod(play: Play, action: str, pod: str | None = None, seat: int | None = None) -> Steps:
    """Escape Pods: locked and unlocked, boarded, launched, left again (BASE-347 to BASE-352)."""
    state = play.state
    if pod is None and seat is not None:
        pod = play.person(seat).pod
    if pod is None or not state.where.get(pod, "").startswith("section:"):
        raise BadInput("pod", "command.unknown_piece", {"value": str(pod)[:40]})
    if action in ("lock", "unlock"):
        (state.locked.add if action == "lock" else state.locked.discard)(pod)
        yield tell(f"pod_{action}ed", "BASE-259", pod=pod)
        return
    if seat is None:
        raise BadInput("seat", "command.missing_field")
    if action == "board":
        yield from board_pod(play, seat, pod)
        return
    person = play.person(seat)
    if person.passed:
        play.refuse("pod.waits", seat=seat, pod=pod)
    if action == "launch":
        yield from launch(play, pod)
    else:
        person.state, person.pod = ABOARD, None
        yield tell("stepped_out", "BASE-351 FAQ-A31", seat=seat, room=person.room)


def board_pod(play: Play, seat: int, pod: str) -> Steps:
    """Unlocked, a free place, nobody hostile in the section, a noise roll first (BASE-348)."""
    person = play.person(seat)
    section = play.room_tile(f"evacuation_section_{play.state.where[pod].removeprefix('section:')}")
    yield Need(Characters("BASE-348"))
    yield Need(Intruders("BASE-348"))
    if person.state != ABOARD or person.room != section:
        play.refuse("pod.not_there", seat=seat, pod=pod)
        yield from stands(play, person, section)
    if pod in play.state.locked:
        play.refuse("pod.locked", pod=pod)
    if len([p for p in play.order() if p.pod == pod]) >= POD_SEATS:
        play.refuse("pod.full", pod=pod)
    if play.in_combat(person):
        play.refuse("room.in_combat", seat=seat)
    if person.room == section and section in (yield Need(Marked("malfunction", "BASE-349"))):
        if play.switch("pod_malfunction_blocks") == "yes":
            play.refuse("room.malfunction", room=section)
        else:
            yield tell("malfunction_allows", "BASE-349", room=section)
    told = despite(play, person)
    yield from noise_roll(play, seat)
    play.due("take_place", seat=seat, pod=pod, **told)


@step("take_place", touches=("characters",))
def take_place(play: Play, seat: int, pod: str, despite: list[str] | None = None) -> Steps:
    """After the roll: into the Pod if nothing came; then wait or launch (BASE-350, BASE-352).

    ``despite``: it happens anyway, whatever forbids it, with these Intruders there before.
    """
    person = play.person(seat)
    play.forced = despite is not None
    if came(play, person, despite):
        yield tell("boarding_prevented", "BASE-348", seat=seat, pod=pod)
        return
    person.state, person.pod = POD_WAITING, pod
    together = " BASE-352" if len([p for p in play.order() if p.pod == pod]) > 1 else ""
    yield tell("boarded", f"BASE-348 BASE-125 FAQ-A11{together}", seat=seat, pod=pod)
    choice = yield Ask(
        "choice",
        "ask.launch_or_wait",
        f"BASE-350{together}",
        {"seat": seat, "pod": pod},
        options=options(["launch", "wait"], "ask.pod_choice", "choice"),
    )
    if choice == "launch":
        yield from launch(play, pod)
    elif not person.passed:
        yield from pass_turn(play, seat)


def launch(play: Play, pod: str) -> Steps:
    """The Pod and everybody in it leave the game; they are on Earth (BASE-350)."""
    if pod in play.state.locked and play.switch("locked_pod_launch") == "not allowed":
        play.refuse("pod.locked", pod=pod)
    zone = play.state.where[pod]
    play.put(pod, REMOVED)
    for person in play.order():
        if person.pod == pod:
            person.state, person.room, person.pod = LAUNCHED, None, None
            yield tell("launched", "BASE-350 BASE-376", seat=person.seat, pod=pod)
    yield tell("pod_launched", "BASE-350", pod=pod, move=[(pod, zone, REMOVED)])
    if play.state.turn is not None and play.person(play.state.turn).state == LAUNCHED:
        play.state.turn = next_turn(play, play.state.turn)
    yield from nobody_left(play)
