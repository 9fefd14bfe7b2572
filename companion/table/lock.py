"""One program a data folder: a second start is told where the first one answers."""

from __future__ import annotations

import fcntl
import json
import os
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from companion.game.errors import Fault, why

_NAME = "lock"
_PATIENCE_S = 0.5  # the first one may be about to write its address


class Lock:
    """The lock of a data folder. It goes with the process, however that ends.

    >>> lock = Lock(Path("/srv/companion"), "192.168.1.20:8080")
    """

    def __init__(self, folder: Path, address: str) -> None:
        self.path = folder / _NAME
        self._address = address
        self._handle: int | None = None

    def acquire(self) -> None:
        """Take the lock and write down this process and its address.

        Raises:
            Fault: another program has it (``data.locked`` with ``address`` and ``pid``, for good),
                or the folder cannot be written (``data.unwritable``).
        """
        try:
            handle = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                self._take(handle)
                _note(handle, self._address)
            except BaseException:
                os.close(handle)
                raise
        except Fault:
            raise
        except OSError as error:
            raise Fault(
                "data",
                "data.unwritable",
                {"path": str(self.path), **why(error)},
                temporary=False,
            ) from error
        self._handle = handle

    def answers_at(self, address: str) -> None:
        """Write down where this program answers, once it knows. Never raises."""
        if self._handle is not None:
            with suppress(OSError):
                _note(self._handle, address)

    def close(self) -> None:
        """Give the lock back. Twice is once."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def __enter__(self) -> Lock:
        self.acquire()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _take(self, handle: int) -> None:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Fault("data", "data.locked", _holder(handle), temporary=False) from None


def _note(handle: int, address: str) -> None:
    os.ftruncate(handle, 0)
    os.pwrite(handle, json.dumps({"pid": os.getpid(), "address": address}).encode(), 0)


def _holder(handle: int) -> dict[str, str]:
    """Process and address of the program that holds the lock, ``?`` when it has not said."""
    end = time.monotonic() + _PATIENCE_S
    while True:
        try:
            note = json.loads(os.pread(handle, 4096, 0))
            return {"address": str(note["address"]), "pid": str(note["pid"])}
        except (ValueError, LookupError, TypeError):
            if time.monotonic() > end:
                return {"address": "?", "pid": "?"}
            time.sleep(0.02)
