"""What a content pack holds, as the rules use it. All frozen; made by `companion.library.load`.

Names are mappings from language (``en``, ``it``, ``fr``) to the printed name; a language without
a known official name is simply absent and the reader falls back to English ("as printed on your
box"). No text of a card is held: an effect is the name of a function in `companion.rules`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.game.board import Board

#: The board side shown, and assumed, until setup has chosen one.
FIRST_BOARD = "nemesis/basic"
#: The species of the base box, assumed until setup has chosen one.
FIRST_SPECIES = "intruders"


@dataclass(frozen=True, slots=True)
class Names:
    """Names per language, and which of them are the publisher's own."""

    by_language: Mapping[str, str]
    official: tuple[str, ...] = ()

    def get(self, language: str) -> str:
        """The name in ``language``, else English."""
        return self.by_language.get(language) or self.by_language["en"]


@dataclass(frozen=True, slots=True)
class Creature:
    """A kind of intruder: its tokens and miniatures.

    ``values`` lists the surprise number of every token copy (empty number: ``None``), so that the
    token identities are ``kind/value#n`` with n counting from 1 within the same value.
    ``brings`` is the kind of miniature that its token brings: itself, unless tokens of several
    kinds bring the same (empty: none, or one that the species chooses).
    """

    id: str
    names: Names
    values: tuple[int | None, ...]
    miniatures: int
    size: int  # escape and attack order: larger first (FAQ-A17)
    check_cards: int  # attack cards drawn by the damage check; 0: one injury kills
    carcass: bool  # leaves a carcass when killed (BASE-168)
    starting: int  # tokens in the bag at setup
    starting_per_player: int = 0
    brings: str = ""


@dataclass(frozen=True, slots=True)
class Species:
    """One alien species: creatures and its module in `companion.rules.species`."""

    id: str
    names: Names
    creatures: Mapping[str, Creature]
    events: tuple[str, ...]
    attacks: tuple[str, ...]
    weaknesses: tuple[str, ...] = ()
    explorations: tuple[str, ...] = ()  # exploration tokens that only this species brings
    without: tuple[str, ...] = ()  # tiles and exploration tokens that stay in the box
    weakness_cards: int = 0  # as many as there are; some may not be known
    decks: Mapping[str, OwnDeck] = field(default_factory=dict)  # no other species has them
    objectives: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # reread: new texts
    cards: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # Items reread likewise
    steps: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # steps named otherwise
    board: Mapping[str, str] = field(default_factory=dict)  # its own board, in a sentence
    rules: tuple[str, ...] = ()  # how the ids of rules begin that are about it alone


@dataclass(frozen=True, slots=True)
class OwnDeck:
    """A deck of one species alone: ids of the cards that are known, and how many there are."""

    known: tuple[str, ...]
    cards: int


@dataclass(frozen=True, slots=True)
class OwnCard:
    """A card of a species' own deck; ``text`` is its id without the copy.

    ``unknown``: it is in the box, but its name and text are in no source: the table reads it.
    """

    id: str  # "sabotage#1" with copies, else the text
    text: str
    names: Names
    effect: str
    rule: str
    params: Mapping[str, Any] = field(default_factory=dict)
    unknown: bool = False


@dataclass(frozen=True, slots=True)
class EventCard:
    """``after`` is ``discard``, ``remove`` (leaves the game, discard shuffled in) or ``reshuffle``
    (this card is shuffled back)."""

    id: str
    names: Names
    corridors: tuple[int, ...]
    moves: tuple[str, ...]
    effect: str
    rule: str
    params: Mapping[str, Any] = field(default_factory=dict)
    after: str = "discard"


@dataclass(frozen=True, slots=True)
class AttackCard:
    """``blood`` is the number in the drop, or ``None`` for the retreat arrow.

    ``blood_of`` holds the number of the kinds that the card prints a number of their own for.
    """

    id: str  # "scratch/3" or, with equal copies, "bite/4#2"
    names: Names
    blood: int | None
    attackers: tuple[str, ...]
    effect: str
    rule: str
    params: Mapping[str, Any] = field(default_factory=dict)
    blood_of: Mapping[str, int | None] = field(default_factory=dict)

    def blood_for(self, kind: str) -> int | None:
        """The number that counts for a kind of creature, or ``None`` for the retreat arrow."""
        return self.blood_of.get(kind, self.blood)


@dataclass(frozen=True, slots=True)
class RoomTile:
    """A room tile or a printed special room."""

    id: str
    names: Names
    kind: str  # "1", "2" or "special"
    colour: str  # red, yellow, green, white or none
    computer: bool
    search: bool  # has an item counter
    malfunction: bool  # may hold a malfunction marker (BASE-136)
    rule: str


