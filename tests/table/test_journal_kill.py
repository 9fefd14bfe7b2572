"""Killed at any moment, a game loses nothing that was acknowledged, and is never broken."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from companion.table.archive import check_chain
from companion.table.journal import Journal
from tests.table.journals import game, state

PLAYER = """
import sys
from pathlib import Path
from companion.table.journal import Journal
from tests.table.journals import state, write

with Journal.open(Path(sys.argv[1])) as journal:
    print("ready", flush=True)
    number = journal.last.seq
    while True:
        number += 1
        write(journal, number, keep=number % 10 == 0)
        print(number, flush=True)
"""


def play_and_kill(path: Path, seconds: float) -> int:
    """Append rows in another process, kill it, return the last row it said was on disk."""
    player = subprocess.Popen(
        [sys.executable, "-c", PLAYER, str(path)], stdout=subprocess.PIPE, text=True
    )
    assert player.stdout is not None
    assert player.stdout.readline() == "ready\n"
    time.sleep(seconds)
    player.send_signal(signal.SIGKILL)
    said = [int(line) for line in player.stdout.read().splitlines(keepends=True) if "\n" in line]
    assert player.wait() == -signal.SIGKILL
    player.stdout.close()
    return said[-1] if said else 0


def survive(path: Path, kills: int, seed: int) -> int:
    dice = random.Random(seed)
    game(path, 1).close()
    acknowledged = rows = 1
    for _ in range(kills):
        acknowledged = max(play_and_kill(path, dice.uniform(0, 0.03)), rows)
        with Journal.open(path) as journal:  # checks the chain and every snapshot
            rows = journal.last.seq if journal.last else 0
            assert acknowledged <= rows <= acknowledged + 1
            assert journal.known(f"c{rows}") == {"status": "done", "seq": rows}
            assert journal.snapshot(rows) == state(rows)
            assert [row.seq for row in journal.rows()] == list(range(1, rows + 1))
    assert check_chain(path) == []
    return rows


def test_killed_a_few_times(tmp_path: Path) -> None:
    assert survive(tmp_path / "a.game", kills=8, seed=1) > 8


@pytest.mark.slow
def test_killed_five_hundred_times(tmp_path: Path) -> None:
    total = 0
    for evening in range(10):
        total += survive(tmp_path / f"{evening}.game", kills=50, seed=evening)
    assert total > 500


BEGINNER = """
import sys
from pathlib import Path
from companion.table.journal import Journal
from tests.table.journals import HEADER

folder = Path(sys.argv[1])
number = 0
while True:
    number += 1
    Journal.create(folder / f"{number}.game", HEADER, private={"seed": "00"}).close()
    print(number, flush=True)
"""


def test_killed_while_games_are_begun(tmp_path: Path) -> None:
    """A game's file is whole, with its seed, or it is not there."""
    for turn in range(4):
        folder = tmp_path / str(turn)
        beginner = subprocess.Popen(
            [sys.executable, "-c", BEGINNER, str(folder)], stdout=subprocess.PIPE, text=True
        )
        assert beginner.stdout is not None
        assert beginner.stdout.readline() == "1\n"
        time.sleep(0.013 * turn)
        beginner.kill()
        said = len(beginner.communicate()[0].splitlines()) + 1
        begun = sorted(folder.glob("*.game"))
        for path in begun:
            with Journal.open(path) as journal:
                assert journal.kept("seed") == "00"
        assert said <= len(begun) <= said + 1
