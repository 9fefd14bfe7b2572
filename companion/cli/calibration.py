"""``companion calibrate``: the camera is set up in a terminal, with live feedback."""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import replace
from typing import Any

from companion import config
from companion.cli import DONE, FAILED, sub
from companion.cli.play import on_a_pi
from companion.cli.tools import millimetres, the_board
from companion.game import BadInput
from companion.library import load_content
from companion.library.model import FIRST_BOARD
from companion.locale import Words

BOARD_LOOKS = 40  # of a live camera, until it is said that the board cannot be measured
LENS_LOOKS = 400
LENS_PLENTY = 15  # views that are enough although a corner of the picture is missing
PACE_S = 0.3


def add(commands: Any, say: Words) -> None:
    """Register the command."""
    course = sub(commands, "calibrate", say, calibrate)
    course.add_argument("source", nargs="?", metavar="SOURCE", help=say.say("cli.help.source"))
    course.add_argument("--simulate", action="store_true", help=say.say("cli.help.run.simulate"))
    course.add_argument("--board", default=FIRST_BOARD)
    course.add_argument("--board-mm", metavar="W,H")
    course.add_argument("--lens", action="store_true", help=say.say("cli.help.calibrate.lens"))
    course.add_argument("--empty", action="store_true", help=say.say("cli.help.calibrate.empty"))
    course.add_argument("--yes", action="store_true", help=say.say("cli.help.calibrate.yes"))
    course.add_argument("--data")


def calibrate(options: argparse.Namespace, say: Words) -> int:
    """Measure the board, with ``--lens`` the lens, or with ``--empty`` learn the empty board.

    0: kept; 1: not found or left undone.
    """
    from companion.app.cameracourse import CameraCourse
    from companion.app.cameras import open_camera
    from companion.app.profile import Profile
    from vision import SimulatedTable
    from vision.box import box_kit
    from vision.camera import FolderCamera

    folder = config.data_folder(options.data)
    settings = config.load(folder).camera
    told = millimetres(options.board_mm)
    content, board = load_content(), the_board(options.board)
    profile = Profile(folder)
    known = told or settings.board_mm or profile.board_mm(board.id)
    kit = box_kit(content, board, known)
    source = options.source or settings.source
    if source == "off":
        raise BadInput("camera.source", "calibrate.off")
    pretend = options.simulate or replace(settings, source=source).simulated(pi=on_a_pi())
    camera: Any = SimulatedTable(board, kit) if pretend else open_camera(source)
    stills = isinstance(camera, FolderCamera)
    course = CameraCourse(board, kit, profile, camera.name, live=not (stills or pretend))
    begin = "lens" if options.lens else "empty" if options.empty else "begin"
    begin = f"cli.calibrate.{begin}"
    print(say.say(begin, {"source": camera.name}))
    camera.open()
    try:
        looks = camera.pictures if stills else LENS_LOOKS if options.lens else BOARD_LOOKS
        pace = 0.0 if stills else PACE_S
        if options.lens:
            return _lens(course, camera, looks, pace, options.yes, say)
        if options.empty:
            return _empty(course, camera, looks, pace, say)
        if not _board(course, camera, looks, pace, say):
            return FAILED
        if not _keep_board(course, told, options.yes, say):
            return FAILED
        return DONE
    finally:
        camera.close()


def _board(course: Any, camera: Any, looks: int, pace: float, say: Words) -> bool:
    """Look until the board is measured; whether it was."""
    from vision.calibrate import BOARD_PICTURES

    shown = _Line()
    for _ in range(looks):
        course.look(camera.frame().grey)
        shown.say(quality_line(course.quality, say))
        found = course.measured
        if pace and found is not None and found.pictures >= BOARD_PICTURES:
            break
        time.sleep(pace)
    shown.end()
    if course.measured is None:
        missing = course.quality.missing if course.quality else ()
        where = ", ".join(say.say(f"vision.sheet.frame.{i}") for i in missing)
        key = "cli.calibrate.no_board" if missing else "cli.calibrate.odd_frame"
        print(say.say(key, {"missing": where}), file=sys.stderr)
        return False
    return True


