"""Applies ``[given]`` to the state after setup: only what a case names changes.

Pieces named here come from the supply.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.game import BadInput, Person, State
from companion.game.state import (
    ABOARD,
    BAG,
    DEAD,
    DECK,
    DISCARD,
    HIBERNATED,
    INTRUDER_BOARD,
    LAUNCHED,
    POD_WAITING,
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
from companion.scenario.words import room_or_space, seat_of

STATES = (ABOARD, DEAD, HIBERNATED, POD_WAITING, LAUNCHED)
DOORS = ("open", "closed", "destroyed")
OBJECTS = ("egg", "carcass", "corpse_red", "corpse_blue")
MOST = 1000


def apply_given(state: State, given: Mapping[str, Any], content: Content, path: str) -> None:
    """Change ``state`` in place. BadInput names the key that cannot be."""
    _Given(state, content, path).apply(given)


class _Given:
    def __init__(self, state: State, content: Content, path: str) -> None:
        self._state = state
        self._content = content
        self._play = Play(state, content)
        self._path = path
        self._met_stated = False

    def apply(self, given: Mapping[str, Any]) -> None:
        state = self._state
        self._words(
            "",
            given,
            {
                "first_player": self._first_player,
                "round": lambda v: setattr(state, "round", self._int("round", v)),
                "phase": lambda v: setattr(
                    state, "phase", self._one("phase", v, ("player", "event", "over"))
                ),
                "destination": lambda v: setattr(
                    state, "destination", self._one("destination", v, ("A", "B", "C", "D"))
                ),
                "nest_destroyed": lambda v: setattr(
                    state, "nest_destroyed", self._flag("nest_destroyed", v)
                ),
                "first_death": lambda v: setattr(
                    state, "first_death", self._flag("first_death", v)
                ),
                "met": self._met,
                "bag": self._bag,
                "tracks": self._tracks,
                "rooms": lambda v: self._each("rooms", v, self._room),
                "corridors": lambda v: self._each("corridors", v, self._corridor),
                "spaces": lambda v: self._each("spaces", v, self._corridor),
                "technical": lambda v: self._corridor("technical", self._table("technical", v)),
                "technical_red": lambda v: self._corridor(
                    "technical_red", self._table("technical_red", v)
                ),
                "technical_blue": lambda v: self._corridor(
                    "technical_blue", self._table("technical_blue", v)
                ),
                "characters": lambda v: self._each("characters", v, self._character),
                "eggs": self._eggs,
                "weaknesses": self._weaknesses,
                "engines": self._engines,
                "coordinates": self._coordinates,
                "adaptations": lambda v: self._none_yet("adaptations", v),
                "decks": lambda v: self._each("decks", v, self._deck),
                "supply": self._supply,
                "pods": self._pods,
                "locked": self._locked,
                "unsure": lambda v: state.unsure.update(map(str, self._list("unsure", v))),
            },
        )
        self._settle()

    def _settle(self) -> None:
        """What follows from the rest: somebody stood on the board, who waits in a Pod is where."""
        state = self._state
        if not self._met_stated and self._play.intruders():
            state.met = True
        for person in state.seats.values():
            if person.state == POD_WAITING and person.pod:
                section = state.where[person.pod].removeprefix("section:")
                person.room = self._play.room_tile(f"evacuation_section_{section}") or person.room

    # Reading ------------------------------------------------------------------------------------

    def _bad(self, place: str, code: str, **params: Any) -> BadInput:
        return BadInput(f"{self._path}: given.{place}", code, params)

    def _words(
        self, place: str, given: Mapping[str, Any], words: Mapping[str, Callable[[Any], object]]
    ) -> None:
        for key in given:
            if key not in words:
                raise self._bad(f"{place}{key}", "scenario.unknown", allowed=", ".join(words))
        for key, apply in words.items():  # in the order of the words, not of the file
            if key in given:
                apply(given[key])

    def _table(self, place: str, value: Any) -> Mapping[str, Any]:
        if not isinstance(value, Mapping):
            raise self._bad(place, "scenario.table")
        return value

    def _each(self, name: str, given: Any, one: Callable[[str, Mapping[str, Any]], None]) -> None:
        for key, value in self._table(name, given).items():
            one(key, self._table(f"{name}.{key}", value))

    def _int(self, place: str, value: Any, low: int = 0, high: int = MOST) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            raise self._bad(place, "command.number")
        if not low <= value <= high:
            raise self._bad(place, "command.range", value=str(value)[:20], low=low, high=high)
        return value

    def _flag(self, place: str, value: Any) -> bool:
        if not isinstance(value, bool):
            raise self._bad(place, "command.flag")
        return value

    def _one(self, place: str, value: Any, allowed: tuple[str, ...]) -> str:
        if value not in allowed:
            raise self._bad(
                place, "scenario.not_there", value=str(value)[:40], allowed=", ".join(allowed)
            )
        return str(value)

    def _list(self, place: str, value: Any) -> list[Any]:
        """A list, or a table of numbers by kind."""
        if isinstance(value, Mapping):
            return [k for k, n in value.items() for _ in range(self._int(f"{place}.{k}", n))]
        if not isinstance(value, list):
            raise self._bad(place, "answer.list")
        return value

    # The game -----------------------------------------------------------------------------------

    def _first_player(self, value: Any) -> None:
        seat = seat_of(self._play, value)
        if seat not in self._state.seats:
            raise self._bad("first_player", "command.unknown_seat", value=str(value)[:40])
        self._state.first_player = seat

    def _met(self, value: Any) -> None:
        self._met_stated = True
        self._state.met = self._flag("met", value)

    def _bag(self, given: Any) -> None:
        state = self._state
        for token in state.tokens(BAG):
            state.where[f"token:{token}"] = SUPPLY
        # the more exactly a token is named, the earlier it is taken
        for want in sorted(map(str, self._list("bag", given)), key=lambda w: -len(w)):
            pool = [t for t in state.tokens(SUPPLY) if want in (t, label_of(t), kind_of(t))]
            if not pool:
                raise self._bad("bag", "scenario.none_left", value=want[:40])
            state.where[f"token:{pool[0]}"] = BAG

    def _supply(self, given: Any) -> None:
        """How many of a kind are left in the supply: the rest is out of the game."""
        state = self._state
        for kind, left in self._table("supply", given).items():
            head = kind.removeprefix("token:")
            pieces = (
                [f"token:{t}" for t in state.tokens(SUPPLY, head)]
                if kind.startswith("token:")
                else state.pieces(kind, SUPPLY)
            )
            if len(pieces) < self._int(f"supply.{kind}", left):
                raise self._bad(f"supply.{kind}", "scenario.none_left", value=kind[:40])
            for piece in pieces[left:]:
                state.where[piece] = REMOVED

    def _tracks(self, given: Any) -> None:
        state = self._state

        def time(value: Any) -> None:
            state.time = self._int("tracks.time", value, 0, self._play.game.time_start)
            state.hibernation_open |= state.time <= self._play.game.blue_from

        def self_destruct(value: Any) -> None:
            start = self._play.game.self_destruct_start
            on = value is not False
            state.self_destruct = self._int("tracks.self_destruct", value, 0, start) if on else None

        self._words(
            "tracks.", self._table("tracks", given), {"time": time, "self_destruct": self_destruct}
        )

    def _eggs(self, value: Any) -> None:
        for egg in self._state.pieces("egg", INTRUDER_BOARD):
            self._state.where[egg] = SUPPLY
        for _ in range(self._int("eggs", value)):
            self._take("eggs", "egg", INTRUDER_BOARD)

    def _weaknesses(self, given: Any) -> None:
        slots = ("corpse", "egg", "carcass")
        found = (
            dict(given)
            if isinstance(given, Mapping)
            else dict(zip(slots, self._list("weaknesses", given), strict=False))
        )
        for card in found.values():
            if card not in self._content.weaknesses:
                raise self._bad("weaknesses", "scenario.unknown_weakness", value=str(card)[:40])
        self._state.weaknesses = found

    def _engines(self, given: Any) -> None:
        engines = self._table("engines", given)
        self._state.hidden["engines"] = {
            self._one("engines", str(engine), ("1", "2", "3")): self._one(
                f"engines.{engine}", state, ("working", "damaged")
            )
            for engine, state in engines.items()
        }

    def _coordinates(self, given: Any) -> None:
        places = dict(zip("ABCD", self._list("coordinates", given), strict=False))
        known = tuple(sorted({p for card in self._play.game.coordinates for p in card}))
        self._state.hidden["coordinates"] = {
            letter: self._one("coordinates", place, known) for letter, place in places.items()
        }

    def _none_yet(self, place: str, value: Any) -> None:
        """A word of another species: nothing of it may be stated here."""
        if value not in ([], {}, 0, False):
            raise self._bad(place, "scenario.other_species")

    def _deck(self, deck: str, piles: Mapping[str, Any]) -> None:
        """``decks.event = { deck = [...], discard = [...] }``: the rest is out of the game."""
        state = self._state
        head = f"{deck}:"
        cards = [p for p in state.where if p.startswith(head)]
        if not cards or deck not in ("event", "attack", "wound"):
            raise self._bad(f"decks.{deck}", "scenario.unknown", allowed="event, attack, wound")

        def fill(pile: str, zone: str, names: Any) -> None:
            for card in self._list(f"decks.{deck}.{pile}", names):
                if head + str(card) not in state.where:
                    raise self._bad(f"decks.{deck}", "scenario.unknown_card", value=str(card)[:40])
                state.where[head + str(card)] = zone

        for card in cards:
            state.where[card] = REMOVED
        self._words(
            f"decks.{deck}.",
            piles,
            {
                "deck": lambda v: fill("deck", DECK, v),
                "discard": lambda v: fill("discard", DISCARD, v),
            },
        )

    def _pod(self, place: str, value: Any) -> str:
        pod = f"pod_{value}" if str(value).isdigit() else str(value)
        if pod not in self._state.where or not pod.startswith("pod_"):
            raise self._bad(place, "command.unknown_piece", value=pod[:40])
        return pod

    def _pods(self, given: Any) -> None:
        """``{ pod_1 = "a", pod_2 = false }``: the section of a Pod, or out of the game."""
        for name, section in self._table("pods", given).items():
            pod = self._pod(f"pods.{name}", name)
            if section is False:
                self._state.where[pod] = REMOVED
            else:
                side = self._one(f"pods.{name}", str(section).lower(), ("a", "b"))
                self._state.where[pod] = f"section:{side}"

    def _locked(self, given: Any) -> None:
        self._state.locked = {self._pod("locked", p) for p in self._list("locked", given)}

    # The board ----------------------------------------------------------------------------------

    def _room(self, name: str, given: Mapping[str, Any]) -> None:
        state, place = self._state, f"rooms.{name}"
        room = room_or_space(self._play, name)
        if room not in self._play.board.rooms:
            raise self._bad(place, "command.unknown_room", value=name[:40])
        token = next(
            (given[k] for k in ("exploration", "token", "exploration_token") if k in given), None
        )
        tile = given.get("tile")
        if tile is not None and tile not in self._content.tiles:
            raise self._bad(f"{place}.tile", "scenario.unknown_tile", value=str(tile)[:40])
        if token is not None:
            known = {k for t in self._content.explorations for k in (t, label_of(t), kind_of(t))}
            if token not in known:
                raise self._bad(f"{place}.token", "scenario.unknown_card", value=str(token)[:40])
        turned = token is None and (tile is not None or room in state.explored)
        if self._flag(f"{place}.explored", given.get("explored", turned)):
            state.explored.add(room)
            if tile:
                state.tiles[room] = tile
        else:
            state.explored.discard(room)
            state.tiles.pop(room, None)
            state.hidden[room] = {
                k: v for k, v in {"tile": tile, "exploration": token}.items() if v is not None
            }

        def items(value: Any) -> None:
            state.items[room] = self._int(f"{place}.items", value)

        self._words(
            f"{place}.",
            given,
            {
                **dict.fromkeys(
                    ("explored", "tile", "exploration", "token", "exploration_token"),
                    lambda _: None,
                ),
                "items": items,
                "item_counter": items,
                "fire": lambda v: self._marker(room, "fire", v),
                "malfunction": lambda v: self._marker(room, "malfunction", v),
                "intruders": lambda v: self._intruders(room, v),
                "objects": lambda v: [
                    self._take(f"{place}.objects", str(p), room_zone(room))
                    for p in self._list(f"{place}.objects", v)
                ],
            },
        )

    def _marker(self, room: str, kind: str, value: Any) -> None:
        marker = self._play.marker(kind, room)
        if self._flag(f"rooms.{room}.{kind}", value):
            if not marker:
                self._take(f"rooms.{room}.{kind}", kind, room_zone(room))
        elif marker:
            self._state.where[marker] = SUPPLY

    def _intruders(self, room: str, given: Any) -> None:
        place = f"rooms.{room}.intruders"
        for intruder in self._list(place, given):
            entry = intruder if isinstance(intruder, Mapping) else {"type": intruder}
            kind = str(entry.get("id", entry.get("type")))
            if kind_of(kind) not in self._content.species[self._state.species].creatures:
                raise self._bad(place, "command.unknown_piece", value=kind[:40])
            mini = self._take(place, kind, room_zone(room))
            injuries = self._int(f"{place}.injuries", entry.get("injuries", 0))
            if injuries:
                self._state.injuries[mini] = injuries

    def _take(self, place: str, piece: str, zone: str) -> str:
        state = self._state
        if "#" in piece and piece in state.where and ":" not in piece:
            state.where[piece] = zone
            return piece
        found = state.pieces(piece, SUPPLY)
        if not found:
            raise self._bad(place, "scenario.none_left", value=piece[:40])
        state.where[found[0]] = zone
        return found[0]

    def _corridor(self, name: str, given: Mapping[str, Any]) -> None:
        board, place = self._play.board, f"corridors.{name}"
        space = room_or_space(self._play, name)
        if space not in board.corridors and space not in board.spaces:
            raise self._bad(place, "command.unknown_corridor", value=name[:40])
        words: dict[str, Callable[[Any], object]] = {
            "noise": lambda v: self._noise(space, self._flag(f"{place}.noise", v))
        }
        if space in board.corridors:
            words["door"] = lambda v: set_door(
                self._play, space, self._one(f"{place}.door", v, DOORS)
            )
        self._words(f"{place}.", given, words)

    def _noise(self, space: str, wanted: bool) -> None:
        marker = self._play.noise_at(space)
        if wanted and marker is None:
            corridor = space in self._play.board.corridors
            self._take(space, "noise", corridor_zone(space) if corridor else f"space:{space}")
        if not wanted and marker:
            self._state.where[marker] = SUPPLY

    # Characters ---------------------------------------------------------------------------------

    def _character(self, name: str, given: Mapping[str, Any]) -> None:
        place = f"characters.{name}"
        person = next((p for p in self._state.seats.values() if p.character == name), None)
        if person is None:
            raise self._bad(place, "scenario.unknown_character", value=name[:40])
        someone = person

        def number(field: str) -> Callable[[Any], object]:
            return lambda v: setattr(someone, field, self._int(f"{place}.{field}", v))

        def flag(field: str) -> Callable[[Any], object]:
            return lambda v: setattr(someone, field, self._flag(f"{place}.{field}", v))

        self._words(
            f"{place}.",
            given,
            {
                "room": lambda v: self._where(someone, v),
                "state": lambda v: self._condition(someone, v),
                "pod": lambda v: self._seat_in_pod(someone, v),
                "hand": lambda v: self._hand(someone, v),
                "action_cards": number("action_cards"),
                "light_wounds": number("light"),
                "serious_wounds": lambda v: self._wounds(someone, v, dressed=False),
                "dressed_wounds": lambda v: self._wounds(someone, v, dressed=True),
                "slime": flag("slime"),
                "signal": flag("signal"),
                "passed": flag("passed"),
                "larva": lambda v: self._larva(someone, v),
                "cards": lambda v: self._cards(someone, v),
                "contamination": lambda v: self._cards(someone, {"contamination": v}),
                "insanity": lambda v: self._none_yet(f"{place}.insanity", v),
                "objects": lambda v: [
                    self._take(f"{place}.objects", str(p), f"held:{someone.seat}")
                    for p in self._list(f"{place}.objects", v)
                ],
                "objectives": lambda v: self._objectives(someone, v),
            },
        )

    def _where(self, person: Person, value: Any) -> None:
        room = room_or_space(self._play, value)
        if room not in self._play.board.rooms:
            raise self._bad(
                f"characters.{person.character}.room",
                "command.unknown_room",
                value=str(value)[:40],
            )
        person.room = room

    def _condition(self, person: Person, value: Any) -> None:
        person.state = self._one(f"characters.{person.character}.state", value, STATES)
        if person.state in (DEAD, HIBERNATED, LAUNCHED):
            person.room = None
        self._state.first_death |= person.state == DEAD

    def _seat_in_pod(self, person: Person, value: Any) -> None:
        place = f"characters.{person.character}.pod"
        pod = self._pod(place, value)
        if not self._state.where[pod].startswith("section:"):
            self._state.where[pod] = "section:a"
        person.pod, person.state = pod, POD_WAITING

    def _hand(self, person: Person, value: Any) -> None:
        unknown = value == "unknown" or value is False
        person.hand = None if unknown else self._int(f"characters.{person.character}.hand", value)

    def _wounds(self, person: Person, value: Any, *, dressed: bool) -> None:
        place = f"characters.{person.character}.serious_wounds"
        cards: list[Any] = (
            ["unknown"] * self._int(place, value, 0, 3)
            if isinstance(value, int)
            else self._list(place, value)
        )
        for card in cards:
            entry = card if isinstance(card, Mapping) else {"type": card}
            kind = self._one(
                place, entry.get("type", "unknown"), (*self._play.game.wounds, "unknown")
            )
            under = self._flag(place, entry.get("dressed", dressed))
            (person.dressed if under else person.serious).append(kind)
            if kind != "unknown":
                deck = [w for w in self._state.cards("wound", DECK) if label_of(w) == kind]
                if deck:
                    self._state.where[f"wound:{deck[0]}"] = f"held:{person.seat}"

    def _larva(self, person: Person, value: Any) -> None:
        place = f"characters.{person.character}.larva"
        sheet = f"sheet:{person.seat}"
        if self._flag(place, value) and not self._state.pieces("larva", sheet):
            self._take(place, "larva", sheet)

    def _cards(self, person: Person, value: Any) -> None:
        place = f"characters.{person.character}.cards"
        held = person.contamination

        def count(kind: str) -> Callable[[Any], object]:
            return lambda v: held.update({kind: self._int(f"{place}.{kind}", v)})

        self._words(
            f"{place}.",
            self._table(place, value),
            {
                "action": lambda v: setattr(person, "deck", self._int(f"{place}.action", v)),
                "infected": count("infected"),
                "clean": count("clean"),
                "unscanned": count("unscanned"),
                "contamination": count("unscanned"),
            },
        )

    def _objectives(self, person: Person, value: Any) -> None:
        state = self._state
        place = f"characters.{person.character}.objectives"
        for objective in person.objectives:
            state.where[f"objective:{objective}"] = DECK
        person.objectives = [str(o) for o in self._list(place, value)]
        for objective in person.objectives:
            if objective not in self._content.objectives:
                raise self._bad(place, "scenario.unknown_objective", value=objective[:40])
            for other in state.seats.values():
                if other is not person and objective in other.objectives:
                    self._deal_another(other, objective, person.objectives)
            state.where[f"objective:{objective}"] = f"held:{person.seat}"

    def _deal_another(self, person: Person, objective: str, wanted: list[str]) -> None:
        """Setup had dealt to somebody else what a case gives to this one."""
        known = self._content.objectives
        other = next(
            o
            for o in self._state.cards("objective", DECK)
            if known[o].deck == known[objective].deck and o not in wanted
        )
        self._state.where[f"objective:{other}"] = f"held:{person.seat}"
        person.objectives[person.objectives.index(objective)] = other
