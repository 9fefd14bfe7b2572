from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.service import Notifier


@pytest.fixture(params=["path", "abstract"])
def manager(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, socket.socket]]:
    """A real datagram socket as systemd opens it, and its name as NOTIFY_SOCKET spells it."""
    name = str(tmp_path / "notify") if request.param == "path" else f"@companion-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(name.replace("@", "\0", 1) if name.startswith("@") else name)
        listener.settimeout(2)
        yield name, listener


def test_messages_arrive(manager: tuple[str, socket.socket]) -> None:
    name, listener = manager
    notifier = Notifier({"NOTIFY_SOCKET": name})
    assert notifier.active
    notifier.ready("Round 3")
    assert listener.recv(1000) == b"READY=1\nSTATUS=Round 3"
    notifier.status("caméra\nWATCHDOG=trigger")
    assert listener.recv(1000).decode() == "STATUS=caméra WATCHDOG=trigger"
    notifier.alive()
    assert listener.recv(1000) == b"WATCHDOG=1"
    notifier.stopping()
    assert listener.recv(1000) == b"STOPPING=1"


@pytest.mark.parametrize(
    ("environ", "interval"),
    [
        ({"WATCHDOG_USEC": "30000000"}, 15.0),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": str(os.getpid())}, 15.0),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "1"}, None),
        ({"WATCHDOG_USEC": "x"}, None),
        ({}, None),
    ],
)
def test_how_often_the_watchdog_is_fed(environ: dict[str, str], interval: float | None) -> None:
    assert Notifier({"NOTIFY_SOCKET": "/x", **environ}).interval == interval


def test_without_a_manager_nothing_happens(tmp_path: Path) -> None:
    Notifier({"WATCHDOG_USEC": "30000000"}).ready()
    assert Notifier({"WATCHDOG_USEC": "30000000"}).interval is None
    Notifier({"NOTIFY_SOCKET": str(tmp_path / "gone")}).alive()
