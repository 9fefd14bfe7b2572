"""A small board to light, and the scenes a game could ask for."""

from __future__ import annotations

from hypothesis import strategies as st

from companion.game.board import Board, Corridor, Room
from companion.table.ports import Meaning, Mood, RoomLight, Scene

PLACES = {
    "001": (0.10, 0.30),
    "002": (0.30, 0.20),
    "003": (0.50, 0.50),
    "004": (0.70, 0.80),
    "005": (0.90, 0.60),
    "006": (0.32, 0.78),
}
JOINED = [("001", "002"), ("002", "003"), ("003", "004"), ("004", "005"), ("003", "006")]


def small_board() -> Board:
    rooms = {name: Room(name, "1", x, y, 0.04) for name, (x, y) in PLACES.items()}
    corridors = {}
    for number, (a, b) in enumerate(JOINED, 1):
        (ax, ay), (bx, by) = PLACES[a], PLACES[b]
        middle = (ax + bx) / 2, (ay + by) / 2
        corridors[f"{a}-{b}"] = Corridor(f"{a}-{b}", (a, b), (number % 4 + 1,), *middle)
    return Board("test/small", rooms, corridors, {}, 1.5, {}, "003", {"en": "Small"})


ROOMS = tuple(PLACES)
room_lights = st.builds(
    RoomLight,
    room=st.sampled_from(ROOMS),
    meaning=st.sampled_from(Meaning),
    level=st.integers(1, 3),
)


@st.composite
def scenes(draw: st.DrawFn) -> Scene:
    seats = draw(st.integers(0, 5))
    return Scene(
        mood=draw(st.sampled_from(Mood)),
        rooms=tuple(draw(st.lists(room_lights, max_size=8))),
        pointer=tuple(draw(st.lists(st.sampled_from(ROOMS), max_size=2, unique=True))),
        alarm=draw(st.booleans()),
        countdown=draw(st.none() | st.integers(0, 8)),
        side=draw(st.none() | st.integers(1, seats)) if seats else None,
        seats=seats,
        progress=draw(st.floats(0, 1)),
        calm=draw(st.booleans()),
    )
