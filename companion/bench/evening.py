"""One random game under watch: played, shut and reopened, undone, and replayed from its journal."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from companion.bench.invariants import contents, numbers, picture, problems
from companion.bench.play import Command, Dice, Player
from companion.game import BadInput, Refused
from companion.library.model import Content
from companion.rules import RULES
from companion.table.fairness import SECRET, SealedChance, commitment
from companion.table.journal import AnyJournal, Journal, MemoryJournal
from companion.table.table import Table
from companion.table.verify import different, replay

MOST_INPUTS = 200


class Broken(AssertionError):
    """Something that must hold did not. Names the game's seed and the input."""


class Evening:
    """A random game. ``path``: its journal's file; None keeps it in memory.

    ``verbs`` counts accepted commands, ``kinds`` the questions opened; ``pictures`` holds what the
    table was after every input, by the journal's row.
    """

    def __init__(
        self,
        content: Content,
        seed: int,
        path: Path | None,
        *,
        preset: str | None = None,
        setup: Command | None = None,
    ) -> None:
        self.seed = seed
        self.verbs: Counter[str] = Counter()
        self.kinds: Counter[str] = Counter()
        self.inputs = 0
        self._content = content
        self.player = Player(content, seed, preset=preset, setup=setup)
        self._dice = Dice(~seed)
        self.pictures: dict[int, str] = {}
        self._box: dict[str, int] = {}
        self.table = table(content, seed, path)
        self._now = picture(self.table)
        self._last_line: dict[str, int] = {}

    def play(self, most: int = MOST_INPUTS) -> None:
        """Play to the last verdict (or ``most`` inputs, then the table ends it). Raises Broken."""
        while not self.table.finished:
            over = self.table.state.phase == "over"
            if self.inputs >= most and self.table.root is None and not over:
                end = f"{self.seed}-end-{self.inputs}"
                self.take({"do": "game_end", "by": "table", "id": end})
            else:
                if self.take(self.player.command(self.table)):
                    self._now_and_then()

    def take(self, command: Command) -> bool:
        """Give the table one command and look at everything; whether it was accepted."""
        table = self.table
        before = self._now
        draws, seq, asked = dict(table.state.draws), table.seq, set(table.prompts())
        last = table.journal.last  # proven to be the table's state by `problems`
        state = last.state if last else table.state.digest()
        self.inputs += 1
        try:
            table.command(command)
        except (Refused, BadInput) as problem:
            if command["do"] == "answer" and table.seq == seq + 1:
                self._withdrawn(command)
            else:
                self._expect(table.seq == seq, f"refused, yet wrote a row: {problem}", command)
                self._expect(picture(table) == before, f"refused, yet changed: {problem}", command)
            if isinstance(problem, Refused) and problem.by_hand:
                self.player.refused(command)
            return False
        except Exception as problem:
            raise self._broken(f"{type(problem).__name__}: {problem}", command) from problem
        self.verbs[str(command["do"])] += 1
        self.kinds.update(ask.kind for i, ask in table.prompts().items() if i not in asked)
        self._box = (
            (self._box or contents(table)) if table.state.phase not in ("lobby", "setup") else {}
        )
        self._now = picture(table)
        self.pictures[table.seq] = self._now
        self._look(command, draws)
        again = table.command(command)
        self._expect(again["status"] == "already", "one id was taken twice", command)
        self._expect(table.seq == max(self.pictures), "one id wrote twice", command)
        self._taken = command, state if table.seq == seq + 1 else None
        return True

    def _now_and_then(self) -> None:
        """Undo and redo what was taken, or shut and reopen the table, by chance."""
        command, _ = self._taken
        if command["do"] != "undo" and self._dice.chance(0.05) and self.table.undoable():
            self.there_and_back()
        if self._dice.chance(0.04):
            self.reopen()

    def _withdrawn(self, command: Command) -> None:
        """A refused answer takes its command back: one row, no question left open."""
        table = self.table
        (row,) = table.journal.rows(table.seq - 1)
        self._expect(row.kind == "undo" and "because" in row.input, "not withdrawn", command)
        self._expect(not table.prompts(), "withdrawn, yet a question is open", command)
        self._now = self.pictures[table.seq] = picture(table)

    def _look(self, command: Command, draws: dict[str, int]) -> None:
        table = self.table
        for problem in problems(table, self._box):
            raise self._broken(problem, command)
        if command["do"] != "undo":
            fewer = [p for p, n in draws.items() if table.state.draws.get(p, 0) < n]
            self._expect(not fewer, f"fewer draws of {fewer}", command)
        for audience, lines in numbers(table).items():
            whole = lines == list(range(lines[0], lines[-1] + 1)) if lines else True
            self._expect(whole, f"log of {audience}: {lines}", command)
            newest = lines[-1] if lines else 0
            grown = newest >= self._last_line.get(audience, 0)
            self._expect(grown, f"the log of {audience} became shorter", command)
            self._last_line[audience] = newest

    def there_and_back(self) -> None:
        """Undo and redo: the same state and questions; undo alone: the state before."""
        table = self.table
        command, before = self._taken
        state = table.state.digest()
        asks = list(table.prompts().values())
        table.command({"do": "undo", "by": "scenario"})
        if before is not None and command["do"] not in ("answer", "by_hand", "tick"):
            group = table.redoable()
            if group is not None and group.inputs[0].get("do") == command["do"]:
                self._expect(table.state.digest() == before, "undo is not before", command)
        self.pictures[table.seq] = picture(table)
        table.command({"do": "redo", "by": "table"})
        self._expect(table.state.digest() == state, "redo came out otherwise", command)
        self._expect(list(table.prompts().values()) == asks, "redo asks otherwise", command)
        self._now = self.pictures[table.seq] = picture(table)
        self.verbs.update(["undo", "redo"])
        self._last_line = {a: n[-1] if n else 0 for a, n in numbers(table).items()}

    def reopen(self) -> None:
        """Shut the table and open it again from its journal: everything is as it was."""
        journal: AnyJournal = self.table.journal
        if isinstance(journal, Journal):
            journal.close()
            journal = Journal.open(journal.path)
        self.table = Table(self._content, journal, SealedChance(journal, game(self.seed)))
        self._expect(picture(self.table) == self._now, "reopened otherwise", None)

    def settle(self) -> None:
        """Take the table as it is now, after something beside `take` was done to it."""
        self._now = self.pictures[self.table.seq] = picture(self.table)
        set_up = self.table.state.phase not in ("lobby", "setup")
        self._box = (self._box or contents(self.table)) if set_up else {}

    def replay(self) -> int:
        """Play the journal again from its first row; returns how many pictures were compared."""
        return len(replayed(self.seed, self.table.journal, self._content, self.pictures))

    @property
    def fingerprint(self) -> str:
        """Follows from every picture."""
        return fingerprint(self.pictures)

    def _expect(self, true: bool, otherwise: str, command: Command | None) -> None:
        if not true:
            raise self._broken(otherwise, command)

    def _broken(self, what: str, command: Command | None) -> Broken:
        return Broken(f"game {self.seed}, input {self.inputs}, {command}: {what}")


