"""The one running game behind a queue: what the panel, the buttons and the loops hold.

One writer thread owns the table and its journal; everybody else reads immutable views that are
published after the row is on disk. Each audience's stream counts for itself.
"""

from __future__ import annotations

import logging
import queue
import secrets
import threading
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Any

from companion.game import BadInput, CompanionError, Fault, Refused
from companion.library.model import Content
from companion.table import views
from companion.table.fairness import share
from companion.table.ledger import LEDGER_VERBS
from companion.table.pace import pace
from companion.table.ports import Health, Sighting
from companion.table.sight import Reading, agreed, compare, tokens
from companion.table.story import story
from companion.table.table import Table
from companion.table.timeline import timeline

QUEUE = 100
_log = logging.getLogger(__name__)

AUDIENCES = ("table", "host", "seat:1", "seat:2", "seat:3", "seat:4", "seat:5")
SUBMIT_SECONDS = 10.0
IDLE_S = 1.0
QUIET_S = 10.0  # a difference must stand so long, and no step run, before anybody is asked


class Listener:
    """One reader of one audience's stream; it wakes when a newer view is there."""

    def __init__(self, session: Session, audience: str) -> None:
        self._session = session
        self.audience = audience
        self._seen = -1
        self.closed = False

    def get(self, timeout: float) -> tuple[int, Mapping[str, Any]] | None:
        """The newest view not read yet as (number, view); None after ``timeout`` seconds."""
        with self._session._published:
            self._session._published.wait_for(
                lambda: self.closed or self._session._numbers[self.audience] > self._seen, timeout
            )
            if self.closed or self._session._numbers[self.audience] <= self._seen:
                return None
            self._seen = self._session._numbers[self.audience]
            return self._seen, self._session._views[self.audience]

    def close(self) -> None:
        """Wake the reader for the last time."""
        with self._session._published:
            self.closed = True
            self._session._published.notify_all()


