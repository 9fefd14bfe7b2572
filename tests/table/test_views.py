"""What each audience may know: nothing of another's secret, whatever it is."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from companion.bench.play import Player
from companion.game import BadInput, Refused
from companion.game.state import canonical
from companion.library import load_content
from companion.library.model import Content
from companion.table import views
from companion.table.session import AUDIENCES
from companion.table.table import Table
from tests.table.people import begun, deck

PEOPLE = ("captain", "scout", "soldier")
CONTENT = load_content()
PERSONAL = deck(CONTENT, "personal", len(PEOPLE))
CORPORATE = deck(CONTENT, "corporate", len(PEOPLE))


DEAL = [card for n in range(3) for card in (PERSONAL[n], CORPORATE[n])]


@pytest.fixture
def content() -> Content:
    return CONTENT


def seen(table: Table) -> dict[str, str]:
    return {a: canonical(views.view(table, a)) for a in AUDIENCES}


def twins(secret: int, change: int, seed: int) -> tuple[Table, Table]:
    """Two games that differ in the objectives of seat ``secret`` only."""
    others = [n for n in range(1, 4) if n != secret]
    deals = []
    for first in (0, change):
        mine = (PERSONAL[first], CORPORATE[first])
        rest = iter([(PERSONAL[-1], CORPORATE[-1]), (PERSONAL[-2], CORPORATE[-2])])
        deal = {secret: mine, **{n: next(rest) for n in others}}
        deals.append([card for seat in (1, 2, 3) for card in deal[seat]])
    return begun(CONTENT, deals[0], PEOPLE, seed), begun(CONTENT, deals[1], PEOPLE, seed)


def both(first: Table, second: Table, command: dict[str, Any]) -> None:
    """The same command to both: taken or refused alike, in the same words.

    What turns a card open may go on otherwise from there.
    """
    said = []
    for table in (first, second):
        try:
            said.append(str(table.command(_own(table, command))))
        except (Refused, BadInput) as problem:
            said.append(f"{problem.code} {problem.params}")
    assert said[0] == said[1] or turned(first) or turned(second)


def _own(table: Table, command: dict[str, Any]) -> dict[str, Any]:
    """An answer to a secret question names the same place among each game's own options."""
    ask = table.prompts().get(str(command.get("prompt")))
    if ask is None or not ask.secret:
        return command
    return {**command, "value": ask.options[command["place"]].id}


@settings(max_examples=8, deadline=None)
@given(
    secret=st.integers(1, 3),
    change=st.integers(1, min(len(PERSONAL), len(CORPORATE)) - 3),
    seed=st.integers(0, 10_000),
)
def test_nobody_elses_page_depends_on_a_secret(secret: int, change: int, seed: int) -> None:
    first, second = twins(secret, change, seed)
    player = Player(CONTENT, seed)
    first_command = {"do": "place", "piece": "adult", "to": "006", "id": "first"}
    for step in range(25):
        mine, other = seen(first), seen(second)
        hidden = f"seat:{secret}"
        assert {a: v for a, v in mine.items() if a != hidden} == {
            a: v for a, v in other.items() if a != hidden
        }
        if step == 0:
            assert mine[hidden] != other[hidden]
        command = player.command(first) if step != 3 else first_command
        last = first.undoable()
        if command["do"] == "undo" and last and last.inputs[0]["do"] == "setup":
            continue  # another setup would deal other secrets
        ask = first.prompts().get(str(command.get("prompt")))
        if ask is not None and ask.secret:
            command["place"] = 0
        both(first, second, command)


ENDINGS = ("hibernated", "hibernated", "launched", "aboard", "dead")
TURNED = {"objective_turned", "verdict_spared"}


def ended(table: Table, deal: st.DataObject) -> list[dict[str, Any]]:
    """How an evening may end: who sleeps, is away, dead or ill, and whether anything was met."""
    commands: list[dict[str, Any]] = []
    if deal.draw(st.integers(0, 3), "met") == 0:
        commands.append({"do": "place", "piece": "adult", "to": "006"})
    for seat in table.state.seats:
        commands.append({"do": "contaminate", "seat": seat, "count": deal.draw(st.integers(0, 2))})
        state = deal.draw(st.sampled_from(ENDINGS), f"seat {seat}")
        if state == "dead":
            commands.append({"do": "death", "seat": seat})
        elif state != "aboard":
            commands.append({"do": "state", "seat": seat, "state": state})
        if deal.draw(st.booleans()):
            commands.append({"do": "signal", "seat": seat, "on": True})
    return [c for c in commands if c.get("count") != 0]


def turned(table: Table) -> bool:
    """Whether an objective lies open by now: from then on the pages differ as the table does."""
    return bool(TURNED & {e["type"] for row in table.journal.rows() for e in row.events})