def replayed(
    seed: int, journal: AnyJournal, content: Content, pictures: Mapping[int, str]
) -> dict[int, str]:
    """Play a journal again from its first row: the pictures of the replay at the same rows.

    Raises Broken where a picture, a row's draws, its events or its state come out otherwise.
    """
    found: dict[int, str] = {}
    again = None
    for again in replay(journal, content):
        if again.seq in pictures:
            found[again.seq] = picture(again)
            if found[again.seq] != pictures[again.seq]:
                raise Broken(f"game {seed}: row {again.seq} replays otherwise")
    for row, copy in zip(journal.rows(), again.journal.rows() if again else (), strict=True):
        if different(row, copy):
            raise Broken(f"game {seed}: row {row.seq} comes out otherwise")
    if found.keys() != pictures.keys():
        raise Broken(f"game {seed}: rows {sorted(pictures.keys() - found.keys())} do not come")
    return found


def fingerprint(pictures: Mapping[int, str]) -> str:
    """One digest of all pictures of a game."""
    told = "".join(f"{row}:{seen}\n" for row, seen in sorted(pictures.items()))
    return hashlib.sha256(told.encode()).hexdigest()


def game(seed: int) -> str:
    """The id of a random game."""
    return f"random-{seed}"


def table(content: Content, seed: int, path: Path | None) -> Table:
    """A table in the lobby whose sealed seed follows from a number."""
    secret = hashlib.sha256(f"random play {seed}".encode()).digest()
    header = {
        "game": game(seed),
        "rules": RULES,
        "content": content.version,
        "content_hash": content.hash,
        "commitment": commitment(secret),
        "created": "",
        "simulated": True,
    }
    journal: AnyJournal = MemoryJournal(header) if path is None else Journal.create(path, header)
    journal.keep(SECRET, secret.hex())
    return Table(content, journal, SealedChance(journal, game(seed)))
