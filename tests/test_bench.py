"""The benchmarks themselves: small runs of what ``companion bench`` measures."""

from __future__ import annotations

import json
import logging
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from companion import bench
from companion.bench import encoders, engine, lights, random_games, web
from companion.game import BadInput
from companion.library import load_content
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


def test_the_lights_are_measured_while_they_run() -> None:
    beat = lights.measure(load_content().board(None), 0.7)
    assert 5 < beat.rate < 36
    assert 0 < beat.frame_us < 33_000
    assert 0 < beat.share < 100
    assert 0 <= beat.jitter_ms <= beat.worst_ms
    assert beat.p99_ms <= beat.worst_ms


def test_an_encoder_that_is_not_here_is_named_and_nothing_stands_in_for_long() -> None:
    found = encoders.peers(4)
    assert set(found) | set(encoders.missing(found)) == set(encoders._PEERS)
    assert not isinstance(sys.modules.get("busio"), ModuleType)


def test_another_encoder_is_run_on_the_same_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    """A driver with the interface of apa102-pi, that sends what such a strip wants."""

    def driver(num_led: int, global_brightness: int) -> Any:
        import busio  # the stand-in

        bus, shown = busio.SPI(), bytearray(4 * num_led)

        def set_pixel(i: int, red: int, green: int, blue: int) -> None:
            shown[4 * i : 4 * i + 4] = (0xE0 | global_brightness, blue, green, red)

        def show() -> None:
            for part in (bytes(4), shown, bytes(4), [0x00]):
                bus.write(part)

        return SimpleNamespace(set_pixel=set_pixel, show=show)

    package = ModuleType("apa102_pi.driver.apa102")
    vars(package).update(APA102=driver, logging=logging)
    for name in ("apa102_pi", "apa102_pi.driver"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    monkeypatch.setitem(sys.modules, package.__name__, package)
    frame = ((1, 2, 3), (255, 0, 9))
    chip, encode = encoders.peers(2)["apa102-pi"]
    own_us, peer_us, same = lights.compared(chip, encode, frame)
    assert same
    assert own_us > 0
    assert peer_us > 0
    assert not lights.compared(encoders.WS2812, encode, frame)[2]
