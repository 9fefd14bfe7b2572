"""The ship: engines looked at, repaired and broken; the course."""

from __future__ import annotations

from companion.game import Ask, BadInput, Need, Steps
from companion.game.procedure import options
from companion.game.state import ABOARD
from companion.rules.facedown import engines, look_at_coordinates, look_at_engine
from companion.rules.facts import Characters, Intruders
from companion.rules.play import Play, tell
from companion.rules.verbs import FLAG, SEAT, maybe, verb, word

COURSE = ("A", "B", "C", "D")
OTHER = {"working": "damaged", "damaged": "working"}


def engine_of(play: Play, room: str | None) -> str | None:
    """The number of the engine in a room."""
    fixed = play.board.rooms[room].fixed if room else None
    return fixed.removeprefix("engine_") if fixed and fixed.startswith("engine_") else None


def sleepers(play: Play) -> bool:
    """Whether anybody hibernates: that locks the course and the Generator (BASE-344)."""
    return bool(play.sleepers())


def look_engine(play: Play, seat: int, engine: str, rule: str) -> Steps:
    """An Engine Room: its top token, secretly (BASE-265)."""
    yield tell("looks_at_engine", f"{rule} BASE-345 BASE-268", seat=seat, tile=f"engine_{engine}")
    yield from look_at_engine(play, seat, engine, rule)


def look_engines(play: Play, seat: int, rule: str) -> Steps:
    """The state of every engine, secretly, also of those whose room fails (BASE-258)."""
    yield tell("looks_at_engines", f"{rule} BASE-345 BASE-268", seat=seat)
    for engine in engines(play):
        yield from look_at_engine(play, seat, engine, rule)


def look_course(play: Play, seat: int, rule: str) -> Steps:
    """The Coordinates card, secretly (BASE-263)."""
    yield tell("looks_at_coordinates", f"{rule} BASE-346 BASE-268", seat=seat)
    yield from look_at_coordinates(play, seat, rule)


def set_course(play: Play, seat: int, letter: str | None, rule: str) -> Steps:
    """The Destination marker to another letter; sleepers lock it (BASE-263, BASE-344)."""
    if letter is None:
        letter = yield Ask(
            "choice",
            "ask.course",
            rule,
            {"seat": seat},
            options=options(
                [c for c in COURSE if c != play.state.destination], "ask.letter", "letter"
            ),
        )
    if letter not in COURSE:
        raise BadInput(
            "target", "answer.option", {"value": letter[:40], "allowed": ", ".join(COURSE)}
        )
    before, play.state.destination = play.state.destination, letter
    rules = f"{rule} BASE-344" if sleepers(play) else rule
    yield tell(
        "course_set",
        rules,
        seat=seat,
        letter=letter,
        move=[("destination_marker", before, letter)],
    )


@verb("repair", seat=SEAT, engine=maybe(word("1", "2", "3")), swap=maybe(FLAG))
def repair(play: Play, seat: int, engine: str | None = None, swap: bool | None = None) -> Steps:
    """An engine is repaired or broken, by a card or an item (BASE-266).

    Both tokens are looked at and put back in any order; everybody hears whether the order has
    changed. A Malfunction in the room does not matter (BASE-135). ``swap`` says it beforehand.
    """
    person = play.person(seat)
    yield Need(Characters("BASE-266"))
    here = engine_of(play, person.room)
    engine = engine or here
    if person.state != ABOARD or engine is None or engine != here:
        play.refuse("repair.not_there", seat=seat)
    if engine is None:  # it happened anyway: only the table knows where
        engine = yield Ask(
            "choice",
            "ask.which_engine",
            "BASE-266",
            {"seat": seat},
            options=options(engines(play), "ask.engine_number", "number"),
        )
    yield Need(Intruders("BASE-266"))
    if play.in_combat(person):
        play.refuse("room.in_combat", seat=seat)
    tile = f"engine_{engine}"
    failing = " BASE-135" if person.room and play.marker("malfunction", person.room) else ""
    yield tell("looks_at_both", f"BASE-266 BASE-268{failing}", seat=seat, tile=tile)
    yield from look_at_engine(play, seat, engine, "BASE-266")
    if swap is None:
        order = yield Ask(
            "choice",
            "ask.engine_order",
            "BASE-266",
            {"seat": seat, "tile": tile},
            options=options(["keep", "swap"], "ask.engine_choice", "choice"),
            to=seat,
        )
        swap = order == "swap"
    if not swap:
        yield tell("engine_order_kept", "BASE-266", seat=seat, tile=tile)
        return
    tops = play.state.hidden.get("engines", {})
    if engine in tops:
        play.state.hidden["engines"] = {**tops, engine: OTHER[tops[engine]]}
    yield tell("engine_order_changed", "BASE-266 BASE-345", seat=seat, tile=tile)
    yield from look_at_engine(play, seat, engine, "BASE-266")
