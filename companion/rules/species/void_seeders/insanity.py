"""Insanity: the level of each character, how it moves, and which creature it brings."""

from __future__ import annotations

from dataclasses import dataclass

from companion.game import Ask, Need, Person, Steps
from companion.game.procedure import Option
from companion.game.state import DEAD
from companion.rules.play import Play, tell
from companion.rules.wounds import death

LOWEST, FLOOR, HIGHEST = 1, 3, 5
#: The four creatures, weakest first (VS-54).
LADDER = ("lurker", "whisperer", "stalker", "despoiler")
#: What the track is said to print, until its owner has entered it: only a suggestion (VS-23).
HINT = {1: "lurker", 2: "lurker", 3: "whisperer", 4: "stalker", 5: "despoiler"}


@dataclass(frozen=True, slots=True)
class Level:
    """A character's Insanity Level; None where the table keeps it by itself."""

    seat: int
    rule: str
    topic = "insanity"

    @property
    def key(self) -> str:
        """One per seat."""
        return f"insanity:{self.seat}"

    def read(self, play: Play) -> int:
        """From the marker on the track (VS-21)."""
        return level_of(play.person(self.seat))

    def ask(self, play: Play) -> Ask:
        """One of five numbers."""
        return Ask(
            "choice",
            "ask.insanity",
            self.rule,
            {"seat": self.seat},
            options=tuple(Option(n, "ask.number", {"n": n}) for n in range(LOWEST, HIGHEST + 1)),
            prefill=self.read(play),
        )

    def write(self, play: Play, answer: int) -> int:
        """Keep it."""
        play.person(self.seat).own["insanity"] = answer
        return answer

    def neutral(self, play: Play) -> None:
        """The table's own business."""


def level_of(person: Person) -> int:
    """The level held for a character; everybody begins at 1."""
    return int(person.own.get("insanity", LOWEST))


def change(play: Play, seat: int, level: int, rule: str) -> Steps:
    """The marker goes to a level."""
    before = level_of(play.person(seat))
    play.person(seat).own["insanity"] = level
    yield tell("insanity", rule, seat=seat, n=level, before=before)


def madder(play: Play, seat: int, rule: str) -> Steps:
    """Insanity +1; at 5 it kills (VS-25)."""
    if play.person(seat).state == DEAD:
        return
    level = yield Need(Level(seat, rule))
    if level is None:
        yield tell("insanity_by_table", f"{rule} VS-25", seat=seat)
    elif level >= HIGHEST:
        yield tell("insanity_kills", f"{rule} VS-25", seat=seat)
        yield from death(play, seat, f"{rule} VS-25")
    else:
        yield from change(play, seat, level + 1, rule)


def calmer(play: Play, seat: int, rule: str) -> Steps:
    """Insanity -1 along the arrows: not below 1, and from 3 never down to 2 (VS-24)."""
    level = yield Need(Level(seat, rule))
    if level is None:
        yield tell("insanity_by_table", f"{rule} VS-24", seat=seat)
    elif level in (LOWEST, FLOOR):
        yield tell("insanity_stays", f"{rule} VS-24", seat=seat, n=level)
    else:
        yield from change(play, seat, level - 1, f"{rule} VS-24")


def lower_to_floor(play: Play, seat: int, rule: str) -> Steps:
    """Insanity down to 3; levels 1 to 3 stay (VS-71, VS-72)."""
    level = yield Need(Level(seat, rule))
    if level is None:
        yield tell("insanity_by_table", rule, seat=seat)
    elif level <= FLOOR:
        yield tell("insanity_stays", rule, seat=seat, n=level)
    else:
        yield from change(play, seat, FLOOR, rule)


def raise_to_highest(play: Play, seat: int, rule: str) -> Steps:
    """Insanity to 5, without harm to who is there already (VS-70)."""
    level = yield Need(Level(seat, rule))
    if level is None:
        yield tell("insanity_by_table", rule, seat=seat)
    elif level == HIGHEST:
        yield tell("insanity_stays", rule, seat=seat, n=level)
    else:
        yield from change(play, seat, HIGHEST, rule)


def creature_at(play: Play, level: int) -> Steps:
    """The creature printed at a level of the track (VS-23).

    Its owner enters it the first time it is needed; later games remember it.
    """
    known = play.state.learnt.get(f"insanity:{level}")
    if known:
        return known["kind"]
    kind = yield Ask(
        "card",
        "ask.insanity_symbol",
        "VS-23",
        {"n": level},
        options=tuple(Option(kind, "ask.piece", {"piece": kind}) for kind in LADDER),
        prefill=HINT[level],
    )
    play.state.learnt = {**play.state.learnt, f"insanity:{level}": {"kind": kind}}
    yield tell("insanity_symbol", "VS-23", n=level, kind=kind)
    return kind
