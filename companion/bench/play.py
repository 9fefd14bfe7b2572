"""A player for tests and benchmarks: whole games with every verb, mostly sensible, sometimes wrong.

Everything it does follows from one number, on any Python and under any hash seed.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from companion.game import Ask, Person
from companion.game.state import BAG, DEAD, OBJECTS, SUPPLY, kind_of, value_of
from companion.library.model import Content
from companion.rules import VERBS, Play
from companion.rules.fresh import offers
from companion.rules.rooms import actions_in
from companion.rules.species import strategy
from companion.rules.tables import PRESETS
from companion.rules.verbs import Arg
from companion.rules.verdicts import JUDGED
from companion.table.table import Table

T = TypeVar("T")
Command = dict[str, Any]

#: How often each verb is tried between questions, of those that a game in play can take.
WEIGHTS: dict[str, int] = {
    "move": 300,
    "event_phase": 60,
    "noise_roll": 20,
    "end_turn": 20,
    "injure": 45,
    "undo": 22,
    "redo": 22,
    "tick": 25,
    "place": 25,
    "rearrange": 25,
    "by_hand": 25,
    "pod": 25,
    "pick_up": 45,
    "put_down": 25,
    "hibernate": 70,
    "tracking": 12,
    "truth": 20,
    "door": 20,
    "kill": 20,
    "bag_development": 15,
    "card": 60,
    "death": 7,
    "self_destruct": 16,
    "repair": 60,
    "study": 30,
    "forget": 60,
    "hand_over": 40,
    "peek": 20,
    "reveal": 20,
    "larva": 20,
    "slime": 20,
    "state": 12,
    "contaminate": 8,
    "wound": 14,
    "setup": 2,
    "intruder_action": 60,
    "room_action": 90,
    "game_end": 1,
}
USUAL = 10
#: The same for what only one species knows; elsewhere it is refused by name, and seldom tried.
OWN: dict[str, dict[str, int]] = {
    "carnomorphs": {"mutate": 60, "mutation": 60, "mutation_action": 150},
    "void_seeders": {"insanity": 50, "panic": 60},
}

#: What lies on the board and may lie elsewhere than it is held.
SHIFTED = ("fire", "malfunction", *OBJECTS, "noise", "door")


class Dice:
    """Random numbers that depend on the seed and nothing else."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed).random

    def chance(self, share: float) -> bool:
        """True in this share of cases (0-1)."""
        return self._random() < share

    def below(self, limit: int) -> int:
        """0 … limit-1."""
        return int(self._random() * limit)

    def one(self, choices: Sequence[T]) -> T:
        """One of several."""
        return choices[self.below(len(choices))]

    def some(self, choices: Sequence[T], share: float = 0.5) -> list[T]:
        """Each with this chance."""
        return [c for c in choices if self.chance(share)]

    def weighted(self, weights: Mapping[T, int]) -> T:
        """A key, by its weight."""
        mark = self.below(sum(weights.values()))
        for choice, weight in weights.items():
            mark -= weight
            if mark < 0:
                return choice
        raise AssertionError


