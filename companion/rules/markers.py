"""Fire, malfunction, noise, doors and slime: how markers come, and when none is left."""

from __future__ import annotations

from collections.abc import Collection

from companion.game import Ask, Need, Steps
from companion.game.procedure import Option
from companion.game.state import INTRUDER_BOARD, SUPPLY, corridor_zone, room_zone
from companion.rules.ending import ship_lost
from companion.rules.facts import Doors, Marked, Noise, Slimed, set_door
from companion.rules.facts.recall import slime_seen
from companion.rules.play import Play, tell


def place_fire(play: Play, room: str, rule: str) -> Steps:
    """One Fire marker in a room; a second is not placed, a ninth destroys the ship."""
    yield Need(Marked("fire", rule, before=True))
    if play.marker("fire", room):
        yield tell("marker_already", f"{rule} BASE-07", room=room, kind="fire")
        return
    marker = play.spare("fire")
    if marker is None:
        yield from ship_lost(play, "fire", f"{rule} BASE-357 FAQ-A39")
    assert marker
    play.put(marker, room_zone(room))
    unexplored = "" if play.explored(room) else " BASE-131 FAQ-A38"
    yield tell("fire", f"{rule}{unexplored}", room=room, move=[("fire", SUPPLY, room_zone(room))])


def place_malfunction(play: Play, room: str, rule: str) -> Steps:
    """One Malfunction marker; never in the Nest, a slime room or an unexplored one (BASE-136)."""
    yield Need(Marked("malfunction", rule, before=True))
    if play.board.rooms[room].kind == "fixed_tile" and room not in play.state.explored:
        rule += " BASE-386"
    if not may_fail(play, room):
        yield tell("malfunction_not_here", f"{rule} BASE-136 FAQ-A38", room=room)
        return
    if play.marker("malfunction", room):
        yield tell("marker_already", f"{rule} BASE-07", room=room, kind="malfunction")
        return
    marker = play.spare("malfunction")
    if marker is None:
        yield from ship_lost(play, "malfunction", f"{rule} BASE-357 FAQ-A39")
    assert marker
    play.put(marker, room_zone(room))
    special = " BASE-137" if play.board.rooms[room].kind == "special" else ""
    if room == play.board.start_room and play.sleepers():
        special += " BASE-138"
    yield tell(
        "malfunction",
        f"{rule}{special}",
        room=room,
        move=[("malfunction", SUPPLY, room_zone(room))],
    )


def may_fail(play: Play, room: str) -> bool:
    """Whether a room may hold a malfunction marker (BASE-136, BASE-137)."""
    tile = play.tile(room)
    return play.explored(room) and tile is not None and play.content.tiles[tile].malfunction


def place_noise(play: Play, space: str, rule: str) -> Steps:
    """One Noise marker in a corridor or technical space that has none (BASE-09)."""
    if play.noise_at(space):
        return
    marker = play.spare("noise")
    if marker is None:
        yield tell("noise_exhausted", f"{rule} BASE-10", space=space)
        return
    zone = corridor_zone(space) if space in play.board.corridors else f"space:{space}"
    play.put(marker, zone)
    yield tell("noise", rule, space=space, move=[("noise", SUPPLY, zone)])


def remove_noise(play: Play, space: str, rule: str) -> Steps:
    """Take a noise marker away; it can be used again (BASE-08)."""
    marker = play.noise_at(space)
    if marker:
        zone = play.state.where[marker]
        play.put(marker, SUPPLY)
        yield tell("noise_removed", rule, space=space, move=[("noise", zone, SUPPLY)])


def noise_spaces(play: Play, room: str) -> list[str]:
    """The corridors of a room and, by switch, the technical space it opens on (BASE-35)."""
    spaces = [c.id for c in play.board.corridors_of(room)]
    if play.switch("each_corridor_includes_technical") == "yes":
        spaces += play.board.networks(room)
    return spaces


