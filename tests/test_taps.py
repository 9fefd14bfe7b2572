"""``companion bench taps`` in small: two players, one round, every path counted once."""

from __future__ import annotations

import shutil
import sys

import pytest

from companion import bench
from companion.bench import taps
from companion.game import Fault
from companion.locale import words

pytest.importorskip("playwright.sync_api")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
browser = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed"),
]


def within(counted: taps.Evening) -> None:
    for path, most in taps.BUDGETS.items():
        assert all(count <= most for count in counted.taps[path]), (path, counted.taps[path])


@pytest.mark.parametrize("seed", [pytest.param(3, marks=browser)])
def test_a_round_of_two_stays_within_the_budgets(seed: int) -> None:
    with taps.evening("off", seed=seed, players=2) as table:
        for seat in (1, 2):
            table.turn(seat)
        table.crowd()
        for seat in (1, 2):
            table.turn(seat)
        assert table.event_phase(late=True)
        within(table)
        assert len(table.taps["exploration"]) >= 2
        assert min(table.taps["exploration"]) == 3, "room, tile and token are tapped"
        assert len(table.taps["event_phase"]) == 1
        assert table.taps["event_phase"][0] >= 4, "its button, two steps and what to move"


@pytest.mark.parametrize("camera", [pytest.param("simulated", marks=browser)])
def test_a_figure_that_the_camera_saw_is_one_tap(camera: str) -> None:
    pytest.importorskip("cv2", reason="the simulated camera needs the vision extra")
    with taps.evening(camera, seed=1, players=3) as table:
        table.moves_by_hand(enough=1)
        assert table.taps["camera_move"]
        within(table)


def test_without_a_browser_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "playwright.sync_api", None)
    with pytest.raises(Fault) as problem:
        bench.run(["taps"], words("en"))
    assert problem.value.code == "bench.no_browser"
    said = words("en").say("fault.bench.no_browser.remedy", problem.value.params)
    assert "pip install playwright" in said
