"""Facts of the table that rules need, each with the smallest question that settles it.

``topic`` is the kind of fact a table tracks, is asked for, or is merely told (docs/playing.md);
hands are always the players' own knowledge.
"""

from companion.rules.facts.board import (
    Characters,
    Doors,
    Explored,
    Intruders,
    Marked,
    Noise,
    set_door,
)
from companion.rules.facts.people import (
    SPECIMENS,
    BadlyWounded,
    Bleeding,
    Bleeds,
    Carriers,
    Dies,
    FewerCards,
    FewestCards,
    HasInjuries,
    LookRound,
    NoActionCards,
    SeriousWounds,
    Slimed,
    Specimen,
    Specimens,
    WoundsLie,
    faces,
    lay_wounds,
    which_of,
    wounds_of,
)

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

__all__ = [
    "SPECIMENS",
    "TOPICS",
    "BadlyWounded",
    "Bleeding",
    "Bleeds",
    "Carriers",
    "Characters",
    "Dies",
    "Doors",
    "Explored",
    "FewerCards",
    "FewestCards",
    "HasInjuries",
    "Intruders",
    "LookRound",
    "Marked",
    "NoActionCards",
    "Noise",
    "SeriousWounds",
    "Slimed",
    "Specimen",
    "Specimens",
    "WoundsLie",
    "faces",
    "lay_wounds",
    "set_door",
    "which_of",
    "wounds_of",
]
