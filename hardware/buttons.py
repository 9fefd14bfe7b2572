"""Push buttons on the Pi's pins, through gpiozero."""

from __future__ import annotations

import logging
import queue
import threading
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Any, Final, Self

from companion.game.errors import Fault
from companion.table.ports import Health, Status
from hardware.reasons import because
from hardware.settings import HELD, ButtonSettings

PART: Final = "buttons"
_WAITING: Final = 8  # presses kept while the game is busy; further ones are dropped

_log = logging.getLogger(__name__)


class Buttons:
    """Calls ``on_press(name)`` once for every press, or hold, of a button.

    The pins' own thread only notes the press; ``on_press`` runs in a thread of this object and
    may block. ``next``, ``draw`` and ``hourglass`` count when pressed, ``undo`` and ``break`` when
    held; every click of the knob is ``brighter`` or ``dimmer``. A
    press within the debounce time of any earlier edge is chatter; a hold counts once, and again
    only after a new press, however often the pins report it, and only while the pin is down.

    ``pin_factory`` is a gpiozero factory; without it gpiozero finds one. Raises Fault:

    * ``buttons.no_gpiozero`` (permanent): the library is not installed;
    * ``buttons.no_pins`` (permanent): this computer has none, or no library to reach them;
    * ``buttons.pin_busy``: another program, or another use, has the pin.

    >>> with Buttons(ButtonSettings(pins={"next": 17}), print):    # doctest: +SKIP
    ...     input()
    """

    def __init__(
        self,
        settings: ButtonSettings,
        on_press: Callable[[str], None],
        *,
        pin_factory: Any = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._settings = settings
        self._on_press = on_press
        self._clock = clock
        self._edge_at: dict[str, float] = {}
        self._armed: set[str] = set()
        self._presses: queue.Queue[str | None] = queue.Queue(_WAITING)
        self._buttons: list[Any] = []
        self._worker: threading.Thread | None = None
        if settings.pins or settings.knob:
            self._open(pin_factory)

    def health(self) -> Health:
        """Ready while the pins are open, otherwise off."""
        return Health(PART, Status.READY if self._buttons else Status.OFF)

    def close(self) -> None:
        """Release the pins and end the thread. More than once does no harm."""
        while self._buttons:
            self._buttons.pop().close()
        if self._worker is not None:
            with suppress(queue.Empty):  # what was not begun is not done any more
                while True:
                    self._presses.get_nowait()
            self._presses.put(None)
            if self._worker is not threading.current_thread():
                self._worker.join()
            self._worker = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _open(self, pin_factory: Any) -> None:
        try:
            import gpiozero
        except ImportError as error:
            raise Fault(PART, "buttons.no_gpiozero", temporary=False) from error
        for name, pin in self._settings.pins.items():
            button = self._device(
                gpiozero.Button,
                pin,
                bounce_time=self._settings.debounce_s or None,
                hold_time=self._settings.hold_s,
                pin_factory=pin_factory,
            )
            self._listen(button, name)
        if self._settings.knob:
            knob = self._device(
                gpiozero.RotaryEncoder, *self._settings.knob, max_steps=0, pin_factory=pin_factory
            )
            knob.when_rotated_clockwise = lambda: self._note("brighter")
            knob.when_rotated_counter_clockwise = lambda: self._note("dimmer")
        self._worker = threading.Thread(target=self._work, name="buttons", daemon=True)
        self._worker.start()

    def _device(self, kind: Any, *pins: int, **words: Any) -> Any:
        import gpiozero

        try:
            with warnings.catch_warnings():  # the fault says it in the reader's words
                warnings.simplefilter("ignore", gpiozero.GPIOZeroWarning)
                made = kind(*pins, **words)
        except Exception as error:  # each pin library has errors of its own
            self.close()
            raise _fault(error, pins) from error
        self._buttons.append(made)
        return made

    def _listen(self, button: Any, name: str) -> None:
        button.when_pressed = lambda: self._pressed(name)
        button.when_released = lambda: self._edge(name)
        if name in HELD:
            button.when_held = lambda: self._held(name, button)

    def _edge(self, name: str) -> bool:
        """Note an edge; whether the contact had been quiet before."""
        now = self._clock()
        before = self._edge_at.get(name)
        self._edge_at[name] = now
        return before is None or now - before >= self._settings.debounce_s

    def _pressed(self, name: str) -> None:
        quiet = self._edge(name)
        if name in HELD:
            self._armed.add(name)
        elif quiet:
            self._note(name)

    def _held(self, name: str, button: Any) -> None:
        """A hold, unless the pin says that the finger has left: then its release was missed."""
        if name in self._armed:
            self._armed.discard(name)
            if button.is_pressed:
                self._note(name)

    def _note(self, name: str) -> None:
        try:
            self._presses.put_nowait(name)
        except queue.Full:
            _log.warning("cli.note.press_dropped", {"button": name})

    def _work(self) -> None:
        while (name := self._presses.get()) is not None:
            try:
                self._on_press(name)
            except Exception:  # a refused press must not end the buttons
                _log.exception("cli.note.press_failed", {"button": name})


def _fault(error: Exception, pins: tuple[int, ...]) -> Fault:
    from gpiozero import exc

    params = {"pin": ", ".join(map(str, pins)), **because(error)}
    if isinstance(error, exc.GPIOPinInUse) or params["reason"] == "why.busy":
        return Fault(PART, "buttons.pin_busy", params)
    return Fault(PART, "buttons.no_pins", params, temporary=False)
