"""Intruder bag development, by the token drawn (Event Phase, step 8)."""

from __future__ import annotations

from companion.game import Need, Steps
from companion.game.state import BAG, INTRUDER_BOARD, SUPPLY, kind_of, label_of, value_of
from companion.rules.combat import choose_target
from companion.rules.encounter import (
    draw_token,
    place_miniature,
    remove_noise_around,
    surprise_check,
)
from companion.rules.facts import Characters, Explored
from companion.rules.movement import token_to_bag
from companion.rules.play import Play, tell
from companion.rules.verbs import step, verb


@verb("bag_development", touches=("intruders", "noise"))
@step("bag_development", touches=("intruders", "noise"))
def bag_development(play: Play) -> Steps:
    """Draw one token and do what the species says it does (BASE-325)."""
    play.state.step = "bag_development"
    token = yield from draw_token(play, "BASE-325")
    if token is not None:
        yield from play.species.development(play, token)


def grows(play: Play, token: str, into: str, rule: str) -> Steps:
    """The token goes to the pool, one of another kind comes in (BASE-326, BASE-327)."""
    play.put_token(token, SUPPLY)
    yield tell("token_out", f"{rule} FAQ-A58", token=label_of(token))
    yield from token_to_bag(play, into, f"{rule} FAQ-A58")


def stirs(play: Play, token: str, rule: str) -> Steps:
    """Back into the bag first, then everybody not in Combat rolls for noise (BASE-328)."""
    play.put_token(token, BAG)
    yield tell("token_back", f"{rule} FAQ-A2 FAQ-A58", token=label_of(token))
    yield from everybody_rolls(play, rule)


def everybody_rolls(play: Play, rule: str) -> Steps:
    """Everybody not in Combat is due to roll for noise, in order (BASE-328, BASE-332)."""
    yield Need(Characters(rule))
    rolling = play.playing()
    shared = len({p.room for p in rolling}) < len(rolling)
    yield tell("all_roll", f"{rule} BASE-332{' BASE-331' if shared else ''} BASE-11")
    for person in rolling:
        play.due("noise_roll", seat=person.seat, unless_in_combat=True)


def queen(play: Play, token: str) -> Steps:
    """Characters in the Nest meet the Queen; otherwise an Egg is laid (BASE-333, BASE-335)."""
    yield Need(Characters("BASE-333"))
    yield Need(Explored("BASE-333"))
    den = play.room_tile("nest")
    there = play.people_in(den) if den else []
    if not den or not there:
        play.put_token(token, BAG)
        yield from lay_egg(play)
        yield tell("token_back", "BASE-336", token=label_of(token))
        return
    yield tell("queen_comes", "BASE-333", room=den)
    yield from remove_noise_around(play, den)
    shortage = "" if play.spare(kind_of(token)) else " BASE-337"
    mini = yield from place_miniature(play, kind_of(token), den, f"BASE-333{shortage}")
    if mini is None or play.switch("queen_token_returns") == "always":
        play.put_token(token, BAG)
        yield tell("token_back", "BASE-336", token=label_of(token))
    else:
        play.put_token(token, SUPPLY)
        yield tell("token_out", "BASE-336", token=label_of(token))
    if mini is None:
        return
    if len(there) > 1 and play.switch("queen_nest_target") == "first in order":
        target = there[0].seat
        yield tell("target", "BASE-334", seat=target, room=den)
    else:
        target = yield from choose_target(play, den, "BASE-334")
    if target is not None:
        yield from surprise_check(play, target, mini, value_of(token) or 0)


def lay_egg(play: Play) -> Steps:
    """One Egg onto the Intruder board; none left: nothing (BASE-335, BASE-248)."""
    if play.state.nest_destroyed and play.switch("destroyed_nest_refills") == "no":
        yield tell("nest_stays_destroyed", "BASE-335 BASE-248")
        return
    egg = play.spare("egg")
    if egg is None:
        yield tell("no_egg_left", "BASE-335")
        return
    play.put(egg, INTRUDER_BOARD)
    yield tell("egg_laid", "BASE-335", move=[("egg", SUPPLY, INTRUDER_BOARD)])


def empty_blank(play: Play, token: str, kind: str, rule: str = "BASE-338 FAQ-A58") -> Steps:
    """Blank: back, and a token of ``kind`` in, if the pool has one (BASE-338)."""
    play.put_token(token, BAG)
    yield tell("token_back", rule, token=label_of(token))
    yield from token_to_bag(play, kind, rule)
