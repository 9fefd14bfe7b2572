"""Wounds, Contamination cards taken, larvae, and death of characters."""

from __future__ import annotations

from companion.game import Ask, Draw, Need, Steps
from companion.game.procedure import options
from companion.game.state import DEAD, DECK, DISCARD, OBJECTS, SUPPLY, kind_of, room_zone
from companion.rules.ending import nobody_left
from companion.rules.facts import Dies, LookRound, SeriousWounds, WoundsLie, recall, wounds_of
from companion.rules.facts.recall import FATAL, total
from companion.rules.play import Play, tell
from companion.rules.verbs import COUNT, SEAT, maybe, verb, word


@verb(
    "wound",
    touches=("wounds",),
    seat=SEAT,
    kind=maybe(word("light", "serious")),
    count=maybe(COUNT),
)
def wound(play: Play, seat: int, kind: str = "light", count: int = 1) -> Steps:
    """Wounds from anything the companion does not resolve itself."""
    for _ in range(count):
        if kind == "light":
            yield from light_wounds(play, seat, 1, "BASE-200")
        else:
            yield from serious_wound(play, seat, "BASE-201")


def light_wounds(play: Play, seat: int, count: int, rule: str) -> Steps:
    """Light wounds one by one: the third clears the track and gives a serious one (BASE-200).

    Whether they kill is asked once for all of them.
    """
    person = play.person(seat)
    held = play.tracks("wounds") or recall.exact(play, person)
    if person.state == DEAD:
        return
    dies = yield from kills(play, seat, count)
    for left in range(count, 0, -1):
        if dies and (left == 1 or not held or total(person) >= FATAL):
            yield from death(play, seat, f"{rule} BASE-205")
            return
        recall.wounded(play)
        person.light += 1
        yield tell("light_wound", f"{rule} BASE-200", seat=seat)
        if person.light >= 3:
            person.light = 0
            yield tell("light_wounds_clear", "BASE-200 FAQ-A21", seat=seat)
            yield from _serious(play, seat, "BASE-200")


def serious_wound(play: Play, seat: int, rule: str) -> Steps:
    """A serious wound; with three of them any further wound kills (BASE-205)."""
    if (yield from kills(play, seat)):
        yield from death(play, seat, f"{rule} BASE-205")
        return
    yield from _serious(play, seat, rule)


def _serious(play: Play, seat: int, rule: str) -> Steps:
    person = play.person(seat)
    kind = "unknown"
    if play.tracks("wounds"):
        deck = yield from wound_deck(play)
        if not deck and play.switch("empty_side_deck") == "ask":
            kind = yield Ask(
                "card",
                "ask.wound_card",
                "BASE-15",
                {"seat": seat},
                options=options(list(play.game.wounds), "ask.wound", "wound"),
            )
        if deck:
            left = {kind_of(card) for card in deck}
            kinds = [name for name in play.game.wounds if name in left]
            card = yield Draw(
                "wound",
                deck,
                "wounds",
                Ask(
                    "card",
                    "ask.wound_card",
                    rule,
                    {"seat": seat},
                    options=options(kinds, "ask.wound", "wound"),
                ),
            )
            play.put(f"wound:{card}", f"held:{seat}")
            kind = card.split("#")[0]
    recall.wounded(play)
    person.serious.append(kind)
    yield tell("serious_wound", f"{rule} BASE-201", seat=seat, wound=kind)
    if kind == "leg" and person.character == "scientist":
        person.serious.remove(kind)
        person.dressed.append(kind)
        yield tell("leg_comes_dressed", "BASE-286 BASE-204", seat=seat)
    if kind == "arm":
        yield from one_hand(play, seat)


def wound_deck(play: Play) -> Steps:
    """The Serious Wound cards to draw from; an empty deck is its discard pile (BASE-15)."""
    deck = play.state.cards("wound", DECK)
    if not deck and play.switch("empty_side_deck") != "ask":
        deck = play.state.cards("wound", DISCARD)
        for card in deck:
            play.put(f"wound:{card}", DECK)
        if deck:
            yield tell("deck_reshuffled", "BASE-15", deck="wound")
    return tuple(deck)


def one_hand(play: Play, seat: int) -> Steps:
    """An Arm wound leaves one hand slot: of two Heavy Objects one is dropped (BASE-203)."""
    room = play.person(seat).room
    held = [p for p in play.state.in_zone(f"held:{seat}") if kind_of(p) in OBJECTS]
    if len(held) < 2 or room is None:
        yield tell("arm_wound", "BASE-203 BASE-202", seat=seat)
        return
    dropped = held[0]
    if len({p.split("#")[0] for p in held}) > 1:
        dropped = yield Ask(
            "card",
            "ask.drop",
            "BASE-203",
            {"seat": seat},
            options=options(held, "ask.piece", "piece"),
        )
    play.put(dropped, room_zone(room))
    yield tell(
        "put_down",
        "BASE-203 BASE-202",
        seat=seat,
        piece=dropped,
        room=room,
        move=[(dropped, f"held:{seat}", room_zone(room))],
    )


def kills(play: Play, seat: int, count: int = 1) -> Steps:
    """Whether a wound, or so many light ones at once, kills (BASE-205)."""
    dies = Dies(seat, "BASE-205", wounds_of(play.person(seat)), count)
    yield from look_round(play, seat, dies)
    return (yield Need(dies))


