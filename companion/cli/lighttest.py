"""``companion lights test``: the strip shows white, the three colours and every meaning in turn."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from companion.cli import DONE
from companion.game.board import Board
from companion.game.errors import Fault
from companion.library import load_content
from companion.locale import Words
from companion.table.ports import Meaning, Mood, RoomLight, Scene
from hardware import Driver, Frame, LightSettings, Limits, current_ma, limited, opener, painter
from hardware.legend import order
from hardware.lights import FRAME_S, encoded
from hardware.transport import PART, Transport

WHITE, RED, GREEN, BLUE = (255, 255, 255), (255, 0, 0), (0, 255, 0), (0, 0, 255)
_MIDDLE = (0.5, 0.5)

Stage = tuple[str, Callable[[float], Frame], Limits]
"""What is said, the frame at a time, and the limits it is shown within."""


def run(chosen: LightSettings, say: Words, seconds: float) -> int:
    """Show every stage so long, say what it is, and end dark. Raises Fault.

    ``lights.none`` when no lights are configured; else what opening or sending says.
    """
    if chosen.driver is Driver.SIMULATED:
        raise Fault(PART, "lights.none", temporary=False)
    transport = opener(chosen)()
    try:
        for text, frame, limits in stages(chosen, load_content().board(None), say):
            print(text)
            sys.stdout.flush()
            _show(transport, chosen, frame, limits, seconds)
    except KeyboardInterrupt:
        pass
    finally:
        try:
            transport.send(encoded(((0, 0, 0),) * chosen.count, chosen, chosen.limits))
        finally:
            transport.close()
    print(say.say("cli.lights.off"))
    return DONE


def stages(chosen: LightSettings, board: Board, say: Words) -> Iterator[Stage]:
    """What is shown, in order: all at full white within the supply, the colours, the meanings."""
    full = replace(chosen, brightness=1.0, night=0.0).limits
    count = chosen.count
    white = (WHITE,) * count
    figures = {
        "wanted": round(current_ma(white)),
        "taken": round(current_ma(limited(white, full))),
        "supply": chosen.supply_ma,
    }
    yield say.say("cli.lights.test.white", figures), _still(white), full
    for name, colour in (("red", RED), ("green", GREEN), ("blue", BLUE)):
        yield say.say(f"cli.lights.test.{name}"), _still((colour,) * count), chosen.limits
    layout = chosen.layout(board)
    paint = painter(board, layout, seat_one=chosen.seat_one, night=chosen.night)
    for name in order():
        scene = replace(sample(board, name), calm=chosen.calm)
        yield say.say(f"ui.lights.meaning.{name}"), partial(paint.frame, scene), chosen.limits


def sample(board: Board, name: str) -> Scene:
    """A scene that shows the meaning ``name``."""
    rooms = sorted(board.rooms)
    if name in set(Mood):
        return Scene(Mood(name), progress=1.0)
    match name:
        case Meaning.LOOK:
            x, y = _MIDDLE
            places = board.rooms.values()
            near = min(places, key=lambda room: abs(room.x - x) + abs(room.y - y))
            return Scene(Mood.EVENT, pointer=(near.id,), progress=1.0)
        case Meaning.FIRE:
            lights = tuple(RoomLight(room, Meaning.FIRE) for room in rooms[::3])
            return Scene(Mood.EVENT, rooms=lights, progress=1.0)
        case Meaning.CONTAMINATION:
            lights = tuple(
                RoomLight(room, Meaning.CONTAMINATION, n % 3 + 1) for n, room in enumerate(rooms)
            )
            return Scene(Mood.EVENT, rooms=lights, progress=1.0)
        case "alarm":
            return Scene(Mood.EVENT, alarm=True, countdown=4, progress=1.0)
        case "side":
            return Scene(Mood.PLAYER, side=1, seats=4, progress=1.0)
    return Scene(Mood.PLAYER, seats=4, progress=0.4)


def _still(frame: Frame) -> Callable[[float], Frame]:
    return lambda _: frame


def _show(
    transport: Transport,
    chosen: LightSettings,
    frame: Callable[[float], Frame],
    limits: Limits,
    seconds: float,
) -> None:
    begun = time.monotonic()
    while (t := time.monotonic() - begun) < seconds:
        transport.send(encoded(frame(t), chosen, limits))
        time.sleep(FRAME_S)
