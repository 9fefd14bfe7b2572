"""The kinds of content file, each declared once: what `load` accepts and `schemas` prints.

A pack is a folder with ``pack.toml`` and for each kind a file, or a folder of files. Every
file but ``pack.toml`` is a table of entries by id. In an owner's pack an entry whose id exists
already may be partial: its keys are laid over the entry.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.library.schema import (
    Either,
    Entries,
    Flag,
    JsonSchema,
    Many,
    Number,
    Plain,
    Shape,
    Table,
    Text,
    Whole,
    Word,
)

LANGUAGES = ("en", "it", "fr")
CONTENT_SCHEMA = 1  # the ``schema`` a pack names; raised when a kind changes its meaning

ID = "[a-z][a-z0-9_]*"
RULE_ID = "[A-Z]+(?:-[A-Z]?[0-9]+)"
RULES_BEGIN = "[A-Z]+-[A-Z]?"
BOARD_ID = f"{ID}(?:/{ID})?"
SPACE_ID = "[a-z0-9_]+"
PLACES = ("earth", "mars", "venus", "deep_space")  # where a course may lead
READING = "[a-z][A-Za-z ]*"  # a value of a rule switch
ANY_LANGUAGE = "[a-z]{2}(?:_[A-Z]{2})?"

_id = Text(ID, 60)
_rule = Text(RULE_ID, 20)
_fraction = Number(-0.2, 1.2)  # a space beside the board may lie a little outside
_point = Many(_fraction, 2, 2)


def _language_table(needed: tuple[str, ...], longest: int) -> Shape:
    """Words per language; languages beyond ``needed`` are welcome where they are known."""
    words = Text(longest=longest)
    others = [language for language in LANGUAGES if language not in needed]
    more = [*others, "de", "es", "pl", "pt", "ru", "cs", "hu", "uk", "zh", "ja", "ko"]
    return Table(dict.fromkeys(needed, words), dict.fromkeys(more, words))


NAMED: Mapping[str, Shape] = {"names": _language_table(("en",), 120)}
UNOFFICIAL: Mapping[str, Shape] = {
    # languages whose name is our own description, not the publisher's
    "unofficial": Many(Text(ANY_LANGUAGE, 5), distinct=True)
}
TEXTED: Mapping[str, Shape] = {"text": _language_table(LANGUAGES, 1000)}

PACK = Table(
    {
        "id": _id,
        "version": Text(r"[0-9]+\.[0-9]+\.[0-9]+", 20),
        "schema": Whole(1, CONTENT_SCHEMA),
        "requires": Many(_id, distinct=True),
    }
)

GAME = Table(
    {
        **NAMED,
        "eggs_at_start": Whole(0, 20),
        "pods_by_players": Entries("[1-5]", Whole(0, 10), least=5),
        "pod_seats": Whole(1, 5),
        "time_start": Whole(1, 30),
        "blue_from": Whole(1, 30),
        "self_destruct_start": Whole(1, 30),
        "yellow_from": Whole(1, 30),
        "noise_die": Many(Word(("1", "2", "3", "4", "silence", "danger")), 10, 10),
        "combat_die": Many(
            Word(("blank", "creeper", "adult", "one_crosshair", "two_crosshairs")), 6, 6
        ),
        "contamination": Whole(0, 100),
        "infected": Whole(0, 100),
        "coordinates": Many(Many(Word(PLACES), 4, 4, distinct=True), 1, 30),
        "limits": Entries(ID, Whole(0, 200), least=1),
        "decks": Entries(ID, Whole(0, 200), least=1),
        "wounds": Entries(ID, Table({**NAMED, "cards": Whole(0, 20)}, UNOFFICIAL), least=1),
    },
    UNOFFICIAL,
)

BOARD = Table(
    {
        **NAMED,
        "aspect": Number(0.5, 3),
        "start_room": Text(SPACE_ID, 20),
        "spaces": Entries(SPACE_ID, _point),
        "pods": Entries("[A-Z]", Many(_point, 1, 4)),
        "rooms": Entries(
            SPACE_ID,
            Table(
                {
                    "kind": Word(("special", "1", "2", "fixed_tile")),
                    "x": _fraction,
                    "y": _fraction,
                    "radius": Number(0.005, 0.3),
                },
                {
                    "fixed": _id,
                    "technical": Entries(SPACE_ID, Many(Whole(1, 4), 1, 4, distinct=True)),
                },
            ),
            least=2,
        ),
        "corridors": Entries(
            "[a-z0-9_]+-[a-z0-9_]+(?:-[ab])?",
            Table(
                {
                    "rooms": Many(Text(SPACE_ID, 20), 2, 2, distinct=True),
                    "numbers": Many(Whole(1, 4), 1, 4, distinct=True),
                    "x": _fraction,
                    "y": _fraction,
                }
            ),
            least=1,
        ),
    },
    UNOFFICIAL,
)

TILE = Table(
    {
        **NAMED,
        "kind": Word(("1", "2", "special")),
        "colour": Word(("red", "yellow", "green", "white", "none")),
        "computer": Flag(),
        "search": Flag(),
        "malfunction": Flag(),
        "rule": _rule,
    },
    UNOFFICIAL,
)

CREATURE = Table(
    {
        **NAMED,
        "values": Many(Either(Whole(1, 9), "none"), 0, 40),
        "miniatures": Whole(0, 40),
        "size": Whole(0, 20),
        "check_cards": Whole(0, 4),
        "carcass": Flag(),
        "starting": Whole(0, 40),
    },
    {
        **UNOFFICIAL,
        "starting_per_player": Whole(0, 5),
        # the kind of miniature its token brings, where that is not its own
        "brings": _id,
    },
)

# of some cards the text is not known: then there are more cards than texts
OWN_DECK = Table({"cards": Whole(1, 60), "texts": Many(_id, 0, 60, distinct=True)})

SPECIES = Table(
    {
        **NAMED,
        "creatures": Entries(ID, CREATURE, least=1),
        "events": Many(_id, 1, 60, distinct=True),
        "attacks": Many(_id, 1, 60, distinct=True),
        # how many there are in the box: the lists must add up to it
        "tokens": Whole(1, 100),
        "event_cards": Whole(1, 60),
        "attack_cards": Whole(1, 60),
    },
    {
        **UNOFFICIAL,
        "weaknesses": Many(_id, 1, 20, distinct=True),
        # exploration tokens that only this species brings; tiles and tokens that stay in the box
        "explorations": Many(_id, 1, 10, distinct=True),
        "without": Many(_id, 1, 10, distinct=True),
        # as many weakness cards as there are, where not all of them are known
        "weakness_cards": Whole(0, 60),
        "decks": Entries(ID, OWN_DECK),  # decks that no other species has
        # objectives whose words this species' rulebook reads otherwise
        "objectives": Entries(ID, _language_table(LANGUAGES, 1000)),
        "cards": Entries(ID, _language_table(LANGUAGES, 1000)),  # Items, in the same way
        # steps of the Event Phase that this species' rulebook names otherwise
        "steps": Entries(ID, _language_table(LANGUAGES, 60)),
        # what its own board is called within a sentence
        "board": _language_table(LANGUAGES, 60),
        # how the ids of rules begin that are about this species alone
        "rules": Many(Text(RULES_BEGIN, 12), 1, 10, distinct=True),
    },
)

EVENT = Table(
    {
        **NAMED,
        "corridors": Many(Whole(1, 4), 0, 2),
        "moves": Many(_id, 0, 8, distinct=True),
        "effect": _id,
        "after": Word(("discard", "remove", "reshuffle")),
        "rule": _rule,
    },
    {**UNOFFICIAL, "params": Entries(ID, Plain())},
)

BLOOD = Many(Either(Whole(0, 12), "retreat"), 1, 20)
ATTACK = Table(
    {
        **NAMED,
        "blood": BLOOD,
        "attackers": Many(_id, 1, 8, distinct=True),
        "effect": _id,
        "rule": _rule,
    },
    # numbers of their own for some kinds, card by card as in ``blood``
    {**UNOFFICIAL, "params": Entries(ID, Plain()), "blood_of": Entries(ID, BLOOD)},
)

EXPLORATION = Table(
    {
        **NAMED,
        "items": Many(Either(Whole(0, 9), "unknown"), 1, 40),
        "effect": Word(("silence", "danger", "slime", "fire", "malfunction", "doors", "lair")),
    },
    UNOFFICIAL,
)

CHARACTER = Table(
    {
        **NAMED,
        "colour": _id,
        "hex": Text("#[0-9a-f]{6}", 7),
        "weapon": Word(("energy", "classic", "needle_gun", "none")),
    },
    {**UNOFFICIAL, "ammo": Whole(0, 20), "unknown": Flag()},
)

#: What a condition may say; `companion.rules.victory` knows each of these words.
CONDITION: dict[str, Shape] = {
    "reaches": Word(PLACES),
    "sole_survivor": Flag(),
    "others_survive": Whole(1, 4),
    "player_dead": Whole(1, 5),
    "signal": Flag(),
    "ship_destroyed": Flag(),
    "nest_destroyed": Flag(),
    "queen_killed": Flag(),
    "all_explored": Flag(),
    "weakness": Word(("corpse", "egg", "carcass")),
    "weaknesses": Whole(1, 3),
    "carries": Word(("egg", "carcass", "corpse_blue", "corpse_red")),
    "corpse_in": Text(ID, 60),
    "in_pod": Flag(),
    "items": Whole(1, 30),
}
_ALL = Table({}, CONDITION)
_DEEPER = Table({}, {**CONDITION, "any": Many(_ALL, 1, 5)})
OBJECTIVE = Table(
    {
        **NAMED,
        **TEXTED,
        "deck": Word(("personal", "corporate", "solo_coop")),
        "min_players": Whole(1, 5),
    },
    {
        **UNOFFICIAL,
        "condition": _DEEPER,
        "survives_at": Word(PLACES),
    },
)

CARD = Table(
    {
        **NAMED,
        **TEXTED,
        "kind": Word(("action", "item", "trait")),
        "rule": _rule,
        "effect": _id,
    },
    # only this character's; may be played in Combat
    {**UNOFFICIAL, "character": _id, "combat": Flag(), "params": Entries(ID, Plain())},
)

OWN_CARD = Table(
    {**NAMED, "copies": Whole(1, 20), "effect": _id, "rule": _rule},
    {**UNOFFICIAL, "params": Entries(ID, Plain()), "unknown": Flag()},
)

# unknown: the card is in the box, its name and text are in no source
WEAKNESS = Table({**NAMED, "rule": _rule}, {**UNOFFICIAL, "unknown": Flag()})
TERM = Table(NAMED, UNOFFICIAL)

RULE = Table(
    {**TEXTED, "source": Text(longest=200)},
    {"mark": Word(("single", "derived", "gap", "conflict"))},
)

SWITCH = Table(
    {
        "names": _language_table(LANGUAGES, 300),
        "values": Many(Text(READING, 40), 2, 10, distinct=True),
        "value_names": Entries(READING, _language_table(LANGUAGES, 200), least=2),
        "default": Text(READING, 40),
        "rules": Many(_rule, 1, 10, distinct=True),
    },
    {"species": _id},  # only where this one is played
)

# file name without .toml -> what it holds
KINDS: Mapping[str, Entries] = {
    "game": Entries(ID, GAME),
    "boards": Entries(BOARD_ID, BOARD),
    "tiles": Entries(ID, TILE),
    "species": Entries(ID, SPECIES),
    "events": Entries(ID, EVENT),
    "attacks": Entries(ID, ATTACK),
    "exploration": Entries(ID, EXPLORATION),
    "characters": Entries(ID, CHARACTER),
    "objectives": Entries(ID, OBJECTIVE),
    "weaknesses": Entries(ID, WEAKNESS),
    "cards": Entries(ID, CARD),
    "own_cards": Entries(ID, OWN_CARD),
    "terms": Entries(ID, TERM),
    "switches": Entries(ID, SWITCH),
    "rules": Entries(RULE_ID, RULE),
}


def schemas() -> dict[str, JsonSchema]:
    """JSON Schema (draft 2020-12) of each kind of content file, ``pack`` included."""
    every: dict[str, Shape] = {"pack": PACK, **KINDS}
    return {
        kind: {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": f"{kind}.toml",
            **shape.schema(),
        }
        for kind, shape in every.items()
    }
