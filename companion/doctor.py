"""What is connected, what is missing and what to do about it.

Nothing here changes the machine or opens a device another process may be using. Every look at the
machine goes through `Probes`, so that any machine can be described in a test.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from companion.config import Config, examine
from companion.game.errors import CompanionError, Fault, why
from companion.locale import Words
from companion.network import addresses
from companion.table.folder import DataFolder
from hardware.settings import Driver, wled_address
from hardware.wled import examined
from vision.settings import VisionSettings

_MB = 1 << 20
_NEEDED = ("flask", "waitress", "babel", "segno", "pydyf")
_OPTIONAL = ("opencv-python-headless", "numpy", "gpiozero", "spidev")
_OLDEST_PYTHON = (3, 11)
_NO_CAMERAS = ("bcm2835-codec", "bcm2835-isp", "rpi-hevc", "rpivid", "pispbe", "rp1-cfe", "unicam")
# A clock before the program was written has not been set since the power came on.
_CLOCK_FLOOR = date(2026, 1, 1)


class Status(StrEnum):
    """How a check ended."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class Check:
    """One finding: ``key`` is its sentence, ``remedy`` the key of what to do (may be empty)."""

    name: str
    status: Status
    key: str
    params: Mapping[str, Any] = field(default_factory=dict)
    remedy: str = ""


class Probes:
    """The real machine. Every method answers "not there" with None, False or an empty list."""

    def python(self) -> tuple[int, int, int]:
        """The running interpreter's version."""
        return sys.version_info[:3]

    def system(self) -> str:
        """Machine and operating system in one line."""
        return f"{platform.system()} {platform.release()} {platform.machine()}"

    def text(self, path: str) -> str | None:
        """A small file's text, without the zero byte that device tree strings end in."""
        try:
            return Path(path).read_text("utf-8", "replace").rstrip("\0\n")
        except OSError:
            return None

    def paths(self, folder: str, pattern: str) -> list[str]:
        """Paths in ``folder`` that match ``pattern``, sorted."""
        return sorted(str(path) for path in Path(folder).glob(pattern))

    def usable(self, path: str) -> bool:
        """Whether this user may read and write a device."""
        return os.access(path, os.R_OK | os.W_OK)

    def importable(self, module: str) -> bool:
        """Whether a Python module is installed; it is not imported."""
        return find_spec(module) is not None

    def version(self, package: str) -> str | None:
        """The version of an installed package."""
        try:
            return version(package)
        except PackageNotFoundError:
            return None

    def output(self, *command: str) -> str | None:
        """What a command prints; None when it is missing, fails or hangs."""
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=5, check=True)
        except (OSError, subprocess.SubprocessError):
            return None
        return done.stdout.strip()

    def addresses(self) -> Sequence[str]:
        """Own IPv4 addresses."""
        return addresses()

    def free(self, path: Path) -> int:
        """Free bytes on the disk that holds ``path`` or will."""
        while not path.exists():
            path = path.parent
        return shutil.disk_usage(path).free

    def refuses_writing(self, folder: Path) -> Mapping[str, Any] | None:
        """What `why` says of writing in ``folder`` (or where it will be made); None: it works."""
        while not folder.exists():
            folder = folder.parent
        try:
            with tempfile.TemporaryFile(dir=folder) as probe:
                probe.write(b"x")
        except OSError as error:
            return why(error)
        return None

    def source(self, name: str) -> bool:
        """Whether there is anything at a camera's source; a stream is not asked."""
        if name.isdigit():
            name = f"/dev/video{name}"
            return sys.platform != "linux" or Path(name).exists()
        return "://" in name or Path(name).exists()

    def controller(self, host: str, pixels: int) -> int:
        """How many lights a WLED controller has. Fault: what is wrong with it."""
        return examined(host, pixels=pixels)

    def today(self) -> date:
        """The wall clock's date."""
        return date.today()


