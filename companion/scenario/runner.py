"""Runs one case: setup, given, the commands, and the comparison."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.game import BadInput, Refused
from companion.game.state import BAG, SUPPLY, kind_of, label_of
from companion.library.model import FIRST_SPECIES, Content
from companion.locale import words
from companion.rules import Play
from companion.rules.species import strategy, written
from companion.rules.tables import TRUTH_COMPONENTS
from companion.scenario.case import Case
from companion.scenario.check import (
    Counted,
    closed,
    differences,
    facts,
    instruction_differences,
    pieces_are_known,
    unwanted,
)
from companion.scenario.given import apply_given
from companion.scenario.lines import Line, differs, nearest, shown, unknown
from companion.scenario.queue import Empty, Queue
from companion.scenario.words import command_of, room_or_space, seat_of
from companion.table import views
from companion.table.journal import MemoryJournal
from companion.table.table import Table

HAND = 5
SPECIAL = ("log", "instructions", "prompt", "refused", "view", "not")
#: What a case can still be wrong in after its words were checked: values of a strange type.
UNFIT = (ArithmeticError, AssertionError, AttributeError, LookupError, RuntimeError, TypeError)


@dataclass(slots=True)
class Result:
    """What came of a case. ``rules``: ids cited by the log of its commands.

    ``bad``: the case itself is wrong (a word that is not known); it says nothing about the rules.
    """

    case: Case
    passed: bool
    problems: list[Line] = field(default_factory=list)
    rules: set[str] = field(default_factory=set)
    bad: bool = False


def run_case(case: Case, content: Content, *, when: bool = True) -> Result:
    """Run a case; ``when = False`` leaves its commands out (for `coverage`). Never raises."""
    try:
        return _Run(case, content).run(when)
    except BadInput as problem:
        return Result(case, False, [Line.of(problem, problem.path)], bad=True)
    except Refused as refusal:
        return Result(case, False, [Line.of(refusal, f"{case.path}: setup")], bad=True)
    except (*UNFIT, ValueError) as problem:
        why = f"{type(problem).__name__}: {problem}"
        line = Line(f"{case.path}: {why}", "unfit", path=case.path, why=why[:200])
        return Result(case, False, [line], bad=True)


class _Run:
    def __init__(self, case: Case, content: Content) -> None:
        self._case = case
        self._content = content
        self._queue = Queue(case.chance, case.path)
        self._table = Table(content, MemoryJournal({}), self._queue)
        self._refusal: Refused | BadInput | None = None
        self._whole_phase = False
        #: A case that says ``next`` goes through the phase itself, as a recorded game does.
        self._by_step = any(w["do"] == "next" for w in case.when)
        self._judges = not self._by_step and _judges(case)

    @property
    def _play(self) -> Play:
        return Play(self._table.state, self._content)

    def run(self, when: bool) -> Result:
        """A case whose first command is ``setup`` begins before it, and its log is the setup's."""
        self._rules_are_known()
        commands = list(self._case.when)
        begins = bool(commands) and commands[0]["do"] == "setup"
        if begins:
            commands = commands[1:]
        first = 0
        if not begins or when:
            self._setup()
        if not begins:
            first = self._table.seq
        problems: list[Line] = []
        if when:
            for number, given in enumerate(commands, start=1):
                following = commands[number]["do"] if number < len(commands) else None
                problem = self._do(given, number, following)
                if problem:
                    problems.append(problem)
                    break
        events: list[Mapping[str, Any]] = [
            e for row in self._table.journal.rows(first) for e in row.events
        ]
        rules = {r for e in events for r in str(e["rule"]).split()}
        if not problems:
            try:
                problems = self._compare(events, rules)
            except BadInput as bad:
                where = f"{self._case.path}: {bad.path}"
                raise BadInput(where, bad.code, {**bad.params, "path": where}) from None
        left = self._queue.left()
        if not problems and when and left and not self._case.allow_unused:
            problems = [Line(f"chance: left over {left!r}", "left_over", left=shown(left))]
        if problems and "prompt" not in self._case.then:
            problems += self._still_open()
        return Result(self._case, not problems, problems, rules)

    def _rules_are_known(self) -> None:
        """BadInput for a rule id that the rules do not have: it would prove nothing."""
        then = self._case.then
        refused = then.get("not", {})
        places = {
            "source": self._case.source,
            "then.log": _strings(then.get("log", [])),
            "then.not.log": _strings(refused.get("log", []) if isinstance(refused, dict) else []),
        }
        for place, rules in places.items():
            for rule in rules:
                if rule not in self._content.rules:
                    where = f"{self._case.path}: {place}"
                    meant = nearest(rule, list(self._content.rules))
                    said = {"value": rule[:40], "nearest": meant}
                    raise BadInput(where, "scenario.unknown_rule", said)

    # Before -------------------------------------------------------------------------------------

    def _setup(self) -> None:
        setup = self._case.setup
        players = setup.get("players", ["captain"])
        if not isinstance(players, list):
            raise BadInput(f"{self._case.path}: setup.players", "answer.list")
        numbers = setup.get("numbers", list(range(1, len(players) + 1)))
        dealt = numbers == "dealt"
        if dealt:
            numbers = [None] * len(players)
        if not isinstance(numbers, list) or len(numbers) != len(players):
            raise BadInput(f"{self._case.path}: setup.numbers", "setup.numbers")
        if setup.get("solo", False) is not (len(players) == 1) and "solo" in setup:
            raise BadInput(f"{self._case.path}: setup.solo", "setup.unknown", {"value": "solo"})
        preset = setup.get("preset", "everything")
        given = ("game", "board", "species", "mode", "tracking")
        words = (*given, "draft", "flags", "coop", "intruder_player")
        command = {
            "do": "setup",
            "by": "scenario",
            "digital": True,
            "preset": preset,
            "players": [
                {"character": c, "number": n} for c, n in zip(players, numbers, strict=True)
            ],
            "numbers": "dealt" if dealt else "by_seat",
            "switches": _switches(
                setup.get("switches", {}),
                offer_cancels="no",
                ask_last_rounds="no",
                # What setup says is part of the key of its draws.
                **({"untold_serious_wounds": "ask"} if {"preset", "tracking"} & {*setup} else {}),
            ),
            **{k: setup[k] for k in words if k in setup},
            "truth": _truth(setup),
        }
        try:
            self._table.command(command)
        except BadInput as problem:
            where = f"{self._case.path}: setup.{problem.path}"
            raise BadInput(where, problem.code, problem.params) from None
        self._table.state = self._table.state.copy()  # the table knows how it was spelled before
        self._table.state.switches.setdefault("short_event_phase", "no")  # no part of setup's key
        if self._table.state.phase == "setup":
            return  # setup itself asks: its answers come first
        if preset == "everything" and not self._asks_for_hands():
            for person in self._table.state.seats.values():
                person.hand = HAND
        case = self._case
        queued = case.chance.get("bag", ())
        self._table.state = self._table.state.copy()  # it is written into: the table's stays whole
        apply_given(self._table.state, case.given, self._content, case.path, queued)
        if case.given:  # it is not as setup left it
            self._table.state.sure.clear()
        if "bag" not in self._case.given:
            self._steer()

    def _asks_for_hands(self) -> bool:
        """Whether the case itself answers or expects a question about hands: then they are secret.

        With everything held nothing else is asked with yes or no, or with people.
        """
        values = [w.get("value") for w in self._case.when if w["do"] == "answer"]
        if any(isinstance(v if not isinstance(v, list) else (v or [0])[0], int) for v in values):
            return True
        prompt = self._case.then.get("prompt")
        return isinstance(prompt, Mapping) and prompt.get("kind") in ("yes_no", "faces")

    def _steer(self) -> None:
        """Setup drew the starting Adults; a number that the case draws shall be among them."""
        where = self._table.state.where
        wanted = [str(w) for w in self._queue.waiting("bag")]
        for want in wanted:
            inside = self._table.state.tokens(BAG, kind_of(want))
            outside = [t for t in self._table.state.tokens(SUPPLY) if want in (t, label_of(t))]
            spare = [t for t in inside if t not in wanted and label_of(t) not in wanted]
            if outside and spare and not any(want in (t, label_of(t)) for t in inside):
                where[f"token:{spare[0]}"] = SUPPLY
                where[f"token:{outside[0]}"] = BAG

    # Commands -----------------------------------------------------------------------------------

    def _do(self, given: Mapping[str, Any], number: int, following: str | None) -> Line | None:
        do = given["do"]
        self._refusal = None
        if self._table.state.phase != "setup":
            self._queue.open()
        try:
            waits = self._by_step or given.get("wait") is True
            plain = {k: v for k, v in given.items() if (do, k) != ("event_phase", "wait")}
            command, outcomes = command_of(self._play, plain)
            for purpose, outcome in outcomes.items():
                self._queue.state(purpose, outcome)
            if do == "answer":
                self._answer(command)
            if do == "scan" and "count" not in command:
                self._scanned(command)
            if not (do == "game_end" and self._table.state.ending):  # ended: only the check is due
                self._table.command(command)
            self._whole_phase |= do == "event_phase" and "step" not in command and not waits
            self._go_on()
        except (Refused, BadInput) as refusal:
            self._refusal = refusal
            if following is None and self._case.then.get("refused", False):
                return None
            if following != "by_hand":
                text = f"when {number} ({do}): refused, {refusal.code} {refusal.params}"
                return Line(text, "refused", n=number, do=do, why=refusal)
        except Empty as empty:
            text = f"when {number} ({do}): draws {empty.purpose}, nothing queued"
            return Line(text, "empty", n=number, do=do, purpose=empty.purpose)
        return None

    def _go_on(self) -> None:
        """A whole event phase goes on by itself to its end or the next question."""
        table = self._table
        while table.root is None and table.state.agenda:
            over = table.state.phase == "over"
            if not (self._judges if over else self._whole_phase):
                break
            table.command({"do": "next", "by": "scenario"})
        if table.root is None and not table.state.agenda:
            self._whole_phase = False

    def _scanned(self, command: dict[str, Any]) -> None:
        """Cards that the case scans without having stated them: as many as have outcomes."""
        person = self._table.state.seats.get(command["seat"])
        if person and not sum(person.contamination.values()):
            several = sum(w["do"] == "scan" for w in self._case.when) > 1
            command["count"] = 1 if several else len(self._queue.waiting("contamination"))

    def _answer(self, command: dict[str, Any]) -> None:
        """Answers in looser words: a character for a face, a place in any spelling."""
        if self._table.root and "number" in command:
            command["prompt"] = f"p{self._table.root.seq}.{command.pop('number')}"
        asks = [
            a
            for a in self._table.prompts().values()
            if "seat" not in command or str(a.to) in ("any", str(command["seat"]))
        ]
        if not asks or "value" not in command:
            return
        ask, value = asks[0], command["value"]
        convert = {"faces": seat_of, "place": room_or_space}.get(ask.kind)
        if convert and isinstance(value, list):
            value = [convert(self._play, v) for v in value]
        elif convert and not isinstance(value, (bool, Mapping)):
            value = convert(self._play, value)
        if ask.multiple and not isinstance(value, (list, bool)):
            value = [value]
        command["value"] = value

    # Comparison ---------------------------------------------------------------------------------

    def _compare(self, events: list[Mapping[str, Any]], rules: set[str]) -> list[Line]:
        then = dict(self._case.then)
        kinds = {kind_of(p) for p in self._table.state.where if "#" in p and ":" not in p}
        for place, stated in (("then", then), ("then.not", then.get("not"))):
            pieces_are_known(stated, kinds, place)
            _code_is_known(stated, f"{place}.refused")
        found = facts(self._table)
        stated = self._places({k: v for k, v in then.items() if k not in SPECIAL})
        lines = differences(stated, found)
        for rule in _strings(then.get("log", [])):
            if rule not in rules:
                cited = " ".join(sorted(rules)) or "-"
                text = f"then.log: {rule} was not cited; cited: {cited}"
                lines.append(Line(text, "not_cited", rule=rule, cited=cited))
        lines += instruction_differences(_tables(then.get("instructions", [])), events)
        if "prompt" in then:
            lines += self._prompt(then["prompt"])
        if "refused" in then:
            lines += self._refused(then["refused"])
        for page, wanted in _table(then.get("view", {})).items():
            lines += differences(wanted, self._page(page), f"then.view.{page}")
        lines += self._not(_table(then.get("not", {})), found, events, rules)
        return lines

    def _places(self, stated: Mapping[str, Any]) -> dict[str, Any]:
        """Rooms and corridors under their own ids, however the case spells them."""
        return {
            key: {room_or_space(self._play, k): v for k, v in value.items()}
            if key in ("rooms", "corridors", "spaces") and isinstance(value, Mapping)
            else value
            for key, value in stated.items()
        }

    def _page(self, page: str) -> Mapping[str, Any]:
        try:
            name = page.replace("_", ":") if "seat" in page else page
            return Counted(closed(views.view(self._table, name)), SECTIONS)
        except KeyError:
            raise unknown("then.view", page, PAGES) from None

    def _still_open(self) -> list[Line]:
        """Questions that nobody answered: what follows them has not happened."""
        asks = {
            f"{a.key} (seat {a.to})" if a.to != "any" else a.key
            for a in self._table.prompts().values()
        }
        if not asks:
            return []
        text = ", ".join(sorted(asks))
        return [Line(f"still open: {text}", "open_question", questions=text)]

    def _prompt(self, wanted: Any) -> list[Line]:
        asks = list(self._table.prompts().values())
        if wanted is False:
            keys = [a.key for a in asks]
            return [differs("then.prompt", False, keys)] if asks else []
        stated = {} if wanted is True else _table(wanted)
        for word in stated:
            if word not in PROMPT:
                raise unknown("then.prompt", word, PROMPT)
        if not asks:
            return [differs("then.prompt", wanted, False)]
        lines: list[Line] = []
        for key, value in stated.items():
            if key == "seats":
                to = {int(a.to) for a in asks if a.to != "any"}
                about = {a.params["seat"] for a in asks if "seat" in a.params}
                faces = {o.id for a in asks for o in a.options if a.kind == "faces"}
                if set(_list(value)) not in (to, about, to | about, faces):
                    lines.append(differs("then.prompt.seats", value, sorted(to | about)))
            elif key == "options":
                offered = [str(o.id) for o in asks[0].options]
                lines += differences([str(o) for o in _list(value)], offered, "then.prompt.options")
            else:
                found = [getattr(a, key) for a in asks]
                fits = [value in f.split() if isinstance(f, str) else value == f for f in found]
                if not any(fits):
                    lines.append(differs(f"then.prompt.{key}", value, found))
        return lines

    def _refused(self, wanted: Any) -> list[Line]:
        refusal = self._refusal
        if wanted is False:
            return [] if refusal is None else [_was_refused(False, refusal)]
        if refusal is None:
            return [differs("then.refused", wanted, False)]
        if wanted is not True and wanted != refusal.code:
            return [_was_refused(wanted, refusal)]
        return []

    def _not(
        self,
        stated: Mapping[str, Any],
        found: Any,
        events: list[Mapping[str, Any]],
        rules: set[str],
    ) -> list[Line]:
        so: list[tuple[str, Any]] = []
        so += [("log", rule) for rule in _strings(stated.get("log", [])) if rule in rules]
        so += [
            ("instructions", one)
            for one in _tables(stated.get("instructions", []))
            if not instruction_differences([one], events)
        ]
        if "prompt" in stated and not self._prompt(stated["prompt"]):
            so.append(("prompt", stated["prompt"]))
        if "refused" in stated and not self._refused(stated["refused"]):
            so.append(("refused", stated["refused"]))
        lines = [
            Line(f"then.not.{at}: {v!r} is so", "is_so", path=f"then.not.{at}", value=shown(v))
            for at, v in so
        ]
        for page, wanted in _table(stated.get("view", {})).items():
            lines += unwanted(wanted, self._page(page), f"then.not.view.{page}")
        rest = self._places({k: v for k, v in stated.items() if k not in SPECIAL})
        return lines + unwanted(rest, found, "then.not")


