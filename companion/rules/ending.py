"""How the game ends, and who is left. Who has won: `companion.rules.verdicts`."""

from __future__ import annotations

from companion.game import Person, Steps
from companion.game.state import (
    ABOARD,
    ASIDE,
    DEAD,
    OBJECTS,
    POD_WAITING,
    SUPPLY,
    kind_of,
    room_zone,
)
from companion.rules.play import Ended, Play, tell


def ship_lost(play: Play, cause: str, rule: str) -> Steps:
    """The ship is destroyed: everybody aboard, sleepers and intruders too, is dead (BASE-356).

    ``cause``: ``fire`` or ``malfunction`` (a ninth marker, BASE-357), ``self_destruct``.
    """
    yield from _end(play, f"ship_lost_{cause}", rule, destroyed=True)


def jump(play: Play, rule: str) -> Steps:
    """The jump: everybody aboard and awake dies (BASE-355); an active self-destruct takes all."""
    if play.state.self_destruct is not None:
        yield from _end(play, "ship_lost_jump", f"{rule} BASE-342 FAQ-A33", destroyed=True)
    yield from _end(play, "jump", rule, destroyed=False)


def nobody_left(play: Play) -> Steps:
    """The last living, awake character aboard is gone: the end comes at once (BASE-358)."""
    if play.playing() or play.state.phase == "over":
        return
    if play.state.self_destruct is not None:
        play.state.self_destruct = 0
        yield from ship_lost(play, "self_destruct", "BASE-358 BASE-342")
    play.state.time = 0
    yield from _end(play, "jump", "BASE-358", destroyed=False)


def by_table(play: Play) -> Steps:
    """The table stops where it stands: nobody dies of it, and nobody has won."""
    _close(play, "by_table")
    yield tell("game_over", "BASE-360", ending="by_table")
    raise Ended


def _end(play: Play, ending: str, rule: str, *, destroyed: bool) -> Steps:
    state = play.state
    state.ship_destroyed = destroyed
    for person in play.order():
        if person.state in (ABOARD, POD_WAITING) or (destroyed and person.state == "hibernated"):
            waiting = " BASE-359" if person.state == POD_WAITING else ""
            yield from perish(play, person, rule + waiting)
    _close(play, ending)
    yield tell("game_over", f"{rule} BASE-360", ending=ending)
    yield from _check(play)
    raise Ended


def _close(play: Play, ending: str) -> None:
    """Nothing more is due; a token just drawn lies in the pool as its miniature stands."""
    state = play.state
    state.ending = ending
    state.phase = "over"
    state.turn = state.step = None
    state.agenda.clear()
    for token in state.tokens(ASIDE):
        play.put_token(token, SUPPLY)


def _check(play: Play) -> Steps:
    """If anybody lives, the victory check becomes due, one verdict after the other (BASE-361)."""
    survivors = [p.seat for p in play.order() if p.state != DEAD]
    if not survivors:
        play.state.winners = []
        play.state.verdicts.append({"type": "nobody_survives", "rule": "BASE-361", "params": {}})
        yield tell("nobody_survives", "BASE-361")
        return
    yield tell("victory_check", "BASE-361", n=len(survivors))
    play.due("check_engines", wait=True)
    play.due("check_course", wait=True)
    for seat in survivors:
        play.due("check_contamination", wait=True, seat=seat)
    play.due("last_choice")
    for person in play.order():
        if person.seat in survivors or play.state.coop:
            play.due("check_objective", wait=True, seat=person.seat)
    play.due("check_winners", wait=True)


def perish(play: Play, person: Person, rule: str) -> Steps:
    """Death by the end of the game: no Corpse is placed, what was carried stays behind."""
    room = person.room
    person.state, person.room, person.pod = DEAD, None, None
    for piece in play.state.in_zone(f"held:{person.seat}"):
        if room and kind_of(piece) in OBJECTS:
            play.put(piece, room_zone(room))
    for larva in play.state.pieces("larva", f"sheet:{person.seat}"):
        play.put(larva, SUPPLY)
    yield tell("died", rule, seat=person.seat, room=room)
