"""Serving the panel: waitress in our own process, on a socket we opened.

One fixed pool of threads: every open page holds one. The kernel gives up on a phone that vanished
without a word, and looking ahead on the connection tells a stream that its reader has left.
"""

from __future__ import annotations

import json
import logging
import socket
import threading
from dataclasses import replace
from types import TracebackType
from typing import Any

from flask import Flask
from waitress.channel import HTTPChannel
from waitress.server import create_server
from waitress.task import ErrorTask
from werkzeug.http import parse_cookie

from companion.game.errors import Fault, why
from companion.locale import best, languages, words
from web.app import known
from web.panel import LANGUAGE, Panel
from web.security import BODY, HEADERS

THREADS = 64
USER_TIMEOUT_MS = 20_000  # unanswered bytes for so long: the phone is gone
BACKLOG = 256
STOP_SECONDS = 1.0
KEPT = 256 * 1024  # bytes of a line's past and waiting pages: waitress keeps what it has sent


def bind(host: str, port: int) -> socket.socket:
    """A listening socket that drops dead phones; port 0 takes a free one.

    Raises Fault ``web.port_taken`` or ``web.address``.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    opened = socket.socket(family, socket.SOCK_STREAM)
    try:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for name, value in (("TCP_USER_TIMEOUT", USER_TIMEOUT_MS), ("TCP_KEEPIDLE", 10)):
            if hasattr(socket, name):  # Linux
                opened.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
        opened.bind((host, port))
        opened.listen(BACKLOG)
    except OSError as error:
        opened.close()
        code = "web.port_taken" if error.errno in (98, 48) else "web.address"
        params = {"host": host, "port": port, **why(error)}
        raise Fault("web", code, params, temporary=False) from error
    return opened


class _Unread(ErrorTask):  # type: ignore[misc]  # waitress has no types
    """Answers what never reached the application (too long, not HTTP) in the reader's words."""

    def execute(self) -> None:
        """Write status, headers and a JSON body with a plain sentence."""
        error, asked = self.request.error, self.request.headers
        chosen = parse_cookie(asked.get("COOKIE")).get(LANGUAGE)
        language = chosen if chosen in languages() else best(asked.get("ACCEPT_LANGUAGE"))
        text = words(str(language)).say(f"ui.http.{known(error.code)}")
        reply = {"status": "error", "code": str(error.code), "text": text}
        body = json.dumps(reply, ensure_ascii=False).encode()
        self.status = f"{error.code} {error.reason}"
        self.response_headers.extend(
            [("Content-Type", "application/json"), ("Cache-Control", "no-store"), *HEADERS.items()]
        )
        self.set_close_on_finish()
        self.content_length = len(body)
        self.write(body)


class _Channel(HTTPChannel):  # type: ignore[misc]
    error_task_class = _Unread


class Server:
    """The panel on a socket, in threads of its own.

    ``port`` 0 takes a free one; `port` says which, and so do the panel's codes. Raises Fault as
    `bind` does.

    >>> with Server(app, "127.0.0.1", 0) as server:     # doctest: +SKIP
    ...     print(server.port)
    """

    def __init__(self, app: Flask, host: str, port: int, *, threads: int = THREADS) -> None:
        self._panel: Panel = app.extensions["companion_panel"]
        listening = bind(host, port)
        self.host: str = listening.getsockname()[0]
        self.port: int = listening.getsockname()[1]
        self._panel.services = replace(self._panel.services, port=self.port)
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)
        self._map: dict[int, Any] = {}
        self._server = create_server(
            app,
            map=self._map,
            sockets=[listening],
            threads=threads,
            channel_request_lookahead=1,
            connection_limit=400,
            max_request_body_size=2 * BODY,
            max_request_header_size=16 * 1024,
            outbuf_high_watermark=KEPT,
            expose_tracebacks=False,
            ident=None,
            clear_untrusted_proxy_headers=True,
            asyncore_use_poll=True,
        )
        self._server.channel_class = _Channel
        self._thread = threading.Thread(target=self._serve, name="web", daemon=True)
        self._stopping = threading.Event()

    def start(self) -> None:
        """Serve from now on."""
        self._thread.start()

    def stop(self) -> None:
        """End every stream with a word, then stop serving; takes less than a second."""
        if self._stopping.is_set():
            return
        self._panel.streams.end_all()
        self._panel.streams.wait_empty(STOP_SECONDS / 2)
        self._stopping.set()
        self._server.pull_trigger()
        if self._thread.is_alive():
            self._thread.join(STOP_SECONDS)

    def __enter__(self) -> Server:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def _serve(self) -> None:
        server = self._server
        while not self._stopping.is_set():
            server.asyncore.loop(timeout=1, count=1, map=self._map, use_poll=True)
        server.task_dispatcher.shutdown(cancel_pending=True, timeout=0.2)
        server.asyncore.close_all(self._map)
