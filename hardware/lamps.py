"""Build D: a few lamps on the Pi's own pins, through gpiozero."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, Final

from companion.game.errors import Fault
from hardware.pins import factory
from hardware.reasons import because
from hardware.transport import PART

_FULL: Final = 255


class LampTransport:
    """Lamps on BCM pins: three pins make a gpiozero RGBLED, one pin a PWMLED.

    A frame is red, green and blue of each lamp; a lamp of one pin shows the brightest of them.
    ``pin_factory`` is a gpiozero factory; without it gpiozero finds one. Raises Fault:

    * ``lights.no_gpiozero`` (permanent): the library is not installed;
    * ``lights.no_pins`` (permanent): this computer has none, or no library to reach them;
    * ``lights.pin_busy``: another program, or another use, has the pin.
    """

    def __init__(self, pins: Sequence[Sequence[int]], *, pin_factory: Any = None) -> None:
        self._lamps: list[Any] = []
        try:
            import gpiozero
        except ImportError as error:
            raise Fault(PART, "lights.no_gpiozero", temporary=False) from error
        for own in pins:
            try:
                with warnings.catch_warnings():  # the fault says it in the reader's words
                    warnings.simplefilter("ignore", gpiozero.GPIOZeroWarning)
                    kind = gpiozero.RGBLED if len(own) == 3 else gpiozero.PWMLED
                    self._lamps.append(kind(*own, pin_factory=factory(pin_factory)))
            except Exception as error:  # each pin library has errors of its own
                self.close()
                raise _fault(error, own) from error

    def send(self, data: bytes) -> None:
        """Show a frame. Raises Fault ``lights.lost`` when the pins do not take it."""
        try:
            for n, lamp in enumerate(self._lamps):
                red, green, blue = (part / _FULL for part in data[3 * n : 3 * n + 3])
                if hasattr(lamp, "color"):
                    lamp.color = (red, green, blue)
                else:
                    lamp.value = max(red, green, blue)
        except Exception as error:
            raise Fault(PART, "lights.lost", {"device": "GPIO", **because(error)}) from error

    def close(self) -> None:
        """Out, and the pins released. More than once does no harm."""
        while self._lamps:
            self._lamps.pop().close()


def _fault(error: Exception, pins: Sequence[int]) -> Fault:
    from gpiozero import exc

    params = {"pin": ", ".join(map(str, pins)), **because(error)}
    if isinstance(error, exc.GPIOPinInUse) or params["reason"] == "why.busy":
        return Fault(PART, "lights.pin_busy", params)
    return Fault(PART, "lights.no_pins", params, temporary=False)
