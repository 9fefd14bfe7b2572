"""The board found without its frame, by the learnt picture of the empty board."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli import main
from companion.game.board import Board
from companion.table.ports import Sighting
from tests.vision.stage import SMALL, STEP_S
from vision.camera import Frame
from vision.kit import Kit
from vision.layout import Cardboard
from vision.loop import CameraLoop
from vision.read import Reader
from vision.render import Renderer, View
from vision.simulate import SimulatedTable


class Frameless(Renderer):
    """A table whose frame was left in the box."""

    def _paste(self, plan, number, x, y, size, turn) -> None:  # type: ignore[no-untyped-def]
        if number not in self.kit.frame_by_id:
            super()._paste(plan, number, x, y, size, turn)


@pytest.mark.parametrize(
    "view",
    [
        View((1920, 1080), tilt=12, azimuth=60, distance_mm=1150, seed=1, light=150, noise=4),
        pytest.param(
            View((2304, 1296), roll=178, tilt=4, seed=1, uneven=0.5), marks=pytest.mark.slow
        ),
    ],
)
def test_a_board_learnt_one_evening_is_found_without_its_frame_on_another(
    board: Board,
    kit: Kit,
    full_table: Cardboard,
    view: View,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    data = ["--data", str(tmp_path / "data")]
    empty, later = tmp_path / "empty.png", str(tmp_path / "later.png")
    cv2.imwrite(later, Frameless(board, kit, view).render(full_table.snapshot()))
    if view.size[0] > 2000:  # the nightly one asks more
        assert main(["read", later, "--json", *data]) == 1
        cv2.imwrite(str(empty), Renderer(board, kit, SMALL).render(full_table.snapshot()))
        assert main(["calibrate", str(empty), "--empty", *data]) == 1, "pieces stand on it"
    cv2.imwrite(str(empty), Renderer(board, kit, SMALL).render(Cardboard(board, kit).snapshot()))
    assert main(["calibrate", str(empty), "--empty", *data]) == 0
    (kept,) = (tmp_path / "data" / "profiles").glob("*.png")
    seen = cv2.imread(str(kept), cv2.IMREAD_GRAYSCALE)
    assert seen is not None
    assert seen[:31].max() == 0, "what lies beside the board is never kept"
    capsys.readouterr()
    assert main(["read", later, "--json", *data]) == 0
    (answer,) = json.loads(capsys.readouterr().out)
    truth, mm = full_table.pieces(), kit.board_mm
    away = [
        float(np.hypot(*((np.array(p["xy"]) - truth[p["piece"]]) * mm))) for p in answer["pieces"]
    ]
    assert len(away) >= 0.9 * len(truth)
    assert max(away) < 8
    cloth = np.random.default_rng(1).integers(20, 200, (54, 96)).astype(np.uint8)
    cv2.imwrite(later, np.kron(cloth, np.ones((20, 20), np.uint8)))
    assert main(["read", later, "--json", *data]) == 1, "another table is not sure"


def test_a_frame_taken_away_in_the_evening_is_not_missed_even_by_a_knock(
    board: Board, kit: Kit
) -> None:
    now, sightings = [0.0], list[Sighting]()
    table = SimulatedTable(board, kit, SMALL, clock=lambda: now[0])
    loop = CameraLoop(table, Reader(board, kit), sightings.append)

    def run(renderer: Renderer) -> dict[str, str | None]:
        clean = renderer.clean(table.snapshot())
        for _ in range(4):
            now[0] += STEP_S
            loop.step(Frame(renderer.expose(clean), now[0]))
        told = sightings[-1]
        assert told.registration.ok
        return {p.piece: p.room for p in told.pieces}

    run(Renderer(board, kit, SMALL))
    table.tokens(noise=["005-010"])
    run(Renderer(board, kit, SMALL))
    table.move("captain", "011")
    assert run(Frameless(board, kit, SMALL)) == {"captain": "011"}
    knocked = Frameless(board, kit, dataclasses.replace(SMALL, roll=SMALL.roll + 1))
    table.move("adult#1", "006")
    assert run(knocked) == {"captain": "011", "adult#1": "006"}
