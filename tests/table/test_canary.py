"""Canaries: no secret of a seat in any byte that another audience, a log or a file gets."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from companion.bench.play import Command, Player
from companion.game import BadInput, Refused
from companion.library import load_content
from companion.locale import languages
from companion.scenario.record import record
from companion.table import views
from companion.table.archive import lines
from companion.table.journal import Journal
from companion.table.session import AUDIENCES, Session
from companion.table.table import Table
from tests.table.people import Dealer, deck
from web.packing import packed

PEOPLE = ("captain", "scout", "soldier")
CONTENT = load_content()
PERSONAL = deck(CONTENT, "personal", len(PEOPLE))
CORPORATE = deck(CONTENT, "corporate", len(PEOPLE))
DEAL = [card for n in range(3) for card in (PERSONAL[n], CORPORATE[n])]
#: What each seat was dealt; the rest of the decks is nobody's.
SECRETS = {f"seat:{n}": DEAL[2 * n - 2 : 2 * n] for n in (1, 2, 3)}


class Crawl:
    """A game on disk through a session; reads everything that anybody gets."""

    def __init__(self, path: Path, seed: int) -> None:
        journal = Journal.create(path, {"game": "g", "commitment": "c"})
        self.table = Table(CONTENT, journal, Dealer(DEAL, seed))
        self.session = Session(self.table)
        self.path = path
        self.player = Player(CONTENT, seed)
        self.bytes = 0

    def take(self, command: Command) -> None:
        try:
            reply = self.session.submit(command)
        except (Refused, BadInput) as problem:
            reply = {"code": problem.code, "params": problem.params, "text": str(problem)}
        self.search("a reply", json.dumps(reply), but=str(command.get("by", "")))

    def search(self, where: str, text: str, but: str = "") -> None:
        self.bytes += len(text)
        for owner, secrets in SECRETS.items():
            if owner != but:
                for secret in secrets:
                    assert secret not in text, (where, owner, secret)

    def look(self) -> None:
        for audience in AUDIENCES:
            number, view = self.session.view(audience)
            self.search(audience, json.dumps([number, view]), but=audience)
            self.search(audience, json.dumps(self.session.log(audience)), but=audience)
            self.search(audience, json.dumps(views.view(self.table, audience)), but=audience)

    def packed(self) -> None:
        """The list and the pages of a packed game, in every language: also no name of a secret."""
        self.take({"do": "unpack"})
        view = self.session.view("table")[1]
        held = CONTENT.objectives
        for language in languages():
            told = json.dumps(packed(self.session.story(), view, CONTENT, language))
            self.search("a packed game", told)
            for secret in DEAL:
                assert held[secret].names.get(language) not in told, (language, secret)

    def files(self) -> None:
        self.search("a redacted export", "".join(lines(self.path, full=False)))
        self.search("a recorded game", record(self.table))


def play(crawl: Crawl, inputs: int) -> None:
    crawl.take({"do": "setup", "players": list(PEOPLE), "digital": True, "id": "setup"})
    for n in range(inputs):
        crawl.take(crawl.player.command(crawl.table))
        crawl.look()
        if n == inputs // 3:
            crawl.take({"do": "place", "piece": "adult", "to": "006", "id": "first"})
        if n % 10 == 0 and crawl.table.state.phase != "over":
            crawl.packed()
            crawl.files()
        if crawl.table.state.phase == "over":
            crawl.take({"do": "undo", "by": "host", "confirm": True})


@pytest.mark.parametrize("seed", [1])
def test_no_secret_reaches_anybody_else(
    tmp_path: Path, seed: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    crawl = Crawl(tmp_path / "a.game", seed)
    play(crawl, 25)
    crawl.search("the program's log", caplog.text)
    assert crawl.bytes > 500_000
    crawl.session.stop()


def test_each_seat_sees_its_own(tmp_path: Path) -> None:
    crawl = Crawl(tmp_path / "a.game", 2)
    crawl.take({"do": "setup", "players": list(PEOPLE), "digital": True})
    for owner, secrets in SECRETS.items():
        assert crawl.session.view(owner)[1]["me"]["secrets"]["objectives"] == secrets
    with pytest.raises(AssertionError, match="seat:2"):
        crawl.search("a leak", json.dumps(crawl.session.view("seat:2")[1]), but="seat:1")
    crawl.session.stop()


def answers(crawl: Crawl, seats: Iterable[int]) -> None:
    for seat in seats:
        asked = crawl.session.view(f"seat:{seat}")[1]["prompts"][0]
        value = asked["options"][1]["id"]
        by = f"seat:{seat}"
        crawl.take({"do": "answer", "prompt": asked["id"], "value": value, "by": by})
        crawl.look()
        crawl.files()


def test_the_choice_of_an_objective_stays_secret_through_undo(tmp_path: Path) -> None:
    crawl = Crawl(tmp_path / "a.game", 3)
    crawl.take({"do": "setup", "players": list(PEOPLE), "digital": True})
    crawl.take({"do": "place", "piece": "adult", "to": "006"})
    answers(crawl, (2, 1, 3))
    before = crawl.session.view("seat:1")[1]["me"]
    assert before["secrets"]["kept"] == DEAL[1]
    for command in (
        {"do": "undo", "by": "table"},
        {"do": "undo", "by": "host", "confirm": True},
        {"do": "redo", "by": "table"},
    ):
        crawl.take(command)
        crawl.look()
        crawl.files()
    assert crawl.session.view("seat:1")[1]["me"] == before
    crawl.session.stop()


def test_a_wrong_answer_to_a_secret_question_tells_nothing(tmp_path: Path) -> None:
    crawl = Crawl(tmp_path / "a.game", 3)
    crawl.take({"do": "setup", "players": list(PEOPLE), "digital": True})
    crawl.take({"do": "place", "piece": "adult", "to": "006"})
    asked = crawl.session.view("seat:1")[1]["prompts"][0]["id"]
    for by in ("table", "host", "seat:2"):
        crawl.take({"do": "answer", "prompt": asked, "value": "nothing", "by": by})
        crawl.take({"do": "by_hand", "by": by})
    crawl.session.stop()


@pytest.mark.slow
def test_no_secret_in_many_games(tmp_path: Path) -> None:
    for seed in range(20, 30):
        crawl = Crawl(tmp_path / f"{seed}.game", seed)
        play(crawl, 150)
        crawl.session.stop()


LOOKS: tuple[Command, ...] = (
    {"do": "room_action", "room": "001", "action": "look_coordinates"},
    {"do": "room_action", "room": "021"},
    {"do": "room_action", "room": "006", "target": "003"},
)


def test_what_was_looked_at_stays_with_who_looked(tmp_path: Path) -> None:
    crawl = Crawl(tmp_path / "a.game", 4)
    crawl.take({"do": "setup", "players": list(PEOPLE), "digital": True})
    crawl.take({"do": "reveal", "room": "006", "tile": "monitoring_room", "token": "fire/1"})
    hidden = crawl.table.state.hidden
    for look in LOOKS:
        crawl.take({**look, "seat": 1, "remote": True, "by": "seat:1"})
    secret = {
        "deep_space",
        f'"{hidden["engines"]["1"]}"',
        crawl.table.state.hidden["003"]["tile"],
        crawl.table.state.hidden["003"]["exploration"],
    }
    unseen = set(hidden["weaknesses"].values())
    for command in (
        {"do": "note", "by": "table", "text": "nothing"},
        {"do": "undo", "by": "host", "confirm": True},
        {"do": "redo", "by": "table"},
    ):
        crawl.take(command)
        crawl.look()
        for audience in AUDIENCES:
            text = json.dumps([crawl.session.view(audience), crawl.session.log(audience)])
            assert not [w for w in unseen if w in text], audience
            if audience != "seat:1":
                assert not [w for w in secret if w in text], audience
    own = json.dumps(crawl.session.view("seat:1")[1]["me"]["secrets"]["seen"])
    assert not [w for w in secret if w not in own]
    for text in ("".join(lines(crawl.path, full=False)), record(crawl.table)):
        assert not [w for w in secret | unseen if w in text]
    crawl.session.stop()


@pytest.mark.parametrize("chosen", [False, True])
def test_attack_cards_drawn_to_choose_from_are_seen_by_one_alone(
    tmp_path: Path, chosen: bool
) -> None:
    path = tmp_path / "a.game"
    table = Table(CONTENT, Journal.create(path, {"game": "g"}), Dealer(DEAL, 5))
    session = Session(table)
    flags = {"intruder_player": True, "digital": True, "preset": "everything"}
    for command in (
        {"do": "setup", "players": list(PEOPLE), **flags},
        {"do": "death", "seat": 2},
        {"do": "event_phase", "step": "end"},
        {"do": "answer", "value": True, "by": "seat:2"},
        {"do": "place", "piece": "adult", "to": "011"},
    ):
        session.submit(command)
    for seat in (1, 3):
        asked = session.view(f"seat:{seat}")[1]["prompts"][0]
        value = asked["options"][0]["id"]
        answer = {"do": "answer", "prompt": asked["id"], "value": value, "by": f"seat:{seat}"}
        session.submit(answer)
    attack = {"do": "intruder_action", "use": "attack", "intruder": "adult#1", "count": 3}
    assert session.submit({**attack, "by": "seat:2"})["status"] == "done"
    while table.root and not next(iter(table.prompts().values())).secret:
        session.submit({"do": "answer", "value": [1], "by": "table"})  # fewest cards in hand
    asked = session.view("seat:2")[1]["prompts"][0]
    drawn = [option["id"] for option in asked["options"]]
    assert len(drawn) == 3
    hidden = drawn
    if chosen:
        session.submit({"do": "answer", "value": drawn[0], "by": "seat:2"})
        hidden = drawn[1:]
    for audience in AUDIENCES:
        if audience != "seat:2":
            text = json.dumps(session.view(audience)[1])
            assert not any(card in text for card in hidden), audience
    for text in ("".join(lines(path, full=False)), record(table)):
        assert not any(card in text for card in hidden)
    session.stop()


# Mutations of the Carnomorphs ---------------------------------------------------------------------

MUTATIONS = ("mimicry", "unread_mutation#7")
ALIENS = {
    "species": "carnomorphs",
    "digital": True,
    "truth": {"mutations": "digital", "weaknesses": "digital"},
    "preset": "everything",
}


def mutated(path: Path, kept: int, seed: int = 6) -> tuple[Table, Session]:
    """Three people among Carnomorphs; the first has kept one of two Mutations."""
    table = Table(CONTENT, Journal.create(path, {"game": "g"}), Mutating(DEAL, seed))
    session = Session(table)
    session.submit({"do": "setup", "players": list(PEOPLE), **ALIENS})
    session.submit({"do": "mutate", "seat": 1, "card": True, "by": "table"})
    asked = session.view("seat:1")[1]["prompts"][0]
    answer = {"do": "answer", "prompt": asked["id"], "value": MUTATIONS[kept], "by": "seat:1"}
    assert session.submit(answer)["status"] == "done"
    return table, session


class Mutating(Dealer):
    """Deals objectives as said, and just these two Mutation cards."""

    def pick(self, purpose: str, options: Any, **about: Any) -> Any:
        if purpose == "mutation":
            return next(card for card in MUTATIONS if card in options)
        return super().pick(purpose, options, **about)


def test_a_mutation_is_its_owners_until_it_is_used(tmp_path: Path) -> None:
    path = tmp_path / "a.game"
    table, session = mutated(path, 1)
    commands: tuple[Command, ...] = (
        {"do": "note", "by": "table", "text": "nothing"},
        {"do": "mutate", "seat": 1, "by": "table"},
        {"do": "undo", "by": "table"},
        {"do": "undo", "by": "host", "confirm": True},
        {"do": "redo", "by": "table"},
        {"do": "contaminate", "seat": 1, "by": "table"},
    )
    for command in commands:
        session.submit(command)
        for audience in AUDIENCES:
            if audience != "seat:1":
                text = json.dumps([session.view(audience), session.log(audience)])
                assert not [card for card in MUTATIONS if card in text], (audience, command)
        for text in ("".join(lines(path, full=False)), record(table)):
            assert not [card for card in MUTATIONS if card in text], command
    own = session.view("seat:1")[1]["me"]["secrets"]["species"]
    assert own == {"mutation": MUTATIONS[1]}
    session.submit({"do": "mutation_action", "seat": 1, "by": "seat:1"})
    assert MUTATIONS[1] in json.dumps(session.view("seat:2"))
    assert MUTATIONS[0] not in json.dumps(session.view("seat:2"))
    session.stop()


def test_no_page_differs_by_which_mutation_somebody_holds(tmp_path: Path) -> None:
    shown: list[list[str]] = []
    for kept in (0, 1):
        _, session = mutated(tmp_path / f"{kept}.game", kept)
        pages = []
        for command in (
            {"do": "note", "by": "table", "text": "nothing"},
            {"do": "move", "seat": 1, "to": "014", "by": "seat:1"},
            {"do": "mutate", "seat": 1, "by": "table"},
            {"do": "wound", "seat": 1, "by": "table"},
        ):
            session.submit({**command, "id": f"{command['do']}"})
            pages += [json.dumps(session.view(a)) for a in AUDIENCES if a != "seat:1"]
        shown.append(pages)
        session.stop()
    assert shown[0] == shown[1]


def test_a_mutation_lying_hidden_changes_nobodys_seat(tmp_path: Path) -> None:
    _, session = mutated(tmp_path / "a.game", 0)
    for audience in ("table", "host", "seat:2"):
        seats = session.view(audience)[1]["seats"]
        assert [s["species"] for s in seats] == [{"mutation": None, "markers": 0}] * 3
    session.stop()


def test_a_cancelled_attack_takes_the_mutation_back_and_names_none(tmp_path: Path) -> None:
    path = tmp_path / "a.game"
    table = Table(CONTENT, Journal.create(path, {"game": "g"}), Mutating(DEAL, 7))
    session = Session(table)
    session.submit({"do": "setup", "players": list(PEOPLE), **ALIENS})
    session.submit({"do": "place", "piece": "metagorger", "to": "014"})
    answer_all(session)
    session.submit({"do": "place", "piece": "soldier", "to": "014"})
    session.submit({"do": "event_phase", "step": "attack"})
    answer_all(session)
    assert table.state.seats[3].own["mutation"] in MUTATIONS
    assert session.submit({"do": "card", "card": "armor", "seat": 3})["status"] == "done"
    assert table.state.seats[3].own == {}
    for audience in AUDIENCES:
        if audience != "seat:3":
            text = json.dumps([session.view(audience), session.log(audience)])
            assert not [card for card in MUTATIONS if card in text], audience
    session.stop()


def answer_all(session: Session) -> None:
    """Whoever is asked in secret takes the first answer."""
    for seat in (1, 2, 3):
        for asked in session.view(f"seat:{seat}")[1]["prompts"]:
            value = asked["options"][0]["id"]
            answer = {"do": "answer", "prompt": asked["id"], "value": value, "by": f"seat:{seat}"}
            session.submit(answer)
