"""``GET /stream/<audience>``: the views of a page as Server-Sent Events."""

from __future__ import annotations

import json

from flask import Blueprint, Response, request

from web import packed
from web.blueprints.static import fingerprint
from web.panel import device, language_of, must_hold, panel, seats_held
from web.present import SECRETS
from web.streams import run

stream = Blueprint("stream", __name__)


def veiled(text: str) -> bytes:
    """A part of a seat's stream: its size tells nobody on the Wi-Fi which secrets it holds."""
    return packed.veiled(text, SECRETS)


@stream.get("/stream/<audience>")
def listen(audience: str) -> Response:
    """Open a stream for ``table``, ``host`` or ``seat:<n>``; 401 or 403 without its key."""
    must_hold(audience)
    here = panel()
    if not here.services.ready():
        return Response(status=503)
    language = language_of(request)
    last = request.headers.get("Last-Event-ID") or request.args.get("last", "")
    phone = device()
    owner = f"table@{phone}" if audience == "table" else audience
    theatre = audience == "table" and request.args.get("theatre") == "on"
    opened = here.streams.open(owner, audience, seats_held(request), theatre=theatre, device=phone)
    listener = here.session.listen(audience)
    first = here.session.view(audience)
    gone = request.environ.get("waitress.client_disconnected", lambda: False)
    small = packed.unpacks(request)
    chunks = run(
        opened,
        listener,
        first,
        boot=here.session.boot,
        mark=fingerprint(),
        last=last,
        say=lambda view: here.text(audience, view, language),
        people=lambda: json.dumps(here.presence(language, opened.seats), ensure_ascii=False),
        left=gone,
        done=lambda: here.streams.close(opened),
        pack=(veiled if audience.startswith("seat:") else packed.block) if small else str.encode,
    )
    response = Response(packed.begun(chunks) if small else chunks, mimetype="text/event-stream")
    if small:
        packed.mark(response)
    response.headers["X-Accel-Buffering"] = "no"
    return response
