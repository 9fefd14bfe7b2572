"""What is not rules: ticked instructions, people's names and languages, ignored differences.

The ledger is written beside the game and accepted while a question is open; no rule reads it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.game import BadInput

#: Pieces whose move needs no tick: it is said, and done before anybody looks at a screen.
UNTICKED = ("noise",)


def place_of(zone: str | None) -> str | None:
    """The place of a zone: ``006`` of ``room:006``; ``supply`` and the like stay words."""
    return None if zone is None else zone.split(":", 1)[-1]


@dataclass(slots=True)
class Ledger:
    """``people``: seat → name, language, character wish. ``instructions``: id → what to move."""

    people: dict[int, dict[str, Any]] = field(default_factory=dict)
    instructions: dict[str, dict[str, Any]] = field(default_factory=dict)
    ignored: set[str] = field(default_factory=set)
    notes: list[dict[str, Any]] = field(default_factory=list)

    def open(self) -> list[dict[str, Any]]:
        """Instructions not done yet, oldest first."""
        return [i for i in self.instructions.values() if not i["done"]]

    def instruct(self, seq: int, batch: int, step: str | None, events: list[Any]) -> None:
        """Take up the instructions of a row's public events.

        A piece that is told to move twice before anybody did it is one move, from where it stands.
        """
        number = 0
        for event in events:
            for moved in event.get("instructions", ()):
                number += 1
                piece = moved["piece"]
                source, target = place_of(moved["from"]), place_of(moved["to"])
                if piece.split("#")[0] in UNTICKED or event["to"] != "public":
                    continue
                for earlier in list(self.instructions.values()):
                    if "#" in piece and earlier["piece"] == piece and not earlier["done"]:
                        source = earlier["from"]
                        del self.instructions[earlier["id"]]
                if source == target:
                    continue
                ident = f"i{seq}.{number}"
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
                }

    def withdraw(self, seqs: set[int]) -> None:
        """Forget the instructions of undone rows."""
        for ident in [i for i in self.instructions if int(i[1:].split(".")[0]) in seqs]:
            del self.instructions[ident]

    def apply(self, command: Mapping[str, Any]) -> None:
        """One ledger command: tick, join, ignore, note. BadInput when it names nothing known."""
        match command["do"]:
            case "tick":
                self._tick(command)
            case "join":
                self._join(command)
            case "ignore":
                self.ignored.add(str(command.get("difference", ""))[:60])
            case "note":
                text = "".join(c for c in str(command.get("text", "")) if c.isprintable())
                self.notes.append({"text": text[:200], "by": str(command.get("by", ""))})

    def _tick(self, command: Mapping[str, Any]) -> None:
        which = command.get("instruction")
        batch = command.get("batch")
        found = [
            i
            for i in self.open()
            if which == i["id"] or (batch is not None and i["batch"] == batch) or which == "all"
        ]
        if not found and which not in self.instructions and which != "all" and batch is None:
            raise BadInput("instruction", "command.unknown_instruction", {"value": str(which)[:20]})
        for instruction in found:
            instruction["done"] = True

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


LEDGER_VERBS = ("tick", "join", "ignore", "note")
