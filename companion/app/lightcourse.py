"""The setting up of the lights as one course, for a terminal and for a phone alike.

While it runs it owns the strip: the lights of the game stand still, and come back at its end.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Protocol

from companion import config
from companion.game.board import Board
from companion.game.errors import BadInput, CompanionError, Fault, why
from companion.table.folder import DataFolder, write_private
from companion.table.ports import Health, Mood, Scene
from hardware import Frame, LightSettings, Strip, opener, picture
from hardware import setup as asked
from hardware.layout import CORNERS, check_corners
from hardware.setup import Kind, Question

_BEAT_S: Final = 0.4  # a WLED controller wants to be told again before it goes back to its own
_AWAY_S: Final = 15.0  # a page asks every three; one that is closed or dark asks no more
_FORGOTTEN_S: Final = 600.0  # a phone that went away for good: its answers too


class Shows(Protocol):
    """A strip that is being mapped: frames in, never an exception."""

    @property
    def fault(self) -> Any:
        """What is wrong with it now, if anything."""

    @property
    def simulated(self) -> bool:
        """Whether nothing is lit but what a page draws."""

    def send(self, frame: Frame, now: float) -> None:
        """Show a frame."""

    def close(self) -> None:
        """Dark, and released."""


def strip_of(settings: LightSettings) -> Strip:
    """The real strip of these settings."""
    return Strip(settings, opener(settings))


class LightCourse:
    """Asks, shows, and at the end writes the section ``[lights]``. Safe from any thread.

    It proposes what is configured now. It is somebody's: of a phone by its name, which has to look
    in now and then (`state`). While it does not, the game has its lights; when it is back, it goes
    on where it was, and only much later everything is forgotten. A terminal has no name, and may
    take its time.

    ``pause`` takes the strip from the game, ``resume`` gives it back, with the new settings when
    there are any; both may be called more than once.
    """

    def __init__(
        self,
        board: Board,
        folder: DataFolder,
        *,
        pause: Callable[[], None] = lambda: None,
        resume: Callable[[LightSettings | None], None] = lambda _: None,
        opened: Callable[[LightSettings], Shows] = strip_of,
    ) -> None:
        self._board, self._folder = board, folder
        self._pause, self._resume, self._opened = pause, resume, opened
        self._lock = threading.RLock()
        self._answers: dict[str, Any] = {}
        self._before: asked.Answers = {}
        self._by = ""
        self._who = ""
        self._away = False
        self._looked_at: tuple[int, ...] = ()
        self._strip: Shows | None = None
        self._settings: LightSettings | None = None
        self._running = False
        self._touched = 0.0

    def begin(self, by: str = "", who: str = "") -> None:
        """Start over; the lights are the course's from now on.

        ``by`` is the phone it belongs to, ``who`` what people call it; it is nobody else's then.
        """
        with self._lock:
            self._let_go()
            self._answers, self._looked_at = {}, ()
            self._before = self._configured()
            self._by, self._who, self._touched = by, who, time.monotonic()
            if not self._running or self._away:
                self._pause()
            if not self._running:
                self._running = True
                threading.Thread(target=self._beat, name="lights-setup", daemon=True).start()
            self._away = False
            self._changed()

    @property
    def who(self) -> str | None:
        """Who has the lights now; None: the game."""
        return self._who if self._running and not self._away else None

    def state(self, by: str = "") -> dict[str, Any]:
        """``running``; whether it is ``mine``, else ``who`` has it. What follows is of one's own:

        ``question`` (None when all is answered), ``answered``, ``looked_at``, ``section``,
        ``fault``, and ``picture``: the lights as SVG text where no strip shows them.
        """
        with self._lock:
            mine = self._running and by == self._by
            if mine:
                self._look_in()
            fault = self._strip.fault if self._strip is not None and mine else None
            return {
                "running": self._running,
                "mine": mine,
                "who": self._who if self._running else "",
                "question": self.question() if mine else None,
                "answered": len(self._answers) if mine else 0,
                "looked_at": list(self._looked_at) if mine else [],
                "section": self.section() if mine else None,
                "fault": Health.of("lights", fault) if fault is not None else None,
                "picture": self._picture() if mine else None,
            }

    def question(self) -> Question | None:
        """What is asked now; None when all is known."""
        return asked.following(self._board, self._answers, self._before)

    def section(self) -> str | None:
        """The section of the configuration as text, when all is known."""
        with self._lock:
            if not self._running or self.question() is not None:
                return None
            return asked.toml(asked.config(self._answers))

    def answer(self, value: Any) -> None:
        """Answer the question. Raises BadInput that says what may be said; nothing changes."""
        with self._lock:
            question = self.question()
            if not self._running or question is None:
                return
            self._answers[question.name] = asked.taken(question, value)
            if question.name.startswith("corner_") and self.question() is not None:
                self._check_corners(question.name)
            self._changed()

    def back(self) -> None:
        """Take the last answer back."""
        with self._lock:
            if self._answers:
                self._answers.popitem()
            self._changed()

    def look(self, pixels: Sequence[int]) -> None:
        """Light these while the question is open."""
        with self._lock:
            self._looked_at = tuple(pixels)[:64]
            self._show()

    def save(self) -> LightSettings | None:
        """Write the section and give the lights back. Raises BadInput or Fault; None: not done.

        What was there before is kept beside it, as ``config.toml.before``.
        """
        with self._lock:
            if not self._running or self.question() is not None:
                return None
            made = written(self._folder, asked.config(self._answers))
            self._end(made)
            return made

    def cancel(self) -> None:
        """Give the lights back as they were. More than once is once."""
        with self._lock:
            if self._running:
                self._end(None)

    # Inside -------------------------------------------------------------------------------------

    def _changed(self) -> None:
        """The strip for what is known now, and the light that is asked about."""
        wanted = asked.trial(self._answers)
        if wanted != self._settings:
            self._let_go()
            if wanted is not None:
                self._strip, self._settings = self._opened(wanted), wanted
        question = self.question() if self._running else None
        usual = question.usual if question is not None else ()
        pixel = question is not None and question.kind is Kind.PIXEL
        self._looked_at = (usual,) if pixel else usual if isinstance(usual, tuple) else ()
        self._looked_at = self._looked_at or (question.lit if question is not None else ())
        self._show()

    def _check_corners(self, newest: str) -> None:
        """Corners that go neither way round are said at the last of them."""
        if len([n for n in self._answers if n.startswith("corner_")]) < 4:
            return
        try:
            check_corners([self._answers[f"corner_{c.value}"] for c in CORNERS])
        except BadInput:
            del self._answers[newest]
            raise

    def _show(self) -> None:
        if self._strip is not None:
            frame = asked.picture(self._answers, self._looked_at)
            self._strip.send(frame, time.monotonic())

    def _beat(self) -> None:
        while True:
            time.sleep(_BEAT_S)
            with self._lock:
                if not self._running:
                    return
                unseen = time.monotonic() - self._touched if self._by else 0.0
                if unseen > _FORGOTTEN_S:
                    self._end(None)
                    return
                if unseen > _AWAY_S and not self._away:
                    self._away = True
                    self._let_go()
                    self._resume(None)
                self._show()

    def _look_in(self) -> None:
        """Its phone is there; when it was away the lights are the course's again."""
        self._touched = time.monotonic()
        if self._away:
            self._away = False
            self._pause()
            self._changed()

    def _configured(self) -> asked.Answers:
        """The answers that led to what is configured now."""
        try:
            return asked.answered(self._board, config.load(self._folder).lights)
        except CompanionError:  # the writing says what is wrong with the file
            return {}

    def _picture(self) -> str | None:
        """The lights as a drawing; None when a strip shows them, or nothing is to be shown yet."""
        strip = self._strip
        if strip is not None and not strip.simulated and strip.fault is None:
            return None
        layout = asked.layout(self._board, self._answers, self._looked_at)
        if layout is None:
            return None
        frame = asked.picture(self._answers, self._looked_at)
        rooms = {room: room for room in self._board.rooms}
        return picture(self._board, Scene(Mood.LOBBY), frame, layout, labels=rooms)

    def _end(self, made: LightSettings | None) -> None:
        self._let_go()
        self._running = False
        if not self._away or made is not None:
            self._resume(made)
        self._away = False

    def _let_go(self) -> None:
        strip, self._strip, self._settings = self._strip, None, None
        if strip is not None:
            strip.close()


def written(folder: DataFolder, section: Mapping[str, Any]) -> LightSettings:
    """Put ``section`` into the configuration; the settings as they are read from it.

    What was there before is kept beside it, as ``config.toml.before``. Raises Fault
    ``config.unreadable`` or ``config.unwritable``, and BadInput when the file does not hold
    together: then it is as it was.
    """
    path = folder.config
    try:
        had = path.exists()
        old = path.read_text("utf-8") if had else ""
    except OSError as error:
        raise _fault("config.unreadable", path, error) from error
    try:
        folder.create()
        if had:
            write_private(path.with_name("config.toml.before"), old.encode())
        write_private(path, asked.replaced(old, section).encode())
    except Fault:
        raise
    except OSError as error:
        raise _fault("config.unwritable", path, error) from error
    try:
        return config.load(folder).lights
    except CompanionError:
        if had:
            write_private(path, old.encode())
        else:
            path.unlink()
        raise


def _fault(code: str, path: Path, error: OSError) -> Fault:
    return Fault("config", code, {"path": str(path), **why(error)}, temporary=False)
