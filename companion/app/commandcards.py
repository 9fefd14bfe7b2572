"""The printed command cards: laid where the camera sees them, they act as the table's buttons.

NEXT and ENCOUNTER HERE act once when they are laid down; to act again they are taken away first.
BREAK holds as long as it lies there. What lay on the table when the camera began to look does
nothing.
"""

from __future__ import annotations

from typing import Final

from companion.app.buttons import Presses
from companion.table.ports import Placement, Sighting

BEGIN_S: Final = 5.0  # what is seen so soon after the first picture lay there before

NEXT: Final = "card_next"
BREAK: Final = "card_break"
ENCOUNTER: Final = "card_encounter"


class CommandCards:
    """Follows the camera's sightings; one thread calls it."""

    def __init__(self, presses: Presses) -> None:
        self._presses = presses
        self._began: float | None = None
        self._lying: frozenset[str] = frozenset()

    def see(self, sighting: Sighting) -> None:
        """Take a sighting. Raises Fault when the game is busy or the disk failed."""
        if not sighting.registration.ok:
            return
        if self._began is None:
            self._began = sighting.at
        cards = {p.piece: p for p in sighting.pieces if p.kind == "command"}
        before, self._lying = self._lying, frozenset(cards)
        if sighting.at - self._began < BEGIN_S:
            return
        for name in sorted(cards.keys() - before):
            self._laid(cards[name])
        if BREAK in before and BREAK not in cards:
            self._presses.rest(False)

    def _laid(self, card: Placement) -> None:
        if card.piece == NEXT:
            self._presses.press("next")
        elif card.piece == BREAK:
            self._presses.rest(True)
        elif card.piece == ENCOUNTER and card.room is not None:
            self._presses.encounter(card.room)
