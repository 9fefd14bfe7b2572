"""How characters move, and what they find: corridors, doors, technical corridors, exploration."""

from __future__ import annotations

from companion.game import Ask, Draw, Need, Steps
from companion.game.board import Corridor
from companion.game.procedure import Option, options
from companion.game.state import ABOARD, DEAD, DECK, REMOVED, kind_of, label_of
from companion.library.model import ExplorationToken
from companion.rules.combat import ATTACK_TOUCHES, escape_begins, intruder_attack
from companion.rules.facedown import digital, forget, free_tiles, free_tokens, possible_tiles
from companion.rules.facts import Characters, Doors, Explored, Intruders, Noise
from companion.rules.markers import (
    close_door,
    noise_spaces,
    place_fire,
    place_malfunction,
    place_noise,
    slime,
)
from companion.rules.noise import danger, silence
from companion.rules.play import Play, tell
from companion.rules.verbs import CORRIDOR, FLAG, ROOM, SEAT, SPACE, maybe, step, verb, word

MOVE_TOUCHES = ("characters", "noise", "rooms")


@verb(
    "move",
    touches=MOVE_TOUCHES,
    seat=SEAT,
    to=ROOM,
    via=maybe(CORRIDOR),
    careful=maybe(FLAG),
    mark=maybe(SPACE),
    technical=maybe(FLAG),
    cancel=maybe(FLAG),
    unharmed=maybe(FLAG),
)
def move(
    play: Play,
    seat: int,
    to: str,
    via: str | None = None,
    careful: bool = False,
    mark: str | None = None,
    technical: bool = False,
    cancel: bool = False,
    unharmed: bool = False,
) -> Steps:
    """A character goes to a neighbouring room (BASE-79), and what follows from it.

    ``careful``: a marker in ``mark`` instead of the roll (BASE-82). ``technical``: by the Technical
    Corridors card or plans (BASE-275). ``cancel``: the Scout's Reconnaissance, no noise at all
    (BASE-86). ``unharmed``: a card or an Item spares the attacks of an Escape (BASE-90).
    """
    person = play.person(seat)
    if person.state != ABOARD or person.room is None:
        play.refuse("move.not_aboard", seat=seat)
        if person.room is None:
            return
    play.state.turn = seat
    yield Need(Characters("BASE-79"))
    origin = person.room
    assert origin
    if to == origin:
        play.refuse("move.same_room", seat=seat, room=to)
        return
    way: Corridor | None = None
    if technical:
        technical_way(play, origin, to)
    else:
        way = yield from corridor_between(play, origin, to, via)
    if careful:
        yield from check_careful(play, to, mark)
    yield Need(Intruders("BASE-79"))
    fighting = play.in_combat(person)
    if fighting and careful:
        play.refuse("move.careful_in_combat", seat=seat)
    if fighting and unharmed:
        yield tell("leaves_unharmed", "BASE-90 FAQ-A23", seat=seat, room=origin)
    elif fighting:
        pieces = yield from escape_begins(play, seat)
        via = way.id if way else None
        yield from escape(play, seat, origin, pieces, to, via, careful, mark, cancel)
        return
    yield from arrive(play, seat, to, way, careful=careful, mark=mark, cancel=cancel)


@step("escape", touches=(*MOVE_TOUCHES, *ATTACK_TOUCHES))
def escape(
    play: Play,
    seat: int,
    origin: str,
    pieces: list[str],
    to: str,
    via: str | None = None,
    careful: bool = False,
    mark: str | None = None,
    cancel: bool = False,
) -> Steps:
    """Each of ``pieces`` attacks the one who escapes, one after the other; then the move goes on.

    What a card may cancel holds up the next attack, and the move of one who would be dead: the
    rest is a step of its own then (BASE-87, BASE-155).
    """
    person = play.person(seat)
    left = [m for m in pieces if play.room_of(m) == origin]
    while left and person.state == ABOARD and person.room == origin:
        yield from intruder_attack(play, left.pop(0), target=seat, rule="BASE-87 BASE-183 FAQ-A17")
        if play.state.fresh and (left or person.state == DEAD):
            play.due(
                "escape",
                seat=seat,
                origin=origin,
                pieces=left,
                to=to,
                via=via,
                careful=careful,
                mark=mark,
                cancel=cancel,
            )
            return
    if person.state == DEAD:
        yield tell("died_escaping", "BASE-88", seat=seat, room=origin)
    elif person.state == ABOARD and person.room == origin:
        way = play.board.corridors[via] if via else None
        yield from arrive(play, seat, to, way, careful=careful, mark=mark, cancel=cancel)


