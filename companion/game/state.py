"""The state of one game: plain typed data, exact in JSON.

Every piece of cardboard, plastic and card has an identity, and ``where`` gives each identity
exactly one zone, so nothing can be in two places or be lost; counts are derived. Zones are words
(``bag``, ``supply``, ``deck``, ``discard``, ``removed``, ``intruder_board``) or a word and a
place: ``room:006``, ``corridor:005-010``, ``space:technical``, ``held:2`` (by the character of
seat 2), ``sheet:2`` (a Larva on that character's board), ``section:a`` (an Escape Pod),
``adaptation:butcher`` (a miniature that stands on a card until it comes).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, fields
from functools import lru_cache
from typing import Any

SUPPLY = "supply"
BAG = "bag"
DECK = "deck"
DISCARD = "discard"
BOTTOM = "bottom"  # cards known to lie under a deck
REMOVED = "removed"
INTRUDER_BOARD = "intruder_board"
ASIDE = "aside"  # a token between bag and pool

PIECES = 4096  # more than the pieces of any game: what is worked out about a name is kept

ABOARD = "aboard"
DEAD = "dead"
HIBERNATED = "hibernated"
POD_WAITING = "pod_waiting"
LAUNCHED = "launched"

#: Heavy Objects: they fill a hand, and stay in the room when it lets go (BASE-95).
OBJECTS = ("egg", "carcass", "corpse_red", "corpse_blue")


def room_zone(room: str) -> str:
    """The zone of a room."""
    return f"room:{room}"


def card_zone(slot: str) -> str:
    """The zone of a miniature that stands on a card of the species' board until it comes."""
    return f"adaptation:{slot}"


def corridor_zone(corridor: str) -> str:
    """The zone of a corridor."""
    return f"corridor:{corridor}"


@lru_cache(maxsize=PIECES)
def kind_of(piece: str) -> str:
    """``adult`` of ``adult/3#2`` and of ``adult#5``; ``scratch`` of ``scratch/3``."""
    return piece.split("#", 1)[0].split("/", 1)[0]


def value_of(token: str) -> int | None:
    """The surprise number of a token identity, None when it has none (the Blank)."""
    head = token.split("#", 1)[0]
    return int(head.split("/", 1)[1]) if "/" in head else None


def label_of(piece: str) -> str:
    """The identity without its copy number: ``adult/3`` of ``adult/3#2``."""
    return piece.split("#", 1)[0]


@dataclass(slots=True)
class Person:
    """One seat and the character that plays there.

    ``hand`` and ``action_cards`` (those in hand) are None when only the player knows. ``deck``
    counts the Action cards of hand, deck and discard together. ``contamination`` counts
    the cards of hand, deck and discard: not yet scanned, scanned infected, scanned clean.
    """

    seat: int
    number: int
    character: str
    name: str = ""
    language: str = ""
    state: str = ABOARD
    room: str | None = None
    pod: str | None = None
    hand: int | None = None
    action_cards: int | None = None
    deck: int = 10
    light: int = 0
    serious: list[str] = field(default_factory=list)
    dressed: list[str] = field(default_factory=list)
    slime: bool = False
    signal: bool = False
    passed: bool = False
    contamination: dict[str, int] = field(
        default_factory=lambda: {"unscanned": 0, "infected": 0, "clean": 0}
    )
    objectives: list[str] = field(default_factory=list)
    kept: str | None = None
    corpse: str | None = None  # the token of a dead character
    seen: list[dict[str, Any]] = field(default_factory=list)  # what was shown to this seat alone
    own: dict[str, Any] = field(default_factory=dict)  # what only this species knows of people

    def copy(self) -> Person:
        """An independent copy."""
        return Person(
            self.seat,
            self.number,
            self.character,
            self.name,
            self.language,
            self.state,
            self.room,
            self.pod,
            self.hand,
            self.action_cards,
            self.deck,
            self.light,
            list(self.serious),
            list(self.dressed),
            self.slime,
            self.signal,
            self.passed,
            dict(self.contamination),
            list(self.objectives),
            self.kept,
            self.corpse,
            list(self.seen),
            deepcopy(self.own) if self.own else {},
        )


