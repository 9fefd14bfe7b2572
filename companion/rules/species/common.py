"""What every species does, as the base game has it: the one seam between rules and species.

A species is a subclass that states only what it does otherwise. Shared procedures ask
``play.species`` where the rulebooks differ, and know no species by name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from companion.game import Person, Steps
from companion.game.state import SUPPLY, kind_of
from companion.library.model import AttackCard, ExplorationToken
from companion.rules.combat import intruder_attack, resistance, take_injuries
from companion.rules.encounter import blank, meet, stand_in
from companion.rules.facedown import SLOTS
from companion.rules.facts.people import SPECIMENS
from companion.rules.movement import retreat, token_to_bag
from companion.rules.nature import Nature
from companion.rules.phase import PHASE
from companion.rules.play import Play, tell
from companion.rules.study import discover
from companion.rules.verdicts import scan_all_cards

if TYPE_CHECKING:
    from companion.game.board import Board, Corridor


class Strategy:
    """How one species does what every species does. Steps are generators, as all procedures."""

    id = ""
    #: The kind of miniature that never comes again once killed: objectives ask for it.
    trophy = ""
    #: Whether there is Slime, and whether a Larva may lie on a character's board.
    slime = False
    larvae = False
    #: Whether a player may play them (BASE-66): there are cards for it, and rules.
    by_player = False
    #: Kinds of miniature that the lights show as a lesser danger.
    small: tuple[str, ...] = ("larva", "creeper")
    #: What its kinds of miniature are like, those that are not as `Nature` says by itself.
    natures: Mapping[str, Nature] = {}
    #: The rule by which closed doors stop none of them; empty: they do (BASE-38).
    through_doors = ""
    #: What the exploration tokens of this species say: effect -> rule.
    token_rules: Mapping[str, str] = {}
    #: Own components whose truth is in the box or on the table, and the usual place.
    truth: Mapping[str, str] = {}
    #: Own kinds of facts, and how each preset holds them: topic -> preset -> level.
    topics: Mapping[str, Mapping[str, str]] = {}
    #: Objects a weakness is studied with, by the slot of its card (BASE-223).
    specimens: Mapping[str, tuple[str, ...]] = SPECIMENS
    #: Where the cards of weaknesses lie face down at setup.
    slots: tuple[str, ...] = SLOTS
    #: Why there is nothing to study any more: the code of the refusal (BASE-223).
    nothing_left = "study.all_known"
    #: By rules of the base game: how this rulebook says the same, cited beside them in every event.
    cites: Mapping[str, str] = {}
    #: What `State.own` holds of it, or of setup.
    own_words: tuple[str, ...] = ("covered",)
    #: The words of `view`.
    view_words: tuple[str, ...] = ()

    # Setup ------------------------------------------------------------------------------------

    def covered(self, play: Play) -> list[str]:
        """Rooms that get an exploration token at setup although their tile lies open (BASE-49)."""
        return []

    def eggs(self, play: Play) -> int:
        """Eggs on the board of the species at setup (BASE-53)."""
        return play.game.eggs_at_start

    def starting_bag(self, play: Play) -> dict[str, int]:
        """Tokens of each kind in the bag at setup, as the content says."""
        creatures = play.aliens.creatures.values()
        players = len(play.state.seats)
        return {c.id: c.starting + c.starting_per_player * players for c in creatures}

    def components(self, play: Play) -> dict[str, str]:
        """Further pieces and cards of the box, each with the zone where it lies at setup."""
        return {}

    def prepare(self, play: Play) -> Steps:
        """What setup does last for this species, after the bag is filled."""
        yield from ()

    def tasks(self, play: Play) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
        """What hands lay on the species' board: id, kind, rule and params of setup tasks."""
        if play.state.truth.get("weaknesses") == "physical":
            yield "weaknesses", "weaknesses", "BASE-53", {"n": len(self.slots)}

    # Exploration ------------------------------------------------------------------------------

    def token_turned(
        self, play: Play, card: ExplorationToken, room: str, seat: int | None, way: Corridor | None
    ) -> Steps:
        """The effect of an own exploration token; returns True when no noise roll follows."""
        yield from ()
        return False

    # The bag and the board --------------------------------------------------------------------

    def encountered(self, play: Play, token: str, seat: int, room: str) -> Steps:
        """What a token drawn in an Encounter does: the Blank, or a creature that comes."""
        if kind_of(token) == "blank":
            yield from blank(play, seat, room)
        else:
            yield from meet(play, token, play.creature(token).brings, seat, room)

    def only_blank_left(self, play: Play, rule: str) -> Steps:
        """What happens when the Blank was the last token of the bag (BASE-146)."""
        yield from ()

    def figure(self, play: Play, kind: str, room: str) -> Steps:
        """A miniature of a kind to be placed; None when none can be had (BASE-20, BASE-21)."""
        found = self.spares(play, kind)
        return found[0] if found else (yield from stand_in(play, kind, room))

    def spares(self, play: Play, kind: str) -> list[str]:
        """Pieces of a kind that may come onto the board, the first to be taken first."""
        return play.state.pieces(kind, SUPPLY)

    def surprise(self, play: Play, seat: int, mini: str) -> Steps:
        """A Surprise Attack on who caused the Encounter (BASE-153)."""
        yield from intruder_attack(play, mini, target=seat, rule="BASE-153 BASE-183", surprise=True)

    def surprised_by_action_cards(self, play: Play) -> bool:
        """Whether only Action cards count against a token's number, not all (BASE-152)."""
        return False

    def token_returns(self, play: Play, kind: str, rule: str) -> Steps:
        """One of its kind has left the board alive: its token goes into the bag (BASE-33)."""
        yield from token_to_bag(play, kind, rule)

    def quiet_danger(self, play: Play, room: str) -> bool:
        """Whether Danger makes no noise where nothing could come."""
        return False

    def development(self, play: Play, token: str) -> Steps:
        """Bag development for a token just drawn (still in the bag's zone)."""
        raise NotImplementedError

    # Moving -----------------------------------------------------------------------------------

    def shown(self, play: Play, mini: str, rule: str) -> Steps:
        """What a miniature that has just come onto the board lays open."""
        yield from ()

    # Attacks and injuries ---------------------------------------------------------------------

    #: Whether hands are the same after an Attack card as before it (BASE-185).
    attacks_leave_hands = True

    def plain_attack(self, play: Play, mini: str, target: int, rule: str) -> Steps:
        """The attack of one that draws no card."""
        raise NotImplementedError

    def taken_for(self, play: Play, target: str, face: str) -> Steps:
        """What the combat die takes a target for: ``creeper``, ``adult``, ``egg`` or another."""
        yield from ()
        return kind_of(target)

    def dodges(self, play: Play, kind: str, face: str) -> str:
        """The rule by which a face of the die misses whatever the weapon says, or nothing."""
        return ""

    def burns(self, play: Play, mini: str) -> bool:
        """Whether fire injures it in the Event Phase (BASE-294)."""
        return True

    def hit(
        self, play: Play, mini: str, hits: int, rule: str, weapon: str, *, check: bool
    ) -> Steps:
        """Injuries of one hit, then the damage check unless it waits (BASE-160, BASE-164)."""
        yield from take_injuries(play, mini, hits, rule, weapon, check=check)

    def check(self, play: Play, mini: str) -> Steps:
        """The damage check (BASE-160 on)."""
        yield from resistance(play, mini)

    def blood(self, play: Play, mini: str, cards: Sequence[AttackCard]) -> int | None:
        """The number that kills by the cards of a damage check; None: an arrow (BASE-161 on)."""
        numbers = [card.blood_for(kind_of(mini)) for card in cards]
        return None if None in numbers else sum(n for n in numbers if n is not None)

    def arrow(self, play: Play, mini: str, rule: str) -> Steps:
        """An arrow in a damage check: it retreats (BASE-163)."""
        yield tell("check_arrow", f"{rule} BASE-163", piece=mini)
        yield from retreat(play, mini, "BASE-163")

    def killed(self, play: Play, mini: str, room: str | None, rule: str) -> Steps:
        """What follows a death, after the Carcass."""
        yield from ()

    # The event phase and the end of a round ---------------------------------------------------

    def phase(self, play: Play) -> tuple[str, ...]:
        """The steps of the Event Phase, in order; own ones among them.

        What a step does otherwise is a step of that name registered for the species.
        """
        return PHASE

    def own_round_ends(self, play: Play, people: Sequence[Person], *, late: bool = False) -> Steps:
        """What follows when the own rounds of people end, after the fire (BASE-73).

        ``late``: they never said so, and the table may have done it.
        """
        yield from ()

    # Bodies -----------------------------------------------------------------------------------

    def infected(self, play: Play, seat: int, rule: str, *, resting: bool) -> Steps:
        """What an infected card does to who scanned it (BASE-215), ``resting`` or otherwise."""
        yield from ()

    def rests(self, play: Play, seat: int, rule: str, count: int | None) -> Steps:
        """What Rest, the Canteen and the Shower Room do besides; whether Rest scans the hand.

        ``count``: how many cards are to be scanned, where that is said.
        """
        yield from ()
        return True

    def cleansed(self, play: Play, seat: int, rule: str) -> Steps:
        """What Surgery and the Antidote do beyond the cards (BASE-220, BASE-250)."""
        yield from ()

    def contamination_check(self, play: Play, person: Person) -> Steps:
        """The check of a survivor at the end of the game (BASE-365)."""
        yield from scan_all_cards(play, person)

    def unknown_slots(self, play: Play) -> list[str]:
        """Objects that still have something to show when they are studied (BASE-223)."""
        return [slot for slot in SLOTS if slot not in play.state.weaknesses]

    def discover(self, play: Play, seat: int, slot: str, rule: str) -> Steps:
        """What a studied object shows: its weakness lies open (BASE-223)."""
        yield from discover(play, seat, slot, rule)

    def studied(self, play: Play) -> list[str]:
        """Objects whose card was found: what objectives ask for (BASE-371)."""
        return list(play.state.weaknesses)

    def studies(self, play: Play, room: str) -> list[str]:
        """Slots not in ``specimens`` whose weakness may be studied in a room now, if all fits."""
        return []

    def analysed(self, play: Play, room: str, rule: str) -> Steps:
        """The same for certain: what is not held is asked for."""
        yield from ()
        return self.studies(play, room)

    # What is shown ----------------------------------------------------------------------------

    #: Commands that a character's sheet offers: ``icon``, ``key`` of its words, the command.
    tools: tuple[Mapping[str, Any], ...] = ()

    def taint(self, room: str, view: Mapping[str, Any], board: Board) -> int:
        """How strongly a room is theirs, for the lights: 3, 2 or 0; from the public view alone."""
        seen = view["rooms"][room]
        kinds = {i["type"] for i in seen["intruders"]}
        if kinds - {*self.small} or (seen["tile"] == "nest" and seen["explored"]):
            return 3
        return 2 if kinds else 0

    def view(self, play: Play) -> dict[str, Any]:
        """Public facts of the game that only this species has."""
        return {}

    def marks(self, play: Play, person: Person) -> dict[str, int | str]:
        """What of this species lies open on a character board, as a packed table lays it out.

        By kind: the number of markers, the level of a marker, or which card.
        """
        return {}

    def person_view(self, play: Play, person: Person) -> dict[str, Any]:
        """Public facts of a person that only this species has."""
        return {}

    def secret_view(self, play: Play, person: Person) -> dict[str, Any]:
        """What only that person may see."""
        return {}
