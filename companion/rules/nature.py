"""What a kind of miniature is like, where kinds differ: data, not procedures."""

from __future__ import annotations

from dataclasses import dataclass

from companion.game.state import SUPPLY


@dataclass(frozen=True, slots=True)
class Nature:
    """One kind. The defaults are those of the base game's Creeper and Adult.

    ``check`` and ``death`` are the rules cited for its damage check and for what it leaves.
    """

    moves: bool = True
    attacks: bool = True
    draws: bool = True  # its attack is an Attack card (BASE-184)
    mortal: bool = True  # what kills all in a room kills it too (BASE-252)
    met: bool = True  # the first of its kind may be the first Encounter (BASE-149)
    shut_out: str = ""  # the rule that keeps it out of the Technical Corridors (BASE-33)
    grave: str = SUPPLY  # where it goes when it is killed
    check: str = "BASE-161"
    death: str = "BASE-168 BASE-169"


PLAIN = Nature()
