"""The camera on pages: setting it up (for the host), showing a place, and the break.

``/host/camera`` and ``/api/camera`` are the guided setup; no picture of the camera goes anywhere
else, and it holds nothing beside the board.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, abort, jsonify, request

from companion.game.errors import CompanionError
from companion.locale import Words, words
from web.blueprints.api import spoken
from web.blueprints.health import told
from web.blueprints.pages import board_now, drawings, key_wanted, render
from web.panel import body, is_host, language_of, must_hold, panel, there
from web.services import CameraSetup
from web.terms import Terms

camera = Blueprint("camera", __name__)

FIGURES = ("frame", "modules", "sharp", "light", "glare")
ACTS = (
    "begin",
    "end",
    "board",
    "lens",
    "keep_lens",
    "drop_lens",
    "empty",
    "keep_empty",
    "drop_empty",
)


def setup() -> CameraSetup:
    """The camera's setup; 404 when this program has no camera."""
    return there(panel().services.camera)


@camera.get("/host/camera")
def page() -> Response:
    """The page, or the way to become the host."""
    setup()
    if not is_host(request):
        return key_wanted()
    return render("camera.html", audience="host", maps=drawings(board_now()))


@camera.get("/host/camera/board.png")
def board() -> Response:
    """The board as it was read last, straight from above; 204 while there is none to show."""
    must_hold("host")
    shown = setup().board()
    if shown is None:
        return Response(status=204)
    return Response(shown, mimetype="image/png", headers={"Cache-Control": "no-store"})


@camera.get("/api/camera")
def state() -> dict[str, Any]:
    """How good the picture is and what is measured, in words."""
    must_hold("host")
    return shown()


@camera.post("/api/camera")
def act() -> tuple[Response, int]:
    """``{act, value}``: begin, end, board (value: null, or [width, height]), lens, …"""
    must_hold("host")
    here, given = setup(), body()
    what = given.get("act")
    if what not in ACTS:
        abort(400)
    try:
        here.act(what, given.get("value"))
    except CompanionError as error:
        return jsonify({**spoken(error), "state": shown()}), 422
    return jsonify({"status": "done", "state": shown()}), 200


def shown() -> dict[str, Any]:
    """The state of the setup with its words."""
    say = words(language_of(request))
    found = dict(setup().state())
    fault = next((h for h in panel().services.health() if h.part == "camera" and h.code), None)
    seen, size, lens = found.get("quality"), found.get("board"), found.get("lens")
    empty, all_kept = found.get("empty"), found.get("kept") or {}
    used, kept = found.get("assumed"), all_kept.get("board")
    kept_text = kept and say.say("ui.camera.kept", _board(kept))
    if kept_text and size and found.get("odd"):
        kept_text += " " + say.say("cli.calibrate.differs", _board(**size))
    return {
        "running": found["running"],
        "hidden": say.say("ui.camera.hidden") if found["hidden"] else "",
        "fault": told(say, fault.code, fault.params) if fault else "",
        "looks": found.get("looks", 0),
        "figures": figures(say, seen) if seen else [],
        "board": size and {**size, "text": say.say("ui.camera.board", _board(**size))},
        "told": used
        and say.say("ui.camera.told" if found.get("told") else "ui.camera.assumed", _board(used)),
        "kept": kept_text,
        "lens": None if lens is None else _lens(say, lens),
        "empty": None if empty is None else _empty(say, empty),
        "kept_empty": all_kept.get("empty") and say.say("cli.calibrate.kept_empty"),
    }


def figures(say: Words, seen: Mapping[str, Any]) -> list[dict[str, str]]:
    """Each figure of a picture: its name, grade and words, with what helps."""
    grades = seen["grades"]
    texts = {
        "frame": say.say("ui.camera.frame", {"n": len(seen["frame"])}),
        "modules": say.say("ui.camera.modules", {"px": f"{seen['modules'] or 0:.1f}"}),
    }
    if seen["missing"] and len(seen["frame"]):
        where = ", ".join(say.say(f"vision.sheet.frame.{i}") for i in seen["missing"])
        texts["frame"] += " · " + say.say("ui.camera.missing", {"where": where})
    if grades.get("modules") in ("fair", "poor"):
        texts["modules"] += " · " + say.say(f"ui.camera.modules.{grades['modules']}")
    return [
        {
            "id": name,
            "grade": grades[name],
            "text": texts.get(name) or say.say(f"ui.camera.{name}.{grades[name]}"),
        }
        for name in FIGURES
        if name in grades
    ]


def _lens(say: Words, lens: Mapping[str, Any]) -> dict[str, Any]:
    gain = lens["gain"]
    text = say.say("ui.camera.views", {"n": lens["views"]})
    if gain is not None:
        worth = "gain" if gain["worth"] else "no_gain"
        text += " · " + say.say(f"ui.camera.{worth}", {k: str(v) for k, v in gain.items()})
    return {"text": text, "zones": lens["zones"], "ready": bool(gain and gain["worth"])}


def _empty(say: Words, empty: Mapping[str, Any]) -> dict[str, Any]:
    text = say.say("ui.camera.empty.seen", {"n": empty["pictures"]})
    if empty["pieces"] and not empty["enough"]:
        here = panel().session
        terms = Terms(here.content, language_of(request), here.view("table")[1])
        there_still = ", ".join(sorted({terms.piece(piece) for piece in empty["pieces"]}))
        text += " · " + say.say("ui.camera.empty.pieces", {"pieces": there_still})
    return {"text": text, "enough": empty["enough"]}


def _board(mm: tuple[float, float], spread: float = 0.0, **_: Any) -> dict[str, str]:
    return {"width": f"{mm[0]:g}", "height": f"{mm[1]:g}", "spread": f"{spread:g}"}


# What people at the table ask of lights and camera ----------------------------------------------


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
    there(panel().services.presses).point(rooms)
    return jsonify({"status": "done", "rooms": rooms}), 200


@camera.post("/api/break")
def rest() -> tuple[Response, int]:
    """``{on}``: begin a break, or end it; anybody at the table may."""
    on = body().get("on")
    if not isinstance(on, bool):
        abort(400)
    there(panel().services.presses).rest(on)
    return jsonify({"status": "done", "on": on}), 200
