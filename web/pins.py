"""The four digits that bring a seat back on another phone.

Only a slow hash is kept, and few may be tried: five wrong ones close a seat's recovery for five
minutes, then ten, and so on, and all seats together take twenty tries a minute. Wrong tries are
on disk, so a restart forgives none of them.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
import time
from collections.abc import Callable
from typing import Any

from companion.game.errors import Refused
from web.security import Pace, raw, same
from web.services import Session

TRIES = 5  # wrong ones until a seat's recovery closes
LOCK = 300.0  # seconds it stays closed the first time
A_MINUTE = 20  # tries of all seats together
_COST = {"n": 2**13, "r": 8, "p": 1}  # 8 MB and some 20 ms a try on a laptop


class Locked(Refused):
    """Too many wrong digits; ``params`` holds the minutes to wait."""


class Pins:
    """One PIN a seat. ``clock`` in seconds; safe from any thread."""

    def __init__(self, session: Session, clock: Callable[[], float] = time.monotonic) -> None:
        self._session, self._clock = session, clock
        self._lock = threading.Lock()
        self._pace = Pace(A_MINUTE, 60.0, clock)
        self._until: dict[int, float] = {}
        self._told: dict[int, bool] = {}  # whether a seat has one: every stream asks each second

    def new(self, seat: int) -> str:
        """Other digits for a seat, to be shown once; those before and wrong tries are void."""
        pin = f"{secrets.randbelow(10_000):04}"
        salt = secrets.token_hex(16)
        with self._lock:
            self._session.keep(_at(seat), [salt, _hash(pin, salt)])
            self._told[seat] = True
            self._forgive(seat)
        return pin

    def forget(self, seat: int) -> None:
        """The seat has no PIN any more."""
        with self._lock:
            self._session.keep(_at(seat), None)
            self._told[seat] = False
            self._forgive(seat)

    def has(self, seat: int) -> bool:
        """Whether the seat's phone was told a PIN; a lent screen has none."""
        with self._lock:
            if seat not in self._told:
                self._told[seat] = _sound(self._session.kept(_at(seat)))
            return self._told[seat]

    def check(self, seat: int, pin: str) -> None:
        """Return when these are the seat's digits.

        Refused ``pin.none`` when it has none, ``pin.wrong`` for others; `Locked` ``pin.locked``
        while nobody may try, the right digits neither.
        """
        with self._lock:
            kept = self._session.kept(_at(seat))
            if not _sound(kept):
                raise Refused("pin.none")
            wrong = self._wrong(seat)
            now = self._clock()
            if wrong and wrong % TRIES == 0 and seat not in self._until:  # closed before a restart
                self._until[seat] = now + _closed(wrong)
            left = self._until.get(seat, now) - now
            if left > 0:
                raise Locked("pin.locked", {"n": int(left) // 60 + 1})
            if not self._pace.allows("all"):
                raise Locked("pin.locked", {"n": 1})
            # Counted before it is looked at: no crash and no second thread gets a try for nothing.
            self._session.keep(_tries(seat), wrong + 1)
            if same(kept[1], _hash(pin, kept[0])):
                self._forgive(seat)
                return
            if (wrong + 1) % TRIES == 0:
                self._until[seat] = now + _closed(wrong + 1)
        raise Refused("pin.wrong")

    def _wrong(self, seat: int) -> int:
        found = self._session.kept(_tries(seat))
        return found if isinstance(found, int) else 0

    def _forgive(self, seat: int) -> None:
        self._until.pop(seat, None)
        if self._wrong(seat):
            self._session.keep(_tries(seat), None)


def _at(seat: int) -> str:
    return f"web.pin.seat:{seat}"


def _tries(seat: int) -> str:
    return f"web.pin_tries.seat:{seat}"


def _closed(wrong: int) -> float:
    return float(LOCK * 2 ** (wrong // TRIES - 1))


def _hash(pin: str, salt: str) -> str:
    return hashlib.scrypt(raw(pin), salt=raw(salt), dklen=32, **_COST).hex()


def _sound(kept: Any) -> bool:
    return isinstance(kept, list) and len(kept) == 2 and all(isinstance(k, str) for k in kept)
