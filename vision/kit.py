"""The marker kit as data: which printed square stands for which piece, and where the frame lies.

Everything the camera can name carries a square of the dictionary `DICTIONARY`. The numbers below
are printed on paper in people's boxes: **a number once given is never given to another piece**.
New pieces take free numbers. Miniatures of one species share a block with those of the others,
because only one species is in play; their tongues also carry the species' name.

Sizes are the side of the black square, in millimetres. One module is a seventh of it; a white
margin of at least one module surrounds it. A camera needs 2 px for a module in the worst corner of
its picture (see docs/camera.md): 12 mm gives 2.7 px there on a picture 2304 px wide.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from companion.game.errors import BadInput

DICTIONARY = "DICT_5X5_100"
MODULES = 7  # across the black square: five of the pattern and the border on both sides
KIT_VERSION = 1
DEFAULT_ASPECT = 1.462  # width : height of the main board
DEFAULT_WIDTH_MM = 800.0  # assumed until the owner measures the board

Form = Literal["mini", "token"]

FRAME_SIZE_MM = 18.0
FRAME_GAP_MM = 0.5  # between the board's edge and the strip's white margin
SIZE_MM: Mapping[Form, float] = {"mini": 12.0, "token": 14.0}
TOKEN_SIZE_MM = 12.0  # of kit 3: see docs/decisions/0014-sizes-of-markers.md
HEIGHT_MM: Mapping[Form, float] = {"mini": 1.5, "token": 0.5}  # of the marker above the board
ROOF_MM = 25.0  # assumed: how high a standing door's roof is

#: Of the figure's base; those of the expansions are taken to be like the base game's.
BASE_RADIUS_MM: Mapping[str, float] = {
    "queen": 25.0,
    "breeder": 20.0,
    "despoiler": 25.0,
    "stalker": 20.0,
    "lair": 20.0,
    "butcher": 25.0,
    "fleshbeast": 20.0,
}
USUAL_BASE_MM = 12.5

FRAME_IDS = range(8)
CHARACTER_IDS: Mapping[str, int] = {
    "captain": 8,
    "pilot": 9,
    "scientist": 10,
    "scout": 11,
    "soldier": 12,
    "mechanic": 13,
    "medic": 14,
    "ceo": 15,
    "android": 16,
    "psychologist": 17,
    "bounty_hunter": 18,
    "convict": 19,
    "survivor": 20,
    "lab_rat": 21,
    "sentry": 22,
    "janitor": 23,
    "xenobiologist": 24,
    "hacker": 27,
}
COMPANION_IDS: Mapping[str, int] = {"laika": 26}
COMMAND_IDS: Mapping[str, int] = {"card_next": 28, "card_break": 29, "card_encounter": 31}
# First number and how many, per species and kind; the block is 32-63.
MINIATURE_IDS: Mapping[str, Mapping[str, range]] = {
    "intruders": {
        "larva": range(32, 38),
        "creeper": range(38, 41),
        "adult": range(41, 49),
        "breeder": range(50, 52),
        "queen": range(52, 53),
    },
    "void_seeders": {
        "lurker": range(32, 38),
        "whisperer": range(38, 42),
        "lair": range(42, 45),
        "stalker": range(50, 51),
        "despoiler": range(52, 53),
    },
    "carnomorphs": {
        "metagorger": range(32, 40),
        "shambler": range(40, 48),
        "fleshbeast": range(50, 53),
        "butcher": range(53, 54),
    },
}
TOKEN_IDS = range(64, 94)  # kit 3, and kept for more of it: spores, mycelium; robot and rover
#: Interchangeable tokens share a number: a fire is a fire.
REPLACEMENT_IDS: Mapping[str, int] = {
    "fire": 64,
    "malfunction": 65,
    "door": 67,
    "door_destroyed": 68,
}
SHEET_IDS: Mapping[str, tuple[int, int]] = {"a4": (94, 95), "letter": (97, 98)}  # the check bar
# Their mirror image reads as themselves (25, 30, 96), or they look like blots (30, 49): never used.
BARRED_IDS = frozenset({25, 30, 49, 96})


@dataclass(frozen=True, slots=True)
class FrameMarker:
    """A frame marker: its number and its centre from the board's top-left corner, in mm."""

    id: int
    xy_mm: tuple[float, float]
    size_mm: float


@dataclass(frozen=True, slots=True)
class PieceMarker:
    """A piece's marker. ``unique`` is false when interchangeable tokens share the number."""

    id: int
    piece: str
    kind: str
    form: Form
    size_mm: float
    unique: bool = True

    @property
    def height_mm(self) -> float:
        """How high the marker lies above the board."""
        return ROOF_MM if self.piece == "door" else HEIGHT_MM[self.form]

    @property
    def card_mm(self) -> float:
        """Side of the printed square with its white margin of one module."""
        return self.size_mm * (MODULES + 2) / MODULES

    @property
    def base_radius_mm(self) -> float:
        """Radius of the figure's base; 0 for a flat token."""
        return 0.0 if self.form == "token" else BASE_RADIUS_MM.get(self.kind, USUAL_BASE_MM)


