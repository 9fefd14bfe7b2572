"""What cards and Items do to what the companion holds, by the effect names of the content."""

from __future__ import annotations

from collections.abc import Callable

from companion.game import Ask, Need, Refused, Steps
from companion.game.procedure import options
from companion.game.state import ABOARD, DISCARD, SUPPLY, room_zone
from companion.rules.cards import Played, choose, choose_seat, effect
from companion.rules.combat import injure, intruder_attack
from companion.rules.contamination import alcohol, antidote
from companion.rules.decks import put_under, top_event
from companion.rules.facedown import look_under, show
from companion.rules.facts import Characters, Doors, Explored, Intruders, Marked
from companion.rules.facts.recall import slime_seen
from companion.rules.fresh import take_back
from companion.rules.markers import (
    close_door,
    open_door,
    place_fire,
    place_malfunction,
    turn_door,
)
from companion.rules.movement import destroy_door, retreat, step_through
from companion.rules.moving import arrive, move
from companion.rules.noise import noise_roll
from companion.rules.phase import PHASE, REDUCED
from companion.rules.play import Play, tell
from companion.rules.rooms import actions_in, room_action
from companion.rules.rounds import pass_turn
from companion.rules.shooting import destroy_eggs, eggs_in, phosphates
from companion.rules.verbs import step
from companion.rules.wounds import light_wounds, serious_wound


def told(use: Played, rule: str = "") -> Steps:
    """The card is played: one public line."""
    yield tell("card_played", f"{use.rule} {rule}".strip(), seat=use.seat, played=use.card.id)


def near(play: Play, room: str) -> list[str]:
    """The own room and those next to it that no closed door shuts off."""
    found = [room]
    for other in play.board.neighbours(room):
        if any(play.door(c.id) != "closed" for c in play.board.between(room, other)):
            found.append(other)
    return sorted(found)


def others_in(play: Play, use: Played) -> list[int]:
    """Who else stands in the room."""
    return [p.seat for p in play.people_in(use.room) if p.seat != use.seat]


# Things that explode or burn --------------------------------------------------------------------


@effect("grenade")
def grenade(play: Play, use: Played) -> Steps:
    """Two Injuries to one Intruder near by, one or a Serious Wound to all others (BASE-279)."""
    yield from thrown(play, use, main_target, eggs=2)


@effect("molotov")
def molotov(play: Play, use: Played) -> Steps:
    """Fire in a room near by; everybody there an Injury or a Serious Wound (BASE-280)."""
    yield from thrown(play, use, sets_fire, eggs=1)


def main_target(play: Play, use: Played, room: str, minis: list[str]) -> Steps:
    """The grenade's own target takes two, the blast goes on to the others (BASE-279)."""
    mini = minis[0]
    if len(minis) > 1:
        mini = yield Ask(
            "card",
            "ask.card_main_target",
            use.rule,
            {"seat": use.seat, "played": use.card.id},
            options=options(minis, "ask.piece", "piece"),
        )
    yield from injure(play, mini, 2, f"{use.rule} BASE-160", "grenade")
    yield from blast(play, use, room, [m for m in minis if m != mini], "grenade")


def sets_fire(play: Play, use: Played, room: str, minis: list[str]) -> Steps:
    """The molotov's Fire, then the blast on everybody (BASE-280)."""
    yield from place_fire(play, room, use.rule)
    yield from blast(play, use, room, minis, "fire")


def thrown(play: Play, use: Played, hits: Callable[..., Steps], *, eggs: int) -> Steps:
    """Thrown at Intruders, or where there are none at this many Eggs (BASE-172)."""
    room = yield from thrown_at(play, use)
    if room is None:
        return
    yield from told(use)
    minis = play.intruders(room)
    if minis:
        yield from hits(play, use, room, minis)
    else:
        yield from at_eggs(play, use, room, eggs)


def thrown_at(play: Play, use: Played) -> Steps:
    """Where it is thrown: at Intruders or Eggs in the own or a neighbouring room."""
    yield Need(Intruders(use.rule))
    yield Need(Doors(f"{use.rule} BASE-37"))
    rooms = [r for r in near(play, use.room) if play.intruders(r) or eggs_in(play, r)]
    room = yield from choose(play, use, "place", rooms)
    return room


