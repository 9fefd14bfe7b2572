"""The Event Phase: its steps in the order of the rulebook, and the end of the turn."""

from __future__ import annotations

from collections.abc import Mapping

from companion.game import Ask, BadInput, Need, Refused, Steps
from companion.game.procedure import options
from companion.game.state import ABOARD, INTRUDER_BOARD, POD_WAITING, SUPPLY, kind_of, room_zone
from companion.library.model import EventCard
from companion.rules.combat import injure
from companion.rules.decks import after_event, draw_event, show
from companion.rules.ending import jump, ship_lost
from companion.rules.events import EFFECTS
from companion.rules.facts import Characters, Doors, Intruders, Marked, recall
from companion.rules.markers import nest_if_empty
from companion.rules.movement import leave_by
from companion.rules.play import Play, tell
from companion.rules.shooting import eggs_in
from companion.rules.together import revivals
from companion.rules.verbs import maybe, step, step_of, verb, word
from companion.rules.verdicts import applies
from companion.rules.wounds import unlock_pods

FULL_HAND, CABINS_HAND = 5, 6
PHASE = ("time", "attack", "fire", "event", "bag_development", "end")  # species add theirs
REDUCED = ("time", "fire", "end")  # with an Intruder player (BASE-232)


@verb("event_phase", step=maybe(word()))
def event_phase(play: Play, step: str | None = None) -> Steps:
    """Begin the Event Phase (BASE-288), or play one of its steps alone.

    Passing is the players' own business: whoever says so starts it.
    """
    state = play.state
    steps = play.species.phase(play)
    if step is not None:
        if step not in steps:
            raise BadInput("step", "command.unknown_word", {"value": step[:40]})
        state.phase = "event"
        play.due(step)
        return
    if state.phase == "event" and state.agenda:
        raise Refused("phase.already_event")  # nothing that could have happened anyway
    state.phase = "event"
    state.turn = None
    reduced = state.intruder_seat is not None
    yield tell("event_phase", "BASE-288 BASE-67" + " BASE-232" * reduced, n=state.round)
    play.due("last_rounds")
    if state.airlock:
        play.due("airlock")
    for name in REDUCED if reduced else steps:
        play.due(name, wait=True)


def waits(play: Play, entry: dict[str, object]) -> bool:
    """Whether a step of the agenda waits for people: not when nothing can happen in it.

    While a card may cancel what has just happened, whatever comes next waits.
    """
    if play.state.fresh and not quiet(play, entry):
        return True
    if not entry.get("wait"):
        return False
    if play.state.phase == "over":
        return applies(play, entry)
    asks = step_of(str(entry["step"]), play.state.species).waits
    return asks is None or asks(play)


def never(_: Play) -> bool:
    """For a step that waits for nobody."""
    return False


def somebody_attacks(play: Play) -> bool:
    """Whether an intruder would attack now, or only the table knows."""
    if not (play.tracks("intruders") and play.tracks("characters")):
        return True
    return any(play.fighting(m) and play.nature(m).attacks for m in play.intruders())


def attack_waits(play: Play) -> bool:
    """Whether an intruder may attack now, and only the table knows."""
    return somebody_attacks(play) and not attacks_come(play)


def attacks_come(play: Play) -> bool:
    """Attacks that are sure come with the button: there is nothing to lay down before them."""
    sure = play.tracks("intruders") and play.tracks("characters") and recall.short(play)
    return sure and somebody_attacks(play)


def something_burns(play: Play) -> bool:
    """Whether fire would injure or destroy anything now, or only the table knows."""
    if not (play.tracks("fire") and play.tracks("intruders")):
        return True
    return any(play.intruders(room) or eggs_in(play, room) for room in play.rooms_with("fire"))


def quiet(play: Play, entry: Mapping[str, object]) -> bool:
    """Whether a step is known to change nothing, so that what a card may cancel stays so."""
    return entry["step"] in ("fire", "burn_eggs") and not something_burns(play)


@step("time", waits=never)
def time_step(play: Play) -> Steps:
    """Step 4: the time marker, and the self-destruct marker if it runs (BASE-289)."""
    state = play.state
    state.step = "time"
    state.time -= 1
    yield tell("time", "BASE-289", time=state.time)
    if state.self_destruct is not None:
        state.self_destruct -= 1
        yield tell("self_destruct", "BASE-289 BASE-339", time=state.self_destruct)
    if not state.hibernation_open and state.time <= play.game.blue_from:
        state.hibernation_open = True
        yield tell("hibernation_open", "BASE-290")
    if state.self_destruct is not None:
        if state.self_destruct <= play.game.yellow_from:
            yield from unlock_pods(play, "self_destruct", "BASE-291 FAQ-A32")
        if state.self_destruct <= 0:
            yield from ship_lost(play, "self_destruct", "BASE-356 BASE-292")
    if state.time <= 0:
        yield from jump(play, "BASE-355 BASE-292")


