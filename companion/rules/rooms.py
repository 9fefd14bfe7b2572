"""Room actions: where they may be used, and the one command for all of them.

What each room does is in `roomservice`, `shiprooms` and `study` of `companion.rules`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.game import Ask, BadInput, Need, Steps
from companion.game.procedure import options
from companion.game.state import ABOARD
from companion.rules.facts import Characters, Explored, Intruders, Marked
from companion.rules.play import Play, tell
from companion.rules.verbs import COUNT, DATA, FLAG, PIECE, ROOM, SEAT, maybe, verb, word

#: A reason why an action is not possible now: the code of a refusal and its parameters.
Bar = tuple[str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Use:
    """One use of a room: by whom, where, on what. ``rule`` is the room's own."""

    seat: int
    room: str
    rule: str
    target: str | None = None
    state: str | None = None
    doors: Mapping[str, str] | None = None
    scan: int = 0
    remote: bool = False


@dataclass(frozen=True, slots=True)
class Action:
    """One thing a room lets a character do.

    ``bar`` says from public facts why not now; ``targets`` what may be chosen, by id, or None
    when nothing is; ``kind`` is the kind of these ids (room, pod, piece, letter).
    """

    name: str
    run: Callable[[Play, Use], Steps]
    cost: int = 2
    bar: Callable[[Play, str], Bar | None] = lambda _play, _room: None
    kind: str = ""
    targets: Callable[[Play, str], list[str]] = lambda _play, _room: []
    empty: str = ""  # the code that says why there is nothing to choose
    scans: bool = False  # the hand's Contamination cards may be scanned too
    works_broken: Callable[[Play], bool] = lambda _play: False


#: The actions of each tile, the usual one first. A room without an entry is passive or bare.
ACTIONS: dict[str, dict[str, Action]] = {}


def action(*tiles: str, name: str, **more: Any) -> Callable[[Any], Any]:
    """Register what the rooms ``tiles`` do, as the action ``name``; see `Action` for the rest."""

    def register(run: Callable[[Play, Use], Steps]) -> Callable[[Play, Use], Steps]:
        for tile in tiles:
            ACTIONS.setdefault(tile, {})[name] = Action(name, run, **more)
        return run

    return register


def actions_in(play: Play, room: str) -> dict[str, Action]:
    """What can be done in an explored room, by name."""
    if room not in play.state.explored:
        return {}
    return ACTIONS.get(play.tile(room) or "", {})


def bar(play: Play, room: str, what: Action, *, failing: bool) -> Bar | None:
    """Why an action of a room cannot be used now by anybody; from public facts only."""
    if failing and not what.works_broken(play):
        return "room.malfunction", {"room": room}
    return what.bar(play, room)


@verb(
    "room_action",
    touches=("characters", "intruders", "rooms", "doors", "fire", "noise", "wounds", "objects"),
    seat=maybe(SEAT),
    room=maybe(ROOM),
    action=maybe(word()),
    target=maybe(PIECE),
    state=maybe(word("open", "closed")),
    doors=maybe(DATA),
    scan=maybe(COUNT),
    remote=maybe(FLAG),
)
def room_action(
    play: Play,
    seat: int | None = None,
    room: str | None = None,
    action: str | None = None,
    target: str | None = None,
    state: str | None = None,
    doors: Any = None,
    scan: int = 0,
    remote: bool = False,
) -> Steps:
    """A character uses a room (BASE-237); ``remote`` by a card or an item (BASE-272).

    ``room`` is the seat's own unless named; ``action`` is needed where a room has several;
    ``target`` is what it is done to (a room, a corridor, a Pod, an object, a letter); ``state`` and
    ``doors`` are for the Command Center, ``scan`` counts the hand's Contamination cards to scan.
    Refused: not there, in Combat, a Malfunction, nothing to do there, or the room's own condition.
    BadInput for an action that the room does not have.
    """
    if seat is None:
        raise BadInput("seat", "command.missing_field")
    person = play.person(seat)
    yield Need(Characters("BASE-237"))
    if person.state != ABOARD or person.room is None:
        play.refuse("room.not_aboard", seat=seat)
    room = room or person.room
    if room is None:
        return
    if room != person.room and not remote:
        play.refuse("room.not_there", seat=seat, room=room)
    yield Need(Intruders("BASE-237"))
    if play.in_combat(person):
        play.refuse("room.in_combat", seat=seat)
    yield Need(Explored("BASE-237"))
    possible = actions_in(play, room)
    if not possible:
        explored = room in play.state.explored
        play.refuse("room.no_action" if explored else "room.unexplored", room=room)
        return
    broken = room in (yield Need(Marked("malfunction", "BASE-237 BASE-135")))
    if action is not None and action not in possible:
        allowed = ", ".join(possible)
        raise BadInput("action", "answer.option", {"value": action[:40], "allowed": allowed})
    bars = {name: bar(play, room, what, failing=broken) for name, what in possible.items()}
    offered = [name for name in possible if bars[name] is None or play.forced]
    refused = bars[action or next(iter(possible))]
    if refused and (action or not offered):
        play.refuse(refused[0], **refused[1])
    chosen = possible[action or (yield from choose(seat, room, offered))]
    rule = play.content.tiles[play.tile(room) or ""].rule
    cited = f"BASE-237 {rule}" + (" BASE-272" if remote else "")
    if play.marker("fire", room):
        cited += " BASE-130"
    yield tell("room_used", cited, seat=seat, room=room, action=chosen.name)
    yield from chosen.run(play, Use(seat, room, rule, target, state, _doors(doors), scan, remote))


def choose(seat: int, room: str, offered: list[str]) -> Steps:
    """Which of a room's actions that are possible now: the only one, or what the player says."""
    if len(offered) == 1:
        return offered[0]
    return (
        yield Ask(
            "choice",
            "ask.room_action",
            "BASE-237",
            {"seat": seat, "room": room},
            options=options(offered, "ask.room_choice", "action"),
        )
    )


def _doors(given: Any) -> Mapping[str, str] | None:
    if given is None:
        return None
    if not isinstance(given, Mapping):
        raise BadInput("doors", "command.table")
    for corridor, door in given.items():
        if door not in ("open", "closed"):
            raise BadInput(f"doors.{corridor}"[:60], "command.unknown_word", {"value": str(door)})
    return {str(corridor): str(door) for corridor, door in given.items()}
