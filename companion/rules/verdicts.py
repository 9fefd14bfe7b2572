"""The victory check, one verdict at a time, in the order of the rulebook (BASE-361 to BASE-367)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.game import Ask, Person, Refused, Steps
from companion.game.procedure import options
from companion.game.state import DEAD, HIBERNATED, LAUNCHED
from companion.rules.contamination import by_hand, cards_of, draw_four, read_cards
from companion.rules.encounter import keep_one
from companion.rules.ending import by_table, jump, nobody_left, perish, ship_lost
from companion.rules.facts import which_of
from companion.rules.play import Play, tell
from companion.rules.verbs import FLAG, SEAT, maybe, step, verb, word
from companion.rules.victory import Claim, alive, judge, rules_of

EARTH = "earth"
ENGINES = ("1", "2", "3")
DAMAGED_ENGINES = 2


@verb("game_end", late=True, cause=maybe(word("jump", "explosion", "fire", "malfunction", "table")))
def game_end(play: Play, cause: str | None = None) -> Steps:
    """The game ends: by the jump, an explosion, too many markers, or because the table stops.

    Without a cause: as it stands, when somebody sleeps or has left (BASE-358), or the time is up;
    otherwise the table stops.
    """
    state = play.state
    if state.ending is not None:
        raise Refused("game_over")
    gone = any(p.state in (HIBERNATED, LAUNCHED) for p in state.seats.values())
    match cause:
        case "explosion":
            yield from ship_lost(play, "self_destruct", "BASE-356")
        case "fire" | "malfunction":
            yield from ship_lost(play, cause, "BASE-357 FAQ-A39")
        case "jump":
            yield from jump(play, "BASE-355")
        case None if gone or not play.playing() or state.time <= 0:
            state.phase = "event"  # a game laid out as over has not ended by a rule yet
            yield from nobody_left(play)
            yield from jump(play, "BASE-355")
    yield from by_table(play)


def applies(play: Play, entry: Mapping[str, Any]) -> bool:
    """Whether a verdict that is due still has something to say."""
    state = play.state
    match entry["step"]:
        case "check_course":
            return not state.ship_destroyed
        case "check_contamination":
            return play.person(entry["seat"]).state != DEAD
        case "check_objective":
            return state.coop or play.person(entry["seat"]).state != DEAD
        case "last_choice":
            return False
    return True


def say(play: Play, type: str, rule: str, **params: Any) -> Steps:
    """Tell a verdict, and keep it for the screens and the story."""
    play.state.verdicts.append({"type": type, "rule": rule, "params": params})
    yield tell(type, rule, **params)


# Check 1: engines ---------------------------------------------------------------------------


@step("check_engines")
def check_engines(play: Play) -> Steps:
    """Two or three damaged top tokens: the ship explodes, sleepers and intruders die (BASE-362)."""
    state = play.state
    state.step = "check_engines"
    if state.ship_destroyed:
        yield from say(play, "verdict_ship_gone", "BASE-364")
        return
    rule = "BASE-362 BASE-345 FAQ-A37"
    tops = state.hidden.get("engines", {})
    damaged = [tops.get(e) for e in ENGINES].count("damaged")
    unknown = [tops.get(e) for e in ENGINES].count(None)
    if damaged >= DAMAGED_ENGINES or damaged + unknown < DAMAGED_ENGINES:
        explodes = damaged >= DAMAGED_ENGINES
        yield tell("engines_turned", "BASE-345", engines=dict(sorted(tops.items())))
    else:
        explodes = yield Ask("yes_no", "ask.engines_damaged", rule, by_hand=False)
    if not explodes:
        yield from say(play, "verdict_engines_hold", rule)
        return
    state.ship_destroyed = True
    yield from say(play, "verdict_engines_fail", rule)
    for person in alive(play):
        if person.state != LAUNCHED:
            yield from _dies_asleep(play, person, "BASE-362")


# Check 2: course ----------------------------------------------------------------------------


@step("check_course")
def check_course(play: Play) -> Steps:
    """Where the ship arrives; anywhere but on Earth sleepers die (BASE-363)."""
    state = play.state
    if state.ship_destroyed:
        return
    state.step = "check_course"
    rule = "BASE-363 BASE-346"
    places = {k.upper(): v for k, v in state.hidden.get("coordinates", {}).items()}
    place = places.get(state.destination)
    if place is None:
        known = sorted({p for card in play.game.coordinates for p in card})
        place = yield Ask(
            "choice",
            "ask.arrives",
            rule,
            {"letter": state.destination},
            options=options(known, "ask.arrival", "arrival"),
            by_hand=False,
        )
    state.reached = place
    yield from say(play, "verdict_course", f"{rule} BASE-376", arrival=place)
    if place == EARTH:
        return
    sleepers = [p for p in alive(play) if p.state != LAUNCHED]
    spared = yield from _spared(play, sleepers, place)
    for person in sleepers:
        if person.seat in spared:
            yield from say(
                play, "verdict_spared", rule, seat=person.seat, objective=spared[person.seat]
            )
        else:
            yield from _dies_asleep(play, person, "BASE-363")


def _dies_asleep(play: Play, person: Person, rule: str) -> Steps:
    yield from say(play, "verdict_dies_asleep", rule, seat=person.seat)
    yield from perish(play, person, rule)


def _spared(play: Play, sleepers: list[Person], place: str) -> Steps:
    """Sleepers whose objective lets them survive here, with that objective.

    Every sleeper who has not chosen yet keeps one now, whichever two they hold: a question for
    those alone who hold a card that spares them would tell who they are.
    """
    state = play.state
    cards = [o for o in play.content.objectives.values() if o.survives_at == place]
    if not cards or not sleepers or state.coop or len(state.seats) == 1:
        return {}
    if state.truth.get("objectives") == "physical":
        named = yield which_of(
            sleepers, "ask.spared", "BASE-363", {"objective": cards[0].id}, by_hand=False
        )
        return dict.fromkeys(named, cards[0].id)
    ids = [o.id for o in cards]
    yield from keep_one(play, undecided(sleepers))
    return {p.seat: o for p in sleepers for o in ids if o == _kept(p)}


# Check 3: contamination -----------------------------------------------------------------------


@step("check_contamination")
def check_contamination(play: Play, seat: int) -> Steps:
    """What is in a survivor's body (BASE-365)."""
    person = play.person(seat)
    if person.state == DEAD:
        return
    play.state.step = "check_contamination"
    yield from play.species.contamination_check(play, person)


