"""Headers on every route, Origin and token on every POST, the Host list, limits."""

from __future__ import annotations

import http.client
import json
import re
from collections.abc import Callable

import pytest
from flask import Flask

from companion.table.session import Session
from tests.web.conftest import Phone, panel_of, take_seat
from web import Server
from web.security import HEADERS, OF_FILES, Hosts, Pace, bare

Phones = Callable[[], Phone]
FILLED = {
    "audience": "table",
    "seat": "1",
    "mark": "0",
    "name": "play.js",
    "ids": "BASE-115",
    "part": "back",
}


def routes(app: Flask, method: str) -> list[str]:
    return sorted(
        re.sub(r"<(?:\w+:)?(\w+)>", lambda m: FILLED[m[1]], rule.rule)
        for rule in app.url_map.iter_rules()
        if method in (rule.methods or ())
    )


def test_every_answer_carries_the_headers_and_nothing_is_stored(
    app: Flask, phone: Phones, playing: Session
) -> None:
    reader = phone()
    allowed = dict(part.split(" ", 1) for part in HEADERS["Content-Security-Policy"].split("; "))
    assert allowed == {
        "default-src": "'self'",
        **dict.fromkeys(("base-uri", "frame-ancestors", "object-src"), "'none'"),
        "form-action": "'self'",
    }
    assert HEADERS["Referrer-Policy"] == "same-origin"
    assert HEADERS["X-Content-Type-Options"] == "nosniff"
    assert HEADERS["Cross-Origin-Resource-Policy"] == "same-origin"
    seen = 0
    for path in [*routes(app, "GET"), "/nothing/here", "/seat/99"]:
        with reader.client.get(path, headers={"Host": "localhost"}) as answer:
            assert answer.status_code < 500, path
            file = answer.mimetype in ("text/css", "text/javascript")
            for name in OF_FILES if file else HEADERS:
                assert answer.headers.get(name) == HEADERS[name], (path, name)
            assert answer.headers["Cache-Control"] == "no-store", path
            seen += 1
    assert seen > 12
    for path in routes(app, "POST"):
        answer = reader.client.post(path, json={}, headers={"Host": "localhost"})
        assert answer.headers["Content-Security-Policy"] == HEADERS["Content-Security-Policy"]


def test_only_files_under_their_hash_are_kept_by_browsers(phone: Phones) -> None:
    page = phone().get("/").text
    path = re.search(r'href="(/static/[0-9a-f]{16}/tokens\.css\+base\.css[^"]*)"', page)
    assert path
    kept = phone().get(path[1])
    assert kept.status_code == 200
    assert "immutable" in kept.headers["Cache-Control"]
    assert all(kept.headers[name] == HEADERS[name] for name in OF_FILES)
    older = phone().get("/static/0123456789abcdef/base.css")
    assert older.headers["Cache-Control"] == "no-store"
    assert phone().get("/static/0/../security.py").status_code == 404


def test_pages_hold_no_script_and_no_style_of_their_own(phone: Phones, playing: Session) -> None:
    for path in ("/", "/table", "/join", "/host"):
        page = phone().get(path).text
        assert not re.search(r"<script(?![^>]*(?:src=|application/json))", page), path
        assert " style=" not in page, path
        assert not re.search(r"\son[a-z]+=", page), path
        assert not re.search(r"(?:src|href)=\"(?:https?:)?//", page), path


@pytest.mark.parametrize("path", ["/api/command", "/api/claim", "/api/host", "/api/language"])
@pytest.mark.parametrize(
    "changed",
    [
        {"Origin": None},
        {"Origin": "null"},
        {"Origin": "http://localhost:8081"},
        {"Origin": "https://localhost"},
        {"Origin": "http://evil.example"},
        {"X-Companion-Token": None},
        {"X-Companion-Token": "0" * 32},
    ],
)
def test_a_post_from_elsewhere_is_refused_and_changes_nothing(
    phone: Phones, session: Session, path: str, changed: dict[str, str | None]
) -> None:
    before = session.seq
    answer = phone().post(
        path, {"do": "setup", "players": ["captain"], "language": "it"}, **changed
    )
    assert answer.status_code == 403
    assert session.seq == before


@pytest.mark.parametrize(
    "sent",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "http://localhost:8081"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"},
        {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty"},
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"},
    ],
)
def test_a_page_from_elsewhere_gets_no_stream_and_no_answer(
    app: Flask, phone: Phones, playing: Session, sent: dict[str, str]
) -> None:
    """Not even with the seat's cookie, which pages of other ports of the host send along."""
    owner = phone()
    take_seat(owner, app, 1)
    for path in ("/stream/table", "/stream/seat:1", "/api/me", "/api/notes/1", "/seat/1"):
        answer = owner.get(path, **sent)
        assert answer.status_code == 403, path
        assert "Set-Cookie" not in answer.headers
    assert panel_of(app).streams.count() == 0
    ours = {"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty"}
    followed = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "document"}
    for fine in ({}, {"Origin": "http://localhost"}, ours, followed):
        assert owner.get("/api/me", **fine).status_code == 200


