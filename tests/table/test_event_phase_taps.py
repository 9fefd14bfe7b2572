"""How often a late Event Phase asks and stops, played without pages over many crowded boards."""

from __future__ import annotations

import random
from typing import Any

import pytest

from companion.bench.evening import table as new_table
from companion.game import Ask
from companion.game.state import room_zone
from companion.library import load_content
from companion.rules import Play
from companion.table.table import Table

CONTENT = load_content()
PHASES = 250
PEOPLE = ("soldier", "captain", "scout", "scientist", "mechanic")


def crowded(seed: int, dice: random.Random) -> Table:
    """Five people in few Rooms with as many Intruders, wounded, among Fire; nobody passed."""
    table = new_table(CONTENT, seed, None)
    players = [{"character": c, "number": n} for n, c in enumerate(PEOPLE, start=1)]
    table.command({"do": "setup", "players": players})
    while table.prompts():
        answer(table, dice)
    state = table.state = table.state.copy()
    play = Play(state, CONTENT)
    rooms = dice.sample(sorted(play.board.rooms), dice.choice([1, 2, 2, 3, 4]))
    for person in state.seats.values():
        person.room = dice.choice(rooms)
        person.light = dice.randrange(3)
        person.serious = ["unknown"] * dice.choice([0, 0, 1, 1, 2, 3])
    state.explored |= {room for room in rooms if play.tile(room)}
    state.met = True
    state.sure.clear()
    for kind in dice.choices(list(play.aliens.creatures), k=6):
        if mini := next(iter(play.species.spares(play, kind)), None):
            state.where[mini] = room_zone(dice.choice(rooms))
    for room in dice.sample(rooms, dice.randrange(len(rooms) + 1)):
        state.where[play.spare("fire") or ""] = room_zone(room)
    return table


def value(ask: Ask, dice: random.Random) -> Any:
    """As it is shown, or anything; the Soldier has nothing that ignores an attack."""
    if ask.pieces is not None:
        return True
    if ask.multiple:
        some = [o.id for o in ask.options if dice.random() < 0.3]
        return some or ([] if ask.prefill is not None else [ask.options[0].id])
    if ask.kind == "yes_no":
        return dice.random() < 0.3
    if ask.key == "ask.cancel_now":
        return "never"
    return dice.choice(ask.options).id


def answer(table: Table, dice: random.Random) -> None:
    ident, ask = next(iter(table.prompts().items()))
    by = "table" if ask.to == "any" else f"seat:{ask.to}"
    table.command({"do": "answer", "by": by, "prompt": ident, "value": value(ask, dice)})


def taps(table: Table, dice: random.Random) -> int:
    """The button, each question and each *next*; rolls and Encounters count for themselves."""
    count, rolled = 1, False
    table.command({"do": "event_phase"})
    while table.prompts() or (table.state.phase == "event" and table.state.agenda):
        if table.root is None:
            count, rolled = count + 1, False
            table.command({"do": "next"})
            continue
        entry = table.root.entry or {}
        rolled |= any(ask.kind == "roll" for ask in table.prompts().values())
        count += not rolled and entry.get("step") != "encounter"
        answer(table, dice)
    return count + bool(table.ledger.open())


@pytest.mark.parametrize("first", [0, PHASES])
def test_a_crowded_event_phase_takes_ten_taps(first: int) -> None:
    counts = []
    for seed in range(first, first + PHASES):
        dice = random.Random(seed)
        counts.append(taps(crowded(seed, dice), dice))
    assert max(counts) <= 11, "docs/input-paths.md says which phases take one more"
    assert sum(count > 10 for count in counts) <= PHASES // 50
    assert sum(count > 6 for count in counts) > PHASES // 3, "they are late ones"
