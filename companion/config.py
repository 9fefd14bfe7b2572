"""The configuration: every package's settings, put together from four places.

The command line goes before the ``COMPANION_*`` environment, that before ``config.toml``, that
before the defaults. Each package owns the type of its settings, a frozen dataclass: its fields
are the keys, its defaults the defaults, and its ``__post_init__`` raises `BadInput` with the
dotted key of a value that cannot be.
"""

from __future__ import annotations

import dataclasses
import os
import tomllib
import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any, Literal, Union, cast, get_args, get_origin, get_type_hints

from companion.game.errors import BadInput, CompanionError, Fault, why
from companion.library import load_content
from companion.library.read import toml_slip
from companion.settings import Builder, leaves, nearest
from companion.table.folder import DataFolder
from hardware.settings import ButtonSettings, LightSettings, SoundSettings, pins_apart
from vision.settings import VisionSettings
from web.settings import WebSettings

_PREFIX = "COMPANION_"
_DATA = "COMPANION_DATA"
_NO_SETTINGS = (
    _DATA,
    "COMPANION_LANGUAGE",
    "COMPANION_DEBUG",
)  # read elsewhere, before there are settings


@dataclass(frozen=True, slots=True)
class Config:
    """All settings, one field a section of ``config.toml``."""

    web: WebSettings = field(default_factory=WebSettings)
    lights: LightSettings = field(default_factory=LightSettings)
    buttons: ButtonSettings = field(default_factory=ButtonSettings)
    sound: SoundSettings = field(default_factory=SoundSettings)
    camera: VisionSettings = field(default_factory=VisionSettings)


def data_folder(chosen: str | None, environ: Mapping[str, str] = os.environ) -> DataFolder:
    """The data folder: ``--data``, else COMPANION_DATA, else the service's, else the user's."""
    root = chosen or environ.get(_DATA) or environ.get("STATE_DIRECTORY")
    if not root:
        home = environ.get("XDG_DATA_HOME") or "~/.local/share"
        root = f"{home}/table-companion"
    return DataFolder(Path(root).expanduser().absolute())


def load(
    folder: DataFolder,
    overrides: Mapping[str, Any] | None = None,
    environ: Mapping[str, str] = os.environ,
) -> Config:
    """The configuration to run with.

    Args:
        folder: where ``config.toml`` may lie.
        overrides: from the command line, ``{"web.port": 8081}``; None values are not given.
        environ: the environment.

    Raises:
        BadInput: an unknown key (``nearest`` names what was meant) or a wrong value.
        Fault: the file is there and cannot be read.
    """
    config, problems = examine(folder, overrides, environ)
    if problems:
        raise problems[0]
    return cast(Config, config)


def check(
    folder: DataFolder, environ: Mapping[str, str] = os.environ
) -> tuple[int, list[CompanionError]]:
    """What ``companion config check`` says: the exit code (0, 1 or 3) and everything wrong."""
    try:
        _, problems = examine(folder, {}, environ)
    except Fault as fault:
        return 3, [fault]
    return (1 if problems else 0), [*problems]


def examine(
    folder: DataFolder,
    overrides: Mapping[str, Any] | None = None,
    environ: Mapping[str, str] = os.environ,
    type_: type = Config,
) -> tuple[Any, list[BadInput]]:
    """As `load`, but with everything that is wrong; the default stands in for a wrong value."""
    return _examined(folder.config, overrides or {}, environ, type_)


def examine_file(
    path: Path, environ: Mapping[str, str] = os.environ
) -> tuple[Config, list[BadInput]]:
    """As `examine`, of a configuration file anywhere. Fault: it cannot be read."""
    config, problems = _examined(path, {}, environ, Config)
    return cast(Config, config), problems


def _examined(
    path: Path, overrides: Mapping[str, Any], environ: Mapping[str, str], type_: type
) -> tuple[Any, list[BadInput]]:
    sources = _Sources(type_)
    sources.add_file(path)
    sources.add_environment(environ)
    sources.add_overrides(overrides)
    builder = Builder(sources.where)
    config = builder.build(type_, sources.raw)
    return config, [*sources.problems, *builder.problems, *_apart(config, sources.where)]


