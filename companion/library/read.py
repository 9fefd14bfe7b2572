"""Packs as they lie on disk: folders of TOML, read whole, nothing trusted yet."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.library.kinds import KINDS, PACK
from companion.library.schema import Place

LARGEST_FILE = 4_000_000  # bytes; no honest content file comes near

SHIPPED = Path(__file__).parent.parent / "content"


@dataclass(frozen=True, slots=True)
class Entry:
    """One raw entry and where it stands."""

    value: Any
    place: Place


# kind -> id -> entry
Entries = dict[str, dict[str, Entry]]


@dataclass(frozen=True, slots=True)
class Pack:
    """A content pack as read from its folder; only ``pack.toml`` is checked."""

    folder: Path
    id: str
    version: str
    requires: tuple[str, ...]
    entries: Mapping[str, Mapping[str, Entry]]


def toml_slip(error: Exception, raw: bytes) -> tuple[str, int]:
    """What is wrong with a TOML file, and in which line (0: no one line), in place of the parser's
    English: ``not_text``, ``too_deep``, ``duplicate_key`` or ``not_toml``."""
    if isinstance(error, UnicodeDecodeError):
        return "not_text", raw[: error.start].count(b"\n") + 1
    if isinstance(error, RecursionError):
        return "too_deep", 0
    # tomllib's own errors, and numbers too long for Python
    found = re.search(r"line (\d+)", str(error))
    line = int(found[1]) if found else raw.count(b"\n") + 1
    # a key or table given twice is the commonest slip, and the one tomllib words worst
    again = re.search("overwrite|twice|mutate|redefine", str(error))
    return ("duplicate_key" if again else "not_toml"), line


def read_toml(path: Path, name: str) -> dict[str, Any]:
    """The table in the file ``path``, called ``name`` in messages.

    Raises `BadInput` ``content.missing_file``, ``unreadable``, ``too_large``, ``not_text``,
    ``duplicate_key``, ``not_toml`` or ``too_deep``.
    """
    place = Place(name)
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        place.refuse("missing_file")
    except OSError:
        place.refuse("unreadable")
    if len(raw) > LARGEST_FILE:
        place.refuse("too_large", max=LARGEST_FILE, count=len(raw))
    try:
        return tomllib.loads(raw.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        slip, line = toml_slip(error, raw)
        place.refuse(slip, **({"line": line} if line else {}))


def _files(folder: Path, kinds: Container[str]) -> Iterator[tuple[str, Path]]:
    """(kind, file) of each content file of a pack, in a fixed order."""
    for path in sorted(folder.glob("*.toml")):
        if path.stem not in {"pack", *KINDS}:
            Place(f"{folder.name}/{path.name}").refuse_word("unknown_file", path.stem, KINDS)
    for kind in sorted(KINDS):
        if kind in kinds:
            for path in kind_files(folder, kind):
                yield kind, path


def kind_files(folder: Path, kind: str) -> list[Path]:
    """The files of one kind in a pack: ``<kind>.toml``, then those of the folder ``<kind>/``."""
    alone = folder / f"{kind}.toml"
    return [*([alone] if alone.exists() else []), *sorted((folder / kind).glob("*.toml"))]


def rule_files(folder: Path) -> list[Path]:
    """The files of a pack's rule index."""
    return kind_files(folder, "rules")


def read_pack(folder: Path, kinds: Container[str] = KINDS) -> Pack:
    """The pack in ``folder``; of its files only those of ``kinds`` are read.

    Raises `BadInput` where a file cannot be read as a table.
    """
    about = read_toml(folder / "pack.toml", f"{folder.name}/pack.toml")
    PACK.check(about, Place(f"{folder.name}/pack.toml"))
    entries: Entries = {}
    for kind, path in _files(folder, kinds):
        name = path.relative_to(folder.parent).as_posix()
        here = entries.setdefault(kind, {})
        for key, value in read_toml(path, name).items():
            place = Place(name).into(key)
            if key in here:
                place.refuse("duplicate", value=key)
            here[key] = Entry(value, place)
    return Pack(folder, about["id"], about["version"], tuple(about["requires"]), entries)


def _laid_over(below: Any, above: Any) -> Any:
    """``above`` laid over ``below``: tables key by key, everything else replaced."""
    if isinstance(below, dict) and isinstance(above, dict):
        return {**below, **{k: _laid_over(below.get(k), v) for k, v in above.items()}}
    return above


def merged(shipped: Sequence[Pack], own: Sequence[Pack]) -> Entries:
    """All entries of the shipped packs with the owner's packs laid over them, by id.

    Raises `BadInput` ``content.overridden_twice`` when two packs of one layer hold the same id,
    ``content.duplicate_pack`` for two packs of one id, ``content.requires`` for a pack that
    needs an absent one.
    """
    present: set[str] = set()
    for pack in [*shipped, *own]:
        if pack.id in present:
            Place(f"{pack.folder.name}/pack.toml", "id").refuse("duplicate_pack", value=pack.id)
        present.add(pack.id)
    for pack in [*shipped, *own]:
        for wanted in pack.requires:
            if wanted not in present:
                Place(f"{pack.folder.name}/pack.toml", "requires").refuse("requires", value=wanted)
    together: Entries = {kind: {} for kind in KINDS}
    for layer in (shipped, own):
        held: dict[tuple[str, str], Pack] = {}
        for pack in layer:
            for kind, entries in pack.entries.items():
                for key, entry in entries.items():
                    if (kind, key) in held:
                        entry.place.refuse(
                            "overridden_twice",
                            value=key,
                            first=held[kind, key].id,
                            second=pack.id,
                        )
                    held[kind, key] = pack
                    below = together[kind].get(key)
                    together[kind][key] = (
                        Entry(_laid_over(below.value, entry.value), entry.place) if below else entry
                    )
    return together
