"""What follows from the setup and from earlier answers while nobody does anything unseen.

Between two commands of people hands stay as they are, and every wound that is taken is told here.
So what was answered once in an Event Phase, or within one command, bounds what is asked later
(``recall``). Where the board is not held, what setup laid out or an answer told of a whole kind of
fact is known (``sure``) for as long as people tell what they do; so is what was seen or told of one
piece or person, by the key of its fact.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.game import Person
    from companion.rules.play import Play

#: Commands that follow on play that nobody told: where figures stand now, only the table knows.
UNSEEN = ("encounter", "noise_roll", "bag_development", "event_phase")
FATAL = 3  # with so many Serious Wounds any further wound kills (BASE-205)


def people_act(play: Play, verb: str) -> None:
    """A command of people begins: what can have changed before it, unseen, is known no more.

    Nobody meets an Intruder unseen; who fights may take wounds.
    """
    state = play.state
    state.recall = {}
    if verb in UNSEEN:
        state.sure &= set() if state.met else {"intruders", "injuries"}
    if state.met:
        state.sure.discard("wounds")


def turn_ends(play: Play) -> None:
    """A new turn: who is slimed may wash without a word, nobody is slimed without one."""
    for person in play.state.seats.values():
        if person.slime:
            play.state.sure.discard(f"slime:{person.seat}")


def slime_seen(play: Play, seat: int, on: bool) -> None:
    """Somebody takes a Slime marker, loses it, or says whether there is one."""
    play.person(seat).slime = on
    play.state.sure.add(f"slime:{seat}")


def injuries_of(mini: str) -> str:
    """What ``sure`` holds while the Injuries of one Intruder are known."""
    return f"injuries:{mini}"


def injuries_pass(play: Play, mini: str, into: str) -> None:
    """One Intruder becomes another: its Injuries are as well known as before."""
    play.state.sure.discard(injuries_of(into))
    if injuries_of(mini) in play.state.sure:
        play.state.sure.add(injuries_of(into))


def wounded(play: Play) -> None:
    """Somebody takes a wound that is not held: the count of before it bounds what follows."""
    if play.tracks("wounds") or "wounds" not in play.state.sure:
        return
    for person in play.state.seats.values():
        if not exact(play, person):
            note_wounds(play, person, total(person), total(person))
    play.state.sure.discard("wounds")


def total(person: Person) -> int:
    """Serious Wounds held, dressed ones too."""
    return len(person.serious) + len(person.dressed)


def note_wounds(play: Play, person: Person, least: int, most: int | None) -> None:
    """Somebody has between ``least`` and ``most`` Serious Wounds now (None: who knows)."""
    seen = {"least": least, "most": most, "light": person.light, "had": total(person)}
    held = play.state.recall.get("wounds", {})
    play.state.recall = {**play.state.recall, "wounds": {**held, str(person.seat): seen}}


def note_exact(play: Play, person: Person) -> None:
    """The state holds somebody's wounds as they lie: what is taken from now on is told here."""
    note_wounds(play, person, total(person), total(person))
    held = play.state.recall["wounds"]
    seen = {**held[str(person.seat)], "exact": True}
    play.state.recall = {**play.state.recall, "wounds": {**held, str(person.seat): seen}}


def exact(play: Play, person: Person) -> bool:
    """Whether the state holds somebody's wounds as they lie, light ones too."""
    seen = play.state.recall.get("wounds", {}).get(str(person.seat))
    return seen is not None and bool(seen.get("exact"))


def serious(play: Play, person: Person, more: int = 0) -> tuple[int, int | None]:
    """How many Serious Wounds somebody has at least and at most after ``more`` light ones."""
    seen = play.state.recall.get("wounds", {}).get(str(person.seat))
    if seen is None:
        return 0, None
    if seen.get("exact"):
        number = total(person) + (person.light + more) // 3
        return number, number
    since = total(person) - seen["had"]
    light = person.light - seen["light"] + more
    least = seen["least"] + since + light // 3
    most = None if seen["most"] is None else seen["most"] + since + (light + 2) // 3
    return least, most


def at_least(play: Play, person: Person, number: int, more: int = 0) -> bool | None:
    """Whether somebody has ``number`` Serious Wounds after ``more`` light ones; None: unknown."""
    least, most = serious(play, person, more)
    if least >= number:
        return True
    return False if most is not None and most < number else None


def short(play: Play) -> bool:
    """Whether the Event Phase asks once for all, and stops less often (by switch)."""
    return play.switch("short_event_phase") == "yes"


def note_fewest(play: Play, seats: Sequence[int], seat: int) -> None:
    """Of ``seats`` this one holds the fewest cards, ties broken."""
    play.state.recall = {**play.state.recall, "fewest": [*_fewest(play), [list(seats), seat]]}


def fewest(play: Play, seats: Sequence[int]) -> int | None:
    """Who of ``seats`` holds the fewest cards, where that was said of all of them before."""
    for asked, seat in reversed(_fewest(play)):
        if seat in seats and set(seats) <= set(asked):
            return int(seat)
    return None


def hands_change(play: Play) -> None:
    """Cards leave or join hands: what was said of them holds no more."""
    play.state.recall = {k: v for k, v in play.state.recall.items() if k != "fewest"}


def say(play: Play, what: str, answer: bool) -> None:
    """Keep a Yes or No for the rest of the phase."""
    play.state.recall = {**play.state.recall, "said": {**_said(play), what: answer}}


def said(play: Play, what: str) -> bool | None:
    """The Yes or No that was kept, or None."""
    return _said(play).get(what)


def _said(play: Play) -> dict[str, bool]:
    return dict(play.state.recall.get("said", {}))


def _fewest(play: Play) -> list[tuple[list[int], int]]:
    return list(play.state.recall.get("fewest", ()))