def at_eggs(play: Play, use: Played, room: str, count: int) -> Steps:
    """Eggs are destroyed, and the thrower rolls for noise where he stands (BASE-172, BASE-124)."""
    yield from destroy_eggs(play, room, count, f"{use.rule} BASE-172")
    yield tell("noise_after_eggs", "BASE-172 BASE-124 FAQ-A16", seat=use.seat)
    play.due("noise_roll", seat=use.seat)


def blast(play: Play, use: Played, room: str, minis: list[str], weapon: str) -> Steps:
    """One Injury to each of these Intruders, a Serious Wound to each Character of the room."""
    for mini in minis:
        if play.room_of(mini) == room:
            yield from injure(play, mini, 1, f"{use.rule} BASE-160", weapon)
    for person in play.people_in(room):
        yield from serious_wound(play, person.seat, use.rule)


@effect("smoke_grenade")
def smoke_grenade(play: Play, use: Played) -> Steps:
    """The others of the room lose an Action card; the user leaves unharmed (BASE-281)."""
    yield from told(use, "BASE-90")
    for seat in others_in(play, use):
        person = play.person(seat)
        if person.hand:
            person.hand -= 1
        if person.action_cards:
            person.action_cards -= 1
        yield tell("loses_card", use.rule, seat=seat)
    yield from slip_away(play, use)


@effect("taser")
def taser(play: Play, use: Played) -> Steps:
    """An Injury and a retreat, or a Character discards the hand (BASE-282)."""
    yield Need(Intruders(use.rule))
    people = [f"seat:{s}" for s in others_in(play, use)]
    target = yield from choose(play, use, "card", [*play.intruders(use.room), *people])
    if target is None:
        return
    yield from told(use)
    if target in people:
        seat = int(target.removeprefix("seat:"))
        person = play.person(seat)
        if person.hand is not None:
            person.hand = person.action_cards = 0
        yield tell("discards_hand", use.rule, seat=seat)
        return
    yield from injure(play, target, 1, f"{use.rule} BASE-160")
    if play.room_of(target) == use.room:
        yield from retreat(play, target, use.rule)


@effect("fire_extinguisher")
def fire_extinguisher(play: Play, use: Played) -> Steps:
    """Fire off, or an Intruder retreats; phosphates may hurt it (BASE-283, BASE-167)."""
    yield Need(Intruders(use.rule))
    burning = yield Need(Marked("fire", use.rule))
    fire = ["fire"] if use.room in burning else []
    target = yield from choose(play, use, "card", [*fire, *play.intruders(use.room)])
    if target is None:
        return
    yield from told(use)
    if target == "fire":
        yield from take_off(play, use, "fire")
        return
    yield from phosphates(play, target, f"{use.rule} BASE-167")
    if play.room_of(target) == use.room:
        yield from retreat(play, target, use.rule)


def take_off(play: Play, use: Played, kind: str) -> Steps:
    """A marker of the own room goes back to its pool (BASE-08)."""
    marker = play.marker(kind, use.room)
    if marker:
        play.put(marker, SUPPLY)
        move_back = [(kind, room_zone(use.room), SUPPLY)]
        yield tell(
            "taken_away", f"{use.rule} BASE-08", piece=marker, space=use.room, move=move_back
        )


@effect("decoy")
def decoy(play: Play, use: Played) -> Steps:
    """Intruders round a neighbouring room move into it; those in Combat attack first (BASE-180)."""
    yield Need(Intruders(use.rule))
    yield Need(Doors(use.rule))
    rooms = sorted(play.board.neighbours(use.room))
    room = yield from choose(play, use, "place", rooms)
    if room is None:
        return
    yield from told(use, "BASE-179")
    around = sorted(play.board.neighbours(room))
    lured = {r: play.intruders(r) for r in around if play.intruders(r)}
    shut = [c for c in play.board.corridors if play.door(c) == "closed"]
    for origin, minis in lured.items():
        for mini in minis:
            if play.fighting(mini):
                yield from intruder_attack(play, mini, rule=use.rule)
        ways = play.board.between(origin, room)
        way = next((c for c in ways if c.id not in shut), ways[0])
        yield from step_through(play, minis, origin, way.id, f"{use.rule} BASE-179", shut)


