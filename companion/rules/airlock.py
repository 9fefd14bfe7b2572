"""The Airlock: a yellow room is shut, and at the end of the Player Phase everything in it dies."""

from __future__ import annotations

from companion.game import BadInput, Need, Steps
from companion.game.state import SUPPLY, room_zone
from companion.rules.combat import kill
from companion.rules.facts import Characters, Doors, Intruders, Marked
from companion.rules.markers import close_door, put_out_fire
from companion.rules.play import Play, tell
from companion.rules.verbs import step
from companion.rules.wounds import death


def yellow_rooms(play: Play, but: str) -> list[str]:
    """Explored yellow rooms other than the one the Airlock is worked from (BASE-251)."""
    found = []
    for room in sorted(play.state.explored - {but}):
        tile = play.content.tiles.get(play.tile(room) or "")
        if tile and tile.colour == "yellow":
            found.append(room)
    return found


def sealable(play: Play, room: str) -> bool:
    """Whether no Corridor of a room holds a destroyed Door (BASE-251)."""
    return all(play.door(c.id) != "destroyed" for c in play.board.corridors_of(room))


def seal(play: Play, room: str, origin: str) -> Steps:
    """Every door of the room is closed and the Airlock token put there (BASE-251)."""
    if room not in play.board.rooms:
        raise BadInput("target", "command.unknown_room", {"value": room[:40]})
    if room not in yellow_rooms(play, origin):
        play.refuse("airlock.not_yellow", room=room)
    yield Need(Doors("BASE-251"))
    ways = [c.id for c in play.board.corridors_of(room)]
    if not sealable(play, room):
        play.refuse("airlock.destroyed_door", room=room)
    for way in ways:
        yield from close_door(play, way, "BASE-251", sparing=ways)
    before, play.state.airlock = play.state.airlock, room
    yield tell(
        "airlock_set",
        "BASE-251",
        room=room,
        move=[("airlock", room_zone(before) if before else SUPPLY, room_zone(room))],
    )
    if play.switch("airlock_fire_timing") == "at once":
        yield from put_out_fire(play, room, "BASE-253")


@step("airlock", touches=("characters", "intruders", "doors", "fire"))
def airlock(play: Play) -> Steps:
    """Everybody has passed: if the room's doors are still closed, all in it die (BASE-252)."""
    yield Need(Doors("BASE-252"))
    room = play.state.airlock
    if room is None:
        return
    yield Need(Characters("BASE-252"))
    yield Need(Intruders("BASE-252"))
    play.state.airlock = None
    yield tell(
        "airlock_opens",
        "BASE-252",
        room=room,
        move=[("airlock", room_zone(room), SUPPLY)],
    )
    yield Need(Marked("fire", "BASE-253"))
    yield from put_out_fire(play, room, "BASE-252 BASE-253")
    for mini in play.intruders(room):
        if play.nature(mini).mortal:
            yield from kill(play, mini, "BASE-252")
        else:
            rule = play.nature(mini).check
            yield tell("stays", f"BASE-252 {rule}", piece=mini, room=room)
    for person in play.people_in(room):
        yield from death(play, person.seat, "BASE-252")
