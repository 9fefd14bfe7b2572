"""Games as files: export and import, backups, checking, and what to do with a damaged one.

An export is JSON Lines: a header line, the rows in order (in a whole export each followed by its
snapshot, when there is one), and an end line with the SHA-256 of all lines before it. The box's
private values (seed, keys, PINs) are in a backup, which never leaves the box by itself, and in no
export.
"""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from companion.game.errors import BadInput, Fault, why
from companion.game.state import canonical
from companion.table import checks, redact, store
from companion.table.chain import Row, breaks, exact
from companion.table.checks import Problem

SUFFIX = ".game"
BACKUPS = 5  # a game keeps its newest
LONGEST_LINE = 4 << 20
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_BACKUP = re.compile(r"(?P<game>.+)\.(?P<seq>\d{6})\.game")

__all__ = [
    "Problem",
    "Recovery",
    "backup",
    "check_chain",
    "export_game",
    "import_game",
    "last_backup",
    "lines",
    "recover",
    "rows_of",
    "salvage",
    "sound_rows",
]


# Export -----------------------------------------------------------------------------------------


def lines(path: Path, *, full: bool) -> Iterator[str]:
    """The lines of an export, each with its end; the game may be running.

    Args:
        path: the file of the game.
        full: everything that was played, for a game that is over; else what the whole table saw.

    Raises:
        BadInput: no such game, or it is damaged or of another format.
        Fault: it cannot be read now.
    """
    digest = hashlib.sha256()
    for data in _told(path, full=full):
        line = canonical(data) + "\n"
        digest.update(line.encode())
        yield line
    yield canonical({"end": digest.hexdigest()}) + "\n"


def _told(path: Path, *, full: bool) -> Iterator[dict[str, Any]]:
    with _opened(path) as connection:
        if checks.format_of(connection, path) < store.FORMAT:
            raise BadInput(str(path), "archive.older")
        header = store.meta(connection, "header")
        shown = header if full else redact.header(header)
        yield {"kind": checks.EXPORT, "redacted": not full, "header": shown}
        for row in store.rows(connection):
            yield {"row": row.to_json() if full else redact.row(row)}
            found = connection.execute(
                "SELECT data, keep FROM snapshots WHERE seq = ?", (row.seq,)
            ).fetchone()
            if full and found:
                yield {"snapshot": row.seq, "state": store.unpack(found[0]), "keep": found[1]}


def export_game(path: Path, out: Path, *, full: bool) -> Path:
    """Write the export of a game to ``out`` (mode 0600; whole, or not at all) and return it.

    Raises like `lines`, and Fault when ``out`` cannot be written.
    """
    try:
        with store.private_copy(out) as half, half.open("w", encoding="utf-8") as stream:
            stream.writelines(lines(path, full=full))
    except Fault:
        raise
    except OSError as error:
        params = {"path": str(out), **why(error)}
        raise Fault("file", "file.unwritable", params, temporary=False) from error
    return out


# Import -----------------------------------------------------------------------------------------


def import_game(file: Path, folder: Path) -> Path:
    """Bring a game into a data folder's ``games`` and return its file.

    Args:
        file: a whole export, or a backup.
        folder: where game files lie.

    Raises:
        BadInput: ``archive.unreadable``, ``archive.line`` (with ``line``), ``archive.redacted``,
            ``archive.cut_off``, ``journal.exists`` when the game is there already, and for a
            backup what `Journal.open` raises.
        Fault: the disk does not let us.
    """
    if not file.is_file():
        raise BadInput(str(file), "journal.missing")
    with store.faults(file):
        with file.open("rb") as stream:
            is_backup = stream.read(16) == b"SQLite format 3\0"
        if is_backup:
            return _restore(file, folder)
        with file.open(encoding="utf-8") as text:
            return _take_in(_Lines(file, text), folder)


def _restore(file: Path, folder: Path) -> Path:
    with _opened(file) as connection:
        _sound(connection, file)
        header = store.meta(connection, "header")
        target = _target(file, folder, header)
        store.copy(connection, target)
    return target


