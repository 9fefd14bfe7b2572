"""Runs one root command: feeds a procedure what it yields for, until a question or its end.

A run always starts at the beginning, on a fresh copy of the state before the command, with the
draws already made and the answers already given. So a question can wait for a week, a restart and
an undo: all that is kept is data.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from companion.game.answers import check
from companion.game.chance import Source
from companion.game.errors import BadInput
from companion.game.naming import named
from companion.game.procedure import (
    Ask,
    AskAll,
    Certain,
    Draw,
    Event,
    Fact,
    Need,
    Steps,
    Tell,
)
from companion.game.state import State

MOST_YIELDS = 10_000


class Context(Protocol):
    """What a procedure works on: at least the working copy of the state."""

    state: State

    def told(self, event: Event) -> Event:
        """An event as the record keeps it."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """One draw as the journal keeps it. ``by`` is ``box`` or ``table``."""

    purpose: str
    count: int
    size: int
    value: Any
    by: str

    def to_json(self) -> dict[str, Any]:
        """As written in the journal."""
        return {
            "purpose": self.purpose,
            "count": self.count,
            "size": self.size,
            "value": self.value,
            "by": self.by,
        }


@dataclass(slots=True)
class Run:
    """How far a root command got. ``open`` maps prompt numbers to questions; empty: finished."""

    state: State
    events: list[Event] = field(default_factory=list)
    drawn: list[Drawn] = field(default_factory=list)
    open: dict[int, Ask] = field(default_factory=dict)

    @property
    def finished(self) -> bool:
        """Whether the procedure came to its end."""
        return not self.open


def run(
    context: Context,
    start: Callable[[], Steps],
    *,
    source: Source,
    key: str,
    drawn: Sequence[Any] = (),
    answers: Mapping[int, Any] | None = None,
) -> Run:
    """Run a procedure.

    ``drawn`` are the values of the box's earlier draws of this command, in order; ``answers`` the
    values given so far by prompt number; ``key`` the canonical root command. Raises what the
    procedure raises (`Refused`), `BadInput` for an answer that does not fit, and RuntimeError for
    a procedure that does not end.
    """
    return _Driver(context, source, key, drawn, answers or {}).run(start())


class _Driver:
    def __init__(
        self,
        context: Context,
        source: Source,
        key: str,
        drawn: Sequence[Any],
        answers: Mapping[int, Any],
    ) -> None:
        self._context = context
        self._source = source
        self._key = key
        self._earlier = list(drawn)
        self._answers = answers
        self._numbers = 0
        self._fresh: set[str] = set()
        self._told: set[str] = set()
        self._result = Run(context.state)

    def run(self, steps: Steps) -> Run:
        reply: Any = None
        for _ in range(MOST_YIELDS):
            try:
                wanted = steps.send(reply)
            except StopIteration:
                return self._result
            match wanted:
                case Tell(event):
                    self._result.events.append(self._context.told(event))
                    reply = None
                    continue
                case Need(fact):
                    done, reply = self._need(fact)
                case Draw():
                    done, reply = self._draw(wanted)
                case Ask():
                    done, reply = self._ask(wanted)
                case AskAll(asks):
                    done, reply = self._ask_all(asks)
            if not done:
                steps.close()
                return self._result
        raise RuntimeError("a procedure did not come to an end")

    # Each returns (whether the procedure may go on, with what).

    def _ask(self, ask: Ask) -> tuple[bool, Any]:
        self._numbers += 1
        if self._numbers in self._answers:
            return True, check(ask, self._answers[self._numbers])
        self._result.open = {self._numbers: ask}
        return False, None

    def _ask_all(self, asks: Mapping[int, Ask]) -> tuple[bool, Any]:
        given: dict[int, Any] = {}
        missing: dict[int, Ask] = {}
        for seat, ask in asks.items():
            self._numbers += 1
            if self._numbers in self._answers:
                given[seat] = check(ask, self._answers[self._numbers])
            else:
                missing[self._numbers] = ask
        self._result.open = missing
        return not missing, given

    def _draw(self, draw: Draw) -> tuple[bool, Any]:
        state = self._context.state
        count = state.draws.get(draw.purpose, 0)
        if state.truth.get(draw.component) == "physical":
            done, value = self._ask(draw.ask)
            if not done:
                return False, None
            if not isinstance(value, Mapping):
                value = next(iter(named([*draw.options, *draw.others], value)), value)
            by = "table"
        else:
            by = "box"
            if self._earlier:
                value = self._earlier.pop(0)
            else:
                value = self._source.pick(
                    draw.purpose, draw.options, epoch=state.epoch, count=count, key=self._key
                )
        allowed = draw.options if by == "box" else (*draw.options, *draw.others)
        if value not in allowed and not (draw.free and isinstance(value, Mapping)):
            if by == "table":  # the table names what cannot be there any more
                left = ", ".join(sorted(set(allowed)))[:400]
                raise BadInput(
                    "value", "answer.option", {"value": str(value)[:60], "allowed": left}
                )
            raise RuntimeError(f"drew {value!r}, which is not in {draw.purpose}")
        state.draws[draw.purpose] = count + 1
        self._result.drawn.append(Drawn(draw.purpose, count, len(draw.options), value, by))
        return True, value

    def _need(self, fact: Fact) -> tuple[bool, Any]:
        state = self._context.state
        level = state.tracking.get(fact.topic, "tracked")
        if level == "told":
            if fact.rule not in self._told:
                self._told.add(fact.rule)
                self._result.events.append(Event("by_table", fact.rule, {"topic": fact.topic}))
            return True, fact.neutral(self._context)
        doubtful = fact.key in state.unsure or fact.topic in state.unsure
        held = not doubtful if level == "tracked" else fact.topic in state.sure
        trusted = fact.key in self._fresh or held
        value = fact.read(self._context) if trusted else None
        if value is None and isinstance(fact, Certain):
            value = fact.certain(self._context)
        if value is not None:
            return True, value
        done, answer = self._ask(fact.ask(self._context))
        if not done:
            return False, None
        self._fresh.add(fact.key)
        state.unsure.discard(fact.key)
        if fact.key == fact.topic and level == "asked":
            state.sure.add(fact.topic)
        return True, fact.write(self._context, answer)
