"""``companion run``: the whole table."""

from __future__ import annotations

import argparse
import errno
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

from companion import config, doctor
from companion.cli import DONE, FAILED, sub
from companion.game import BadInput, Fault
from companion.locale import Words
from hardware.settings import Driver


def add(commands: Any, say: Words) -> None:
    """Register the commands of this module."""
    run = sub(commands, "run", say, run_table)
    run.add_argument("--simulate", action="store_true", help=say.say("cli.help.run.simulate"))
    run.add_argument("--host", help=say.say("cli.help.run.host"))
    run.add_argument("--port", help=say.say("cli.help.run.port"))
    run.add_argument("--data", help=say.say("cli.help.run.data"))
    settings = sub(commands, "config", say)
    kinds = settings.add_subparsers(dest="kind", required=True, parser_class=type(settings))
    check = sub(kinds, "config.check", say, check_config)
    check.add_argument("file", nargs="?", type=Path, metavar="FILE")
    check.add_argument("--data")


def on_a_pi() -> bool:
    """Whether this computer calls itself a Raspberry Pi."""
    try:
        return Path("/proc/device-tree/model").read_text().startswith("Raspberry Pi")
    except OSError:
        return False


def run_table(options: argparse.Namespace, say: Words) -> int:
    """Start everything and say where it is; ends with SIGTERM or Ctrl-C."""
    from companion.app import App, ends_by_signal
    from companion.cli.logs import speak

    speak(say)

    folder = config.data_folder(options.data)
    settings = config.load(folder, {"web.host": options.host, "web.port": _port(options.port)})
    simulate = options.simulate or not on_a_pi()
    if simulate and not options.simulate:
        print(say.say("cli.run.no_pi", _stand_ins(settings, say)))
    app = App(
        settings,
        folder,
        simulate=simulate,
        off_pi=not options.simulate,
        doctor=lambda: doctor.checks(folder),
    )

    def end(number: int, _: object) -> NoReturn:
        """End in order: what stands in ``finally`` runs. Imports swallow exceptions: it is kept."""
        app.ended = True
        raise SystemExit(128 + number)

    ends_by_signal(end)  # also while it starts: what is lit by then is darkened
    app.start()
    try:
        with suppress(BrokenPipeError):  # whoever read the terminal may be gone; the table plays
            if app.recovery is not None:
                print(say.say(app.recovery.key, app.recovery.params))
            print(say.say("cli.run.open", {"url": app.url()}))
            print(say.say("cli.run.host", {"code": app.host_code}))
            print(say.say("cli.run.stop"))
            sys.stdout.flush()
        app.run()
    finally:
        app.stop()
    return DONE


def _stand_ins(settings: config.Config, say: Words) -> dict[str, str]:
    """What camera and lights are away from a Pi."""
    camera, lights = settings.camera, settings.lights
    source = camera.source
    if source == "off" or camera.simulated(pi=False):
        source = say.say("cli.run.off" if source == "off" else "cli.run.simulated")
    lit = lights.wled if lights.driver is Driver.WLED else say.say("cli.run.simulated")
    return {"camera": source, "lights": lit}


def _port(text: str | None) -> int | None:
    if text is None:
        return None
    if not text.isdigit() or not 0 <= int(text) <= 65535:
        raise BadInput("--port", "setting.whole", {"value": text[:20], "low": 0, "high": 65535})
    return int(text)


def check_config(options: argparse.Namespace, say: Words) -> int:
    """``companion config check [FILE]``: every problem, one a line."""
    file = options.file or config.data_folder(options.data).config
    if options.file and not file.exists():
        said = {"path": str(file), "reason": os.strerror(errno.ENOENT)}
        raise Fault("config", "config.unreadable", said, temporary=False)
    settings, problems = config.examine_file(file)
    for problem in problems:
        print(say.say(problem.key, problem.params))
    if not problems:
        print(say.say("cli.config.good", {"path": str(file)}))
        camera = doctor.camera(settings.camera)
        print(say.say(camera.key, camera.params))
        if camera.remedy:
            print(say.say(camera.remedy, camera.params))
    return FAILED if problems else DONE
