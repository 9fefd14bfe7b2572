"""The game's sealed seed: committed to before play, shared by every phone, opened at the end."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from companion.game import BadInput, Chance, Refused, combine

SECRET, SHARES = "seed.secret", "seed.shares"
SHARE_BYTES = 16


class Box(Protocol):
    """Where the box keeps what nobody may see yet: the journal's private values."""

    def kept(self, key: str) -> Any: ...  # noqa: D102
    def keep(self, key: str, value: Any) -> None: ...  # noqa: D102


def seal(box: Box) -> str:
    """Make and keep the box's own secret of 32 bytes; returns what is shown before play."""
    secret = secrets.token_bytes(32)
    box.keep(SECRET, secret.hex())
    return commitment(secret)


def commitment(secret: bytes) -> str:
    """SHA-256 of the secret: the closed envelope."""
    return hashlib.sha256(b"table-companion envelope\0" + secret).hexdigest()


def share(box: Box, seat: int, value: str) -> None:
    """A phone cuts the deck: up to 16 bytes as hexadecimal text. BadInput for anything else."""
    try:
        data = bytes.fromhex(value)
    except (ValueError, TypeError):
        raise BadInput("share", "command.share") from None
    if not 0 < len(data) <= SHARE_BYTES:
        raise BadInput("share", "command.share")
    shares = dict(box.kept(SHARES) or {})
    shares[str(seat)] = data.hex()
    box.keep(SHARES, shares)


class SealedChance:
    """Chance from the kept secret and shares, put together at the first draw, not before."""

    def __init__(self, box: Box, game: str) -> None:
        self._box = box
        self._game = game
        self._chance: Chance | None = None

    def pick(
        self, purpose: str, options: Sequence[str], *, epoch: int, count: int, key: str
    ) -> Any:
        """See `companion.game.chance.Source`."""
        if self._chance is None:
            self._chance = Chance(seed(self._box, self._game))
        return self._chance.pick(purpose, options, epoch=epoch, count=count, key=key)


def seed(box: Box, game: str) -> bytes:
    """The game's seed. Refused ``verify.no_seed`` when the box holds none (an import)."""
    secret = box.kept(SECRET)
    if not secret:
        raise Refused("verify.no_seed")
    shares: Mapping[str, str] = box.kept(SHARES) or {}
    ordered = [bytes.fromhex(shares[s]) for s in sorted(shares)]
    return combine(bytes.fromhex(secret), ordered, game)
