"""How many taps a round of Feeding takes, and what stands on the pages after it."""

from __future__ import annotations

import pytest

from companion.library import load_content
from companion.table.table import Table
from companion.table.views import view
from tests.table.people import begun, deck

CONTENT = load_content()
ROOMS = ("006", "007", "008", "014")


def hungry(preset: str) -> Table:
    """Four rooms with a Shambler and a Carcass each, nobody near; the Event Phase has begun."""
    people = ["captain", "scout"]
    decks = [deck(CONTENT, name, 2) for name in ("personal", "corporate")]
    cards = [cards[n] for n in range(2) for cards in decks]
    table = begun(CONTENT, cards, people, species="carnomorphs", preset=preset)
    table.state.met = True
    for room in ROOMS:
        table.command({"do": "place", "piece": "shambler", "to": room})
        if table.prompts():  # the first one lays its Adaptation open, which the table reads
            answer(table)
        table.command({"do": "place", "piece": "carcass", "to": room})
    table.command({"do": "event_phase"})
    return table


def answer(table: Table) -> None:
    """The Adaptation that is turned is the agile one, then one of the box; else as shown."""
    ident, ask = next(iter(table.prompts().items()))
    value = ask.options[0].id if ask.key == "ask.adaptation" else True
    table.command({"do": "answer", "prompt": ident, "value": value})


@pytest.mark.parametrize(("preset", "most"), [("everything", 3), ("bag_and_board", 4)])
def test_four_feeding_rooms_take_few_taps(preset: str, most: int) -> None:
    table = hungry(preset)
    taps = 1
    table.command({"do": "next"})
    while table.prompts():
        answer(table)
        taps += 1
    batches = {i["batch"] for i in view(table, "table")["instructions"] if i["piece"] != "carcass"}
    assert len(batches) == 1, "one list of moves for all rooms"
    taps += len(batches)
    assert taps <= most
    seen = view(table, "table")
    assert [p["room"] for p in seen["species"]["feeding"]] == list(ROOMS)
    kinds = [[i["type"] for i in seen["rooms"][room]["intruders"]] for room in ROOMS]
    assert sorted(kinds) == [["fleshbeast"]] * 3 + [["shambler"]], "three Fleshbeasts in the box"
    assert all(seen["rooms"][room]["objects"] == [] for room in ROOMS)


def test_the_picture_of_a_room_tells_before_and_after() -> None:
    table = hungry("everything")
    table.command({"do": "next"})
    answer(table)
    first = view(table, "table")["species"]["feeding"][0]
    assert first["room"] == "006"
    assert [i["type"] for i in first["before"]["intruders"]] == ["shambler"]
    assert first["before"]["objects"] == ["carcass"]
    assert [i["type"] for i in first["after"]["intruders"]] == ["fleshbeast"]
    assert first["after"]["objects"] == []
    assert [(m["eater"], m["food"]) for m in first["meals"]] == [("shambler#1", "carcass#1")]
