"""What each light means: one hue and one rhythm a meaning, so that neither has to be seen alone.

The legend below is the only place that knows colours and periods; `docs/lights.md` is checked
against it. The moving meanings differ from each other by the shape of their movement and by at
least 1.5 in period, and none of them rises more than three times in a second. Where nothing may
move, their colours are at least 20 apart (CIEDE2000), to colour-blind eyes too.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from companion.table.ports import Meaning, Mood, RoomLight, Scene

Colour = tuple[int, int, int]
"""Red, green, blue as a screen shows them, 0-255: before gamma and before any limit."""

Frame = tuple[Colour, ...]
"""One colour a pixel, in the order of the strip."""

BLACK: Final[Colour] = (0, 0, 0)
MEANINGS_AT_ONCE: Final = 3
CONTAMINATION_LEVELS: Final = 3
DARK_SHARE: Final = 0.15


class Pattern(StrEnum):
    """The shape of a movement in time."""

    STEADY = "steady"
    FLICKER = "flicker"  # irregular, as a flame
    PULSE = "pulse"  # swells and falls, and runs towards what it points at
    DOUBLE_BLINK = "double blink"  # two short swells, then a dim pause
    BLINK = "blink"  # half on, half off, soft edges
    BREATH = "breath"  # slow swell that never goes out
    TRAVEL = "travel"  # a light that goes round


@dataclass(frozen=True, slots=True)
class Rhythm:
    """How a meaning moves: pattern and period in seconds (0 when steady).

    ``still`` is the level, 0-1, at which it stands when nothing may move.
    """

    pattern: Pattern
    period: float = 0.0
    still: float = 1.0

    def level(self, t: float, phase: float = 0.0) -> float:
        """The brightness, 0-1, at ``t`` seconds; ``phase`` (0-1 of a period) shifts it."""
        if self.pattern is Pattern.STEADY:
            return self.still
        turn = t / self.period + phase
        part = turn % 1.0
        match self.pattern:
            case Pattern.FLICKER:
                # Two sines that never meet; the faster one stays well below three a second.
                slow, fast = math.sin(math.tau * turn), math.sin(math.tau * turn * 1.55 + 1.0)
                return 0.66 + 0.21 * slow + 0.13 * fast
            case Pattern.PULSE:
                return 0.4 + 0.6 * _swell(part)
            case Pattern.DOUBLE_BLINK:
                return 0.25 + 0.75 * (_swell(part / 0.18) + _swell((part - 0.25) / 0.18))
            case Pattern.BLINK:
                return _ramp(part)
            case Pattern.BREATH:
                return 0.4 + 0.6 * _swell(part)
            case Pattern.TRAVEL:
                return _swell(part)


@dataclass(frozen=True, slots=True)
class Sign:
    """How one meaning looks: its colour at full level, by day and in deep night, and its rhythm."""

    colour: Colour
    night: Colour
    rhythm: Rhythm


LOOK: Final = Meaning.LOOK.value
FIRE: Final = Meaning.FIRE.value
CONTAMINATION: Final = Meaning.CONTAMINATION.value
DARK: Final = Meaning.DARK.value
SPREAD: Final = Meaning.SPREAD.value
ALARM: Final = "alarm"
SIDE: Final = "side"
PROGRESS: Final = "progress"

_STEADY = Rhythm(Pattern.STEADY)

LEGEND: Final[Mapping[str, Sign]] = MappingProxyType(
    {
        LOOK: Sign((250, 241, 208), (235, 207, 177), Rhythm(Pattern.PULSE, 1.2)),
        FIRE: Sign((253, 167, 3), (255, 135, 0), Rhythm(Pattern.FLICKER, 0.7)),
        CONTAMINATION: Sign((124, 90, 255), (78, 33, 201), Rhythm(Pattern.BREATH, 5.0)),
        DARK: Sign(BLACK, BLACK, _STEADY),
        SPREAD: Sign((17, 242, 250), (62, 146, 162), Rhythm(Pattern.BLINK, 3.0)),
        ALARM: Sign((221, 34, 12), (165, 19, 4), Rhythm(Pattern.DOUBLE_BLINK, 2.0)),
        Mood.LOBBY.value: Sign((57, 93, 137), (84, 48, 20), Rhythm(Pattern.TRAVEL, 12.0)),
        Mood.PLAYER.value: Sign((68, 20, 4), (25, 7, 3), _STEADY),
        Mood.EVENT.value: Sign((1, 6, 25), (33, 0, 7), _STEADY),
        Mood.BREAK.value: Sign((56, 25, 0), (33, 0, 0), _STEADY),
        Mood.OVER.value: Sign((107, 93, 99), (40, 0, 0), _STEADY),
        SIDE: Sign((160, 150, 133), (150, 127, 105), _STEADY),
        PROGRESS: Sign((122, 85, 97), (88, 76, 79), _STEADY),
    }
)
"""Every meaning by name: those of rooms, the alarm, the moods, whose side it is, the time left."""

Hue = tuple[float, float, float]
"""A colour that is not yet rounded."""


@lru_cache(maxsize=8)
def palette(night: float) -> Mapping[str, Hue]:
    """The colour of every meaning with the night dial at ``night``: 0 by day, 1 in deep night."""
    return MappingProxyType(
        {name: between(sign.colour, sign.night, night) for name, sign in LEGEND.items()}
    )


def between(one: Colour, other: Colour, share: float) -> Hue:
    """``one``, with ``share`` (0-1) of ``other`` in it."""
    (a, b, c), (x, y, z) = one, other
    return a + (x - a) * share, b + (y - b) * share, c + (z - c) * share


RESERVED: Final = frozenset((DARK, SPREAD))
"""Meanings that no rule of the base game can cause: kept for what is played with it later."""

_PRIORITY = tuple(Meaning)


def shown(scene: Scene) -> tuple[RoomLight, ...]:
    """The room lights of ``scene`` that are shown: one a room, three meanings at once.

    The order of `Meaning` decides. Of a room named twice the first meaning wins, of more than
    three meanings the last ones stay dark. The result goes from least to most important, the
    order in which they are painted over each other.
    """
    kept: dict[str, RoomLight] = {}
    for light in sorted(scene.rooms, key=lambda light: _PRIORITY.index(light.meaning)):
        kept.setdefault(light.room, light)
    meanings = {light.meaning for light in kept.values()}
    if scene.pointer:
        meanings.add(Meaning.LOOK)
    allowed = [m for m in _PRIORITY if m in meanings][:MEANINGS_AT_ONCE]
    return tuple(light for light in reversed(list(kept.values())) if light.meaning in allowed)


def target(scene: Scene) -> tuple[str, ...]:
    """What the crosshair points at: the scene's pointer, else its first room to look at."""
    if scene.pointer:
        return scene.pointer
    return next(((r.room,) for r in scene.rooms if r.meaning is Meaning.LOOK), ())


