"""Lights and buttons: scenes become the bytes of a strip, pins become presses.

Importing this package touches no device and needs no optional library.
"""

from hardware.buttons import Buttons
from hardware.encode import apa102, ws2812
from hardware.frame import Painter, painter
from hardware.lamps import LampTransport
from hardware.layout import (
    EdgeLayout,
    LampLayout,
    Layout,
    RoomLayout,
    ScreenLayout,
    edge_layout,
    screen_layout,
)
from hardware.legend import CardWords, card
from hardware.lights import LightLoop, Lit, Strip, off, opener
from hardware.limits import Limits, current_ma, limited
from hardware.meanings import LEGEND, Colour, Frame, animates
from hardware.picture import picture
from hardware.settings import Build, ButtonSettings, Driver, LightSettings, SoundSettings
from hardware.sound import Speaker, wav
from hardware.transport import SimulatedTransport, SpiTransport, Transport
from hardware.wled import WledTransport

__all__ = [
    "LEGEND",
    "Build",
    "ButtonSettings",
    "Buttons",
    "CardWords",
    "Colour",
    "Driver",
    "EdgeLayout",
    "Frame",
    "LampLayout",
    "LampTransport",
    "Layout",
    "LightLoop",
    "LightSettings",
    "Limits",
    "Lit",
    "Painter",
    "RoomLayout",
    "ScreenLayout",
    "SimulatedTransport",
    "SoundSettings",
    "Speaker",
    "SpiTransport",
    "Strip",
    "Transport",
    "WledTransport",
    "animates",
    "apa102",
    "card",
    "current_ma",
    "edge_layout",
    "limited",
    "off",
    "opener",
    "painter",
    "picture",
    "screen_layout",
    "wav",
    "ws2812",
]
