"""The unit passes systemd's own checks; the installer ends in one state however it was stopped."""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from web.settings import WebSettings

SYSTEMD = Path(__file__).parents[1] / "systemd"
UNIT = SYSTEMD / "companion.service"
PROGRAM = "/opt/table-companion/current/bin/companion"

needs_systemd = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed"
)


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """The unit with a program that exists on this machine, which `verify` insists on."""
    path = tmp_path / "companion.service"
    path.write_text(UNIT.read_text().replace(PROGRAM, sys.executable))
    return path


def analyze(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["systemd-analyze", *arguments], capture_output=True, text=True, check=False, timeout=60
    )


@needs_systemd
def test_unit_is_verified_without_a_message(unit: Path) -> None:
    result = analyze("verify", str(unit))
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


@needs_systemd
def test_verify_notices_a_broken_unit(unit: Path) -> None:
    unit.write_text(unit.read_text().replace("WatchdogSec=30", "WatchdogSec=often\nNoSuchKey=1"))
    assert "NoSuchKey" in analyze("verify", str(unit)).stderr


@needs_systemd
def test_exposure_is_at_most_three(unit: Path) -> None:
    result = analyze("security", "--offline=true", "--threshold=30", str(unit))
    found = re.search(r"exposure level for companion.service: ([\d.]+)", result.stdout)
    assert found, result.stdout + result.stderr
    assert float(found[1]) <= 3.0
    assert result.returncode == 0


def test_unit_keeps_to_the_contract() -> None:
    lines = UNIT.read_text().splitlines()
    for line in (
        "Type=notify",
        "WatchdogSec=30",
        "User=companion",
        f"ExecStart={PROGRAM} run",
        f"ExecStopPost=-{PROGRAM} lights off",
    ):
        assert line in lines
    assert "u companion " in (SYSTEMD / "companion.sysusers").read_text()


def test_announced_port_is_the_default_one() -> None:
    root = ET.parse(SYSTEMD / "companion.avahi.service").getroot()
    assert root.findtext("service/type") == "_http._tcp"
    assert root.findtext("service/port") == str(WebSettings().port)
    hotspot = (SYSTEMD / "hotspot.sh").read_text()
    assert f"\nport={WebSettings().port}\n" in hotspot


def test_nothing_names_a_person_or_a_home() -> None:
    for path in SYSTEMD.iterdir():
        assert not re.search(r"/home/|User=pi\b|\bpi:pi\b", path.read_text()), path


# The commands that touch the machine. Each call is counted, and the chosen one dies with the
# installer, as when the plug is pulled.
STUB = """#!/bin/bash
count=$(( $(cat "$STUB_DIR/count" 2>/dev/null || echo 0) + 1 ))
echo "$count" > "$STUB_DIR/count"
echo "${0##*/} $*" >> "$STUB_DIR/log"
if [ "$count" = "${DIE_AT:-}" ]; then kill -9 "$PPID"; exit 1; fi
"""
COMMANDS = {
    "dpkg-query": "exit 1",
    "apt-get": "exit 0",
    "systemd-sysusers": "exit 0",
    "systemctl": "exit 0",
    "hostname": "echo 192.168.1.20 fe80::1",
    "python3": 'mkdir -p "${@: -1}/bin"; cp "$STUB_DIR/python" "${@: -1}/bin/python"',
}
PYTHON = """case "$*" in
  *"-m pip"*) printf '#!/bin/sh\\n' > "${0%/*}/companion"; chmod +x "${0%/*}/companion" ;;
  *) exit 1 ;;
esac
"""


