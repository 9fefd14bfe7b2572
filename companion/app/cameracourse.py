"""Setting the camera up as one course, for a terminal and for the host's page alike.

It is fed pictures by whoever owns the camera and says how good each is, how big the board is and,
when it is asked to, what the lens does. Nothing is kept before a person says so.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from companion.app.profile import KeptLens, Profile
from companion.game.board import Board
from companion.game.errors import BadInput

if TYPE_CHECKING:
    from vision.calibrate import EmptyLook, LensGain
    from vision.detect import Grey
    from vision.kit import Kit
    from vision.quality import Quality
    from vision.register import Lens

CLOSE = 0.004  # a board measured this near to what the reader assumes needs no other reader
DOUBTFUL = 0.1  # and this far, it is not believed before it was said twice


class CameraCourse:
    """One setting up of a camera over a board. Safe from any thread.

    ``camera`` is the camera's name, which its lens is kept under; ``live``: a hand moves the
    printed sheet for the lens, else the pictures are stills.
    """

    def __init__(
        self,
        board: Board,
        kit: Kit,
        profile: Profile,
        camera: str,
        *,
        live: bool = True,
        lens: Lens | None = None,
    ) -> None:
        from vision.calibrate import BoardMeasure, LensCourse
        from vision.read import Reader

        self._board, self._kit, self._profile, self._camera = board, kit, profile, camera
        self._live, self._lens = live, lens
        self._lock = threading.Lock()
        self._reader = Reader(board, kit, lens=lens)
        self._measure = BoardMeasure(kit.board_mm, lens)
        self._quality: Quality | None = None
        self._sheets: LensCourse | None = None
        self._gain: LensGain | None = None
        self._empty: EmptyLook | None = None
        self.kept: dict[str, Any] = {"board": None, "lens": None, "empty": False}
        self._looks = 0

    def look(self, grey: Grey) -> None:
        """Take a picture (height, width)."""
        from vision.calibrate import find_sheet
        from vision.quality import quality

        reader, sheets, empty = self._reader, self._sheets, self._empty
        if sheets is not None:  # a sheet is held over the board: it says nothing of the board
            sheet = find_sheet(grey)
            with self._lock:
                self._looks += 1
                if sheets is self._sheets and sheets.add(sheet):
                    self._gain = None
            return
        if empty is not None:
            empty.add(grey)
        reading = reader.read(grey, second_look=False)
        self._measure.add(grey, reading.marks)
        found = self._measure.result
        if found is not None and not _near(found.mm, reader.kit.board_mm):
            from vision.read import Reader

            reader = Reader(self._board, self._kit.for_board(found.mm), lens=self._lens)
            reading = reader.read(grey, second_look=False)
        seen = quality(grey, reading, reader.kit.board_mm)
        with self._lock:
            self._reader, self._quality = reader, seen
            self._looks += 1

    @property
    def quality(self) -> Quality | None:
        """How good the last picture was."""
        return self._quality

    @property
    def measured(self) -> Any:
        """The board as measured so far (`vision.calibrate.BoardSize`), or None."""
        return self._measure.result

    def keep_board(self, size_mm: tuple[float, float] | None = None) -> tuple[float, float]:
        """Keep the board's size: as told, else as measured. BadInput: an impossible one, or none.

        Fault: the folder cannot be written.
        """
        from vision.kit import board_size

        found = self._measure.result
        if size_mm is not None:
            told = board_size(size_mm)
        elif found is not None:
            told = found.mm
        else:
            raise BadInput("board_mm", "calibrate.no_board")
        self._profile.keep_board(self._board.id, told, measured=size_mm is None)
        self.kept["board"] = told
        return told

    def odd(self, size_mm: tuple[float, float]) -> bool:
        """Whether a told size is far from what the camera measures: one of them is wrong."""
        from vision.calibrate import ODD

        found = self._measure.result
        return found is not None and not _near(found.mm, size_mm, ODD)

    def doubt(self, size_mm: tuple[float, float]) -> BadInput | None:
        """What speaks against a told size that no board of this shape can have, or that is far
        from what the camera measures; None: it may be so. BadInput is raised for what no board
        has."""
        from vision.kit import board_size

        told = width, height = board_size(size_mm)
        given = {"width": f"{width:g}", "height": f"{height:g}"}
        if (found := self._measure.result) is not None:
            if _near(found.mm, told, DOUBTFUL):
                return None
            turned = _near(found.mm, (height, width), DOUBTFUL)
            given |= {"seen_width": f"{found.mm[0]:g}", "seen_height": f"{found.mm[1]:g}"}
            key = "calibrate.swapped" if turned else "calibrate.doubtful"
            return BadInput("board_mm", key, given)
        if abs(width / height / self._board.aspect - 1) <= DOUBTFUL:
            return None
        return BadInput(
            "board_mm", "calibrate.shape", {**given, "aspect": f"{self._board.aspect:.2f}"}
        )

    # The empty board -------------------------------------------------------------------------

    def begin_empty(self) -> None:
        """From now on it is learnt how the empty board looks, to find it by without its frame."""
        from vision.calibrate import EmptyLook
        from vision.read import Reader

        kit = self._kit.for_board(self.kept["board"] or self._kit.board_mm)
        self._empty = EmptyLook(Reader(self._board, kit, lens=self._lens))

    @property
    def empty(self) -> EmptyLook | None:
        """What was learnt so far; None: nobody asked for it."""
        return self._empty

    def keep_empty(self) -> None:
        """Keep how the empty board looks. BadInput: no picture showed it. Fault: not writable."""
        look = None if self._empty is None else self._empty.result
        if look is None:
            raise BadInput("empty", "calibrate.not_empty")
        self._profile.keep_look(self._board.id, look)
        self.kept["empty"] = True
        self._empty = None

    def drop_empty(self) -> None:
        """Learn no more; what was kept before stays."""
        self._empty = None

    # The lens -----------------------------------------------------------------------------------

    def begin_lens(self) -> None:
        """From now on the printed sheet is looked for too."""
        from vision.calibrate import LensCourse

        with self._lock:
            self._sheets, self._gain = LensCourse(self._lens, self._live), None

    @property
    def sheets(self) -> Any:
        """The views of the sheet so far (`vision.calibrate.LensCourse`), or None."""
        return self._sheets

    def gain(self) -> LensGain | None:
        """The lens by the views so far and what it is worth; None while they are too few."""
        with self._lock:
            if self._gain is None and self._sheets is not None:
                self._gain = self._sheets.result()
            return self._gain

    def keep_lens(self) -> None:
        """Keep the lens. BadInput: there is none yet. Fault: the folder cannot be written."""
        gain = self.gain()
        if gain is None:
            raise BadInput("lens", "calibrate.no_lens")
        self._profile.keep_lens(KeptLens(self._camera, gain.lens, gain.before_px, gain.after_px))
        self.kept["lens"] = gain
        with self._lock:
            self._sheets = None

    def drop_lens(self) -> None:
        """Stop looking for the sheet; what was kept before stays."""
        with self._lock:
            self._sheets, self._gain = None, None

    # For a page ---------------------------------------------------------------------------------

    def state(self) -> Mapping[str, Any]:
        """Everything as plain data: ``{looks, quality, board, empty, lens, odd, kept}``; ``odd``:
        the kept board is not as it is measured."""
        seen, found, sheets = self._quality, self.measured, self._sheets
        empty = self._empty
        gain = self.gain() if sheets is not None and sheets.enough else None
        kept = self.kept
        return {
            "looks": self._looks,
            "quality": None if seen is None else quality_json(seen),
            "board": None
            if found is None
            else {"mm": found.mm, "spread": found.spread_mm, "pictures": found.pictures},
            "assumed": self._kit.board_mm,
            "told": self._kit.measured,
            "empty": None
            if empty is None
            else {"pictures": empty.pictures, "enough": empty.enough, "pieces": empty.pieces},
            "lens": None
            if sheets is None
            else {"views": len(sheets.views), "zones": sheets.zones, "gain": gain_json(gain)},
            "odd": kept["board"] is not None and self.odd(kept["board"]),
            "kept": {**kept, "lens": gain_json(kept["lens"])},
        }


def quality_json(seen: Quality) -> dict[str, Any]:
    """A picture's figures and how each fares."""
    return {
        "frame": list(seen.frame),
        "missing": list(seen.missing),
        "found": seen.found,
        "modules": seen.px_per_module,
        "blur": seen.blur_px,
        "light": seen.light,
        "glare": seen.glare,
        "grades": {name: grade.value for name, grade in seen.grades.items()},
    }


def gain_json(gain: LensGain | None) -> dict[str, Any] | None:
    """What a lens is worth."""
    if gain is None:
        return None
    return {
        "views": gain.views,
        "before_px": round(gain.before_px, 2),
        "after_px": round(gain.after_px, 2),
        "before_mm": round(gain.before_mm, 2),
        "after_mm": round(gain.after_mm, 2),
        "worth": gain.worth,
    }


def _near(one: tuple[float, float], other: tuple[float, float], within: float = CLOSE) -> bool:
    return all(abs(a - b) <= within * a for a, b in zip(one, other, strict=True))
