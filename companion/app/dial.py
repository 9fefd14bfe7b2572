"""How the lights are wanted, as a knob and the host's page left them; kept in ``profiles/``."""

from __future__ import annotations

import json
import logging
import threading
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from companion.game.errors import why
from companion.table.folder import DataFolder, write_private

NAME: Final = "strip.json"
DARKEST: Final = 0.05  # a knob turned all the way down still shows that the lights live
QUIET_S: Final = 1.0  # turning it writes once, when the hand has left it

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Wish:
    """How the lights are wanted: ``brightness`` and ``night`` 0-1, and whether nothing moves."""

    brightness: float = 0.5
    night: float = 0.0
    calm: bool = False


class Dial:
    """How the lights are wanted. Safe from any thread; a full disk only forgets.

    What was said on the table holds until the configuration says something else: then the owner
    has written a new wish, and that counts.
    """

    def __init__(self, folder: DataFolder, configured: Wish) -> None:
        self._path: Path = folder.profiles / NAME
        self._lock = threading.Lock()
        self._later: threading.Timer | None = None
        self._configured = configured
        self._wish = self._remembered()

    @property
    def wish(self) -> Wish:
        """What is wanted now."""
        return self._wish

    def configure(self, configured: Wish) -> None:
        """The configuration says this now; what was said here stands when nothing changed."""
        with self._lock:
            if configured != self._configured:
                self._configured = self._wish = configured

    def turn(self, step: float) -> Wish:
        """Brighter or darker by ``step``; what is wanted now."""
        with self._lock:
            brightness = round(min(max(self._wish.brightness + step, DARKEST), 1.0), 2)
            return self._wanted(replace(self._wish, brightness=brightness))

    def switch(self, name: str) -> Wish:
        """``night``: to deep night, or back to day; ``calm``: on or off. What is wanted now."""
        with self._lock:
            if name == "night":
                return self._wanted(replace(self._wish, night=0.0 if self._wish.night else 1.0))
            return self._wanted(replace(self._wish, calm=not self._wish.calm))

    def keep(self) -> None:
        """Write what was said and not yet written."""
        with self._lock:
            later, self._later = self._later, None
            if later is None:
                return
            later.cancel()
            said = {"wish": _plain(self._wish), "configured": _plain(self._configured)}
            try:
                write_private(self._path, json.dumps(said).encode())
            except OSError as problem:
                _log.warning("cli.note.no_dial", why(problem))

    def _wanted(self, wish: Wish) -> Wish:
        self._wish = wish
        if self._later is not None:
            self._later.cancel()
        self._later = threading.Timer(QUIET_S, self.keep)
        self._later.daemon = True
        self._later.start()
        return wish

    def _remembered(self) -> Wish:
        try:
            held = json.loads(self._path.read_text())
            kept, configured = _wish(held["wish"]), _wish(held["configured"])
        except (OSError, ValueError, TypeError, KeyError):
            return self._configured
        return kept if configured == self._configured else self._configured


def _plain(wish: Wish) -> dict[str, Any]:
    return {"brightness": wish.brightness, "night": wish.night, "calm": wish.calm}


def _wish(held: Any) -> Wish:
    """What is held as JSON. Raises TypeError, KeyError or ValueError when it is no wish."""
    made = Wish(float(held["brightness"]), float(held["night"]), bool(held["calm"]))
    if not (0.0 <= made.brightness <= 1.0 and 0.0 <= made.night <= 1.0):
        raise ValueError(held)
    return made
