"""The optional Intruder player: who takes the Intruders over, and what their cards do.

The ten Intruder Action cards stay real: only their names and numbers are known. Their holder says
which use was chosen and what is printed; where a card's text is not known, the text is theirs to
read, and the table's other commands do what it says.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.game import Ask, BadInput, Draw, Need, Steps
from companion.game.procedure import options
from companion.game.state import BOTTOM, DECK, DISCARD, kind_of
from companion.rules.combat import choose_target, intruder_attack, strike
from companion.rules.decks import attack_card, draw_event, event_card, ready
from companion.rules.facts import Characters, Intruders
from companion.rules.movement import leave_by
from companion.rules.phase import resolve_event
from companion.rules.play import Play, tell
from companion.rules.verbs import PIECE, SEAT, Arg, maybe, step, verb, word

#: Names of the Intruder Action cards and how many there are of each (BASE-236).
CARDS = {
    "pursuit": 4,
    "coordinated_hunt": 2,
    "metamorphosis": 1,
    "planning": 2,
    "self_healing": 1,
}
DRAWN, HAND, KEPT = 3, 4, 1  # a Player Phase's draw, the hand limit, what passing leaves (BASE-229)
PLANNED = 3  # Event cards of Planning


@step("intruder_offer")
def intruder_offer(play: Play, seat: int) -> Steps:
    """The first player eliminated may take the Intruders from this Player Phase on (BASE-66)."""
    state = play.state
    wanted = yield Ask("yes_no", "ask.play_intruders", "BASE-66", {"seat": seat}, to=seat)
    state.intruder_asked = True
    if not wanted:
        yield tell("intruder_declined", "BASE-66", seat=seat)
        return
    state.intruder_seat = seat
    yield tell("intruder_player", "BASE-66 BASE-228", seat=seat, n=sum(CARDS.values()))
    yield from draws(play)


def draws(play: Play) -> Steps:
    """The Intruder player's cards at the start of a Player Phase (BASE-229)."""
    if play.state.intruder_seat is not None:
        yield tell("intruder_draws", "BASE-229", seat=play.state.intruder_seat, n=DRAWN, count=HAND)


def turn_begins(play: Play) -> Steps:
    """A new Player Phase: cards for who plays the Intruders, or the offer to do so."""
    state = play.state
    if state.intruder_seat is not None:
        yield from draws(play)
    elif state.intruder_player and state.eliminated and not state.intruder_asked:
        first = min(state.eliminated, key=lambda seat: play.person(seat).number)
        play.due("intruder_offer", seat=first)


@verb(
    "intruder_action",
    touches=("intruders", "wounds", "objects", "noise"),
    use=word("move", "attack", "effect", "pass"),
    card=maybe(word(*CARDS)),
    intruder=maybe(PIECE),
    number=maybe(Arg("count", low=1, high=4)),
    count=maybe(Arg("count", low=1, high=10)),
    seat=maybe(SEAT),
)
def intruder_action(
    play: Play,
    use: str,
    card: str | None = None,
    intruder: str | None = None,
    number: int | None = None,
    count: int = 1,
    seat: int | None = None,
) -> Steps:
    """One action of the Intruder player: one card, used in one of three ways (BASE-231), or pass.

    ``move``: ``intruder`` by the printed ``number``. ``attack``: ``intruder`` with ``count``
    Attack cards, one of which is chosen. ``effect``: ``card``, on ``seat`` where it names somebody.
    Refused when nobody plays the Intruders or in another phase.
    """
    state = play.state
    if state.intruder_seat is None:
        play.refuse("intruder_action.nobody")
    if state.phase != "player":
        play.refuse("intruder_action.not_now")
    if use == "pass":
        yield tell("intruder_passes", "BASE-230", n=KEPT)
        return
    if use == "effect":
        yield from effect(play, card, seat)
        return
    if intruder is None:
        raise BadInput("intruder", "command.missing_field")
    if use == "move" and number is None:
        raise BadInput("number", "command.missing_field")
    if intruder not in play.state.where and not play.state.pieces(intruder):
        raise BadInput("intruder", "command.unknown_piece", {"value": intruder[:40]})
    yield Need(Characters("BASE-231"))
    yield Need(Intruders("BASE-231"))
    mini = _on_board(play, intruder)
    if number is not None and use == "move":
        yield tell("intruder_sent", "BASE-230 BASE-231", piece=mini, number=number)
        yield from leave_by(play, [mini], play.room_of(mini) or "", number, "BASE-231")
        return
    yield from attack(play, mini, count)


