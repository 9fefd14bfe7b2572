"""Where the panel listens."""

from __future__ import annotations

from dataclasses import dataclass

from companion.game.errors import BadInput

_PORTS = range(65536)
_NAME = 32  # bytes of a network's name
_PASSWORD = range(8, 64)  # characters of WPA


@dataclass(frozen=True, slots=True)
class WebSettings:
    """The section ``[web]``. Raises BadInput that names the key and what it may be.

    ``host`` is the address to listen on, all by default; ``port`` 0 takes any free one.
    ``wifi_name`` and ``wifi_password`` are of the network phones join first, for its code on the
    start page; no password means an open network, no name no code.
    """

    host: str = "0.0.0.0"
    port: int = 8080
    wifi_name: str = ""
    wifi_password: str = ""

    def __post_init__(self) -> None:
        if self.port not in _PORTS:
            given = {"value": str(self.port), "low": _PORTS[0], "high": _PORTS[-1]}
            raise BadInput("web.port", "setting.whole", given)
        if len(self.wifi_name.encode()) > _NAME:
            raise BadInput("web.wifi_name", "setting.wifi_name", {"high": _NAME})
        if self.wifi_password and len(self.wifi_password) not in _PASSWORD:
            given = {"low": _PASSWORD[0], "high": _PASSWORD[-1]}
            raise BadInput("web.wifi_password", "setting.wifi_password", given)
