from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from companion import doctor
from companion.doctor import Check, Probes, Status
from companion.game.errors import Fault, why
from companion.locale import languages, words
from companion.network import addresses
from companion.table.folder import DataFolder

PACKAGES = ("flask", "waitress", "babel", "segno", "pydyf")


class Machine(Probes):
    """A machine described by what its files hold; a healthy laptop unless told otherwise."""

    def __init__(self) -> None:
        self.files = {"/proc/meminfo": "MemTotal: 8000000 kB\nMemAvailable: 4000000 kB\n"}
        self.locked: set[str] = set()
        self.modules = {"cv2"}
        self.packages = dict.fromkeys(PACKAGES, "1.0")
        self.vcgencmd: str | None = None
        self.interpreter = (3, 13, 1)
        self.ips: list[str] = ["192.168.1.20"]
        self.free_bytes = 10 << 30
        self.reason: dict[str, Any] | None = None
        self.day = date(2026, 12, 24)
        self.wled: int | Fault = 60  # how many lights it has, or what is wrong with it

    def python(self) -> tuple[int, int, int]:
        return self.interpreter

    def system(self) -> str:
        return "Linux 6.1 x86_64"

    def text(self, path: str) -> str | None:
        return self.files.get(path)

    def paths(self, folder: str, pattern: str) -> list[str]:
        return sorted(p for p in self.files if Path(p).match(f"{folder}/{pattern}"))

    def usable(self, path: str) -> bool:
        return path not in self.locked

    def importable(self, module: str) -> bool:
        return module in self.modules

    def version(self, package: str) -> str | None:
        return self.packages.get(package)

    def output(self, *command: str) -> str | None:
        return self.vcgencmd if command == ("vcgencmd", "get_throttled") else None

    def addresses(self) -> Sequence[str]:
        return self.ips

    def free(self, path: Path) -> int:
        return self.free_bytes

    def refuses_writing(self, folder: Path) -> dict[str, Any] | None:
        return self.reason

    def controller(self, host: str, pixels: int) -> int:
        if isinstance(self.wled, Fault):
            raise self.wled
        return self.wled

    def today(self) -> date:
        return self.day


class Pi(Machine):
    """A Pi with everything connected."""

    def __init__(self) -> None:
        super().__init__()
        self.files |= {
            "/proc/device-tree/model": "Raspberry Pi 5 Model B Rev 1.0",
            "/dev/spidev0.0": "",
            "/dev/spidev0.1": "",
            "/dev/gpiochip0": "",
            "/sys/class/video4linux/v4l-subdev0/name": "imx708",
            "/sys/class/video4linux/video0/name": "rp1-cfe-csi2_ch0",
            "/sys/class/video4linux/video19/name": "pispbe-input",
        }
        self.modules |= {"picamera2", "gpiozero", "lgpio", "spidev"}
        self.vcgencmd = "throttled=0x0"


def found(machine: Machine, tmp_path: Path) -> dict[str, Check]:
    return {check.name: check for check in doctor.checks(DataFolder(tmp_path), machine)}


def test_laptop_is_a_first_class_machine(tmp_path: Path) -> None:
    report = found(Machine(), tmp_path)
    assert {check.status for check in report.values()} == {Status.OK}
    assert "power" not in report
    assert report["model"].key == "doctor.model.none"
    for part in ("camera", "spi", "gpio"):
        assert report[part].key == f"doctor.{part}.simulated"


def test_complete_pi(tmp_path: Path) -> None:
    report = found(Pi(), tmp_path)
    assert {check.status for check in report.values()} == {Status.OK}
    assert report["model"].params == {"model": "Raspberry Pi 5 Model B Rev 1.0"}
    assert report["camera"].params == {"cameras": "imx708"}
    assert report["spi"].params == {"devices": "/dev/spidev0.0, /dev/spidev0.1"}


def without(machine: Machine, part: str) -> None:
    machine.files = {path: text for path, text in machine.files.items() if part not in path}


