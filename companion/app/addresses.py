"""Under which addresses phones in the same network reach this program."""

from __future__ import annotations

import socket
from contextlib import suppress


def addresses(host: str = "0.0.0.0") -> list[str]:
    """IPv4 addresses of this machine, the one with a route first, then its ``.local`` name."""
    if host not in ("0.0.0.0", "::", ""):
        return [host]
    found: list[str] = []
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # a documentation address: nothing is sent
        found.append(probe.getsockname()[0])
    name = socket.gethostname()
    with suppress(OSError):
        for info in socket.getaddrinfo(name, None, socket.AF_INET):
            found.append(str(info[4][0]))
    lan = [a for a in dict.fromkeys(found) if not a.startswith("127.")]
    return [*lan, f"{name}.local", "127.0.0.1", "localhost"]
