"""Component rules are true when the content holds what the box holds: counted here, rule by rule.

What the rule pages list (tokens, decks, dice, cards, rooms) stands here a second time, as plain
expectations, so that a slip in a data file is found by counting and not by playing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from companion.game.board import Board
from companion.library.model import AttackCard, Content, ExplorationToken, Species

# rule -> effect, corridor, movers by initial (C creeper, A adult, B breeder, Q queen), after
_EVENTS = {
    "BASE-302": ("damaging_fire", 1, "CA", "discard"),
    "BASE-303": ("regeneration", 1, "BQ", "discard"),
    "BASE-304": ("scent_of_prey", 3, "CA", "discard"),
    "BASE-305": ("flammable_compounds", 4, "BQ", "discard"),
    "BASE-306": ("bulkheads_open", 1, "AB", "discard"),
    "BASE-307": ("hunt", 2, "CBQ", "discard"),
    "BASE-308": ("hunt", 3, "BQ", "discard"),
    "BASE-309": ("eclosion", 1, "CBQ", "discard"),
    "BASE-310": ("coolant_leak", 1, "ABQ", "remove"),
    "BASE-312": ("nest", 3, "CBQ", "discard"),
    "BASE-313": ("short_circuit", 4, "ABQ", "remove"),
    "BASE-314": ("damage", 2, "CA", "discard"),
    "BASE-315": ("egg_protection", 2, "BQ", "discard"),
    "BASE-316": ("consuming_fire", 4, "CBQ", "discard"),
    "BASE-317": ("malfunction", 2, "AB", "reshuffle"),
    "BASE-319": ("lurking", 4, "CA", "discard"),
    "BASE-320": ("evacuation_pod_ejection", 3, "ABQ", "remove"),
    "BASE-321": ("hatching", 3, "AB", "discard"),
    "BASE-323": ("life_support_failure", 2, "ABQ", "remove"),
    "BASE-324": ("noise_in_technical_corridors", 4, "AB", "discard"),
}

# rule -> effect, attackers, numbers (0: retreat arrow)
_ATTACKS = {
    "BASE-188": ("scratch", "CABQ", (2, 3, 5, 6)),
    "BASE-189": ("claw_attack", "ABQ", (3, 4, 5, 0)),
    "BASE-190": ("bite", "ABQ", (4, 4, 6, 0)),
    "BASE-191": ("tail_attack", "Q", (2, 5)),
    "BASE-192": ("transformation", "C", (4, 5)),
    "BASE-194": ("frenzy", "BQ", (3, 4)),
    "BASE-195": ("slime", "CABQ", (5,)),
    "BASE-196": ("summoning", "CQ", (3,)),
}

# The Void Seeders' cards: text -> corridors, movers by initial, after; numbers, attackers; level
_SEEDER_EVENTS = {
    "terror": ("1 LSD discard", "2 SD discard", "2 LSD discard"),
    "hunt": ("1 SD discard",),
    "tendrils": ("1 WS discard",),
    "computer_system_failure": ("2 WSD remove",),
    "monophobia": ("4 LSD discard", "1 LSD discard"),
    "neurosis": ("4 LW discard",),
    "agoraphobia": ("4 WS discard", "3 SD discard"),
    "evacuation_pod_ejection": ("3 WSD remove",),
    "fire_wave": ("4 LW discard",),
    "generator_overheat": ("1 WSD remove",),
    "whispers": ("2 LW discard", "3 WS discard"),
    "fear": ("3 WS discard", "3 LW discard"),
    "fuel_explosion": ("4 WSD remove",),
    "ship_ai_failure": ("1 LW discard",),
}
_SEEDER_ATTACKS = {
    "VS-A1": ("frenzy", "SD", (2, 6)),
    "VS-A2": ("scratch", "LWSD", (4, 5, 6, 0)),
    "VS-A3": ("duplicate", "LW", (3, 3)),
    "VS-A4": ("dread", "SD", (4, 0)),
    "VS-A5": ("braineating", "D", (4, 5)),
    "VS-A6": ("bite", "WSD", (2, 3, 4, 0)),
    "VS-A7": ("dismay", "LWSD", (2, 2, 4, 5)),
}
_PANIC = {
    "destructive_outburst": (2, 1), "defeatism": (3, 1), "blind_escape": (2, 1),
    "destruction": (4, 1), "insane_courage": (2, 1), "sabotage": (2, 2),
    "self_mutilation": (3, 2), "heart_attack": (5, 2), "bloodlust": (3, 2),
    "demotivation": (2, 1), "ripping_of_the_bandages": (2, 2), "hopelessness": (3, 1),
    "hallucinations": (3, 2), "pyromaniac": (3, 1),
}  # fmt: skip

_COLOURS = {
    "red": "armory command_center monitoring_room storage",
    "yellow": "airlock_control comms_room engine_control_room fire_control_system generator",
    "green": "canteen emergency_room laboratory surgery",
    "white": "cabins evacuation_section_a evacuation_section_b hatch_control_system shower_room",
    "none": "cockpit engine_1 engine_2 engine_3 hibernatorium nest room_covered_with_slime",
}

_SEEDER_TOKENS = ("blank", "void_seeder")
_COMPUTERS = (
    "comms_room command_center engine_control_room fire_control_system generator laboratory "
    "monitoring_room"
)


def check_components(content: Content) -> list[tuple[str, bool, str]]:
    """The component rules of game and species: rule id, whether it holds, what was found."""
    checks: list[tuple[str, Any, Any]] = []
    for part in (_box, _boards, _tiles, _events, _attacks, _void_seeders, _carnomorphs):
        checks += part(content)
    return [(rule, expected == found, str(found)) for rule, expected, found in checks]


def _count(items: Iterable[Any]) -> dict[Any, int]:
    return dict(sorted(Counter(items).items(), key=str))


def _initials(kinds: Iterable[str]) -> str:
    return "".join(kind[0].upper() for kind in kinds)


def _bag(species: Species, players: int) -> int:
    return sum(c.starting + c.starting_per_player * players for c in species.creatures.values())


def _box(content: Content) -> Iterator[tuple[str, Any, Any]]:
    game, species = content.games["nemesis"], content.species["intruders"]
    creatures = species.creatures
    tokens = {"blank": 1, "larva": 8, "creeper": 3, "adult": 12, "breeder": 2, "queen": 1}
    yield "BASE-01", tokens, {kind: len(c.values) for kind, c in creatures.items()}
    numbers = {"larva": {1}, "creeper": {1}, "adult": {2, 3, 4}, "breeder": {3, 4}, "queen": {4}}
    yield "BASE-01", {"blank": {None}, **numbers}, {k: {*c.values} for k, c in creatures.items()}
    miniatures = {"blank": 0, "larva": 6, "creeper": 3, "adult": 8, "breeder": 2, "queen": 1}
    yield "BASE-02", miniatures, {kind: c.miniatures for kind, c in creatures.items()}
    box = ["captain", "pilot", "scientist", "scout", "soldier", "mechanic"]
    yield "BASE-02", len(box), len({content.characters[name].colour for name in box})
    supplies = {
        "fire": 8, "malfunction": 8, "noise": 30, "door": 12, "egg": 8, "carcass": 8,
        "corpse_blue": 1, "corpse_red": 5, "status": 18, "ammo": 50, "engine": 6, "pod": 4,
        "exploration": 20,
    }  # fmt: skip
    yield "BASE-03", supplies, dict(game.limits)
    yield "BASE-03", game.limits["exploration"], len(base_tokens(content))
    decks = {
        "event": 20, "attack": 20, "contamination": 27, "wound": 16, "weakness": 8,
        "coordinates": 8, "item_red": 30, "item_yellow": 30, "item_green": 30,
        "item_crafted": 12, "action": 10, "personal": 9, "corporate": 9, "solo_coop": 7,
    }  # fmt: skip
    yield "BASE-04", decks, dict(game.decks)
    made = {
        "event": len(species.events),
        "attack": len(species.attacks),
        "contamination": game.contamination,
        "wound": sum(game.wounds.values()),
        "weakness": len(species.weaknesses),
        "coordinates": len(game.coordinates),
        **_count(objective.deck for objective in content.objectives.values()),
    }
    yield "BASE-04", {deck: decks[deck] for deck in made}, made
    noise = {"1": 2, "2": 2, "3": 2, "4": 2, "silence": 1, "danger": 1}
    yield "BASE-05", noise, dict(Counter(game.noise_die))
    combat = {"blank": 1, "creeper": 2, "adult": 1, "one_crosshair": 1, "two_crosshairs": 1}
    yield "BASE-06", combat, dict(Counter(game.combat_die))
    yield "BASE-51", {1: 2, 2: 2, 3: 3, 4: 3, 5: 4}, dict(game.pods_by_players)
    yield "BASE-53", 5, game.eggs_at_start
    bags = [_bag(species, players) for players in range(1, 6)]
    yield "BASE-54", [11, 12, 13, 14, 15], bags
    yield "BASE-54", 0, creatures["breeder"].starting
    yield "BASE-56", 15, game.time_start
    yield "BASE-202", {"body": 4, "leg": 3, "hand": 3, "arm": 3, "bleeding": 3}, dict(game.wounds)
    yield "BASE-214", (27, 7), (game.contamination, game.infected)
    yield "BASE-225", 8, len(species.weaknesses)
    yield "BASE-289", (15, 8), (game.time_start, game.blue_from)
    yield "BASE-339", (6, 3), (game.self_destruct_start, game.yellow_from)
    places = [["deep_space", "earth", "mars", "venus"]] * 8
    yield "BASE-346", places, [sorted(card) for card in game.coordinates]
    yield "BASE-346", 8, len(set(game.coordinates))
    yield "BASE-347", 2, game.pod_seats
    items = _count(token.effect for token in base_tokens(content))
    effects = {"danger": 2, "doors": 4, "fire": 2, "malfunction": 8, "silence": 2, "slime": 2}
    yield "BASE-03", (effects, 44), (items, sum(t.items or 0 for t in base_tokens(content)))


def base_tokens(content: Content) -> list[ExplorationToken]:
    """Exploration tokens of the base box: those no species brings."""
    brought = {text for species in content.species.values() for text in species.explorations}
    return [t for key, t in content.explorations.items() if key.split("/")[0] not in brought]


def _exits(board: Board) -> list[list[int]]:
    exits: dict[str, list[int]] = {
        room: [entrance.number for entrance in value.technical]
        for room, value in board.rooms.items()
    }
    for corridor in board.corridors.values():
        for room in corridor.rooms:
            exits[room] += corridor.numbers
    return [sorted(numbers) for numbers in exits.values()]


def _boards(content: Content) -> Iterator[tuple[str, Any, Any]]:
    basic, advanced = content.boards["nemesis/basic"], content.boards["nemesis/advanced"]
    yield "BASE-10", (28, 29), (len(basic.corridors), len(advanced.corridors))
    for rule, board, corridors in (("BASE-23", basic, 28), ("BASE-379", advanced, 29)):
        yield rule, (21, corridors), (len(board.rooms), len(board.corridors))
        yield "BASE-24", [[1, 2, 3, 4]] * 21, _exits(board)
    doubles = [c.id for c in basic.corridors.values() if len(c.numbers) == 2]
    yield "BASE-25", 8, len(doubles)
    special = {
        "001": "cockpit", "011": "hibernatorium",
        "019": "engine_3", "020": "engine_2", "021": "engine_1",
    }  # fmt: skip
    found = {room.id: room.fixed for room in basic.rooms.values() if room.kind == "special"}
    yield "BASE-28", special, found
    tiles = [content.tiles[tile] for tile in special.values()]
    yield "BASE-28", (5, 0), (sum(t.malfunction for t in tiles), sum(t.search for t in tiles))
    slots = _count(room.kind for room in basic.rooms.values())
    yield "BASE-29", (11, 5), (slots["1"], slots["2"])
    yield "BASE-49", 16, slots["1"] + slots["2"]
    sections = {"007": "evacuation_section_a", "009": "evacuation_section_b"}
    fixed = {room.id: room.fixed for room in advanced.rooms.values() if room.kind == "fixed_tile"}
    yield "BASE-380", sections, fixed
    yield "BASE-381", ["technical_blue", "technical_red"], sorted(advanced.spaces)
    joined = Counter(frozenset(c.rooms) for c in advanced.corridors.values())
    yield "BASE-383", 4, sum(number == 2 for number in joined.values())


def _tiles(content: Content) -> Iterator[tuple[str, Any, Any]]:
    tiles = content.tiles.values()
    kinds = _count(tile.kind for tile in tiles)
    yield "BASE-29", (11, 9, 5), (kinds["1"], kinds["2"], kinds["special"])
    computers = {tile.id for tile in tiles if tile.computer}
    yield "BASE-238", sorted(_COMPUTERS.split()), sorted(computers)
    for colour, ids in _COLOURS.items():
        yield "BASE-239", ids.split(), sorted(t.id for t in tiles if t.colour == colour)
    yield "BASE-100", set(_COLOURS["none"].split()), {t.id for t in tiles if not t.search}
    never = {"nest", "room_covered_with_slime"}
    yield "BASE-136", never, {t.id for t in tiles if not t.malfunction}
    yield "BASE-264", False, content.tiles["cockpit"].computer


def _events(content: Content) -> Iterator[tuple[str, Any, Any]]:
    cards = [content.events[key] for key in content.species["intruders"].events]
    by_rule = {card.rule: card for card in cards}
    for rule, expected in _EVENTS.items():
        card = by_rule.get(rule)
        found = card and (card.effect, *card.corridors, _initials(card.moves), card.after)
        yield rule, expected, found
    numbers = _count(number for card in cards for number in card.corridors)
    yield "BASE-297", {1: 5, 2: 5, 3: 5, 4: 5}, numbers
    yield "BASE-297", False, any("larva" in card.moves for card in cards)
    yield (
        "BASE-299",
        (15, 4, 1),
        tuple(
            sum(card.after == after for card in cards)
            for after in ("discard", "remove", "reshuffle")
        ),
    )


def _attacks(content: Content) -> Iterator[tuple[str, Any, Any]]:
    cards = [content.attacks[key] for key in content.species["intruders"].attacks]
    yield "BASE-163", 2, sum(card.blood is None for card in cards)
    yield from _attack_cards(cards, _ATTACKS)


def _attack_cards(
    cards: list[AttackCard], expected: Mapping[str, tuple[str, str, tuple[int, ...]]]
) -> Iterator[tuple[str, Any, Any]]:
    for rule, (effect, attackers, numbers) in expected.items():
        copies = [card for card in cards if card.rule == rule]
        found = {(card.effect, _initials(card.attackers)) for card in copies}
        yield rule, {(effect, attackers)}, found
        yield rule, numbers, tuple(card.blood or 0 for card in copies)


def _void_seeders(content: Content) -> Iterator[tuple[str, Any, Any]]:
    species = content.species["void_seeders"]
    creatures = species.creatures
    colours = {character.colour for character in content.characters.values()}
    yield "VS-02", (1, 16), tuple(len(creatures[k].values) for k in _SEEDER_TOKENS)
    insane = {k.removeprefix("insanity_") for k in creatures if k.startswith("insanity_")}
    yield "VS-02", (7, colours), (len(insane), insane)
    lairs = [t for t in content.explorations.values() if t.effect == "lair"]
    yield "VS-02", 3, len(lairs)
    decks = (len(species.events), len(species.attacks), species.weakness_cards)
    yield "VS-03", (20, 20, 8), decks
    yield "VS-03", (20, 20), (species.decks["panic"].cards, len(species.decks["panic"].known))
    miniatures = {"lair": 3, "lurker": 6, "whisperer": 4, "stalker": 1, "despoiler": 1}
    yield "VS-04", miniatures, {k: c.miniatures for k, c in creatures.items() if c.miniatures}
    yield "VS-53", {1, 2, 3, 4}, {*creatures["void_seeder"].values}
    events = [content.events[key] for key in species.events]
    for effect, expected in _SEEDER_EVENTS.items():
        cards = [card for card in events if card.effect == effect]
        found = [f"{card.corridors[0]} {_initials(card.moves)} {card.after}" for card in cards]
        for rule in {card.rule for card in cards}:
            yield rule, expected, tuple(found)
    yield from _attack_cards([content.attacks[key] for key in species.attacks], _SEEDER_ATTACKS)
    panic = [content.own_cards[key] for key in species.decks["panic"].known]
    for effect, (level, copies) in _PANIC.items():
        alike = [card for card in panic if card.effect == effect]
        found_levels = [card.params["level"] for card in alike]
        yield alike[0].rule if alike else "VS-03", [level] * copies, found_levels


def _carnomorphs(content: Content) -> Iterator[tuple[str, Any, Any]]:
    species, base = content.species["carnomorphs"], content.species["intruders"]
    creatures = species.creatures
    decks = (species.weakness_cards, species.decks["mutation"].cards)
    yield "CA-02", (20, 20, 8, 12), (len(species.attacks), len(species.events), *decks)
    tokens = {kind: len(creature.values) for kind, creature in creatures.items()}
    yield "CA-02", (8, 2), (tokens["metagorger_red"], tokens["metagorger_blue"])
    minis = {kind: c.miniatures for kind, c in creatures.items() if c.miniatures}
    yield "CA-03", {"metagorger": 8, "shambler": 8, "fleshbeast": 3, "butcher": 1}, minis
    for own, theirs in (("shambler", "adult"), ("butcher", "queen"), ("blank", "blank")):
        yield "CA-04", base.creatures[theirs].values, creatures[own].values
    yield "CA-04", len(base.creatures["breeder"].values) + 1, tokens["fleshbeast"]
    yield "CA-68", set(), {"larva", "creeper"} & set(creatures)
    bags = [_bag(species, players) for players in range(1, 6)]
    for rule in ("CA-07", "FAQ-C7"):
        yield rule, [6, 7, 8, 9, 10], bags
