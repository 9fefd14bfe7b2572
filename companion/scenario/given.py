"""Applies ``[given]`` to the state after setup: only what a case names changes.

Pieces named here come from the supply (or from wherever they lie, when the supply is empty).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.game import BadInput, State
from companion.game.state import (
    BAG,
    DECK,
    DISCARD,
    INTRUDER_BOARD,
    REMOVED,
    SUPPLY,
    corridor_zone,
    kind_of,
    label_of,
    room_zone,
)
from companion.library.model import Content
from companion.rules import Play
from companion.rules.facts import set_door

OBJECTS = ("egg", "carcass", "corpse_red", "corpse_blue")


def apply_given(state: State, given: Mapping[str, Any], content: Content, path: str) -> None:
    """Change ``state`` in place. BadInput names the key that cannot be."""
    _Given(state, content, path).apply(given)


class _Given:
    def __init__(self, state: State, content: Content, path: str) -> None:
        self._state = state
        self._play = Play(state, content)
        self._path = path
        self._met_stated = False

    def apply(self, given: Mapping[str, Any]) -> None:
        state = self._state
        words: dict[str, Callable[[Any], None]] = {
            "first_player": lambda v: setattr(state, "first_player", v),
            "round": lambda v: setattr(state, "round", v),
            "phase": lambda v: setattr(state, "phase", v),
            "destination": lambda v: setattr(state, "destination", v),
            "nest_destroyed": lambda v: setattr(state, "nest_destroyed", v),
            "first_death": lambda v: setattr(state, "first_death", v),
            "met": self._met,
            "bag": self._bag,
            "tracks": self._tracks,
            "rooms": lambda v: self._each("rooms", v, self._room),
            "corridors": lambda v: self._each("corridors", v, self._corridor),
            "spaces": lambda v: self._each("spaces", v, self._space),
            "technical": lambda v: self._space("technical", v),
            "characters": lambda v: self._each("characters", v, self._character),
            "eggs": self._eggs,
            "weaknesses": self._weaknesses,
            "decks": self._decks,
            "supply": self._supply,
            "pods": self._pods,
            "locked": lambda v: setattr(state, "locked", set(v)),
            "unsure": lambda v: state.unsure.update(v),
        }
        for key, value in given.items():
            if key not in words:
                raise self._bad(key, "scenario.unknown", allowed=", ".join(words))
            words[key](value)
        if not self._met_stated and self._play.intruders():
            state.met = True

    def _bad(self, place: str, code: str, **params: Any) -> BadInput:
        return BadInput(f"{self._path}: given.{place}", code, params)

    def _each(self, name: str, given: Any, one: Callable[[str, Mapping[str, Any]], None]) -> None:
        if not isinstance(given, Mapping):
            raise self._bad(name, "scenario.table")
        for key, value in given.items():
            if not isinstance(value, Mapping):
                raise self._bad(f"{name}.{key}", "scenario.table")
            one(key, value)

    def _known(self, place: str, given: Mapping[str, Any], *allowed: str) -> None:
        for key in given:
            if key not in allowed:
                raise self._bad(f"{place}.{key}", "scenario.unknown", allowed=", ".join(allowed))

    def _met(self, value: bool) -> None:
        self._met_stated = True
        self._state.met = value

    def _bag(self, given: Any) -> None:
        state = self._state
        for token in state.tokens(BAG):
            state.where[f"token:{token}"] = SUPPLY
        wanted = (
            [kind for kind, n in given.items() for _ in range(n)]
            if isinstance(given, Mapping)
            else list(given)
        )
        for want in wanted:
            pool = [t for t in state.tokens(SUPPLY) if want in (t, label_of(t), kind_of(t))]
            if not pool:
                raise self._bad("bag", "scenario.none_left", value=str(want))
            state.where[f"token:{pool[0]}"] = BAG

    def _supply(self, given: Mapping[str, int]) -> None:
        """How many of a kind are left: the rest is out of the game."""
        state = self._state
        for kind, left in given.items():
            tokens = state.tokens(SUPPLY, kind) if kind not in OBJECTS else []
            pieces = state.pieces(kind, SUPPLY)
            if kind.startswith("token:"):
                for token in state.tokens(SUPPLY, kind[6:])[left:]:
                    state.where[f"token:{token}"] = REMOVED
            elif pieces:
                for piece in pieces[left:]:
                    state.where[piece] = REMOVED
            elif not tokens and left:
                raise self._bad(f"supply.{kind}", "scenario.none_left", value=kind)

    def _tracks(self, given: Mapping[str, Any]) -> None:
        self._known("tracks", given, "time", "self_destruct")
        if "time" in given:
            self._state.time = given["time"]
            if given["time"] <= self._play.game.blue_from:
                self._state.hibernation_open = True
        if "self_destruct" in given:
            value = given["self_destruct"]
            self._state.self_destruct = None if value is False else value

    def _room(self, room: str, given: Mapping[str, Any]) -> None:
        state, place = self._state, f"rooms.{room}"
        if room not in self._play.board.rooms:
            raise self._bad(place, "command.unknown_room", value=room)
        self._known(
            place,
            given,
            "explored",
            "tile",
            "exploration",
            "items",
            "fire",
            "malfunction",
            "intruders",
            "objects",
        )
        explored = given.get("explored", "tile" in given or room in state.explored)
        if explored:
            state.explored.add(room)
            if "tile" in given:
                state.tiles[room] = self._tile(place, given["tile"])
        else:
            state.explored.discard(room)
            state.tiles.pop(room, None)
            known = {
                "tile": given.get("tile") and self._tile(place, given["tile"]),
                "exploration": given.get("exploration"),
            }
            state.hidden[room] = {k: v for k, v in known.items() if v}
        if "items" in given:
            state.items[room] = given["items"]
        for kind in ("fire", "malfunction"):
            if given.get(kind) and not self._play.marker(kind, room):
                self._take(place, kind, room_zone(room))
        for intruder in given.get("intruders", []):
            entry = {"type": intruder} if isinstance(intruder, str) else intruder
            mini = self._take(place, entry["type"], room_zone(room))
            if entry.get("injuries"):
                state.injuries[mini] = entry["injuries"]
        for thing in given.get("objects", []):
            self._take(place, thing, room_zone(room))

    def _tile(self, place: str, tile: str) -> str:
        if tile not in self._play.content.tiles:
            raise self._bad(f"{place}.tile", "scenario.unknown_tile", value=tile)
        return tile

    def _take(self, place: str, piece: str, zone: str) -> str:
        state = self._state
        if "#" in piece and piece in state.where:
            state.where[piece] = zone
            return piece
        found = state.pieces(piece, SUPPLY)
        if not found:
            raise self._bad(place, "scenario.none_left", value=piece)
        state.where[found[0]] = zone
        return found[0]

    def _corridor(self, corridor: str, given: Mapping[str, Any]) -> None:
        place = f"corridors.{corridor}"
        if corridor not in self._play.board.corridors:
            raise self._bad(place, "command.unknown_corridor", value=corridor)
        self._known(place, given, "door", "noise")
        if "door" in given:
            set_door(self._play, corridor, given["door"])
        self._noise(corridor, corridor_zone(corridor), given.get("noise"))

    def _space(self, space: str, given: Mapping[str, Any]) -> None:
        if space not in self._play.board.spaces:
            raise self._bad(f"spaces.{space}", "command.unknown_space", value=space)
        self._known(f"spaces.{space}", given, "noise")
        self._noise(space, f"space:{space}", given.get("noise"))

    def _noise(self, space: str, zone: str, wanted: bool | None) -> None:
        marker = self._play.noise_at(space)
        if wanted and marker is None:
            self._take(space, "noise", zone)
        if wanted is False and marker:
            self._state.where[marker] = SUPPLY

    def _character(self, name: str, given: Mapping[str, Any]) -> None:
        place = f"characters.{name}"
        person = next((p for p in self._state.seats.values() if p.character == name), None)
        if person is None:
            raise self._bad(place, "scenario.unknown_character", value=name)
        state = self._state
        words: dict[str, Callable[[Any], None]] = {
            "room": lambda v: setattr(person, "room", v),
            "state": lambda v: self._person_state(person, v),
            "pod": lambda v: setattr(person, "pod", v),
            "hand": lambda v: setattr(person, "hand", v),
            "action_cards": lambda v: setattr(person, "action_cards", v),
            "light_wounds": lambda v: setattr(person, "light", v),
            "serious_wounds": lambda v: setattr(person, "serious", self._wounds(v)),
            "dressed_wounds": lambda v: setattr(person, "dressed", self._wounds(v)),
            "slime": lambda v: setattr(person, "slime", v),
            "signal": lambda v: setattr(person, "signal", v),
            "larva": lambda v: self._larva(place, person.seat, v),
            "cards": lambda v: self._cards(person, v),
            "contamination": lambda v: person.contamination.update(unscanned=v),
            "objects": lambda v: [self._take(place, thing, f"held:{person.seat}") for thing in v],
            "objectives": lambda v: self._objectives(person, v),
        }
        for key, value in given.items():
            if key not in words:
                raise self._bad(f"{place}.{key}", "scenario.unknown", allowed=", ".join(words))
            if key == "room" and value not in self._play.board.rooms:
                raise self._bad(f"{place}.room", "command.unknown_room", value=str(value))
            words[key](value)
        if given.get("objectives") is None and person.state == "dead":
            state.first_death = True

    def _person_state(self, person: Any, value: str) -> None:
        person.state = value
        if value in ("dead", "hibernated", "launched"):
            person.room = None

    def _wounds(self, value: Any) -> list[str]:
        return ["unknown"] * value if isinstance(value, int) else list(value)

    def _larva(self, place: str, seat: int, value: bool) -> None:
        if value and not self._state.pieces("larva", f"sheet:{seat}"):
            self._take(place, "larva", f"sheet:{seat}")

    def _cards(self, person: Any, cards: Mapping[str, int]) -> None:
        for kind in ("infected", "clean", "unscanned"):
            if kind in cards:
                person.contamination[kind] = cards[kind]

    def _objectives(self, person: Any, chosen: list[str]) -> None:
        state = self._state
        for objective in person.objectives:
            state.where[f"objective:{objective}"] = DECK
        for objective in chosen:
            if f"objective:{objective}" not in state.where:
                raise self._bad("characters", "scenario.unknown_objective", value=objective)
            state.where[f"objective:{objective}"] = f"held:{person.seat}"
        person.objectives = list(chosen)

    def _eggs(self, count: int) -> None:
        for egg in self._state.pieces("egg", INTRUDER_BOARD):
            self._state.where[egg] = SUPPLY
        for _ in range(count):
            self._take("eggs", "egg", INTRUDER_BOARD)

    def _weaknesses(self, given: Any) -> None:
        if isinstance(given, Mapping):
            self._state.weaknesses = dict(given)
        else:
            slots = ("corpse", "egg", "carcass")
            self._state.weaknesses = dict(zip(slots, given, strict=False))
        for card in self._state.weaknesses.values():
            if card not in self._play.content.weaknesses:
                raise self._bad("weaknesses", "scenario.unknown_weakness", value=card)

    def _decks(self, given: Mapping[str, Mapping[str, list[str]]]) -> None:
        """``decks.event = { deck = [...], discard = [...] }``: the rest is out of the game."""
        state = self._state
        for deck, piles in given.items():
            head = f"{deck}:"
            cards = [p for p in state.where if p.startswith(head)]
            if not cards:
                raise self._bad(f"decks.{deck}", "scenario.unknown", allowed="event, attack")
            for card in cards:
                state.where[card] = REMOVED
            for pile, zone in (("deck", DECK), ("discard", DISCARD)):
                for card in piles.get(pile, []):
                    if head + card not in state.where:
                        raise self._bad(f"decks.{deck}", "scenario.unknown_card", value=card)
                    state.where[head + card] = zone

    def _pods(self, given: Mapping[str, Any]) -> None:
        for pod, section in given.items():
            if pod not in self._state.where:
                raise self._bad(f"pods.{pod}", "command.unknown_piece", value=pod)
            self._state.where[pod] = f"section:{section}" if section else REMOVED
