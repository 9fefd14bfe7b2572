"""The Carnomorphs (CA-01 to CA-81): what they do otherwise than the aliens of the base game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from companion.game import Board, Person, Steps
from companion.game.state import REMOVED, kind_of
from companion.library.model import AttackCard
from companion.rules.combat import intruder_attack
from companion.rules.nature import Nature
from companion.rules.play import Play, tell
from companion.rules.species import register
from companion.rules.species.carnomorphs import (  # events and phase register their own
    adaptations,
    bag,
    combat,
    ending,
    events,  # noqa: F401
    mutations,
    phase,  # noqa: F401
)
from companion.rules.species.common import Strategy

CHECK = "BASE-161 CA-25"  # one card for every kind, with a number of its own for Metagorgers


class Carnomorphs(Strategy):
    """Metagorgers, Shamblers, Fleshbeasts and the Butcher: they feed, grow and infect by change."""

    id = mutations.ID
    trophy = "butcher"
    slime = True
    truth: Mapping[str, str] = {"mutations": "physical"}
    slots = adaptations.SLOTS
    cites: Mapping[str, str] = {
        "BASE-54": "CA-07 FAQ-C7",
        "BASE-293": "CA-36 CA-24",
        "BASE-294": "CA-46",
        "BASE-371": "CA-57",
        "BASE-373": "CA-57",
    }
    natures: Mapping[str, Nature] = {
        "metagorger": Nature(draws=False, check=CHECK, death="BASE-168 CA-26"),  # CA-22
        "shambler": Nature(check=CHECK, death="BASE-168 CA-26"),
        "fleshbeast": Nature(check=CHECK, death="BASE-168 CA-27"),
        "butcher": Nature(shut_out="CA-21", grave=REMOVED, check=CHECK, death="BASE-168 CA-28"),
    }
    own_words = ("covered", "feeding", "out", "printed", "removed")
    nothing_left = "study.none_turned"
    small = ("metagorger",)
    tools: tuple[Mapping[str, Any], ...] = (
        {"key": "mutation_action", "icon": "mutation", "do": "mutation_action"},
        {"key": "mutation_marker", "icon": "mutation_marker", "do": "mutate"},
        {"key": "mutation_card", "icon": "mutation_card", "do": "mutate", "card": True},
    )

    # Setup

    def eggs(self, play: Play) -> int:
        """All eight Eggs lie on their board (CA-06)."""
        return play.game.limits["egg"]

    def components(self, play: Play) -> dict[str, str]:
        """Three miniatures stand on Adaptations (CA-06)."""
        return adaptations.on_cards()

    def prepare(self, play: Play) -> Steps:
        """What hands lay out that the base game does not have (CA-06 to CA-09)."""
        yield tell("setup_adaptations", "CA-05 CA-06 CA-71", n=len(adaptations.SLOTS))
        mutations = play.aliens.decks["mutation"].cards
        yield tell("setup_mutations", "CA-08 CA-09", n=mutations)

    def tasks(self, play: Play) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
        """Adaptations with their miniatures, and the Mutation deck (CA-06, CA-08)."""
        if play.state.truth.get("weaknesses") == "physical":
            yield "adaptations", "adaptations", "CA-06", {"n": len(self.slots)}
        if play.state.truth.get("mutations") == "physical":
            count = play.aliens.decks["mutation"].cards
            yield "mutations", "mutations", "CA-08", {"n": count}
        yield "help", "help", "CA-09", {"species": self.id}

    # The bag and the board

    def only_blank_left(self, play: Play, rule: str) -> Steps:
        """The Blank was the last token: a Metagorger token comes in (CA-34)."""
        yield from bag.add_metagorger(play, f"{rule} CA-34 FAQ-C2")

    def spares(self, play: Play, kind: str) -> list[str]:
        """The miniature on its Adaptation comes before any other of its kind (CA-71)."""
        return adaptations.available(play, kind)

    def surprise(self, play: Play, seat: int, mini: str) -> Steps:
        """A Metagorger's leaves no miniature, and was the first Encounter all the same (CA-35)."""
        rule = "BASE-153 BASE-183" + (" CA-35" if kind_of(mini) == "metagorger" else "")
        yield from intruder_attack(play, mini, target=seat, rule=rule, surprise=True)

    def token_returns(self, play: Play, kind: str, rule: str) -> Steps:
        """A Metagorger's token is red while there is a red one (CA-20, CA-69)."""
        if kind == "metagorger":
            yield from bag.add_metagorger(play, f"{rule} CA-69")
        else:
            yield from super().token_returns(play, kind, f"{rule} CA-70")

    def development(self, play: Play, token: str) -> Steps:
        """CA-47 to CA-53."""
        match kind_of(token):
            case bag.BLUE:
                yield from bag.blue(play, token)
            case bag.RED:
                yield from bag.red(play, token)
            case "shambler":
                yield from bag.stirs(play, token, "CA-50")
            case "fleshbeast":
                yield from bag.stirs(play, token, "CA-51")
            case "butcher":
                yield from bag.butcher(play, token)
            case _:
                yield from bag.blank(play, token)

    # Moving

    def shown(self, play: Play, mini: str, rule: str) -> Steps:
        """The first of its kind has left an Adaptation card and shows it (CA-31)."""
        yield from adaptations.turn_up(play, kind_of(mini), rule)

    # Attacks and injuries

    def plain_attack(self, play: Play, mini: str, target: int, rule: str) -> Steps:
        """A Metagorger's attack (CA-22, CA-23)."""
        yield from combat.metagorger_attack(play, mini, target, rule)

    def taken_for(self, play: Play, target: str, face: str) -> Steps:
        """The dice know the base game's tokens: a Shambler's is the Adult's (CA-04)."""
        yield from ()
        kind = kind_of(target)
        return {"metagorger": "creeper", "shambler": "adult"}.get(kind, kind)

    def dodges(self, play: Play, kind: str, face: str) -> str:
        """Agile: the Creeper face misses, with a flamethrower too (CA-67)."""
        agile = kind != "egg" and face == "creeper" and play.weakness("agile")
        return "CA-67 FAQ-C5" if agile else ""

    def blood(self, play: Play, mini: str, cards: Sequence[AttackCard]) -> int | None:
        """The number of the kind on the one card drawn (CA-25)."""
        return cards[0].blood_for(kind_of(mini))

    def killed(self, play: Play, mini: str, room: str | None, rule: str) -> Steps:
        """Shamblers come where a Fleshbeast or the Butcher dies (CA-27 to CA-29)."""
        yield from combat.heirs(play, kind_of(mini), room)

    # Bodies

    def infected(self, play: Play, seat: int, rule: str, *, resting: bool) -> Steps:
        """A Mutation marker instead of a Larva (CA-19)."""
        yield from mutations.take_marker(play, seat, f"{rule} CA-19")

    def cleansed(self, play: Play, seat: int, rule: str) -> Steps:
        """The Mutation card goes, the markers stay (CA-18)."""
        yield from mutations.lose_card(play, seat, rule)

    def contamination_check(self, play: Play, person: Person) -> Steps:
        """CA-54 to CA-56."""
        yield from ending.contamination_check(play, person)

    # The Laboratory and the objectives

    def unknown_slots(self, play: Play) -> list[str]:
        """Objects whose Adaptation may be removed (CA-32)."""
        return adaptations.removable(play)

    def discover(self, play: Play, seat: int, slot: str, rule: str) -> Steps:
        """The Adaptation of an Object leaves the game (CA-32)."""
        yield from adaptations.remove(play, seat, slot, rule)

    def studied(self, play: Play) -> list[str]:
        """Objects whose Adaptation has been discarded: what objectives ask for (CA-57)."""
        return adaptations.removed(play)

    # What is shown

    def taint(self, room: str, view: Mapping[str, Any], board: Board) -> int:
        """3 a Shambler or more; 2 where the next Metagorger comes: one there, or food (CA-48)."""
        seen = view["rooms"][room]
        kinds = {i["type"] for i in seen["intruders"]}
        if kinds - {*self.small}:
            return 3
        carried = any(s["objects"] for s in view["seats"] if s["room"] == room)
        den = seen["tile"] == "nest" and seen["explored"] and not view["nest_destroyed"]
        return 2 if kinds or seen["objects"] or carried or den else 0

    def view(self, play: Play) -> dict[str, Any]:
        """Who fed in this turn, room by room; which Adaptations are gone."""
        own = play.state.own
        return {
            "feeding": list(own.get("feeding", ())),
            "adaptations_removed": dict(own.get("removed", {})),
        }

    def marks(self, play: Play, person: Person) -> dict[str, int | str]:
        """Mutation markers, and the Mutation card once it lies open (CA-10, CA-15)."""
        count, card = mutations.markers(person), mutations.card_of(person)
        found: dict[str, int | str] = {"mutation_markers": count} if count else {}
        if card and person.own.get("open") and play.state.truth.get("mutations") == "physical":
            found["mutation_card"] = card
        return found

    def person_view(self, play: Play, person: Person) -> dict[str, Any]:
        """Markers, and the Mutation once it lies open: before, nothing tells that there is one."""
        shown = mutations.card_of(person) if person.own.get("open") else None
        return {"mutation": shown, "markers": mutations.markers(person)}

    def secret_view(self, play: Play, person: Person) -> dict[str, Any]:
        """The own Mutation."""
        return {"mutation": mutations.card_of(person)}


CARNOMORPHS = register(Carnomorphs())