PROMPT = ("kind", "seats", "options", "key", "rule", "secret")
SECTIONS = ("me", "host")  # of a page, when it is whose they are
PAGES = ("table", "host", *(f"seat_{n}" for n in range(1, 6)))


def _code_is_known(stated: Any, path: str) -> None:
    """BadInput for the code of a refusal that nothing says."""
    code = stated.get("refused") if isinstance(stated, Mapping) else None
    said = words("en")
    if isinstance(code, str) and not any(said.has(f"{kind}.{code}") for kind in ERRORS):
        codes = (k.partition(".") for k in sorted(said.keys()))
        near = [code for kind, _, code in codes if kind in ERRORS and not code.endswith(".remedy")]
        raise BadInput(
            path, "scenario.no_such_code", {"value": code, "nearest": nearest(code, near)}
        )


ERRORS = ("refuse", "bad")


def _was_refused(wanted: Any, refusal: Refused | BadInput) -> Line:
    text = f"then.refused: expected {wanted!r}, found {refusal.code!r}"
    found = {"wanted": shown(wanted), "found": shown(refusal.code)}
    return Line(text, "other_refusal", path="then.refused", why=refusal, **found)


def _judges(case: Case) -> bool:
    """Whether a case goes on to who has won: it says so, or states what only that needs."""
    expected = {*case.then, *_table(case.then.get("not", {}))}
    return (
        any(w["do"] == "game_end" for w in case.when)
        or not expected.isdisjoint({"winners", "verdicts"})
        or not {"engines", "coordinates"}.isdisjoint(case.given)
    )


def _truth(setup: Mapping[str, Any]) -> Any:
    """Everything is in the box, also cards whose text nobody knows, unless the case says so."""
    given, species = setup.get("truth", {}), setup.get("species", FIRST_SPECIES)
    if not isinstance(given, Mapping):
        return given
    own = strategy(species).truth if species in written() else {}
    return {**dict.fromkeys((*TRUTH_COMPONENTS, *own), "digital"), **given}


def _switches(given: Any, **usual: str) -> Any:
    if not isinstance(given, Mapping):
        return given
    return usual | {
        k: ("yes" if v else "no") if isinstance(v, bool) else v for k, v in given.items()
    }


def _table(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise TypeError(f"a table was expected, not {value!r}")
    return value


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _strings(value: Any) -> Iterator[str]:
    return (str(v) for v in _list(value))


def _tables(value: Any) -> list[Any]:
    return [_table(v) for v in _list(value)]
