"""A game packed until next week, in words: what lies where, and what happened last."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from companion.game.state import OBJECTS
from companion.library.model import Content
from companion.rules.packing import noted, unseen
from companion.rules.species import strategy
from web.ending import story_of
from web.present import page
from web.services import View
from web.terms import Terms

LAST = 8  # sentences of the recap
Doubt = Callable[..., str]  # a line, and the kinds of facts it rests on: marked when unsure


def packed(story: Mapping[str, Any], view: View, content: Content, language: str) -> dict[str, Any]:
    """The pages to print: steps, people, rooms, corridors, tracks, recap; from public facts only.

    What this table does not have held is not told: ``noted`` names it, for people to write down.
    What is ``unsure`` is told as last known.

    Empty lists before a game is set up.
    """
    if view["phase"] == "lobby":
        return {"people": []}
    terms = Terms(content, language, view)
    shown = page(view, content, language)
    left = noted(view["tracking"], slime=strategy(view["game"]["species"]).slime)
    nest = {"nest": terms.piece("nest_destroyed")} if view["nest_destroyed"] else {}

    def doubt(line: str, *topics: str) -> str:
        return f"{line} · {terms.say('pack.unsure')}" if {*topics} & {*view["unsure"]} else line

    return {
        "steps": [terms.unseen("step", step) for step in unseen(view["truth"])],
        "noted": [terms.say(f"tracking.topic.{topic}") for topic in left],
        "unsure": shown["unsure"],
        "people": [
            {**p, "lines": _person(p, terms, doubt, left, first=p["seat"] == view["first_player"])}
            for p in shown["seats"]
        ],
        "rooms": [
            {"title": terms.room(r), "lines": lines}
            for r, room in sorted(shown["rooms"].items())
            if (lines := _room(room, terms, doubt, left, nest.get(room["tile"])))
        ],
        "between": _between(view, terms, doubt, left),
        "tracks": [
            terms.piece(f"{name}:{value}")
            for name, value in (
                ("time", view["tracks"]["time"]),
                ("self_destruct", view["tracks"]["self_destruct"]),
                ("destination", view["destination"]),
                ("eggs", view["eggs"]),
            )
            if value is not None
        ]
        + [_pod(pod, terms) for pod in view["pods"]]
        + _own_board(view, terms),
        "recap": _recap(story, view, content, terms, shown),
    }


def _pod(pod: Mapping[str, Any], terms: Terms) -> str:
    shown = terms.piece(f"{'locked' if pod['locked'] else 'unlocked'}:{pod['id']}")
    return f"{shown} · {terms.place(pod['section'])}"


def _own_board(view: View, terms: Terms) -> list[str]:
    """What lies open on the board of the species: destroyed Lairs, cards on their places."""
    lairs = view["species"].get("lairs_destroyed")
    cards = view["weaknesses"] if view["truth"].get("weaknesses") == "physical" else {}
    return [f"{terms.say('ui.lairs_destroyed')}: {lairs}"] * bool(lairs) + [
        f"{terms.piece(f'open:{card}')} · {terms.place(slot)}" for slot, card in cards.items()
    ]


#: Kinds of facts behind the marks of a character: what is not held is not told.
MARKS = {"larva": "objects", "slime": "slime", **dict.fromkeys(OBJECTS, "objects")}


def _person(
    person: Mapping[str, Any], terms: Terms, doubt: Doubt, left: Collection[str], *, first: bool
) -> list[str]:
    told = person["place"] and "characters" not in left
    lines = [doubt(person["place"], "characters")] if told else []
    if first:
        lines.append(terms.piece("first_player"))
    if "wounds" not in left:
        if person["light"]:
            lines.append(doubt(terms.piece(f"light:{person['light']}"), "wounds"))
        if person["serious"]:
            serious = terms.say("pack.serious", {"n": person["serious"]})
            lines.append(doubt(serious, "wounds"))
    if person["contamination"]:
        lines.append(terms.say("pack.contamination", {"n": person["contamination"]}))
    return lines + [
        doubt(b["label"], MARKS.get(b["icon"], ""))
        for b in person["badges"]
        if b["icon"] not in ("combat", "passed") and MARKS.get(b["icon"]) not in left
    ]


def _room(
    room: Mapping[str, Any], terms: Terms, doubt: Doubt, left: Collection[str], nest: str | None
) -> list[str]:
    """``nest``: what lies on the tile of a Nest that is destroyed."""
    lines = [nest] if nest else []
    if room["explored"] and room["items"] is not None and not {"rooms", "counters"} & {*left}:
        lines.append(doubt(terms.piece(f"items:{room['items']}"), "counters"))
    lines += [doubt(terms.term(m), m) for m in ("fire", "malfunction") if room[m] and m not in left]
    for i in room["intruders"] if "intruders" not in left else ():
        told = i["injuries"] and "injuries" not in left
        hurt = f" · {terms.say('pack.injuries', {'n': i['injuries']})}" if told else ""
        lines.append(doubt(f"{i['label']}{hurt}", "intruders", *["injuries"] * bool(hurt)))
    if "rooms" in left:
        return lines
    lines += [doubt(o["label"], "rooms") for o in room["objects"]]
    explored = doubt(terms.say("pack.explored"), "rooms")
    return lines or ([explored] if room["explored"] else [])


def _between(view: View, terms: Terms, doubt: Doubt, left: Collection[str]) -> list[str]:
    lines = []
    for name, held in {**view["corridors"], **view["spaces"]}.items():
        door = held.get("door", "open") if "doors" not in left else "open"
        marks = [doubt(terms.say(f"ui.door.{door}"), "doors")] if door != "open" else []
        noisy = held["noise"] and "noise" not in left
        marks += [doubt(terms.term("noise"), "noise")] if noisy else []
        if marks:
            lines.append(f"{terms.space(name)}: {', '.join(marks)}")
    return lines


def _recap(
    story: Mapping[str, Any], view: View, content: Content, terms: Terms, shown: Mapping[str, Any]
) -> list[str]:
    """Last time, as somebody would say it: where we stopped, in a step of the Event Phase or with
    a question open too, and what happened last.
    """
    told = story_of(story, view, content, terms.language)
    lines = [line["text"] for c in told["chapters"] for line in c["lines"]]
    where = {"n": view["round"], "time": view["tracks"]["time"]}
    step = shown["can"]["next_label"] or shown["head"]["step"]
    stopped = [terms.say("pack.recap", where)]
    if view["phase"] == "event" and step:
        stopped.append(terms.words.say("pack.recap.step", {"step": step}))
    for prompt in shown["prompts"]:
        stopped.append(terms.words.say("pack.recap.asked", {"question": prompt["text"]}))
    if view["waiting"]:
        stopped.append(terms.say("ui.page.waiting", {"n": view["waiting"]}))
    return [*stopped, *lines[-LAST:]]