FAULTS = [
    ("python", Status.FAIL, "python.old", lambda m: setattr(m, "interpreter", (3, 10, 9))),
    ("power", Status.FAIL, "power.low", lambda m: setattr(m, "vcgencmd", "throttled=0x50005")),
    ("power", Status.WARN, "power.was_low", lambda m: setattr(m, "vcgencmd", "throttled=0x50000")),
    ("power", Status.WARN, "power.unknown", lambda m: setattr(m, "vcgencmd", None)),
    ("power", Status.WARN, "power.unknown", lambda m: setattr(m, "vcgencmd", "what?")),
    ("memory", Status.WARN, "memory.unknown", lambda m: without(m, "meminfo")),
    (
        "memory",
        Status.WARN,
        "memory.small",
        lambda m: m.files.update({"/proc/meminfo": "MemTotal: 930000 kB\nMemAvailable: 500000 kB"}),
    ),
    (
        "memory",
        Status.WARN,
        "memory.full",
        lambda m: m.files.update({"/proc/meminfo": "MemTotal: 8000000 kB\nMemAvailable: 90000 kB"}),
    ),
    ("versions", Status.FAIL, "versions.missing", lambda m: m.packages.pop("waitress")),
    ("camera", Status.WARN, "camera.none", lambda m: without(m, "v4l-subdev")),
    ("camera", Status.WARN, "camera.no_opencv", lambda m: m.modules.discard("cv2")),
    ("camera", Status.WARN, "camera.no_picamera2", lambda m: m.modules.discard("picamera2")),
    ("spi", Status.WARN, "spi.off", lambda m: without(m, "spidev")),
    (
        "spi",
        Status.WARN,
        "spi.closed",
        lambda m: m.locked.update({"/dev/spidev0.0", "/dev/spidev0.1"}),
    ),
    ("spi", Status.WARN, "spi.no_library", lambda m: m.modules.discard("spidev")),
    ("gpio", Status.WARN, "gpio.no_library", lambda m: m.modules.discard("lgpio")),
    ("gpio", Status.WARN, "gpio.closed", lambda m: m.locked.add("/dev/gpiochip0")),
    ("network", Status.WARN, "network.none", lambda m: m.ips.clear()),
    ("disk", Status.FAIL, "disk.full", lambda m: setattr(m, "free_bytes", 10 << 20)),
    ("disk", Status.WARN, "disk.low", lambda m: setattr(m, "free_bytes", 100 << 20)),
    (
        "disk",
        Status.FAIL,
        "disk.unwritable",
        lambda m: setattr(m, "reason", why(OSError(30, ""))),
    ),
    ("clock", Status.WARN, "clock.unset", lambda m: setattr(m, "day", date(1970, 1, 1))),
]


@pytest.mark.parametrize(("name", "status", "key", "break_it"), FAULTS)
def test_one_fault_is_one_finding_with_a_sentence_in_every_language(
    tmp_path: Path, name: str, status: Status, key: str, break_it: object
) -> None:
    machine = Pi()
    assert callable(break_it)
    break_it(machine)
    report = found(machine, tmp_path)
    check = report.pop(name)
    assert (check.status, check.key) == (status, f"doctor.{key}")
    assert {other.status for other in report.values()} == {Status.OK}
    if key != "memory.unknown":
        assert check.remedy
    for language in languages():
        assert "".join(doctor.lines([check], words(language)))
    assert doctor.exit_code([check]) == (1 if status is Status.FAIL else 0)


def test_usb_camera_with_several_nodes_is_one_camera(tmp_path: Path) -> None:
    machine = Machine()
    for node in ("video0", "video1"):
        machine.files[f"/sys/class/video4linux/{node}/name"] = "HD Webcam"
    assert found(machine, tmp_path)["camera"].params == {"cameras": "HD Webcam (/dev/video0)"}


def test_a_camera_that_is_not_used_is_not_called_used(tmp_path: Path) -> None:
    machine = Machine()
    machine.files["/sys/class/video4linux/video0/name"] = "HD Webcam"
    check = found(machine, tmp_path)["camera"]
    assert (check.status, check.key) == (Status.OK, "doctor.camera.unused")
    assert 'source = "0"' in words("en").say(check.remedy)