# Doors, markers, keys ---------------------------------------------------------------------------


@effect("demolition")
def demolition(play: Play, use: Played) -> Steps:
    """A closed door next to the room is destroyed, or the room fails (BASE-270)."""
    yield Need(Doors(use.rule))
    closed = [c.id for c in play.board.corridors_of(use.room) if play.door(c.id) == "closed"]
    target = yield from choose(play, use, "card", [*closed, "malfunction"])
    yield from told(use)
    if target == "malfunction":
        yield from place_malfunction(play, use.room, f"{use.rule} BASE-139")
    elif target is not None:
        yield from destroy_door(play, target, use.rule)


@effect("plasma_torch")
def plasma_torch(play: Play, use: Played) -> Steps:
    """A door next to the room is opened or closed, destroyed ones too (BASE-284, BASE-42)."""
    yield Need(Doors(use.rule))
    ways = [c.id for c in play.board.corridors_of(use.room)]
    way = yield from choose(play, use, "place", ways)
    if way is None:
        return
    yield from told(use)
    now = play.door(way)
    door = {"open": "closed", "closed": "open"}.get(now)
    if door is None:
        door = yield Ask(
            "choice",
            "ask.torch",
            f"{use.rule} BASE-42",
            {"corridor": way},
            options=options(["open", "closed"], "ask.door", "door"),
        )
    if now == "destroyed":
        yield from turn_door(play, way, "open")
        yield tell("door_opened", f"{use.rule} BASE-42", corridor=way)
    if door == "closed":
        yield from close_door(play, way, use.rule)
    else:
        yield from open_door(play, way, use.rule)


@effect("mend")
def mend(play: Play, use: Played) -> Steps:
    """Repairs, Tools and the like take a Malfunction off (BASE-139)."""
    failing = yield Need(Marked("malfunction", use.rule))
    if use.room not in failing:
        play.refuse("card.no_target", played=use.card.id)
    yield from told(use)
    yield from take_off(play, use, "malfunction")


@effect("evacuation_key")
def evacuation_key(play: Play, use: Played) -> Steps:
    """A Pod of the own section is locked or unlocked (BASE-278)."""
    section = (play.tile(use.room) or "").removeprefix("evacuation_section_")
    pods = [p for p in play.state.in_zone(f"section:{section}") if p.startswith("pod_")]
    pod = yield from choose(play, use, "card", pods)
    if pod is None:
        return
    locked = pod in play.state.locked
    (play.state.locked.discard if locked else play.state.locked.add)(pod)
    yield from told(use)
    yield tell("pod_unlocked" if locked else "pod_locked", use.rule, pod=pod)


@effect("self_destruct_key")
def self_destruct_key(play: Play, use: Played) -> Steps:
    """Self-Destruct on or off from a computer room; not from yellow on (BASE-278, BASE-341)."""
    from companion.rules.byhand import self_destruct

    at_computer(play, use)
    yield from told(use)
    yield from self_destruct(play, play.state.self_destruct is None)


def at_computer(play: Play, use: Played) -> None:
    """A computer is in the room and works (BASE-238)."""
    tile = play.content.tiles.get(play.tile(use.room) or "")
    if tile is None or not tile.computer:
        play.refuse("card.no_computer", room=use.room)
    if play.marker("malfunction", use.room):
        play.refuse("room.malfunction", room=use.room)


# Bodies -----------------------------------------------------------------------------------------

TENDS = ("dress_all", "dress_one", "heal_light", "heal_all_light", "heal_dressed")


