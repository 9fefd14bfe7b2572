"""The oracle: a table that asks comes to the same results as one that holds everything."""

from __future__ import annotations

import pytest

from companion.bench.play import Command
from companion.library import load_content
from companion.library.model import Content
from tests.table.oracle import Pair, Traced

#: Wounds that are not held are the table's own cards.
OWN = ("wound",)


@pytest.fixture(scope="module")
def content() -> Content:
    return load_content()


def results(table: Traced) -> dict[str, object]:
    """What both must agree on."""
    state = table.state
    zones = ("token:", "event:", "attack:", "exploration:", "objective:")
    return {
        "pieces": {p: z for p, z in state.where.items() if p.startswith(zones)},
        "draws": {p: n for p, n in state.draws.items() if p not in OWN},
        "drawn": [[d for d in t.drawn if d[0] not in OWN] for t in table.traces.values()],
        "roots": [t.key for t in table.traces.values()],
        "track": (state.round, state.time, state.self_destruct, state.phase, state.ending),
        "people": [(p.seat, p.state, p.room, p.pod, p.kept) for p in state.seats.values()],
        "first_player": state.first_player,
        "agenda": state.agenda,
        "card": state.last_card,
        "pods": sorted(state.locked),
        "hibernation": state.hibernation_open,
    }


def compare(
    content: Content, seed: int, preset: str, steps: int, setup: Command | None = None
) -> int:
    """Play both; returns how many questions were answered from the other table."""
    pair = Pair(content, seed, preset, setup)
    for _ in range(steps):
        command = pair.step()
        if pair.all.root is None:
            mine, other = results(pair.bag), results(pair.all)
            for name, value in other.items():
                assert mine[name] == value, (seed, command, name)
        if pair.all.state.phase == "over":
            break
    return pair.asked


@pytest.mark.parametrize("seed", range(6))
def test_asking_comes_to_the_same(content: Content, seed: int) -> None:
    asked = compare(content, seed, "bag", 60)
    assert asked > 5


@pytest.mark.parametrize("seed", [1, 2])
def test_the_usual_preset_comes_to_the_same(content: Content, seed: int) -> None:
    compare(content, seed, "bag_and_board", 60)


@pytest.mark.parametrize(("seed", "preset"), [(1, "bag"), (2, "bag"), (3, "bag_and_board")])
def test_all_together_and_an_intruder_player_come_to_the_same(
    content: Content, seed: int, preset: str
) -> None:
    flags = {"coop": True, "intruder_player": True, "players": ["captain", "scout", "soldier"]}
    compare(content, seed, preset, 60, flags)


@pytest.mark.parametrize(("seed", "preset"), [(1, "bag"), (7, "bag"), (10, "bag_and_board")])
def test_the_void_seeders_come_to_the_same(content: Content, seed: int, preset: str) -> None:
    players = ["captain", "scout", "soldier"]
    compare(content, seed, preset, 60, {"species": "void_seeders", "players": players})


@pytest.mark.parametrize(("seed", "preset"), [(1, "bag"), (2, "bag"), (3, "bag_and_board")])
def test_the_advanced_side_comes_to_the_same(content: Content, seed: int, preset: str) -> None:
    compare(content, seed, preset, 60, {"board": "nemesis/advanced"})


@pytest.mark.parametrize(("seed", "preset"), [(4, "bag"), (13, "bag"), (6, "bag_and_board")])
def test_carnomorphs_come_to_the_same(content: Content, seed: int, preset: str) -> None:
    compare(content, seed, preset, 60, {"species": "carnomorphs"})


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["bag", "bag_and_board"])
def test_many_games_come_to_the_same(content: Content, preset: str) -> None:
    for seed in range(100, 160):
        compare(content, seed, preset, 200)
        for species in ("carnomorphs", "void_seeders"):
            compare(content, seed, preset, 120, {"species": species})