def checks(folder: DataFolder, probes: Probes | None = None) -> list[Check]:
    """All checks, in the order a person would look.

    Args:
        folder: the data folder that would be used.
        probes: the machine; the real one by default.
    """
    machine = probes or Probes()
    model = machine.text("/proc/device-tree/model") or ""
    on_pi = _on_pi(machine)
    return [
        _model(machine, model, on_pi),
        _python(machine),
        *_power(machine, on_pi),
        _memory(machine),
        _versions(machine),
        camera(_settings(folder).camera, machine),
        _spi(machine, on_pi),
        _gpio(machine, on_pi),
        *_wled(machine, folder),
        _network(machine),
        _disk(machine, folder),
        _config(folder),
        _clock(machine),
    ]


def _on_pi(machine: Probes) -> bool:
    return (machine.text("/proc/device-tree/model") or "").startswith("Raspberry Pi")


def exit_code(found: Sequence[Check]) -> int:
    """0 when nothing failed, else 1; a warning is no failure."""
    return 1 if any(check.status is Status.FAIL for check in found) else 0


def as_json(found: Sequence[Check], words: Words) -> dict[str, Any]:
    """The report for ``--json``: ids and the sentences in one language."""
    worst = max((list(Status).index(check.status) for check in found), default=0)
    return {
        "status": list(Status)[worst].value,
        "checks": [
            {
                "name": check.name,
                "status": check.status.value,
                "key": check.key,
                "params": dict(check.params),
                "text": words.say(check.key, check.params),
                "remedy": words.say(check.remedy, check.params) if check.remedy else None,
            }
            for check in found
        ],
    }


def lines(found: Sequence[Check], words: Words) -> Iterator[str]:
    """The report for people: one line a check, its remedy indented below."""
    for check in found:
        status = words.say(f"doctor.status.{check.status}")
        yield f"{status:<9} {words.say(check.key, check.params)}"
        if check.remedy:
            yield f"{'':<9} → {words.say(check.remedy, check.params)}"


def _model(machine: Probes, model: str, on_pi: bool) -> Check:
    if on_pi:
        return Check("model", Status.OK, "doctor.model.pi", {"model": model})
    return Check("model", Status.OK, "doctor.model.none", {"system": machine.system()})


def _python(machine: Probes) -> Check:
    found = machine.python()
    params = {"version": ".".join(map(str, found)), "wanted": ".".join(map(str, _OLDEST_PYTHON))}
    if found >= _OLDEST_PYTHON:
        return Check("python", Status.OK, "doctor.python.ok", params)
    return Check("python", Status.FAIL, "doctor.python.old", params, "doctor.python.old.remedy")


def _power(machine: Probes, on_pi: bool) -> Iterator[Check]:
    """The Pi's own record of its supply: bit 0 low now, bit 16 low since the start."""
    if not on_pi:
        return
    said = machine.output("vcgencmd", "get_throttled") or ""
    try:
        flags = int(said.rpartition("=")[2], 16)
    except ValueError:
        yield Check("power", Status.WARN, "doctor.power.unknown", {}, "doctor.power.unknown.remedy")
        return
    if flags & 1:
        yield Check("power", Status.FAIL, "doctor.power.low", {}, "doctor.power.remedy")
    elif flags & 1 << 16:
        yield Check("power", Status.WARN, "doctor.power.was_low", {}, "doctor.power.remedy")
    else:
        yield Check("power", Status.OK, "doctor.power.ok")


def _memory(machine: Probes) -> Check:
    table = dict(
        line.split(":", 1) for line in (machine.text("/proc/meminfo") or "").splitlines() if line
    )
    total, available = (
        int(table.get(name, "0").split()[0]) // 1024 for name in ("MemTotal", "MemAvailable")
    )
    params = {"total": total, "available": available}
    if not total:
        return Check("memory", Status.WARN, "doctor.memory.unknown")
    if available < 150:
        return Check(
            "memory", Status.WARN, "doctor.memory.full", params, "doctor.memory.full.remedy"
        )
    if total < 1500:
        return Check(
            "memory", Status.WARN, "doctor.memory.small", params, "doctor.memory.small.remedy"
        )
    return Check("memory", Status.OK, "doctor.memory.ok", params)


