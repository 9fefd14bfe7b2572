"""How long the evening takes, from its own pace. Wall time is shown and nothing depends on it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from companion.game.procedure import PUBLIC
from companion.table.chain import Row, standing

BREAK_S = 300.0  # a longer silence is a break, and counts as this


def pace(rows: Iterable[Row], turns: int | None) -> dict[str, Any]:
    """``{round_s, left_s}``: seconds of this round so far, and those the game may still take.

    ``turns`` are the rounds that the time track still allows. ``left_s`` is None while no round
    is over or nothing says how many are left. Breaks do not count.
    """
    ended: list[float] = []
    spent, before = 0.0, ""
    for row in standing(rows):
        if before:
            gap = (datetime.fromisoformat(row.at) - datetime.fromisoformat(before)).total_seconds()
            spent += min(max(gap, 0.0), BREAK_S)
        before = row.at
        kinds = {event["type"] for event in row.events if event["to"] == PUBLIC}
        if "ready" in kinds:
            spent = 0.0
        if "round_begins" in kinds:
            ended.append(spent)
            spent = 0.0
    if not ended or turns is None:
        return {"round_s": round(spent), "left_s": None}
    usual = sum(ended[-3:]) / len(ended[-3:])
    return {
        "round_s": round(spent),
        "left_s": round(max(usual - spent, 0.0) + usual * max(turns - 1, 0)),
    }
