"""Why a device library refused, in the catalogue's words where its own English is a common one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from companion.game.errors import why

_MOST: Final = 120  # letters of a sentence that is quoted
_WORDS: Final[Mapping[str, str]] = {
    r"\bbusy\b|in use|already (in use|reserved)|resource temporarily": "why.busy",
    r"permission|denied|not permitted|not allowed|no access": "why.no_permission",
    r"no such|not found|cannot find|does not exist|unknown pcm|bad (gpio|handle)": "why.gone",
    r"default pin factory|no module named|cannot open shared object": "why.no_library",
    r"timed? ?out|no response|not respond": "why.no_answer",
    r"input/output error|i/o error|remote i/o": "why.broken",
    r"read-only": "why.read_only",
}


def because(error: Exception) -> dict[str, Any]:
    """The parameters ``reason``, ``number`` and ``said`` of a message about what was refused.

    As `companion.game.errors.why` for an error of the system; a library's own is known by the
    words it uses, and quoted where they say nothing we know.
    """
    if isinstance(error, OSError) and error.errno:
        return why(error)
    return spoken(str(error) or type(error).__name__)


def spoken(text: str) -> dict[str, Any]:
    """The same, of the sentence of a library or a program."""
    for pattern, reason in _WORDS.items():
        if re.search(pattern, text, re.IGNORECASE):
            return {"reason": reason, "number": 0, "said": text[:_MOST]}
    return {"reason": "why.said", "number": 0, "said": text[:_MOST]}
