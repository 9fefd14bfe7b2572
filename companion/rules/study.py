"""The Laboratory: an object shows its weakness (BASE-246, BASE-223 to BASE-227)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.game import Ask, BadInput, Draw, Need, Steps
from companion.game.procedure import Option, options
from companion.rules.decks import learn, learnt
from companion.rules.facedown import SLOTS
from companion.rules.facts import Characters, Specimen, Specimens
from companion.rules.play import Play, tell
from companion.rules.rooms import Use, action
from companion.rules.verbs import PIECE, SEAT, maybe, verb


def unknown_slots(play: Play) -> list[str]:
    """Objects that still have something to show (BASE-223)."""
    return play.species.unknown_slots(play)


def bar(play: Play) -> tuple[str, dict[str, Any]] | None:
    """Why nothing can be studied now."""
    return None if unknown_slots(play) else (play.species.nothing_left, {})


def _studies(play: Play, room: str) -> list[str]:
    slots = unknown_slots(play)
    if play.holds("objects"):
        here = [*Specimens(room, "BASE-246").read(play), *play.species.studies(play, room)]
        slots = [s for s in slots if s in here]
    return slots


@action(
    "laboratory",
    name="study",
    bar=lambda play, _room: bar(play),
    kind="piece",
    targets=_studies,
    empty="study.nothing_here",
)
def study_here(play: Play, use: Use) -> Steps:
    """An Object in the Laboratory shows its weakness to all (BASE-246, BASE-223, BASE-224)."""
    afar = " FAQ-A44" if use.remote else ""
    yield from study(play, use.seat, use.room, use.target, f"{use.rule} BASE-224{afar}")


@verb("study", touches=("objects",), seat=SEAT, target=maybe(PIECE))
def study_anywhere(play: Play, seat: int, target: str | None = None) -> Steps:
    """The Scientist's Laboratory Equipment, with the Object in the Room (BASE-227)."""
    person = play.person(seat)
    yield Need(Characters("BASE-227"))
    if person.character != "scientist":
        play.refuse("study.not_scientist", seat=seat)
    if person.room is None:
        play.refuse("room.not_aboard", seat=seat)
        return
    if barred := bar(play):
        play.refuse(barred[0], **barred[1])
        return
    yield from study(play, seat, person.room, target, "BASE-227")


def named_slot(play: Play, target: str | None) -> str | None:
    """The slot that a target means; BadInput for what no weakness is studied with."""
    kinds = play.species.specimens
    slot = next((s for s in SLOTS if target in (s, *kinds.get(s, ()))), None)
    if target is not None and slot is None:
        raise BadInput(
            "target", "answer.option", {"value": target[:40], "allowed": ", ".join(SLOTS)}
        )
    return slot


def study(play: Play, seat: int, room: str, target: str | None, rule: str) -> Steps:
    """The card of a slot is turned for everybody; the Object is kept (BASE-223)."""
    kinds = play.species.specimens
    slot = named_slot(play, target)
    unknown = unknown_slots(play)
    if slot is None:
        here = yield Need(Specimens(room, rule))
        minds = yield from minds_here(play, room, rule, unknown)
        found = [s for s in (*here, *minds) if s in unknown]
        if not found:
            play.refuse("study.nothing_here", room=room)
            return
        slot = found[0]
        if len(found) > 1:
            slot = yield Ask(
                "card", "ask.study", rule, options=options(found, "ask.piece", "piece")
            )
    elif slot not in unknown:
        play.refuse("study.known", piece=slot)
        return
    elif slot not in kinds:
        if slot not in (yield from minds_here(play, room, rule, unknown)):
            play.refuse("study.not_here", piece=slot, room=room)
    elif not (yield Need(Specimen(slot, room, rule))):
        play.refuse("study.not_here", piece=slot, room=room)
    yield from play.species.discover(play, seat, slot, rule)


def minds_here(play: Play, room: str, rule: str, unknown: Sequence[str]) -> Steps:
    """Slots still unknown that are studied without an Object, where somebody here is fit for it."""
    if all(slot in play.species.specimens for slot in unknown):
        return []
    return (yield from play.species.analysed(play, room, rule))


def discover(play: Play, seat: int, slot: str, rule: str) -> Steps:
    """The weakness of a slot lies open: the card held face down, or the one on the table."""
    state = play.state
    card = state.hidden.get("weaknesses", {}).get(slot)
    deck = play.content.species[state.species]
    unread = deck.weakness_cards > len(deck.weaknesses)
    if card is None:
        dealt = state.hidden.get("weaknesses", {}).values()
        known = {*state.weaknesses.values(), *dealt}
        left = [w for w in play.aliens.weaknesses if w not in known]
        before = {
            k: line for k, line in learnt(play, "weakness").items() if line["name"] not in known
        }
        drawn = yield Draw(
            "weakness",
            tuple(left),
            "weaknesses",
            Ask(
                "card",
                "ask.weakness",
                "BASE-223",
                {"piece": slot},
                options=(
                    *options(left, "ask.weakness_card", "weakness"),
                    *(Option(k, "ask.learnt", {"name": v["name"]}) for k, v in before.items()),
                ),
                free=unread,
            ),
            free=unread,
            others=tuple(before),
        )
        card = named_card(play, before.get(drawn, drawn) if isinstance(drawn, str) else drawn)
    else:
        left_hidden = {s: w for s, w in state.hidden["weaknesses"].items() if s != slot}
        state.hidden["weaknesses"] = left_hidden
    state.weaknesses = {**state.weaknesses, slot: card}
    known_card = play.content.weaknesses.get(card)
    effect = known_card.rule if known_card else ""
    yield tell(
        "weakness_found", f"{rule} BASE-223 {effect}".strip(), seat=seat, piece=slot, weakness=card
    )


def named_card(play: Play, drawn: str | Mapping[str, Any], deck: str = "weakness") -> str:
    """The id of a card, or the name of one that only its card tells of. BadInput: no name."""
    if isinstance(drawn, str):
        return drawn
    name = str(drawn.get("name") or "").strip()[:40]
    if not name:
        raise BadInput("value.name", "command.missing_field")
    learn(play, deck, {"name": name})
    return name