def _take_in(read: _Lines, folder: Path) -> Path:
    first = read.next()
    header = first.get("header")
    if first.get("kind") != checks.EXPORT or not isinstance(header, dict):
        raise BadInput(str(read.file), "archive.unreadable")
    if first.get("redacted") is not False:
        raise BadInput(str(read.file), "archive.redacted")
    if header.get("format") != store.FORMAT:
        found = header.get("format")
        older = isinstance(found, int) and found < store.FORMAT
        known = {"format": str(found)[:20], "known": store.FORMAT}
        raise BadInput(str(read.file), "journal.older" if older else "journal.newer", known)
    target = _target(read.file, folder, header)
    with store.faults(target), store.filled(target, header) as connection:
        last: Row | None = None
        while "end" not in (line := read.next()):
            if "row" in line:
                last = _row(read, header, last, line["row"])
                store.insert(connection, last)
            elif last and line.get("snapshot") == last.seq and isinstance(line.get("state"), dict):
                keep = line.get("keep") == 1
                store.insert_snapshot(connection, last.seq, canonical(line["state"]), keep=keep)
            else:
                raise read.bad()
        read.check_end(line["end"])
    return target


def _row(read: _Lines, header: Mapping[str, Any], last: Row | None, data: Any) -> Row:
    try:
        row = Row.from_json(data)
        broken = list(breaks(header, [row], last))
    except (TypeError, ValueError, RecursionError):
        raise read.bad() from None
    if broken:
        raise read.bad()
    return row


def _target(file: Path, folder: Path, header: Mapping[str, Any]) -> Path:
    """Where a game belongs; its name comes from outside and must stay inside the folder."""
    game = header.get("game")
    if not isinstance(game, str) or not _NAME.fullmatch(game):
        raise BadInput(str(file), "archive.unreadable")
    target = folder / f"{game}{SUFFIX}"
    if target.exists():
        raise BadInput(str(target), "journal.exists")
    return target


class _Lines:
    """The objects of a JSON Lines file; knows where it is."""

    def __init__(self, file: Path, stream: IO[str]) -> None:
        self.file = file
        self._stream = stream
        self._number = 0
        self._digest = hashlib.sha256()
        self._before = ""  # the digest of the lines before this one

    def next(self) -> dict[str, Any]:
        """The next line. BadInput when it is none, or there is none."""
        self._number += 1
        self._before = self._digest.hexdigest()
        try:
            text = self._stream.readline(LONGEST_LINE)
            if not text.endswith("\n"):
                code = "archive.line" if len(text) == LONGEST_LINE else "archive.cut_off"
                raise BadInput(str(self.file), code, {"line": self._number})
            self._digest.update(text.encode())
            data = exact(str(self.file), json.loads(text))
        except (ValueError, RecursionError) as error:
            if isinstance(error, BadInput) and error.code.startswith("archive."):
                raise
            raise self.bad() from None
        if not isinstance(data, dict):
            raise self.bad()
        return data

    def check_end(self, digest: Any) -> None:
        """BadInput unless the end line names the lines before it."""
        if digest != self._before:
            raise self.bad()

    def bad(self) -> BadInput:
        """The error of this line; of the whole file when it is the first."""
        if self._number == 1:
            return BadInput(str(self.file), "archive.unreadable")
        return BadInput(str(self.file), "archive.line", {"line": self._number})


# Backups and damage -------------------------------------------------------------------------


def backup(path: Path, folder: Path) -> Path:
    """Copy a game, private values included, as ``<game>.<row>.game``; the game may be running.

    The copy is checked before it counts; of each game the newest five stay.

    Raises:
        BadInput: no such game, or it is damaged: no bad copy takes the place of a good one.
        Fault: the disk does not let us.
    """
    with _opened(path) as connection:
        sound = _sound(connection, path)
        with store.faults(folder):
            target = folder / f"{path.name.removesuffix(SUFFIX)}.{sound:06d}{SUFFIX}"
            store.copy(connection, target)
            for old in _backups(path, folder)[BACKUPS:]:
                old.unlink()
    return target


def last_backup(path: Path, folder: Path) -> Path | None:
    """The backup of a game with the most rows that is sound, None when there is none."""
    return next((b for b in _backups(path, folder) if not check_chain(b)), None)


def _backups(path: Path, folder: Path) -> list[Path]:
    """Backups of a game, newest first."""
    found = {}
    for candidate in folder.glob(f"*{SUFFIX}"):
        match = _BACKUP.fullmatch(candidate.name)
        if match and match["game"] == path.name.removesuffix(SUFFIX):
            found[int(match["seq"])] = candidate
    return [found[seq] for seq in sorted(found, reverse=True)]


