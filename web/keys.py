"""Who holds which seat, and who is the host.

A seat is claimed once with a random token out of a QR code; the phone then holds a random key in
a cookie and only the key's hash is kept. Claim tokens live in memory and die with their use.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256

from companion.game.errors import Refused
from web.pins import Locked, Pins
from web.security import Pace, raw, same
from web.services import Session

SEATS = (1, 2, 3, 4, 5)
RECOVERY = 300.0  # seconds a recovery code is good for
HOST = "host"


@dataclass(slots=True)
class _Claim:
    token: str
    until: float | None


class Keys:
    """Seat and host keys. ``clock`` in seconds; safe from any thread."""

    def __init__(
        self, session: Session, host_code: str, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._session, self._code, self._clock = session, host_code, clock
        self._lock = threading.RLock()
        self._claims: dict[int, _Claim] = {}
        self._guesses = Pace(20, 60.0, clock)
        self.pins = Pins(session, clock)
        self._wrong = 0
        self._locked_until = 0.0
        self._hashes = {h: session.kept(f"web.{h}") for h in (HOST, *map(seat_holder, SEATS))}

    # Holders ------------------------------------------------------------------------------------

    def holds(self, holder: str, key: str | None) -> bool:
        """Whether ``key`` is the current key of ``host`` or ``seat:<n>``."""
        kept = self._hashes.get(holder)
        return bool(key) and bool(kept) and same(str(kept), _hash(str(key)))

    def taken(self, holder: str) -> bool:
        """Whether anybody holds it."""
        return bool(self._hashes.get(holder))

    def phone(self, seat: int) -> bool:
        """Whether a phone of its player's holds a seat: a screen that it is lent to has a key too,
        but was told no PIN.
        """
        return self.taken(seat_holder(seat)) and self.pins.has(seat)

    def _keep(self, holder: str, hashed: str | None) -> None:
        self._session.keep(f"web.{holder}", hashed)
        self._hashes[holder] = hashed

    def _give(self, holder: str) -> str:
        key = secrets.token_urlsafe(24)
        self._keep(holder, _hash(key))
        return key

    # Seats --------------------------------------------------------------------------------------

    def claim_token(self, seat: int) -> str | None:
        """The token for a seat's QR code; None when the seat is held and no recovery is open."""
        with self._lock:
            claim = self._claims.get(seat)
            if claim and claim.until is not None and claim.until < self._clock():
                del self._claims[seat]
                claim = None
            if claim is None and not self.taken(seat_holder(seat)):
                claim = self._claims[seat] = _Claim(secrets.token_urlsafe(16), None)
            return claim.token if claim else None

    def renew(self, seat: int) -> None:
        """Open a seat for another phone for some minutes; the old key holds until it is claimed."""
        with self._lock:
            until = self._clock() + RECOVERY if self.taken(seat_holder(seat)) else None
            self._claims[seat] = _Claim(secrets.token_urlsafe(16), until)

    def claim(self, token: str) -> tuple[int, str]:
        """Trade a claim token for (seat, key). Refused ``claim.void``: no such token any more."""
        with self._lock:
            for seat in SEATS:
                self.claim_token(seat)
                claim = self._claims.get(seat)
                if claim and same(claim.token, token):
                    del self._claims[seat]
                    return seat, self._give(seat_holder(seat))
        raise Refused("claim.void")

    def recover(self, seat: int, pin: str) -> str:
        """The seat's new key for its PIN; the old key is void. Refused as `Pins.check` does."""
        self.pins.check(seat, pin)
        with self._lock:
            return self._give(seat_holder(seat))

    def free(self, seat: int) -> None:
        """Nobody holds the seat any more."""
        with self._lock:
            self._keep(seat_holder(seat), None)
            self._claims.pop(seat, None)
        self.pins.forget(seat)

    # Host ---------------------------------------------------------------------------------------

    def become_host(self, code: str, *, loopback: bool) -> str:
        """The host's key for the six digits, or for the first page on the box itself.

        Refused ``host.code`` for wrong digits; `Locked` ``host.locked`` after five of them, for
        five minutes, doubling.
        """
        with self._lock:
            if loopback and not code and not self.taken(HOST):
                return self._give(HOST)
            now = self._clock()
            if now < self._locked_until:
                raise Locked("host.locked", {"n": int(self._locked_until - now) // 60 + 1})
            if not self._guesses.allows(HOST):
                raise Locked("host.locked", {"n": 1})
            if self._code and same(self._code, code.strip()):
                self._wrong = 0
                return self._give(HOST)
            self._wrong += 1
            if self._wrong % 5 == 0:
                self._locked_until = now + 300.0 * 2 ** (self._wrong // 5 - 1)
            raise Refused("host.code")


def seat_holder(seat: int) -> str:
    """The holder's name of a seat: its audience."""
    return f"seat:{seat}"


def _hash(key: str) -> str:
    return sha256(raw(key)).hexdigest()
