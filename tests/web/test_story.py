"""The evening again: its board moment by moment, its pace, its picture; public facts only."""

from __future__ import annotations

from collections.abc import Callable
from xml.etree import ElementTree

import pytest

from companion.table.session import Session
from tests.web.conftest import Phone
from web.picture import EDGE, LETTER, WIDTH, picture, wrap

Phones = Callable[[], Phone]
SVG = "{http://www.w3.org/2000/svg}"


def evening(session: Session) -> None:
    """A character put elsewhere, fires, one of them undone, an Intruder."""
    for what in (
        {"do": "place", "piece": "captain", "to": "007"},
        {"do": "place", "piece": "fire", "to": "004"},
        {"do": "place", "piece": "fire", "to": "005"},
        {"do": "undo"},
        {"do": "door", "corridor": "001-002", "state": "closed"},
        {"do": "place", "piece": "adult", "to": "012"},
    ):
        assert session.submit({"by": "table", **what})["status"] == "done", what


def test_the_timeline_says_what_was_where_in_the_readers_words(
    phone: Phones, playing: Session
) -> None:
    evening(playing)
    told = phone().get("/api/timeline?lang=it").get_json()
    assert told["moments"][0]["round"] == "Turno 1"
    changes = [change for moment in told["moments"] for change in moment["changes"]]
    assert {"piece": "seats", "to": "011"} in changes
    assert {"piece": "seat:1", "to": "007"} in changes
    assert {"piece": "adult#1", "to": "012"} in changes
    assert {"door": "001-002", "state": "closed"} in changes
    assert {"mark": "fire", "at": "004", "on": True} in changes
    assert not any(change.get("at") == "005" for change in changes), "it was undone"
    assert told["board"]["fixed"]["011"] == "Hibernatorium"
    assert told["board"]["creatures"]["creeper"] == "Aracnide"
    assert all(moment["text"] for moment in told["moments"])


def test_no_game_has_no_timeline_and_a_pace_without_an_end(phone: Phones) -> None:
    assert phone().get("/api/timeline").get_json() == {"moments": []}
    assert phone().get("/api/pace").get_json()["left_s"] is None
    assert phone().get("/story.svg").status_code == 200


def test_secrets_are_in_none_of_it(phone: Phones, playing: Session) -> None:
    evening(playing)
    held = [
        objective
        for seat in (1, 2, 3)
        for objective in playing.view(f"seat:{seat}")[1]["me"]["secrets"]["objectives"]
    ]
    assert len(held) == 6
    for path in ("/api/timeline", "/api/pace", "/story.svg", "/story"):
        sent = phone().get(path, **{"Accept-Encoding": "identity"}).text
        assert not [objective for objective in held if objective in sent], path


def test_the_picture_is_drawn_of_the_story(phone: Phones, playing: Session) -> None:
    evening(playing)
    answer = phone().get("/story.svg?lang=fr", **{"Accept-Encoding": "identity"})
    assert answer.mimetype == "image/svg+xml"
    root = ElementTree.fromstring(answer.text)
    words = " ".join(text.text or "" for text in root.iter(f"{SVG}text"))
    assert "Incendie, salle 004" in words
    assert len(list(root.iter(f"{SVG}circle"))) == 3
    assert not [e for e in root.iter() if e.tag in (f"{SVG}script", f"{SVG}image")]


@pytest.mark.parametrize("size", [30, 34, 56])
def test_sentences_are_broken_where_they_end(size: int) -> None:
    words = "Dans le noir, en 015 Salle de surveillance : Larve. " * 3 + "x" * 300
    for line in wrap(words, size, WIDTH - 2 * EDGE):
        assert len(line) * size * LETTER <= WIDTH - 2 * EDGE
    assert wrap("", size, 500) == []


def test_names_are_words_and_never_markup() -> None:
    person = {"label": "<b>&", "name": '"/><script>', "hex": "#123456", "won": True, "end": ""}
    story = {"people": [person], "chapters": [], "sums": []}
    names = {"encounters": "a", "kills": "b", "wounds": "c"}
    root = ElementTree.fromstring(picture(story, "t", [{"kills": 2}], names))
    assert [t.text for t in root.iter(f"{SVG}text")][1] == '<b>& · "/><script>'
