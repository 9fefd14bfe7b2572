"""Which rules the cases really prove: cited by a passing case that fails without its commands."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from companion.library import check_components
from companion.library.model import Content
from companion.scenario.case import Case
from companion.scenario.runner import run_case


@dataclass(slots=True)
class Coverage:
    """Per rule id the cases that prove it; rules that only the content check proves."""

    cases: dict[str, list[str]] = field(default_factory=dict)
    components: set[str] = field(default_factory=set)
    idle: list[str] = field(default_factory=list)  # cases that pass with their commands emptied
    failed: list[str] = field(default_factory=list)

    def covered(self) -> set[str]:
        """All proven rule ids."""
        return set(self.cases) | self.components


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
