"""What is not rules: ticked instructions, people's names and languages, ignored differences.

The ledger is written beside the game and accepted while a question is open; no rule reads it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from companion.game import BadInput, Refused
from companion.game.state import SUPPLY, kind_of
from companion.rules.packing import BOX, GROUPS, MARKERS, group_of

#: Instructions that stay open at most: nobody looks back further.
OPEN = 40

#: Pieces whose move needs no tick: it is said, and done before anybody looks at a screen. What an
#: undo wants back is said nowhere else.
UNTICKED = ("noise",)

#: Places where nothing lies: a move from one to another is none.
OFF = (BOX, SUPPLY)


@lru_cache(maxsize=512)
def place_of(zone: str | None) -> str | None:
    """The place of a zone: ``006`` of ``room:006``; ``supply`` and the like stay words."""
    return None if zone is None else zone.split(":", 1)[-1]


def spot_of(move: Mapping[str, Any]) -> tuple[str, str | None] | None:
    """The kind of a marker and the place to which a move brings it, or off which it takes it.

    None for other pieces, and for a marker that is moved from one place to another.
    """
    kind = kind_of(move["piece"])
    if kind not in MARKERS or (move["from"] in OFF) == (move["to"] in OFF):
        return None
    return kind, move["to"] if move["from"] in OFF else move["from"]


@dataclass(slots=True)
class Ledger:
    """``people``: seat → name, language, character wish. ``instructions``: id → what to move.

    ``replaced`` holds, by the id of the move that replaced it, a move that was still open when
    its piece was told to go on: undoing the second move brings the first one back. ``moved`` holds
    the last row that said of a seat's figure where it went.
    """

    people: dict[int, dict[str, Any]] = field(default_factory=dict)
    instructions: dict[str, dict[str, Any]] = field(default_factory=dict)
    done: set[str] = field(default_factory=set)
    replaced: dict[str, dict[str, Any]] = field(default_factory=dict)
    ignored: set[str] = field(default_factory=set)
    notes: list[dict[str, Any]] = field(default_factory=list)
    statistics: bool = False  # the host lets everybody see what public facts tell of the bag
    checked: set[str] = field(default_factory=set)  # steps of the setup; "all": the list is closed
    batches: set[int] = field(default_factory=set)  # every bundle of moves there ever was
    moved: dict[int, int] = field(default_factory=dict)

    def copy(self) -> Ledger:
        """An independent copy, to work on."""
        return Ledger(
            {seat: dict(person) for seat, person in self.people.items()},
            dict(self.instructions),
            set(self.done),
            dict(self.replaced),
            set(self.ignored),
            list(self.notes),
            self.statistics,
            set(self.checked),
            set(self.batches),
            dict(self.moved),
        )

    def open(self) -> list[dict[str, Any]]:
        """Instructions not done yet, oldest first."""
        return list(self.instructions.values())

    def instruct(self, seq: int, batch: int, step: str | None, events: list[Any]) -> None:
        """Take up the instructions of a row's public events.

        A piece that is told to move twice before anybody did it is one move, from where it stands;
        what only has to stay where it lies, or out of play, is none.
        """
        number = 0
        rebuilt = step == "unpack"
        if rebuilt:  # everything comes out of the box: what was open before is part of it
            self.instructions, self.replaced = {}, {}
        for event in events:
            params = event.get("params", {})
            if "seat" in params and ("to_room" in params or event["type"] == "put_character"):
                self.moved[params["seat"]] = seq
            if event["type"] in ("noise", "taken_away") and not event.get("instructions"):
                self._by_hand((kind_of(params.get("piece", "noise")), params["space"]))
            for moved in event.get("instructions", ()):
                number += 1
                piece = moved["piece"]
                source, target = place_of(moved["from"]), place_of(moved["to"])
                if event["to"] != "public":
                    continue
                self.batches.add(batch)
                boxed = BOX in (source, target)  # a line of the list, or its change by an undo
                ident = f"i{seq}.{number}"
                spot = spot_of(moved | {"from": source, "to": target})
                earlier = self._at(*spot) if spot else self._waiting(piece)
                again = earlier is not None and self._again(earlier, spot, target)
                if earlier is not None:
                    source = source if again else earlier["from"]
                    self.replaced[ident] = self.instructions.pop(earlier["id"])
                at_once = piece.split("#")[0] in UNTICKED and step != "undo"
                if at_once and not boxed:
                    if again or earlier is None:
                        self._by_hand(spot)
                    continue
                if source == target or (source in OFF and target in OFF):
                    continue
                self.instructions[ident] = {
                    "id": ident,
                    "piece": piece,
                    "kind": piece.split("#")[0],
                    "from": source,
                    "to": target,
                    "via": moved["via"],
                    "rule": event["rule"],
                    "step": step,
                    "batch": batch,
                    "done": False,
                    **({"group": group_of(piece)} if source == BOX else {}),
                }
        self._forget()

    def _waiting(self, piece: str) -> dict[str, Any] | None:
        """The open instruction for a piece that has an identity, or that an undo or the list of a
        packed game named.
        """
        return next(
            (
                i
                for i in self.instructions.values()
                if i["piece"] == piece and ("#" in piece or i["step"] in ("unpack", "undo"))
            ),
            None,
        )

    def _at(self, kind: str, place: str | None) -> dict[str, Any] | None:
        """The open line that brings a marker of a kind to a place or takes it off: there is one
        at most, and one marker is as good as another.
        """
        return next((i for i in self.instructions.values() if spot_of(i) == (kind, place)), None)

    def _again(
        self, earlier: dict[str, Any], spot: tuple[str, str | None] | None, target: str | None
    ) -> bool:
        """Whether a move says anew where its piece stands, whatever the earlier line had it from:
        a marker's that says the same, and a figure's of which its player said a way since.
        """
        if spot:
            return (target in OFF) == (earlier["to"] in OFF)
        figure = "#" not in earlier["piece"] and earlier["from"] != BOX
        return figure and any(seq > row_of(earlier["id"]) for seq in self.moved.values())

    def _by_hand(self, spot: tuple[str, str | None] | None) -> None:
        """Hands see to a marker's place at once: no line about it is left, nor comes back."""
        for lines in (self.instructions, self.replaced):
            for ident in [i for i, line in lines.items() if spot_of(line) == spot]:
                del lines[ident]

    def _forget(self) -> None:
        """The list of a packed game is whole however long it is; other moves are few."""
        for kept in (self.instructions, self.replaced):
            moves = [ident for ident in kept if kept[ident]["step"] != "unpack"]
            for ident in moves[:-OPEN]:
                del kept[ident]

    def withdraw(self, seqs: set[int]) -> None:
        """Forget the instructions of undone rows; those that they replaced are open again."""
        for ident in [i for i in self.instructions if row_of(i) in seqs]:
            del self.instructions[ident]
        for ident in [i for i in self.replaced if row_of(i) in seqs]:
            earlier = self.replaced.pop(ident)
            spot = spot_of(earlier)
            if row_of(earlier["id"]) not in seqs and not (spot and self._at(*spot)):
                self.instructions[earlier["id"]] = earlier
        self.instructions = dict(sorted(self.instructions.items(), key=lambda i: _order(i[0])))

    def knows(self, command: Mapping[str, Any], steps: Collection[str]) -> None:
        """Whether a tick names what there is; ``steps``: those of the setup. BadInput otherwise.

        Asked of new commands only: what stands in a journal was taken.
        """
        check, batch = command.get("check"), command.get("batch")
        if check is not None and check not in ("all", *steps):
            raise BadInput("check", "command.unknown_check", {"value": str(check)[:40]})
        if batch is not None and batch not in self.batches:
            raise BadInput("batch", "command.unknown_instruction", {"value": str(batch)[:20]})
        if command.get("group") not in (None, *GROUPS):
            value = str(command["group"])[:40]
            raise BadInput("group", "command.unknown_word", {"value": value})

    def apply(self, command: Mapping[str, Any]) -> None:
        """One ledger command: tick, join, ignore, statistics, note.

        Raises BadInput when it names nothing known, Refused when only the host may.
        """
        match command["do"]:
            case "tick":
                self._tick(command)
            case "join":
                self._join(command)
            case "ignore":
                self.ignored.add(str(command.get("difference", ""))[:60])
            case "statistics":
                if command.get("by") not in ("host", "scenario"):
                    raise Refused("host_only")
                if not isinstance(command.get("on"), bool):
                    raise BadInput("on", "command.flag")
                self.statistics = command["on"]
            case "note":
                text = "".join(c for c in str(command.get("text", "")) if c.isprintable())
                self.notes.append({"text": text[:200], "by": str(command.get("by", ""))})

    def _tick(self, command: Mapping[str, Any]) -> None:
        if command.get("check") is not None:
            step = str(command["check"])[:40]
            (self.checked.discard if command.get("done") is False else self.checked.add)(step)
            return
        which = command.get("instruction")
        batch = command.get("batch")
        found = [
            i
            for i in self.open()
            if which in (i["id"], "all")
            or (
                batch is not None
                and i["batch"] == batch
                and command.get("group") in (None, i.get("group"))
            )
        ]
        if not found and which not in self.done and which != "all" and batch is None:
            raise BadInput("instruction", "command.unknown_instruction", {"value": str(which)[:20]})
        for instruction in found:
            self.done.add(instruction["id"])
            self.replaced.pop(instruction["id"], None)  # hands went all the way
            del self.instructions[instruction["id"]]

    def _join(self, command: Mapping[str, Any]) -> None:
        seat = command.get("seat")
        if not isinstance(seat, int) or isinstance(seat, bool) or not 1 <= seat <= 5:
            raise BadInput("seat", "command.unknown_seat", {"value": str(seat)[:20]})
        person = self.people.setdefault(seat, {})
        for name in ("name", "language", "character"):
            if isinstance(command.get(name), str):
                text = "".join(c for c in command[name] if c.isprintable()).strip()
                person[name] = text[:20]
        if "present" in command:
            person["present"] = command["present"] is True


def _order(ident: str) -> tuple[int, int]:
    row, _, number = ident[1:].partition(".")
    return int(row), int(number)


def row_of(ident: str) -> int:
    """The journal row an instruction came with."""
    return _order(ident)[0]


LEDGER_VERBS = ("tick", "join", "ignore", "statistics", "note", "unpack")
