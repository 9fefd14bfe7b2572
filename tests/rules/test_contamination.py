"""Contamination cards read by the box: 27 of them, 7 infected, whatever leaves the game."""

from __future__ import annotations

from collections import Counter

from companion.library import load_content
from tests.table.people import begun, deck

CONTENT = load_content()


def test_cards_that_left_the_game_come_to_nobody_again() -> None:
    personal, corporate = deck(CONTENT, "personal", 2), deck(CONTENT, "corporate", 2)
    deal = [card for pair in zip(personal, corporate, strict=True) for card in pair]
    table = begun(CONTENT, deal, ["captain", "scout"])
    rules = CONTENT.games["nemesis"]
    for _ in range(rules.contamination):
        table.command({"do": "contaminate", "seat": 1})
        table.command({"do": "alcohol", "seat": 1})
        if sum(table.state.contamination_gone.values()) == rules.contamination:
            break
    left = Counter(table.state.contamination_gone)
    assert left == {"infected": rules.infected, "clean": rules.contamination - rules.infected}
    assert sum(table.state.seats[1].contamination.values()) == 0
    table.command({"do": "contaminate", "seat": 2})
    assert sum(table.state.seats[2].contamination.values()) == 0
    assert table.log.lines(None)[-1]["type"] == "contamination_empty"
