"""Whatever arrives over HTTP: a fitting status, a plain sentence, and nothing changed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask import Flask

from companion.table.session import Session
from tests.web.conftest import HOST, ORIGIN, Phone, panel_of, take_seat
from web import security

Phones = Callable[[], Phone]
POSTS = (
    "/api/command",
    "/api/claim",
    "/api/renew",
    "/api/give",
    "/api/free",
    "/api/host",
    "/api/language",
    "/api/box",
    "/sim/move",
)
DEEP = "[" * 3000
BODIES = (
    DEEP,
    '{"do":' * 600 + "1" + "}" * 600,
    "",
    "null",
    "1e400",
    "NaN",
    '"text"',
    "\x00",
    '{"do": "move", "seat": 1e400, "to": "\\u0000"}',
    '{"do": "move", "do": "pass", "seat": 1}',
    '{"do": "\\ud800", "by": "\\udfff"}',
    '{"do": "pass", "by": "seat:\\ud800"}',
    '{"token": "\\ud800\\ud800\\ud800\\ud800\\ud800\\ud800\\ud800\\ud800\\ud800\\ud800\\ud800'
    '\\ud800\\ud800\\ud800\\ud800\\ud800", "code": "\\ud800", "language": ["it"], "seat": {}}',
    '{"token": "éééééééééééééééééééé", "code": "é", "language": {"it": 1}, "seat": 1e400}',
    '{"token": 7, "code": ["1"], "language": null, "seat": -1, "piece": "\\ud800", "x": 1e400}',
    '{"piece": "captain", "x": NaN, "y": -Infinity, "do": "next", "step": 1e400}',
    '{"seat": ' + "9" * 6000 + ', "do": "pass"}',
    b"\xff\xfe{",
    b'{"do": "\xff"}',
)


def send(phone: Phone, path: str, body: str | bytes, **changed: str) -> Any:
    headers = {"Host": HOST, "Origin": ORIGIN, "X-Companion-Token": phone.token(), **changed}
    return phone.client.post(
        path,
        data=body,
        content_type="application/json",
        headers=headers,
        environ_base={"REMOTE_ADDR": phone.address},
    )


@pytest.fixture
def host(app: Flask, phone: Phones, playing: Session, monkeypatch: pytest.MonkeyPatch) -> Phone:
    """A phone that holds a seat and the host's key, so that nothing stops at the door."""
    monkeypatch.setattr(security.Pace, "allows", lambda self, key: True)
    one = phone()
    take_seat(one, app, 1)
    key = panel_of(app).keys.become_host("271828", loopback=False)
    one.client.set_cookie("companion_host", key, domain=HOST)
    return one


@pytest.mark.parametrize("path", POSTS)
def test_no_body_breaks_anything(host: Phone, playing: Session, path: str) -> None:
    before = playing.seq
    for body in BODIES:
        answer = send(host, path, body)
        assert 400 <= answer.status_code < 500, (body[:60], answer.text)
        assert json.loads(answer.text)["text"]
        assert playing.seq == before


def values() -> Iterator[Any]:
    yield from (None, True, -1, 10**6, 1 << 70, 1e300, "", "\x00", "\ud800", "é" * 30, "x" * 500)
    yield from ([], {}, [[]], {"a": {"b": []}}, [None], ["\ud800"], "../../etc", "%00", "seat:1")


VERBS = (
    *("setup", "join", "note", "move", "answer", "undo", "redo", "next", "by_hand", "take"),
    *("event_phase", "noise_roll", "place", "door", "new_game", "done", "pass", "injure", "see"),
)
WORDS = ("id", "by", "base", "seat", "to", "value", "prompt", "target", "players", "name", "piece")


@pytest.mark.parametrize("do", VERBS)
def test_no_argument_breaks_anything(host: Phone, playing: Session, do: str) -> None:
    for word in (*WORDS, "language", "number", "instructions", "step", "token", "difference"):
        for value in values():
            text = json.dumps({"do": do, "by": "host", word: value})
            answer = send(host, "/api/command", text)
            assert answer.status_code in (200, 400, 401, 403, 404, 409, 422), (word, value)
            playing.view("table")
            if answer.status_code >= 400:
                assert json.loads(answer.text)["text"], (word, value)


@pytest.mark.parametrize("token", ["é", "\xff" * 32, "€".encode().decode("latin-1"), "x" * 3000])
def test_a_token_no_page_of_ours_would_send(phone: Phones, session: Session, token: str) -> None:
    before = session.seq
    answer = send(phone(), "/api/language", '{"language": "it"}', **{"X-Companion-Token": token})
    assert answer.status_code == 403
    assert session.seq == before