class Session:
    """See docs/architecture.md. Start with `start`, stop with `stop`."""

    def __init__(
        self,
        table: Table,
        *,
        health: Callable[[], list[Health]] = list,
        fresh: Callable[[Mapping[str, Any]], Table] | None = None,
        quiet: float = QUIET_S,
    ) -> None:
        self._table = table
        self._health = health
        self._fresh = fresh
        self._work: queue.Queue[tuple[Callable[[], Any], Future[Any]] | None]
        self._work = queue.Queue(QUEUE)
        self._published = threading.Condition()
        self._numbers: dict[str, int] = dict.fromkeys(AUDIENCES, 0)
        self._views: dict[str, Mapping[str, Any]] = {}
        self._offered: tuple[Any, ...] = ()  # what undo, redo and next do now,
        self._offers: dict[str, int] = {}  # and since which number of each audience's views
        self._shared: dict[str, Any] = {}  # what all views had in common last time
        self._watchers: list[Callable[[Mapping[str, Any]], None]] = []
        self._untold: deque[Mapping[str, Any]] = deque()  # views that watchers have not seen
        self._quiet = quiet
        self._since: dict[str, float] = {}  # since when a difference has been seen
        self._differences: list[dict[str, Any]] = []
        self._spent: set[str] = set()  # left as they were once, and put right since
        self._pause = False
        self._tokens: frozenset[tuple[str, str]] = frozenset()  # printed ones, wherever seen
        self._fared: list[Health] = []  # how the parts fared when it was last published
        self._resumed = table.state.phase != "lobby" and not table.finished
        self._thread = threading.Thread(target=self._write, name="writer", daemon=True)
        self.boot = secrets.token_hex(4)
        self._publish()
        self._untold.clear()

    @property
    def content(self) -> Content:
        """The content this game is played with."""
        return self._table.content

    @property
    def seq(self) -> int:
        """The newest journal row, for `/health` only."""
        return self._table.seq

    @property
    def resumed(self) -> bool:
        """Whether a game of another evening is open and nobody has played on yet."""
        return self._resumed

    def start(self) -> None:
        """Start the writer thread."""
        self._thread.start()

    def stop(self) -> None:
        """Finish what is queued, then close the journal."""
        if self._thread.is_alive():
            self._work.put(None)
            self._thread.join(5)
        self._table.journal.close()

    # Commands -----------------------------------------------------------------------------------

    def submit(self, command: Mapping[str, Any]) -> dict[str, Any]:
        """Take one command; the reply is on disk when this returns.

        Refusals come back as ``{status: refused | conflict, code, params, by_hand, rule}``. Raises
        BadInput for malformed input and Fault when the game is busy or the disk failed.
        """
        return dict(self._call(lambda: self._command(command)))

    def _command(self, command: Mapping[str, Any]) -> dict[str, Any]:
        try:
            return self._answered(command)
        finally:
            self._publish()  # also what stands of a command that was refused or broke off

    def _answered(self, command: Mapping[str, Any]) -> dict[str, Any]:
        try:
            self._timely(command)
            if command.get("do") == "new_game":
                reply = self._new_game(command)
            else:
                reply = self._table.command(command)
        except Refused as refusal:
            status = "conflict" if refusal.code == "conflict" else "refused"
            return {
                "status": status,
                "seq": self._table.seq,
                "code": refusal.code,
                "params": refusal.params,
                "by_hand": refusal.by_hand,
                "rule": refusal.rule,
            }
        if command.get("do") not in LEDGER_VERBS:
            self._resumed = False
        elif command["do"] == "ignore":
            self._spent.discard(str(command.get("difference")))
        return reply

    def _timely(self, command: Mapping[str, Any]) -> None:
        """Refuse what is meant for another game, or takes back or goes on from what its sender
        cannot have seen. Any other command checks for itself whether it still fits. BadInput for
        a ``base`` or ``game_id`` of another kind.
        """
        game, base = command.get("game_id"), command.get("base")
        if game is not None and not isinstance(game, str):
            raise BadInput("game_id", "command.text")
        if base is not None and (not isinstance(base, int) or isinstance(base, bool)):
            raise BadInput("base", "command.number")
        since = self._offers.get(str(command.get("by", "table")), 0)
        acts = command.get("do") in ("undo", "redo", "next")
        old = base is not None and base < since and acts
        if not old and game in (None, self._table.journal.header.get("game")):
            return
        ident = command.get("id")
        if not isinstance(ident, str) or self._table.journal.known(ident) is None:
            raise Refused("conflict")  # else it was done already, whatever came after it

    def _new_game(self, command: Mapping[str, Any]) -> dict[str, Any]:
        """The next game of the group; the old one is kept. A running one only with ``confirm``."""
        running = self._table.state.phase != "lobby" and not self._table.finished
        if running and command.get("confirm") is not True:
            raise Refused("new_game.running")
        if self._fresh is None:
            raise Refused("new_game.not_here")
        old = self._table
        new = self._fresh(old.state.learnt)
        for key, value in old.journal.private().items():
            if not key.startswith(("seed.", "note.")):  # what belongs to that game alone
                new.journal.keep(key, value)
        for seat, person in old.ledger.people.items():
            new.command({"do": "join", "by": "device", "seat": seat, **person})
        self._table = new
        self._differences = []
        self._spent = set()
        self._tokens = frozenset()
        old.journal.close()
        return {"status": "done", "seq": new.seq}

    def share(self, seat: int, value: str) -> None:
        """A phone's part of the seed; counts until the first draw. BadInput for bad text."""
        self._call(lambda: self._share(seat, value))

    def _share(self, seat: int, value: str) -> None:
        if self._table.state.phase == "lobby":
            share(self._table.journal, seat, value)

    def _call(self, job: Callable[[], Any]) -> Any:
        if not self._thread.is_alive():
            try:
                return job()
            finally:
                self._tell()
        future: Future[Any] = Future()
        try:
            self._work.put_nowait((job, future))
        except queue.Full:
            raise Fault("table", "table.busy") from None
        try:
            return future.result(SUBMIT_SECONDS)
        except TimeoutError:
            raise Fault("table", "table.busy") from None

    def _write(self) -> None:
        while (work := self._next()) is not None:
            job, future = work
            try:
                future.set_result(job())
            except CompanionError as problem:
                future.set_exception(problem)
            except Exception as problem:  # the writer never dies of a command
                future.set_exception(problem)
            self._tell()

    def _next(self) -> tuple[Callable[[], Any], Future[Any]] | None:
        """What is to do next. A moment without work is the one for housekeeping."""
        try:
            return self._work.get(timeout=IDLE_S)
        except queue.Empty:
            self._table.journal.tidy()
            return self._work.get()

    def beat(self) -> None:
        """A round trip through the writer, which publishes when a part fares otherwise.

        Raises Fault when it does not answer.
        """
        self._call(self._look_after)

    def _look_after(self) -> None:
        if self._health() != self._fared:
            self._publish()

    # Views --------------------------------------------------------------------------------------

    def view(self, audience: str) -> tuple[int, Mapping[str, Any]]:
        """The newest view and its number in this audience's own stream."""
        with self._published:
            return self._numbers[audience], self._views[audience]

    def listen(self, audience: str) -> Listener:
        """A reader of an audience's stream. KeyError for an unknown audience."""
        if audience not in AUDIENCES:
            raise KeyError(audience)
        return Listener(self, audience)

    def watch(self, watcher: Callable[[Mapping[str, Any]], None]) -> None:
        """Call ``watcher`` with the table's view now and after every change (lights, sound)."""
        self._watchers.append(watcher)
        watcher(self._views["table"])

    def log(self, audience: str, before: int | None = None, limit: int = 80) -> list[Any]:
        """Log lines an audience may read, newest last, up to number ``before``."""
        lines = self._views[audience]["log"]
        if before is not None:
            lines = [line for line in lines if line["n"] < before]
        return list(lines[-limit:])

    def story(self) -> dict[str, Any]:
        """The evening so far as a story: see `companion.table.story.story`."""
        return dict(self._call(lambda: story(self._table.journal.rows())))

    def timeline(self) -> list[dict[str, Any]]:
        """The board of the evening so far: see `companion.table.timeline.timeline`."""
        seats = self._table.state.seats
        people = {person.character: seat for seat, person in seats.items()}
        return self._call(lambda: timeline(self._table.journal.rows(), people))  # type: ignore[no-any-return]

    def pace(self) -> dict[str, Any]:
        """What the evening takes: see `companion.table.pace.pace`."""
        return dict(self._call(lambda: pace(self._table.journal.rows(), self._table.state.time)))

    def _publish(self) -> None:
        self._fared = list(self._health())
        extra = {
            "differences": [] if self._pause else list(self._differences),
            "pause": self._pause,
            "parts": [
                {"part": h.part, "status": h.status.value, "code": h.code, "params": dict(h.params)}
                for h in self._fared
            ],
        }
        shared = views.public(self._table)
        for key, value in self._shared.items():
            if key in shared and shared[key] == value:
                shared[key] = value  # the very same: compared, and put into words, in no time
        self._shared = shared
        fresh = {a: views.view(self._table, a, extra, shared) for a in AUDIENCES}
        changed = [a for a in AUDIENCES if fresh[a] != self._views.get(a)]
        if not changed:
            return
        offered = tuple(shared["can"][what] for what in ("undo", "redo", "next"))
        with self._published:
            for audience in changed:
                self._views[audience] = fresh[audience]
                self._numbers[audience] += 1
            if offered != self._offered:
                self._offered, self._offers = offered, dict(self._numbers)
            self._published.notify_all()
        if "table" in changed:
            self._untold.append(fresh["table"])

    def _tell(self) -> None:
        """Pages and the one who asked come first: watchers hear of a change after them."""
        while self._untold:
            view = self._untold.popleft()
            for watcher in self._watchers:
                try:
                    watcher(view)
                except Exception:  # a lamp or a loudspeaker never stops the game
                    _log.exception("cli.note.watcher")

    # The camera ---------------------------------------------------------------------------------

    def see(self, sighting: Sighting) -> None:
        """Take a sighting: instructions seen done are ticked, differences proposed."""
        self._call(lambda: self._see(sighting))

    def _see(self, sighting: Sighting) -> None:
        reading: Reading = compare(self._views["table"], sighting, self._tokens)
        if sighting.registration.ok:
            self._tokens |= tokens(sighting)
        for ident in reading.done:
            self._table.command({"do": "tick", "by": "device", "instruction": ident})
        ignored = self._table.ledger.ignored
        self._spent |= agreed(self._views["table"], sighting, ignored)
        ignored = ignored - self._spent
        found = {d.id: d for d in reading.differences if d.id not in ignored}
        self._since = {i: self._since.get(i, sighting.at) for i in found}
        busy = self._table.root is not None or bool(self._table.state.agenda)
        self._differences = [
            d.to_json()
            for i, d in found.items()
            if not busy and sighting.at - self._since[i] >= self._quiet
        ]
        self._publish()

    def rest(self, on: bool) -> None:
        """People take a break: all pages say so, and nothing is asked about the table meanwhile."""
        self._call(lambda: self._rest(on))

    def _rest(self, on: bool) -> None:
        self._pause = on
        self._since = {}  # what stands after the break has to stand a while first
        self._differences = []
        self._publish()

    def take(self, difference: str, by: str) -> dict[str, Any]:
        """A person takes a proposal: the piece is where the camera sees it. ``all``: every one.

        All are one command with one undo; where that is refused they are taken one by one, and the
        reply is that of the first that was refused. Raises BadInput when the camera does not
        propose it.
        """
        open_ = (d for d in self._differences if "twice" not in d)
        chosen = [d for d in open_ if difference in ("all", d["id"])]
        if not chosen:
            value = {"value": difference[:40]}
            raise BadInput("difference", "command.unknown_difference", value)
        if len(chosen) > 1:
            moves = {d["piece"]: d["to"] for d in chosen}
            reply = self._taken(chosen, {"do": "rearrange", "pieces": moves, "by": by})
            if reply["status"] == "done":
                return reply
        replies = [self._taken([d], {**_correction(d), "by": by}) for d in chosen]
        return next((r for r in replies if r["status"] != "done"), replies[-1])

    def _taken(self, found: list[dict[str, Any]], command: Mapping[str, Any]) -> dict[str, Any]:
        try:
            reply = self.submit(command)
        except BadInput:
            if len(found) == 1:
                raise
            return {"status": "refused"}
        if reply["status"] == "done":
            self._call(lambda: self._settled({d["id"] for d in found}))
        return reply

    def _settled(self, taken: set[str]) -> None:
        self._differences = [d for d in self._differences if d["id"] not in taken]
        self._publish()

    # Private to the box ---------------------------------------------------------------------------

    def kept(self, key: str) -> Any:
        """A value kept beside the game, None when there is none."""
        return self._call(lambda: self._table.journal.kept(key))

    def keep(self, key: str, value: Any) -> None:
        """Keep a value beside the game: seat keys, PINs. Never exported."""
        self._call(lambda: self._table.journal.keep(key, value))


def _correction(difference: Mapping[str, Any]) -> dict[str, Any]:
    """The command by which a piece is where the camera sees it."""
    piece, to = difference["piece"], difference["to"]
    return {"do": "place", "piece": piece, "to": to} if to else {"do": "remove", "piece": piece}
