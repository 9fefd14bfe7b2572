"""``[given.characters]``: where somebody is, what they hold and carry."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.game import Person
from companion.game.state import (
    ABOARD,
    DEAD,
    DECK,
    HIBERNATED,
    LAUNCHED,
    POD_WAITING,
    label_of,
)
from companion.scenario.reading import Reader
from companion.scenario.words import room_or_space

STATES = (ABOARD, DEAD, HIBERNATED, POD_WAITING, LAUNCHED)


class People(Reader):
    """Applies what a case says of its characters."""

    def character(self, name: str, given: Mapping[str, Any]) -> None:
        """One character's table. BadInput names what cannot be."""
        place = f"characters.{name}"
        person = next((p for p in self.state.seats.values() if p.character == name), None)
        if person is None:
            raise self.bad(place, "scenario.unknown_character", value=name[:40])
        someone = person

        def number(field: str) -> Callable[[Any], object]:
            return lambda v: setattr(someone, field, self.int(f"{place}.{field}", v))

        def flag(field: str) -> Callable[[Any], object]:
            return lambda v: setattr(someone, field, self.flag(f"{place}.{field}", v))

        self.words(
            f"{place}.",
            given,
            {
                "room": lambda v: self._where(someone, v),
                "state": lambda v: self._condition(someone, v),
                "pod": lambda v: self._seat_in_pod(someone, v),
                "hand": lambda v: self._hand(someone, v),
                "action_cards": number("action_cards"),
                "light_wounds": number("light"),
                "serious_wounds": lambda v: self._wounds(someone, v, dressed=False),
                "dressed_wounds": lambda v: self._wounds(someone, v, dressed=True),
                "slime": flag("slime"),
                "signal": flag("signal"),
                "passed": flag("passed"),
                "larva": lambda v: self._larva(someone, v),
                "cards": lambda v: self._cards(someone, v),
                "contamination": lambda v: self._cards(someone, {"contamination": v}),
                "insanity": lambda v: self._insanity(someone, v),
                "mutation": lambda v: self._mutation(someone, v),
                "mutation_markers": lambda v: self._mutation_markers(someone, v),
                "objects": lambda v: [
                    self.take(f"{place}.objects", str(p), f"held:{someone.seat}")
                    for p in self.list(f"{place}.objects", v)
                ],
                "objectives": lambda v: self._objectives(someone, v),
                "kept": lambda v: self._kept(someone, v),
            },
        )

    def _where(self, person: Person, value: Any) -> None:
        room = room_or_space(self.play, value)
        if room not in self.play.board.rooms:
            raise self.bad(
                f"characters.{person.character}.room",
                "command.unknown_room",
                value=str(value)[:40],
            )
        person.room = room

    def _condition(self, person: Person, value: Any) -> None:
        person.state = self.one(f"characters.{person.character}.state", value, STATES)
        if person.state in (DEAD, HIBERNATED, LAUNCHED):
            person.room = None
        self.state.first_death |= person.state == DEAD

    def _seat_in_pod(self, person: Person, value: Any) -> None:
        place = f"characters.{person.character}.pod"
        pod = self.pod(place, value)
        if not self.state.where[pod].startswith("section:"):
            self.state.where[pod] = "section:a"
        person.pod, person.state = pod, POD_WAITING

    def _hand(self, person: Person, value: Any) -> None:
        unknown = value == "unknown" or value is False
        person.hand = None if unknown else self.int(f"characters.{person.character}.hand", value)

    def _wounds(self, person: Person, value: Any, *, dressed: bool) -> None:
        place = f"characters.{person.character}.serious_wounds"
        cards: list[Any] = (
            ["unknown"] * self.int(place, value, 0, 3)
            if isinstance(value, int)
            else self.list(place, value)
        )
        for card in cards:
            entry = card if isinstance(card, Mapping) else {"type": card}
            kind = self.one(
                place, entry.get("type", "unknown"), (*self.play.game.wounds, "unknown")
            )
            under = self.flag(place, entry.get("dressed", dressed))
            (person.dressed if under else person.serious).append(kind)
            if kind != "unknown":
                deck = [w for w in self.state.cards("wound", DECK) if label_of(w) == kind]
                if deck:
                    self.state.where[f"wound:{deck[0]}"] = f"held:{person.seat}"

    def _insanity(self, person: Person, value: Any) -> None:
        place = f"characters.{person.character}.insanity"
        if "insanity" in self.play.species.topics:
            person.own["insanity"] = self.int(place, value, 1, 5)
        else:
            self.none_yet(place, value)

    def _larva(self, person: Person, value: Any) -> None:
        place = f"characters.{person.character}.larva"
        sheet = f"sheet:{person.seat}"
        if self.flag(place, value) and not self.state.pieces("larva", sheet):
            self.take(place, "larva", sheet)

    def _mutation(self, person: Person, value: Any) -> None:
        """A Mutation card by its id; true: one that only the table knows."""
        place = f"characters.{person.character}.mutation"
        if "mutations" not in self.play.species.truth:
            self.none_yet(place, value)
        elif isinstance(value, bool):
            if value:
                person.own["mutation"] = "unknown"
        elif f"mutation:{value}" not in self.state.where:
            raise self.bad(place, "scenario.unknown_card", value=str(value)[:40])
        else:
            self.state.where[f"mutation:{value}"] = f"held:{person.seat}"
            person.own["mutation"] = value

    def _mutation_markers(self, person: Person, value: Any) -> None:
        place = f"characters.{person.character}.mutation_markers"
        if "mutations" not in self.play.species.truth:
            self.none_yet(place, value)
        elif count := self.int(place, value, 0, 3):
            person.own["markers"] = count

    def _cards(self, person: Person, value: Any) -> None:
        place = f"characters.{person.character}.cards"
        held = person.contamination

        def count(kind: str) -> Callable[[Any], object]:
            return lambda v: held.update({kind: self.int(f"{place}.{kind}", v)})

        self.words(
            f"{place}.",
            self.table(place, value),
            {
                "action": lambda v: setattr(person, "deck", self.int(f"{place}.action", v)),
                "infected": count("infected"),
                "clean": count("clean"),
                "unscanned": count("unscanned"),
                "contamination": count("unscanned"),
            },
        )

    def _objectives(self, person: Person, value: Any) -> None:
        state = self.state
        place = f"characters.{person.character}.objectives"
        for objective in person.objectives:
            state.where[f"objective:{objective}"] = DECK
        person.objectives = [str(o) for o in self.list(place, value)]
        for objective in person.objectives:
            if objective not in self.content.objectives:
                raise self.bad(place, "scenario.unknown_objective", value=objective[:40])
            for other in state.seats.values():
                if other is not person and objective in other.objectives:
                    self._deal_another(other, objective, person.objectives)
            state.where[f"objective:{objective}"] = f"held:{person.seat}"
        alone = len(person.objectives) == 1
        person.kept = person.objectives[0] if alone else None

    def _kept(self, person: Person, value: Any) -> None:
        """The one objective somebody chose; the other has left the game."""
        self._objectives(person, [value])

    def _deal_another(self, person: Person, objective: str, wanted: list[str]) -> None:
        """Setup had dealt to somebody else what a case gives to this one."""
        known = self.content.objectives
        other = next(
            o
            for o in self.state.cards("objective", DECK)
            if known[o].deck == known[objective].deck and o not in wanted
        )
        self.state.where[f"objective:{other}"] = f"held:{person.seat}"
        person.objectives[person.objectives.index(objective)] = other
        if person.kept == objective:
            person.kept = other
