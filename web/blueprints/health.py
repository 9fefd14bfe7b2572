"""``GET /health``: how the program fares, for machines and for waiting pages."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from flask import Blueprint, request

from companion.locale import Words, words
from companion.table.ports import Status
from web.panel import language_of, panel

health = Blueprint("health", __name__)


@health.get("/health")
def state() -> dict[str, Any]:
    """``{status: starting|ready|degraded, version, game, seq, parts}``; never a secret."""
    here = panel()
    parts = list(here.services.health())
    starting = not here.services.ready()
    broken = any(p.status in (Status.DEGRADED, Status.FAILED) for p in parts)
    said = words(language_of(request))
    view = None if starting else here.session.view("table")[1]
    return {
        "status": "starting" if starting else "degraded" if broken else "ready",
        "version": installed(),
        "game": view["game"].get("id") if view else None,
        "seq": 0 if starting else here.session.seq,
        "parts": [
            {
                "part": p.part,
                "status": p.status.value,
                "code": p.code,
                "text": told(said, p.code, p.params) if p.code else "",
            }
            for p in parts
        ],
    }


def told(said: Words, key: str, params: Mapping[str, Any]) -> str:
    """What a key says, and what to do about it where that is known."""
    remedy = f"{key}.remedy"
    return said.say(key, params) + (f" {said.say(remedy, params)}" if said.has(remedy) else "")


def installed() -> str:
    """The version of the installed program."""
    try:
        return version("table-companion")
    except PackageNotFoundError:
        return "0"
