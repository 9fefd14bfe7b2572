"""The rows of a journal and the hash chain that ties them together. Pure."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from companion.game.errors import BadInput
from companion.game.state import canonical

KINDS = ("command", "answer", "step", "undo", "redo", "ledger")


@dataclass(frozen=True, slots=True)
class Row:
    """One input of the game and what came of it. ``hash`` covers every other field."""

    seq: int  # 1, 2, … without a gap
    kind: str  # one of KINDS
    at: str  # wall time, ISO 8601 UTC; written, never compared
    input: dict[str, Any]  # the command as accepted
    draws: list[dict[str, Any]]
    events: list[dict[str, Any]]
    state: str  # digest of the state after the row
    previous: str  # hash of the row before; of the header for row 1
    hash: str

    def body(self) -> dict[str, Any]:
        """All fields but the hash, as JSON data."""
        return {
            "seq": self.seq,
            "kind": self.kind,
            "at": self.at,
            "input": self.input,
            "draws": self.draws,
            "events": self.events,
            "state": self.state,
            "previous": self.previous,
        }

    def to_json(self) -> dict[str, Any]:
        """All fields, as JSON data."""
        return {**self.body(), "hash": self.hash}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Row:
        """The inverse of `to_json`. Raises TypeError for a missing, foreign or mistyped field."""
        row = cls(**data)
        kinds = (
            (row.seq, int),
            (row.input, dict),
            (row.draws, list),
            (row.events, list),
            *((text, str) for text in (row.kind, row.at, row.state, row.previous, row.hash)),
        )
        for value, kind in kinds:
            if type(value) is not kind:
                raise TypeError(f"a row holds {value!r} where {kind.__name__} belongs")
        if row.kind not in KINDS:
            raise TypeError(f"there is no row of kind {row.kind!r}")
        return row


def seal(*parts: str | bytes | int) -> str:
    """SHA-256 over the parts in order, with their borders: notices any change of stored bytes."""
    digest = hashlib.sha256()
    for part in parts:
        raw = part if isinstance(part, bytes) else str(part).encode()
        digest.update(len(raw).to_bytes(8, "big") + raw)
    return digest.hexdigest()


def spelled(path: str, data: Any) -> str:
    """The canonical text of ``data`` (`companion.game.state.canonical`).

    Raises:
        BadInput: it is not JSON data (``journal.not_json``): a NaN, half a character, an object.
    """
    try:
        text = json.dumps(
            data, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
        )
        text.encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise BadInput(path, "journal.not_json") from error
    return text


def exact(path: str, data: Any) -> Any:
    """``data`` as it will be read back from the file, keys in order. Raises like `spelled`."""
    text = spelled(path, data)
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(path, "journal.not_json") from error


def genesis(header: Mapping[str, Any]) -> str:
    """What row 1 names as previous: the hash of the header."""
    return hashlib.sha256(canonical(dict(header)).encode()).hexdigest()


def link(
    last: Row | None,
    header: Mapping[str, Any],
    *,
    kind: str,
    at: str,
    input: Mapping[str, Any],
    draws: Iterable[Mapping[str, Any]],
    events: Iterable[Mapping[str, Any]],
    state: str,
) -> Row:
    """The row that follows ``last``. Raises BadInput (``journal.kind``, ``journal.not_json``)."""
    if kind not in KINDS:
        raise BadInput("kind", "journal.kind", {"value": kind[:20]})
    row = Row(
        last.seq + 1 if last else 1,
        kind,
        at,
        exact("input", dict(input)),
        exact("draws", [dict(d) for d in draws]),
        exact("events", [dict(e) for e in events]),
        state,
        last.hash if last else genesis(header),
        "",
    )
    return Row(**{**row.body(), "hash": hash_of(row)})


def hash_of(row: Row) -> str:
    """The hash the row must carry."""
    return hashlib.sha256(canonical(row.body()).encode()).hexdigest()


def breaks(
    header: Mapping[str, Any], rows: Iterable[Row], last: Row | None = None
) -> Iterator[tuple[int, str]]:
    """Where the chain after ``last`` is broken: pairs of a row's number and what is wrong with it.

    ``order`` (a number is missing or twice), ``hash`` (the row is not as written), ``link`` (it
    does not follow the row before).
    """
    expected, previous = (last.seq + 1, last.hash) if last else (1, genesis(header))
    for row in rows:
        if row.seq != expected:
            yield row.seq, "order"
        elif row.hash != hash_of(row):
            yield row.seq, "hash"
        elif row.previous != previous:
            yield row.seq, "link"
        expected, previous = row.seq + 1, row.hash


def standing(rows: Iterable[Row]) -> list[Row]:
    """The rows that stand, in order: without the undone ones and the undoing itself."""
    left: list[Row] = []
    for row in rows:
        if row.kind == "undo":
            first = int(row.input["to"])
            left = [r for r in left if r.seq < first]
        else:
            left.append(row)
    return left
