"""A state machine plays whole games with every command; ten things hold whatever it does.

1. No piece is made or lost.  2. A replay, a snapshot with what follows, and the running game are
the same.  3. and 4. Nobody's page changes by a byte when only another seat's secret is another.
5. The numbers of every stream follow each other, and who was away sees what everybody sees.
6. Undo and redo come out the same; the log only grows; the chain holds.  7. One id has one
effect, and what is stale has none.  8. What is refused changes nothing.  9. Draws are even, and
the envelope opens.  10. Wherever writing fails, the table is what its journal says.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from companion.bench.evening import Evening, game
from companion.bench.invariants import picture
from companion.bench.play import Command, Dice
from companion.game import BadInput, Chance, Fault, Refused
from companion.game.state import BOTTOM, DECK, DISCARD, REMOVED, canonical, natural
from companion.library import load_content
from companion.rules import VERBS
from companion.table import redact, views
from companion.table.chain import breaks
from companion.table.fairness import SECRET, SealedChance, commitment
from companion.table.journal import MemoryJournal
from companion.table.ledger import LEDGER_VERBS
from companion.table.session import AUDIENCES, Listener, Session
from companion.table.table import Table

CONTENT = load_content()
#: Commands of the table itself, each with a rule of its own below.
#: Small examples are found from the start; making them smaller takes minutes.
PHASES = (Phase.explicit, Phase.generate)
OTHERS = ("answer", "by_hand", "next", "redo", "undo")
TIMELESS = ("at", "hash", "previous")
TWINS: Counter[str] = Counter()  # how often each kind of secret was another


class Drawn(Dice):
    """Chances that Hypothesis picks, and makes small: 0 and "no" are simplest."""

    def __init__(self, data: st.DataObject) -> None:
        self._data = data

    def chance(self, share: float) -> bool:
        return bool(self._data.draw(st.integers(0, 99)) >= 100 - 100 * share)

    def below(self, limit: int) -> int:
        return int(self._data.draw(st.integers(0, limit - 1)))


#: What may be another in a twin: the objectives of a seat, or what lies face down for everybody.
FACE_DOWN = ("engine", "coordinates", "weakness", "tile", "exploration", "event", "attack")
Vary = int | str | None


class Otherwise:
    """The same chance with two outcomes of some purposes exchanged, pair by pair in ``swap``.

    ``order`` is how the draws of these purposes list their options.
    """

    def __init__(
        self,
        inner: SealedChance,
        purposes: Sequence[str],
        swap: Mapping[str, str],
        order: Sequence[str],
    ) -> None:
        self._inner = inner
        self._purposes = purposes
        self._swap = swap
        self._order = {option: place for place, option in enumerate(order)}

    def pick(
        self, purpose: str, options: Sequence[str], *, epoch: int, count: int, key: str
    ) -> Any:
        if purpose not in self._purposes:
            return self._inner.pick(purpose, options, epoch=epoch, count=count, key=key)
        real = sorted((self._swap.get(o, o) for o in options), key=self._order.__getitem__)
        found = self._inner.pick(purpose, real, epoch=epoch, count=count, key=key)
        return self._swap.get(found, found)


class Twin:
    """A second game in which one secret is another: ``vary`` names a seat, or what lies face down.

    LookupError when this game has no such secret.
    """

    def __init__(self, live: Table, vary: int | str) -> None:
        self.vary = vary
        self.swap: dict[str, str] = {}
        self.knows: set[int] = set()  # seats that may tell the two games apart
        if isinstance(vary, int):
            self.knows, purposes = {vary}, ["objective"]
            order = self._other_objectives(live, vary)
        else:
            purposes = [vary, f"{vary}_choice"]
            order, pair = face_down(live, vary)
            self.swap = {pair[0]: pair[1], pair[1]: pair[0]}
        journal = MemoryJournal(dict(live.journal.header))
        journal.keep(SECRET, live.journal.kept(SECRET))
        name = str(live.journal.header["game"])
        self._source = Otherwise(SealedChance(journal, name), purposes, self.swap, order)
        self.table = Table(CONTENT, journal, self._source)
        for row in live.journal.rows():
            if row.seq > self.table.seq:
                self.table.repeat(row)
        self.seen = 0
        self.shown(live)

    def _other_objectives(self, live: Table, seat: int) -> list[str]:
        held = live.state.seats[seat].objectives
        dealt = {o for p in live.state.seats.values() for o in p.objectives}
        players = len(live.state.seats)
        known = CONTENT.objectives
        if not held or live.state.coop or live.state.seats[seat].kept is not None:
            raise LookupError(seat)
        for card in held:
            other = next(
                o.id
                for _, o in sorted(known.items())
                if o.deck == known[card].deck
                and o.min_players <= players
                and o.id not in {*dealt, *self.swap}
            )
            self.swap |= {card: other, other: card}
        return sorted(known)

    def shown(self, live: Table) -> bool:
        """Whether everybody sees by now what is another in this game; who was shown it, knows."""
        for table in (live, self.table):
            for row in table.journal.rows(self.seen):
                for event in row.events:
                    if event["type"] == "seen" and self.vary in FACE_DOWN:
                        self.knows |= {int(seat) for seat in event["to"]}
                    if event["type"] in ("objective_turned", "verdict_spared"):
                        return True
            # what lies face down decides the end; objectives stay secret until one is turned
            if table.state.phase == "lobby" or table.finished:
                return True
            if table.state.phase == "over" and self.vary in FACE_DOWN:
                return True
            if self.vary in FACE_DOWN and open_now(table, str(self.vary), set(self.swap)):
                return True
        self.seen = live.seq
        if self.vary in ("event", "attack") and live.state.intruder_seat is not None:
            self.knows.add(live.state.intruder_seat)  # who chooses among several cards
        return False

    def reopen(self) -> None:
        """A table opened again remembers no refusal that could still happen anyway."""
        self.table = Table(CONTENT, self.table.journal, self._source)

    def take(self, command: Command) -> str | None:
        """Give it the same command; the code of a refusal."""
        value = command.get("value")
        if isinstance(value, str):
            command = {**command, "value": self.swap.get(value, value)}
        try:
            self.table.command(command)
        except (Refused, BadInput) as problem:
            return problem.code
        return None

    def compare(self, live: Table) -> None:
        """Nobody but the seat itself can tell the two games apart: page, log and export."""
        assert self.table.seq == live.seq
        for audience in AUDIENCES:
            if audience not in {f"seat:{seat}" for seat in self.knows}:
                mine, theirs = views.view(live, audience), views.view(self.table, audience)
                assert canonical(mine) == canonical(theirs), audience
        after = live.seq - 1
        for row, copy in zip(live.journal.rows(after), self.table.journal.rows(after), strict=True):
            assert _told(redact.row(row)) == _told(redact.row(copy))


def face_down(table: Table, what: str) -> tuple[list[str], tuple[str, str]]:
    """What may lie face down, as draws list it, and two of it that nobody has seen.

    LookupError when the box does not hold it here.
    """
    state = table.state
    hidden = state.hidden
    if what == "engine" and hidden.get("engines"):
        return ["working", "damaged"], ("working", "damaged")
    if what == "coordinates" and hidden.get("coordinates"):
        cards = CONTENT.games[state.game].coordinates
        held = cards.index(tuple(hidden["coordinates"].values()))
        numbers = [str(n) for n in range(1, len(cards) + 1)]
        return numbers, (numbers[held], numbers[held - 1])
    if what == "weakness" and hidden.get("weaknesses") and not state.weaknesses:
        known = list(CONTENT.species[state.species].weaknesses)
        slots = list(hidden["weaknesses"].values())
        return known, (slots[0], next(w for w in known if w not in slots))
    if what == "tile" and state.truth.get("tiles") == "digital":
        tiles = list(CONTENT.tiles)
        seen = set(state.tiles.values())
        left = [t for t in tiles if CONTENT.tiles[t].kind == "2" and t not in seen]
        return tiles, (left[0], left[-1])
    if what == "exploration" and state.truth.get("exploration") == "digital":
        left = state.cards("exploration", DECK)
        return natural(CONTENT.explorations), (left[0], left[-1])
    if what in ("event", "attack") and state.truth.get(what) == "digital":
        left = state.cards(what, DECK)
        everything = [
            c for zone in (DECK, BOTTOM, DISCARD, REMOVED) for c in state.cards(what, zone)
        ]
        return natural(everything), (left[0], left[-1])
    raise LookupError(what)


def open_now(table: Table, what: str, swapped: set[str]) -> bool:
    """Whether one of these lies open on this table, or did."""
    state = table.state
    match what:
        case "weakness":
            return bool(swapped & set(state.weaknesses.values()))
        case "tile":
            return bool(swapped & set(state.tiles.values()))
        case "exploration":
            return bool(swapped - set(state.cards("exploration", DECK)))
        case "event" | "attack":
            return bool(swapped - {*state.cards(what, DECK), *state.cards(what, BOTTOM)})
    return False


def _told(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in TIMELESS}


class Machine(RuleBasedStateMachine):
    """One game after the other; each verb is a rule, made below. ``vary`` is the twin's secret."""

    vary: Vary = None

    def __init__(self) -> None:
        super().__init__()
        self.evening = Evening(CONTENT, 0, None)
        self.made = 0
        self.taken = False  # the last command stands and can be undone
        self.twin: Twin | None = None
        self.old: list[str] = []  # prompts that were open once
        self.listeners: dict[str, Listener] = {}
        self.numbers: dict[str, int] = {}
        self._watch()

    @property
    def table(self) -> Table:
        return self.evening.table

    @property
    def asked(self) -> bool:
        return self.table.root is not None

    @property
    def playing(self) -> bool:
        return self.table.state.phase not in ("lobby", "over") and not self.asked

    def _watch(self) -> None:
        self.session = Session(self.table)
        self.listeners = {a: self.session.listen(a) for a in AUDIENCES}
        self.numbers = {a: self.session.view(a)[0] for a in AUDIENCES}

    def _player(self, data: st.DataObject) -> Any:
        self.evening.player.dice = Drawn(data)
        return self.evening.player

    def give(self, command: Command) -> bool:
        """One command for the game and its twin."""
        self.made += 1
        command = {"by": "table", "id": f"m{self.made}", **command}
        self.old = [*self.old[-9:], *self.table.prompts()]
        self.taken = self.evening.take(command)
        if self.twin is not None:
            code = self.twin.take(command)
            assert (code is None) == self.taken, (command, code)
        self._follow()
        return self.taken

    def _follow(self) -> None:
        """Streams go on, and the twin with them as long as its secret is one."""
        self.session._publish()
        for audience, before in self.numbers.items():
            now = self.session.view(audience)[0]
            assert now - before in (0, 1), (audience, before, now)
            self.numbers[audience] = now
        if self.twin is not None and self.twin.shown(self.table):
            self.twin = None
        if self.twin is not None:
            self.twin.compare(self.table)
        elif self.vary is not None and self.table.state.phase == "player" and not self.asked:
            with suppress(LookupError):
                self.twin = Twin(self.table, self.vary)
                TWINS[str(self.vary)] += 1
                self.twin.compare(self.table)
            self.vary = None

    # Beginning, and what people do -----------------------------------------------------------

    @initialize(data=st.data())
    def begin(self, data: st.DataObject) -> None:
        setup = self._player(data).setup()
        if self.vary is not None:
            setup |= {"digital": True, "truth": {}}
        if isinstance(self.vary, int):  # somebody must sit there, with objectives of their own
            setup |= {"players": ["captain", "scout", "soldier"], "coop": False}
        self.give(setup)

    @precondition(lambda self: self.asked)
    @rule(data=st.data())
    def answer(self, data: st.DataObject) -> None:
        ident, ask = data.draw(st.sampled_from(list(self.table.prompts().items())))
        by = "table" if ask.to == "any" else f"seat:{ask.to}"
        value = self._player(data).answer(ask)
        self.give({"do": "answer", "by": by, "prompt": ident, "value": value})

    @precondition(lambda self: self.asked)
    @rule(data=st.data())
    def answer_the_next(self, data: st.DataObject) -> None:
        self.answer(data)

    @precondition(lambda self: self.table.state.agenda and not self.asked)
    @rule()
    def next(self) -> None:
        self.give({"do": "next"})

    @precondition(lambda self: self.table.state.agenda and not self.asked)
    @rule(data=st.data(), steps=st.integers(1, 8))
    def event_phase_goes_on(self, data: st.DataObject, steps: int) -> None:
        """Many steps in a row, or no event phase would ever come to its end."""
        for _ in range(steps):
            if self.asked:
                self.answer(data)
            elif self.table.state.agenda:
                self.next()

    @precondition(lambda self: self.table.state.agenda and not self.asked)
    @rule(data=st.data())
    def event_phase_to_its_end(self, data: st.DataObject) -> None:
        self.event_phase_goes_on(data, 30)

    @precondition(lambda self: self.playing and self.made > 25)
    @rule(data=st.data())
    def the_game_ends(self, data: st.DataObject) -> None:
        """Verdicts, and the table's own word about one of them."""
        self.give({"do": "game_end"})
        self.event_phase_to_its_end(data)
        if self.table.state.verdicts and not self.asked:
            self.give(self._player(data).verb(self.table, "judge"))

    @rule()
    def by_hand(self) -> None:
        self.give({"do": "by_hand"})

    @rule(by=st.sampled_from(["table", "host", "scenario"]))
    def undo(self, by: str) -> None:
        confirm = {"confirm": True} if by == "host" else {}
        self.give({"do": "undo", "by": by, **confirm})

    @rule()
    def redo(self) -> None:
        self.give({"do": "redo"})

    @rule(data=st.data(), do=st.sampled_from(LEDGER_VERBS))
    def beside(self, data: st.DataObject, do: str) -> None:
        player = self._player(data)
        given: Command = {
            "join": {"seat": 1 + player.dice.below(6), "present": player.dice.chance(0.5)},
            "ignore": {"difference": "d:adult#1:006"},
            "statistics": {"by": player.dice.one(["host", "table"]), "on": True},
            "note": {"text": "a note"},
            "unpack": {},
            "tick": {k: v for k, v in player.verb(self.table, "tick").items() if k != "by"},
        }[do]
        self.give({"do": do, **given})

    @rule(data=st.data())
    def wrong(self, data: st.DataObject) -> None:
        self.give({"by": "table", **self._player(data).wrong(self.table)})

    @precondition(lambda self: self.table.state.phase != "lobby")
    @rule(data=st.data(), do=st.sampled_from(sorted(VERBS)))
    def at_any_moment(self, data: st.DataObject, do: str) -> None:
        self.give(self._player(data).verb(self.table, do))

    @precondition(lambda self: self.old)
    @rule(data=st.data())
    def stale(self, data: st.DataObject) -> None:
        """An answer to a question that is no more changes nothing."""
        prompt = data.draw(st.sampled_from(self.old))
        if prompt not in self.table.prompts():
            before = picture(self.table)
            assert not self.give({"do": "answer", "prompt": prompt, "value": True})
            assert picture(self.table) == before

    @precondition(lambda self: self.taken and self.twin is None and self.table.undoable())
    @rule()
    def there_and_back(self) -> None:
        if self.evening._taken[0]["do"] not in ("undo", "redo"):
            self.evening.there_and_back()
            self.session._publish()
            self.numbers = {a: self.session.view(a)[0] for a in AUDIENCES}

    # The box ---------------------------------------------------------------------------------

    @rule()
    def reopen(self) -> None:
        self.evening.reopen()
        if self.twin is not None:
            self.twin.reopen()
        self._watch()

    @precondition(lambda self: self.table.state.phase != "lobby")
    @rule(data=st.data(), writes=st.integers(0, 3), after=st.booleans())
    def power_fails(self, data: st.DataObject, writes: int, after: bool) -> None:
        """The journal fails at the n-th row, before or after it is on disk: the table is what
        the journal says, in memory and when it is opened again, and goes on from there."""
        command = {**self._player(data).command(self.table), "id": f"crash{self.made}"}
        self.made += 1
        journal, write = self.table.journal, self.table.journal.append
        seq, before, left = self.table.seq, picture(self.table), [writes]

        def fail(**row: Any) -> Any:
            left[0] -= 1
            if left[0] < 0 and not after:
                raise Fault("journal", "journal.full", temporary=True)
            written = write(**row)
            if left[0] < 0:
                raise Fault("journal", "journal.full", temporary=True)
            return written

        journal.append = fail  # type: ignore[method-assign]
        failed = False
        try:
            self.table.command(command)
        except (Refused, BadInput):
            pass
        except Fault:
            failed = True
        del journal.append
        if failed and not after:
            expected = before if self.table.seq == seq else picture(self.table)
            assert picture(self.table) == expected
        self.evening.table = Table(CONTENT, journal, SealedChance(journal, game(0)))
        if failed and not after:
            assert picture(self.table) == expected
        self.table.go_on()
        last = journal.last
        assert last is not None
        assert last.state == self.table.state.digest()
        if journal.known(command["id"]):  # not after a refused answer that withdrew its command
            known = self.table.command(command)
            assert known["status"] == "already"
        self.evening.settle()
        self.twin, self.vary, self.taken = None, None, False
        self._watch()

    @rule(audience=st.sampled_from(AUDIENCES))
    def wakes(self, audience: str) -> None:
        """A page that slept sees what it would have seen."""
        self.listeners[audience].get(0)
        number, view = self.session.view(audience)
        assert number == self.numbers[audience]
        fresh = views.view(self.table, audience)
        assert {k: view[k] for k in fresh if k not in ("parts", "differences")} == {
            k: v for k, v in fresh.items() if k not in ("parts", "differences")
        }

    @invariant()
    def the_chain_holds(self) -> None:
        rows = list(self.table.journal.rows(self.table.seq - 2))
        if len(rows) == 2:
            assert list(breaks(self.table.journal.header, rows[1:], rows[0])) == []

    def teardown(self) -> None:
        journal = self.table.journal
        assert list(breaks(journal.header, journal.rows())) == []
        self.evening.replay()
        if self.table.finished:
            seal = views.view(self.table, "table")["seal"]
            assert commitment(bytes.fromhex(seal["secret"])) == journal.header["commitment"]


