"""Tells systemd how the service fares (the notify protocol: one datagram a message)."""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping


class Notifier:
    """Speaks to the manager named by NOTIFY_SOCKET; says nothing where there is none.

    >>> Notifier({}).active
    False
    """

    def __init__(self, environ: Mapping[str, str] = os.environ) -> None:
        address = environ.get("NOTIFY_SOCKET", "")
        # "@" stands for the zero byte that begins an abstract socket's name.
        self._address = "\0" + address[1:] if address.startswith("@") else address
        ours = environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        micros = environ.get("WATCHDOG_USEC", "")
        self._watchdog = int(micros) / 1e6 if ours and micros.isdecimal() else 0.0

    @property
    def active(self) -> bool:
        """Whether a manager listens."""
        return bool(self._address)

    @property
    def interval(self) -> float | None:
        """Seconds between two `alive` calls (half of what the manager allows); None: not asked."""
        return self._watchdog / 2 if self.active and self._watchdog else None

    def ready(self, status: str = "") -> None:
        """The service works now, described by ``status``."""
        self._send("READY=1", status)

    def status(self, status: str) -> None:
        """What ``systemctl status`` shows."""
        self._send("", status)

    def alive(self) -> None:
        """Feeds the watchdog. Call it after real progress only, never from a timer alone."""
        self._send("WATCHDOG=1")

    def stopping(self) -> None:
        """The service shuts down on purpose."""
        self._send("STOPPING=1")

    def _send(self, message: str, status: str = "") -> None:
        if not self.active:
            return
        lines = [message, "STATUS=" + " ".join(status.split()) if status else ""]
        data = "\n".join(line for line in lines if line).encode()
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as channel:
                channel.connect(self._address)
                channel.sendall(data)
        except OSError:
            # A manager that does not listen must not stop the game; its watchdog will say so.
            return
