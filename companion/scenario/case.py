"""Reads a scenario file and checks its outer form. The full form: ``companion schema``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.game import BadInput
from companion.game.errors import Fault, why
from companion.library.read import toml_slip

TOP = ("title", "source", "setup", "given", "chance", "when", "then", "allow_unused", "note")
SETUP = (
    "game",
    "board",
    "species",
    "mode",
    "solo",
    "coop",
    "intruder_player",
    "flags",
    "draft",
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


def load_case(path: Path) -> Case:
    """Read one file. BadInput names the file, the place in it and what is wrong; Fault: no file."""
    try:
        raw = path.read_bytes()
        data = tomllib.loads(raw.decode("utf-8"))
    except OSError as problem:
        said = {"path": str(path), **why(problem)}
        raise Fault("file", "scenario.unreadable", said, temporary=False) from None
    except (ValueError, RecursionError) as problem:  # not TOML, not UTF-8, nested without end
        slip, line = toml_slip(problem, raw)
        raise BadInput(str(path), f"scenario.{slip}", {"line": line}) from None
    return parse_case(data, str(path))


def parse_case(data: Mapping[str, Any], path: str = "scenario") -> Case:
    """A case from its TOML data. BadInput as `load_case`."""

    def table(key: str) -> Mapping[str, Any]:
        value = data.get(key, {})
        if not isinstance(value, Mapping):
            raise BadInput(f"{path}: {key}", "scenario.table")
        return value

    known(path, "", data, TOP)
    setup = table("setup")
    known(path, "setup.", setup, SETUP)
    when = data.get("when", [])
    when = [when] if isinstance(when, Mapping) else when
    if not isinstance(when, list) or not all(
        isinstance(w, Mapping) and isinstance(w.get("do"), str) for w in when
    ):
        raise BadInput(f"{path}: when", "scenario.when")
    source = data.get("source", [])
    source = [source] if isinstance(source, str) else source
    if not isinstance(source, list) or not all(isinstance(s, str) for s in source):
        raise BadInput(f"{path}: source", "scenario.source")
    return Case(
        path,
        str(data.get("title", "")),
        tuple(source),
        setup,
        table("given"),
        {k: v if isinstance(v, list) else [v] for k, v in table("chance").items()},
        tuple(when),
        table("then"),
        data.get("allow_unused") is True,
    )


def known(path: str, prefix: str, given: Mapping[str, Any], allowed: tuple[str, ...]) -> None:
    """BadInput ``scenario.unknown`` for the first word that is not allowed."""
    for key in given:
        if key not in allowed:
            raise BadInput(
                f"{path}: {prefix}{key}", "scenario.unknown", {"allowed": ", ".join(allowed)}
            )