def technical_way(play: Play, origin: str, to: str) -> None:
    """Both rooms must open on one network (BASE-275, BASE-382)."""
    here, there = play.board.networks(origin), play.board.networks(to)
    if not set(here) & set(there):
        code = "move.other_network" if here and there else "move.no_technical_entrance"
        play.refuse(code, room=to)


def corridor_between(play: Play, origin: str, to: str, via: str | None) -> Steps:
    """The corridor used; asked where two are open. Refused: none, or only closed doors."""
    ways = [c for c in play.board.between(origin, to) if via in (None, c.id)]
    if not ways:
        play.refuse("move.no_corridor", room=to, from_room=origin)
        return None
    yield Need(Doors("BASE-37"))
    open_ways = [c for c in ways if play.door(c.id) != "closed"]
    if not open_ways:
        play.refuse("corridor_closed", corridor=ways[0].id)
        return ways[0]
    if len(open_ways) == 1:
        return open_ways[0]
    chosen = yield Ask(
        "place",
        "ask.which_corridor",
        "BASE-383",
        options=tuple(Option(c.id, "ask.corridor", {"space": c.id}) for c in open_ways),
    )
    return play.board.corridors[chosen]


def check_careful(play: Play, to: str, mark: str | None) -> Steps:
    """Careful movement needs a corridor of the target without noise (BASE-83)."""
    noisy = yield Need(Noise("BASE-83"))
    spaces = noise_spaces(play, to)
    if all(s in noisy for s in spaces):
        play.refuse("move.careful_all_noisy", room=to)
    if mark is not None and mark not in spaces:
        play.refuse("move.careful_not_there", room=to, space=mark)
    if mark is not None and mark in noisy:
        play.refuse("move.careful_noisy", room=to, space=mark)


def arrive(
    play: Play,
    seat: int,
    to: str,
    way: Corridor | None,
    *,
    careful: bool = False,
    mark: str | None = None,
    cancel: bool = False,
    partner: int | None = None,
    covered: bool = False,
) -> Steps:
    """Entering a room: exploration, slime, then the noise roll if nobody else is there.

    ``partner`` comes along and is no company; ``covered``: the partner rolls for both (BASE-123).
    """
    person = play.person(seat)
    origin = person.room
    company = [p for p in play.people_in(to) if p.seat not in (seat, partner)]
    hostile = play.intruders(to)
    person.room = to
    rules = "BASE-79 BASE-26" if way is not None else "BASE-79 BASE-275"
    if way is None and len(play.board.spaces) > 1:
        rules += " BASE-382"
    if way is not None and origin and len(play.board.between(origin, to)) > 1:
        rules += " BASE-383"
    if way is not None and play.door(way.id) == "destroyed":
        rules += " BASE-42"
    yield tell("went", rules, seat=seat, room=origin, to_room=to, corridor=way.id if way else None)
    silent = False
    yield Need(Explored("BASE-79"))
    unseen = to not in play.state.explored
    if unseen or play.covered(to):
        replaced = careful and play.switch("careful_cancels_danger") == "replaced"
        turn = explore if unseen else turn_token
        silent = yield from turn(
            play,
            to,
            seat,
            way,
            hostile=bool(hostile),
            cancelled="BASE-86 FAQ-A13" if cancel else "BASE-85 FAQ-A12" if replaced else "",
        )
        if careful and replaced:
            silent = False
    if person.state == DEAD or person.room != to:
        return
    slimy = play.tile(to) == "room_covered_with_slime"
    before = play.switch("slime_room_before_noise") == "yes"
    if slimy and before:
        yield from slime_room(play, seat)
    if careful:
        alone = not company and not hostile
        yield from careful_noise(play, seat, to, mark, alone=alone, silent=silent)
    elif cancel:
        yield tell("noise_cancelled", "BASE-86 FAQ-A13", seat=seat)
    elif hostile:
        yield tell("combat_begins", "BASE-80 FAQ-A7 BASE-156", seat=seat, room=to)
    elif covered:
        yield tell("no_roll_covered", "BASE-123 FAQ-A15", seat=seat)
    elif company:
        yield tell("no_roll_company", "BASE-80", seat=seat, room=to)
    elif not silent and not play.in_combat(person):
        play.due("noise_roll", seat=seat)
    if slimy and not before:
        play.due("slime_room", seat=seat)


