"""``companion bench web``: a real server process, real streams, real commands."""

from __future__ import annotations

import http.client
import json
import os
import re
import selectors
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

from companion.game import Fault
from companion.locale import Words

STREAMS, MANY = 10, 40
COMMANDS = 400
PACE_S = 0.03  # between commands: ten a second from each device is the panel's limit
MOST_START_S, MOST_P99_MS, MOST_HEALTH_MS = 3.0, 20.0, 100.0
MOST_REPAINT_MS = 100.0
MOST_LOAD_KB = {"seat": 60.0, "table": 200.0}
START = "import sys; from companion.cli import main; sys.exit(main())"
HOST = "127.0.0.1"


def run(say: Words) -> Iterator[tuple[bool, str]]:
    """Measure with the camera off and on; pairs of whether as promised, and its sentence."""
    for camera in ("off", "on"):
        shown = say.say(f"bench.web.{camera}")
        with Server(camera) as server:
            yield True, say.say("bench.web.disk", {"ms": f"{flush_ms(server.folder):.1f}"})
            seconds = server.start_s
            text = {"seconds": f"{seconds:.2f}", "camera": shown}
            yield seconds <= MOST_START_S, say.say("bench.web.start", text)
            p50, p99 = latency(server)
            figures = {"streams": str(STREAMS), "p50": f"{p50:.1f}", "p99": f"{p99:.1f}"}
            yield p99 <= MOST_P99_MS, say.say("bench.web.latency", {**figures, "camera": shown})
            mb = server.memory_mb()
            yield True, say.say("bench.web.memory", {"camera": shown, "mb": f"{mb:.0f}"})
            if camera == "off":
                ms = health(server)
                text = {"streams": str(MANY), "ms": f"{ms:.0f}"}
                yield ms <= MOST_HEALTH_MS, say.say("bench.web.health", text)
                for page, most in MOST_LOAD_KB.items():
                    kb, files, foreign = first_load(server, page)
                    text = {"kb": f"{kb:.1f}", "files": str(files), "most": f"{most:.0f}"}
                    text["foreign"] = str(len(foreign))
                    yield kb <= most and not foreign, say.say(f"bench.web.load_{page}", text)
    with Server("off") as server:
        yield _repaint(server, say)


def _repaint(server: Server, say: Words) -> tuple[bool, str]:
    """What seven browsers show, where there is one; that it was not measured breaks no promise."""
    from companion.bench.repaint import PAGES, repaint

    found = repaint(server)
    if found is None:
        return True, say.say("bench.web.repaint_not")
    text = {"pages": str(PAGES), "p50": f"{found[0]:.1f}", "p99": f"{found[1]:.1f}"}
    return found[1] <= MOST_REPAINT_MS, say.say("bench.web.repaint", text)


class Server:
    """``companion run --simulate`` in a process of its own, on a free port and a fresh folder."""

    def __init__(self, camera: str) -> None:
        self._camera = camera
        self.start_s = 0.0

    def __enter__(self) -> Server:
        self._folder = tempfile.TemporaryDirectory()
        folder = self.folder = Path(self._folder.name)
        source = "off" if self._camera == "off" else "simulated"
        (folder / "config.toml").write_text(f'[camera]\nsource = "{source}"\n')
        with socket.socket() as free:
            free.bind((HOST, 0))
            self.port = free.getsockname()[1]
        self._said = (folder / "said.txt").open("w+")
        begun = time.monotonic()
        self._process = subprocess.Popen(
            [
                *(sys.executable, "-c", START, "run", "--simulate"),
                *("--host", HOST, "--port", str(self.port), "--data", str(folder)),
            ],
            stdout=self._said,
            stderr=self._said,
        )
        try:
            while not self._answers():
                self._alive(begun)
                time.sleep(0.02)
        except BaseException:
            self.__exit__()
            raise
        self.start_s = time.monotonic() - begun
        return self

    def __exit__(self, *_: object) -> None:
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._said.close()
        self._folder.cleanup()

    def _answers(self) -> bool:
        try:
            status, _, _ = self.get("/table")
        except OSError:
            return False
        return status == 200

    def _alive(self, begun: float) -> None:
        if self._process.poll() is None and time.monotonic() - begun < 30:
            return
        self._said.seek(0)
        last = (self._said.read().strip().splitlines() or ["?"])[-1]
        raise Fault("bench", "bench.no_page", {"reason": last}, temporary=False)

    def get(self, path: str, cookie: str = "") -> tuple[int, str, str]:
        """Status, text and the cookie that was set."""
        connection = http.client.HTTPConnection(HOST, self.port, timeout=10)
        connection.request("GET", path, headers={"Cookie": cookie} if cookie else {})
        response = connection.getresponse()
        text = response.read().decode()
        set_cookie = (response.getheader("Set-Cookie") or "").partition(";")[0]
        connection.close()
        return response.status, text, set_cookie

    def memory_mb(self) -> float:
        """Proportional memory of the process."""
        rollup = Path(f"/proc/{self._process.pid}/smaps_rollup").read_text()
        found = re.search(r"^Pss:\s+(\d+) kB", rollup, re.MULTILINE)
        return int(found[1]) / 1024 if found else 0.0


