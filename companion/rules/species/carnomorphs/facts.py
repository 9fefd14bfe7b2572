"""Facts of the table that only these aliens' rules need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.game import Ask, Person, options
from companion.game.state import SUPPLY, kind_of, natural, room_zone
from companion.rules.facts import which_of
from companion.rules.facts.recall import slime_seen
from companion.rules.play import Play

#: Heavy Objects, in the order in which they are eaten (CA-43).
HEAVY = ("corpse_red", "egg", "carcass", "corpse_blue")


@dataclass(frozen=True, slots=True)
class Loose:
    """Which Heavy Objects lie loose in some rooms (CA-38)."""

    rooms: tuple[str, ...]
    rule: str
    topic = "objects"

    @property
    def key(self) -> str:
        """One for these rooms."""
        return f"loose:{self.rooms}"

    def _zones(self) -> set[str]:
        return {room_zone(room) for room in self.rooms}

    def _pieces(self, play: Play) -> list[str]:
        """What lies there, what may lie there, and one more of each kind."""
        where = play.state.where
        held = [p for p, z in where.items() if kind_of(p) in HEAVY and z.startswith(PLACES)]
        more = [spare for kind in HEAVY if (spare := play.spare(kind))]
        return natural([*held, *more])

    def read(self, play: Play) -> bool:
        """Always held once tracked."""
        return True

    def ask(self, play: Play) -> Ask:
        """The places, prefilled; nothing: not in these rooms."""
        pieces = self._pieces(play)
        zones = self._zones()
        return Ask(
            "place",
            "ask.loose_objects",
            self.rule,
            options=options(self.rooms, "ask.room", "room"),
            prefill={p: play.room_of(p) for p in pieces if play.state.where[p] in zones},
            pieces=tuple(pieces),
        )

    def write(self, play: Play, answer: dict[str, str | None]) -> bool:
        """Put them there; what lay in one of these rooms and lies there no more is put aside."""
        zones = self._zones()
        for piece, room in answer.items():
            if room:
                play.put(piece, room_zone(room))
            elif play.state.where[piece] in zones:
                play.put(piece, SUPPLY)
        return True

    def neutral(self, play: Play) -> bool:
        """What lies where only the table knows: it feeds them by itself."""
        return False


PLACES = ("room:", "held:")


@dataclass(frozen=True, slots=True)
class HeavyRooms:
    """Which rooms hold a Heavy Object, lying there or carried by somebody there (CA-48)."""

    rule: str
    topic = "objects"
    key = "heavy_rooms"

    def read(self, play: Play) -> list[str]:
        """Rooms by number."""
        held = {f"held:{p.seat}": p.room for p in play.playing()}
        found: set[str] = set()
        for piece, zone in play.state.where.items():
            if kind_of(piece) in HEAVY:
                room = zone[5:] if zone.startswith("room:") else held.get(zone)
                found |= {room} if room else set()
        return sorted(found)

    def ask(self, play: Play) -> Ask:
        """The rooms, prefilled."""
        return Ask(
            "place",
            "ask.heavy_rooms",
            self.rule,
            options=options(sorted(play.board.rooms), "ask.room", "room"),
            prefill=self.read(play),
            multiple=True,
        )

    def write(self, play: Play, answer: list[str]) -> list[str]:
        """Nothing is kept: which Object it is stays the table's."""
        return sorted(answer)

    def neutral(self, play: Play) -> list[str]:
        """None, for the engine: the table does it."""
        return []


@dataclass(frozen=True, slots=True)
class SlimedPeople:
    """Which of several people carry a Slime marker (CA-52)."""

    seats: tuple[int, ...]
    rule: str
    topic = "slime"

    @property
    def key(self) -> str:
        """One for this group."""
        return f"slimed:{self.seats}"

    def _people(self, play: Play) -> Sequence[Person]:
        return [play.person(seat) for seat in self.seats]

    def read(self, play: Play) -> list[int]:
        """Seats, in the group's order."""
        return [p.seat for p in self._people(play) if p.slime]

    def ask(self, play: Play) -> Ask:
        """Faces, none or several."""
        return which_of(self._people(play), "ask.slimed", self.rule, prefill=self.read(play))

    def write(self, play: Play, answer: list[int]) -> list[int]:
        """Keep it."""
        for seat in self.seats:
            slime_seen(play, seat, seat in answer)
        return self.read(play)

    def neutral(self, play: Play) -> list[int]:
        """Nobody, for the engine."""
        return []