def scan_all_cards(play: Play, person: Person) -> Steps:
    """All own cards are scanned; infected, or with a Larva, four cards decide (BASE-365)."""
    rule, seat = "BASE-365", person.seat
    ill = yield from _ill(play, seat, rule)
    if not ill:
        yield from say(play, "verdict_healthy", rule, seat=seat)
        return
    yield from last_four(play, person, rule)


def last_four(
    play: Play,
    person: Person,
    rule: str,
    verdicts: tuple[str, str] = ("verdict_succumbs", "verdict_recovers"),
) -> Steps:
    """Four of all own cards, shuffled: a Contamination card among them kills (BASE-365).

    ``verdicts``: what is said of who dies and of who lives.
    """
    seat = person.seat
    if by_hand(play):
        dies = yield Ask(
            "yes_no", "ask.four_cards_contaminated", rule, {"seat": seat}, by_hand=False
        )
    else:
        drawn = yield from draw_four(play, seat, rule)
        dies = any(card != "action" for card in drawn)
        yield tell("four_cards", rule, seat=seat, n=sum(card != "action" for card in drawn))
    yield from say(play, verdicts[0] if dies else verdicts[1], rule, seat=seat)
    if dies:
        yield from perish(play, person, rule)


def _ill(play: Play, seat: int, rule: str) -> Steps:
    """Whether somebody has a Larva on the board (then without scan), or an infected card."""
    state = play.state
    larva: bool | None = bool(state.pieces("larva", f"sheet:{seat}"))
    held = play.holds("objects")
    if larva:
        yield tell("larva_decides", rule, seat=seat)
        return True
    if by_hand(play):
        key = "ask.check_infected" if held else "ask.check_infected_or_larva"
        return (yield Ask("yes_no", key, rule, {"seat": seat}, by_hand=False))
    if not held and (yield Ask("yes_no", "ask.has_larva", rule, {"seat": seat}, by_hand=False)):
        return True
    if not cards_of(play, seat):
        return False
    shown = yield from read_cards(play, seat, f"{rule} BASE-215")
    infected = "infected" in shown
    yield tell("scanned", f"{rule} BASE-216", seat=seat, infected=infected)
    return infected


