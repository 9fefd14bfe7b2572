"""A game packed until next week, in words: what lies where, and what happened last."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.library.model import Content
from companion.rules.packing import unseen
from web.ending import story_of
from web.present import page
from web.services import View
from web.terms import Terms

LAST = 8  # sentences of the recap


def packed(story: Mapping[str, Any], view: View, content: Content, language: str) -> dict[str, Any]:
    """The pages to print: steps, people, rooms, corridors, tracks, recap; from public facts only.

    Empty lists before a game is set up.
    """
    if view["phase"] == "lobby":
        return {"people": []}
    terms = Terms(content, language, view)
    shown = page(view, content, language)
    return {
        "steps": [terms.say(f"pack.step.{step}") for step in unseen(view["truth"])],
        "people": [
            {**p, "lines": _person(p, terms, first=p["seat"] == view["first_player"])}
            for p in shown["seats"]
        ],
        "rooms": [
            {"title": terms.room(r), "lines": lines}
            for r, room in sorted(shown["rooms"].items())
            if (lines := _room(room, terms))
        ],
        "between": _between(view, terms),
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
        + [_pod(pod, terms) for pod in view["pods"]],
        "recap": _recap(story, view, content, terms),
    }


def _pod(pod: Mapping[str, Any], terms: Terms) -> str:
    shown = terms.piece(f"{'locked' if pod['locked'] else 'unlocked'}:{pod['id']}")
    return f"{shown} · {terms.place(pod['section'])}"


def _person(person: Mapping[str, Any], terms: Terms, *, first: bool) -> list[str]:
    lines = [person["place"]] if person["place"] else []
    if first:
        lines.append(terms.piece("first_player"))
    if person["light"]:
        lines.append(terms.piece(f"light:{person['light']}"))
    for name in ("serious", "contamination"):
        if person[name]:
            lines.append(terms.say(f"pack.{name}", {"n": person[name]}))
    return lines + [b["label"] for b in person["badges"] if b["icon"] not in ("combat", "passed")]


def _room(room: Mapping[str, Any], terms: Terms) -> list[str]:
    lines = []
    if room["explored"] and room["items"] is not None:
        lines.append(terms.piece(f"items:{room['items']}"))
    lines += [terms.term(mark) for mark in ("fire", "malfunction") if room[mark]]
    for i in room["intruders"]:
        hurt = f" · {terms.say('pack.injuries', {'n': i['injuries']})}" if i["injuries"] else ""
        lines.append(f"{i['label']}{hurt}")
    lines += [o["label"] for o in room["objects"]]
    return lines or ([terms.say("pack.explored")] if room["explored"] else [])


def _between(view: View, terms: Terms) -> list[str]:
    lines = []
    for name, held in {**view["corridors"], **view["spaces"]}.items():
        marks = [terms.say(f"ui.door.{held['door']}")] if held.get("door", "open") != "open" else []
        marks += [terms.term("noise")] if held["noise"] else []
        if marks:
            lines.append(f"{terms.space(name)}: {', '.join(marks)}")
    return lines


def _recap(story: Mapping[str, Any], view: View, content: Content, terms: Terms) -> list[str]:
    """Last time, as somebody would say it: where we stopped, and what happened last."""
    told = story_of(story, view, content, terms.language)
    lines = [line["text"] for c in told["chapters"] for line in c["lines"]]
    where = {"n": view["round"], "time": view["tracks"]["time"]}
    return [terms.say("pack.recap", where), *lines[-LAST:]]