@dataclass(frozen=True)
class Kit:
    """A printed kit for a board of ``board_mm`` (width, height).

    ``measured`` is false while the board's size is only assumed.
    """

    board_mm: tuple[float, float]
    fixed: tuple[FrameMarker, ...]
    pieces: tuple[PieceMarker, ...]
    dictionary: str = DICTIONARY
    version: int = KIT_VERSION
    measured: bool = False

    @cached_property
    def frame_by_id(self) -> Mapping[int, FrameMarker]:
        """Frame markers by number."""
        return {marker.id: marker for marker in self.fixed}

    @cached_property
    def piece_by_id(self) -> Mapping[int, PieceMarker]:
        """Piece markers by number."""
        return {marker.id: marker for marker in self.pieces}

    @cached_property
    def piece_by_name(self) -> Mapping[str, PieceMarker]:
        """Piece markers by piece id (``captain``, ``adult#2``)."""
        return {marker.piece: marker for marker in self.pieces}

    def for_board(self, board_mm: tuple[float, float]) -> Kit:
        """The same pieces round a measured board of ``board_mm``."""
        return replace(self, board_mm=board_mm, fixed=frame(board_mm), measured=True)

    def as_json(self) -> dict[str, Any]:
        """What ``companion markers list --json`` prints."""
        return {
            "dictionary": self.dictionary,
            "board_mm": list(self.board_mm),
            "board_measured": self.measured,
            "version": self.version,
            "fixed": [
                {"id": m.id, "xy_mm": list(m.xy_mm), "size_mm": m.size_mm} for m in self.fixed
            ],
            "pieces": [
                {
                    "id": m.id,
                    "piece": m.piece,
                    "kind": m.kind,
                    "form": m.form,
                    "size_mm": m.size_mm,
                    "unique": m.unique,
                }
                for m in self.pieces
            ],
        }


def board_size(
    given: Sequence[float] | None = None, aspect: float = DEFAULT_ASPECT
) -> tuple[float, float]:
    """The board's (width, height) in mm: as ``given``, or the assumption for its ``aspect``.

    Raises `BadInput` for anything that is not two lengths between 100 mm and 3 m.
    """
    if given is None:
        return DEFAULT_WIDTH_MM, round(DEFAULT_WIDTH_MM / aspect, 1)
    if len(given) != 2 or not all(100 <= side <= 3000 for side in given):
        raise BadInput("board_mm", "vision.board_mm", {"given": ",".join(f"{s:g}" for s in given)})
    return float(given[0]), float(given[1])


def frame(board_mm: tuple[float, float], size_mm: float = FRAME_SIZE_MM) -> tuple[FrameMarker, ...]:
    """The eight frame markers: four at the corners, four at the middles of the edges.

    The corner markers stand on the short sides: cameras are wider than boards, so a picture that
    cuts something off cuts the long sides first.
    """
    width, height = board_mm
    out = FRAME_GAP_MM + size_mm / MODULES + size_mm / 2
    near = size_mm
    places = (
        (-out, near),
        (width / 2, -out),
        (width + out, near),
        (width + out, height / 2),
        (width + out, height - near),
        (width / 2, height + out),
        (-out, height - near),
        (-out, height / 2),
    )
    return tuple(
        FrameMarker(number, (round(x, 2), round(y, 2)), size_mm)
        for number, (x, y) in zip(FRAME_IDS, places, strict=True)
    )


def build_kit(
    board_mm: Sequence[float] | None = None,
    *,
    aspect: float = DEFAULT_ASPECT,
    characters: Iterable[str] = tuple(CHARACTER_IDS)[:7],
    species: str = "intruders",
    miniatures: Mapping[str, int] | None = None,
    kits: Iterable[int] = (1, 2),
) -> Kit:
    """The kit for these pieces.

    ``characters`` are character ids; ``miniatures`` maps the species' kinds to how many figures
    the box holds (default: all that have numbers). ``kits`` chooses kit 1 (frame, characters,
    Laika, command cards), 2 (miniatures) and 3 (replacement tokens, roofs of doors). Raises
    `BadInput` for a piece without a number.
    """
    size = board_size(board_mm, aspect)
    chosen = set(kits)
    pieces: list[PieceMarker] = []

    def add(number: int, piece: str, kind: str, form: Form) -> None:
        pieces.append(PieceMarker(number, piece, kind, form, SIZE_MM[form]))

    if 1 in chosen:
        for name in characters:
            if name not in CHARACTER_IDS:
                raise BadInput("characters", "vision.no_marker", {"piece": name})
            add(CHARACTER_IDS[name], name, name, "mini")
        for name, number in COMPANION_IDS.items():
            add(number, name, name, "mini")
        for name, number in COMMAND_IDS.items():
            add(number, name, "command", "token")
    if 2 in chosen:
        blocks = MINIATURE_IDS.get(species, {})
        counts = {kind: len(ids) for kind, ids in blocks.items()}
        for kind, count in (counts if miniatures is None else miniatures).items():
            if count > counts.get(kind, 0):
                raise BadInput("miniatures", "vision.no_marker", {"piece": f"{kind}#{count}"})
            for n in range(count):
                add(blocks[kind][n], f"{kind}#{n + 1}", kind, "mini")
    if 3 in chosen:
        for name, number in REPLACEMENT_IDS.items():
            kind = name.partition("_")[0]
            pieces.append(PieceMarker(number, name, kind, "token", TOKEN_SIZE_MM, unique=False))
    pieces.sort(key=lambda marker: marker.id)
    return Kit(size, frame(size), tuple(pieces), measured=board_mm is not None)
