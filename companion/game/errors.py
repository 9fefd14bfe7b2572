"""The ways a request can fail, for every part of the product.

Each error carries a symbolic code and plain parameters; the words are made at the edge by
`companion.locale` (keys ``refuse.<code>``, ``bad.<code>``, ``fault.<code>`` and
``fault.<code>.remedy``).
"""

from __future__ import annotations

import errno
from collections.abc import Mapping
from typing import Any

_WHY = {
    errno.ENOSPC: "disk_full",
    errno.EDQUOT: "disk_full",
    errno.EACCES: "no_permission",
    errno.EPERM: "no_permission",
    errno.EROFS: "read_only",
    errno.ENOENT: "gone",
    errno.ENODEV: "gone",
    errno.ENXIO: "gone",
    errno.EBUSY: "busy",
    errno.EAGAIN: "busy",
    errno.EADDRINUSE: "busy",
    errno.EISDIR: "a_folder",
    errno.ENOTDIR: "a_file",
    errno.EIO: "broken",
    errno.EADDRNOTAVAIL: "not_ours",
    errno.ECONNREFUSED: "no_answer",
    errno.ECONNRESET: "no_answer",
    errno.EHOSTUNREACH: "no_answer",
    errno.EHOSTDOWN: "no_answer",
    errno.ENETUNREACH: "no_answer",
    errno.ETIMEDOUT: "no_answer",
}


def why(error: OSError) -> dict[str, Any]:
    """The parameters ``reason`` and ``number`` of a message about what the system refused.

    ``reason`` is itself a key (``why.disk_full``); the catalogue has the words, not the system.
    """
    late = errno.ETIMEDOUT if isinstance(error, TimeoutError) else 0
    number = error.errno or late
    kind = "no_such_name" if number < 0 else _WHY.get(number, "other")  # the resolver counts down
    return {"reason": f"why.{kind}", "number": number}


class CompanionError(Exception):
    """Base of every error this product raises on purpose."""

    prefix = "error"

    def __init__(self, code: str, params: Mapping[str, Any] | None = None) -> None:
        self.code = code
        self.params: dict[str, Any] = dict(params or {})
        super().__init__(f"{self.prefix}.{code} {self.params}" if self.params else code)

    @property
    def key(self) -> str:
        """The catalogue key of this error's sentence."""
        return f"{self.prefix}.{self.code}"


class Refused(CompanionError):
    """The rules, or the state of the table, do not allow the command now. Nothing changed.

    ``by_hand`` says whether the table may answer "it happened anyway": true for public facts
    of the board, never for draws, secrets and seats. ``rule`` are the ids it stands on, if any.
    """

    prefix = "refuse"

    def __init__(
        self,
        code: str,
        params: Mapping[str, Any] | None = None,
        *,
        by_hand: bool = False,
        rule: str = "",
    ) -> None:
        super().__init__(code, params)
        self.by_hand = by_hand
        self.rule = rule


class BadInput(CompanionError, ValueError):
    """Something from outside is malformed. ``path`` names the place (``file: key`` or a field)."""

    prefix = "bad"

    def __init__(self, path: str, code: str, params: Mapping[str, Any] | None = None) -> None:
        super().__init__(code, {"path": path, **dict(params or {})})
        self.path = path


class Fault(CompanionError, OSError):
    """A device or a file failed. ``part`` names it (``camera``, ``lights``, ``journal`` …).

    ``temporary`` faults are retried by the supervisor with a capped back-off.
    """

    prefix = "fault"

    def __init__(
        self,
        part: str,
        code: str,
        params: Mapping[str, Any] | None = None,
        *,
        temporary: bool = True,
    ) -> None:
        super().__init__(code, {"part": part, **dict(params or {})})
        self.part = part
        self.temporary = temporary

    @property
    def remedy(self) -> str:
        """The catalogue key of the sentence that says what to do."""
        return f"{self.key}.remedy"
