"""A WLED controller on the network: frames over its realtime UDP, a look at it over HTTP first."""

from __future__ import annotations

import http.client
import json
import socket
import time
from typing import Any, Final

from companion.game.errors import Fault, why
from hardware.transport import PART

HTTP_PORT: Final = 80
# The controller goes back to what it shows by itself this long after the last packet: it is
# dark again when the companion, its computer or the network dies.
TIMEOUT_S: Final = 2
# Packets may be lost, so a picture that stands still is sent often enough for two to fail.
REFRESH_S: Final = 0.4
_ANSWER_S: Final = 1.5
_LAST: Final = 3  # how often the dark picture is sent at the end
_LAST_PAUSE_S: Final = 0.02


class WledTransport:
    """Sends packets to a WLED controller. Raises Fault:

    * ``lights.wled_gone``: it does not answer, or cannot be reached any more;
    * ``lights.wled_short``: it has fewer pixels than ``pixels``.

    A controller that is only switched off does not refuse packets at once: the network says so
    some seconds later. It is asked over HTTP before the first packet, so that a retry does not
    take silence for success.
    """

    def __init__(self, host: str, port: int, *, pixels: int, http_port: int = HTTP_PORT) -> None:
        self._name = host if http_port == HTTP_PORT else f"{host}:{http_port}"
        try:
            self._check(host, http_port, pixels)
            self._socket = _connected(host, port)
        except Fault:
            raise
        except OSError as error:
            raise self._gone(error) from error
        self._sent = b""

    def send(self, data: bytes) -> None:
        """Send one packet; it may be lost without a word."""
        try:
            self._socket.send(data)
        except BlockingIOError:
            return  # the network is behind: this frame is left out
        except OSError as error:
            raise self._gone(error) from error
        self._sent = data

    def close(self) -> None:
        """Repeat the last packet, which may be the dark one, and close. More than once is once."""
        if self._socket.fileno() < 0:
            return
        try:
            for _ in range(_LAST - 1 if self._sent else 0):
                time.sleep(_LAST_PAUSE_S)
                self._socket.send(self._sent)
        except OSError:
            pass  # it is gone: its own time-out darkens it
        finally:
            self._socket.close()

    def _check(self, host: str, port: int, pixels: int) -> None:
        try:
            has = int(info(host, port)["leds"]["count"])
        except (http.client.HTTPException, ValueError, TypeError, KeyError) as error:
            params = {"device": self._name, "reason": str(error)}
            raise Fault(PART, "lights.wled_gone", params) from error
        if has < pixels:
            params = {"device": self._name, "has": str(has), "pixels": str(pixels)}
            raise Fault(PART, "lights.wled_short", params, temporary=False)

    def _gone(self, error: OSError) -> Fault:
        return Fault(PART, "lights.wled_gone", {"device": self._name, **why(error)})


def info(host: str, port: int = HTTP_PORT) -> dict[str, Any]:
    """What a controller says of itself. Raises OSError, HTTPException or ValueError."""
    link = http.client.HTTPConnection(host, port, timeout=_ANSWER_S)
    try:
        link.request("GET", "/json/info")
        found = json.loads(link.getresponse().read(65536))
    finally:
        link.close()
    if not isinstance(found, dict):
        raise ValueError("no JSON object")
    return found


def _connected(host: str, port: int) -> socket.socket:
    family, kind, proto, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_DGRAM)[0]
    made = socket.socket(family, kind, proto)
    try:
        made.connect(address)
    except OSError:
        made.close()
        raise
    made.setblocking(False)
    return made
