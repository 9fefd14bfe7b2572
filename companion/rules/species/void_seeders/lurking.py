"""Lurking: what nobody is near to dissolves into noise (Event Phase, VS-62 to VS-64)."""

from __future__ import annotations

from companion.game import Need, Steps
from companion.game.state import SUPPLY
from companion.rules.facts import Characters, Intruders
from companion.rules.markers import noise_around
from companion.rules.movement import token_to_bag
from companion.rules.play import Play, tell
from companion.rules.species.void_seeders.lairs import TOKEN, is_lair
from companion.rules.verbs import step


def near(play: Play, room: str) -> set[str]:
    """The neighbouring rooms; doors do not matter, technical corridors by switch (VS-107)."""
    found = set(play.board.neighbours(room))
    if play.switch("vs_lurking_neighbours") == "technical too":
        for network in play.board.networks(room):
            found |= set(play.board.entrances(network))
    return found - {room}


def lurking_rooms(play: Play) -> list[str]:
    """Rooms with a Void Seeder, nobody in them and nobody next to them (VS-62)."""
    return [
        room
        for room in play.rooms_with_intruders()
        if not play.people_in(room)
        and not all(map(is_lair, play.intruders(room)))
        and not any(play.people_in(n) for n in near(play, room))
    ]


def may_lurk(play: Play) -> bool:
    """Whether something would lurk now, or only the table knows."""
    known = play.holds("intruders") and play.holds("characters")
    return not known or bool(lurking_rooms(play))


@step("lurk", touches=("intruders", "noise"), waits=may_lurk)
def lurk(play: Play) -> Steps:
    """Noise around them, then they leave, a token each into the bag; Lairs stay."""
    play.state.step = "lurk"
    yield Need(Characters("VS-62"))
    yield Need(Intruders("VS-62"))
    rooms = lurking_rooms(play)
    if not rooms:
        yield tell("nobody_lurks", "VS-62")
        return
    for room in rooms:
        yield tell("lurks", "VS-62 VS-107", room=room)
        yield from noise_around(play, room, "VS-63 VS-106")
    for room in rooms:
        for mini in play.intruders(room):
            if is_lair(mini):
                continue
            zone = play.state.where[mini]
            play.put(mini, SUPPLY)
            play.state.injuries.pop(mini, None)
            yield tell("left_board", "VS-64", piece=mini, move=[(mini, zone, SUPPLY)])
            yield from token_to_bag(play, TOKEN, "VS-64")