@effect("tend")
def tend(play: Play, use: Played) -> Steps:
    """Medkit and Bandages, on oneself or another of the room (BASE-103, BASE-204)."""
    may = play.switch("heal_others") == "yes"
    seats = [p.seat for p in play.people_in(use.room) if may or p.seat == use.seat]
    seat = yield from choose_seat(play, use, seats, "ask.card_patient")
    if seat is None:
        return
    what = yield Ask(
        "choice",
        "ask.card_tends",
        use.rule,
        {"seat": seat, "played": use.card.id},
        options=options(list(TENDS), "ask.card_tend", "tend"),
    )
    rule = use.rule if seat == use.seat else f"{use.rule} FAQ-A48"
    yield from told(use)
    person = play.person(seat)
    match what:
        case "dress_all" | "dress_one":
            kinds = list(person.serious) if what == "dress_all" else person.serious[:1]
            if what == "dress_one" and len(set(person.serious)) > 1:
                kind = yield Ask(
                    "card",
                    "ask.which_wound",
                    use.rule,
                    {"seat": seat},
                    options=options(sorted(set(person.serious)), "ask.wound", "wound"),
                )
                kinds = [kind]
            for kind in kinds:
                person.serious.remove(kind)
                person.dressed.append(kind)
            yield tell("wounds_dressed", f"{rule} BASE-204", seat=seat, n=len(kinds))
        case "heal_light" | "heal_all_light":
            count = person.light if what == "heal_all_light" else min(person.light, 1)
            person.light -= count
            yield tell("light_healed", f"{rule} BASE-204", seat=seat, n=count)
        case _ if person.dressed:
            kind = person.dressed.pop()
            held = play.state.in_zone(f"held:{seat}")
            card = next((c for c in held if c.startswith(f"wound:{kind}#")), None)
            if card:
                play.put(card, DISCARD)
            yield tell("serious_healed", f"{rule} BASE-204", seat=seat, wound=kind)
        case _:
            yield tell("nothing_healed", f"{rule} BASE-204", seat=seat)


@effect("clothes")
def clothes(play: Play, use: Played) -> Steps:
    """The Slime marker comes off (BASE-128); where there is none, a wound is dressed (VS-68)."""
    if not play.species.slime:
        yield from tend(play, use)
        return
    yield from told(use)
    slime_seen(play, use.seat, False)
    yield tell("slime_off", use.rule, seat=use.seat)


@effect("alcohol")
def drink(play: Play, use: Played) -> Steps:
    """One card of the hand is scanned and removed (BASE-219)."""
    yield from told(use)
    yield from alcohol(play, use.seat)


@effect("antidote")
def cure(play: Play, use: Played) -> Steps:
    """All own cards scanned, infected ones and the Larva gone, and the player passes (BASE-220)."""
    yield from told(use)
    yield from antidote(play, use.seat)


@effect("third_action")
def third_action(play: Play, use: Played) -> Steps:
    """The Soldier takes a Light Wound for a third action (BASE-286)."""
    yield from told(use)
    yield from light_wounds(play, use.seat, 1, use.rule)


# Moves ------------------------------------------------------------------------------------------


def next_rooms(play: Play, room: str) -> list[str]:
    """Rooms that a Character can walk into from a room."""
    return [r for r in near(play, room) if r != room]


@effect("slip_away")
def slip_away(play: Play, use: Played) -> Steps:
    """The user moves out of the room, and no Intruder attacks (BASE-90, BASE-281)."""
    yield Need(Doors(f"{use.rule} BASE-37"))
    if use.card.effect == "slip_away":
        yield from told(use)
    room = yield from choose(play, use, "place", next_rooms(play, use.room))
    if room is not None:
        yield from move(play, use.seat, room, unharmed=True)


@effect("reconnaissance")
def reconnaissance(play: Play, use: Played) -> Steps:
    """A move without any noise; Danger and Silence of the token have no effect (BASE-86)."""
    yield Need(Doors(f"{use.rule} BASE-37"))
    yield from told(use, "FAQ-A13")
    room = yield from choose(play, use, "place", next_rooms(play, use.room))
    if room is not None:
        yield from move(play, use.seat, room, cancel=True)