@dataclass(slots=True)
class State:
    """Everything the rules know about one game. See the module's text for ``where``."""

    game: str = ""
    board: str = ""
    species: str = ""
    mode: str = "standard"
    phase: str = "lobby"  # lobby, setup, player, event, over
    round: int = 0
    time: int = 0
    self_destruct: int | None = None
    hibernation_open: bool = False
    pods_unlocked: list[str] = field(default_factory=list)  # causes that already unlocked all
    first_player: int = 1
    turn: int | None = None
    seats: dict[int, Person] = field(default_factory=dict)
    where: dict[str, str] = field(default_factory=dict)
    injuries: dict[str, int] = field(default_factory=dict)
    destroyed: set[str] = field(default_factory=set)  # door tokens that lie
    explored: set[str] = field(default_factory=set)
    tiles: dict[str, str] = field(default_factory=dict)  # turned tiles by room
    items: dict[str, int] = field(default_factory=dict)  # item counters
    #: Face down: by room its tile and exploration token; ``engines``: the top token of each;
    #: ``coordinates``: the places of the letters; ``weaknesses``: the card of each slot.
    hidden: dict[str, dict[str, str]] = field(default_factory=dict)
    locked: set[str] = field(default_factory=set)  # pods
    destination: str = "B"
    weaknesses: dict[str, str] = field(default_factory=dict)  # slot -> discovered card
    #: Contamination cards read and then removed: they can be nobody's any more (BASE-217).
    contamination_gone: dict[str, int] = field(default_factory=dict)
    met: bool = False  # the first miniature has stood on the board (BASE-149)
    first_death: bool = False
    nest_destroyed: bool = False
    airlock: str | None = None  # the room with the Airlock token (BASE-251)
    # How it ended, and who has won: told one verdict after the other.
    ending: str | None = None
    fresh: dict[str, Any] | None = None  # what a card may still cancel; companion.rules.fresh
    ship_destroyed: bool = False
    reached: str | None = None  # where the ship arrived
    settled: dict[str, bool] = field(default_factory=dict)  # facts asked for objectives
    verdicts: list[dict[str, Any]] = field(default_factory=list)  # {type, rule, params}, in order
    winners: list[int] | None = None  # None: not judged
    # Who plays together how: all against the ship, with a player for the intruders.
    coop: bool = False
    intruder_player: bool = False  # the first eliminated may play the intruders (BASE-66)
    eliminated: list[int] = field(default_factory=list)  # the first, or several at once
    intruder_asked: bool = False
    intruder_seat: int | None = None  # who plays the intruders
    seating: dict[str, str] = field(default_factory=dict)  # numbers and characters: how found
    # How the table plays: what is held, where the truth lies, which readings.
    preset: str = "bag_and_board"
    tracking: dict[str, str] = field(default_factory=dict)
    truth: dict[str, str] = field(default_factory=dict)
    switches: dict[str, str] = field(default_factory=dict)
    unsure: set[str] = field(default_factory=set)
    #: Kinds of facts that are asked but known for now: companion.rules.facts.recall.
    sure: set[str] = field(default_factory=set)
    #: What was asked since people last could do anything unseen; companion.rules.facts.recall.
    recall: dict[str, Any] = field(default_factory=dict)
    # What is due, and how often chance has been asked.
    agenda: list[dict[str, Any]] = field(default_factory=list)
    step: str | None = None
    draws: dict[str, int] = field(default_factory=dict)
    epoch: int = 0
    last_card: dict[str, Any] | None = None
    learnt: dict[str, dict[str, Any]] = field(default_factory=dict)  # cards entered by hand
    own: dict[str, Any] = field(default_factory=dict)  # what only the species in play knows

    def copy(self) -> State:
        """An independent copy, for a procedure to work on."""
        new = State.__new__(State)
        for name in _FIELDS:
            value = getattr(self, name)
            if isinstance(value, (dict, set, list)):
                value = value.copy()
            setattr(new, name, value)
        new.seats = {seat: person.copy() for seat, person in self.seats.items()}
        new.agenda = [dict(entry) for entry in self.agenda]
        new.own = deepcopy(self.own) if self.own else {}
        return new

    def to_json(self) -> dict[str, Any]:
        """The state as JSON data; sets as sorted lists, seats by number as text.

        ``own`` stands there only when a species has put something in.
        """
        data: dict[str, Any] = {}
        for name in _FIELDS:
            value = getattr(self, name)
            data[name] = sorted(value) if isinstance(value, set) else value
        data["seats"] = {
            str(seat): {f: getattr(person, f) for f in _PERSON}
            for seat, person in sorted(self.seats.items())
        }
        for holder in (data, *data["seats"].values()):
            if not holder["own"]:
                del holder["own"]
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> State:
        """The inverse of `to_json`; unknown keys raise TypeError."""
        values = json.loads(json.dumps(data))
        for name in _SETS:
            if name in values:
                values[name] = set(values[name])
        values["seats"] = {
            int(seat): Person(**person) for seat, person in values.get("seats", {}).items()
        }
        return cls(**values)

    def text(self) -> str:
        """The state as canonical JSON: equal states, equal texts, on any machine."""
        return canonical(self.to_json())

    def digest(self) -> str:
        """SHA-256 over the canonical JSON."""
        return digest_of(self.text())

    # Derived counts and places -------------------------------------------------------------

    def pieces(self, kind: str, zone: str | None = None) -> list[str]:
        """Identities of a kind, in order; only those in ``zone`` when given.

        ``kind`` matches miniatures and markers (``adult#1``), not tokens (``adult/2#1``).
        """
        head = f"{kind}#"
        where = self.where.items()
        if zone is None:
            return natural([p for p, _ in where if p.startswith(head)])
        return natural([p for p, z in where if z == zone and p.startswith(head)])

    def tokens(self, zone: str, kind: str | None = None) -> list[str]:
        """Intruder tokens in a zone (``bag``, ``supply``…), in order, as ``adult/3#2``."""
        head = "token:"
        return natural(
            p[len(head) :]
            for p, z in self.where.items()
            if z == zone and p.startswith(head) and kind in (None, kind_of(p[len(head) :]))
        )

    def in_zone(self, zone: str) -> list[str]:
        """All identities of one zone, in order."""
        return natural(p for p, z in self.where.items() if z == zone)

    def cards(self, deck: str, zone: str) -> list[str]:
        """Cards of a deck (``event``, ``attack``) in a zone, in order, without the prefix."""
        head = f"{deck}:"
        return natural(
            p[len(head) :] for p, z in self.where.items() if z == zone and p.startswith(head)
        )


_FIELDS = tuple(f.name for f in fields(State))
_SETS = ("destroyed", "explored", "locked", "unsure", "sure")
_PERSON = tuple(f.name for f in fields(Person))


def digest_of(text: str) -> str:
    """The digest of a state whose canonical text is known."""
    return hashlib.sha256(text.encode()).hexdigest()


def canonical(data: Any) -> str:
    """JSON text with one spelling for equal data."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def natural(pieces: Iterable[str]) -> list[str]:
    """Identities in reading order: ``noise#2`` before ``noise#10``."""
    found = list(pieces)
    return sorted(found, key=_order) if len(found) > 1 else found


def in_order(where: Mapping[str, str]) -> tuple[str, ...]:
    """All identities of `State.where` as `natural` has them; a game hardly ever gets new ones."""
    return _sorted(frozenset(where))


@lru_cache(maxsize=4)
def _sorted(pieces: frozenset[str]) -> tuple[str, ...]:
    return tuple(natural(pieces))


@lru_cache(maxsize=PIECES)
def _order(piece: str) -> tuple[str, int]:
    head, _, copy = piece.partition("#")
    return head, int(copy) if copy.isdigit() else 0
