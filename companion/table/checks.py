"""Whether the file of a game is ours, of this format and sound; and bringing older ones up."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.game.errors import BadInput, Fault
from companion.table import store
from companion.table.chain import Row, breaks, seal

#: The first word of an export.
EXPORT = "companion.game"
#: From format n to n + 1, inside one transaction; the file as it was is kept beside.
MIGRATIONS: dict[int, Callable[[sqlite3.Connection], None]] = {}


SEALED = {
    "snapshots": "seq, data, seal",
    "replies": "id, reply, seal",
    "kept": "key, value, seal",
}


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong in a file. ``key`` is a message (``journal.problem.…``) for ``params``."""

    key: str
    params: Mapping[str, Any] = field(default_factory=dict)


def format_of(connection: sqlite3.Connection, path: Path) -> int:
    """The format of the file: ours, or an older one that `migrate` can bring up.

    It stands in ``meta`` and in SQLite's own ``user_version`` (0: not said there).

    Raises:
        BadInput: it is no readable game (``journal.damaged``), or the program of another version
            wrote it: ``journal.newer``, ``journal.older``.
    """
    try:
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (user,) = connection.execute("PRAGMA user_version").fetchone()
        found = connection.execute("SELECT value FROM meta WHERE key = 'format'").fetchone()
        version = json.loads(found[0]) if found else None
        if application != store.APPLICATION or type(version) is not int:
            raise ValueError("format")
        other = [v for v in (version, user or version) if v != store.FORMAT]
        if not other:
            store.meta(connection, "format")  # as sealed
    except (LookupError, ValueError, RecursionError) as error:
        raise damaged(path, 0) from error
    if not other:
        return version
    known = {"format": max(other), "known": store.FORMAT}
    if max(other) > store.FORMAT:
        raise BadInput(str(path), "journal.newer", known)
    if any(n not in MIGRATIONS for n in range(min(other), store.FORMAT)):
        raise BadInput(str(path), "journal.older", {**known, "format": min(other)})
    return min(other)


def no_export(path: Path) -> None:
    """BadInput for what `companion.table.archive` exported: it is told apart from damage."""
    with store.faults(path), path.open("rb") as stream:
        start = stream.readline(64 * 1024) if stream.peek(1)[:1] == b"{" else b""
    try:
        first = json.loads(start)
    except (ValueError, RecursionError):
        return
    if isinstance(first, dict) and first.get("kind") == EXPORT:
        whole = first.get("redacted") is False
        raise BadInput(str(path), "archive.export" if whole else "archive.redacted")


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
        BadInput: ``journal.damaged``.
    """
    try:
        broken = bool(problems(connection)[0])
    except (LookupError, ValueError) as error:
        raise damaged(path, 0) from error
    if broken:
        raise damaged(path, 0)
    steps = [MIGRATIONS[number] for number in range(version, store.FORMAT)]
    store.copy(connection, path.with_name(f"{path.name}.format{version}"))
    with store.transaction(connection):
        for step in steps:
            step(connection)
        store.insert_meta(connection, "format", store.FORMAT)
        connection.execute(f"PRAGMA user_version={store.FORMAT}")


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


def sound_rows(connection: sqlite3.Connection) -> tuple[dict[str, Any], list[Row]]:
    """The header and the rows from the first up to the damage; no rows: nothing can be saved.

    The header counts, whatever its own seal says, when row 1 names it.
    """
    rows: list[Row] = []
    header: dict[str, Any] = {}
    try:
        found = connection.execute("SELECT value FROM meta WHERE key = 'header'").fetchone()
        header = dict(json.loads(found[0])) if found else {}
        for row in store.rows(connection, portion=1):
            if list(breaks(header, [row], rows[-1] if rows else None)):
                break
            rows.append(row)
    except store.UNREADABLE:
        pass
    return header, rows


def sealed(connection: sqlite3.Connection, table: str) -> Iterator[tuple[Any, ...]]:
    """What is still as it was sealed in a damaged ``snapshots``, ``replies`` or ``kept``."""
    try:
        for *parts, mark in connection.execute(f"SELECT {SEALED[table]} FROM {table}"):
            if seal(*parts) == mark:
                yield tuple(parts)
    except store.UNREADABLE:
        return


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
    try:
        for *parts, mark in connection.execute(f"SELECT {SEALED[table]} FROM {table}"):
            if seal(*parts) != mark:
                yield Problem(f"journal.problem.{table}", {"row": parts[0]})
    except store.UNREADABLE:
        yield Problem(f"journal.problem.{table}", {"row": "?"})
