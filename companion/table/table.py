"""One running game: commands in, events out, everything on disk before anybody sees it.

`Table` knows no thread and no clock; `companion.table.session` puts it behind a queue.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from companion.game import (
    Ask,
    BadInput,
    Event,
    Fault,
    Instruction,
    Refused,
    Run,
    Source,
    State,
    run,
)
from companion.game.procedure import Steps
from companion.game.state import ABOARD, SUPPLY, canonical, digest_of, kind_of, room_zone
from companion.library.model import Content
from companion.rules import (
    VERBS,
    Ended,
    Play,
    arguments,
    closed_by_hand,
    step_of,
    waits,
)
from companion.rules.checklist import checklist
from companion.rules.facts.recall import people_act
from companion.rules.packing import BOX, MARKERS, rebuild
from companion.rules.phase import quiet
from companion.table.history import Group, History, Root
from companion.table.journal import AnyJournal, Row
from companion.table.ledger import LEDGER_VERBS, Ledger, place_of, row_of
from companion.table.log import Log
from companion.table.reopen import reopen
from companion.table.statistics import Follower, Statistics

KEEP = ("setup", "end")  # roots whose state before them stays in the journal: one a round
TRUSTED = ("scenario", "device")
#: Commands that are actions of a Character: what Interruption may cancel (BASE-269).
ACTIONS = (
    *("move", "injure", "room_action", "repair", "hibernate", "pod", "card"),
    *("search", "pick_up", "hand_over"),
)
ENVELOPE = ("id", "by", "do", "game_id", "base")  # what a command carries beside its arguments


#: What everybody reads when a seat that was held moves to another phone, or a screen is lent to it.
PHONES = {"code": "phone_by_code", "pin": "phone_by_pin", "lent": "phone_lent"}


class Table:
    """The one game of a table.

    ``state`` is what every view is made from; with a question open it holds what the running
    step has done so far. Every change is worked out beside it and becomes the state when its row
    is on disk, so a failure anywhere leaves the table as the journal has it.
    """

    def __init__(self, content: Content, journal: AnyJournal, source: Source) -> None:
        self.content = content
        self.journal = journal
        self.source = source
        self.state = State(learnt=dict(journal.header.get("learnt", {})))
        self.ledger = Ledger()
        self.root: Root | None = None
        self.log = Log()
        self.history = History()
        self._refused: dict[str, list[dict[str, Any]]] = {}  # command, then its answers
        self._ident: str | None = None
        self._asked = ""
        self._spelled: tuple[State | None, str] = (None, "")
        self._follower = Follower()
        #: What the host should know about a game that began with other rules: a message.
        self.resumed: tuple[str, dict[str, str]] | None = None
        reopen(self)

    # What is open -----------------------------------------------------------------------------

    @property
    def seq(self) -> int:
        """The number of the last journal row."""
        return self.journal.last.seq if self.journal.last else 0

    @property
    def finished(self) -> bool:
        """Whether the game is over and the last verdict told: nothing is secret any more."""
        return self.state.phase == "over" and self.root is None and not self.state.agenda

    def prompts(self) -> dict[str, Ask]:
        """Open questions by prompt id ``p<seq>.<n>``."""
        if self.root is None:
            return {}
        return {f"p{self.root.seq}.{n}": ask for n, ask in self.root.open.items()}

    def undoable(self) -> Group | None:
        """What undo would take back, of a setup with choices only the last one."""
        group = self.history.current
        if group is not None and _chosen(group):
            return Group(group.seq, group.inputs[-1:])
        return group

    def redoable(self) -> Group | None:
        """What redo would do again."""
        return self.history.undone[-1] if self.history.undone else None

    def statistics(self) -> Statistics | None:
        """What the public events so far tell; None before setup."""
        if self.state.phase == "lobby":
            return None
        species = self.content.species[self.state.species]
        how = Play(self.state, self.content).switch("returned_token_pick")
        return self._follower.of(self.journal, species, how)

    # Commands ---------------------------------------------------------------------------------

    def command(self, command: Mapping[str, Any]) -> dict[str, Any]:
        """Take one command; the reply is ``{status, seq}``.

        Raises BadInput (malformed), Refused (the rules or the table say no; nothing changed) and
        Fault (the journal could not be written; what it does not hold did not happen).
        """
        ident = command.get("id")
        if ident is not None:
            if not isinstance(ident, str) or not 0 < len(ident) <= 36:
                raise BadInput("id", "command.id")
            known = self.journal.known(ident)
            if known is not None:
                asked = known.get("asked")
                if asked is not None and asked != _mark(command):
                    raise Refused("id_used")
                return {"status": "already", "seq": known["seq"]}
        do = command.get("do")
        if not isinstance(do, str):
            raise BadInput("do", "command.missing_field")
        by = str(command.get("by", "table"))
        self._ident, self._asked = ident, "" if ident is None else _mark(command)
        try:
            self._dispatch(do, by, {k: v for k, v in command.items() if k != "id"})
        except Refused as refusal:
            if do not in ("answer", "by_hand"):
                self._refused.pop(by, None)  # "anyway" is about the last refusal only
                if refusal.by_hand:
                    self._refused[by] = [{k: v for k, v in command.items() if k != "id"}]
            raise
        if do != "answer":
            self._refused.pop(by, None)
        return {"status": "done", "seq": self.seq}

    def repeat(self, row: Row) -> None:
        """Do again what a journal row did, as it was accepted then. Raises like `command`."""
        self._ident = None
        self._repeat(dict(row.input), row.kind)

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

    def _repeat(self, input: dict[str, Any], kind: str) -> None:
        match input["do"]:
            case "answer":
                if self.root is not None and input["number"] in self.root.open:
                    self._take_answer(self.root, input["number"], input, kind)
            case "by_hand":
                if self.root is not None:
                    self._close(self.root, input, kind)
            case "undo":
                self._take_back(input)
            case "next":
                self._next(input, kind)
            case do if do in LEDGER_VERBS:
                self._ledger(input)
            case _:
                forced = input.pop("anyway", False)
                self._start(input, kind, forced=forced)

    def _append(self, **row: Any) -> Row:
        """One row; the first of a command carries its id, in one transaction."""
        written = self.journal.append(**row, command_id=self._ident, asked=self._asked)
        self._ident = None
        return written

    # Rules ------------------------------------------------------------------------------------

    def _start(
        self, command: dict[str, Any], kind: str = "command", *, forced: bool = False
    ) -> None:
        do = str(command["do"])
        if self.state.phase == "lobby" and do != "setup":
            raise Refused("not_set_up")
        root = self.root_of(self.seq + 1, command, self.state, forced=forced)
        if self.root is not None:
            raise Refused("prompt_open")
        if self.state.phase == "over" and not VERBS[do].late:
            raise Refused("game_over")
        if forced:
            command = {**command, "anyway": True}
        self._begin(root, kind, command)

    def _next(self, command: dict[str, Any], kind: str = "step") -> None:
        if self.root is not None:
            raise Refused("prompt_open")
        if not self.state.agenda:
            raise Refused("next.nothing")
        due = self.state.agenda[0]["step"]
        if command.get("step") not in (None, due):
            raise Refused("conflict", {"step": due})
        root = self.step_of(self.seq + 1, self.state)
        self._begin(root, kind, {**command, "step": due})

    def root_of(self, seq: int, command: Mapping[str, Any], before: State, *, forced: bool) -> Root:
        """The root of a command. BadInput for arguments that this game does not have."""
        do = str(command["do"])
        given = {k: v for k, v in command.items() if k not in ENVELOPE}
        args = arguments(VERBS[do], Play(before, self.content), given)
        return Root(seq, VERBS[do], args, forced, before, canonical({"do": do, **args}))

    def step_of(self, seq: int, before: State) -> Root:
        """The root of the first step of the agenda."""
        entry = dict(before.agenda[0])
        args = {k: v for k, v in entry.items() if k not in ("step", "wait")}
        key = canonical({"do": "step", "step": entry["step"], **args})
        return Root(seq, step_of(entry["step"], before.species), args, False, before, key, entry)

    def _begin(self, root: Root, kind: str, input: dict[str, Any]) -> None:
        group = Group(root.seq, [input])
        self._run_root(root, kind, input, group)
        self._advance(group)

    def _run_root(self, root: Root, kind: str, input: dict[str, Any], group: Group) -> None:
        result = self.execute(root)
        events = [e.to_json() for e in result.events]
        if root.forced:
            events.insert(0, Event("happened_anyway", " ".join(root.overruled)).to_json())
        row = self._commit(kind, input, root, result, events, self._text(root.before))
        if group is not self.history.current:
            self.history.done.append(group)
            self.history.branch(kind)
        self.history.stored(row.seq)
        self.note(row, group)

    def execute(self, root: Root) -> Run:
        """Run a root from its start with what is drawn and answered, beside the state."""
        state = root.before.copy()
        play = Play(state, self.content, forced=root.forced)
        if root.verb.name != "card" and not (root.entry and quiet(play, root.entry)):
            state.fresh = None
        if root.entry is not None:
            state.agenda.pop(0)
        else:
            people_act(play, root.verb.name)
        root.overruled = play.overruled
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
        snapshot: str | None = None,
    ) -> Row:
        """One row on disk; only then the new state is the state."""
        drawn = result.drawn[root.draws :]
        row = self._append(
            kind=kind,
            input=input,
            draws=[d.to_json() for d in drawn],
            events=events,
            state=digest_of(self._text(result.state)),
            snapshot=snapshot,
            keep=root.verb.name in KEEP,
        )
        root.drawn += [d.value for d in drawn if d.by == "box"]
        root.draws = len(result.drawn)
        root.events = len(result.events)
        root.open = result.open
        self.state = result.state
        self.root = None if result.finished else root
        return row

    def _text(self, state: State) -> str:
        """A state's canonical text; the one asked for last is kept: it stands, and comes before."""
        if self._spelled[0] is not state:
            self._spelled = state, state.text()
        return self._spelled[1]

    def note(self, row: Row, group: Group | None) -> None:
        """What follows beside the game from a row that stands: log, instructions, undo."""
        if group is not None:
            group.rows.add(row.seq)
            group.draws += len(row.draws)
            group.secret |= any(e["to"] != "public" for e in row.events)
        for n, event in enumerate(row.events):
            self.log.add(row.seq, event, str(row.input.get("by", "")), row.events[n + 1 :])
        batch = group.seq if group else row.seq
        step = row.input.get("step") or row.input.get("do")
        self.ledger.instruct(row.seq, batch, step, row.events)

    def go_on(self) -> None:
        """After a restart: steps that follow by themselves and were not begun yet."""
        if self.history.current is not None:
            self._ident = None
            self._advance(self.history.current)

    def _advance(self, group: Group) -> None:
        """Steps that wait for nobody follow by themselves, each a root command of its own."""
        while self.root is None and self.state.agenda:
            entry = self.state.agenda[0]
            if waits(Play(self.state, self.content), entry):
                return
            root = self.step_of(self.seq + 1, self.state)
            self._run_root(root, "step", {"do": "step", **entry}, group)

    # Answers ----------------------------------------------------------------------------------

    def _answer(self, command: dict[str, Any], by: str) -> None:
        root = self.root
        if root is None:
            raise Refused("answer.nothing_open")
        number = self._which(root, command)
        ask, group = root.open[number], self.history.done[-1]
        if ask.secret and by not in (f"seat:{ask.to}", *TRUSTED):
            raise Refused("not_yours")
        if "value" not in command:
            raise BadInput("value", "command.missing_field")
        inputs = [*group.inputs, {**command, "number": number}]
        try:
            self._take_answer(root, number, command, "answer")
        except Refused as refusal:
            if refusal.by_hand and self._withdraw(root, refusal.code):
                self._refused[by] = inputs
            raise
        except BadInput as problem:
            if problem.path.partition(".")[0] != "value":  # what was asked for cannot be
                self._withdraw(root, problem.code)
            raise

    def _withdraw(self, root: Root, code: str) -> bool:
        """An answer showed that the command cannot be: the command goes, not only the answer.

        So no question stays open whose true answer is refused; "it happened anyway" then takes
        command and answers all the same. What follows by itself, or showed a secret, stays open.
        Returns whether it went.
        """
        group = self.history.done[-1]
        if root.seq != group.seq or group.secret or group.inputs[0]["do"] == "next":
            return False
        self._ident = None  # the answer was not taken: its id is free
        self._take_back({"do": "undo", "because": code})
        return True

    def _take_answer(self, root: Root, number: int, command: dict[str, Any], kind: str) -> None:
        group = self.history.done[-1]
        trial = root.answered(number, command["value"])
        result = self.execute(trial)
        events = [e.to_json() for e in result.events[root.events :]]
        input = {**command, "do": "answer", "root": root.seq, "number": number}
        input["secret"] = root.open[number].secret
        row = self._commit(kind, input, trial, result, events)
        self.note_answer(row, group)
        self._advance(group)

    def note_answer(self, row: Row, group: Group) -> None:
        """What follows from an answer, or a step closed by hand, that stands."""
        group.inputs.append(row.input)
        group.secret |= bool(row.input.get("secret"))
        self.history.answered(row.kind, row.input)
        self.note(row, group)

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
        """Close the open step, or, when none is open, take what was refused all the same."""
        if self.root is not None:
            self._close(self.root, command, "command")
        elif by in self._refused:
            self._anyway(*self._refused[by])
        else:
            raise Refused("by_hand.nothing")

    def _anyway(self, refused: dict[str, Any], *answers: dict[str, Any]) -> None:
        """The table says that it happened: the command, and the answers that made it refused."""
        self._start(refused, forced=True)
        for answer in answers:
            if self.root is None or answer["number"] not in self.root.open:
                return
            try:
                self._take_answer(self.root, answer["number"], {**answer, "again": True}, "answer")
            except (BadInput, Refused):
                return  # what is forced stands; its question waits for another answer

    def _close(self, root: Root, command: dict[str, Any], kind: str) -> None:
        if any(not ask.by_hand for ask in root.open.values()):
            raise Refused("by_hand.not_this")
        state = self.state.copy()
        unsure = closed_by_hand(Play(state, self.content), root.verb.touches)
        event = Event("by_hand", "", {"step": root.verb.name, "unsure": ", ".join(unsure)})
        row = self._append(
            kind=kind,
            input={**command, "closes": root.seq},
            draws=[],
            events=[event.to_json()],
            state=state.digest(),
            snapshot=None,
        )
        self.state = state
        self.root = None
        group = self.history.done[-1]
        self.note_answer(row, group)
        self._advance(group)

    def _undo(self, command: dict[str, Any], by: str) -> None:
        group = self.history.current
        if group is None:
            raise Refused("undo.too_far" if self.history.forgotten else "undo.nothing")
        if command.get("target") not in (None, group.seq):
            raise Refused("conflict", {"target": group.seq})
        if (
            (group.secret or self.finished)
            and by not in TRUSTED
            and not (by == "host" and command.get("confirm"))
        ):
            raise Refused("undo.secret")
        because = command.get("because")
        if because not in (None, "interruption"):
            raise BadInput("because", "command.unknown_word", {"value": str(because)[:40]})
        if because and not self.interruptible():
            raise Refused("interrupt.nothing", rule="BASE-269")
        if _chosen(group):
            self._take_back({**command, "because": "choice"})
            self._redo()
            return
        self._take_back(command)

    def interruptible(self) -> bool:
        """Whether the last command is an action that another Character of the room may interrupt.

        Interruption cancels an action, whose cost stays paid, or by redo another one (BASE-269).
        """
        group = self.history.current
        if group is None or group.secret or group.inputs[0].get("do") not in ACTIONS:
            return False
        if group.watched is None:
            seats = self.before(group.seq).seats
            actor = group.inputs[0].get("seat")
            room = seats[actor].room if isinstance(actor, int) and actor in seats else None
            others = (p for p in seats.values() if p.seat != actor and p.state == ABOARD)
            group.watched = room is not None and any(p.room == room for p in others)
        return group.watched

    def _take_back(self, command: dict[str, Any]) -> None:
        group = self.history.done[-1]
        before = self.before(group.seq)
        because = command.get("because")
        interrupted = because == "interruption"
        first = group.inputs[0]
        told = {"do": str(first.get("do")), "n": group.draws}
        if isinstance(first.get("seat"), int) and first["do"] in VERBS:
            told["seat"] = first["seat"]
        if because == "choice":
            told = {"do": "answer", "n": self._drawn_since_choice(group)}
        row = self._append(
            kind="undo",
            input={**command, "to": group.seq},
            draws=[],
            events=[
                Event(
                    "interrupted" if interrupted else "undone",
                    "BASE-269 FAQ-A45" if interrupted else "",
                    told,
                    instructions=self._moves_back(group, before),
                ).to_json()
            ],
            state=before.digest(),
            snapshot=None,
        )
        self.state = before
        self.root = None
        self.note_undo(row)

    def _drawn_since_choice(self, group: Group) -> int:
        """How many draws followed the last choice of a setup."""
        rows = [row for row in self.journal.rows(group.seq - 1) if row.seq in group.rows]
        last = max(row.seq for row in rows if "number" in row.input)
        return sum(len(row.draws) for row in rows if row.seq >= last)

    def _moves_back(self, group: Group, before: State) -> tuple[Instruction, ...]:
        """What hands must put back: figures already moved, not those whose move is still due."""
        due = [i for i in self.ledger.open() if row_of(i["id"]) in group.rows]
        waiting = {i["piece"] for i in due}
        if before.phase == "lobby":
            return ()
        listed = {i["piece"] for i in self.ledger.open() if i["step"] == "unpack"}
        now = self.state
        moves = [
            Instruction(person.character, room_zone(person.room), room_zone(was.room))
            for seat, person in sorted(now.seats.items())
            if (was := before.seats[seat]).room != person.room and person.room and was.room
        ]
        figures = self.content.species[before.species].creatures
        moves += [
            Instruction(piece, now.where[piece], zone)
            for piece, zone in sorted(before.where.items())
            if "#" in piece
            and kind_of(piece) in figures
            and now.where[piece] != zone
            and piece not in waiting
        ]
        back = self._markers_back(group, before)
        if listed:
            back = self._list_back(before, listed, waiting | {m.piece for m in moves})
        undone = {(i["piece"], i["to"], i["from"]) for i in due}  # markers by their kinds
        moves += [
            m
            for m in back
            if (kind_of(m.piece), _unboxed(m.source), _unboxed(m.target)) not in undone
        ]
        return tuple(moves)

    def _markers_back(self, group: Group, before: State) -> list[Instruction]:
        """Markers that lie otherwise than before: by what the box holds, and of kinds that it does
        not hold by what hands were told.
        """
        held = {kind for kind in MARKERS if Play(before, self.content).tracks(kind)}
        lay, lie = (
            {
                (kind_of(p), zone)
                for p, zone in state.where.items()
                if kind_of(p) in held and zone != SUPPLY
            }
            for state in (before, self.state)
        )
        told: dict[tuple[str, str], list[bool]] = {}  # by marker and place: whether it came
        rows = self.journal.rows(group.seq - 1) if len(held) < len(MARKERS) else ()
        for event in (e for row in rows if row.seq in group.rows for e in row.events):
            for move in event.get("instructions", ()):
                if move["piece"] in MARKERS and move["piece"] not in held:
                    for zone, came in ((move["from"], False), (move["to"], True)):
                        if zone != SUPPLY:
                            told.setdefault((move["piece"], zone), []).append(came)
        for spot, ways in told.items():
            if ways[0] == ways[-1]:  # else it went where it came from
                (lie if ways[-1] else lay).add(spot)
        return [
            *(Instruction(kind, zone, SUPPLY) for kind, zone in sorted(lie - lay)),
            *(Instruction(kind, SUPPLY, zone) for kind, zone in sorted(lay - lie)),
        ]

    def _list_back(self, before: State, listed: set[str], told: set[str]) -> list[Instruction]:
        """What changes in the open list of a packed game; ``told`` pieces are moved already.

        A line that is not ticked yet changes, or goes; what was ticked is moved by hands.
        """
        was, now = (
            {i.piece: i.target for i in rebuild(Play(state, self.content))}
            for state in (self.state, before)
        )
        lay, lie = (
            {(kind_of(p), at): p for p, at in places.items() if kind_of(p) in MARKERS}
            for places in (now, was)
        )
        moves = [  # one marker is as good as another
            *(Instruction(p, at[1], BOX) for at, p in lie.items() if at not in lay),
            *(Instruction(p, BOX, at[1]) for at, p in lay.items() if at not in lie),
        ]
        return moves + [
            Instruction(piece, was.get(piece, BOX), now.get(piece, BOX))
            for piece in [*now, *(p for p in was if p not in now)]
            if was.get(piece) != now.get(piece)
            and kind_of(piece) not in MARKERS
            and piece not in told
            and (piece in now or piece in listed or ":" not in piece)
        ]

    def note_undo(self, row: Row) -> None:
        """What follows from an undo that stands."""
        group = self.history.undo()
        if row.input.get("because") == "choice":  # all but the last choice is done again at once
            *kept, last = group.inputs
            self.history.undone[-1:] = [Group(group.seq, [last]), Group(group.seq, kept)]
        self.log.undo(group.rows)
        self.ledger.withdraw(group.rows)
        if row.events and row.events[0]["params"].get("do") == "setup":
            self.ledger.checked.clear()
            self.ledger.instructions.clear()  # those of undos before: another game begins
        self.note(row, None)

    def _redo(self) -> None:
        if not self.history.undone:
            raise Refused("redo.nothing")
        inputs = list(self.history.undone[-1].inputs)
        if self.root is not None and self.history.undone[-1].choice not in self.root.open:
            raise Refused("prompt_open")
        for input in inputs:
            again = {k: v for k, v in input.items() if k != "closes"}
            self._repeat(again, "redo")

    def _ledger(self, command: dict[str, Any]) -> None:
        ledger = self.ledger.copy()
        if command["do"] == "tick":
            ready = self.state.phase not in ("lobby", "setup")
            steps = checklist(Play(self.state, self.content)) if ready else ()
            ledger.knows(command, [task.id for task in steps])
        ledger.apply(command)
        events = [self._rebuilt().to_json()] if command["do"] == "unpack" else []
        phone = command.get("phone")
        if command["do"] == "join" and command.get("by") == "device" and phone in PHONES:
            events = [Event(PHONES[phone], "", {"seat": command["seat"]}).to_json()]
        row = self._append(
            kind="ledger",
            input=command,
            draws=[],
            events=events,
            state=self.state.digest(),
            snapshot=None,
        )
        self.ledger = ledger
        if events:
            self.note(row, None)

    def _rebuilt(self) -> Event:
        """Every open piece from the box to its place; the game itself stays as it is."""
        if self.state.phase == "lobby":
            raise Refused("not_set_up")
        moves = tuple(rebuild(Play(self.state, self.content)))
        return Event("unpacked", "", {"n": len(moves)}, instructions=moves)

    def before(self, seq: int) -> State:
        """The state before a root's row. Fault when the journal does not hold it any more."""
        snapshot = self.journal.snapshot(seq)
        if snapshot is None:
            raise Fault("journal", "journal.no_snapshot", temporary=False)
        return State.from_json(snapshot)


def _unboxed(zone: str | None) -> str | None:
    """The place of a zone as rules name it: what is in the box lies in the supply for them."""
    return SUPPLY if zone == BOX else place_of(zone)


def _chosen(group: Group) -> bool:
    """Whether a setup waited for choices (the draft): each of them is one undo of its own."""
    first, *answers = group.inputs
    return first["do"] == "setup" and bool(answers) and answers[-1]["do"] == "answer"


def _mark(command: Mapping[str, Any]) -> str:
    """Tells one command from another under the same id; the page it came from may have gone on."""
    told = {k: v for k, v in command.items() if k not in ("id", "base")}
    return digest_of(json.dumps(told, sort_keys=True, default=str))


def _until_ended(steps: Steps) -> Steps:
    """The end of the game interrupts whatever is running (BASE-360)."""
    try:
        yield from steps
    except Ended:
        return
