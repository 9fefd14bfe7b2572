"""What was measured once about board and camera, kept in ``profiles/``.

A board's two sides are the same cardboard, so its size belongs to the game. A lens belongs to one
camera and one size of picture: another of either, and it does not count.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from companion.game.errors import Fault, why
from companion.table.folder import DataFolder, write_private

if TYPE_CHECKING:
    from vision.look import BoardLook
    from vision.register import Lens

BOARD: Final = "board.json"
CAMERA: Final = "camera.json"
_SIDES: Final = (100.0, 3000.0)  # mm a board's side may have
_BENDS: Final = 1.0


@dataclass(frozen=True, slots=True)
class KeptLens:
    """A lens of one camera, with what it gained when it was measured."""

    camera: str
    lens: Lens
    before_px: float
    after_px: float


class Profile:
    """Board sizes and the lens, as they lie in the data folder.

    A file that is missing, damaged or says nothing possible is as if nothing had been measured.
    """

    def __init__(self, folder: DataFolder) -> None:
        self._folder = folder

    def board_mm(self, board: str) -> tuple[float, float] | None:
        """The kept size of a board's side by its id, width and height in mm."""
        try:
            width, height = map(float, self._read(BOARD)[_game(board)]["board_mm"])
        except (KeyError, TypeError, ValueError):
            return None
        low, high = _SIDES
        return (width, height) if low <= width <= high and low <= height <= high else None

    def lens(self) -> KeptLens | None:
        """The kept lens and the camera it belongs to."""
        from vision.register import Lens

        held = self._read(CAMERA).get("lens")
        try:
            assert isinstance(held, dict)
            width, height = map(int, held["size"])
            k, k2, x, y = (float(v) for v in (held["k"], held["k2"], *held["shift"]))
            before, after = float(held["before_px"]), float(held["after_px"])
            camera = str(held["camera"])
        except (AssertionError, KeyError, TypeError, ValueError, OverflowError):
            return None
        sane = all(math.isfinite(v) for v in (k, k2, x, y)) and max(abs(k), abs(k2)) < _BENDS
        if not sane or min(width, height) < 1:
            return None
        return KeptLens(camera, Lens((width, height), k, k2, (x, y)), before, after)

    def keep_board(self, board: str, size_mm: tuple[float, float], *, measured: bool) -> None:
        """Keep a board's size; ``measured`` by the camera, or else told. Fault: not writable."""
        held = self._read(BOARD)
        how = "camera" if measured else "told"
        held[_game(board)] = {"board_mm": [round(v, 1) for v in size_mm], "by": how}
        self._write(BOARD, held)

    def look(self, board: str, board_mm: tuple[float, float]) -> BoardLook | None:
        """How the empty board's side looks, kept on somebody's wish; None: never, or for another
        size of the board."""
        try:
            data = (self._folder.profiles / _look(board)).read_bytes()
        except OSError:
            return None
        from vision.read import kept_look

        return kept_look(data, board_mm)

    def keep_look(self, board: str, look: BoardLook) -> None:
        """Keep how the empty board's side looks, as a picture. Fault: not writable."""
        from vision.privacy import as_png

        self._write_bytes(self._folder.profiles / _look(board), as_png(look.flat))

    def keep_lens(self, kept: KeptLens | None) -> None:
        """Keep a lens, or forget it. Fault: not writable."""
        held: dict[str, Any] = {}
        if kept is not None:
            lens = kept.lens
            held["lens"] = {
                "camera": kept.camera,
                "size": list(lens.size),
                "k": lens.k,
                "k2": lens.k2,
                "shift": list(lens.shift),
                "before_px": round(kept.before_px, 3),
                "after_px": round(kept.after_px, 3),
            }
        self._write(CAMERA, held)

    def _read(self, name: str) -> dict[str, Any]:
        try:
            held = json.loads((self._folder.profiles / name).read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return {}
        return held if isinstance(held, dict) else {}

    def _write(self, name: str, held: dict[str, Any]) -> None:
        self._write_bytes(self._folder.profiles / name, json.dumps(held, indent=1).encode())

    def _write_bytes(self, path: Path, data: bytes) -> None:
        self._folder.create()
        try:
            write_private(path, data)
        except OSError as problem:
            said = {"path": str(path), **why(problem)}
            raise Fault("file", "file.unwritable", said, temporary=False) from None


def _look(board: str) -> str:
    return f"board-{board.replace('/', '-')}.png"


def _game(board: str) -> str:
    return board.partition("/")[0]
