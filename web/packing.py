"""A game packed until next week, in words: what lies where, and what happened last."""

from __future__ import annotations

from collections.abc import Collection, Mapping
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


def packed(story: Mapping[str, Any], view: View, content: Content, language: str) -> dict[str, Any]:
    """The pages to print: steps, people, rooms, corridors, tracks, recap; from public facts only.

    What this table does not have held is not told: ``noted`` names it, for people to write down.

    Empty lists before a game is set up.
    """
    if view["phase"] == "lobby":
        return {"people": []}
    terms = Terms(content, language, view)
    shown = page(view, content, language)
    left = noted(view["tracking"], slime=strategy(view["game"]["species"]).slime)
    return {
        "steps": [terms.unseen("step", step) for step in unseen(view["truth"])],
        "noted": [terms.say(f"tracking.topic.{topic}") for topic in left],
        "people": [
            {**p, "lines": _person(p, terms, left, first=p["seat"] == view["first_player"])}
            for p in shown["seats"]
        ],
        "rooms": [
            {"title": terms.room(r), "lines": lines}
            for r, room in sorted(shown["rooms"].items())
            if (lines := _room(room, terms, left))
        ],
        "between": _between(view, terms, left),
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
        "recap": _recap(story, view, content, terms),
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
    person: Mapping[str, Any], terms: Terms, left: Collection[str], *, first: bool
) -> list[str]:
    lines = [person["place"]] if person["place"] and "characters" not in left else []
    if first:
        lines.append(terms.piece("first_player"))
    if "wounds" not in left:
        if person["light"]:
            lines.append(terms.piece(f"light:{person['light']}"))
        if person["serious"]:
            lines.append(terms.say("pack.serious", {"n": person["serious"]}))
    if person["contamination"]:
        lines.append(terms.say("pack.contamination", {"n": person["contamination"]}))
    return lines + [
        b["label"]
        for b in person["badges"]
        if b["icon"] not in ("combat", "passed") and MARKS.get(b["icon"]) not in left
    ]


def _room(room: Mapping[str, Any], terms: Terms, left: Collection[str]) -> list[str]:
    lines = []
    if room["explored"] and room["items"] is not None and not {"rooms", "counters"} & {*left}:
        lines.append(terms.piece(f"items:{room['items']}"))
    lines += [terms.term(m) for m in ("fire", "malfunction") if room[m] and m not in left]
    for i in room["intruders"] if "intruders" not in left else ():
        told = i["injuries"] and "injuries" not in left
        hurt = f" · {terms.say('pack.injuries', {'n': i['injuries']})}" if told else ""
        lines.append(f"{i['label']}{hurt}")
    if "rooms" in left:
        return lines
    lines += [o["label"] for o in room["objects"]]
    return lines or ([terms.say("pack.explored")] if room["explored"] else [])


def _between(view: View, terms: Terms, left: Collection[str]) -> list[str]:
    lines = []
    for name, held in {**view["corridors"], **view["spaces"]}.items():
        door = held.get("door", "open") if "doors" not in left else "open"
        marks = [terms.say(f"ui.door.{door}")] if door != "open" else []
        marks += [terms.term("noise")] if held["noise"] and "noise" not in left else []
        if marks:
            lines.append(f"{terms.space(name)}: {', '.join(marks)}")
    return lines


def _recap(story: Mapping[str, Any], view: View, content: Content, terms: Terms) -> list[str]:
    """Last time, as somebody would say it: where we stopped, and what happened last."""
    told = story_of(story, view, content, terms.language)
    lines = [line["text"] for c in told["chapters"] for line in c["lines"]]
    where = {"n": view["round"], "time": view["tracks"]["time"]}
    return [terms.say("pack.recap", where), *lines[-LAST:]]
