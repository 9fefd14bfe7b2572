from __future__ import annotations

import dataclasses
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.bench.pictures import HALF, scatter, small, view
from companion.game.board import Board
from companion.game.errors import BadInput, Fault
from companion.library import load_content
from vision import detect
from vision.box import box_kit
from vision.detect import Grey
from vision.kit import Kit, build_kit
from vision.layout import Cardboard, Laid, Layout
from vision.read import Reader, Reading, load_grey, read_image
from vision.render import Renderer, View
from vision.squares import SquareFinder

SMALL = (1920, 1080)


def picture(table: Cardboard, view: View) -> np.ndarray:
    return Renderer(table.board, table.kit, view).render(table.snapshot())


def wrong_by_mm(reading: Reading, table: Cardboard) -> dict[str, float]:
    truth = table.pieces()
    width, height = table.kit.board_mm
    return {
        p.piece: float(
            np.hypot((p.xy[0] - truth[p.piece][0]) * width, (p.xy[1] - truth[p.piece][1]) * height)
        )
        for p in reading.pieces
    }


@pytest.mark.parametrize(
    ("view", "least"),
    [
        (View(SMALL), 1.0),
        (View(SMALL, azimuth=-90, tilt=4, roll=176), 0.96),  # the board the other way round
        (View((2304, 1296), tilt=22, azimuth=75, uneven=0.5, noise=5, seed=3), 0.85),
        (View(SMALL, light=95, uneven=0.6, noise=5, glare=1, seed=5), 0.85),
        (View(SMALL, k=0.12, seed=6), 0.95),  # a wide lens nobody calibrated
        (View(SMALL, k=-0.1, seed=7), 0.95),
    ],
)
def test_rendered_tables_are_read(
    reader: Reader, full_table: Cardboard, view: View, least: float
) -> None:
    reading = reader.read(picture(full_table, view))
    assert reading.registration.ok
    assert reading.unknown_ids == ()
    errors = wrong_by_mm(reading, full_table)
    assert len(errors) >= least * len(full_table.pieces())
    assert max(errors.values()) < 6.0
    assert len(errors) == len(reading.pieces), "a piece was read twice"


def test_small_squares_in_noise_and_soft_edges_are_read_and_nothing_else(
    board: Board, kit: Kit
) -> None:
    """10 mm wide, two and a half px a module: in some no edge is whole any more."""
    rng = np.random.default_rng([77, 4, HALF[0], True])
    table = Cardboard(board, small(kit))
    scatter(table, rng)
    table.hand((float(rng.uniform(0.1, 0.9)), float(rng.uniform(0.75, 0.95))))
    renderer, layout = Renderer(board, table.kit, view("hard", HALF, rng)), table.snapshot()
    clear = {name for name, share in renderer.visible(layout).items() if share >= 0.97}
    reading = Reader(board, kit).read(renderer.render(layout))
    errors = wrong_by_mm(reading, table)
    assert len(clear) == 27
    assert len(clear & errors.keys()) >= 26
    assert max(errors.values()) < 6.0


def test_lamp_changes_give_the_same_answer(reader: Reader, full_table: Cardboard) -> None:
    """Ceiling lamp, desk lamp, daylight: the same pieces in the same rooms."""
    answers = [
        {
            p.piece: p.room
            for p in reader.read(
                picture(full_table, View(SMALL, light=light, uneven=uneven, seed=seed))
            ).pieces
        }
        for light, uneven, seed in ((230, 0.1, 1), (130, 0.7, 8), (180, 0.4, 9))
    ]
    assert answers[0] == answers[1] == answers[2]
    assert len(answers[0]) == len(full_table.pieces())


def test_pieces_between_rooms_and_beside_the_board(board: Board, kit: Kit) -> None:
    table = Cardboard(board, kit)
    corridor = board.corridors["001-003"]
    table.move("scout", (corridor.x, corridor.y))
    table.move("card_next", (0.3, 1.02))
    table.move("adult#2", "006")
    found = {p.piece: p for p in Reader(board, kit).read(picture(table, View(SMALL))).pieces}
    assert (found["scout"].room, found["scout"].corridor) == (None, "001-003")
    assert (found["card_next"].room, found["card_next"].corridor) == (None, None)
    assert found["adult#2"].room == "006"
    assert found["card_next"].kind == "command"


def hide(grey: np.ndarray, renderer: Renderer, ids: tuple[int, ...]) -> np.ndarray:
    covered = grey.copy()
    for marker in renderer.kit.fixed:
        if marker.id in ids:
            x, y = renderer.picture(np.array([marker.xy_mm]))[0].astype(int)
            covered[max(0, y - 40) : y + 40, max(0, x - 40) : x + 40] = 30
    return covered


