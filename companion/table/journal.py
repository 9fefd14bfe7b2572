"""The journal of one game: every input with its draws and events, on disk before anybody sees it.

`Journal` keeps a game in an SQLite file; `MemoryJournal` keeps it nowhere, for rule cases.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol

from companion.game.errors import BadInput
from companion.table import checks, store
from companion.table.chain import KINDS, Row, exact, link, spelled

#: How many of the newest snapshots stay, besides those given with ``keep``.
SNAPSHOTS = 200
LOGGED = 100  # rows in the write-ahead log before it is brought into the file

__all__ = ["KINDS", "SNAPSHOTS", "AnyJournal", "Journal", "MemoryJournal", "Row"]


def wall_time() -> str:
    """Now, as ISO 8601 UTC in milliseconds. For people to read: a Pi's clock may be wrong."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _done(row: Row, asked: str) -> dict[str, Any]:
    """What a command id is answered for the rest of the game, and what was asked with it."""
    return {"status": "done", "seq": row.seq, **({"asked": asked} if asked else {})}


class AnyJournal(Protocol):
    """What `Journal` and `MemoryJournal` offer."""

    @property
    def header(self) -> Mapping[str, Any]:
        """What the game was begun with: game, rules, content, commitment, created, format."""

    @property
    def last(self) -> Row | None:
        """The newest row, None in a new game."""

    def append(
        self,
        *,
        kind: str,
        input: Mapping[str, Any],
        draws: Iterable[Mapping[str, Any]],
        events: Iterable[Mapping[str, Any]],
        state: str,
        snapshot: str | None = None,
        keep: bool = False,
        command_id: str | None = None,
        asked: str = "",
    ) -> Row:
        """Write the next row; on disk when this returns, or nothing of it.

        Args:
            kind: one of ``command``, ``answer``, ``step``, ``undo``, ``redo``, ``ledger``.
            input: the command as accepted.
            draws, events: `Drawn.to_json` and `Event.to_json` of this row.
            state: the digest of the state after it.
            snapshot: the state *before* it, as canonical text. The newest 200 stay.
            keep: this row's snapshot stays for good (one a round).
            command_id: the id of the command that this row answers; the row and the memory of the
                id are one transaction.
            asked: a mark of that command's body, remembered with its id.

        Raises:
            BadInput: something given is not JSON data; nothing changed.
            Fault: the disk is full, read-only, locked or broken (``journal.…``); nothing changed,
                and the next call works when the cause is gone.
        """

    def rows(self, after: int = 0) -> Iterator[Row]:
        """The rows with a number above ``after``, in order. From any thread."""

    def snapshot(self, seq: int) -> dict[str, Any] | None:
        """The state before row ``seq``, when it was stored and is still kept."""

    def known(self, command_id: str) -> Mapping[str, Any] | None:
        """What a command id was answered, for the whole game, and ``asked``, the command's mark."""

    def private(self) -> dict[str, Any]:
        """Everything that `keep` stored, by key."""

    def keep(self, key: str, value: Any) -> None:
        """Store JSON data private to the box (seat keys, the seed); never exported."""

    def kept(self, key: str, default: Any = None) -> Any:
        """What `keep` stored."""

    def tidy(self) -> None:
        """Housekeeping, when some is due: for moments in which nobody waits. Never fails."""

    def close(self) -> None:
        """Nothing more will be written. Twice is once."""


