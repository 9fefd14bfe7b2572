"""Reading one picture of the board: detect, register, look closer, place.

The second look works on the board alone, laid flat at a scale where the smallest piece is large
enough, so its cost does not grow with the picture and every square has a known size.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import hypot
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from companion.game.board import Board
from companion.game.errors import BadInput, Fault
from companion.table.ports import Placement, Registration
from vision.detect import Detector, Grey, Mark, Points
from vision.kit import MODULES, Kit, board_size
from vision.likely import NOISY, USUAL, Search, busiest, contrast, noise, shrunk
from vision.look import PX_PER_MM, BoardLook, learnt
from vision.optional import need
from vision.place import Places
from vision.print_scale import print_scale
from vision.register import Fit, Lens, project, register
from vision.squares import SquareFinder

SIZE_RANGE = (0.6, 1.5)  # measured side over printed side
USUAL_SIZES = (0.83, 1.0, 1.17)  # of the smallest piece: printed small, as meant, and cards
SQUARE_ENOUGH = 1.35  # longest side over shortest, on the board
SMALL_WIDTH = 1152  # px: about as wide as the picture in which frame and likely places are found
ENOUGH_FRAME = 5  # frame markers found there that make a finer look needless
FIRST_LOOK_WIDTH = 2400  # px; the finer look is not taken at wider pictures than this
LIKELY_MM = 10.0  # how wide a place of much change is
BUSY_WIDTH = 2304
BUSY = 0.5  # change of a place worth a look, in that of the frame's own markers
TOO_NOISY = 5.0  # grey levels (sigma) of noise from which a first look is a thorough one
MOST_PLACES = 160
CROP_MM = 28.0  # of board round a likely place that is looked at closely
SOFT_PX = 0.75  # how soft a lens, its sensor and what reads it between px make an edge (sigma)
MODULE_PX = 4.4  # of the smallest piece in the second look
MARGIN_MM = 32.0  # of table round the board that is read too: frame strips and command cards
STILL_MARKERS = 2  # frame markers that must lie where an earlier fit has them to use it again
STILL_ALIKE = 0.9  # match of a square that did not move, in what it was when it was read
UNTOUCHED_ALIKE = 0.75  # the same at a glance, below which one that did not change is measured
AROUND_MM = 16.0  # round a changed spot that is searched for likely places
NEW_MM = 7.0  # from a changed spot a place may be that is looked at again
PARTLY = 0.5  # of the board changed: beyond, all of it is read
COARSE = 1.5  # px/mm below which interpolation need not be cubic
GRID = 65  # knots across the map of a bent lens
LARGEST_PICTURE = 80_000_000  # px
Box = tuple[int, int, int, int]  # px: left, top, right, bottom


@dataclass(frozen=True, slots=True)
class Reading:
    """What one picture shows. ``pieces`` is empty unless ``registration.ok``.

    ``marks`` are all squares read, in px of the picture, for overlays and the next reading;
    ``quality`` holds ``px_per_module`` (worst corner), ``sharpness`` and ``light`` (0-255);
    For `Reader.reread`: ``usual`` is how much the frame's markers change in this light,
    ``search`` how places were looked for, ``placed`` which mark each piece was read by.
    """

    size: tuple[int, int]
    registration: Registration
    fit: Fit | None
    pieces: tuple[Placement, ...] = ()
    unknown_ids: tuple[int, ...] = ()
    marks: tuple[Mark, ...] = ()
    quality: Mapping[str, float] = field(default_factory=dict)
    usual: tuple[float, float] = (0.0, 0.0)
    search: Search = USUAL
    placed: Mapping[Mark, Placement] = field(default_factory=dict)

    def as_json(self, image: str) -> dict[str, Any]:
        """One entry of ``companion read --json``."""
        residual = self.registration.residual_px
        return {
            "image": image,
            "registration": {
                "ok": self.registration.ok,
                "points": self.registration.points,
                "residual_px": None if residual is None else round(residual, 3),
            },
            "pieces": [
                {
                    "id": p.id,
                    "piece": p.piece,
                    "kind": p.kind,
                    "room": p.room,
                    "corridor": p.corridor,
                    "xy": [round(v, 4) for v in p.xy],
                    "confidence": round(p.confidence, 3),
                }
                for p in self.pieces
            ],
            "unknown_ids": list(self.unknown_ids),
        }


class Reader:
    """Reads pictures of one board with one kit. Holds no memory of earlier pictures.

    >>> reader = Reader(board, build_kit())            # doctest: +SKIP
    >>> reader.read(load_grey("table.jpg")).pieces     # doctest: +SKIP
    """

    def __init__(
        self, board: Board, kit: Kit, *, lens: Lens | None = None, look: BoardLook | None = None
    ) -> None:
        self.board = board
        self.look = look
        self.kit = kit
        self._cv: Any = need("cv2", "opencv-python-headless")
        self._places = Places(board, kit.board_mm)
        self._lens = lens
        self._detector = Detector(kit.dictionary)
        self._quick = Detector(kit.dictionary, windows=(7, 7, 8))
        smallest = min((p.size_mm for p in kit.pieces), default=12.0)
        self._module = smallest * 0.8 / MODULES
        self._scale = MODULE_PX / self._module  # px/mm of the second look
        largest = max((p.size_mm for p in kit.pieces), default=12.0)
        numbers = [p.id for p in kit.pieces]
        self._finder = SquareFinder(
            numbers,
            [self._detector.pattern(number) for number in numbers],
            (SIZE_RANGE[0] * smallest * self._scale, SIZE_RANGE[1] * largest * self._scale),
            [factor * smallest * self._scale for factor in USUAL_SIZES],
        )

    def read(
        self,
        grey: Grey,
        known: Fit | None = None,
        *,
        second_look: bool = True,
        look: BoardLook | None = None,
    ) -> Reading:
        """What ``grey`` (height, width) shows.

        ``known`` is the fit of an earlier picture of an unmoved camera, used when this one shows
        too little of the frame and what it shows agrees. ``look``: what the empty board looks like,
        learnt from pictures, used when the frame tells too little at all; else `Reader.look`.
        """
        size = (grey.shape[1], grey.shape[0])
        marks: list[Mark] = []
        fit: Fit | None = None
        coarse = max(1, round(size[0] / SMALL_WIDTH))
        finer = max(1, -(-size[0] // FIRST_LOOK_WIDTH))
        for factor, detector in (
            (coarse, self._quick),
            (finer, self._quick),
            (finer, self._detector),
        ):
            more = self._frame_look(grey, shrunk(grey, factor), factor, detector)
            read = {mark.id for mark in more}
            marks = [*more, *(mark for mark in marks if mark.id not in read)]
            fit = self._fit(marks, size)
            if fit is not None and fit.ok and len(fit.used) >= ENOUGH_FRAME:
                break
        weak = fit is None or not fit.ok or len(fit.used) < ENOUGH_FRAME
        if weak and known is not None and self._agrees(known, marks, size):
            fit = known
        look = look or self.look
        if look is not None and (fit is None or not fit.ok):
            fit = look.find(grey, known, self._lens_for(size)) or fit
        if fit is None or not fit.ok:
            return self._not_sure(size, fit, marks)
        if second_look:
            search = NOISY if noise(grey) > TOO_NOISY else USUAL
            usual = self._usual(grey, fit, search)
            places = self._likely(grey, fit, usual, search, [(0, 0, *size)])
            marks = self._closer(grey, fit, marks, places, thorough=search is NOISY)
            return replace(self.conclude(grey, fit, marks), usual=usual, search=search)
        return self.conclude(grey, fit, marks)

    def _closer(
        self, grey: Grey, fit: Fit, marks: Sequence[Mark], places: Points, *, thorough: bool
    ) -> list[Mark]:
        """``marks`` with what a closer look at ``places`` shows. A piece that the first look took
        a few dark px for is a piece only where the closer look proves it."""
        ours = self.kit.piece_by_id
        there = np.array([mark.centre for mark in marks if mark.id in ours]).reshape(-1, 2)
        places = _and_apart(places, fit.board(there), LIKELY_MM / 2)
        found = self._look_at(grey, fit, places, thorough=thorough)
        proved = [m for m in marks if m.id not in ours or any(_same(m, other) for other in found)]
        return merge(proved, found)

    def reread(self, grey: Grey, before: Reading, changed: Sequence[Box]) -> Reading | None:
        """What ``grey`` shows when it differs from the picture of ``before`` only in boxes.

        ``changed`` are (left, top, right, bottom) px. Squares outside them are taken over. None
        when too much changed, or a frame marker in a box is not where it was: then the whole must
        be read.
        """
        fit = before.fit
        if fit is None or not before.registration.ok:
            return None
        if sum((box[2] - box[0]) * (box[3] - box[1]) for box in changed) > PARTLY * grey.size:
            return None
        scale = float(fit.px_per_mm(np.array([self.kit.board_mm]) / 2)[0])
        if not self._frame_stands(grey, before, fit, changed, scale):
            return None
        # One piece put just where another stood hardly changes a small picture: all are checked.
        pieces = [mark for mark in before.marks if mark.id not in self.kit.frame_by_id]
        centres = np.array([mark.centre for mark in pieces]).reshape(-1, 2)
        other = self._detector.glance(grey, pieces) < UNTOUCHED_ALIKE
        other |= _touched(changed, centres, np.array([mark.side for mark in pieces]))
        touched = [pieces[n] for n in np.flatnonzero(other)]
        moved = set(touched) - set(self._still_there(grey, touched))
        kept = [mark for mark in before.marks if mark not in moved]
        around = int(AROUND_MM * scale)
        wider = [(x0 - around, y0 - around, x1 + around, y1 + around) for x0, y0, x1, y1 in changed]
        new = self._likely(grey, fit, before.usual, before.search, _united(wider))
        reach = np.full(len(new), NEW_MM * scale)  # what appears has changed, or half of it has
        new = new[_touched(changed, fit.picture(new), reach)]
        # What moved beside every box was changed for another piece that stands just there.
        gone = np.array([mark.centre for mark in moved]).reshape(-1, 2)
        swapped = gone[~_touched(wider, gone, np.zeros(len(gone)))]
        new = np.concatenate([fit.board(swapped), new])
        if kept:  # what stands beside the change was read already
            there = fit.board(np.array([mark.centre for mark in kept]))
            apart = np.linalg.norm(new[:, None] - there, axis=2).min(axis=1)
            new = new[apart > LIKELY_MM / 2]
        marks = merge(kept, self._look_at(grey, fit, new))
        now = self.conclude(grey, fit, marks, before)
        return replace(now, usual=before.usual, search=before.search)

    def _frame_stands(
        self, grey: Grey, before: Reading, fit: Fit, changed: Sequence[Box], scale: float
    ) -> bool:
        """Whether every frame marker near a changed box was read and is seen where it was."""
        at = fit.picture(np.array([marker.xy_mm for marker in self.kit.fixed]))
        reach = np.array([marker.size_mm * scale for marker in self.kit.fixed])
        near = {self.kit.fixed[n].id for n in np.flatnonzero(_touched(changed, at, reach))}
        marks = [mark for mark in before.marks if mark.id in near]
        return len(self._still_there(grey, marks)) == len(marks) >= len(near)

    def _still_there(self, grey: Grey, marks: Sequence[Mark]) -> list[Mark]:
        """Those of ``marks`` of an earlier picture that ``grey`` shows just where they were."""
        cells = self._detector.sample(grey, [mark.corners for mark in marks])
        return [
            mark
            for mark, seen in zip(marks, cells, strict=True)
            if self._detector.match(mark.id, seen) >= STILL_ALIKE * mark.quality
        ]

    def conclude(
        self, grey: Grey, fit: Fit, marks: Sequence[Mark], before: Reading | None = None
    ) -> Reading:
        """Place ``marks`` by a good ``fit``. ``before``: of the same fit, whose quality and places
        of the same marks hold."""
        size = (grey.shape[1], grey.shape[0])
        ours = self.kit.piece_by_id
        known = {} if before is None else before.placed
        placed = {mark: known[mark] for mark in marks if mark in known}
        placed |= self._placed([m for m in marks if m.id in ours and m not in known], fit)
        unknown = {mark.id for mark in marks} - ours.keys() - self.kit.frame_by_id.keys()
        return Reading(
            size,
            Registration(True, len(fit.used), fit.residual_px),
            fit,
            tuple(sorted(placed.values(), key=lambda p: (p.id, -p.confidence))),
            tuple(sorted(unknown)),
            tuple(marks),
            self.quality(grey, fit) if before is None else before.quality,
            placed=placed,
        )

    def _not_sure(self, size: tuple[int, int], fit: Fit | None, marks: list[Mark]) -> Reading:
        registration = Registration(
            False, len(fit.used) if fit else 0, fit.residual_px if fit and fit.used else None
        )
        ours = self.kit.frame_by_id.keys() | self.kit.piece_by_id.keys()
        unknown = {m.id for m in marks} - ours
        return Reading(size, registration, fit, (), tuple(sorted(unknown)), tuple(marks))

    def _frame_look(self, grey: Grey, small: Grey, factor: int, detector: Detector) -> list[Mark]:
        """The squares in ``small``, which is ``grey`` shrunk, those of the frame sharpened."""
        return [
            self._sharp(grey, Mark(m.id, (m.corners + 0.5) * factor - 0.5, m.quality))
            for m in detector.detect(small)
        ]

    def _sharp(self, grey: Grey, mark: Mark) -> Mark:
        if mark.id not in self.kit.frame_by_id:
            return mark
        return Mark(mark.id, self._detector.sharpen(grey, mark.corners), mark.quality)

    def _fit(self, marks: Iterable[Mark], size: tuple[int, int]) -> Fit | None:
        lens = self._lens_for(size)
        return register(marks, self.kit.frame_by_id, self.kit.board_mm, size, lens)

    def _lens_for(self, size: tuple[int, int]) -> Lens | None:
        return self._lens if self._lens is not None and self._lens.size == size else None

    def _agrees(self, known: Fit, marks: Iterable[Mark], size: tuple[int, int]) -> bool:
        if known.lens.size != size or not known.ok:
            return False
        limit = max(2.0, 0.0015 * max(size))
        agreeing = 0
        for mark in marks:
            frame = self.kit.frame_by_id.get(mark.id)
            if frame is not None and mark.id not in known.outliers:
                there = known.picture(np.array([frame.xy_mm]))[0]
                if np.linalg.norm(there - mark.centre) > limit:
                    return False
                agreeing += 1
        return agreeing >= STILL_MARKERS

    def _likely(
        self,
        grey: Grey,
        fit: Fit,
        usual: tuple[float, float],
        search: Search,
        boxes: Sequence[Box],
    ) -> Points:
        """Where on the board (n, 2 in mm) a piece's square may lie, within ``boxes`` (left, top,
        right, bottom) of ``grey``; the likeliest first. ``usual``: from `_usual`."""
        factor = self._factor(grey)
        window = self._window(fit, factor)
        busy, dense = usual
        looks: list[tuple[Grey, Points, Points]] = []
        where = [np.zeros((0, 2))]
        for left, top, right, bottom in boxes:
            left, top = max(0, left), max(0, top)
            part = shrunk(grey[top:bottom, left:right], factor)
            if min(part.shape) < window:
                continue
            middles, change = busiest(part, window, search)
            much = change > BUSY * busy
            looks.append((part, middles[much], change[much]))
            where.append((middles[much] + 0.5) * factor - 0.5 + [left, top])
        places = fit.board(np.concatenate(where))
        frame = np.array([marker.xy_mm for marker in self.kit.fixed])
        edge, board = np.array([MARGIN_MM, MARGIN_MM]), np.array(self.kit.board_mm)
        near = (places > -edge).all(axis=1) & (places < board + edge).all(axis=1)
        away = np.linalg.norm(places[:, None] - frame, axis=2).min(axis=1)
        near &= away > self.kit.fixed[0].size_mm * 0.7
        start, changes = 0, [np.zeros(0)]
        for part, middles, change in looks:
            here = near[start : start + len(change)]  # a view: what is not clear is near no more
            spread = contrast(part, middles[here], window, search)
            clear = change[here] > search.dense * dense * spread
            changes.append(change[here][clear])
            here[here] = clear
            start += len(change)
        order = np.argsort(-np.concatenate(changes), kind="stable")
        return np.asarray(places[near][order][:MOST_PLACES])

    def _factor(self, grey: Grey) -> int:
        return max(1, round(int(grey.shape[1]) / BUSY_WIDTH))

    def _window(self, fit: Fit, factor: int) -> float:
        middle = np.array([self.kit.board_mm]) / 2
        return LIKELY_MM * float(fit.px_per_mm(middle)[0]) / factor

    def _usual(self, grey: Grey, fit: Fit, search: Search) -> tuple[float, float]:
        """How much the frame's own markers change in this light, and in proportion to their
        contrast; zeros when too few lie in the picture."""
        busy, dense = [], []
        at = fit.picture(np.array([marker.xy_mm for marker in self.kit.fixed]))
        factor = self._factor(grey)
        window = self._window(fit, factor)
        half = int(window * factor)
        for number, (x, y) in zip(self.kit.frame_by_id, at.astype(int).tolist(), strict=True):
            part = grey[max(0, y - half) : y + half, max(0, x - half) : x + half]
            if number in fit.used and min(part.shape) >= half:
                patch = shrunk(part, factor)
                middles, change = busiest(patch, window, search)
                if len(change):
                    busy.append(change[0])
                    dense.append(change[0] / contrast(patch, middles[:1], window, search)[0])
        return (float(np.median(busy)), float(np.median(dense))) if busy else (0.0, 0.0)

    def _look_at(
        self, grey: Grey, fit: Fit, places: Points, *, thorough: bool = False
    ) -> list[Mark]:
        """The squares round ``places`` (n, 2 in mm): each laid flat beside the others.
        ``thorough``: also those that are so soft that no edge of them is whole."""
        if len(places) == 0:
            return []
        side = int(CROP_MM * self._scale)
        columns = int(np.ceil(np.sqrt(len(places))))
        sheet = np.zeros((-(-len(places) // columns) * side, columns * side), np.uint8)
        half = CROP_MM / 2
        corners = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
        there = fit.picture((places[:, None] + corners).reshape(-1, 2)).reshape(-1, 4, 2)
        here = (np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * side - 0.5).astype(np.float32)
        px_per_mm = fit.px_per_mm(places)
        enlarged = float(px_per_mm.min()) < self._scale
        flags = self._cv.INTER_CUBIC if enlarged else self._cv.INTER_LINEAR
        flags |= self._cv.WARP_INVERSE_MAP
        for index, picture in enumerate(there.astype(np.float32)):
            row, column = divmod(index, columns)
            part = sheet[row * side : (row + 1) * side, column * side : (column + 1) * side]
            to_picture = self._cv.getPerspectiveTransform(here, picture)
            part[:] = self._cv.warpPerspective(grey, to_picture, (side, side), flags=flags)
        marks, on_board = [], [np.zeros((0, 2))]
        blur = SOFT_PX / (float(np.median(px_per_mm)) * self._module)
        parts = np.arange(len(places))
        cell = np.stack([parts % columns, parts // columns], axis=1).astype(np.float64)
        for mark in self._finder.find(sheet, blur, (cell + 0.5) * side if thorough else None):
            column, row = (mark.centre // side).astype(int)
            index = row * columns + column
            if index < len(places):
                within = mark.corners - np.array([column, row]) * side
                marks.append(mark)
                on_board.append(places[index] - half + (within + 0.5) * (CROP_MM / side))
        there = fit.picture(np.concatenate(on_board)).reshape(-1, 4, 2)
        found = (Mark(m.id, c, m.quality) for m, c in zip(marks, there, strict=True))
        return merge([], found)

    def flatten(
        self, grey: Grey, fit: Fit, px_per_mm: float, margin_mm: float = 0.0
    ) -> tuple[Grey, npt.NDArray[np.float64]]:
        """The board seen straight from above, and the 3x3 map from its px to board mm."""
        edge = np.array([margin_mm, margin_mm])
        return self._flat(grey, fit, px_per_mm, -edge, np.array(self.kit.board_mm) + edge)

    def _flat(
        self, grey: Grey, fit: Fit, px_per_mm: float, low: Points, high: Points
    ) -> tuple[Grey, npt.NDArray[np.float64]]:
        columns, rows = np.maximum(1, ((high - low) * px_per_mm).astype(int)).tolist()
        to_board = np.array([[1 / px_per_mm, 0, low[0]], [0, 1 / px_per_mm, low[1]], [0, 0, 1.0]])
        flags = self._cv.INTER_CUBIC if px_per_mm > COARSE else self._cv.INTER_LINEAR
        if fit.lens.straight:
            flat = self._cv.warpPerspective(
                grey,
                fit.to_picture @ to_board,
                (columns, rows),
                flags=flags | self._cv.WARP_INVERSE_MAP,
            )
            return flat, to_board
        # A bent lens is smooth: its map is worked out on a grid and filled in between.
        u, v = np.linspace(0, columns - 1, GRID), np.linspace(0, rows - 1, GRID)
        knots = np.stack(np.meshgrid(u, v), axis=-1).reshape(-1, 2)
        at = fit.lens.bend(project(fit.to_picture @ to_board, knots))
        coarse = at.astype(np.float32).reshape(GRID, GRID, 2)
        u, v = np.meshgrid(
            np.linspace(0, GRID - 1, columns, dtype=np.float32),
            np.linspace(0, GRID - 1, rows, dtype=np.float32),
        )
        where = self._cv.remap(coarse, u, v, self._cv.INTER_LINEAR)
        return self._cv.remap(grey, where, None, flags), to_board

    def _placed(self, marks: Sequence[Mark], fit: Fit) -> dict[Mark, Placement]:
        """Where the pieces of the kit by these ``marks`` are, without those of the wrong size."""
        found = [(mark, self.kit.piece_by_id[mark.id]) for mark in marks]
        if not found:
            return {}
        height = np.array([[piece.height_mm] * 5 for _, piece in found]).reshape(-1)
        points = np.stack([np.vstack([mark.corners, mark.centre]) for mark, _ in found])
        on_board = fit.board(points.reshape(-1, 2), height).reshape(-1, 5, 2)
        edges = on_board[:, :4] - np.roll(on_board[:, :4], 1, axis=1)
        sides = np.hypot(edges[..., 0], edges[..., 1])
        width, length = self.kit.board_mm
        placed = {}
        for (mark, piece), side, (x, y) in zip(
            found, sides.tolist(), on_board[:, 4].tolist(), strict=True
        ):
            low, high = (piece.size_mm * factor for factor in SIZE_RANGE)
            if not low <= sum(side) / 4 <= high or max(side) > SQUARE_ENOUGH * min(side):
                continue
            spot = self._places.locate(x, y, piece.form)
            placed[mark] = Placement(
                mark.id,
                piece.piece,
                piece.kind,
                spot.room,
                spot.corridor,
                (x / width, y / length),
                min(1.0, mark.quality * (0.6 + 0.4 * spot.certainty)),
            )
        return placed

    def quality(self, grey: Grey, fit: Fit) -> dict[str, float]:
        """How good the picture is: worst px per module of a piece, sharpness, light."""
        width, height = self.kit.board_mm
        places = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=float)
        smallest = min((p.size_mm for p in self.kit.pieces), default=12.0)
        corners = fit.picture(places)
        x0, y0 = np.maximum(0, corners.min(axis=0)).astype(int)
        x1, y1 = np.ceil(corners.max(axis=0)).astype(int)
        crop = np.ascontiguousarray(grey[y0 : y1 + 1 : 4, x0 : x1 + 1 : 4])
        if crop.size == 0:
            return {}
        return {
            "px_per_module": float(fit.px_per_mm(places).min()) * smallest / MODULES,
            "light": float(np.percentile(crop, 98)),
            "sharpness": float(self._cv.Laplacian(crop, self._cv.CV_16S).std()),
        }


def _touched(
    boxes: Sequence[Box], points: Points, reach: npt.NDArray[np.float64]
) -> npt.NDArray[np.bool_]:
    """Which of the ``points`` (n, 2) lie in one of the ``boxes`` or within ``reach`` (n,) px of
    it."""
    low_high = np.array(boxes, dtype=np.float64).reshape(-1, 1, 4)
    x, y = points.T
    left, top, right, bottom = np.moveaxis(low_high, 2, 0)
    near = (left - reach <= x) & (x <= right + reach) & (top - reach <= y) & (y <= bottom + reach)
    return np.asarray(near.any(axis=0))


def _united(boxes: Iterable[Box]) -> list[Box]:
    """The same with one box round those that overlap."""
    apart: list[Box] = []
    for box in boxes:
        grown = box
        while over := [b for b in apart if _overlap(grown, b)]:
            apart = [b for b in apart if b not in over]
            low, high = np.min([grown, *over], axis=0), np.max([grown, *over], axis=0)
            grown = int(low[0]), int(low[1]), int(high[2]), int(high[3])
        apart.append(grown)
    return apart


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _and_apart(places: Points, others: Points, apart: float) -> Points:
    """``places`` (n, 2) and those of the ``others`` that lie farther than ``apart`` from each."""
    if not len(places):
        return others
    away = np.linalg.norm(others[:, None] - places, axis=2).min(axis=1)
    return np.concatenate([places, others[away > apart]])


def _same(mark: Mark, other: Mark) -> bool:
    """Whether both are one square of one picture."""
    (x, y), (u, v) = mark.centre, other.centre
    return mark.id == other.id and hypot(x - u, y - v) < mark.side * 0.7


def merge(first: Sequence[Mark], second: Iterable[Mark]) -> list[Mark]:
    """Both lists of marks of one picture, each square once: the better reading of it."""
    merged = list(first)
    for mark in second:
        for index, other in enumerate(merged):
            if _same(mark, other):
                if mark.quality > other.quality:
                    merged[index] = mark
                break
        else:
            merged.append(mark)
    return merged


def load_grey(path: str | Path) -> Grey:
    """The picture in the file ``path`` as grey.

    Raises `Fault` when it cannot be opened and `BadInput` when it is no picture or too large.
    """
    cv = need("cv2", "opencv-python-headless")
    name = Path(path).name
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise Fault("image", "vision.image_missing", {"file": name}, temporary=False) from error
    try:
        grey = cv.imdecode(np.frombuffer(data, np.uint8), cv.IMREAD_GRAYSCALE) if data else None
    except cv.error:
        grey = None
    if grey is None:
        raise BadInput(name, "vision.not_an_image", {"file": name})
    return as_grey(grey, name)


def as_grey(picture: Any, name: str = "image") -> Grey:
    """An array (height, width) or (height, width, 3, blue first) as grey ``uint8``; `BadInput`
    for anything else."""
    array = np.asarray(picture)
    if array.dtype != np.uint8 or array.ndim not in (2, 3) or 0 in array.shape:
        raise BadInput(name, "vision.not_an_image", {"file": name})
    if array.shape[0] * array.shape[1] > LARGEST_PICTURE:
        raise BadInput(name, "vision.image_too_large", {"file": name})
    if array.ndim == 3:
        if array.shape[2] != 3:
            raise BadInput(name, "vision.not_an_image", {"file": name})
        cv = need("cv2", "opencv-python-headless")
        array = cv.cvtColor(array, cv.COLOR_BGR2GRAY)
    return np.ascontiguousarray(array)


def kept_look(data: bytes, board_mm: tuple[float, float]) -> BoardLook | None:
    """The look of the empty board kept as the PNG ``data``; None: damaged, or of another size."""
    cv = need("cv2", "opencv-python-headless")
    try:
        flat = cv.imdecode(np.frombuffer(data, np.uint8), cv.IMREAD_GRAYSCALE) if data else None
    except cv.error:
        flat = None
    columns, rows = (int((side + 2 * MARGIN_MM) * PX_PER_MM) for side in board_mm)
    if flat is None or flat.shape != (rows, columns):
        return None
    return learnt([flat], board_mm, MARGIN_MM)


def read_image(
    image: str | Path | Grey,
    board: Board,
    kit: Kit,
    board_mm: Sequence[float] | None = None,
    *,
    lens: Lens | None = None,
    look: BoardLook | None = None,
) -> dict[str, Any]:
    """What the camera would conclude from one picture: one entry of ``companion read --json``.

    ``image``: a file or an array. ``board_mm`` replaces the size the ``kit`` was made for;
    ``lens``: a calibrated one, for pictures of its size; ``look``: the empty board's, for pictures
    without a frame. A picture without a board is an answer
    (``registration.ok`` false), not an error. A photo of the whole marker sheet also gets
    ``print_scale`` (see `vision.print_scale`).
    """
    if board_mm is not None:
        kit = kit.for_board(board_size(board_mm))
    name = str(image) if isinstance(image, str | Path) else ""
    grey = load_grey(image) if isinstance(image, str | Path) else as_grey(image)
    reading = Reader(board, kit, lens=lens, look=look).read(grey)
    answer = reading.as_json(name)
    sheet = None if reading.registration.ok else print_scale(grey, reading.marks)
    if sheet is not None:
        answer["print_scale"] = sheet.as_json()
    return answer
