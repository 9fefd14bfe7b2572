"""Where things stand and lie: figures, doors, markers, tiles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.game import Ask, options
from companion.game.procedure import Option
from companion.game.state import SUPPLY, corridor_zone, room_zone
from companion.rules.facts.recall import injuries_of
from companion.rules.play import Play


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
        kinds = play.aliens.creatures
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
                if not play.room_of(mini):  # it came unseen
                    play.state.sure.discard(injuries_of(mini))
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
    """Which rooms hold a fire or malfunction marker; ``before`` one more is placed."""

    kind: str
    rule: str
    before: bool = False

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
            f"ask.{self.kind}_before" if self.before else f"ask.{self.kind}",
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
    """Make a corridor's door ``open``, ``closed`` or ``destroyed``; the token used, if any.

    A door of the Airlock's room that does not close it ends the Airlock (BASE-252).
    """
    token = play.door_at(corridor)
    if door != "closed" and play.state.airlock in play.board.corridors[corridor].rooms:
        play.state.airlock = None
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
        rooms = tuple(r for r, room in sorted(play.board.rooms.items()) if room.kind != "special")
        without = play.aliens.without
        tiles = [
            t.id for t in play.content.tiles.values() if t.kind != "special" and t.id not in without
        ]
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
