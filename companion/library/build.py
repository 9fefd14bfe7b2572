"""From checked tables to the frozen types the rules use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from companion.game.board import Board, Corridor, Entrance, Room
from companion.library.model import (
    AttackCard,
    Card,
    Character,
    Creature,
    EventCard,
    ExplorationToken,
    Game,
    Names,
    Objective,
    OwnCard,
    OwnDeck,
    RoomTile,
    Rule,
    Species,
    Switch,
    Weakness,
)
from companion.locale import held_together

Raw = Mapping[str, Any]


def _told(by_language: Mapping[str, str]) -> dict[str, str]:
    """Words for readers as they are shown: French with its signs held to their words."""
    return {tag: held_together(t) if tag == "fr" else t for tag, t in by_language.items()}


def names(raw: Raw) -> Names:
    """The names of an entry; those not listed as ``unofficial`` are the publisher's."""
    by_language = _told(raw["names"])
    own = raw.get("unofficial", ())
    return Names(by_language, tuple(lang for lang in by_language if lang not in own))


def copy_ids(stem: str, values: Sequence[int | str]) -> list[str]:
    """Ids of cards or tokens that differ by a printed value: ``bite/6``, ``bite/4#2``.

    Equal copies are counted from 1, single ones are not.
    """
    copies, seen = Counter(values), Counter[int | str]()
    ids = []
    for value in values:
        seen[value] += 1
        ids.append(f"{stem}/{value}" + (f"#{seen[value]}" if copies[value] > 1 else ""))
    return ids


def game(key: str, raw: Raw) -> Game:
    """A boxed game."""
    same = (
        "eggs_at_start pod_seats time_start blue_from self_destruct_start yellow_from "
        "contamination infected"
    )
    return Game(
        id=key,
        names=names(raw),
        limits=raw["limits"],
        pods_by_players={int(n): pods for n, pods in raw["pods_by_players"].items()},
        noise_die=tuple(raw["noise_die"]),
        combat_die=tuple(raw["combat_die"]),
        wounds={kind: wound["cards"] for kind, wound in raw["wounds"].items()},
        wound_names={kind: names(wound) for kind, wound in raw["wounds"].items()},
        coordinates=tuple(tuple(card) for card in raw["coordinates"]),
        decks=raw["decks"],
        **{field: raw[field] for field in same.split()},
    )


def board(key: str, raw: Raw) -> Board:
    """A board side as a graph."""
    return Board(
        id=key,
        rooms={room: _room(room, value) for room, value in raw["rooms"].items()},
        corridors={
            corridor: Corridor(
                corridor,
                (value["rooms"][0], value["rooms"][1]),
                tuple(value["numbers"]),
                value["x"],
                value["y"],
            )
            for corridor, value in raw["corridors"].items()
        },
        spaces={space: _point(xy) for space, xy in raw["spaces"].items()},
        aspect=raw["aspect"],
        pods={section: tuple(map(_point, places)) for section, places in raw["pods"].items()},
        start_room=raw["start_room"],
        names=raw["names"],
    )


def _point(xy: Sequence[float]) -> tuple[float, float]:
    return xy[0], xy[1]


def _room(key: str, raw: Raw) -> Room:
    entrances = tuple(
        Entrance(number, network)
        for network, numbers in raw.get("technical", {}).items()
        for number in numbers
    )
    return Room(key, raw["kind"], raw["x"], raw["y"], raw["radius"], raw.get("fixed"), entrances)


def tile(key: str, raw: Raw) -> RoomTile:
    """A room tile or printed special room."""
    same = {f: raw[f] for f in ("kind", "colour", "computer", "search", "malfunction", "rule")}
    return RoomTile(id=key, names=names(raw), **same)


def numbered(text: str, copies: int) -> list[str]:
    """Ids of cards that are all alike: ``sabotage#1``, ``sabotage#2``; a single one: the text."""
    return [text] if copies == 1 else [f"{text}#{n}" for n in range(1, copies + 1)]