def _keep_board(course: Any, told: tuple[float, float] | None, sure: bool, say: Words) -> bool:
    """Ask for the board's size with the measured one at hand; whether one was kept."""
    found = course.measured
    print(say.say("cli.calibrate.board", {**_size(found.mm), "spread": f"{found.spread_mm:g}"}))
    size, doubted = told, None
    while not sure:
        print(say.say("cli.calibrate.keep_board", _size(told or found.mm)), end=" ", flush=True)
        line = sys.stdin.readline()
        if not line:
            print(say.say("cli.calibrate.undone"), file=sys.stderr)
            return False
        try:
            size = millimetres(line.strip()) if line.strip() else told
            doubt = None if size is None or size == doubted else course.doubt(size)
            if doubt is None:
                break
            doubted = size
            print(say.say(doubt.key, doubt.params))
        except BadInput as problem:
            print(say.say(problem.key, problem.params))
    if sure and told is not None and (doubt := course.doubt(told)) is not None:
        print(say.say(doubt.key, doubt.params), file=sys.stderr)
        return False
    if size is not None and course.odd(size):
        print(say.say("cli.calibrate.differs", _size(found.mm)))
    print(say.say("cli.calibrate.kept", _size(course.keep_board(size))))
    return True


def _empty(course: Any, camera: Any, looks: int, pace: float, say: Words) -> int:
    """Keep how the empty board looks: by a few pictures in which nothing but the frame is read."""
    course.begin_empty()
    for _ in range(looks):
        course.look(camera.frame().grey)
        if course.empty.enough:
            break
        time.sleep(pace)
    try:
        course.keep_empty()
    except BadInput as problem:
        print(say.say(problem.key), file=sys.stderr)
        return FAILED
    print(say.say("cli.calibrate.kept_empty"))
    return DONE


def _lens(course: Any, camera: Any, looks: int, pace: float, sure: bool, say: Words) -> int:
    """Collect views of the printed sheet, show what the lens gains, keep it when it is wanted."""
    course.begin_lens()
    shown = _Line()
    for _ in range(looks):
        course.look(camera.frame().grey)
        sheets = course.sheets
        shown.say(zones_line(sheets, say))
        covered = all(all(row) for row in sheets.zones) or len(sheets.views) >= LENS_PLENTY
        if pace and sheets.enough and covered:
            break
        if camera.name == "simulated":
            break  # nobody holds a sheet over the simulated table
        time.sleep(pace)
    shown.end()
    gain = course.gain()
    if gain is None:
        views = len(course.sheets.views)
        print(say.say("cli.calibrate.no_lens", {"n": views}), file=sys.stderr)
        return FAILED
    figures = {
        "n": gain.views,
        "before": f"{gain.before_px:.2f}",
        "after": f"{gain.after_px:.2f}",
        "before_mm": f"{gain.before_mm:.2f}",
        "after_mm": f"{gain.after_mm:.2f}",
    }
    print(say.say("cli.calibrate.gain", figures))
    if not gain.worth:
        print(say.say("cli.calibrate.not_worth"))
        return DONE
    if not sure:
        print(say.say("cli.calibrate.keep_lens"), end=" ", flush=True)
        line = sys.stdin.readline()
        if not line or line.strip().lower() not in ("", *say.say("ui.lights.yes").split()):
            print(say.say("cli.calibrate.undone"), file=sys.stderr)
            return FAILED
    course.keep_lens()
    print(say.say("cli.calibrate.kept_lens"))
    return DONE


def quality_line(seen: Any, say: Words) -> str:
    """One picture in one line: each figure and, where it is not good, what helps."""
    grades = seen.grades
    parts = [say.say("ui.camera.frame", {"n": len(seen.frame)})]
    if seen.px_per_module is not None:
        parts.append(say.say("ui.camera.modules", {"px": f"{seen.px_per_module:.1f}"}))
    parts += [
        say.say(f"ui.camera.{name}.{grades[name].value}")
        for name in ("sharp", "light", "glare")
        if name in grades
    ]
    return " · ".join(parts)


def zones_line(sheets: Any, say: Words) -> str:
    """How many views, and which parts of the picture they cover."""
    drawn = " ".join("".join("■" if seen else "□" for seen in row) for row in sheets.zones)
    return f"{say.say('cli.calibrate.views', {'n': len(sheets.views)})}  {drawn}"


def _size(mm: tuple[float, float]) -> dict[str, str]:
    return {"width": f"{mm[0]:g}", "height": f"{mm[1]:g}"}


class _Line:
    """A line that is written over on a terminal, and only written when it changes elsewhere."""

    def __init__(self) -> None:
        self._last = ""
        self._over = sys.stdout.isatty()

    def say(self, text: str) -> None:
        if text != self._last:
            wiped = " " * max(0, len(self._last) - len(text))
            print(f"\r{text}{wiped}" if self._over else text, end="" if self._over else "\n")
            sys.stdout.flush()
            self._last = text

    def end(self) -> None:
        if self._over and self._last:
            print()