def look_round(play: Play, seat: int, fact: Dies | SeriousWounds | None = None) -> Steps:
    """In the Event Phase wounds are asked about once, of everybody, before they matter.

    That is as they lie, unless ``fact`` follows without it; by switch only who of those who fight
    has many, in the attack step.
    """
    state = play.state
    if state.phase != "event":
        return
    if recall.short(play):
        known = recall.exact(play, play.person(seat))
        if not known and (fact is None or fact.certain(play) is None):
            seats = tuple(p.seat for p in play.playing())
            rule = "BASE-198 BASE-205" if fact is None else fact.rule
            yield Need(WoundsLie(seats, rule))
        return
    fighting = [p for p in play.aboard() if play.in_combat(p)]
    if state.step == "attack" and len(fighting) > 1 and seat in [p.seat for p in fighting]:
        taken = tuple((p.seat, wounds_of(p)) for p in fighting)
        yield Need(LookRound(taken, 2, "BASE-198 BASE-205", seat))


@verb("contaminate", late=True, touches=(), seat=SEAT, count=maybe(COUNT))
def contaminate(play: Play, seat: int, count: int = 1, rule: str = "BASE-212") -> Steps:
    """Contamination cards on top of the own discard pile (BASE-212)."""
    for _ in range(count):
        taken = sum(sum(p.contamination.values()) for p in play.state.seats.values())
        taken += sum(play.state.contamination_gone.values())
        if taken >= play.game.contamination and not (yield from another_card(play, seat)):
            yield tell("contamination_empty", f"{rule} BASE-15", seat=seat)
            return
        play.person(seat).contamination["unscanned"] += 1
        yield tell("contamination", f"{rule} BASE-212", seat=seat)


def another_card(play: Play, seat: int) -> Steps:
    """The Contamination deck is empty: by switch the table says whether a card comes (BASE-15)."""
    if play.switch("empty_side_deck") != "ask":
        return False
    comes = yield Ask("yes_no", "ask.contamination_empty", "BASE-15", {"seat": seat})
    return comes


def leave_creeper(play: Play, room: str, rule: str) -> Steps:
    """A Creeper where a carrier died."""
    from companion.rules.encounter import place_miniature

    yield from place_miniature(play, "creeper", room, rule)


def larva_on_sheet(play: Play, seat: int, rule: str, mini: str | None = None) -> Steps:
    """A Larva on a character's board."""
    larva = mini or play.spare("larva")
    if larva is None:
        yield tell("miniature_missing", f"{rule} BASE-21", kind="larva", room=None)
        return
    zone = play.state.where[larva]
    if not play.state.met:
        rule += " BASE-151"
    play.put(larva, f"sheet:{seat}")
    yield tell("larva", rule, seat=seat, move=[(larva, zone, f"sheet:{seat}")])
    if play.switch("larva_on_sheet_is_first") == "yes":
        from companion.rules.encounter import first_miniature

        yield from first_miniature(play)


@verb("death", touches=(), seat=SEAT)
def death(play: Play, seat: int, rule: str = "BASE-206") -> Steps:
    """A character dies: miniature off, a red Corpse, Heavy Objects stay (BASE-206, BASE-207)."""
    person = play.person(seat)
    if person.state == DEAD:
        play.refuse("death.already", seat=seat)
        return
    room = person.room
    person.state = DEAD
    person.room = person.pod = None
    moves: list[tuple[str, str | None, str | None]] = []
    if room:
        moves.append((person.character, room_zone(room), SUPPLY))
        corpse = play.spare("corpse_red")
        if corpse:
            play.put(corpse, room_zone(room))
            person.corpse = corpse if play.state.coop else None
            moves.append(("corpse_red", SUPPLY, room_zone(room)))
        for piece in play.state.in_zone(f"held:{seat}"):
            if kind_of(piece) in OBJECTS:
                play.put(piece, room_zone(room))
                moves.append((piece, f"held:{seat}", room_zone(room)))
    for larva in play.state.pieces("larva", f"sheet:{seat}"):
        play.put(larva, SUPPLY)
    leave = "" if play.state.coop else " BASE-207 FAQ-A28"
    yield tell("died", f"{rule} BASE-206 BASE-210{leave}", seat=seat, room=room, move=moves)
    if play.state.coop and room:
        yield tell("items_stay", "BASE-209 FAQ-A28", seat=seat, room=room)
    note_elimination(play, seat)
    if not play.state.first_death:
        play.state.first_death = True
        yield from unlock_pods(play, "first_death", "BASE-208")
    yield from nobody_left(play)


def note_elimination(play: Play, seat: int) -> None:
    """Who is eliminated first may play the Intruders; several at once, all of them (BASE-66)."""
    state = play.state
    if state.intruder_player and (not state.eliminated or play.first_eliminated):
        state.eliminated.append(seat)
        play.first_eliminated = True


def unlock_pods(play: Play, cause: str, rule: str) -> Steps:
    """All Pods are unlocked, once for each cause (BASE-208, BASE-291)."""
    if cause in play.state.pods_unlocked:
        return
    play.state.pods_unlocked.append(cause)
    play.state.locked.clear()
    yield tell("pods_unlocked", rule)
