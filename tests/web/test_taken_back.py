"""What a card took back is told nowhere as a fact: recap, story, numbers, log."""

from __future__ import annotations

from html import unescape
from typing import Any

from companion.game import Chance
from companion.library import load_content
from companion.table.journal import MemoryJournal
from companion.table.session import Session
from companion.table.table import Table
from tests.web.conftest import Phone
from web import create_app

BITES = 6  # a game whose first Attack card is a Serious Wound
FRENZY = 4  # one whose first wounds two
COMES = 2  # one in which an Encounter brings somebody, after a quiet roll


def opened(seed: int) -> Session:
    content = load_content()
    journal = MemoryJournal({"game": "evening", "content": content.version})
    return Session(Table(content, journal, Chance(bytes([seed]) * 32)))


def said(session: Session, **command: Any) -> None:
    reply = session.submit({"by": "host", **command})
    assert reply["status"] == "done", reply
    while found := [
        (who, prompt)
        for who in ("table", *(f"seat:{n}" for n in range(1, 6)))
        for prompt in session.view(who)[1]["prompts"]
    ]:
        who, prompt = found[0]
        value = prompt["options"][0]["id"] if prompt["options"] else False
        if prompt["multiple"]:
            value = []
        if prompt["key"] == "ask.launch_or_wait":
            value = "wait"
        answer = {"do": "answer", "by": who, "prompt": prompt["id"], "value": value}
        assert session.submit(answer)["status"] == "done", prompt


def fought(seed: int, piece: str, **setup: Any) -> Session:
    """A Soldier alone who has just been attacked in the Event Phase."""
    session = opened(seed)
    said(session, do="setup", players=["soldier"], **setup)
    said(session, do="statistics", on=True)
    said(session, do="place", piece=piece, to="011")
    said(session, do="event_phase", step="attack")
    return session


def counted(session: Session) -> dict[str, int]:
    told: dict[str, int] = session.view("table")[1]["statistics"]["rounds"][-1]
    return told


def pages(session: Session) -> list[str]:
    reader = Phone(create_app(session).test_client())
    return [unescape(reader.get(path).text) for path in ("/pack", "/story")]


def struck(session: Session) -> set[str]:
    return {line["type"] for line in session.view("table")[1]["log"] if line["undone"]}


WOUND = "Soldier takes a Serious Wound."


def test_a_wound_that_armor_ignored_is_no_fact_and_is_one_again_when_that_is_undone() -> None:
    session = fought(BITES, "adult", digital=True, preset="everything")
    assert counted(session)["wounds"] == 1
    assert all(WOUND in page for page in pages(session))
    said(session, do="card", seat=1, card="armor")
    assert not any(WOUND in page for page in pages(session))
    assert "wounds" not in counted(session)
    assert "serious_wound" in struck(session)
    moments = Phone(create_app(session).test_client()).get("/api/timeline").get_json()["moments"]
    assert WOUND not in [moment["text"] for moment in moments]
    said(session, do="undo", confirm=True)
    assert all(WOUND in page for page in pages(session))
    assert counted(session)["wounds"] == 1
    assert "serious_wound" not in struck(session)
    said(session, do="redo")
    assert not any(WOUND in page for page in pages(session))
    assert "wounds" not in counted(session)


def test_a_larva_that_armor_sent_back_is_carried_by_nobody() -> None:
    session = fought(1, "larva")
    told = "Soldier carries a Larva now."
    assert all(told in page for page in pages(session))
    assert counted(session)["contamination"] == 1
    said(session, do="card", seat=1, card="armor")
    assert not any(told in page for page in pages(session))
    assert "contamination" not in counted(session)
    assert {"larva", "contamination"} <= struck(session)


def test_a_roll_that_is_made_again_counts_once() -> None:
    session = opened(1)
    said(session, do="setup", players=["scout"], digital=True)
    said(session, do="statistics", on=True)
    said(session, do="noise_roll", seat=1)
    assert counted(session)["noise"] == 1
    said(session, do="card", seat=1, card="motion_scanner")
    assert counted(session)["noise"] == 1
    rolls = [x for x in session.view("table")[1]["log"] if x["type"] == "noise_rolled"]
    assert [roll["undone"] for roll in rolls] == [True, False]


def test_what_an_attack_did_to_others_stays_a_fact() -> None:
    session = opened(FRENZY)
    said(session, do="setup", players=["captain", "soldier"], digital=True, preset="everything")
    said(session, do="statistics", on=True)
    said(session, do="place", piece="queen", to="011")
    said(session, do="event_phase", step="attack")
    assert counted(session)["wounds"] == 2
    said(session, do="card", seat=2, card="armor")
    assert counted(session)["wounds"] == 1
    for page in pages(session):
        assert WOUND not in page
        assert "Captain takes a Serious Wound." in page


def test_who_had_to_leave_a_pod_again_is_told_so() -> None:
    session = opened(COMES)
    said(session, do="setup", players=["captain", "scout"], digital=True, preset="everything")
    said(session, do="reveal", room="013", tile="evacuation_section_a", token="malfunction/1")
    said(session, do="remove", piece="malfunction", at="013")
    said(session, do="place", piece="captain", to="013")
    pods = [pod["id"] for pod in session.view("table")[1]["pods"] if pod["section"] == "a"]
    said(session, do="pod", action="unlock", pod=pods[0])
    said(session, do="pod", action="board", pod=pods[0], seat=1)
    assert session.view("table")[1]["seats"][0]["state"] == "pod_waiting"
    said(session, do="place", piece="scout", to="013")
    said(session, do="encounter", seat=2)
    assert session.view("table")[1]["seats"][0]["state"] == "aboard"
    for language, line in {
        "en": "Captain has to leave the Pod again.",
        "it": "Capitano deve uscire di nuovo dalla Capsula.",
        "fr": "Captain doit ressortir de la nacelle.",
    }.items():
        assert line in unescape(
            Phone(create_app(session).test_client()).get(f"/story?lang={language}").text
        )


def test_what_was_undone_is_said_with_whose_it_was() -> None:
    session = opened(1)
    said(session, do="setup", players=["captain", "scout"], digital=True, preset="everything")
    said(session, do="move", seat=2, to="014")
    said(session, do="undo", confirm=True)
    reader = Phone(create_app(session).test_client())
    for language, line in {
        "en": "Undone: Movement · Scout · draws",
        "it": "Annullato: Movimento · Esploratore · ",
        "fr": "Annulé : Déplacement · Scout · ",
    }.items():
        lines = reader.get(f"/api/log/table?lang={language}").get_json()
        assert any(line in one["text"].replace("\xa0", " ") for one in lines["log"]), lines
