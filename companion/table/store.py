"""The SQLite file of one game: its tables, how it is made, opened, written and read.

`companion.table.journal` writes it, `companion.table.archive` copies and checks it; nobody else
knows the tables. ``meta`` keeps its shape in every format, so that any program can tell which
format a file has.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import sqlite3
import zlib
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from companion.game.errors import BadInput, CompanionError, Fault, why
from companion.game.state import canonical
from companion.table.chain import Row, seal

#: Raised by any change of the tables; every older format has its step in `checks.MIGRATIONS`.
FORMAT = 1

APPLICATION = 0x54434731  # "TCG1": marks the file as a game of ours
BUSY_S = 5.0
FAST = 1  # how hard snapshots are packed: every command waits for it

TABLES = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL, seal TEXT NOT NULL) STRICT",
    "CREATE TABLE rows (seq INTEGER PRIMARY KEY, kind TEXT NOT NULL, at TEXT NOT NULL,"
    " input TEXT NOT NULL, draws TEXT NOT NULL, events TEXT NOT NULL, state TEXT NOT NULL,"
    " previous TEXT NOT NULL, hash TEXT NOT NULL) STRICT",
    "CREATE TABLE snapshots (seq INTEGER PRIMARY KEY, keep INTEGER NOT NULL, data BLOB NOT NULL,"
    " seal TEXT NOT NULL) STRICT",
    "CREATE TABLE replies (id TEXT PRIMARY KEY, reply TEXT NOT NULL, seal TEXT NOT NULL) STRICT",
    "CREATE TABLE kept (key TEXT PRIMARY KEY, value TEXT NOT NULL, seal TEXT NOT NULL) STRICT",
)
#: What reading a damaged row may raise.
UNREADABLE = (sqlite3.Error, ValueError, TypeError, RecursionError)
_ROW = "seq, kind, at, input, draws, events, state, previous, hash"


# Connections ------------------------------------------------------------------------------------


def connect(path: Path, *, busy_s: float = BUSY_S) -> sqlite3.Connection:
    """The writer's connection; transactions are begun by `transaction`, never by themselves."""
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw",
        uri=True,
        timeout=busy_s,
        isolation_level=None,
        check_same_thread=False,
    )


def reader(path: Path) -> sqlite3.Connection:
    """A connection that cannot write.

    A closed game, which has no write-ahead log, is read without making one: it may lie on a
    read-only disk.
    """
    closed = not with_logs(path)[1].exists()
    uri = f"{path.absolute().as_uri()}?mode=ro" + ("&immutable=1" if closed else "")
    return sqlite3.connect(uri, uri=True, timeout=BUSY_S, isolation_level=None)


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All of the block on disk when it ends, or nothing of it."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


@contextmanager
def faults(path: Path) -> Iterator[None]:
    """Turn what SQLite and the disk say into `Fault` of part ``journal``."""
    try:
        yield
    except (CompanionError, sqlite3.ProgrammingError):
        raise
    except (sqlite3.Error, OSError) as error:
        raise _fault(error, path) from error


#: Any other complaint of SQLite is about what stands in the file: it is damaged.
_CODES = {
    sqlite3.SQLITE_FULL: "journal.disk_full",
    sqlite3.SQLITE_READONLY: "journal.read_only",
    sqlite3.SQLITE_PERM: "journal.read_only",
    sqlite3.SQLITE_BUSY: "journal.locked",
    sqlite3.SQLITE_LOCKED: "journal.locked",
    sqlite3.SQLITE_IOERR: "journal.io",
    sqlite3.SQLITE_CANTOPEN: "journal.io",
    sqlite3.SQLITE_CONSTRAINT: "journal.two_writers",
}
_ERRNOS = {
    errno.ENOSPC: "journal.disk_full",
    errno.EDQUOT: "journal.disk_full",
    errno.EROFS: "journal.read_only",
    errno.EACCES: "journal.read_only",
    errno.EPERM: "journal.read_only",
}
_LASTING = ("journal.damaged", "journal.two_writers")


def _fault(error: sqlite3.Error | OSError, path: Path) -> Fault:
    if isinstance(error, OSError):
        code = _ERRNOS.get(error.errno or 0, "journal.io")
        params = why(error)
    else:
        extended = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
        code = _CODES.get(extended & 0xFF, "journal.damaged")
        if extended == sqlite3.SQLITE_IOERR_SHORT_READ:
            code = "journal.damaged"
        elif code == "journal.io" and _no_room(path):
            code = "journal.disk_full"
        params = {"reason": getattr(error, "sqlite_errorname", "SQLITE_CORRUPT")}
    return Fault("journal", code, {"path": str(path), **params}, temporary=code not in _LASTING)


def _no_room(path: Path) -> bool:
    try:
        return shutil.disk_usage(path.parent).free < 64 * 1024
    except OSError:
        return False


# Rows, snapshots and what else is stored ------------------------------------------------------


def insert(connection: sqlite3.Connection, row: Row) -> None:
    """Write a row; the caller holds the transaction."""
    connection.execute(
        f"INSERT INTO rows ({_ROW}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            row.seq,
            row.kind,
            row.at,
            canonical(row.input),
            canonical(row.draws),
            canonical(row.events),
            row.state,
            row.previous,
            row.hash,
        ),
    )


def insert_snapshot(connection: sqlite3.Connection, seq: int, snapshot: str, *, keep: bool) -> None:
    """Write the state, as canonical text, that stood before row ``seq``."""
    data = zlib.compress(snapshot.encode(), FAST)
    connection.execute(
        "INSERT INTO snapshots VALUES (?, ?, ?, ?)", (seq, int(keep), data, seal(seq, data))
    )


