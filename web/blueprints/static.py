"""Our own files under an address that holds their hash, so that browsers may keep them for ever."""

from __future__ import annotations

import mimetypes
from functools import cache
from hashlib import sha256
from importlib.resources import files

from flask import Blueprint, Response, abort

from web.panel import panel

static = Blueprint("files", __name__)
_TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


@cache
def held() -> dict[str, bytes]:
    """Every file by name."""
    folder = files("web") / "static"
    return {f.name: f.read_bytes() for f in sorted(folder.iterdir(), key=lambda f: f.name)}


@cache
def fingerprint() -> str:
    """Changes when any file does."""
    total = sha256()
    for name, content in held().items():
        total.update(name.encode() + content)
    return total.hexdigest()[:16]


@static.get("/static/<mark>/<name>")
def file(mark: str, name: str) -> Response:
    """One file; the long life only under the right fingerprint."""
    content = held().get(name)
    if content is None:
        abort(404)
    suffix = name[name.rfind(".") :]
    kind = _TYPES.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    response = Response(content, mimetype=kind)
    if mark == fingerprint():
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
    return response


@static.get("/cue/<name>.wav")
def cue(name: str) -> Response:
    """A sound of the table."""
    content = panel().services.cue(name)
    if content is None:
        abort(404)
    response = Response(content, mimetype="audio/wav")
    response.headers["Cache-Control"] = "public, max-age=3600"
    return response
