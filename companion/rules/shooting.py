"""Shooting and melee: a weapon, a face of the combat die, and what it does to whom."""

from __future__ import annotations

from companion.game import Ask, Draw, Need, Steps
from companion.game.procedure import options
from companion.game.state import DEAD, INTRUDER_BOARD, SUPPLY, room_zone
from companion.rules.combat import damage_check, find_intruder, injure
from companion.rules.facts import Characters, Intruders
from companion.rules.facts.people import faces
from companion.rules.markers import nest_if_empty, place_fire
from companion.rules.movement import retreat
from companion.rules.play import Play, tell
from companion.rules.verbs import COUNT, FLAG, PIECE, ROOM, SEAT, maybe, step, verb, word
from companion.rules.wounds import contaminate, serious_wound

#: What harms. ``flamethrower`` is ``fire`` with a die; ``grenade`` and ``phosphates`` roll none.
WEAPONS = (
    "classic",
    "energy",
    "fire",
    "flamethrower",
    "needle_gun",
    "melee",
    "grenade",
    "phosphates",
)
FLAMES = ("fire", "flamethrower")


@verb(
    "injure",
    touches=("injuries", "intruders", "wounds"),
    seat=maybe(SEAT),
    room=maybe(ROOM),
    intruder=PIECE,
    hits=maybe(COUNT),
    face=maybe(word()),
    weapon=maybe(word(*WEAPONS)),
    ammo=maybe(COUNT),
    check=maybe(FLAG),
)
def injure_command(
    play: Play,
    intruder: str,
    seat: int | None = None,
    room: str | None = None,
    hits: int | None = None,
    face: str | None = None,
    weapon: str = "classic",
    ammo: int | None = None,
    check: bool = True,
) -> Steps:
    """A shot, a blow or anything else that injures an Intruder or an Egg (BASE-91, BASE-92).

    ``hits`` are Injuries from anything; without them the combat die decides (``face``, or a roll)
    and a blow costs what Melee costs. ``ammo`` is what Full Auto discards (BASE-159). ``check``
    false: another shot of the same card follows, and the damage check waits (BASE-164).
    """
    if intruder == "egg":
        yield from shoot_eggs(play, seat, room, hits, face, weapon)
        return
    yield Need(Intruders("BASE-157"))
    mini = find_intruder(play, room, intruder)
    if mini is None:
        play.refuse("injure.not_there", piece=intruder, room=room)
        return
    if hits is None and weapon == "phosphates":
        yield from phosphates(play, mini)
        return
    place = play.room_of(mini)
    assert place
    waiting = check and no_longer_waits(play, mini)
    if hits is None:
        face, hits = yield from strike(play, mini, place, seat, face, weapon, ammo)
    if weapon == "needle_gun" and hits:
        yield tell("needle_hits", "BASE-285", piece=mini)
        yield from retreat(play, mini, "BASE-285")
    else:
        yield from injure(play, mini, hits, "BASE-160", weapon, check=check)
        if waiting and not hits:
            yield from damage_check(play, mini)
    if not check and hits:
        no_longer_waits(play, mini)
        play.due("damage_check", piece=mini, wait=True)
    if face == "two_crosshairs" and weapon in FLAMES:
        yield from place_fire(play, place, "BASE-287")


def no_longer_waits(play: Play, mini: str) -> bool:
    """Take a damage check that waits for the last shot off the agenda; whether one waited."""
    agenda = play.state.agenda
    left = [e for e in agenda if (e["step"], e.get("piece")) != ("damage_check", mini)]
    found = len(left) < len(agenda)
    agenda[:] = left
    return found


@step("damage_check", touches=("injuries", "intruders"))
def due_check(play: Play, piece: str) -> Steps:
    """The one check after the last of several shots (BASE-164)."""
    yield Need(Intruders("BASE-164"))
    if play.room_of(piece):
        yield from damage_check(play, piece)


def strike(
    play: Play,
    target: str,
    place: str,
    seat: int | None,
    face: str | None,
    weapon: str,
    ammo: int | None = None,
) -> Steps:
    """A shot or a blow by the combat die; returns the face and the Injuries it deals.

    A blow takes a Contamination card first, and a miss costs a Serious Wound (BASE-92); not at
    Eggs (BASE-171). Refused when the one who strikes stands elsewhere.
    """
    egg = target == "egg"
    blow = weapon == "melee"
    if seat is not None or blow:
        yield Need(Characters("BASE-92" if blow else "BASE-91"))
    if blow and seat is None:
        seat = yield from who_strikes(play, place, "BASE-92")
    if seat is not None and play.person(seat).room != place:
        play.refuse("injure.elsewhere", seat=seat, room=place)
    if blow and seat is not None and not egg:
        yield from contaminate(play, seat, 1, "BASE-92")
    if face is None:
        face = yield from roll(play, target)
    taken = yield from play.species.taken_for(play, target, face)
    hits, rules = die_hits(play, taken, face, weapon)
    if ammo is not None:
        if ammo < 1:
            play.refuse("injure.no_ammo")
        rules += " BASE-159 FAQ-A24"
        hits += ammo // 2 + 1 if hits else 0
    yield tell("combat_rolled", rules, piece=target, face=face, hits=hits)
    if blow and seat is not None and not egg and not hits and play.person(seat).state != DEAD:
        yield tell("blow_missed", "BASE-92", seat=seat, piece=target)
        yield from serious_wound(play, seat, "BASE-92")
    return face, hits


