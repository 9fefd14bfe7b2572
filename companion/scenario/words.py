"""The words of a scenario in the words of the table: places, seats, arguments by other names.

A case may be written by somebody who has never seen a command: a seat may be a character, a room a
number or the tile that lies there, and an argument may go by the word that comes to mind.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.game import BadInput
from companion.rules import VERBS, Play

WHO = ("seat", "character", "player", "who")
PLACES = ("room", "to", "at", "via", "corridor", "mark")
#: Other words for the arguments of a verb.
ALIASES: dict[str, dict[str, str]] = {
    "move": {
        "room": "to",
        "target": "to",
        "corridor": "via",
        "through": "via",
        "noise": "mark",
        "marker": "mark",
    },
    "noise_roll": {"die": "face", "result": "face", "roll": "face", "value": "face"},
    "encounter": {"draw": "token", "intruder": "token"},
    "bag_development": {"draw": "token"},
    "event_phase": {"event": "card"},
    "reveal": {"to": "room", "at": "room", "exploration": "token", "exploration_token": "token"},
    "injure": {
        "die": "face",
        "result": "face",
        "roll": "face",
        "injuries": "hits",
        "count": "hits",
        "amount": "hits",
    },
    "wound": {"type": "kind", "wound": "kind", "amount": "count", "wounds": "count"},
    "contaminate": {"amount": "count", "cards": "count"},
    "scan": {"amount": "count", "cards": "count"},
    "rest": {"amount": "count", "cards": "count"},
    "door": {"door": "state", "to": "state", "value": "state", "at": "corridor"},
    "pod": {"what": "action", "act": "action", "id": "pod"},
    "answer": {"answer": "value", "choice": "value", "option": "value"},
}
ALIASES["room_action"] = {
    **dict.fromkeys(("pod", "object", "piece", "letter", "destination", "tile"), "target"),
    **dict.fromkeys(("coordinates", "corridor", "target_room", "choose", "chosen"), "target"),
    **dict.fromkeys(("what", "use", "choice", "option"), "action"),
    **dict.fromkeys(("cards", "count", "scanned"), "scan"),
    **dict.fromkeys(("afar", "from_afar"), "remote"),
}
ALIASES["study"] = dict.fromkeys(("object", "piece", "slot"), "target")
ALIASES["game_end"] = dict.fromkeys(("how", "ending", "reason"), "cause")
ALIASES["kill"] = ALIASES["retreat"] = {}
for _verb in ("injure", "kill", "retreat"):
    ALIASES[_verb] |= dict.fromkeys(("piece", "type", "target"), "intruder")
    ALIASES[_verb] |= {"at": "room", "in": "room"}
for _verb in ("place", "remove"):
    _things = ("intruder", "type", "kind", "marker", "object", "what", *WHO)
    ALIASES[_verb] = dict.fromkeys(_things, "piece")
    _where = ("room", "corridor", "space", "in", "to", "at", "from")
    ALIASES[_verb] |= dict.fromkeys(_where, "to" if _verb == "place" else "at")
for _verb in ("pick_up", "put_down"):
    ALIASES[_verb] = dict.fromkeys(("object", "what", "item", "thing"), "piece")

#: Arguments that state the outcome of the draw a command is about to make.
OUTCOMES = {
    ("noise_roll", "face"): "noise",
    ("encounter", "token"): "bag",
    ("bag_development", "token"): "bag",
    ("event_phase", "card"): "event",
}
#: Kinds of harm by the weapons that do it.
WEAPONS = {
    **dict.fromkeys(("six_shooter", "revolver", "gun"), "classic"),
    **dict.fromkeys(
        ("shotgun", "pistol", "rifle", "assault_rifle", "sawed_off_shotgun", "sawed_off"), "energy"
    ),
    **dict.fromkeys(("molotov",), "fire"),
    **dict.fromkeys(("fire_extinguisher", "extinguisher", "fire_control"), "phosphates"),
}
EVACUATION = ("evacuation_section_a", "evacuation_section_b")
#: Other words for what is done in a room.
ROOM_ACTIONS: dict[str, dict[str, str]] = {
    "comms_room": {"send": "signal", "send_signal": "signal"},
    "armory": dict.fromkeys(("ammo", "load", "recharge"), "reload"),
    "emergency_room": {
        **dict.fromkeys(("dress_all", "dress_wounds", "dress_serious"), "dress"),
        **dict.fromkeys(("heal_dressed", "heal_serious_wound"), "heal_serious"),
        **dict.fromkeys(("heal_all_light", "heal_light_wounds", "heal"), "heal_light"),
    },
    "fire_control_system": dict.fromkeys(("extinguish", "use"), "fire_control"),
    "generator": {
        **dict.fromkeys(("start_self_destruct", "self_destruct", "on"), "start"),
        **dict.fromkeys(("stop_self_destruct", "off"), "stop"),
    },
    "laboratory": dict.fromkeys(("research", "reveal", "discover", "analyse"), "study"),
    "nest": dict.fromkeys(("egg", "take", "pick_up"), "take_egg"),
    "storage": dict.fromkeys(("draw", "search", "items"), "take_items"),
    "surgery": dict.fromkeys(("surgery", "scan"), "operate"),
    "airlock_control": dict.fromkeys(("close", "airlock", "lock"), "seal"),
    "canteen": dict.fromkeys(("heal", "heal_light", "rest"), "eat"),
    "shower_room": dict.fromkeys(("shower", "clean"), "wash"),
    "monitoring_room": dict.fromkeys(("look", "peek"), "look_room"),
    "engine_control_room": dict.fromkeys(("look", "check", "peek"), "look_engines"),
    "cockpit": {
        **dict.fromkeys(("look", "check", "peek", "check_coordinates"), "look_coordinates"),
        **dict.fromkeys(("set", "set_destination", "destination", "set_course"), "course"),
    },
    "hibernatorium": {"hibernate": "sleep"},
    **dict.fromkeys(
        EVACUATION,
        dict.fromkeys(("enter", "board_pod", "enter_pod"), "board"),
    ),
    **dict.fromkeys(
        ("engine_1", "engine_2", "engine_3"),
        dict.fromkeys(("look", "check", "peek", "check_engine"), "look_engine"),
    ),
}
#: Steps of the event phase by the name that the rulebook gives them.
STEPS = {"lurking": "lurk"}
POD_ACTIONS = {"enter": "board", "leave": "step_out", "exit": "step_out"}


def room_or_space(play: Play, value: Any) -> Any:
    """A place by its id, in any spelling of it; what is no place comes back as it is."""
    board = play.board
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if isinstance(value, (list, tuple)) and len(value) == 2:
        value = f"{value[0]}-{value[1]}"
    if not isinstance(value, str) or value in board.corridors or value in board.spaces:
        return value
    if value.isdigit():
        return value.zfill(3)
    ends = [part.zfill(3) if part.isdigit() else part for part in value.split("-")]
    for name in ("-".join(ends), "-".join(reversed(ends[:2]))):
        if name in board.corridors:
            return name
    hidden = {r: v.get("tile") for r, v in play.state.hidden.items() if r in board.rooms}
    for room in board.rooms:
        if value in (play.tile(room), hidden.get(room)):
            return room
    return value


def seat_of(play: Play, value: Any) -> Any:
    """A seat by its number or its character; anything else comes back as it is."""
    for person in play.state.seats.values():
        if value == person.character or str(value) in (str(person.seat), f"seat:{person.seat}"):
            return person.seat
    return value


def command_of(play: Play, given: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """A ``[[when]]`` entry as a command, and the outcomes it states by purpose.

    Raises BadInput when a room is named for somebody and nobody is there.
    """
    do = given["do"]
    names = ALIASES.get(do, {})
    command: dict[str, Any] = {"do": do, "by": "scenario"}
    for key, value in given.items():
        name = names.get(key) or ("seat" if key in WHO else key)
        if key in ("do", "by") or value is None:
            continue
        if name in PLACES and not (do == "door" and name == "state"):
            value = room_or_space(play, value)
        command[name] = seat_of(play, value) if name == "seat" else value
    outcomes = {
        purpose: command.pop(name)
        for (verb, name), purpose in OUTCOMES.items()
        if verb == do and name in command
    }
    verb = VERBS.get(do)
    if verb is None:
        return command, outcomes
    _seat(play, verb.args, command)
    if do in ("injure", "kill", "retreat") and "seat" in command:
        person = play.state.seats.get(command["seat"])
        if do != "injure":
            del command["seat"]
        if person and person.room and "room" not in command:
            command["room"] = person.room
    if do == "event_phase" and "step" in command:
        command["step"] = STEPS.get(command["step"], command["step"])
    if do == "move" and command.get("via") in play.board.spaces:
        del command["via"]
        command["technical"] = True
    if do == "injure" and command.get("weapon") in WEAPONS:
        command["weapon"] = WEAPONS[command["weapon"]]
    if do == "injure" and isinstance(command.get("face"), int):
        command["face"] = str(command["face"])
    if do == "room_action":
        _in_room(play, command)
    if do == "pod":
        command["action"] = POD_ACTIONS.get(str(command.get("action")), command.get("action"))
        if command["action"] not in ("lock", "unlock"):
            command.setdefault("seat", min(play.state.seats, default=1))
        if str(command.get("pod", "")).isdigit():
            command["pod"] = f"pod_{command['pod']}"
    return command, outcomes


def _seat(play: Play, args: Mapping[str, Any], command: dict[str, Any]) -> None:
    """Who it is about: said, or whoever stands in the room named, or the first seat."""
    if "seat" not in args or "seat" in command:
        return
    if "room" in command and "room" not in args:
        room = command.pop("room")
        here = [p for p in play.order() if p.room == room]
        if not here:
            raise BadInput("room", "scenario.nobody_there", {"value": str(room)[:40]})
        command["seat"] = here[0].seat
    elif args["seat"].required:
        command["seat"] = min(play.state.seats, default=1)


def _in_room(play: Play, command: dict[str, Any]) -> None:
    """A room action in looser words: who stands there, what is done, what to."""
    board = play.board
    room = command.get("room")
    if "seat" not in command:
        here = [p.seat for p in play.order() if room is not None and p.room == room]
        command["seat"] = here[0] if here else min(play.state.seats, default=1)
    person = play.state.seats.get(command["seat"])
    where = room or (person.room if person else None)
    tile = play.tile(where) if where and where in board.rooms else None
    action = command.get("action")
    command["action"] = ROOM_ACTIONS.get(tile or "", {}).get(str(action), action)
    target = command.get("target")
    if isinstance(target, int) and tile in ("hatch_control_system", *EVACUATION):
        target = f"pod_{target}"
    elif isinstance(target, str) and len(target) == 1 and target.isalpha():
        target = target.upper()
    elif target is not None:
        target = room_or_space(play, target)
    command["target"] = target
    if command.get("scan") is True:
        cards = person.contamination if person else {}
        command["scan"] = cards.get("unscanned", 0)
    if target is not None and command["action"] is None and tile == "cockpit":
        command["action"] = "course"
    if command["action"] is None and tile == "generator":
        command["action"] = "start" if play.state.self_destruct is None else "stop"
    if command["action"] is None and tile == "hatch_control_system" and target:
        command["action"] = "unlock" if target in play.state.locked else "lock"
    if isinstance(command.get("doors"), Mapping):
        command["doors"] = {room_or_space(play, k): v for k, v in command["doors"].items()}
    for name in [k for k, v in command.items() if v is None]:
        del command[name]
