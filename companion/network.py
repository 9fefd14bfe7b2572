"""The addresses under which phones reach this machine."""

from __future__ import annotations

import fcntl
import socket
import struct
from pathlib import Path

_SIOCGIFADDR = 0x8915  # Linux: the first IPv4 address of an interface


def addresses() -> tuple[str, ...]:
    """This machine's IPv4 addresses in its networks, the likeliest for a phone first.

    That is the one with the default route, then those of real interfaces. A box that opens its
    own hotspot has no route, and is found all the same. The loopback is left out: no phone is
    there.
    """
    routed = _routed()
    found: list[tuple[bool, bool, str]] = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as channel:
        for _, name in socket.if_nameindex():
            request = struct.pack("256s", name.encode()[:15])
            try:
                reply = fcntl.ioctl(channel.fileno(), _SIOCGIFADDR, request)
            except OSError:  # no address on this interface
                continue
            virtual = not Path("/sys/class/net", name, "device").exists()
            address = socket.inet_ntoa(reply[20:24])
            found.append((address != routed, virtual, address))
    return tuple(address for _, _, address in sorted(found) if not address.startswith("127."))


def _routed() -> str | None:
    """The address packets to elsewhere would leave from; none is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as channel:
        try:
            channel.connect(("192.0.2.1", 9))  # reserved for documentation
        except OSError:
            return None
        return str(channel.getsockname()[0])
