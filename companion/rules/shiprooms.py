"""Rooms that work the ship: Pods, fire, Self-Destruct, doors, engines, course (BASE-243 on)."""

from __future__ import annotations

from companion.game import Ask, BadInput, Need, Steps
from companion.game.procedure import options
from companion.rules import ship
from companion.rules.airlock import seal, sealable, yellow_rooms
from companion.rules.byhand import self_destruct
from companion.rules.combat import injure
from companion.rules.facedown import look_under
from companion.rules.facts import Characters, Doors, Explored, Intruders, Marked
from companion.rules.leaving import POD_SEATS, board_pod, hibernate
from companion.rules.leaving import pod as pod_command
from companion.rules.markers import close_door, open_door, put_out_fire
from companion.rules.movement import retreat
from companion.rules.play import Play, tell
from companion.rules.rooms import Bar, Use, action
from companion.rules.verbs import FLAG, ROOM, SEAT, maybe, step, verb


def every_room(play: Play, _room: str) -> list[str]:
    """Any room may be chosen."""
    return sorted(play.board.rooms)


def target_room(play: Play, use: Use, key: str, rooms: list[str]) -> Steps:
    """The room an action is about: named, or tapped on the map."""
    if use.target is None:
        return (
            yield Ask(
                "place",
                key,
                use.rule,
                {"seat": use.seat},
                options=options(rooms, "ask.room", "room"),
            )
        )
    if use.target not in play.board.rooms:
        raise BadInput("target", "command.unknown_room", {"value": use.target[:40]})
    return use.target


# Evacuation Sections, Hatch Control System ------------------------------------------------------


def pods_of(play: Play, room: str) -> list[str]:
    """Pods of the Evacuation Section in a room, by number."""
    section = (play.tile(room) or "").removeprefix("evacuation_section_")
    return sorted(p for p, z in play.state.where.items() if z == f"section:{section}")


def free_pods(play: Play, room: str) -> list[str]:
    """Those that are unlocked and have a free place."""
    taken = [p.pod for p in play.state.seats.values()]
    return [
        pod
        for pod in pods_of(play, room)
        if pod not in play.state.locked and taken.count(pod) < POD_SEATS
    ]


def _no_free_pod(play: Play, room: str) -> Bar | None:
    return None if free_pods(play, room) else ("pod.none_free", {"room": room})


def _pod_of(use: Use, key: str, pods: list[str]) -> Steps:
    if use.target is not None or len(pods) == 1:
        return use.target or pods[0]
    return (
        yield Ask(
            "card", key, use.rule, {"seat": use.seat}, options=options(pods, "ask.pod_token", "pod")
        )
    )


@action(
    "evacuation_section_a",
    "evacuation_section_b",
    name="board",
    bar=_no_free_pod,
    kind="pod",
    targets=free_pods,
    works_broken=lambda play: play.switch("pod_malfunction_blocks") == "no",
)
def board(play: Play, use: Use) -> Steps:
    """Into an unlocked Pod with a free place, after a noise roll (BASE-243, BASE-348)."""
    pods = free_pods(play, use.room) or pods_of(play, use.room)
    if pods or use.target:
        yield from board_pod(play, use.seat, (yield from _pod_of(use, "ask.board_pod", pods)))


def _turns_locks(name: str, *, locked: bool, none: str) -> None:
    """Register what the Hatch Control System does to one Pod that is ``locked``, or not."""

    def pods(play: Play, _room: str) -> list[str]:
        found = sorted(p for p, z in play.state.where.items() if z.startswith("section:"))
        return [p for p in found if (p in play.state.locked) is locked]

    def bar(play: Play, room: str) -> Bar | None:
        return None if pods(play, room) else (none, {})

    @action("hatch_control_system", name=name, bar=bar, kind="pod", targets=pods)
    def turn(play: Play, use: Use) -> Steps:
        """One Pod is locked or unlocked (BASE-259)."""
        found = pods(play, use.room)
        if found or use.target:
            pod = yield from _pod_of(use, f"ask.{name}_pod", found)
            yield from pod_command(play, name, pod)


