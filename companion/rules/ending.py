"""How the game ends, and who is left."""

from __future__ import annotations

from companion.game import Steps
from companion.game.state import ABOARD, DEAD, POD_WAITING
from companion.rules.play import Ended, Play, tell


def ship_lost(play: Play, cause: str, rule: str) -> Steps:
    """The ship is destroyed: everybody aboard, sleepers and intruders too, is dead (BASE-356).

    ``cause``: ``fire`` or ``malfunction`` (a ninth marker, BASE-357), ``self_destruct``.
    """
    yield from _end(play, f"ship_lost_{cause}", rule, sleepers=True)


def jump(play: Play, rule: str) -> Steps:
    """The jump: everybody aboard and awake dies (BASE-355); an active self-destruct takes all."""
    if play.state.self_destruct is not None:
        yield from _end(play, "ship_lost_jump", f"{rule} BASE-342 FAQ-A33", sleepers=True)
    yield from _end(play, "jump", rule, sleepers=False)


def nobody_left(play: Play) -> Steps:
    """The last living, awake character aboard is gone: the end comes at once (BASE-358)."""
    if play.playing():
        return
    if play.state.self_destruct is not None:
        play.state.self_destruct = 0
        yield from ship_lost(play, "self_destruct", "BASE-358 BASE-342")
    play.state.time = 0
    yield from _end(play, "jump", "BASE-358", sleepers=False)


def _end(play: Play, ending: str, rule: str, *, sleepers: bool) -> Steps:
    state = play.state
    state.ending = ending
    for person in play.order():
        if person.state in (ABOARD, POD_WAITING) or (sleepers and person.state == "hibernated"):
            person.state = DEAD
            yield tell("died", rule, seat=person.seat, room=person.room)
    state.phase = "over"
    state.agenda.clear()
    state.step = None
    yield tell("game_over", f"{rule} BASE-360", ending=ending)
    raise Ended
