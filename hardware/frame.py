"""Scene to frame: one painter a kind of layout, each a pure function of scene and time.

Time ``t`` is in seconds from any origin. A room the board does not know is not drawn.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Protocol
from zlib import crc32

from companion.game.board import Board, Room
from companion.table.ports import Meaning, Mood, RoomLight, Scene
from hardware.layout import EdgeLayout, LampLayout, Layout, RoomLayout, ScreenLayout, Side
from hardware.meanings import (
    ALARM,
    BLACK,
    DARK,
    DARK_SHARE,
    FIRE,
    LEGEND,
    LOOK,
    PROGRESS,
    SIDE,
    Colour,
    Frame,
    Hue,
    between,
    contamination_share,
    level,
    moves,
    palette,
    shown,
    target,
)

COUNTDOWN_PIXELS: Final = 6
READING: Final[Colour] = (160, 147, 122)  # the reading light of a dark room
POSE: Final[Colour] = (100, 92, 76)  # what the camera reads by: dim, warm, the same everywhere
# How bright "from here" stands beside "to there": as far from every other colour as it gets.
FROM_SHARE: Final = 0.64
_RUN_SHARE: Final = 0.6  # the light that runs towards the target
_LAMP_FULL: Final = 160.0  # how bright a single lamp shows a mood that a whole frame shows dimly
_PLAYING: Final = (Mood.PLAYER, Mood.EVENT)

Weights = tuple[tuple[int, float], ...]
"""Pixel numbers, each with how strongly it is painted, 0-1."""

_Pixels = list[tuple[float, float, float]]


class Painter(Protocol):
    """Turns scenes into the frames of one layout."""

    @property
    def count(self) -> int:
        """How many pixels a frame has."""
        ...

    def frame(self, scene: Scene, t: float) -> Frame:
        """The frame of ``scene`` at ``t`` seconds."""
        ...


def painter(
    board: Board, layout: Layout, *, seat_one: Side = Side.BOTTOM, night: float = 0.0
) -> Painter:
    """The painter for ``layout``. ``seat_one`` is the side of the board where seat 1 sits.

    ``night`` is the night dial, 0-1: which colours the meanings have.
    """
    match layout:
        case EdgeLayout():
            return EdgePainter(board, layout, seat_one, night)
        case RoomLayout():
            return RoomPainter(board, layout, night)
        case LampLayout():
            return LampPainter(layout, night)
        case ScreenLayout():
            return ScreenPainter(board, layout, seat_one, night)


def lights_board(layout: Layout) -> bool:
    """Whether these lights could light a board for a camera."""
    return isinstance(layout, EdgeLayout | RoomLayout)


def posed(
    layout: Layout, scene: Scene, frame: Frame, *, light: bool = False, night: float = 0.0
) -> Frame:
    """What the pixels show while the camera looks, when ``frame`` is painted at that time.

    A dim warm white round the board or in its rooms, so that every picture is taken in the same
    light. In the player phase, and on lamps, what is shown only stands still. ``light``: the
    reading light, somewhat brighter, in every phase. ``night``: how amber it is, 0-1.
    """
    if scene.mood is Mood.PLAYER and not light:
        return frame
    day = READING if light else POSE
    amber = (day[0], round(0.7 * day[1]), round(0.3 * day[2]))
    (white,) = _rounded([between(day, amber, night)])
    match layout:
        case EdgeLayout():
            return tuple(BLACK if i in layout.hidden else white for i in range(layout.count))
        case RoomLayout():
            lit = {i for own in layout.rooms.values() for i in own}
            return tuple(white if i in lit else BLACK for i in range(layout.count))
        case _:
            return frame


def blended(one: Frame, other: Frame, share: float) -> Frame:
    """``one``, with ``share`` (0-1) of ``other`` in it."""
    pixels: _Pixels = [*one]
    for i, colour in enumerate(other):
        _mix(pixels, i, colour, share)
    return _rounded(pixels)


class EdgePainter:
    """Build A: the edge frame.

    Painted over each other, the last on top: the mood, the time left (left side, sinking), whose
    side it is, each room's light at its column on the nearer long side, the alarm (the ends of
    the long sides) with its countdown (right side), and the crosshair: the column on both long
    sides and the row on both short sides.
    """

    def __init__(self, board: Board, layout: EdgeLayout, seat_one: Side, night: float) -> None:
        self._layout = layout
        self._hues = palette(night)
        self._start = layout.place(seat_one, 0.5)
        self._along = {
            side: tuple((i, layout.pixels[i].along) for i in own)
            for side, own in layout.by_side.items()
        }
        self._last: tuple[Scene, tuple[RoomLight, ...], _Pixels | None] | None = None
        self._rooms = {
            room.id: self._near(_home(room), room.x, 1.2 * room.radius)
            for room in board.rooms.values()
        }
        self._cross = {room.id: self._crosshair(board, room) for room in board.rooms.values()}
        self._points = {
            room.id: self._crosshair(board, room, wide=False) for room in board.rooms.values()
        }
        self._beside = {
            i: own[max(n - 1, 0) : n + 2]
            for own in layout.by_side.values()
            for n, i in enumerate(own)
        }
        self._places = {room.id: room for room in board.rooms.values()}
        # From the bottom up: the time left sinks, the countdown falls.
        self._left = layout.by_side[Side.LEFT][::-1]
        self._countdown = _spread(layout.by_side[Side.RIGHT][::-1], COUNTDOWN_PIXELS)
        long = (layout.by_side[Side.TOP], layout.by_side[Side.BOTTOM])
        self._corners = {i for side in long if side for i in (side[0], side[-1])}

    @property
    def count(self) -> int:
        """How many pixels a frame has."""
        return self._layout.count

    def frame(self, scene: Scene, t: float) -> Frame:
        """The frame of ``scene`` at ``t`` seconds."""
        lights, pixels = self._begun(scene, t)
        lit = _Colours(scene, t, self._hues)
        for light in lights:
            self._room(pixels, light, lit)
        rooms = tuple(room for room in target(scene) if room in self._cross)
        if rooms and moves(scene, LOOK):
            for i, weight in self._runners(rooms, t):
                _mix(pixels, i, _scaled(self._hues[LOOK], _RUN_SHARE), weight)
        if scene.alarm:
            self._alarm(pixels, scene, t)
        self._point(pixels, rooms)
        for i in self._layout.hidden:
            pixels[i] = (0.0, 0.0, 0.0)
        return _rounded(pixels)

    def _begun(self, scene: Scene, t: float) -> tuple[tuple[RoomLight, ...], _Pixels]:
        """The lights of rooms, and what lies under them. What stands still is reckoned once."""
        if self._last is None or self._last[0] is not scene:
            still = None if moves(scene, scene.mood.value) else self._under(scene, t)
            self._last = scene, shown(scene), still
        _, lights, still = self._last
        return lights, self._under(scene, t) if still is None else still.copy()

    def _under(self, scene: Scene, t: float) -> _Pixels:
        pixels = self._mood(scene, t)
        if scene.mood in _PLAYING:
            self._turn(pixels, scene)
        return pixels

    def _mood(self, scene: Scene, t: float) -> _Pixels:
        name = scene.mood.value
        if moves(scene, name):
            return [
                _scaled(self._hues[name], 0.1 + 0.9 * level(scene, name, -t, place) ** 8)
                for place in self._layout.round
            ]
        base = _scaled(self._hues[name], LEGEND[name].rhythm.still)
        if scene.mood is Mood.BREAK:  # every other pixel, so that a break has a shape too
            return [base if i % 2 else (0.0, 0.0, 0.0) for i in range(self.count)]
        return [base] * self.count

    def _turn(self, pixels: _Pixels, scene: Scene) -> None:
        colour = self._hues[PROGRESS]
        left = 1.0 - min(max(scene.progress, 0.0), 1.0) if scene.glass is None else scene.glass
        sand = self._left[: round(left * len(self._left))]
        for i in sand:
            _mix(pixels, i, colour, 1.0)
        self._side(pixels, scene)
        for i in sand[-1:]:  # its top shows through the glow of a seat on this side
            _mix(pixels, i, colour, 1.0)

    def _side(self, pixels: _Pixels, scene: Scene) -> None:
        if scene.side is None or not 1 <= scene.side <= scene.seats:
            return
        centre = self._start + (scene.side - 1) / scene.seats
        half = 0.4 / max(scene.seats, 2)
        for i, place in enumerate(self._layout.round):
            away = abs((place - centre + 0.5) % 1.0 - 0.5)
            if away <= half:
                _mix(pixels, i, self._hues[SIDE], 1.0 - 0.5 * away / half)

    def _room(self, pixels: _Pixels, light: RoomLight, lit: _Colours) -> None:
        if light.meaning is Meaning.LOOK or light.room not in self._rooms:
            return  # the crosshair shows where to look
        if light.meaning is Meaning.DARK:
            for i, _ in self._rooms[light.room]:
                pixels[i] = _scaled(pixels[i], DARK_SHARE)
            return
        colour = lit.of(light)
        for i, weight in self._rooms[light.room]:
            _mix(pixels, i, colour, weight)

    def _alarm(self, pixels: _Pixels, scene: Scene, t: float) -> None:
        colour = _scaled(self._hues[ALARM], level(scene, ALARM, t))
        for i in self._corners:
            _mix(pixels, i, colour, 1.0)
        if scene.countdown is not None:
            for n, i in enumerate(self._countdown):
                lit = colour if n < scene.countdown else (0.0, 0.0, 0.0)
                _mix(pixels, i, lit, 1.0)

    def _point(self, pixels: _Pixels, rooms: tuple[str, ...]) -> None:
        colour = self._hues[LOOK]
        for room in rooms[:-1]:
            points = [i for i, _ in self._points[room]]
            for i in points:  # between two dark pixels, to stand out of a glow as white as it is
                for beside in self._beside[i]:
                    pixels[beside] = (0.0, 0.0, 0.0)
            for i in points:
                pixels[i] = _scaled(colour, FROM_SHARE)
        for room in rooms[-1:]:
            for i, weight in self._cross[room]:
                _mix(pixels, i, colour, weight)

    def _runners(self, rooms: tuple[str, ...], t: float) -> Weights:
        """Lights that close in on one room from both sides, or run from one room to the other."""
        part = t / LEGEND[LOOK].rhythm.period % 1.0
        goal = self._places[rooms[-1]]
        found: list[tuple[int, float]] = []
        for side in Side:
            long = side in (Side.TOP, Side.BOTTOM)
            reach = goal.radius if long else goal.radius * self._layout.aspect
            end = goal.x if long else goal.y
            starts = (
                (end - 4 * reach, end + 4 * reach)
                if len(rooms) == 1
                else (self._places[rooms[0]].x if long else self._places[rooms[0]].y,)
            )
            for start in starts:
                found += self._near(side, start + (end - start) * part, reach, touch=False)
        return tuple(found)

    def _crosshair(self, board: Board, room: Room, *, wide: bool = True) -> Weights:
        found: list[tuple[int, float]] = []
        for side in Side:
            if side in (Side.TOP, Side.BOTTOM):
                found += self._near(side, room.x, room.radius if wide else 0.0)
            else:
                found += self._near(side, room.y, room.radius * board.aspect if wide else 0.0)
        return tuple(found)

    def _near(self, side: Side, along: float, reach: float, *, touch: bool = True) -> Weights:
        """The pixels of ``side`` within ``reach`` of ``along``, fading outwards.

        With ``touch`` the nearest pixel is always there, and at full weight.
        """
        pixels = self._along[side]
        found = {
            i: 1.0 - abs(place - along) / reach
            for i, place in pixels
            if along - reach < place < along + reach
        }
        if touch and pixels:
            found[min(pixels, key=lambda pixel: abs(pixel[1] - along))[0]] = 1.0
        return tuple(found.items())


class RoomPainter:
    """Builds B and C: lights in the rooms.

    A room without a meaning of its own shows the mood, or the alarm while it runs.
    """

    def __init__(self, board: Board, layout: RoomLayout, night: float) -> None:
        self._hues = palette(night)
        self._pixels = {room: p for room, p in layout.rooms.items() if room in board.rooms}
        self._count = layout.count

    @property
    def count(self) -> int:
        """How many pixels a frame has."""
        return self._count

    def frame(self, scene: Scene, t: float) -> Frame:
        """The frame of ``scene`` at ``t`` seconds."""
        pixels: _Pixels = [(0.0, 0.0, 0.0)] * self._count
        for room, colour in self._colours(scene, t).items():
            for i in self._pixels[room]:
                pixels[i] = colour
        return _rounded(pixels)

    def _colours(self, scene: Scene, t: float) -> Mapping[str, tuple[float, float, float]]:
        rest = _scaled(self._hues[scene.mood.value], level(scene, scene.mood.value, t))
        if scene.alarm:
            rest = _scaled(self._hues[ALARM], 0.05 + 0.25 * level(scene, ALARM, t))
        found = dict.fromkeys(self._pixels, rest)
        lit = _Colours(scene, t, self._hues)
        for light in shown(scene):
            if light.room in found:
                dark = light.meaning is Meaning.DARK
                found[light.room] = _scaled(rest, DARK_SHARE) if dark else lit.of(light)
        rooms = target(scene)
        for n, room in enumerate(reversed(rooms)):  # where to goes last half a beat later
            if room in found:
                bright = level(scene, LOOK, t, 0.5 * n) * (FROM_SHARE if n else 1.0)
                found[room] = _scaled(self._hues[LOOK], bright)
        return found


class LampPainter:
    """Build D: a few lamps. One that has nothing to say is out; the mood's is always on.

    The lamp of the dark sections burns while every section has power.
    """

    def __init__(self, layout: LampLayout, night: float) -> None:
        self._hues = palette(night)
        self._moods = {mood: _alone(mood, self._hues[mood]) for mood in Mood}
        self._lamps = layout.lamps

    @property
    def count(self) -> int:
        """How many pixels a frame has."""
        return len(self._lamps)

    def frame(self, scene: Scene, t: float) -> Frame:
        """The frame of ``scene`` at ``t`` seconds."""
        lit = _Colours(scene, t, self._hues)
        strongest: dict[str, RoomLight] = {}
        for light in shown(scene):
            known = strongest.get(light.meaning.value)
            if known is None or light.level > known.level:
                strongest[light.meaning.value] = light
        return _rounded([self._lamp(name, scene, t, lit, strongest) for name in self._lamps])

    def _lamp(
        self, name: str, scene: Scene, t: float, lit: _Colours, rooms: Mapping[str, RoomLight]
    ) -> tuple[float, float, float]:
        mood = scene.mood.value
        if name == "mood":
            return _scaled(self._moods[scene.mood], level(scene, mood, t))
        if name == DARK:
            return _scaled(self._moods[scene.mood], DARK_SHARE if DARK in rooms else 1.0)
        on = {ALARM: scene.alarm, LOOK: bool(target(scene))}.get(name, name in rooms)
        if not on:
            return (0.0, 0.0, 0.0)
        if name in rooms:
            return lit.of(rooms[name])
        return _scaled(self._hues[name], level(scene, name, t))


class ScreenPainter:
    """Build E: the edge frame and the rooms at once, drawn on a screen."""

    def __init__(self, board: Board, layout: ScreenLayout, seat_one: Side, night: float) -> None:
        self._edge = EdgePainter(board, layout.edge, seat_one, night)
        self._rooms = RoomPainter(board, layout.rooms, night)

    @property
    def count(self) -> int:
        """How many pixels a frame has."""
        return self._edge.count + self._rooms.count

    def frame(self, scene: Scene, t: float) -> Frame:
        """The edge's pixels, then the rooms', at ``t`` seconds."""
        return self._edge.frame(scene, t) + self._rooms.frame(scene, t)


class _Colours:
    """The colours of rooms at one moment; what moves in step is reckoned once."""

    def __init__(self, scene: Scene, t: float, hues: Mapping[str, Hue]) -> None:
        self._scene, self._t, self._hues = scene, t, hues
        self._known: dict[tuple[Meaning, int, float], tuple[float, float, float]] = {}

    def of(self, light: RoomLight) -> tuple[float, float, float]:
        """The colour of a room's light now. Flames do not move in step with each other."""
        name = light.meaning.value
        phase = crc32(light.room.encode()) % 97 / 97 if name == FIRE else 0.0
        key = light.meaning, light.level, phase
        found = self._known.get(key)
        if found is None:
            bright = level(self._scene, name, self._t, phase)
            if light.meaning is Meaning.CONTAMINATION:
                bright *= contamination_share(light.level)
            found = self._known[key] = _scaled(self._hues[name], bright)
        return found


