"""``companion bench engine``: random games, their fingerprints, and what a command costs."""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Any

import companion
from companion.bench.evening import table
from companion.bench.play import Command, Player
from companion.bench.random_games import Report
from companion.game import BadInput, Fault, Refused
from companion.game.procedure import KINDS
from companion.library import load_content
from companion.locale import Words
from companion.rules import VERBS
from companion.table.ledger import LEDGER_VERBS
from companion.table.session import Session

GAMES = 200
LEAST = 20  # times that each kind of command and question must come in 200 games
#: No rule of the games that stand asks for a mere confirmation.
UNASKED = ("confirm",)
#: Verbs that are refused by name in every game that stands: not played, only tried.
TABLE_VERBS = ("answer", "next", "undo", "redo", "by_hand", *LEDGER_VERBS)
EARLY, LATE = 50, 800
PROBES = 120
MOST_RATIO, MOST_UNDO_MS = 1.2, 50.0


@dataclass(frozen=True, slots=True)
class Costs:
    """Milliseconds: the median command with ``EARLY`` and ``LATE`` inputs behind it, undo."""

    early_ms: float
    late_ms: float
    undo_ms: float
    undo_worst_ms: float

    @property
    def ratio(self) -> float:
        """How much dearer a command has become."""
        return self.late_ms / self.early_ms


def run(say: Words, games: int | None = None) -> Iterator[tuple[bool, str]]:
    """Measure; pairs of whether a figure is as promised and its sentence."""
    count = games or GAMES
    with tempfile.TemporaryDirectory() as folder:
        first = _games(sys.executable, "play", count, folder, hash_seed="1")
        yield (
            not first.broken,
            say.say(
                "bench.engine.games",
                {
                    "n": first.games,
                    "inputs": first.inputs,
                    "rate": f"{first.games / first.seconds:.2f}",
                    "fingerprint": first.fingerprint[:16],
                },
            ),
        )
        for broken in first.broken:
            yield False, broken
        yield from _coverage(say, first, count)
        yield from _replays(say, first, count, folder)
    costs = measure(late=LATE)
    figures = {
        "early": f"{costs.early_ms:.2f}",
        "late": f"{costs.late_ms:.2f}",
        "ratio": f"{costs.ratio:.2f}",
        "undo": f"{costs.undo_ms:.1f}",
        "worst": f"{costs.undo_worst_ms:.1f}",
    }
    yield costs.ratio <= MOST_RATIO, say.say("bench.engine.cost", figures)
    yield costs.undo_ms <= MOST_UNDO_MS, say.say("bench.engine.undo", figures)


