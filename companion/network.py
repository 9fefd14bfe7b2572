"""The addresses under which phones reach this machine."""

from __future__ import annotations

import fcntl
import socket
import struct
from pathlib import Path

_SIOCGIFADDR = 0x8915  # Linux: the first IPv4 address of an interface


def addresses() -> tuple[str, ...]:
    """This machine's IPv4 addresses in its networks; hardware before virtual interfaces.

    The loopback is left out: no phone is there.
    """
    found: list[tuple[bool, str]] = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as channel:
        for _, name in socket.if_nameindex():
            request = struct.pack("256s", name.encode()[:15])
            try:
                reply = fcntl.ioctl(channel.fileno(), _SIOCGIFADDR, request)
            except OSError:  # no address on this interface
                continue
            virtual = not Path("/sys/class/net", name, "device").exists()
            found.append((virtual, socket.inet_ntoa(reply[20:24])))
    return tuple(address for _, address in sorted(found) if not address.startswith("127."))
