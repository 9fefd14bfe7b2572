"""Encounters: an intruder comes out of the bag; miniatures; the choice of objectives."""

from __future__ import annotations

from collections.abc import Sequence

from companion.game import Ask, AskAll, Draw, Need, Person, Steps
from companion.game.procedure import Option, options
from companion.game.state import ASIDE, BAG, REMOVED, SUPPLY, kind_of, label_of, room_zone, value_of
from companion.rules.facts import Characters, FewerCards, Intruders, Noise
from companion.rules.facts.recall import injuries_of
from companion.rules.markers import noise_around, remove_noise
from companion.rules.movement import out_of_pods
from companion.rules.play import Play, tell
from companion.rules.verbs import SEAT, step, verb


@step("encounter", touches=("intruders", "noise"))
def due_encounter(play: Play, seat: int) -> Steps:
    """An Encounter that has become due, unless its character is gone meanwhile."""
    if play.takes_part(play.person(seat)):
        yield from encounter(play, seat)


@verb("encounter", touches=("intruders", "noise"), seat=SEAT)
def encounter(play: Play, seat: int) -> Steps:
    """An Encounter for the character who caused it, in the order of the rulebook (BASE-140)."""
    person = play.person(seat)
    if not play.takes_part(person):
        play.refuse("encounter.not_aboard", seat=seat)
        return
    yield Need(Characters("BASE-140"))
    room = person.room
    assert room
    yield tell("encounter", "BASE-140", seat=seat, room=room)
    yield from remove_noise_around(play, room)
    token = yield from draw_token(play, "BASE-142")
    if token is None:
        return
    yield from play.species.encountered(play, token, seat, room)


def meet(
    play: Play, token: str, kind: str, seat: int, room: str, rule: str = "BASE-143 FAQ-A8"
) -> Steps:
    """A creature comes out of the bag: its miniature, the surprise, the token put aside."""
    play.put_token(token, ASIDE)
    mini = yield from place_miniature(play, kind, room, rule)
    if mini is not None:
        yield from surprise_check(play, seat, mini, value_of(token) or 0)
    if play.state.where[f"token:{token}"] == ASIDE:
        play.put_token(token, SUPPLY)
        yield tell("token_aside", "BASE-145 FAQ-A3", token=label_of(token))


def remove_noise_around(play: Play, room: str) -> Steps:
    """Step 1: all noise of the room's corridors and of the technical space it opens on."""
    yield Need(Noise("BASE-141"))
    for space in [*(c.id for c in play.board.corridors_of(room)), *play.board.networks(room)]:
        yield from remove_noise(play, space, "BASE-141 BASE-08")


def draw_token(play: Play, rule: str) -> Steps:
    """One token out of the bag, or None with a word when there is none to draw (BASE-147)."""
    bag = tuple(play.in_bag())
    if not bag:
        yield tell("bag_empty", f"{rule} BASE-147")
        return None
    kinds = {kind_of(t) for t in bag}
    others = tuple(t for kind in sorted(kinds) for t in play.draw_pool(kind))
    labels = sorted({label_of(t) for t in (*bag, *others)})
    token = yield Draw(
        "bag",
        bag,
        "bag",
        Ask("card", "ask.bag_token", rule, options=options(labels, "ask.token", "token")),
        others=others,
    )
    if token in others:  # it went in unseen: the one supposed in its place lies in the pool
        supposed = next(t for t in bag if kind_of(t) == kind_of(token))
        play.put_token(supposed, SUPPLY)
        play.put_token(token, BAG)
    play.state.last_card = {"deck": "bag", "card": label_of(token)}
    yield tell("token_drawn", rule, token=label_of(token))
    return token


def blank(play: Play, seat: int, room: str) -> Steps:
    """The Blank: noise in each corridor; the last token brings an Adult; it returns (BASE-146)."""
    yield tell("encounter_blank", "BASE-146 FAQ-A6", seat=seat, room=room)
    yield from noise_around(play, room, "BASE-146 BASE-35")
    if play.in_bag() == ["blank"]:
        yield from play.species.only_blank_left(play, "BASE-146")
    yield tell("token_back", "BASE-146 BASE-147", token="blank")


