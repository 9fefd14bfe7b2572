"""What the table says of minds and Lairs by itself."""

from __future__ import annotations

from companion.game import Refused, Steps
from companion.rules.play import Play
from companion.rules.species.void_seeders.insanity import HIGHEST, LOWEST, change
from companion.rules.verbs import SEAT, Arg, verb


@verb("insanity", late=True, seat=SEAT, level=Arg("count", low=LOWEST, high=HIGHEST))
def insanity(play: Play, seat: int, level: int) -> Steps:
    """The marker stands elsewhere on a character's Insanity Track than held (VS-23, VS-25).

    Refused where there is no Insanity.
    """
    if "insanity" not in play.species.topics:
        raise Refused("species.not_here", {"species": play.state.species})
    yield from change(play, seat, level, "VS-23")
