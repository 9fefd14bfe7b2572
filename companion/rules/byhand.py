"""What a hand does at the table and the companion is only told: places, doors, markers, tracks.

Public facts are never refused for being against the rules: the table is right. Pieces come from
the supply; a piece of which none is left is logged as found nowhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from companion.game import BadInput, Need, Refused, Steps
from companion.game.state import (
    ABOARD,
    ASIDE,
    BAG,
    DEAD,
    HIBERNATED,
    LAUNCHED,
    OBJECTS,
    POD_WAITING,
    SUPPLY,
    corridor_zone,
    kind_of,
    room_zone,
)
from companion.rules.combat import find_intruder
from companion.rules.ending import nobody_left
from companion.rules.facedown import forget
from companion.rules.facts import Intruders, Marked
from companion.rules.facts.recall import injuries_of, slime_seen
from companion.rules.markers import (
    nest_if_empty,
    place_fire,
    place_malfunction,
    spare_door,
    turn_door,
)
from companion.rules.phase import start_self_destruct
from companion.rules.play import Play, tell
from companion.rules.shooting import eggs_in
from companion.rules.tables import TRUTH_COMPONENTS, levels
from companion.rules.verbs import (
    COUNT,
    DATA,
    FLAG,
    PIECE,
    SEAT,
    SPACE,
    maybe,
    verb,
    word,
)
from companion.rules.wounds import larva_on_sheet

HAND = "BASE-23"  # the board's own rule: hands set it up and move what lies on it
MARKS = ("fire", "malfunction")
AT_ONCE, LONGEST = 60, 80  # pieces of one command; letters of the name of one


def closed_by_hand(play: Play, touches: Sequence[str]) -> list[str]:
    """A step is left to the table where it stands; the held facts it touches become unsure.

    A token drawn and not yet put back leaves the bag for the pool, as its miniature stands.
    Returns the facts that are unsure now.
    """
    state = play.state
    unsure = [t for t in touches if state.tracking.get(t) == "tracked"]
    state.unsure.update(unsure)
    state.recall = {}
    state.sure.clear()
    for token in state.tokens(ASIDE):
        play.put_token(token, SUPPLY)
    return unsure


@verb("place", piece=PIECE, to=SPACE, injuries=maybe(COUNT))
def place(play: Play, piece: str, to: str, injuries: int | None = None) -> Steps:
    """A piece stands or lies somewhere: a character, an intruder, a marker, an object."""
    state = play.state
    for person in state.seats.values():
        if piece in (person.character, f"seat:{person.seat}"):
            _room(play, to)
            person.room, person.state, person.pod = to, ABOARD, None
            yield tell("put_character", HAND, seat=person.seat, room=to)
            return
    kind = kind_of(piece)
    if kind == "noise":
        if to in play.board.rooms:
            raise BadInput("to", "command.unknown_corridor", {"value": to})
        marker = play.spare("noise")
        if not play.noise_at(to) and marker:
            state.where[marker] = corridor_zone(to) if to in play.board.corridors else f"space:{to}"
        yield tell("noise", HAND, space=to)
        return
    _room(play, to)
    if kind in MARKS:
        yield from (place_fire if kind == "fire" else place_malfunction)(play, to, HAND)
        return
    identity = _identity(play, piece)
    if identity is None:
        raise BadInput("piece", "command.none_left", {"value": piece[:40]})
    came = state.where[identity]
    state.where[identity] = room_zone(to)
    if injuries is not None:
        if injuries:
            state.injuries[identity] = injuries
        else:
            state.injuries.pop(identity, None)
    if injuries is not None or not came.startswith("room:"):
        state.sure.add(injuries_of(identity))
    yield tell("put", HAND, piece=identity, room=to)
    creature = kind in play.content.species[state.species].creatures
    if creature and not came.startswith("room:"):
        yield from play.species.shown(play, identity, HAND)
        if play.nature(kind).met:
            from companion.rules.encounter import first_miniature

            yield from first_miniature(play)


def _room(play: Play, to: str) -> None:
    if to not in play.board.rooms:
        raise BadInput("to", "command.unknown_room", {"value": to})


def _identity(play: Play, piece: str) -> str | None:
    if piece in play.state.where:
        return piece
    known = kind_of(piece)
    creatures = play.aliens.creatures
    if known not in creatures and known not in OBJECTS:
        raise BadInput("piece", "command.unknown_piece", {"value": piece[:40]})
    return next(iter(play.species.spares(play, known)), None)


@verb("remove", piece=PIECE, at=maybe(SPACE))
def remove(play: Play, piece: str, at: str | None = None) -> Steps:
    """A piece goes back to the supply: a marker of a place, an intruder, an object."""
    state = play.state
    kind = kind_of(piece)
    identity: str | None = None
    if kind == "noise":
        identity = play.noise_at(at or "")
    elif kind in MARKS:
        yield Need(Marked(kind, HAND))
        identity = play.marker(kind, at or "")
    elif piece in state.where:
        identity = piece
    elif kind == "egg" and at:
        identity = next(iter(eggs_in(play, at)), None)
    else:
        yield Need(Intruders(HAND))
        here = [p for p in state.pieces(kind) if at is None or state.where[p] == room_zone(at)]
        identity = find_intruder(play, at, kind) or (here[0] if here else None)
    if identity is None:
        raise BadInput("piece", "command.not_there", {"value": piece[:40], "place": at or ""})
    state.where[identity] = SUPPLY
    state.injuries.pop(identity, None)
    yield tell("taken_away", HAND, piece=identity, space=at)
    if kind == "egg":
        yield from nest_if_empty(play)


@verb("rearrange", pieces=DATA)
def rearrange(play: Play, pieces: Mapping[str, str | None]) -> Steps:
    """Several pieces at once: each stands in the place given, or is gone (None).

    As `place` and `remove` one by one, but one command and one undo. What comes anew onto the
    board is last: the first of its kind may be asked about. BadInput as theirs.
    """
    known = (*play.board.rooms, *play.board.corridors, *play.board.spaces, None)
    if not isinstance(pieces, Mapping) or not 0 < len(pieces) <= AT_ONCE:
        raise BadInput("pieces", "command.text")
    for piece, to in pieces.items():
        if len(piece) > LONGEST:
            raise BadInput("pieces", "command.text")
        if not isinstance(to, str | None) or to not in known:
            raise BadInput("pieces", "command.unknown_space", {"value": str(to)[:40]})
    for piece in sorted(pieces, key=lambda p: (play.state.where.get(p) == SUPPLY, p)):
        to = pieces[piece]
        yield from remove(play, piece) if to is None else place(play, piece, to)


@verb("shift", piece=PIECE, at=SPACE, to=SPACE)
def shift(play: Play, piece: str, at: str, to: str) -> Steps:
    """A marker, an object or a door lies elsewhere than it is held: it moves and nothing follows.

    BadInput: it is not there, or may not lie in such a place. Refused ``shift.there``: one of its
    kind lies there already (BASE-07, BASE-09); anyway, one lies there and one in the supply.
    """
    state, kind = play.state, kind_of(piece)
    if kind in ("noise", "door"):
        if to in play.board.rooms or (kind == "door" and to not in play.board.corridors):
            raise BadInput("to", "command.unknown_corridor", {"value": to})
        zone = corridor_zone(to) if to in play.board.corridors else f"space:{to}"
        found = play.noise_at if kind == "noise" else play.door_at
    else:
        _room(play, to)
        zone = room_zone(to)
        found = partial(play.marker, kind)
    held = found(at) if kind in (*MARKS, *OBJECTS, "noise", "door") else None
    if held is None:
        raise BadInput("piece", "command.not_there", {"value": piece[:40], "place": at})
    if kind not in OBJECTS and found(to):
        play.refuse("shift.there", piece=kind)
        zone = SUPPLY  # it happened anyway: one lies there, the other goes back
    if kind == "door":
        door = play.door(at)
        yield from turn_door(play, at, "open")
        yield from turn_door(play, to, door)
        yield tell("shifted", HAND, piece=kind, from_place=at, to_place=to, door=door)
        return
    state.where[held] = zone
    yield tell("shifted", HAND, piece=kind, from_place=at, to_place=to)


@verb("door", corridor=SPACE, state=word("open", "closed", "destroyed"))
def door(play: Play, corridor: str, state: str) -> Steps:
    """A door is opened, closed or destroyed by an action or an item."""
    if corridor not in play.board.corridors:
        raise BadInput("corridor", "command.unknown_corridor", {"value": corridor})
    if state == "closed" and play.door(corridor) == "destroyed":
        play.refuse("door.destroyed", corridor=corridor)
    if state != "open" and not play.door_at(corridor):
        yield from spare_door(play)
    yield from turn_door(play, corridor, state)
    yield tell(f"door_now_{state}", "BASE-36", corridor=corridor)


@verb("forget", entry=word())
def forget_entry(play: Play, entry: str) -> Steps:
    """Something entered by hand was wrong: it will be asked for again. BadInput: not known."""
    if entry not in play.state.learnt:
        raise BadInput("entry", "command.unknown_word", {"value": entry[:40]})
    play.state.learnt = {k: v for k, v in play.state.learnt.items() if k != entry}
    yield tell("forgotten", HAND, entry=entry)


@verb("slime", seat=SEAT, on=FLAG)
def slime_marker(play: Play, seat: int, on: bool) -> Steps:
    """A slime marker on, or off by Clothes or the Shower Room (BASE-128)."""
    if not play.species.slime:
        raise Refused("species.not_here", {"species": play.state.species})
    slime_seen(play, seat, on)
    yield tell("slime" if on else "slime_off", "BASE-126" if on else "BASE-128", seat=seat)


@verb("larva", late=True, seat=SEAT, on=FLAG)
def larva_marker(play: Play, seat: int, on: bool) -> Steps:
    """A Larva on a character's board, or off it."""
    if not play.species.larvae:
        raise Refused("species.not_here", {"species": play.state.species})
    held = play.state.pieces("larva", f"sheet:{seat}")
    if on and not held:
        yield from larva_on_sheet(play, seat, "BASE-215")
    for larva in held if not on else []:
        play.put(larva, SUPPLY)
        yield tell("larva_off", "BASE-250", seat=seat)


