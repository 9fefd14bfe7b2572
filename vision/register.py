"""Tying a picture to the board: one least-squares fit of all visible frame corners.

Board points are millimetres from the board's top-left corner, x right, y down, height upwards out
of the board. The lens is one radial term about the picture's centre; it is fitted with the rest
when enough of the frame is seen, so an ordinary wide lens needs no calibration.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from vision.detect import Mark, Points
from vision.kit import FrameMarker

Matrix = npt.NDArray[np.float64]


def inverse(matrix: Matrix) -> Matrix:
    """The inverse of a square matrix."""
    return np.asarray(np.linalg.inv(matrix), dtype=np.float64)


FEWEST_MARKERS = 3
LARGEST_ERROR_MM = 8.0  # predicted, two sigma, anywhere on the board
CORNER_NOISE_PX = 0.35
LENS_MARKERS = 6  # below, the lens term is not fitted
LENS_LIMIT = 0.4
LARGEST_TURN = 0.1  # radians a frame marker may lie askew
NOMINAL_FOCAL = 0.85  # of the picture's width, when the picture does not tell


@dataclass(frozen=True, slots=True)
class Lens:
    """Radial distortion of pictures of ``size`` (width, height): ``k`` r² and ``k2`` r⁴.

    r is in half diagonals, from the picture's middle moved by ``shift`` px. One that is fitted
    with the board has ``k`` alone; the rest comes from a calibration.
    """

    size: tuple[int, int]
    k: float = 0.0
    k2: float = 0.0
    shift: tuple[float, float] = (0.0, 0.0)

    @property
    def straight(self) -> bool:
        """Whether it bends nothing."""
        return self.k == 0.0 and self.k2 == 0.0

    @property
    def centre(self) -> Points:
        """What the lens bends round, in px."""
        x, y = self.shift
        return np.array([(self.size[0] - 1) / 2 + x, (self.size[1] - 1) / 2 + y])

    @property
    def radius(self) -> float:
        """Half the picture's diagonal in px."""
        return float(np.hypot(*self.size)) / 2

    def straighten(self, points: Points) -> Points:
        """Where the picture's (n, 2) points would lie without distortion."""
        if self.straight:
            return points
        away = (points - self.centre) / self.radius
        return np.asarray(self.centre + away * self._stretch(away) * self.radius)

    def bend(self, points: Points) -> Points:
        """The inverse of `straighten`."""
        if self.straight:
            return points
        aim = (points - self.centre) / self.radius
        away = aim
        for _ in range(12):
            away = aim / np.maximum(0.2, self._stretch(away))
        return np.asarray(self.centre + away * self.radius)

    def _stretch(self, away: Points) -> Points:
        square = (away**2).sum(axis=-1, keepdims=True)
        return np.asarray(1 + square * (self.k + self.k2 * square))


def project(h: Matrix, points: Points) -> Points:
    """(n, 2) ``points`` through the 3x3 homography ``h``."""
    hom = points @ h[:, :2].T + h[:, 2]
    return np.asarray(hom[:, :2] / hom[:, 2:])


def homography(source: Points, target: Points) -> Matrix:
    """The 3x3 map from ``source`` to ``target``, (n, 2) each, n at least 4, by least squares."""
    a, b = _balance(source), _balance(target)
    s, t = project(a, source), project(b, target)
    zero, one = np.zeros(len(s)), np.ones(len(s))
    x, y, u, v = s[:, 0], s[:, 1], t[:, 0], t[:, 1]
    rows = np.concatenate(
        [
            np.stack([x, y, one, zero, zero, zero, -u * x, -u * y, -u], axis=1),
            np.stack([zero, zero, zero, x, y, one, -v * x, -v * y, -v], axis=1),
        ]
    )
    h = np.linalg.svd(rows, full_matrices=len(rows) < 9)[2][-1].reshape(3, 3)
    full = np.linalg.inv(b) @ h @ a
    return np.asarray(full / full[2, 2])


