"""``companion lights test``: every light, colour and meaning, within the supply, then dark."""

from __future__ import annotations

import itertools
import os
import signal
from pathlib import Path

import pytest

from companion.cli import lighttest, main
from companion.library import load_content
from companion.locale import words
from companion.table.folder import DataFolder
from companion.table.games import new_game
from companion.table.lock import Lock
from hardware import Build, Driver, LightSettings, SimulatedTransport, current_ma, limited
from hardware.encode import apa102
from hardware.legend import order

BOARD = load_content().board(None)
STRIP = LightSettings(driver=Driver.APA102, pixels=60, supply_ma=800, brightness=0.4)


def test_every_light_at_full_white_takes_what_the_supply_gives(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    strip, sent = SimulatedTransport(), []
    monkeypatch.setattr(lighttest, "opener", lambda _: lambda: strip)
    monkeypatch.setattr(strip, "send", sent.append)
    assert lighttest.run(STRIP, words("en"), 0.001) == 0
    said = capsys.readouterr().out
    assert "3660 mA" in said
    assert "of the 800" in said
    assert sent[0][5] == sent[0][6] == sent[0][7] > 50  # white
    assert sent[-1] == apa102(((0, 0, 0),) * 60)
    assert "ui." not in said


@pytest.mark.parametrize(
    "chosen",
    [
        STRIP,
        LightSettings(build=Build.ROOMS, rooms={"001": (0, 1), "011": (2,)}, pixels=60),
        LightSettings(build=Build.LAMPS, lamps={"mood": (5,), "fire": (6,), "alarm": (7,)}),
        LightSettings(build=Build.SCREEN),
    ],
)
def test_every_meaning_looks_different_and_none_takes_too_much(chosen: LightSettings) -> None:
    made = list(lighttest.stages(chosen, BOARD, words("it")))
    assert len(made) == 4 + len(order())
    for _, frame, limits in made:
        for t in (0.0, 0.4):
            assert current_ma(limited(frame(t), limits)) <= chosen.supply_ma
    if chosen.build is Build.EDGE:
        seen = [frame(0.0) for _, frame, _ in made]
        assert all(a != b for a, b in itertools.combinations(seen, 2))


def test_without_lights_it_says_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lights", "test", "--data", str(tmp_path)]) == 3
    assert "companion lights setup" in capsys.readouterr().err
    assert main(["lights", "test", "--data", str(tmp_path), "--seconds", "99"]) == 2


@pytest.mark.parametrize("what", ["test", "setup", "off"])
def test_beside_a_running_table_it_says_who_has_the_lights(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], what: str
) -> None:
    (tmp_path / "config.toml").write_text('[lights]\ndriver = "wled"\nwled = "127.0.0.1"\n')
    with Lock(tmp_path, "192.168.1.20:8080"):
        assert main(["lights", what, "--data", str(tmp_path)]) == 3
    said = capsys.readouterr().err
    assert "192.168.1.20:8080" in said
    assert "fault." not in said


def test_the_lit_table_is_drawn_of_a_game_by_file_or_by_name(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    folder.create()
    table = new_game(folder, load_content(), simulated=True)
    name = str(table.journal.header["game"])
    table.journal.close()
    for game in (name, str(folder.game(name))):
        out = tmp_path / "lit.svg"
        command = ["lights", "picture", "--game", game, "--out", str(out), "--data", str(tmp_path)]
        assert main(command) == 0
        assert "data-pixel" in out.read_text()
        out.unlink()
    nobody = ["lights", "picture", "--game", "no", "--out", "x", "--data", str(tmp_path)]
    assert main(nobody) == 2


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_whatever_ends_it_leaves_the_strip_dark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    if signal.getsignal(number) is signal.SIG_IGN:
        pytest.skip("these tests run under nohup")
    before, sent = signal.getsignal(number), []

    class Ended(SimulatedTransport):
        def send(self, data: bytes) -> None:
            sent.append(data)
            if len(sent) == 2:
                os.kill(os.getpid(), number)

    monkeypatch.setattr(lighttest, "opener", lambda _: Ended)
    (tmp_path / "config.toml").write_text('[lights]\ndriver = "apa102"\npixels = 60\n')
    assert main(["lights", "test", "--data", str(tmp_path), "--seconds", "30"]) == 0
    assert sent[0] != sent[-1] == apa102(((0, 0, 0),) * 60)
    assert signal.getsignal(number) == before
