"""Finds rules by words: rooms, cards, symbols and rulings by their names in any known language."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from companion.library.model import Content, Names, Rule

MOST = 24
ENDING = 3  # letters of a verb's longest ending in our languages: ``éteind-re``, ``spegn-ere``
_WORD = re.compile(r"[^\W_]+")
_JOINED = str.maketrans({"œ": "oe", "æ": "ae"})


def folded(text: str) -> str:
    """Lower case without accents, joined letters apart: ``Génératrice`` is ``generatrice``."""
    plain = unicodedata.normalize("NFKD", text.casefold().translate(_JOINED))
    return "".join(c for c in plain if not unicodedata.combining(c))


def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(folded(text)))


@dataclass(frozen=True, slots=True)
class Hit:
    """A rule that was found. ``titles``: the rooms, cards and tokens it is about."""

    rule: Rule
    titles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """How a rule is found: ``named``, its folded words in every language; a Room goes before,
    what only ``other`` aliens bring than those in play comes last.
    """

    hit: Hit
    named: tuple[str, ...]
    room: bool
    other: bool


@dataclass(frozen=True, slots=True)
class _Entry:
    hit: Hit
    named: tuple[str, ...]  # words of id and titles, in every language
    said: tuple[str, ...]  # words of the text in the reader's language


class RuleSearch:
    """The rule index of a content in one language."""

    def __init__(self, content: Content, language: str) -> None:
        titles = _titles(content)
        self._rooms = {i for tile in content.tiles.values() for i in tile.rule.split()}
        self._owners = _owners(content)
        self._entries = [
            _Entry(
                Hit(rule, tuple(dict.fromkeys(n.get(language) for n in titles[rule.id]))),
                _words(
                    " ".join(
                        [rule.id, *(t for n in titles[rule.id] for t in n.by_language.values())]
                    )
                ),
                _words(rule.text.get(language) or rule.text["en"]),
            )
            for rule in content.rules.values()
        ]

    def index(self, species: str = "") -> list[Found]:
        """Every rule and how it is found, for who searches without us; ``species`` is played."""
        return [
            Found(
                e.hit,
                e.named,
                e.hit.rule.id in self._rooms,
                self._other(e.hit.rule.id, species),
            )
            for e in self._entries
        ]

    def _other(self, rule: str, species: str) -> bool:
        return bool(species) and bool(self._owners[rule]) and species not in self._owners[rule]

    def find(self, text: str, most: int = MOST, *, species: str = "") -> list[Hit]:
        """Rules in which every word of ``text`` begins a word; what is named so comes first.

        While ``species`` is played, what only other aliens bring comes after everything else.
        Where nothing is found, a word of four letters or more may have one wrong, too many or
        missing, or two swapped (`_near`). At last a long word counts without its ending:
        *éteindre* finds what *éteint*.
        """
        wanted = _words(text)[:8]
        if not wanted:
            return []
        ranked = self._ranked(wanted, species)
        if not ranked and any(map(_long, wanted)):
            ranked = self._ranked(wanted, species, near=True) or self._ranked(
                [
                    word[:-ENDING] if len(word) > 2 * ENDING and word.isalpha() else word
                    for word in wanted
                ],
                species,
            )
        ranked.sort(key=lambda r: r[:2])
        return [hit for *_, hit in ranked[:most]]

    def _ranked(
        self, wanted: Sequence[str], species: str, *, near: bool = False
    ) -> list[tuple[bool, int, Hit]]:
        ranked: list[tuple[bool, int, Hit]] = []
        for entry in self._entries:
            points = [_points(word, entry, near=near and _long(word)) for word in wanted]
            if all(points):
                named = any(p > 4 for p in points)
                room = named and entry.hit.rule.id in self._rooms  # before a card of its name
                other = self._other(entry.hit.rule.id, species)
                ranked.append((other, -sum(points) - room, entry.hit))
        return ranked


def _spoken(names: Iterable[Names]) -> list[str]:
    return [name for held in names for name in held.by_language.values()]


def _long(word: str) -> bool:
    """Whether a word is one in which a slip of the finger is forgiven: no number, not short."""
    return len(word) > 3 and word.isalpha()


def _near(word: str, other: str) -> bool:
    """Whether a word begins another but for one letter: wrong, missing, too many, or swapped."""
    n = next((n for n, (a, b) in enumerate(zip(word, other, strict=False)) if a != b), None)
    if n is None:
        n = min(len(word), len(other))
    typed, meant = word[n:], other[n:]
    return (
        meant[1:].startswith(typed[1:])
        or meant[1:].startswith(typed)
        or meant.startswith(typed[1:])
        or (typed[:2] == meant[1::-1] and meant[2:].startswith(typed[2:]))
    )


def _points(word: str, entry: _Entry, *, near: bool = False) -> int:
    if word in entry.named:
        return 8
    if any(w.startswith(word) for w in entry.named):
        return 5
    if any(w.startswith(word) for w in entry.said[:3]):  # what the rule is about stands first
        return 4
    if word in entry.said:
        return 2
    if any(w.startswith(word) for w in entry.said):
        return 1
    if near and any(_near(word, w) for w in entry.named):
        return 5  # as its beginning
    return int(near and any(_near(word, w) for w in entry.said))


def _titles(content: Content) -> Mapping[str, list[Names]]:
    """What each rule is about: tiles, cards and weaknesses name their rule."""
    found: defaultdict[str, list[Names]] = defaultdict(list)
    things: Iterable[tuple[str, Names]] = (
        (thing.rule, thing.names)
        for kind in (content.tiles, content.events, content.attacks, content.weaknesses)
        for thing in kind.values()
    )
    for rule, names in things:
        for ident in rule.split():
            if names not in found[ident]:
                found[ident].append(names)
    return found


def _owners(content: Content) -> Mapping[str, set[str]]:
    """Whose rules each is: of species whose cards alone name it, or whose rules begin so."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for ident, species in content.species.items():
        named = [
            *(content.events[card].rule for card in species.events),
            *(content.attacks[card].rule for card in species.attacks),
            *(content.weaknesses[card].rule for card in species.weaknesses),
        ]
        for rule in " ".join(named).split():
            found[rule].add(ident)
        for rule in content.rules:
            if rule.startswith(species.rules):
                found[rule].add(ident)
    return found
