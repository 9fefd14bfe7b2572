"""The brightness of the lights as the rotary knob left it, kept in ``profiles/``."""

from __future__ import annotations

import json
import logging
import threading
from pathlib import Path
from typing import Final

from companion.table.folder import DataFolder, write_private

NAME: Final = "strip.json"
DARKEST: Final = 0.05  # a knob turned all the way down still shows that the lights live
QUIET_S: Final = 1.0  # turning it writes once, when the hand has left it

_log = logging.getLogger(__name__)


class Dial:
    """How bright the lights are wanted. Safe from any thread; a full disk only forgets.

    What the knob said holds until the brightness of the configuration is another one: then the
    owner has written a new wish, and that counts.
    """

    def __init__(self, folder: DataFolder, configured: float) -> None:
        self._path: Path = folder.profiles / NAME
        self._lock = threading.Lock()
        self._later: threading.Timer | None = None
        self._configured = configured
        self._brightness = self._remembered()

    @property
    def brightness(self) -> float:
        """0-1, as the eye sees it."""
        return self._brightness

    def configure(self, brightness: float) -> None:
        """The configuration says this now; the knob's word stands when nothing changed."""
        with self._lock:
            if brightness != self._configured:
                self._configured = self._brightness = brightness

    def turn(self, step: float) -> float:
        """Brighter or darker by ``step``; the brightness now."""
        with self._lock:
            self._brightness = round(min(max(self._brightness + step, DARKEST), 1.0), 2)
            if self._later is not None:
                self._later.cancel()
            self._later = threading.Timer(QUIET_S, self.keep)
            self._later.daemon = True
            self._later.start()
            return self._brightness

    def keep(self) -> None:
        """Write what was turned and not yet written."""
        with self._lock:
            later, self._later = self._later, None
            if later is None:
                return
            later.cancel()
            said = {"brightness": self._brightness, "configured": self._configured}
            try:
                write_private(self._path, json.dumps(said).encode())
            except OSError as problem:
                _log.warning("the brightness was not remembered: %s", problem.strerror)

    def _remembered(self) -> float:
        try:
            held = json.loads(self._path.read_text())
            kept, configured = float(held["brightness"]), float(held["configured"])
        except (OSError, ValueError, TypeError, KeyError):
            return self._configured
        fits = configured == self._configured and DARKEST <= kept <= 1.0
        return kept if fits else self._configured
