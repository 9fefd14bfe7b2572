"""Runs one case: setup, given, the commands, and the comparison."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.game import BadInput, Refused
from companion.library.model import Content
from companion.rules import VERBS
from companion.rules.species import strategy
from companion.scenario.case import Case
from companion.scenario.check import differences, facts, instruction_differences
from companion.scenario.given import apply_given
from companion.scenario.queue import Empty, Queue
from companion.table import views
from companion.table.journal import MemoryJournal
from companion.table.table import Table

HAND = 5
WORDS = {"die": "face", "noise": "mark", "by": None}
SPECIAL = ("log", "instructions", "prompt", "refused", "view", "not")


@dataclass(slots=True)
class Result:
    """What came of a case. ``rules``: ids cited by the log of its commands."""

    case: Case
    passed: bool
    problems: list[str] = field(default_factory=list)
    rules: set[str] = field(default_factory=set)


def run_case(case: Case, content: Content, *, when: bool = True) -> Result:
    """Run a case; ``when = False`` leaves its commands out (for `coverage`). Never raises."""
    try:
        return _Run(case, content).run(when)
    except BadInput as problem:
        return Result(case, False, [f"{problem.path}: {problem.code} {problem.params}"])
    except (KeyError, TypeError, ValueError, AttributeError) as problem:
        return Result(case, False, [f"{case.path}: {type(problem).__name__}: {problem}"])


class _Run:
    def __init__(self, case: Case, content: Content) -> None:
        self._case = case
        self._content = content
        self._queue = Queue(case.chance, case.path)
        self._table = Table(content, MemoryJournal({}), self._queue)
        self._events: list[Mapping[str, Any]] = []
        self._refusal: Refused | BadInput | None = None
        self._whole_phase = False

    def run(self, when: bool) -> Result:
        self._setup()
        first = self._table.seq
        problems: list[str] = []
        if when:
            self._queue.open()
            for number, command in enumerate(self._case.when, start=1):
                last = number == len(self._case.when)
                following = None if last else self._case.when[number]["do"]
                problem = self._do(command, number, last, following)
                if problem:
                    problems.append(problem)
                    break
        self._events = [e for row in self._table.journal.rows(first) for e in row.events]
        rules = {r for e in self._events for r in str(e["rule"]).split()}
        if not problems:
            problems = self._compare(rules)
        if not problems and when and not self._case.allow_unused:
            left = self._queue.left()
            if left:
                problems.append(f"chance: left over {left!r}")
        return Result(self._case, not problems, problems, rules)

    def _setup(self) -> None:
        setup = self._case.setup
        players = list(setup.get("players", ["captain"]))
        numbers = setup.get("numbers", range(1, len(players) + 1))
        command = {
            "do": "setup",
            "by": "scenario",
            "digital": True,
            "preset": setup.get("preset", "everything"),
            "players": [
                {"character": c, "number": n} for c, n in zip(players, numbers, strict=True)
            ],
            **{
                k: setup[k]
                for k in ("game", "board", "species", "mode", "switches", "tracking", "truth")
                if k in setup
            },
        }
        strategy(setup.get("species", "intruders"))
        self._table.command(command)
        state = self._table.state
        for person in state.seats.values():
            person.hand = HAND
        apply_given(state, self._case.given, self._content, self._case.path)

    def _do(
        self, given: Mapping[str, Any], number: int, last: bool, following: str | None
    ) -> str | None:
        command = self._command(given)
        self._refusal = None
        try:
            if command["do"] == "event_phase" and "step" not in command:
                self._whole_phase = True
            if not (command["do"] == "by_hand" and not self._table.prompts() and number == 1):
                self._table.command(command)
            self._go_on()
        except (Refused, BadInput) as refusal:
            self._refusal = refusal
            expected = last and "refused" in self._case.then
            if not expected and following != "by_hand":
                return f"when {number} ({command['do']}): refused, {refusal.code} {refusal.params}"
        except Empty as empty:
            return f"when {number} ({command['do']}): draws {empty.purpose}, nothing queued"
        return None

    def _go_on(self) -> None:
        """A whole event phase goes on by itself to its end or the next question."""
        while self._whole_phase and self._table.root is None and self._table.state.agenda:
            self._table.command({"do": "next", "by": "scenario"})
        if self._table.root is None and not self._table.state.agenda:
            self._whole_phase = False

    def _command(self, given: Mapping[str, Any]) -> dict[str, Any]:
        command: dict[str, Any] = {"by": "scenario"}
        for key, value in given.items():
            name = WORDS.get(key, key)
            if name is not None:
                command[name] = value
        verb = VERBS.get(command["do"])
        if verb is None:
            return command
        if "seat" in verb.args and "seat" not in command and "character" in command:
            command["seat"] = command.pop("character")
        by_room = "room" in command and "room" not in verb.args
        if "seat" in verb.args and "seat" not in command and by_room:
            room = command.pop("room")
            here = [p for p in self._table.state.seats.values() if p.room == room]
            if not here:
                raise BadInput("room", "scenario.nobody_there", {"value": room})
            command["seat"] = here[0].seat
        if "seat" in verb.args and verb.args["seat"].required and "seat" not in command:
            command["seat"] = 1
        if command["do"] == "place" and "to" not in command:
            command["to"] = command.pop("room", None) or command.pop("corridor", None)
        if command["do"] == "remove" and "at" not in command:
            at = command.pop("room", None) or command.pop("corridor", None)
            if at:
                command["at"] = at
        return command

    # Comparison ---------------------------------------------------------------------------------

    def _compare(self, rules: set[str]) -> list[str]:
        then = self._case.then
        found = facts(self._table)
        lines = differences({k: v for k, v in then.items() if k not in SPECIAL}, found)
        for rule in then.get("log", []):
            if rule not in rules:
                lines.append(f"then.log: {rule} was not cited; cited: {' '.join(sorted(rules))}")
        lines += instruction_differences(list(then.get("instructions", [])), self._events)
        if "prompt" in then:
            lines += self._prompt(then["prompt"])
        if "refused" in then:
            lines += self._refused(then["refused"])
        for page, wanted in then.get("view", {}).items():
            seen = views.view(self._table, page.replace("_", ":") if "seat" in page else page)
            lines += differences(wanted, seen, f"then.view.{page}")
        lines += self._not(then.get("not", {}), found, rules)
        return lines

    def _prompt(self, wanted: Any) -> list[str]:
        asks = list(self._table.prompts().values())
        if wanted is False:
            keys = [a.key for a in asks]
            return [f"then.prompt: expected none, open: {keys!r}"] if asks else []
        if not asks:
            return [f"then.prompt: expected {wanted!r}, none is open"]
        kinds = {a.kind for a in asks}
        lines = []
        if "kind" in wanted and wanted["kind"] not in kinds:
            lines.append(f"then.prompt.kind: expected {wanted['kind']!r}, found {kinds!r}")
        if "seats" in wanted:
            to = {int(a.to) for a in asks if a.to != "any"}
            about = {a.params["seat"] for a in asks if "seat" in a.params}
            if set(wanted["seats"]) not in (to, about, to | about):
                lines.append(
                    f"then.prompt.seats: expected {wanted['seats']!r}, to {to!r}, about {about!r}"
                )
        for key in ("key", "rule"):
            if key in wanted and not any(wanted[key] in getattr(a, key) for a in asks):
                lines.append(f"then.prompt.{key}: expected {wanted[key]!r}")
        if "options" in wanted:
            offered = [str(o.id) for o in asks[0].options]
            lines += differences(
                [str(o) for o in wanted["options"]], offered, "then.prompt.options"
            )
        return lines

    def _refused(self, wanted: Any) -> list[str]:
        refusal = self._refusal
        if wanted is False:
            return [] if refusal is None else [f"then.refused: {refusal.code}"]
        if refusal is None:
            return [f"then.refused: expected {wanted!r}, nothing was refused"]
        if wanted is not True and wanted != refusal.code:
            return [f"then.refused: expected {wanted!r}, found {refusal.code!r}"]
        return []

    def _not(self, unwanted: Mapping[str, Any], found: Any, rules: set[str]) -> list[str]:
        lines = []
        for key, value in unwanted.items():
            if key == "log":
                lines += [f"then.not.log: {r} was cited" for r in value if r in rules]
            elif key == "instructions":
                for one in value:
                    if not instruction_differences([one], self._events):
                        lines.append(f"then.not.instructions: {one!r} was given")
            elif key == "prompt":
                if not self._prompt(value):
                    lines.append(f"then.not.prompt: {value!r} is open")
            elif isinstance(value, Mapping):
                for inner, wanted in value.items():
                    if not differences(wanted, found.get(key, {}).get(inner, {})):
                        lines.append(f"then.not.{key}.{inner}: it is so")
            elif not differences(value, found.get(key)):
                lines.append(f"then.not.{key}: it is {value!r}")
        return lines
