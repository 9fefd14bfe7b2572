"""Which base rules are proven, and why the others need not be."""

from __future__ import annotations

import tomllib

import pytest

from companion.library.model import Content
from companion.scenario import load_case
from companion.scenario.coverage import Coverage, cover
from tests.scenario.test_cases import FILES, FOLDER


@pytest.fixture(scope="module")
def covered(content: Content) -> Coverage:
    return cover([load_case(path) for path in FILES], content)


@pytest.fixture(scope="module")
def reasons() -> dict[str, str]:
    """Rule id → why nothing proves it, from ``uncovered.toml``: a reason with its ids."""
    groups = tomllib.loads((FOLDER / "uncovered.toml").read_text("utf-8"))
    return {
        f"BASE-{n:02}": group["reason"] for group in groups["uncovered"] for n in group["rules"]
    }


def test_every_base_rule_is_proven_or_has_a_reason(
    content: Content, covered: Coverage, reasons: dict[str, str]
) -> None:
    base = {r for r in content.rules if r.startswith("BASE-")}
    missing = base - covered.covered() - set(reasons)
    assert not missing, sorted(missing, key=lambda r: int(r[5:]))


def test_no_reason_is_stale(covered: Coverage, reasons: dict[str, str]) -> None:
    assert not set(reasons) & covered.covered()


def test_nothing_fails_or_idles(covered: Coverage) -> None:
    assert not covered.failed
    assert not covered.idle


def test_every_cited_rule_can_be_explained(content: Content, covered: Coverage) -> None:
    assert not set(covered.cases) - set(content.rules)
