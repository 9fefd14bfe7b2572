"""Cards and Items that touch the table: one command for all, by the effect that content names.

The companion holds no hands and no Items: whoever plays a card says so, and only what the card
does to what the companion holds happens here. The effects are in `cardeffects`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from companion.game import Ask, BadInput, Need, Steps
from companion.game.procedure import Option, options
from companion.game.state import ABOARD
from companion.library.model import Card
from companion.rules.facts import Characters, Intruders
from companion.rules.facts.people import faces
from companion.rules.play import Play
from companion.rules.verbs import PIECE, SEAT, maybe, verb, word


@dataclass(frozen=True, slots=True)
class Played:
    """A card played: by whom, where that one stands, and on what, as far as it was said."""

    seat: int
    room: str
    card: Card
    target: str | None = None
    fresh: dict[str, Any] | None = None  # what has just happened, see `companion.rules.fresh`

    @property
    def rule(self) -> str:
        """The rule of the card."""
        return self.card.rule


Effect = Callable[[Play, Played], Steps]

EFFECTS: dict[str, Effect] = {}

#: Effects on what has just happened: even one whom it killed may play the card.
AFTERWARDS = ("cancel_attack", "reroll")


def effect(name: str) -> Callable[[Effect], Effect]:
    """Register what a card does, by the name that content uses."""

    def register(run: Effect) -> Effect:
        EFFECTS[name] = run
        return run

    return register


@verb(
    "card",
    touches=("characters", "intruders", "injuries", "wounds", "doors", "noise", "objects"),
    seat=SEAT,
    card=word(),
    target=maybe(PIECE),
)
def play_card(play: Play, seat: int, card: str, target: str | None = None) -> Steps:
    """A Character uses a card or an Item that touches the table (BASE-269 to BASE-287).

    ``target`` says beforehand what its first question would ask. Refused: not aboard; a card of
    another Character; in Combat, for cards that are not played in Combat. BadInput: no such card.
    """
    known = play.content.cards.get(card)
    if known is None:
        raise BadInput("card", "command.unknown_word", {"value": card[:40]})
    person = play.person(seat)
    if known.character and person.character != known.character:
        play.refuse("card.not_theirs", seat=seat, played=card)
    if known.effect in AFTERWARDS:
        yield from use_afterwards(play, seat, card)
        return
    play.state.fresh = None
    yield Need(Characters(known.rule))
    if person.state != ABOARD or person.room is None:
        play.refuse("card.not_aboard", seat=seat)
        if person.room is None:
            return
    if not known.combat:
        yield Need(Intruders(known.rule))
        if play.in_combat(person):
            play.refuse("card.in_combat", seat=seat, played=card)
    yield from EFFECTS[known.effect](play, Played(seat, person.room, known, target))


def use_afterwards(play: Play, seat: int, card: str) -> Steps:
    """A card on what has just happened: what it changes, others cannot change any more."""
    fresh, play.state.fresh = play.state.fresh, None
    used = Played(seat, play.person(seat).room or "", play.content.cards[card], None, fresh)
    yield from EFFECTS[used.card.effect](play, used)


def choose(play: Play, use: Played, kind: str, ids: list[str]) -> Steps:
    """One of ``ids``: the target named, the only one, or what the player says.

    Refused when there is nothing to choose.
    """
    if use.target is not None and use.target in ids:
        return use.target
    if use.target is not None:
        allowed = ", ".join(ids)
        raise BadInput("target", "answer.option", {"value": use.target[:40], "allowed": allowed})
    if not ids:
        play.refuse("card.no_target", played=use.card.id)
        return None
    if len(ids) == 1:
        return ids[0]
    words = options(ids, "ask.piece", "piece")
    if kind == "place":
        ways = play.board.corridors
        words = tuple(
            Option(i, "ask.corridor", {"space": i})
            if i in ways
            else Option(i, "ask.room", {"room": i})
            for i in ids
        )
    params = {"seat": use.seat, "played": use.card.id}
    chosen = yield Ask(kind, "ask.card_target", use.rule, params, options=words)
    return chosen


def choose_seat(play: Play, use: Played, seats: list[int], key: str = "ask.card_target") -> Steps:
    """A Character: the target named (``"2"`` or ``seat:2``), the only one, or by faces."""
    if use.target is not None:
        named = use.target.removeprefix("seat:")
        found = [s for s in seats if named in (str(s), play.person(s).character)]
        if not found:
            allowed = ", ".join(map(str, seats))
            raise BadInput(
                "target", "answer.option", {"value": use.target[:40], "allowed": allowed}
            )
        return found[0]
    if not seats:
        play.refuse("card.no_target", played=use.card.id)
        return None
    if len(seats) == 1:
        return seats[0]
    people = [play.person(s) for s in seats]
    params = {"seat": use.seat, "played": use.card.id}
    chosen = yield Ask("faces", key, use.rule, params, options=faces(people))
    return chosen
