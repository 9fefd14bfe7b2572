"""The JSON Schema of a scenario file: the words of docs/scenarios.md, for editors and tests."""

from __future__ import annotations

from typing import Any

from companion.rules import VERBS
from companion.rules.species import strategy, written
from companion.scenario.case import SETUP
from companion.scenario.given import DOORS
from companion.scenario.people import STATES
from companion.scenario.queue import QUEUES

DRAFT = "https://json-schema.org/draft/2020-12/schema"
#: Words of ``do`` that the table knows beside the verbs of the rules.
TABLE_WORDS = ("answer", "by_hand", "undo", "redo", "next", "unpack")
#: What ``[then]`` may say of the end of a game.
ENDS = ("ending", "over", "ship_destroyed", "reached", "winners", "verdicts")
EXPECTED = ("log", "instructions", "prompt", "refused", "view", "not")

_COUNT = {"type": "integer", "minimum": 0}
_FLAG = {"type": "boolean"}
_TEXTS = {"type": "array", "items": {"type": "string"}}
_COUNTS = {"type": "object", "additionalProperties": _COUNT}
_PIECES = {"anyOf": [{"type": "array"}, _COUNTS]}
_ROOM = {"type": ["string", "integer"]}


def scenario_schema() -> dict[str, Any]:
    """The schema of one file, as TOML gives it."""
    return {
        "$schema": DRAFT,
        "type": "object",
        "properties": {
            "title": {"type": "string"},
            "source": {"anyOf": [{"type": "string"}, _TEXTS]},
            "note": {"type": "string"},
            "allow_unused": _FLAG,
            "setup": _setup(),
            "given": _closed(_given()),
            "chance": _closed({key: {} for key in QUEUES}),
            "when": {"type": "array", "items": _when()},
            "then": _then(),
        },
        "required": ["title", "when", "then"],
        "additionalProperties": False,
    }


def _closed(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _each(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": _closed(properties)}


def _setup() -> dict[str, Any]:
    words: dict[str, Any] = {key: {"type": "string"} for key in SETUP}
    tables = {key: {"type": "object"} for key in ("switches", "tracking", "truth")}
    players = {
        "players": {**_TEXTS, "minItems": 1, "maxItems": 5},
        "numbers": {
            "anyOf": [
                {"type": "array", "items": {"type": "integer", "minimum": 1, "maximum": 5}},
                {"const": "dealt"},
            ]
        },
    }
    flags = dict.fromkeys(("solo", "coop", "intruder_player", "draft"), _FLAG)
    return _closed({**words, **tables, **players, **flags, "flags": _TEXTS})


def _given() -> dict[str, Any]:
    space = {"noise": _FLAG}
    return {
        "first_player": {"type": ["integer", "string"]},
        "intruder_player": {"type": ["integer", "string"]},
        "round": _COUNT,
        "phase": {"enum": ["player", "event", "over"]},
        "destination": {"enum": ["A", "B", "C", "D"]},
        "nest_destroyed": _FLAG,
        "queen_killed": _FLAG,
        "coop": _FLAG,
        "first_death": _FLAG,
        "met": _FLAG,
        "bag": _PIECES,
        "tracks": _closed({"time": _COUNT, "self_destruct": {"anyOf": [_COUNT, {"const": False}]}}),
        "rooms": _each(_room()),
        "corridors": _each({**space, "door": {"enum": list(DOORS)}}),
        "spaces": _each(space),
        "technical": _closed(space),
        "technical_red": _closed(space),
        "technical_blue": _closed(space),
        "characters": _each(_character()),
        "eggs": _COUNT,
        "intruder_board": _PIECES,
        "own": {"type": "object"},
        "weaknesses": {"anyOf": [_TEXTS, {"type": "object"}]},
        "hidden_weaknesses": {"anyOf": [_TEXTS, {"type": "object"}]},
        "airlock": _ROOM,
        "engines": {"type": "object", "additionalProperties": {"enum": ["working", "damaged"]}},
        "coordinates": _TEXTS,
        "adaptations": {"anyOf": [_TEXTS, {"type": "object"}]},
        "decks": _each({"deck": _TEXTS, "discard": _TEXTS}),
        "supply": _COUNTS,
        "pods": {"type": "object", "additionalProperties": {"enum": ["a", "b", "A", "B", False]}},
        "locked": {"type": "array"},
        "learnt": {"type": "object"},
        "unsure": _TEXTS,
    }


def _room() -> dict[str, Any]:
    return {
        "explored": _FLAG,
        "tile": {"type": "string"},
        "exploration": {"type": "string"},
        "token": {"type": "string"},
        "exploration_token": {"type": "string"},
        "items": _COUNT,
        "item_counter": _COUNT,
        "fire": _FLAG,
        "malfunction": _FLAG,
        "intruders": _PIECES,
        "objects": _PIECES,
    }


def _character() -> dict[str, Any]:
    wounds = {"anyOf": [{"type": "integer", "minimum": 0, "maximum": 3}, {"type": "array"}]}
    cards = ("action", "infected", "clean", "unscanned", "contamination")
    return {
        "room": _ROOM,
        "state": {"enum": list(STATES)},
        "pod": {"type": ["string", "integer"]},
        "hand": {"anyOf": [_COUNT, {"enum": ["unknown", False]}]},
        "action_cards": _COUNT,
        "light_wounds": _COUNT,
        "serious_wounds": wounds,
        "dressed_wounds": wounds,
        "slime": _FLAG,
        "signal": _FLAG,
        "passed": _FLAG,
        "larva": _FLAG,
        "cards": _closed(dict.fromkeys(cards, _COUNT)),
        "contamination": _COUNT,
        "insanity": {"type": "integer", "minimum": 0, "maximum": 5},
        "mutation": {"type": ["string", "boolean"]},
        "mutation_markers": {"type": "integer", "minimum": 0, "maximum": 3},
        "objects": _PIECES,
        "objectives": _TEXTS,
        "kept": {"type": "string"},
    }


def _when() -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {"do": {"enum": sorted({*VERBS, *TABLE_WORDS})}},
        "required": ["do"],
    }


def _then() -> dict[str, Any]:
    """Words of ``[given]`` and more; every one may be stated in part, so values are open."""
    special = {
        "log": _TEXTS,
        "instructions": {"type": "array", "items": {"type": "object"}},
        "prompt": {"type": ["boolean", "object"]},
        "refused": {"type": ["boolean", "string"]},
        "view": {"type": "object"},
        "not": {"type": "object"},
    }
    own = (word for species in written() for word in strategy(species).view_words)
    more: dict[str, Any] = {key: {} for key in (*ENDS, "agenda", *sorted(own))}
    return _closed({**{key: {} for key in _given()}, **more, **special})
