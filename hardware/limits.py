"""From the colours a scene asks for to the duty the strip may run at: never more than its supply.

A frame goes in with screen colours; out come duty values, 0-255 of a full LED, linear in light
and in current. A colour at full draws 20 mA and a pixel 1 mA even when dark, so that a white
pixel takes 61 mA.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from hardware.meanings import BLACK, Frame

GAMMA: Final = 2.2
COLOUR_MA: Final = 20.0
IDLE_MA: Final = 1.0
NIGHT_SHARE: Final = 0.55  # of the brightness is left in deep night, as the eye sees it


@dataclass(frozen=True, slots=True)
class Limits:
    """What bounds every frame.

    ``brightness`` 0-1 caps the brightness as the eye sees it; ``night`` 0-1 is the night dial,
    which dims too (its colours are the painter's); ``supply_ma`` is what the strip may draw.
    """

    brightness: float
    supply_ma: float
    night: float = 0.0


def current_ma(duty: Frame) -> float:
    """What a strip draws with these duty values, idle current included, in mA."""
    return IDLE_MA * len(duty) + COLOUR_MA / 255.0 * sum(map(sum, duty))


def limited(frame: Frame, limits: Limits) -> Frame:
    """The duty values for ``frame``: brightness, night and gamma, then the current limit.

    What is visible stays at least one step above zero unless the supply forbids it. The current
    of the result is at most ``supply_ma``; only the idle current of the pixels, which no value
    can lower, can be above it.
    """
    of = _table(limits.brightness * (1.0 - limits.night * (1.0 - NIGHT_SHARE)))
    duty = tuple((of[r], of[g], of[b]) for r, g, b in frame)
    wanted = sum(map(sum, duty)) * COLOUR_MA / 255.0
    allowed = limits.supply_ma - IDLE_MA * len(frame)
    if wanted <= allowed:
        return duty
    if allowed <= 0.0:
        return (BLACK,) * len(frame)
    share = allowed / wanted
    return tuple((int(r * share), int(g * share), int(b * share)) for r, g, b in duty)


@lru_cache(maxsize=16)
def _table(share: float) -> tuple[int, ...]:
    share = min(max(share, 0.0), 1.0)
    return tuple(
        max(1, round(255.0 * (value * share / 255.0) ** GAMMA)) if value and share else 0
        for value in range(256)
    )
