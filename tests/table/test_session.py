"""The session: one writer, numbered views, nothing shown before it is on disk."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from companion.game import BadInput, Chance, Fault
from companion.library import load_content
from companion.library.model import Content
from companion.table.journal import MemoryJournal, Row
from companion.table.ports import Health, Placement, Registration, Sighting, Status
from companion.table.session import AUDIENCES, QUEUE, Session
from companion.table.table import Table


class Disk(MemoryJournal):
    """A journal whose disk can be full, or wait."""

    full = False
    gate: threading.Event | None = None
    entered = threading.Event()

    def append(self, **row: Any) -> Row:
        if self.full:
            raise Fault("journal", "journal.full")
        if self.gate is not None:
            self.entered.set()
            self.gate.wait(10)
        return super().append(**row)


@pytest.fixture(scope="module")
def content() -> Content:
    return load_content()


@pytest.fixture
def disk() -> Disk:
    return Disk({"game": "g"})


@pytest.fixture
def session(content: Content, disk: Disk) -> Iterator[Session]:
    running = Session(Table(content, disk, Chance(bytes(32))), quiet=0)
    running.start()
    people = {"players": ["captain", "scout"], "digital": True, "preset": "everything"}
    running.submit({"do": "setup", **people})
    yield running
    disk.gate = None
    running.stop()


def join(name: str, **more: Any) -> dict[str, Any]:
    return {"do": "join", "seat": 1, "name": name, "by": "seat:1", **more}


def test_eight_threads_a_hundred_commands(session: Session, disk: Disk) -> None:
    before = session.seq
    replies: list[dict[str, Any]] = []

    def send(thread: int) -> None:
        for n in range(13):
            replies.append(session.submit(join(f"{thread}.{n}", id=f"{thread}-{n}")))

    threads = [threading.Thread(target=send, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [r["status"] for r in replies] == ["done"] * 104
    assert sorted(r["seq"] for r in replies) == list(range(before + 1, before + 105))
    assert [row.seq for row in disk.rows()] == list(range(1, before + 105))


def test_an_id_counts_once_from_two_threads(session: Session) -> None:
    before = session.seq
    replies: list[str] = []
    start = threading.Barrier(2)

    def send() -> None:
        start.wait()
        replies.append(session.submit({"do": "wound", "seat": 1, "id": "w"})["status"])

    threads = [threading.Thread(target=send) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(replies) == ["already", "done"]
    assert session.seq == before + 1
    assert session.view("table")[1]["seats"][0]["light"] == 1


def test_what_was_based_on_an_older_state_takes_nothing_back(session: Session) -> None:
    """``base``, the number of the view that the sender saw, decides where nothing else does."""
    session.submit({"do": "slime", "seat": 1, "on": True})
    seen = session.view("table")[0]
    session.submit({"do": "slime", "seat": 2, "on": True})
    for do in ("undo", "redo", "next"):
        before = session.seq
        reply = session.submit({"do": do, "by": "table", "base": seen})
        assert (reply["status"], session.seq) == ("conflict", before), do
    # other commands look for themselves whether they still fit
    assert session.submit({"do": "slime", "seat": 2, "on": False, "base": seen})["status"] == "done"
    now = session.view("table")[0]
    session.submit(join("Anna"))  # a newer view in which undo does the same
    undo = {"do": "undo", "by": "table", "base": now, "id": "u"}
    assert session.submit(undo)["status"] == "done"
    assert session.submit(undo)["status"] == "already"


def test_a_command_for_another_game_changes_nothing(session: Session) -> None:
    before = session.seq
    slime = {"do": "slime", "seat": 1, "on": True}
    assert session.submit({**slime, "game_id": "h"})["status"] == "conflict"
    assert session.seq == before
    assert session.submit({**slime, "game_id": "g"})["status"] == "done"


@pytest.mark.parametrize("wrong", [{"base": "5"}, {"base": True}, {"base": 1.5}, {"game_id": 7}])
def test_a_base_or_game_of_another_kind_is_bad_input(
    session: Session, wrong: dict[str, Any]
) -> None:
    before = session.seq
    with pytest.raises(BadInput):
        session.submit({"do": "slime", "seat": 1, "on": True, **wrong})
    assert session.seq == before


def test_a_full_queue_says_busy(session: Session, disk: Disk) -> None:
    disk.gate = threading.Event()
    disk.entered.clear()
    codes: list[str] = []

    def send(n: int) -> None:
        try:
            codes.append(session.submit(join(f"{n}"))["status"])
        except Fault as fault:
            codes.append(fault.code)

    first = threading.Thread(target=send, args=(0,))
    first.start()
    assert disk.entered.wait(5)
    waiting = [threading.Thread(target=send, args=(n,)) for n in range(1, QUEUE + 1)]
    for thread in waiting:
        thread.start()
    for _ in range(500):
        if session._work.full():
            break
        threading.Event().wait(0.01)
    with pytest.raises(Fault) as busy:
        session.submit(join("late"))
    assert (busy.value.code, busy.value.temporary) == ("table.busy", True)
    disk.gate.set()
    for thread in [first, *waiting]:
        thread.join()
    assert codes == ["done"] * (QUEUE + 1)


def test_listeners_get_consecutive_numbers(session: Session) -> None:
    listeners = {a: session.listen(a) for a in AUDIENCES}
    numbers: dict[str, list[int]] = {a: [] for a in AUDIENCES}
    for n in range(5):
        for audience, listener in listeners.items():
            while (news := listener.get(0.05)) is not None:
                numbers[audience].append(news[0])
        session.submit(join(f"name {n}"))
    for audience, seen in numbers.items():
        assert seen == list(range(seen[0], seen[0] + len(seen))), audience
        assert len(seen) == 5


def test_a_secret_moves_no_other_stream(session: Session) -> None:
    session.submit({"do": "place", "piece": "adult", "to": "006"})
    before = {a: session.view(a) for a in AUDIENCES}
    asked = before["seat:1"][1]["prompts"][0]
    mine = asked["options"][0]["id"]
    session.submit({"do": "answer", "prompt": asked["id"], "value": mine, "by": "seat:1"})
    after = {a: session.view(a) for a in AUDIENCES}
    steps = {a: after[a][0] - before[a][0] for a in AUDIENCES}
    assert set(steps.values()) == {1}
    assert after["seat:2"][1]["prompts"] == before["seat:2"][1]["prompts"]
    assert mine not in str(after["table"][1]) + str(after["seat:2"][1]["me"])


def test_closing_a_listener_wakes_it(session: Session) -> None:
    listener = session.listen("table")
    listener.get(0)
    got: list[Any] = []
    thread = threading.Thread(target=lambda: got.append(listener.get(30)))
    thread.start()
    listener.close()
    thread.join(5)
    assert got == [None]
    with pytest.raises(KeyError):
        session.listen("seat:9")


def test_a_full_disk_changes_and_shows_nothing(session: Session, disk: Disk) -> None:
    before = {a: session.view(a) for a in AUDIENCES}
    state = session._table.state.digest()
    disk.full = True
    for command in (
        {"do": "wound", "seat": 1, "id": "x"},
        {"do": "undo", "by": "scenario"},
        {"do": "event_phase"},
        join("nobody"),
        {"do": "note", "text": "t"},
    ):
        with pytest.raises(Fault, match=r"journal\.full"):
            session.submit(command)
    assert {a: session.view(a) for a in AUDIENCES} == before
    assert session._table.state.digest() == state
    assert session._table.ledger.notes == []
    disk.full = False
    assert session.submit({"do": "wound", "seat": 1, "id": "x"})["status"] == "done"
    assert session.view("table")[1]["seats"][0]["light"] == 1


def test_an_answer_lost_to_a_full_disk_may_come_again(session: Session, disk: Disk) -> None:
    session.submit({"do": "truth", "component": "dice", "place": "physical"})
    session.submit({"do": "noise_roll", "seat": 1})
    asked = session.view("table")[1]["prompts"][0]
    answer = {"do": "answer", "prompt": asked["id"], "value": "2", "by": "table"}
    disk.full = True
    with pytest.raises(Fault):
        session.submit(answer)
    assert session.view("table")[1]["prompts"] == [asked]
    disk.full = False
    session.submit(answer)
    once = session._table.state.digest()
    session.submit({"do": "undo", "by": "scenario"})
    session.submit({"do": "redo"})
    assert session._table.state.digest() == once


def test_a_question_whose_answer_refuses_its_command_is_gone_for_everybody(
    content: Content, disk: Disk
) -> None:
    running = Session(Table(content, disk, Chance(bytes(32))))
    running.start()
    try:
        people = {"players": ["captain", "scout"], "digital": True, "preset": "bag"}
        running.submit({"do": "setup", **people})
        running.submit({"do": "place", "piece": "captain", "to": "001"})
        running.submit({"do": "noise_roll", "seat": 2})  # said on its own: something was played
        action = {"do": "room_action", "seat": 1, "action": "course", "target": "A"}
        asked = running.view("table")[1]["prompts"]
        while not asked or asked[0]["key"] != "ask.malfunction":
            answer = {"do": "answer", "prompt": asked[0]["id"], "value": True} if asked else action
            assert running.submit(answer)["status"] == "done"
            asked = running.view("table")[1]["prompts"]
        answer = {"do": "answer", "prompt": asked[0]["id"], "value": ["001"]}
        assert running.submit(answer)["code"] == "room.malfunction"
        assert running.view("table")[1]["prompts"] == []
        assert running.view("seat:1")[1]["prompts"] == []
    finally:
        running.stop()


def test_a_watcher_sees_now_and_every_change(session: Session) -> None:
    seen: list[Mapping[str, Any]] = []
    session.watch(seen.append)
    assert len(seen) == 1
    session.submit({"do": "first_player", "seat": 2})
    assert [v["first_player"] for v in seen] == [1, 2]
    session.submit({"do": "note", "text": "nothing to see"})
    assert len(seen) == 2


def test_the_writer_survives_a_failing_watcher(session: Session) -> None:
    def fail(view: Mapping[str, Any]) -> None:
        if view["first_player"] == 2:
            raise RuntimeError("the lamp is gone")

    session.watch(fail)
    reply = session.submit({"do": "first_player", "seat": 2})
    assert reply["status"] == "done"
    assert session.submit({"do": "first_player", "seat": 1})["status"] == "done"


def test_health_is_part_of_the_view(content: Content, disk: Disk) -> None:
    health = [Health("camera", Status.READY)]
    running = Session(Table(content, disk, Chance(bytes(32))), health=lambda: health)
    assert running.view("table")[1]["parts"][0]["status"] == "ready"
    number = running.view("table")[0]
    running.beat()
    assert running.view("table")[0] == number
    health[0] = Health("camera", Status.DEGRADED, "fault.camera.lost")
    running.beat()
    assert running.view("table")[0] == number + 1
    running.stop()


# The camera -------------------------------------------------------------------------------------


def sighting(*pieces: tuple[str, str], gone: tuple[str, ...] = (), ok: bool = True) -> Sighting:
    placed = tuple(
        Placement(n, piece, piece.split("#")[0], room, None, (0.5, 0.5), 0.9)
        for n, (piece, room) in enumerate(pieces)
    )
    return Sighting(0.0, Registration(ok, 8, 0.5), placed, gone)


def meet(session: Session) -> None:
    """The first intruder has come: both keep an objective."""
    session.submit({"do": "place", "piece": "adult#1", "to": "006"})
    for seat in ("seat:1", "seat:2"):
        asked = session.view(seat)[1]["prompts"][0]
        value = asked["options"][0]["id"]
        session.submit({"do": "answer", "prompt": asked["id"], "value": value, "by": seat})


def held(session: Session, piece: str) -> str:
    return session._table.state.where[piece]


def test_a_difference_is_proposed_and_taken(session: Session) -> None:
    start = session.view("table")[1]["seats"][0]["room"]
    session.see(sighting(("captain", "007"), ("scout", start)))
    found = session.view("table")[1]["differences"]
    assert [(d["piece"], d["from"], d["to"]) for d in found] == [("captain", start, "007")]
    assert session.view("table")[1]["seats"][0]["room"] == start
    assert session.take(found[0]["id"], "table")["status"] == "done"
    assert session.view("table")[1]["seats"][0]["room"] == "007"
    assert session.view("table")[1]["differences"] == []


def test_two_markers_of_one_number_are_proposed_to_nobody_and_go_by_themselves(
    session: Session,
) -> None:
    start = session.view("table")[1]["seats"][0]["room"]
    usual = sighting(("captain", start), ("scout", "007"))
    both = sighting(("captain", start), ("captain", "006")).pieces
    session.see(dataclasses.replace(usual, duplicates=("captain",), twice=both))
    (_, twice) = session.view("seat:1")[1]["differences"]
    assert (twice["piece"], twice["twice"]) == ("captain", True)
    assert {twice["from"], twice["to"]} == {start, "006"}
    with pytest.raises(BadInput):
        session.take(twice["id"], "table")
    assert session.take("all", "table")["status"] == "done"  # the other one
    assert [s["room"] for s in session.view("table")[1]["seats"]] == [start, "007"]
    session.see(dataclasses.replace(usual, duplicates=("captain",), twice=both))
    (left,) = session.view("table")[1]["differences"]
    session.submit({"do": "ignore", "difference": left["id"], "by": "table"})
    session.see(dataclasses.replace(usual, duplicates=("captain",), twice=both))
    assert session.view("table")[1]["differences"] == []
    other = (both[0], dataclasses.replace(both[1], room="012"))
    session.see(dataclasses.replace(usual, duplicates=("captain",), twice=other))
    assert len(session.view("table")[1]["differences"]) == 1
    session.see(usual)
    assert session.view("table")[1]["differences"] == []


def test_an_ignored_difference_stays_away(session: Session) -> None:
    session.see(sighting(("captain", "007")))
    found = session.view("table")[1]["differences"][0]
    session.submit({"do": "ignore", "difference": found["id"], "by": "table"})
    session.see(sighting(("captain", "007")))
    assert session.view("table")[1]["differences"] == []


def test_an_ignored_difference_is_proposed_again_once_it_was_put_right(session: Session) -> None:
    start = session.view("table")[1]["seats"][0]["room"]
    for _ in range(2):
        session.see(sighting(("captain", "007")))
        found = session.view("table")[1]["differences"][0]
        session.submit({"do": "ignore", "difference": found["id"], "by": "table"})
        session.see(sighting(("captain", "007")))
        session.see(sighting())  # covered for a while: nothing was put right
        session.see(sighting(("captain", "007")))
        assert session.view("table")[1]["differences"] == []
        session.see(sighting(("captain", start)))


def test_a_piece_seen_gone_is_proposed_and_removed(session: Session) -> None:
    meet(session)
    session.submit({"do": "place", "piece": "larva#1", "to": "006"})
    session.see(sighting(gone=("larva#1",)))
    found = session.view("table")[1]["differences"]
    assert [(d["piece"], d["to"]) for d in found] == [("larva#1", None)]
    session.take(found[0]["id"], "table")
    assert held(session, "larva#1") == "supply"


def test_an_instruction_closes_when_it_is_seen_done(session: Session) -> None:
    meet(session)
    session.submit({"do": "kill", "intruder": "adult#1"})
    waiting = session.view("table")[1]["instructions"]
    assert "adult#1" in [i["piece"] for i in waiting]
    before = session.seq
    session.see(sighting(("adult#1", "006")))
    assert session.seq == before
    session.see(sighting(gone=("adult#1",)))
    left = session.view("table")[1]["instructions"]
    assert "adult#1" not in [i["piece"] for i in left]
    assert len(left) == len(waiting) - 1


def test_a_larva_that_leaves_for_a_characters_board_is_seen_done(session: Session) -> None:
    meet(session)
    for piece in ("captain", "larva#1"):
        session.submit({"do": "place", "piece": piece, "to": "006"})
    session.see(sighting(("captain", "006"), ("larva#1", "006")))
    session.submit({"do": "event_phase", "step": "attack"})
    waiting = session.view("table")[1]["instructions"]
    assert ("larva#1", "1") in [(i["piece"], i["to"]) for i in waiting]
    session.see(sighting(("captain", "006"), gone=("larva#1",)))
    left = session.view("table")[1]["instructions"]
    assert "larva#1" not in [i["piece"] for i in left]


def test_a_refused_proposal_stays(session: Session) -> None:
    session.see(sighting(("captain", "007")))
    session.submit({"do": "place", "piece": "adult#1", "to": "006"})
    found = session.view("table")[1]["differences"]
    assert session.take(found[0]["id"], "table")["code"] == "prompt_open"
    assert session.view("table")[1]["differences"] == found


def test_an_unknown_difference(session: Session) -> None:
    with pytest.raises(BadInput, match=r"command\.unknown_difference"):
        session.take("d:nothing", "table")
