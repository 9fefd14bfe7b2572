"""What the panel is handed: the running game and the optional parts beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from companion.library.model import Content
from companion.table.ports import Health

View = Mapping[str, Any]
Reply = Mapping[str, Any]


class Listener(Protocol):
    """One open stream's queue of views."""

    def get(self, timeout: float) -> tuple[int, View] | None:
        """The next view with its stream number, or None after ``timeout`` seconds."""

    def close(self) -> None:
        """No more views are wanted."""


class Session(Protocol):
    """The running game, as `companion.table.session` offers it. Safe from any thread."""

    @property
    def boot(self) -> str:
        """New at every start of the program."""

    @property
    def seq(self) -> int:
        """The newest journal row; for `/health` only."""

    @property
    def content(self) -> Content:
        """What the game is played with."""

    @property
    def resumed(self) -> bool:
        """Whether a game of another evening is open and nobody has played on yet."""

    def submit(self, command: Mapping[str, Any]) -> Reply:
        """Take a command; returns the reply when it is on disk."""

    def view(self, audience: str) -> tuple[int, View]:
        """The stream number and view of ``table``, ``host`` or ``seat:<n>``."""

    def listen(self, audience: str) -> Listener:
        """A queue that gets every later view of an audience."""

    def log(self, audience: str, before: int | None, limit: int) -> Sequence[Mapping[str, Any]]:
        """Older log lines, newest last."""

    def story(self) -> Mapping[str, Any]:
        """The evening so far: ``chapters`` of public lines by round, and ``sums``."""

    def timeline(self) -> Sequence[Mapping[str, Any]]:
        """The board of the evening so far, moment by moment, from public events."""

    def pace(self) -> Mapping[str, Any]:
        """Seconds of this round, and those the game may still take or None: ``round_s, left_s``."""

    def take(self, difference: str, by: str) -> Reply:
        """A person takes what the camera proposes."""

    def share(self, seat: int, value: str) -> None:
        """A phone's part of the seed of chance; BadInput for bad text."""

    def kept(self, key: str) -> Any:
        """A value private to the box (seat keys), or None."""

    def keep(self, key: str, value: Any) -> None:
        """Keep such a value on disk; None forgets it."""


class Finding(Protocol):
    """One finding of the doctor: message keys and their parameters."""

    @property
    def status(self) -> str:
        """``ok``, ``warn`` or ``fail``."""

    @property
    def key(self) -> str:
        """What was found."""

    @property
    def params(self) -> Mapping[str, Any]:
        """Fills both messages."""

    @property
    def remedy(self) -> str:
        """What to do, or empty."""


class Simulator(Protocol):
    """The simulated table: cardboard that a browser may move, and its picture."""

    def png(self) -> bytes:
        """The table as the camera sees it."""

    def pieces(self) -> Sequence[Mapping[str, Any]]:
        """``{id, piece, x, y, size}`` for every piece; fractions of the board."""

    def drag(self, piece: str, x: float, y: float) -> None:
        """Put a piece down at a place. KeyError: no such piece."""

    def remove(self, piece: str) -> None:
        """Take a piece off the board. KeyError: no such piece."""

    def hand(self, on: bool) -> None:
        """Hold a hand over the board, or take it away."""


class LightSetup(Protocol):
    """The course that asks how the lights are built; while it runs it owns the strip."""

    def begin(self, by: str = "", who: str = "") -> None:
        """Start over; it is this phone's from now on, which people call ``who``."""

    def state(self, by: str = "") -> Mapping[str, Any]:
        """``{running, mine, who, question, answered, looked_at, section, fault, picture}``."""

    def answer(self, value: Any) -> None:
        """Answer the open question. BadInput says what may be said."""

    def back(self) -> None:
        """Take the last answer back."""

    def look(self, pixels: Sequence[int]) -> None:
        """Light these."""

    def save(self) -> object:
        """Write the configuration and give the lights back."""

    def cancel(self) -> None:
        """Give the lights back as they were."""


class CameraSetup(Protocol):
    """The camera as it is set up on a page. It shows nothing while somebody peeks."""

    def state(self) -> Mapping[str, Any]:
        """``{running, hidden, looks, quality, board, lens, empty, kept}``; most while it runs."""

    def act(self, what: str, value: Any = None) -> None:
        """``begin``, ``end``, ``board``; ``lens`` and ``empty``, also with ``keep_``, ``drop_``.

        Raises BadInput for what cannot be done now, Fault when nothing can be written.
        """

    def board(self, width: int = 900) -> bytes | None:
        """The board as it was read last, straight from above, as PNG; None: none to show now."""


class Presses(Protocol):
    """The table's buttons, pressed on a page."""

    def press(self, name: str) -> Mapping[str, Any]:
        """A button's name; a reply as of a command.

        ``next``, ``draw``, ``undo``, ``break``, ``hourglass``; where `state` tells of lights also
        ``dimmer``, ``brighter``, ``night`` and ``calm``.
        """

    def rest(self, on: bool) -> None:
        """Begin a break, or end it."""

    def point(self, rooms: tuple[str, ...]) -> None:
        """Light one room, or two, for a moment."""

    def state(self) -> Mapping[str, Any]:
        """``{break, glass}``: whether people take a break, the seconds left or None.

        ``lights`` where there are any: ``{brightness, night, calm}``.
        """


class Curtain(Protocol):
    """Holds lights and sound back while a drawn card lies face down on the table's screen."""

    watched: Callable[[], bool]

    def rise(self) -> None:
        """The card is turned already."""


class Group(Protocol):
    """The remembered group: who played here last, and how."""

    def remembered(self) -> Mapping[str, Any] | None:
        """The choices of the last setup with the players' names; None when there are none."""

    def forget(self) -> None:
        """Delete them."""


def _none() -> str | None:
    return None


@dataclass(frozen=True)
class Services:
    """The optional parts. Every one may be left out; the panel then does without it.

    ``addresses`` are the names and addresses phones may use, best first; ``strip`` draws the
    lights as SVG text, and ``lit`` says whether there are any without drawing them; ``doctor``
    looks at the machine; ``host_code`` is the six digits the program prints; ``ready`` is false
    while the program is still starting; ``group`` remembers who played; ``light_setup`` maps the
    lights on a phone; ``presses`` are the table's buttons; ``curtain`` waits for cards to be
    turned; ``cue`` is a sound by name, as a WAV file; ``camera`` sets the camera up on a phone.
    ``wifi`` are name and password of the network phones join first, None when nobody said.
    ``port`` is the one phones use; the server puts in what it really listens on.
    """

    health: Callable[[], Sequence[Health]] = tuple
    addresses: Callable[[], Sequence[str]] = tuple
    port: int = 8080
    simulator: Simulator | None = None
    camera: CameraSetup | None = None
    strip: Callable[[], str | None] = _none
    lit: Callable[[], bool] | None = None
    host_code: str = ""
    doctor: Callable[[], Sequence[Finding]] = tuple
    ready: Callable[[], bool] = lambda: True
    group: Group | None = None
    light_setup: LightSetup | None = None
    presses: Presses | None = None
    curtain: Curtain | None = None
    cue: Callable[[str], bytes | None] = lambda _: None
    wifi: tuple[str, str] | None = None
