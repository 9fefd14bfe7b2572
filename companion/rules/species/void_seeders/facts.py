"""Facts that only Panic cards need: asked in the moment where they are not held."""

from __future__ import annotations

from dataclasses import dataclass

from companion.game import Ask
from companion.rules.facts import which_of
from companion.rules.play import Play


@dataclass(frozen=True, slots=True)
class ItemsLeft:
    """Whether the item counter of a room is above nought: the table always knows."""

    room: str
    rule: str
    topic = "items_now"  # never told: whether a card can be resolved must be known

    @property
    def key(self) -> str:
        """One per room."""
        return f"items_left:{self.room}"

    def read(self, play: Play) -> bool | None:
        """From the counter, where it is held."""
        left = play.state.items.get(self.room)
        return bool(left) if left is not None and play.holds("counters") else None

    def ask(self, play: Play) -> Ask:
        """Yes or no."""
        params = {"room": self.room}
        return Ask("yes_no", "ask.items_left", self.rule, params, prefill=self.read(play))

    def write(self, play: Play, answer: bool) -> bool:
        """Nothing is kept: how many there are stays the table's."""
        return answer

    def neutral(self, play: Play) -> bool:
        """Never told."""
        return False


@dataclass(frozen=True, slots=True)
class Dressed:
    """Whether a character has a dressed Serious Wound: the table always knows."""

    seat: int
    rule: str
    topic = "dressed_now"

    @property
    def key(self) -> str:
        """One per seat."""
        return f"dressed:{self.seat}"

    def read(self, play: Play) -> bool | None:
        """From the cards, where they are held."""
        return bool(play.person(self.seat).dressed) if play.holds("wounds") else None

    def ask(self, play: Play) -> Ask:
        """Yes or no."""
        params = {"seat": self.seat}
        return Ask("yes_no", "ask.dressed", self.rule, params, prefill=self.read(play))

    def write(self, play: Play, answer: bool) -> bool:
        """Nothing is kept: which wound it is stays the table's."""
        return answer

    def neutral(self, play: Play) -> bool:
        """Never told."""
        return False


@dataclass(frozen=True, slots=True)
class FewerThanLevel:
    """Which of several people hold fewer cards than their Insanity: one look round.

    ``levels``: seat and Insanity of each.
    """

    levels: tuple[tuple[int, int], ...]
    rule: str
    topic = "hand"

    @property
    def key(self) -> str:
        """One per group and its levels."""
        return f"fewer_than_level:{self.levels}"

    def read(self, play: Play) -> list[int] | None:
        """None when only the players know."""
        held = [(play.person(seat).hand, level, seat) for seat, level in self.levels]
        fewer = [seat for hand, level, seat in held if hand is not None and hand < level]
        return None if any(hand is None for hand, _, _ in held) else fewer

    def ask(self, play: Play) -> Ask:
        """Faces, none or several."""
        people = [play.person(seat) for seat, _ in self.levels]
        return which_of(people, "ask.fewer_than_insanity", self.rule)

    def write(self, play: Play, answer: list[int]) -> list[int]:
        """Hands change: nothing is kept."""
        return answer

    def neutral(self, play: Play) -> list[int]:
        """Never told."""
        return []
