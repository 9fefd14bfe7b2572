"""The panel: one Flask application over a running game."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from flask import Flask, Response, jsonify, request
from werkzeug.exceptions import HTTPException

from companion.locale import words
from web import packed
from web.blueprints.api import api
from web.blueprints.camera import camera
from web.blueprints.health import health
from web.blueprints.lights import lights
from web.blueprints.pages import pages, problem
from web.blueprints.sim import sim
from web.blueprints.static import static
from web.blueprints.stream import stream
from web.keys import Keys
from web.panel import Panel, install, language_of
from web.security import guard
from web.services import Services, Session
from web.streams import Streams


def create_app(session: Session, services: Services | None = None) -> Flask:
    """The application of one table.

    ``session`` is the running game; ``services`` are the optional parts beside it. Serve it with
    `web.server.Server`.
    """
    parts = services or Services()
    app = Flask("web", root_path=str(Path(__file__).parent), static_folder=None)
    app.debug = False  # whatever FLASK_DEBUG says: a stranger's error page shows nothing
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    tokens = guard(app, session, parts)
    packed.install(app)
    streams = Streams()
    if parts.curtain is not None:
        parts.curtain.watched = streams.theatre
    install(app, Panel(session, parts, Keys(session, parts.host_code), tokens, streams))
    for blueprint in (pages, api, camera, lights, stream, health, sim, static):
        app.register_blueprint(blueprint)

    @app.errorhandler(HTTPException)
    def refused(error: HTTPException) -> tuple[Response, int]:
        return _error(error.code or 500, error.description or "")

    @app.errorhandler(Exception)
    def broken(error: Exception) -> tuple[Response, int]:
        app.logger.error("%s failed: %s", request.endpoint, type(error).__name__, exc_info=error)
        return _error(500)

    return app


def _error(status: int, why: str = "") -> tuple[Response, int]:
    """A plain sentence for a status, ``why`` may name a closer one; never what broke inside."""
    if request.path.startswith(("/api/", "/stream/", "/sim/")) or request.is_json:
        key = why if why.startswith("ui.http.") else f"ui.http.{known(status)}"
        text = words(language_of(request)).say(key)
        body: dict[str, Any] = {"status": "error", "code": str(status), "text": text}
        return jsonify(body), status
    return problem(status)


def known(status: int) -> int:
    """The status whose words are used: those we have none for are said as 400 or 500."""
    if status in (400, 401, 403, 404, 409, 413, 422, 429, 500, 503):
        return status
    return 400 if status < 500 else 500
