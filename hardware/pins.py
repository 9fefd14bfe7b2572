"""The Pi's pins, which lamps and buttons share."""

from __future__ import annotations

import threading
from typing import Any

_finding = threading.Lock()


def factory(given: Any = None) -> Any:
    """``given``, or gpiozero's own factory of pins. Raises what gpiozero and its libraries raise.

    Lamps and buttons begin in threads of their own: did each find a factory, the two would not
    know of each other's pins, and one pin could be both.
    """
    from gpiozero import Device

    if given is not None:
        return given
    with _finding:
        Device.ensure_pin_factory()
        return Device.pin_factory
