"""What the camera sees against what the table holds."""

from __future__ import annotations

from typing import Any

import pytest

from companion.table.ports import Placement, Registration, Sighting
from companion.table.sight import Reading, compare


def view(**more: Any) -> dict[str, Any]:
    """A table's view with two people and three adults, as far as sight reads it."""
    intruders = {"006": ["adult#1"], "007": ["adult#2"], "012": ["adult#3"]}
    return {
        "seats": [{"character": "captain", "room": "011"}, {"character": "scout", "room": "011"}],
        "rooms": {
            room: {"intruders": [{"id": i} for i in intruders.get(room, [])]}
            for room in ("006", "007", "011", "012")
        },
        "instructions": [],
        "tracking": {"characters": "tracked", "intruders": "tracked"},
        **more,
    }


def instruction(piece: str, to: str, ident: str = "i1.1") -> dict[str, Any]:
    kind = piece.split("#")[0]
    return {"id": ident, "piece": piece, "kind": kind, "from": "supply", "to": to}


def seen(pieces: dict[str, str | None], gone: tuple[str, ...] = (), ok: bool = True) -> Sighting:
    placed = tuple(
        Placement(n, piece, piece.split("#")[0], room, None, (0.5, 0.5), 0.9)
        for n, (piece, room) in enumerate(pieces.items())
    )
    return Sighting(1.0, Registration(ok, 8, 0.5), placed, gone)


AS_HELD: dict[str, str | None] = {
    "captain": "011",
    "scout": "011",
    "adult#1": "006",
    "adult#2": "007",
    "adult#3": "012",
}


def moved(reading: Reading) -> list[tuple[str, str | None, str | None]]:
    return [(d.piece, d.held, d.room) for d in reading.differences]


def test_everything_as_held() -> None:
    assert compare(view(), seen(AS_HELD)) == Reading()


def test_equal_miniatures_that_changed_places_are_no_difference() -> None:
    swapped = {**AS_HELD, "adult#1": "007", "adult#2": "006"}
    assert compare(view(), seen(swapped)) == Reading()


def test_a_turn_of_three_equal_miniatures_is_no_difference() -> None:
    turned = {**AS_HELD, "adult#1": "007", "adult#2": "012", "adult#3": "006"}
    assert compare(view(), seen(turned)) == Reading()


def test_a_person_elsewhere_is_a_difference() -> None:
    assert moved(compare(view(), seen({**AS_HELD, "captain": "006"}))) == [
        ("captain", "011", "006")
    ]


def test_an_intruder_where_none_is_held() -> None:
    assert moved(compare(view(), seen({**AS_HELD, "queen#1": "011"}))) == [("queen#1", None, "011")]


def test_two_people_do_not_stand_in_for_each_other() -> None:
    lone = view()
    lone["seats"][1]["room"] = "006"
    changed = {**AS_HELD, "captain": "006", "scout": "011"}
    assert len(compare(lone, seen(changed)).differences) == 2


def test_an_instruction_seen_done_closes() -> None:
    told = view(instructions=[instruction("adult#1", "006")])
    assert compare(told, seen(AS_HELD)).done == ("i1.1",)


def test_an_equal_miniature_does_as_well() -> None:
    told = view(instructions=[instruction("adult#1", "006")])
    other = {"adult#5": "006"}
    assert compare(told, seen(other)).done == ("i1.1",)


def test_one_miniature_closes_one_instruction() -> None:
    both = [instruction("adult#4", "011", "i1.1"), instruction("adult#5", "011", "i1.2")]
    reading = compare(view(instructions=both), seen({**AS_HELD, "adult#4": "011"}))
    assert reading.done == ("i1.1",)


def test_what_an_open_instruction_explains_is_no_difference() -> None:
    told = view(instructions=[instruction("adult#1", "006")])
    assert compare(told, seen({**AS_HELD, "adult#1": "011"})) == Reading()


