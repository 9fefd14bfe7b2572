"""Which open instructions are still so: what people told or did since may have made some needless.

The ledger knows what was said and ticked, never how the game stands; a line of the list of a packed
game, or of an undo, waits for its tick while people play on.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from companion.game.state import kind_of
from companion.rules import Play
from companion.rules.packing import BOX, MARKERS, lying, subject_of
from companion.table.ledger import OFF, place_of, row_of, spot_of

if TYPE_CHECKING:
    from companion.table.table import Table

Line = dict[str, Any]


def due(table: Table) -> list[Line]:
    """Open instructions, oldest first. What lies in the box still comes out to where it belongs
    now; what an undo wanted back is left alone when it went on since.
    """
    lines = table.ledger.open()
    if not any(line["step"] == "undo" or line["from"] == BOX for line in lines):
        return lines
    boxed = any(BOX in (line["from"], line["to"]) for line in lines)
    play = Play(table.state, table.content)
    return list(_due(table, play, lines, dict(lying(play)) if boxed else {}))


def _due(table: Table, play: Play, lines: list[Line], laid: dict[str, str]) -> Iterator[Line]:
    seats = {person.character: person for person in table.state.seats.values()}
    shown = {subject_of(piece): (piece, place_of(zone)) for piece, zone in laid.items()}
    marked = {
        (kind_of(piece), place_of(zone))
        for piece, zone in table.state.where.items()
        if kind_of(piece) in MARKERS
    }
    held = {kind for kind in MARKERS if play.tracks(kind)}
    for line in lines:
        piece, spot = line["piece"], spot_of(line)
        if line["step"] != "undo" and line["from"] != BOX:
            yield line
        elif spot:
            if spot[0] not in held or (spot in marked) == (line["to"] not in OFF):
                yield line
        elif line["from"] == BOX:
            if subject_of(piece) in shown:
                piece, place = shown[subject_of(piece)]
                yield {**line, "piece": piece, "kind": piece.split("#")[0], "to": place}
        elif piece in seats:
            person = seats[piece]
            went = table.ledger.moved.get(person.seat, 0) > row_of(line["id"])
            if person.room == line["to"] and not went:
                yield line
        elif piece not in table.state.where or place_of(table.state.where[piece]) == line["to"]:
            yield line