def _balance(points: Points) -> Matrix:
    centre = points.mean(axis=0)
    scale = 1.0 / max(1e-9, float(np.abs(points - centre).mean()))
    return np.array([[scale, 0, -scale * centre[0]], [0, scale, -scale * centre[1]], [0, 0, 1]])


@dataclass(frozen=True, eq=False)
class Fit:
    """A picture tied to the board.

    ``used`` are the frame markers that agree, ``outliers`` those that do not; ``residual_px`` is
    the root mean square over all corners used; ``error_mm`` the predicted error (two sigma) in
    the worst corner of the board; ``camera_mm`` where the camera stands.
    """

    to_picture: Matrix  # board mm -> straightened px
    lens: Lens
    used: tuple[int, ...]
    outliers: tuple[int, ...]
    residual_px: float
    error_mm: float
    camera_mm: Points
    tiles: int = 0  # of a learnt picture, where that and not the frame tied it

    @property
    def ok(self) -> bool:
        """Whether pieces may be placed by this fit."""
        by_frame = len(self.used) >= FEWEST_MARKERS and len(self.used) > len(self.outliers)
        return (by_frame or self.tiles > 0) and self.error_mm <= LARGEST_ERROR_MM

    @cached_property
    def _to_board(self) -> Matrix:
        return inverse(self.to_picture)

    def board(self, points: Points, height_mm: float | Points = 0.0) -> Points:
        """Board mm, (n, 2), of the picture's ``points`` that lie ``height_mm`` above the board."""
        flat = project(self._to_board, self.lens.straighten(points))
        share = np.asarray(height_mm, dtype=np.float64) / self.camera_mm[2]
        return np.asarray(flat + (self.camera_mm[:2] - flat) * share.reshape(-1, 1))

    def picture(self, points_mm: Points, height_mm: float = 0.0) -> Points:
        """Picture px, (n, 2), of board points ``height_mm`` above the board."""
        share = height_mm / self.camera_mm[2]
        flat = (points_mm - self.camera_mm[:2] * share) / (1 - share)
        return self.lens.bend(project(self.to_picture, flat))

    def shrunk(self, factor: int) -> Fit:
        """The same for the picture shrunk by a whole ``factor``."""
        width, height = self.lens.size
        shift = 0.5 / factor - 0.5
        smaller = np.array([[1 / factor, 0, shift], [0, 1 / factor, shift], [0, 0, 1.0]])
        x, y = self.lens.shift
        lens = replace(
            self.lens,
            size=(width // factor, height // factor),
            shift=(x / factor, y / factor),
        )
        return replace(self, to_picture=smaller @ self.to_picture, lens=lens)

    def px_per_mm(self, points_mm: Points) -> Points:
        """Picture px a board mm at each board point, along the shorter direction."""
        step = np.array([1.0, 0.0]), np.array([0.0, 1.0])
        here = self.picture(points_mm)
        spans = [np.linalg.norm(self.picture(points_mm + s) - here, axis=1) for s in step]
        return np.asarray(np.minimum(*spans))


def register(
    marks: Iterable[Mark],
    frame: Mapping[int, FrameMarker],
    board_mm: tuple[float, float],
    size: tuple[int, int],
    lens: Lens | None = None,
) -> Fit | None:
    """Tie a picture of ``size`` (width, height) to the board by its frame ``marks``.

    ``lens``: a calibrated lens, else it is fitted. None when fewer than two frame markers are
    seen or the picture is mirrored; a `Fit` that is not ``ok`` when they are too few, too near
    each other or do not agree.
    """
    best: dict[int, Mark] = {}
    for mark in marks:
        if mark.id in frame and (mark.id not in best or mark.quality > best[mark.id].quality):
            best[mark.id] = mark
    if len(best) < 2:
        return None
    ids = sorted(best)
    seen = {i: best[i].corners for i in ids}
    true = {i: square(frame[i].xy_mm, frame[i].size_mm) for i in ids}
    limit = max(1.5, 0.0012 * max(size))
    kept, dropped = list(ids), []
    h, used_lens, each = _solve(kept, seen, true, size, lens, limit)
    while max(each.values()) > limit and len(kept) > FEWEST_MARKERS:
        trials = []
        for leave in kept:
            rest = [i for i in kept if i != leave]
            trials.append((_solve(rest, seen, true, size, lens, limit), leave))
        (h, used_lens, each), leave = min(trials, key=lambda t: max(t[0][2].values()))
        kept.remove(leave)
        dropped.append(leave)
    if max(each.values()) > limit:
        dropped, kept = ids, []
    if np.linalg.det(h[:2, :2] - np.outer(h[:2, 2], h[2, :2])) <= 0:
        return None
    residual = float(np.sqrt(np.mean(np.square(list(each.values())))))
    points = np.concatenate([true[i] for i in (kept or ids)])
    return Fit(
        h,
        used_lens,
        tuple(kept),
        tuple(sorted(dropped)),
        residual,
        predicted_error(h, points, board_mm, max(CORNER_NOISE_PX, residual)),
        camera_of(h, used_lens),
    )


def square(centre: Sequence[float], size: float) -> Points:
    """Corners (4, 2) of an upright square, clockwise from its top-left."""
    half = size / 2
    x, y = centre
    return np.array(
        [[x - half, y - half], [x + half, y - half], [x + half, y + half], [x - half, y + half]]
    )


_Solution = tuple[Matrix, Lens, dict[int, float]]


def _solve(
    ids: list[int],
    seen: Mapping[int, Points],
    true: Mapping[int, Points],
    size: tuple[int, int],
    lens: Lens | None,
    limit: float,
) -> _Solution:
    pixels = np.concatenate([seen[i] for i in ids])
    board = np.concatenate([true[i] for i in ids])

    def attempt(k: float) -> _Solution:
        model = lens or Lens(size, k)
        ideal = model.straighten(pixels)
        h = homography(board, ideal)
        lying = _turned(board, project(inverse(h), ideal))
        h = homography(lying, ideal)
        miss = np.linalg.norm(project(h, lying) - ideal, axis=1).reshape(-1, 4)
        return h, model, dict(zip(ids, np.sqrt((miss**2).mean(axis=1)).tolist(), strict=True))

    def cost(k: float) -> float:
        return float(sum(v * v for v in attempt(k)[2].values()))

    plain = attempt(0.0)
    if lens is not None or len(ids) < LENS_MARKERS:
        return plain
    before = sum(v * v for v in plain[2].values())
    if before / len(ids) < (CORNER_NOISE_PX * limit / 1.5) ** 2:
        return plain
    bent = attempt(_lowest(cost, -LENS_LIMIT, LENS_LIMIT))
    return bent if sum(v * v for v in bent[2].values()) < 0.4 * before else plain


def _turned(true: Points, seen: Points) -> Points:
    """The ``true`` squares (4n, 2), each turned about its centre as it was ``seen`` to lie.

    Strips are laid by hand: a frame marker's place is known better than its direction.
    """
    squares = true.reshape(-1, 4, 2)
    centres = squares.mean(axis=1, keepdims=True)
    arms = squares - centres
    found = seen.reshape(-1, 4, 2)
    away = found - found.mean(axis=1, keepdims=True)
    cross = (arms[..., 0] * away[..., 1] - arms[..., 1] * away[..., 0]).sum(axis=1)
    along = (arms * away).sum(axis=(1, 2))
    turn = np.clip(np.arctan2(cross, along), -LARGEST_TURN, LARGEST_TURN)[:, None]
    cos, sin = np.cos(turn), np.sin(turn)
    x, y = arms[..., 0] * cos - arms[..., 1] * sin, arms[..., 0] * sin + arms[..., 1] * cos
    return np.asarray((centres + np.stack([x, y], axis=-1)).reshape(-1, 2))


def _lowest(cost: Callable[[float], float], low: float, high: float) -> float:
    """Where ``cost`` is lowest between ``low`` and ``high``: about, then by golden sections."""
    at = np.linspace(low, high, 7)
    best = float(at[int(np.argmin([cost(float(k)) for k in at]))])
    low, high = best - float(at[1] - at[0]), best + float(at[1] - at[0])
    share = (5**0.5 - 1) / 2
    a, b = high - share * (high - low), low + share * (high - low)
    at_a, at_b = cost(a), cost(b)
    for _ in range(8):
        if at_a < at_b:
            high, b, at_b = b, a, at_a
            a = high - share * (high - low)
            at_a = cost(a)
        else:
            low, a, at_a = a, b, at_b
            b = low + share * (high - low)
            at_b = cost(b)
    return (low + high) / 2


def predicted_error(
    h: Matrix, points: Points, board_mm: tuple[float, float], noise_px: float
) -> float:
    """Two sigma of a board position in mm, in the worst corner, for corners read to noise_px."""
    centre = np.array(board_mm) / 2
    scale = max(board_mm) / 2
    spread = np.array([[scale, 0, centre[0]], [0, scale, centre[1]], [0, 0, 1.0]])
    local = h @ spread
    information = np.zeros((8, 8))
    for row in _jacobian(local, (points - centre) / scale):
        information += row.T @ row
    values = np.linalg.eigvalsh(information)
    if values[0] <= values[-1] * 1e-12:
        return float("inf")
    covariance = np.linalg.inv(information) * noise_px**2
    width, height = board_mm
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float64)
    worst = 0.0
    for place, row in zip(corners, _jacobian(local, (corners - centre) / scale), strict=True):
        here = project(h, place[None])[0]
        steps = np.stack([project(h, (place + s)[None])[0] - here for s in np.eye(2)], axis=1)
        back = np.linalg.inv(steps)
        error = back @ row @ covariance @ row.T @ back.T
        worst = max(worst, float(np.sqrt(np.linalg.eigvalsh(error)[-1])))
    return 2 * worst