def roll(play: Play, target: str) -> Steps:
    """The combat die (BASE-157)."""
    sides = options(list(dict.fromkeys(play.game.combat_die)), "ask.combat_face", "face")
    ask = Ask("roll", "ask.combat_die", "BASE-157", {"piece": target}, options=sides)
    face = yield Draw("combat", play.game.combat_die, "dice", ask)
    return face


def who_strikes(play: Play, place: str, rule: str) -> Steps:
    """Who of a room acts: the only one there, whose turn it is, or whom the table names."""
    here = play.people_in(place)
    if len(here) == 1:
        return here[0].seat
    if any(p.seat == play.state.turn for p in here):
        return play.state.turn
    if not here:
        return None
    named = yield Ask("faces", "ask.who_strikes", rule, {"room": place}, options=faces(here))
    return named


def die_hits(play: Play, kind: str, face: str, weapon: str) -> tuple[int, str]:
    """Injuries by a face of the combat die, and the rules that say so (BASE-157, BASE-158).

    ``kind``: what the die takes the target for, ``creeper``, ``adult``, ``egg`` or another.

    An Egg dies from one Injury as a Larva does (BASE-160): what hits a Larva hits it.
    """
    small = kind in ("creeper", "egg")
    hits = {
        "blank": 0,
        "creeper": 1 if small else 0,
        "adult": 1 if small or kind == "adult" else 0,
        "one_crosshair": 1,
        "two_crosshairs": 1 if weapon == "melee" else 2,
    }.get(face)
    if hits is None:
        play.refuse("injure.face", face=face)
        return 0, "BASE-157"
    rules = "BASE-157 BASE-92" if weapon == "melee" else "BASE-157 BASE-91"
    if face == "blank" and kind == "adult" and play.weakness("vital_places"):
        hits, rules = 1, f"{rules} BASE-158"
    if weapon in FLAMES and face != "blank":
        hits, rules = max(hits, 1), f"{rules} BASE-287"
    if dodge := play.species.dodges(play, kind, face):
        return 0, f"{rules} {dodge}"
    if hits and weapon == "energy" and kind != "egg" and play.weakness("vulnerability_to_energy"):
        hits, rules = hits + 1, f"{rules} BASE-158"
    return hits, rules


def phosphates(play: Play, mini: str, rule: str = "BASE-167") -> Steps:
    """Extinguisher and Fire Control hurt once Susceptibility to Phosphates is known (BASE-167)."""
    if play.weakness("susceptibility_to_phosphates"):
        yield tell("phosphates_hurt", rule, piece=mini)
        yield from injure(play, mini, 1, f"{rule} BASE-160", "phosphates")


# Eggs -------------------------------------------------------------------------------------------


def eggs_in(play: Play, room: str) -> list[str]:
    """Eggs of a room nobody carries; in the Nest those of the Intruder board first (BASE-171)."""
    pile = play.state.pieces("egg", INTRUDER_BOARD) if play.room_tile("nest") == room else []
    return [*pile, *play.state.pieces("egg", room_zone(room))]


def shoot_eggs(
    play: Play,
    seat: int | None,
    room: str | None,
    hits: int | None,
    face: str | None,
    weapon: str,
) -> Steps:
    """Eggs shot at or hit out of Combat; a noise roll after every try (BASE-171)."""
    yield Need(Characters("BASE-171"))
    yield Need(Intruders("BASE-171"))
    if room is None and seat is not None:
        room = play.person(seat).room
    if room is None or not eggs_in(play, room):
        play.refuse("eggs.none_here", room=room)
        return
    if seat is None:
        seat = yield from who_strikes(play, room, "BASE-171")
    if seat is None:
        play.refuse("eggs.nobody_here", room=room)
        return
    if play.in_combat(play.person(seat)):
        play.refuse("eggs.in_combat", seat=seat)
    if hits is None:
        _, hits = yield from strike(play, "egg", room, seat, face, weapon)
    rule = "BASE-171"
    if hits and weapon in FLAMES and play.weakness("vulnerability_to_fire"):
        hits, rule = hits + 1, "BASE-171 BASE-166"
    yield from destroy_eggs(play, room, hits, rule)
    yield tell("noise_after_eggs", "BASE-171 BASE-115", seat=seat)
    play.due("noise_roll", seat=seat)


def destroy_eggs(play: Play, room: str, count: int, rule: str) -> Steps:
    """Each Injury destroys one Egg; without Eggs the Nest is destroyed (BASE-171, BASE-247)."""
    for egg in eggs_in(play, room)[:count]:
        zone = play.state.where[egg]
        play.put(egg, SUPPLY)
        yield tell("egg_destroyed", f"{rule} BASE-160", room=room, move=[(egg, zone, SUPPLY)])
    yield from nest_if_empty(play)
