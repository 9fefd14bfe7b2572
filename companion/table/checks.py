"""Whether the file of a game is ours, of this format and sound; and bringing older ones up."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.game.errors import BadInput, Fault
from companion.table import store
from companion.table.chain import Row, breaks, seal

#: From format n to n + 1, inside one transaction; the file as it was is kept beside.
MIGRATIONS: dict[int, Callable[[sqlite3.Connection], None]] = {}


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong in a file. ``key`` is a message (``journal.problem.…``) for ``params``."""

    key: str
    params: Mapping[str, Any] = field(default_factory=dict)


def format_of(connection: sqlite3.Connection, path: Path) -> int:
    """The format of the file.

    Raises:
        BadInput: it is no readable game (``journal.damaged``), or a newer program wrote it
            (``journal.newer``).
    """
    try:
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        version = store.meta(connection, "format")
        if application != store.APPLICATION or type(version) is not int:
            raise ValueError("format")
    except (LookupError, ValueError) as error:
        raise damaged(path, 0) from error
    if version > store.FORMAT:
        raise BadInput(str(path), "journal.newer", {"format": version, "known": store.FORMAT})
    return version


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turn what SQLite says while a game is opened into the errors of `Journal.open`."""
    try:
        with store.faults(path):
            yield
    except Fault as fault:
        if fault.code == "journal.damaged":
            raise damaged(path, 0) from fault
        raise
    except UnicodeDecodeError as error:  # in what SQLite says about a damaged table
        raise damaged(path, 0) from error


def damaged(path: Path, sound: int) -> BadInput:
    """The error of a damaged file: ``sound`` rows from the first are good, ``row`` is not."""
    return BadInput(str(path), "journal.damaged", {"row": sound + 1, "sound": sound})


def migrate(connection: sqlite3.Connection, path: Path, version: int) -> None:
    """Bring an older format up to ours, keeping the file as it was as ``<name>.format<n>``.

    Raises:
        BadInput: no step leads on from that format (``journal.older``), or ``journal.damaged``.
    """
    if problems(connection)[0]:
        raise damaged(path, 0)
    steps = []
    for number in range(version, store.FORMAT):
        if number not in MIGRATIONS:
            raise BadInput(str(path), "journal.older", {"format": version, "known": store.FORMAT})
        steps.append(MIGRATIONS[number])
    store.copy(connection, path.with_name(f"{path.name}.format{version}"))
    with store.transaction(connection):
        for step in steps:
            step(connection)
        store.insert_meta(connection, "format", store.FORMAT)


def problems(connection: sqlite3.Connection) -> tuple[list[Problem], int]:
    """What is wrong inside a file, and how many rows from the first are sound.

    Of a file of an older format only SQLite's own structure is checked.
    """
    if store.meta(connection, "format") != store.FORMAT:
        count = connection.execute("SELECT count(*) FROM rows").fetchone()[0]
        return list(_broken_structure(connection, old=True)), count
    found: list[Problem] = []
    sound = 0
    try:
        header = store.meta(connection, "header")
    except (*store.UNREADABLE, LookupError):
        header = None
        found.append(Problem("journal.problem.header"))
    for seq, what in _broken_rows(connection, header):
        if what:
            found.append(Problem(f"journal.problem.{what}", {"row": seq}))
        elif not found:
            sound = seq
    if structure := list(_broken_structure(connection)):
        return found + structure, sound  # no use to read on
    for table in ("snapshots", "replies", "kept"):
        found += _broken_seals(connection, table)
    return found, sound


def _broken_rows(
    connection: sqlite3.Connection, header: Mapping[str, Any] | None
) -> Iterator[tuple[int, str]]:
    """Every row's number with what is wrong with it (or nothing); ends at an unreadable one."""
    readable: list[Row] = []
    unreadable = False
    try:
        for row in store.rows(connection, portion=1):
            readable.append(row)
    except store.UNREADABLE:
        unreadable = True
    wrong = dict(breaks(header, readable)) if header is not None else {}
    for row in readable:
        yield row.seq, wrong.get(row.seq, "")
    if unreadable:
        yield (readable[-1].seq if readable else 0) + 1, "unreadable"


def _broken_structure(connection: sqlite3.Connection, *, old: bool = False) -> Iterator[Problem]:
    try:
        stored = {sql for (sql,) in connection.execute("SELECT sql FROM sqlite_master") if sql}
        if not old and stored != set(store.TABLES):
            yield Problem("journal.problem.tables")
        if connection.execute("PRAGMA integrity_check(1)").fetchone() != ("ok",):
            yield Problem("journal.problem.structure")
    except store.UNREADABLE:
        yield Problem("journal.problem.structure")


def _broken_seals(connection: sqlite3.Connection, table: str) -> Iterator[Problem]:
    columns = {
        "snapshots": "seq, data, seal",
        "replies": "id, reply, seal",
        "kept": "key, value, seal",
    }
    try:
        for *parts, sealed in connection.execute(f"SELECT {columns[table]} FROM {table}"):
            if seal(*parts) != sealed:
                yield Problem(f"journal.problem.{table}", {"row": parts[0]})
    except store.UNREADABLE:
        yield Problem(f"journal.problem.{table}", {"row": "?"})
