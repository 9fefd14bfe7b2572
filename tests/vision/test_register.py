"""Tying pictures to the board: hidden frame markers, and a camera that is knocked."""

from __future__ import annotations

import dataclasses
from itertools import combinations

import cv2
import numpy as np
import pytest

from companion.game.board import Board
from companion.table.ports import Sighting
from vision.calibrate import BoardMeasure, measured_board
from vision.camera import Frame
from vision.detect import Mark
from vision.kit import Kit
from vision.layout import Cardboard
from vision.loop import CameraLoop
from vision.quality import edges
from vision.read import Reader
from vision.register import register, square
from vision.render import Renderer, View
from vision.simulate import SimulatedTable

SMALL = View((1920, 1080))


@pytest.mark.parametrize(
    "view",
    [SMALL, View((1920, 1080), tilt=20, azimuth=70, distance_mm=1300, roll=178, fill=0.9)],
)
def test_any_three_frame_markers_may_be_missing(board: Board, kit: Kit, view: View) -> None:
    """All 56 ways to hide three, with corners read to a third of a px: the board is found
    within 8 mm everywhere, or the answer is not sure."""
    renderer = Renderer(board, kit, view)
    rng = np.random.default_rng(3)
    width, height = kit.board_mm
    places = np.array([[x, y] for x in (0, width / 2, width) for y in (0, height / 2, height)])
    truth = renderer.picture(places)
    sure = 0
    for hidden in combinations(kit.fixed, 3):
        marks = [
            Mark(
                m.id,
                renderer.picture(square(m.xy_mm, m.size_mm)) + rng.normal(0, 0.33, (4, 2)),
                1.0,
            )
            for m in kit.fixed
            if m not in hidden
        ]
        fit = register(marks, kit.frame_by_id, kit.board_mm, view.size)
        assert fit is not None
        if fit.ok:
            sure += 1
            assert np.linalg.norm(fit.board(truth) - places, axis=1).max() < 8.0
    assert sure == 56


def test_a_fit_of_the_small_picture_is_the_same(board: Board, kit: Kit, reader: Reader) -> None:
    fit = reader.read(Renderer(board, kit, SMALL).render(Cardboard(board, kit).snapshot())).fit
    assert fit is not None
    places = np.array([[0.0, 0.0], [300.0, 200.0]])
    assert np.allclose(fit.shrunk(2).picture(places), (fit.picture(places) + 0.5) / 2 - 0.5)
    assert np.allclose(fit.shrunk(2).board(fit.shrunk(2).picture(places)), places)


def without(grey: np.ndarray, renderer: Renderer, ids: tuple[int, ...]) -> np.ndarray:
    covered = grey.copy()
    for marker in renderer.kit.fixed:
        if marker.id in ids:
            x, y = renderer.picture(np.array([marker.xy_mm]))[0].astype(int)
            covered[max(0, y - 45) : y + 45, max(0, x - 45) : x + 45] = 30
    return covered


def test_five_may_be_hidden_while_the_camera_stands_and_not_when_it_moved(
    board: Board, kit: Kit, reader: Reader
) -> None:
    table = Cardboard(board, kit)
    table.move("captain", "011")
    renderer = Renderer(board, kit, SMALL)
    moved = Renderer(board, kit, dataclasses.replace(SMALL, roll=SMALL.roll + 1))
    known = reader.read(renderer.render(table.snapshot())).fit
    assert known is not None
    layout = table.snapshot()
    for hidden in ((0, 1, 2, 3, 4), (2, 3, 4, 5, 6), (0, 2, 4, 6, 7), (1, 2, 3, 4, 5)):
        reading = reader.read(without(renderer.render(layout), renderer, hidden), known)
        assert reading.registration.ok
        assert [p.room for p in reading.pieces] == ["011"]
        reading = reader.read(without(moved.render(layout), moved, hidden), known)
        assert reading.fit is not known, "the camera turned by a degree: the old fit is untrue"
        for piece in reading.pieces:
            away = np.subtract(piece.xy, table.pieces()["captain"]) * kit.board_mm
            assert float(np.hypot(*away)) < 8


@pytest.mark.parametrize(
    "knocked",
    [
        dataclasses.replace(SMALL, roll=SMALL.roll + 1),
        dataclasses.replace(SMALL, tilt=SMALL.tilt + 0.3),  # 5 mm to one side, 1 m up
        dataclasses.replace(SMALL, roll=SMALL.roll + 180),
    ],
)
def test_a_knock_is_noticed_and_nothing_is_told_to_have_moved(
    board: Board, kit: Kit, knocked: View
) -> None:
    now = [0.0]
    table = SimulatedTable(board, kit, SMALL, clock=lambda: now[0])
    for number in range(6):
        table.move(f"adult#{number + 1}", sorted(board.rooms)[number * 3])
    told: list[Sighting] = []
    loop = CameraLoop(table, Reader(board, kit), told.append)

    def run(seconds: float) -> None:
        for _ in range(round(seconds / 0.2)):
            now[0] += 0.2
            loop.step(Frame(table.frame().grey, now[0]))

    run(1.6)
    rooms = {p.piece: p.room for p in told[-1].pieces}
    assert len(rooms) == 6
    table.look(knocked)
    before = len(told)
    run(2.4)
    after = told[before:]
    assert all({p.piece: p.room for p in s.pieces} == rooms for s in after)
    assert all(s.gone == () for s in after)
    assert after, "a knock is a change of the whole picture"
    assert after[:2][-1].registration.ok, "it recovers by itself within two readings"
    reading = loop._reading
    assert reading is not None
    assert reading.fit is not None
    corner = np.array([[0.0, 0.0]])
    there = Renderer(board, kit, knocked).picture(corner)
    assert np.linalg.norm(reading.fit.picture(corner) - there) < 2, "the new place of the camera"
    table.move("adult#1", "011")
    run(1.6)
    assert {p.piece: p.room for p in told[-1].pieces} == {**rooms, "adult#1": "011"}


def test_the_board_is_measured_though_white_blooms_over_black(
    board: Board, kit: Kit, reader: Reader
) -> None:
    view = View((2304, 1296), blur=0.0, noise=1.0)
    grey = Renderer(board, kit, view).render(Cardboard(board, kit).snapshot())
    soft = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), 1.0)
    bright = (255 * (soft / 255) ** 0.45).astype(np.uint8)  # a lens, then a screen's gamma
    marks = reader.read(bright, second_look=False).marks
    plain = [Mark(m.id, edges(bright, m.corners).corners, 1) for m in marks]
    naive = measured_board(plain, view.size, (760.0, 520.0))
    assert naive is not None
    assert naive[0] > 1.006 * kit.board_mm[0], "nothing blooms: the picture proves nothing"
    found = BoardMeasure((760.0, 520.0)).add(bright, marks)
    assert found == pytest.approx(kit.board_mm, rel=0.006)
