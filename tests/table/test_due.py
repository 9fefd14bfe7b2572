"""What hands have to move is what is so now, however undo, redo and next follow each other."""

from __future__ import annotations

import contextlib
import random
from collections import Counter
from typing import Any

import pytest

from companion.game import BadInput, Chance, Refused
from companion.game.state import kind_of
from companion.library import load_content
from companion.table import views
from companion.table.journal import MemoryJournal
from companion.table.ledger import place_of
from companion.table.table import Table

CONTENT = load_content()
MARKERS = ("noise", "fire", "malfunction")
FIGURES = ("captain", "scout", "soldier")
BOARD = ("room", "corridor", "space")
OFF = (None, "box", "supply", "removed")


def begun(seed: int, species: str = "intruders") -> Table:
    table = Table(CONTENT, MemoryJournal({"game": "due"}), Chance(bytes([seed]) * 32))
    table.command(
        {
            "do": "setup",
            "players": ["captain", "scout", "soldier"],
            "digital": True,
            "preset": "everything",
            "species": species,
            "truth": {"objectives": "physical"},
        }
    )
    return table


def told(table: Table) -> list[dict[str, Any]]:
    """What every page shows to be moved."""
    return list(views.view(table, "table")["instructions"])


def noisy(table: Table) -> list[tuple[str | None, str | None]]:
    return [(i["from"], i["to"]) for i in told(table) if i["kind"] == "noise"]


def test_noise_that_an_undo_wants_back_is_on_the_list_and_goes_when_it_is_so_again() -> None:
    table = begun(1)
    table.command({"do": "noise_roll", "seat": 1})
    assert noisy(table) == []
    table.command({"do": "undo"})
    assert noisy(table) == [(way, "supply") for way in AROUND]
    table.command({"do": "redo"})
    assert noisy(table) == []
    table.command({"do": "encounter", "seat": 1})
    assert noisy(table) == []
    table.command({"do": "undo"})
    assert noisy(table) == [("supply", way) for way in AROUND]
    table.command({"do": "tick", "instruction": "all"})
    assert noisy(table) == []


def test_noise_that_the_box_does_not_hold_is_put_back_as_it_was_told() -> None:
    table = begun(1)
    table.command({"do": "tracking", "topic": "noise", "level": "asked"})
    table.command({"do": "noise_roll", "seat": 1})
    table.command({"do": "answer", "value": []})
    table.command({"do": "undo"})
    assert noisy(table) == [(way, "supply") for way in AROUND]


AROUND = ("006-011", "008-011", "011-014", "011-015")  # the first roll of this game is Danger


def test_a_marker_that_lies_again_after_undo_and_next_is_not_to_be_put_back() -> None:
    table = begun(1)
    table.command({"do": "unpack"})
    table.command({"do": "noise_roll", "seat": 1})
    assert noisy(table) == []  # said, and laid at once
    table.command({"do": "undo"})
    assert noisy(table) == [(way, "box") for way in AROUND]
    table.command({"do": "redo"})
    assert noisy(table) == []
    table.command({"do": "undo"})
    assert noisy(table) == [(way, "box") for way in AROUND]
    table.command({"do": "noise_roll", "seat": 1})
    assert noisy(table) == []
    again = Table(CONTENT, table.journal, table.source)
    assert told(again) == told(table)


def test_a_marker_still_in_the_box_that_is_taken_off_meanwhile_stays_there() -> None:
    table = begun(1)
    table.command({"do": "noise_roll", "seat": 1})
    table.command({"do": "place", "piece": "fire", "to": "006"})
    table.command({"do": "unpack"})
    assert noisy(table) == [("box", way) for way in AROUND]
    table.command({"do": "encounter", "seat": 1})  # it takes the noise round the Room away
    assert noisy(table) == []
    table.command({"do": "undo"})
    assert noisy(table) == [("box", way) for way in AROUND]
    table.command({"do": "remove", "piece": "fire", "at": "006"})
    assert not [i for i in told(table) if i["kind"] == "fire"]


