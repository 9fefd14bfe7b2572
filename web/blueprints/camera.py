"""``/api/show`` and ``/api/break``: what people at the table ask of lights and camera."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, abort, jsonify

from web.panel import body, panel
from web.services import Presses

camera = Blueprint("camera", __name__)


def presses() -> Presses:
    """The table's buttons; 404 when this program has none."""
    found = panel().services.presses
    if found is None:
        abort(404)
    return found


@camera.post("/api/show")
def show() -> tuple[Response, int]:
    """``{difference}``: light where a piece is held and where the camera sees it."""
    wanted = body().get("difference")
    view = panel().session.view("table")[1]
    found: dict[str, Any] | None = next(
        (d for d in view.get("differences", ()) if d["id"] == wanted), None
    )
    if found is None:
        abort(404)
    rooms = tuple(r for r in (found["from"], found["to"]) if r in view["rooms"])
    presses().point(rooms)
    return jsonify({"status": "done", "rooms": rooms}), 200


@camera.post("/api/break")
def rest() -> tuple[Response, int]:
    """``{on}``: begin a break, or end it; anybody at the table may."""
    on = body().get("on")
    if not isinstance(on, bool):
        abort(400)
    presses().rest(on)
    return jsonify({"status": "done", "on": on}), 200