def place_miniature(play: Play, kind: str, room: str, rule: str) -> Steps:
    """A miniature of a kind into a room; returns it, or None when none can be had."""
    yield Need(Intruders(rule))
    mini = yield from play.species.figure(play, kind, room)
    if mini is None:
        yield tell("miniature_missing", f"{rule} BASE-21", kind=kind, room=room)
        return None
    came = play.state.where[mini]
    play.put(mini, room_zone(room))
    play.state.injuries.pop(mini, None)
    play.state.sure.add(injuries_of(mini))
    yield tell("placed", rule, piece=mini, room=room, move=[(mini, came, room_zone(room))])
    yield from play.species.shown(play, mini, rule)
    yield from out_of_pods(play, room, rule)
    yield from first_miniature(play)
    return mini


def stand_in(play: Play, kind: str, room: str) -> Steps:
    """By switch the table may take one that stands elsewhere on the board (BASE-20, BASE-21)."""
    standing = [m for m in play.intruders() if kind_of(m) == kind and play.room_of(m) != room]
    if play.switch("miniature_shortage") == "nothing placed" or not standing:
        return None
    chosen = yield Ask(
        "card",
        "ask.stand_in",
        "BASE-20 BASE-21 BASE-337",
        {"kind": kind, "room": room},
        options=(Option("none", "ask.nothing_placed"), *options(standing, "ask.piece", "piece")),
    )
    if chosen == "none":
        return None
    yield tell("stands_in", "BASE-21", piece=chosen, room=room)
    return chosen


def first_miniature(play: Play) -> Steps:
    """The first miniature on the board: everybody keeps one of two objectives (BASE-149)."""
    if play.state.met:
        return
    play.state.met = True
    if play.state.coop:
        return
    yield tell("first_encounter", "BASE-149")
    if play.state.truth.get("objectives") == "physical":
        yield tell("objectives_by_table", "BASE-149")
        return
    choosing = [
        p for p in play.order() if p.state != "dead" and len(p.objectives) > 1 and p.kept is None
    ]
    if not choosing:
        return
    yield from keep_one(play, choosing)
    yield tell("objectives_chosen", "BASE-149")


def keep_one(play: Play, people: Sequence[Person]) -> Steps:
    """Each of these people keeps one dealt objective, in secret; the others are out (BASE-149)."""
    if not people:
        return
    kept = yield AskAll(
        {
            p.seat: Ask(
                "card",
                "ask.keep_objective",
                "BASE-149",
                options=tuple(Option(o, "ask.objective", {"objective": o}) for o in p.objectives),
                to=p.seat,
                secret=True,
                by_hand=False,
            )
            for p in people
        }
    )
    for seat, objective in kept.items():
        person = play.person(seat)
        for other in person.objectives:
            if other != objective:
                play.put(f"objective:{other}", REMOVED)
        person.objectives = [objective]
        person.kept = objective
        yield tell("objective_kept", "BASE-149", to=(seat,), seat=seat, objective=objective)


def surprise_check(play: Play, seat: int, mini: str, number: int) -> Steps:
    """Fewer cards in hand than the number: a Surprise Attack on who caused it (BASE-152)."""
    if play.weakness("reaction_to_danger") and number > 1:
        number -= 1
        yield tell("surprise_lowered", "BASE-154", number=number)
    room = play.person(seat).room
    together = " BASE-148" if room and len(play.people_in(room)) > 1 else ""
    action = play.species.surprised_by_action_cards(play)
    fewer = yield Need(FewerCards(seat, number, f"BASE-144{together} BASE-152", action))
    if not fewer:
        rules = f"BASE-144 BASE-213{together} BASE-152 FAQ-A57"
        yield tell("no_surprise", rules, seat=seat, number=number)
        return
    stays = " BASE-233" if play.state.intruder_seat is not None else ""
    rules = f"BASE-144 BASE-213{together} BASE-152 FAQ-A57 BASE-153{stays}"
    yield tell("surprise", rules, seat=seat, piece=mini)
    yield from play.species.surprise(play, seat, mini)
