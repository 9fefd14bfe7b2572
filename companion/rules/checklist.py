"""What hands do to set the table up, as steps with their amounts, split over the people present.

The steps follow from the state after setup; who has ticked which is the ledger's business. What
the box deals in secret is no step: only cardboard that really goes on the table is named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from itertools import cycle
from typing import Any

from companion.game.state import kind_of
from companion.rules.facedown import explorations, laid
from companion.rules.play import Play


@dataclass(frozen=True, slots=True)
class Task:
    """One step. Its words are ``setup.task.<kind>``; ``seat`` does it."""

    id: str
    kind: str
    rule: str
    params: dict[str, Any] = field(default_factory=dict)
    seat: int = 0

    def to_json(self) -> dict[str, Any]:
        """As shown in a view, with the key of its words."""
        return {
            "id": self.id,
            "key": f"setup.task.{self.kind}",
            "params": dict(self.params),
            "rule": self.rule,
            "seat": self.seat,
        }


def checklist(play: Play, present: Collection[int] = ()) -> list[Task]:
    """The steps in a good order: shared ones dealt out in turn to who is ``present``, then own.

    ``present`` holds seats; with none of this game among them everybody is taken to be there.
    """
    playing = sorted(play.state.seats)
    seats = [s for s in playing if s in present] or playing
    shared = zip(_shared(play), cycle(seats)) if seats else ()
    dealt = ((task, task.seat or seat) for task, seat in (*shared, *((t, 0) for t in _own(play))))
    return [replace(task, seat=seat, rule=play.cite(task.rule)) for task, seat in dealt]


def _by_hand(play: Play, component: str) -> bool:
    return play.state.truth.get(component) == "physical"


def _shared(play: Play) -> Iterator[Task]:
    """The board and what lies beside it (BASE-48 to BASE-62)."""
    state, game, board = play.state, play.game, play.board
    kinds = [r.kind for r in board.rooms.values()]
    yield Task("side", "side", "BASE-23" if board.id.endswith("/basic") else "BASE-379")
    if _by_hand(play, "tiles"):
        out = [tile for tile in play.aliens.without if tile in play.content.tiles]
        if out:
            yield Task("tiles_out", "tiles_out", "BASE-48", {"tiles": out})
        first, second = kinds.count("1"), kinds.count("2")
        yield Task("tiles", "tiles", "BASE-48 BASE-29", {"first": first, "second": second})
    for room, printed in sorted(board.rooms.items()):
        if printed.kind == "fixed_tile":
            yield Task(f"tile_{room}", "face_up", "BASE-380", {"room": room})
    if _by_hand(play, "exploration"):
        yield from _explorations(play)
    cockpit = next(r for r, room in sorted(board.rooms.items()) if room.fixed == "cockpit")
    if _by_hand(play, "coordinates"):
        yield Task("coordinates", "coordinates", "BASE-50", {"room": cockpit})
    yield Task("destination", "destination", "BASE-50", {"place": state.destination})
    for side in "ab":
        pods = sorted(p for p, zone in state.where.items() if zone == f"section:{side}")
        if pods:
            placed = {"pods": pods, "section": side.upper()}
            yield Task(f"pods_{side}", "pods", "BASE-51", placed)
    if _by_hand(play, "engines"):
        yield Task("engines", "engines", "BASE-52")
    yield Task("eggs", "eggs", "BASE-53", {"n": play.species.eggs(play)})
    for ident, kind, rule, params in play.species.tasks(play):
        yield Task(ident, kind, rule, params)
    if _by_hand(play, "bag"):
        tokens = play.species.starting_bag(play)
        held = {kind: count for kind, count in tokens.items() if count}
        yield Task("bag", "bag", "BASE-54", {"tokens": held, "n": sum(held.values())})
    for component, cards in (("event", "event"), ("attack", "attack")):
        if _by_hand(play, component):
            amounts = {"deck": cards, "n": game.decks[cards], "species": play.aliens.id}
            yield Task(component, "deck", "BASE-55", amounts)
    if _by_hand(play, "items"):
        red, crafted = game.decks["item_red"], game.decks["item_crafted"]
        yield Task("items", "items", "BASE-55", {"n": red, "count": crafted})
    if _by_hand(play, "wounds"):
        yield Task("wounds", "wounds", "BASE-55", {"n": game.decks["wound"]})
    if _by_hand(play, "contamination"):
        yield Task("contamination", "contamination", "BASE-55", {"n": game.decks["contamination"]})
    yield Task("time", "time", "BASE-56", {"time": game.time_start})
    yield Task("corpse", "corpse", "BASE-62", {"room": board.start_room})
    limits = game.limits
    yield Task(
        "markers",
        "markers",
        "BASE-03",
        {
            "first": limits["fire"],
            "second": limits["malfunction"],
            "n": limits["noise"],
            "count": limits["door"],
        },
    )
    yield Task("miniatures", "miniatures", "BASE-02")
    if state.intruder_player:
        yield Task("intruder_cards", "intruder_cards", "BASE-228 BASE-236", {"n": 10})


def _explorations(play: Play) -> Iterator[Task]:
    """Which exploration tokens are in play, and where they go (BASE-49)."""
    every = Counter(map(kind_of, play.content.explorations))
    own, out = play.aliens.explorations, play.aliens.without
    added = {kind: every[kind] for kind in own}
    gone = {kind: every[kind] for kind in out if kind in every}
    if added or gone:
        yield Task("tokens_changed", "tokens_changed", "BASE-49", {"gone": gone, "added": added})
    on_board, also = laid(play), play.species.covered(play)
    amounts = {"n": on_board, "count": len(explorations(play)) - on_board}
    if also:
        yield Task("exploration", "exploration_also", "BASE-49", {**amounts, "also": also})
    else:
        yield Task("exploration", "exploration", "BASE-49", amounts)


def _own(play: Play) -> Iterator[Task]:
    """What each player takes (BASE-57 to BASE-61)."""
    state, game = play.state, play.game
    players = len(state.seats)
    for seat, person in sorted(state.seats.items()):
        character = play.content.characters[person.character]
        yield Task(
            f"own_{seat}",
            "own" if character.ammo is not None else "own_unknown",
            "BASE-57 BASE-60",
            {
                "character": person.character,
                "number": person.number,
                "n": game.decks["action"],
                "count": character.ammo or 0,
                "room": play.board.start_room,
            },
            seat,
        )
        if seat == state.first_player:
            yield Task("first_player", "first_player", "BASE-61", {}, seat)
        if _by_hand(play, "objectives"):
            kind = "open" if state.coop else "alone" if players == 1 else "secret"
            rule = {"open": "BASE-65", "alone": "BASE-63", "secret": "BASE-58"}[kind]
            yield Task(f"objectives_{seat}", f"objectives_{kind}", rule, {"n": players}, seat)
