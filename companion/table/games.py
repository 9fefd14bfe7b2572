"""Which game is opened: the newest that is not over, or a new one."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from companion.game import BadInput, CompanionError, Fault
from companion.library.model import Content
from companion.rules import RULES
from companion.table.archive import (
    Recovery,
    backup,
    import_game,
    recover,
    rows_of,
    salvage,
    sound_rows,
)
from companion.table.fairness import SECRET, SealedChance, seal
from companion.table.folder import DataFolder
from companion.table.journal import Journal
from companion.table.table import Table
from companion.table.verify import replay


def now() -> datetime:
    """Wall time; written, never compared."""
    return datetime.now(UTC)


def new_game(
    folder: DataFolder,
    content: Content,
    *,
    simulated: bool,
    learnt: Mapping[str, Any] | None = None,
    clock: Callable[[], datetime] = now,
) -> Table:
    """A fresh game in the lobby, with its own journal and sealed seed.

    ``learnt``: the cards entered by hand in the games before (`State.learnt`).
    """
    stamp = clock().strftime("%Y%m%d-%H%M%S")
    ident = f"{stamp}-{secrets.token_hex(2)}"
    secret = _Kept()
    header = {
        "game": ident,
        "rules": RULES,
        "content": content.version,
        "content_hash": content.hash,
        "commitment": seal(secret),
        "created": clock().isoformat(timespec="seconds"),
        "simulated": simulated,
        **({"learnt": dict(learnt)} if learnt else {}),
    }
    journal = Journal.create(folder.game(ident), header, private=secret.values)
    return Table(content, journal, SealedChance(journal, ident))


def open_game(path: Path, content: Content) -> Table:
    """An earlier game, where it was left; in the middle of a question too."""
    journal = Journal.open(path)
    return Table(content, journal, SealedChance(journal, str(journal.header["game"])))


def newest(folder: DataFolder) -> list[Path]:
    """Game files, newest first (their names begin with the date)."""
    return sorted(folder.games.glob("*.game"), reverse=True)


def resume_or_new(
    folder: DataFolder, content: Content, *, simulated: bool
) -> tuple[Table, Recovery | None]:
    """The newest game unless it is over; else a new one.

    A damaged game is moved aside and goes on from its last sound row, or from a backup that holds
    more; the second value says so.
    """
    recovery = None
    learnt: Mapping[str, Any] = {}
    for path in newest(folder)[:1]:
        try:
            table = open_game(path, content)
        except BadInput as problem:
            if problem.code != "journal.damaged":
                raise
            rescued, recovery = rescue(path, folder, content)
            if rescued is None:
                break
            table = rescued
        except Fault as fault:
            if fault.code != "journal.no_snapshot":
                raise
            table = _mended(path, content)
        if not table.finished:
            table.go_on()
            if table.seq:
                backup(folder.game(str(table.journal.header["game"])), folder.backups)
            return table, recovery
        learnt = table.state.learnt
        table.journal.close()
        if recovery is not None:
            recovery = replace(recovery, over=True)
    return new_game(folder, content, simulated=simulated, learnt=learnt), recovery


def rescue(path: Path, folder: DataFolder, content: Content) -> tuple[Table | None, Recovery]:
    """Move a damaged game aside and go on with what holds most of it. Faults of the disk."""
    found = recover(path, folder.backups)
    sound = sound_rows(found.aside)
    copied = rows_of(found.backup) if found.backup else 0
    if sound > copied:
        try:
            table = _mended(salvage(found.aside, folder.games), content)
            return table, Recovery(found.aside, None, sound, turn=table.state.round)
        except CompanionError:  # its rows are sound, but they lead nowhere
            path.unlink(missing_ok=True)
    if found.backup is None:
        return None, found
    table = open_game(import_game(found.backup, folder.games), content)
    return table, Recovery(found.aside, found.backup, copied, turn=table.state.round)


def _mended(path: Path, content: Content) -> Table:
    """A salvaged game; a state that was damaged is played again, a seed that was is drawn anew."""
    with Journal.open(path) as journal:
        seeded = journal.kept(SECRET) is not None
        if not seeded:
            seal(journal)
    try:
        return open_game(path, content)
    except Fault as fault:
        if fault.code != "journal.no_snapshot" or not seeded:
            raise
    with Journal.open(path) as journal:
        again = list(replay(journal, content))[-1]
        for row in journal.rows():
            state = again.journal.snapshot(row.seq)
            if state is not None and journal.snapshot(row.seq) is None:
                journal.remember(row.seq, state)
    return open_game(path, content)


class _Kept:
    """Values to keep before there is a journal to keep them in."""

    def __init__(self) -> None:
        self.values: dict[str, object] = {}

    def kept(self, key: str) -> object:
        return self.values.get(key)

    def keep(self, key: str, value: object) -> None:
        self.values[key] = value
