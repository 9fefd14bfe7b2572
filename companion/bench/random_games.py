"""Many random games under watch, spread over the cores: run as ``python -m`` by `engine`.

Prints one line of JSON (`Report`), so that other Pythons and hash seeds can be compared.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path

from companion.bench.evening import Broken, Evening
from companion.library import load_content
from companion.library.model import Content


@dataclass
class Report:
    """What many games gave. ``fingerprint`` follows from every view after every input."""

    games: int = 0
    inputs: int = 0
    compared: int = 0  # inputs whose views were compared with those of the replay
    seconds: float = 0.0
    fingerprint: str = ""
    verbs: dict[str, int] = field(default_factory=dict)
    kinds: dict[str, int] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)


def play(seeds: Iterable[int], *, replay: bool = True, most: int = 200) -> Report:
    """Play these games here, one after the other, their journals on disk."""
    report = Report()
    verbs: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for seed in seeds:
            evening = Evening(_content(), seed, Path(folder) / f"{seed}.game")
            try:
                evening.play(most)
                report.compared += evening.replay() if replay else 0
            except Broken as broken:
                report.broken.append(str(broken))
            evening.table.journal.close()
            report.games += 1
            report.inputs += evening.inputs
            verbs += evening.verbs
            kinds += evening.kinds
            report.fingerprint = _chain(report.fingerprint, evening.fingerprint)
    report.verbs, report.kinds = dict(verbs), dict(kinds)
    return report


def play_all(games: int, *, replay: bool = True) -> Report:
    """Play games 0 … games-1 on every core."""
    begun = time.monotonic()
    total = Report()
    with ProcessPoolExecutor(min(os.cpu_count() or 1, games)) as pool:
        parts = pool.map(_one, range(games), [replay] * games)
        for part in parts:
            total.games += part.games
            total.inputs += part.inputs
            total.compared += part.compared
            total.broken += part.broken
            total.verbs = dict(Counter(total.verbs) + Counter(part.verbs))
            total.kinds = dict(Counter(total.kinds) + Counter(part.kinds))
            total.fingerprint = _chain(total.fingerprint, part.fingerprint)
    total.seconds = time.monotonic() - begun
    return total


def _one(seed: int, replay: bool) -> Report:
    return play([seed], replay=replay)


@cache
def _content() -> Content:
    return load_content()


def _chain(before: str, more: str) -> str:
    return hashlib.sha256((before + more).encode()).hexdigest()


def main() -> int:
    """See the module's text."""
    parser = argparse.ArgumentParser()
    parser.add_argument("games", type=int)
    parser.add_argument("--no-replay", action="store_true")
    options = parser.parse_args()
    report = play_all(options.games, replay=not options.no_replay)
    sys.stdout.write(json.dumps(asdict(report)) + "\n")
    return 1 if report.broken else 0


if __name__ == "__main__":
    sys.exit(main())