def _apart(config: Any, where: Callable[[str], str]) -> Iterator[BadInput]:
    """What is wrong between sections, or with a name that only the content knows."""
    if not isinstance(config, Config):
        return
    try:
        pins_apart(config.lights, config.buttons)
    except BadInput as error:
        params = {name: value for name, value in error.params.items() if name != "path"}
        yield BadInput(where(error.path), error.code, params)
    if config.lights.rooms:
        boards = load_content().boards.values()
        for room in sorted({*config.lights.rooms}.difference(*(board.rooms for board in boards))):
            key = where(f"lights.rooms.{room}")
            yield BadInput(key, "command.unknown_room", {"value": room})


class _Sources:
    """Lays the sources over each other, and remembers which one gave a key."""

    def __init__(self, type_: type) -> None:
        self.raw: dict[str, Any] = {}
        self.problems: list[BadInput] = []
        self._keys = dict(leaves(type_))
        self._given: dict[str, str] = {}
        self._file = "config.toml"

    def where(self, key: str) -> str:
        """What gave ``key``, in words for a message: the variable, the option, or file: key."""
        found = (self._given[given] for given in self._given if f"{key}.".startswith(f"{given}."))
        return next(found, f"{self._file}: {key}")

    def add_file(self, path: Path) -> None:
        self._file = str(path)
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            return
        except OSError as error:
            raise Fault(
                "config",
                "config.unreadable",
                {"path": str(path), **why(error)},
                temporary=False,
            ) from error
        try:
            self.raw = tomllib.loads(data.decode("utf-8"))
        except (ValueError, RecursionError) as error:
            slip, line = toml_slip(error, data)
            code = "syntax" if slip == "not_toml" else f"file_{slip}"
            self.problems.append(BadInput(str(path), f"setting.{code}", {"line": line}))

    def add_environment(self, environ: Mapping[str, str]) -> None:
        names = {_PREFIX + key.upper().replace(".", "_"): key for key in self._keys}
        for name in sorted(environ):
            if name in names:
                self._put(names[name], environ[name], name)
            elif name.startswith(_PREFIX) and name not in _NO_SETTINGS:
                meant = nearest(name, [*_NO_SETTINGS, *names])
                self.problems.append(BadInput(name, "setting.unknown", {"nearest": meant}))

    def add_overrides(self, overrides: Mapping[str, Any]) -> None:
        for key, value in overrides.items():
            if value is not None:
                self._put(key, value, f"--{key.rpartition('.')[2].replace('_', '-')}")

    def _put(self, key: str, value: Any, source: str) -> None:
        *folders, name = key.split(".")
        table = self.raw
        for part in folders:
            if not isinstance(table.get(part), dict):
                table[part] = {}
            table = table[part]
        table[name] = _parsed(value, self._keys.get(key)) if isinstance(value, str) else value
        self._given[key] = source


def _parsed(text: str, hint: Any) -> Any:
    """A text of the environment as the TOML value it spells, where the setting is not a text."""
    if hint in (str, Path, str | None, Path | None):
        return text
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def schema() -> dict[str, Any]:
    """The JSON Schema of ``config.toml``, one table a section, made from the settings' types."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **_described(Config),
    }


def _described(hint: Any) -> dict[str, Any]:
    origin, args = get_origin(hint), get_args(hint)
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        hints = get_type_hints(hint)
        properties = {f.name: _described(hints[f.name]) for f in dataclasses.fields(hint)}
        return {"type": "object", "properties": properties, "additionalProperties": False}
    if origin is Literal:
        return {"enum": list(args)}
    if origin in (Union, types.UnionType):
        return _described(next(arg for arg in args if arg is not type(None)))
    if origin is tuple:
        return {"type": "array", "items": _described(args[0])}
    if origin is not None and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": _described(args[1])}
    if isinstance(hint, type) and issubclass(hint, Enum):
        return {"enum": [item.value for item in hint]}
    return {"type": {bool: "boolean", int: "integer", float: "number"}.get(hint, "string")}
