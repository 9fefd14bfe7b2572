"""The evening run through again ends where the table stands, and the pace comes from its rounds."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from companion.bench.evening import table as new_table
from companion.bench.play import Player
from companion.game import CompanionError
from companion.library import load_content
from companion.table import views
from companion.table.chain import Row
from companion.table.pace import BREAK_S, pace
from companion.table.timeline import timeline

CONTENT = load_content()


def played(seed: int, inputs: int) -> Any:
    """A random game in which everything is held in the box, so that the view knows the board."""
    table, player = new_table(CONTENT, seed, None), Player(CONTENT, seed, preset="everything")
    for _ in range(inputs):
        command = player.command(table)
        try:
            table.command(command)
        except CompanionError:
            player.refused(command)
    return table


def board_of(moments: list[dict[str, Any]], seats: list[int]) -> dict[str, Any]:
    """What the page makes of the moments (web/static/replay.js)."""
    places: dict[str, str | None] = {}
    marks: set[tuple[str, str]] = set()
    doors: dict[str, str] = {}
    tiles: dict[str, str] = {}
    for change in (c for moment in moments for c in moment["changes"]):
        if "tile" in change:
            tiles[change["room"]] = change["tile"]
        elif "door" in change:
            doors[change["door"]] = change["state"]
        elif "mark" in change:
            spot = (change["mark"], change["at"])
            (marks.add if change["on"] else marks.discard)(spot)
        elif change["piece"] == "seats":
            places.update({f"seat:{seat}": change["to"] for seat in seats})
        else:
            places[change["piece"]] = change["to"]
    return {"places": places, "marks": marks, "doors": doors, "tiles": tiles}


@pytest.mark.parametrize("seed", [1, 3, 8])
def test_the_last_moment_is_the_board_as_it_stands(seed: int) -> None:
    table = played(seed, 220)
    seen = views.view(table, "table")
    if not seen["rooms"]:
        pytest.skip("no game was set up")
    moments = timeline(table.journal.rows())
    shown = board_of(moments, [s["seat"] for s in seen["seats"]])
    assert len(moments) > 20
    figures = {i["id"]: r for r, room in seen["rooms"].items() for i in room["intruders"]}
    creatures = {c for s in CONTENT.species.values() for c in s.creatures}
    assert figures == {
        piece: place
        for piece, place in shown["places"].items()
        if place and piece.split("#")[0] in creatures
    }
    assert {f"seat:{s['seat']}": s.get("room") for s in seen["seats"]} == {
        piece: place for piece, place in shown["places"].items() if piece.startswith("seat:")
    }
    for mark in ("fire", "malfunction"):
        lit = {room for room, held in seen["rooms"].items() if held[mark]}
        assert lit == {at for kind, at in shown["marks"] if kind == mark}
    spaces = {**seen["corridors"], **seen["spaces"]}
    noisy = {place for place, held in spaces.items() if held["noise"]}
    assert noisy == {at for kind, at in shown["marks"] if kind == "noise"}
    shut = {c: held["door"] for c, held in seen["corridors"].items() if held["door"] != "open"}
    assert shut == {c: state for c, state in shown["doors"].items() if state != "open"}


def test_what_was_only_answered_stands_from_its_answer_on() -> None:
    """With *Bag* the table is asked how everything stands; the map shows it."""

    def row(seq: int, value: object, secret: bool = False) -> Row:
        given = {"do": "answer", "prompt": f"p{seq}.1", "value": value, "secret": secret}
        return Row(seq, "answer", "2030-01-01T20:00:00+00:00", given, [], [], *("", "", ""))

    stands = row(1, {"captain": "006", "adult#1": "007", "006-011": "closed", "014": "canteen"})
    moved = row(2, {"captain": "006", "adult#1": None, "006-011": None})
    hidden = row(4, {"015": "armory"}, secret=True)
    found = timeline([stands, row(3, True), moved, hidden], {"captain": 1})
    assert [m["line"]["type"] for m in found] == ["stands", "stands"]
    shown = board_of(found[:1], [1])
    assert shown["places"] == {"seat:1": "006", "adult#1": "007"}
    assert shown["doors"] == {"006-011": "closed"}
    assert shown["tiles"] == {"014": "canteen"}
    shown = board_of(found, [1])
    assert shown["places"] == {"seat:1": "006", "adult#1": None}
    assert shown["doors"] == {"006-011": "open"}


def test_how_everybody_fares_is_no_place() -> None:
    """Wounds are answered by Character as places are; they moved nobody, and are no moment."""

    def row(seq: int, value: object) -> Row:
        given = {"do": "answer", "prompt": f"p{seq}.1", "value": value}
        return Row(seq, "answer", "2030-01-01T20:00:00+00:00", given, [], [], *("", "", ""))

    people = {"captain": 1, "pilot": 2}
    stands = row(1, {"captain": "006", "pilot": "007"})
    found = timeline([stands, row(2, {"captain": "0-1", "pilot": "dead"})], people)
    assert len(found) == 1
    assert board_of(found, [1, 2])["places"] == {"seat:1": "006", "seat:2": "007"}


def rows(*minutes: tuple[float, str]) -> list[Row]:
    begun = datetime(2030, 1, 1, 20, tzinfo=UTC)
    return [
        Row(
            n,
            "command",
            (begun + timedelta(minutes=minute)).isoformat(),
            {},
            [],
            [{"type": kind, "to": "public", "rule": "", "params": {"n": 1}}],
            *("", "", ""),
        )
        for n, (minute, kind) in enumerate(minutes, start=1)
    ]


def test_the_pace_is_that_of_the_last_rounds_and_breaks_do_not_count() -> None:
    begun = [(0.0, "setup"), (4.0, "ready")]
    assert pace(rows(*begun, (6, "went")), 15) == {"round_s": 120, "left_s": None}
    first = [*begun, (8.0, "went"), (12.0, "round_begins")]
    assert pace(rows(*first), 14)["left_s"] == 14 * 8 * 60
    later = [*first, (14.0, "went")]
    assert pace(rows(*later), 14) == {"round_s": 120, "left_s": 6 * 60 + 13 * 8 * 60}
    assert pace(rows(*later), None)["left_s"] is None
    long = pace(rows(*first, (200.0, "went")), 14)
    assert long["round_s"] == BREAK_S
    assert pace([], 15) == {"round_s": 0, "left_s": None}