class Journal:
    """A game on disk: write-ahead log, synchronous FULL, one transaction a row.

    One thread writes; `rows`, `snapshot`, `known` and `kept` may be called from any.
    Made by `create` or `open`.
    """

    def __init__(self, path: Path, writer: sqlite3.Connection, now: Callable[[], str]) -> None:
        self.path = path
        self._writer = writer
        self._now = now
        self._lock = threading.RLock()
        self._open = True
        self._logged = 0  # rows since the write-ahead log was last brought into the file
        self._header: Mapping[str, Any] = MappingProxyType(store.meta(writer, "header"))
        newest = writer.execute("SELECT max(seq) FROM rows").fetchone()[0]
        self._last = next(store.rows(writer, newest - 1)) if newest else None

    @classmethod
    def create(
        cls,
        path: Path,
        header: Mapping[str, Any],
        *,
        private: Mapping[str, Any] | None = None,
        now: Callable[[], str] = wall_time,
        busy_s: float = store.BUSY_S,
    ) -> Journal:
        """Begin a game in a new file, mode 0600.

        Args:
            path: where; the folder is made when missing (mode 0700).
            header: what never changes: ``game``, ``rules``, ``content``, ``commitment``,
                ``created``. ``format`` is added.
            private: what `keep` would store, there from the first moment (the seed).
            now: the wall clock, for `Row.at`.
            busy_s: how long to wait for another program that holds the file.

        Raises:
            BadInput: the file exists, or the header is not JSON data.
            Fault: the disk is full or read-only.
        """
        begun = exact("header", {**header, "format": store.FORMAT})
        store.create(path, begun, exact("private", dict(private or {})))
        return cls.open(path, now=now, busy_s=busy_s)

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        now: Callable[[], str] = wall_time,
        busy_s: float = store.BUSY_S,
    ) -> Journal:
        """Go on with a game. Every row, snapshot and private value is checked first.

        An older format is brought up to ours; the old file stays beside as ``….format<n>``.

        Raises:
            BadInput: ``journal.missing``, ``journal.damaged`` (with the first bad ``row``; see
                `companion.table.archive.recover`), ``journal.newer``, ``journal.older``; for an
                export ``archive.export``, ``archive.redacted``.
            Fault: the file cannot be read or written now.
        """
        if not path.exists():
            raise BadInput(str(path), "journal.missing")
        checks.no_export(path)
        with checks.reading(path):
            with closing(store.reader(path)) as looking:
                checks.format_of(looking, path)  # another version's file is left untouched
            store.close_to_others(path)
            writer = store.connect(path, busy_s=busy_s)
            try:
                version = checks.format_of(writer, path)
                if version < store.FORMAT:
                    checks.migrate(writer, path, version)
                found, sound = checks.problems(writer)
                if found:
                    raise checks.damaged(path, sound)
                writer.execute("PRAGMA journal_mode=WAL")
                writer.execute("PRAGMA synchronous=FULL")
                return cls(path, writer, now)
            except BaseException:
                writer.close()
                raise

    @property
    def header(self) -> Mapping[str, Any]:
        """See `AnyJournal`."""
        return self._header

    @property
    def last(self) -> Row | None:
        """See `AnyJournal`."""
        return self._last

    def append(
        self,
        *,
        kind: str,
        input: Mapping[str, Any],
        draws: Iterable[Mapping[str, Any]],
        events: Iterable[Mapping[str, Any]],
        state: str,
        snapshot: str | None = None,
        keep: bool = False,
        command_id: str | None = None,
        asked: str = "",
    ) -> Row:
        """See `AnyJournal`."""
        with self._lock:
            row = link(
                self._last,
                self._header,
                kind=kind,
                at=self._now(),
                input=input,
                draws=draws,
                events=events,
                state=state,
            )
            with store.faults(self.path), store.transaction(self._writer):
                store.insert(self._writer, row)
                if command_id is not None:
                    store.insert_reply(self._writer, command_id, _done(row, asked))
                if snapshot is not None:
                    store.insert_snapshot(self._writer, row.seq, snapshot, keep=keep)
                    store.prune_snapshots(self._writer, SNAPSHOTS)
            self._last = row
            self._logged += LOGGED if keep else 1  # once a round at least
            return row

    def rows(self, after: int = 0) -> Iterator[Row]:
        """See `AnyJournal`."""
        with store.faults(self.path), closing(store.reader(self.path)) as connection:
            try:
                yield from store.rows(connection, after)
            except (ValueError, TypeError) as error:
                raise sqlite3.DatabaseError(str(error)) from error

    def snapshot(self, seq: int) -> dict[str, Any] | None:
        """See `AnyJournal`."""
        found = self._one("SELECT data FROM snapshots WHERE seq = ?", seq)
        return store.unpack(found[0]) if found else None

    def remember(self, seq: int, snapshot: Mapping[str, Any]) -> None:
        """Store the state before a row of the past, where none is stored."""
        state = spelled("snapshot", dict(snapshot))
        with self._lock, store.faults(self.path), store.transaction(self._writer):
            store.insert_snapshot(self._writer, seq, state, keep=False)

    def known(self, command_id: str) -> Mapping[str, Any] | None:
        """See `AnyJournal`."""
        reply: Mapping[str, Any] | None = self._data(
            "SELECT reply FROM replies WHERE id = ?", command_id, None
        )
        return reply

    def keep(self, key: str, value: Any) -> None:
        """See `AnyJournal`."""
        stored = exact("value", value)
        with self._lock, store.faults(self.path), store.transaction(self._writer):
            store.insert_kept(self._writer, key, stored)

    def kept(self, key: str, default: Any = None) -> Any:
        """See `AnyJournal`."""
        return self._data("SELECT value FROM kept WHERE key = ?", key, default)

    def private(self) -> dict[str, Any]:
        """See `AnyJournal`."""
        with self._lock, store.faults(self.path):
            return store.private(self._writer)

    def tidy(self) -> None:
        """See `AnyJournal`. SQLite would do it within the commit that fills the log."""
        with self._lock, suppress(sqlite3.Error):
            if self._logged >= LOGGED:
                self._logged = 0
                self._writer.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def close(self) -> None:
        """See `AnyJournal`."""
        with self._lock:
            if self._open:
                self._open = False
                with store.faults(self.path):
                    self._writer.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _one(self, query: str, value: Any) -> tuple[Any, ...] | None:
        with self._lock, store.faults(self.path):
            found: tuple[Any, ...] | None = self._writer.execute(query, (value,)).fetchone()
            return found

    def _data(self, query: str, value: str, default: Any) -> Any:
        found = self._one(query, value)
        return store.json_of(found[0]) if found else default