@pytest.mark.parametrize("hidden", [(0, 2, 4), (1, 3, 5), (5, 6, 7), (0, 1, 2)])
def test_any_three_frame_markers_may_be_hidden(
    board: Board, kit: Kit, reader: Reader, full_table: Cardboard, hidden: tuple[int, ...]
) -> None:
    renderer = Renderer(board, kit, View(SMALL))
    reading = reader.read(hide(renderer.render(full_table.snapshot()), renderer, hidden))
    assert reading.registration.ok
    assert max(wrong_by_mm(reading, full_table).values()) < 6


def test_too_little_frame_is_not_sure_and_places_nothing(
    board: Board, kit: Kit, reader: Reader, full_table: Cardboard
) -> None:
    renderer = Renderer(board, kit, View(SMALL))
    grey = renderer.render(full_table.snapshot())
    for hidden in ((2, 3, 4, 5, 6, 7), (1, 2, 3, 4, 5), tuple(range(8))):
        reading = reader.read(hide(grey, renderer, hidden))
        if reading.registration.ok:  # three that are far apart may do, if they place truly
            assert max(wrong_by_mm(reading, full_table).values()) < 8
        else:
            assert reading.pieces == ()
    assert not reader.read(hide(grey, renderer, (2, 3, 4, 5, 6, 7))).registration.ok
    known = reader.read(grey).fit
    again = reader.read(hide(grey, renderer, (2, 3, 4, 5, 6, 7)), known)
    assert again.registration.ok, "an unmoved camera keeps its last good fit"


def test_a_moved_frame_strip_is_left_out(board: Board, kit: Kit, full_table: Cardboard) -> None:
    fixed = tuple(
        dataclasses.replace(m, xy_mm=(m.xy_mm[0] + 14, m.xy_mm[1])) if m.id == 5 else m
        for m in kit.fixed
    )
    renderer = Renderer(board, dataclasses.replace(kit, fixed=fixed), View(SMALL))
    reading = Reader(board, kit).read(renderer.render(full_table.snapshot()))
    assert reading.registration.ok
    assert reading.fit is not None
    assert reading.fit.outliers == (5,)
    assert max(wrong_by_mm(reading, full_table).values()) < 4


def test_a_mirrored_picture_is_never_read(reader: Reader, full_table: Cardboard) -> None:
    grey = picture(full_table, View(SMALL))
    reading = reader.read(np.ascontiguousarray(grey[:, ::-1]))
    assert not reading.registration.ok
    assert reading.pieces == ()


def test_markers_of_the_wrong_size_are_refused(board: Board, kit: Kit) -> None:
    """A phone's picture of the kit on the table is no piece."""
    big = dataclasses.replace(
        kit, pieces=tuple(dataclasses.replace(m, size_mm=m.size_mm * 2.2) for m in kit.pieces)
    )
    table = Cardboard(board, big)
    table.move("captain", "011")
    renderer = Renderer(board, big, View(SMALL))
    reading = Reader(board, kit).read(renderer.render(table.snapshot()))
    assert reading.registration.ok
    assert reading.pieces == ()


def test_read_image_is_the_contract(board: Board, kit: Kit, tmp_path: Path) -> None:
    table = Cardboard(board, kit)
    table.move("captain", "011")
    file = tmp_path / "table.png"
    cv2.imwrite(str(file), picture(table, View(SMALL)))
    answer = read_image(file, board, kit)
    assert set(answer) == {"image", "registration", "pieces", "unknown_ids"}
    assert answer["image"] == str(file)
    assert set(answer["registration"]) == {"ok", "points", "residual_px"}
    (piece,) = answer["pieces"]
    wanted = {"id", "piece", "kind", "room", "corridor", "xy", "confidence"}
    assert set(piece) == wanted
    assert (piece["piece"], piece["room"], piece["corridor"]) == ("captain", "011", None)
    assert 0.5 < piece["confidence"] <= 1


def test_the_board_size_may_be_given(board: Board, kit: Kit) -> None:
    other = build_kit((700, 479))
    table = Cardboard(board, other)
    table.move("adult#1", "012")
    grey = picture(table, View(SMALL))
    assert read_image(grey, board, kit, (700, 479))["pieces"][0]["room"] == "012"


