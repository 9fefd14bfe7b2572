"""JSON Schemas of what crosses the edge: commands, prompts, events, replies, views.

Made from the register of verbs and the contracts in docs/architecture.md; a golden copy is under
test, and within a major version it only grows.
"""

from __future__ import annotations

from typing import Any

from companion.game.procedure import KINDS
from companion.rules import VERBS
from companion.rules.verbs import Arg

DRAFT = "https://json-schema.org/draft/2020-12/schema"
TABLE_VERBS: dict[str, dict[str, Any]] = {
    "answer": {"prompt": {"type": "string"}, "seat": {"type": "integer"}, "value": {}},
    "next": {"step": {"type": "string"}},
    "undo": {
        "target": {"type": "integer"},
        "confirm": {"type": "boolean"},
        "because": {"const": "interruption"},
    },
    "redo": {},
    "by_hand": {},
    "tick": {
        "instruction": {"type": "string"},
        "batch": {"type": "integer"},
        "group": {"type": "string"},
        "check": {"type": "string", "maxLength": 40},
        "done": {"type": "boolean"},
    },
    "join": {
        "seat": {"type": "integer", "minimum": 1, "maximum": 5},
        "name": {"type": "string"},
        "language": {"type": "string"},
        "character": {"type": "string"},
        "present": {"type": "boolean"},
        "phone": {"enum": ["code", "pin", "lent"]},
    },
    "ignore": {"difference": {"type": "string"}},
    "statistics": {"on": {"type": "boolean"}},
    "note": {"text": {"type": "string"}},
    "unpack": {},
}


def _arg(arg: Arg) -> dict[str, Any]:
    match arg.kind:
        case "seat":
            return {"type": ["integer", "string"], "description": "a seat or a character"}
        case "count":
            return {"type": "integer", "minimum": arg.low, "maximum": arg.high}
        case "flag":
            return {"type": "boolean"}
        case "data":
            return {}
        case "word" if arg.words:
            return {"type": "string", "enum": list(arg.words)}
    return {"type": "string", "maxLength": 80, "description": f"a {arg.kind}"}


def commands() -> dict[str, Any]:
    """A command: one of the verbs, each with its own arguments."""
    common = {
        "id": {"type": "string", "minLength": 1, "maxLength": 36},
        "by": {"type": "string", "pattern": "^(table|host|device|scenario|seat:[1-5])$"},
        "game_id": {"type": "string"},
        "base": {"type": "integer"},
    }
    verbs = []
    for name, verb in sorted(VERBS.items()):
        verbs.append(
            {
                "properties": {
                    "do": {"const": name},
                    **common,
                    **{a: _arg(arg) for a, arg in verb.args.items()},
                },
                "required": ["do", *(a for a, arg in verb.args.items() if arg.required)],
                "additionalProperties": False,
            }
        )
    for name, properties in sorted(TABLE_VERBS.items()):
        verbs.append(
            {"properties": {"do": {"const": name}, **common, **properties}, "required": ["do"]}
        )
    return {"$schema": DRAFT, "type": "object", "oneOf": verbs}


def prompts() -> dict[str, Any]:
    """An open question."""
    option = {
        "type": "object",
        "properties": {
            "id": {},
            "key": {"type": "string"},
            "params": {"type": "object"},
        },
        "required": ["id", "key", "params"],
    }
    return {
        "$schema": DRAFT,
        "type": "object",
        "properties": {
            "id": {"type": "string", "pattern": r"^p\d+\.\d+$"},
            "to": {
                "oneOf": [
                    {"const": "any"},
                    {"type": "array", "items": {"type": "string", "pattern": "^seat:[1-5]$"}},
                ]
            },
            "kind": {"enum": list(KINDS)},
            "key": {"type": "string"},
            "params": {"type": "object"},
            "options": {"type": "array", "items": option},
            "prefill": {},
            "multiple": {"type": "boolean"},
            "pieces": {"type": ["array", "null"], "items": {"type": "string"}},
            "free": {"type": "boolean"},
            "rule": {"type": "string"},
            "secret": {"type": "boolean"},
            "by_hand": {"type": "boolean"},
        },
        "required": ["id", "to", "kind", "options", "prefill", "rule", "secret", "by_hand"],
    }


def events() -> dict[str, Any]:
    """An event as the journal keeps it."""
    return {
        "$schema": DRAFT,
        "type": "object",
        "properties": {
            "type": {"type": "string"},
            "rule": {"type": "string"},
            "params": {"type": "object"},
            "to": {"oneOf": [{"const": "public"}, {"type": "array", "items": {"type": "integer"}}]},
            "instructions": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "piece": {"type": "string"},
                        "from": {"type": ["string", "null"]},
                        "to": {"type": ["string", "null"]},
                        "via": {"type": ["string", "null"]},
                    },
                    "required": ["piece", "from", "to", "via"],
                },
            },
        },
        "required": ["type", "rule", "params", "to"],
        "additionalProperties": False,
    }


def replies() -> dict[str, Any]:
    """What a command is answered with."""
    return {
        "$schema": DRAFT,
        "type": "object",
        "properties": {
            "status": {"enum": ["done", "already", "refused", "conflict", "later"]},
            "seq": {"type": "integer"},
            "code": {"type": "string"},
            "params": {"type": "object"},
            "by_hand": {"type": "boolean"},
        },
        "required": ["status", "seq"],
    }


def table_view() -> dict[str, Any]:
    """The keys that every audience's view has."""
    return {
        "$schema": DRAFT,
        "type": "object",
        "properties": {
            "game": {"type": "object"},
            "round": {"type": "integer"},
            "phase": {"enum": ["lobby", "setup", "player", "event", "over"]},
            "step": {"type": ["string", "null"]},
            "agenda": {"type": "array", "items": {"type": "string"}},
            "tracks": {"type": "object"},
            "first_player": {"type": "integer"},
            "turn": {"type": ["integer", "null"]},
            "choices": {"type": "object"},
            "people": {"type": "object"},
            "seats": {"type": "array"},
            "rooms": {"type": "object"},
            "corridors": {"type": "object"},
            "spaces": {"type": "object"},
            "prompts": {"type": "array", "items": prompts()},
            "waiting": {"type": "integer"},
            "instructions": {"type": "array"},
            "log": {"type": "array"},
            "can": {"type": "object"},
            "differences": {"type": "array"},
            "pause": {"type": "boolean"},
            "tracking": {"type": "object"},
            "truth": {"type": "object"},
            "switches": {"type": "object"},
            "preset": {"type": "string"},
            "last_card": {"type": ["object", "null"]},
            "verdicts": {"type": "array", "items": {"type": "object"}},
            "winners": {"type": ["array", "null"], "items": {"type": "integer"}},
            "seal": {"type": ["object", "null"]},
        },
        "required": ["game", "phase", "seats", "rooms", "prompts", "log", "can", "instructions"],
    }


def schemas() -> dict[str, Any]:
    """All schemas of this layer by name."""
    return {
        "command": commands(),
        "prompt": prompts(),
        "event": events(),
        "reply": replies(),
        "view": table_view(),
    }
