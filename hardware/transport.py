"""Where a strip's bytes go: a real SPI bus, or a memory that stands in for one."""

from __future__ import annotations

import errno
import fcntl
from typing import Any, Protocol

from companion.game.errors import Fault, why

PART = "lights"


class Transport(Protocol):
    """Sends one frame's bytes. Raises Fault; the owner then closes it and may open another."""

    def send(self, data: bytes) -> None:
        """Send the bytes of one frame."""
        ...

    def close(self) -> None:
        """Release the device; more than once does no harm."""
        ...


class SimulatedTransport:
    """A strip in memory: keeps the last bytes, and how many frames came."""

    def __init__(self) -> None:
        self.last = b""
        self.frames = 0

    def send(self, data: bytes) -> None:
        """Keep ``data``."""
        self.last = data
        self.frames += 1

    def close(self) -> None:
        """Nothing to release."""


class SpiTransport:
    """A strip on ``/dev/spidev<bus>.<device>``, clocked at ``hz``.

    ``spi`` is a `spidev.SpiDev` or anything with its methods ``open``, ``writebytes2`` and
    ``close``; without it spidev is imported. The device is locked, so that a second program is
    told instead of mixing its frames in. Raises Fault:

    * ``lights.no_spidev`` (permanent): the library is not installed;
    * ``lights.no_spi``: no such device, SPI is not enabled;
    * ``lights.permission`` (permanent): this user may not open it;
    * ``lights.busy``: another program has it;
    * ``lights.lost``: it failed while sending.
    """

    def __init__(self, bus: int, device: int, hz: int, *, spi: Any = None) -> None:
        self._name = f"/dev/spidev{bus}.{device}"
        self._spi = _spidev() if spi is None else spi
        try:
            self._spi.open(bus, device)
            self._lock()
            self._spi.max_speed_hz = hz
            self._spi.mode = 0
        except OSError as error:
            self.close()
            raise self._fault(error) from error

    def send(self, data: bytes) -> None:
        """Write ``data`` in one transfer."""
        try:
            self._spi.writebytes2(data)
        except OSError as error:
            raise Fault(PART, "lights.lost", self._params(error)) from error

    def close(self) -> None:
        """Release the bus."""
        self._spi.close()

    def _lock(self) -> None:
        fileno = getattr(self._spi, "fileno", None)
        if fileno is not None:
            fcntl.flock(fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _fault(self, error: OSError) -> Fault:
        params = self._params(error)
        match error.errno:
            case errno.ENOENT | errno.ENODEV | errno.ENXIO:
                return Fault(PART, "lights.no_spi", params)
            case errno.EACCES | errno.EPERM:
                return Fault(PART, "lights.permission", params, temporary=False)
            case errno.EBUSY | errno.EWOULDBLOCK:
                return Fault(PART, "lights.busy", params)
            case _:
                return Fault(PART, "lights.lost", params)

    def _params(self, error: OSError) -> dict[str, Any]:
        return {"device": self._name, **why(error)}


def _spidev() -> Any:
    try:
        import spidev
    except ImportError as error:
        raise Fault(PART, "lights.no_spidev", temporary=False) from error
    return spidev.SpiDev()
