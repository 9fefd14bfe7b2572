"""What one entry says about another: references that must resolve, sums that must agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from companion.library.read import Entries, Entry
from companion.library.schema import Place


def check_links(entries: Entries) -> None:
    """Raise `BadInput` for the first reference or sum among ``entries`` that is wrong.

    The entries must have their shapes already (`companion.library.kinds`).
    """
    for entry in entries["boards"].values():
        _board(entry, entries)
    for entry in entries["species"].values():
        _species(entry, entries)
    for entry in entries["characters"].values():
        if ("ammo" in entry.value) == entry.value.get("unknown", False):
            entry.place.into("ammo").refuse("known_or_unknown")
    for entry in entries["cards"].values():
        if "character" in entry.value:
            place = entry.place.into("character")
            _one_of(entry.value["character"], entries["characters"], place)
    for entry in entries["switches"].values():
        _switch(entry, entries)
    for entry in entries["game"].values():
        _game(entry)
    for kind in entries:
        for entry in entries[kind].values():
            _unofficial(entry)


def rule_references(entries: Entries) -> Iterator[tuple[str, Place]]:
    """Every rule id that an entry names, and where it stands."""
    for kind in ("tiles", "events", "attacks", "weaknesses", "cards", "own_cards"):
        for entry in entries[kind].values():
            yield entry.value["rule"], entry.place.into("rule")
    for entry in entries["switches"].values():
        for n, rule in enumerate(entry.value["rules"]):
            yield rule, entry.place.into("rules").into(n)


def _one_of(value: str, known: Iterable[str], place: Place) -> None:
    known = list(known)
    if value not in known:
        place.refuse_word("unresolved", value, known)


def _board(entry: Entry, entries: Entries) -> None:
    board, place = entry.value, entry.place
    rooms = board["rooms"]
    _one_of(board["start_room"], rooms, place.into("start_room"))
    exits: dict[str, list[int]] = {room: [] for room in rooms}
    for key, corridor in board["corridors"].items():
        here = place.into("corridors").into(key)
        for n, room in enumerate(corridor["rooms"]):
            _one_of(room, rooms, here.into("rooms").into(n))
            exits[room] += corridor["numbers"]
        joined = "-".join(corridor["rooms"])
        if key.removesuffix("-a").removesuffix("-b") != joined:
            here.refuse("corridor_id", value=key, expected=joined)
    for key, room in rooms.items():
        here = place.into("rooms").into(key)
        if "fixed" in room:
            _one_of(room["fixed"], entries["tiles"], here.into("fixed"))
        if ("fixed" in room) != (room["kind"] in ("special", "fixed_tile")):
            here.into("fixed").refuse("fixed_room", value=room["kind"])
        for network, numbers in room.get("technical", {}).items():
            _one_of(network, board["spaces"], here.into("technical").into(network))
            exits[key] += numbers
        if sorted(exits[key]) != [1, 2, 3, 4]:
            here.refuse("exits", room=key, value=", ".join(map(str, sorted(exits[key]))))


def _species(entry: Entry, entries: Entries) -> None:
    species, place = entry.value, entry.place
    creatures = species["creatures"]
    for field, words in (("events", "moves"), ("attacks", "attackers")):
        for n, key in enumerate(species[field]):
            _one_of(key, entries[field], place.into(field).into(n))
            card = entries[field][key]
            for m, creature in enumerate(card.value[words]):
                _one_of(creature, creatures, card.place.into(words).into(m))
    for text in species["attacks"]:
        _own_numbers(entries["attacks"][text], creatures)
    for n, key in enumerate(species.get("weaknesses", ())):
        _one_of(key, entries["weaknesses"], place.into("weaknesses").into(n))
    for kind in ("objectives", "cards"):
        for key in species.get(kind, {}):
            _one_of(key, entries[kind], place.into(kind))
    for n, key in enumerate(species.get("explorations", ())):
        _one_of(key, entries["exploration"], place.into("explorations").into(n))
    for n, key in enumerate(species.get("without", ())):
        _one_of(key, [*entries["tiles"], *entries["exploration"]], place.into("without").into(n))
    for deck, held in species.get("decks", {}).items():
        here = place.into("decks").into(deck)
        for n, key in enumerate(held["texts"]):
            _one_of(key, entries["own_cards"], here.into("texts").into(n))
        copies = sum(entries["own_cards"][text].value["copies"] for text in held["texts"])
        if copies > held["cards"]:
            here.into("cards").refuse("count", value=held["cards"], count=copies)
    for key, creature in creatures.items():
        here = place.into("creatures").into(key)
        at_most = creature["starting"] + 5 * creature.get("starting_per_player", 0)
        count = len(creature["values"])
        if at_most > count:
            here.into("starting").refuse("starting_tokens", value=at_most, count=count)
        if "brings" in creature:
            _one_of(creature["brings"], creatures, here.into("brings"))
    cards = [entries["attacks"][text].value["blood"] for text in species["attacks"]]
    found = {
        "tokens": sum(len(creature["values"]) for creature in creatures.values()),
        "event_cards": len(species["events"]),
        "attack_cards": sum(map(len, cards)),
    }
    for field, count in found.items():
        if species[field] != count:
            place.into(field).refuse("count", value=species[field], count=count)


def _own_numbers(attack: Entry, creatures: Iterable[str]) -> None:
    """Numbers of a kind's own stand beside every number of the text."""
    for kind, numbers in attack.value.get("blood_of", {}).items():
        place = attack.place.into("blood_of").into(kind)
        _one_of(kind, creatures, place)
        if len(numbers) != len(attack.value["blood"]):
            place.refuse("count", value=len(numbers), count=len(attack.value["blood"]))


def _switch(entry: Entry, entries: Entries) -> None:
    switch, place = entry.value, entry.place
    if "species" in switch:
        _one_of(switch["species"], entries["species"], place.into("species"))
    _one_of(switch["default"], switch["values"], place.into("default"))
    for value in switch["value_names"]:
        _one_of(value, switch["values"], place.into("value_names").into(value))
    for value in switch["values"]:
        _one_of(value, switch["value_names"], place.into("values"))


def _game(entry: Entry) -> None:
    game, place = entry.value, entry.place
    for field, most in (("blue_from", "time_start"), ("yellow_from", "self_destruct_start")):
        if game[field] > game[most]:
            place.into(field).refuse("out_of_range", value=game[field], min=1, max=game[most])
    if game["infected"] > game["contamination"]:
        place.into("infected").refuse(
            "out_of_range", value=game["infected"], min=0, max=game["contamination"]
        )
    found: dict[str, int] = {
        "wound": sum(wound["cards"] for wound in game["wounds"].values()),
        "contamination": game["contamination"],
        "coordinates": len(game["coordinates"]),
    }
    for deck, count in found.items():
        if deck in game["decks"] and game["decks"][deck] != count:
            place.into("decks").into(deck).refuse("count", value=game["decks"][deck], count=count)
    numbers = Counter(face for face in game["noise_die"] if face.isdigit())
    if sorted(numbers.items()) != [(str(n), 2) for n in (1, 2, 3, 4)]:
        place.into("noise_die").refuse("uneven_die")


def _unofficial(entry: Entry) -> None:
    value: Any = entry.value
    for n, language in enumerate(value.get("unofficial", ())):
        _one_of(language, value["names"], entry.place.into("unofficial").into(n))
