"""The SQLite file of one game: its tables, how it is opened, what can be wrong with it.

`companion.table.journal` writes it, `companion.table.archive` copies and checks it; nobody else
knows the tables. ``meta`` keeps its shape in every format, so that any program can tell which
format a file has.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.game.errors import BadInput, CompanionError, Fault
from companion.game.state import canonical
from companion.table.chain import Row, breaks, seal

#: Raised by any change of the tables; every older format has its step in MIGRATIONS.
FORMAT = 1
#: From format n to n + 1, inside one transaction; the file as it was is kept beside.
MIGRATIONS: dict[int, Callable[[sqlite3.Connection], None]] = {}

APPLICATION = 0x54434731  # "TCG1": marks the file as a game of ours
BUSY_S = 5.0

_TABLES = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL, seal TEXT NOT NULL) STRICT",
    "CREATE TABLE rows (seq INTEGER PRIMARY KEY, kind TEXT NOT NULL, at TEXT NOT NULL,"
    " input TEXT NOT NULL, draws TEXT NOT NULL, events TEXT NOT NULL, state TEXT NOT NULL,"
    " previous TEXT NOT NULL, hash TEXT NOT NULL) STRICT",
    "CREATE TABLE snapshots (seq INTEGER PRIMARY KEY, keep INTEGER NOT NULL, data BLOB NOT NULL,"
    " seal TEXT NOT NULL) STRICT",
    "CREATE TABLE replies (id TEXT PRIMARY KEY, seq INTEGER NOT NULL, reply TEXT NOT NULL,"
    " seal TEXT NOT NULL) STRICT",
    "CREATE TABLE kept (key TEXT PRIMARY KEY, value TEXT NOT NULL, seal TEXT NOT NULL) STRICT",
)
_ROW = "seq, kind, at, input, draws, events, state, previous, hash"


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong in a file. ``key`` is a message (``journal.problem.…``) for ``params``."""

    key: str
    params: Mapping[str, Any] = field(default_factory=dict)


# Connections ------------------------------------------------------------------------------------


def connect(path: Path, *, busy_s: float = BUSY_S) -> sqlite3.Connection:
    """The writer's connection; transactions are begun by `transaction`, never by themselves."""
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw",
        uri=True,
        timeout=busy_s,
        isolation_level=None,
        check_same_thread=False,
    )
    connection.execute("PRAGMA synchronous=FULL")
    return connection


def reader(path: Path) -> sqlite3.Connection:
    """A connection that cannot write, on a disk that may be read-only too."""
    uri = path.absolute().as_uri()
    connection = sqlite3.connect(f"{uri}?mode=ro", uri=True, timeout=BUSY_S, isolation_level=None)
    try:
        connection.execute("SELECT count(*) FROM sqlite_master")
    except sqlite3.OperationalError:
        connection.close()
        # A closed game on a read-only disk: no write-ahead log, and no room to make one.
        if not path.exists() or path.with_name(path.name + "-wal").exists():
            raise
        connection = sqlite3.connect(f"{uri}?mode=ro&immutable=1", uri=True, isolation_level=None)
    return connection


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
    except CompanionError:
        raise
    except (sqlite3.Error, OSError) as error:
        raise _fault(error, path) from error


_CODES = {
    sqlite3.SQLITE_FULL: ("journal.disk_full", True),
    sqlite3.SQLITE_READONLY: ("journal.read_only", True),
    sqlite3.SQLITE_PERM: ("journal.read_only", True),
    sqlite3.SQLITE_BUSY: ("journal.locked", True),
    sqlite3.SQLITE_LOCKED: ("journal.locked", True),
    sqlite3.SQLITE_CONSTRAINT: ("journal.two_writers", False),
    sqlite3.SQLITE_CORRUPT: ("journal.damaged", False),
    sqlite3.SQLITE_NOTADB: ("journal.damaged", False),
}


def _fault(error: sqlite3.Error | OSError, path: Path) -> Fault:
    params = {"path": str(path), "reason": str(error)}
    if isinstance(error, OSError):
        params["reason"] = error.strerror or str(error)
        number = sqlite3.SQLITE_FULL if _is_full(error) else -1
        number = sqlite3.SQLITE_READONLY if isinstance(error, PermissionError) else number
    else:
        number = getattr(error, "sqlite_errorcode", -1) & 0xFF
        if number == sqlite3.SQLITE_IOERR and _no_room(path):
            number = sqlite3.SQLITE_FULL
    code, temporary = _CODES.get(number, ("journal.io", True))
    return Fault("journal", code, params, temporary=temporary)


def _is_full(error: OSError) -> bool:
    import errno

    return error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def _no_room(path: Path) -> bool:
    try:
        return shutil.disk_usage(path.parent).free < 64 * 1024
    except OSError:
        return False