def test_bad_pictures(board: Board, kit: Kit, tmp_path: Path) -> None:
    text = tmp_path / "notes.jpg"
    text.write_text("not a picture\n" * 50)
    empty = tmp_path / "empty.png"
    empty.touch()
    for file in (text, empty):
        with pytest.raises(BadInput) as bad:
            read_image(file, board, kit)
        assert bad.value.key == "bad.vision.not_an_image"
    for missing in (tmp_path / "none.jpg", tmp_path):
        with pytest.raises(Fault) as fault:
            load_grey(missing)
        assert not fault.value.temporary
    for array in (np.zeros((0, 5), np.uint8), np.zeros((5, 5)), np.zeros((4, 4, 7), np.uint8)):
        with pytest.raises(BadInput):
            read_image(array, board, kit)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_picture_without_a_board_has_nothing_in_it(board: Board, kit: Kit, seed: int) -> None:
    rng = np.random.default_rng(seed)
    cloth = np.kron(rng.integers(0, 2, (54, 96)), np.ones((16, 16))).astype(np.uint8) * 200 + 20
    for grey in (
        cloth,
        rng.integers(0, 256, (600, 800), dtype=np.uint8),
        np.zeros((9, 9), np.uint8),
    ):
        answer = read_image(grey, board, kit)
        assert answer["registration"]["ok"] is False
        assert answer["pieces"] == []


def test_no_false_piece_on_a_board_without_pieces(board: Board, kit: Kit, reader: Reader) -> None:
    """The bare board under a checker cloth's, dice' and text's worth of bright clutter."""
    table = Cardboard(board, kit)
    rng = np.random.default_rng(4)
    for seed in range(3):
        renderer = Renderer(board, kit, View(SMALL, seed=seed))
        grey = renderer.render(table.snapshot())
        for _ in range(250):
            x, y = rng.integers(500, 1400), rng.integers(200, 850)
            side = int(rng.integers(10, 26))
            cv2.rectangle(grey, (x, y), (x + side, y + side), int(rng.integers(150, 255)), 2)
            cv2.putText(grey, str(rng.integers(0, 99)), (x, y + side), 0, 0.5, 240, 2)
        reading = reader.read(grey)
        assert reading.registration.ok
        assert reading.pieces == ()


def test_marker_numbers_of_any_shape() -> None:
    """OpenCV releases return numbers as (n, 1), (1, n) or (n,), or nothing at all."""
    for shape in ((3, 1), (1, 3), (3,)):
        assert detect.flat_ids(np.array([5, 6, 7]).reshape(shape)) == [5, 6, 7]
    assert detect.flat_ids(None) == []
    corners = np.arange(8.0)
    for shape in ((1, 4, 2), (4, 2), (4, 1, 2)):
        (found,) = detect.corner_lists((corners.reshape(shape),))
        assert found.shape == (4, 2)
    assert detect.corner_lists(None) == []


def test_parameters_an_opencv_does_not_have_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    real = cv2.aruco.DetectorParameters
    touched = []

    class Fewer:
        def __setattr__(self, name: str, value: object) -> None:
            touched.append(name)

        errorCorrectionRate = 0.6

    monkeypatch.setattr(cv2.aruco, "DetectorParameters", Fewer)
    monkeypatch.setattr(
        cv2.aruco, "ArucoDetector", lambda dictionary, parameters: (dictionary, real())
    )
    detect.Detector()._build(1000)
    assert touched == ["errorCorrectionRate"]


def test_only_what_changed_is_read_again(board: Board, kit: Kit, full_table: Cardboard) -> None:
    reader = Reader(board, kit)
    renderer = Renderer(board, kit, View(SMALL))
    before = reader.read(renderer.render(full_table.snapshot()))
    old = np.array([full_table.pieces()["adult#3"]]) * kit.board_mm
    new = np.array([full_table.move("adult#3", "014")]) * kit.board_mm
    spots = [renderer.picture(p)[0].astype(int) for p in (old, new)]
    boxes = [(x - 60, y - 60, x + 60, y + 60) for x, y in spots]
    again = reader.reread(renderer.render(full_table.snapshot()), before, boxes)
    assert again is not None
    assert max(wrong_by_mm(again, full_table).values()) < 4
    assert {p.piece for p in again.pieces} == {p.piece for p in before.pieces}
    picture = renderer.render(full_table.snapshot())
    stands = next(mark for mark in before.marks if mark.id in kit.frame_by_id).corners.astype(int)
    touched = [(*stands.min(axis=0).tolist(), *stands.max(axis=0).tolist())]
    assert reader.reread(picture, before, touched) is not None, "it is seen where it was"
    cv2.fillConvexPoly(picture, stands, 128)
    assert reader.reread(picture, before, touched) is None, "all must be read"


def test_a_piece_just_where_another_stood_is_not_taken_for_it(
    board: Board, kit: Kit, full_table: Cardboard
) -> None:
    """The change gate sees nothing of it: no box has changed."""
    reader = Reader(board, kit)
    renderer = Renderer(board, kit, View(SMALL))
    before = reader.read(renderer.render(full_table.snapshot()))
    spots = {name: full_table.pieces()[name] for name in ("larva#1", "adult#2")}
    full_table.move("larva#1", spots["adult#2"])
    full_table.move("adult#2", spots["larva#1"])
    again = reader.reread(renderer.render(full_table.snapshot()), before, [])
    assert again is not None
    assert max(wrong_by_mm(again, full_table).values()) < 4
    assert {p.piece for p in again.pieces} >= {"larva#1", "adult#2"}


