"""What a card took back: what an attack did to its player, a roll that was made again.

Such lines were told and are no facts any more: the story, the numbers and the log go by this.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from companion.game.procedure import PUBLIC
from companion.table.chain import Row, standing

Told = dict[str, Any]

CANCELLED = "cancelled_by_card"
ROLL = "noise_rolled"
#: What an attack begins with, as far as a card can cancel it.
ATTACKS = ("attack_hits", "attack_hits_room", "metagorger_attacks", "larva", "surprise")
#: What an attack does.
DONE = (
    *("light_wound", "light_wounds_clear", "serious_wound", "arm_wound", "leg_comes_dressed"),
    *("contamination", "larva", "larva_gone", "slime", "put_down", "healed", "object_comes"),
    *("died", "items_stay", "pods_unlocked", "placed", "left_board", "transformed"),
    *("token_drawn", "token_back", "token_in", "mutation_shown"),
)
#: Events looked back over at most: a card is played right after what it cancels.
BACK = 80


def taken_back(before: Sequence[Told], event: Told, after: Iterable[Told]) -> list[Told]:
    """The events of ``before`` (public ones that stand, oldest first) that ``event`` takes back.

    ``after`` are those of its row behind it: a roll that is made again follows. Of an attack the
    one attacked takes back all but what it did to others, anybody else only what happened to them
    (FAQ-A26). Empty for any other event.
    """
    if event["type"] != CANCELLED:
        return []
    if any(one["type"] == ROLL for one in after):
        start = _last(before, (ROLL,))
        return list(before[start:]) if start is not None else []
    start = _last(before, ATTACKS)
    if start is None:
        return []
    seat = event["params"]["seat"]
    done = [one for one in _attack(before[start:]) if one["type"] in DONE]
    dead = {one["params"]["seat"] for one in done if one["type"] == "died"}
    whole = before[start]["params"].get("seat") == seat

    def concerns(one: Told) -> bool:
        if one["type"] == "pods_unlocked":  # by the first death
            return dead == {seat}
        return bool(one["params"]["seat"] == seat) if "seat" in one["params"] else whole

    return [one for one in done if concerns(one)]


def facts(rows: Iterable[Row]) -> list[Told]:
    """The public events of the rows that stand, without those that a card took back."""
    found: list[Told] = []
    for row in standing(rows):
        events = [event for event in row.events if event["to"] == PUBLIC]
        for n, event in enumerate(events):
            back = taken_back(found, event, events[n + 1 :])
            if back:
                gone = {id(one) for one in back}
                found = [one for one in found if id(one) not in gone]
            found.append(event)
    return found


def _last(before: Sequence[Told], types: Sequence[str]) -> int | None:
    newest = range(len(before) - 1, max(len(before) - BACK, 0) - 1, -1)
    return next((n for n in newest if before[n]["type"] in types), None)


def _attack(events: Sequence[Told]) -> Sequence[Told]:
    """An attack, its first event in front, up to what follows it in the same command."""
    for n, event in enumerate(events[1:], 1):
        if event["type"] == ROLL or _walks(event["params"]):
            return events[:n]
    return events


def _walks(params: Mapping[str, Any]) -> bool:
    return "seat" in params and "to_room" in params
