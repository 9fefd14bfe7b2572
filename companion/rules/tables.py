"""Tracking presets and places of truth: what a table holds, and where each secret lies."""

from __future__ import annotations

from companion.rules.facts import TOPICS

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
