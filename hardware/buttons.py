"""Push buttons on the Pi's pins, through gpiozero."""

from __future__ import annotations

import logging
import queue
import threading
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Final, Self

from companion.game.errors import Fault
from companion.table.ports import Health, Status
from hardware.pins import factory
from hardware.reasons import because
from hardware.settings import HELD, ButtonSettings

PART: Final = "buttons"
_LOOK_S: Final = 0.02  # how often the pin of a button that is down is read
_WAITING: Final = 8  # presses kept while the game is busy; further ones are dropped

_log = logging.getLogger(__name__)


@dataclass(eq=False)
class _Key:
    """One button on its pin, and how far its press has come."""

    name: str
    device: Any
    heard: Callable[[_Key, bool], None]
    down: bool = False
    since: float = 0.0  # when it went down
    edge_at: float = float("-inf")  # its last edge, up or down
    armed: bool = False  # down, and a hold is still to count

    def changed(self, _ticks: float, level: int) -> None:
        """What the pin says: it is low while the button is down."""
        self.heard(self, not level)


class Buttons:
    """Calls ``on_press(name)`` once for every press, or hold, of a button.

    The pins' own thread only notes the press; ``on_press`` runs in a thread of this object and
    may block. ``next``, ``draw`` and ``hourglass`` count when pressed, ``undo`` and ``break`` when
    held; every click of the knob is ``brighter`` or ``dimmer``. A press within the debounce time
    of any earlier edge is chatter; a hold counts once, and again only after a new press.

    While a button is down its pin is read every few hundredths of a second: that is what tells a
    hold, and that a finger has left though the edge was missed; the next press counts then.

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
        self._presses: queue.Queue[str | None] = queue.Queue(_WAITING)
        self._keys: list[_Key] = []
        self._devices: list[Any] = []
        self._changed = threading.Condition()
        self._ended = threading.Event()
        self._threads: list[threading.Thread] = []
        if settings.pins or settings.knob:
            self._open(pin_factory)

    def health(self) -> Health:
        """Ready while the pins are open, otherwise off."""
        return Health(PART, Status.READY if self._devices else Status.OFF)

    def close(self) -> None:
        """Release the pins and end the threads. More than once does no harm."""
        with self._changed:
            self._ended.set()
            self._changed.notify()
        while self._devices:
            self._devices.pop().close()
        with suppress(queue.Empty):  # what was not begun is not done any more
            while True:
                self._presses.get_nowait()
        self._presses.put(None)
        threads, self._threads = self._threads, []
        for thread in threads:
            if thread is not threading.current_thread():
                thread.join()

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
            device = self._device(pin_factory, gpiozero.InputDevice, pin, pull_up=True)
            self._listen(device, name, pin)
        if self._settings.knob:
            turned = self._settings.knob
            knob = self._device(pin_factory, gpiozero.RotaryEncoder, *turned, max_steps=0)
            knob.when_rotated_clockwise = lambda: self._note("brighter")
            knob.when_rotated_counter_clockwise = lambda: self._note("dimmer")
        for work in (self._work, self._watch):
            thread = threading.Thread(target=work, name="buttons", daemon=True)
            thread.start()
            self._threads.append(thread)

    def _device(self, pin_factory: Any, kind: Any, *pins: int, **words: Any) -> Any:
        import gpiozero

        try:
            with warnings.catch_warnings():  # the fault says it in the reader's words
                warnings.simplefilter("ignore", gpiozero.GPIOZeroWarning)
                made = kind(*pins, pin_factory=factory(pin_factory), **words)
        except Exception as error:  # each pin library has errors of its own
            self.close()
            raise _fault(error, pins) from error
        self._devices.append(made)
        return made

    def _listen(self, device: Any, name: str, pin: int) -> None:
        key = _Key(name, device, self._edge)
        try:
            device.pin.bounce = self._settings.debounce_s or None
            device.pin.edges = "both"
            device.pin.when_changed = key.changed  # kept weakly: `_keys` holds it
        except Exception as error:
            self.close()
            raise _fault(error, (pin,)) from error
        self._keys.append(key)

    def _edge(self, key: _Key, down: bool) -> None:
        """Note an edge. A press counts when the contact was quiet before, and up."""
        with self._changed:
            now = self._clock()
            quiet = now - key.edge_at >= self._settings.debounce_s
            begins = down and not key.down
            key.down, key.edge_at = down, now
            if not begins:
                return
            key.since, key.armed = now, key.name in HELD
            if quiet and not key.armed:
                self._note(key.name)
            self._changed.notify()

    def _watch(self) -> None:
        """Look at the pins of the buttons that are down, for as long as any is."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._ended.is_set() or self._down())
                if self._ended.is_set():  # then the pins may be released already
                    return
                for key in self._down():
                    self._look(key)
            self._ended.wait(_LOOK_S)

    def _down(self) -> list[_Key]:
        return [key for key in self._keys if key.down]

    def _look(self, key: _Key) -> None:
        now = self._clock()
        if not key.device.is_active:
            if now - key.edge_at >= self._settings.debounce_s:  # the finger has left, unheard
                key.down = False
        elif key.armed and now - key.since >= self._settings.hold_s:
            key.armed = False
            self._note(key.name)

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
