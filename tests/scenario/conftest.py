"""Cases written inline, run against the box's own content."""

from __future__ import annotations

import tomllib
from collections.abc import Callable

import pytest

from companion.library import load_content
from companion.library.model import Content
from companion.scenario import Result, run_case
from companion.scenario.case import parse_case

Runner = Callable[[str], Result]


@pytest.fixture(scope="session")
def content() -> Content:
    return load_content()


@pytest.fixture
def case(content: Content) -> Runner:
    """Runs a case given as TOML text."""

    def run(text: str) -> Result:
        return run_case(parse_case(tomllib.loads(text), "case.toml"), content)

    return run
