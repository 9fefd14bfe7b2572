"""Our own files under an address that holds their hash, so that browsers may keep them for ever."""

from __future__ import annotations

import gzip
import mimetypes
import re
from functools import cache, lru_cache
from hashlib import sha256
from importlib.resources import files

from flask import Blueprint, Response, abort, request

from web.packed import mark as packed
from web.packed import unpacks
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


def _lean(content: bytes, suffix: str) -> bytes:
    """A script or style without the lines that are comments and without indents, and a style
    without the spaces beside its marks: phones pay for them and do not read them. A comment after
    code is sent. Nothing of ours stands in a text over several lines."""
    if suffix == ".css":
        content = re.sub(rb"^ +|^/\*[^*]*\*/\n", b"", content, flags=re.M)
        return re.sub(rb"(?<=[:{;,]) +| +(?=\{)|;? *(?=\})", b"", content)
    if suffix == ".js":
        content = re.sub(rb"^ */\*\*.*?\*/\n", b"", content, flags=re.M | re.S)
        return re.sub(rb"^ ++(?!//)|^ *//.*\n", b"", content, flags=re.M)
    return content


@lru_cache(maxsize=128)
def _file(names: str) -> tuple[bytes, bytes, str]:
    """Files joined by ``+`` as one: as they are, packed, and their kind. KeyError: no such file."""
    parts = names.split("+")
    if len(set(parts)) < len(parts):
        raise KeyError(names)
    suffix = names[names.rfind(".") :]
    content = b"".join(_lean(held()[part], suffix) for part in parts)
    kind = _TYPES.get(suffix) or mimetypes.guess_type(names)[0] or "application/octet-stream"
    return content, gzip.compress(content, 9, mtime=0), kind


@static.get("/static/<mark>/<name>")
def file(mark: str, name: str) -> Response:
    """One file, or some joined by ``+``; the long life only under the right fingerprint."""
    try:
        content, small, kind = _file(name)
    except KeyError:
        abort(404)
    response = Response(content, mimetype=kind)
    if kind.startswith("video/"):  # players ask for parts of it
        response.make_conditional(request, accept_ranges=True, complete_length=len(content))
    elif len(small) < len(content):
        response.vary.add("Accept-Encoding")
        if unpacks(request):
            response = packed(Response(small, mimetype=kind, headers={"Vary": "Accept-Encoding"}))
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
