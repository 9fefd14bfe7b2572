"""A game packed for a week: the list of every piece, ticked by bundle, line or camera."""

from __future__ import annotations

from companion.library import load_content
from companion.rules.packing import GROUPS
from companion.table import views
from companion.table.ledger import OPEN
from companion.table.table import Table
from tests.table.people import begun, deck

CONTENT = load_content()


def game() -> Table:
    deal = [
        c
        for p in zip(deck(CONTENT, "personal", 2), deck(CONTENT, "corporate", 2), strict=False)
        for c in p
    ]
    return begun(CONTENT, deal, ["captain", "scout"])


def test_unpacking_changes_nothing_and_lists_every_open_piece() -> None:
    table = game()
    for corridor in sorted(CONTENT.boards["nemesis/basic"].corridors)[:6]:
        table.command({"do": "door", "corridor": corridor, "state": "closed"})
        table.command({"do": "place", "piece": "noise", "to": corridor})
    before = table.state.digest()
    table.command({"do": "unpack"})
    assert table.state.digest() == before
    found = views.view(table, "table")["instructions"]
    assert {i["group"] for i in found} <= set(GROUPS)
    assert sum(i["kind"] == "noise" for i in found) == 6
    assert sum(i["kind"] == "door" for i in found) == 6
    assert {"captain", "scout"} <= {i["piece"] for i in found}
    assert all(i["from"] == "box" for i in found)


def test_the_list_is_ticked_by_bundle_and_by_line_and_survives_a_restart() -> None:
    table = game()
    table.command({"do": "unpack"})
    first = table.ledger.open()[0]
    table.command({"do": "tick", "batch": first["batch"], "group": "figures"})
    assert "figures" not in {i["group"] for i in table.ledger.open()}
    left = len(table.ledger.open())
    table.command({"do": "tick", "instruction": first["id"]})
    assert len(table.ledger.open()) == left - 1
    again = Table(CONTENT, table.journal, table.source)
    assert again.ledger.open() == table.ledger.open()


def test_a_long_list_loses_no_line_to_later_moves() -> None:
    table = game()
    table.command({"do": "unpack"})
    listed = [i["id"] for i in table.ledger.open()]
    moves = [
        {"piece": f"adult#{n}", "from": "room:006", "to": "room:007", "via": None}
        for n in range(60)
    ]
    event = {"to": "public", "rule": "", "type": "x", "instructions": moves}
    table.ledger.instruct(999, 999, "next", [event])
    held = [i["id"] for i in table.ledger.open()]
    assert set(listed) <= set(held)
    assert len(held) == len(listed) + OPEN
