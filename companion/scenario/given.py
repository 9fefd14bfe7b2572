"""Applies ``[given]`` to the state after setup: only what a case names changes.

Pieces named here come from the supply.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion.game import State
from companion.game.state import (
    BAG,
    DEAD,
    DECK,
    DISCARD,
    INTRUDER_BOARD,
    POD_WAITING,
    REMOVED,
    SUPPLY,
    card_zone,
    corridor_zone,
    kind_of,
    label_of,
    room_zone,
)
from companion.library.model import Content
from companion.rules.facedown import LETTERS, SLOTS
from companion.rules.facts import set_door
from companion.scenario.people import People
from companion.scenario.words import room_or_space, seat_of

DOORS = ("open", "closed", "destroyed")


def apply_given(
    state: State,
    given: Mapping[str, Any],
    content: Content,
    path: str,
    queued: Sequence[Any] = (),
) -> None:
    """Change ``state`` in place. BadInput names the key that cannot be.

    ``queued``: what ``chance.bag`` will draw; a bag given by kinds holds just those numbers first.
    """
    made = _Given(state, content, path)
    made.queued = [str(q) for q in queued]
    made.apply(given)


class _Given(People):
    _met_stated = False
    queued: list[str]

    def apply(self, given: Mapping[str, Any]) -> None:
        state = self.state
        self.words(
            "",
            given,
            {
                "first_player": self._first_player,
                "round": lambda v: setattr(state, "round", self.int("round", v)),
                "phase": lambda v: setattr(
                    state, "phase", self.one("phase", v, ("player", "event", "over"))
                ),
                "destination": lambda v: setattr(
                    state, "destination", self.one("destination", v, ("A", "B", "C", "D"))
                ),
                "nest_destroyed": lambda v: setattr(
                    state, "nest_destroyed", self.flag("nest_destroyed", v)
                ),
                "queen_killed": self._queen_killed,
                "coop": lambda v: setattr(state, "coop", self.flag("coop", v)),
                "first_death": lambda v: setattr(state, "first_death", self.flag("first_death", v)),
                "met": self._met,
                "intruder_player": self._intruder_player,
                "bag": self._bag,
                "tracks": self._tracks,
                "rooms": lambda v: self.each("rooms", v, self._room),
                "corridors": lambda v: self.each("corridors", v, self._corridor),
                "spaces": lambda v: self.each("spaces", v, self._corridor),
                "technical": lambda v: self._corridor("technical", self.table("technical", v)),
                "technical_red": lambda v: self._corridor(
                    "technical_red", self.table("technical_red", v)
                ),
                "technical_blue": lambda v: self._corridor(
                    "technical_blue", self.table("technical_blue", v)
                ),
                "characters": lambda v: self.each("characters", v, self.character),
                "eggs": self._eggs,
                "intruder_board": lambda v: [
                    self.take("intruder_board", str(p), INTRUDER_BOARD)
                    for p in self.list("intruder_board", v)
                ],
                "own": self._own,
                "weaknesses": self._weaknesses,
                "hidden_weaknesses": self._hidden_weaknesses,
                "airlock": self._airlock,
                "engines": self._engines,
                "coordinates": self._coordinates,
                "adaptations": self._adaptations,
                "decks": lambda v: self.each("decks", v, self._deck),
                "supply": self._supply,
                "pods": self._pods,
                "locked": self._locked,
                "learnt": lambda v: state.learnt.update(self.table("learnt", v)),
                "unsure": lambda v: state.unsure.update(map(str, self.list("unsure", v))),
            },
        )
        self._settle()

    def _settle(self) -> None:
        """What follows from the rest: somebody stood on the board, who waits in a Pod is where."""
        state = self.state
        if not self._met_stated and any(self.play.nature(m).met for m in self.play.intruders()):
            state.met = True
        for person in state.seats.values():
            if person.state == POD_WAITING and person.pod:
                section = state.where[person.pod].removeprefix("section:")
                person.room = self.play.room_tile(f"evacuation_section_{section}") or person.room

    # The game -----------------------------------------------------------------------------------

    def _first_player(self, value: Any) -> None:
        seat = seat_of(self.play, value)
        if seat not in self.state.seats:
            raise self.bad("first_player", "command.unknown_seat", value=str(value)[:40])
        self.state.first_player = seat

    def _intruder_player(self, value: Any) -> None:
        """Who plays the Intruders: an eliminated player."""
        seat = seat_of(self.play, value)
        if seat not in self.state.seats:
            raise self.bad("intruder_player", "command.unknown_seat", value=str(value)[:40])
        person = self.state.seats[seat]
        person.state, person.room = DEAD, None
        self.state.intruder_player = self.state.intruder_asked = self.state.first_death = True
        self.state.intruder_seat = seat

    def _own(self, given: Any) -> None:
        """What only the species keeps."""
        stated = self.table("own", given)
        self.words("own.", stated, dict.fromkeys(self.play.species.own_words, lambda _: None))
        self.state.own.update(stated)

    def _met(self, value: Any) -> None:
        self._met_stated = True
        self.state.met = self.flag("met", value)

    def _queen_killed(self, value: Any) -> None:
        queen = self.state.pieces(self.play.species.trophy)[0]
        self.state.where[queen] = REMOVED if self.flag("queen_killed", value) else SUPPLY

    def _bag(self, given: Any) -> None:
        state = self.state
        for token in state.tokens(BAG):
            state.where[f"token:{token}"] = SUPPLY
        # the more exactly a token is named, the earlier it is taken
        for want in sorted(map(str, self.list("bag", given)), key=lambda w: -len(w)):
            pool = [t for t in state.tokens(SUPPLY) if want in (t, label_of(t), kind_of(t))]
            if not pool:
                raise self.bad("bag", "scenario.none_left", value=want[:40])
            token = next((t for q in self.queued for t in pool if q == label_of(t)), pool[0])
            if label_of(token) in self.queued:
                self.queued.remove(label_of(token))
            state.where[f"token:{token}"] = BAG

    def _supply(self, given: Any) -> None:
        """How many of a kind are left in the supply: the rest is out of the game."""
        state = self.state
        for kind, left in self.table("supply", given).items():
            head = kind.removeprefix("token:")
            pieces = (
                [f"token:{t}" for t in state.tokens(SUPPLY, head)]
                if kind.startswith("token:")
                else state.pieces(kind, SUPPLY)
            )
            if len(pieces) < self.int(f"supply.{kind}", left):
                raise self.bad(f"supply.{kind}", "scenario.none_left", value=kind[:40])
            for piece in pieces[left:]:
                state.where[piece] = REMOVED

    def _tracks(self, given: Any) -> None:
        state = self.state

        def time(value: Any) -> None:
            state.time = self.int("tracks.time", value, 0, self.play.game.time_start)
            state.hibernation_open |= state.time <= self.play.game.blue_from

        def self_destruct(value: Any) -> None:
            start = self.play.game.self_destruct_start
            on = value is not False
            state.self_destruct = self.int("tracks.self_destruct", value, 0, start) if on else None
            if on and (state.self_destruct or 0) <= self.play.game.yellow_from:
                state.pods_unlocked.append("self_destruct")  # that was when yellow was reached

        self.words(
            "tracks.", self.table("tracks", given), {"time": time, "self_destruct": self_destruct}
        )

    def _eggs(self, value: Any) -> None:
        for egg in self.state.pieces("egg", INTRUDER_BOARD):
            self.state.where[egg] = SUPPLY
        for _ in range(self.int("eggs", value)):
            self.take("eggs", "egg", INTRUDER_BOARD)

    def _weaknesses(self, given: Any) -> None:
        """Discovered ones: they lie open, and no slot holds them face down."""
        found = self._cards_by_slot("weaknesses", given)
        self.state.weaknesses = found
        held = self.state.hidden.get("weaknesses", {})
        self._hide({slot: card for slot, card in held.items() if slot not in found})

    def _adaptations(self, given: Any) -> None:
        """Turned ones, in the order of their slots or by slot: their miniatures have left them."""
        if self.play.species.slots == SLOTS:
            self.none_yet("adaptations", given)
            return
        self._weaknesses(given)
        for piece, zone in self.state.where.items():
            if zone in {card_zone(slot) for slot in self.state.weaknesses}:
                self.state.where[piece] = SUPPLY

    def _hidden_weaknesses(self, given: Any) -> None:
        """What lies face down on these slots; a slot that was dealt the card gets another."""
        stated = self._cards_by_slot("hidden_weaknesses", given)
        self._hide({**self.state.hidden.get("weaknesses", {}), **stated}, stated)

    def _cards_by_slot(self, word: str, given: Any) -> dict[str, str]:
        found = (
            dict(given)
            if isinstance(given, Mapping)
            else dict(zip(self.play.species.slots, self.list(word, given), strict=False))
        )
        for card in found.values():
            if card not in self.play.aliens.weaknesses:
                raise self.bad(word, "scenario.unknown_weakness", value=str(card)[:40])
        return found

    def _hide(self, slots: dict[str, str], kept: Mapping[str, str] | None = None) -> None:
        taken = {*self.state.weaknesses.values(), *(kept or {}).values()}
        for slot, card in slots.items():
            if slot not in (kept or {}) and card in taken:
                others = {*taken, *slots.values()}
                deck = self.play.aliens.weaknesses
                slots[slot] = next(w for w in deck if w not in others)
        self.state.hidden["weaknesses"] = slots

    def _airlock(self, value: Any) -> None:
        room = room_or_space(self.play, value)
        if room not in self.play.board.rooms:
            raise self.bad("airlock", "command.unknown_room", value=str(value)[:40])
        self.state.airlock = room

    def _engines(self, given: Any) -> None:
        engines = self.table("engines", given)
        self.state.hidden["engines"] = self.state.hidden.get("engines", {}) | {
            self.one("engines", str(engine), ("1", "2", "3")): self.one(
                f"engines.{engine}", state, ("working", "damaged")
            )
            for engine, state in engines.items()
        }

    def _coordinates(self, given: Any) -> None:
        places = dict(zip(LETTERS, self.list("coordinates", given), strict=False))
        known = tuple(sorted({p for card in self.play.game.coordinates for p in card}))
        self.state.hidden["coordinates"] = {
            letter: self.one("coordinates", place, known) for letter, place in places.items()
        }

    def _deck(self, deck: str, piles: Mapping[str, Any]) -> None:
        """``decks.event = { deck = [...], discard = [...] }``.

        With ``deck`` given, cards named in neither pile are out of the game; without it they stay.
        """
        state = self.state
        head = f"{deck}:"
        cards = [p for p in state.where if p.startswith(head)]
        decks = ("event", "attack", "wound", *self.content.species[state.species].decks)
        if not cards or deck not in decks:
            raise self.bad(f"decks.{deck}", "scenario.unknown", allowed=", ".join(decks))

        def fill(pile: str, zone: str, names: Any) -> None:
            for card in self.list(f"decks.{deck}.{pile}", names):
                if head + str(card) not in state.where:
                    raise self.bad(f"decks.{deck}", "scenario.unknown_card", value=str(card)[:40])
                state.where[head + str(card)] = zone

        if "deck" in piles:
            for card in cards:
                state.where[card] = REMOVED
        self.words(
            f"decks.{deck}.",
            piles,
            {
                "deck": lambda v: fill("deck", DECK, v),
                "discard": lambda v: fill("discard", DISCARD, v),
            },
        )

    def _pods(self, given: Any) -> None:
        """``{ pod_1 = "a", pod_2 = false }``: the section of a Pod, or out of the game."""
        for name, section in self.table("pods", given).items():
            pod = self.pod(f"pods.{name}", name)
            if section is False:
                self.state.where[pod] = REMOVED
            else:
                side = self.one(f"pods.{name}", str(section).lower(), ("a", "b"))
                self.state.where[pod] = f"section:{side}"

    def _locked(self, given: Any) -> None:
        self.state.locked = {self.pod("locked", p) for p in self.list("locked", given)}

    # The board ----------------------------------------------------------------------------------

    def _room(self, name: str, given: Mapping[str, Any]) -> None:
        state, place = self.state, f"rooms.{name}"
        room = room_or_space(self.play, name)
        if room not in self.play.board.rooms:
            raise self.bad(place, "command.unknown_room", value=name[:40])
        token = next(
            (given[k] for k in ("exploration", "token", "exploration_token") if k in given), None
        )
        tile = given.get("tile")
        if tile is not None and tile not in self.content.tiles:
            raise self.bad(f"{place}.tile", "scenario.unknown_tile", value=str(tile)[:40])
        if token is not None:
            known = {k for t in self.content.explorations for k in (t, label_of(t), kind_of(t))}
            if token not in known:
                raise self.bad(f"{place}.token", "scenario.unknown_card", value=str(token)[:40])
        turned = token is None and (tile is not None or room in state.explored)
        if self.flag(f"{place}.explored", given.get("explored", turned)):
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
            state.items[room] = self.int(f"{place}.items", value)

        self.words(
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
                "objects": lambda v: self._objects(room, f"{place}.objects", v),
            },
        )

    def _objects(self, room: str, place: str, given: Any) -> None:
        """Beside what setup has laid there; an empty list: nothing lies there."""
        pieces = self.list(place, given)
        for piece in pieces:
            self.take(place, str(piece), room_zone(room))
        laid = self.laid if not pieces else ()
        for piece in [p for p in laid if self.state.where[p] == room_zone(room)]:
            self.state.where[piece] = SUPPLY

    def _marker(self, room: str, kind: str, value: Any) -> None:
        marker = self.play.marker(kind, room)
        if self.flag(f"rooms.{room}.{kind}", value):
            if not marker:
                self.take(f"rooms.{room}.{kind}", kind, room_zone(room))
        elif marker:
            self.state.where[marker] = SUPPLY

    def _intruders(self, room: str, given: Any) -> None:
        place = f"rooms.{room}.intruders"
        for intruder in self.list(place, given):
            entry = intruder if isinstance(intruder, Mapping) else {"type": intruder}
            kind = str(entry.get("id", entry.get("type")))
            if kind_of(kind) not in self.content.species[self.state.species].creatures:
                raise self.bad(place, "command.unknown_piece", value=kind[:40])
            mini = self.take(place, kind, room_zone(room))
            injuries = self.int(f"{place}.injuries", entry.get("injuries", 0))
            if injuries:
                self.state.injuries[mini] = injuries

    def _corridor(self, name: str, given: Mapping[str, Any]) -> None:
        board, place = self.play.board, f"corridors.{name}"
        space = room_or_space(self.play, name)
        if space not in board.corridors and space not in board.spaces:
            raise self.bad(place, "command.unknown_corridor", value=name[:40])
        words: dict[str, Callable[[Any], object]] = {
            "noise": lambda v: self._noise(space, self.flag(f"{place}.noise", v))
        }
        if space in board.corridors:
            words["door"] = lambda v: set_door(
                self.play, space, self.one(f"{place}.door", v, DOORS)
            )
        self.words(f"{place}.", given, words)

    def _noise(self, space: str, wanted: bool) -> None:
        marker = self.play.noise_at(space)
        if wanted and marker is None:
            corridor = space in self.play.board.corridors
            self.take(space, "noise", corridor_zone(space) if corridor else f"space:{space}")
        if not wanted and marker:
            self.state.where[marker] = SUPPLY
