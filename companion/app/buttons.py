"""What the table's buttons do, whoever presses them: a finger on a pin, or the host on a page.

They are commands like any tap, but for the break and the hourglass: those are no part of the game,
only of the evening, so they are kept here and shown by the lights.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, Final

from companion.game.errors import CompanionError, Fault
from companion.table.ports import Health, Status
from companion.table.session import Session
from hardware import Buttons, ButtonSettings

STEP: Final = 0.05  # of brightness, for each click of the knob
POINT_S: Final = 6.0  # a place that somebody asked to be shown is lit so long
_RETRY_S: Final = 1.0
_RETRY_CAP_S: Final = 60.0

_log = logging.getLogger(__name__)


class Presses:
    """The buttons' meaning. Safe from any thread.

    ``changed`` is called when the break or the hourglass begins, runs on or ends; ``dim`` with
    how much brighter (or darker, below 0) the lights are wanted, ``switch`` with ``night`` or
    ``calm``; ``lights`` says how they are wanted now, None where there are none.
    """

    def __init__(
        self,
        session: Session,
        glass_s: float,
        *,
        changed: Callable[[], None] = lambda: None,
        dim: Callable[[float], None] = lambda _: None,
        switch: Callable[[str], None] = lambda _: None,
        lights: Callable[[], Mapping[str, Any] | None] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._session, self._glass_s = session, glass_s
        self._changed, self._dim, self._clock = changed, dim, clock
        self._switch, self._lights = switch, lights
        self._lock = threading.Lock()
        self._pause = False
        self._turned_at: float | None = None
        self._pointed: tuple[str, ...] = ()
        self._pointing: threading.Timer | None = None
        self._ended = threading.Event()

    @property
    def pause(self) -> bool:
        """Whether people take a break."""
        return self._pause

    @property
    def glass(self) -> float | None:
        """How much sand is left, 0-1; None when no hourglass runs."""
        turned = self._turned_at
        if turned is None:
            return None
        return max(0.0, 1.0 - (self._clock() - turned) / self._glass_s)

    def state(self) -> dict[str, Any]:
        """``{break, glass}``: whether people take a break, the seconds left in the glass.

        ``lights`` too, where there are any: ``{brightness, night, calm}``.
        """
        left, lights = self.glass, self._lights()
        return {
            "break": self._pause,
            "glass": None if left is None else round(left * self._glass_s),
            **({} if lights is None else {"lights": dict(lights)}),
        }

    def press(self, name: str) -> Mapping[str, Any]:
        """Do what a button of this name does. A reply as of a command; never raises Refused."""
        match name:
            case "next" | "undo":
                return self._command(name)
            case "draw":
                return self._draw()
            case "break":
                self.rest(not self._pause)
                return {"status": "done"}
            case "hourglass":
                self._turn()
            case "brighter" | "dimmer":
                self._dim(STEP if name == "brighter" else -STEP)
                return {"status": "done"}
            case "night" | "calm":
                self._switch(name)
                return {"status": "done"}
            case _:
                raise ValueError(name)
        self._changed()
        return {"status": "done"}

    def rest(self, on: bool) -> None:
        """Begin a break, or end it: dim lights, a word on every page, no question of the camera."""
        with self._lock:
            begun, self._pause = self._pause != on, on
        if begun:
            self._session.rest(on)
            self._changed()

    def encounter(self, room: str) -> Mapping[str, Any]:
        """An Encounter in a room: for whoever's turn it is there, else for the only one there.

        A reply as of a command; ``encounter.who`` when nobody or several stand there.
        """
        view = self._session.view("table")[1]
        there = [s["seat"] for s in view["seats"] if s["room"] == room and s["state"] == "aboard"]
        if view["turn"] in there:
            there = [view["turn"]]
        if len(there) != 1:
            return {"status": "refused", "code": "encounter.who", "params": {"room": room}}
        return self._submit({"do": "encounter", "seat": there[0], "by": "device"})

    @property
    def pointed(self) -> tuple[str, ...]:
        """The rooms that somebody asked to be shown: (), (room,) or (from, to)."""
        return self._pointed

    def point(self, rooms: tuple[str, ...]) -> None:
        """Light these rooms for a moment."""
        with self._lock:
            if self._pointing is not None:
                self._pointing.cancel()
            self._pointed = rooms
            self._pointing = threading.Timer(POINT_S, self._pointed_out)
            self._pointing.daemon = True
            self._pointing.start()
        self._changed()

    def _pointed_out(self) -> None:
        self._pointed = ()
        self._changed()

    def stop(self) -> None:
        """No sand runs any more, and nothing is pointed at."""
        self._ended.set()
        if self._pointing is not None:
            self._pointing.cancel()

    def _command(self, name: str) -> Mapping[str, Any]:
        view = self._session.view("table")[1]
        do = "undo" if name == "undo" else "next"
        if do == "next" and view["can"]["event_phase"]:
            do = "event_phase"
        return self._submit({"do": do, "by": "device"})

    def _draw(self) -> Mapping[str, Any]:
        """A token out of the bag: an Encounter of whoever's turn it is, else the next step."""
        view = self._session.view("table")[1]
        if view["phase"] != "player":
            return self._command("next")
        aboard = [s["seat"] for s in view["seats"] if s["state"] == "aboard"]
        if view["turn"] in aboard:
            aboard = [view["turn"]]
        if len(aboard) != 1:
            return {"status": "refused", "code": "draw.who", "params": {}}
        return self._submit({"do": "encounter", "seat": aboard[0], "by": "device"})

    def _submit(self, command: Mapping[str, Any]) -> Mapping[str, Any]:
        try:
            return self._session.submit(command)
        except Fault:
            raise
        except CompanionError as problem:
            return {"status": "refused", "code": problem.code, "params": problem.params}

    def _turn(self) -> None:
        """Turn the glass: it runs from the top; turned while it runs, it is laid down."""
        with self._lock:
            runs = self._turned_at is not None
            self._turned_at = None if runs else self._clock()
        if not runs:
            threading.Thread(target=self._run, name="hourglass", daemon=True).start()

    def _run(self) -> None:
        mine = self._turned_at
        while mine is not None and self._turned_at == mine and not self._ended.wait(1.0):
            if self.glass == 0.0:
                with self._lock:
                    self._turned_at = None
            self._changed()


