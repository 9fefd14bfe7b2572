"""``companion schema --json``: every format, and within a major version they only grow."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from companion.cli.tools import all_schemas
from companion.library import load_content
from companion.table import views
from companion.table.fairness import SealedChance, seal
from companion.table.journal import MemoryJournal
from companion.table.table import Table

GOLDEN = Path(__file__).parent / "golden" / "schema.json"


def test_golden_copy() -> None:
    """To accept a change that only adds: ``companion schema --json > tests/golden/schema.json``."""
    assert json.loads(GOLDEN.read_text("utf-8")) == json.loads(json.dumps(all_schemas()))


@pytest.mark.parametrize("name", sorted(all_schemas()))
def test_schemas_are_schemas(name: str) -> None:
    schema = all_schemas()[name]
    for one in schema.values() if name == "content" else [schema]:
        Draft202012Validator.check_schema(one)


@pytest.fixture
def table() -> Table:
    journal = MemoryJournal({"game": "schema"})
    seal(journal)
    return Table(load_content(), journal, SealedChance(journal, "schema"))


def test_what_is_said_fits_the_schemas(table: Table) -> None:
    schemas = {name: Draft202012Validator(s) for name, s in all_schemas().items()}
    given: list[dict[str, Any]] = [
        {"id": "a", "do": "setup", "players": ["captain", "scout"], "by": "table"},
        {"id": "b", "do": "move", "seat": 1, "to": "014", "by": "seat:1"},
        {"id": "c", "do": "answer", "value": "cabins", "by": "table"},
        {"id": "d", "do": "undo", "by": "scenario"},
        {"id": "e", "do": "event_phase", "by": "host"},
    ]
    for one in given:
        schemas["command"].validate(one)
        schemas["reply"].validate(table.command(one))
        for audience in ("table", "host", "seat:1"):
            seen = json.loads(json.dumps(views.view(table, audience)))
            schemas["view"].validate(seen)
            for asked in seen["prompts"]:
                schemas["prompt"].validate(asked)
    for row in table.journal.rows():
        for told in row.events:
            schemas["event"].validate(told)


@pytest.mark.parametrize(
    "wrong",
    [
        {"do": "fly"},
        {"do": "move", "seat": 1},
        {"do": "move", "seat": 1, "to": "014", "speed": 3},
        {"do": "contaminate", "seat": 1, "count": -1},
        {"do": "contaminate", "seat": 1, "count": 10**6},
        {"id": "", "do": "undo"},
    ],
)
def test_wrong_commands_do_not_fit(wrong: dict[str, Any]) -> None:
    assert list(Draft202012Validator(all_schemas()["command"]).iter_errors(wrong))
