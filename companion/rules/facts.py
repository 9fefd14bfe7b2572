"""Facts of the table that rules need, each with the smallest question that settles it.

``topic`` is the kind of fact a table tracks, is asked for, or is merely told (docs/playing.md);
hands are always the players' own knowledge.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from companion.game import Ask, Person, options
from companion.game.procedure import Option
from companion.game.state import SUPPLY, corridor_zone, room_zone
from companion.rules.play import Play

TOPICS = (
    "characters",
    "intruders",
    "rooms",
    "doors",
    "fire",
    "malfunction",
    "noise",
    "injuries",
    "wounds",
    "slime",
    "objects",
    "counters",
)


def faces(people: Sequence[Person]) -> tuple[Option, ...]:
    """One option a person."""
    return options([p.seat for p in people], "ask.face", "seat")


def _rooms(play: Play) -> tuple[Option, ...]:
    return options(sorted(play.board.rooms), "ask.room", "room")


@dataclass(frozen=True, slots=True)
class Characters:
    """Where every character stands."""

    rule: str
    topic = "characters"
    key = "characters"

    def read(self, play: Play) -> Any:
        """True when every character's place is held."""
        return all(p.room for p in play.aboard()) or None

    def ask(self, play: Play) -> Ask:
        """The places, prefilled."""
        places = {p.character: p.room for p in play.aboard()}
        return Ask(
            "place",
            "ask.characters",
            self.rule,
            options=_rooms(play),
            prefill=places,
            pieces=tuple(places),
        )

    def write(self, play: Play, answer: dict[str, str | None]) -> Any:
        """Move the characters there."""
        for person in play.aboard():
            person.room = answer.get(person.character) or person.room
        return True

    def neutral(self, play: Play) -> Any:
        """The table knows."""
        return True


@dataclass(frozen=True, slots=True)
class Intruders:
    """Where every intruder stands, and which are on the board at all."""

    rule: str
    topic = "intruders"
    key = "intruders"

    def read(self, play: Play) -> Any:
        """Always held once tracked."""
        return True

    def ask(self, play: Play) -> Ask:
        """The places, prefilled; every miniature of the box may be placed."""
        kinds = play.content.species[play.state.species].creatures
        minis = [m for k in kinds for m in play.state.pieces(k)]
        return Ask(
            "place",
            "ask.intruders",
            self.rule,
            options=_rooms(play),
            prefill={m: play.room_of(m) for m in minis if play.room_of(m)},
            pieces=tuple(m for m in minis if not play.state.where[m].startswith("sheet:")),
        )

    def write(self, play: Play, answer: dict[str, str | None]) -> Any:
        """Put the miniatures there; those named nowhere go to the supply."""
        for mini, room in answer.items():
            if room:
                play.put(mini, room_zone(room))
            elif play.room_of(mini):
                play.put(mini, SUPPLY)
                play.state.injuries.pop(mini, None)
        return True

    def neutral(self, play: Play) -> Any:
        """The table knows."""
        return True


@dataclass(frozen=True, slots=True)
class Marked:
    """Which rooms hold a fire or malfunction marker."""

    kind: str
    rule: str

    @property
    def topic(self) -> str:
        """The marker's own kind of fact."""
        return self.kind

    @property
    def key(self) -> str:
        """The same."""
        return self.kind

    def read(self, play: Play) -> list[str]:
        """Rooms by number."""
        return play.rooms_with(self.kind)

    def ask(self, play: Play) -> Ask:
        """The rooms, prefilled."""
        return Ask(
            "place",
            f"ask.{self.kind}",
            self.rule,
            options=_rooms(play),
            prefill=play.rooms_with(self.kind),
            multiple=True,
        )

    def write(self, play: Play, answer: list[str]) -> list[str]:
        """Make the markers stand so."""
        for room in play.rooms_with(self.kind):
            if room not in answer:
                play.put(play.marker(self.kind, room) or "", SUPPLY)
        for room in answer:
            if not play.marker(self.kind, room) and (marker := play.spare(self.kind)):
                play.put(marker, room_zone(room))
        return play.rooms_with(self.kind)

    def neutral(self, play: Play) -> list[str]:
        """None, for the engine: the table does it."""
        return []


