"""``companion lights setup`` in a terminal: the same course as on the host's page."""

from __future__ import annotations

import logging
import sys
from collections.abc import Mapping
from typing import Any

from companion.app.lightcourse import LightCourse
from companion.game.errors import BadInput
from companion.library import load_content
from companion.locale import Words
from companion.table.folder import DataFolder
from hardware.setup import Kind, Question

BACK = "<"


def run(folder: DataFolder, say: Words) -> int:
    """Ask until all is known, then write the configuration. 0: written; 1: left undone."""
    course = LightCourse(load_content().board(None), folder)
    logging.getLogger("hardware").addHandler(logging.NullHandler())  # told below, in words
    course.begin()
    told = ""
    try:
        print(say.say("ui.lights.intro"))
        while (question := course.question()) is not None:
            told = _tell_fault(course, say, told)
            if not _ask(course, question, say):
                return 1
        print(say.say("ui.lights.check"))
        print()
        print(course.section())
        if not _yes(say):
            return 1
        had = folder.config.exists()
        course.save()
    finally:
        course.cancel()
    saved = "ui.lights.saved" if had else "ui.lights.saved_new"
    print(say.say(saved, {"path": str(folder.config)}))
    return 0


def _ask(course: LightCourse, question: Question, say: Words) -> bool:
    """One question, until it is answered. False: the input ended."""
    print()
    print(say.say(f"ui.lights.ask.{question.words}", spoken(question, say)))
    for n, option in enumerate(question.options, 1):
        print(f"  {n}  {say.say(f'ui.lights.option.{option}')}")
    if question.kind is Kind.PIXEL:
        print(say.say("ui.lights.move"))
    looking = question.usual
    while True:
        shown = _written(question, looking)
        print(f"[{shown}] > ", end="", flush=True)
        line = sys.stdin.readline()
        if not line:
            return False
        text = line.strip()
        if text == BACK:
            course.back()
            return True
        if question.kind is Kind.PIXEL and text[:1] in ("+", "-"):
            step = int(text) if text[1:].isdecimal() else int(f"{text[0]}1")
            looking = (looking + step) % (question.high + 1)
            course.look((looking,))
            continue
        if question.kind is Kind.CHOICE and not _chosen(question, text):
            print(say.say("ui.lights.choose", {"high": len(question.options)}))
            continue
        try:
            course.answer(_value(question, text) if text else looking)
        except BadInput as problem:
            print(say.say(problem.key, problem.params))
            continue
        return True


def spoken(question: Question, say: Words) -> Mapping[str, Any]:
    """The question's parameters, in words where they are ids."""
    params = dict(question.params)
    if "corner" in params:
        params["corner"] = say.say(f"ui.lights.option.{params['corner']}")
    if "lamp" in params:
        params["lamp"] = say.say(f"ui.lights.meaning.{params['lamp']}")
    return {"low": question.low, "high": question.high, **params}


def _written(question: Question, value: Any) -> str:
    if question.kind is Kind.CHOICE:
        return str(question.options.index(value) + 1)
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    return str(value)


def _chosen(question: Question, text: str) -> bool:
    numbers = map(str, range(1, len(question.options) + 1))
    return text in ("", *question.options, *numbers)


def _value(question: Question, text: str) -> Any:
    if question.kind is Kind.CHOICE and text.isdecimal():
        return question.options[int(text) - 1]
    if question.kind in (Kind.PINS, Kind.PIXELS) and text == "-":
        return ()
    return text


def _tell_fault(course: LightCourse, say: Words, told: str) -> str:
    """Say what is wrong with the strip, once; the code of what was said."""
    fault = course.state()["fault"]
    code = "" if fault is None else str(fault.code)
    if fault is not None and code != told:
        print(say.say(fault.code, fault.params), file=sys.stderr)
        print(say.say(f"{fault.code}.remedy", fault.params), file=sys.stderr)
    return code


def _yes(say: Words) -> bool:
    print(say.say("ui.lights.save"), end=" ", flush=True)
    return sys.stdin.readline().strip().lower() in ("", *say.say("ui.lights.yes").split())
