"""Rooms that serve those who use them: weapons, signal, body, items, the Nest (BASE-240 on)."""

from __future__ import annotations

from companion.game import Steps
from companion.game.state import DISCARD, INTRUDER_BOARD
from companion.rules.belongings import free_hand
from companion.rules.contamination import remove_infected, scan_hand
from companion.rules.facts.recall import slime_seen
from companion.rules.markers import nest_if_empty
from companion.rules.play import Play, tell
from companion.rules.rooms import Bar, Use, action
from companion.rules.rounds import pass_turn
from companion.rules.wounds import light_wounds

# Armory, Comms Room, Emergency Room, Storage ----------------------------------------------------


@action("armory", name="reload")
def reload(play: Play, use: Use) -> Steps:
    """Two ammo on one energy weapon; ammunition is the players' own count (BASE-240)."""
    yield tell("reloads", use.rule, seat=use.seat)


@action("comms_room", name="signal")
def signal(play: Play, use: Use) -> Steps:
    """The own Signal is marked (BASE-241)."""
    play.person(use.seat).signal = True
    yield tell("signal", f"{use.rule} FAQ-A41", seat=use.seat)


@action("emergency_room", name="dress")
def dress(play: Play, use: Use) -> Steps:
    """All Serious Wounds are dressed: no effect any more, still wounds (BASE-242, BASE-204)."""
    person = play.person(use.seat)
    count = len(person.serious)
    person.dressed += person.serious
    person.serious = []
    yield tell("wounds_dressed", f"{use.rule} BASE-204 FAQ-A30", seat=use.seat, n=count)


@action("emergency_room", name="heal_serious")
def heal_serious(play: Play, use: Use) -> Steps:
    """One dressed Serious Wound is healed: its card is discarded (BASE-242)."""
    person = play.person(use.seat)
    if not person.dressed:
        yield tell("nothing_healed", use.rule, seat=use.seat)
        return
    kind = person.dressed.pop()
    held = play.state.in_zone(f"held:{use.seat}")
    card = next((c for c in held if c.startswith(f"wound:{kind}#")), None)
    if card:
        play.put(card, DISCARD)
    yield tell("serious_healed", f"{use.rule} BASE-204", seat=use.seat, wound=kind)


@action("emergency_room", name="heal_light")
def heal_light(play: Play, use: Use) -> Steps:
    """All Light Wounds are healed (BASE-242)."""
    person = play.person(use.seat)
    count, person.light = person.light, 0
    yield tell("light_healed", use.rule, seat=use.seat, n=count)


@action("storage", name="take_items")
def take_items(play: Play, use: Use) -> Steps:
    """Two Items of a chosen colour, one kept; the Item counter does not matter (BASE-249)."""
    yield tell("takes_items", f"{use.rule} FAQ-A42", seat=use.seat)


# Nest -------------------------------------------------------------------------------------------


def _no_eggs(play: Play, _room: str) -> Bar | None:
    return None if play.state.pieces("egg", INTRUDER_BOARD) else ("nest.empty", {})


@action("nest", name="take_egg", bar=_no_eggs)
def take_egg(play: Play, use: Use) -> Steps:
    """One Egg of the Intruder board, then a noise roll; the last one destroys it (BASE-247)."""
    eggs = play.state.pieces("egg", INTRUDER_BOARD)
    free_hand(play, play.person(use.seat))
    if not eggs:
        yield tell("nest_has_no_egg", use.rule, room=use.room)
        return
    place = f"held:{use.seat}"
    play.put(eggs[0], place)
    yield tell(
        "egg_taken",
        f"{use.rule} BASE-95",
        seat=use.seat,
        move=[(eggs[0], INTRUDER_BOARD, place)],
    )
    yield from nest_if_empty(play)
    play.due("noise_roll", seat=use.seat)


# Surgery, Canteen, Shower Room ------------------------------------------------------------------


@action("surgery", name="operate")
def operate(play: Play, use: Use) -> Steps:
    """Every own Contamination card is scanned; infected ones and the Larva go (BASE-250).

    Then a Light Wound, everything is shuffled into the deck, and the player passes.
    """
    person = play.person(use.seat)
    yield from remove_infected(play, use.seat, f"{use.rule} BASE-221 FAQ-A53")
    yield from light_wounds(play, use.seat, 1, use.rule)
    if not play.takes_part(person):
        return
    if person.hand is not None:
        person.hand = 0
    if person.action_cards is not None:
        person.action_cards = 0
    yield tell("hand_shuffled", use.rule, seat=use.seat)
    if not person.passed:
        yield from pass_turn(play, use.seat)


@action("canteen", name="eat", scans=True)
def eat(play: Play, use: Use) -> Steps:
    """One Light Wound is healed; then, if wanted, the hand is scanned (BASE-256)."""
    person = play.person(use.seat)
    person.light = max(person.light - 1, 0)
    yield tell("light_healed", use.rule, seat=use.seat, n=1)
    yield from also_scan(play, use)


@action("shower_room", name="wash", scans=True)
def wash(play: Play, use: Use) -> Steps:
    """The Slime goes; then, if wanted, the hand is scanned. Fire stays (BASE-262)."""
    if play.species.slime:
        slime_seen(play, use.seat, False)
        yield tell("slime_off", f"{use.rule} BASE-128", seat=use.seat)
    yield from also_scan(play, use)


def also_scan(play: Play, use: Use) -> Steps:
    """If wanted, the hand is scanned too, by Rest's rule (BASE-256, BASE-262)."""
    yield from play.species.rests(play, use.seat, use.rule, use.scan)
    if use.scan:
        yield from scan_hand(play, use.seat, use.rule, use.scan)
