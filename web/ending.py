"""How it came out, in words: the verdicts as they are told, and the evening as a story."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.library.model import Content
from companion.rules.verdicts import JUDGED, MET, SUMS
from web.services import View
from web.terms import Terms

#: How a verdict looks: good news, bad news, or the last word.
BAD = (
    *("engines_fail", "succumbs", "mutates", "dies_asleep"),
    *("objective_missed", "missed", "nobody", "lost"),
)
LAST = (*SUMS, "nobody_survives")


def verdicts(view: View, terms: Terms) -> dict[str, Any] | None:
    """The verdicts so far; None while the game goes on or nobody lived to be judged."""
    told = view.get("verdicts", ())
    if view["phase"] != "over":
        return None
    return {
        "lines": [_verdict(v, terms) for v in told],
        "done": view["game"]["status"] == "over",
        "winners": [terms.seat(seat) for seat in view.get("winners") or ()],
        "seal": _seal(view, terms),
    }


def _verdict(verdict: Mapping[str, Any], terms: Terms) -> dict[str, Any]:
    kind = str(verdict["type"])
    params = verdict["params"]
    return {
        "text": terms.say(f"log.{kind}", params),
        "more": terms.objective_text(str(params.get("objective"))),
        "tone": "last" if kind in LAST else "bad" if kind.removeprefix("verdict_") in BAD else "",
        "rule": verdict["rule"],
        "seat": params.get("seat"),
        "judged": (kind in MET) if kind in JUDGED else None,
    }


def _seal(view: View, terms: Terms) -> dict[str, str] | None:
    seal = view.get("seal")
    if not seal or not seal.get("secret"):
        return None
    return {
        "text": terms.say("ui.seal", {"n": seal["undone"]}),
        "commitment": str(seal["commitment"]),
        "secret": str(seal["secret"]),
    }


def story_of(
    story: Mapping[str, Any], view: View, content: Content, language: str
) -> dict[str, Any]:
    """The story as the page shows it: who played, chapters of sentences, sums, the seal."""
    terms = Terms(content, language, view)
    shown = verdicts(view, terms) if view["phase"] != "lobby" else None
    return {
        "people": [
            {
                "label": terms.seat(s["seat"]),
                "name": s.get("name", ""),
                "hex": content.characters[s["character"]].hex,
                "state": terms.say(f"ui.state.{s['state']}") if s["state"] != "aboard" else "",
                "won": s["seat"] in (view.get("winners") or ()),
            }
            for s in view.get("seats", ())
        ],
        "chapters": [
            {
                "title": terms.say("ui.round", {"n": c["round"]})
                if c["round"]
                else terms.say("story.end"),
                "lines": [
                    {
                        "text": terms.say(f"story.{line['type']}", line["params"]),
                        "tone": "last" if line["type"] in LAST else "",
                    }
                    for line in c["lines"]
                ],
            }
            for c in story["chapters"]
        ],
        "sums": [
            terms.say(f"story.sum.{name}", {"n": n}) for name, n in sorted(story["sums"].items())
        ],
        "seal": shown["seal"] if shown else None,
        "done": bool(shown and shown["done"]),
    }
