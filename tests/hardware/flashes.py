"""Counts flashes as the photosensitivity guidelines do: opposing changes of light."""

from __future__ import annotations

from collections.abc import Sequence

RATE = 60


def most_in_a_second(light: Sequence[float], rate: int = RATE, step: float = 0.1) -> int:
    """The most flashes in any second; one is a rise and a fall of at least ``step`` of full."""
    turns: list[int] = []
    low = high = light[0]
    way = 0
    for i, value in enumerate(light):
        low, high = min(low, value), max(high, value)
        if way >= 0 and high - value >= step:
            turns.append(i)
            way, low, high = -1, value, value
        elif way <= 0 and value - low >= step:
            turns.append(i)
            way, low, high = 1, value, value
    most = max((sum(1 for u in turns if t <= u < t + rate) for t in turns), default=0)
    return most // 2
