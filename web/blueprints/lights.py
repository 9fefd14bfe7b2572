"""``/host/lights`` and ``/api/lights``: the lights are set up on a phone. For the host."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, abort, jsonify, request

from companion.game.errors import CompanionError, Refused
from companion.locale import words
from web.blueprints.api import spoken
from web.blueprints.pages import key_wanted, render
from web.panel import body, device, is_host, language_of, must_hold, panel, seats_held, there
from web.services import LightSetup

lights = Blueprint("lights", __name__)

_MOST = 64  # lights looked at in one go


def setup() -> LightSetup:
    """The course; 404 when this program drives no lights."""
    return there(panel().services.light_setup)


@lights.get("/host/lights")
def page() -> Response:
    """The page, or the way to become the host."""
    setup()
    if not is_host(request):
        return key_wanted()
    return render("lights.html", with_parts=("strip_setup",), audience="host")


@lights.get("/api/lights")
def state() -> dict[str, Any]:
    """The question that is open, in words."""
    must_hold("host")
    return shown()


@lights.post("/api/lights")
def act() -> tuple[Response, int]:
    """``{act, value}``: begin, answer, back, look, save, cancel.

    What another phone has begun may only be begun anew; refused otherwise.
    """
    must_hold("host")
    here, given = setup(), body()
    what, value = given.get("act"), given.get("value")
    try:
        now = here.state(device())
        if what != "begin" and now["running"] and not now["mine"]:
            raise Refused("lights.taken", {"who": now["who"]})
        match what:
            case "begin":
                here.begin(device(), known_as())
            case "answer" if isinstance(value, str | int | list) and len(str(value)) < 2000:
                here.answer(value)
            case "back":
                here.back()
            case "look" if isinstance(value, list) and all(isinstance(v, int) for v in value):
                here.look(value[:_MOST])
            case "save":
                here.save()
            case "cancel":
                here.cancel()
            case _:
                abort(400)
    except CompanionError as error:
        return jsonify({**spoken(error), "state": shown()}), 422
    return jsonify({"status": "done", "state": shown()}), 200


def shown() -> dict[str, Any]:
    """The state of the course with its words."""
    say = words(language_of(request))
    found = dict(setup().state(device()))
    question, fault = found["question"], found["fault"]
    if question is not None:
        params = {
            "low": question.low,
            "high": question.high,
            **{k: _named(say, k, v) for k, v in question.params.items()},
        }
        found["question"] = {
            "name": question.name,
            "kind": str(question.kind),
            "usual": question.usual,
            "high": question.high,
            "text": say.say(f"ui.lights.ask.{question.words}", params),
            "options": [
                {"id": o, "label": say.say(f"ui.lights.option.{o}")} for o in question.options
            ],
        }
    if found["running"] and not found["mine"]:
        found["taken"] = say.say("ui.lights.taken", {"who": found["who"]})
    if fault is not None:
        said = say.say(fault.code, fault.params)
        found["fault"] = f"{said} {say.say(f'{fault.code}.remedy', fault.params)}"
    return found


def known_as() -> str:
    """What people call this phone: by who sits at it, else by its address."""
    view = panel().session.view("table")[1]
    held = map(str, seats_held(request))
    names = [view["people"][seat]["name"] for seat in held if seat in view["people"]]
    return ", ".join(filter(None, names)) or str(request.remote_addr)


def _named(say: Any, name: str, value: Any) -> Any:
    kind = {"corner": "option", "lamp": "meaning"}.get(name)
    return say.say(f"ui.lights.{kind}.{value}") if kind else value
