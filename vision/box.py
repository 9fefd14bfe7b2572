"""The marker kit of a boxed game: its characters, its miniatures, its board."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.game.board import Board
from companion.library.model import Content
from vision.kit import Kit, build_kit


def box_kit(
    content: Content,
    board: Board,
    board_mm: Sequence[float] | None = None,
    *,
    species: str = "intruders",
    kits: Iterable[int] = (1, 2),
) -> Kit:
    """The kit for what lies in the box, with the miniatures of one species.

    ``board_mm``: width and height as measured; None: assumed from the board's proportions.
    Raises BadInput for a size no board has.
    """
    creatures = content.species[species].creatures.values()
    return build_kit(
        board_mm,
        aspect=board.aspect,
        characters=list(content.characters),
        species=species,
        miniatures={c.id: c.miniatures for c in creatures if c.miniatures},
        kits=kits,
    )
