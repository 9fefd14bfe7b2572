"""What only one seat may know never leaves for anybody else."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from operator import itemgetter
from pathlib import Path

from flask import Flask

from companion.table.fairness import SECRET
from companion.table.session import Session
from tests.evening import EVERYBODYS
from tests.table.test_canary import mutated
from tests.web.conftest import Phone, new_session, panel_of, take_seat
from web import Services, create_app

Phones = Callable[[], Phone]
BY_ID = itemgetter("id")


def secret_words(session: Session, seat: int) -> set[str]:
    """Every name and text of a seat's objectives, in every language."""
    found: set[str] = set()
    for ident in session.view(f"seat:{seat}")[1]["me"]["secrets"]["objectives"]:
        objective = session.content.objectives[ident]
        found |= {ident, *objective.names.by_language.values(), *objective.text.values()}
    return found


def first_view(reader: Phone, audience: str) -> str:
    """The JSON text of the first view that goes down a stream."""
    answer = reader.get(f"/stream/{audience}", **{"Accept-Encoding": "identity"})
    for chunk in answer.iter_encoded():
        _, found, told = chunk.decode().partition("event: view\ndata: ")
        if found:
            answer.close()
            return told.strip()
    raise AssertionError(audience)


def test_the_rules_are_the_same_whatever_was_dealt(
    phone: Phones, session: Session, services: Services
) -> None:
    """They name every objective of the box, so they know no more of a game than its aliens."""
    before = phone().get(EVERYBODYS).json["rules"]
    assert len(before) > 500
    setup = {"do": "setup", "players": ["captain", "scout", "soldier"], "digital": True}
    session.submit(setup)
    told = phone().get(EVERYBODYS).text
    found = [{k: v for k, v in rule.items() if k != "other"} for rule in json.loads(told)["rules"]]
    assert sorted(found, key=BY_ID) == sorted(before, key=BY_ID)
    other = new_session(game="another")
    other.submit({**setup, "players": ["mechanic", "pilot"]})
    assert Phone(create_app(other, services).test_client()).get(EVERYBODYS).text == told


def test_the_dealt_objectives_reach_their_own_stream_only(app: Flask, playing: Session) -> None:
    panel = panel_of(app)
    audiences = ["table", "host", "seat:1", "seat:2", "seat:3"]
    texts = {
        (a, language): panel.text(a, playing.view(a)[1], language)
        for a in audiences
        for language in ("en", "it", "fr")
    }
    for seat in (1, 2, 3):
        words = secret_words(playing, seat)
        assert len(words) >= 6
        own = json.loads(texts[f"seat:{seat}", "en"])["me"]["objectives"]
        assert {o["title"] for o in own} <= words
        for (audience, _), text in texts.items():
            if audience != f"seat:{seat}":
                assert not [w for w in words if json.dumps(w, ensure_ascii=False)[1:-1] in text]


def test_no_page_and_no_answer_holds_a_secret(app: Flask, phone: Phones, playing: Session) -> None:
    """A crawl over every route and stream as stranger, other seat and host; the own shell too."""
    playing.keep(SECRET, "canary-of-the-seal")  # opened when the last verdict is told, not before
    playing.submit({"do": "slime", "seat": 2, "on": True})
    words = secret_words(playing, 1) | {"canary-of-the-seal"}
    stranger, other, owner = phone(), phone(), phone()
    take_seat(other, app, 2)
    take_seat(owner, app, 1)
    other.post("/api/host", {"code": "271828"})
    paths = [r.rule for r in app.url_map.iter_rules() if "GET" in (r.methods or ())]
    paths = [re.sub(r"<[^>]*seat>", "1", p) for p in paths]
    paths += ["/api/log/table", "/api/log/seat:1", "/api/log/host", "/seat/2", "/stream/seat:1"]
    for reader in (stranger, other, owner):
        for path in paths:
            if "<" in path or path.startswith("/stream") or (reader is owner and "log" in path):
                continue
            if path == EVERYBODYS:
                continue
            text = reader.get(path).text
            assert not [w for w in words if w in text], path
    for reader, audience in ((stranger, "table"), (other, "host"), (other, "seat:2")):
        text = first_view(reader, audience)
        assert json.loads(text)["seats"]
        assert not [w for w in words if json.dumps(w, ensure_ascii=False)[1:-1] in text], audience
    assert other.get("/stream/seat:1").status_code == 403
    assert stranger.get("/api/log/seat:1").status_code == 401


def test_the_log_of_the_owner_names_no_objective(app: Flask, playing: Session) -> None:
    """The log lies open on the page; only what is held to read names a secret."""
    shown = json.loads(panel_of(app).text("seat:1", playing.view("seat:1")[1], "en"))
    words = secret_words(playing, 1)
    assert [line for line in shown["log"] if line["secret"]]
    assert not [w for w in words for line in shown["log"] if w in line["text"]]
    playing.submit({"do": "place", "piece": "adult", "to": "006"})
    for seat in (1, 2, 3):
        (prompt,) = playing.view(f"seat:{seat}")[1]["prompts"]
        choice = {"prompt": prompt["id"], "value": prompt["options"][0]["id"]}
        playing.submit({"do": "answer", "by": f"seat:{seat}", **choice})
    for language in ("en", "it", "fr"):
        shown = json.loads(panel_of(app).text("seat:1", playing.view("seat:1")[1], language))
        assert len([line for line in shown["log"] if line["secret"]]) == 2, "dealt and kept"
        assert not [w for w in words for line in shown["log"] if w in line["text"]]


def test_the_log_of_the_owner_names_no_mutation(services: Services, tmp_path: Path) -> None:
    session = mutated(tmp_path / "mimicry.game", 0)[1]
    panel = panel_of(create_app(session, services))
    for language in ("en", "it", "fr"):
        page = json.loads(panel.text("seat:1", session.view("seat:1")[1], language))
        name = page["me"]["cards"][0]["title"]
        assert [line for line in page["log"] if line["secret"]]
        assert not [line for line in page["log"] if name in line["text"]]


def test_scripts_never_write_html() -> None:
    folder = Path(__file__).parents[2] / "web" / "static"
    for script in sorted(folder.glob("*.js")):
        source = script.read_text()
        for danger in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
            assert danger not in source, script.name
        assert "localStorage" not in source
        assert "randomUUID" not in source