@effect("technical_corridors")
def technical_corridors(play: Play, use: Played) -> Steps:
    """From one technical entrance to another of the same network (BASE-275, BASE-382)."""
    here = set(play.board.networks(use.room))
    ends = [r for r in play.board.rooms if here & set(play.board.networks(r)) and r != use.room]
    room = yield from choose(play, use, "place", sorted(ends))
    if room is None:
        return
    yield from told(use)
    yield from move(play, use.seat, room, technical=True)
    if use.card.params.get("pass") and play.person(use.seat).state == ABOARD:
        play.due("passes", seat=use.seat)


@effect("space_suit")
def space_suit(play: Play, use: Played) -> Steps:
    """From a yellow room to another yellow room; the hand's Action cards go (BASE-276)."""
    yield Need(Explored(use.rule))
    yellow = [r for r in sorted(play.state.explored) if colour(play, r) == "yellow"]
    if use.room not in yellow:
        play.refuse("card.not_yellow", room=use.room)
    room = yield from choose(play, use, "place", [r for r in yellow if r != use.room])
    if room is None:
        return
    yield from told(use)
    person = play.person(use.seat)
    if person.hand is not None and person.action_cards is not None:
        person.hand -= person.action_cards
    elif person.hand is not None and not sum(person.contamination.values()):
        person.hand = 0
    person.action_cards = None if person.action_cards is None else 0
    yield tell("discards_action_cards", use.rule, seat=use.seat)
    yield Need(Intruders(use.rule))
    yield from arrive(play, use.seat, room, None)


def colour(play: Play, room: str) -> str:
    """The colour of a room's tile, empty while nobody knows it."""
    tile = play.content.tiles.get(play.tile(room) or "")
    return tile.colour if tile else ""


@effect("order")
def order(play: Play, use: Played) -> Steps:
    """The Captain moves another Character, willing or not (BASE-273).

    Of the own room, or, with the Intercom, of any computer room; an Intruder there attacks as at
    every Escape.
    """
    seats = [
        p.seat
        for p in play.aboard()
        if p.seat != use.seat
        and (
            p.room == use.room
            or ((tile := play.content.tiles.get(play.tile(p.room or "") or "")) and tile.computer)
        )
    ]
    seat = yield from choose_seat(play, use, seats)
    if seat is None:
        return
    origin = play.person(seat).room
    assert origin
    yield Need(Doors(f"{use.rule} BASE-37"))
    room = yield Ask(
        "place",
        "ask.card_where",
        use.rule,
        {"seat": seat},
        options=options(next_rooms(play, origin), "ask.room", "room"),
    )
    yield from told(use)
    yield from move(play, seat, room)
    play.state.turn = use.seat


@effect("covering_fire")
def covering_fire(play: Play, use: Played) -> Steps:
    """Two leave together, each where they want; one noise roll, the Soldier's (BASE-123)."""
    other = yield from choose_seat(play, use, others_in(play, use))
    yield Need(Doors(f"{use.rule} BASE-37"))
    rooms = next_rooms(play, use.room)
    if other is None or not rooms:
        return
    yield from told(use, "BASE-90 FAQ-A15")
    going = {}
    for seat in (other, use.seat):
        going[seat] = yield Ask(
            "place",
            "ask.card_where",
            use.rule,
            {"seat": seat},
            options=options(rooms, "ask.room", "room"),
        )
    yield Need(Characters(use.rule))
    yield Need(Intruders(use.rule))
    for seat, room in going.items():
        way = next(c for c in play.board.between(use.room, room) if play.door(c.id) != "closed")
        partner = use.seat if seat == other else other
        yield from arrive(play, seat, room, way, partner=partner, covered=seat == other)


@step("passes", touches=("wounds",))
def passes(play: Play, seat: int) -> Steps:
    """A card that ends the player's part of this phase (BASE-275)."""
    person = play.person(seat)
    if person.state == ABOARD and not person.passed:
        yield from pass_turn(play, seat)


# Looks and orders to the ship -------------------------------------------------------------------