@step("slime_room", touches=("slime",))
def slime_room(play: Play, seat: int) -> Steps:
    """Entering the Room Covered with Slime (BASE-81, BASE-261)."""
    if play.takes_part(play.person(seat)):
        yield from slime(play, seat, "BASE-81 BASE-261")


def careful_noise(
    play: Play, seat: int, room: str, mark: str | None, *, alone: bool, silent: bool
) -> Steps:
    """Careful movement marks a corridor where a roll would have been due (BASE-82, BASE-84)."""
    if not alone and play.switch("careful_marks_occupied") == "no":
        yield tell("careful_occupied", "BASE-84", seat=seat, room=room)
    elif not silent:
        rule = "BASE-82" if alone else "BASE-82 BASE-84"
        yield from careful_mark(play, seat, room, mark, rule)


def careful_mark(play: Play, seat: int, room: str, mark: str | None, rule: str) -> Steps:
    """The marker of careful movement, in a corridor of the moving player's choice (BASE-82)."""
    if mark is None:
        noisy = yield Need(Noise("BASE-82"))
        mark = yield Ask(
            "place",
            "ask.careful_corridor",
            "BASE-82",
            {"room": room, "seat": seat},
            options=tuple(
                Option(s, "ask.corridor", {"space": s})
                for s in noise_spaces(play, room)
                if s not in noisy
            ),
        )
    yield from place_noise(play, mark, f"{rule} BASE-35" if mark in play.board.spaces else rule)


@verb(
    "reveal",
    touches=("rooms",),
    room=ROOM,
    seat=maybe(SEAT),
    tile=maybe(word()),
    token=maybe(word()),
)
def reveal(
    play: Play,
    room: str,
    seat: int | None = None,
    tile: str | None = None,
    token: str | None = None,
) -> Steps:
    """A room is looked into without the noise of a move: from outside, or later (BASE-86)."""
    yield Need(Explored("BASE-86"))
    lies = play.covered(room)
    if room in play.state.explored and not lies:
        play.refuse("reveal.explored", room=room)
    if tile is not None and tile not in possible_tiles(play, room):
        play.refuse("reveal.tile", room=room, tile=tile)
    if seat is None:
        here = play.people_in(room)
        seat = here[0].seat if here else None
    if lies:
        hostile = bool(play.intruders(room))
        cancelled = "BASE-86 FAQ-A13"
        yield from turn_token(
            play, room, seat, None, hostile=hostile, cancelled=cancelled, token=token
        )
        return
    yield from explore(
        play,
        room,
        seat,
        None,
        hostile=False,
        cancelled="BASE-86 FAQ-A13",
        tile=tile,
        token=token,
    )


def explore(
    play: Play,
    room: str,
    seat: int | None,
    way: Corridor | None,
    *,
    hostile: bool,
    cancelled: str,
    tile: str | None = None,
    token: str | None = None,
) -> Steps:
    """Turn the tile, then the exploration token (BASE-105 to BASE-114).

    ``cancelled``: the rules by which Danger and Silence have no effect, or nothing. Returns
    whether the token takes the place of the noise roll.
    """
    known = play.state.hidden.pop(room, {})
    tile = tile or known.get("tile") or play.board.rooms[room].fixed
    token = token or known.get("exploration")
    if tile is None:
        tiles = tuple(possible_tiles(play, room))
        tile = yield Draw(
            "tile",
            free_tiles(play, room) if digital(play, "tiles") else tiles,
            "tiles",
            Ask(
                "card",
                "ask.tile_turned",
                "BASE-79",
                {"room": room},
                options=options(list(tiles), "ask.tile", "tile"),
            ),
        )
    assert tile
    forget(play, "tile", tile)
    play.state.tiles[room] = tile
    play.state.explored.add(room)
    found_nest = " BASE-150 FAQ-A10" if tile == "nest" else ""
    turned = "BASE-380" if play.board.rooms[room].fixed else "BASE-29"
    yield tell("explored", f"BASE-79 {turned}{found_nest}", room=room, tile=tile)
    return (
        yield from turn_token(
            play, room, seat, way, hostile=hostile, cancelled=cancelled, token=token
        )
    )