class Keeper:
    """Keeps the pins open: a temporary fault is tried again with a growing pause.

    ``open_buttons`` is `Buttons`, or what stands in for it in a test.
    """

    def __init__(
        self,
        settings: ButtonSettings,
        on_press: Callable[[str], object],
        *,
        open_buttons: Callable[..., Buttons] = Buttons,
        first_pause: float = _RETRY_S,
    ) -> None:
        self._settings, self._on_press = settings, on_press
        self._open, self._pause = open_buttons, first_pause
        self._buttons: Buttons | None = None
        self._health = Health("buttons", Status.STARTING)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._keep, name="pins", daemon=True)

    def start(self) -> None:
        """Open the pins now or, when they are busy, later; never fails."""
        if not self._try():
            self._thread.start()

    def health(self) -> Health:
        """How the pins fare."""
        return self._buttons.health() if self._buttons is not None else self._health

    def stop(self) -> None:
        """Release the pins. More than once does no harm."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()
        if self._buttons is not None:
            self._buttons.close()

    def _try(self) -> bool:
        """Open the pins; True when there is nothing left to try."""
        try:
            self._buttons = self._open(self._settings, self._pressed)
        except Fault as fault:
            self._health = Health.of("buttons", fault)
            return not fault.temporary
        return True

    def _keep(self) -> None:
        while not self._stop.wait(self._pause) and not self._try():
            self._pause = min(2 * self._pause, _RETRY_CAP_S)

    def _pressed(self, name: str) -> None:
        try:
            self._on_press(name)
        except Fault as problem:
            _log.warning("cli.note.press_lost", {"button": name, "problem": problem})
