"""The streams: first bytes, resume, coalescing, caps, dead phones, the end, what they cost."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
import tracemalloc
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from typing import Any

import pytest
from flask import Flask

from companion.table.session import Session
from tests.web.conftest import new_session
from web import Server, Services, create_app
from web.panel import Panel
from web.security import DEVICE
from web.streams import A_PAGE, ALL, BEAT, Streams, run


class Reader:
    """A raw reader of one stream, on its own connection and thread."""

    def __init__(self, server: Server, path: str, **headers: str) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
        self.connection.request("GET", path, headers=headers)
        self.line = self.connection.sock  # the answer takes it over
        self.answer = self.connection.getresponse()
        self.events: list[tuple[str, str, Any]] = []
        self.ended = threading.Event()
        self._news = threading.Condition()
        if self.answer.status == 200:
            threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        event: dict[str, str] = {}
        with suppress(Exception):
            for raw in self.answer:
                line = raw.decode().rstrip("\n")
                if line:
                    name, _, value = line.partition(": ")
                    event[name] = value
                    continue
                data = json.loads(event["data"]) if "data" in event else None
                with self._news:
                    kind = event.get("event", "retry" if "retry" in event else "message")
                    self.events.append((kind, event.get("id", ""), data))
                    self._news.notify_all()
                event = {}
        self.ended.set()

    def wait(self, kind: str, after: int = 0, seconds: float = 8.0) -> tuple[str, str, Any]:
        with self._news:
            found: list[tuple[str, str, Any]] = []

            def look() -> bool:
                found[:] = [e for e in self.events[after:] if e[0] == kind]
                return bool(found)

            assert self._news.wait_for(look, seconds), (kind, self.events)
            return found[0]

    def close(self) -> None:
        with suppress(OSError):
            self.line.shutdown(socket.SHUT_RDWR)
        self.connection.close()


@contextmanager
def reading(server: Server, path: str, **headers: str) -> Iterator[Reader]:
    reader = Reader(server, path, **headers)
    try:
        yield reader
    finally:
        reader.close()


@contextmanager
def raw(server: Server, path: str) -> Iterator[socket.socket]:
    """A line that asked for ``path``, to be read by hand."""
    with closing(socket.create_connection(("127.0.0.1", server.port), 20)) as line:
        line.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
        yield line


def open_streams(server: Server) -> int:
    return server._panel.streams.count()


def gone(server: Server, seconds: float) -> bool:
    return server._panel.streams.wait_empty(seconds)


def test_a_stream_begins_at_once_with_retry_boot_and_the_whole_page(
    served: Server, playing: Session
) -> None:
    with reading(served, "/stream/table?lang=it") as reader:
        assert reader.answer.getheader("Content-Type") == "text/event-stream; charset=utf-8"
        kind, ident, page = reader.wait("view", seconds=2)
        assert [e[0] for e in reader.events[:3]] == ["retry", "hello", "view"]
        assert reader.events[1][2]["boot"] == playing.boot
        assert ident == f"{playing.boot}-{playing.view('table')[0]}"
        assert page["seats"][0]["label"] == "Capitano"
        assert kind == "view"


def test_a_change_comes_down_within_a_moment(served: Server, playing: Session) -> None:
    with reading(served, "/stream/table") as reader:
        reader.wait("view")
        count = len(reader.events)
        begun = time.monotonic()
        playing.submit({"do": "slime", "seat": 2, "on": True})
        _, _, page = reader.wait("view", after=count, seconds=2)
        assert time.monotonic() - begun < 1
        assert page["seats"][1]["slime"] is True


def test_a_page_open_all_evening_does_not_fill_the_memory(served: Server, playing: Session) -> None:
    with raw(served, "/stream/table") as line:
        read = line.makefile("rb")
        while b"event: view" not in read.readline():
            pass

        def change(times: int) -> int:
            sent = 0
            for n in range(times):
                playing.submit({"do": "slime", "seat": 2, "on": n % 2 == 0})
                while not (got := read.readline()).startswith(b"id: "):
                    sent += len(got)
            return sent

        tracemalloc.start()
        try:
            change(40)  # what is made once: words, pages, the log
            before = tracemalloc.get_traced_memory()[0]
            sent = change(120)
            kept = tracemalloc.get_traced_memory()[0] - before
        finally:
            tracemalloc.stop()
    assert sent > 2_000_000, "too little was sent to prove anything"
    assert kept < sent


def test_coming_back_with_the_last_id_gets_no_second_snapshot(
    served: Server, playing: Session
) -> None:
    with reading(served, "/stream/table") as first:
        last = first.wait("view")[1]
    with reading(served, f"/stream/table?last={last}") as again:
        again.wait("people")
        assert not [e for e in again.events if e[0] == "view"]
    with reading(served, "/stream/table", **{"Last-Event-ID": last}) as again:
        again.wait("people")
        assert not [e for e in again.events if e[0] == "view"]
    playing.submit({"do": "slime", "seat": 2, "on": True})
    with reading(served, f"/stream/table?last={last}") as again:
        assert again.wait("view")[2]["seats"][1]["slime"] is True
    with reading(served, "/stream/table?last=ffff-3") as again:
        again.wait("view")


def test_more_pages_than_the_cap_end_the_oldest_with_a_word(served: Server) -> None:
    headers = {"Cookie": f"{DEVICE}={'d' * 22}"}
    readers = [Reader(served, "/stream/table", **headers) for _ in range(A_PAGE + 1)]
    try:
        assert readers[0].wait("end")[2] == {"reason": "newer"}
        assert readers[0].ended.wait(3)
        for reader in readers[1:]:
            reader.wait("view")
            assert not reader.ended.is_set()
    finally:
        for reader in readers:
            reader.close()


def test_forty_streams_leave_room_for_other_requests_and_are_let_go(served: Server) -> None:
    readers = [
        Reader(served, "/stream/table", Cookie=f"{DEVICE}=device-number-{n:08d}")
        for n in range(ALL + 3)
    ]
    try:
        for reader in readers[:3]:
            assert reader.wait("end")[2] == {"reason": "full"}
        readers[-1].wait("view")
        slowest = 0.0
        for _ in range(5):
            begun = time.monotonic()
            with closing(http.client.HTTPConnection("127.0.0.1", served.port)) as other:
                other.request("GET", "/health")
                assert other.getresponse().status == 200
            slowest = max(slowest, time.monotonic() - begun)
        assert slowest < 0.5
        assert open_streams(served) == ALL
    finally:
        for reader in readers:
            reader.close()
    assert gone(served, 4)


def test_a_phone_that_leaves_is_noticed_within_two_seconds(served: Server) -> None:
    reader = Reader(served, "/stream/table")
    reader.wait("people")
    assert open_streams(served) == 1
    reader.close()
    assert gone(served, 2.5)


def test_stopping_tells_every_page_and_takes_less_than_a_second(
    playing: Session, services: Services
) -> None:
    playing.start()
    server = Server(create_app(playing, services), "127.0.0.1", 0)
    server.start()
    readers = [
        Reader(server, "/stream/table", Cookie=f"{DEVICE}={'e' * 20}{n:02d}") for n in range(6)
    ]
    for reader in readers:
        reader.wait("view")
    begun = time.monotonic()
    server.stop()
    assert time.monotonic() - begun < 1.5
    for reader in readers:
        assert reader.wait("end", seconds=2)[2] == {"reason": "restart"}
    playing.stop()
    with (
        pytest.raises(OSError, match="refused"),
        socket.create_connection(("127.0.0.1", server.port), timeout=1),
    ):
        pass


def test_every_seat_counts_its_own_numbers() -> None:
    """A secret of seat 1 shows no gap in the numbers of anybody else."""
    session = new_session()
    session.submit({"do": "setup", "players": ["captain", "scout"], "digital": True})
    before = {a: session.view(a)[0] for a in ("table", "host", "seat:1", "seat:2")}
    session.submit({"do": "slime", "seat": 1, "on": True})
    after = {a: session.view(a)[0] for a in before}
    assert all(after[a] == before[a] + 1 for a in before)
    rows = session.seq
    for _ in range(3):  # rows that change nobody's page leave no gap in anybody's numbers
        session.submit({"do": "join", "by": "device", "seat": 1, "language": "en"})
    quiet = {a: session.view(a)[0] for a in before}
    session.submit({"do": "slime", "seat": 2, "on": True})
    assert session.seq == rows + 4
    assert {a: session.view(a)[0] for a in before} == {a: n + 1 for a, n in quiet.items()}
    assert max(quiet.values()) <= max(after.values()) + 1


class Slow:
    """A listener whose views are already waiting."""

    def __init__(self, *news: tuple[int, dict[str, Any]]) -> None:
        self.news = list(news)
        self.closed = False

    def get(self, timeout: float) -> tuple[int, dict[str, Any]] | None:
        return self.news.pop(0) if self.news else None

    def close(self) -> None:
        self.closed = True


def drive(listener: Slow, rounds: int, step: float) -> list[bytes]:
    now = [0.0]
    left = iter([False] * rounds + [True])

    def clock() -> float:
        now[0] += step
        return now[0]

    stream = Streams().open("table", "table")
    return list(
        run(
            stream,
            listener,
            (1, {"n": 1}),
            boot="b",
            last="",
            say=json.dumps,
            people=lambda: "{}",
            left=lambda: next(left),
            done=lambda: None,
            clock=clock,
        )
    )


def test_a_slow_phone_gets_only_the_newest_view() -> None:
    listener = Slow((1, {"n": 1}), (2, {"n": 2}), (3, {"n": 3}))
    sent = drive(listener, 1, 0.1)
    assert [s for s in sent if b"event: view" in s] == [
        b'id: b-1\nevent: view\ndata: {"n": 1}\n\n',
        b'id: b-3\nevent: view\ndata: {"n": 3}\n\n',
    ]
    assert listener.closed


def test_heartbeats_are_named_events() -> None:
    sent = drive(Slow(), 6, BEAT / 2 + 0.1)
    assert 2 <= sum(s == b"event: beat\ndata: {}\n\n" for s in sent) <= 4


def test_while_starting_pages_wait_and_streams_are_turned_away() -> None:
    session = new_session()
    ready = [False]
    app: Flask = create_app(session, Services(ready=lambda: ready[0]))
    client = app.test_client()
    for path in ("/", "/table", "/join", "/seat/1", "/host", "/story", "/pack"):
        answer = client.get(path)
        assert answer.status_code == 503, path
        assert 'data-wait="start"' in answer.text
    assert client.get("/rules").status_code == 200  # shows no game
    assert client.get("/stream/table").status_code == 503
    health = client.get("/health").json
    assert health
    assert health["status"] == "starting"
    ready[0] = True
    assert client.get("/").status_code == 200
    assert isinstance(app.extensions["companion_panel"], Panel)
