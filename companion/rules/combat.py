"""Combat: intruder attacks, injuries and their check, retreat, escape."""

from __future__ import annotations

from typing import Any

from companion.game import Ask, Need, Steps
from companion.game.procedure import Option, options
from companion.game.state import DEAD, kind_of, room_zone
from companion.library.model import AttackCard
from companion.rules.decks import draw_attack, show
from companion.rules.facts import Characters, FewestCards, HasInjuries, Intruders, recall
from companion.rules.fresh import offers, remember
from companion.rules.movement import retreat
from companion.rules.play import Play, tell
from companion.rules.verbs import PIECE, ROOM, maybe, step, verb

#: Effects of Attack cards on the whole Room: whom the card is drawn for does not matter.
ROOM_WIDE = ("frenzy", "summoning")
ATTACK_TOUCHES = ("wounds", "objects", "intruders")


@step("intruder_attack", touches=ATTACK_TOUCHES)
def attack_step(play: Play, piece: str, rule: str = "BASE-293") -> Steps:
    """One intruder in Combat attacks, if it still is (Event Phase, step 5)."""
    yield Need(Characters(rule))
    yield Need(Intruders(rule))
    if play.room_of(piece) and play.fighting(piece):
        yield from intruder_attack(play, piece, rule=rule)
        yield from no_more_cancels(play)


def no_more_cancels(play: Play) -> Steps:
    """Whoever may cancel attacks is asked once whether at all, where more attacks follow.

    After a No the step goes on without a stop at each hit on that Character (BASE-199).
    """
    more = any(entry["step"] == "intruder_attack" for entry in play.state.agenda)
    for offer in offers(play) if more else ():
        seat, card = offer["seat"], offer["card"]
        if recall.said(play, f"cancels:{seat}"):
            continue
        rule = play.content.cards[card].rule
        if recall.short(play):
            yield from cancel_or_not(play, seat, card, rule)
            continue
        could = yield Ask("yes_no", "ask.could_cancel", rule, {"seat": seat, "played": card})
        recall.say(play, f"cancels:{seat}", could)
    if play.state.fresh and (not offers(play) or (more and recall.short(play))):
        play.state.fresh = None


def cancel_or_not(play: Play, seat: int, card: str, rule: str) -> Steps:
    """One question a hit: this attack is ignored, or not, or none of the phase will be."""
    from companion.rules.cards import use_afterwards

    if not play.state.fresh:
        return
    use = yield Ask(
        "choice",
        "ask.cancel_now",
        rule,
        {"seat": seat, "played": card},
        options=tuple(Option(word, f"ask.cancel_{word}") for word in ("play", "keep", "never")),
    )
    if use == "play":
        yield from use_afterwards(play, seat, card)
    if use != "keep":
        recall.say(play, f"cancels:{seat}", False)


def intruder_attack(
    play: Play, mini: str, *, rule: str, target: int | None = None, surprise: bool = False
) -> Steps:
    """An Intruder attack (BASE-184), on a fixed target or on the one with the fewest cards.

    Who has the fewest cards is asked after the card is drawn, and only of one that hits somebody.
    What a hit changes is kept for a moment: a card may cancel it (BASE-155, BASE-199).
    """
    room = play.room_of(mini)
    if room is None:
        return
    draws = play.nature(mini).draws
    people = [p.seat for p in play.people_in(room)]
    if target is None and not (draws and len(people) > 1):
        target = yield from choose_target(play, room, rule)
    if target is None and not people:
        return
    if target is not None and play.person(target).state == DEAD:
        return
    if not draws and target is not None:
        was = play.state.copy()
        yield from play.species.plain_attack(play, mini, target, rule)
        remember(play, was, "attack", target, surprise=surprise)
        return
    card: AttackCard = yield from draw_attack(play, "BASE-184")
    if target is None and kind_of(mini) in card.attackers and card.effect not in ROOM_WIDE:
        show(play, "attack", card.id, piece=mini, hits=True)
        target = yield from choose_target(play, room, rule)
    yield from strike(play, mini, target, card, rule, surprise=surprise)