def _versions(machine: Probes) -> Check:
    found = {name: machine.version(name) for name in (*_NEEDED, *_OPTIONAL)}
    missing = [name for name in _NEEDED if found[name] is None]
    if missing:
        params = {"missing": ", ".join(missing)}
        return Check(
            "versions", Status.FAIL, "doctor.versions.missing", params, "doctor.versions.remedy"
        )
    listed = ", ".join(f"{name} {number}" for name, number in found.items() if number)
    return Check("versions", Status.OK, "doctor.versions.ok", {"versions": listed})


def camera(settings: VisionSettings, probes: Probes | None = None) -> Check:
    """Which camera is used, and what it lacks. A camera in use stays in use: none is opened.

    Args:
        settings: as configured.
        probes: the machine; the real one by default.
    """
    machine = probes or Probes()
    on_pi = _on_pi(machine)
    if settings.source == "off":
        return Check("camera", Status.OK, "doctor.camera.off")
    if not machine.importable("cv2"):
        return Check(
            "camera", Status.WARN, "doctor.camera.no_opencv", {}, "doctor.camera.no_opencv.remedy"
        )
    if settings.source not in ("auto", "picamera2", "simulated"):
        params = {"source": settings.source}
        if machine.source(settings.source):
            return Check("camera", Status.OK, "doctor.camera.source", params)
        return Check(
            "camera",
            Status.WARN,
            "fault.vision.camera_missing",
            params,
            "fault.vision.camera_missing.remedy",
        )
    if settings.simulated(pi=on_pi):
        webcams = _webcams(machine) if settings.source == "auto" else []
        if webcams:
            params = {"cameras": ", ".join(webcams)}
            return Check(
                "camera", Status.OK, "doctor.camera.unused", params, "doctor.camera.unused.remedy"
            )
        return Check("camera", Status.OK, "doctor.camera.simulated")
    sensors = _sensors(machine)
    if sensors and not machine.importable("picamera2"):
        return Check(
            "camera",
            Status.WARN,
            "doctor.camera.no_picamera2",
            {"cameras": ", ".join(sensors)},
            "doctor.camera.no_picamera2.remedy",
        )
    cameras = [*sensors, *_webcams(machine)]
    if cameras:
        return Check("camera", Status.OK, "doctor.camera.ok", {"cameras": ", ".join(cameras)})
    return Check("camera", Status.WARN, "doctor.camera.none", {}, "doctor.camera.none.remedy")


def _sensors(machine: Probes) -> list[str]:
    """Camera modules on the ribbon cable, by their sensors' driver names."""
    names = (
        machine.text(path) for path in machine.paths("/sys/class/video4linux", "*-subdev*/name")
    )
    return [name for name in names if name and name.startswith(("imx", "ov", "ar0", "gc"))]


def _webcams(machine: Probes) -> list[str]:
    found: dict[str, str] = {}
    for path in machine.paths("/sys/class/video4linux", "video*/name"):
        name = machine.text(path) or ""
        if not name.startswith(_NO_CAMERAS):
            found.setdefault(name, path.split("/")[-2])  # a camera has several nodes
    return [f"{name} (/dev/{node})" for name, node in found.items()]