class MemoryJournal:
    """A journal without a file: the same rows, the same chain, gone at the end.

    >>> journal = MemoryJournal({"game": "case"})
    >>> journal.append(kind="command", input={"do": "pass"}, draws=[], events=[], state="").seq
    1
    """

    def __init__(self, header: Mapping[str, Any], *, now: Callable[[], str] = wall_time) -> None:
        self._header = MappingProxyType(exact("header", {**header, "format": store.FORMAT}))
        self._now = now
        self._rows: list[Row] = []
        self._snapshots: dict[int, str] = {}
        self._lasting: set[int] = set()
        self._replies: dict[str, Mapping[str, Any]] = {}
        self._kept: dict[str, Any] = {}

    @property
    def header(self) -> Mapping[str, Any]:
        """See `AnyJournal`."""
        return self._header

    @property
    def last(self) -> Row | None:
        """See `AnyJournal`."""
        return self._rows[-1] if self._rows else None

    def append(
        self,
        *,
        kind: str,
        input: Mapping[str, Any],
        draws: Iterable[Mapping[str, Any]],
        events: Iterable[Mapping[str, Any]],
        state: str,
        snapshot: str | None = None,
        keep: bool = False,
        command_id: str | None = None,
        asked: str = "",
    ) -> Row:
        """See `AnyJournal`."""
        row = link(
            self.last,
            self._header,
            kind=kind,
            at=self._now(),
            input=input,
            draws=draws,
            events=events,
            state=state,
        )
        self._rows.append(row)
        if command_id is not None:
            self._replies[command_id] = _done(row, asked)
        if snapshot is not None:
            self._snapshots[row.seq] = snapshot
            if keep:
                self._lasting.add(row.seq)
            for old in list(self._snapshots)[:-SNAPSHOTS]:
                if old not in self._lasting:
                    del self._snapshots[old]
        return row

    def rows(self, after: int = 0) -> Iterator[Row]:
        """See `AnyJournal`."""
        yield from self._rows[max(after, 0) :]

    def snapshot(self, seq: int) -> dict[str, Any] | None:
        """See `AnyJournal`."""
        found = self._snapshots.get(seq)
        return None if found is None else store.json_of(found)

    def known(self, command_id: str) -> Mapping[str, Any] | None:
        """See `AnyJournal`."""
        return self._replies.get(command_id)

    def keep(self, key: str, value: Any) -> None:
        """See `AnyJournal`."""
        self._kept[key] = exact("value", value)

    def kept(self, key: str, default: Any = None) -> Any:
        """See `AnyJournal`."""
        return self._kept.get(key, default)

    def private(self) -> dict[str, Any]:
        """See `AnyJournal`."""
        return dict(self._kept)

    def tidy(self) -> None:
        """See `AnyJournal`."""

    def close(self) -> None:
        """See `AnyJournal`."""
