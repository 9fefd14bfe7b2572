"""Two tables beside each other: one holds everything, the other asks and is told by the first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.bench.play import Command, Player
from companion.game import Ask, BadInput, Chance, Draw, Refused, Run, driver
from companion.game.procedure import Fact
from companion.game.state import canonical
from companion.library.model import Content
from companion.table.history import Root
from companion.table.journal import MemoryJournal
from companion.table.ledger import LEDGER_VERBS
from companion.table.table import Table


class Plain:
    """Chance that knows the purpose and the number only: equal for two presets."""

    def __init__(self, seed: int) -> None:
        self._chance = Chance(seed.to_bytes(32, "big"))

    def pick(
        self, purpose: str, options: Sequence[str], *, epoch: int, count: int, key: str
    ) -> Any:
        return options[self._chance.index(len(options), purpose, epoch, count, "")]


@dataclass
class Trace:
    """What one root command asked for, in order, each with what is true at that moment."""

    key: str
    asked: list[tuple[str, Any]] = field(default_factory=list)
    drawn: list[tuple[str, Any]] = field(default_factory=list)
    used: int = 0

    def answer(self, ask: Ask) -> Any:
        """What to answer to a question of the same moment; LookupError when it never came."""
        sign = signature(ask)
        for place in range(self.used, len(self.asked)):
            if self.asked[place][0] == sign:
                self.used = place + 1
                return self.asked[place][1]
        raise LookupError(sign)


def signature(ask: Ask) -> str:
    return canonical([ask.kind, ask.key, ask.to, ask.rule, dict(ask.params)])


def truth(ask: Ask) -> Any:
    """The complete answer that the prefill of a table that holds everything stands for."""
    if ask.pieces is None:
        return ask.prefill
    held: Mapping[str, Any] = ask.prefill or {}
    return {piece: held.get(piece) for piece in ask.pieces}


class _Listening(driver._Driver):
    trace: Trace

    def _need(self, fact: Fact) -> tuple[bool, Any]:
        ask = fact.ask(self._context)
        if fact.topic != "hand" and (held := truth(ask)) is not None:  # what nobody knows is asked
            self.trace.asked.append((signature(ask), held))
        return super()._need(fact)

    def _ask(self, ask: Ask) -> tuple[bool, Any]:
        done, value = super()._ask(ask)
        if done:
            self.trace.asked.append((signature(ask), self._answers[self._numbers]))
        return done, value

    def _ask_all(self, asks: Mapping[int, Ask]) -> tuple[bool, Any]:
        first = self._numbers + 1
        done, given = super()._ask_all(asks)
        for number, ask in enumerate(asks.values(), start=first):
            if number in self._answers:
                self.trace.asked.append((signature(ask), self._answers[number]))
        return done, given

    def _draw(self, draw: Draw) -> tuple[bool, Any]:
        done, value = super()._draw(draw)
        if done:
            self.trace.drawn.append((draw.purpose, value))
        return done, value


class Traced(Table):
    """A table that remembers what each of its roots asked."""

    def __init__(self, content: Content, seed: int) -> None:
        self.traces: dict[int, Trace] = {}
        self.refused: Trace | None = None  # of the last refused command
        super().__init__(content, MemoryJournal({"game": "oracle"}), Plain(seed))

    def execute(self, root: Root) -> Run:
        used = self.traces[root.seq].used if root.seq in self.traces else 0
        trace = self.traces[root.seq] = Trace(root.key, used=used)
        usual = driver._Driver
        driver._Driver = type("Here", (_Listening,), {"trace": trace})  # type: ignore[misc]
        try:
            return super().execute(root)
        finally:
            driver._Driver = usual  # type: ignore[misc]

    def take(self, command: Command) -> str | None:
        """Take a command; the code when it was refused."""
        known = set(self.traces)
        asked = self.root
        try:
            self.command(command)
        except (Refused, BadInput) as problem:
            withdrawn = {asked.seq} if asked is not None and self.root is None else set()
            for seq in set(self.traces) - known | withdrawn:
                self.refused = self.traces.pop(seq)
            return problem.code
        return None

    def nth(self, n: int) -> Trace:
        """The trace of the n-th root; behind the last one, of what was refused."""
        found = list(self.traces.values())
        if n < len(found):
            return found[n]
        assert self.refused
        return self.refused


class Pair:
    """``all``: preset everything. ``bag``: another preset, answered from the first."""

    def __init__(
        self, content: Content, seed: int, preset: str, setup: Command | None = None
    ) -> None:
        self.all = Traced(content, seed)
        self.bag = Traced(content, seed)
        self.player = Player(content, seed, preset="everything", setup=setup)
        self.asked = 0
        setup = {**self.player.setup(), "digital": True, "truth": {}}
        assert self.all.take(setup) is None
        assert self.bag.take({**setup, "preset": preset}) is None
        next(iter(self.bag.traces.values())).key = next(iter(self.all.traces.values())).key

    def step(self) -> Command:
        """One command for both; returns it."""
        command = self._command()
        refused = self.all.take(command)
        if command["do"] == "answer":
            if refused is None:
                again = self._follow()
                assert again is None, (command, again)
            elif self.all.root is None:  # the answer took its command with it: there too
                again = self._follow()
                assert (again, self.bag.root) == (refused, None), (command, refused, again)
            return command
        if refused in HELD:
            return command
        again = self.bag.take(command)
        if again is None:
            again = self._follow()
        assert again == refused, (command, refused, again)
        assert refused is None or self.bag.root is None, "a refused command left its question open"
        return command

    def _command(self) -> Command:
        table = self.all
        if table.root is not None:
            ident, ask = next(iter(table.prompts().items()))
            return {"do": "answer", "prompt": ident, "by": "scenario", "value": self._choose(ask)}
        while True:
            command = self.player.command(table)
            if command["do"] not in LEFT_OUT:
                return {k: v for k, v in command.items() if k != "id"}

    def _choose(self, ask: Ask) -> Any:
        return self.player.answer(ask)

    def _follow(self) -> str | None:
        """Bring the asking table where the other one is; the code of a refusal on the way."""
        while True:
            if self.bag.root is not None:
                trace = self.all.nth(len(self.bag.traces) - 1)
                mine = self.bag.traces[self.bag.root.seq]
                trace.used = mine.used
                ident, ask = next(iter(self.bag.prompts().items()))
                try:
                    value = trace.answer(ask)
                except LookupError:
                    assert self.all.root is not None, f"only one table asks {ask}"
                    return None
                mine.used = trace.used
                self.asked += 1
                seq = self.bag.root.seq
                answer = {"do": "answer", "prompt": ident, "by": "scenario", "value": value}
                refused = self.bag.take(answer)
                if refused is not None:
                    for later in [s for s in self.bag.traces if s >= seq]:
                        del self.bag.traces[later]
                    return refused
            elif len(self.bag.traces) < len(self.all.traces):
                self.bag.command({"do": "next"})
            else:
                return None


#: What only a table that holds objects, places and counters refuses: another does not ask first.
HELD = (
    *("pick_up.hands_full", "pick_up.not_here", "put_down.not_held", "trade.not_together"),
    *("search.in_combat", "search.not_here", "search.nothing_left", "room.unexplored"),
)
#: Not compared: they change what is held, or take back what the two tables grouped otherwise.
LEFT_OUT = (
    *("undo", "redo", "by_hand", "tracking", "truth", "setup", "answer"),
    *LEDGER_VERBS,
)