def _home(room: Room) -> Side:
    """The long side nearer to the room."""
    return Side.TOP if room.y < 0.5 else Side.BOTTOM


def _spread(pixels: tuple[int, ...], wanted: int) -> tuple[int, ...]:
    """``wanted`` of ``pixels``, evenly apart, in their order; all when there are fewer."""
    if len(pixels) <= wanted:
        return pixels
    return tuple(pixels[int((n + 0.5) * len(pixels) / wanted)] for n in range(wanted))


def _scaled(
    colour: Colour | tuple[float, float, float], share: float
) -> tuple[float, float, float]:
    return colour[0] * share, colour[1] * share, colour[2] * share


def _alone(mood: Mood, hue: Hue) -> tuple[float, float, float]:
    """A mood's hue on one lamp: the frame's own is dim because it shines all round the board."""
    share = 0.5 if mood is Mood.BREAK else 1.0  # as the frame, which lights every other pixel
    return _scaled(hue, share * _LAMP_FULL / max(hue))


def _mix(
    pixels: _Pixels, i: int, colour: Colour | tuple[float, float, float], weight: float
) -> None:
    red, green, blue = pixels[i]
    pixels[i] = (
        red + (colour[0] - red) * weight,
        green + (colour[1] - green) * weight,
        blue + (colour[2] - blue) * weight,
    )


def _rounded(pixels: _Pixels) -> Frame:
    return tuple((round(r), round(g), round(b)) for r, g, b in pixels)
