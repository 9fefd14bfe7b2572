"""A WLED controller on loopback: its JSON over HTTP, its realtime UDP with loss, its time-out."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, HTTPServer

HOST = "127.0.0.1"
IDLE = b""  # what it shows by itself: nothing


class FakeWled:
    """Takes DRGB packets. ``loses(n)`` says whether packet number ``n`` never arrives.

    ``takes`` is its setting for realtime packets, ``overridden`` what its own page may say against
    them, ``secret`` hides its configuration behind a PIN, ``busy`` is how many questions it
    leaves without an answer. `down` takes it off the network, `up`
    brings it back at the same ports: a restart.
    """

    def __init__(self, pixels: int = 24, loses: Callable[[int], bool] = lambda n: False) -> None:
        self.pixels = pixels
        self.loses = loses
        self.takes = True
        self.overridden = self.secret = False
        self.busy = 0
        self.packets: list[bytes] = []
        self.arrived = 0
        self.port = self.http_port = 0
        self._until = 0.0
        self._shown = IDLE
        self.up()

    def up(self) -> None:
        """Listen, on the ports of before if there were any."""
        self._udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._udp.bind((HOST, self.port))
        self._udp.settimeout(0.02)
        self.port = self._udp.getsockname()[1]
        owner = self

        class Page(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                if owner.busy:
                    owner.busy -= 1
                    return
                page = owner.page(self.path)
                self.send_response(404 if page is None else 200)
                self.end_headers()
                self.wfile.write(json.dumps(page).encode())

            def log_message(self, *_: object) -> None:
                return

        self._http = HTTPServer((HOST, self.http_port), Page)
        self.http_port = self._http.server_port
        self._running = True
        self._threads = [
            threading.Thread(target=self._take, daemon=True),
            threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def down(self) -> None:
        """Power off: nothing listens, nothing is shown."""
        self._running = False
        self._http.shutdown()
        for thread in self._threads:
            thread.join()
        self._http.server_close()
        self._udp.close()
        self._shown = IDLE

    def page(self, path: str) -> dict[str, object] | None:
        """What it says over HTTP."""
        live = time.monotonic() < self._until
        info = {"name": "fake", "live": live, "leds": {"count": self.pixels}}
        if path == "/json/si":
            return {"state": {"on": False, "lor": int(self.overridden)}, "info": info}
        if path == "/json/cfg" and not self.secret:
            return {"if": {"live": {"en": self.takes}}}
        return None

    @property
    def shown(self) -> bytes:
        """Red, green, blue of its pixels; IDLE when it was told nothing for too long."""
        return self._shown if time.monotonic() < self._until else IDLE

    def _take(self) -> None:
        while self._running:
            try:
                data = self._udp.recv(2048)
            except OSError:
                continue
            self.arrived += 1
            if not self.takes or self.loses(self.arrived):
                continue
            self.packets.append(data)
            if data[0] == 2:  # DRGB
                self._shown = data[2 : 2 + 3 * self.pixels]
                self._until = time.monotonic() + data[1]
