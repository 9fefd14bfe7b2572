"""The event and attack decks: draw, discard, remove, shuffle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.game import Ask, BadInput, Draw, Steps
from companion.game.procedure import Option, options
from companion.game.state import BOTTOM, DECK, DISCARD, REMOVED, label_of
from companion.library.model import AttackCard, EventCard, Names
from companion.rules.play import Play, tell


def learn(play: Play, deck: str, line: Mapping[str, Any]) -> None:
    """Remember a card entered by hand under its name: next time it is one of the options."""
    name = str(line.get("name") or "").strip()[:40]
    if name:
        kept = {key: value for key, value in line.items() if key != "learnt"}
        play.state.learnt = {**play.state.learnt, f"{deck}:{name}": {**kept, "name": name}}


def learnt(play: Play, deck: str) -> dict[str, dict[str, Any]]:
    """The cards of a deck that were entered by hand, by the id of their option.

    What was learnt in an earlier game of other aliens is not of this deck: its symbols tell.
    """
    head, here = f"{deck}:", play.aliens.creatures
    return {
        f"learnt:{key[len(head) :]}": line
        for key, line in play.state.learnt.items()
        if key.startswith(head)
        and here.keys() >= {*_list(line, "attackers"), *_list(line, "moves")}
    }


def card_drawn(play: Play, deck: str, cards: Sequence[str], rule: str) -> Steps:
    """A card of a deck: its id, or a card line where a hand has drawn one that nobody knows.

    What was entered by hand before is offered by its name.
    """
    before = learnt(play, deck)
    drawn = yield Draw(
        deck,
        tuple(cards),
        deck,
        Ask(
            "card",
            f"ask.{deck}_card",
            rule,
            options=(
                *options(list(dict.fromkeys(map(label_of, cards))), f"ask.card_{deck}", "card"),
                *(
                    Option(key, "ask.learnt", {"name": line["name"]})
                    for key, line in before.items()
                ),
            ),
            free=True,
        ),
        free=True,
        others=tuple(before),
    )
    if isinstance(drawn, Mapping):
        learn(play, deck, drawn)
        return drawn
    return before.get(drawn, drawn)


def ready(play: Play, deck: str, rule: str) -> Steps:
    """What lies under the deck comes when the rest is used up; then the shuffled discard pile
    is the deck (BASE-12, BASE-13).
    """
    if not play.state.cards(deck, DECK):
        for card in play.state.cards(deck, BOTTOM):
            play.put(f"{deck}:{card}", DECK)
    if not play.state.cards(deck, DECK):
        shuffle_in(play, deck)
        yield tell("deck_reshuffled", rule, deck=deck)


def shuffle_in(play: Play, deck: str) -> None:
    """The discard pile becomes part of the deck again, shuffled whole; nobody knows its top."""
    play.state.hidden.pop(deck, None)
    for card in [*play.state.cards(deck, DISCARD), *play.state.cards(deck, BOTTOM)]:
        play.put(f"{deck}:{card}", DECK)


def draw_card(play: Play, deck: str, rule: str) -> Steps:
    """A card of a deck, put on its discard pile: an id, or a card line."""
    cards = tuple(play.state.cards(deck, DECK))
    top = play.state.hidden.pop(deck, {}).get("top")
    if top in cards and play.state.truth.get(deck) == "digital":
        play.put(f"{deck}:{top}", DISCARD)
        return top
    drawn = yield from card_drawn(play, deck, cards, rule)
    if isinstance(drawn, str):
        play.put(f"{deck}:{drawn}", DISCARD)
    return drawn


def top_event(play: Play, rule: str) -> Steps:
    """The card that lies on top of the event deck, without drawing it; None on cardboard."""
    if play.state.truth.get("event") != "digital":
        return None
    yield from ready(play, "event", "BASE-12")
    cards = tuple(play.state.cards("event", DECK))
    top = play.state.hidden.get("event", {}).get("top")
    if top not in cards:
        top = yield Draw("event", cards, "event", Ask("card", "", rule))
        play.state.hidden["event"] = {"top": top}
    return top


def put_under(play: Play, card: str) -> None:
    """The top event card goes to the bottom of its deck."""
    play.state.hidden.pop("event", None)
    play.put(f"event:{card}", BOTTOM)


def draw_event(play: Play, rule: str) -> Steps:
    """One Event card, put on the discard pile; returns the `EventCard`."""
    yield from ready(play, "event", "BASE-12")
    drawn = yield from draw_card(play, "event", rule)
    return event_card(play, drawn)


def event_card(play: Play, drawn: str | Mapping[str, Any]) -> EventCard:
    """The card of an id, or one made from a card line (name, corridors, moves, effect, after).

    A line with the effect of a known card cites that card's rule and means what that card names.
    BadInput names what is wrong.
    """
    if isinstance(drawn, str):
        return play.content.events[drawn]
    corridors = tuple(_whole("corridors", n, 1, 4) for n in _list(drawn, "corridors", "corridor"))
    known = [play.content.events[c] for c in play.aliens.events]
    effect = _effect(drawn, known)
    alike = [c for c in known if c.effect == effect]
    exact = [c for c in alike if c.corridors == corridors] or alike
    return EventCard(
        id=_name(drawn),
        names=Names({"en": _name(drawn)}),
        corridors=corridors,
        moves=_creatures(play, drawn, "moves"),
        effect=effect,
        rule=exact[0].rule if exact else "BASE-299",
        params=exact[0].params if exact else {},
        after=_one_of(drawn, "after", ("discard", "remove", "reshuffle")),
    )


def _name(line: Mapping[str, Any]) -> str:
    return str(line.get("name") or line.get("effect") or "?")[:40]


def _list(line: Mapping[str, Any], *keys: str) -> list[Any]:
    value: Any = next((line[k] for k in keys if k in line), [])
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _whole(key: str, value: Any, low: int, high: int) -> int:
    if isinstance(value, str) and value.isdigit():
        value = int(value[:3])
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise BadInput(
            f"value.{key}", "command.range", {"value": str(value)[:20], "low": low, "high": high}
        )
    return value


def _one_of(line: Mapping[str, Any], key: str, allowed: Sequence[str]) -> str:
    value = line.get(key, allowed[0])
    if value not in allowed:
        raise BadInput(
            f"value.{key}",
            "answer.option",
            {"value": str(value)[:40], "allowed": ", ".join(allowed)},
        )
    return str(value)


def _effect(line: Mapping[str, Any], cards: Sequence[EventCard | AttackCard]) -> str:
    """An effect that a card of the deck in play has."""
    return _one_of(line, "effect", ["none", *dict.fromkeys(card.effect for card in cards)])


def _creatures(play: Play, line: Mapping[str, Any], key: str) -> tuple[str, ...]:
    return tuple(_creature(play, key, kind) for kind in _list(line, key))


def _creature(play: Play, key: str, kind: Any) -> str:
    return _one_of({key: kind}, key, list(play.aliens.creatures))


def draw_event_number(play: Play, rule: str) -> Steps:
    """A card drawn only for a direction: its number; the card is discarded (BASE-175)."""
    card: EventCard = yield from draw_event(play, rule)
    if not card.corridors:
        raise BadInput("value.corridors", "command.missing_field")
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
    yield from ready(play, "attack", "BASE-13")
    drawn = yield from draw_card(play, "attack", rule)
    return attack_card(play, drawn)


def attack_card(play: Play, drawn: str | Mapping[str, Any]) -> AttackCard:
    """The card of an id, or one made from a card line (blood, attackers, effect).

    ``blood`` is a number or ``retreat``, or such a value for each kind and for all ``other``. A
    line with the effect of a known card cites that card's rule. BadInput names what is wrong.
    """
    if isinstance(drawn, str):
        return play.content.attacks[drawn]
    blood = drawn.get("blood", "retreat")
    numbers = dict(blood) if isinstance(blood, Mapping) else {"other": blood}
    other = numbers.pop("other", "retreat")
    known = [play.content.attacks[c] for c in play.aliens.attacks]
    effect = _effect(drawn, known)
    alike = [c for c in known if c.effect == effect]
    return AttackCard(
        id=_name(drawn),
        names=Names({"en": _name(drawn)}),
        blood=_drop(other),
        attackers=_creatures(play, drawn, "attackers"),
        effect=effect,
        rule=alike[0].rule if alike else "BASE-184",
        params=alike[0].params if alike else {},
        blood_of={_creature(play, "blood", kind): _drop(n) for kind, n in numbers.items()},
    )


def _drop(blood: Any) -> int | None:
    return None if blood == "retreat" else _whole("blood", blood, 0, 20)


def show(play: Play, deck: str, card: str, **params: Any) -> None:
    """Make a card the last one shown."""
    play.state.last_card = {"deck": deck, "card": card, **params}