_turns_locks("unlock", locked=True, none="pod.none_locked")
_turns_locks("lock", locked=False, none="pod.none_unlocked")


# Fire Control System ----------------------------------------------------------------------------


@action("fire_control_system", name="fire_control", kind="room", targets=every_room)
def fire_control(play: Play, use: Use) -> Steps:
    """Any room: its Fire goes out, and every Intruder there retreats (BASE-244)."""
    room = yield from target_room(play, use, "ask.fire_control", every_room(play, use.room))
    yield Need(Marked("fire", use.rule))
    yield from put_out_fire(play, room, use.rule)
    minis = play.intruders(room)
    for mini in minis:
        play.due("driven_out", piece=mini, room=room)
    yield tell("fire_control", f"{use.rule} FAQ-A25", room=room, n=len(minis))


@step("driven_out", touches=("intruders", "injuries", "doors"))
def driven_out(play: Play, piece: str, room: str) -> Steps:
    """One Intruder before Fire Control: an Event card of its own gives the way (BASE-179).

    With Susceptibility to Phosphates it takes an Injury first (BASE-167).
    """
    yield Need(Characters("BASE-244"))
    yield Need(Intruders("BASE-244"))
    if play.room_of(piece) == room and play.weakness("susceptibility_to_phosphates"):
        yield from injure(play, piece, 1, "BASE-244 BASE-167", "phosphates")
    if play.room_of(piece) == room:
        yield from retreat(play, piece, "BASE-244 BASE-179 FAQ-A25")


# Generator --------------------------------------------------------------------------------------


def _cannot_start(play: Play, _room: str) -> Bar | None:
    if play.state.self_destruct is not None:
        return "self_destruct.running", {}
    return ("self_destruct.sleepers", {}) if ship.sleepers(play) else None


def _cannot_stop(play: Play, _room: str) -> Bar | None:
    running = play.state.self_destruct
    if running is None:
        return "self_destruct.not_running", {}
    return ("self_destruct.yellow", {}) if running <= play.game.yellow_from else None


@action("generator", name="start", bar=_cannot_start)
def start(play: Play, use: Use) -> Steps:
    """Self-Destruct begins, not while anybody sleeps (BASE-245, BASE-340, BASE-344)."""
    if ship.sleepers(play):
        yield tell("sleepers_in_danger", f"{use.rule} BASE-340 BASE-344", seat=use.seat)
    yield from self_destruct(play, True)


@action("generator", name="stop", bar=_cannot_stop)
def stop(play: Play, use: Use) -> Steps:
    """Self-Destruct ends, not from yellow on (BASE-245, BASE-341)."""
    yield from self_destruct(play, False)


# Airlock Control, Command Center ----------------------------------------------------------------


def _no_airlock(play: Play, room: str) -> Bar | None:
    if play.state.airlock:
        return "airlock.in_use", {"room": play.state.airlock}
    return None if yellow_rooms(play, room) else ("airlock.nowhere", {})


@action("airlock_control", name="seal", bar=_no_airlock, kind="room", targets=yellow_rooms)
def seal_room(play: Play, use: Use) -> Steps:
    """Another yellow room is shut (BASE-251)."""
    yield Need(Doors("BASE-251"))
    rooms = [room for room in yellow_rooms(play, use.room) if sealable(play, room)]
    if not rooms and not use.target:
        play.refuse("airlock.nowhere")
        return
    room = yield from target_room(play, use, "ask.seal_room", rooms)
    yield from seal(play, room, use.room)


@action("command_center", name="doors", kind="room", targets=every_room)
def doors(play: Play, use: Use) -> Steps:
    """A room is chosen; any of its doors are opened or closed, each as wanted (BASE-257)."""
    corridors = play.board.corridors
    if use.doors is not None:
        wanted = dict(use.doors)
    elif use.target in corridors and use.target is not None:
        wanted = {use.target: use.state or other(play.door(use.target))}
    else:
        room = yield from target_room(play, use, "ask.doors_of_room", every_room(play, use.room))
        yield Need(Doors(use.rule))
        ways = [c.id for c in play.board.corridors_of(room) if play.door(c.id) != "destroyed"]
        if use.state:
            wanted = dict.fromkeys(ways, use.state)
        else:
            wanted = yield Ask(
                "place",
                "ask.doors_each",
                use.rule,
                {"room": room},
                options=options(["open", "closed"], "ask.door", "door"),
                prefill={way: play.door(way) for way in ways},
                pieces=tuple(ways),
            )
    if not all(corridor in corridors for corridor in wanted) or not common_room(play, wanted):
        raise BadInput("doors", "command.unknown_corridor", {"value": ", ".join(wanted)[:60]})
    yield Need(Doors(use.rule))
    for corridor, door in sorted(wanted.items()):
        if door == "closed":
            yield from close_door(play, corridor, use.rule)
        else:
            yield from open_door(play, corridor, use.rule)


