"""Where the pictures come from and how big the board is."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from companion.game.errors import BadInput

_MM = range(100, 3001)
SOURCES = ("auto", "picamera2", "simulated", "off")


@dataclass(frozen=True, slots=True)
class VisionSettings:
    """The section ``[camera]``. Raises BadInput that names the key and what it may be.

    ``source``: ``auto`` (the Pi's camera on a Pi, else the simulated table), ``picamera2``,
    ``simulated``, ``off``, a capture device's number, the address of a stream, or the path of a
    video or of a folder of stills. ``board_width_mm`` and ``board_height_mm``: as measured on the
    table; 0: assumed.
    ``quiet_s``: how long a difference must stand before people are asked about it.
    ``still_lights``: whether moving lights hold still while a picture is taken.
    ``reading_light``: whether the lights light a dark board for a picture.
    ``infrared``: the camera sees by infrared lamps, so the lights are asked for nothing.
    ``tokens``: whether the replacement tokens of kit 3 are in play and looked for.
    """

    source: str = "auto"
    board_width_mm: int = 0
    board_height_mm: int = 0
    quiet_s: int = 10
    still_lights: bool = True
    reading_light: bool = True
    infrared: bool = False
    tokens: bool = False

    def __post_init__(self) -> None:
        source = self.source
        if source.isidentifier() and source not in SOURCES and not Path(source).exists():
            words = {"value": source, "allowed": ", ".join(SOURCES)}
            raise BadInput("camera.source", "setting.choice", words)
        for key in ("board_width_mm", "board_height_mm"):
            value = getattr(self, key)
            if value and value not in _MM:
                given = {"value": str(value), "low": _MM[0], "high": _MM[-1]}
                raise BadInput(f"camera.{key}", "setting.whole", given)
        if not 0 <= self.quiet_s <= 600:
            given = {"value": str(self.quiet_s), "low": 0, "high": 600}
            raise BadInput("camera.quiet_s", "setting.whole", given)

    def simulated(self, *, pi: bool) -> bool:
        """Whether the simulated table stands in for a camera; ``pi``: on a Raspberry Pi.

        What needs the Pi's camera port is simulated elsewhere; any other source is used anywhere.
        """
        return self.source == "simulated" or (not pi and self.source in ("auto", "picamera2"))

    @property
    def board_mm(self) -> tuple[float, float] | None:
        """Width and height when both were measured."""
        if self.board_width_mm and self.board_height_mm:
            return float(self.board_width_mm), float(self.board_height_mm)
        return None
