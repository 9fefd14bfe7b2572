"""``/sim``: the simulated table in a browser; pieces are dragged with a finger or a mouse."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, abort

from web.blueprints.pages import board_now, drawings, render
from web.panel import body, panel, there
from web.services import Simulator

sim = Blueprint("sim", __name__, url_prefix="/sim")


def simulator() -> Simulator:
    """The simulated table; 404 when there is a real one."""
    return there(panel().services.simulator)


@sim.get("")
def table() -> Response:
    """The page."""
    simulator()
    colours = {c: held.hex for c, held in panel().session.content.characters.items()}
    return render("sim.html", audience="table", maps=drawings(board_now()), colours=colours)


@sim.get("/table.png")
def picture() -> Response:
    """The table as the camera sees it."""
    return Response(simulator().png(), mimetype="image/png")


@sim.get("/pieces")
def pieces() -> dict[str, Any]:
    """Every piece and its place."""
    return {"pieces": [dict(p) for p in simulator().pieces()]}


@sim.post("/move")
def move() -> dict[str, Any]:
    """``{piece, x, y}`` puts a piece down, ``{piece, off: true}`` takes it away, ``{hand}``."""
    given = body()
    here = simulator()
    if isinstance(given.get("hand"), bool):
        here.hand(given["hand"])
        return {"status": "done"}
    piece, x, y = given.get("piece"), given.get("x"), given.get("y")
    if not isinstance(piece, str):
        abort(400)
    try:
        if given.get("off") is True:
            here.remove(piece)
        elif isinstance(x, (int, float)) and isinstance(y, (int, float)):
            if not (-0.5 <= x <= 1.5 and -0.5 <= y <= 1.5):
                abort(422)
            here.drag(piece, float(x), float(y))
        else:
            abort(400)
    except KeyError:
        abort(404)
    return {"status": "done"}
