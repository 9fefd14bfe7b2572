"""Which rules a refusal stands on, by its code: what "why?" beside it shows."""

from __future__ import annotations

from collections.abc import Mapping

#: Codes that are not here refuse what no rule speaks of (a piece that is not there, a double tap).
RULES_OF: Mapping[str, str] = {
    "airlock.destroyed_door": "BASE-251",
    "airlock.not_yellow": "BASE-251",
    "card.in_combat": "BASE-78 FAQ-A23",
    "card.no_computer": "BASE-238",
    "card.not_yellow": "BASE-276",
    "corridor_closed": "BASE-37",
    "door.destroyed": "BASE-42",
    "eggs.in_combat": "BASE-171",
    "eggs.none_here": "BASE-171",
    "hibernate.closed": "BASE-267 BASE-290",
    "hibernate.not_there": "BASE-267",
    "injure.elsewhere": "BASE-91 BASE-92",
    "injure.no_ammo": "BASE-91",
    "move.careful_all_noisy": "BASE-83",
    "move.careful_in_combat": "BASE-82 BASE-90",
    "move.careful_noisy": "BASE-82 BASE-09",
    "move.careful_not_there": "BASE-82",
    "move.no_corridor": "BASE-27",
    "move.no_technical_entrance": "BASE-30 BASE-275",
    "move.other_network": "BASE-382",
    "pass.already": "BASE-70",
    "pick_up.hands_full": "BASE-95",
    "pick_up.not_here": "BASE-93",
    "pod.full": "BASE-347",
    "pod.locked": "BASE-348 BASE-354",
    "pod.not_there": "BASE-348",
    "repair.not_there": "BASE-266",
    "reveal.tile": "BASE-29",
    "room.in_combat": "BASE-78 BASE-237",
    "room.malfunction": "BASE-135",
    "room.no_action": "BASE-237",
    "room.not_there": "BASE-237",
    "self_destruct.sleepers": "BASE-340",
    "self_destruct.yellow": "BASE-341",
    "study.not_here": "BASE-246",
    "study.not_scientist": "BASE-227",
    "study.nothing_here": "BASE-246",
}