def moves(scene: Scene, name: str) -> bool:
    """Whether the meaning ``name`` may move in ``scene``.

    Nothing does in the calm preset; in the player phase only fire does.
    """
    if scene.calm or LEGEND[name].rhythm.pattern is Pattern.STEADY:
        return False
    return scene.mood is not Mood.PLAYER or name == FIRE


def animates(scene: Scene) -> bool:
    """Whether the frames of ``scene`` depend on the time at all."""
    names = {light.meaning.value for light in shown(scene)} | {scene.mood.value}
    if scene.pointer:
        names.add(LOOK)
    if scene.alarm:
        names.add(ALARM)
    return any(moves(scene, name) for name in names)


def level(scene: Scene, name: str, t: float, phase: float = 0.0) -> float:
    """The brightness, 0-1, of the meaning ``name`` at ``t`` seconds, still where it must be."""
    rhythm = LEGEND[name].rhythm
    return rhythm.level(t, phase) if moves(scene, name) else rhythm.still


def contamination_share(step: int) -> float:
    """How bright contamination of level 1, 2 or 3 is, as a share of full."""
    return (0.62, 0.79, 1.0)[min(max(step, 1), CONTAMINATION_LEVELS) - 1]


def _swell(part: float) -> float:
    """A smooth hill over 0-1, nothing outside."""
    return math.sin(math.pi * part) ** 2 if 0.0 < part < 1.0 else 0.0


def _ramp(part: float, edge: float = 0.08) -> float:
    """On for the first half of 0-1, off for the second, with soft edges."""
    if part < edge:
        return part / edge
    if part < 0.5:
        return 1.0
    return max(0.0, 1.0 - (part - 0.5) / edge)
