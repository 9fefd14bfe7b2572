"""What a person or a file means by a word: an identity, a label, a kind.

Pieces and cards have identities (``adult/3#2``); people say less. One place decides what fits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.game.state import kind_of, label_of

#: From the exact identity to ever looser names: ``adult/3#2``, ``adult/3``, ``adult``; the last
#: drops the running number of cards that have the same text (``scratch_2``).
_LOOSER: tuple[Callable[[str], str], ...] = (
    str,
    label_of,
    kind_of,
    lambda option: option.rstrip("_0123456789"),
)


def named(options: Sequence[str], wanted: object) -> list[str]:
    """The options that ``wanted`` names, by the most exact reading that fits any; none: []."""
    word = str(wanted)
    for reading in _LOOSER:
        found = [option for option in options if reading(option) == word]
        if found:
            return found
    return []
