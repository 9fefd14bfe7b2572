"""Reads values of ``[given]``: each is checked, and BadInput names the key that cannot be."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.game import BadInput, State
from companion.game.state import INTRUDER_BOARD, SUPPLY, room_zone
from companion.library.model import Content
from companion.rules import Play

MOST = 1000


class Reader:
    """Values of one case's ``[given]`` and the state that they change."""

    def __init__(self, state: State, content: Content, path: str) -> None:
        self.state = state
        self.content = content
        self.play = Play(state, content)
        self.path = path
        #: What setup has laid into rooms and the case has not named yet: it may lie elsewhere.
        self.laid = {p for p, zone in state.where.items() if zone.startswith(room_zone(""))}

    def bad(self, place: str, code: str, **params: Any) -> BadInput:
        """BadInput at a place of ``[given]``."""
        return BadInput(f"{self.path}: given.{place}", code, params)

    def words(
        self, place: str, given: Mapping[str, Any], words: Mapping[str, Callable[[Any], object]]
    ) -> None:
        """Apply the words of a table in their own order; BadInput names an unknown one."""
        for key in given:
            if key not in words:
                raise self.bad(f"{place}{key}", "scenario.unknown", allowed=", ".join(words))
        for key, apply in words.items():  # in the order of the words, not of the file
            if key in given:
                apply(given[key])

    def table(self, place: str, value: Any) -> Mapping[str, Any]:
        """A table, or BadInput."""
        if not isinstance(value, Mapping):
            raise self.bad(place, "scenario.table")
        return value

    def each(self, name: str, given: Any, one: Callable[[str, Mapping[str, Any]], None]) -> None:
        """Apply ``one`` to every table of a table."""
        for key, value in self.table(name, given).items():
            one(key, self.table(f"{name}.{key}", value))

    def int(self, place: str, value: Any, low: int = 0, high: int = MOST) -> int:
        """A whole number from ``low`` to ``high``."""
        if not isinstance(value, int) or isinstance(value, bool):
            raise self.bad(place, "command.number")
        if not low <= value <= high:
            raise self.bad(place, "command.range", value=str(value)[:20], low=low, high=high)
        return value

    def flag(self, place: str, value: Any) -> bool:
        """True or false."""
        if not isinstance(value, bool):
            raise self.bad(place, "command.flag")
        return value

    def one(self, place: str, value: Any, allowed: tuple[str, ...]) -> str:
        """One of the words allowed."""
        if value not in allowed:
            raise self.bad(
                place, "scenario.not_there", value=str(value)[:40], allowed=", ".join(allowed)
            )
        return str(value)

    def list(self, place: str, value: Any) -> list[Any]:
        """A list, or a table of numbers by kind."""
        if isinstance(value, Mapping):
            return [k for k, n in value.items() for _ in range(self.int(f"{place}.{k}", n))]
        if not isinstance(value, list):
            raise self.bad(place, "answer.list")
        return value

    def take(self, place: str, piece: str, zone: str) -> str:
        """A piece of the supply, or one named by its identity, put into a zone.

        With none left in the supply, one that setup has laid into a room is moved from there.
        """
        state = self.state
        if "#" in piece and piece in state.where and ":" not in piece:
            state.where[piece] = zone
            self.laid.discard(piece)
            return piece
        found = state.pieces(piece, SUPPLY) or self.play.species.spares(self.play, piece)
        if not found and piece == "egg" and zone != INTRUDER_BOARD:
            found = state.pieces(piece, INTRUDER_BOARD)  # all Eggs begin in the Nest
        found = found or [p for p in state.pieces(piece) if p in self.laid]
        if not found:
            raise self.bad(place, "scenario.none_left", value=piece[:40])
        state.where[found[0]] = zone
        self.laid.discard(found[0])
        return found[0]

    def pod(self, place: str, value: Any) -> str:
        """The id of a Pod, named by id or number."""
        pod = f"pod_{value}" if str(value).isdigit() else str(value)
        if pod not in self.state.where or not pod.startswith("pod_"):
            raise self.bad(place, "command.unknown_piece", value=pod[:40])
        return pod

    def none_yet(self, place: str, value: Any) -> None:
        """A word of another species: nothing of it may be stated here."""
        if value not in ([], {}, 0, False):
            raise self.bad(place, "scenario.other_species")