class Player:
    """Chooses one command after the other.

    ``preset`` fixes what the table holds; ``setup`` is added to every setup command.
    """

    def __init__(
        self,
        content: Content,
        seed: int,
        *,
        preset: str | None = None,
        setup: Command | None = None,
    ) -> None:
        self.dice = Dice(seed)
        self._content = content
        self._preset = preset
        self._setup = dict(setup or {})
        self._seed = seed
        self._made = 0
        self._undone = False
        self._refused_by: str | None = None
        self._special: dict[str, Callable[[Table], Command | None]] = {
            "setup": lambda _: self.setup(),
            "move": self._move,
            "injure": self._injure,
            "kill": self._target,
            "retreat": self._target,
            "place": self._place,
            "remove": self._remove,
            "rearrange": self._rearrange,
            "shift": self._shift,
            "pick_up": self._pick_up,
            "put_down": self._put_down,
            "hand_over": self._hand_over,
            "search": self._search,
            "study": self._study,
            "pass": self._pass,
            "door": self._door,
            "tracking": self._tracking,
            "truth": lambda _: self._truth(),
            "judge": self._judge,
            "pod": self._pod,
            "bag": self._bag,
            "reveal": self._reveal,
            "switch": lambda _: self._switch(),
            "panic": self._of_somebody("panic"),
            "mutate": self._of_somebody("mutate"),
            "forget": self._forget,
            "state": self._state,
            "room_action": self._room_action,
            "repair": self._repair,
            "card": self._card,
            "event_phase": lambda t: self._event_phase(t),
            "tick": self._tick,
            "intruder_action": self._intruder_action,
        }
        alien = {name for own in OWN.values() for name in own}
        self._weights = {
            name: 1 if name in alien else WEIGHTS.get(name, USUAL) for name in sorted(VERBS)
        }
        for name in ("undo", "redo", "tick", "by_hand"):
            self._weights[name] = WEIGHTS[name]

    def command(self, table: Table) -> Command:
        """The next command for this table, with a fresh id."""
        made = self._choose(table)
        self._refused_by = None
        self._made += 1
        self._undone = made["do"] == "undo"
        return {"id": f"{self._seed}-{self._made}", **made}

    def refused(self, command: Command) -> None:
        """Learn that a command was refused with the offer "it happened anyway"."""
        self._refused_by = str(command.get("by", "table"))

    def setup(self) -> Command:
        """A game for one to five, at some preset, with some truths in the box."""
        dice = self.dice
        characters = sorted(self._content.characters)
        count = 1 + dice.below(5)
        chosen: list[str] = []
        while len(chosen) < count:
            character = dice.one(characters)
            if character not in chosen:
                chosen.append(character)
        command: Command = {
            "do": "setup",
            "by": "table",
            "players": [{"character": c, "number": n} for n, c in enumerate(chosen, start=1)],
            "preset": self._preset or dice.one(sorted(PRESETS)),
            "digital": dice.chance(0.4),
        }
        if dice.chance(0.25):
            command["board"] = "nemesis/advanced"
        if count > 1 and dice.chance(0.3):
            command[dice.one(["coop", "intruder_player", "intruder_player"])] = True
        command.update(self._setup)
        if not strategy(command.get("species", "intruders")).by_player:
            command.pop("intruder_player", None)
        if command["digital"]:  # also decks that a real table would hold: both ways are played
            own = strategy(command.get("species", "intruders")).truth
            command["truth"] = dict.fromkeys(("weaknesses", *own), "digital")
        if dice.chance(0.4):
            hands = dice.some(["bag", "event", "attack", "pods"], 0.4)
            command["truth"] = {**command.get("truth", {}), **dict.fromkeys(hands, "physical")}
        return command

    # Which command ------------------------------------------------------------------------------

    def _choose(self, table: Table) -> Command:
        dice, state = self.dice, table.state
        if state.phase == "lobby" and table.root is None:
            return self.beside() if dice.chance(0.2) else self.setup()
        if self._refused_by is not None and dice.chance(0.4):
            return {"do": "by_hand", "by": self._refused_by}
        if self._undone and dice.chance(0.6):
            return {"do": "redo", "by": "table"}
        if dice.chance(0.03):
            return self.beside()
        if dice.chance(0.03):
            return self.wrong(table)
        if table.root is not None:
            return self._in_question(table)
        if self._judged(table) and dice.chance(0.6):
            return self.verb(table, "judge")
        if state.agenda and dice.chance(0.75):
            return {"do": "next", "by": "table"}
        somebody = state.intruder_player and not any(p.state == DEAD for p in state.seats.values())
        if somebody and dice.chance(0.25):
            return self.verb(table, "death")  # only the eliminated may play the Intruders
        if state.intruder_seat is not None and dice.chance(0.3):
            return self.verb(table, "intruder_action")
        verb = dice.weighted({**self._weights, **OWN.get(state.species, {})})
        return self.verb(table, verb)

    def verb(self, table: Table, verb: str) -> Command:
        """A command of this verb, mostly fitting; another when none fits now."""
        if verb == "undo":
            return {"do": "undo", "by": "scenario" if self.dice.chance(0.8) else "table"}
        if verb in self._special:
            made = self._special[verb](table)
            return made if made is not None else self._move(table)
        if verb in VERBS:
            return self._generic(table, verb)
        return {"do": verb, "by": "table"}

    def _in_question(self, table: Table) -> Command:
        dice = self.dice
        if dice.chance(0.03):
            return {"do": "by_hand", "by": "table"}
        if dice.chance(0.03):
            return {"do": "undo", "by": "scenario"}
        ident, ask = dice.one(list(table.prompts().items()))
        by = "table" if ask.to == "any" else f"seat:{ask.to}"
        return {"do": "answer", "by": by, "prompt": ident, "value": self.answer(ask)}

    def answer(self, ask: Ask) -> Any:
        """A fitting answer: often the prefilled one, sometimes another."""
        dice = self.dice
        if ask.pieces is not None:
            if dice.chance(0.85):
                return True
            piece = dice.one(ask.pieces) if ask.pieces else None
            place = None if dice.chance(0.3) else dice.one(ask.options).id
            return {piece: place} if piece else True
        if ask.multiple:
            if ask.prefill is not None and dice.chance(0.8):
                return True
            return [o.id for o in dice.some(ask.options, 0.3)]
        match ask.kind:
            case "yes_no":
                return dice.chance(0.35)
            case "confirm":
                return True
        return dice.one(ask.options).id if ask.options else True

    def beside(self) -> Command:
        """A command that touches no rule: people, notes, ticks."""
        dice = self.dice
        seat = 1 + dice.below(5)
        by = f"seat:{seat}"
        return dice.one(
            [
                {"do": "join", "by": by, "seat": seat, "name": f"P{dice.below(9)}"},
                {"do": "join", "by": by, "seat": seat, "present": dice.chance(0.5)},
                {"do": "note", "by": by, "text": f"note {dice.below(100)}"},
                {"do": "ignore", "by": by, "difference": f"d:adult#{1 + dice.below(8)}:006"},
                {"do": "tick", "by": by, "instruction": "all"},
                {"do": "statistics", "by": "host", "on": dice.chance(0.5)},
                {"do": "unpack", "by": by},
            ]
        )

    def wrong(self, table: Table) -> Command:
        """Something that no table should take, or that comes at a bad moment."""
        dice = self.dice
        playing = table.state.phase != "lobby"
        return dice.one(
            [
                {"do": "move", "seat": 1 + dice.below(9), "to": "000"},
                {"do": "move", "seat": -1, "to": "006"},
                {"do": "move", "seat": 1, "to": "006", "via": "010-011"},
                {"do": "wound", "seat": 1, "count": 10**6},
                {"do": "answer", "prompt": "p999999.1", "value": True},
                {"do": "answer", "value": {"nothing": "here"}},
                {"do": "next", "step": "fire"},
                {"do": "undo", "target": 10**6},
                {"do": "tick", "instruction": "i999999.1"},
                {"do": "fly"},
                {"do": "setup", "players": []},
                {"do": "bag", "token": "queen#9", "to": "in"},
                {"do": "door", "corridor": "006", "state": "closed"},
                {"do": "event_phase", "step": "nothing"},
                {"do": "join", "seat": 6},
                self.verb(table, dice.one(sorted(VERBS))) if playing else {"do": "event_phase"},
            ]
        )

    # Arguments ----------------------------------------------------------------------------------

    def _generic(self, table: Table, name: str) -> Command:
        command: Command = {"do": name, "by": "table"}
        for arg_name, arg in VERBS[name].args.items():
            if arg.required or self.dice.chance(0.3):
                command[arg_name] = self._value(table, arg)
        return command

    def _value(self, table: Table, arg: Arg) -> Any:
        dice = self.dice
        board = Play(table.state, self._content).board
        match arg.kind:
            case "seat":
                people = self._people(table) or list(table.state.seats.values())
                return dice.one(people).seat if people else 1 + dice.below(5)
            case "room":
                return dice.one(sorted(board.rooms))
            case "corridor":
                return dice.one(sorted(board.corridors))
            case "space":
                return dice.one([*sorted(board.rooms), *sorted(board.corridors)])
            case "flag":
                return dice.chance(0.6)
            case "count":
                return 1 + dice.below(2)
            case "piece":
                return dice.one(sorted(table.state.where))
        return dice.one(arg.words) if arg.words else "none"

    def _card(self, table: Table) -> Command | None:
        """A card or Item, now and then one that cancels what has just happened."""
        play = Play(table.state, self._content)
        offered = offers(play)
        if offered and self.dice.chance(0.5):
            one = self.dice.one(offered)
            return {"do": "card", "by": "table", "seat": one["seat"], "card": one["card"]}
        people = self._people(table)
        if not people:
            return None
        person = self.dice.one(people)
        cards = [
            c.id
            for c in self._content.cards.values()
            if c.character in ("", person.character) or self.dice.chance(0.05)
        ]
        return {"do": "card", "by": "table", "seat": person.seat, "card": self.dice.one(cards)}

    def _people(self, table: Table) -> list[Person]:
        return [p for _, p in sorted(table.state.seats.items()) if p.state == "aboard" and p.room]

    def _minis(self, table: Table) -> list[str]:
        return Play(table.state, self._content).intruders()

    def _move(self, table: Table) -> Command:
        dice = self.dice
        board = Play(table.state, self._content).board
        people = self._people(table)
        if not people:
            return {"do": "event_phase", "by": "table"}
        person = dice.one(people)
        assert person.room
        command: Command = {"do": "move", "by": f"seat:{person.seat}", "seat": person.seat}
        command["to"] = dice.one(board.neighbours(person.room))
        if dice.chance(0.15):
            command["careful"] = True
        elif dice.chance(0.06):
            command["technical"] = True
            command["to"] = dice.one(sorted(board.rooms))
        elif dice.chance(0.04):
            command["cancel"] = True
        return command

    def _injure(self, table: Table) -> Command | None:
        minis = self._minis(table)
        if not minis:
            return None
        command: Command = {"do": "injure", "by": "table", "intruder": self.dice.one(minis)}
        if self.dice.chance(0.5):
            command["hits"] = self.dice.below(3)
        return command

    def _target(self, table: Table) -> Command | None:
        minis = self._minis(table)
        if not minis:
            return None
        do = "kill" if self.dice.chance(0.5) else "retreat"
        return {"do": do, "by": "table", "intruder": self.dice.one(minis)}

    def _place(self, table: Table) -> Command:
        dice = self.dice
        kinds = ["larva", "creeper", "adult", "breeder", "queen", "egg", "carcass", "corpse_red"]
        pieces = [*kinds, *kinds, "fire", "malfunction", *self._minis(table)]
        pieces += [p.character for p in self._people(table)]
        board = Play(table.state, self._content).board
        if dice.chance(0.2):
            return {"do": "place", "piece": "noise", "to": dice.one(sorted(board.corridors))}
        return {"do": "place", "piece": dice.one(pieces), "to": dice.one(sorted(board.rooms))}

    def _remove(self, table: Table) -> Command | None:
        lying = [
            p
            for p, zone in sorted(table.state.where.items())
            if zone.startswith(("room:", "corridor:")) and kind_of(p) != "door"
        ]
        if not lying:
            return None
        piece = self.dice.one(lying)
        if kind_of(piece) in ("noise", "fire", "malfunction"):
            at = table.state.where[piece].partition(":")[2]
            return {"do": "remove", "piece": kind_of(piece), "at": at}
        return {"do": "remove", "piece": piece}

    def _rearrange(self, table: Table) -> Command | None:
        minis = self._minis(table)
        pieces = self.dice.some([*minis, *(p.character for p in self._people(table))])
        rooms = sorted(Play(table.state, self._content).board.rooms)
        places = {
            p: None if p in minis and self.dice.chance(0.2) else self.dice.one(rooms)
            for p in pieces
        }
        return {"do": "rearrange", "pieces": places} if places else None

    def _shift(self, table: Table) -> Command | None:
        """Something that lies on the board, elsewhere."""
        lying = [
            (kind_of(piece), zone.partition(":")[2])
            for piece, zone in sorted(table.state.where.items())
            if zone.startswith(("room:", "corridor:", "space:")) and kind_of(piece) in SHIFTED
        ]
        if not lying:
            return None
        kind, at = self.dice.one(lying)
        board = Play(table.state, self._content).board
        places = board.corridors if kind in ("noise", "door") else board.rooms
        to = self.dice.one(sorted(places))
        return {"do": "shift", "by": "table", "piece": kind, "at": at, "to": to}

    def _pick_up(self, table: Table) -> Command | None:
        people = self._people(table)
        if not people:
            return None
        here = [
            (person, kind)
            for person in people
            for kind in OBJECTS
            if table.state.pieces(kind, f"room:{person.room}")
        ]
        anyhow = (self.dice.one(people), self.dice.one(OBJECTS))
        person, piece = self.dice.one(here) if here and self.dice.chance(0.8) else anyhow
        return {"do": "pick_up", "seat": person.seat, "piece": piece}

    def _hand_over(self, table: Table) -> Command | None:
        """What somebody carries, mostly to who stands beside them."""
        people = self._people(table)
        if len(people) < 2:
            return None
        held = [(g, p) for g in people for p in table.state.in_zone(f"held:{g.seat}")]
        giver, piece = self.dice.one(
            [(g, p) for g, p in held if kind_of(p) in OBJECTS] or [(people[0], "egg")]
        )
        others = [p for p in people if p is not giver]
        beside = [p for p in others if p.room == giver.room]
        taker = self.dice.one(beside if beside and self.dice.chance(0.9) else others)
        return {"do": "hand_over", "seat": giver.seat, "piece": piece, "to": taker.seat}

    def _search(self, table: Table) -> Command | None:
        """Somebody searches, mostly where there is something left."""
        people = self._people(table)
        fruitful = [p for p in people if table.state.items.get(p.room or "")]
        return self._by_one_of("search", fruitful, people)

    def _study(self, table: Table) -> Command | None:
        people = self._people(table)
        return self._by_one_of("study", [p for p in people if p.character == "scientist"], people)

    def _pass(self, table: Table) -> Command | None:
        people = self._people(table)
        return self._by_one_of("pass", [p for p in people if not p.passed], people)

    def _by_one_of(self, do: str, fit: list[Person], people: list[Person]) -> Command | None:
        if not people:
            return None
        seat = self.dice.one(fit if fit and self.dice.chance(0.85) else people).seat
        return {"do": do, "by": f"seat:{seat}", "seat": seat}

    def _door(self, table: Table) -> Command:
        board = Play(table.state, self._content).board
        state = self.dice.one(VERBS["door"].args["state"].words)
        return {"do": "door", "corridor": self.dice.one(sorted(board.corridors)), "state": state}

    def _tracking(self, table: Table) -> Command:
        level = self.dice.one(VERBS["tracking"].args["level"].words)
        topics = sorted(table.state.tracking) or ["doors"]
        return {"do": "tracking", "topic": self.dice.one(topics), "level": level}

    def _truth(self) -> Command:
        words = VERBS["truth"].args
        free = ["dice", "wounds", "contamination", "tiles", "exploration"]
        parts = free if self.dice.chance(0.8) else list(words["component"].words)
        place = self.dice.one(words["place"].words)
        return {"do": "truth", "component": self.dice.one(parts), "place": place}

    def _judge(self, table: Table) -> Command:
        """A word about an objective, mostly one that was judged."""
        seat = self.dice.one(self._judged(table) or sorted(table.state.seats) or [1])
        return {"do": "judge", "seat": seat, "fulfilled": self.dice.chance(0.5)}

    def _judged(self, table: Table) -> list[int]:
        return [v["params"]["seat"] for v in table.state.verdicts if v["type"] in JUDGED]

    def _put_down(self, table: Table) -> Command | None:
        held = [
            (p, int(zone[5:]))
            for p, zone in sorted(table.state.where.items())
            if zone.startswith("held:") and kind_of(p) in OBJECTS
        ]
        if not held:
            return self._pick_up(table)
        piece, seat = self.dice.one(held)
        return {"do": "put_down", "seat": seat, "piece": piece}

    def _pod(self, table: Table) -> Command | None:
        state = table.state
        pods = [p for p in ("pod_1", "pod_2", "pod_3", "pod_4") if p in state.where]
        waiting = [p for _, p in sorted(state.seats.items()) if p.pod]
        if waiting and self.dice.chance(0.5):
            person = self.dice.one(waiting)
            action = self.dice.one(["launch", "step_out"])
            return {"do": "pod", "action": action, "pod": person.pod, "seat": person.seat}
        people = self._people(table)
        if not pods or not people:
            return None
        action = self.dice.one(["unlock", "lock", "board", "board"])
        return {
            "do": "pod",
            "action": action,
            "pod": self.dice.one(pods),
            "seat": self.dice.one(people).seat,
        }

    def _bag(self, table: Table) -> Command | None:
        to = "in" if self.dice.chance(0.5) else "out"
        tokens = table.state.tokens(SUPPLY if to == "in" else BAG)
        tokens = [t for t in tokens if value_of(t) is not None]
        return {"do": "bag", "token": self.dice.one(tokens), "to": to} if tokens else None

    def _reveal(self, table: Table) -> Command:
        board = Play(table.state, self._content).board
        hidden = [r for r in sorted(board.rooms) if r not in table.state.explored]
        command: Command = {"do": "reveal", "room": self.dice.one(hidden or sorted(board.rooms))}
        people = self._people(table)
        if people and self.dice.chance(0.5):
            command["seat"] = self.dice.one(people).seat
        return command

    def _room_action(self, table: Table) -> Command | None:
        """A room where somebody stands, or another by a card; mostly what it can do."""
        dice = self.dice
        play = Play(table.state, self._content)
        people = [p for p in self._people(table) if actions_in(play, p.room or "")]
        if not people:
            return None
        person = dice.one(people)
        command: Command = {"do": "room_action", "by": f"seat:{person.seat}", "seat": person.seat}
        room = person.room or ""
        far = [r for r in sorted(table.state.explored) if actions_in(play, r)]
        if far and dice.chance(0.3):
            room = command["room"] = dice.one(far)
            command["remote"] = dice.chance(0.8)
        action = dice.one(list(actions_in(play, room).values()))
        if dice.chance(0.8):
            command["action"] = action.name
            targets = action.targets(play, room)
            if targets and dice.chance(0.7):
                command["target"] = dice.one(targets)
            if action.scans and dice.chance(0.5):
                command["scan"] = 1 + dice.below(2)
        return command

    def _repair(self, table: Table) -> Command | None:
        rooms = Play(table.state, self._content).board.rooms
        people = [
            p
            for p in self._people(table)
            if (rooms[p.room or ""].fixed or "").startswith("engine_")
        ]
        if not people and self.dice.chance(0.5):
            return self._room_action(table)
        if not people:  # a hand brings somebody there first
            engines = [r for r, room in rooms.items() if (room.fixed or "").startswith("engine_")]
            aboard = [p.character for p in self._people(table)]
            to = self.dice.one(sorted(engines))
            return {"do": "place", "piece": self.dice.one(aboard), "to": to} if aboard else None
        return {"do": "repair", "by": "table", "seat": self.dice.one(people).seat}

    def _of_somebody(self, do: str) -> Callable[[Table], Command | None]:
        """A command that needs nothing but a seat."""

        def made(table: Table) -> Command | None:
            people = self._people(table)
            return {"do": do, "by": "table", "seat": self.dice.one(people).seat} if people else None

        return made

    def _forget(self, table: Table) -> Command | None:
        learnt = sorted(table.state.learnt)
        return {"do": "forget", "by": "table", "entry": self.dice.one(learnt)} if learnt else None

    def _switch(self) -> Command:
        name = self.dice.one(sorted(self._content.switches))
        values = self._content.switches[name].values
        return {"do": "switch", "name": name, "value": self.dice.one(values)}

    def _state(self, table: Table) -> Command | None:
        states = ["aboard", "hibernated", "pod_waiting", "launched", "dead"]
        seats = sorted(table.state.seats) or [1]
        command = {"do": "state", "seat": self.dice.one(seats), "state": self.dice.one(states)}
        if command["state"] == "pod_waiting":
            command["pod"] = self.dice.one(["pod_1", "pod_2", "pod_3", "pod_4"])
        return command

    def _event_phase(self, table: Table) -> Command:
        if self.dice.chance(0.1):
            play = Play(table.state, table.content)
            steps = play.species.phase(play)
            return {"do": "event_phase", "by": "table", "step": self.dice.one(steps)}
        return {"do": "event_phase", "by": "table"}

    def _intruder_action(self, table: Table) -> Command | None:
        minis = self._minis(table)
        if table.state.intruder_seat is None or not minis:
            return None
        dice = self.dice
        command: Command = {
            "do": "intruder_action",
            "by": f"seat:{table.state.intruder_seat}",
            "use": dice.one(VERBS["intruder_action"].args["use"].words),
            "card": dice.one(VERBS["intruder_action"].args["card"].words),
            "intruder": dice.one(minis),
            "number": 1 + dice.below(4),
            "count": 1 + dice.below(4),
        }
        people = self._people(table)
        return {**command, "seat": dice.one(people).seat} if people else command

    def _tick(self, table: Table) -> Command | None:
        waiting = table.ledger.open()
        if not waiting:
            return None
        instruction = self.dice.one(waiting)
        if self.dice.chance(0.5):
            return {"do": "tick", "by": "device", "batch": instruction["batch"]}
        return {"do": "tick", "by": "device", "instruction": instruction["id"]}
