"""Verbs of the contract that the species in play does not know."""

from __future__ import annotations

from companion.game import Refused, Steps
from companion.rules.play import Play
from companion.rules.verbs import DATA, SEAT, maybe, verb


@verb("panic", seat=maybe(SEAT), card=maybe(DATA))
def panic(play: Play, **_: object) -> Steps:
    """Panic cards belong to the Void Seeders."""
    raise Refused("species.not_here", {"species": play.state.species})