@dataclass(frozen=True, slots=True)
class Noise:
    """Which corridors and technical spaces hold a noise marker."""

    rule: str
    topic = "noise"
    key = "noise"

    def _spaces(self, play: Play) -> list[str]:
        return [*sorted(play.board.corridors), *sorted(play.board.spaces)]

    def read(self, play: Play) -> list[str]:
        """Corridor and space ids."""
        noisy = {z.partition(":")[2] for p, z in play.state.where.items() if p.startswith("noise#")}
        return [s for s in self._spaces(play) if s in noisy]

    def ask(self, play: Play) -> Ask:
        """The corridors, prefilled."""
        return Ask(
            "place",
            "ask.noise",
            self.rule,
            options=options(self._spaces(play), "ask.corridor", "space"),
            prefill=self.read(play),
            multiple=True,
        )

    def write(self, play: Play, answer: list[str]) -> list[str]:
        """Make the markers lie so."""
        for space in self._spaces(play):
            marker = play.noise_at(space)
            if marker and space not in answer:
                play.put(marker, SUPPLY)
            if not marker and space in answer and (spare := play.spare("noise")):
                zone = corridor_zone(space) if space in play.board.corridors else f"space:{space}"
                play.put(spare, zone)
        return self.read(play)

    def neutral(self, play: Play) -> list[str]:
        """None, for the engine."""
        return []


@dataclass(frozen=True, slots=True)
class Doors:
    """The door of every corridor."""

    rule: str
    topic = "doors"
    key = "doors"

    def read(self, play: Play) -> Any:
        """Always held once tracked."""
        return True

    def ask(self, play: Play) -> Ask:
        """Open, closed or destroyed for every corridor, prefilled."""
        corridors = tuple(sorted(play.board.corridors))
        return Ask(
            "place",
            "ask.doors",
            self.rule,
            options=options(["open", "closed", "destroyed"], "ask.door", "door"),
            prefill={c: play.door(c) for c in corridors if play.door(c) != "open"},
            pieces=corridors,
        )

    def write(self, play: Play, answer: dict[str, str | None]) -> Any:
        """Make the doors stand so."""
        for corridor, door in answer.items():
            set_door(play, corridor, door or "open")
        return True

    def neutral(self, play: Play) -> Any:
        """The table knows."""
        return True


def set_door(play: Play, corridor: str, door: str) -> str | None:
    """Make a corridor's door ``open``, ``closed`` or ``destroyed``; the token used, if any."""
    token = play.door_at(corridor)
    if door == "open":
        if token:
            play.put(token, SUPPLY)
            play.state.destroyed.discard(token)
        return token
    token = token or play.spare("door")
    if token:
        play.put(token, corridor_zone(corridor))
        (play.state.destroyed.add if door == "destroyed" else play.state.destroyed.discard)(token)
    return token


@dataclass(frozen=True, slots=True)
class HasInjuries:
    """Whether an intruder carries at least ``least`` injuries."""

    mini: str
    least: int
    rule: str
    topic = "injuries"

    @property
    def key(self) -> str:
        """One per miniature and number."""
        return f"injuries:{self.mini}:{self.least}"

    def read(self, play: Play) -> bool:
        """From the markers held."""
        return play.state.injuries.get(self.mini, 0) >= self.least

    def ask(self, play: Play) -> Ask:
        """Yes or no against the number."""
        return Ask(
            "yes_no",
            "ask.injuries",
            self.rule,
            {"piece": self.mini, "count": self.least},
            prefill=self.read(play),
        )

    def write(self, play: Play, answer: bool) -> bool:
        """Agree with the answer."""
        held = play.state.injuries.get(self.mini, 0)
        if answer and held < self.least:
            play.state.injuries[self.mini] = self.least
        if not answer and held >= self.least:
            play.state.injuries[self.mini] = max(self.least - 1, 0)
        return answer

    def neutral(self, play: Play) -> bool:
        """The table decides."""
        return False


@dataclass(frozen=True, slots=True)
class Slimed:
    """Whether a character carries a slime marker."""

    seat: int
    rule: str
    topic = "slime"

    @property
    def key(self) -> str:
        """One per seat."""
        return f"slime:{self.seat}"

    def read(self, play: Play) -> bool:
        """From the state."""
        return play.person(self.seat).slime

    def ask(self, play: Play) -> Ask:
        """Yes or no."""
        return Ask("yes_no", "ask.slime", self.rule, {"seat": self.seat}, prefill=self.read(play))

    def write(self, play: Play, answer: bool) -> bool:
        """Keep it."""
        play.person(self.seat).slime = answer
        return answer

    def neutral(self, play: Play) -> bool:
        """Not slimed."""
        return False


