"""Every rule case of the project passes, needs its commands, and has the form of the schema."""

from __future__ import annotations

import tomllib
from pathlib import Path

import jsonschema
import pytest

from companion.library.model import Content
from companion.scenario import load_case, run_case
from companion.scenario.schema import scenario_schema

FOLDER = Path(__file__).parents[1] / "scenarios"
FILES = sorted(f for f in FOLDER.glob("*.toml") if f.name != "uncovered.toml")


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_case_passes_and_needs_its_commands(path: Path, content: Content) -> None:
    case = load_case(path)
    result = run_case(case, content)
    assert result.passed, "\n".join(result.problems)
    assert not run_case(case, content, when=False).passed, "it passes with [[when]] emptied"


def test_there_are_cases() -> None:
    assert len(FILES) >= 110


def test_every_source_is_a_known_rule(content: Content) -> None:
    unknown = {
        (path.name, rule)
        for path in FILES
        for rule in load_case(path).source
        if rule not in content.rules
    }
    assert not unknown


def test_the_schema_accepts_every_case() -> None:
    validator = jsonschema.Draft202012Validator(scenario_schema())
    jsonschema.Draft202012Validator.check_schema(scenario_schema())
    for path in FILES:
        errors = [e.message for e in validator.iter_errors(tomllib.loads(path.read_text("utf-8")))]
        assert not errors, (path.name, errors)


@pytest.mark.parametrize(
    "text",
    [
        'title = "x"\nwhen = []\n[then]\nfoo = 1',
        'title = "x"\n[[when]]\ndo = "dance"\n[then]',
        'title = "x"\nwhen = []\n[given.rooms.006]\ncolour = "red"\n[then]',
        'title = "x"\nwhen = []\n[setup]\nplayers = []\n[then]',
    ],
)
def test_the_schema_refuses_unknown_words(text: str) -> None:
    validator = jsonschema.Draft202012Validator(scenario_schema())
    assert list(validator.iter_errors(tomllib.loads(text)))
