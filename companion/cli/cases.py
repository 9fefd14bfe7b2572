"""Rule cases on the command line: run, record, coverage."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from companion.cli import DONE, FAILED, UNAVAILABLE, USAGE, explain, sub, write
from companion.game import BadInput, Fault
from companion.library import load_content
from companion.locale import Words
from companion.scenario import Case, Result, load_case, run_case
from companion.scenario.coverage import UNCOVERED, cover, reasons_in


def add(commands: Any, say: Words) -> None:
    """Register ``companion scenario``."""
    scenario = sub(commands, "scenario", say)
    kinds = scenario.add_subparsers(dest="kind", required=True, parser_class=type(scenario))
    run = sub(kinds, "scenario.run", say, run_files)
    run.add_argument("files", nargs="+", type=Path, metavar="FILE")
    run.add_argument("--json", action="store_true")
    coverage = sub(kinds, "scenario.coverage", say, show_coverage)
    coverage.add_argument("files", nargs="*", type=Path, metavar="FILE")
    coverage.add_argument("--json", action="store_true")
    record = sub(kinds, "scenario.record", say, record_game)
    record.add_argument("game", type=Path)
    record.add_argument("--out", type=Path)


def expand(files: list[Path]) -> list[Path]:
    """Files as named; a folder stands for the .toml files in it and below."""
    found: list[Path] = []
    for file in files:
        inside = [f for f in sorted(file.rglob("*.toml")) if f.name != UNCOVERED]
        found += inside if file.is_dir() else [file]
    if not found:
        raise BadInput(", ".join(map(str, files)), "scenario.no_files")
    return found


def run_files(options: argparse.Namespace, say: Words) -> int:
    """``companion scenario run``: pass or fail per file, a diff, a closing count.

    Of several files the exit code is 1 when a case failed, else 2 when one is no case, else 3 when
    one cannot be read.
    """
    content = load_content()
    results: list[tuple[Path, Result | None, list[str]]] = []
    codes = {DONE}
    for path in expand(options.files):
        try:
            result = run_case(load_case(path), content)
            results.append((path, result, [line.sentence(say) for line in result.problems]))
            codes.add(DONE if result.passed else USAGE if result.bad else FAILED)
        except (BadInput, Fault) as problem:
            results.append((path, None, [explain(problem, say)]))
            codes.add(USAGE if isinstance(problem, BadInput) else UNAVAILABLE)
    passed = sum(bool(r and r.passed) for _, r, _ in results)
    if options.json:
        print(json.dumps([_json(p, r, lines) for p, r, lines in results], ensure_ascii=False))
    else:
        for path, one, lines in results:
            key = "cli.scenario.pass" if one and one.passed else "cli.scenario.fail"
            print(say.say(key, {"file": str(path)}))
            for line in lines:
                print(f"    {line}")
        print(say.say("cli.scenario.count", {"n": len(results), "passed": passed}))
    return next(code for code in (FAILED, USAGE, UNAVAILABLE, DONE) if code in codes)


def _json(path: Path, result: Result | None, lines: list[str]) -> dict[str, Any]:
    return {
        "file": str(path),
        "title": result.case.title if result else "",
        "passed": bool(result and result.passed),
        "problems": lines,
        "rules": sorted(result.rules) if result else [],
    }


def default_cases() -> list[Path]:
    """The project's own cases, where this is a checkout."""
    folder = Path(__file__).resolve().parents[2] / "tests" / "scenarios"
    return [folder] if folder.is_dir() else []


def show_coverage(options: argparse.Namespace, say: Words) -> int:
    """``companion scenario coverage``: per rule id the cases that prove it, or why none does."""
    content = load_content()
    places = options.files or default_cases()
    cases: list[Case] = [load_case(f) for f in expand(places)]
    found = cover(cases, content)
    for place in places:
        found.reasons |= reasons_in(place)
    rules = list(content.rules)
    if options.json:
        data = {
            "rules": {r: [Path(p).name for p in found.cases.get(r, [])] for r in rules},
            "components": sorted(found.components),
            "reasons": found.reasons,
            "idle": found.idle,
            "failed": found.failed,
        }
        print(json.dumps(data, ensure_ascii=False, indent=1))
    else:
        for rule in rules:
            by = [Path(p).name for p in found.cases.get(rule, [])]
            if not by and rule in found.components:
                by = [say.say("cli.coverage.content")]
            if not by:
                by = [f"- {found.reasons.get(rule) or say.say('cli.coverage.nothing')}"]
            print(f"{rule}: {', '.join(by[:6])}{' …' if len(by) > 6 else ''}")
        covered = found.covered()
        print(say.say("cli.coverage.count", {"n": len(covered & set(rules)), "all": len(rules)}))
        for path in found.idle:
            print(say.say("cli.coverage.idle", {"file": path}))
        for path in found.failed:
            print(say.say("cli.scenario.fail", {"file": path}))
    return FAILED if found.failed or found.idle else DONE


def record_game(options: argparse.Namespace, say: Words) -> int:
    """``companion scenario record GAME``: the game as a rule case, redacted unless it is over."""
    from companion.scenario.record import record
    from companion.table.games import open_game

    table = open_game(options.game, load_content())
    try:
        text = record(table)
    finally:
        table.journal.close()
    if options.out:
        write(options.out, text)
        print(say.say("cli.recorded", {"path": str(options.out)}))
    else:
        print(text)
    return DONE
