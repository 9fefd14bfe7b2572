"""Bag development, by the token drawn (CA-47 to CA-53, CA-72 to CA-75)."""

from __future__ import annotations

from companion.game import Need, Steps
from companion.game.state import BAG, REMOVED, SUPPLY, kind_of, label_of, value_of
from companion.rules.bag import everybody_rolls
from companion.rules.encounter import place_miniature, remove_noise_around, surprise_check
from companion.rules.facts import Characters, Explored, FewestCards, Intruders
from companion.rules.movement import token_to_bag
from companion.rules.play import Play, tell
from companion.rules.species.carnomorphs.adaptations import available
from companion.rules.species.carnomorphs.facts import HeavyRooms, SlimedPeople
from companion.rules.verbs import step

RED, BLUE = "metagorger_red", "metagorger_blue"


def add_metagorger(play: Play, rule: str) -> Steps:
    """One Metagorger token into the bag, red first; none left: nothing (CA-20, CA-75)."""
    kind = RED if play.draw_pool(RED) else BLUE
    short = "" if play.draw_pool(kind) else " CA-75"
    yield from token_to_bag(play, kind, f"{rule} CA-20{short}")


def blue(play: Play, token: str) -> Steps:
    """Everybody rolls; the token leaves and another Metagorger token comes in (CA-47)."""
    play.put_token(token, SUPPLY)
    yield tell("token_out", "CA-47", token=label_of(token))
    if play.switch("ca_blue_out_during_rolls") == "no":
        yield from add_metagorger(play, "CA-47")
        yield from everybody_rolls(play, "CA-47")
        return
    yield from everybody_rolls(play, "CA-47")
    play.due("metagorger_token")


@step("metagorger_token")
def metagorger_step(play: Play) -> Steps:
    """After the rolls of a blue Metagorger a new token goes in (CA-47)."""
    yield from add_metagorger(play, "CA-47")


def red(play: Play, token: str) -> Steps:
    """Metagorgers multiply: one more by every one, every Heavy Object, in the Nest (CA-48)."""
    play.put_token(token, BAG)
    yield tell("token_back", "CA-48", token=label_of(token))
    yield Need(Characters("CA-48"))
    yield Need(Intruders("CA-48"))
    yield Need(Explored("CA-48"))
    rooms = set((yield Need(HeavyRooms("CA-48"))))
    rooms |= {r for m in play.intruders() if kind_of(m) == "metagorger" and (r := play.room_of(m))}
    den = play.room_tile("nest")
    if den and not play.state.nest_destroyed:
        rooms.add(den)
    if not rooms:
        yield tell("no_metagorger_comes", "CA-48")
    for room in sorted(rooms):
        if not available(play, "metagorger"):
            yield tell("miniature_missing", "CA-49 CA-72", kind="metagorger", room=room)
            return
        yield from place_miniature(play, "metagorger", room, "CA-48 CA-49 CA-72")


def stirs(play: Play, token: str, rule: str) -> Steps:
    """Back into the bag, then everybody not in Combat rolls for noise (CA-50, CA-51)."""
    play.put_token(token, BAG)
    yield tell("token_back", rule, token=label_of(token))
    yield from everybody_rolls(play, rule)


def butcher(play: Play, token: str) -> Steps:
    """It comes to somebody slimed, or to the First Player, and is met; its token is gone (CA-52).

    Dead or on the board already: only the token goes (CA-73).
    """
    play.put_token(token, REMOVED)
    yield tell("token_gone", "CA-52 FAQ-C9", token=label_of(token))
    yield Need(Intruders("CA-73"))
    if not available(play, "butcher"):
        yield tell("butcher_stays", "CA-73")
        return
    yield Need(Characters("CA-52"))
    seat = yield from prey(play)
    if seat is None:
        yield tell("butcher_stays", "CA-52")
        return
    room = play.person(seat).room or ""
    yield tell("butcher_comes", "CA-52 CA-74", seat=seat, room=room)
    yield from remove_noise_around(play, room)
    mini = yield from place_miniature(play, "butcher", room, "CA-52 CA-74")
    if mini is not None:
        yield from surprise_check(play, seat, mini, value_of(token) or 0)


def prey(play: Play) -> Steps:
    """Whose room it comes to: of the slimed the one with the fewest cards, else the first one."""
    people = play.playing()
    if not people:
        return None
    slimed = yield Need(SlimedPeople(tuple(p.seat for p in people), "CA-52"))
    if len(slimed) > 1:
        return (yield Need(FewestCards(tuple(slimed), "CA-52")))
    return slimed[0] if slimed else people[0].seat


def blank(play: Play, token: str) -> Steps:
    """The Blank is back first; Shamblers alone leave, a Metagorger token comes, then the rolls."""
    play.put_token(token, BAG)
    yield tell("token_back", "CA-53 FAQ-C3", token=label_of(token))
    yield Need(Characters("CA-53"))
    yield Need(Intruders("CA-53"))
    for mini in play.intruders():
        if kind_of(mini) == "shambler" and not play.fighting(mini):
            zone = play.state.where[mini]
            play.put(mini, SUPPLY)
            play.state.injuries.pop(mini, None)
            yield tell("left_board", "CA-53", piece=mini, move=[(mini, zone, SUPPLY)])
            yield from token_to_bag(play, "shambler", "CA-53 CA-70")
    yield from add_metagorger(play, "CA-53")
    yield from everybody_rolls(play, "CA-53")
