"""The simulated table that the virtual camera of .ci/camera-virtual shows. Only for that job."""

from __future__ import annotations

from companion.library import load_content
from vision.kit import build_kit
from vision.render import View
from vision.simulate import SimulatedTable

BOARD = load_content().boards["nemesis/basic"]
KIT = build_kit((560, 383))
PIECES = {"captain": "011", "scout": "006", "adult#1": "017"}


def table() -> SimulatedTable:
    """A small board, so that its pieces are large enough in a small picture."""
    made = SimulatedTable(BOARD, KIT, View((1280, 720), tilt=5))
    for piece, room in PIECES.items():
        made.move(piece, room)
    return made