# Check 4: objectives ----------------------------------------------------------------------------


@step("last_choice")
def last_choice(play: Play) -> Steps:
    """Survivors who never met an intruder keep one of their two objectives now."""
    if play.state.truth.get("objectives") != "physical" and not play.state.coop:
        yield from keep_one(play, undecided(alive(play)))


def undecided(people: Sequence[Person]) -> list[Person]:
    """Those who hold two objectives still; everybody at the table can see that they do."""
    return [p for p in people if p.kept is None and len(p.objectives) > 1]


def _kept(person: Person) -> str | None:
    """The objective somebody is judged by, where the companion knows it."""
    if person.kept is not None:
        return person.kept
    return person.objectives[0] if len(person.objectives) == 1 else None


@step("check_objective")
def check_objective(play: Play, seat: int) -> Steps:
    """A survivor's objective is turned up and judged (BASE-366, BASE-368); solo, coop: BASE-367."""
    state = play.state
    person = play.person(seat)
    if person.state == DEAD and not state.coop:
        return
    state.step = "check_objective"
    together = state.coop or len(state.seats) == 1
    rule = "BASE-367" if together else "BASE-366"
    if not state.coop:
        rule += " BASE-368"
    objective = _kept(person)
    if objective is None:
        met = yield Ask("yes_no", "ask.fulfilled", rule, {"seat": seat}, by_hand=False)
        yield from say(play, "verdict_met" if met else "verdict_missed", rule, seat=seat)
        return
    yield tell("objective_turned", rule, seat=seat, objective=objective)
    condition = play.content.objectives[objective].condition
    if condition is None:
        params = {"seat": seat, "objective": objective}
        met = yield Ask("yes_no", "ask.fulfilled_card", rule, params, by_hand=False)
    else:
        claim = Claim(play, person)
        rule = " ".join([rule, *rules_of(claim, condition)])
        met = yield from judge(claim, condition)
    verdict = "verdict_objective_met" if met else "verdict_objective_missed"
    yield from say(play, verdict, rule, seat=seat, objective=objective)


MET = ("verdict_met", "verdict_objective_met")
JUDGED = (*MET, "verdict_missed", "verdict_objective_missed")


def fulfilled(play: Play) -> dict[int, bool]:
    """By seat: the last word about each objective."""
    return {
        v["params"]["seat"]: v["type"] in MET for v in play.state.verdicts if v["type"] in JUDGED
    }


@step("check_winners")
def check_winners(play: Play) -> Steps:
    """Survivors with a fulfilled objective have won; several may (BASE-366, BASE-367)."""
    play.state.step = None
    yield from _winners(play)


def _winners(play: Play) -> Steps:
    state = play.state
    met, survivors = fulfilled(play), [p.seat for p in alive(play)]
    if state.coop:
        won = bool(survivors) and all(met.values())
        state.winners = sorted(state.seats) if won else []
        yield from say(play, "verdict_together" if won else "verdict_lost", "BASE-367")
        return
    state.winners = sorted(seat for seat in survivors if met.get(seat))
    rule = "BASE-367" if len(state.seats) == 1 else "BASE-366"
    if state.intruder_seat is not None:
        rule += " BASE-235"
    if state.winners:
        yield from say(play, "verdict_winners", rule, n=len(state.winners), seats=state.winners)
    else:
        yield from say(play, "verdict_nobody", rule)


@verb("judge", late=True, seat=SEAT, fulfilled=FLAG)
def judge_by_table(play: Play, seat: int, fulfilled: bool) -> Steps:
    """The table says itself whether a survivor's objective is fulfilled: the table is right."""
    state = play.state
    if seat not in _judged(play):
        raise Refused("judge.not_judged", {"seat": seat})
    state.verdicts = [
        v
        for v in state.verdicts
        if not (v["type"] in JUDGED and v["params"]["seat"] == seat) and v["type"] not in SUMS
    ]
    yield from say(play, "verdict_met" if fulfilled else "verdict_missed", "BASE-366", seat=seat)
    if state.winners is not None:
        yield from _winners(play)


SUMS = ("verdict_winners", "verdict_nobody", "verdict_together", "verdict_lost")


def _judged(play: Play) -> list[int]:
    return [v["params"]["seat"] for v in play.state.verdicts if v["type"] in JUDGED]
