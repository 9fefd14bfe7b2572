"""A WLED controller on the network: frames over its realtime UDP, a look at it over HTTP first."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from collections.abc import Callable
from functools import partial
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
_LOOK_S: Final = 4.0  # how often it is asked whether it still shows what it is sent
_MISSED: Final = 2  # so many looks without an answer: a small controller may be busy once
_LAST: Final = 3  # how often the dark picture is sent at the end
_LAST_PAUSE_S: Final = 0.02


class WledTransport:
    """Sends packets to a WLED controller. Raises Fault:

    * ``lights.wled_gone``: it does not answer, or cannot be reached any more;
    * ``lights.wled_deaf``: it answers, and takes no realtime packets;
    * ``lights.wled_short``: it has fewer pixels than ``pixels``.

    A packet is never answered. So the controller is asked over HTTP before the first one, that a
    retry does not take silence for success, and every few seconds after that by a thread of its
    own, that no frame waits for the answer; what it found the next packet raises.
    """

    def __init__(self, host: str, port: int, *, pixels: int, http_port: int = HTTP_PORT) -> None:
        self._name = _name(host, http_port)
        examined(host, http_port, pixels=pixels)
        try:
            self._socket = _connected(host, port)
        except OSError as error:
            raise _gone(self._name, error) from error
        at = str(self._socket.getpeername()[0])  # its name is not looked up again and again
        look = partial(examined, at, http_port, pixels=pixels, name=self._name)
        self._sent = b""
        self._found: Fault | None = None
        self._closed = threading.Event()
        threading.Thread(target=self._watch, args=(look,), name="wled", daemon=True).start()

    def send(self, data: bytes) -> None:
        """Send one packet; it may be lost without a word."""
        if self._found is not None:
            raise self._found
        try:
            self._socket.send(data)
        except BlockingIOError:
            return  # the network is behind: this frame is left out
        except OSError as error:
            raise _gone(self._name, error) from error
        self._sent = data

    def close(self) -> None:
        """Repeat the last packet, which may be the dark one, and close. More than once is once."""
        if self._socket.fileno() < 0:
            return
        self._closed.set()
        try:
            for _ in range(_LAST - 1 if self._sent else 0):
                time.sleep(_LAST_PAUSE_S)
                self._socket.send(self._sent)
        except OSError:
            pass  # it is gone: its own time-out darkens it
        finally:
            self._socket.close()

    def _watch(self, look: Callable[[], object]) -> None:
        missed = 0
        while self._found is None and not self._closed.wait(_LOOK_S):
            try:
                look()
                missed = 0
            except Fault as fault:
                missed += 1
                if fault.code != "lights.wled_gone" or missed >= _MISSED:
                    self._found = fault


def examined(host: str, port: int = HTTP_PORT, *, pixels: int, name: str = "") -> int:
    """Ask a controller whether it can show ``pixels`` lights; how many it has. Raises Fault.

    It takes realtime packets when it shows some now, or when its configuration (which a PIN may
    hide: then it is believed) has them on; and its own page may override them for a while.
    ``name`` is what it is called in a fault.
    """
    name = name or _name(host, port)
    try:
        told = _asked(host, port, "/json/si")
        has = int(told["info"]["leds"]["count"])
        shows, overridden = told["info"].get("live"), told["state"].get("lor")
        hears = not overridden and (shows or _takes_packets(host, port))
    except OSError as error:
        raise _gone(name, error) from error
    except (http.client.HTTPException, ValueError, TypeError, KeyError, AttributeError) as error:
        params = {"device": name, "reason": "why.no_wled"}
        raise Fault(PART, "lights.wled_gone", params) from error
    if has < pixels:
        params = {"device": name, "has": str(has), "pixels": str(pixels)}
        raise Fault(PART, "lights.wled_short", params, temporary=False)
    if not hears:
        raise Fault(PART, "lights.wled_deaf", {"device": name})
    return has


def _takes_packets(host: str, port: int) -> bool:
    try:
        return _asked(host, port, "/json/cfg")["if"]["live"]["en"] is not False
    except (http.client.HTTPException, ValueError, TypeError, KeyError):
        return True  # it does not say


def _asked(host: str, port: int, path: str) -> dict[str, Any]:
    """A page of the controller's JSON. Raises OSError, HTTPException or ValueError."""
    link = http.client.HTTPConnection(host, port, timeout=_ANSWER_S)
    try:
        link.request("GET", path)
        found = json.loads(link.getresponse().read(65536))
    finally:
        link.close()
    if not isinstance(found, dict):
        raise ValueError("no JSON object")
    return found


def _name(host: str, port: int) -> str:
    return host if port == HTTP_PORT else f"{host}:{port}"


def _gone(name: str, error: OSError) -> Fault:
    return Fault(PART, "lights.wled_gone", {"device": name, **why(error)})


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
