"""A running game with a panel over it, and phones that know our rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.game import Chance
from companion.library import load_content
from companion.table.journal import MemoryJournal
from companion.table.session import Session
from companion.table.table import Table
from web import Server, Services, create_app
from web.panel import Panel

HOST = "localhost"
ORIGIN = f"http://{HOST}"
SEED = b"a seed for the tests of the web"


def new_session(**header: Any) -> Session:
    """A game in the lobby, in memory."""
    content = load_content()
    journal = MemoryJournal({"game": "evening", "content": content.version, **header})
    return Session(Table(content, journal, Chance(SEED)))


def panel_of(app: Flask) -> Panel:
    found = app.extensions["companion_panel"]
    assert isinstance(found, Panel)
    return found


@dataclass
class Phone:
    """One browser: it takes its token from a page and sends it as our scripts do."""

    client: FlaskClient
    address: str = "192.168.1.20"
    _token: str = field(default="", init=False)

    def get(self, path: str, host: str = HOST, **headers: str) -> TestResponse:
        return self.client.get(
            path, headers={"Host": host, **headers}, environ_base={"REMOTE_ADDR": self.address}
        )

    def token(self) -> str:
        if not self._token:
            page = self.get("/").text
            self._token = page.split('name="token" content="', 1)[1].split('"', 1)[0]
        return self._token

    def post(self, path: str, body: Any = None, **changed: str | None) -> TestResponse:
        headers = {"Host": HOST, "Origin": ORIGIN, "X-Companion-Token": self.token(), **changed}
        return self.client.post(
            path,
            json={} if body is None else body,
            headers={name: value for name, value in headers.items() if value is not None},
            environ_base={"REMOTE_ADDR": self.address},
        )

    def command(self, do: str, by: str = "table", **arguments: Any) -> TestResponse:
        return self.post("/api/command", {"do": do, "by": by, **arguments})


@pytest.fixture
def session() -> Session:
    return new_session()


@pytest.fixture
def services() -> Services:
    return Services(host_code="271828", addresses=lambda: ["192.168.1.5"])


@pytest.fixture
def app(session: Session, services: Services) -> Flask:
    return create_app(session, services)


@pytest.fixture
def phone(app: Flask) -> Callable[[], Phone]:
    """A new browser at each call."""
    return lambda: Phone(app.test_client())


@pytest.fixture
def playing(session: Session) -> Session:
    """Three seats, everything digital, the player phase of round one."""
    reply = session.submit(
        {"do": "setup", "players": ["captain", "scout", "soldier"], "digital": True}
    )
    assert reply["status"] == "done"
    return session


def take_seat(phone: Phone, app: Flask, seat: int) -> None:
    """Claim a seat as its QR code does."""
    token = panel_of(app).keys.claim_token(seat)
    assert phone.post("/api/claim", {"token": token}).status_code == 200


@pytest.fixture
def served(playing: Session, services: Services) -> Iterator[Server]:
    """The panel on a real socket of the loopback."""
    playing.start()
    app = create_app(playing, replace(services, addresses=tuple))
    with Server(app, "127.0.0.1", 0) as server:
        yield server
    playing.stop()
