"""What a running companion writes to the terminal, in the reader's words."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from companion.cli import explain
from companion.game import CompanionError
from companion.locale import Words


class Said(logging.Formatter):
    """Log lines in words: an error's own sentence, and a message that is a key with its parameters.

    Whatever else is logged, and every traceback, stays as it is: that is for a defect's report.
    """

    def __init__(self, say: Words) -> None:
        super().__init__()
        self._say = say

    def formatMessage(self, record: logging.LogRecord) -> str:
        """One line; `logging` puts the traceback under it."""
        given = record.args
        if isinstance(record.msg, str) and self._say.has(record.msg):
            params: Mapping[str, Any] = given if isinstance(given, Mapping) else {}
            return self._say.say(record.msg, {k: self._spoken(v) for k, v in params.items()})
        if isinstance(given, tuple):
            return str(record.msg) % tuple(map(self._spoken, given))
        return record.getMessage()

    def _spoken(self, value: object) -> object:
        return explain(value, self._say) if isinstance(value, CompanionError) else value


def speak(say: Words) -> None:
    """Write what is logged from now on, warnings and worse, to standard error in words."""
    handler = logging.StreamHandler()
    handler.setFormatter(Said(say))
    logging.getLogger().addHandler(handler)
