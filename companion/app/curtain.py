"""Lights and sound wait while a drawn card lies face down on the table's screen."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any, Final

WAIT_S: Final = 3.0  # for the word of a screen that its card is turned (web/static/theatre.js)
MOST: Final = 2  # draws of a round that are theatre, as on the screen

View = Mapping[str, Any]


class Curtain:
    """Passes views of the table on to ``show``; those after a draw when its card is turned.

    ``watched`` says whether any table's screen turns its cards now; the panel puts it in. The
    first screen to turn the card, or on which somebody touches it away, calls `rise`. Safe from
    any thread; ``later`` begins a timer of so many seconds and answers what stops it.
    """

    def __init__(
        self,
        show: Callable[[View], None],
        later: Callable[[float, Callable[[], None]], Callable[[], None]] | None = None,
    ) -> None:
        self.watched: Callable[[], bool] = lambda: False
        self._show = show
        self._later = later or _timer
        self._lock = threading.RLock()
        self._card: Any = None
        self._round: Any = None
        self._shown = 0
        self._held: View | None = None
        self._cancel: Callable[[], None] = lambda: None

    def follow(self, view: View) -> None:
        """A new view of the table."""
        with self._lock:
            card, before = view.get("last_card"), self._card
            boxed = card is not None and view["truth"].get(card["deck"]) == "digital"
            first = self._round is None
            if view.get("round") != self._round:
                self._round, self._shown = view.get("round"), 0
            self._card = card
            if self._held is not None:
                self._held = view
                return
            fresh = boxed and not first and card != before and self._shown < MOST
            if fresh and self.watched():
                self._shown += 1
                self._held = view
                self._cancel = self._later(WAIT_S, self.rise)
                return
            self._show(view)

    def rise(self) -> None:
        """The card is turned, or touched away: everybody sees it now."""
        with self._lock:
            view, self._held = self._held, None
            self._cancel()
            if view is not None:
                self._show(view)


def _timer(seconds: float, done: Callable[[], None]) -> Callable[[], None]:
    timer = threading.Timer(seconds, done)
    timer.daemon = True
    timer.start()
    return timer.cancel
