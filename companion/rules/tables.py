"""Tracking presets and places of truth: what a table holds, and where each secret lies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.rules.facts import TOPICS

if TYPE_CHECKING:
    from companion.rules.play import Play

TRACKED, ASKED, TOLD = "tracked", "asked", "told"

#: What each preset does with a kind of fact. "Bag" holds nothing of the board: it asks in the
#: moment a rule needs it; counters of items are the table's own business.
PRESETS: dict[str, dict[str, str]] = {
    "bag": {**dict.fromkeys(TOPICS, ASKED), "counters": TOLD},
    "bag_and_board": {**dict.fromkeys(TOPICS, TRACKED), "wounds": ASKED, "objects": ASKED},
    "everything": dict.fromkeys(TOPICS, TRACKED),
}

#: Components whose truth is in the box or on the table, never both, and the usual place.
TRUTH_COMPONENTS: dict[str, str] = {
    "bag": "digital",
    "event": "digital",
    "attack": "digital",
    "dice": "physical",
    "objectives": "digital",
    "contamination": "physical",
    "wounds": "physical",
    "tiles": "physical",
    "exploration": "physical",
    "items": "physical",
    "engines": "physical",
    "coordinates": "physical",
    "weaknesses": "physical",
    "pods": "digital",
    "help_cards": "digital",
    "draft": "digital",
}


def tracking_of(preset: str) -> dict[str, str]:
    """The level of every kind of fact in a preset."""
    return dict(PRESETS[preset])


def default_truth(digital: bool) -> dict[str, str]:
    """Where each component's truth lies: as usual, or all in the box."""
    if digital:
        return dict.fromkeys(TRUTH_COMPONENTS, "digital")
    return dict(TRUTH_COMPONENTS)


def levels(play: Play, preset: str) -> dict[str, str]:
    """How a preset holds each kind of fact, those of the species included."""
    own = {topic: held[preset] for topic, held in play.species.topics.items()}
    return {**tracking_of(preset), **own}


def places(play: Play, digital: bool = False) -> dict[str, str]:
    """Where the truth of each component lies, those of the species included."""
    own = dict.fromkeys(play.species.truth, "digital") if digital else play.species.truth
    return {**default_truth(digital), **own}