def strike(
    play: Play,
    mini: str,
    target: int | None,
    card: AttackCard,
    rule: str,
    *,
    surprise: bool = False,
) -> Steps:
    """What a drawn Attack card does: its text, or a miss (BASE-184).

    Without a ``target`` it is a miss, or meant for everybody in the Room.
    """
    room = play.room_of(mini)
    hits = kind_of(mini) in card.attackers
    one: dict[str, Any] = {} if target is None else {"seat": target}
    show(play, "attack", card.id, piece=mini, **one, hits=hits)
    alone = "" if one else "_room"
    if not hits:
        rules = f"{rule} BASE-184"
        yield tell(f"attack_misses{alone}", rules, piece=mini, **one, card=card.id, room=room)
        return
    rules = f"{rule} BASE-184 {card.rule}"
    yield tell(f"attack_hits{alone}", rules, piece=mini, **one, card=card.id, room=room)
    was = play.state.copy()
    first = play.people_in(room or "")[0].seat if target is None else target
    yield from effect(play, card, mini, first)
    remember(play, was, "attack", target, surprise=surprise)
    if not play.species.attacks_leave_hands:
        recall.hands_change(play)


def effect(play: Play, card: AttackCard, mini: str, target: int) -> Steps:
    """The text of an Attack card, by the function that content names."""
    from companion.rules.attacks import EFFECTS

    yield from EFFECTS[card.effect](play, mini, target, card)


def choose_target(play: Play, room: str, rule: str) -> Steps:
    """Who is attacked: the fewest cards in hand; ties by the First Player token (BASE-182)."""
    people = play.people_in(room)
    if not people:
        return None
    if len(people) == 1:
        return people[0].seat
    seat = yield Need(FewestCards(tuple(p.seat for p in people), "BASE-182 BASE-185"))
    yield tell("target", f"{rule} BASE-182 BASE-185", seat=seat, room=room)
    return seat


# Injuries ---------------------------------------------------------------------------------------


def find_intruder(play: Play, room: str | None, intruder: str) -> str | None:
    """A miniature by identity, or the most injured of a kind in a room."""
    if "#" in intruder:
        return (
            intruder if play.room_of(intruder) and room in (None, play.room_of(intruder)) else None
        )
    found = [m for m in play.intruders(room) if kind_of(m) == intruder]
    return max(found, key=lambda m: play.state.injuries.get(m, 0), default=None)


def injure(
    play: Play,
    mini: str,
    hits: int,
    rule: str,
    weapon: str = "classic",
    *,
    check: bool = True,
) -> Steps:
    """Injuries on an intruder, then one check unless it waits (BASE-160, BASE-164)."""
    if hits < 1:
        yield tell("missed", f"{rule} BASE-157", piece=mini)
        return
    yield from play.species.hit(play, mini, hits, rule, weapon, check=check)


def take_injuries(
    play: Play, mini: str, hits: int, rule: str, weapon: str, *, check: bool = True
) -> Steps:
    """Injury markers on an intruder that can be injured, and its check."""
    if weapon in ("fire", "flamethrower") and play.weakness("vulnerability_to_fire"):
        hits += 1
        yield tell("fire_hurts_more", "BASE-166 FAQ-A19", piece=mini)
    state = play.state
    state.injuries[mini] = state.injuries.get(mini, 0) + hits
    yield tell("injured", rule, piece=mini, count=hits)
    if check:
        yield from damage_check(play, mini)


def damage_check(play: Play, mini: str) -> Steps:
    """The check after one hit or several (BASE-164)."""
    yield from play.species.check(play, mini)


def resistance(play: Play, mini: str) -> Steps:
    """Does it die? A Larva at once; others by Attack cards; an arrow makes it retreat."""
    creature = play.creature(mini)
    if creature.check_cards == 0:
        yield from kill(play, mini, "BASE-160")
        return
    rule = play.nature(mini).check
    cards = yield from check_cards(play, mini, rule)
    needed = play.species.blood(play, mini, cards)
    if needed is None:
        yield from play.species.arrow(play, mini, rule)
        return
    if play.weakness("species_on_the_brink_of_extinction"):
        cards = creature.check_cards if play.switch("brink_per_card") == "per card" else 1
        needed -= cards
        yield tell("brink", "BASE-165", piece=mini, count=needed)
    dead = yield Need(HasInjuries(mini, needed, rule))
    if dead:
        yield from kill(play, mini, rule)
    else:
        yield tell("survives", rule, piece=mini, count=needed)


