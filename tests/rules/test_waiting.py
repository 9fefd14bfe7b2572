"""Which steps of the Event Phase wait for a tap: those in which something can happen."""

from __future__ import annotations

import pytest

from companion.library import load_content
from companion.table.table import Table
from tests.table.people import begun, deck

CONTENT = load_content()


def table() -> Table:
    personal, corporate = deck(CONTENT, "personal", 2), deck(CONTENT, "corporate", 2)
    deal = [card for pair in zip(personal, corporate, strict=True) for card in pair]
    return begun(CONTENT, deal, ["captain", "scout"])


@pytest.mark.parametrize(("burns", "waits"), [("", "event"), ("003", "event"), ("017", "fire")])
def test_a_fire_that_harms_nobody_is_passed_over(burns: str, waits: str) -> None:
    game = table()
    for where, piece in ((burns, "fire"), ("017", "adult")):
        if where:
            game.command({"do": "place", "piece": piece, "to": where})
    while game.prompts():
        (first, ask), *_ = game.prompts().items()
        value = ask.options[0].id
        game.command({"do": "answer", "prompt": first, "value": value, "by": f"seat:{ask.to}"})
    game.command({"do": "event_phase"})
    assert game.state.agenda[0]["step"] == waits


def test_a_fire_among_the_eggs_waits() -> None:
    game = table()
    known = {"do": "reveal", "room": "003", "tile": "nest", "token": "malfunction/1"}
    for command in (known, {"do": "place", "piece": "fire", "to": "003"}, {"do": "event_phase"}):
        game.command(command)
    assert game.state.agenda[0]["step"] == "fire"
