"""Verbs of the contract that the species in play does not know, or that the table does itself."""

from __future__ import annotations

from companion.game import Refused, Steps
from companion.rules.play import Play
from companion.rules.verbs import DATA, ROOM, SEAT, maybe, verb


@verb("panic", seat=maybe(SEAT), card=maybe(DATA))
def panic(play: Play, **_: object) -> Steps:
    """Panic cards belong to the Void Seeders."""
    raise Refused("species.not_here", {"species": play.state.species})


@verb("mutate", seat=maybe(SEAT), card=maybe(DATA))
def mutate(play: Play, **_: object) -> Steps:
    """Mutations belong to the Carnomorphs."""
    raise Refused("species.not_here", {"species": play.state.species})


@verb("room_action", seat=maybe(SEAT), room=maybe(ROOM), action=maybe(DATA), target=maybe(DATA))
def room_action(play: Play, **_: object) -> Steps:
    """What a Room does is done at the table; its effects have verbs of their own."""
    raise Refused("room_action.by_table")
