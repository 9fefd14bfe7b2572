"""What of a journal may leave the box while the game runs.

A redacted row is built up from nothing by lists of what is public; what nobody listed is not
there. Digests of state and row are left out too: with so few objectives, a digest could be tried
against every hand.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.game.procedure import PUBLIC
from companion.rules import VERBS
from companion.table.chain import Row

#: Header words anybody may read.
HEADER = (
    "format",
    "game",
    "rules",
    "content",
    "content_hash",
    "commitment",
    "created",
    "simulated",
)
#: Draws whose outcome lies open on the table at once.
DRAWS = ("noise", "combat", "bag", "event", "attack", "panic", "wound")
#: Arguments beside those that a verb declares. A note is free text and a name a person's: neither.
INPUTS: Mapping[str, tuple[str, ...]] = {
    "answer": ("prompt", "root", "number"),
    "by_hand": ("closes", "unsure"),
    "ignore": ("difference",),
    "join": ("seat", "language", "character", "phone"),
    "next": ("step",),
    "note": (),
    "rearrange": ("pieces",),
    "redo": (),
    "setup": ("players", "tracking", "truth", "switches", "digital"),
    "step": ("step",),
    "tick": ("instruction", "batch", "group", "check", "done"),
    "undo": ("to", "because"),
    "unpack": (),
}
EVENT = ("type", "rule", "params", "to", "instructions")
ROOT = ("do", "by", "anyway")


def header(data: Mapping[str, Any]) -> dict[str, Any]:
    """The public words of a journal's header."""
    return {name: data[name] for name in HEADER if name in data}


def row(whole: Row) -> dict[str, Any]:
    """What the whole table saw of a row."""
    return {
        "seq": whole.seq,
        "kind": whole.kind,
        "at": whole.at,
        "input": _input(whole),
        "draws": [_draw(draw, open_to_all(whole)) for draw in whole.draws],
        "events": [
            {name: event[name] for name in EVENT if name in event}
            for event in whole.events
            if event.get("to") == PUBLIC
        ],
    }


def open_to_all(whole: Row) -> bool:
    """Whether nothing in a row was for some seats only."""
    secret = whole.input.get("secret", whole.input.get("do") == "answer")
    return secret is False and all(e.get("to") == PUBLIC for e in whole.events)


def _input(whole: Row) -> dict[str, Any]:
    do = str(whole.input.get("do", ""))
    allowed = [*ROOT, *INPUTS.get(do, ())]
    if do in VERBS:
        allowed += [name for name, arg in VERBS[do].args.items() if arg.kind != "data"]
    if do == "answer" and open_to_all(whole):
        allowed.append("value")
    shown = {name: whole.input[name] for name in allowed if name in whole.input}
    if set(whole.input) - set(shown):
        shown["hidden"] = True
    return shown


def _draw(draw: Mapping[str, Any], shown: bool) -> dict[str, Any]:
    if not shown or draw.get("purpose") not in DRAWS:
        return {"hidden": True}
    return {name: draw[name] for name in ("purpose", "count", "size", "value", "by")}
