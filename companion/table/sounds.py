"""What the table may hear: cues and spoken lines, both made of the table's public log and no more.

A line is the same for everybody who reads it, and secret lines are not in the table's view; so two
games that differ only in secrets sound the same, and nothing is heard at a private action.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final

#: Cues with the log lines that play them; of several at once only the first is heard.
CUES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "over": ("game_over",),
        "death": ("died", "died_escaping"),
        "alarm": ("self_destruct_on",),
        "encounter": ("encounter", "first_encounter", "queen_comes", "surprise"),
        "attack": ("attack_hits", "attack_hits_room", "attack_misses", "attack_misses_room"),
        "fire": ("fire",),
        "event": ("event_drawn",),
        "noise": ("noise", "danger_comes"),
        "round": ("round_begins", "event_phase"),
    }
)

#: Lines that the narrator reads: the steps of the game that everybody waits for.
SPOKEN: Final = frozenset(
    (
        *(line for lines in CUES.values() for line in lines),
        *("event_effect", "time", "first_player", "placed", "burns", "retreats", "silence"),
        *("bag_empty", "self_destruct_off", "hibernation_open", "nest_destroyed"),
        *("airlock_set", "airlock_opens", "airlock_off", "victory_check", "verdict_winners"),
    )
)

_CUE_OF: Final = {line: cue for cue, lines in CUES.items() for line in lines}
_ORDER: Final = tuple(CUES)


def cue(lines: Iterable[Mapping[str, Any]]) -> str | None:
    """The cue that new log lines play, or None. Lines that were undone play none."""
    found = {cue_of(line) for line in lines}
    return min(found - {""}, key=_ORDER.index, default=None)


def cue_of(line: Mapping[str, Any]) -> str:
    """The cue of one line, empty when it has none."""
    return "" if line["undone"] or line["secret"] else _CUE_OF.get(line["type"], "")


def spoken(line: Mapping[str, Any]) -> bool:
    """Whether the narrator reads a log line."""
    return line["type"] in SPOKEN and not line["undone"] and not line["secret"]


class Ear:
    """Hears the table's views one after the other and says which cue is new.

    What stood in the log when it began to listen is old; after a new game it begins again.
    """

    def __init__(self) -> None:
        self._game: str | None = None
        self._newest = 0

    def hear(self, view: Mapping[str, Any]) -> str | None:
        """The cue of what this view has and the last one had not."""
        log = view["log"]
        newest = log[-1]["n"] if log else 0
        known, self._newest = self._newest, newest
        if view["game"]["id"] != self._game:
            first, self._game = self._game is None, view["game"]["id"]
            if first:
                return None
            known = 0
        return cue(line for line in log if line["n"] > known)
