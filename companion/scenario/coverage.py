"""Which rules the cases really prove: cited by a passing case that fails without its commands."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from companion.library import check_components
from companion.library.model import Content
from companion.scenario.case import Case
from companion.scenario.runner import run_case

#: In a folder of cases the list of rules that none proves, no case itself.
UNCOVERED = "uncovered.toml"


@dataclass(slots=True)
class Coverage:
    """Per rule id the cases that prove it; rules that only the content check proves.

    ``reasons`` stand beside the rules that nothing proves; `cover` leaves them to whoever knows
    where the cases lie (`reasons_in`).
    """

    cases: dict[str, list[str]] = field(default_factory=dict)
    components: set[str] = field(default_factory=set)
    reasons: dict[str, str] = field(default_factory=dict)  # why nothing proves a rule
    idle: list[str] = field(default_factory=list)  # cases that pass with their commands emptied
    failed: list[str] = field(default_factory=list)

    def covered(self) -> set[str]:
        """All proven rule ids."""
        return set(self.cases) | self.components


def reasons_in(folder: Path) -> dict[str, str]:
    """Rule id → why no case of a folder proves it, from its ``uncovered.toml``; empty without."""
    path = folder / UNCOVERED
    if not path.is_file():
        return {}
    groups = tomllib.loads(path.read_text("utf-8"))["uncovered"]
    return {rule: group["reason"] for group in groups for rule in group["rules"]}


def cover(cases: Iterable[Case], content: Content) -> Coverage:
    """Run every case as it is and with ``[[when]]`` emptied."""
    found = Coverage()
    for case in cases:
        result = run_case(case, content)
        if not result.passed:
            found.failed.append(case.path)
            continue
        if run_case(case, content, when=False).passed:
            found.idle.append(case.path)
            continue
        for rule in result.rules:
            found.cases.setdefault(rule, []).append(case.path)
    found.components = {rule for rule, ok, _ in check_components(content) if ok}
    return found
