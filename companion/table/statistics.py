"""What the table could work out from what it has seen: the bag, the odds, the evening in numbers.

Everything here is made from *public* events of the journal and from the printed tokens, never
from the state: an Adult goes into the bag unseen, and only its drawing shows its number. So what
is known of the numbers is a distribution over the possible contents of the bag.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from math import fsum  # the same on every Python: `sum` of floats changed with 3.12
from typing import Any

from companion.game.procedure import PUBLIC
from companion.game.state import kind_of, label_of, value_of
from companion.library.model import Species
from companion.table.chain import Row, standing
from companion.table.journal import AnyJournal
from companion.table.taken import BACK, CANCELLED, Told, taken_back

HANDS = range(8)
Counts = tuple[int, ...]

#: Public events that the chart of the evening counts, round by round.
CHARTED = {
    "noise_rolled": "noise",
    "encounter": "encounters",
    "placed": "intruders",
    "killed": "kills",
    "light_wound": "wounds",
    "serious_wound": "wounds",
    "contamination": "contamination",
    "fire": "fire",
    "malfunction": "malfunction",
    "explored": "explored",
    "died": "deaths",
}


@dataclass(slots=True)
class Kind:
    """The tokens of one type: how many of each printed number may lie in the bag.

    ``labels`` and ``copies`` are the printed numbers and how often each exists; ``bag`` gives
    every possible content of the bag its weight. ``aside`` are tokens drawn and not yet laid away.
    """

    labels: tuple[str, ...]
    copies: Counts
    bag: dict[Counts, float]
    aside: list[int]

    @classmethod
    def of(cls, tokens: Iterable[str]) -> Kind:
        """All tokens of a type, none of them in the bag."""
        counted = Counter(label_of(token) for token in tokens)
        labels = tuple(sorted(counted))
        nothing = (0,) * len(labels)
        return cls(
            labels,
            tuple(counted[label] for label in labels),
            {nothing: 1.0},
            [0] * len(labels),
        )

    def count(self) -> int:
        """How many tokens of this type lie in the bag: always known."""
        return max((sum(counts) for counts in self.bag), default=0)

    def put(self, how: str) -> None:
        """One token of the pool goes in unseen; ``how``: ``random`` or ``highest``."""
        after: dict[Counts, float] = {}
        for counts, weight in self.bag.items():
            pool = [c - b - a for c, b, a in zip(self.copies, counts, self.aside, strict=True)]
            left = [i for i, n in enumerate(pool) if n > 0]
            if how == "highest" and left:
                left = left[-1:]
            total = sum(pool[i] for i in left)
            for i in left:
                self._add(after, _changed(counts, i, 1), weight * pool[i] / total)
        self.bag = after or self.bag

    def taken(self, label: str) -> None:
        """A token of this label has been drawn from the bag for all to see."""
        drawn = self.labels.index(label)
        after: dict[Counts, float] = {}
        for counts, weight in self.bag.items():
            total = sum(counts)
            if counts[drawn] and total:
                share = weight * counts[drawn] / total
                self._add(after, _changed(counts, drawn, -1), share)
        if after:
            whole = fsum(after.values())
            self.bag = {counts: weight / whole for counts, weight in after.items()}
        else:  # a hand drew what nobody expected: one token fewer, whichever it was
            self.out()
        self.aside[drawn] += 1

    def back(self, label: str) -> None:
        """The token just drawn goes into the bag again."""
        place = self.labels.index(label)
        self.aside[place] = max(self.aside[place] - 1, 0)
        self.bag = {_changed(counts, place, 1): weight for counts, weight in self.bag.items()}

    def laid_away(self) -> None:
        """What was drawn lies in the pool."""
        self.aside = [0] * len(self.labels)

    def out(self) -> None:
        """One token leaves the bag unseen."""
        after: dict[Counts, float] = {}
        for counts, weight in self.bag.items():
            total = sum(counts)
            for i, n in enumerate(counts):
                if n:
                    self._add(after, _changed(counts, i, -1), weight * n / total)
        self.bag = after or self.bag

    def expected(self) -> dict[str, float]:
        """How many tokens of each label lie in the bag, on average."""
        found = dict.fromkeys(self.labels, 0.0)
        for counts, weight in self.bag.items():
            for label, n in zip(self.labels, counts, strict=True):
                found[label] += weight * n
        return found

    @staticmethod
    def _add(found: dict[Counts, float], counts: Counts, weight: float) -> None:
        found[counts] = found.get(counts, 0.0) + weight


def _changed(counts: Counts, place: int, by: int) -> Counts:
    return (*counts[:place], counts[place] + by, *counts[place + 1 :])


@dataclass(slots=True)
class Statistics:
    """One game as its public events tell it. Feed it rows with `take`, in order."""

    kinds: dict[str, Kind]
    how: str = "random"
    rounds: list[Counter[str]] = field(default_factory=lambda: [Counter()])
    #: The newest public events that stand, each with the round it fell in.
    newest: deque[tuple[int, Told]] = field(default_factory=lambda: deque(maxlen=BACK))

    @classmethod
    def of(cls, species: Species, how: str = "random") -> Statistics:
        """Before setup: every token in the pool."""
        from companion.rules.setup import token_identities

        return cls(
            {
                creature.id: Kind.of(token_identities(creature.id, creature.values))
                for creature in species.creatures.values()
            },
            "highest" if how == "highest" else "random",
        )

    def take(self, row: Row) -> None:
        """Take in the public events of one row that stands."""
        events = [event for event in row.events if event["to"] == PUBLIC]
        for n, event in enumerate(events):
            if event["type"] == CANCELLED:
                newest = [one for _, one in self.newest]
                gone = {id(one) for one in taken_back(newest, event, events[n + 1 :])}
                for number, one in reversed(self.newest):
                    if id(one) in gone:
                        self._back(number, one)
                left = [kept for kept in self.newest if id(kept[1]) not in gone]
                self.newest = deque(left, maxlen=BACK)
            self._event(event["type"], event["params"])
            self.newest.append((len(self.rounds) - 1, event))

    def _back(self, number: int, event: Told) -> None:
        """A card took an event of a round back: it is not counted, what it drew lies in the bag."""
        if event["type"] in CHARTED:
            self.rounds[number] -= Counter({CHARTED[event["type"]]: 1})
        token = event["params"].get("token")
        kind = self.kinds.get(kind_of(token)) if isinstance(token, str) else None
        if kind is None or token is None:
            return
        match event["type"]:
            case "token_drawn":
                kind.back(token)
            case "token_back":
                kind.taken(token)
            case "token_in":
                kind.out()

    def _event(self, type: str, params: Mapping[str, Any]) -> None:
        if type == "round_begins":
            self.rounds.append(Counter())
        if type in CHARTED:
            self.rounds[-1][CHARTED[type]] += 1
        if type == "setup_bag":
            for kind, count in params["tokens"].items():
                for _ in range(count):
                    self.kinds[kind].put("random")
            return
        token = params.get("token")
        kind = self.kinds.get(kind_of(token)) if isinstance(token, str) else None
        if kind is None or token is None:
            return
        match type:
            case "token_drawn":
                for other in self.kinds.values():
                    other.laid_away()
                kind.taken(token)
            case "token_back":
                kind.back(token)
            case "token_out" | "token_aside":
                kind.laid_away()
            case "token_in":
                kind.put(self.how)
            case "bag_in_by_hand":
                kind.put("random")
            case "bag_out_by_hand":
                kind.out()

    def to_json(self, *, reaction: bool = False) -> dict[str, Any]:
        """``{bag, draw, surprise, rounds}`` for the views.

        ``bag``: tokens of each type in it; ``draw``: the chance of each type to be drawn next;
        ``surprise``: by cards in hand, the chance that an Encounter's token makes a Surprise
        Attack (its number is greater than the hand, BASE-152); chances from 0 to 1. ``reaction``:
        Reaction to Danger is known and takes 1 off every number above 1 (BASE-154).
        """
        counts = {name: kind.count() for name, kind in self.kinds.items()}
        total = sum(counts.values())
        shares = [
            (_number(label, reaction), share)
            for kind in self.kinds.values()
            for label, share in kind.expected().items()
        ]
        surprise = []
        for hand in HANDS:
            above = fsum(share for number, share in shares if number > hand)
            surprise.append(_rounded(above, total))
        return {
            "bag": counts,
            "draw": {name: _rounded(float(n), total) for name, n in counts.items()},
            "surprise": surprise,
            "rounds": [dict(sorted(r.items())) for r in self.rounds],
        }


def _number(label: str, reaction: bool) -> int:
    """The number a token is compared with, 0 when it has none."""
    number = value_of(label) or 0
    return number - 1 if reaction and number > 1 else number


def _rounded(part: float, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0


class Follower:
    """Keeps the statistics of a journal up to date, reading only what is new.

    Now and then it keeps a copy: after an undo it goes on from the newest one that still stands.
    """

    EVERY = 50  # rows between two copies

    def __init__(self) -> None:
        self._seq = 0
        self._statistics: Statistics | None = None
        self._how = ""
        self._kept: list[tuple[int, Statistics]] = []  # as they were after a row

    def of(self, journal: AnyJournal, species: Species, how: str) -> Statistics:
        """The statistics of the rows that stand now. ``how``: see `Kind.put`."""
        new = list(journal.rows(self._seq))
        if new:
            self._seq = new[-1].seq
        now = self._statistics
        if now is None or how != self._how:
            now, self._how, self._kept = Statistics.of(species, how), how, []
            new = standing(journal.rows())
        elif undone := [int(row.input["to"]) for row in new if row.kind == "undo"]:
            self._kept = [one for one in self._kept if one[0] < min(undone)]
            since, kept = self._kept[-1] if self._kept else (0, Statistics.of(species, how))
            now = deepcopy(kept)
            new = standing(journal.rows(since))
        for row in new:
            now.take(row)
            if row.seq >= (self._kept[-1][0] if self._kept else 0) + self.EVERY:
                self._kept.append((row.seq, deepcopy(now)))
        self._statistics = now
        return now
