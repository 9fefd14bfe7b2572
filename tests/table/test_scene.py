"""What the lights show of each species' danger, made from the public view of a running game."""

from __future__ import annotations

from typing import Any

import pytest

from companion.library import load_content
from companion.table.ports import Meaning
from companion.table.scene import scene
from tests.web.conftest import new_session

BOARD = load_content().boards["nemesis/basic"]


def levels(species: str, *pieces: tuple[str, str]) -> dict[str, int]:
    """Contamination by room, with these pieces in these rooms."""
    session = new_session()
    setup = {"do": "setup", "players": ["captain"], "species": species, "digital": True}
    assert session.submit(setup)["status"] == "done"
    for piece, room in pieces:
        put: dict[str, Any] = {"do": "place", "piece": piece, "to": room}
        assert session.submit(put)["status"] == "done"
        for prompt in session.view("seat:1")[1]["prompts"]:
            value = prompt["options"][0]["id"]
            session.submit({"do": "answer", "prompt": prompt["id"], "value": value, "by": "seat:1"})
    session.submit({"do": "tick", "instruction": "all"})
    lit = scene(session.view("table")[1], BOARD).rooms
    return {light.room: light.level for light in lit if light.meaning is Meaning.CONTAMINATION}


@pytest.mark.parametrize(
    ("species", "pieces", "expected"),
    [
        ("intruders", [("larva", "003")], {"003": 2}),
        ("intruders", [("larva", "003"), ("adult", "003")], {"003": 3}),
        ("void_seeders", [("lurker", "003")], {"003": 2}),
        ("void_seeders", [("stalker", "003")], {"003": 3}),
        ("void_seeders", [("lair", "003")], {"003": 3, "001": 2, "007": 2}),
        ("carnomorphs", [("shambler", "003")], {"003": 3}),
        ("carnomorphs", [("metagorger", "003")], {"003": 2}),
        ("carnomorphs", [("carcass", "003")], {"003": 2}),
    ],
)
def test_danger_is_each_species_own(
    species: str, pieces: list[tuple[str, str]], expected: dict[str, int]
) -> None:
    found = levels(species, *pieces)
    if species == "carnomorphs":
        assert found.pop("011") == 2  # the blue Corpse is food from the start
    assert found == expected


def test_the_pointer_follows_what_was_told_last() -> None:
    session = new_session()
    session.submit({"do": "setup", "players": ["captain"], "species": "intruders", "digital": True})
    session.submit({"do": "tick", "check": "all"})
    for piece, room in (("fire", "004"), ("fire", "006")):
        assert session.submit({"do": "place", "piece": piece, "to": room})["status"] == "done"
    assert len(session.view("table")[1]["instructions"]) == 2
    assert scene(session.view("table")[1], BOARD).pointer == ("006",)
    newest = session.view("table")[1]["instructions"][-1]["id"]
    session.submit({"do": "tick", "instruction": newest})
    assert scene(session.view("table")[1], BOARD).pointer == ("004",)


def test_a_closed_door_does_not_keep_a_lair_apart() -> None:
    """Void Seeders walk through closed doors, so the neighbour stays lit."""
    session = new_session()
    setup = {"do": "setup", "players": ["captain"], "species": "void_seeders", "digital": True}
    assert session.submit(setup)["status"] == "done"
    assert session.submit({"do": "place", "piece": "lair", "to": "003"})["status"] == "done"
    assert session.submit({"do": "door", "corridor": "001-003", "state": "closed"})
    lit = scene(session.view("table")[1], BOARD).rooms
    assert {light.room for light in lit if light.level == 2} >= {"001"}
