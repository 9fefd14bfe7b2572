"""The evening as a story: what everybody saw, round by round, and how it came out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from companion.rules.verdicts import JUDGED, SUMS
from companion.table.chain import Row
from companion.table.taken import facts

#: Public events worth telling again, in the words ``story.<type>``.
TOLD = (
    *("placed", "first_encounter", "surprise", "killed", "queen_comes", "larva", "serious_wound"),
    *("explored", "weakness_found", "signal", "nest_destroyed", "egg_laid", "fire"),
    *("self_destruct_on", "self_destruct_off", "hibernation_open", "pods_unlocked"),
    *(
        "hibernated",
        "boarded",
        "pod_emptied",
        "stepped_out",
        "launched",
        "died",
        "game_over",
        "nobody_survives",
    ),
    *("now_hibernated", "now_launched", "pod_people"),
    *("verdict_ship_gone", "verdict_engines_hold", "verdict_engines_fail", "verdict_course"),
    *(
        "verdict_spared",
        "verdict_dies_asleep",
        "verdict_healthy",
        "verdict_recovers",
        "verdict_succumbs",
        "verdict_endures",
        "verdict_mutates",
        "verdict_sane",
        "verdict_keeps_mind",
        "verdict_loses_mind",
    ),
    *("adaptation_turned", "mutation_shown"),
    *("lair_found", "lairs_destroyed", "despoiler_defeated"),
    *("verdict_objective_met", "verdict_objective_missed", "verdict_met", "verdict_missed"),
    *("verdict_winners", "verdict_nobody", "verdict_together", "verdict_lost"),
)
#: Verdicts that say already that somebody dies.
DEADLY = ("verdict_succumbs", "verdict_mutates", "verdict_dies_asleep", "verdict_loses_mind")
#: What the picture of the evening counts in every round.
COUNTED = {
    "encounter": "encounters",
    "killed": "kills",
    "light_wound": "wounds",
    "serious_wound": "wounds",
}
#: What is summed up beside the story.
SUMMED = {"encounter": "encounters", "killed": "kills", "explored": "rooms", "died": "deaths"}


def story(rows: Iterable[Row]) -> dict[str, Any]:
    """``chapters`` [{round, lines [{type, params, rule}]}], ``sums`` and ``rounds`` [{what: n}].

    From public events only.
    What was undone, or taken back by a card, did not happen. Round 0 is the end of the game.
    """
    chapters: list[dict[str, Any]] = [{"round": 1, "lines": []}]
    sums: Counter[str] = Counter()
    rounds: list[Counter[str]] = [Counter()]
    for event in facts(rows):
        kind = event["type"]
        if kind in SUMMED:
            sums[SUMMED[kind]] += 1
        if kind in COUNTED:
            rounds[-1][COUNTED[kind]] += 1
        if kind == "round_begins":
            chapters.append({"round": event["params"]["n"], "lines": []})
            rounds.append(Counter())
        if kind == "game_over":
            chapters.append({"round": 0, "lines": []})
        if kind in TOLD:
            _tell(chapters[-1]["lines"], event)
    return {
        "chapters": [c for c in chapters if c["lines"]],
        "sums": dict(sums),
        "rounds": [dict(counted) for counted in rounds],
    }


def _tell(lines: list[dict[str, Any]], event: dict[str, Any]) -> None:
    """Add a line; a word of the table about an objective takes the place of the one before."""
    kind, params = event["type"], event["params"]
    if kind == "died":
        if lines and lines[-1]["type"] in DEADLY:
            return  # the verdict said so
        kind = "died" if params.get("room") else "died_away"
    if kind == "now_hibernated":
        kind = "hibernated"
    if kind == "pod_people":
        if not params["launched"]:
            return  # thrown out of a Pod: still aboard
        kind = "now_launched"
    if kind in JUDGED:
        lines[:] = [
            one
            for one in lines
            if one["type"] not in JUDGED or one["params"]["seat"] != params["seat"]
        ]
    if kind in SUMS:
        lines[:] = [one for one in lines if one["type"] not in SUMS]
    lines.append({"type": kind, "params": params, "rule": event["rule"]})
