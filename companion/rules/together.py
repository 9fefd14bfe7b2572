"""All together: the dead keep what they had, and the Emergency Room brings them back."""

from __future__ import annotations

from dataclasses import dataclass

from companion.game import Ask, Need, Person, Steps
from companion.game.state import ABOARD, DEAD, SUPPLY, room_zone
from companion.rules.facts import Characters, Explored, Intruders, Marked
from companion.rules.play import Play, tell

ROOM = "emergency_room"


@dataclass(frozen=True, slots=True)
class BodyIn:
    """Whether somebody's Corpse lies in a room or is carried there (BASE-209)."""

    seat: int
    room: str
    rule: str
    topic = "objects"

    @property
    def key(self) -> str:
        """Anew at every turn: bodies are carried."""
        return f"body:{self.seat}:{self.room}"

    def read(self, play: Play) -> bool:
        """From where the Corpse token is."""
        zone = play.state.where.get(play.person(self.seat).corpse or "", "")
        if zone.startswith("held:"):
            carrier = play.person(int(zone[5:]))
            return carrier.state == ABOARD and carrier.room == self.room
        return zone == room_zone(self.room)

    def ask(self, play: Play) -> Ask:
        """Yes or no."""
        return Ask(
            "yes_no",
            "ask.body_here",
            self.rule,
            {"seat": self.seat, "room": self.room},
            prefill=self.read(play),
        )

    def write(self, play: Play, answer: bool) -> bool:
        """Put the Corpse there, or agree that it is elsewhere."""
        corpse = play.person(self.seat).corpse
        if answer and corpse and not self.read(play):
            play.put(corpse, room_zone(self.room))
        return answer

    def neutral(self, play: Play) -> bool:  # noqa: ARG002  the table does it
        """Nobody, for the engine: the table does it."""
        return False


def revivals(play: Play) -> Steps:
    """At the start of a turn Corpses in a working Emergency Room come back to life (BASE-209)."""
    dead = [p for p in play.order() if p.state == DEAD and p.corpse]
    if not play.state.coop or not dead:
        return
    yield Need(Explored("BASE-209"))
    room = play.room_tile(ROOM)
    if room is None:
        return
    yield Need(Characters("BASE-209"))
    yield Need(Intruders("BASE-209"))
    failing = yield Need(Marked("malfunction", "BASE-209"))
    if play.intruders(room) or room in failing:
        return
    for person in dead:
        if (yield Need(BodyIn(person.seat, room, "BASE-209"))):
            yield from revive(play, person, room)


def revive(play: Play, person: Person, room: str) -> Steps:
    """Back aboard: no Light Wounds, the Serious ones dressed (BASE-209, FAQ-A29)."""
    corpse = person.corpse or ""
    zone = play.state.where[corpse]
    play.put(corpse, SUPPLY)
    person.corpse = None
    person.state, person.room = ABOARD, room
    person.light = 0
    person.dressed, person.serious = [*person.dressed, *person.serious], []
    if play.state.intruder_seat == person.seat:
        play.state.intruder_seat = None
    yield tell(
        "revived",
        "BASE-209 FAQ-A29",
        seat=person.seat,
        room=room,
        move=[(corpse, zone, SUPPLY), (person.character, SUPPLY, room_zone(room))],
    )
