"""Reads a scenario file and checks its outer form. The full form: ``companion schema``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.game import BadInput

TOP = ("title", "source", "setup", "given", "chance", "when", "then", "allow_unused", "note")
SETUP = (
    "game",
    "board",
    "species",
    "mode",
    "players",
    "numbers",
    "switches",
    "preset",
    "tracking",
    "truth",
)


@dataclass(frozen=True, slots=True)
class Case:
    """One rule case. ``path`` names it in messages."""

    path: str
    title: str
    source: tuple[str, ...]
    setup: Mapping[str, Any]
    given: Mapping[str, Any]
    chance: Mapping[str, list[Any]]
    when: tuple[Mapping[str, Any], ...]
    then: Mapping[str, Any]
    allow_unused: bool = False
    extra: Mapping[str, Any] = field(default_factory=dict)


def load_case(path: Path) -> Case:
    """Read one file. BadInput names the file, the place in it and what is wrong."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise BadInput(str(path), "scenario.unreadable", {"reason": str(problem)}) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise BadInput(str(path), "scenario.not_toml", {"reason": str(problem)}) from None
    return parse_case(data, str(path))


def parse_case(data: Mapping[str, Any], path: str = "scenario") -> Case:
    """A case from its TOML data. BadInput as `load_case`."""

    def table(key: str) -> Mapping[str, Any]:
        value = data.get(key, {})
        if not isinstance(value, Mapping):
            raise BadInput(f"{path}: {key}", "scenario.table")
        return value

    for key in data:
        if key not in TOP:
            raise BadInput(f"{path}: {key}", "scenario.unknown", {"allowed": ", ".join(TOP)})
    setup = table("setup")
    for key in setup:
        if key not in SETUP:
            raise BadInput(
                f"{path}: setup.{key}", "scenario.unknown", {"allowed": ", ".join(SETUP)}
            )
    when = data.get("when", [])
    if not isinstance(when, list) or not all(
        isinstance(w, Mapping) and isinstance(w.get("do"), str) for w in when
    ):
        raise BadInput(f"{path}: when", "scenario.when")
    source = data.get("source", [])
    source = [source] if isinstance(source, str) else source
    if not isinstance(source, list) or not all(isinstance(s, str) for s in source):
        raise BadInput(f"{path}: source", "scenario.source")
    chance = table("chance")
    return Case(
        path,
        str(data.get("title", "")),
        tuple(source),
        setup,
        table("given"),
        {k: v if isinstance(v, list) else [v] for k, v in chance.items()},
        tuple(when),
        table("then"),
        bool(data.get("allow_unused", False)),
    )