@verb(
    "state",
    late=True,
    seat=SEAT,
    state=word(ABOARD, DEAD, HIBERNATED, POD_WAITING, LAUNCHED),
    pod=maybe(PIECE),
)
def state_of(play: Play, seat: int, state: str, pod: str | None = None) -> Steps:
    """A character sleeps, waits in a Pod, has launched, or is back aboard."""
    from companion.rules.wounds import death

    person = play.person(seat)
    if state == DEAD:
        yield from death(play, seat)
        return
    if state == POD_WAITING and pod not in play.state.where:
        raise BadInput("pod", "command.unknown_piece", {"value": str(pod)[:40]})
    person.state = state
    person.pod = pod if state == POD_WAITING else None
    if state in (HIBERNATED, LAUNCHED):
        person.room = None
    elif person.room is None:
        person.room = play.board.start_room
    rule = {HIBERNATED: "BASE-267", POD_WAITING: "BASE-351", LAUNCHED: "BASE-350"}.get(
        state, "BASE-351"
    )
    yield tell(f"now_{state}", rule, seat=seat)
    yield from nobody_left(play)


@verb("self_destruct", on=FLAG)
def self_destruct(play: Play, on: bool) -> Steps:
    """Started or stopped in the Generator or by a key (BASE-245, BASE-340, BASE-341)."""
    state = play.state
    if on:
        if play.sleepers():
            play.refuse("self_destruct.sleepers")
        if state.self_destruct is None:
            yield from start_self_destruct(play, "BASE-245")
        return
    if state.self_destruct is not None and state.self_destruct <= play.game.yellow_from:
        play.refuse("self_destruct.yellow")
    state.self_destruct = None
    yield tell("self_destruct_off", "BASE-341")


