"""Random games under watch: what must hold after every input, and again from the journal."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.bench.evening import Broken, Evening, table
from companion.bench.invariants import contents, picture, problems
from companion.bench.play import Player
from companion.bench.random_games import play, replay
from companion.library import load_content
from companion.library.model import Content


@pytest.fixture(scope="module")
def content() -> Content:
    return load_content()


@pytest.mark.parametrize("seed", [2, 13, 19, 33, 146])
def test_a_random_game_holds_and_replays(content: Content, tmp_path: Path, seed: int) -> None:
    evening = Evening(content, seed, tmp_path / "a.game")
    evening.play(60)
    evening.reopen()
    assert evening.replay() > 10
    assert evening.table.state.phase == "over"


@pytest.mark.parametrize(("seed", "preset"), [(5, "bag"), (6, "bag_and_board"), (7, "everything")])
def test_a_random_game_on_the_advanced_side(
    content: Content, tmp_path: Path, seed: int, preset: str
) -> None:
    evening = Evening(
        content, seed, tmp_path / "a.game", preset=preset, setup={"board": "nemesis/advanced"}
    )
    evening.play(80)
    evening.reopen()
    assert evening.replay() > 10
    assert evening.table.state.board == "nemesis/advanced"


@pytest.mark.parametrize(("seed", "preset"), [(1, "bag"), (23, "bag_and_board"), (9, "everything")])
def test_a_random_game_among_carnomorphs(
    content: Content, tmp_path: Path, seed: int, preset: str
) -> None:
    setup = {"species": "carnomorphs"}
    evening = Evening(content, seed, tmp_path / "a.game", preset=preset, setup=setup)
    evening.play(90)
    evening.reopen()
    assert evening.replay() > 10
    assert evening.table.state.species == "carnomorphs"


@pytest.mark.parametrize(("seed", "flag"), [(5, "coop"), (6, "intruder_player")])
def test_a_random_game_that_is_played_otherwise(
    content: Content, tmp_path: Path, seed: int, flag: str
) -> None:
    setup = {
        flag: True,
        "players": [{}, {}, {}],
        "draft": True,
        "numbers": "dealt",
    }
    evening = Evening(content, seed, tmp_path / "a.game", setup=setup)
    evening.play(90)
    evening.reopen()
    assert evening.replay() > 10


@pytest.mark.parametrize(("seed", "preset"), [(1, "bag"), (2, "bag_and_board"), (3, "everything")])
def test_a_random_game_with_the_void_seeders(
    content: Content, tmp_path: Path, seed: int, preset: str
) -> None:
    setup = {"species": "void_seeders", "players": [{}, {}, {}], "draft": True}
    evening = Evening(content, seed, tmp_path / "a.game", preset=preset, setup=setup)
    evening.play(80)
    evening.reopen()
    assert evening.replay() > 10
    assert all("insanity" in person.own for person in evening.table.state.seats.values())


def test_random_games_with_somebody_playing_the_intruders(content: Content) -> None:
    for seed in range(403, 407):
        evening = Evening(content, seed, None)
        players = ["captain", "scout", "soldier"]
        flags = {"intruder_player": True, "digital": True, "preset": "everything"}
        evening.take({"do": "setup", "players": players, **flags, "id": "setup"})
        evening.take({"do": "death", "seat": 2, "id": "death"})
        evening.take({"do": "event_phase", "step": "end", "id": "end"})
        evening.take({"do": "answer", "value": True, "by": "seat:2", "id": "yes"})
        assert evening.table.state.intruder_seat == 2
        pursuit = {"do": "intruder_action", "use": "effect", "card": "pursuit", "seat": 1}
        assert evening.take({**pursuit, "id": "pursuit"})
        evening.play(80)
        evening.replay()


def test_the_same_seed_plays_the_same_game(content: Content, tmp_path: Path) -> None:
    prints = []
    for path in (None, tmp_path / "b.game"):
        evening = Evening(content, 22, path)
        evening.play(40)
        prints.append(evening.fingerprint)
    assert prints[0] == prints[1]


def test_other_seeds_play_other_games(content: Content) -> None:
    first = [Player(content, seed).setup() for seed in range(6)]
    assert len({str(command) for command in first}) == 6


@pytest.fixture
def playing(content: Content) -> Evening:
    evening = Evening(content, 1, None)
    evening.take({"do": "setup", "players": ["captain", "scout"], "digital": True, "id": "s"})
    return evening


@pytest.mark.parametrize(
    ("harm", "found"),
    [
        (lambda s: s.where.pop("adult#1"), "made or lost"),
        (lambda s: s.where.update({"adult#9": "supply"}), "made or lost"),
        (lambda s: s.where.update({"adult#1": "corridor:005-010"}), "adult#1 in corridor"),
        (lambda s: s.where.update({"fire#1": "room:006", "fire#2": "room:006"}), "2 fire in"),
        (lambda s: s.injuries.update({"adult#1": 1}), "injuries on adult#1"),
        (lambda s: s.where.update({"token:blank": "aside"}), "left aside"),
        (lambda s: setattr(s.seats[1], "room", None), "seat 1 is aboard in None"),
        (lambda s: setattr(s, "time", s.time - 1), "not the one in the journal"),
    ],
)
def test_the_watch_sees_what_is_wrong(playing: Evening, harm: object, found: str) -> None:
    box = contents(playing.table)
    assert list(problems(playing.table, box)) == []
    harm(playing.table.state)  # type: ignore[operator]
    assert any(found in problem for problem in problems(playing.table, box))


def test_the_watch_sees_a_changed_view(playing: Evening) -> None:
    before = picture(playing.table)
    playing.table.state.seats[2].light += 1
    assert picture(playing.table) != before


def test_the_watch_sees_another_replay(playing: Evening) -> None:
    playing.pictures[1] = "0" * 64
    with pytest.raises(Broken, match="row 1 replays otherwise"):
        playing.replay()


def test_a_replay_needs_the_same_seed(content: Content, tmp_path: Path) -> None:
    evening = Evening(content, 2, None)
    evening.play(30)
    evening.table.journal.keep("seed.secret", "00" * 32)
    with pytest.raises(Broken, match="otherwise"):
        evening.replay()


def test_a_new_table_is_empty(content: Content) -> None:
    fresh = table(content, 7, None)
    assert fresh.seq == 0
    assert fresh.state.phase == "lobby"
    assert contents(fresh) == {}


@pytest.mark.slow
def test_many_random_games(tmp_path: Path) -> None:
    for seed in range(100, 140):
        report = play(seed, tmp_path)
        assert report.broken == []
        assert min(report.verbs.values()) > 0
        assert replay(seed, tmp_path).fingerprint == report.fingerprint
