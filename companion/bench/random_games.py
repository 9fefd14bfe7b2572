"""Many random games, spread over the cores: run as ``python -m`` by `engine`.

``play`` plays them under watch and leaves every game's journal and pictures in a folder;
``replay`` plays those journals again, under any hash seed and on any Python. Both print one line
of JSON (`Report`).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path

from companion.bench.evening import MOST_INPUTS, Broken, Evening, fingerprint, replayed
from companion.game import CompanionError
from companion.library import load_content
from companion.library.model import Content
from companion.table.journal import Journal

#: The aliens of one game after the other: every second game is against the Intruders.
SPECIES = ("intruders", "void_seeders", "intruders", "carnomorphs")


@dataclass
class Report:
    """What many games gave. ``fingerprint`` follows from every ``compared`` moment's picture:
    state, open questions and the views of all audiences."""

    games: int = 0
    inputs: int = 0
    compared: int = 0
    seconds: float = 0.0
    fingerprint: str = ""
    verbs: dict[str, int] = field(default_factory=dict)
    kinds: dict[str, int] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)


def play(seed: int, folder: Path, most: int = MOST_INPUTS) -> Report:
    """Play one game, its journal on disk; leave ``<seed>.game`` and ``<seed>.json``."""
    report = Report(games=1)
    species = SPECIES[seed % len(SPECIES)]
    evening = Evening(_content(), seed, folder / f"{seed}.game", setup={"species": species})
    try:
        evening.play(most)
    except Broken as broken:
        report.broken.append(str(broken))
    evening.table.journal.close()
    (folder / f"{seed}.json").write_text(json.dumps(evening.pictures))
    report.inputs, report.compared = evening.inputs, len(evening.pictures)
    report.verbs, report.kinds = dict(evening.verbs), dict(evening.kinds)
    report.fingerprint = evening.fingerprint
    return report


def replay(seed: int, folder: Path) -> Report:
    """Play the journal of one game again and compare every picture."""
    report = Report(games=1)
    pictures = {int(k): v for k, v in json.loads((folder / f"{seed}.json").read_text()).items()}
    journal = Journal.open(folder / f"{seed}.game")
    try:
        found = replayed(seed, journal, _content(), pictures)
        report.compared, report.fingerprint = len(found), fingerprint(found)
    except (Broken, CompanionError) as broken:
        report.broken.append(str(broken))
    journal.close()
    return report


def on_all_cores(one: Callable[[int, Path], Report], games: int, folder: Path) -> Report:
    """`play` or `replay` for games 0 … games-1."""
    begun = time.monotonic()
    total = Report()
    with ProcessPoolExecutor(min(os.cpu_count() or 1, games)) as pool:
        for part in pool.map(one, range(games), [folder] * games):
            total.games += part.games
            total.inputs += part.inputs
            total.compared += part.compared
            total.broken += part.broken
            total.verbs = dict(Counter(total.verbs) + Counter(part.verbs))
            total.kinds = dict(Counter(total.kinds) + Counter(part.kinds))
            chained = total.fingerprint + part.fingerprint
            total.fingerprint = hashlib.sha256(chained.encode()).hexdigest()
    total.seconds = time.monotonic() - begun
    return total


@cache
def _content() -> Content:
    return load_content()


def main() -> int:
    """See the module's text."""
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=("play", "replay"))
    parser.add_argument("games", type=int)
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    one = play if options.what == "play" else replay
    report = on_all_cores(one, options.games, options.folder)
    sys.stdout.write(json.dumps(asdict(report)) + "\n")
    return 1 if report.broken else 0


if __name__ == "__main__":
    sys.exit(main())
