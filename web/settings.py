"""Where the panel listens."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class WebSettings:
    """``host`` is the address to listen on (all by default); ``port`` 0 takes any free one."""

    host: str = "0.0.0.0"
    port: int = field(default=8080, metadata={"min": 0, "max": 65535})
