"""The benchmarks themselves: small runs of what ``companion bench`` measures."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from companion import bench
from companion.bench import engine, random_games, web
from companion.game import BadInput
from companion.locale import words


def test_a_command_costs_the_same_later() -> None:
    costs = engine.measure(late=120, probes=24)
    assert 0 < costs.early_ms < 1000
    assert 0 < costs.undo_ms <= costs.undo_worst_ms
    assert costs.ratio == costs.late_ms / costs.early_ms


def test_a_game_repeats_and_another_is_another(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.mkdir()
    two.mkdir()
    first = random_games.play(0, one, most=15)
    again = random_games.play(0, two, most=15)
    assert (first.games, first.broken) == (1, [])
    assert first.compared > 0
    assert first.fingerprint == again.fingerprint
    assert first.inputs == again.inputs
    assert random_games.play(5, one, most=15).fingerprint != first.fingerprint


def test_another_process_replays_the_same(tmp_path: Path) -> None:
    first = random_games.on_all_cores(random_games.play, 1, tmp_path)
    again = engine._games(sys.executable, "replay", 1, str(tmp_path), hash_seed="7")
    assert again.broken == []
    assert again.compared == first.compared
    assert again.fingerprint == first.fingerprint


def test_a_replay_that_comes_out_otherwise_is_told(tmp_path: Path) -> None:
    random_games.play(0, tmp_path, most=15)
    kept = tmp_path / "0.json"
    pictures = json.loads(kept.read_text())
    row = list(pictures)[-1]
    kept.write_text(json.dumps({**pictures, row: "otherwise"}))
    assert random_games.replay(0, tmp_path).broken == [f"game 0: row {row} replays otherwise"]
    kept.write_text(json.dumps({**pictures, "9999": "never"}))
    assert random_games.replay(0, tmp_path).broken == ["game 0: rows [9999] do not come"]


@pytest.mark.parametrize(("name", "games"), [("nothing", None), ("engine", 0), ("engine", -1)])
def test_wrong_use(name: str, games: int | None) -> None:
    with pytest.raises(BadInput):
        bench.run([name], words("en"), games=games)


def test_a_broken_promise_is_a_failed_check(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = [(True, "quick"), (True, "small")]
    monkeypatch.setattr(engine, "run", lambda *_: iter(kept))
    monkeypatch.setattr(words("en").__class__, "say", lambda self, key, params=None: key)
    assert bench.run(["engine"], words("en")) == 0
    kept[1] = (False, "small")
    assert bench.run(["engine"], words("en")) == 1
    assert capsys.readouterr().out.count("bench.broken small") == 1


@pytest.mark.slow
def test_the_panel_is_measured() -> None:
    with web.Server("off") as server:
        assert server.start_s > 0
        p50, p99 = web.latency(server, commands=20)
        assert 0 < p50 <= p99
        assert server.memory_mb() > 10
