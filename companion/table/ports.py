"""The types that the adapters share: what lights show, what the camera saw, how a part fares.

`hardware`, `vision` and `web` know each other only through these. Room, corridor and piece ids
are those of the content; ``xy`` are fractions of the board's width and height from its top-left
corner; times are seconds of `time.monotonic`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from companion.game.errors import Fault


class Mood(StrEnum):
    """What the whole table is in the middle of."""

    LOBBY = "lobby"
    PLAYER = "player"
    EVENT = "event"
    BREAK = "break"
    OVER = "over"


class Meaning(StrEnum):
    """What the light of one room says. One meaning a room; the first of this list wins."""

    LOOK = "look"  # look here now: an open instruction or an encounter
    FIRE = "fire"
    CONTAMINATION = "contamination"  # level 1-3, defined per species in docs/lights.md
    DARK = "dark"  # a section without power
    SPREAD = "spread"  # where something is about to spread


@dataclass(frozen=True, slots=True)
class RoomLight:
    """The light of one room. ``level`` is 1-3 for contamination, else 1."""

    room: str
    meaning: Meaning
    level: int = 1


@dataclass(frozen=True, slots=True)
class Scene:
    """What the lights should say, made from the *table's* view only (never from the state)."""

    mood: Mood
    rooms: tuple[RoomLight, ...] = ()  # at most one entry a room
    pointer: tuple[str, ...] = ()  # (), (room,) or (from room, to room): the crosshair
    alarm: bool = False  # self-destruct is running
    countdown: int | None = None  # spaces left on the self-destruct track
    side: int | None = None  # the seat whose turn it is, 1-based, clockwise
    seats: int = 0
    progress: float = 0.0  # 0-1, how much of the time track is used
    glass: float | None = None  # 0-1, the sand left in an hourglass that runs
    calm: bool = False  # no animation at all


@dataclass(frozen=True, slots=True)
class Placement:
    """One piece as the camera places it."""

    id: int  # the marker's number
    piece: str  # "captain", "adult#2", "card_next"
    kind: str  # "captain", "adult", "command"
    room: str | None
    corridor: str | None
    xy: tuple[float, float]
    confidence: float  # 0-1


@dataclass(frozen=True, slots=True)
class Registration:
    """How well the picture is tied to the board. ``points``: frame markers used."""

    ok: bool
    points: int = 0
    residual_px: float | None = None


@dataclass(frozen=True, slots=True)
class Sighting:
    """What the camera concludes at one moment, after tracking: only settled facts.

    A piece that is merely covered stays in ``pieces`` where it was. ``gone`` holds pieces whose
    place was visible and empty long enough; only those have left the board.
    """

    at: float
    registration: Registration
    pieces: tuple[Placement, ...]
    gone: tuple[str, ...] = ()
    unknown_ids: tuple[int, ...] = ()
    quality: Mapping[str, float] = field(default_factory=dict)
    duplicates: tuple[str, ...] = ()  # unique pieces read at two places at once
    twice: tuple[Placement, ...] = ()  # all those places


@dataclass(frozen=True, slots=True)
class StillMoment:
    """The lights hold still for the camera from ``begin`` to ``end``; all is as before at ``over``.

    Before ``begin`` and after ``end`` they ramp, so a picture taken then shows neither.
    """

    begin: float
    end: float
    over: float


class Status(StrEnum):
    """How a part of the product fares."""

    STARTING = "starting"
    READY = "ready"
    SIMULATED = "simulated"
    DEGRADED = "degraded"  # a fault; retried
    FAILED = "failed"  # a permanent fault
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Health:
    """A part's state for `/health`, the host drawer and the doctor.

    ``code`` is a message key of the fault (or empty), ``params`` its parameters.
    """

    part: str
    status: Status
    code: str = ""
    params: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, part: str, fault: Fault) -> Health:
        """How a part fares that met ``fault``: degraded while it is retried, else failed."""
        status = Status.DEGRADED if fault.temporary else Status.FAILED
        return cls(part, status, fault.key, {k: str(v) for k, v in fault.params.items()})