def test_the_token_of_one_browser_is_no_good_in_another(phone: Phones) -> None:
    stolen = phone().token()
    answer = phone().post("/api/language", {"language": "it"}, **{"X-Companion-Token": stolen})
    assert answer.status_code == 403


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost", 200),
        ("localhost:8080", 200),
        ("127.0.0.1:8080", 200),
        ("[::1]:8080", 200),
        ("192.168.1.5", 200),
        ("192.168.77.9:8080", 200),
        ("companion.local", 200),
        ("evil.example", 400),
        ("localhost.evil.example", 400),
        ("192.168.1.5.evil.example", 400),
        ("93.184.216.34", 400),
        ("", 400),
    ],
)
def test_other_names_for_our_address_are_turned_away(phone: Phones, host: str, status: int) -> None:
    for path in ("/", "/health", "/api/me"):
        assert phone().get(path, host).status_code == status


def test_names_of_the_box_are_asked_for_each_time() -> None:
    known: list[str] = []
    hosts = Hosts(lambda: known)
    assert not hosts.allows("ship.example:8080")
    known.append("http://ship.example:8080/")
    assert hosts.allows("SHIP.example")
    assert bare("[fe80::1]:80") == "fe80::1"


def test_bodies_are_small_json_objects(phone: Phones) -> None:
    writer = phone()
    assert writer.post("/api/command", {"do": "note", "text": "x" * 9000}).status_code == 413
    assert writer.post("/api/command", ["do"]).status_code == 400
    headers = {
        "Host": "localhost",
        "Origin": "http://localhost",
        "X-Companion-Token": writer.token(),
    }
    plain = writer.client.post("/api/command", data="do=next", headers=headers)
    assert plain.status_code == 400
    # A form of another site could send this one without asking first.
    said = json.dumps({"do": "note", "text": "x"})
    form = writer.client.post("/api/command", data=said, content_type="text/plain", headers=headers)
    assert form.status_code == 400
    broken = writer.client.post(
        "/api/command", data="{", content_type="application/json", headers=headers
    )
    assert broken.status_code == 400


@pytest.mark.parametrize("size", [9_000, 20_000, 2_000_000])
def test_a_body_too_long_is_answered_with_our_sentence_before_it_is_read(
    served: Server, size: int
) -> None:
    line = http.client.HTTPConnection("127.0.0.1", served.port, timeout=5)
    page_headers = {"Accept-Language": "it", "Host": f"127.0.0.1:{served.port}"}
    line.request("GET", "/", headers=page_headers)
    page = line.getresponse()
    cookie = (page.headers["Set-Cookie"] or "").partition(";")[0]
    token = page.read().decode().split('name="token" content="', 1)[1].split('"', 1)[0]
    headers = {
        **page_headers,
        "Content-Type": "application/json",
        "Content-Length": str(size),
        "Cookie": cookie,
        "Origin": f"http://127.0.0.1:{served.port}",
        "X-Companion-Token": token,
    }
    sent = b"x" * min(size, 9_000)  # the rest of a long one is never waited for
    line.request("POST", "/api/command", body=sent, headers=headers)
    answer = line.getresponse()
    assert answer.status == 413
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "troppo lungo" in json.loads(answer.read())["text"]
    line.close()


def test_ten_posts_a_second_and_no_more(phone: Phones) -> None:
    quick, other = phone(), phone()
    statuses = [quick.post("/api/language", {"language": "en"}).status_code for _ in range(14)]
    assert statuses[:10] == [200] * 10
    assert 429 in statuses[10:]
    assert other.post("/api/language", {"language": "en"}).status_code == 200


def test_pace_lets_go_with_time() -> None:
    now = [0.0]
    pace = Pace(2, 1.0, lambda: now[0])
    assert [pace.allows("a") for _ in range(3)] == [True, True, False]
    assert pace.allows("b")
    now[0] = 1.01
    assert pace.allows("a")


def test_errors_say_a_plain_sentence_in_the_readers_language(
    app: Flask, phone: Phones, playing: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = phone().get("/nothing", **{"Accept-Language": "it"})
    assert missing.status_code == 404
    assert "Qui non c'è nulla" in missing.text.replace("&#39;", "'")

    def broken(command: object) -> None:
        raise RuntimeError("secret objective hoarder")

    player = phone()
    take_seat(player, app, 1)
    monkeypatch.setattr(playing, "submit", broken)
    answer = player.command("pass", seat=1)
    assert answer.status_code == 500
    assert "hoarder" not in answer.text
    assert "Traceback" not in answer.text
