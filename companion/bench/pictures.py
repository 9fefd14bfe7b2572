"""The pictures ``companion bench vision`` reads: a folder's, or tables drawn here.

A folder holds pictures and, beside each, a JSON file of the same name with the truth:
``{"difficulty": "normal", "pieces": [{"id", "room", "xy", "visible"}]}``; ``xy`` are fractions of
the board, ``visible`` the share of the printed square that nothing hides.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from companion.game import BadInput
from companion.game.board import Board
from vision.camera import PICTURES
from vision.kit import Kit
from vision.layout import Cardboard
from vision.read import load_grey
from vision.render import Renderer, View

Grey = npt.NDArray[np.uint8]
HALF, FULL = (2304, 1296), (4608, 2592)
SQUARE_MM = 10.0  # of the drawn pieces, smaller than the kit's: what the figures are promised for
DRAWN = (("normal", HALF, 8), ("normal", FULL, 4), ("hard", HALF, 8), ("hard", FULL, 4))
MANY = 28  # pieces on a drawn table


@dataclass(frozen=True, slots=True)
class Truth:
    """Where one piece is, and how much of its printed square can be seen (0-1)."""

    room: str | None
    xy: tuple[float, float]
    visible: float


@dataclass(frozen=True, eq=False)
class Picture:
    """One picture and what is on it, by the numbers of the markers."""

    difficulty: str
    grey: Grey
    truth: Mapping[int, Truth]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in px."""
        return self.grey.shape[1], self.grey.shape[0]


def in_folder(folder: Path) -> Iterator[Picture]:
    """The pictures of ``folder`` and its folders. `BadInput` where truth is missing (at once, for
    all of them) or no truth."""
    files = sorted(p for p in folder.rglob("*") if p.suffix.lower() in PICTURES)
    known = [p for p in files if p.with_suffix(".json").is_file()]
    if not known:
        raise BadInput("--pictures", "bench_pictures", {"path": str(folder)})
    return _told(known)


def _told(known: Iterable[Path]) -> Iterator[Picture]:
    for file in known:
        try:
            told = json.loads(file.with_suffix(".json").read_text(encoding="utf-8"))
            truth = {
                int(one["id"]): Truth(
                    one["room"], (float(one["xy"][0]), float(one["xy"][1])), float(one["visible"])
                )
                for one in told["pieces"]
            }
        except (OSError, ValueError, KeyError, TypeError, IndexError):
            raise BadInput("--pictures", "bench_truth", {"path": str(file)}) from None
        yield Picture(str(told.get("difficulty", "")), load_grey(file), truth)


def drawn(board: Board, kit: Kit, seed: int) -> Iterator[Picture]:
    """Tables drawn by our own renderer, with small squares, the same ones for the same seed."""
    for difficulty, size, count in DRAWN:
        for number in range(count):
            rng = np.random.default_rng([seed, number, size[0], difficulty == "hard"])
            table = Cardboard(board, small(kit))
            scatter(table, rng)
            if difficulty == "hard":
                table.hand((float(rng.uniform(0.1, 0.9)), float(rng.uniform(0.75, 0.95))))
            renderer = Renderer(board, table.kit, view(difficulty, size, rng))
            layout = table.snapshot()
            visible = renderer.visible(layout)
            rooms = {
                piece.marker.piece: _room(board, piece.x, piece.y, kit) for piece in layout.laid
            }
            truth = {
                table.kit.piece_by_name[name].id: Truth(rooms[name], xy, visible[name])
                for name, xy in table.pieces().items()
            }
            yield Picture(difficulty, renderer.render(layout), truth)


def small(kit: Kit) -> Kit:
    """The kit with every piece's black square `SQUARE_MM` wide."""
    return replace(kit, pieces=tuple(replace(p, size_mm=SQUARE_MM) for p in kit.pieces))


def scatter(table: Cardboard, rng: np.random.Generator, many: int = MANY) -> None:
    """Put ``many`` pieces of the kit into rooms drawn by ``rng``."""
    rooms = sorted(table.board.rooms)
    pieces = [p.piece for p in table.kit.pieces if p.kind != "command"]
    for piece in rng.permutation(pieces)[:many].tolist():
        table.move(piece, rooms[int(rng.integers(len(rooms)))])


def view(difficulty: str, size: tuple[int, int], rng: np.random.Generator) -> View:
    """A camera and a living room's light, drawn by ``rng``."""
    hard = difficulty == "hard"
    return View(
        size,
        distance_mm=float(rng.uniform(850, 1300 if hard else 1050)),
        tilt=float(rng.uniform(4, 20) if hard else rng.uniform(0, 8)),
        azimuth=float(rng.uniform(40, 140)),
        roll=float(rng.uniform(-8, 8) if hard else rng.uniform(-4, 4)),
        fill=float(rng.uniform(0.86, 0.99)),
        k=float(rng.uniform(-0.04, 0.04)) if hard else 0.0,
        light=float(rng.uniform(90, 200) if hard else rng.uniform(140, 235)),
        uneven=float(rng.uniform(0.3, 0.65) if hard else rng.uniform(0.1, 0.35)),
        glare=int(rng.integers(1, 4)) if hard else int(rng.integers(0, 2)),
        blur=float(rng.uniform(0.8, 1.3) if hard else rng.uniform(0.56, 0.91)),
        noise=8.0 if hard else 4.0,
        seed=int(rng.integers(1, 10**6)),
    )


def _room(board: Board, x: float, y: float, kit: Kit) -> str:
    """The room a piece put at (x, y) mm lies in: `Cardboard.move` keeps it within its circle."""
    width, height = kit.board_mm

    def share(room: str) -> float:
        at = board.rooms[room]
        return float(np.hypot(x - at.x * width, y - at.y * height)) / (at.radius * width)

    return min(board.rooms, key=share)