def species(key: str, raw: Raw, every: Mapping[str, Mapping[str, Raw]]) -> Species:
    """A species; its texts become the single cards. ``every``: all entries by kind."""
    attacks, cards = every["attacks"], every["own_cards"]
    return Species(
        id=key,
        names=names(raw),
        creatures={kind: _creature(kind, value) for kind, value in raw["creatures"].items()},
        events=tuple(raw["events"]),
        attacks=tuple(
            card for text in raw["attacks"] for card in copy_ids(text, attacks[text]["blood"])
        ),
        weaknesses=tuple(raw.get("weaknesses", ())),
        explorations=tuple(raw.get("explorations", ())),
        without=tuple(raw.get("without", ())),
        weakness_cards=raw.get("weakness_cards", len(raw.get("weaknesses", ()))),
        decks={
            deck: OwnDeck(
                tuple(c for text in held["texts"] for c in numbered(text, cards[text]["copies"])),
                held["cards"],
            )
            for deck, held in raw.get("decks", {}).items()
        },
        objectives=raw.get("objectives", {}),
        cards=raw.get("cards", {}),
        steps=raw.get("steps", {}),
        board=raw.get("board", {}),
        rules=tuple(raw.get("rules", ())),
    )


def own_cards(key: str, raw: Raw) -> Iterator[OwnCard]:
    """The copies of one text of a species' own deck."""
    for card in numbered(key, raw["copies"]):
        params, unknown = raw.get("params", {}), raw.get("unknown", False)
        yield OwnCard(card, key, names(raw), raw["effect"], raw["rule"], params, unknown)


def _creature(key: str, raw: Raw) -> Creature:
    same = {f: raw[f] for f in ("miniatures", "size", "check_cards", "carcass", "starting")}
    return Creature(
        id=key,
        names=names(raw),
        values=tuple(None if value == "none" else value for value in raw["values"]),
        starting_per_player=raw.get("starting_per_player", 0),
        brings=raw.get("brings", key if raw["miniatures"] else ""),
        **same,
    )


def event(key: str, raw: Raw) -> EventCard:
    """An event card."""
    return EventCard(
        id=key,
        names=names(raw),
        corridors=tuple(raw["corridors"]),
        moves=tuple(raw["moves"]),
        effect=raw["effect"],
        rule=raw["rule"],
        params=raw.get("params", {}),
        after=raw["after"],
    )


def attacks(key: str, raw: Raw) -> Iterator[AttackCard]:
    """The cards of one attack text, one for every number in ``blood``."""
    others = raw.get("blood_of", {})
    for n, (card, blood) in enumerate(zip(copy_ids(key, raw["blood"]), raw["blood"], strict=True)):
        yield AttackCard(
            id=card,
            names=names(raw),
            blood=_drop(blood),
            attackers=tuple(raw["attackers"]),
            effect=raw["effect"],
            rule=raw["rule"],
            params=raw.get("params", {}),
            blood_of={kind: _drop(numbers[n]) for kind, numbers in others.items()},
        )


def _drop(blood: int | str) -> int | None:
    return None if isinstance(blood, str) else blood


def explorations(key: str, raw: Raw) -> Iterator[ExplorationToken]:
    """The tokens of one effect, one for every number in ``items``."""
    for token, items in zip(copy_ids(key, raw["items"]), raw["items"], strict=True):
        known = None if items == "unknown" else items
        yield ExplorationToken(token, raw["effect"], known, names(raw))


def character(key: str, raw: Raw) -> Character:
    """A character; unknown ammunition is ``None``."""
    return Character(key, names(raw), raw["colour"], raw.get("ammo"), raw["hex"], raw["weapon"])


def objective(key: str, raw: Raw) -> Objective:
    """An objective."""
    return Objective(
        key,
        names(raw),
        raw["deck"],
        raw["min_players"],
        _told(raw["text"]),
        raw.get("condition"),
        raw.get("survives_at", ""),
    )


def weakness(key: str, raw: Raw) -> Weakness:
    """A weakness."""
    return Weakness(key, names(raw), raw["rule"], raw.get("unknown", False))


def card(key: str, raw: Raw) -> Card:
    """A card or Item that touches the table."""
    same = {f: raw[f] for f in ("kind", "rule", "effect")}
    more = {f: raw[f] for f in ("character", "combat", "params") if f in raw}
    return Card(id=key, names=names(raw), text=_told(raw["text"]), **same, **more)


def rule(key: str, raw: Raw) -> Rule:
    """An entry of the rule index."""
    return Rule(key, _told(raw["text"]), raw["source"], raw.get("mark", ""))


def switch(key: str, raw: Raw) -> Switch:
    """A rule switch."""
    return Switch(
        id=key,
        values=tuple(raw["values"]),
        default=raw["default"],
        rules=tuple(raw["rules"]),
        names=_told(raw["names"]),
        value_names={value: _told(held) for value, held in raw["value_names"].items()},
        species=raw.get("species", ""),
    )
