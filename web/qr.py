"""QR codes as inline SVG: dark on a light card, as every reader expects."""

from __future__ import annotations

from functools import lru_cache
from io import BytesIO

import segno


def wifi(name: str, password: str) -> str:
    """The text of a code that joins a network; an empty password is an open one."""
    kind = "WPA" if password else "nopass"
    return f"WIFI:T:{kind};S:{_escaped(name)};P:{_escaped(password)};;"


def _escaped(text: str) -> str:
    return "".join(f"\\{c}" if c in '\\;,:"' else c for c in text)


@lru_cache(maxsize=32)
def code(text: str, label: str) -> str:
    """The SVG of a QR code with a quiet zone; ``label`` is read aloud instead of it."""
    out = BytesIO()
    segno.make_qr(text, error="m").save(
        out,
        kind="svg",
        xmldecl=False,
        svgns=True,
        border=3,
        omitsize=True,
        dark="#0b0d10",
        light="#d9d5c8",
        title=label,
        svgclass="qr",
        lineclass=None,
    )
    return out.getvalue().decode()
