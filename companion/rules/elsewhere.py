"""Verbs of the contract that the game in play, or this version, leaves to the table."""

from __future__ import annotations

from companion.game import Refused, Steps
from companion.rules.play import Play
from companion.rules.verbs import DATA, ROOM, SEAT, maybe, verb


@verb("panic", seat=maybe(SEAT), card=maybe(DATA))
def panic(play: Play, seat: int | None = None, card: object = None) -> Steps:
    """Panic cards belong to the Void Seeders."""
    raise Refused("species.not_here", {"species": play.state.species})
    yield


@verb("mutate", seat=maybe(SEAT), card=maybe(DATA))
def mutate(play: Play, seat: int | None = None, card: object = None) -> Steps:
    """Mutations belong to the Carnomorphs."""
    raise Refused("species.not_here", {"species": play.state.species})
    yield


@verb("room_action", seat=maybe(SEAT), room=maybe(ROOM), action=maybe(DATA), target=maybe(DATA))
def room_action(
    play: Play,
    seat: int | None = None,
    room: str | None = None,
    action: object = None,
    target: object = None,
) -> Steps:
    """What a Room does is done at the table; its effects have verbs of their own."""
    raise Refused("room_action.by_table")
    yield
