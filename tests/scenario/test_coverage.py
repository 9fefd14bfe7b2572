"""Which rules are proven, and why the others need not be."""

from __future__ import annotations

import re

import pytest

from companion.library.model import Content
from companion.scenario import load_case
from companion.scenario.coverage import Coverage, cover, reasons_in
from tests.scenario.test_cases import FILES, FOLDER


@pytest.fixture(scope="module")
def covered(content: Content) -> Coverage:
    return cover([load_case(path) for path in FILES], content)


@pytest.fixture(scope="module")
def reasons() -> dict[str, str]:
    """Rule id → why nothing proves it, from ``uncovered.toml``: a reason with its ids."""
    return reasons_in(FOLDER)


def test_every_base_rule_and_ruling_is_proven_or_has_a_reason(
    content: Content, covered: Coverage, reasons: dict[str, str]
) -> None:
    base = {r for r in content.rules if r.startswith(("BASE-", "FAQ-A", "VS-", "FAQ-V"))}
    missing = base - covered.covered() - set(reasons)
    assert not missing, sorted(missing)


def test_every_rule_of_the_carnomorphs_is_proven_or_has_a_reason(
    content: Content, covered: Coverage, reasons: dict[str, str]
) -> None:
    theirs = {r for r in content.rules if r.startswith(("CA-", "FAQ-C"))}
    missing = theirs - covered.covered() - set(reasons)
    assert not missing, sorted(missing)


def test_every_case_that_a_reason_names_is_there(reasons: dict[str, str]) -> None:
    cases = {path.stem for path in FILES}
    named = {
        word for reason in reasons.values() for word in re.findall(r"[a-z]+(?:_[a-z]+)+", reason)
    }
    assert named
    assert named <= cases


def test_no_reason_is_stale(covered: Coverage, reasons: dict[str, str]) -> None:
    assert not set(reasons) & covered.covered()


def test_nothing_fails_or_idles(covered: Coverage) -> None:
    assert not covered.failed
    assert not covered.idle


def test_every_cited_rule_can_be_explained(content: Content, covered: Coverage) -> None:
    assert not set(covered.cases) - set(content.rules)