@dataclass(frozen=True, slots=True)
class ExplorationToken:
    """A token under a room tile: items (None: the number is not known) and effect."""

    id: str  # "fire/2", with equal copies "malfunction/2#3"
    effect: str  # silence danger slime fire malfunction doors
    items: int | None
    names: Names


@dataclass(frozen=True, slots=True)
class Character:
    """A character: colour name, printed hex colour for screens, weapon's ammunition."""

    id: str
    names: Names
    colour: str
    ammo: int | None  # None: sources differ, asked when needed
    hex: str  # colour for screens, "#rrggbb"
    weapon: str  # starting weapon: energy, classic, needle_gun or none


@dataclass(frozen=True, slots=True)
class Objective:
    """``text`` holds our own paraphrase of the condition per language, ``condition`` the same in
    the words of `companion.rules.victory` (None: only the table can judge it)."""

    id: str
    names: Names
    deck: str  # personal, corporate, solo_coop
    min_players: int
    text: Mapping[str, str]
    condition: Mapping[str, Any] | None = None
    survives_at: str = ""  # a place where its sleeping owner survives (BASE-363)


@dataclass(frozen=True, slots=True)
class Weakness:
    """A weakness, or what takes its place; ``rule`` says what it changes.

    ``unknown``: it is in the box, but its name and text are in no source: the table reads it.
    """

    id: str
    names: Names
    rule: str
    unknown: bool = False


@dataclass(frozen=True, slots=True)
class Card:
    """A card or Item that touches what the companion holds; see `companion.rules.cards`.

    ``text`` is our own paraphrase of what the companion does. ``character``: only theirs, empty
    for anybody's. ``combat``: may be played in Combat.
    """

    id: str
    names: Names
    kind: str  # action, item, trait
    text: Mapping[str, str]
    rule: str
    effect: str
    character: str = ""
    combat: bool = False
    params: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Rule:
    """One entry of the rule index: our paraphrase per language and its source."""

    id: str
    text: Mapping[str, str]
    source: str
    mark: str = ""  # single, derived, gap, conflict


@dataclass(frozen=True, slots=True)
class Switch:
    """A named choice between readings of a rule; the first value listed is allowed default."""

    id: str
    values: tuple[str, ...]
    default: str
    rules: tuple[str, ...]
    names: Mapping[str, str]  # what is asked, per language
    value_names: Mapping[str, Mapping[str, str]]  # value -> language -> words
    species: str = ""  # only where this one is played


@dataclass(frozen=True, slots=True)
class Game:
    """One boxed game: its limits and setup numbers."""

    id: str
    names: Names
    limits: Mapping[str, int]  # fire, malfunction, noise, door, egg, carcass, corpse_red, …
    eggs_at_start: int
    pods_by_players: Mapping[int, int]
    time_start: int  # spaces before the jump
    blue_from: int  # hibernation opens at this space
    self_destruct_start: int
    yellow_from: int
    noise_die: tuple[str, ...]
    combat_die: tuple[str, ...]
    contamination: int
    infected: int
    wounds: Mapping[str, int]  # serious wound kind -> cards
    wound_names: Mapping[str, Names]
    coordinates: tuple[tuple[str, ...], ...]  # places for A-D, one tuple a card
    pod_seats: int
    decks: Mapping[str, int]  # cards in each deck as printed (BASE-04)


@dataclass(frozen=True)
class Content:
    """Everything one game is played with. ``version`` and ``hash`` are pinned by the game."""

    version: str
    hash: str
    packs: Mapping[str, str]  # pack id -> version, shipped ones first
    games: Mapping[str, Game]
    boards: Mapping[str, Board]
    species: Mapping[str, Species]
    events: Mapping[str, EventCard]
    attacks: Mapping[str, AttackCard]
    tiles: Mapping[str, RoomTile]
    explorations: Mapping[str, ExplorationToken]
    characters: Mapping[str, Character]
    objectives: Mapping[str, Objective]
    weaknesses: Mapping[str, Weakness]
    cards: Mapping[str, Card]
    own_cards: Mapping[str, OwnCard]
    rules: Mapping[str, Rule]
    switches: Mapping[str, Switch]
    terms: Mapping[str, Names]  # markers and other words printed on the box: noise, fire, door …

    def board(self, chosen: str | None) -> Board:
        """The board side chosen, or the first one while none is; KeyError for an unknown id."""
        return self.boards[chosen or FIRST_BOARD]

    def creature(self, species: str, kind: str) -> Creature:
        """A creature of a species; KeyError when it has none of that kind."""
        return self.species[species].creatures[kind]