def _jacobian(h: Matrix, points: Points) -> Points:
    """d(px)/d(first eight entries of h): (n, 2, 8)."""
    hom = np.concatenate([points, np.ones((len(points), 1))], axis=1)
    w = hom @ h[2]
    at = project(h, points)
    rows = np.zeros((len(points), 2, 8))
    rows[:, 0, 0:3] = hom / w[:, None]
    rows[:, 1, 3:6] = hom / w[:, None]
    rows[:, :, 6:8] = -at[:, :, None] * hom[:, None, :2] / w[:, None, None]
    return rows


def camera_of(h: Matrix, lens: Lens) -> Points:
    """The camera's place in board mm, (3,), from the homography; z is its height."""
    shift = np.array([[1, 0, -lens.centre[0]], [0, 1, -lens.centre[1]], [0, 0, 1]])
    centred = shift @ h
    one, two, three = centred.T
    width = lens.size[0]
    # Both columns are as long as each other and upright to each other once divided by the focal.
    p = np.array([one[:2] @ two[:2], one[:2] @ one[:2] - two[:2] @ two[:2]])
    q = np.array([one[2] * two[2], one[2] ** 2 - two[2] ** 2])
    focal = NOMINAL_FOCAL * width
    tilt = np.hypot(one[2], two[2]) * focal / np.linalg.norm(one[:2])
    if tilt > 0.15 and abs(p @ q) > 0:
        estimate = float(p @ p) / -float(p @ q)
        if (0.4 * width) ** 2 < estimate < (4 * width) ** 2:
            focal = float(np.sqrt(estimate))
    rays = np.diag([1 / focal, 1 / focal, 1.0]) @ np.stack([one, two, three], axis=1)
    size = (np.linalg.norm(rays[:, 0]) + np.linalg.norm(rays[:, 1])) / 2
    r1, r2, t = (rays / size).T
    if t[2] < 0:
        r1, r2, t = -r1, -r2, -t
    u, _, vt = np.linalg.svd(np.stack([r1, r2, np.cross(r1, r2)], axis=1))
    rotation = u @ np.diag([1, 1, np.linalg.det(u @ vt)]) @ vt
    place = -rotation.T @ t
    return np.array([place[0], place[1], abs(place[2])])
