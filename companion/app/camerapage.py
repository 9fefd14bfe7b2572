"""Setting the camera up while the table runs: what the host's page shows and may ask.

The camera's own thread hands pictures to the course; the page only reads what came of them. No
picture leaves while somebody looks at something that is not everybody's, and none is kept.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, Final

from companion.app.cameracourse import CameraCourse
from companion.app.profile import Profile
from companion.game.errors import BadInput

FORGOTTEN_S: Final = 20.0  # a page that asks no more has gone
PEEK_S: Final = 60.0  # somebody looks at what they lifted at most so long
PEEKS: Final = "looks_at"  # what log lines of a look at hidden cardboard begin with


class CameraPage:
    """The camera as the host's page sees it. Safe from any thread.

    ``changed`` is called when something was kept that the camera should read with from now on.
    """

    def __init__(
        self,
        profile: Profile,
        changed: Callable[[], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._profile, self._changed, self._clock = profile, changed, clock
        self._lock = threading.Lock()
        self._loop: Any = None
        self._fresh: Callable[[], CameraCourse] | None = None
        self._course: CameraCourse | None = None
        self._asked = 0.0
        self._doubted: Any = None  # the size that was told last, and why it was not believed
        self._secret = False
        self._looks: dict[int, None] | None = None
        self._peek_until = float("-inf")

    def attach(self, loop: Any, fresh: Callable[[], CameraCourse]) -> None:
        """This loop has the camera from now on; ``fresh`` begins a course with it."""
        with self._lock:
            self._loop, self._fresh = loop, fresh
            if (before := self._course) is not None:  # what it kept is read with from now on
                self._course = fresh()
                self._course.kept = before.kept
                loop.watch(self._look)

    def detach(self) -> None:
        """The camera was let go."""
        with self._lock:
            self._loop = self._fresh = None

    def follow(self, view: Mapping[str, Any]) -> None:
        """Take the table's view: whether somebody looks at something hidden right now."""
        lines = {line["n"] for line in view["log"] if str(line["type"]).startswith(PEEKS)}
        if self._looks is not None and lines - self._looks.keys():
            self._peek_until = self._clock() + PEEK_S
        self._looks = dict.fromkeys(lines)
        self._secret = view["waiting"] > 0

    @property
    def hidden(self) -> bool:
        """Whether no picture may be shown now."""
        return self._secret or self._clock() < self._peek_until

    def state(self) -> Mapping[str, Any]:
        """``{running, hidden, …}`` and what `CameraCourse.state` says of a course that runs."""
        self._asked = self._clock()
        course = self._course
        said = {} if course is None else course.state()
        return {"running": course is not None, "hidden": self.hidden, **said}

    def act(self, what: str, value: Any = None) -> None:
        """``begin``, ``end``, ``board`` (value: None or [width, height]), ``empty``,
        ``keep_empty``, ``drop_empty``, ``lens``, ``keep_lens``, ``drop_lens``. Raises BadInput for
        anything else, or what cannot be done now; for a size to doubt the first time it is said."""
        self._asked = self._clock()
        if what == "begin":
            self._begin()
            return
        course = self._course
        if course is None:
            raise BadInput("act", "calibrate.not_running")
        match what:
            case "end":
                self._end()
            case "board" if value is None:
                course.keep_board()
                self._changed()
            case "board" if isinstance(value, list) and all(_length(v) for v in value):
                doubt = course.doubt(tuple(value))
                if doubt is not None and (doubt.key, value) != self._doubted:
                    self._doubted = doubt.key, value
                    raise doubt
                self._doubted = None
                course.keep_board(tuple(value))
                self._changed()
            case "empty":
                course.begin_empty()
            case "keep_empty":
                course.keep_empty()
                self._changed()
            case "drop_empty":
                course.drop_empty()
            case "lens":
                course.begin_lens()
            case "keep_lens":
                course.keep_lens()
                self._changed()
            case "drop_lens":
                course.drop_lens()
            case _:
                raise BadInput("act", "calibrate.not_running")

    def board(self, width: int = 900) -> bytes | None:
        """The board as it was read last, straight from above, as PNG; None: there is none to show.

        Nothing beside the board is in it.
        """
        loop = self._loop
        return None if loop is None or self.hidden else loop.plan(width)

    def _begin(self) -> None:
        with self._lock:
            if self._loop is None or self._fresh is None:
                raise BadInput("act", "calibrate.no_camera")
            if self._course is None:
                self._course = self._fresh()
                self._loop.watch(self._look)

    def _end(self) -> None:
        with self._lock:
            if self._loop is not None:
                self._loop.watch(None)
            self._course = None

    def _look(self, grey: Any) -> None:
        """The camera's thread brings a picture."""
        course = self._course
        if course is None or self._clock() - self._asked > FORGOTTEN_S:
            self._end()
            return
        course.look(grey)


def _length(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
