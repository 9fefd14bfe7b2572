"""The camera loop: frame, change gate, reading when hands are away, tracking, report.

One thread owns the camera. It never touches the game: it hands every `Sighting` to a callback,
and its `Health` to whoever asks. Faults of the device are tried again with a growing pause.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from companion.game.errors import BadInput, CompanionError, Fault
from companion.table.ports import Health, Placement, Sighting, Status, StillMoment
from vision.background import EmptyBoard
from vision.camera import Camera, Frame
from vision.detect import Grey
from vision.gate import ChangeGate, Mask, boxes
from vision.kit import board_size
from vision.left import Departures, Stand, stand
from vision.likely import shrunk
from vision.look import PX_PER_MM, BoardLook
from vision.privacy import as_png, board_outline, small_png
from vision.read import MARGIN_MM, Reader, Reading
from vision.register import Fit
from vision.track import Glimpse, Tracker

EXPOSED_S = 0.1  # a picture that comes so soon after light has changed may be older than that
LOOK_S = 1.0  # between two pictures for somebody who sets the camera up
SHOWN_WIDTH = 960  # px a picture kept for people is at least wide
GIVE_WAY = 5  # of 19: how far this thread stands back behind whoever answers a phone


@dataclass(frozen=True, slots=True)
class CameraSettings:
    """How the loop works. All in seconds but ``dark``, the grey level (0-255) of a dark picture.

    ``every``: between two looks; ``still``: without motion before a reading; ``busy``: at most
    without a reading while hands move; ``heartbeat``: between readings of a still table;
    ``whole``: without motion before all of it is looked at, not only what changed, and between two
    such looks for a piece that left its place; ``anew``: between two looks at all of a still table;
    ``again``: until the next reading when something is about to settle; ``lit``: how long a dark
    table counts as seen after a reading.
    """

    every: float = 0.2
    still: float = 0.35
    busy: float = 3.0
    whole: float = 1.0
    anew: float = 60.0
    heartbeat: float = 15.0
    again: float = 0.3
    dark: float = 14.0
    lit: float = 45.0
    first_pause: float = 0.5
    longest_pause: float = 10.0


class CameraLoop:
    """Watches a board with ``camera`` and reports to ``on_sighting`` from its own thread.

    Before it reads it asks ``pose`` for a moment in which the lights stand still; None from it:
    the picture at hand is read. In the dark it asks ``light`` for one in which they light the
    board, and sees only by that.

    >>> loop = CameraLoop(table, Reader(board, kit), print)      # doctest: +SKIP
    >>> loop.start(); loop.health().status                       # doctest: +SKIP
    """

    part = "camera"

    def __init__(
        self,
        camera: Camera,
        reader: Reader,
        on_sighting: Callable[[Sighting], None],
        *,
        settings: CameraSettings | None = None,
        tracker: Tracker | None = None,
        ready: Status = Status.READY,
        pose: Callable[[], StillMoment | None] = lambda: None,
        light: Callable[[], StillMoment | None] = lambda: None,
    ) -> None:
        self._camera = camera
        self._reader = reader
        self._tell = on_sighting
        self._settings = settings or CameraSettings()
        markers = reader.kit.piece_by_name
        self._tracker = tracker or Tracker(
            reader.kit.board_mm, unique=lambda piece: markers[piece].unique
        )
        self._pose, self._light = pose, light
        self._ready = Status.SIMULATED if camera.name == "simulated" else ready
        self._health = Health(self.part, Status.OFF)
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._shown: tuple[Grey, Fit] | None = None
        self._look: Callable[[Grey], None] | None = None
        self._looked_at = float("-inf")
        self._begin()

    def _begin(self) -> None:
        """Forget everything that an unplugged or moved camera makes untrue."""
        self._gate = ChangeGate()
        self._posed = ChangeGate()  # the same for the pictures taken while the lights stood still
        self._moment: StillMoment | None = None
        self._lamp = False  # that moment is one of reading light
        self._wait = self._settings.every
        self._bare = EmptyBoard()
        self._departures = Departures()
        self._reading: Reading | None = None
        self._fit: Fit | None = None  # the last good one
        self._moved_at = self._read_at = self._whole_at = self._lit_at = float("-inf")

    # -- life -------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin watching in a thread. A loop that runs goes on."""
        if self._thread is not None and self._thread.is_alive():
            return
        self._stop.clear()
        self._health = Health(self.part, Status.STARTING)
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)
        self._thread.start()

    def stop(self, timeout: float = 5.0) -> None:
        """End the thread and let the camera go."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(timeout)
            self._thread = None
        self._health = Health(self.part, Status.OFF)

    def health(self) -> Health:
        """How the camera fares now."""
        return self._health

    def snapshot(self, width: int = 640) -> bytes | None:
        """The last registered picture as a small PNG, black outside the board; else None."""
        if self._shown is None:
            return None
        small, fit = self._shown
        return small_png(small, board_outline(fit, self._reader.kit.board_mm), width)

    def plan(self, width: int) -> bytes | None:
        """The board of the last registered picture, straight from above, as PNG; else None."""
        if self._shown is None:
            return None
        small, fit = self._shown
        scale = width / self._reader.kit.board_mm[0]
        return as_png(self._reader.flatten(small, fit, scale)[0])

    def watch(self, look: Callable[[Grey], None] | None) -> None:
        """Hand a picture to ``look`` every `LOOK_S`, from the camera's thread; None: no more."""
        self._look = look

    def forget(self) -> None:
        """Begin tracking anew, for another game."""
        self._tracker.forget()

    def _run(self) -> None:
        _give_way()
        pause = self._settings.first_pause
        while not self._stop.is_set():
            try:
                self._camera.open()
                while not self._stop.wait(self._wait):
                    self.step(self._camera.frame())
                    pause = self._settings.first_pause
            except Fault as fault:
                self._fail(fault, Status.DEGRADED if fault.temporary else Status.FAILED)
                if not fault.temporary:
                    break
            except BadInput as error:
                self._fail(error, Status.FAILED)
                break
            except Exception as error:  # a defect of ours must not take the game down
                self._fail(
                    Fault(self.part, "vision.camera_broken", {"error": type(error).__name__}),
                    Status.DEGRADED,
                )
            finally:
                self._camera.close()
            self._stop.wait(pause)
            pause = min(pause * 2, self._settings.longest_pause)

    def _fail(self, error: CompanionError, status: Status) -> None:
        params = {key: str(value) for key, value in error.params.items()}
        self._health = Health(self.part, status, error.key, params)
        self._shown = None
        self._begin()

    # -- one look ---------------------------------------------------------------------------

    def step(self, frame: Frame) -> Sighting | None:
        """Look at one frame; the `Sighting` that was told, or None when nothing was read."""
        grey, at = frame.grey, frame.at
        look = self._look
        if look is not None and at - self._looked_at >= LOOK_S:
            self._looked_at = at
            look(grey)
        watched = grey if frame.preview is None else frame.preview
        if (moment := self._moment) is not None:
            if at < moment.over:
                return self._look_while_still(moment, frame, watched)
            if self._read_at >= moment.begin:
                self._moment = None
        self._wait = self._settings.every
        moved = self._gate.watch(watched)
        if self._dark(watched):
            if at - self._lit_at > self._settings.lit:
                self._health = Health(self.part, Status.DEGRADED, "fault.vision.camera_dark")
            self._moved_at = at
            if self._moment is None and (moment := self._light()) is not None:
                self._wait_for(moment, at)
                self._lamp = True
            return None
        if moved.any():
            self._moved_at = at
        if not self._due(at):
            return None
        if self._moment is None and (moment := self._pose()) is not None:
            self._wait_for(moment, at)
            return None
        self._moment = None
        return self._seen(grey, at, moved, self._gate, self._posed)

    def _wait_for(self, moment: StillMoment, at: float) -> None:
        """Take the next picture when the lights stand still."""
        self._moment, self._lamp = moment, False
        self._wait = max(moment.begin + EXPOSED_S - at, 0.0)

    def _look_while_still(
        self, moment: StillMoment, frame: Frame, watched: Grey
    ) -> Sighting | None:
        """Read the one picture that is taken in a still moment; the others show light that ramps.

        Motion is what differs from the still moment before: between them the lights moved.
        """
        at = frame.at
        self._wait = self._settings.every
        if self._read_at >= moment.begin or not moment.begin + EXPOSED_S <= at <= moment.end:
            return None
        return self._seen(frame.grey, at, self._posed.watch(watched), self._posed, self._gate)

    def _seen(
        self, grey: Grey, at: float, moved: Mask, gate: ChangeGate, other: ChangeGate
    ) -> Sighting:
        """Read a picture that ``gate`` has watched, and tell what it shows."""
        self._read_at = at
        reading = self._read(grey, at, gate)
        gate.mark_read()
        other.unread()
        self._reading = reading
        if reading.registration.ok and reading.fit is not None:
            # A picture of full size is not kept: it is the largest thing there is here.
            self._fit = reading.fit
            factor = max(1, grey.shape[1] // SHOWN_WIDTH)
            self._shown = shrunk(grey, factor), reading.fit.shrunk(factor)
            if self._lamp:
                self._lit_at = at
            self._health = Health(self.part, self._ready)
        else:
            self._shown = None
            self._health = self._not_found(grey, reading)
        sighting = self._tracker.update(self._glimpse(grey, at, reading, moved))
        self._tell(sighting)
        return sighting

    def _not_found(self, grey: Grey, reading: Reading) -> Health:
        """Why the board was not found: too little of the frame, or a size that does not fit it."""
        from vision.calibrate import ODD, measured_board
        from vision.quality import true_marks

        told, size = self._reader.kit.board_mm, (grey.shape[1], grey.shape[0])
        seen = measured_board(true_marks(grey, reading.marks), size, board_size())
        if seen is None or all(abs(a - b) <= ODD * b for a, b in zip(told, seen, strict=True)):
            return Health(self.part, Status.DEGRADED, "fault.vision.board_not_found")
        sides = {"width": told[0], "height": told[1], "seen_width": seen[0], "seen_height": seen[1]}
        params = {side: f"{mm:.0f}" for side, mm in sides.items()}
        return Health(self.part, Status.DEGRADED, "fault.vision.board_size", params)

    def _due(self, at: float) -> bool:
        settings = self._settings
        since = at - self._read_at
        if at - self._moved_at < settings.still:
            return since >= settings.busy
        if self._read_at <= self._moved_at or self._whole_due(at):
            return True
        return since >= (settings.again if self._tracker.pending else settings.heartbeat)

    def _whole_due(self, at: float) -> bool:
        """Once after every motion, and now and then: a quick look may have missed a square, and
        what stands still would never be looked at again. Soon again while a piece is missed whose
        place is bare: before it counts as taken it is looked for everywhere.
        """
        settings = self._settings
        unread = self._whole_at <= self._moved_at and at - self._moved_at >= settings.whole
        again = settings.whole if self._tracker.leaving else settings.anew
        return unread or at - self._whole_at >= again

    def _dark(self, picture: Grey) -> bool:
        return float(np.percentile(picture[::8, ::8], 99)) < self._settings.dark

    def _read(self, grey: Grey, at: float, gate: ChangeGate) -> Reading:
        """Read ``grey``: only where it changed, when the last reading still holds elsewhere."""
        before = self._reading
        if before is not None and before.registration.ok and not self._whole_due(at):
            changed = boxes(gate.since_read(), before.size)
            if (partly := self._reader.reread(grey, before, changed)) is not None:
                return partly
        self._whole_at = at
        return self._reader.read(grey, self._fit, look=self._learnt())

    def _learnt(self) -> BoardLook | None:
        """The empty board as seen so far; None: what the reader itself was given."""
        return self._bare.look(self._reader.kit.board_mm, MARGIN_MM)

    def _glimpse(self, grey: Grey, at: float, reading: Reading, moved: Mask) -> Glimpse:
        empty: frozenset[str] = frozenset()
        if reading.registration.ok and reading.fit is not None:
            flat, _ = self._reader.flatten(grey, reading.fit, PX_PER_MM, MARGIN_MM)
            read = self._tracker.followed(reading.pieces)
            settled = self._tracker.settled
            missing = {k: self._at(p.xy) for k, p in settled.items() if k not in read}
            if not moved.any():
                left, beside = self._departures.look(flat, self._stands(reading, read), missing)
                empty = (self._bare.bare(flat, missing) - beside) | left
                everything = [p.xy for p in (*reading.pieces, *settled.values())]
                self._bare.learn(flat, [self._at(xy) for xy in everything])
        return Glimpse(
            at,
            reading.registration,
            reading.pieces,
            empty,
            not moved.any(),
            reading.unknown_ids,
            reading.quality,
        )

    def _stands(
        self, reading: Reading, read: Mapping[str, Sequence[Placement]]
    ) -> dict[str, Stand]:
        """Where each piece that was ``read`` once stands in the flat picture."""
        fit, kit, found = reading.fit, self._reader.kit, {}
        assert fit is not None
        by_id = {mark.id: mark for mark in reading.marks}
        for key, places in read.items():
            marker = kit.piece_by_name[places[0].piece]
            if len(places) == 1 and marker.unique and marker.id in by_id:
                corners = fit.board(by_id[marker.id].corners, marker.height_mm)
                found[key] = stand(marker, corners, fit.camera_mm, MARGIN_MM)
        return found

    def _at(self, xy: tuple[float, float]) -> tuple[float, float]:
        """A place's px in the flat picture."""
        width, height = self._reader.kit.board_mm
        return xy[0] * width + MARGIN_MM, xy[1] * height + MARGIN_MM


def _give_way() -> None:
    """Let the phones' answers go first: this thread, and those OpenCV starts from it, are nice.

    Only Linux knows niceness of one thread; elsewhere nothing changes.
    """
    if sys.platform == "linux":
        with suppress(OSError):
            me = threading.get_native_id()
            os.setpriority(os.PRIO_PROCESS, me, os.getpriority(os.PRIO_PROCESS, me) + GIVE_WAY)