def _spi(machine: Probes, on_pi: bool) -> Check:
    devices = machine.paths("/dev", "spidev*")
    params = {"devices": ", ".join(devices)}
    if not devices:
        if on_pi:
            return Check("spi", Status.WARN, "doctor.spi.off", {}, "doctor.spi.off.remedy")
        return Check("spi", Status.OK, "doctor.spi.simulated")
    if not any(machine.usable(device) for device in devices):
        return Check("spi", Status.WARN, "doctor.spi.closed", params, "doctor.spi.closed.remedy")
    if not machine.importable("spidev"):
        return Check(
            "spi", Status.WARN, "doctor.spi.no_library", {}, "doctor.spi.no_library.remedy"
        )
    return Check("spi", Status.OK, "doctor.spi.ok", params)


def _gpio(machine: Probes, on_pi: bool) -> Check:
    if not on_pi:
        return Check("gpio", Status.OK, "doctor.gpio.simulated")
    missing = [module for module in ("gpiozero", "lgpio") if not machine.importable(module)]
    if missing:
        params = {
            "missing": ", ".join(missing),
            "packages": " ".join(f"python3-{m}" for m in missing),
        }
        return Check(
            "gpio", Status.WARN, "doctor.gpio.no_library", params, "doctor.gpio.no_library.remedy"
        )
    chips = machine.paths("/dev", "gpiochip*")
    if not any(machine.usable(chip) for chip in chips):
        return Check("gpio", Status.WARN, "doctor.gpio.closed", {}, "doctor.gpio.closed.remedy")
    return Check("gpio", Status.OK, "doctor.gpio.ok", {"devices": ", ".join(chips)})


def _wled(machine: Probes, folder: DataFolder) -> Iterator[Check]:
    """The controller that the configuration names, if any. It is asked only: nothing is lit."""
    lights = _settings(folder).lights
    if lights.driver is not Driver.WLED:
        return
    host, _ = wled_address(lights.wled)
    try:
        params = {"device": host, "has": machine.controller(host, lights.pixels)}
        yield Check("wled", Status.OK, "doctor.wled.ok", params)
    except Fault as fault:
        yield Check("wled", Status.FAIL, fault.key, fault.params, fault.remedy)


def _settings(folder: DataFolder) -> Config:
    try:
        found: Config = examine(folder)[0]
    except CompanionError:  # said where the configuration is looked at
        return Config()
    return found


def _network(machine: Probes) -> Check:
    found = machine.addresses()
    if found:
        return Check("network", Status.OK, "doctor.network.ok", {"addresses": ", ".join(found)})
    return Check("network", Status.WARN, "doctor.network.none", {}, "doctor.network.none.remedy")


def _disk(machine: Probes, folder: DataFolder) -> Check:
    free = machine.free(folder.root) // _MB
    params: dict[str, Any] = {"path": str(folder.root), "free": free}
    reason = machine.refuses_writing(folder.root)
    if reason:
        return Check(
            "disk",
            Status.FAIL,
            "doctor.disk.unwritable",
            {**params, **reason},
            "doctor.disk.unwritable.remedy",
        )
    if free < 50:
        return Check("disk", Status.FAIL, "doctor.disk.full", params, "doctor.disk.full.remedy")
    if free < 500:
        return Check("disk", Status.WARN, "doctor.disk.low", params, "doctor.disk.full.remedy")
    return Check("disk", Status.OK, "doctor.disk.ok", params)


def _config(folder: DataFolder) -> Check:
    try:
        _, problems = examine(folder)
    except CompanionError as error:
        return Check("config", Status.FAIL, error.key, error.params, f"{error.key}.remedy")
    if problems:
        first = problems[0]
        return Check("config", Status.FAIL, first.key, first.params, "doctor.config.remedy")
    key = "doctor.config.ok" if folder.config.exists() else "doctor.config.none"
    return Check("config", Status.OK, key, {"path": str(folder.config)})


def _clock(machine: Probes) -> Check:
    today = machine.today()
    params = {"date": today.isoformat()}
    if today < _CLOCK_FLOOR:
        return Check(
            "clock", Status.WARN, "doctor.clock.unset", params, "doctor.clock.unset.remedy"
        )
    return Check("clock", Status.OK, "doctor.clock.ok", params)
