"""Lights, pins and sound that fail: said, stood in for, nothing else suffers. Dark at the end."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import companion
from companion.app import App
from companion.cli import main
from companion.cli.logs import Said
from companion.config import Config
from companion.game.errors import Fault
from companion.locale import words
from companion.table.folder import DataFolder
from companion.table.ports import Health, Status
from hardware import Build, ButtonSettings, Driver, LightSettings, SoundSettings
from vision.settings import VisionSettings
from web.settings import WebSettings

ROOT = str(Path(companion.__file__).parent.parent)
STRIP = LightSettings(driver=Driver.APA102, pixels=24, supply_ma=500)

#: A spidev whose strip is a file: what was sent last, and a lock like the real device's.
SPIDEV = """
import os
class SpiDev:
    def open(self, bus, device):
        self._handle = os.open(os.environ["STRIP"] + ".lock", os.O_RDWR | os.O_CREAT)
    def fileno(self):
        return self._handle
    def writebytes2(self, data):
        with open(os.environ["STRIP"] + ".new", "wb") as file:
            file.write(bytes(data))
        os.replace(os.environ["STRIP"] + ".new", os.environ["STRIP"])
    def close(self):
        if hasattr(self, "_handle"):
            os.close(self._handle)
            del self._handle
"""

RUN = """
import sys
from companion import cli
from companion.app import App
from companion.cli import play
play.on_a_pi = lambda: True
if len(sys.argv) > 2:
    App.run = lambda app: 1 / 0
