"""One running game: commands in, events out, everything on disk before anybody sees it.

`Table` knows no thread and no clock; `companion.table.session` puts it behind a queue.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.game import Ask, BadInput, Event, Fault, Refused, Run, Source, State, run
from companion.game.procedure import Steps
from companion.game.state import canonical
from companion.library.model import Content
from companion.rules import RULES, STEPS, VERBS, Ended, Play, Verb, arguments, waits
from companion.table.journal import AnyJournal, Row
from companion.table.ledger import LEDGER_VERBS, Ledger

LOG_LINES = 400
UNDO_DEPTH = 200
TRUSTED = ("scenario", "device")


@dataclass(slots=True)
class Root:
    """A root command and how far it got. ``before`` is the state it started from."""

    seq: int
    verb: Verb
    args: dict[str, Any]
    forced: bool
    before: State
    key: str
    entry: dict[str, Any] | None = None
    drawn: list[Any] = field(default_factory=list)
    answers: dict[int, Any] = field(default_factory=dict)
    events: int = 0
    draws: int = 0
    open: dict[int, Ask] = field(default_factory=dict)


@dataclass(slots=True)
class Group:
    """A command of people and everything that followed by itself: the unit of undo."""

    seq: int
    before: State | None
    inputs: list[dict[str, Any]]  # the command, then answers, as accepted
    rows: set[int]
    draws: int = 0
    secret: bool = False


class Table:
    """The one game of a table.

    ``state`` is what every view is made from; with a question open it holds what the running
    step has done so far.
    """

    def __init__(self, content: Content, journal: AnyJournal, source: Source) -> None:
        self.content = content
        self.journal = journal
        self.source = source
        self.state = State()
        self.ledger = Ledger()
        self.root: Root | None = None
        self.log: deque[dict[str, Any]] = deque(maxlen=LOG_LINES)
        self._history: deque[Group] = deque(maxlen=UNDO_DEPTH)
        self._undone: list[Group] = []
        self._refused: dict[str, dict[str, Any]] = {}
        self._load()

    # What is open -----------------------------------------------------------------------------

    @property
    def seq(self) -> int:
        """The number of the last journal row."""
        return self.journal.last.seq if self.journal.last else 0

    def prompts(self) -> dict[str, Ask]:
        """Open questions by prompt id ``p<seq>.<n>``."""
        if self.root is None:
            return {}
        return {f"p{self.root.seq}.{n}": ask for n, ask in self.root.open.items()}

    def undoable(self) -> Group | None:
        """What undo would take back."""
        return self._history[-1] if self._history else None

    def redoable(self) -> Group | None:
        """What redo would do again."""
        return self._undone[-1] if self._undone else None

    # Commands ---------------------------------------------------------------------------------

    def command(self, command: Mapping[str, Any]) -> dict[str, Any]:
        """Take one command; the reply is ``{status, seq}``.

        Raises BadInput (malformed), Refused (the rules or the table say no; nothing changed) and
        Fault (the journal could not be written; nothing changed).
        """
        ident = command.get("id")
        if ident is not None:
            if not isinstance(ident, str) or not 0 < len(ident) <= 36:
                raise BadInput("id", "command.id")
            known = self.journal.known(ident)
            if known is not None:
                return {**known, "status": "already"}
        do = command.get("do")
        if not isinstance(do, str):
            raise BadInput("do", "command.missing_field")
        by = command.get("by", "table")
        before = self._hold()
        try:
            self._dispatch(do, str(by), dict(command))
        except Refused as refusal:
            self._restore(before)
            if refusal.by_hand:
                self._refused[str(by)] = dict(command)
            raise
        except BaseException:
            self._restore(before)
            raise
        if do != "answer":
            self._refused.pop(str(by), None)
        reply = {"status": "done", "seq": self.seq}
        if ident is not None and self.journal.known(ident) is None:
            self.journal.remember(ident, reply)
        return reply

    def _dispatch(self, do: str, by: str, command: dict[str, Any]) -> None:
        match do:
            case "answer":
                self._answer(command, by)
            case "undo":
                self._undo(command, by)
            case "redo":
                self._redo()
            case "by_hand":
                self._by_hand(command, by)
            case "next":
                self._next(command)
            case _ if do in LEDGER_VERBS:
                self._ledger(command)
            case _ if do in VERBS:
                self._start(command)
            case _:
                raise BadInput("do", "command.unknown_verb", {"value": do[:40]})

    def _hold(self) -> tuple[Any, ...]:
        return (
            self.state,
            self.root,
            list(self._history),
            list(self._undone),
            json.loads(json.dumps(self.ledger.instructions)),
            {s: dict(p) for s, p in self.ledger.people.items()},
            self.seq,
        )

    def _restore(self, held: tuple[Any, ...]) -> None:
        """After a failure before anything was written, be as before; rows that stand, stand."""
        if self.seq != held[-1]:
            return
        self.state, self.root = held[0], held[1]
        self._history = deque(held[2], maxlen=UNDO_DEPTH)
        self._undone = held[3]
        self.ledger.instructions = held[4]
        self.ledger.people = held[5]

    # Rules ------------------------------------------------------------------------------------

    def _start(self, command: dict[str, Any], *, forced: bool = False, redo: bool = False) -> None:
        do = str(command["do"])
        if self.root is not None:
            raise Refused("prompt_open")
        if self.state.phase == "lobby" and do != "setup":
            raise Refused("not_set_up")
        if self.state.phase == "over" and do not in ("game_end",):
            raise Refused("game_over")
        verb = VERBS[do]
        given = {k: v for k, v in command.items() if k not in ("id", "by", "do", "game_id", "base")}
        args = arguments(verb, Play(self.state, self.content), given)
        root = Root(
            self.seq + 1,
            verb,
            args,
            forced,
            self.state,
            canonical({"do": do, **args}),
        )
        group = Group(root.seq, self.state, [command], set())
        self._run_root(root, "redo" if redo else "command", command, group, new=True)
        if not redo:
            self._undone.clear()
        self._advance(group)

    def _step(self, group: Group, input: dict[str, Any], *, new: bool) -> None:
        entry = dict(self.state.agenda[0])
        verb = STEPS[entry["step"]]
        args = {k: v for k, v in entry.items() if k not in ("step", "wait")}
        key = canonical({"do": "step", "step": entry["step"], **args})
        root = Root(self.seq + 1, verb, args, False, self.state, key, entry)
        self._run_root(root, "step", input, group, new=new)

    def _run_root(
        self, root: Root, kind: str, input: dict[str, Any], group: Group, *, new: bool
    ) -> None:
        result = self._execute(root)
        events = [e.to_json() for e in result.events]
        if root.forced:
            events.insert(0, Event("happened_anyway", "").to_json())
        if new:
            group.seq = root.seq
            self._history.append(group)
        self._commit(kind, input, root, result, events, group, snapshot=root.before.to_json())

    def _execute(self, root: Root) -> Run:
        state = root.before.copy()
        if root.entry is not None:
            state.agenda.pop(0)
        play = Play(state, self.content, forced=root.forced)
        return run(
            play,
            lambda: _until_ended(root.verb.run(play, **root.args)),
            source=self.source,
            key=root.key,
            drawn=root.drawn,
            answers=root.answers,
        )

    def _commit(
        self,
        kind: str,
        input: dict[str, Any],
        root: Root,
        result: Run,
        events: list[dict[str, Any]],
        group: Group,
        snapshot: dict[str, Any] | None = None,
    ) -> None:
        """One row on disk; only then the new state is the state."""
        drawn = result.drawn[root.draws :]
        row = self.journal.append(
            kind=kind,
            input=input,
            draws=[d.to_json() for d in drawn],
            events=events,
            state=result.state.digest(),
            snapshot=snapshot,
        )
        root.drawn += [d.value for d in drawn if d.by == "box"]
        root.draws = len(result.drawn)
        root.events = len(result.events)
        root.open = result.open
        self.state = result.state
        self.root = None if result.finished else root
        group.draws += len(drawn)
        self._note(row, group)

    def _note(self, row: Row, group: Group | None) -> None:
        if group is not None:
            group.rows.add(row.seq)
            group.secret |= any(e["to"] != "public" for e in row.events)
        for event in row.events:
            self.log.append({"seq": row.seq, **event})
        batch = group.seq if group else row.seq
        step = row.input.get("step") or row.input.get("do")
        self.ledger.instruct(row.seq, batch, step, row.events)

    def _advance(self, group: Group) -> None:
        """Steps that wait for nobody follow by themselves, each a root command of its own."""
        while self.root is None and self.state.agenda:
            entry = self.state.agenda[0]
            if waits(Play(self.state, self.content), entry):
                return
            self._step(group, {"do": "step", **entry}, new=False)

    def _next(self, command: dict[str, Any]) -> None:
        if self.root is not None:
            raise Refused("prompt_open")
        if not self.state.agenda:
            raise Refused("next.nothing")
        expected = command.get("step")
        if expected is not None and expected != self.state.agenda[0]["step"]:
            raise Refused("conflict", {"step": self.state.agenda[0]["step"]})
        command = {**command, "step": self.state.agenda[0]["step"]}
        group = Group(self.seq + 1, self.state, [command], set())
        self._step(group, command, new=True)
        self._undone.clear()
        self._advance(group)

    # Answers ----------------------------------------------------------------------------------

    def _answer(self, command: dict[str, Any], by: str) -> None:
        root = self.root
        if root is None:
            raise Refused("answer.nothing_open")
        number = self._which(root, command)
        ask = root.open[number]
        if ask.secret and by not in (f"seat:{ask.to}", *TRUSTED):
            raise Refused("not_yours")
        if "value" not in command:
            raise BadInput("value", "command.missing_field")
        group = self._history[-1]
        self._take_answer(root, number, command, group)
        self._undone.clear()
        self._advance(group)

    def _take_answer(self, root: Root, number: int, command: dict[str, Any], group: Group) -> None:
        trial = Root(
            root.seq,
            root.verb,
            root.args,
            root.forced,
            root.before,
            root.key,
            root.entry,
            list(root.drawn),
            {**root.answers, number: command["value"]},
            root.events,
            root.draws,
        )
        result = self._execute(trial)
        events = [e.to_json() for e in result.events[root.events :]]
        row_input = {**command, "do": "answer", "root": root.seq, "number": number}
        if root.open[number].secret:
            group.secret = True
            row_input["secret"] = True
        group.inputs.append({"do": "answer", "number": number, "value": command["value"]})
        self._commit("answer", row_input, trial, result, events, group)

    def _which(self, root: Root, command: Mapping[str, Any]) -> int:
        prompt = command.get("prompt")
        if prompt is not None:
            for number in root.open:
                if prompt == f"p{root.seq}.{number}":
                    return number
            raise Refused("conflict", {"prompt": str(prompt)[:20]})
        if command.get("seat") is not None:
            for number, ask in root.open.items():
                if str(ask.to) == str(command["seat"]):
                    return number
        public = [n for n, ask in root.open.items() if not ask.secret]
        if public or len(root.open) == 1:
            return (public or list(root.open))[0]
        raise BadInput("seat", "command.missing_field")

    # By hand, undo, redo ------------------------------------------------------------------------

    def _by_hand(self, command: dict[str, Any], by: str) -> None:
        refused = self._refused.get(by)
        if refused is not None:
            self._start(refused, forced=True)
            return
        root = self.root
        if root is None:
            raise Refused("by_hand.nothing")
        if any(not ask.by_hand for ask in root.open.values()):
            raise Refused("by_hand.not_this")
        state = self.state.copy()
        held = [t for t in root.verb.touches if state.tracking.get(t) == "tracked"]
        state.unsure.update(held)
        group = self._history[-1]
        event = Event("by_hand", "", {"step": root.verb.name, "unsure": ", ".join(held)})
        row = self.journal.append(
            kind="command",
            input={**command, "closes": root.seq, "unsure": held},
            draws=[],
            events=[event.to_json()],
            state=state.digest(),
            snapshot=None,
        )
        self.state = state
        self.root = None
        group.inputs.append({"do": "by_hand"})
        self._note(row, group)
        self._advance(group)

    def _undo(self, command: dict[str, Any], by: str) -> None:
        if not self._history:
            raise Refused("undo.nothing")
        group = self._history[-1]
        expected = command.get("target")
        if expected is not None and expected != group.seq:
            raise Refused("conflict", {"target": group.seq})
        if group.before is None:
            raise Refused("undo.too_far")
        if group.secret and by not in TRUSTED and not (by == "host" and command.get("confirm")):
            raise Refused("undo.secret")
        what = str(group.inputs[0].get("do"))
        events = [Event("undone", "", {"do": what, "n": group.draws}).to_json()]
        row = self.journal.append(
            kind="undo",
            input={**command, "to": group.seq},
            draws=[],
            events=events,
            state=group.before.digest(),
            snapshot=None,
        )
        self._history.pop()
        self._undone.append(group)
        self.state = group.before
        self.root = None
        for line in self.log:
            if line["seq"] in group.rows:
                line["undone"] = True
        self.ledger.withdraw(group.rows)
        self._note(row, None)

    def _redo(self) -> None:
        if not self._undone:
            raise Refused("redo.nothing")
        if self.root is not None:
            raise Refused("prompt_open")
        again = self._undone.pop()
        first = {k: v for k, v in again.inputs[0].items() if k != "id"}
        kept = list(self._undone)
        if first["do"] == "next":
            self._next(first)
        else:
            self._start(first, redo=True)
        self._undone = kept
        for answer in again.inputs[1:]:
            root = self.root
            if root is None:
                break
            if answer["do"] == "by_hand":
                self._by_hand({"do": "by_hand"}, "")
            elif answer["number"] in root.open:
                self._take_answer(root, answer["number"], dict(answer), self._history[-1])
                self._advance(self._history[-1])

    def _ledger(self, command: dict[str, Any]) -> None:
        self.ledger.apply(command)
        self.journal.append(
            kind="ledger",
            input=command,
            draws=[],
            events=[],
            state=self.state.digest(),
            snapshot=None,
        )

    # Reopening ----------------------------------------------------------------------------------

    def _load(self) -> None:
        """Be where the journal ends, in the middle of a question too."""
        roots: dict[int, Row] = {}
        parts: dict[int, list[Row]] = {}
        current: Row | None = None
        for row in self.journal.rows():
            group = self._history[-1] if self._history else None
            match row.kind:
                case "command" if "closes" in row.input:
                    if group:
                        group.inputs.append({"do": "by_hand"})
                    current = row
                case "command" | "redo":
                    group = Group(row.seq, None, [row.input], set())
                    self._history.append(group)
                    roots[row.seq], parts[row.seq], current = row, [row], row
                    if row.kind == "command":
                        self._undone.clear()
                case "step":
                    if row.input.get("do") == "next":
                        group = Group(row.seq, None, [row.input], set())
                        self._history.append(group)
                        self._undone.clear()
                    roots[row.seq], parts[row.seq], current = row, [row], row
                case "answer":
                    number, value = row.input["number"], row.input["value"]
                    if group:
                        group.inputs.append({"do": "answer", "number": number, "value": value})
                        group.secret |= bool(row.input.get("secret"))
                    parts[row.input["root"]].append(row)
                    current = row
                case "undo":
                    if self._history:
                        undone = self._history.pop()
                        self._undone.append(undone)
                        self.ledger.withdraw(undone.rows)
                        for line in self.log:
                            if line["seq"] in undone.rows:
                                line["undone"] = True
                    current, group = row, None
                case "ledger":
                    self.ledger.apply(row.input)
                    continue
            if group is not None:
                group.draws += len(row.draws)
            self._note(row, group)
        self._reopen_states()
        if current is not None:
            self._resume(current, roots, parts)

    def _reopen_states(self) -> None:
        for group in [*self._history, *self._undone]:
            snapshot = self.journal.snapshot(group.seq)
            group.before = State.from_json(snapshot) if snapshot else None

    def _resume(
        self, current: Row, roots: Mapping[int, Row], parts: Mapping[int, Sequence[Row]]
    ) -> None:
        if current.kind == "undo":
            snapshot = self.journal.snapshot(int(current.input["to"]))
            if snapshot is None:
                raise Fault("journal", "journal.no_snapshot", temporary=False)
            self.state = State.from_json(snapshot)
            return
        closing = "closes" in current.input
        seq = int(current.input["closes"] if closing else current.input.get("root", current.seq))
        row = roots[seq]
        snapshot = self.journal.snapshot(seq)
        if snapshot is None:
            raise Fault("journal", "journal.no_snapshot", temporary=False)
        root = self._root_of(row, State.from_json(snapshot))
        for part in parts[seq]:
            root.drawn += [d["value"] for d in part.draws if d["by"] == "box"]
            if part.kind == "answer":
                root.answers[int(part.input["number"])] = part.input["value"]
        result = self._execute(root)
        root.events, root.draws, root.open = len(result.events), len(result.drawn), result.open
        self.state = result.state
        self.root = None if result.finished else root
        if closing:
            self.state.unsure.update(current.input["unsure"])
            self.root = None
        same_rules = self.journal.header.get("rules") == RULES
        if same_rules and self.state.digest() != current.state:
            raise Fault("journal", "journal.diverged", {"row": current.seq}, temporary=False)

    def _root_of(self, row: Row, before: State) -> Root:
        if row.kind == "step":
            entry = dict(before.agenda[0])
            args = {k: v for k, v in entry.items() if k not in ("step", "wait")}
            key = canonical({"do": "step", "step": entry["step"], **args})
            return Root(row.seq, STEPS[entry["step"]], args, False, before, key, entry)
        do = row.input["do"]
        forced = any(e["type"] == "happened_anyway" for e in row.events)
        given = {
            k: v for k, v in row.input.items() if k not in ("id", "by", "do", "game_id", "base")
        }
        args = arguments(VERBS[do], Play(before, self.content), given)
        return Root(row.seq, VERBS[do], args, forced, before, canonical({"do": do, **args}))


def _until_ended(steps: Steps) -> Iterator[Any]:
    """The end of the game interrupts whatever is running (BASE-360)."""
    try:
        yield from steps
    except Ended:
        return