@verb("signal", late=True, seat=SEAT, on=maybe(FLAG))
def signal(play: Play, seat: int, on: bool = True) -> Steps:
    """A character's own Signal is marked (BASE-241, FAQ-A41)."""
    play.person(seat).signal = on
    yield tell("signal" if on else "signal_off", "BASE-241 FAQ-A41", seat=seat)


@verb("first_player", seat=SEAT)
def first_player(play: Play, seat: int) -> Steps:
    """The First Player token stands elsewhere than held."""
    play.state.first_player = seat
    yield tell("first_player", "BASE-69", seat=seat)


@verb("bag", token=PIECE, to=word("in", "out"))
def bag(play: Play, token: str, to: str) -> Steps:
    """A token goes into the bag or out of it by hand: exactly one (found, lost, a house rule)."""
    kind = kind_of(token)
    if kind not in play.aliens.creatures:
        raise BadInput("token", "command.unknown_piece", {"value": token[:40]})
    source, target = (SUPPLY, BAG) if to == "in" else (BAG, SUPPLY)
    found = [t for t in play.state.tokens(source, kind) if token in (t, kind, t.split("#")[0])]
    if not found:
        raise BadInput("token", "command.none_left", {"value": token[:40]})
    play.put_token(found[0], target)
    yield tell(f"bag_{to}_by_hand", "BASE-16", token=kind)


@verb("tracking", late=True, topic=word(), level=word("tracked", "asked", "told"))
def tracking(play: Play, topic: str, level: str) -> Steps:
    """A kind of fact is held, asked or told from now on; newly held facts are unsure first."""
    if topic not in levels(play, "everything"):
        raise BadInput("topic", "command.unknown_word", {"value": topic[:40]})
    before = play.state.tracking.get(topic)
    play.state.tracking[topic] = level
    if level == "tracked" and before != "tracked" and topic not in play.state.sure:
        play.state.unsure.add(topic)
    play.state.sure.discard(topic)
    yield tell("tracking", HAND, topic=topic, level=level)


@verb("truth", late=True, component=word(*TRUTH_COMPONENTS), place=word("digital", "physical"))
def truth(play: Play, component: str, place: str) -> Steps:
    """Dice may change hands at any time; what is secret or already dealt may not."""
    if component not in ("dice", "wounds", "contamination", "tiles", "exploration"):
        raise Refused("truth.fixed", {"component": component})
    play.state.truth[component] = place
    what = {"tiles": "tile", "exploration": "exploration"}.get(component)
    if what and place == "physical":  # what the box drew for the rooms is no longer so
        forget(play, what)
    yield tell("truth", HAND, component=component, place=place)


@verb("switch", late=True, name=word(), value=word())
def switch(play: Play, name: str, value: str) -> Steps:
    """A rule switch takes another of its values."""
    known = play.content.switches.get(name)
    if known is None or value not in known.values:
        raise BadInput("name", "setup.unknown", {"value": f"{name} = {value}"[:60]})
    play.state.switches[name] = value
    yield tell("switch", " ".join(known.rules), switch=name, value=value)