class Machine:
    """A pretend machine: a folder as its root, and stubs for the commands that would change it."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "root"
        self.root.mkdir(parents=True)
        self.bin = folder / "bin"
        self.bin.mkdir()
        for name, body in COMMANDS.items():
            self.stub(self.bin / name, body)
        self.stub(folder / "python", PYTHON)
        self.environ = {"PATH": f"{self.bin}:/usr/bin:/bin", "STUB_DIR": str(folder)}
        self.folder = folder

    def stub(self, path: Path, body: str) -> None:
        path.write_text(f"{STUB}{body}\n")
        path.chmod(0o755)

    def run(
        self,
        script: str,
        *arguments: str,
        die_at: int | None = None,
        root: bool = True,
        umask: int = -1,
    ) -> subprocess.CompletedProcess[str]:
        (self.folder / "count").unlink(missing_ok=True)
        extra = {"DIE_AT": str(die_at)} if die_at else {}
        where = ["--root", str(self.root)] if root else []
        return subprocess.run(
            [str(SYSTEMD / script), *where, *arguments],
            env=self.environ | extra,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
            stdin=subprocess.DEVNULL,
            umask=umask,
        )

    def run_after(self, script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """As `run`, for a script whose options come after its command."""
        return self.run(script, *arguments, "--root", str(self.root), root=False, umask=0o022)

    @property
    def program(self) -> Path:
        return self.root / PROGRAM.lstrip("/")

    def state(self) -> dict[str, tuple[int, bytes]]:
        """Every file under the root; the two places a program may lie in are one."""
        found = {}
        for path in sorted(self.root.rglob("*")):
            name = re.sub(r"table-companion/[ab](/|$)", r"table-companion/slot\1", str(path))
            if path.is_symlink():
                found[name.removeprefix(str(self.root))] = (0, b"link")
            elif path.is_file():
                mode = stat.S_IMODE(path.stat().st_mode)
                found[name.removeprefix(str(self.root))] = (mode, path.read_bytes())
        return found


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path / "machine")


def test_install_puts_everything_in_place(machine: Machine) -> None:
    result = machine.run("install.sh")
    assert result.returncode == 0, result.stderr
    assert "http://192.168.1.20:8080/" in result.stdout
    assert os.access(machine.program, os.X_OK)
    assert (machine.root / "etc/systemd/system/companion.service").read_text() == UNIT.read_text()
    assert (machine.root / "etc/sysusers.d/table-companion.conf").exists()
    calls = (machine.folder / "log").read_text()
    assert "apt-get install -y python3-venv" in calls
    assert "--system-site-packages" in calls


def test_installing_twice_ends_in_the_same_state(machine: Machine) -> None:
    machine.run("install.sh")
    first = machine.state()
    for _ in range(2):
        assert machine.run("install.sh").returncode == 0
        assert machine.state() == first
    assert os.access(machine.program, os.X_OK)


def test_a_strict_umask_does_not_lock_the_service_out(tmp_path: Path) -> None:
    usual, strict = Machine(tmp_path / "usual"), Machine(tmp_path / "strict")
    usual.run("install.sh", umask=0o022)
    strict.run("install.sh", umask=0o077)
    assert strict.state() == usual.state()
    assert strict.program.parent.stat().st_mode & 0o777 == 0o755


@pytest.mark.parametrize("upgrade", [False, True])
def test_interrupted_at_every_command_it_still_ends_in_the_same_state(
    tmp_path: Path, upgrade: bool
) -> None:
    clean = Machine(tmp_path / "clean")
    assert clean.run("install.sh").returncode == 0
    commands = int((clean.folder / "count").read_text())
    assert commands >= 7
    for step in range(1, commands + 1):
        machine = Machine(tmp_path / f"step{step}")
        if upgrade:
            machine.run("install.sh")
        stopped = machine.run("install.sh", die_at=step)
        assert stopped.returncode != 0 or step == commands
        if upgrade:
            assert os.access(machine.program, os.X_OK), f"no program after a stop at {step}"
        assert machine.run("install.sh").returncode == 0
        assert machine.state() == clean.state()


def test_another_port_is_used_everywhere_and_taken_back(machine: Machine) -> None:
    machine.run("install.sh")
    plain = machine.state()
    assert machine.run("install.sh", "--port", "80").returncode == 0
    drop_in = machine.root / "etc/systemd/system/companion.service.d/port.conf"
    assert "Environment=COMPANION_WEB_PORT=80" in drop_in.read_text()
    assert (
        "<port>80</port>"
        in (machine.root / "etc/avahi/services/table-companion.service").read_text()
    )
    machine.run("install.sh")
    assert machine.state() == plain


@pytest.mark.parametrize(
    "arguments", [("--port", "0"), ("--port", "65536"), ("--port", "x"), ("-x",)]
)
def test_wrong_use_changes_nothing(machine: Machine, arguments: tuple[str, ...]) -> None:
    result = machine.run("install.sh", *arguments)
    assert result.returncode == 2
    assert result.stderr
    assert machine.state() == {}


@pytest.mark.parametrize("script", ["install.sh", "uninstall.sh"])
def test_without_the_right_it_says_so(machine: Machine, script: str) -> None:
    machine.stub(machine.bin / "id", "echo 1000")
    result = machine.run(script, root=False)
    assert result.returncode == 2
    assert "sudo" in result.stderr


def test_a_failed_download_leaves_the_old_program(machine: Machine) -> None:
    machine.run("install.sh")
    machine.stub(machine.folder / "python", "exit 1")
    assert machine.run("install.sh").returncode != 0
    assert os.access(machine.program, os.X_OK)


def test_uninstall_leaves_the_games_unless_told(machine: Machine) -> None:
    machine.run("install.sh", "--port", "81")
    game = machine.root / "var/lib/table-companion/games/evening.game"
    game.parent.mkdir(parents=True)
    game.write_bytes(b"x")
    for _ in range(2):
        assert machine.run("uninstall.sh").returncode == 0
        assert list(machine.state()) == ["/var/lib/table-companion/games/evening.game"]
    assert machine.run("uninstall.sh", "--purge").returncode == 0
    assert machine.state() == {}


@pytest.mark.parametrize("arguments", [(), ("sideways",), ("on", "--loud")])
def test_hotspot_explains_its_use(machine: Machine, arguments: tuple[str, ...]) -> None:
    machine.stub(machine.bin / "nmcli", "exit 0")
    result = machine.run("hotspot.sh", *arguments, root=False)
    assert result.returncode == 2
    assert "hotspot.sh on" in result.stderr


def test_hotspot_shows_how_to_join(machine: Machine) -> None:
    machine.stub(
        machine.bin / "nmcli",
        'case "$*" in *psk*) echo secret7 ;; *NAME*) echo table-companion ;; esac',
    )
    result = machine.run("hotspot.sh", "show", root=False)
    assert result.returncode == 0, result.stderr
    for words in ("Wi-Fi: table-companion", "secret7", "http://10.77.0.1:8080/", "mobile data"):
        assert words in result.stdout


NMCLI = """case "$*" in
  "connection add "*) echo table-companion > "$STUB_DIR/network" ;;
  "connection delete "*) rm "$STUB_DIR/network" ;;
  *"-g NAME "*) cat "$STUB_DIR/network" 2>/dev/null; exit 0 ;;
  *psk*) sed -n 's/.*wifi-sec.psk //p' "$STUB_DIR/log" | tail -n 1 ;;
esac"""


def test_hotspot_is_made_once_answers_names_itself_and_can_be_removed(machine: Machine) -> None:
    machine.stub(machine.bin / "nmcli", NMCLI)
    for _ in range(2):
        result = machine.run_after("hotspot.sh", "on", "--interface", "wlan1")
        assert result.returncode == 0, result.stderr
    calls = (machine.folder / "log").read_text()
    assert calls.count("connection add") == 1
    assert calls.count("connection up table-companion") == 2
    (added,) = re.findall(r"connection add .*", calls)
    for words in ("ifname wlan1", "autoconnect no", "wireless.mode ap", "ipv4.method shared"):
        assert words in added
    passphrase = added.rpartition(" ")[2]
    assert re.fullmatch(r"[a-z2-9]{12}", passphrase)
    assert passphrase in result.stdout
    assert list(machine.state().values()) == [(0o644, b"address=/companion.internal/10.77.0.1\n")]
    for _ in range(2):
        assert machine.run_after("hotspot.sh", "remove").returncode == 0
    assert machine.state() == {}
