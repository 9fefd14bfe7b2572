"""What only a player knows or carries: hands, wounds, slime, objects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.game import Ask, Person, options
from companion.game.procedure import Option
from companion.game.state import DEAD, SUPPLY, kind_of, room_zone
from companion.rules.facts import recall
from companion.rules.play import Play


def faces(people: Sequence[Person]) -> tuple[Option, ...]:
    """One option a person."""
    return options([p.seat for p in people], "ask.face", "seat")


def which_of(
    people: Sequence[Person],
    key: str,
    rule: str,
    params: Mapping[str, Any] | None = None,
    *,
    prefill: Sequence[int] = (),
    by_hand: bool = True,
) -> Ask:
    """The question which of ``people`` it is: none or several; the answer is a list of seats."""
    return Ask(
        "faces",
        key,
        rule,
        params or {},
        options=faces(people),
        prefill=list(prefill),
        multiple=True,
        by_hand=by_hand,
    )


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
            if self.least > 1:
                play.state.injuries[self.mini] = self.least - 1
            else:
                play.state.injuries.pop(self.mini, None)
        return answer

    def certain(self, play: Play) -> bool | None:
        """Since it came, or since its Injuries were said, every hit was told."""
        return self.read(play) if recall.injuries_of(self.mini) in play.state.sure else None

    def neutral(self, play: Play) -> bool:
        """The table decides."""
        return False


@dataclass(frozen=True, slots=True)
class Slimed:
    """Whether a character carries a slime marker; ``before`` taking one: a second is no matter."""

    seat: int
    rule: str
    before: bool = False
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
        recall.slime_seen(play, self.seat, answer)
        return answer

    def certain(self, play: Play) -> bool | None:
        """Told in this turn; who takes one in doubt has one then, whatever was before."""
        if self.key in play.state.sure:
            return self.read(play)
        return False if self.before else None

    def neutral(self, play: Play) -> bool:
        """Not slimed."""
        return False


@dataclass(frozen=True, slots=True)
class FewerCards:
    """Whether a hand holds fewer cards than a number (BASE-152). Asked, never as a number.

    ``action``: only Action cards count.
    """

    seat: int
    number: int
    rule: str
    action: bool = False
    topic = "hand"

    @property
    def key(self) -> str:
        """One per seat and number."""
        return f"hand:{self.seat}:{self.number}"

    def read(self, play: Play) -> bool | None:
        """None when only the player knows."""
        person = play.person(self.seat)
        hand = person.action_cards if self.action else person.hand
        return None if hand is None else hand < self.number

    def ask(self, play: Play) -> Ask:
        """Yes or no."""
        key = "ask.fewer_action_cards" if self.action else "ask.fewer_cards"
        return Ask("yes_no", key, self.rule, {"seat": self.seat, "n": self.number})

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
        """One a group: hands change between attacks by cards only (BASE-185)."""
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
        recall.note_fewest(play, self.seats, people[0].seat)
        return people[0].seat

    def certain(self, play: Play) -> int | None:
        """Hands stay as they are between two commands of people."""
        return recall.fewest(play, self.seats)

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
        return which_of(people, "ask.no_action_cards", self.rule)

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
        low, high = recall.serious(play, person)
        if answer:
            while not self.read(play):
                person.serious.append("unknown")
            recall.note_wounds(play, person, max(low, self.least), high)
        else:
            while self.read(play):
                (person.serious or person.dressed).pop()
            most = self.least - 1
            recall.note_wounds(play, person, low, most if high is None else min(most, high))
        return answer

    def certain(self, play: Play) -> bool | None:
        """From what was said since people could do anything unseen, and the wounds since."""
        return recall.at_least(play, play.person(self.seat), self.least)

    def neutral(self, play: Play) -> bool:
        """The table decides."""
        return False


@dataclass(frozen=True, slots=True)
class BadlyWounded:
    """Which of several people have at least ``least`` serious wounds: one look round (BASE-194).

    ``taken``: seat and wounds of each, as in `SeriousWounds`.
    """

    taken: tuple[tuple[int, tuple[int, int, int]], ...]
    least: int
    rule: str
    topic = "wounds"

    @property
    def key(self) -> str:
        """Anew after every wound."""
        return f"wounded:{self.least}:{self.taken}"

    def _each(self) -> list[SeriousWounds]:
        return [SeriousWounds(seat, self.least, self.rule, had) for seat, had in self.taken]

    def read(self, play: Play) -> list[int]:
        """From the cards held."""
        return [one.seat for one in self._each() if one.read(play)]

    def ask(self, play: Play) -> Ask:
        """Faces, none or several."""
        return which_of(
            [play.person(one.seat) for one in self._each()],
            "ask.badly_wounded",
            self.rule,
            {"n": self.least},
            prefill=self.read(play),
        )

    def write(self, play: Play, answer: list[int]) -> list[int]:
        """Agree with the answer, one by one."""
        return [one.seat for one in self._each() if one.write(play, one.seat in answer)]

    def certain(self, play: Play) -> list[int] | None:
        """When it is certain of each."""
        known = {one.seat: one.certain(play) for one in self._each()}
        return None if None in known.values() else [seat for seat, badly in known.items() if badly]

    def neutral(self, play: Play) -> list[int]:
        """The table decides."""
        return []


@dataclass(frozen=True, slots=True)
class LookRound(BadlyWounded):
    """The same of all who fight, once in an Event Phase, when the wounds of ``seat`` matter.

    So a step with many attacks asks for wounds once, not at every hit.
    """

    seat: int = 0

    def write(self, play: Play, answer: list[int]) -> list[int]:
        """Agree with the answer, and look no more."""
        play.state.recall = {**play.state.recall, "looked": True}
        return BadlyWounded.write(self, play, answer)

    def certain(self, play: Play) -> list[int] | None:
        """Nothing to ask when it was asked, or when the one who matters is known."""
        known = recall.at_least(play, play.person(self.seat), self.least)
        return [] if known is not None or play.state.recall.get("looked") else None


#: Who has died of it, beside the wounds that somebody may have.
DIED = "dead"


def level_of(person: Person, more: int = 0) -> str:
    """Somebody's wounds in the words of `WoundsLie`, after ``more`` light ones."""
    light, hard = min(person.light, 2) + more, min(recall.total(person), recall.FATAL)
    if person.state == DEAD or (more and hard == recall.FATAL):
        return DIED
    return f"{light % 3}-{hard + light // 3}"