@dataclass(frozen=True, slots=True)
class FewerCards:
    """Whether a hand holds fewer cards than a number (BASE-152). Asked, never as a number."""

    seat: int
    number: int
    rule: str
    topic = "hand"

    @property
    def key(self) -> str:
        """One per seat and number."""
        return f"hand:{self.seat}:{self.number}"

    def read(self, play: Play) -> bool | None:
        """None when only the player knows."""
        hand = play.person(self.seat).hand
        return None if hand is None else hand < self.number

    def ask(self, play: Play) -> Ask:
        """Yes or no."""
        return Ask("yes_no", "ask.fewer_cards", self.rule, {"seat": self.seat, "n": self.number})

    def write(self, play: Play, answer: bool) -> bool:
        """Hands change: nothing is kept."""
        return answer

    def neutral(self, play: Play) -> bool:
        """Never told: a hand is always asked."""
        return False


@dataclass(frozen=True, slots=True)
class FewestCards:
    """Who of several people holds the fewest cards; ties go by the First Player token."""

    seats: tuple[int, ...]
    rule: str
    topic = "hand"

    @property
    def key(self) -> str:
        """Anew for every attack: hands change (BASE-185)."""
        return f"fewest:{self.seats}"

    def _hand(self, person: Person, play: Play) -> int | None:
        if play.switch("attack_target") == "action cards":
            return person.action_cards if person.action_cards is not None else person.hand
        return person.hand

    def read(self, play: Play) -> int | None:
        """The seat, when every hand is known."""
        people = play.order([play.person(s) for s in self.seats])
        hands = [self._hand(p, play) for p in people]
        if any(h is None for h in hands):
            return None
        return min(zip(hands, range(len(people)), people, strict=True), key=lambda h: h[:2])[2].seat

    def ask(self, play: Play) -> Ask:
        """Faces; several when they are equal."""
        people = play.order([play.person(s) for s in self.seats])
        return Ask("faces", "ask.fewest_cards", self.rule, options=faces(people), multiple=True)

    def write(self, play: Play, answer: list[int]) -> int:
        """The first of those named, in order."""
        people = play.order([play.person(s) for s in answer or self.seats])
        return people[0].seat

    def neutral(self, play: Play) -> int:
        """Never told."""
        return self.seats[0]


@dataclass(frozen=True, slots=True)
class NoActionCards:
    """Which of several people have no Action card in hand."""

    seats: tuple[int, ...]
    rule: str
    topic = "hand"

    @property
    def key(self) -> str:
        """One per group."""
        return f"no_action_cards:{self.seats}"

    def read(self, play: Play) -> list[int] | None:
        """The seats, when every hand is known."""
        people = [play.person(s) for s in self.seats]
        held = [p.action_cards if p.action_cards is not None else p.hand for p in people]
        if any(h is None for h in held):
            return None
        return [p.seat for p, h in zip(people, held, strict=True) if h == 0]

    def ask(self, play: Play) -> Ask:
        """Faces, none or several."""
        people = [play.person(s) for s in self.seats]
        return Ask(
            "faces",
            "ask.no_action_cards",
            self.rule,
            options=faces(people),
            prefill=[],
            multiple=True,
        )

    def write(self, play: Play, answer: list[int]) -> list[int]:
        """Nothing is kept."""
        return answer

    def neutral(self, play: Play) -> list[int]:
        """Never told."""
        return []


def wounds_of(person: Person) -> tuple[int, int, int]:
    """Light, serious and dressed wounds: tells one wound from the next."""
    return person.light, len(person.serious), len(person.dressed)


@dataclass(frozen=True, slots=True)
class SeriousWounds:
    """Whether a character has at least ``least`` serious wounds, dressed ones too (BASE-198)."""

    seat: int
    least: int
    rule: str
    taken: tuple[int, int, int]
    topic = "wounds"

    @property
    def key(self) -> str:
        """Anew after every wound: kinds of wounds that are not held change unseen."""
        return f"wounds:{self.seat}:{self.least}:{self.taken}"

    def read(self, play: Play) -> bool:
        """From the cards held."""
        person = play.person(self.seat)
        return len(person.serious) + len(person.dressed) >= self.least

    def ask(self, play: Play) -> Ask:
        """Yes or no."""
        return Ask(
            "yes_no",
            "ask.serious_wounds",
            self.rule,
            {"seat": self.seat, "n": self.least},
            prefill=self.read(play),
        )

    def write(self, play: Play, answer: bool) -> bool:
        """Agree with the answer; wounds of unknown kind fill up."""
        person = play.person(self.seat)
        if answer:
            while not self.read(play):
                person.serious.append("unknown")
        else:
            while self.read(play):
                (person.serious or person.dressed).pop()
        return answer

    def neutral(self, play: Play) -> bool:
        """The table decides."""
        return False