@pytest.mark.parametrize("species", ["intruders", "carnomorphs", "void_seeders"])
@settings(max_examples=40, deadline=None, phases=(Phase.explicit, Phase.generate))
@given(data=st.data())
def test_nobody_elses_end_depends_on_a_secret(species: str, data: st.DataObject) -> None:
    """Two games that differ in one seat's objectives ask alike until a card is turned."""
    secret, seed = data.draw(st.integers(1, 3), "secret"), data.draw(st.integers(0, 10_000))
    cards = data.draw(st.permutations(PERSONAL)), data.draw(st.permutations(CORPORATE))
    if "quarantine" in cards[0][3:]:  # one of the two worlds has the card that spares a sleeper
        at = cards[0].index("quarantine")
        cards[0][0], cards[0][at] = cards[0][at], cards[0][0]
    pairs = list(zip(*cards, strict=False))
    deals = []
    for mine in (pairs[0], pairs[3]):
        rest = iter(pairs[1:3])
        deals.append([c for n in (1, 2, 3) for c in (mine if n == secret else next(rest))])
    truth = {"contamination": data.draw(st.sampled_from(["digital", "physical"]))}
    first, second = (
        begun(CONTENT, deal, PEOPLE, seed, species=species, truth=truth) for deal in deals
    )
    places = first.state.hidden["coordinates"]
    letter = next((k.upper() for k, place in places.items() if place == "mars"), None)
    script = ended(first, data)
    if letter is not None and data.draw(st.integers(0, 3)) > 0:
        course = {"do": "room_action", "room": "001", "action": "course", "seat": 1}
        script.insert(0, {**course, "target": letter})
        script.insert(0, {"do": "place", "piece": "captain", "to": "001"})
    script.append({"do": "game_end", "cause": "jump"})
    told = 0
    while not turned(first) and not turned(second) and not first.finished:
        mine, other = seen(first), seen(second)
        hidden = f"seat:{secret}"
        assert {a: v for a, v in mine.items() if a != hidden} == {
            a: v for a, v in other.items() if a != hidden
        }
        prompts = first.prompts()
        if prompts:
            ident, ask = data.draw(st.sampled_from(list(prompts.items())))
            place = data.draw(st.integers(0, max(len(ask.options) - 1, 0)))
            value = ask.options[place].id if ask.options else data.draw(st.booleans())
            by = "table" if ask.to == "any" else f"seat:{ask.to}"
            given = {"do": "answer", "prompt": ident, "value": value, "place": place, "by": by}
        elif first.state.agenda:
            given = {"do": "next"}
        else:
            given = script.pop(0)
        told += 1
        both(first, second, {**given, "id": f"end-{told}"})
        assert told < 200


def test_a_secret_question_is_shown_to_its_seat_alone(content: Content) -> None:
    table = begun(content, DEAL, PEOPLE)
    table.command({"do": "place", "piece": "adult", "to": "006"})
    asked = {a: views.view(table, a)["prompts"] for a in AUDIENCES}
    assert [len(asked[a]) for a in AUDIENCES] == [0, 0, 1, 1, 1, 0, 0]
    assert views.view(table, "table")["waiting"] == 3
    ident = asked["seat:1"][0]["id"]
    for wrong in ("table", "host", "seat:2"):
        with pytest.raises(Refused, match="not_yours"):
            table.command({"do": "answer", "prompt": ident, "value": PERSONAL[0], "by": wrong})
    table.command({"do": "answer", "prompt": ident, "value": PERSONAL[0], "by": "seat:1"})
    assert views.view(table, "table")["waiting"] == 2
    assert views.view(table, "seat:1")["prompts"] == []


def test_a_secret_question_is_not_closed_by_hand(content: Content) -> None:
    table = begun(content, DEAL, PEOPLE)
    table.command({"do": "place", "piece": "adult", "to": "006"})
    assert views.view(table, "table")["can"]["close_step"] is False
    with pytest.raises(Refused, match=r"by_hand\.not_this"):
        table.command({"do": "by_hand"})


def test_undoing_past_a_secret_is_the_hosts(content: Content) -> None:
    table = begun(content, DEAL, PEOPLE)
    for by in ("table", "seat:1", "host"):
        with pytest.raises(Refused, match=r"undo\.secret") as refusal:
            table.command({"do": "undo", "by": by})
        assert refusal.value.params == {}
    table.command({"do": "undo", "by": "host", "confirm": True})
    assert table.state.phase == "lobby"


def test_an_audience_that_is_not_there(content: Content) -> None:
    table = begun(content, DEAL, PEOPLE)
    for unknown in ("", "seat", "seat:0", "seat:6", "seat:1,2", "all"):
        with pytest.raises(KeyError):
            views.view(table, unknown)


def test_log_numbers_count_what_their_reader_sees(content: Content) -> None:
    table = begun(content, DEAL, PEOPLE)
    newest = {a: views.view(table, a)["log"][-1]["n"] for a in AUDIENCES}
    assert newest["table"] == newest["host"] == newest["seat:4"]
    assert newest["seat:1"] == newest["seat:2"] == newest["table"] + 1
    for _ in range(450):
        table.command({"do": "first_player", "seat": 1})
    later = {a: [line["n"] for line in views.view(table, a)["log"]] for a in AUDIENCES}
    for audience, lines in later.items():
        assert lines == list(range(newest[audience] + 450 - 79, newest[audience] + 451))


def test_the_steps_of_the_setup_go_to_who_is_there(content: Content) -> None:
    table = begun(content, DEAL, PEOPLE)

    def doing() -> set[int]:
        steps = views.view(table, "table")["checklist"]
        return {
            s["seat"] for s in steps if not s["id"].startswith(("own_", "first_", "objectives_"))
        }

    assert doing() == {1, 2, 3}  # nobody has said who is there
    for seat in (1, 3, 5):
        table.command({"do": "join", "seat": seat, "present": True})
    assert doing() == {1, 3}  # seat 5 does not play
    table.command({"do": "tick", "check": "markers"})
    table.command({"do": "join", "seat": 1, "present": False})
    assert doing() == {3}
    assert [s["id"] for s in views.view(table, "table")["checklist"] if s["done"]] == ["markers"]
