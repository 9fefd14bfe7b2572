"""The benchmarks: what is promised, measured on this machine."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from companion.game import BadInput

if TYPE_CHECKING:  # random games run on a bare Python, without what words are made with
    from companion.locale import Words

NAMES = ("engine", "web", "lights", "taps", "vision")


def run(
    names: Iterable[str], say: Words, games: int | None = None, pictures: Path | None = None
) -> int:
    """Run the benchmarks of these names, print their figures; 1 when a promise is not kept.

    ``games`` shortens the engine's; ``pictures`` is the folder whose pictures the camera's reads.
    Raises BadInput for an unknown name or number, and Fault when a program cannot be started.
    """
    if games is not None and games < 1:
        raise BadInput("games", "command.range", {"value": str(games), "low": 1, "high": 10**6})
    kept = True
    for name in names:
        for true, sentence in _lines(name, say, games, pictures):
            kept &= true
            sign = say.say("bench.kept" if true else "bench.broken")
            sys.stdout.write(f"{sign} {sentence}\n")
            sys.stdout.flush()
    return 0 if kept else 1


def _lines(
    name: str, say: Words, games: int | None, pictures: Path | None
) -> Iterator[tuple[bool, str]]:
    if name == "engine":
        from companion.bench import engine

        return engine.run(say, games)
    if name == "web":
        from companion.bench import web

        return web.run(say)
    if name == "lights":
        from companion.bench import lights

        return lights.run(say)
    if name == "taps":
        from companion.bench import taps

        return taps.run(say)
    if name == "vision":
        from companion.bench import vision

        return vision.run(say, pictures)
    raise BadInput("bench", "command.unknown_word", {"value": name[:40]})
