"""Hands for the simulated table: they do what instructions say, and browsers drag pieces."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from companion.game import Fault
from companion.table.sight import held_places

if TYPE_CHECKING:  # it takes a third of a second to load: the first page does not wait for it
    from vision.simulate import SimulatedTable

DELAY_S = 1.2
READY_S = 5.0


class Hands:
    """Follows the table's view: a piece whose held place changes is moved there a moment later.

    A piece that a person dragged stays where it was put until the game moves it.
    """

    def __init__(
        self,
        cardboard: SimulatedTable,
        delay: float = DELAY_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._cardboard = cardboard
        self._delay = delay
        self._clock = clock
        self._held: dict[str, str] = {}
        self._due: list[tuple[float, str, str | None]] = []
        self._wake = threading.Condition()
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name="hands", daemon=True)

    def follow(self, view: Mapping[str, Any]) -> None:
        """Take the table's view; returns at once."""
        held = {
            p: r for p, r in held_places(view).items() if p in self._cardboard.kit.piece_by_name
        }
        with self._wake:
            at = self._clock() + self._delay
            for piece, room in held.items():
                if self._held.get(piece) != room:
                    self._due.append((at if self._held else 0.0, piece, room))
            for piece in self._held:
                if piece not in held:
                    self._due.append((at, piece, None))
            self._held = held
            self._wake.notify()
        self._cardboard.tokens(
            fire=[r for r, s in view["rooms"].items() if s["fire"]],
            malfunction=[r for r, s in view["rooms"].items() if s["malfunction"]],
            noise=[c for c, s in view["corridors"].items() if s["noise"]],
            doors={c: s["door"] for c, s in view["corridors"].items() if s["door"] != "open"},
        )

    def start(self) -> None:
        """Begin to move things."""
        self._thread.start()

    def stop(self) -> None:
        """Put the hands down."""
        with self._wake:
            self._stopping = True
            self._wake.notify()
        if self._thread.is_alive():
            self._thread.join(2)

    def _run(self) -> None:
        while True:
            with self._wake:
                if self._stopping:
                    return
                now = self._clock()
                ready = [d for d in self._due if d[0] <= now]
                self._due = [d for d in self._due if d[0] > now]
                if not ready:
                    wait = min((d[0] for d in self._due), default=now + 60) - now
                    self._wake.wait(max(wait, 0.01))
                    continue
            for _, piece, room in ready:
                if room is None:
                    if piece in self._cardboard.pieces():
                        self._cardboard.remove(piece)
                else:
                    self._cardboard.move(piece, room)


class SimulatorPage:
    """What the browser may do with the simulated table."""

    def __init__(self) -> None:
        self._shown: SimulatedTable | None = None
        self._ready = threading.Event()
        self._tray: set[str] = set()  # what a person took off

    def show(self, cardboard: SimulatedTable) -> None:
        """This is the table in play."""
        self._shown = cardboard
        self._ready.set()

    @property
    def _cardboard(self) -> SimulatedTable:
        self._ready.wait(READY_S)
        if self._shown is None:
            raise Fault("camera", "vision.starting")
        return self._shown

    def png(self) -> bytes:
        """The table as the camera sees it. Fault while there is none yet."""
        return self._cardboard.render_plan(width=960)

    def pieces(self) -> list[dict[str, Any]]:
        """Every piece with its place as fractions of the board; None: a person took it off."""
        width = self._cardboard.kit.board_mm[0]
        known = self._cardboard.kit.piece_by_name
        laid = self._cardboard.pieces()
        self._tray -= laid.keys()
        tray = dict.fromkeys(self._tray & known.keys(), (None, None))
        return [
            {"id": p, "piece": p, "x": x, "y": y, "size": known[p].card_mm / width}
            for p, (x, y) in sorted({**laid, **tray}.items())
        ]

    def drag(self, piece: str, x: float, y: float) -> None:
        """Put a piece down. KeyError: no such piece."""
        if piece not in self._cardboard.kit.piece_by_name:
            raise KeyError(piece)
        self._cardboard.move(piece, (x, y))

    def remove(self, piece: str) -> None:
        """Take a piece off. KeyError: no such piece."""
        if piece not in self._cardboard.pieces():
            raise KeyError(piece)
        self._cardboard.remove(piece)
        self._tray.add(piece)

    def hand(self, on: bool) -> None:
        """Hold a hand over the board, or take it away."""
        self._cardboard.hand((0.5, 0.5) if on else None)