sys.exit(cli.main(["run", "--data", sys.argv[1]]))
"""

CONFIG = """
[web]
host = "127.0.0.1"
port = {port}
[camera]
source = "off"
[lights]
driver = "apa102"
pixels = 24
supply_ma = 500
"""


def eventually(condition: Callable[[], Any], seconds: float = 30.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return bool(condition())


def app_with(folder: Path, **settings: Any) -> App:
    web = WebSettings(host="127.0.0.1", port=0)
    camera = VisionSettings(source="off")
    return App(Config(web=web, camera=camera, **settings), DataFolder(folder), simulate=False)


def part(app: App, name: str) -> Health:
    return next(h for h in app.health() if h.part == name)


@pytest.mark.parametrize(
    ("settings", "name", "code"),
    [
        ({"lights": STRIP}, "lights", "fault.lights.no_spidev"),
        (
            {
                "lights": LightSettings(
                    driver=Driver.WLED, wled="nobody.invalid", pixels=24, supply_ma=500
                )
            },
            "lights",
            "fault.lights.wled_gone",
        ),
        (
            {"lights": LightSettings(build=Build.LAMPS, driver=Driver.LAMPS, lamps={"mood": (5,)})},
            "lights",
            "fault.lights.no_pins",
        ),
        ({"buttons": ButtonSettings(pins={"next": 17})}, "buttons", "fault.buttons.no_pins"),
        ({"sound": SoundSettings(cues=True)}, "sound", "fault.sound.no_aplay"),
    ],
)
def test_what_fails_is_said_and_the_game_goes_on(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    settings: dict[str, Any],
    name: str,
    code: str,
) -> None:
    monkeypatch.setitem(sys.modules, "spidev", None)
    monkeypatch.setenv("PATH", str(tmp_path))
    app = app_with(tmp_path / "data", **settings)
    app.start()
    try:
        assert app.session is not None
        setup = {"do": "setup", "players": ["captain", "scout"], "digital": True}
        assert app.session.submit(setup)["status"] == "done"
        assert app.session.submit({"do": "event_phase"})["status"] == "done"
        assert eventually(lambda: part(app, name).code == code)
        assert part(app, name).status in (Status.DEGRADED, Status.FAILED)
        assert eventually(lambda: "<svg" in (app.strip() or ""))  # drawn on the screen meanwhile
        others = [h for h in app.health() if h.part != name]
        assert not [h for h in others if h.status in (Status.DEGRADED, Status.FAILED)]
    finally:
        app.stop()


class Box:
    """The program in a process of its own, with a strip that is a file."""

    def __init__(self, folder: Path) -> None:
        self.strip = folder / "strip"
        self.data = folder / "data"
        self.data.mkdir()
        self._env = {**os.environ, "STRIP": str(self.strip)}
        self._env["PYTHONPATH"] = f"{folder}:{ROOT}"
        self._env.pop("NOTIFY_SOCKET", None)
        (folder / "spidev.py").write_text(SPIDEV)
        (self.data / "config.toml").write_text(CONFIG.format(port=0))
        self.process: subprocess.Popen[bytes] | None = None

    def run(self, *more: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-c", RUN, str(self.data), *more]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        # Where these tests run under nohup, the program must not inherit that.
        hears = partial(signal.signal, signal.SIGHUP, signal.SIG_DFL)
        self.process = subprocess.Popen(command, env=self._env, preexec_fn=hears, **quiet)
        return self.process

    def lit(self) -> bool:
        return self.strip.exists() and any(self._values())

    def dark(self) -> bool:
        return self.strip.exists() and not any(self._values())

    def _values(self) -> list[int]:
        sent = self.strip.read_bytes()
        return [v for n in range(4, 4 + 4 * 24, 4) for v in sent[n + 1 : n + 4]]

    def command(self, *words: str) -> int:
        program = "import sys; from companion.cli import main; sys.exit(main())"
        command = [sys.executable, "-c", program, *words, "--data", str(self.data)]
        return subprocess.run(command, env=self._env, check=False, capture_output=True).returncode


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    made = Box(tmp_path)
    yield made
    if made.process is not None and made.process.poll() is None:
        made.process.kill()
        made.process.wait()


def test_it_is_dark_after_the_service_is_stopped(box: Box) -> None:
    process = box.run()
    assert eventually(box.lit)
    assert box.command("lights", "off") == 3  # the strip has an owner: a second program is told
    assert box.lit()
    process.send_signal(signal.SIGTERM)
    assert process.wait(30) == 0
    assert box.dark()


def test_it_is_dark_after_the_terminal_is_closed(box: Box) -> None:
    """Also while it still starts: the lights are the first thing that does."""
    process = box.run()
    assert eventually(box.lit)
    process.send_signal(signal.SIGHUP)
    assert process.wait(30) in (0, 128 + signal.SIGHUP)
    assert box.dark()


def test_it_is_dark_after_an_end_with_an_error(box: Box) -> None:
    assert box.run("fail").wait(60) == 1
    assert box.dark()


def test_after_a_kill_the_service_darkens_it(box: Box) -> None:
    process = box.run()
    assert eventually(box.lit)
    process.kill()
    process.wait()
    assert box.lit()  # a strip keeps its last picture
    assert box.command("lights", "off") == 0  # what ExecStopPost runs
    assert box.dark()


def test_what_is_logged_is_said_in_words() -> None:
    gone = Fault("lights", "lights.wled_gone", {"device": "table.local", "reason": "why.no_answer"})
    for message, *given in (("%s", gone), ("cli.note.no_backup", {"problem": gone})):
        record = logging.LogRecord("hardware", logging.WARNING, "", 0, message, tuple(given), None)
        line = Said(words("it")).format(record)
        assert "table.local non risponde (nessuna risposta)" in line
        assert "fault." not in line
    plain = logging.LogRecord("other", logging.WARNING, "", 0, "%d %% of %s", (3, "all"), None)
    assert Said(words("it")).format(plain) == "3 % of all"


def test_a_second_program_does_not_touch_the_first(box: Box, tmp_path: Path) -> None:
    box.run()
    assert eventually(box.lit)
    assert main(["lights", "picture", "--game", str(tmp_path / "no"), "--out", "x"]) != 0
    assert box.command("run", "--simulate") == 3
    assert box.lit()


@pytest.mark.parametrize(("off_pi", "status"), [(True, "degraded"), (False, "simulated")])
def test_a_laptop_drives_a_controller_on_the_network_unless_all_is_to_be_simulated(
    tmp_path: Path, off_pi: bool, status: str
) -> None:
    lights = LightSettings(driver=Driver.WLED, wled="nobody.invalid", pixels=24, supply_ma=500)
    web, camera = WebSettings(host="127.0.0.1", port=0), VisionSettings(source="off")
    chosen = Config(web=web, camera=camera, lights=lights)
    app = App(chosen, DataFolder(tmp_path), simulate=True, off_pi=off_pi)
    app.start()
    try:
        assert eventually(lambda: part(app, "lights").status.value == status)
        assert app._strip(lights)._settings.driver.value == ("wled" if off_pi else "simulated")
    finally:
        app.stop()
