"""Killed in the middle of a question, the table comes back with the same question."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from companion.bench.evening import game, table
from companion.bench.invariants import picture
from companion.library import load_content
from companion.table.fairness import SealedChance
from companion.table.journal import Journal
from companion.table.table import Table
from companion.table.verify import verify

SEED = 5
PLAYER = """
import json, sys
from pathlib import Path
from companion.bench.evening import table
from companion.bench.invariants import picture
from companion.library import load_content

running = table(load_content(), int(sys.argv[2]), Path(sys.argv[1]))
for line in sys.stdin:
    reply = running.command(json.loads(line))
    said = {"reply": reply, "picture": picture(running), "prompts": list(running.prompts())}
    print(json.dumps(said), flush=True)
"""
SETUP = {"do": "setup", "players": ["captain", "scout"], "preset": "bag", "id": "1"}
TRUTH = {"objectives": "digital", "bag": "physical", "pods": "digital"}
#: Commands that leave a question open.
CASES = {
    "setup": [{**SETUP, "truth": {"pods": "physical"}}],
    "a die": [
        {**SETUP, "truth": TRUTH},
        {"do": "noise_roll", "seat": 1, "id": "2"},
    ],
    "the second question of a move": [
        {**SETUP, "truth": TRUTH},
        {"do": "move", "seat": 1, "to": "006", "id": "2"},
        {"do": "answer", "value": "canteen", "id": "3"},
    ],
    "a step that followed": [
        {**SETUP, "truth": TRUTH, "switches": {"ask_last_rounds": "no"}},
        {"do": "event_phase", "id": "2"},
        {"do": "next", "id": "3"},
    ],
    "two secret questions": [
        {**SETUP, "truth": TRUTH},
        {"do": "place", "piece": "adult", "to": "006", "id": "2"},
    ],
}


def kill_after(path: Path, commands: list[dict[str, object]]) -> dict[str, object]:
    """Play these in another process, kill it, and return what it said last."""
    player = subprocess.Popen(
        [sys.executable, "-c", PLAYER, str(path), str(SEED)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert player.stdin is not None
    assert player.stdout is not None
    said: dict[str, object] = {}
    for command in commands:
        player.stdin.write(json.dumps(command) + "\n")
        player.stdin.flush()
        said = json.loads(player.stdout.readline())
    player.send_signal(signal.SIGKILL)
    assert player.wait() == -signal.SIGKILL
    player.stdin.close()
    player.stdout.close()
    return said


def reopened(path: Path) -> Table:
    journal = Journal.open(path)
    return Table(load_content(), journal, SealedChance(journal, game(SEED)))


@pytest.mark.parametrize("case", CASES)
def test_the_same_question_after_a_kill(tmp_path: Path, case: str) -> None:
    said = kill_after(tmp_path / "a.game", CASES[case])
    again = reopened(tmp_path / "a.game")
    assert said["prompts"]
    assert list(again.prompts()) == said["prompts"]
    assert picture(again) == said["picture"]
    for command in CASES[case]:
        assert again.command(command)["status"] == "already"
    again.journal.close()


def test_play_goes_on_as_if_nothing_had_been(tmp_path: Path) -> None:
    commands = CASES["a die"]
    answers = [
        {"do": "answer", "value": "2", "id": "3"},
        {"do": "answer", "value": True, "id": "4"},
    ]
    kill_after(tmp_path / "a.game", commands)
    again = reopened(tmp_path / "a.game")
    straight = table(load_content(), SEED, tmp_path / "b.game")
    for command in commands:
        straight.command(command)
    for answer in answers:
        if again.prompts():
            again.command(answer)
            straight.command(answer)
    assert again.state.digest() == straight.state.digest()
    assert picture(again) == picture(straight)
    assert verify(again.journal, load_content()).problems == ()
    again.journal.close()
    straight.journal.close()
