"""The table's view → what the lights say. Made from the public view only, never from the state.

Contamination, room by room: 2 and 3 as the species in play says, 1 noise beside the room
(docs/lights.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.game import Board
from companion.rules.species import strategy
from companion.table.ports import Meaning, Mood, RoomLight, Scene

MOODS = {"lobby": Mood.LOBBY, "event": Mood.EVENT, "over": Mood.OVER}


def scene(
    view: Mapping[str, Any],
    board: Board,
    *,
    calm: bool = False,
    pause: bool = False,
    glass: float | None = None,
    point: tuple[str, ...] = (),
) -> Scene:
    """The scene of a table's view. ``pause``: people take a break; ``glass``: the sand left.

    ``point``: rooms that somebody asked to be shown, before any other.
    """
    mood = Mood.BREAK if pause else MOODS.get(view["phase"], Mood.PLAYER)
    tracks = view["tracks"]
    pointer = tuple(room for room in point if room in view["rooms"]) or _pointer(view)
    lights: dict[str, RoomLight] = {}
    for room, seen in view["rooms"].items():
        level = _contamination(room, view, board)
        if level:
            lights[room] = RoomLight(room, Meaning.CONTAMINATION, level)
        if seen["fire"]:
            lights[room] = RoomLight(room, Meaning.FIRE)
    for room in pointer:
        lights[room] = RoomLight(room, Meaning.LOOK)
    start, left = tracks.get("start") or 1, max(tracks.get("time") or 0, 0)
    return Scene(
        mood=mood,
        rooms=tuple(lights[r] for r in sorted(lights)),
        pointer=pointer,
        alarm=tracks.get("self_destruct") is not None,
        countdown=tracks.get("self_destruct"),
        side=view.get("turn") or (view["first_player"] if view["seats"] else None),
        seats=len(view["seats"]),
        progress=min(max(1 - left / start, 0.0), 1.0) if view["seats"] else 0.0,
        glass=glass,
        calm=calm,
    )


def _pointer(view: Mapping[str, Any]) -> tuple[str, ...]:
    """What hands have to move now, or the room a question is about.

    That is the first of the instructions given last: an old one that nobody ticked (a camera
    without printed tokens sees no Malfunction) does not hold the light.
    """
    told = view["instructions"]
    newest = [i for i in told if i["batch"] == told[-1]["batch"]] if told else []
    for instruction in (*newest, *told):
        places = tuple(p for p in (instruction["from"], instruction["to"]) if p in view["rooms"])
        if places:
            return places
    for prompt in view["prompts"]:
        room = prompt["params"].get("room")
        if room in view["rooms"]:
            return (room,)
    return ()


def _contamination(room: str, view: Mapping[str, Any], board: Board) -> int:
    taint = strategy(view["game"]["species"]).taint(room, view, board)
    beside = any(view["corridors"][c.id]["noise"] for c in board.corridors_of(room))
    through = any(view["spaces"][n]["noise"] for n in board.networks(room))
    return taint or (1 if beside or through else 0)