@dataclass(frozen=True, slots=True)
class Bleeds:
    """Whether a character has an undressed Bleeding wound (BASE-202).

    Worth asking only of one with a serious wound, or with light ones enough to have become one.
    """

    seat: int
    rule: str
    taken: tuple[int, int, int]
    topic = "wounds"

    @property
    def key(self) -> str:
        """Anew after every wound."""
        return f"bleeds:{self.seat}:{self.taken}"

    def read(self, play: Play) -> bool:
        """From the cards held."""
        return "bleeding" in play.person(self.seat).serious

    def ask(self, play: Play) -> Ask:
        """Yes or no."""
        return Ask("yes_no", "ask.bleeds", self.rule, {"seat": self.seat}, prefill=self.read(play))

    def write(self, play: Play, answer: bool) -> bool:
        """Nothing is kept: which wound it is stays the table's."""
        return answer

    def neutral(self, play: Play) -> bool:
        """The table wounds by itself."""
        return False


@dataclass(frozen=True, slots=True)
class Dies:
    """Whether a wound just taken kills, where wounds are not held (BASE-205)."""

    seat: int
    rule: str
    taken: tuple[int, int, int]
    topic = "wounds"

    @property
    def key(self) -> str:
        """Anew for every wound."""
        return f"dies:{self.seat}:{self.taken}"

    def read(self, play: Play) -> bool:
        """With three serious wounds any further wound kills."""
        person = play.person(self.seat)
        return len(person.serious) + len(person.dressed) >= 3

    def ask(self, play: Play) -> Ask:
        """Yes or no."""
        return Ask("yes_no", "ask.dies", self.rule, {"seat": self.seat}, prefill=self.read(play))

    def write(self, play: Play, answer: bool) -> bool:
        """Nothing is kept: death is an event of its own."""
        return answer

    def neutral(self, play: Play) -> bool:
        """The table says so with a tap."""
        return False


@dataclass(frozen=True, slots=True)
class Carriers:
    """Which people carry an object (egg) or a Larva on their board."""

    kind: str
    rule: str
    topic = "objects"

    @property
    def key(self) -> str:
        """One per kind."""
        return f"carriers:{self.kind}"

    def _zone(self, seat: int) -> str:
        return f"sheet:{seat}" if self.kind == "larva" else f"held:{seat}"

    def read(self, play: Play) -> list[int]:
        """Seats in order."""
        return [p.seat for p in play.playing() if play.state.pieces(self.kind, self._zone(p.seat))]

    def ask(self, play: Play) -> Ask:
        """Faces, none or several."""
        return Ask(
            "faces",
            f"ask.carriers_{self.kind}",
            self.rule,
            options=faces(play.playing()),
            prefill=self.read(play),
            multiple=True,
        )

    def write(self, play: Play, answer: list[int]) -> list[int]:
        """Make the boards hold so."""
        for person in play.playing():
            held = play.state.pieces(self.kind, self._zone(person.seat))
            if person.seat in answer and not held and (spare := play.spare(self.kind)):
                play.put(spare, self._zone(person.seat))
            if person.seat not in answer:
                for piece in held:
                    play.put(piece, SUPPLY)
        return [p.seat for p in play.playing() if p.seat in answer]

    def neutral(self, play: Play) -> list[int]:
        """None, for the engine."""
        return []


@dataclass(frozen=True, slots=True)
class Explored:
    """Which rooms are explored, and what lies there."""

    rule: str
    topic = "rooms"
    key = "rooms"

    def read(self, play: Play) -> Any:
        """Always held once tracked."""
        return True

    def ask(self, play: Play) -> Ask:
        """A tile, or nothing, for every room that is not printed; prefilled."""
        rooms = tuple(r for r, room in sorted(play.board.rooms.items()) if not room.fixed)
        tiles = [t.id for t in play.content.tiles.values() if t.kind != "special"]
        return Ask(
            "place",
            "ask.tiles",
            self.rule,
            options=options(tiles, "ask.tile", "tile"),
            prefill={r: t for r, t in play.state.tiles.items() if r in play.state.explored},
            pieces=rooms,
        )

    def write(self, play: Play, answer: dict[str, str | None]) -> Any:
        """Turn the tiles so."""
        for room, tile in answer.items():
            if tile:
                play.state.tiles[room] = tile
                play.state.explored.add(room)
            else:
                play.state.tiles.pop(room, None)
                play.state.explored.discard(room)
        return True

    def neutral(self, play: Play) -> Any:
        """The table knows."""
        return True