class Device:
    """A browser: its cookie, its token and a connection for commands."""

    def __init__(self, server: Server) -> None:
        _, page, self.cookie = server.get("/table")
        token = re.search(r'name="token" content="([0-9a-f]+)"', page)
        assert token
        self._headers = {
            "Cookie": self.cookie,
            "Content-Type": "application/json",
            "Origin": f"http://{HOST}:{server.port}",
            "X-Companion-Token": token[1],
        }
        self._line = http.client.HTTPConnection(HOST, server.port, timeout=10)

    def send(self, command: dict[str, Any]) -> dict[str, Any]:
        """POST a command; the reply."""
        return self.post("/api/command", command)

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """POST a JSON body; the reply. What cookie comes with it is kept."""
        self._line.request("POST", path, json.dumps(body), self._headers)
        response = self._line.getresponse()
        for line in response.headers.get_all("Set-Cookie") or ():
            self.cookie = self._headers["Cookie"] = f"{self.cookie}; {line.partition(';')[0]}"
        reply: dict[str, Any] = json.loads(response.read())
        return reply


class Streams:
    """Open streams, all read by one thread; ``arrivals`` are the moments at which views came.

    A view has come when the last of its bytes has: each phone reads its own stream on a processor
    of its own, so reading must cost as little as it can here.
    """

    def __init__(self, server: Server, devices: list[Device]) -> None:
        self.arrivals: list[list[float]] = [[] for _ in devices]
        self._news = threading.Condition()
        self._lines = selectors.DefaultSelector()
        for number, device in enumerate(devices):
            line = socket.create_connection((HOST, server.port), timeout=30)
            asked = f"GET /stream/table HTTP/1.1\r\nHost: {HOST}:{server.port}\r\n"
            line.sendall(f"{asked}Cookie: {device.cookie}\r\n\r\n".encode())
            self._lines.register(line, selectors.EVENT_READ, (number, bytearray()))
        self._open = True
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        while self._open:
            for key, _ in self._lines.select(0.2):
                number, unread = key.data
                got = cast(socket.socket, key.fileobj).recv(1 << 16)
                at = time.monotonic()
                if not got:
                    self._lines.unregister(key.fileobj)
                unread += got
                *whole, rest = unread.split(b"\n\n")
                unread[:] = rest
                came = sum(b"event: view\n" in message for message in whole)
                if came:
                    with self._news:
                        self.arrivals[number] += [at] * came
                        self._news.notify()

    def wait(self, counts: list[int]) -> None:
        """Wait until each stream has had more views than ``counts``. Fault when it never does."""
        with self._news:
            if not self._news.wait_for(
                lambda: all(len(a) > n for a, n in zip(self.arrivals, counts, strict=True)), 10
            ):
                raise Fault("bench", "bench.no_page", {"reason": "no view came"}, temporary=False)

    def close(self) -> None:
        """Hang up."""
        self._open = False
        self._reader.join()
        for key in list(self._lines.get_map().values()):
            cast(socket.socket, key.fileobj).close()
        self._lines.close()


@contextmanager
def streams(server: Server, count: int) -> Iterator[tuple[list[Device], Streams]]:
    """So many devices, each with an open stream whose first view has come."""
    devices = [Device(server) for _ in range(count)]
    opened = Streams(server, devices)
    try:
        opened.wait([0] * count)
        yield devices, opened
    finally:
        opened.close()