def _verb(name: str) -> Callable[..., None]:
    def give(self: Machine, data: st.DataObject) -> None:
        self.give(self._player(data).verb(self.table, name))

    give.__name__ = f"verb_{name}"

    def now(self: Machine) -> bool:
        if name == "setup":
            return self.table.state.phase == "lobby"
        if name == "judge":
            return bool(self.table.state.verdicts) and not self.asked
        return self.playing and not self.table.state.agenda

    playing: Any = precondition(now)
    made: Callable[..., None] = playing(rule(data=st.data())(give))
    return made


for _name in VERBS:
    setattr(Machine, f"verb_{_name}", _verb(_name))


def test_no_command_is_left_out() -> None:
    rules = {made.function.__name__ for made in Machine.setup_state().rules}
    assert {f"verb_{name}" for name in VERBS} <= rules
    assert set(OTHERS) <= rules
    for name in ("beside", "reopen", "power_fails", "there_and_back", "wakes", "stale"):
        assert name in rules


def play(vary: Vary, examples: int, steps: int) -> None:
    """Games in which a twin has this secret other; fails when none came so far."""
    before = TWINS[str(vary)]
    run_state_machine_as_test(  # type: ignore[no-untyped-call]
        type(f"With_{vary}", (Machine,), {"vary": vary}),
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            derandomize=True,
            database=None,
            phases=PHASES,
            suppress_health_check=list(HealthCheck),
        ),
    )
    assert vary is None or TWINS[str(vary)] > before


@pytest.mark.parametrize("vary", [None, 1, 3, *FACE_DOWN])
def test_whole_games_hold(vary: Vary) -> None:
    play(vary, 3, 30)


@pytest.mark.slow
@pytest.mark.parametrize("vary", [None, 1, 2, 3, *FACE_DOWN])
def test_many_whole_games_hold(vary: Vary) -> None:
    play(vary, 40, 120)


@pytest.mark.parametrize("size", [2, 6, 10, 27])
def test_draws_are_even(size: int) -> None:
    """Chi-square over fixed seeds: far below what one game in a million would show."""
    draws = 200 * size
    found: Counter[int] = Counter()
    for n in range(draws):
        seed = hashlib.sha256(f"even {n % 40}".encode()).digest()
        found[Chance(seed).index(size, "bag", 0, n // 40, "a move")] += 1
    even = draws / size
    chi = sum((found[face] - even) ** 2 / even for face in range(size))
    free = size - 1
    assert chi < free + 5 * (2 * free) ** 0.5 + 15
