"""What a rule procedure may yield, and nothing else: Need, Draw, Ask, Tell.

A procedure is a generator. It never sees whether a need was answered from the state or by a
question, nor whether a draw came from the box, a person, a scenario or the journal.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias, runtime_checkable

PUBLIC = "public"
ANY = "any"

KINDS = ("yes_no", "choice", "faces", "place", "card", "roll", "confirm")


@dataclass(frozen=True, slots=True)
class Option:
    """One answer that may be chosen. ``key`` and ``params`` name it for the reader."""

    id: Any
    key: str = ""
    params: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """As shown in a prompt."""
        return {"id": self.id, "key": self.key, "params": dict(self.params)}


@dataclass(frozen=True, slots=True)
class Ask:
    """A question to the table (``to = "any"``) or to one seat.

    ``multiple`` lets ``faces``, ``place`` and ``card`` answer with a list; ``pieces`` makes a
    ``place`` question answer with a mapping from these pieces to options (or null: off the board).
    ``by_hand`` says whether "we did it ourselves" may close it.
    """

    kind: str
    key: str
    rule: str
    params: Mapping[str, Any] = field(default_factory=dict)
    options: tuple[Option, ...] = ()
    prefill: Any = None
    to: str | int = ANY
    secret: bool = False
    multiple: bool = False
    pieces: tuple[str, ...] | None = None
    by_hand: bool = True
    free: bool = False  # a card line may be answered instead of an option

    @property
    def audience(self) -> list[int] | str:
        """Who sees the question: ``any``, or the seat it is for when secret."""
        return ANY if self.to == ANY else [int(self.to)]


@dataclass(frozen=True, slots=True)
class AskAll:
    """Questions to several seats at once; answered with a mapping seat → value."""

    asks: Mapping[int, Ask]


@dataclass(frozen=True, slots=True)
class Draw:
    """Chance. ``options`` is the multiset drawn from, in canonical order.

    ``component`` names whose place of truth decides (``bag``, ``dice``, ``event``…); ``ask`` is
    put to the table when that is physical. ``others`` are outcomes that only a hand can draw:
    what it put in unseen may turn out to be one of these.
    """

    purpose: str
    options: tuple[str, ...]
    component: str
    ask: Ask
    free: bool = False  # an ad-hoc card may come instead of an option
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Instruction:
    """Cardboard to move: ``piece`` from ``source`` to ``target`` (zone words, None: unknown)."""

    piece: str
    source: str | None
    target: str | None
    via: str | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened: ids only, no words. ``to`` is ``public`` or a tuple of seats."""

    type: str
    rule: str
    params: Mapping[str, Any] = field(default_factory=dict)
    to: str | tuple[int, ...] = PUBLIC
    instructions: tuple[Instruction, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """As written in the journal."""
        data: dict[str, Any] = {"type": self.type, "rule": self.rule, "params": dict(self.params)}
        data["to"] = self.to if self.to == PUBLIC else list(self.to)
        if self.instructions:
            data["instructions"] = [
                {"piece": i.piece, "from": i.source, "to": i.target, "via": i.via}
                for i in self.instructions
            ]
        return data


@dataclass(frozen=True, slots=True)
class Tell:
    """Announce an event."""

    event: Event


class Fact(Protocol):
    """A fact of the table that a rule needs. ``topic`` is the kind whose tracking decides."""

    @property
    def topic(self) -> str: ...  # noqa: D102
    @property
    def key(self) -> str: ...  # noqa: D102  what `unsure` holds; unique per fact
    @property
    def rule(self) -> str: ...  # noqa: D102
    def read(self, play: Any) -> Any:
        """The value from the state, or None when the state does not hold it."""

    def ask(self, play: Any) -> Ask:
        """The smallest question that settles it, prefilled from the state."""

    def write(self, play: Any, answer: Any) -> Any:
        """Put the answer into the state and return the fact's value."""

    def neutral(self, play: Any) -> Any:
        """The value when the table does this by itself."""


@runtime_checkable
class Certain(Protocol):
    """A fact that may follow from what was asked before, though the state does not hold it."""

    def certain(self, play: Any) -> Any:
        """The value that follows, or None: it has to be asked."""


@dataclass(frozen=True, slots=True)
class Need:
    """A fact, whoever holds it."""

    fact: Fact


Yield: TypeAlias = Need | Draw | Ask | AskAll | Tell
Steps: TypeAlias = Generator[Yield, Any, Any]


def options(ids: Sequence[Any], key: str = "", param: str = "") -> tuple[Option, ...]:
    """Options whose ids name themselves: each carries ``{param: id}`` for the reader."""
    return tuple(Option(i, key, {param: i} if param else {}) for i in ids)
