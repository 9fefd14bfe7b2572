"""Cardboard that lies face down: dealt at setup where the box holds it, and seen by one alone.

Where its place of truth is the table, the state holds nothing and a look is only a public line.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.game import Ask, Draw, Steps
from companion.game.state import DECK, kind_of
from companion.rules.play import Play, tell

#: Cards of weaknesses lie on these slots of the Intruder board, in printed order (BASE-223).
SLOTS = ("corpse", "egg", "carcass")
LETTERS = ("a", "b", "c", "d")


def digital(play: Play, component: str) -> bool:
    """Whether the box holds a hidden component."""
    return play.state.truth.get(component) == "digital"


def engines(play: Play) -> list[str]:
    """The numbers of the ship's engines."""
    printed = (room.fixed or "" for room in play.board.rooms.values())
    return sorted(f.removeprefix("engine_") for f in printed if f.startswith("engine_"))


def explorations(play: Play) -> list[str]:
    """The exploration tokens of the game: those of every species, and its aliens' own."""
    others = {
        text
        for species in play.content.species.values()
        for text in species.explorations
        if species is not play.aliens
    }
    out = {*others, *play.aliens.without}
    return [token for token in play.content.explorations if kind_of(token) not in out]


def laid(play: Play) -> int:
    """How many exploration tokens lie on the board at setup: one a tile, and more (BASE-49)."""
    tiles = sum(room.kind != "special" for room in play.board.rooms.values())
    return tiles + len(play.species.covered(play))


def deal(play: Play) -> Steps:
    """What setup lays face down and the box holds: engines, course, weaknesses.

    Each engine's pair is shuffled and the top token is its state (BASE-52); one Coordinates card
    is drawn (BASE-50), and three of the eight weaknesses (BASE-53).
    """
    hidden = play.state.hidden
    if digital(play, "engines"):
        tops = {}
        for engine in engines(play):
            tops[engine] = yield _dealt("engine", ("working", "damaged"), "engines", "BASE-52")
        hidden["engines"] = tops
    if digital(play, "coordinates"):
        cards = play.game.coordinates
        numbers = tuple(str(n) for n in range(1, len(cards) + 1))
        card = yield _dealt("coordinates", numbers, "coordinates", "BASE-50")
        hidden["coordinates"] = dict(zip(LETTERS, cards[int(card) - 1], strict=True))
    if digital(play, "weaknesses"):
        slots: dict[str, str] = {}
        for slot in play.species.slots:
            left = tuple(w for w in play.aliens.weaknesses if w not in slots.values())
            slots[slot] = yield _dealt("weakness", left, "weaknesses", "BASE-53")
        hidden["weaknesses"] = slots


def _dealt(purpose: str, options: tuple[str, ...], component: str, rule: str) -> Draw:
    return Draw(purpose, options, component, Ask("confirm", "", rule))


def show(play: Play, seat: int, rule: str, entry: Mapping[str, Any]) -> Steps:
    """Something is shown to one seat alone; it stays readable on that seat's page."""
    person = play.person(seat)
    person.seen = [*person.seen, {**entry, "round": play.state.round}]
    yield tell("seen", rule, to=(seat,), seat=seat, shown=dict(entry))


# Room tiles and exploration tokens --------------------------------------------------------------


def possible_tiles(play: Play, room: str) -> list[str]:
    """Tiles that can lie in a room: the one face up there, or of its class and not yet seen."""
    printed = play.board.rooms[room]
    if printed.fixed:
        return [printed.fixed]
    kind = printed.kind
    seen = {*play.state.tiles.values(), *(r.fixed for r in play.board.rooms.values())}
    without = play.aliens.without
    alike = [t.id for t in play.content.tiles.values() if t.kind == kind and t.id not in without]
    # All are seen and yet one lies here: then what the table said of another Room was wrong.
    return [t for t in alike if t not in seen] or alike


def free_tiles(play: Play, room: str) -> tuple[str, ...]:
    """What the box may still draw for a room: not what it holds face down elsewhere."""
    possible = possible_tiles(play, room)
    held = _held(play, room, "tile")
    return tuple(t for t in possible if t not in held) or tuple(possible)


def free_tokens(play: Play, room: str) -> tuple[str, ...]:
    """Exploration tokens that the box may still draw for a room."""
    tokens = play.state.cards("exploration", DECK)
    held = _held(play, room, "exploration")
    return tuple(t for t in tokens if t not in held) or tuple(tokens)


def _held(play: Play, room: str, what: str) -> set[str]:
    """What lies face down, known to the box, in the other rooms."""
    return {
        known[what]
        for place, known in play.state.hidden.items()
        if place in play.board.rooms and place != room and what in known
    }


def forget(play: Play, what: str, value: str | None = None) -> None:
    """No room holds this tile (token) face down any more, or, without ``value``, any."""
    hidden = play.state.hidden
    for room, known in list(hidden.items()):
        if room in play.board.rooms and what in known and value in (None, known[what]):
            hidden[room] = {k: v for k, v in known.items() if k != what}


def look_under(play: Play, seat: int, room: str, rule: str, *, token: bool = True) -> Steps:
    """One looks secretly at an unexplored room's tile and, with ``token``, at its token too."""
    yield tell("looks_at_room", rule, seat=seat, room=room)
    known = dict(play.state.hidden.get(room, {}))
    fixed = play.board.rooms[room].fixed
    if fixed:
        known["tile"] = fixed
    if "tile" not in known and digital(play, "tiles"):
        known["tile"] = yield _dealt("tile", free_tiles(play, room), "tiles", rule)
    tokens = free_tokens(play, room) if token else ()
    if "exploration" not in known and tokens and digital(play, "exploration"):
        known["exploration"] = yield _dealt("exploration", tokens, "exploration", rule)
    if known:
        play.state.hidden[room] = known
        seen = known if token else {"tile": known["tile"]} if "tile" in known else {}
        if seen:  # a tile of cardboard is read from the table
            yield from show(play, seat, rule, {"kind": "room", "room": room, **seen})


# Engines and course -----------------------------------------------------------------------------


def look_at_engine(play: Play, seat: int, engine: str, rule: str) -> Steps:
    """One looks secretly at the top token of an engine (BASE-265, BASE-345)."""
    top = play.state.hidden.get("engines", {}).get(engine)
    if top is not None:
        yield from show(play, seat, rule, {"kind": "engine", "engine": engine, "state": top})


def look_at_coordinates(play: Play, seat: int, rule: str) -> Steps:
    """One looks secretly at the Coordinates card (BASE-263, BASE-346)."""
    places = play.state.hidden.get("coordinates")
    if places:
        yield from show(play, seat, rule, {"kind": "coordinates", "places": dict(places)})