def lay_wounds(play: Play, person: Person, level: str | None) -> None:
    """Somebody's wounds lie as ``level`` says (None: as held), and nothing is unknown of them."""
    if level is not None:
        light, hard = map(int, level.split("-"))
        person.light = light
        person.serious += ["unknown"] * (hard - recall.total(person))
        while recall.total(person) > hard:
            (person.serious or person.dressed).pop()
    recall.note_exact(play, person)


@dataclass(frozen=True, slots=True)
class WoundsLie:
    """How everybody's wounds lie, in one look: ``LIGHT-SERIOUS`` of each, or ``dead``.

    What was answered is exact, and so is what follows until people act: nothing more is asked in
    the phase. ``last``: with the wounds of the last round, from which somebody may have died;
    ``burning`` are those who end it in Fire, ``ahead`` those of them whose wound is shown already.
    """

    seats: tuple[int, ...]
    rule: str
    last: bool = False
    burning: tuple[int, ...] = ()
    ahead: tuple[int, ...] = ()
    topic = "wounds"

    @property
    def key(self) -> str:
        """One for all, before a wound."""
        return f"wounds_lie:{self.last}:{self.rule}"

    def read(self, play: Play) -> dict[int, str]:
        """As held."""
        people = [play.person(seat) for seat in self.seats]
        return {p.seat: level_of(p, int(p.seat in self.ahead)) for p in people}

    def ask(self, play: Play) -> Ask:
        """As they were told."""
        each = [(light, hard) for hard in range(recall.FATAL + 1) for light in range(3)]
        levels = [
            Option(f"{light}-{hard}", "ask.wounds_level", {"light": light, "serious": hard})
            for light, hard in each
        ]
        died = [Option(DIED, "ask.wounds_dead")] if self.last else []
        key = "ask.wounds_lie"
        if self.last:
            key = "ask.wounds_fire" if self.burning else "ask.wounds_bleeding"
        return Ask(
            "place",
            key,
            self.rule,
            {"seats": list(self.burning)} if self.burning else {},
            options=(*levels, *died),
            prefill={play.person(s).character: level for s, level in self.read(play).items()},
            pieces=tuple(play.person(seat).character for seat in self.seats),
        )

    def write(self, play: Play, answer: dict[str, str | None]) -> dict[int, str]:
        """Agree with the answer; death is an event of its own."""
        shown = self.read(play)
        found: dict[int, str] = {}
        for seat in self.seats:
            person = play.person(seat)
            found[seat] = answer.get(person.character) or shown[seat]
            if found[seat] != DIED:
                lay_wounds(play, person, found[seat])
        return found

    def neutral(self, play: Play) -> dict[int, str]:
        """The table wounds by itself."""
        return self.read(play)


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
class Bleeding:
    """Which of several people have an undressed Bleeding wound (BASE-202): one look round.

    ``taken``: seat and wounds of each, as in `Bleeds`.
    """

    taken: tuple[tuple[int, tuple[int, int, int]], ...]
    rule: str
    topic = "wounds"

    @property
    def key(self) -> str:
        """Anew after every wound."""
        return f"bleeding:{self.taken}"

    def read(self, play: Play) -> list[int]:
        """From the cards held."""
        return [seat for seat, _ in self.taken if "bleeding" in play.person(seat).serious]

    def ask(self, play: Play) -> Ask:
        """Faces, none or several."""
        people = [play.person(seat) for seat, _ in self.taken]
        return which_of(people, "ask.bleeding", self.rule, prefill=self.read(play))

    def write(self, play: Play, answer: list[int]) -> list[int]:
        """Nothing is kept: which wounds they are stays the table's."""
        return answer

    def neutral(self, play: Play) -> list[int]:
        """The table wounds by itself."""
        return []


