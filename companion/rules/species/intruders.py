"""The base Intruders."""

from __future__ import annotations

from collections.abc import Sequence

from companion.game import Steps
from companion.game.state import ABOARD, POD_WAITING, kind_of
from companion.rules.bag import empty_blank, grows, queen, stirs
from companion.rules.play import Play, tell
from companion.rules.species import register


class Intruders:
    """Larva, Creeper, Adult, Breeder, Queen."""

    id = "intruders"

    def starting_bag(self, play: Play) -> dict[str, int]:
        """By the content: a fixed part and one Adult a player (BASE-54)."""
        creatures = play.content.species[self.id].creatures.values()
        players = len(play.state.seats)
        return {c.id: c.starting + c.starting_per_player * players for c in creatures}

    def development(self, play: Play, token: str) -> Steps:
        """BASE-326 to BASE-338."""
        match kind_of(token):
            case "larva":
                yield from grows(play, token, "adult", "BASE-326")
            case "creeper":
                yield from grows(play, token, "breeder", "BASE-327")
            case "adult" | "breeder":
                yield from stirs(play, token)
            case "queen":
                yield from queen(play, token)
            case _:
                yield from empty_blank(play, token)

    def moves_by_event(self, mini: str, kinds: Sequence[str]) -> bool:
        """The symbols of the card name the kinds; no card names Larvae (BASE-297)."""
        return kind_of(mini) in kinds

    def arrived(self, play: Play, room: str, rule: str) -> Steps:
        """People in the Pods of an Evacuation Section are back in its room (BASE-353)."""
        for person in play.order():
            if person.state == POD_WAITING and person.room == room:
                person.state = ABOARD
                person.pod = None
                yield tell("pod_emptied", f"{rule} BASE-353", seat=person.seat, room=room)


INTRUDERS = register(Intruders())