def prune_snapshots(connection: sqlite3.Connection, newest: int) -> None:
    """Forget snapshots older than the ``newest``, but for the lasting ones."""
    connection.execute(
        "DELETE FROM snapshots WHERE keep = 0 AND seq <= "
        "(SELECT seq FROM snapshots ORDER BY seq DESC LIMIT 1 OFFSET ?)",
        (newest,),
    )


def insert_reply(connection: sqlite3.Connection, ident: str, reply: Mapping[str, Any]) -> None:
    """Write what a command id was answered."""
    text = canonical(dict(reply))
    connection.execute(
        "INSERT OR REPLACE INTO replies VALUES (?, ?, ?)", (ident, text, seal(ident, text))
    )


def insert_kept(connection: sqlite3.Connection, key: str, value: Any) -> None:
    """Write, or replace, a private value of the box."""
    text = canonical(value)
    connection.execute("INSERT OR REPLACE INTO kept VALUES (?, ?, ?)", (key, text, seal(key, text)))


def insert_meta(connection: sqlite3.Connection, key: str, value: Any) -> None:
    """Write, or replace, a fact about the file: ``format`` or ``header``."""
    text = canonical(value)
    connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?, ?)", (key, text, seal(key, text)))


def meta(connection: sqlite3.Connection, key: str) -> Any:
    """A fact about the file. Raises LookupError (not there) or ValueError (not as sealed)."""
    found = connection.execute("SELECT value, seal FROM meta WHERE key = ?", (key,)).fetchone()
    if found is None:
        raise LookupError(key)
    value, sealed = found
    if seal(key, value) != sealed:
        raise ValueError(key)
    return json.loads(value)


def rows(connection: sqlite3.Connection, after: int = 0, portion: int = 500) -> Iterator[Row]:
    """Rows with a number above ``after``, in order, read in portions: no long transaction.

    Raises one of `UNREADABLE` where a row cannot be read.
    """
    while True:
        found = connection.execute(
            f"SELECT {_ROW} FROM rows WHERE seq > ? ORDER BY seq LIMIT ?", (after, portion)
        ).fetchall()
        for seq, kind, at, input, draws, events, state, previous, sealed in found:
            if seq <= after:  # a damaged tree may lead back, and round and round
                raise sqlite3.DatabaseError("rows out of order")
            yield Row.from_json(
                {
                    "seq": seq,
                    "kind": kind,
                    "at": at,
                    "input": json.loads(input),
                    "draws": json.loads(draws),
                    "events": json.loads(events),
                    "state": state,
                    "previous": previous,
                    "hash": sealed,
                }
            )
            after = seq
        if not found:
            return


def json_of(text: str) -> Any:
    """The data of its stored text."""
    return json.loads(text)


def private(connection: sqlite3.Connection) -> dict[str, Any]:
    """All private values of the box, by key."""
    return {k: json.loads(v) for k, v in connection.execute("SELECT key, value FROM kept")}


def unpack(data: bytes) -> dict[str, Any]:
    """The snapshot of its stored bytes."""
    snapshot: dict[str, Any] = json.loads(zlib.decompress(data))
    return snapshot


# Files ------------------------------------------------------------------------------------------


def create(path: Path, header: Mapping[str, Any], kept: Mapping[str, Any]) -> None:
    """Make the file of a new game, with private values. Raises like `filled`."""
    with filled(path, header) as connection:
        for key, value in kept.items():
            insert_kept(connection, key, value)


@contextmanager
def filled(path: Path, header: Mapping[str, Any]) -> Iterator[sqlite3.Connection]:
    """A new file of our format to fill; it appears complete when the block ends, or not at all.

    Raises:
        BadInput: there is a file already (``journal.exists``).
        Fault: the disk does not let us.
    """
    if path.exists():
        raise BadInput(str(path), "journal.exists")
    with faults(path):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with private_copy(path) as half, closing(sqlite3.connect(half)) as connection:
            connection.isolation_level = None
            connection.execute(f"PRAGMA application_id={APPLICATION}")
            connection.execute(f"PRAGMA user_version={FORMAT}")
            with transaction(connection):
                for table in TABLES:
                    connection.execute(table)
                insert_meta(connection, "format", FORMAT)
                insert_meta(connection, "header", dict(header))
                yield connection


@contextmanager
def private_copy(path: Path) -> Iterator[Path]:
    """A file to fill, mode 0600, that becomes ``path`` when the block ends well.

    A reader, or a power cut, finds what was there before or the whole new file.
    """
    half = path.with_name(f".{path.name}.half")
    half.unlink(missing_ok=True)
    os.close(os.open(half, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    try:
        yield half
        sync(half)
        half.replace(path)
    except BaseException:
        for name in with_logs(half):
            name.unlink(missing_ok=True)
        raise
    sync(path.parent)


def close_to_others(path: Path) -> None:
    """Have the mode 0600, without writing when it has."""
    if path.stat().st_mode & 0o077:
        path.chmod(0o600)


def with_logs(path: Path) -> tuple[Path, Path, Path]:
    """The file and what SQLite may keep beside it."""
    return path, path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm")


def sync(path: Path) -> None:
    """Have a file's bytes, or a folder's names, on disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def copy(connection: sqlite3.Connection, target: Path) -> None:
    """One consistent copy of an open game as a single closed file; a writer may go on."""
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with private_copy(target) as half, closing(sqlite3.connect(half)) as copied:
        connection.backup(copied)
        copied.execute("PRAGMA journal_mode=DELETE")