def other(door: str) -> str:
    """What a door becomes when it is opened or closed."""
    return "open" if door == "closed" else "closed"


def common_room(play: Play, corridors: dict[str, str]) -> bool:
    """Whether all these corridors touch one room."""
    touched = [set(play.board.corridors[c].rooms) for c in corridors]
    return not touched or bool(set.intersection(*touched))


# Monitoring Room, Engine Control Room, Engines, Cockpit, Hibernatorium --------------------------


def unexplored(play: Play, _room: str) -> list[str]:
    """Rooms that nobody has explored."""
    return [room for room in sorted(play.board.rooms) if room not in play.state.explored]


@action(
    "monitoring_room",
    name="look_room",
    bar=lambda play, room: None if unexplored(play, room) else ("room.all_explored", {}),
    kind="room",
    targets=unexplored,
)
def look_room(play: Play, use: Use) -> Steps:
    """One unexplored tile and its token, secretly (BASE-260, BASE-268)."""
    rooms = unexplored(play, use.room)
    if not rooms and not use.target:
        return
    room = yield from target_room(play, use, "ask.look_room", rooms)
    if room not in rooms:
        play.refuse("reveal.explored", room=room)
        return
    yield from look_under(play, use.seat, room, f"{use.rule} BASE-268")


@verb("peek", seat=SEAT, room=ROOM, token=maybe(FLAG))
def peek(play: Play, seat: int, room: str, token: bool = True) -> Steps:
    """The Recon Drone: a tile and its token; Nemesis Plans: ``token`` false (BASE-277)."""
    yield Need(Explored("BASE-277"))
    if room in play.state.explored:
        play.refuse("reveal.explored", room=room)
        return
    yield from look_under(play, seat, room, "BASE-277 BASE-268", token=token)


@action("engine_control_room", name="look_engines")
def look_engines(play: Play, use: Use) -> Steps:
    """The state of all engines, secretly (BASE-258)."""
    yield from ship.look_engines(play, use.seat, use.rule)


@action("engine_1", "engine_2", "engine_3", name="look_engine")
def look_engine(play: Play, use: Use) -> Steps:
    """The top token of this engine, secretly (BASE-265)."""
    engine = ship.engine_of(play, use.room)
    if engine:
        yield from ship.look_engine(play, use.seat, engine, use.rule)


@action("cockpit", name="look_coordinates")
def look_coordinates(play: Play, use: Use) -> Steps:
    """The Coordinates card, secretly (BASE-263)."""
    yield from ship.look_course(play, use.seat, use.rule)


def _course_locked(play: Play, room: str) -> Bar | None:
    if ship.sleepers(play):
        return "course.sleepers", {}
    return ("course.intruder", {"room": room}) if play.intruders(room) else None


@action(
    "cockpit",
    name="course",
    bar=_course_locked,
    kind="letter",
    targets=lambda play, _room: [c for c in ship.COURSE if c != play.state.destination],
)
def course(play: Play, use: Use) -> Steps:
    """The Destination marker is moved (BASE-263)."""
    yield from ship.set_course(play, use.seat, use.target, use.rule)


@action(
    "hibernatorium",
    name="sleep",
    bar=lambda play, _room: (
        None if play.state.hibernation_open else ("hibernate.closed", {"time": play.state.time})
    ),
)
def sleep(play: Play, use: Use) -> Steps:
    """A noise roll, then sleep (BASE-267)."""
    yield from hibernate(play, use.seat)
