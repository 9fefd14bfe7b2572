"""Writes a scenario from a game: a bug report that can be run.

Only a game that is over is recorded whole; of a running one the secrets are left out: objectives,
answers to secret questions, and the draws behind them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from companion.game.state import label_of
from companion.rules import Play
from companion.table import redact
from companion.table.journal import Row
from companion.table.table import Table

LEFT_OUT = (
    *("id", "by", "base", "prompt", "root", "number", "secret", "game_id"),
    *("anyway", "again", "because"),
)
#: Switches that a table has as they are here, and scenarios otherwise.
AT_A_TABLE = {
    "offer_cancels": "yes",
    "ask_last_rounds": "yes",
    "untold_serious_wounds": "no",
    "short_event_phase": "yes",
}
#: Draws of which it matters which of several equal cards came: an answer names it.
WHICH = ("mutation",)


def record(table: Table) -> str:
    """The TOML text of a scenario that replays this game's commands with its draws."""
    over = table.finished
    state = table.state
    rows = list(table.journal.rows())
    setup = _setup_rows(rows)
    lines = [
        "title = " + _toml("Recorded from game " + str(table.journal.header.get("game", ""))),
        "allow_unused = true",
        "",
        "[setup]",
        f"game = {_toml(state.game)}",
        f"board = {_toml(state.board)}",
        f"species = {_toml(state.species)}",
        f"mode = {_toml(state.mode)}",
        f"preset = {_toml(state.preset)}",
        f"players = {_toml([p.character for _, p in sorted(state.seats.items())])}",
        f"numbers = {_toml([p.number for _, p in sorted(state.seats.items())])}",
        f"switches = {_toml({**AT_A_TABLE, **state.switches})}",
        f"truth = {_toml(dict(state.truth))}",
        f"tracking = {_toml(dict(state.tracking))}",
        "",
        "[given]",
        f"bag = {_toml(_starting_bag(setup, over))}",
        *_objectives(setup, table, over),
        *_face_down(setup, table, over),
        "",
    ]
    chance: dict[str, list[Any]] = {}
    commands: list[str] = []
    roots: dict[int, str] = {}
    seen: set[tuple[str, int, str]] = set()
    forced = False  # a refused command and the answers that made it refused come before "anyway"
    for row in rows:
        if row.kind in ("command", "redo", "answer", "undo") or row.input.get("do") == "next":
            if row in setup or not (over or redact.open_to_all(row)):
                continue
            if row.kind == "answer" and row.input["root"] not in roots:
                continue  # its question is left out
            if forced and not row.input.get("again"):
                commands.append(_command({"do": "by_hand"}))
            forced = bool(row.input.get("anyway") or (forced and row.input.get("again")))
            commands.append(_command(row.input))
        if row in setup:
            continue
        if row.kind != "answer":
            roots[row.seq] = _command(row.input)
        root = roots[row.input.get("root", row.seq)]
        for draw in row.draws:
            again = (draw["purpose"], draw["count"], root)
            if again in seen:  # undone and done again: the runner keeps the outcome
                continue
            seen.add(again)
            if draw["by"] == "box" and (over or draw["purpose"] in redact.DRAWS):
                value = draw["value"]
                alike = isinstance(value, str) and draw["purpose"] not in WHICH
                shown = label_of(value) if alike else value
                chance.setdefault(draw["purpose"], []).append(shown)
    if forced:
        commands.append(_command({"do": "by_hand"}))
    if chance:
        lines.append("[chance]")
        lines += [f"{name} = {_toml(values)}" for name, values in sorted(chance.items())]
        lines.append("")
    return "\n".join(lines) + "\n" + "\n".join(commands)


def _setup_rows(rows: Sequence[Row]) -> list[Row]:
    """The rows of the first setup: the command and the answers to its questions."""
    begun = [r.seq for r in rows if r.input.get("do") == "setup"]
    return [r for r in rows if r.seq in begun[:1] or r.input.get("root") in begun[:1]]


def _objectives(setup: Sequence[Row], table: Table, over: bool) -> list[str]:
    """What setup dealt to each character; of a running game, only that the choice is left out."""
    if not over:
        return ["met = true"]
    events = [e for row in setup for e in row.events]
    return [
        f"characters.{table.state.seats[e['params']['seat']].character}.objectives = "
        + _toml(e["params"]["objectives"])
        for e in events
        if e["type"] == "objectives_dealt"
    ]


def _face_down(setup: Sequence[Row], table: Table, over: bool) -> list[str]:
    """What setup laid face down, once the game is over."""
    if not over:
        return []
    drawn: dict[str, list[str]] = {}
    for draw in (d for row in setup for d in row.draws):
        drawn.setdefault(draw["purpose"], []).append(draw["value"])
    lines = []
    if "engine" in drawn:
        tops = {str(n): top for n, top in enumerate(drawn["engine"], start=1)}
        lines.append(f"engines = {_toml(tops)}")
    if "coordinates" in drawn:
        cards = table.content.games[table.state.game].coordinates
        lines.append(f"coordinates = {_toml(list(cards[int(drawn['coordinates'][0]) - 1]))}")
    if "weakness" in drawn:
        slots = Play(table.state, table.content).species.slots
        lines.append(
            f"hidden_weaknesses = {_toml(dict(zip(slots, drawn['weakness'], strict=True)))}"
        )
    return lines


def _starting_bag(setup: Sequence[Row], over: bool) -> Any:
    """What setup put into the bag: how many of a kind; which numbers, only when all is over."""
    events = [e for row in setup for e in row.events]
    amounts: dict[str, int] = next(
        (e["params"]["tokens"] for e in events if e["type"] == "setup_bag"), {}
    )
    if not over or not setup:
        return amounts
    drawn = [
        label_of(d["value"]) for row in setup for d in row.draws if d["purpose"] == "setup_bag"
    ]
    chosen = {label.split("/")[0] for label in drawn}
    return [*(k for k, n in amounts.items() if k not in chosen for _ in range(n)), *drawn]


def _command(given: Mapping[str, Any]) -> str:
    """One command as it was given; that the table forced it is a command of its own."""
    lines = ["[[when]]"]
    left_out = given if given["do"] in ("undo", "redo", "by_hand") else LEFT_OUT
    lines += [
        f"{k} = {_toml(v)}"
        for k, v in given.items()
        if k == "do"
        or (k not in left_out and v is not None)
        or (k == "number" and given.get("secret"))
    ]
    if given["do"] == "event_phase" and "step" not in given:
        lines.append("wait = true")  # the steps that were taken follow as commands
    return "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    """A TOML value on one line: text, numbers, flags, lists and inline tables."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return str(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, Mapping):
        inner = ", ".join(f"{_key(k)} = {_toml(v)}" for k, v in value.items() if v is not None)
        return "{ " + inner + " }" if inner else "{}"
    if isinstance(value, Sequence):
        return "[" + ", ".join(_toml(v) for v in value) + "]"
    raise TypeError(f"no TOML for {type(value).__name__}")


def _key(key: object) -> str:
    text = str(key)
    plain = text.replace("_", "").replace("-", "").isalnum() and text.isascii()
    return text if plain else json.dumps(text)