def test_noise_hides_no_square_that_a_small_picture_shows() -> None:
    """Two px a module: as the first moves lay a pattern over the square it matches far worse than
    at the end."""
    content = load_content()
    board = content.board(None)
    kit = box_kit(content, board)
    larva = Laid(kit.piece_by_name["larva#6"], 341.6, 366.6, 2.124)
    renderer = Renderer(board, kit, View((1280, 720), noise=4.0, seed=4))
    picture, reader = renderer.clean(Layout(laid=(larva,))), Reader(board, kit)
    read = [reader.read(renderer.expose(picture)).pieces for _ in range(10)]
    assert [[p.piece for p in pieces] for pieces in read] == [["larva#6"]] * 10


def test_several_tokens_of_one_number_are_read_where_they_lie(board: Board) -> None:
    tokens = build_kit(kits=(3,))
    fire, out = tokens.piece_by_name["fire"], tokens.piece_by_name["malfunction"]
    width, height = tokens.board_mm
    rooms = [board.rooms[r] for r in ("003", "009", "017")]
    laid = [Laid(fire, r.x * width, r.y * height, 0.7) for r in rooms]
    way = board.corridors["006-011"]
    laid.append(Laid(out, way.x * width, way.y * height))
    grey = Renderer(board, tokens, View()).render(Layout(laid=tuple(laid)))
    read = Reader(board, tokens).read(grey).pieces
    assert sorted((p.piece, p.room or p.corridor) for p in read) == [
        ("fire", "003"),
        ("fire", "009"),
        ("fire", "017"),
        ("malfunction", "006-011"),
    ]


@pytest.mark.parametrize(("sides", "found"), [(4, True), (2, True), (1, False), (0, False)])
def test_a_pattern_without_its_white_margin_is_a_scrap(sides: int, found: bool) -> None:
    """Two sides are enough: in the others a figure may stand."""
    number, scale = 37, 6
    detector = detect.Detector()
    module = detector.pattern(number) > 0
    square = np.where(np.kron(module, np.ones((scale, scale), dtype=bool)), 210, 30)
    sheet = np.full((160, 160), 95, dtype=np.uint8)  # dark, yet brighter than print
    at, side = 60, square.shape[0]
    margins = [
        (slice(at - scale, at), slice(at, at + side)),
        (slice(at, at + side), slice(at + side, at + side + scale)),
        (slice(at + side, at + side + scale), slice(at, at + side)),
        (slice(at, at + side), slice(at - scale, at)),
    ]
    for margin in margins[:sides]:
        sheet[margin] = 210
    sheet[at : at + side, at : at + side] = square
    finder = SquareFinder([number], [detector.pattern(number)], (side * 0.8, side * 1.2))
    assert [mark.id for mark in finder.find(sheet)] == ([number] if found else [])


def test_a_square_of_two_px_a_module_is_told_through_its_blur_and_no_other_is_taken_for_it() -> (
    None
):
    kit_numbers, scale, pad, blur = [8, 21, 37, 52], 6, 40, 0.5
    detector = detect.Detector()
    patterns = [detector.pattern(number) for number in kit_numbers]
    finder = SquareFinder(kit_numbers, patterns, (33, 51))

    def seen(number: int) -> Grey:
        """Laid on grey with its white margin, through blur and noise."""
        white = np.pad(detector.pattern(number) > 0, 1, constant_values=True)
        square = np.where(np.kron(white, np.ones((scale, scale), dtype=bool)), 190, 40)
        sheet = np.pad(square, pad, constant_values=95).astype(np.uint8)
        small = cv2.resize(cv2.GaussianBlur(sheet, (0, 0), blur * scale), None, fx=1 / 3, fy=1 / 3)
        noisy = small + np.random.default_rng(number).normal(0, 4, small.shape)
        picture = np.clip(noisy, 0, 255).astype(np.uint8)
        return cv2.resize(picture, sheet.shape, interpolation=cv2.INTER_CUBIC)

    ours = [[mark.id for mark in finder.find(seen(number), blur)] for number in kit_numbers]
    assert ours == [[number] for number in kit_numbers]
    assert [mark.id for n in kit_numbers for mark in finder.find(seen(n))] != kit_numbers
    others = [number for number in range(8, 100) if number not in kit_numbers]
    assert [mark.id for n in others for mark in finder.find(seen(n), blur)] == []
