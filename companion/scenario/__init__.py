"""Rule cases: small TOML files run against the engine. See docs/scenarios.md."""

from companion.scenario.case import Case, load_case
from companion.scenario.runner import Result, run_case

__all__ = ["Case", "Result", "load_case", "run_case"]