@pytest.mark.parametrize(
    "cookie",
    [
        "companion_device=é",
        "companion_device=" + "é" * 30,
        "companion_device=" + "\xff" * 30,
        'companion_seat_1="\\351\\777"; companion_host=\xff\xfe; companion_language=\xe9',
        "companion_seat_1=" + "\ud800".encode("utf-8", "surrogatepass").decode("latin-1") * 9,
        ";;;=;=;" * 50,
    ],
)
def test_cookies_of_any_kind(phone: Phones, playing: Session, cookie: str) -> None:
    reader = phone()
    for path in ("/", "/host", "/seat/1", "/api/me", "/api/log/seat:1", "/health"):
        answer = reader.client.get(path, headers={"Host": HOST, "Cookie": cookie})
        assert answer.status_code in (200, 401, 403), path
    posted = reader.client.post(
        "/api/language",
        data='{"language": "it"}',
        content_type="application/json",
        headers={
            "Host": HOST,
            "Origin": ORIGIN,
            "Cookie": cookie,
            "X-Companion-Token": "0" * 32,
        },
    )
    assert posted.status_code == 403


PATHS = (
    *("/seat/-1", "/seat/" + "9" * 400, "/seat/1.5", "/seat/%00", "/seat/é", "/seat/%ff"),
    *("/api/log/seat:99", "/api/log/%ff", "/api/log/" + "x" * 5000, "/api/log/%ed%a0%80"),
    *("/stream/%00", "/stream/seat:", "/stream/seat:1e9", "/stream/" + "table" * 1000),
    *("/api/rule/" + "BASE-1 " * 900, "/api/rule/%00", "/api/rule/%ed%a0%80", "/static/%00/%00"),
    *("/static/0/..%2fapp.py", "/static/0/.", "/" + "a/" * 4000, "/%00", "//", "/\\", "/%2e%2e"),
    *("/health?lang=%ff", "/?lang=%00", "/?lang=" + "x" * 5000, "/table?lang[]=it"),
    *("/api/log/table?before=" + "9" * 50, "/api/log/table?before=-1", "/api/log/table?before=1e4"),
    *("/api/log/table?before=%00", "/sim/pieces?x=%ff", "/strip.svg?%ff=%ff"),
    *("/api/log/table?before=" + "9" * 5000,),
)


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "BREW"])
def test_paths_and_methods_of_any_kind(phone: Phones, playing: Session, method: str) -> None:
    before = playing.seq
    for path in PATHS:
        with phone().client.open(path, method=method, headers={"Host": HOST}) as answer:
            assert answer.status_code < 500, path
    assert playing.seq == before


@pytest.mark.parametrize(
    "headers",
    [
        {"Accept-Language": "é;q=1e400, *;q=nan, " + "x" * 2000},
        {"Accept-Language": "it;q=-1,\xff;q=,,;;"},
        {"Last-Event-ID": "\xff" * 100},
        {"Content-Length": "-1"},
        {"Content-Length": "x"},
        {"Content-Type": "application/json; charset=\xff"},
        {"Content-Type": "application/json; charset=utf-7"},
        {"Host": "[::1"},
        {"Host": "é"},
        {"Host": "localhost:99999999"},
        {"Host": "[" * 500},
        {"Host": "localhost:\xff"},
        {"Origin": "\xff"},
        {"X-Forwarded-For": "\xff", "Range": "bytes=-1e9"},
    ],
)
def test_headers_of_any_kind(phone: Phones, playing: Session, headers: dict[str, str]) -> None:
    reader = phone()
    for path in ("/", "/health", "/api/me", "/strip.svg", "/sim/pieces", "/nothing"):
        assert reader.client.get(path, headers={"Host": HOST, **headers}).status_code < 500
    sent = {"Host": HOST, "Origin": ORIGIN, "X-Companion-Token": reader.token(), **headers}
    answer = reader.client.post("/api/language", data='{"language": "it"}', headers=sent)
    assert answer.status_code < 500


def test_an_open_question_does_not_hide_what_is_wrong_with_a_command(
    host: Phone, playing: Session
) -> None:
    playing.submit({"do": "place", "piece": "adult", "to": "006"})
    assert playing.view("table")[1]["waiting"], "everybody chooses an objective"
    wrong = {"do": "move", "seat": 1, "to": "nowhere"}
    assert send(host, "/api/command", json.dumps(wrong)).status_code == 400
    right = {"do": "move", "seat": 1, "to": "005"}
    assert send(host, "/api/command", json.dumps(right)).status_code == 422