def test_the_list_says_what_is_so_now() -> None:
    table = begun(1)
    table.command({"do": "unpack"})
    lines = {i["piece"]: i["to"] for i in told(table)}
    assert lines["captain"] == "011"
    assert "time:15" in lines
    table.command({"do": "move", "seat": 1, "to": "006", "careful": True, "mark": "006-011"})
    table.command({"do": "event_phase", "step": "time"})
    lines = {i["piece"]: i["to"] for i in told(table)}
    assert lines["captain"] == "006"
    assert "time:14" in lines
    assert "time:15" not in lines


def test_a_figure_that_walks_again_after_an_undo_is_not_to_walk_back() -> None:
    table = begun(1)
    steps = {"do": "move", "seat": 1, "to": "006", "careful": True, "mark": "006-011"}
    table.command(steps)
    table.command({"do": "undo"})
    walks = [(i["from"], i["to"]) for i in told(table) if i["piece"] == "captain"]
    assert walks == [("006", "011")]
    table.command({"do": "redo"})
    assert not [i for i in told(table) if i["piece"] == "captain"]
    table.command({"do": "undo"})
    assert [(i["from"], i["to"]) for i in told(table) if i["piece"] == "captain"] == walks, "once"
    table.command({"do": "move", "seat": 1, "to": "014", "careful": True, "mark": "011-014"})
    assert not [i for i in told(table) if i["piece"] == "captain"]


class Hands:
    """The cardboard: hands do what is said at once for noise and figures, other moves when ticked.

    What lies somewhere is counted by kind and place; one marker is as good as another.
    """

    def __init__(self, table: Table, *, began: bool = False) -> None:
        self.table = table
        self.lies: Counter[tuple[str, str]] = Counter()
        self.stands: dict[str, str] = dict.fromkeys(FIGURES, "011") if began else {}
        self.seen = table.seq

    def look(self) -> None:
        """Do what the newest rows said."""
        for row in self.table.journal.rows(self.seen):
            self.seen = row.seq
            if row.kind == "undo":
                continue
            for event in row.events:
                params = event["params"]
                if "seat" in params and "to_room" in params:
                    self.stands[self.table.state.seats[params["seat"]].character] = params[
                        "to_room"
                    ]
                for move in event.get("instructions", ()):
                    if move["piece"] == "noise":
                        self._marker("noise", move["from"], move["to"])
                if event["type"] == "noise":  # by hand, too
                    self._marker("noise", None, params["space"])
                if event["type"] == "taken_away" and kind_of(params["piece"]) in MARKERS:
                    self._marker(kind_of(params["piece"]), params["space"], None)

    def _marker(self, kind: str, source: str | None, target: str | None) -> None:
        """One that is not there cannot be taken off, and two never lie in one place."""
        here, there = (kind, place_of(source) or ""), (kind, place_of(target) or "")
        self.lies[here] = 0
        if there[1] not in OFF and there[1]:
            self.lies[there] = 1

    def tick(self, line: dict[str, Any]) -> None:
        """Move what a line says; it must stand where the line has it from."""
        piece, kind, source, target = line["piece"], line["kind"], line["from"], line["to"]
        if kind in MARKERS:
            assert source in OFF or self.lies[kind, source] == 1, line
            assert target in OFF or not self.lies[kind, target], line
            self._marker(kind, source, target)
        elif kind in CONTENT.species[self.table.state.species].creatures or kind in FIGURES:
            known = source in CONTENT.boards["nemesis/basic"].rooms
            assert not known or self.stands.get(piece) == source, line
            self.stands.pop(piece, None)
            if target in CONTENT.boards["nemesis/basic"].rooms:
                self.stands[piece] = target

    def check(self) -> None:
        """All lines done, the cardboard is what the game holds."""
        state, later = self.table.state, Hands(self.table)
        later.lies, later.stands = Counter(self.lies), dict(self.stands)
        for line in told(self.table):
            later.tick(line)
        aliens = CONTENT.species[state.species].creatures
        lies: Counter[tuple[str, str]] = Counter()
        stands = {p.character: p.room for p in state.seats.values() if p.room}
        for piece, zone in state.where.items():
            place = place_of(zone) or ""
            if zone.split(":")[0] in BOARD and "#" in piece and ":" not in piece:
                if kind_of(piece) in MARKERS:
                    lies[kind_of(piece), place] += 1
                elif kind_of(piece) in aliens:
                    stands[piece] = place
        assert +later.lies == lies
        gone = {p.character for p in state.seats.values() if not p.room}
        assert {p: r for p, r in later.stands.items() if p not in gone} == stands


