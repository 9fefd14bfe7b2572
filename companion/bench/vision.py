"""``companion bench vision``: what the camera reads, how fast, and what it costs, beside OpenCV.

Ratios are measured in one run on the same pictures, on one thread each: processor time against
processor time, so that other work on the machine does not decide.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from companion.bench import pictures
from companion.bench.pictures import FULL, HALF, Grey, Picture
from companion.game import Fault
from companion.game.board import Board
from companion.library import load_content
from companion.locale import Words
from vision.box import box_kit
from vision.camera import Frame
from vision.detect import flat_ids
from vision.gate import ChangeGate, boxes
from vision.kit import Kit
from vision.layout import Cardboard
from vision.loop import CameraLoop
from vision.optional import need
from vision.read import Reader
from vision.render import Renderer, View
from vision.simulate import SimulatedTable

CLEAR = 0.97  # of a square must be visible for a piece to count
AWAY = 0.02  # of the board: a piece read farther from its place is false
LEAST_READ = {("normal", FULL): 98.0, ("normal", HALF): 90.0, ("hard", FULL): 85.0}  # percent
LEAST_GAIN = {("hard", HALF): 20.0}  # points over the defaults
LEAST_RIGHT = 99.5  # percent of pieces read that are placed in their room
MOST_FALSE = 1 / 2000  # of single readings
SLOWEST_FIRST = {HALF: 2.0, FULL: 1.0}  # times the defaults on the full frame
FASTER_MOVED = 4.0
MOST_STEADY_MB, MOST_PEAK_MB, MOST_SHARE = 80.0, 180.0, 10.0
BARE, SETTLED = 500, 10_000
MOVED_TRIALS = 10
SEED = 20


def run(
    say: Words, folder: Path | None = None, *, bare: int = BARE, settled: int = SETTLED
) -> Iterator[tuple[bool, str]]:
    """Measure; pairs of whether a figure is as promised and its sentence.

    ``folder``: pictures with truth (see `companion.bench.pictures`); None: drawn here. ``bare``
    tables without a piece are read and about ``settled`` settled places of a simulated table.
    """
    cv = need("cv2", "opencv-python-headless")
    threads = cv.getNumThreads()
    cv.setNumThreads(1)
    try:
        yield from _measured(say, folder, bare, settled)
    finally:
        cv.setNumThreads(threads)


def _measured(
    say: Words, folder: Path | None, bare: int, settled: int
) -> Iterator[tuple[bool, str]]:
    content = load_content()
    board = content.board(None)
    kit = box_kit(content, board)
    reader, peer = Reader(board, kit), Defaults(kit)
    if folder is None:
        yield True, say.say("bench.vision.drawn", {"mm": f"{pictures.SQUARE_MM:g}"})
        shown = pictures.drawn(board, kit, SEED)
    else:
        shown = pictures.in_folder(folder)
        yield True, say.say("bench.vision.folder", {"path": str(folder)})
    sets: dict[tuple[str, tuple[int, int]], Tally] = {}
    for picture in shown:
        sets.setdefault((picture.difficulty, picture.size), Tally()).add(picture, reader, peer)
    for (difficulty, size), tally in sorted(sets.items()):
        yield from _set(say, difficulty, size, tally)
    yield from _all(say, list(sets.values()))
    for size, most in SLOWEST_FIRST.items():
        ratios = [r for (_, s), tally in sets.items() if s == size for r in tally.ratios]
        if ratios:
            ratio = statistics.median(ratios)
            text = {**_px(size), "ratio": f"{ratio:.2f}", "most": f"{most:g}", "n": len(ratios)}
            yield ratio <= most, say.say("bench.vision.first", text)
    for size in (HALF, FULL):
        moved = measure_moved(board, kit, reader, peer, size)
        text = {
            **_px(size),
            "ratio": f"{moved.ratio:.1f}",
            "least": f"{FASTER_MOVED:g}",
            "n": moved.frames,
            "found": moved.found,
            "moved": moved.moved,
        }
        yield moved.ratio >= FASTER_MOVED, say.say("bench.vision.moved", text)
    for size in (HALF, FULL):
        cost = measure_watching(board, kit, size)
        text = {
            **_px(size),
            "steady": f"{cost.steady_mb:.0f}",
            "peak": f"{cost.peak_mb:.0f}",
            "most_steady": f"{MOST_STEADY_MB:g}",
            "most_peak": f"{MOST_PEAK_MB:g}",
        }
        small = cost.steady_mb <= MOST_STEADY_MB and cost.peak_mb <= MOST_PEAK_MB
        yield small, say.say("bench.vision.memory", text)
        text = {**_px(size), "share": f"{cost.share:.1f}", "most": f"{MOST_SHARE:g}"}
        yield cost.share < MOST_SHARE, say.say("bench.vision.watch", text)
    false = count_on_bare_tables(board, kit, reader, bare)
    yield false == 0, say.say("bench.vision.bare", {"n": bare, "false": false})
    motion = watch_motion(board, kit, settled)
    text = {"n": motion.places, "sightings": motion.sightings, "moves": motion.moves}
    yield motion.false == 0, say.say("bench.vision.motion", {**text, "false": motion.false})


class Defaults:
    """OpenCV's detector as it comes, for the kit's dictionary."""

    def __init__(self, kit: Kit) -> None:
        aruco = need("cv2", "opencv-python-headless").aruco
        dictionary = aruco.getPredefinedDictionary(getattr(aruco, kit.dictionary))
        self._detector = aruco.ArucoDetector(dictionary, aruco.DetectorParameters())

    def read(self, grey: Grey) -> set[int]:
        """The numbers of the markers found."""
        return set(flat_ids(self._detector.detectMarkers(grey)[1]))


@dataclass
class Tally:
    """What was read of one set of pictures. ``by_peer``: pieces the defaults read."""

    pictures: int = 0
    wanted: int = 0
    read: int = 0
    by_peer: int = 0
    placed: int = 0
    right: int = 0
    false: int = 0
    ratios: list[float] = field(default_factory=list)

    def add(self, picture: Picture, reader: Reader, peer: Defaults) -> None:
        """Read one picture with both, in turns."""
        truth = picture.truth
        reading = reader.read(picture.grey)
        ours, theirs = in_turns(
            lambda: reader.read(picture.grey), lambda: peer.read(picture.grey), 2
        )
        self.ratios.append(ours / theirs)
        clear = {number for number, true in truth.items() if true.visible >= CLEAR}
        found = set()
        for piece in reading.pieces:
            true = truth.get(piece.id)
            if true is None or float(np.hypot(*np.subtract(true.xy, piece.xy))) > AWAY:
                self.false += 1
                continue
            found.add(piece.id)
            self.placed += 1
            self.right += piece.room == true.room
        self.pictures += 1
        self.wanted += len(clear)
        self.read += len(clear & found)
        self.by_peer += len(clear & peer.read(picture.grey))


def in_turns(
    ours: Callable[[], object], theirs: Callable[[], object], rounds: int
) -> tuple[float, float]:
    """Seconds of processor each takes, the best of ``rounds`` taken in turns."""
    spent: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        for work, times in zip((ours, theirs), spent, strict=True):
            begun = time.process_time()
            work()
            times.append(time.process_time() - begun)
    return min(spent[0]), max(1e-6, min(spent[1]))


def _set(
    say: Words, difficulty: str, size: tuple[int, int], tally: Tally
) -> Iterator[tuple[bool, str]]:
    share = 100 * tally.read / max(1, tally.wanted)
    gain = share - 100 * tally.by_peer / max(1, tally.wanted)
    text = {
        **_px(size),
        "set": difficulty,
        "pictures": tally.pictures,
        "read": tally.read,
        "wanted": tally.wanted,
        "share": f"{share:.1f}",
        "gain": f"{gain:.0f}",
    }
    least, ahead = LEAST_READ.get((difficulty, size)), LEAST_GAIN.get((difficulty, size))
    if least is not None:
        yield share >= least, say.say("bench.vision.set", {**text, "least": f"{least:g}"})
    elif ahead is not None:
        yield gain >= ahead, say.say("bench.vision.set_gain", {**text, "least": f"{ahead:g}"})
    else:
        yield True, say.say("bench.vision.set_free", text)


def _all(say: Words, tallies: list[Tally]) -> Iterator[tuple[bool, str]]:
    placed, right = sum(t.placed for t in tallies), sum(t.right for t in tallies)
    false = sum(t.false for t in tallies)
    share = 100 * right / max(1, placed)
    text = {"right": right, "placed": placed, "share": f"{share:.2f}", "least": f"{LEAST_RIGHT:g}"}
    yield share >= LEAST_RIGHT, say.say("bench.vision.room", text)
    text = {"false": false, "n": placed + false}
    yield false <= MOST_FALSE * (placed + false), say.say("bench.vision.false", text)


@dataclass(frozen=True, slots=True)
class Moved:
    """Frames in which 1-5 pieces moved: how many times faster than the defaults they are read,
    and how many of the pieces moved were found in their new place."""

    ratio: float
    frames: int
    moved: int
    found: int


def measure_moved(
    board: Board, kit: Kit, reader: Reader, peer: Defaults, size: tuple[int, int]
) -> Moved:
    """Move 1-5 pieces between two frames; the change gate and the reading after it count."""
    rng = np.random.default_rng([SEED, size[0]])
    table = Cardboard(board, kit)
    pictures.scatter(table, rng)
    renderer = Renderer(board, kit, pictures.view("normal", size, rng))
    rooms, ratios, found, moved = sorted(board.rooms), [], 0, 0
    picture = renderer.render(table.snapshot())
    for trial in range(MOVED_TRIALS):
        before = reader.read(picture)
        gate = ChangeGate()
        gate.watch(picture)
        gate.mark_read()
        names = rng.permutation(sorted(table.pieces()))[: trial % 5 + 1].tolist()
        for name in names:
            table.move(name, rooms[int(rng.integers(len(rooms)))])
        picture = renderer.render(table.snapshot())

        def again(
            picture: Grey = picture, before: object = before, gate: ChangeGate = gate
        ) -> object:
            gate.watch(picture)
            changed = boxes(gate.since_read(), size)
            return reader.reread(picture, before, changed) or reader.read(picture)  # type: ignore[arg-type]

        now = again()
        at = {p.piece: p.xy for p in now.pieces}  # type: ignore[attr-defined]
        truth = table.pieces()
        moved += len(names)
        found += sum(
            name in at and float(np.hypot(*np.subtract(at[name], truth[name]))) < AWAY
            for name in names
        )
        ours, theirs = in_turns(again, lambda picture=picture: peer.read(picture), 2)  # type: ignore[misc]
        ratios.append(theirs / ours)
    return Moved(statistics.median(ratios), len(ratios), moved, found)


@dataclass(frozen=True, slots=True)
class Cost:
    """Memory above a process without camera, in MB, and percent of one core while watching."""

    steady_mb: float
    peak_mb: float
    share: float


def measure_watching(board: Board, kit: Kit, size: tuple[int, int]) -> Cost:
    """Let another process watch drawn frames; its figures. Frames come raw: nothing is decoded."""
    rng = np.random.default_rng([SEED, size[0], 1])
    table = Cardboard(board, kit)
    pictures.scatter(table, rng)
    renderer = Renderer(board, kit, pictures.view("normal", size, rng))
    with tempfile.TemporaryDirectory() as folder:
        for name in ("still_0", "still_1", "still_2"):
            renderer.render(table.snapshot()).tofile(Path(folder) / name)
        for piece in list(table.pieces())[:4]:
            table.move(piece, sorted(board.rooms)[3])
        renderer.render(table.snapshot()).tofile(Path(folder) / "moved")
        command = [sys.executable, "-m", "companion.bench.watching", folder, *map(str, size)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Fault("bench", "bench.no_report", {"reason": done.stderr[-300:]}, temporary=False)
    told = json.loads(done.stdout)
    return Cost(told["steady_mb"], told["peak_mb"], told["share"])


def count_on_bare_tables(board: Board, kit: Kit, reader: Reader, tables: int) -> int:
    """Pieces read on so many tables without one: board art, dice, cards, a checker cloth."""
    false = 0
    for number in range(tables):
        false += len(reader.read(bare_table(board, kit, number)).pieces)
    return false


def bare_table(board: Board, kit: Kit, number: int) -> Grey:
    """A table without pieces. Every fourth has no board at all, only a checker cloth."""
    cv = need("cv2", "opencv-python-headless")
    rng = np.random.default_rng([SEED, number, 7])
    width, height = size = (1920, 1080)
    if number % 4 == 3:
        side = int(rng.integers(8, 40))
        rows, columns = -(-height // side), -(-width // side)
        cloth = (
            rng.integers(0, 2, (rows, columns))
            if number % 8 == 3
            else np.indices((rows, columns)).sum(0) % 2
        )
        grey = np.kron(cloth, np.ones((side, side)))[:height, :width]
        grey = (grey * float(rng.uniform(60, 200)) + 25).astype(np.uint8)
    else:
        kind = "hard" if number % 2 else "normal"
        renderer = Renderer(board, kit, pictures.view(kind, size, rng))
        grey = renderer.render(Cardboard(board, kit).snapshot())
        _litter(grey, renderer.outline(), rng)
    noise = rng.normal(0, 3, (256, width)).astype(np.float32)
    noisy = grey + np.tile(noise, (-(-height // 256), 1))[:height]
    return np.asarray(cv.GaussianBlur(np.clip(noisy, 0, 255).astype(np.uint8), (0, 0), 0.6))


def _litter(grey: Grey, outline: object, rng: np.random.Generator) -> None:
    """Draw what lies on tables: dice, counters, cards with text, scraps of checker, board art."""
    cv = need("cv2", "opencv-python-headless")
    low, high = np.min(outline, axis=0), np.max(outline, axis=0)  # type: ignore[call-overload]
    for _ in range(int(rng.integers(80, 260))):
        x, y = (int(v) for v in rng.uniform(low + 40, high - 40))
        side, bright = int(rng.integers(8, 34)), int(rng.integers(110, 250))
        kind = int(rng.integers(6))
        box = cv.boxPoints(((x, y), (side, side), float(rng.uniform(0, 90)))).astype(np.int32)
        if kind == 0:  # a die
            cv.fillPoly(grey, [box], bright)
            for _ in range(int(rng.integers(1, 7))):
                dx, dy = rng.uniform(-0.3, 0.3, 2) * side
                cv.circle(grey, (int(x + dx), int(y + dy)), max(1, side // 9), 20, -1, cv.LINE_AA)
        elif kind == 1:  # a frame with something in it
            cv.polylines(grey, [box], True, bright, 2, cv.LINE_AA)
            cv.circle(grey, (x, y), max(1, side // 4), bright, -1, cv.LINE_AA)
        elif kind == 2:
            cv.putText(grey, str(rng.integers(0, 9999)), (x, y), 0, 0.3 + side / 40, bright, 2)
        elif kind == 3:  # a scrap of cloth: squares at random, as near to a marker as chance comes
            cells = int(rng.integers(4, 9))
            scrap = rng.integers(0, 2, (cells, cells)).astype(np.uint8) * bright + 5
            scrap = cv.resize(scrap, (side, side), interpolation=cv.INTER_NEAREST)
            grey[y - side // 2 : y - side // 2 + side, x - side // 2 : x - side // 2 + side] = scrap
        elif kind == 4:
            cv.fillPoly(grey, [box], bright)
            inner = ((box - [x, y]) * 0.6 + [x, y]).astype(np.int32)
            cv.fillPoly(grey, [inner], 15)
        else:
            cv.line(grey, (x, y), (x + side * 2, y + int(rng.integers(-20, 20))), bright, 3)


@dataclass(frozen=True, slots=True)
class Motion:
    """A simulated table on which pieces and hands move: settled places told, and how many of
    them were not where the piece is or had just been."""

    sightings: int
    places: int
    moves: int
    false: int


def watch_motion(board: Board, kit: Kit, settled: int) -> Motion:
    """Play on the simulated table until about ``settled`` settled places were told."""
    rng = np.random.default_rng([SEED, 9])
    now = [0.0]
    table = SimulatedTable(board, kit, View((1280, 720), noise=4.0, seed=4), clock=lambda: now[0])
    pictures.scatter(table, rng, 24)
    told: list[object] = []
    loop = CameraLoop(table, Reader(board, kit), told.append)
    rooms = sorted(board.rooms)
    sightings = places = moves = false = 0
    before = table.pieces()
    while places < settled:
        what = rng.random()
        if what < 0.5:
            before = table.pieces()
            for name in rng.permutation(sorted(before))[: int(rng.integers(1, 4))].tolist():
                table.move(name, rooms[int(rng.integers(len(rooms)))])
                moves += 1
        elif what < 0.75:
            table.hand((float(rng.uniform(0.1, 0.9)), float(rng.uniform(0.3, 0.9))))
        for _ in range(int(rng.integers(6, 14))):
            now[0] += 0.2
            sighting = loop.step(Frame(table.frame().grey, now[0]))
            if sighting is None:
                continue
            sightings += 1
            truth = table.pieces()
            for piece in sighting.pieces:
                places += 1
                near = [
                    float(np.hypot(*np.subtract(where[piece.piece], piece.xy)))
                    for where in (truth, before)
                    if piece.piece in where
                ]
                false += not near or min(near) > AWAY
        table.hand(None)
    return Motion(sightings, places, moves, false)


def _px(size: tuple[int, int]) -> dict[str, str]:
    return {"width": str(size[0]), "height": str(size[1])}
