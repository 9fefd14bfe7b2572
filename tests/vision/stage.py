"""A table with what happens in a living room: sleeves, figures that fall, shadows, things laid
down. Drawn by our renderer, stepped by hand through the camera's loop."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, sin

import cv2
import numpy as np

from companion.game.board import Board
from companion.table.ports import Sighting
from vision.camera import Frame
from vision.detect import Grey
from vision.kit import Kit
from vision.layout import Cardboard, Laid
from vision.loop import CameraLoop
from vision.read import Reader
from vision.render import Renderer, View

SMALL = View((1760, 990))
STEP_S = 0.36


class Stage(Renderer):
    """Draws a table: ``fallen`` figures lie in a direction (radians), ``things`` are drawn over
    all, every figure throws a shadow to one side."""

    def __init__(self, board: Board, kit: Kit, view: View, shadow: float = 0.0) -> None:
        super().__init__(board, kit, view)
        self.fallen: dict[str, float] = {}
        self.things: list[Callable[[Stage, Grey], None]] = []
        self.shadow = shadow  # how dark

    def _draw_card(self, plan: Grey, piece: Laid) -> None:
        if piece.base_radius and self.shadow:
            x, y = piece.figure
            tall = 0.0 if piece.marker.piece in self.fallen else piece.figure_height
            low = self._px(x, y), int(piece.base_radius * 0.6 * self._scale)
            high = self._px(x + tall * 0.7, y + tall * 0.35), int(4 * self._scale)
            mask = np.zeros(plan.shape, np.uint8)
            for at, r in (low, high):
                cv2.circle(mask, at, r, 1, -1)
            points = np.argwhere(mask > 0)[:, ::-1].astype(np.int32)
            cv2.fillConvexPoly(mask, cv2.convexHull(points), 1)
            x0, y0, w, h = cv2.boundingRect(cv2.convexHull(points))
            part = slice(y0 - 20, y0 + h + 20), slice(x0 - 20, x0 + w + 20)
            dark = cv2.GaussianBlur(mask[part].astype(np.float32), (0, 0), 2 * self._scale)
            plan[part] = (plan[part] * (1 - self.shadow * dark)).astype(np.uint8)
        if piece.marker.piece not in self.fallen:
            super()._draw_card(plan, piece)

    def _draw_figure(self, picture: Grey, piece: Laid) -> None:
        if piece.marker.piece not in self.fallen:
            super()._draw_figure(picture, piece)
            return
        turn, (x, y) = self.fallen[piece.marker.piece], piece.figure
        base, tall, grey = piece.base_radius, piece.figure_height, 52 + 7 * (piece.marker.id % 5)
        out = np.array([cos(turn), sin(turn)])
        foot, head = np.array([x, y]) + out * base, np.array([x, y]) + out * (base + tall)
        side = np.array([-out[1], out[0]]) * base * 0.8
        for edge in (foot - side, foot + side):  # the base stands on its rim
            self._solid(picture, (*foot, 2.0, 0.0), (*edge, 2.0, base), grey + 12)
        self._solid(picture, (*foot, base * 0.5, base), (*head, base * 0.3, 4.0), grey)

    def clean(self, layout: object) -> Grey:
        picture = super().clean(layout)  # type: ignore[arg-type]
        for thing in self.things:
            thing(self, picture)
        return picture

    def block(self, picture: Grey, x: float, y: float, z: float, r: float, grey: int) -> None:
        """A cylinder on the board at (x, y) mm."""
        self._solid(picture, (x, y, r, 0.0), (x, y, r, z), grey)


class Evening:
    """A `Stage` read through the camera's loop, a picture every `STEP_S`."""

    def __init__(self, board: Board, kit: Kit, view: View = SMALL, shadow: float = 0.0) -> None:
        self.table, self.stage = Cardboard(board, kit), Stage(board, kit, view, shadow)
        self.told: list[Sighting] = []
        self.now = 0.0
        self.loop = CameraLoop(_Nothing(), Reader(board, kit), self.told.append)

    def run(self, seconds: float) -> None:
        """Let time pass; nothing moves."""
        clean = self.stage.clean(self.table.snapshot())
        for _ in range(round(seconds / STEP_S)):
            self.now += STEP_S
            self.loop.step(Frame(self.stage.expose(clean), self.now))

    @property
    def rooms(self) -> dict[str, str | None]:
        """Where the pieces are told to be."""
        return {p.piece: p.room for p in self.told[-1].pieces}

    @property
    def gone(self) -> tuple[str, ...]:
        """What is told to have left."""
        return self.told[-1].gone


class _Nothing:
    """A camera that is never opened."""

    name = "stage"

    def open(self) -> None: ...

    def close(self) -> None: ...

    def frame(self) -> Frame:
        raise NotImplementedError


def sleeve(at: tuple[float, float], wide: float = 110.0) -> Callable[[Stage, Grey], None]:
    """A forearm in a wide sleeve that comes in from below over (x, y) mm."""

    def draw(stage: Stage, picture: Grey) -> None:
        x, y = at
        for step in range(6):  # folds of cloth
            grey = 60 + 14 * (step % 3)
            r = wide / 2 - step * wide / 14
            stage._solid(picture, (x, y, r, 60.0), (x, y + 600, r, 90.0), grey)

    return draw
