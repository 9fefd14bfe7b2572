"""The contamination check at the end of the game (VS-74 to VS-76)."""

from __future__ import annotations

from companion.game import Ask, Need, Person, Steps
from companion.rules.contamination import by_hand, cards_of
from companion.rules.play import Play, tell
from companion.rules.species.void_seeders.insanity import FLOOR, HIGHEST, Level, change
from companion.rules.verdicts import last_four, say


def contamination_check(play: Play, person: Person) -> Steps:
    """Cards drive deeper; who is at 5 draws four (VS-74 to VS-76)."""
    seat = person.seat
    level = yield Need(Level(seat, "VS-74"))
    if level is None:
        mad = yield Ask("yes_no", "ask.insanity_highest", "VS-74", {"seat": seat})
        level = HIGHEST if mad else FLOOR
    elif level == HIGHEST:
        yield tell("insanity_stays", "VS-76", seat=seat, level=level)
    else:
        level = yield from cards_count(play, seat, level)
    if level < HIGHEST:
        yield from say(play, "verdict_sane", "VS-74 VS-75", seat=seat)
        return
    verdicts = ("verdict_loses_mind", "verdict_keeps_mind")
    yield from last_four(play, person, "VS-75", verdicts)


def cards_count(play: Play, seat: int, level: int) -> Steps:
    """Each own Contamination card is a level, up to 5, and kills nobody (VS-74)."""
    held = cards_of(play, seat)
    if by_hand(play):
        enough = yield Ask(
            "yes_no",
            "ask.contamination_at_least",
            "VS-74",
            {"seat": seat, "n": HIGHEST - level},
            prefill=held >= HIGHEST - level,
        )
        held = HIGHEST if enough else min(held, HIGHEST - level - 1)
    after = min(level + held, HIGHEST)
    if after > level:
        yield from change(play, seat, after, "VS-74")
    return after
