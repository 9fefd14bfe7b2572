from __future__ import annotations

import errno
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from companion.game.errors import Fault
from hardware.transport import SimulatedTransport, SpiTransport


class RecordedBus:
    """A spidev.SpiDev that writes down what it is told, and may fail."""

    def __init__(self, fails: int | None = None, lock: Path | None = None) -> None:
        self.calls: list[Any] = []
        self.fails = fails
        self.max_speed_hz = 500_000
        self.mode = 3
        if lock is not None:
            handle = os.open(lock, os.O_RDWR | os.O_CREAT)
            self.fileno = lambda: handle

    def open(self, bus: int, device: int) -> None:
        if self.fails is not None:
            raise OSError(self.fails, os.strerror(self.fails))
        self.calls.append(("open", bus, device))

    def writebytes2(self, data: bytes) -> None:
        if self.fails is not None:
            raise OSError(self.fails, os.strerror(self.fails))
        self.calls.append(("write", bytes(data)))

    def close(self) -> None:
        self.calls.append(("close",))


def test_a_frame_goes_to_the_bus_in_one_write() -> None:
    bus = RecordedBus()
    transport = SpiTransport(0, 1, 4_000_000, spi=bus)
    transport.send(b"\x00\xff")
    transport.close()
    assert bus.calls == [("open", 0, 1), ("write", b"\x00\xff"), ("close",)]
    assert (bus.max_speed_hz, bus.mode) == (4_000_000, 0)


@pytest.mark.parametrize(
    ("number", "code", "temporary"),
    [
        (errno.ENOENT, "lights.no_spi", True),
        (errno.EACCES, "lights.permission", False),
        (errno.EBUSY, "lights.busy", True),
        (errno.EIO, "lights.lost", True),
    ],
)
def test_what_opening_may_meet(number: int, code: str, temporary: bool) -> None:
    bus = RecordedBus(fails=number)
    with pytest.raises(Fault) as caught:
        SpiTransport(0, 0, 1, spi=bus)
    assert caught.value.code == code
    assert caught.value.temporary is temporary
    assert caught.value.params["device"] == "/dev/spidev0.0"
    assert bus.calls == [("close",)]


def test_a_second_program_is_told_that_the_strip_is_busy(tmp_path: Path) -> None:
    first = SpiTransport(0, 0, 1, spi=RecordedBus(lock=tmp_path / "spidev"))
    with pytest.raises(Fault) as caught:
        SpiTransport(0, 0, 1, spi=RecordedBus(lock=tmp_path / "spidev"))
    assert caught.value.code == "lights.busy"
    first.send(b"\0")


def test_a_bus_that_fails_while_sending() -> None:
    bus = RecordedBus()
    transport = SpiTransport(0, 0, 1, spi=bus)
    bus.fails = errno.EIO
    with pytest.raises(Fault) as caught:
        transport.send(b"\0")
    assert caught.value.code == "lights.lost"
    assert caught.value.params["reason"] == "why.broken"


def test_without_spidev_the_fault_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spidev", None)
    with pytest.raises(Fault) as caught:
        SpiTransport(0, 0, 1)
    assert (caught.value.code, caught.value.temporary) == ("lights.no_spidev", False)


def test_spidev_is_used_when_it_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    bus = RecordedBus()
    module = type(sys)("spidev")
    module.SpiDev = lambda: bus  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "spidev", module)
    SpiTransport(1, 2, 1).send(b"\1")
    assert bus.calls == [("open", 1, 2), ("write", b"\1")]


def test_the_simulated_strip_keeps_the_last_bytes() -> None:
    strip = SimulatedTransport()
    strip.send(b"\1")
    strip.send(b"\2")
    strip.close()
    assert (strip.last, strip.frames) == (b"\2", 2)
