"""The simulated table: real reading with no camera. It ships with the product.

A `SimulatedTable` holds the cardboard, renders it as a camera would see it and is itself a
camera, so the reader reads it like any other. Tests and the browser move its pieces.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from companion.game.board import Board
from vision.camera import Frame
from vision.detect import Grey
from vision.kit import Kit
from vision.layout import Cardboard
from vision.privacy import small_png
from vision.render import Renderer, View


class SimulatedTable(Cardboard):
    """Cardboard with a camera over it.

    >>> table = SimulatedTable(board, build_kit())     # doctest: +SKIP
    >>> table.move("adult#1", "006")                   # doctest: +SKIP
    >>> Reader(board, table.kit).read(table.frame().grey).pieces[0].room   # doctest: +SKIP
    '006'
    """

    name = "simulated"

    def __init__(
        self,
        board: Board,
        kit: Kit,
        view: View | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(board, kit)
        self._view = view or View()
        self._clock = clock
        self._drawing = threading.Lock()
        self._renderer: Renderer | None = None
        self._clean: tuple[int, Grey] | None = None
        self._png: tuple[int, bytes] | None = None

    def open(self) -> None:
        """Prepare the renderer."""
        with self._drawing:
            self._ready()

    def close(self) -> None:
        """Drop the pictures made so far."""
        with self._drawing:
            self._clean = self._png = self._renderer = None

    def look(self, view: View) -> None:
        """Move the camera or change the light."""
        with self._drawing:
            self._view = view
            self._clean = self._png = self._renderer = None

    def frame(self) -> Frame:
        """The table now, with fresh sensor noise."""
        with self._drawing:
            return Frame(self._ready().expose(self._picture()), self._clock())

    def render_plan(self, width: int = 640) -> bytes:
        """The camera's view as a small PNG for a browser, black outside the board."""
        with self._drawing:
            picture = self._picture()
            version = self._clean[0] if self._clean else -1
            if self._png is None or self._png[0] != version:
                self._png = version, small_png(picture, self._ready().outline(), width)
            return self._png[1]

    def _ready(self) -> Renderer:
        if self._renderer is None:
            self._renderer = Renderer(self.board, self.kit, self._view)
        return self._renderer

    def _picture(self) -> Grey:
        layout = self.snapshot()
        if self._clean is None or self._clean[0] != layout.version:
            self._clean = layout.version, self._ready().clean(layout)
        return self._clean[1]
