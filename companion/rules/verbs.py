"""The verbs of the table: which commands the rules know, their arguments, what they may touch.

Each module of `companion.rules` registers its procedures here with `verb`; the table, the
scenario runner, the panel and ``companion schema`` read the same register.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.game import BadInput, Steps

if TYPE_CHECKING:
    from companion.rules.play import Play

Procedure = Callable[..., Steps]
Waits = Callable[["Play"], bool]


@dataclass(frozen=True, slots=True)
class Arg:
    """One argument: its kind decides what is accepted, ``required`` whether it may be absent."""

    kind: str
    required: bool = True
    low: int = 0
    high: int = 0
    words: tuple[str, ...] = ()


SEAT = Arg("seat", low=1, high=5)
ROOM = Arg("room")
CORRIDOR = Arg("corridor")
SPACE = Arg("space")  # a room, a corridor or a technical space
PIECE = Arg("piece")
FLAG = Arg("flag")
COUNT = Arg("count", low=0, high=30)
DATA = Arg("data")


def word(*words: str) -> Arg:
    """An argument that is one of these words (any word when none is given)."""
    return Arg("word", words=words)


def maybe(arg: Arg) -> Arg:
    """The same argument, not required."""
    return Arg(arg.kind, False, arg.low, arg.high, arg.words)


@dataclass(frozen=True, slots=True)
class Verb:
    """A command or a step. ``touches`` names the facts that become unsure when people close it
    by hand; ``late`` marks what may still be put right when the game is over; ``step`` marks what
    only the agenda starts, ``waits`` whether it waits for people
    now where it may (None: always)."""

    name: str
    run: Procedure
    args: Mapping[str, Arg]
    touches: tuple[str, ...] = ()
    late: bool = False
    step: bool = False
    waits: Waits | None = None


VERBS: dict[str, Verb] = {}
STEPS: dict[str, Verb] = {}
_OWN_STEPS: dict[tuple[str, str], Verb] = {}  # by species and name


def verb(
    name: str, /, *, touches: tuple[str, ...] = (), late: bool = False, **args: Arg
) -> Callable[[Procedure], Procedure]:
    """Register a procedure as the command ``do = name``."""

    def register(procedure: Procedure) -> Procedure:
        VERBS[name] = Verb(name, procedure, args, touches, late)
        return procedure

    return register


def step(
    name: str,
    /,
    *,
    touches: tuple[str, ...] = (),
    waits: Waits | None = None,
    species: str = "",
) -> Callable[[Procedure], Procedure]:
    """Register a procedure as a step of the agenda; with ``species``, in its games only, where it
    takes the place of the shared step of that name."""

    def register(procedure: Procedure) -> Procedure:
        made = Verb(name, procedure, {}, touches, step=True, waits=waits)
        if species:
            _OWN_STEPS[species, name] = made
        else:
            STEPS[name] = made
        return procedure

    return register


def step_of(name: str, species: str) -> Verb:
    """A step of the agenda as a species has it. KeyError for one that nobody registered."""
    return _OWN_STEPS.get((species, name)) or STEPS[name]


def arguments(verb: Verb, play: Play, given: Mapping[str, Any]) -> dict[str, Any]:
    """The verb's arguments, checked against the board and the seats in play.

    Raises BadInput naming the field: unknown, missing, of the wrong type, out of range, or a
    place or seat that this game does not have.
    """
    for name in given:
        if name not in verb.args:
            raise BadInput(name, "command.unknown_field", {"allowed": ", ".join(verb.args)})
    values: dict[str, Any] = {}
    for name, arg in verb.args.items():
        if given.get(name) is None:
            if arg.required:
                raise BadInput(name, "command.missing_field")
            continue
        values[name] = _value(name, arg, play, given[name])
    return values


def _value(name: str, arg: Arg, play: Play, value: Any) -> Any:
    match arg.kind:
        case "seat":
            if isinstance(value, str) and not value.isdigit():
                for person in play.state.seats.values():
                    if person.character == value:
                        return person.seat
                raise BadInput(name, "command.unknown_seat", {"value": value[:40]})
            number = _integer(name, value, arg.low, arg.high)
            if number not in play.state.seats:
                raise BadInput(name, "command.unknown_seat", {"value": str(number)})
            return number
        case "count":
            return _integer(name, value, arg.low, arg.high)
        case "flag":
            if not isinstance(value, bool):
                raise BadInput(name, "command.flag")
            return value
        case "data":
            return value
    if not isinstance(value, str) or len(value) > 80:
        raise BadInput(name, "command.text")
    board = play.board
    known = {
        "room": value in board.rooms,
        "corridor": value in board.corridors,
        "space": value in board.rooms or value in board.corridors or value in board.spaces,
        "word": not arg.words or value in arg.words,
        "piece": True,
    }
    if not known[arg.kind]:
        raise BadInput(name, f"command.unknown_{arg.kind}", {"value": value[:40]})
    return value


def _integer(name: str, value: Any, low: int, high: int) -> int:
    if isinstance(value, str) and value.isdigit() and len(value) < 9:
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        raise BadInput(name, "command.number")
    if not low <= value <= high:
        raise BadInput(name, "command.range", {"value": str(value)[:20], "low": low, "high": high})
    return value