def turn_token(
    play: Play,
    room: str,
    seat: int | None,
    way: Corridor | None,
    *,
    hostile: bool,
    cancelled: str,
    token: str | None = None,
) -> Steps:
    """Turn the exploration token of a room whose tile lies open (BASE-105 to BASE-114).

    Returns whether the token takes the place of the noise roll.
    """
    if play.covered(room):
        play.state.own["covered"] = [r for r in play.state.own["covered"] if r != room]
    tokens = tuple(play.state.cards("exploration", DECK))
    if token is None and tokens:
        token = yield Draw(
            "exploration",
            free_tokens(play, room) if digital(play, "exploration") else tokens,
            "exploration",
            Ask(
                "card",
                "ask.exploration_token",
                "BASE-105",
                {"room": room},
                options=options(
                    list(dict.fromkeys(label_of(t) for t in tokens)),
                    "ask.exploration",
                    "exploration",
                ),
            ),
        )
    found = next((t for t in tokens if token in (t, label_of(t), kind_of(t))), None)
    if found is None:
        yield tell("no_token", "BASE-49", room=room)
        return False
    play.put(f"exploration:{found}", REMOVED)
    forget(play, "exploration", found)
    card = play.content.explorations[found]
    tile = play.tile(room)
    counter = items(play, card)
    if tile and play.content.tiles[tile].search and counter is not None:
        play.state.items[room] = counter
    of_effect = {**TOKEN_RULES, **play.species.token_rules}[card.effect]
    rules = f"BASE-105 {of_effect} BASE-112"
    if len(play.state.seats) == 1:
        rules += " BASE-64"
    if hostile:
        rules += " BASE-114"
    yield tell(
        "token_turned",
        rules,
        room=room,
        exploration=label_of(found),
        items=play.state.items.get(room),
    )
    return (yield from token_effect(play, card, room, seat, way, cancelled))


TOKEN_RULES = {
    "silence": "BASE-106",
    "danger": "BASE-107",
    "slime": "BASE-108",
    "fire": "BASE-109",
    "malfunction": "BASE-110",
    "doors": "BASE-111",
}


def items(play: Play, token: ExplorationToken) -> int | None:
    """The item counter, None for an unknown number; solo halves it, rounded up (BASE-64)."""
    if token.items is None or len(play.state.seats) > 1:
        return token.items
    return (token.items + 1) // 2


def token_effect(
    play: Play,
    card: ExplorationToken,
    room: str,
    seat: int | None,
    way: Corridor | None,
    cancelled: str,
) -> Steps:
    """The effect of an exploration token; True when no noise roll follows."""
    match card.effect:
        case "silence" | "danger" if cancelled:
            yield tell("token_cancelled", cancelled, room=room)
            return True
        case "silence":
            if seat is not None:
                yield from silence(play, seat, "BASE-106")
            return True
        case "danger":
            yield from danger(play, room, "BASE-107 BASE-118")
            return True
        case "slime":
            if seat is not None:
                yield from slime(play, seat, "BASE-108")
        case "fire":
            yield from place_fire(play, room, "BASE-109")
        case "malfunction":
            yield from place_malfunction(play, room, "BASE-110")
        case "doors":
            if way is None:
                yield tell("doors_ignored", "BASE-46 FAQ-A14", room=room)
            else:
                yield from close_door(play, way.id, "BASE-111")
        case _:
            return (yield from play.species.token_turned(play, card, room, seat, way))
    return False
