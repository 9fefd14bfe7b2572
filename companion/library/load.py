"""From packs on disk to `Content`: read, lay over, check, build."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from companion.library import build
from companion.library.kinds import KINDS
from companion.library.links import check_links, rule_references
from companion.library.model import Content, Rule
from companion.library.read import SHIPPED, Entries, Pack, merged, read_pack, rule_files

# Keys that only hold words for readers: a better translation never makes it another game.
_WORDS = frozenset({"names", "unofficial", "text", "value_names"})


class RuleIndex(Mapping[str, Rule]):
    """The rule index by rule id. Its files are read when the first rule is asked for.

    Raises `BadInput` then, should one be broken.
    """

    def __init__(self, shipped: Sequence[Pack], own: Sequence[Pack]) -> None:
        self._shipped = shipped
        self._own = own

    @cached_property
    def _rules(self) -> dict[str, Rule]:
        shipped = [read_pack(pack.folder, {"rules"}) for pack in self._shipped]
        entries = merged(shipped, self._own)["rules"]
        for key, entry in entries.items():
            KINDS["rules"].check_entry(key, entry.value, entry.place)
        return {key: build.rule(key, entry.value) for key, entry in entries.items()}

    def read(self) -> None:
        """Read and check the whole index now."""
        len(self._rules)

    def headings(self) -> set[str]:
        """The ids that a glance at the files finds: each table heading, nothing parsed."""
        found: set[str] = set()
        for pack in [*self._shipped, *self._own]:
            for path in rule_files(pack.folder):
                text = path.read_text("utf-8", "replace")
                found.update(re.findall(r'^\["?([A-Z0-9-]+)"?\]', text, re.MULTILINE))
        return found

    def __getitem__(self, key: str) -> Rule:
        return self._rules[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rules)

    def __len__(self) -> int:
        return len(self._rules)


def load_content(packs: Sequence[Path] = ()) -> Content:
    """Everything that is shipped, with the owner's ``packs`` (folders) laid over it.

    Raises `BadInput` (``content.…``) that names file, key and reason for the first thing that
    is wrong. Without packs the content is read once a process and shared: it is frozen.
    """
    return _load(tuple(packs)) if packs else _shipped()


@cache
def _shipped() -> Content:
    return _load(())


def _load(folders: tuple[Path, ...]) -> Content:
    found = sorted(path.parent for path in SHIPPED.glob("*/pack.toml"))
    shipped = [read_pack(folder, KINDS.keys() - {"rules"}) for folder in found]
    own = [read_pack(folder) for folder in folders]
    entries = merged(shipped, own)
    for kind, held in entries.items():
        for key, entry in held.items():
            if kind != "rules":
                KINDS[kind].check_entry(key, entry.value, entry.place)
    check_links(entries)
    rules = RuleIndex(shipped, own)
    if any("rules" in pack.entries for pack in own):
        rules.read()
    _check_rules(entries, rules)
    packs = {pack.id: pack.version for pack in [*shipped, *own]}
    return _content(entries, rules, packs)


def _check_rules(entries: Entries, rules: RuleIndex) -> None:
    headings = rules.headings()
    for rule, place in rule_references(entries):
        if rule not in headings and rule not in rules:
            place.refuse_word("unresolved", rule, rules)


def _content(entries: Entries, rules: RuleIndex, packs: Mapping[str, str]) -> Content:
    raw = {
        kind: {key: entry.value for key, entry in held.items()}
        for kind, held in entries.items()
        if kind != "rules"
    }
    return Content(
        version=" ".join(f"{key}-{version}" for key, version in packs.items()),
        hash=content_hash(raw),
        packs=packs,
        games={key: build.game(key, value) for key, value in raw["game"].items()},
        boards={key: build.board(key, value) for key, value in raw["boards"].items()},
        species={key: build.species(key, value, raw) for key, value in raw["species"].items()},
        events={key: build.event(key, value) for key, value in raw["events"].items()},
        attacks={
            card.id: card
            for key, value in raw["attacks"].items()
            for card in build.attacks(key, value)
        },
        tiles={key: build.tile(key, value) for key, value in raw["tiles"].items()},
        explorations={
            token.id: token
            for key, value in raw["exploration"].items()
            for token in build.explorations(key, value)
        },
        characters={key: build.character(key, v) for key, v in raw["characters"].items()},
        objectives={key: build.objective(key, v) for key, v in raw["objectives"].items()},
        weaknesses={key: build.weakness(key, v) for key, v in raw["weaknesses"].items()},
        cards={key: build.card(key, v) for key, v in raw["cards"].items()},
        own_cards={
            card.id: card
            for key, value in raw["own_cards"].items()
            for card in build.own_cards(key, value)
        },
        rules=rules,
        switches={key: build.switch(key, value) for key, value in raw["switches"].items()},
        terms={key: build.names(value) for key, value in raw["terms"].items()},
    )


def content_hash(raw: Mapping[str, Any]) -> str:
    """SHA-256 (hex) over what the rules read, in canonical JSON.

    The order of entries counts (it is the order of decks before the shuffle); words for readers
    and the rule index do not.
    """
    canonical = json.dumps(_played(raw), ensure_ascii=False, separators=(",", ":"))
    return sha256(canonical.encode()).hexdigest()


def _played(value: Any) -> Any:
    if isinstance(value, Mapping):
        return [[k, _played(v)] for k, v in value.items() if k not in _WORDS]
    if isinstance(value, list):
        return [_played(item) for item in value]
    return value
