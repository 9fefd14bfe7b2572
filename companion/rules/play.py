"""The play: the working copy of the state with the content beside it, and plain questions to it.

Nothing here decides a rule; it says where things are, moves them, and tells what happened.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from companion.game import Board, Event, Instruction, Person, Refused, State, Tell
from companion.game.state import (
    ABOARD,
    BAG,
    HIBERNATED,
    POD_WAITING,
    SUPPLY,
    corridor_zone,
    kind_of,
    natural,
    room_zone,
)
from companion.rules.nature import PLAIN, Nature
from companion.rules.refusals import RULES_OF

if TYPE_CHECKING:
    from companion.library.model import Content, Creature, Game, Species
    from companion.rules.species.common import Strategy


class Ended(Exception):
    """The game is over: whatever runs stops here (BASE-360)."""


class Play:
    """One run of one procedure. ``forced``: the table says it happened anyway."""

    def __init__(self, state: State, content: Content, *, forced: bool = False) -> None:
        self.state = state
        self.content = content
        self.forced = forced
        self.overruled: list[str] = []  # rules that the table's word went over in this run
        self.first_eliminated = False  # the first elimination of the game happened in this run
        self._cursor = 0

    # What is played ---------------------------------------------------------------------------

    @property
    def board(self) -> Board:
        """The board side in play (the basic Nemesis board until setup chose one)."""
        return self.content.board(self.state.board)

    @property
    def game(self) -> Game:
        """The boxed game in play."""
        return self.content.games[self.state.game]

    @property
    def species(self) -> Strategy:
        """How the species in play does what every species does."""
        from companion.rules.species import strategy

        return strategy(self.state.species)

    @property
    def aliens(self) -> Species:
        """The species in play as the box holds it: creatures, cards, what stays out."""
        return self.content.species[self.state.species]

    def nature(self, piece: str) -> Nature:
        """What the kind of a miniature is like."""
        return self.species.natures.get(kind_of(piece)) or PLAIN

    def creature(self, piece: str) -> Creature:
        """The creature a miniature or a kind stands for."""
        return self.content.creature(self.state.species, kind_of(piece))

    def switch(self, name: str) -> str:
        """The value of a rule switch: chosen at this table, or its default."""
        return self.state.switches.get(name) or self.content.switches[name].default

    def weakness(self, name: str) -> bool:
        """Whether a weakness has been discovered (BASE-371: whoever found it)."""
        return name in self.state.weaknesses.values()

    def tracks(self, topic: str) -> bool:
        """Whether a kind of fact is held, in doubt or not."""
        return self.state.tracking.get(topic, "tracked") == "tracked"

    def holds(self, topic: str) -> bool:
        """Whether a kind of fact is held and not in doubt: what a button may rest on."""
        return self.tracks(topic) and topic not in self.state.unsure

    # People -----------------------------------------------------------------------------------

    def person(self, seat: int) -> Person:
        """The person of a seat."""
        return self.state.seats[seat]

    def order(self, persons: Iterable[Person] | None = None) -> list[Person]:
        """People from the First Player token, then clockwise (BASE-11)."""
        chosen = self.state.seats.values() if persons is None else persons
        first = self.state.first_player
        return sorted(chosen, key=lambda p: (p.seat < first, p.seat))

    def aboard(self) -> list[Person]:
        """Living people awake in rooms of the ship, in order."""
        return [p for p in self.order() if p.state == ABOARD]

    def playing(self) -> list[Person]:
        """People still aboard and awake, those who wait in a Pod included (BASE-359), in order."""
        return [p for p in self.order() if p.state in (ABOARD, POD_WAITING)]

    def sleepers(self) -> list[Person]:
        """People who hibernate, in order."""
        return [p for p in self.order() if p.state == HIBERNATED]

    def takes_part(self, person: Person) -> bool:
        """Whether someone is still aboard, awake, and in a known room."""
        return person.state in (ABOARD, POD_WAITING) and person.room is not None

    def people_in(self, room: str) -> list[Person]:
        """Living people in a room, in order."""
        return [p for p in self.aboard() if p.room == room]

    def in_combat(self, person: Person) -> bool:
        """Combat is a person and an intruder in one room, nothing else (BASE-156)."""
        return person.state == ABOARD and bool(person.room and self.intruders(person.room))

    # Intruders --------------------------------------------------------------------------------

    def intruders(self, room: str | None = None) -> list[str]:
        """Miniatures in a room (or on the whole board), larger first, then by identity."""
        kinds = self.aliens.creatures
        found = [
            p
            for p, zone in self.state.where.items()
            if zone.startswith("room:")
            and (room is None or zone == f"room:{room}")
            and "#" in p
            and kind_of(p) in kinds
        ]
        return sorted(natural(found), key=lambda p: -kinds[kind_of(p)].size)

    def room_of(self, piece: str) -> str | None:
        """The room a piece lies or stands in."""
        zone = self.state.where.get(piece, "")
        return zone[5:] if zone.startswith("room:") else None

    def fighting(self, mini: str) -> bool:
        """Whether an intruder is in Combat."""
        room = self.room_of(mini)
        return room is not None and bool(self.people_in(room))

    def rooms_with_intruders(self) -> list[str]:
        """Rooms that hold an intruder, by number."""
        return sorted({room for m in self.intruders() if (room := self.room_of(m))})

    # Markers ----------------------------------------------------------------------------------

    def spare(self, kind: str) -> str | None:
        """A piece of a kind from the supply, None when it is exhausted."""
        found = self.state.pieces(kind, SUPPLY)
        return found[0] if found else None

    def marker(self, kind: str, room: str) -> str | None:
        """The fire or malfunction marker of a room."""
        found = self.state.pieces(kind, room_zone(room))
        return found[0] if found else None

    def rooms_with(self, kind: str) -> list[str]:
        """Rooms with a marker or object of a kind, by number."""
        return sorted({r for p in self.state.pieces(kind) if (r := self.room_of(p))})

    def noise_at(self, space: str) -> str | None:
        """The noise marker in a corridor or technical space."""
        zone = corridor_zone(space) if space in self.board.corridors else f"space:{space}"
        found = self.state.pieces("noise", zone)
        return found[0] if found else None

    def door_at(self, corridor: str) -> str | None:
        """The door token of a corridor."""
        found = self.state.pieces("door", corridor_zone(corridor))
        return found[0] if found else None

    def door(self, corridor: str) -> str:
        """``open``, ``closed`` or ``destroyed`` (BASE-36)."""
        token = self.door_at(corridor)
        if token is None:
            return "open"
        return "destroyed" if token in self.state.destroyed else "closed"

    def room_tile(self, tile: str) -> str | None:
        """The explored room where a tile or printed special room lies."""
        for room, printed in self.board.rooms.items():
            if tile == self.tile(room) and (room in self.state.explored or printed.fixed):
                return room
        return None

    def tile(self, room: str) -> str | None:
        """The tile known in a room: printed, or turned up."""
        return self.state.tiles.get(room) or self.board.rooms[room].fixed

    def explored(self, room: str) -> bool:
        """Whether a room counts as explored; those that lie face up by switch (BASE-386)."""
        if room in self.state.explored:
            return True
        face_up = self.board.rooms[room].kind == "fixed_tile"
        return face_up and self.switch("face_up_sections_explored") == "yes"

    def covered(self, room: str) -> bool:
        """Whether an exploration token lies in a room whose tile is open."""
        return room in self.state.own.get("covered", ())

    def explored_rooms(self) -> list[str]:
        """The rooms that count as explored, by number."""
        return [room for room in sorted(self.board.rooms) if self.explored(room)]

    # Doing and telling ------------------------------------------------------------------------

    def put(self, piece: str, zone: str) -> None:
        """Move a piece to a zone. The piece must exist: nothing is ever made or lost here."""
        if piece not in self.state.where:
            raise KeyError(piece)
        self.state.where[piece] = zone

    def put_token(self, token: str, zone: str) -> None:
        """Move an intruder token (``adult/3#2``) to a zone."""
        self.put(f"token:{token}", zone)

    @property
    def dues(self) -> int:
        """How many steps this run has put on the agenda."""
        return self._cursor

    def due(self, step: str, *, wait: bool = False, **args: Any) -> None:
        """Put a step on the agenda: next, after what this run has already put there."""
        entry: dict[str, Any] = {"step": step, **args}
        if wait:
            entry["wait"] = True
        self.state.agenda.insert(self._cursor, entry)
        self._cursor += 1

    def refuse(self, code: str, **params: Any) -> None:
        """Refuse, unless the table says it happened anyway: then things are not as they seemed."""
        rule = RULES_OF.get(code, "")
        if not self.forced:
            raise Refused(code, params, by_hand=True, rule=rule)
        self.state.sure.clear()
        self.overruled += [r for r in rule.split() if r not in self.overruled]

    def cite(self, rule: str) -> str:
        """Rule ids with those beside them by which the species in play says the same."""
        if not self.state.species or not self.species.cites:
            return rule
        found: dict[str, None] = {}
        for one in rule.split():
            found.update(dict.fromkeys((one, *self.species.cites.get(one, "").split())))
        return " ".join(found)

    def told(self, event: Event) -> Event:
        """An event as the record keeps it: with the rules of the species in play."""
        rule = self.cite(event.rule)
        return event if rule == event.rule else replace(event, rule=rule)

    def draw_pool(self, kind: str) -> list[str]:
        """Tokens of a kind in the pool (BASE-16)."""
        return self.state.tokens(SUPPLY, kind)

    def in_bag(self) -> list[str]:
        """Tokens in the bag, in canonical order."""
        return self.state.tokens(BAG)


def tell(
    type: str,
    rule: str,
    *,
    move: Sequence[
        tuple[str, str | None, str | None] | tuple[str, str | None, str | None, str]
    ] = (),
    to: str | tuple[int, ...] = "public",
    **params: Any,
) -> Tell:
    """An event; ``move`` lists (piece, from zone, to zone[, via corridor]) for the table."""
    instructions = tuple(Instruction(*m) for m in move)
    return Tell(Event(type, rule, params, to, instructions))