def _coverage(say: Words, report: Report, games: int) -> Iterator[tuple[bool, str]]:
    """Every kind of command and of question often enough; the bar falls with fewer games."""
    least = max(LEAST * games // GAMES, 1) if games >= GAMES // 4 else 0
    wanted = {v: report.verbs.get(v, 0) for v in [*sorted(VERBS), *TABLE_VERBS]}
    asked = {k: report.kinds.get(k, 0) for k in KINDS if k not in UNASKED}
    for key, counts in (("bench.engine.verbs", wanted), ("bench.engine.kinds", asked)):
        rarest = min(counts, key=lambda name: counts[name])
        yield (
            counts[rarest] >= least,
            say.say(key, {"n": len(counts), "rarest": rarest, "times": counts[rarest]}),
        )


def _replays(say: Words, first: Report, games: int, folder: str) -> Iterator[tuple[bool, str]]:
    """The same journals under another hash seed and on the other supported Python."""
    other = other_python()
    runs = [(sys.executable, "2")] + ([(other, "3")] if other else [])
    for python, seed in runs:
        report = _games(python, "replay", games, folder, hash_seed=seed)
        same = report.fingerprint == first.fingerprint
        key = "bench.engine.same" if same else "bench.engine.other"
        figures = {
            "python": _version(python),
            "seed": seed,
            "compared": report.compared,
            "rate": f"{report.games / report.seconds:.2f}",
            "fingerprint": report.fingerprint[:16],
        }
        yield same, say.say(key, figures)
        for broken in report.broken:
            yield False, broken
    if other is None:
        yield True, say.say("bench.engine.no_python", {"python": _other()})


def _games(python: str, what: str, games: int, folder: str, *, hash_seed: str) -> Report:
    """The report of another process. Fault when it ends without one."""
    root = str(Path(companion.__file__).parent.parent)
    done = subprocess.run(
        [python, "-m", "companion.bench.random_games", what, str(games), folder],
        env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": root},
        capture_output=True,
        text=True,
        check=False,
    )
    try:
        return Report(**json.loads(done.stdout))
    except (ValueError, TypeError) as error:
        last = (done.stderr.strip().splitlines() or ["?"])[-1]
        raise Fault("bench", "bench.no_report", {"reason": last}, temporary=False) from error


def other_python() -> str | None:
    """The other supported Python: what ``BENCH_PYTHON`` names, or the one on the path."""
    named = os.environ.get("BENCH_PYTHON") or shutil.which(f"python{_other()}")
    if not named:
        return None
    try:
        works = subprocess.run([named, "-c", ""], capture_output=True, check=False).returncode == 0
    except OSError:
        return None
    return named if works else None


def _other() -> str:
    return "3.11" if sys.version_info[:2] == (3, 13) else "3.13"


def _version(python: str) -> str:
    told = subprocess.run([python, "--version"], capture_output=True, text=True, check=False)
    return told.stdout.strip().removeprefix("Python ")


# What a command costs --------------------------------------------------------------------------


def measure(late: int, probes: int = PROBES) -> Costs:
    """Play one long game on disk through a session and time the same commands early and late.

    A command's time holds everything: rules, row on disk, the views of all audiences.
    """
    content = load_content()
    with tempfile.TemporaryDirectory() as folder:
        session = Session(table(content, 0, Path(folder) / "long.game"))
        player = Player(content, 0, preset="everything")
        session.submit({**player.setup(), "digital": True, "truth": {}})
        taken = _play_on(session, player, EARLY, 1)
        early = _probe(session, probes, "a")
        _play_on(session, player, late, taken + probes)
        late_ms = _probe(session, probes, "b")
        undos = []
        for n in range(20):
            begun = time.perf_counter()
            session.submit({"do": "undo", "by": "scenario", "id": f"u{n}"})
            undos.append((time.perf_counter() - begun) * 1000)
        session.stop()
    return Costs(early, late_ms, statistics.median(undos), max(undos))


def _play_on(session: Session, player: Player, until: int, taken: int) -> int:
    """Play until so many inputs were accepted; a game that ends is taken back a little."""
    running = session._table
    while taken < until or running.root or running.state.agenda or running.state.phase == "over":
        command = player.command(running)
        if running.state.phase == "over":
            command = {"do": "undo", "by": "scenario", "id": command["id"]}
        taken += _accepted(session, command)
    return taken


def _accepted(session: Session, command: Mapping[str, Any]) -> bool:
    try:
        return bool(session.submit(command)["status"] == "done")
    except (Refused, BadInput):
        return False


def _probe(session: Session, count: int, mark: str) -> float:
    """The median time of a fixed round of small commands, in milliseconds, statistics shown."""
    session.submit({"do": "statistics", "by": "host", "on": True, "id": f"{mark}s"})
    taken = []
    steps: Iterator[Command] = cycle(
        [
            {"do": "place", "piece": "adult#1", "to": "006"},
            {"do": "slime", "seat": 1, "on": True},
            {"do": "place", "piece": "noise", "to": "005-010"},
            {"do": "first_player", "seat": 1},
            {"do": "remove", "piece": "adult#1"},
            {"do": "slime", "seat": 1, "on": False},
            {"do": "remove", "piece": "noise", "at": "005-010"},
            {"do": "note", "text": "probe"},
        ]
    )
    for n in range(count):
        command = {**next(steps), "by": "table", "id": f"{mark}{n}"}
        begun = time.perf_counter()
        reply = session.submit(command)
        taken.append((time.perf_counter() - begun) * 1000)
        if reply["status"] != "done":
            raise Fault("bench", "bench.no_report", {"reason": str(reply)}, temporary=False)
    return statistics.median(taken)