def answer(table: Table, dice: random.Random) -> dict[str, Any]:
    ask = next(iter(table.prompts().values()))
    number = next(iter(table.root.open)) if table.root else 0
    values = [o.id for o in ask.options] or [True, False]
    value: Any = dice.choice(values)
    if ask.kind == "confirm":
        value = True
    if ask.kind == "yes_no":
        value = dice.choice([True, False])
    if ask.multiple:
        value = [value]
    return {"do": "answer", "number": number, "value": value, "by": "scenario"}


def step(table: Table, dice: random.Random) -> dict[str, Any]:
    """Mostly the buttons under a thumb: the next step, undo, redo; and what people do meanwhile."""
    if table.prompts() and dice.random() < 0.7:
        return answer(table, dice)
    forward = {"do": "next"} if table.state.agenda else {"do": "event_phase"}
    what = dice.choices(
        ["forward", "undo", "redo", "tick", "move", "noise", "fire", "remove"],
        [5, 6, 3, 2, 4, 1, 1, 1],
    )[0]
    seat = dice.choice([1, 2, 3])
    room = dice.choice(sorted(CONTENT.boards["nemesis/basic"].rooms))
    corridor = dice.choice(sorted(CONTENT.boards["nemesis/basic"].corridors))
    lines = [i for i in told(table) if not i["piece"].startswith("unseen")]
    noisy = [place_of(z) for p, z in table.state.where.items() if p.startswith("noise#")]
    match what:
        case "undo" | "redo":
            return {"do": what, "by": "scenario"}
        case "tick" if lines:
            return {"do": "tick", "instruction": dice.choice(lines)["id"]}
        case "move":
            return {"do": "move", "seat": seat, "to": room}
        case "noise" if corridor not in noisy:
            return {"do": "place", "piece": "noise", "to": corridor}
        case "fire":
            return {"do": "place", "piece": "fire", "to": room}
        case "remove" if noisy:
            return {"do": "remove", "piece": "noise", "at": dice.choice(noisy)}
    return forward


@pytest.mark.parametrize("packed", [True, False])
@pytest.mark.parametrize("species", ["intruders", "void_seeders", "carnomorphs"])
@pytest.mark.parametrize("seed", range(3))
def test_whatever_follows_what_the_lines_bring_the_table_to_what_is_so(
    seed: int, species: str, packed: bool
) -> None:
    table, dice = begun(seed, species), random.Random(seed)
    if not packed:
        walk(table, Hands(table, began=True), dice)
        return
    while table.seq < 40:
        with contextlib.suppress(Refused, BadInput):
            command = step(table, dice)
            if table.seq > 1 or command["do"] != "undo":  # the setup stays
                table.command(command)
    table.command({"do": "unpack"})
    walk(table, Hands(table), dice)


def walk(table: Table, hands: Hands, dice: random.Random) -> None:
    """Play on, with the cardboard looked at after every step."""
    hands.check()
    for _ in range(150):
        command = step(table, dice)
        before = {i["id"]: i for i in told(table)}
        with contextlib.suppress(Refused, BadInput):
            table.command(command)
            if command["do"] == "tick":
                hands.tick(before[command["instruction"]])
        hands.look()
        if table.state.phase in ("over", "lobby"):
            break
        hands.check()
    again = Table(CONTENT, table.journal, table.source)
    assert told(again) == told(table)