def _on_board(play: Play, intruder: str) -> str:
    found = [m for m in play.intruders() if intruder in (m, kind_of(m))]
    if not found:
        raise BadInput("intruder", "command.unknown_piece", {"value": intruder[:40]})
    return found[0]


def attack(play: Play, mini: str, count: int) -> Steps:
    """Draw the printed number of Attack cards, choose one; the others under the deck (BASE-231)."""
    room = play.room_of(mini) or ""
    if not play.people_in(room):
        play.refuse("intruder_action.nobody_there", piece=mini, room=room)
        return
    target = yield from choose_target(play, room, "BASE-231")
    yield tell("intruder_strikes", "BASE-230 BASE-231", piece=mini, seat=target, n=count)
    on_cardboard = play.state.truth.get("attack") == "physical"
    if on_cardboard or not play.nature(mini).draws:
        yield from intruder_attack(play, mini, rule="BASE-231", target=target)
        return
    chosen = yield from choose(play, "attack", count, "BASE-231", "BASE-13")
    yield from strike(play, mini, target, attack_card(play, chosen), "BASE-231")


def choose(play: Play, deck: str, count: int, rule: str, empty: str) -> Steps:
    """Several cards of a deck, seen by the Intruder player alone; the one chosen is discarded.

    Returns its id; the others lie under the deck.
    """
    shown: list[str] = []
    for _ in range(count):
        yield from ready(play, deck, empty)
        left = tuple(c for c in play.state.cards(deck, DECK) if c not in shown)
        if not left:
            break
        top = play.state.hidden.pop(deck, {}).get("top")
        drawn = (
            top
            if top in left
            else (yield Draw(f"{deck}_choice", left, deck, Ask("confirm", "", rule)))
        )
        shown.append(drawn)
        play.put(f"{deck}:{drawn}", BOTTOM)
    chosen = shown[0]
    if len(shown) > 1 and play.state.intruder_seat is not None:
        chosen = yield Ask(
            "card",
            f"ask.choose_{deck}",
            rule,
            options=options(shown, f"ask.card_{deck}", "card"),
            to=play.state.intruder_seat,
            secret=True,
            by_hand=False,
        )
    play.put(f"{deck}:{chosen}", DISCARD)
    return chosen


def effect(play: Play, card: str | None, seat: int | None) -> Steps:
    """The effect of an Intruder Action card, as far as it is known (BASE-236)."""
    if card is None:
        raise BadInput("card", "command.missing_field")
    if card == "pursuit" and seat is None:
        raise BadInput("seat", "command.missing_field")
    yield tell("intruder_card", "BASE-230 BASE-231 BASE-236", intruder_card=card)
    if seat is not None and card == "pursuit":
        if not play.takes_part(play.person(seat)):
            play.refuse("noise.not_aboard", seat=seat)
            return
        play.due("noise_roll", seat=seat)
    elif card == "planning":
        yield from planning(play)
    else:
        yield tell("intruder_card_by_table", "BASE-236", intruder_card=card)


def planning(play: Play) -> Steps:
    """Three Event cards are drawn, one is resolved; where the others go stands on the card."""
    state = play.state
    if state.truth.get("event") == "physical":
        card = yield from draw_event(play, "BASE-236")
        yield from resolve_event(play, card, "BASE-236")
        return
    before = set(state.cards("event", BOTTOM))
    chosen = yield from choose(play, "event", PLANNED, "BASE-236", "BASE-12")
    others = [c for c in state.cards("event", BOTTOM) if c not in before]
    if others:
        place = yield Ask(
            "choice",
            "ask.other_events",
            "BASE-236",
            options=options(["discard", "bottom", "shuffle"], "ask.pile", "pile"),
            to=state.intruder_seat or "any",
        )
        _lay_away(play, others, place)
        yield tell("intruder_cards_away", "BASE-236", n=len(others), pile=place)
    yield from resolve_event(play, event_card(play, chosen), "BASE-236")


def _lay_away(play: Play, cards: Sequence[str], place: str) -> None:
    zone = {"discard": DISCARD, "bottom": BOTTOM, "shuffle": DECK}[place]
    for card in cards:
        play.put(f"event:{card}", zone)
