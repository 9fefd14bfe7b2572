"""A board as JSON: what ``companion board NAME --json`` prints."""

from __future__ import annotations

from typing import Any

from companion.game.board import Board


def board_json(board: Board) -> dict[str, Any]:
    """Rooms and corridors of ``board``.

    ``x`` and ``y`` are fractions of the board's width and height, ``radius`` of its width.
    """
    return {
        "rooms": [
            {
                "id": room.id,
                "kind": room.kind,
                "x": room.x,
                "y": room.y,
                "radius": room.radius,
                "technical": [
                    {"number": entrance.number, "network": entrance.network}
                    for entrance in room.technical
                ],
            }
            for room in board.rooms.values()
        ],
        "corridors": [
            {
                "id": corridor.id,
                "rooms": list(corridor.rooms),
                "numbers": list(corridor.numbers),
                "x": corridor.x,
                "y": corridor.y,
            }
            for corridor in board.corridors.values()
        ],
    }
