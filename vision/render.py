"""Draws the simulated table as a camera would see it.

The table is drawn from above at a fine scale, seen through a pinhole camera with a radial lens,
and figures are put on it as solids, so they lean and cover as real ones do. Then come light,
gloss, blur and sensor noise. Everything follows from the arguments and the seed.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, radians, sin
from typing import Any

import numpy as np
import numpy.typing as npt

from companion.game.board import Board
from vision.detect import Grey, Points
from vision.kit import MODULES, Kit
from vision.layout import Laid, Layout
from vision.optional import need
from vision.register import Lens, project

TABLE_MM = 90.0  # of table drawn round the board
WOOD, BOARD, CARD = 92, 9, 62  # greys


@dataclass(frozen=True, slots=True)
class View:
    """How the camera looks and what the room is like.

    ``tilt`` and ``azimuth`` (degrees) say how far and to which side the camera stands off the
    middle; ``fill`` how much of the picture the table fills; ``k`` the lens; ``light`` the
    brightest level of white paper (0-255) and ``uneven`` (0-1) how much darker the far side is;
    ``glare`` counts mirror spots of lamps; ``blur`` and ``noise`` are sigmas in px and grey levels.
    """

    size: tuple[int, int] = (2304, 1296)
    distance_mm: float = 1000.0
    tilt: float = 7.0
    azimuth: float = 90.0
    roll: float = 0.8
    fill: float = 0.96
    k: float = 0.0
    light: float = 205.0
    uneven: float = 0.25
    glare: int = 0
    blur: float = 0.6
    noise: float = 2.0
    seed: int = 1


class Renderer:
    """Renders layouts of one board with one kit through one `View`."""

    def __init__(self, board: Board, kit: Kit, view: View) -> None:
        self._cv: Any = need("cv2", "opencv-python-headless")
        self.board, self.kit, self.view = board, kit, view
        self.lens = Lens(view.size, view.k)
        self._projection = self._place_camera()
        width = kit.board_mm[0] + 2 * TABLE_MM
        self._scale = min(6.0, max(2.0, 1.5 * view.size[0] / width))  # px of the plan a mm
        self._empty = self._draw_table()
        self._flat = self._floor()
        self._where = self._rays() if view.k else None  # a straight lens needs no map of its own
        self._light, self._gloss = self._draw_light()
        self._random = np.random.default_rng(view.seed)
        grain = self._random.normal(0, max(view.noise, 1e-3), (256, 4096)).astype(np.float32)
        self._grain = np.floor(grain + 0.5).astype(np.int16)

    def clean(self, layout: Layout) -> Grey:
        """The picture without the sensor's noise: (height, width)."""
        plan = self._empty.copy()
        self._draw_tokens(plan, layout)
        for piece in layout.laid:
            self._draw_card(plan, piece)
        picture = self._seen(plan)
        for piece in sorted(layout.laid, key=self._nearness):
            if piece.base_radius:
                self._draw_figure(picture, piece)
        if layout.hand is not None:
            self._draw_hand(picture, layout.hand)
        lit = picture.astype(np.float32) * self._light + self._gloss
        if self.view.blur > 0:
            lit = self._cv.GaussianBlur(lit, (0, 0), self.view.blur)
        return np.asarray(np.clip(lit, 0, 255), dtype=np.uint8)

    def expose(self, clean: Grey) -> Grey:
        """``clean`` with fresh sensor noise, another one at every call."""
        height, width = clean.shape
        rows, columns = self._grain.shape
        grain = np.concatenate(
            [
                np.roll(self._grain, int(self._random.integers(columns)), axis=1)
                for _ in range(-(-height // rows))
            ]
        )[:height]
        if width > columns:
            grain = np.tile(grain, (1, -(-width // columns)))
        noisy = self._cv.add(clean, np.ascontiguousarray(grain[:, :width]), dtype=self._cv.CV_8U)
        return np.asarray(noisy, dtype=np.uint8)

    def render(self, layout: Layout) -> Grey:
        """One camera frame of ``layout``."""
        return self.expose(self.clean(layout))

    def visible(self, layout: Layout) -> dict[str, float]:
        """By piece, the share of its black square that lies in the picture and nothing hides."""
        cv = self._cv
        width, height = self.view.size
        numbers = np.zeros((height, width), np.uint8)
        whole: list[float] = []
        for number, piece in enumerate(layout.laid, 1):
            turns = piece.turn + np.pi / 2 + np.arange(4) * np.pi / 2 + np.pi / 4
            reach = piece.marker.size_mm * np.sqrt(0.5)
            corners = np.array([piece.x, piece.y]) + reach * np.column_stack(
                [np.cos(turns), np.sin(turns)]
            )
            at = self.picture(corners).astype(np.float32)
            cv.fillConvexPoly(numbers, np.round(at * 16).astype(np.int32), number, shift=4)
            whole.append(max(1.0, float(cv.contourArea(at))))
        hidden = np.zeros_like(numbers)
        for piece in layout.laid:
            if piece.base_radius:
                self._draw_figure(hidden, piece)
        if layout.hand is not None:
            self._draw_hand(hidden, layout.hand)
        seen = np.bincount(numbers[hidden == 0], minlength=len(whole) + 1)[1:]
        return {
            piece.marker.piece: min(1.0, float(count) / area)
            for piece, count, area in zip(layout.laid, seen, whole, strict=True)
        }

    def picture(self, points_mm: Points, height_mm: float = 0.0) -> Points:
        """Where board points (n, 2) in mm, ``height_mm`` up, appear in the picture."""
        hom = np.column_stack(
            [points_mm, np.full(len(points_mm), height_mm), np.ones(len(points_mm))]
        )
        at = hom @ self._projection.T
        return self.lens.bend(at[:, :2] / at[:, 2:])

    def outline(self) -> Points:
        """The board's four corners in the picture."""
        width, height = self.kit.board_mm
        return self.picture(np.array([[0, 0], [width, 0], [width, height], [0, height]], float))

    # -- geometry ---------------------------------------------------------------------------

    def _place_camera(self) -> npt.NDArray[np.float64]:
        """The 3x4 projection of (x, y, up, 1) in mm to straightened px."""
        view = self.view
        width, height = self.kit.board_mm
        middle = np.array([width / 2, height / 2, 0.0])
        out, turn = radians(view.tilt), radians(view.azimuth)
        eye = middle + view.distance_mm * np.array(
            [sin(out) * cos(turn), sin(out) * sin(turn), cos(out)]
        )
        ahead = (middle - eye) / np.linalg.norm(middle - eye)
        # Board x, y and height are left-handed, so the third axis is not a plain cross product.
        south = np.array([-sin(radians(view.roll)), cos(radians(view.roll)), 0.0])
        down = south - ahead * (south @ ahead)
        down /= np.linalg.norm(down)
        right = np.cross(ahead, down)
        rotation = np.stack([right, down, ahead])
        xs = [m.xy_mm[0] + s * m.size_mm * 0.8 for m in self.kit.fixed for s in (-1, 1)]
        ys = [m.xy_mm[1] + s * m.size_mm * 0.8 for m in self.kit.fixed for s in (-1, 1)]
        edge = np.array([[x, y, 0] for x in (min(xs), max(xs)) for y in (min(ys), max(ys))])
        seen = (edge - eye) @ rotation.T
        half = (np.array(view.size) - 1) / 2
        spread = np.abs(seen[:, :2] / seen[:, 2:]) / half
        focal = view.fill / spread.max() * (1 - 0.5 * max(0.0, view.k))
        camera = np.array([[focal, 0, half[0]], [0, focal, half[1]], [0, 0, 1.0]])
        shift = np.column_stack([np.eye(3), -eye])
        self._eye = eye
        return np.asarray(camera @ rotation @ shift)

    def _seen(self, plan: Grey) -> npt.NDArray[np.uint8]:
        """The plan as the camera sees it: (height, width)."""
        cv = self._cv
        if self._where is not None:
            return np.asarray(cv.remap(plan, self._where, None, cv.INTER_LINEAR))
        how = cv.INTER_LINEAR | cv.WARP_INVERSE_MAP
        return np.asarray(cv.warpPerspective(plan, self._flat, self.view.size, flags=how))

    def _floor(self) -> npt.NDArray[np.float64]:
        """The 3x3 homography from a straightened px to the px of the plan it shows."""
        scale, margin = self._scale, TABLE_MM * self._scale - 0.5
        to_plan = np.array([[scale, 0, margin], [0, scale, margin], [0, 0, 1.0]])
        return np.asarray(to_plan @ np.linalg.inv(self._projection[:, [0, 1, 3]]))

    def _rays(self) -> npt.NDArray[np.float32]:
        """For every px of the picture the px of the plan it shows: (height, width, 2)."""
        width, height = self.view.size
        grid = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1)
        straight = self.lens.straighten(grid.reshape(-1, 2).astype(np.float64))
        plan = project(self._flat, straight)
        return np.asarray(plan.reshape(height, width, 2), dtype=np.float32)

    def _nearness(self, piece: Laid) -> float:
        x, y = piece.figure
        return -float(np.hypot(x - self._eye[0], y - self._eye[1]))

    # -- drawing ----------------------------------------------------------------------------

    def _px(self, x: float, y: float) -> tuple[int, int]:
        return round((x + TABLE_MM) * self._scale), round((y + TABLE_MM) * self._scale)

    def _draw_table(self) -> Grey:
        cv, s = self._cv, self._scale
        width, height = self.kit.board_mm
        size = (int((height + 2 * TABLE_MM) * s), int((width + 2 * TABLE_MM) * s))
        rng = np.random.default_rng(self.view.seed)
        grain = cv.resize(
            rng.normal(0, 9, (size[0] // 24, size[1] // 240 + 2)).astype(np.float32), size[::-1]
        )
        plan = np.clip(WOOD + grain, 0, 255).astype(np.uint8)
        cv.rectangle(plan, self._px(0, 0), self._px(width, height), BOARD, -1)
        at = {
            r.id: (r.x * width, r.y * height, r.radius * width) for r in self.board.rooms.values()
        }
        for corridor in self.board.corridors.values():
            middle = self._px(corridor.x * width, corridor.y * height)
            for room in corridor.rooms:
                x, y, radius = at[room]
                cv.line(plan, self._px(x, y), middle, 34, int(radius * 0.5 * s))
                cv.line(plan, self._px(x, y), middle, 18, int(radius * 0.4 * s))
        for name, (x, y, radius) in at.items():
            turns = np.arange(6) * np.pi / 3
            corners = np.column_stack([x + radius * np.cos(turns), y + radius * np.sin(turns)])
            shape = np.array([self._px(*c) for c in corners], dtype=np.int32)
            cv.fillPoly(plan, [shape], int(rng.integers(20, 46)))
            cv.polylines(plan, [shape], True, int(rng.integers(90, 150)), max(1, int(1.2 * s)))
            cv.putText(
                plan, name, self._px(x - radius * 0.3, y - radius * 0.6), 0, 0.16 * s, 120, 2
            )
        for marker in self.kit.fixed:
            self._paste(plan, marker.id, marker.xy_mm[0], marker.xy_mm[1], marker.size_mm, 0.0)
        return np.asarray(plan, dtype=np.uint8)

    def _draw_tokens(self, plan: Grey, layout: Layout) -> None:
        width, height = self.kit.board_mm
        for names, grey, offset in ((layout.fire, 120, -0.55), (layout.malfunction, 170, 0.55)):
            for name in names:
                room = self.board.rooms[name]
                x = (room.x + offset * room.radius) * width
                self._cv.circle(plan, self._px(x, room.y * height), int(8 * self._scale), grey, -1)
        for name in layout.noise:
            corridor = self.board.corridors[name]
            middle = self._px(corridor.x * width, corridor.y * height)
            self._cv.circle(plan, middle, int(7 * self._scale), 200, -1)
        for name, state in layout.doors.items():
            corridor = self.board.corridors[name]
            x, y = corridor.x * width, corridor.y * height
            half = 3.0 if state == "closed" else 9.0
            self._cv.rectangle(
                plan, self._px(x - 14, y - half), self._px(x + 14, y + half), 140, -1
            )

    def _draw_card(self, plan: Grey, piece: Laid) -> None:
        if piece.base_radius:
            fx, fy = piece.figure
            self._cv.circle(
                plan, self._px(fx, fy), int((piece.base_radius + 1.5) * self._scale), 225, -1
            )
        turn = float(np.degrees(piece.turn)) - 90  # as printed: the figure at the pattern's foot
        self._paste(plan, piece.marker.id, piece.x, piece.y, piece.marker.size_mm, turn)

    def _paste(self, plan: Grey, number: int, x: float, y: float, size: float, turn: float) -> None:
        """Paste a marker and its white margin onto the plan, turned by degrees."""
        cv = self._cv
        module = 12
        aruco = cv.aruco
        dictionary = aruco.getPredefinedDictionary(getattr(aruco, self.kit.dictionary))
        pattern = aruco.generateImageMarker(dictionary, number, module * MODULES)
        card = cv.copyMakeBorder(
            pattern, module, module, module, module, cv.BORDER_CONSTANT, value=255
        )
        side = module * (MODULES + 2)
        full = size * (MODULES + 2) / MODULES * self._scale
        r = int(full * 0.75) + 2
        cx, cy = (x + TABLE_MM) * self._scale, (y + TABLE_MM) * self._scale
        x0, y0 = int(cx) - r, int(cy) - r
        if x0 < 0 or y0 < 0 or x0 + 2 * r > plan.shape[1] or y0 + 2 * r > plan.shape[0]:
            return
        small = cv.resize(card, (round(full), round(full)), interpolation=cv.INTER_AREA)
        side = small.shape[0]
        matrix = cv.getRotationMatrix2D(((side - 1) / 2, (side - 1) / 2), -turn, 1.0)
        matrix[:, 2] += np.array([cx - x0, cy - y0]) - 0.5 - (side - 1) / 2
        patch = cv.warpAffine(small, matrix, (2 * r, 2 * r), flags=cv.INTER_LINEAR)
        mask = cv.warpAffine(
            np.full_like(small, 255), matrix, (2 * r, 2 * r), flags=cv.INTER_LINEAR
        )
        under = plan[y0 : y0 + 2 * r, x0 : x0 + 2 * r].astype(np.float32)
        share = mask.astype(np.float32) / 255
        plan[y0 : y0 + 2 * r, x0 : x0 + 2 * r] = (patch + under * (1 - share)).clip(0, 255)

    def _draw_figure(self, picture: Grey, piece: Laid) -> None:
        """A base, a body and a head as solids: hulls of circles at two heights."""
        x, y = piece.figure
        base, tall = piece.base_radius, piece.figure_height
        grey = 52 + 7 * (piece.marker.id % 5)
        self._solid(picture, (x, y, base, 0.0), (x, y, base, 3.0), grey + 12)
        self._solid(picture, (x, y, base * 0.5, 3.0), (x, y, base * 0.32, tall * 0.7), grey)
        self._solid(picture, (x, y, base * 0.36, tall * 0.7), (x, y, base * 0.3, tall), grey + 20)

    def _solid(
        self,
        picture: Grey,
        low: tuple[float, float, float, float],
        high: tuple[float, float, float, float],
        grey: int,
    ) -> None:
        turns = np.linspace(0, 2 * np.pi, 20, endpoint=False)
        rings = [
            self.picture(np.column_stack([x + r * np.cos(turns), y + r * np.sin(turns)]), z)
            for x, y, r, z in (low, high)
        ]
        hull = self._cv.convexHull(np.concatenate(rings).astype(np.float32))
        shape = np.round(hull * 16).astype(np.int32)
        self._cv.fillConvexPoly(picture, shape, int(grey), lineType=self._cv.LINE_AA, shift=4)

    def _draw_hand(self, picture: Grey, over: tuple[float, float]) -> None:
        width, height = self.kit.board_mm
        x, y = over[0] * width, over[1] * height
        skin = 150
        self._solid(picture, (x, y + 60, 34.0, 45.0), (x, y + 600, 45.0, 90.0), skin)
        self._solid(picture, (x, y + 20, 42.0, 35.0), (x, y + 70, 46.0, 45.0), skin + 8)
        for finger in (-24.0, -8.0, 8.0, 24.0):
            self._solid(
                picture, (x + finger, y - 25, 7.0, 20.0), (x + finger, y + 25, 9.0, 40.0), skin + 4
            )

    def _draw_light(self) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """What to multiply and what to add to every px."""
        view = self.view
        width, height = view.size
        rng = np.random.default_rng(view.seed + 1)
        x, y = np.meshgrid(np.linspace(-1, 1, 160), np.linspace(-1, 1, 90))
        angle = rng.uniform(0, 2 * np.pi)
        far = (x * cos(angle) + y * sin(angle) + 1.5) / 3
        level = view.light / 255 * (1 - view.uneven * far) * (1 - 0.12 * (x**2 + y**2))
        gloss = np.zeros_like(level)
        for _ in range(view.glare):
            gx, gy, r = rng.uniform(-0.8, 0.8), rng.uniform(-0.8, 0.8), rng.uniform(0.04, 0.1)
            gloss += 190 * np.exp(-((x - gx) ** 2 + ((y - gy) * 0.56) ** 2) / (2 * r * r))
        resize = self._cv.resize
        return (
            resize(level.astype(np.float32), (width, height)),
            resize(gloss.astype(np.float32), (width, height)),
        )