def noise_around(play: Play, room: str, rule: str) -> Steps:
    """A Noise marker in each corridor of a room that has none (BASE-35)."""
    yield Need(Noise(rule))
    for space in noise_spaces(play, room):
        yield from place_noise(play, space, rule)


def put_out_fire(play: Play, room: str, rule: str) -> Steps:
    """Take a room's Fire marker away; it can be used again (BASE-08)."""
    marker = play.marker("fire", room)
    if marker:
        play.put(marker, SUPPLY)
        yield tell("fire_out", rule, room=room, move=[("fire", room_zone(room), SUPPLY)])


def turn_door(play: Play, corridor: str, door: str) -> Steps:
    """Make a door stand so; the Airlock ends with one that is not closed (BASE-252)."""
    airlock = play.state.airlock
    set_door(play, corridor, door)
    if airlock and play.state.airlock is None:
        yield tell(
            "airlock_off",
            "BASE-252",
            room=airlock,
            move=[("airlock", room_zone(airlock), SUPPLY)],
        )


def close_door(play: Play, corridor: str, rule: str, sparing: Collection[str] = ()) -> Steps:
    """A closed door, unless a destroyed one lies there; none left: one is taken (BASE-44).

    ``sparing``: corridors whose doors cannot be taken, since they are to be closed (BASE-254).
    """
    yield Need(Doors(rule))
    if play.door(corridor) == "destroyed":
        yield tell("door_stays_destroyed", f"{rule} BASE-42 BASE-47", corridor=corridor)
        return
    if play.door(corridor) == "closed":
        return
    yield from spare_door(play, sparing)
    if play.spare("door") is None:
        yield tell("door_missing", f"{rule} BASE-254", corridor=corridor)
        return
    set_door(play, corridor, "closed")
    yield tell(
        "door_closed",
        f"{rule} BASE-36",
        corridor=corridor,
        move=[("door", SUPPLY, corridor_zone(corridor))],
    )


def spare_door(play: Play, sparing: Collection[str] = ()) -> Steps:
    """See to it that a Door token is free: none left, one is taken from the board (BASE-44).

    Not from the corridors ``sparing``.
    """
    if play.spare("door") is not None:
        return
    standing = [c for c in sorted(play.board.corridors) if play.door_at(c) and c not in sparing]
    if not standing:
        return
    rule = "BASE-44 FAQ-A64 BASE-254" if sparing else "BASE-44 FAQ-A64"
    taken = yield Ask(
        "place",
        "ask.take_door",
        rule,
        options=tuple(Option(c, "ask.corridor", {"space": c}) for c in standing),
    )
    yield from turn_door(play, taken, "open")
    yield tell(
        "door_taken",
        rule,
        corridor=taken,
        move=[("door", corridor_zone(taken), SUPPLY)],
    )


def open_door(play: Play, corridor: str, rule: str) -> Steps:
    """Take a closed door away; a destroyed one stays (BASE-43)."""
    if play.door(corridor) == "closed":
        yield from turn_door(play, corridor, "open")
        yield tell(
            "door_opened",
            rule,
            corridor=corridor,
            move=[("door", corridor_zone(corridor), SUPPLY)],
        )


def nest_if_empty(play: Play) -> Steps:
    """No Eggs left on the Intruder board: the Nest is destroyed (BASE-247)."""
    if not play.state.nest_destroyed and not play.state.pieces("egg", INTRUDER_BOARD):
        play.state.nest_destroyed = True
        yield tell("nest_destroyed", "BASE-247", room=play.room_tile("nest"))


def slime(play: Play, seat: int, rule: str) -> Steps:
    """A slime marker; at most one a character (BASE-126)."""
    if not play.species.slime:
        yield tell("no_slime", f"{rule} BASE-126", seat=seat)
        return
    already = yield Need(Slimed(seat, rule, before=True))
    if already:
        yield tell("slime_already", f"{rule} BASE-126", seat=seat)
        return
    slime_seen(play, seat, True)
    yield tell("slime", rule, seat=seat)
