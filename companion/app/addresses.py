"""Under which addresses phones in the same network reach this program."""

from __future__ import annotations

import socket

from companion import network

HOTSPOT_NAME = "companion.internal"  # answered by the box in its own network (systemd/hotspot.sh)


def addresses(host: str = "0.0.0.0") -> list[str]:
    """IPv4 addresses of this machine, the likeliest first, then its names, then the loopback."""
    if host not in ("0.0.0.0", "::", ""):
        return [host]
    name = f"{socket.gethostname()}.local"
    return [*network.addresses(), name, HOTSPOT_NAME, "127.0.0.1", "localhost"]
