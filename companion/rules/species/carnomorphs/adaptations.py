"""Adaptations: the miniatures that stand on them, their turning, their removal (CA-30 to CA-33).

The cards lie on slots named after the miniature that stands on each. A turned card is in
``State.weaknesses`` until the Laboratory removes it; ``State.own`` holds ``removed`` (object ->
card) and ``printed`` (object -> slot), which the board of the species shows.
"""

from __future__ import annotations

from companion.game import Ask, Draw, Steps
from companion.game.procedure import Option, options
from companion.game.state import SUPPLY, card_zone
from companion.rules.decks import learnt
from companion.rules.play import Play, tell
from companion.rules.study import named_card

#: Who stands on a card at setup (CA-06).
SLOTS = ("shambler", "fleshbeast", "butcher")
#: The Object that belongs to a slot; of the other two only the board of the species tells (CA-33).
PRINTED = {"corpse": "shambler"}
OPEN_PAIR = ("egg", "carcass")
#: Under what a card is remembered whose name was read from it.
DECK = "adaptation"


def on_cards() -> dict[str, str]:
    """The first miniature of each of these kinds stands on its card."""
    return {f"{slot}#1": card_zone(slot) for slot in SLOTS}


def available(play: Play, kind: str) -> list[str]:
    """Miniatures of a kind that may come: the one on its card before any other (CA-71)."""
    state = play.state
    return [*state.pieces(kind, card_zone(kind)), *state.pieces(kind, SUPPLY)]


def turn_up(play: Play, kind: str, rule: str) -> Steps:
    """One of this kind has come: its card is turned if its miniature has just left it (CA-31)."""
    state = play.state
    if kind not in SLOTS or state.pieces(kind, card_zone(kind)):
        return
    if kind in state.weaknesses or kind in state.own.get("removed", {}).values():
        return
    card = yield from _card(play, kind)
    state.weaknesses = {**state.weaknesses, kind: card}
    rules = f"{rule} CA-30 CA-31 CA-71 FAQ-C4"
    yield tell("adaptation_turned", rules, piece=kind, weakness=card)
    known = play.content.weaknesses.get(card)
    if known is None or known.unknown:
        yield tell("adaptation_by_table", "CA-31", weakness=card)


def _card(play: Play, slot: str) -> Steps:
    """The card of a slot: held face down by the box, or read from the table."""
    state = play.state
    held = state.hidden.get("weaknesses", {})
    if slot in held:
        state.hidden["weaknesses"] = {s: c for s, c in held.items() if s != slot}
        return held[slot]
    out = {*state.weaknesses.values(), *held.values(), *state.own.get("out", ())}
    left = tuple(c for c in play.aliens.weaknesses if c not in out)
    named = [c for c in left if not play.content.weaknesses[c].unknown]
    other = next((c for c in left if c not in named), None)
    before = {k: line for k, line in learnt(play, DECK).items() if line["name"] not in out}
    drawn = yield Draw(
        "weakness",
        left,
        "weaknesses",
        Ask(
            "card",
            "ask.adaptation",
            "CA-31",
            {"piece": slot},
            options=(
                *options(named, "ask.weakness_card", "weakness"),
                *(Option(k, "ask.learnt", {"name": v["name"]}) for k, v in before.items()),
                *options([*filter(None, [other])], "ask.weakness_card", "weakness"),
            ),
            free=other is not None,
        ),
        free=other is not None,
        others=tuple(before),
    )
    return named_card(play, before.get(drawn, drawn) if isinstance(drawn, str) else drawn, DECK)


# The Laboratory -----------------------------------------------------------------------------------


def removable(play: Play) -> list[str]:
    """Objects whose analysis may remove a card that is turned (CA-32)."""
    printed = {**PRINTED, **play.state.own.get("printed", {})}
    turned = [slot for slot in SLOTS if slot in play.state.weaknesses]
    return [
        thing
        for thing in ("corpse", *OPEN_PAIR)
        if (printed[thing] in turned if thing in printed else set(turned) & _unprinted(printed))
    ]


def _unprinted(printed: dict[str, str]) -> set[str]:
    return set(SLOTS) - set(printed.values())


def slot_of(play: Play, thing: str) -> Steps:
    """The slot of an Object; asked once, since only the printed board tells it (CA-33)."""
    printed = {**PRINTED, **play.state.own.get("printed", {})}
    if thing not in printed:
        slot = yield Ask(
            "card",
            "ask.printed_slot",
            "CA-33",
            {"piece": thing},
            options=options(sorted(_unprinted(printed)), "ask.piece", "piece"),
        )
        other = next(t for t in OPEN_PAIR if t != thing)
        rest = next(s for s in _unprinted(printed) if s != slot)
        play.state.own["printed"] = {thing: slot, other: rest}
        printed = {**PRINTED, **play.state.own["printed"]}
    return printed[thing]


def remove(play: Play, seat: int, thing: str, rule: str) -> Steps:
    """The card of an Object leaves the game, when it is turned; otherwise nothing (CA-32)."""
    state = play.state
    slot = yield from slot_of(play, thing)
    card = state.weaknesses.get(slot)
    if card is None:
        yield tell("adaptation_not_turned", f"{rule} CA-32 CA-33", seat=seat, piece=slot)
        return
    state.weaknesses = {s: c for s, c in state.weaknesses.items() if s != slot}
    state.own["removed"] = {**state.own.get("removed", {}), thing: slot}
    state.own["out"] = [*state.own.get("out", ()), card]
    yield tell("adaptation_removed", f"{rule} CA-32 CA-33", seat=seat, piece=thing, weakness=card)


def removed(play: Play) -> list[str]:
    """Objects whose card has left the game (CA-57)."""
    return sorted(play.state.own.get("removed", {}))
