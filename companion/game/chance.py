"""Chance that can be checked afterwards and fished by nobody.

Value n of a purpose is HMAC-SHA256 over the game's seed, the purpose, the epoch, the number of
surviving draws of that purpose and the canonical root command, rejection-sampled. Undo and the
same command again give the same value; any other command draws fresh.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from typing import Any, Protocol

_WORD = 1 << 64


class Source(Protocol):
    """Who answers a draw: the box's chance, a scenario's queue, the dice of a test."""

    def pick(
        self, purpose: str, options: Sequence[str], *, epoch: int, count: int, key: str
    ) -> Any:
        """One of ``options`` (or, for decks, an ad-hoc card as a mapping)."""


class Chance:
    """The box's own chance. ``seed`` is 32 bytes: the Pi's secret and a share of every phone."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed

    @property
    def commitment(self) -> str:
        """SHA-256 of the seed, shown before play."""
        return hashlib.sha256(b"table-companion seed\0" + self._seed).hexdigest()

    def index(self, size: int, purpose: str, epoch: int, count: int, key: str) -> int:
        """A uniform number 0 … size-1. Raises ValueError for an empty choice."""
        if size < 1:
            raise ValueError("nothing to draw from")
        limit = _WORD - _WORD % size
        attempt = 0
        while True:
            message = f"{purpose}\0{epoch}\0{count}\0{key}\0{attempt}".encode()
            digest = hmac.digest(self._seed, message, "sha256")
            for start in (0, 8, 16, 24):
                word = int.from_bytes(digest[start : start + 8], "big")
                if word < limit:
                    return word % size
            attempt += 1

    def pick(
        self, purpose: str, options: Sequence[str], *, epoch: int, count: int, key: str
    ) -> Any:
        """See `Source`."""
        return options[self.index(len(options), purpose, epoch, count, key)]


def combine(secret: bytes, shares: Sequence[bytes], game: str) -> bytes:
    """The game's seed from the Pi's secret, the phones' shares in seat order and the game's id."""
    digest = hashlib.sha256(b"table-companion combine\0" + secret)
    for share in shares:
        digest.update(len(share).to_bytes(2, "big") + share)
    digest.update(game.encode())
    return digest.digest()