def start_self_destruct(play: Play, rule: str) -> Steps:
    """The self-destruct marker on the green space (BASE-339)."""
    play.state.self_destruct = play.game.self_destruct_start
    yield tell("self_destruct_on", f"{rule} BASE-339", time=play.state.self_destruct)


@step("attack", touches=("wounds", "intruders", "objects"), waits=attack_waits)
def attack_step(play: Play) -> Steps:
    """Step 5: each intruder in Combat attacks once, by room number, larger first (BASE-293)."""
    play.state.step = "attack"
    yield from everybody_attacks(play)


def everybody_attacks(play: Play) -> Steps:
    """Every intruder that is in Combat now becomes due to attack (BASE-293)."""
    yield Need(Characters("BASE-293"))
    yield Need(Intruders("BASE-293"))
    fighting = [m for room in play.rooms_with_intruders() for m in play.intruders(room)]
    fighting = [m for m in fighting if play.fighting(m) and play.nature(m).attacks]
    if not fighting:
        yield tell("no_combat", "BASE-293")
        return
    order = " BASE-186" if len(fighting) > 1 else ""
    yield tell("attacks_begin", f"BASE-293 BASE-181{order}", n=len(fighting))
    for entry in play.state.agenda:
        if entry["step"] == "fire" and recall.short(play):
            entry.pop("wait", None)  # it asks nothing, and its lines follow those of the attacks
    if play.switch("attack_order") == "table decides":
        play.due("next_attack", pieces=fighting)
        return
    for mini in fighting:
        play.due("intruder_attack", piece=mini, rule=f"BASE-293{order}")


@step("next_attack", touches=("wounds", "intruders", "objects"))
def next_attack(play: Play, pieces: list[str]) -> Steps:
    """The table says which intruder attacks next (switch ``attack_order``, BASE-186)."""
    left = [m for m in pieces if play.fighting(m)]
    if not left:
        return
    mini = left[0]
    if len(left) > 1:
        mini = yield Ask(
            "card", "ask.next_attack", "BASE-186", options=options(left, "ask.piece", "piece")
        )
    play.due("intruder_attack", piece=mini, rule="BASE-293 BASE-186")
    play.due("next_attack", pieces=[m for m in left if m != mini])


@step(
    "fire",
    touches=("injuries", "intruders", "counters"),
    waits=something_burns,
)
def fire_step(play: Play) -> Steps:
    """Step 6: each intruder in a burning room takes an injury, then uncarried Eggs burn."""
    play.state.step = "fire"
    burning = yield Need(Marked("fire", "BASE-294"))
    if not burning:
        yield tell("no_fire", "BASE-294")
        return
    yield Need(Intruders("BASE-294"))
    if len(burning) > 1 and play.switch("attack_order") == "table decides":
        play.due("next_fire", rooms=burning)
        return
    if play.board.start_room in burning and play.sleepers():
        yield tell("sleepers_safe", "BASE-134 BASE-343 FAQ-A35", room=play.board.start_room)
    for room in burning:
        burn_room(play, room, "BASE-294 BASE-296" if len(burning) > 1 else "BASE-294")


@step("next_fire", touches=("injuries", "intruders", "counters"))
def next_fire(play: Play, rooms: list[str]) -> Steps:
    """The table says which room burns next (switch ``attack_order``, BASE-296)."""
    room = rooms[0]
    if len(rooms) > 1:
        room = yield Ask(
            "place", "ask.next_fire", "BASE-296", options=options(rooms, "ask.room", "room")
        )
    burn_room(play, room, "BASE-294 BASE-296")
    if len(rooms) > 1:
        play.due("next_fire", rooms=[r for r in rooms if r != room])


def burn_room(play: Play, room: str, rule: str) -> None:
    """What burns in one room becomes due: its intruders, then uncarried Eggs."""
    for mini in play.intruders(room):
        if play.species.burns(play, mini):
            play.due("burn", piece=mini, rule=rule)
    play.due("burn_eggs", room=room)


@step("burn", touches=("injuries", "intruders"))
def burn(play: Play, piece: str, rule: str = "BASE-294") -> Steps:
    """One intruder in a burning room: an injury and its check."""
    room = play.room_of(piece)
    if room and play.marker("fire", room):
        yield tell("burns", rule, piece=piece, room=room)
        yield from injure(play, piece, 1, f"{rule} BASE-129", "fire")