def check_cards(play: Play, mini: str, rule: str) -> Steps:
    """The Attack cards drawn for a damage check, shown one by one; returns them."""
    cards: list[AttackCard] = []
    for _ in range(play.creature(mini).check_cards):
        card: AttackCard = yield from draw_attack(play, f"{rule} BASE-164")
        show(play, "attack", card.id, piece=mini, check=True)
        blood = card.blood_for(kind_of(mini))
        yield tell("check_drawn", f"{rule} BASE-164", piece=mini, card=card.id, blood=blood)
        cards.append(card)
    return cards


@verb("kill", touches=("intruders", "injuries"), intruder=PIECE, room=maybe(ROOM))
def kill_command(play: Play, intruder: str, room: str | None = None) -> Steps:
    """An intruder dies by a card or an item."""
    yield Need(Intruders("BASE-168"))
    mini = find_intruder(play, room, intruder)
    if mini is None:
        play.refuse("injure.not_there", piece=intruder, room=room)
        return
    yield from kill(play, mini, "BASE-168")


def kill(play: Play, mini: str, rule: str) -> Steps:
    """A killed intruder leaves the board, and all but a Larva a Carcass (BASE-168)."""
    room = play.room_of(mini)
    zone = play.state.where[mini]
    play.state.injuries.pop(mini, None)
    play.put(mini, play.nature(mini).grave)
    moves: list[tuple[str, str | None, str | None]] = [(mini, zone, play.state.where[mini])]
    rules = f"{rule} {play.nature(mini).death}"
    if room and play.creature(mini).carcass:
        carcass = play.spare("carcass") or (yield from another_carcass(play))
        if carcass:
            came = play.state.where[carcass]
            play.put(carcass, room_zone(room))
            moves.append(("carcass", came, room_zone(room)))
        else:
            rules += " BASE-170"
    yield tell("killed", rules, piece=mini, room=room, move=moves)
    yield from play.species.killed(play, mini, room, rule)


def another_carcass(play: Play) -> Steps:
    """No Carcass is left: by switch the table may take one that lies on the board (BASE-170)."""
    lying = [c for c in play.state.pieces("carcass") if play.room_of(c)]
    if play.switch("empty_side_deck") != "ask" or not lying:
        return None
    chosen = yield Ask(
        "place",
        "ask.another_carcass",
        "BASE-170",
        options=options(sorted({play.room_of(c) or "" for c in lying}), "ask.room", "room"),
    )
    return next(c for c in lying if play.room_of(c) == chosen)


@verb("retreat", touches=("intruders",), intruder=PIECE, room=maybe(ROOM))
def retreat_command(play: Play, intruder: str, room: str | None = None) -> Steps:
    """An intruder retreats by a card, an item or the Fire Control System."""
    yield Need(Characters("BASE-174"))
    yield Need(Intruders("BASE-174"))
    mini = find_intruder(play, room, intruder)
    if mini is None:
        play.refuse("injure.not_there", piece=intruder, room=room)
        return
    yield from retreat(play, mini, "BASE-174")


def escape_begins(play: Play, seat: int) -> Steps:
    """Who escapes, and what hurries after: every intruder of the room, larger first (BASE-87)."""
    room = play.person(seat).room
    stays = " BASE-233" if play.state.intruder_seat is not None else ""
    yield tell("escapes", f"BASE-87 FAQ-A17{stays}", seat=seat, room=room)
    if "leg" in play.person(seat).serious:
        yield tell("escape_costs_two", "BASE-89 FAQ-A30", seat=seat)
    return [mini for mini in play.intruders(room) if play.nature(mini).attacks]
