"""The event and attack decks: draw, discard, remove, shuffle."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.game import Ask, Draw, Steps
from companion.game.procedure import options
from companion.game.state import DECK, DISCARD, REMOVED
from companion.library.model import AttackCard, EventCard, Names
from companion.rules.play import Play, tell


def _ready(play: Play, deck: str, rule: str) -> Steps:
    """An empty deck is the shuffled discard pile (BASE-12, BASE-13)."""
    if not play.state.cards(deck, DECK):
        shuffle_in(play, deck)
        yield tell("deck_reshuffled", rule, deck=deck)


def shuffle_in(play: Play, deck: str) -> None:
    """The discard pile becomes part of the deck again."""
    for card in play.state.cards(deck, DISCARD):
        play.put(f"{deck}:{card}", DECK)


def _draw(play: Play, deck: str, rule: str) -> Steps:
    cards = tuple(play.state.cards(deck, DECK))
    drawn = yield Draw(
        deck,
        cards,
        deck,
        Ask(
            "card",
            f"ask.{deck}_card",
            rule,
            options=options(list(cards), f"ask.card_{deck}", "card"),
            free=True,
        ),
        free=True,
    )
    if isinstance(drawn, str):
        play.put(f"{deck}:{drawn}", DISCARD)
    return drawn


def draw_event(play: Play, rule: str) -> Steps:
    """One Event card, put on the discard pile; returns the `EventCard`."""
    yield from _ready(play, "event", "BASE-12")
    drawn = yield from _draw(play, "event", rule)
    return event_card(play, drawn)


def event_card(play: Play, drawn: str | Mapping[str, Any]) -> EventCard:
    """The card of an id, or one made from a card line (name, corridors, moves, effect, after)."""
    if isinstance(drawn, str):
        return play.content.events[drawn]
    name = str(drawn.get("name") or "?")
    corridors = drawn.get("corridors", ())
    return EventCard(
        id=name,
        names=Names({"en": name}),
        corridors=tuple(int(c) for c in ([corridors] if isinstance(corridors, int) else corridors)),
        moves=tuple(drawn.get("moves", ())),
        effect=str(drawn.get("effect", "none")),
        rule=str(drawn.get("rule", "BASE-299")),
        params=dict(drawn.get("params", {})),
        after=str(drawn.get("after", "discard")),
    )


def draw_event_number(play: Play, rule: str) -> Steps:
    """A card drawn only for a direction: its number; the card is discarded (BASE-175)."""
    card: EventCard = yield from draw_event(play, rule)
    number = card.corridors[0]
    show(play, "event", card.id, corridors=list(card.corridors), only_number=True)
    yield tell("direction_drawn", rule, deck="event", card=card.id, number=number)
    return number


def after_event(play: Play, card: EventCard) -> Steps:
    """Discard, or leave the game with the discard shuffled in, or shuffle back (BASE-299)."""
    identity = f"event:{card.id}"
    known = identity in play.state.where
    if card.after == "remove":
        if known:
            play.put(identity, REMOVED)
        shuffle_in(play, "event")
        yield tell("event_removed", "BASE-299 BASE-300 FAQ-A40", card=card.id)
    elif card.after == "reshuffle":
        if known:
            play.put(identity, DECK)
        yield tell("event_shuffled_back", "BASE-299", card=card.id)


def draw_attack(play: Play, rule: str) -> Steps:
    """One Intruder Attack card, put on the discard pile; returns the `AttackCard`."""
    yield from _ready(play, "attack", "BASE-13")
    drawn = yield from _draw(play, "attack", rule)
    return attack_card(play, drawn)


def attack_card(play: Play, drawn: str | Mapping[str, Any]) -> AttackCard:
    """The card of an id, or one made from a card line (blood, attackers, effect)."""
    if isinstance(drawn, str):
        return play.content.attacks[drawn]
    blood = drawn.get("blood")
    name = str(drawn.get("name") or drawn.get("effect") or "?")
    return AttackCard(
        id=name,
        names=Names({"en": name}),
        blood=None if blood in (None, "retreat") else int(blood),
        attackers=tuple(drawn.get("attackers", ())),
        effect=str(drawn.get("effect", "none")),
        rule=str(drawn.get("rule", "BASE-184")),
        params=dict(drawn.get("params", {})),
    )


def show(play: Play, deck: str, card: str, **params: Any) -> None:
    """Make a card the last one shown."""
    play.state.last_card = {"deck": deck, "card": card, **params}