@pytest.mark.parametrize(
    ("source", "status", "key"),
    [
        ("off", Status.OK, "doctor.camera.off"),
        ("http://phone:8080/video", Status.OK, "doctor.camera.source"),
        ("{here}", Status.OK, "doctor.camera.source"),
        ("{here}/none", Status.WARN, "fault.vision.camera_missing"),
        ("simulated", Status.OK, "doctor.camera.simulated"),
    ],
)
def test_the_camera_that_is_configured_is_named(
    source: str, status: Status, key: str, tmp_path: Path
) -> None:
    where = source.format(here=tmp_path)
    (tmp_path / "config.toml").write_text(f'[camera]\nsource = "{where}"\n')
    for machine in (Machine(), Pi()):
        check = found(machine, tmp_path)["camera"]
        assert (check.status, check.key) == (status, key)


def test_wrong_settings_are_a_finding(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text("[wbe]\nport = 1\n")
    check = found(Machine(), tmp_path)["config"]
    assert (check.status, check.key) == (Status.FAIL, "bad.setting.unknown")
    assert "web" in words("en").say(check.key, check.params)
    (tmp_path / "config.toml").unlink()
    (tmp_path / "config.toml").mkdir()
    assert found(Machine(), tmp_path)["config"].key == "fault.config.unreadable"


@pytest.mark.parametrize("language", languages())
def test_report_for_machines(tmp_path: Path, language: str) -> None:
    machine = Pi()
    machine.vcgencmd = "throttled=0x1"
    checks = doctor.checks(DataFolder(tmp_path), machine)
    report = json.loads(json.dumps(doctor.as_json(checks, words(language))))
    assert report["status"] == "fail"
    power = next(check for check in report["checks"] if check["name"] == "power")
    assert power["key"] == "doctor.power.low"
    assert power["text"] == words(language).say("doctor.power.low")
    assert power["remedy"] == words(language).say("doctor.power.remedy")
    assert doctor.as_json([], words(language))["status"] == "ok"


def test_the_real_machine_can_be_asked(tmp_path: Path) -> None:
    """Nothing is faked: whatever this machine is, every check ends in a sentence."""
    checks = doctor.checks(DataFolder(tmp_path / "not" / "yet"))
    assert len(list(doctor.lines(checks, words("fr")))) >= len(checks)
    report = {check.name: check for check in checks}
    assert report["python"].status is Status.OK
    assert report["versions"].status is Status.OK
    assert report["disk"].status is not Status.FAIL
    assert not (tmp_path / "not").exists()


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert Probes().refuses_writing(tmp_path) is None
    assert Probes().refuses_writing(tmp_path / "file")


def test_a_command_that_is_missing_or_fails_says_nothing() -> None:
    assert Probes().output("no-such-command-here") is None
    assert Probes().output("false") is None
    assert Probes().output("echo", "hello") == "hello"


def test_own_addresses_are_no_loopback() -> None:
    for address in addresses():
        assert not address.startswith("127.")
        assert len(address.split(".")) == 4


WLED = '[lights]\ndriver = "wled"\nwled = "table.local:21325"\n'


@pytest.mark.parametrize(
    ("answer", "key"),
    [
        (60, "doctor.wled.ok"),
        (Fault("lights", "lights.wled_deaf", {"device": "table.local"}), "fault.lights.wled_deaf"),
    ],
)
def test_a_controller_that_is_configured_is_asked(
    tmp_path: Path, answer: int | Fault, key: str
) -> None:
    machine = Machine()
    machine.wled = answer
    assert "wled" not in found(machine, tmp_path)
    (tmp_path / "config.toml").write_text(WLED)
    check = found(machine, tmp_path)["wled"]
    assert (check.key, check.params["device"]) == (key, "table.local")
    assert doctor.exit_code([check]) == (1 if isinstance(answer, Fault) else 0)
    for language in languages():
        said = "".join(doctor.lines([check], words(language)))
        assert "table.local" in said
        assert "fault." not in said