@dataclass(frozen=True, slots=True)
class Dies:
    """Whether a wound just taken, or so many light ones at once, kills (BASE-205)."""

    seat: int
    rule: str
    taken: tuple[int, int, int]
    count: int = 1
    topic = "wounds"

    @property
    def key(self) -> str:
        """Anew for every wound."""
        return f"dies:{self.seat}:{self.taken}:{self.count}"

    def read(self, play: Play) -> bool:
        """With three serious wounds any further wound kills; three light ones make a serious."""
        person = play.person(self.seat)
        light = min(person.light, 2) + self.count - 1
        return recall.total(person) + light // 3 >= recall.FATAL

    def ask(self, play: Play) -> Ask:
        """Yes or no."""
        key = "ask.dies" if self.count == 1 else "ask.dies_of"
        params = {"seat": self.seat} if self.count == 1 else {"seat": self.seat, "n": self.count}
        return Ask("yes_no", key, self.rule, params, prefill=self.read(play))

    def write(self, play: Play, answer: bool) -> bool:
        """Death is an event of its own; whoever lives has two serious wounds at most."""
        if not answer:
            person = play.person(self.seat)
            low, high = recall.serious(play, person)
            most = recall.FATAL - 1
            while recall.total(person) > most:
                (person.serious or person.dressed).pop()
            recall.note_wounds(play, person, low, most if high is None else min(most, high))
        return answer

    def certain(self, play: Play) -> bool | None:
        """From what was said of serious wounds since people could do anything unseen.

        Where fights are told, nobody of whom no Serious Wound was ever told has three (by switch).
        """
        person = play.person(self.seat)
        if recall.exact(play, person):
            return self.read(play)
        asked = play.state.tracking.get("wounds") == "asked"
        trusted = asked and play.tracks("injuries") and play.switch("untold_serious_wounds") == "no"
        if trusted and not recall.total(person) and not self.read(play):
            return False
        if recall.at_least(play, person, recall.FATAL):
            return True
        last = recall.at_least(play, person, recall.FATAL, self.count - 1)
        return False if last is False else None

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
        return which_of(
            play.playing(), f"ask.carriers_{self.kind}", self.rule, prefill=self.read(play)
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
        recall.say(play, self.key, True)
        return [p.seat for p in play.playing() if p.seat in answer]

    def certain(self, play: Play) -> list[int] | None:
        """Asked since people could do anything unseen, and told since then."""
        return self.read(play) if recall.said(play, self.key) and recall.short(play) else None

    def neutral(self, play: Play) -> list[int]:
        """None, for the engine."""
        return []


#: What a weakness is studied with, by the slot of its card (BASE-223).
SPECIMENS = {"corpse": ("corpse_red", "corpse_blue"), "egg": ("egg",), "carcass": ("carcass",)}


@dataclass(frozen=True, slots=True)
class Specimens:
    """Which objects that can be studied are in a room: lying there, or carried by people there."""

    room: str
    rule: str
    topic = "objects"

    @property
    def key(self) -> str:
        """One per room."""
        return f"specimens:{self.room}"

    def read(self, play: Play) -> list[str]:
        """Slots in printed order."""
        return [slot for slot in play.species.specimens if _pieces(play, slot, self.room)]

    def ask(self, play: Play) -> Ask:
        """The kinds, none or several."""
        return Ask(
            "card",
            "ask.specimens",
            self.rule,
            {"room": self.room},
            options=options(list(play.species.specimens), "ask.piece", "piece"),
            prefill=self.read(play),
            multiple=True,
        )

    def write(self, play: Play, answer: list[str]) -> list[str]:
        """Make the room hold so."""
        for slot in play.species.specimens:
            _make(play, slot, self.room, present=slot in answer)
        return answer

    def neutral(self, play: Play) -> list[str]:
        """The table knows which: any."""
        return list(play.species.specimens)


@dataclass(frozen=True, slots=True)
class Specimen:
    """Whether one kind of object is in a room."""

    slot: str
    room: str
    rule: str
    topic = "objects"

    @property
    def key(self) -> str:
        """One per room and kind."""
        return f"specimen:{self.slot}:{self.room}"

    def read(self, play: Play) -> bool:
        """From the places held."""
        return bool(_pieces(play, self.slot, self.room))

    def ask(self, play: Play) -> Ask:
        """Yes or no."""
        return Ask(
            "yes_no",
            "ask.specimen",
            self.rule,
            {"piece": self.slot, "room": self.room},
            prefill=self.read(play),
        )

    def write(self, play: Play, answer: bool) -> bool:
        """Agree with the answer."""
        _make(play, self.slot, self.room, present=answer)
        return answer

    def neutral(self, play: Play) -> bool:
        """The table would not study what is not there."""
        return True


def _pieces(play: Play, slot: str, room: str) -> list[str]:
    zones = {room_zone(room), *(f"held:{p.seat}" for p in play.people_in(room))}
    kinds = play.species.specimens[slot]
    return [p for p, z in play.state.where.items() if z in zones and kind_of(p) in kinds]


def _make(play: Play, slot: str, room: str, *, present: bool) -> None:
    found = _pieces(play, slot, room)
    if present and not found:
        kinds = play.species.specimens[slot]
        spare = next((s for kind in kinds if (s := play.spare(kind))), None)
        if spare:
            play.put(spare, room_zone(room))
    for piece in found if not present else []:
        play.put(piece, SUPPLY)
