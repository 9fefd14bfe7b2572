"""Makes a table be where its journal ends, in the middle of a question too.

A game that began with another edition of the rules goes on by these: what stands in the journal
stays as it was told. Only what was said last is worked out again; where these rules cannot, it is
left to the table, as a step closed by hand, and the host is told.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from companion.game import CompanionError, Fault
from companion.rules import RULES, Play, closed_by_hand
from companion.table.history import Group
from companion.table.journal import Row

if TYPE_CHECKING:
    from companion.game import State
    from companion.table.history import Root
    from companion.table.table import Table

#: How a run can end that other rules wrote down: a verb, a step, an answer or a draw they know not.
OTHERWISE = (CompanionError, LookupError, RuntimeError, TypeError, ValueError)


def reopen(table: Table) -> None:
    """Read the journal. Raises Fault when its last row comes out otherwise than written."""
    roots: dict[int, list[Row]] = {}  # each root's row and those of its answers
    current: Row | None = None
    for row in table.journal.rows():
        do = row.input.get("do")
        group = table.history.current
        if row.kind == "ledger":
            table.ledger.apply(row.input)
            if row.events:
                table.note(row, None)
            continue
        current = row
        if row.kind == "undo":
            table.note_undo(row)
        elif "root" in row.input or "closes" in row.input:
            assert group
            if "root" in row.input:
                roots[row.input["root"]].append(row)
            table.note_answer(row, group)
        else:
            roots[row.seq] = [row]
            if group is None or row.kind != "step" or do == "next":
                group = Group(row.seq, [row.input])
                table.history.done.append(group)
                table.history.branch(row.kind)
            table.history.stored(row.seq)
            table.note(row, group)
    if current is not None:
        _resume(table, current, roots)


def _resume(table: Table, current: Row, roots: Mapping[int, Sequence[Row]]) -> None:
    if current.kind == "undo":
        table.state = table.before(int(current.input["to"]))
        return
    closes = current.input.get("closes")
    parts = roots[int(closes or current.input.get("root", current.seq))]
    row = parts[0]
    before = table.before(row.seq)
    played = table.journal.header.get("rules")
    if played != RULES:
        known = {"played": str(played), "known": str(RULES), "n": str(table.seq)}
        table.resumed = ("resumed.older", known)
    root = None
    try:
        root = _root(table, row, before)
        _again(table, root, parts)
    except OTHERWISE:
        if played == RULES:
            raise
        table.resumed = ("resumed.left", known)
        table.state, table.root = before.copy(), None
        closed_by_hand(Play(table.state, table.content), root.verb.touches if root else ())
        return
    if closes is not None:
        closed_by_hand(Play(table.state, table.content), root.verb.touches)
        table.root = None
    if played == RULES and table.state.digest() != current.state:
        raise Fault("journal", "journal.diverged", {"row": current.seq}, temporary=False)


def _root(table: Table, row: Row, before: State) -> Root:
    if row.kind == "step" or row.input["do"] == "next":
        return table.step_of(row.seq, before)
    command = dict(row.input)
    forced = command.pop("anyway", False)
    return table.root_of(row.seq, command, before, forced=forced)


def _again(table: Table, root: Root, parts: Sequence[Row]) -> None:
    for part in parts:
        root.drawn += [d["value"] for d in part.draws if d["by"] == "box"]
        if part is not parts[0]:
            root.answers[int(part.input["number"])] = part.input["value"]
    result = table.execute(root)
    root.events, root.draws, root.open = len(result.events), len(result.drawn), result.open
    table.state = result.state
    table.root = None if result.finished else root