@step("burn_eggs", touches=("counters",))
def burn_eggs(play: Play, room: str) -> Steps:
    """Uncarried Eggs in a burning room: one, or two with the weakness (BASE-295)."""
    weak = play.weakness("vulnerability_to_fire")
    rule = "BASE-295 FAQ-A43 BASE-166" if weak else "BASE-295 FAQ-A43"
    den = play.room_tile("nest") == room
    pile = play.state.pieces("egg", INTRUDER_BOARD) if den else []
    eggs = pile or play.state.pieces("egg", room_zone(room))
    for egg in eggs[-2 if weak else -1 :]:
        zone = play.state.where[egg]
        play.put(egg, SUPPLY)
        yield tell("egg_burns", rule, room=room, move=[("egg", zone, SUPPLY)])
    if pile:
        yield from nest_if_empty(play)


@step("event", touches=("intruders", "doors", "fire", "malfunction", "noise"))
def event_step(play: Play) -> Steps:
    """Step 7: an Event card; intruders move first, then the effect (BASE-297, BASE-299)."""
    play.state.step = "event"
    recall.hands_change(play)
    card: EventCard = yield from draw_event(play, "BASE-297")
    yield from resolve_event(play, card, "BASE-297")


def resolve_event(play: Play, card: EventCard, rule: str) -> Steps:
    """What an Event card does, by the step or by who plays the intruders."""
    show(play, "event", card.id, corridors=list(card.corridors), moves=list(card.moves))
    yield tell("event_drawn", rule, card=card.id)
    for number in card.corridors:
        yield from event_moves(play, card.moves, number)
    yield tell("event_effect", f"BASE-299 {card.rule}", card=card.id)
    yield from EFFECTS[card.effect](play, card)
    yield from after_event(play, card)


def event_moves(play: Play, kinds: tuple[str, ...], number: int) -> Steps:
    """Step 7a: matching intruders not in Combat, from their places before the card (BASE-298)."""
    yield Need(Characters("BASE-297"))
    yield Need(Intruders("BASE-297"))
    groups = {
        room: [m for m in play.intruders(room) if kind_of(m) in kinds and not play.fighting(m)]
        for room in play.rooms_with_intruders()
    }
    rule = "BASE-297 BASE-298" if sum(bool(g) for g in groups.values()) > 1 else "BASE-297"
    if any(groups.values()):
        yield Need(Doors(rule))
    shut = [c for c in play.board.corridors if play.door(c) == "closed"]
    for room, minis in groups.items():
        yield from leave_by(play, minis, room, number, rule, shut)


@step("end", waits=never)
def end_step(play: Play) -> Steps:
    """Step 9: the turn ends; the next begins with hands of five and the token passed left."""
    from companion.rules.intruder_player import turn_begins

    state = play.state
    state.step = None
    state.recall = {}
    recall.turn_ends(play)
    yield tell("round_ends", "BASE-75", n=state.round)
    state.round += 1
    state.phase = "player"
    yield from revivals(play)
    absent = pass_first_player(play)
    state.turn = state.first_player
    never = " BASE-229" if state.intruder_seat is not None else ""
    skips = " BASE-211" if absent else ""
    yield tell("first_player", f"BASE-69{skips}{never}", seat=state.first_player)
    for person in state.seats.values():
        person.passed = False
        if person.hand is not None:
            person.hand = max(person.hand, hand_limit(play, person.seat))
        if person.state == ABOARD and hand_limit(play, person.seat) > FULL_HAND:
            yield tell("cabins", "BASE-255 BASE-68", seat=person.seat, n=CABINS_HAND)
        if person.state == POD_WAITING:
            yield tell("pod_round", "BASE-351 FAQ-A31", seat=person.seat, pod=person.pod)
    yield tell("round_begins", "BASE-67 BASE-68", n=state.round)
    yield from turn_begins(play)


def pass_first_player(play: Play) -> bool:
    """The token goes left to the next person still taking part (BASE-69, BASE-211).

    Returns whether who sits there takes no part any more, so that the switch decides.
    """
    state = play.state
    seats = sorted(state.seats)
    start = seats.index(state.first_player) if state.first_player in seats else 0
    turn = seats[start + 1 :] + seats[: start + 1]
    taking_part = {p.seat for p in play.playing()}
    absent = turn[0] not in taking_part
    if play.switch("first_player_skips") == "yes":
        turn = [s for s in turn if s in taking_part] or turn
    turn = [s for s in turn if s != state.intruder_seat] or turn
    state.first_player = turn[0]
    return absent


def hand_limit(play: Play, seat: int) -> int:
    """Cards drawn up to: five; four with an undressed body wound; six in the Cabins (BASE-68)."""
    person = play.person(seat)
    if "body" in person.serious:
        return 4
    cabins = play.room_tile("cabins")
    if (
        cabins
        and person.room == cabins
        and not play.intruders(cabins)
        and not play.marker("malfunction", cabins)
    ):
        return CABINS_HAND
    return FULL_HAND