def latency(server: Server, commands: int = COMMANDS) -> tuple[float, float]:
    """Milliseconds from sending a command to its bytes on every stream: median, 99th of 100."""
    with streams(server, STREAMS) as (devices, opened):
        setup = {"do": "setup", "players": [{"character": "captain"}, {"character": "scout"}]}
        reply = devices[0].send({"id": "setup", **setup, "digital": True})
        if reply.get("status") != "done":
            raise Fault("bench", "bench.no_page", {"reason": str(reply)}, temporary=False)
        time.sleep(0.5)
        taken: list[float] = []
        for n in range(commands):
            counts = [len(came) for came in opened.arrivals]
            command = {"id": f"n{n}", "do": "first_player", "seat": 2 - n % 2}
            begun = time.monotonic()
            devices[n % STREAMS].send(command)
            opened.wait(counts)
            taken += [
                (came[count] - begun) * 1000
                for came, count in zip(opened.arrivals, counts, strict=True)
            ]
            time.sleep(PACE_S)
    return statistics.median(taken), statistics.quantiles(taken, n=100)[98]


def first_load(server: Server, page: str) -> tuple[float, int, list[str]]:
    """A browser that was never here opens a game's ``seat`` or ``table`` page.

    Kilobytes down the line until it shows the game (headers, files and the first view, packed as
    browsers take them), how many answers that were, and addresses of other hosts among them. The
    table's scripts that come later are counted too: it stays open all evening.
    """
    device = Device(server)
    if page == "seat":
        _, lobby, _ = server.get("/", device.cookie)
        token = re.search(r'data-claim="([^"]+)"', lobby)
        if token is None or device.post("/api/claim", {"token": token[1]}).get("seat") is None:
            raise Fault("bench", "bench.no_page", {"reason": "no seat"}, temporary=False)
    path, stream = ("/seat/1", "seat:1") if page == "seat" else ("/table", "table")
    total, text = _download(server, device, path)
    seen, foreign = {path}, _FOREIGN.findall(text)
    waiting = re.findall(r'(?:href|src)="(/static/[^"]+)"', text)
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        size, text = _download(server, device, name)
        total += size
        foreign += _FOREIGN.findall(text)
        folder = name.rpartition("/")[0]
        waiting += [f"{folder}/{n}" for n in re.findall(r'^import .*from "\./([^"]+)"', text, re.M)]
        if page == "table":
            waiting += [f"{folder}/{n}.js" for n in re.findall(r'\bpart\("(\w+)"', text)]
    size, text = _download(server, device, f"/stream/{stream}?last=", until=b"event: view")
    return (total + size) / 1024, len(seen) + 1, foreign


#: An address of another host where a browser would fetch it; names of formats are not fetched.
_FOREIGN = re.compile(r"(?:src|href|url|import|fetch)\W{1,4}((?:https?:)?//[\w.-]+)")


def _download(server: Server, device: Device, path: str, until: bytes = b"") -> tuple[int, str]:
    """Bytes on the line for one answer, and its text; of a stream up to the event ``until``."""
    with socket.create_connection((HOST, server.port), timeout=10) as line:
        ask = f"GET {path} HTTP/1.1\r\nHost: {HOST}:{server.port}\r\nConnection: close\r\n"
        line.sendall(f"{ask}Accept-Encoding: gzip\r\nCookie: {device.cookie}\r\n\r\n".encode())
        got, text = b"", b""
        while chunk := line.recv(1 << 16):
            got += chunk
            head, _, body = got.partition(b"\r\n\r\n")
            if until:
                text = _unpacked(head, body)
                if text.partition(until)[2].endswith(b"\n\n"):
                    break
    head, _, body = got.partition(b"\r\n\r\n")
    if b" 200 " not in head.partition(b"\r\n")[0]:
        raise Fault("bench", "bench.no_page", {"reason": path}, temporary=False)
    return len(got), _unpacked(head, body).decode()


def _unpacked(head: bytes, body: bytes) -> bytes:
    if b"chunked" in head.lower():
        whole = b""
        while body:
            size, _, rest = body.partition(b"\r\n")
            length = int(size or b"0", 16)
            whole, body = whole + rest[:length], rest[length + 2 :]
        body = whole
    if b"content-encoding: gzip" in head.lower():
        return zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(body)
    return body


def health(server: Server) -> float:
    """Milliseconds that ``/health`` takes, at worst of twenty, with ``MANY`` streams open."""
    with streams(server, MANY):
        taken = []
        for _ in range(20):
            begun = time.monotonic()
            server.get("/health")
            taken.append((time.monotonic() - begun) * 1000)
    return max(taken)


def flush_ms(folder: Path, times: int = 50) -> float:
    """What one small write that is really on this disk takes, the median in milliseconds."""
    taken = []
    with (folder / "flush.txt").open("wb", buffering=0) as file:
        for _ in range(times):
            begun = time.monotonic()
            file.write(bytes(4096))
            os.fsync(file.fileno())
            taken.append((time.monotonic() - begun) * 1000)
    return statistics.median(taken)
