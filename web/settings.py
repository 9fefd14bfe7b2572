"""Where the panel listens."""

from __future__ import annotations

from dataclasses import dataclass

from companion.game.errors import BadInput

_PORTS = range(65536)


@dataclass(frozen=True, slots=True)
class WebSettings:
    """The section ``[web]``. Raises BadInput that names the key and what it may be.

    ``host`` is the address to listen on, all by default; ``port`` 0 takes any free one.
    """

    host: str = "0.0.0.0"
    port: int = 8080

    def __post_init__(self) -> None:
        if self.port not in _PORTS:
            given = {"value": str(self.port), "low": _PORTS[0], "high": _PORTS[-1]}
            raise BadInput("web.port", "setting.whole", given)