@effect("look")
def look(play: Play, use: Played) -> Steps:
    """An unexplored tile seen by one alone, with its token or without (BASE-277)."""
    yield Need(Explored(use.rule))
    dark = [r for r in sorted(play.board.rooms) if r not in play.state.explored]
    room = yield from choose(play, use, "place", dark)
    if room is None:
        return
    yield from told(use)
    yield from look_under(play, use.seat, room, use.rule, token=bool(use.card.params.get("token")))
    if use.card.params.get("tiles") == 2 and len(dark) > 1:
        other = yield Ask(
            "place",
            "ask.card_target",
            use.rule,
            {"seat": use.seat, "played": use.card.id},
            options=options([r for r in dark if r != room], "ask.room", "room"),
        )
        yield from look_under(play, use.seat, other, use.rule, token=False)


@effect("risk_assessment")
def risk_assessment(play: Play, use: Played) -> Steps:
    """The top Event card seen by one alone; it stays or goes to the bottom (BASE-271)."""
    at_computer(play, use)
    yield from told(use)
    card = yield from top_event(play, use.rule)
    if card is None:
        return
    yield from show(play, use.seat, use.rule, {"kind": "event", "card": card})
    where = yield Ask(
        "choice",
        "ask.event_where",
        use.rule,
        {"seat": use.seat},
        options=options(["top", "bottom"], "ask.pile_end", "pile_end"),
    )
    if where == "bottom":
        put_under(play, card)
    yield tell(f"event_to_{where}", use.rule, seat=use.seat)


@effect("orbital_maneuvering")
def orbital_maneuvering(play: Play, use: Played) -> Steps:
    """All pass, the phase ends, and no Intruder attacks in this Event Phase (BASE-274)."""
    yield from told(use)
    for person in play.aboard():
        if not person.passed:
            yield from pass_turn(play, person.seat, round_ends=person.seat == use.seat)
    play.state.phase = "event"
    play.state.turn = None
    yield tell("event_phase", "BASE-288 BASE-67", n=play.state.round)
    yield tell("no_attacks", use.rule)
    if play.state.airlock:
        play.due("airlock")
    for name in REDUCED if play.state.intruder_seat is not None else PHASE:
        if name != "attack":
            play.due(name, wait=True)


@effect("room_by_card")
def room_by_card(play: Play, use: Played) -> Steps:
    """A Room action without its cost, where the card allows it (BASE-272, BASE-135)."""
    yield Need(Explored(use.rule))
    rooms = [r for r in sorted(play.board.rooms) if actions_in(play, r)]
    room = yield from choose(play, use, "place", rooms)
    if room is not None:
        yield from told(use)
        yield from room_action(play, use.seat, room, remote=True)


# Cancelled, or rolled again ---------------------------------------------------------------------


@effect("cancel_attack")
def cancel_attack(play: Play, use: Played) -> Steps:
    """An attack is ignored by the one who plays the card; others are still hit (BASE-155)."""
    yield from _take_back(play, use, "attack", "FAQ-A26" if use.card.params.get("surprise") else "")


@effect("reroll")
def reroll(play: Play, use: Played) -> Steps:
    """The Noise die is rolled again, once a roll (BASE-122)."""
    fresh = use.fresh
    if (yield from _take_back(play, use, "noise", "FAQ-A22")):
        assert fresh
        start = fresh["due"]
        del play.state.agenda[start : start + fresh["dues"]]
        yield from noise_roll(play, use.seat, again=True)


def _take_back(play: Play, use: Played, what: str, rule: str) -> Steps:
    fresh = use.fresh
    fits = fresh is not None and fresh["what"] == what and use.seat in fresh["seats"]
    if fresh is None or not fits or (use.card.params.get("surprise") and not fresh["surprise"]):
        raise Refused("card.nothing_to_cancel", {"played": use.card.id})
    moves = take_back(play, fresh, use.seat)
    back = [(m.piece, m.source, m.target) for m in moves]
    yield tell(
        "cancelled_by_card",
        f"{use.rule} {rule}".strip(),
        seat=use.seat,
        played=use.card.id,
        move=back,
    )
    return True
