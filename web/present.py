"""A view as a page shows it: the same facts, with words in the reader's language beside the ids.

The page is JSON; browsers draw it and decide nothing. Nothing is added that the view does not
hold, so a page knows what its audience may know.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion.game.state import kind_of
from companion.library.model import Content
from companion.rules.intruder_player import CARDS
from companion.rules.packing import topic_of
from companion.rules.phase import REDUCED
from companion.rules.species import strategy, written
from companion.table.sounds import cue_of, spoken
from web import rooms
from web import species as own
from web.asking import prompt
from web.cards import last_card, objective
from web.ending import verdicts
from web.services import View
from web.terms import Naming, Terms

Page = dict[str, Any]
Made = Callable[[], Any]

_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
KEPT = ("rooms", "corridors", "checklist")  # parts of a page that `Said.part` makes
UNIT = 192  # bytes: every objective in every language fits in one

#: Log lines that ask for a second look, and how they look.
TONES = {
    "fire": "fire",
    "self_destruct": "alarm",
    "self_destruct_on": "alarm",
    "died": "alarm",
    "game_over": "alarm",
    "encounter": "alien",
    "placed": "alien",
    "surprise": "alien",
    "attack_hits": "alien",
    "attack_hits_room": "alien",
    "queen_comes": "alien",
    "event_drawn": "card",
    "event_effect": "card",
    "noise": "noise",
    "noise_removed": "noise",
    "noise_rolled": "noise",
    "round_begins": "head",
    "event_phase": "head",
    "undone": "quiet",
    "by_hand": "quiet",
    "happened_anyway": "quiet",
}


#: Lines of the log among which the moves to make were told.
RECENT = 60

#: Log lines that ask hands for something no moving piece shows: they stay on phones until seen to.
HANDS = frozenset(
    {
        "action_card_gone",
        "adaptation_by_table",
        "arm_wound",
        "card_by_table",
        "contamination",
        "discard_one_each",
        "discards_action_cards",
        "discards_hand",
        "hands_discarded",
        "insanity",
        "insanity_by_table",
        "light_wound",
        "light_wounds_clear",
        "loses_card",
        "mutation_drawn",
        "mutation_infected",
        "mutation_marker",
        "mutation_not_infected",
        "panic_by_table",
        "serious_wound",
    }
)


class Said:
    """What was put into words before, kept while it and the names in it stay as they are.

    Nearly all lines of a log and most parts of a page were on the page before, and on those of
    other audiences. What comes back is on other pages too: it is never changed.
    """

    MOST = 600  # lines of one language

    def __init__(self) -> None:
        self._lines: dict[tuple[str, bool], tuple[Any, dict[int, tuple[Any, Page]]]] = {}
        self._parts: dict[tuple[str, str, str], tuple[tuple[Naming, tuple[Any, ...]], Any]] = {}
        self._spelled: dict[int, tuple[Any, str]] = {}

    def part(self, name: str, terms: Terms, box: str, given: tuple[Any, ...], make: Made) -> Any:
        """A part of the page, made anew when something it is made from has changed.

        ``given`` is all of the view that ``make`` looks at, besides the names.
        """
        key = (name, terms.language, box)
        kept = self._parts.get(key)
        if kept is None or kept[0] != (terms.naming, given):
            kept = self._parts[key] = ((terms.naming, given), make())
        return kept[1]

    def lines(
        self, log: Sequence[Mapping[str, Any]], terms: Terms, *, heard: bool = False
    ) -> list[Page]:
        """Every line of a log as pages show it; ``heard`` where cues and narrator are.

        Lines of a view are never changed: their identity is theirs.
        """
        key, named = (terms.language, heard), (terms.naming, terms.chosen)
        naming, kept = self._lines.get(key, (None, {}))
        if naming != named or len(kept) > self.MOST:
            kept = {}
            self._lines[key] = (named, kept)
        for line in log:
            if id(line) not in kept:
                shown = _line(line, terms)
                kept[id(line)] = line, {**shown, **_heard(line)} if heard else shown
        return [kept[id(line)][1] for line in log]

    def json(self, page: Page) -> str:
        """The JSON text of a page; parts that were on a page before are not spelled again.

        What stands from `SECRETS` on is as long for one secret as for another (`_even`).
        """
        return f"{{{','.join(f'{_JSON(n)}:{self._spell(n, v)}' for n, v in page.items())}}}"

    def _spell(self, name: str, value: Any) -> str:
        if name == "log":
            return f"[{','.join(map(self._kept, value))}]"
        if name == "prompts":
            return f"[{','.join(_even(p) if p['secret'] else _JSON(p) for p in value)}]"
        if name == "me":
            return _even(value)
        return self._kept(value) if name in KEPT else _JSON(value)

    def _kept(self, value: Any) -> str:
        found = self._spelled.get(id(value))
        if found is None:
            if len(self._spelled) > 2 * self.MOST:
                self._spelled.clear()
            found = self._spelled[id(value)] = value, _JSON(value)
        return found[1]


#: What is secret of a page begins here in its JSON text.
SECRETS = ',"prompts":['


def _even(given: Mapping[str, Any]) -> str:
    """JSON in which each entry of a list fills whole units: lengths tell how many, not which."""

    def fill(entry: Any) -> str:
        text = _JSON(entry)
        return text + " " * (-len(text.encode()) % UNIT)

    def spell(value: Any) -> str:
        return f"[{','.join(map(fill, value))}]" if isinstance(value, list) else _JSON(value)

    return f"{{{','.join(f'{_JSON(name)}:{spell(value)}' for name, value in given.items())}}}"


def page(
    view: View, content: Content, language: str, box: str = "", said: Said | None = None
) -> Page:
    """The page of a view. ``box`` is the language printed on the cardboard, if another.

    ``said`` keeps what log lines say from one page to the next.
    """
    terms = Terms(content, language, view)
    box = box if box != language else ""
    printed = Terms(content, box, view) if box else None
    said = said or Said()
    floor, corridors, spaces = (view.get(part, {}) for part in ("rooms", "corridors", "spaces"))
    told = _told(view)
    around = (floor, view.get("airlock"), view.get("species"), view.get("truth"))
    shown: Page = {
        "status": view["game"]["status"],
        "phase": view["phase"],
        "board": view["game"].get("board", ""),
        "game": view["game"].get("id", ""),
        "simulated": bool(view["game"].get("simulated")),
        "head": _head(view, terms),
        "steps": _steps(view, terms),
        "players": view["game"].get("players", 0),
        "seats": [_seat(s, terms) for s in view.get("seats", ())],
        "drafting": _drafting(view, terms),
        "body": _body(view),
        "people": _people(view),
        "rooms": said.part(
            "rooms",
            terms,
            box,
            around,
            lambda: {r: _room(r, room, view, terms, printed) for r, room in floor.items()},
        ),
        "corridors": said.part(
            "corridors",
            terms,
            "",
            (corridors,),
            lambda: {c: {**held, "label": terms.space(c)} for c, held in corridors.items()},
        ),
        "spaces": {s: {**space, "label": terms.term(s)} for s, space in spaces.items()},
        "pods": [{**p, "label": terms.piece(p["id"])} for p in view.get("pods", ())],
        "offers": [_offer(o, terms) for o in view.get("offers", ())],
        "card": last_card(view, terms),
        "waiting": view.get("waiting", 0),
        "instructions": [
            {
                **_instruction(i, view, terms, printed),
                "fed": own.is_meal(i, view),
                "line": told.get(i["id"]),
            }
            for i in view.get("instructions", ())
        ],
        # Only the table is heard.
        "log": said.lines(view["log"], terms, heard="me" not in view and "host" not in view),
        "can": _can(view, terms),
        "noise_die": _noise_die(view, terms),
        "differences": [_difference(d, terms) for d in view.get("differences", ())],
        "pause": bool(view.get("pause")),
        "unsure": [terms.param("topic", t, {}) for t in view.get("unsure", ()) if ":" not in t],
        "counts": _counts(view, terms),
        "checklist": said.part(
            "checklist", terms, "", (view.get("checklist"),), lambda: _checklist(view, terms)
        ),
        "intruders": {
            "seat": view["game"].get("intruder_seat"),
            "cards": {card: terms.say(f"ui.intruder_card.{card}") for card in CARDS},
        },
        "creatures": _creatures(view, terms),
        "species": own.species(view, terms),
        "statistics": _statistics(view, terms),
        "verdicts": verdicts(view, terms),
        "prompts": [prompt(p, terms, printed) for p in view["prompts"]],
    }
    if "me" in view:
        secrets = view["me"]["secrets"]
        shown["me"] = {
            "seat": view["me"]["seat"],
            "objectives": [
                objective(o, terms, kept=o == secrets.get("kept"))
                for o in secrets.get("objectives", ())
            ],
            "seen": rooms.seen(secrets.get("seen", ()), terms),
            "cards": own.secret(secrets.get("species", {}), terms),
        }
    if "host" in view:
        shown["host"] = dict(view["host"])
        shown["settings"] = _settings(view, terms)
    return shown


def _head(view: View, terms: Terms) -> Page:
    tracks = view["tracks"]
    phase = view["phase"]
    ending = view["game"].get("ending")
    return {
        "round": terms.say("ui.round", {"n": view["round"]}) if view["round"] else "",
        "phase": terms.say(f"phase.{phase}"),
        "step": terms.param("step", view["step"], {}) if view.get("step") else "",
        "time": tracks.get("time") if phase != "lobby" else None,
        "self_destruct": tracks.get("self_destruct"),
        "hibernation": bool(tracks.get("hibernation")),
        "ending": terms.say(f"ending.{ending}") if ending else "",
        "first": view.get("first_player"),
        "bag": view.get("bag", {}).get("count"),
        "eggs": view.get("eggs"),
    }


def _steps(view: View, terms: Terms) -> list[Page]:
    """The event phase as a row: done, now, next. Empty in the player phase."""
    if view["phase"] != "event":
        return []
    due = list(view.get("agenda", ()))
    now = view.get("step")
    upcoming = due[0] if due else None
    found: list[Page] = []
    for name in REDUCED if view["game"].get("intruder_seat") else view["phase_steps"]:
        state = "now" if name == now and name not in due else "next" if name in due else "done"
        label = terms.param("step", name, {})
        found.append({"id": name, "icon": name, "label": label, "state": state})
    for entry in found:
        if entry["id"] == upcoming and not any(e["state"] == "now" for e in found):
            entry["state"] = "now"
    return found


def _people(view: View) -> list[Page]:
    return [
        {
            "seat": int(seat),
            "name": person.get("name", ""),
            "character": person.get("character", ""),
            "present": bool(person.get("present")),
        }
        for seat, person in view.get("people", {}).items()
    ]


def _drafting(view: View, terms: Terms) -> list[Page]:
    """Who plays and has no Character yet, by name."""
    seated = {seat["seat"] for seat in view.get("seats", ())}
    left = [n for n in range(1, view["game"].get("players", 0) + 1) if n not in seated]
    return [{"seat": n, "label": terms.person(n)} for n in left]


def _body(view: View) -> Page:
    """What can be on a character in this game."""
    species = view["game"].get("species")
    rules = strategy(species) if species in written() else None
    return {"slime": bool(rules and rules.slime), "larva": bool(rules and rules.larvae)}


def _seat(seat: Mapping[str, Any], terms: Terms) -> Page:
    character = terms.content.characters[seat["character"]]
    state = seat.get("state", "aboard")
    badges: list[Page] = []
    if state != "aboard":
        badges.append({"icon": state, "label": terms.say(f"ui.state.{state}")})
    if seat.get("in_combat"):
        badges.append({"icon": "combat", "label": terms.term("combat")})
    for mark in ("slime", "larva", "signal"):
        if seat.get(mark):
            badges.append({"icon": mark, "label": terms.term(mark)})
    if seat.get("passed"):
        badges.append({"icon": "passed", "label": terms.say("ui.passed")})
    marked = own.marks(seat, terms)
    badges += marked
    for carried in seat.get("objects", ()):
        badges.append({"icon": carried.split("#")[0], "label": terms.piece(carried)})
    room = seat.get("room")
    return {
        "seat": seat["seat"],
        "character": seat["character"],
        "label": character.names.get(terms.language),
        "letter": terms.letters[seat["character"]],
        "name": seat.get("name", ""),
        "hex": character.hex,
        "weapon": character.weapon,
        "state": state,
        "room": room,
        "place": terms.room(room) if room else "",
        "light": seat.get("light", 0),
        "serious": seat.get("serious", 0),
        "contamination": seat.get("contamination", 0),
        "slime": bool(seat.get("slime")),
        "larva": bool(seat.get("larva")),
        "signal": bool(seat.get("signal")),
        "insanity": seat.get("species", {}).get("insanity"),
        "pod": seat.get("pod"),
        "passed": bool(seat.get("passed")),
        "combat": bool(seat.get("in_combat")),
        "objects": list(seat.get("objects", ())),
        "badges": badges,
        "level": next((m["value"] for m in marked if "value" in m), None),
        "marks": [m["label"] for m in marked],
        "chosen": bool(seat.get("objectives", {}).get("kept")),
        "open": [
            objective(o, terms, kept=True) for o in seat.get("objectives", {}).get("open", ())
        ],
    }


def _room(
    number: str, room: Mapping[str, Any], view: View, terms: Terms, printed: Terms | None
) -> Page:
    tile = terms.tile_of(number)
    known = terms.content.tiles.get(tile or "")
    name = terms.tile(tile) if tile else ""
    boxed = printed.tile(tile) if printed and tile else ""
    return {
        "name": name,
        "tile": tile or "",
        "rule": known.rule if known else "",
        "box": boxed if boxed != name else "",
        "explored": room["explored"],
        "colour": known.colour if known else "",
        "computer": bool(known and known.computer),
        "items": room.get("items"),
        "fire": room["fire"],
        "malfunction": room["malfunction"],
        "airlock": view.get("airlock") == number,
        "covered": number in view.get("species", {}).get("covered", ()),
        "unsure": room.get("unsure", []),
        "intruders": [{**i, "label": terms.piece(i["type"])} for i in room.get("intruders", ())],
        "objects": [{"type": o, "label": terms.piece(o)} for o in room.get("objects", ())],
        "actions": rooms.actions(room, view, terms),
    }


def _offer(given: Mapping[str, Any], terms: Terms) -> Page:
    """A card that may cancel, or roll again, what has just happened."""
    card = terms.content.cards[given["card"]]
    return {
        **given,
        "label": card.names.get(terms.language),
        "who": terms.seat(given["seat"]),
        "text": terms.card_text(card.id),
        "rule": card.rule,
    }


def _instruction(given: Mapping[str, Any], view: View, terms: Terms, printed: Terms | None) -> Page:
    piece = terms.piece(given["piece"])
    boxed = printed.piece(given["piece"]) if printed else piece
    via = given.get("via")
    laid = bool(given.get("group"))  # a packed game's: what is unsure stands there as last known
    topic = topic_of(given["piece"], room=given.get("to") in view["rooms"]) if laid else ""
    known = f" · {terms.say('pack.unsure')}" if topic in view["unsure"] else ""
    return {
        "id": given["id"],
        "batch": given.get("batch"),
        "piece": piece + known,
        "icon": _icon(given["piece"], terms),
        "box": boxed if boxed != piece else "",
        "from": given.get("from"),
        "to": given.get("to"),
        "from_label": terms.place(given.get("from")),
        "to_label": terms.place(given.get("to")),
        "via_label": terms.say("ui.via", {"numbers": terms.corridor(via)}) if via else "",
        "rule": given.get("rule", ""),
        "group": given.get("group", ""),
        "group_label": terms.say(f"pack.group.{given['group']}") if given.get("group") else "",
    }


def _told(view: View) -> dict[str, int]:
    """The newest line of the log that told the move of an instruction: id → its number."""
    given = view.get("instructions", ())
    if not given:
        return {}
    lines = {}
    for line in view["log"][-RECENT:]:
        what = line["params"]
        there = what.get("to_room") or what.get("room") or what.get("corridor")
        lines[what.get("piece", line["type"]), there] = line["n"]
    moves = {i["id"]: lines.get((i["piece"], i.get("to"))) for i in given}
    return {ident: n for ident, n in moves.items() if n is not None}


def _icon(piece: str, terms: Terms) -> str:
    kind = kind_of(piece).split(":", 1)[0]
    if kind in terms.content.characters:
        return "aboard"
    return "pod" if kind.startswith("pod_") or kind in ("locked", "unlocked") else kind


def _line(line: Mapping[str, Any], terms: Terms) -> Page:
    return {
        "n": line["n"],
        "text": _named(line, terms.say(f"log.{line['type']}", line["params"]), terms),
        "tone": TONES.get(line["type"], ""),
        "rule": line.get("rule", ""),
        "undone": bool(line.get("undone")),
        "secret": bool(line.get("secret")),
        "hint": _hint(line, terms),
        "reading": _reading(line, terms),
        **_hands(line["type"], line["params"]),
    }


def _hands(kind: str, params: Mapping[str, Any]) -> Page:
    """The seats whose hands a line asks for, none of them: everybody's. Nothing where it asks for
    none, as of a Serious Wound whose card was drawn and named.
    """
    if kind not in HANDS or params.get("wound", "unknown") != "unknown":
        return {}
    return {"hands": [params["seat"]] if "seat" in params else list(params.get("seats", ()))}


def _named(line: Mapping[str, Any], text: str, terms: Terms) -> str:
    """A line, and whose phone put it right by hand."""
    by = str(line.get("by", ""))
    return terms.say("ui.log.by", {"text": text, "seat": int(by[5:])}) if by else text


def _heard(line: Mapping[str, Any]) -> Page:
    """The cue that a line of the log plays, and whether the narrator reads it."""
    found: Page = {}
    if name := cue_of(line):
        found["cue"] = name
    if spoken(line):
        found["say"] = True
    return found


def _hint(line: Mapping[str, Any], terms: Terms) -> str:
    """What a table that meets this for the first time should know; empty when nothing."""
    if not line.get("first"):
        return ""
    usual = f"hint.{line['type']}"
    own = f"{usual}.{terms.species.id}" if terms.species else usual
    return next((terms.say(hint) for hint in (own, usual) if terms.words.has(hint)), "")


def _reading(line: Mapping[str, Any], terms: Terms) -> Page | None:
    """A rule that can be read otherwise matters for the first time: how it is played, and how else.

    None when no such rule does, or the table has chosen already.
    """
    if not line.get("news"):
        return None
    news = set(str(line["news"]).split())
    for name, switch in terms.content.switches.items():
        if news.isdisjoint(switch.rules) or name in terms.chosen:
            continue
        return {
            "id": name,
            "label": terms.param("switch", name, {}),
            "value": terms.param("value", switch.default, {"switch": name}),
            "others": [
                {"id": v, "label": terms.param("value", v, {"switch": name})}
                for v in switch.values
                if v != switch.default
            ],
        }
    return None


def lines(log: Sequence[Mapping[str, Any]], view: View, content: Content, language: str) -> Any:
    """Older log lines as a page shows them."""
    return Said().lines(log, Terms(content, language, view))


def _can(view: View, terms: Terms) -> Page:
    can = view.get("can", {})
    undo, redo = can.get("undo"), can.get("redo")
    following = can.get("next")
    if following is True and view.get("agenda"):
        following = view["agenda"][0]
    return {
        "event_phase": bool(can.get("event_phase")),
        "next": following or None,
        "next_label": terms.param("step", following, {}) if isinstance(following, str) else "",
        "interrupt": bool(can.get("interrupt")),
        "undo": undo and {**undo, "label": undo_label(undo, terms)},
        "redo": redo and {**redo, "label": terms.param("do", redo["do"], {})},
        "close_step": bool(can.get("close_step")),
    }


def undo_label(undo: Mapping[str, Any], terms: Terms) -> str:
    """What undo takes back: ``Move · Captain · 007``."""
    params = undo.get("params", {})
    names = [terms.param("do", undo["do"], {})]
    names += [
        str(terms.param(_whereto(params[k], terms) if k == "to" else k, params[k], params))
        for k in ("seat", "intruder", "piece", "to", "room", "corridor", "step")
        if k in params
    ]
    return " · ".join(names)


def _whereto(place: Any, terms: Terms) -> str:
    return "room" if terms.board and place in terms.board.rooms else "to_place"


def _difference(given: Mapping[str, Any], terms: Terms) -> Page:
    return {
        **given,
        "text": terms.say(
            "ui.difference.twice" if given.get("twice") else "ui.difference",
            {
                "piece": given.get("piece", given.get("kind", "")),
                "from_place": terms.place(given.get("from")),
                "to_place": terms.place(given.get("to")),
            },
        ),
    }


def _noise_die(view: View, terms: Terms) -> list[Page]:
    """The faces of a die that people throw, as a question about it shows them."""
    if view.get("truth", {}).get("dice") != "physical":
        return []
    faces = dict.fromkeys(terms.content.games[view["game"]["name"]].noise_die)
    return [
        {"id": face, "label": terms.say("ask.noise_face", {"face": face}), "icon": f"face-{face}"}
        for face in faces
    ]


def _checklist(view: View, terms: Terms) -> list[Page]:
    """The steps of the setup in words, and who does each."""
    return [
        {
            "id": task["id"],
            "text": terms.say(task["key"], task["params"]),
            "rule": task["rule"],
            "seat": task["seat"],
            "who": terms.seat(task["seat"]),
            "done": task["done"],
        }
        for task in view.get("checklist", ())
    ]


def _counts(view: View, terms: Terms) -> list[Page]:
    """The small numbers of the table: bag, decks, markers left."""
    found: list[Page] = []
    if "bag" in view:
        count = view["bag"]["count"]
        found.append({"icon": "bag", "label": terms.term("intruder_bag"), "value": count})
    for deck, held in view.get("decks", {}).items():
        found.append({"icon": deck, "label": terms.say(f"ui.deck.{deck}"), "value": held["left"]})
    if "eggs" in view:
        found.append({"icon": "egg", "label": terms.term("egg"), "value": view["eggs"]})
    for kind in ("fire", "malfunction"):
        left = view.get("supply", {}).get(kind)
        if left is not None:
            found.append({"icon": kind, "label": terms.term(kind), "value": left})
    return [*found, *own.facts(view, terms)]


def _creatures(view: View, terms: Terms) -> list[Page]:
    """The kinds of intruder in play, small ones first."""
    species = terms.content.species.get(view["game"].get("species", ""))
    kinds = sorted(species.creatures.values(), key=lambda c: c.size) if species else []
    return [
        {
            "id": c.id,
            "label": c.names.get(terms.language),
            "mini": c.miniatures > 0,
            "token": bool(c.values) and own.in_play(c.id, view, terms),
        }
        for c in kinds
    ]


def _statistics(view: View, terms: Terms) -> Page | None:
    """The bag, the odds and the rounds, when they may be seen; chances in whole per cent."""
    told = view.get("statistics")
    if not told:
        return None
    kinds = [c["id"] for c in _creatures(view, terms)]
    return {
        "bag": [
            {
                "icon": kind,
                "label": terms.piece(kind),
                "count": told["bag"][kind],
                "percent": round(100 * told["draw"][kind]),
            }
            for kind in kinds
            if kind in told["bag"]
        ],
        "surprise": [
            {"label": terms.say("ui.statistics.hand", {"n": hand}), "percent": round(100 * odds)}
            for hand, odds in enumerate(told["surprise"])
        ],
        "rounds": [
            [
                {"id": what, "label": terms.say(f"ui.statistics.{what}"), "count": count}
                for what, count in counted.items()
            ]
            for counted in told["rounds"]
        ],
    }


def _settings(view: View, terms: Terms) -> Page:
    """What the host's drawer may change, with its words."""
    return {
        "tracking": [
            {"id": topic, "label": terms.param("topic", topic, {}), "value": level}
            for topic, level in view.get("tracking", {}).items()
        ],
        "levels": [
            {"id": level, "label": terms.param("level", level, {})}
            for level in ("tracked", "asked", "told")
        ],
        "truth": [
            {"id": c, "label": terms.param("component", c, {}), "value": place}
            for c, place in view.get("truth", {}).items()
        ],
        "learnt": [
            {"id": entry, "label": terms.learnt(entry, line)}
            for entry, line in view.get("host", {}).get("learnt", {}).items()
        ],
        "switches": [
            {
                "id": name,
                "label": terms.param("switch", name, {}),
                "value": view.get("switches", {}).get(name, switch.default),
                "rules": " ".join(switch.rules),
                "values": [
                    {"id": v, "label": terms.param("value", v, {"switch": name})}
                    for v in switch.values
                ],
            }
            for name, switch in terms.content.switches.items()
            if switch.species in ("", view.get("game", {}).get("species"))
        ],
    }
