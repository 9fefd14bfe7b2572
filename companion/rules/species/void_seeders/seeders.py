"""How the Void Seeders do what every species does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from companion.game import Ask, Board, Need, Person, Steps
from companion.game.state import DEAD, INTRUDER_BOARD, kind_of
from companion.library.model import AttackCard, ExplorationToken
from companion.rules.contamination import by_hand, cards_of
from companion.rules.facts.people import SPECIMENS, which_of
from companion.rules.fresh import remember
from companion.rules.movement import token_to_bag
from companion.rules.nature import Nature
from companion.rules.phase import PHASE
from companion.rules.play import Play, tell
from companion.rules.species import register
from companion.rules.species.common import Strategy
from companion.rules.species.void_seeders import ending, lurking, tokens  # noqa: F401 lurking is a step
from companion.rules.species.void_seeders.insanity import (
    FLOOR,
    Level,
    calmer,
    level_of,
    lower_to_floor,
    raise_to_highest,
)
from companion.rules.species.void_seeders.lairs import (
    DESPOILER,
    LAIR,
    TOKEN,
    appears,
    destroyed,
    fallen,
    is_lair,
    lair_in,
    next_lower,
    struck_despoiler,
)
from companion.rules.species.void_seeders.panic import panic
from companion.rules.victory import trophy_taken
from companion.rules.wounds import contaminate


class VoidSeeders(Strategy):
    """Lurker, Whisperer, Stalker, Despoiler, and the Lairs that feed it."""

    id = "void_seeders"
    attacks_leave_hands = False  # Panic takes cards
    trophy = DESPOILER
    through_doors = "VS-50"
    natures: Mapping[str, Nature] = {
        "lurker": Nature(check="VS-45", death="VS-49"),
        "whisperer": Nature(check="VS-46", death="VS-49"),
        "stalker": Nature(check="VS-47", death="VS-49"),
        DESPOILER: Nature(check="VS-48", death="VS-49", mortal=False),  # VS-42
        LAIR: Nature(
            check="VS-38",
            death="VS-41",
            grave=INTRUDER_BOARD,
            moves=False,  # VS-36
            attacks=False,  # VS-43
            met=False,  # VS-43
        ),
    }
    truth: Mapping[str, str] = {"panic": "digital"}
    topics: Mapping[str, Mapping[str, str]] = {
        "insanity": {"bag": "asked", "bag_and_board": "tracked", "everything": "tracked"},
    }
    token_rules: Mapping[str, str] = {"lair": "VS-33"}
    view_words = ("lairs_destroyed", "despoiler_defeated", "covered")
    small = ("lurker", "whisperer")
    specimens: Mapping[str, tuple[str, ...]] = {
        slot: kinds for slot, kinds in SPECIMENS.items() if slot != "corpse"
    }
    cites: Mapping[str, str] = {
        "BASE-33": "VS-103",
        "BASE-48": "VS-05 VS-06 VS-07",
        "BASE-49": "VS-08 VS-09",
        "BASE-50": "VS-10",
        "BASE-51": "VS-11",
        "BASE-52": "VS-12",
        "BASE-53": "VS-13",
        "BASE-54": "VS-14 VS-20 VS-27 FAQ-V9",
        "BASE-55": "VS-15",
        "BASE-56": "VS-16",
        "BASE-57": "VS-17",
        "BASE-58": "VS-18",
        "BASE-59": "VS-19",
        "BASE-60": "VS-21",
        "BASE-61": "VS-22",
        "BASE-62": "VS-22",
        "BASE-80": "VS-58",
        "BASE-126": "VS-68",
        "BASE-128": "VS-68",
        "BASE-141": "VS-51",
        "BASE-217": "VS-100",
        "BASE-262": "VS-68",
        "BASE-288": "VS-59",
        "BASE-293": "VS-60",
        "BASE-294": "VS-61",
        "VS-43": "FAQ-V4 FAQ-V6",
        "VS-54": "FAQ-V11",
        "VS-57": "FAQ-V1",
        "VS-66": "FAQ-V10",
        "VS-98": "FAQ-V5",
    }

    # Setup ------------------------------------------------------------------------------------

    def starting_bag(self, play: Play) -> dict[str, int]:
        """With the Insanity token of each character's colour (VS-14, VS-20, VS-27)."""
        own = [tokens.insanity_of(play, p) for p in play.state.seats.values()]
        return {**super().starting_bag(play), **dict.fromkeys(own, 1)}

    def covered(self, play: Play) -> list[str]:
        """Every Engine (VS-08)."""
        rooms = play.board.rooms
        return [r for r in sorted(rooms) if (rooms[r].fixed or "").startswith("engine_")]

    def tasks(self, play: Play) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
        """With the Panic deck, everybody's Insanity Track and own Help cards (VS-15 to VS-21)."""
        yield from super().tasks(play)
        if play.state.truth.get("panic") == "physical":
            count = play.aliens.decks["panic"].cards
            yield "panic", "deck", "VS-15", {"deck": "panic", "n": count, "species": self.id}
        yield "help", "help", "VS-17", {"species": self.id}
        yield "insanity", "insanity", "VS-21 VS-26", {"n": len(play.state.seats)}

    def prepare(self, play: Play) -> Steps:
        """Everybody's Insanity at 1 (VS-21)."""
        for person in play.state.seats.values():
            person.own["insanity"] = 1
        yield tell("setup_insanity", "VS-21", n=len(play.state.seats))

    # Exploration ------------------------------------------------------------------------------

    def token_turned(
        self, play: Play, card: ExplorationToken, room: str, seat: int | None, way: Any
    ) -> Steps:
        """A Lair, and no noise for this move (VS-33)."""
        yield from appears(play, room)
        return True

    # The bag and the board --------------------------------------------------------------------

    def encountered(self, play: Play, token: str, seat: int, room: str) -> Steps:
        """VS-52 to VS-56."""
        yield from tokens.met(play, token, seat, room)

    def development(self, play: Play, token: str) -> Steps:
        """VS-65 to VS-67."""
        yield from tokens.drawn(play, token)

    def figure(self, play: Play, kind: str, room: str) -> Steps:
        """None of the kind left: the next lower one (VS-54)."""
        return (yield from next_lower(play, kind, "VS-54"))

    def surprise(self, play: Play, seat: int, mini: str) -> Steps:
        """The same for all kinds: a Contamination card and a Panic card (VS-57)."""
        was = play.state.copy()
        yield from contaminate(play, seat, 1, "VS-57")
        yield from panic(play, seat, "VS-57")
        remember(play, was, "attack", seat, surprise=True)

    def surprised_by_action_cards(self, play: Play) -> bool:
        """By switch: the rulebook says both (VS-52)."""
        return play.switch("vs_surprise_cards") == "action cards"

    def token_returns(self, play: Play, kind: str, rule: str) -> Steps:
        """No kind has tokens of its own: a random one, or none by switch (VS-103)."""
        if play.switch("vs_technical_token") == "random":
            yield from token_to_bag(play, TOKEN, rule)

    def quiet_danger(self, play: Play, room: str) -> bool:
        """By switch, where only Lairs are near (VS-36)."""
        near = [m for n in play.board.neighbours(room) for m in play.intruders(n)]
        lairs = bool(near) and all(map(is_lair, near))
        return lairs and play.switch("vs_danger_with_lair") == "nothing"

    # Moving, attacks and injuries -------------------------------------------------------------

    def taken_for(self, play: Play, target: str, face: str) -> Steps:
        """Which symbols of the die stand for Lurker and Whisperer, the table's sheet says once."""
        kind = kind_of(target)
        if face not in ("creeper", "adult") or kind not in ("lurker", "whisperer"):
            return kind
        key = f"die:{kind}:{face}"
        if key not in play.state.learnt:
            hits = yield Ask(
                "yes_no", "ask.die_symbol", "BASE-157 VS-01", {"kind": kind, "face": face}
            )
            play.state.learnt = {**play.state.learnt, key: {"hits": hits}}
        return face if play.state.learnt[key]["hits"] else kind

    def dodges(self, play: Play, kind: str, face: str) -> str:
        """A Lair is hit only by a face that injures anything, or only by the double (VS-37)."""
        both = play.switch("vs_lair_face") == "one dot"
        faces = ("one_crosshair", "two_crosshairs") if both else ("two_crosshairs",)
        return "VS-37" if kind == LAIR and face not in faces else ""

    def hit(
        self, play: Play, mini: str, hits: int, rule: str, weapon: str, *, check: bool
    ) -> Steps:
        """The Despoiler takes no Injury (VS-48); a Lair is hit as any Intruder (VS-32)."""
        if kind_of(mini) != DESPOILER:
            burns = " VS-44" if "BASE-294" in rule else " VS-32"
            lair = burns if is_lair(mini) else ""
            yield from super().hit(play, mini, hits, f"{rule}{lair}", weapon, check=check)
        elif check:
            yield from struck_despoiler(play, mini)

    def check(self, play: Play, mini: str) -> Steps:
        """The Despoiler has no Injuries to compare (VS-48)."""
        if kind_of(mini) == DESPOILER:
            yield from struck_despoiler(play, mini)
        else:
            yield from super().check(play, mini)

    def blood(self, play: Play, mini: str, cards: Sequence[AttackCard]) -> int | None:
        """A Lurker by the lower number, the others by the higher one (VS-38, VS-45, VS-47)."""
        numbers = [card.blood for card in cards if card.blood is not None]
        if len(numbers) < len(cards):
            return None
        return min(numbers) if kind_of(mini) == "lurker" else max(numbers)

    def arrow(self, play: Play, mini: str, rule: str) -> Steps:
        """A Lair stays whole (VS-39)."""
        if is_lair(mini):
            yield tell("lair_holds", "VS-39 VS-36", piece=mini)
        else:
            yield from super().arrow(play, mini, rule)

    def burns(self, play: Play, mini: str) -> bool:
        """Not the Despoiler; a Lair by switch (VS-61, VS-44)."""
        if is_lair(mini):
            return play.switch("vs_lair_burns") == "yes"
        return kind_of(mini) != DESPOILER

    def killed(self, play: Play, mini: str, room: str | None, rule: str) -> Steps:
        """A token goes in (VS-49); after a Lair, what its fall means (VS-42)."""
        if is_lair(mini):
            yield from fallen(play, rule)
        else:
            yield from token_to_bag(play, TOKEN, "VS-49 VS-104")

    # The event phase and the end of a round ---------------------------------------------------

    def phase(self, play: Play) -> tuple[str, ...]:
        """Lurking comes between the event and the bag (VS-59)."""
        at = PHASE.index("bag_development")
        return (*PHASE[:at], "lurk", *PHASE[at:])

    def own_round_ends(self, play: Play, people: Sequence[Person], *, late: bool = False) -> Steps:
        """A Noise roll beside a Lair, although that is Combat (VS-35)."""
        near = [p for p in people if play.takes_part(p) and lair_in(play, p.room)]
        if near and late:
            seats = [p.seat for p in near]
            chosen = yield which_of(near, "ask.lair_whispers", "VS-35", prefill=seats)
            near = [p for p in near if p.seat in chosen]
        for person in near:
            yield tell("lair_whispers", "VS-35", seat=person.seat, room=person.room)
            play.due("noise_roll", seat=person.seat)

    # Bodies and minds -------------------------------------------------------------------------

    def infected(self, play: Play, seat: int, rule: str, *, resting: bool) -> Steps:
        """Insanity 5, by the scans that rest brings (VS-70, VS-101)."""
        if resting:
            yield from raise_to_highest(play, seat, "VS-70 VS-101")

    def rests(self, play: Play, seat: int, rule: str, count: int | None) -> Steps:
        """Insanity -1, and the hand is scanned if wanted (VS-69)."""
        yield from calmer(play, seat, "VS-69")
        if count is not None or not cards_of(play, seat):
            return bool(count)
        if not by_hand(play) and play.person(seat).hand is None:
            return True  # how many are scanned is asked: none is an answer too
        return (yield Ask("yes_no", "ask.rest_scans", "VS-69", {"seat": seat}))

    def cleansed(self, play: Play, seat: int, rule: str) -> Steps:
        """Insanity down to 3 by Surgery (VS-71) and the Antidote (VS-72)."""
        yield from lower_to_floor(play, seat, "VS-72" if "BASE-220" in rule else "VS-71")

    def studies(self, play: Play, room: str) -> list[str]:
        """In place of a Corpse, the Insanity of somebody alive at 3 or more (VS-73)."""
        held = play.holds("insanity")
        mad = any(level_of(p) >= FLOOR or not held for p in play.people_in(room))
        return ["corpse"] if mad else []

    def analysed(self, play: Play, room: str, rule: str) -> Steps:
        """Levels are asked one after the other, until somebody's is high enough (VS-73)."""
        for person in play.people_in(room):
            level = yield Need(Level(person.seat, f"{rule} VS-73"))
            if level is None or level >= FLOOR:
                return ["corpse"]
        return []

    def discover(self, play: Play, seat: int, slot: str, rule: str) -> Steps:
        """Cited with what was analysed (VS-73)."""
        by_mind = " VS-73" if slot not in self.specimens else ""
        yield from super().discover(play, seat, slot, f"{rule}{by_mind}")

    def contamination_check(self, play: Play, person: Person) -> Steps:
        """VS-74 to VS-76."""
        yield from ending.contamination_check(play, person)

    # What is shown ----------------------------------------------------------------------------

    def taint(self, room: str, view: Mapping[str, Any], board: Board) -> int:
        """3 a Lair, the Stalker or the Despoiler; 2 a lesser one, or a Lair next door (VS-35)."""
        rooms = view["rooms"]
        kinds = {i["type"] for i in rooms[room]["intruders"]}
        if kinds - {*self.small}:
            return 3
        near = any(i["type"] == LAIR for n in board.neighbours(room) for i in rooms[n]["intruders"])
        return 2 if kinds or near else 0

    def view(self, play: Play) -> dict[str, Any]:
        """Destroyed Lairs, and Engines whose token still lies."""
        return {
            "lairs_destroyed": destroyed(play),
            "despoiler_defeated": trophy_taken(play),
            "covered": list(play.state.own.get("covered", ())),
        }

    def marks(self, play: Play, person: Person) -> dict[str, int | str]:
        """The marker on the Insanity Track (VS-21)."""
        return dict(self.person_view(play, person))

    def person_view(self, play: Play, person: Person) -> dict[str, Any]:
        """The Insanity Level, where the table has it held."""
        held = person.state != DEAD and play.state.tracking.get("insanity") == "tracked"
        return {"insanity": level_of(person)} if held else {}


VOID_SEEDERS = register(VoidSeeders())