def test_a_removal_closes_when_the_piece_is_gone() -> None:
    told = view(instructions=[instruction("adult#4", "supply")])
    assert compare(told, seen(AS_HELD)).done == ()
    assert compare(told, seen(AS_HELD, gone=("adult#4",))).done == ("i1.1",)


def test_a_removal_stays_while_the_piece_is_seen() -> None:
    told = view(instructions=[instruction("adult#4", "supply")])
    here = {**AS_HELD, "adult#4": "011"}
    assert compare(told, seen(here, gone=("adult#4",))).done == ()


def test_a_held_intruder_that_is_gone() -> None:
    left = {p: r for p, r in AS_HELD.items() if p != "adult#1"}
    assert moved(compare(view(), seen(left, gone=("adult#1",)))) == [("adult#1", "006", None)]


def test_a_covered_piece_is_nothing() -> None:
    left = {p: r for p, r in AS_HELD.items() if p != "adult#1"}
    assert compare(view(), seen(left)) == Reading()


@pytest.mark.parametrize(
    ("sighting", "more"),
    [
        (seen({"captain": "006"}, ok=False), {}),
        (seen({"captain": "006"}), {"seats": []}),
        (seen({"captain": None}), {}),
        (seen({"captain": "006"}), {"tracking": {"characters": "asked"}}),
        (seen({"adult#4": "011"}), {"tracking": {"intruders": "told"}}),
    ],
)
def test_nothing_is_concluded_from_too_little(sighting: Sighting, more: dict[str, Any]) -> None:
    assert compare(view(**more), sighting) == Reading()


def token(number: int, piece: str, room: str | None, corridor: str | None = None) -> Placement:
    return Placement(number, piece, piece.split("_")[0], room, corridor, (0.5, 0.5), 0.9)


def moves(piece: str, source: str, to: str) -> dict[str, Any]:
    return {**instruction(piece, to), "kind": piece.split("#")[0], "from": source}


@pytest.mark.parametrize(
    ("told", "seen_tokens", "before", "done"),
    [
        (moves("fire", "supply", "006"), [token(64, "fire", "006")], set(), True),
        (moves("fire", "supply", "006"), [token(64, "fire", "007")], set(), False),
        (moves("malfunction", "supply", "006"), [token(64, "fire", "006")], set(), False),
        (moves("door", "supply", "006-011"), [token(67, "door", None, "006-011")], set(), True),
        (moves("fire", "006", "supply"), [], {("fire", "006")}, True),
        (moves("fire", "006", "supply"), [token(64, "fire", "006")], {("fire", "006")}, False),
        (moves("fire", "006", "supply"), [], set(), False),  # these tokens are not printed here
        (moves("door", "006-011", "supply"), [], {("door", "006-011")}, True),
    ],
)
def test_printed_tokens_close_their_instructions(
    told: dict[str, Any], seen_tokens: list[Placement], before: set[Any], done: bool
) -> None:
    now = Sighting(1.0, Registration(True, 8, 0.5), tuple(seen_tokens))
    reading = compare(view(instructions=[told]), now, frozenset(before))
    assert reading.done == (("i1.1",) if done else ())
    assert reading.differences == ()


def test_two_markers_of_one_number_are_told_with_both_places() -> None:
    def at(number: int, piece: str, room: str | None, x: float = 0.5) -> Placement:
        return Placement(number, piece, piece.split("_")[0], room, None, (x, 0.5), 0.9)

    places = (at(1, "captain", "011"), at(1, "captain", None, 1.1), at(60, "card_next", None))
    both = (*places, at(60, "card_next", "006"))
    now = seen(AS_HELD)
    doubled = Sighting(1.0, now.registration, now.pieces, twice=both)
    told = [(d.piece, d.held, d.room, d.twice) for d in compare(view(), doubled).differences]
    assert told == [
        ("captain", "011", "beside", True),
        ("card_next", "006", "between", True),
    ]
    assert compare(view(), now).differences == ()