@dataclass(frozen=True, slots=True)
class Recovery:
    """``aside`` is where the damaged file lies now; ``backup`` what `import_game` may take in.

    ``rows`` is how many rows the game that goes on has: 0 when none does; ``turn`` the turn of
    the game it goes on in, as people count it, 0 before the first. ``over``: those rows reach the
    game's end, so that nothing goes on and a new game begins.
    """

    aside: Path
    backup: Path | None
    rows: int = 0
    over: bool = False
    turn: int = 0

    @property
    def key(self) -> str:
        """What happened, as a message for `params`: with or without a game that goes on."""
        how = "new" if not self.rows else "backup" if self.backup else "sound"
        if self.rows and not self.turn:
            how = "lobby"
        how = "over" if self.over else how
        return f"recovered.{how}"

    @property
    def params(self) -> dict[str, str]:
        """Fills `key`."""
        return {"path": str(self.aside), "n": str(self.turn)}


def recover(path: Path, backups: Path) -> Recovery:
    """Move a damaged game aside, with its logs, and say which backup could go on instead.

    Nothing is deleted; the file is kept as ``<name>.damaged`` (``.damaged-2`` …).

    Raises:
        Fault: the files cannot be moved.
    """
    aside, number = path.with_name(f"{path.name}.damaged"), 1
    while aside.exists():
        number += 1
        aside = path.with_name(f"{path.name}.damaged-{number}")
    with store.faults(path):
        for name, target in zip(store.with_logs(path), store.with_logs(aside), strict=True):
            if name.exists():
                name.replace(target)
        store.sync(path.parent)
    return Recovery(aside, last_backup(path, backups))


def sound_rows(damaged: Path) -> int:
    """How many rows of a damaged file are sound, from the first on. Changes nothing."""
    try:
        with checks.reading(damaged), closing(store.reader(damaged)) as connection:
            return len(checks.sound_rows(connection)[1])
    except (BadInput, Fault):
        return 0


def salvage(damaged: Path, folder: Path) -> Path:
    """A game of the sound rows of a damaged file, and of all else in it that is as it was sealed.

    Raises:
        BadInput: nothing of it is sound (``journal.damaged``), or the game is there already.
        Fault: the disk does not let us.
    """
    with checks.reading(damaged), closing(store.reader(damaged)) as connection:
        header, rows = checks.sound_rows(connection)
        if not rows:
            raise checks.damaged(damaged, 0)
        target = _target(damaged, folder, header)
        lasting = {r.seq for r in rows}
        with store.filled(target, header) as saved:
            for row in rows:
                store.insert(saved, row)
            for seq, data in checks.sealed(connection, "snapshots"):
                if seq in lasting:
                    store.insert_snapshot(saved, seq, canonical(store.unpack(data)), keep=False)
            for ident, reply in checks.sealed(connection, "replies"):
                answered = store.json_of(reply)
                if answered.get("seq") in lasting:  # a row that is lost was never done
                    store.insert_reply(saved, ident, answered)
            for key, value in checks.sealed(connection, "kept"):
                store.insert_kept(saved, key, store.json_of(value))
    return target


def rows_of(backup: Path) -> int:
    """How many rows a backup has: its name says so."""
    match = _BACKUP.fullmatch(backup.name)
    return int(match["seq"]) if match else 0


def check_chain(path: Path) -> list[Problem]:
    """Everything that is wrong with a game's file, empty when it is sound. Changes nothing.

    Raises:
        Fault: the file cannot be read now; that says nothing about what is in it.
    """
    try:
        with _opened(path) as connection:
            return checks.problems(connection)[0]
    except BadInput as problem:
        return [Problem(problem.key, problem.params)]


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    """A reader's connection to a game of our format or an older one."""
    if not path.is_file():
        raise BadInput(str(path), "journal.missing")
    checks.no_export(path)
    with checks.reading(path), closing(store.reader(path)) as connection:
        checks.format_of(connection, path)
        yield connection


def _sound(connection: sqlite3.Connection, path: Path) -> int:
    """How many rows a sound game has. BadInput when it is damaged."""
    found, sound = checks.problems(connection)
    if found:
        raise checks.damaged(path, sound)
    return sound
