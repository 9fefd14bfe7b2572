"""Server-Sent Events: who listens, how many may, and what goes down the line.

Every open stream holds one worker thread. A stream notices within a second that its phone has
left, that its seat has moved or that the program ends.
"""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from web.services import Listener, View

RETRY = 1000  # milliseconds a browser waits before it reconnects by itself
BEAT = 10.0  # seconds between heartbeats
TICK = 1.0  # seconds between looks at the connection
A_PAGE = 2  # streams of one seat, or of one browser on the table's pages
ALL = 40


@dataclass(eq=False)
class Stream:
    """One open stream. ``seats`` its browser, ``device``, holds; ``reason`` is set when it must
    end; ``theatre``: its page turns drawn cards before everybody.
    """

    owner: str
    audience: str
    number: int
    seats: frozenset[int] = frozenset()
    reason: str = ""
    wake: Callable[[], None] = lambda: None
    theatre: bool = False
    device: str = ""

    def end(self, reason: str) -> None:
        """Ask the stream to close; its page is told why."""
        self.reason = self.reason or reason
        self.wake()


class Streams:
    """All open streams."""

    def __init__(self) -> None:
        self._open: list[Stream] = []
        self._lock = threading.Condition()
        self._numbers = itertools.count(1)
        self._closing = False

    def open(
        self,
        owner: str,
        audience: str,
        seats: Iterable[int] = (),
        *,
        theatre: bool = False,
        device: str = "",
    ) -> Stream:
        """A new stream; older ones beyond the caps are asked to end."""
        with self._lock:
            held = frozenset(seats)
            stream = Stream(
                owner, audience, next(self._numbers), held, theatre=theatre, device=device
            )
            own = [s for s in self._open if s.owner == owner and not s.reason]
            for old in own[: max(len(own) - A_PAGE + 1, 0)]:
                old.end("newer")
            alive = [s for s in self._open if not s.reason]
            for old in alive[: max(len(alive) - ALL + 1, 0)]:
                old.end("full")
            self._open.append(stream)
            if self._closing:
                stream.end("restart")
            return stream

    def close(self, stream: Stream) -> None:
        """Forget a stream that has ended."""
        with self._lock:
            if stream in self._open:
                self._open.remove(stream)
            self._lock.notify_all()

    def end(self, audience: str, reason: str) -> None:
        """Ask all streams of an audience to end."""
        with self._lock:
            for stream in self._open:
                if stream.audience == audience:
                    stream.end(reason)

    def leave(self, seat: int, reason: str) -> None:
        """Another phone, or none, holds the seat now: its pages end, others lose it."""
        with self._lock:
            for stream in self._open:
                stream.seats -= {seat}
        self.end(f"seat:{seat}", reason)

    def gain(self, seat: int, device: str) -> None:
        """A browser holds a seat from now on: so do the pages it has open."""
        with self._lock:
            for stream in self._open:
                if stream.device == device:
                    stream.seats |= {seat}

    def awake(self, seat: int) -> bool:
        """Whether the phone of a seat has any page open."""
        with self._lock:
            return any(seat in s.seats for s in self._open)

    def theatre(self) -> bool:
        """Whether any open page turns drawn cards before everybody."""
        with self._lock:
            return any(s.theatre and not s.reason for s in self._open)

    def end_all(self) -> None:
        """The program stops: ask every stream, present and coming, to end."""
        with self._lock:
            self._closing = True
            for stream in self._open:
                stream.end("restart")

    def wait_empty(self, seconds: float) -> bool:
        """Wait until no stream is open, at most so long; whether that came true."""
        with self._lock:
            return self._lock.wait_for(lambda: not self._open, seconds)

    def count(self, audience: str | None = None) -> int:
        """Open streams, of one audience or all."""
        with self._lock:
            return sum(audience in (None, s.audience) for s in self._open)


Pack = Callable[[str], bytes]


def message(data: str, *, event: str = "", id: str = "", pack: Pack = str.encode) -> bytes:
    """One event of the stream. ``data`` has no line break (JSON); ``pack`` makes text bytes."""
    head = (f"id: {id}\n" if id else "") + (f"event: {event}\n" if event else "")
    return pack(f"{head}data: ") + pack(data) + pack("\n\n")


def run(
    stream: Stream,
    listener: Listener,
    first: tuple[int, View],
    *,
    boot: str,
    mark: str = "",
    last: str,
    say: Callable[[View], str],
    people: Callable[[], str],
    left: Callable[[], bool],
    done: Callable[[], None],
    clock: Callable[[], float] = time.monotonic,
    pack: Pack = str.encode,
) -> Iterator[bytes]:
    """The bytes of one stream, until its phone leaves or it is asked to end.

    ``mark`` are the scripts that the program has now: a page with older ones loads itself again.
    ``last`` is the id the page saw last (``boot-number``): the same id gets no snapshot. ``say``
    makes a view the text of a page; ``people`` is who is connected, as JSON, sent when it
    changes; ``left`` says that the connection is gone; ``done`` is called at the end. ``pack``
    makes text bytes, part by part.
    """
    stream.wake = listener.close
    try:
        yield pack(f"retry: {RETRY}\n\n")
        yield message(f'{{"boot":"{boot}","mark":"{mark}"}}', event="hello", pack=pack)
        number, view = first
        if last != f"{boot}-{number}":
            yield message(say(view), event="view", id=f"{boot}-{number}", pack=pack)
        seen_people = ""
        beat = clock()
        looked = beat - TICK
        while True:
            if stream.reason:
                yield message(f'{{"reason":"{stream.reason}"}}', event="end", pack=pack)
                return
            if left():
                return
            now = clock()
            if now - beat >= BEAT:
                beat = now
                yield message("{}", event="beat", pack=pack)
            if now - looked >= TICK:  # not after every view: the other pages wait for theirs
                looked = now
                here = people()
                if here != seen_people:
                    seen_people = here
                    yield message(here, event="people", pack=pack)
            news = listener.get(looked + TICK - now)
            while news is not None:
                newest = news
                news = listener.get(0)
                if news is None and newest[0] != number:
                    number = newest[0]
                    yield message(say(newest[1]), event="view", id=f"{boot}-{number}", pack=pack)
    finally:
        listener.close()
        done()
