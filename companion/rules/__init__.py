"""What the rulebooks say: one readable procedure a step. Pure; see docs/architecture.md."""

from companion.rules import (  # noqa: F401  each registers its verbs and steps
    airlock,
    bag,
    belongings,
    byhand,
    cardeffects,
    cards,
    combat,
    contamination,
    encounter,
    intruder_player,
    leaving,
    mishaps,
    moving,
    noise,
    phase,
    rooms,
    roomservice,
    rounds,
    setup,
    ship,
    shiprooms,
    shooting,
    study,
    verdicts,
    wounds,
)
from companion.rules.byhand import closed_by_hand
from companion.rules.phase import waits
from companion.rules.play import Ended, Play
from companion.rules.species import carnomorphs, intruders  # noqa: F401
from companion.rules.species.void_seeders import cards as seeder_cards  # noqa: F401
from companion.rules.species.void_seeders import hand, seeders  # noqa: F401
from companion.rules.verbs import STEPS, VERBS, Verb, arguments, step_of

#: Raised by any change of a procedure's outcome; a game remembers the number it was played with.
RULES = 27

__all__ = [
    "RULES",
    "STEPS",
    "VERBS",
    "Ended",
    "Play",
    "Verb",
    "arguments",
    "closed_by_hand",
    "step_of",
    "waits",
]
