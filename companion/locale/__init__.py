"""Every word the product says, in English, Italian and French.

Messages have symbolic ids (``refuse.corridor_closed``); English is a catalogue like the others.
The ``.po`` files beside this module are read as they are when a language is first used, so there
is no compiled copy to forget.

>>> words("it").say("ui.yes")
'Sì'
"""

from __future__ import annotations

from companion.locale.catalogue import (
    DEFAULT,
    Words,
    best,
    held_together,
    languages,
    raise_on_missing,
    words,
)

__all__ = ["DEFAULT", "Words", "best", "held_together", "languages", "raise_on_missing", "words"]
