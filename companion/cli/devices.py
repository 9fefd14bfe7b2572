"""The doctor, the lights, the benchmarks."""

from __future__ import annotations

import argparse
import json
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

from companion import config
from companion.cli import DONE, sub, write
from companion.game import BadInput, Fault
from companion.locale import Words
from companion.table.folder import DataFolder
from companion.table.lock import Lock

BENCHES = ("engine", "web", "lights")


def add(commands: Any, say: Words) -> None:
    """Register the commands of this module."""
    doctor = sub(commands, "doctor", say, examine)
    doctor.add_argument("--json", action="store_true")
    doctor.add_argument("--data")
    lights = sub(commands, "lights", say)
    kinds = lights.add_subparsers(dest="kind", required=True, parser_class=type(lights))
    asked = sub(kinds, "lights.setup", say, lights_setup)
    asked.add_argument("--data")
    tried = sub(kinds, "lights.test", say, lights_test)
    tried.add_argument("--data")
    tried.add_argument("--seconds", type=float, default=3.0)
    dark = sub(kinds, "lights.off", say, lights_off)
    dark.add_argument("--data")
    legend = sub(kinds, "lights.legend", say, lights_legend)
    legend.add_argument("--out", type=Path, required=True)
    drawn = sub(kinds, "lights.picture", say, lights_picture)
    drawn.add_argument("--game", metavar="GAME", required=True)
    drawn.add_argument("--out", type=Path, required=True)
    drawn.add_argument("--data")
    bench = sub(commands, "bench", say, run_bench)
    bench.add_argument("what", nargs="?", choices=(*BENCHES, "taps", "vision"))
    bench.add_argument("--games", type=int)
    bench.add_argument("--pictures", type=Path, metavar="FOLDER")


def examine(options: argparse.Namespace, say: Words) -> int:
    """``companion doctor``."""
    from companion import doctor

    found = doctor.checks(config.data_folder(options.data))
    if options.json:
        print(json.dumps(doctor.as_json(found, say), ensure_ascii=False, indent=1))
    else:
        for line in doctor.lines(found, say):
            print(line)
    return doctor.exit_code(found)


def lights_setup(options: argparse.Namespace, say: Words) -> int:
    """``companion lights setup``: asks how the lights are built and maps the strip."""
    from companion.cli.lightsetup import run

    folder = config.data_folder(options.data)
    with lights_of(folder):
        return run(folder, say)


def lights_test(options: argparse.Namespace, say: Words) -> int:
    """``companion lights test``: white, the colours and every meaning, each for some seconds."""
    from companion.cli.lighttest import run

    if not 0.0 < options.seconds <= 60.0:
        said = {"value": options.seconds, "low": 0, "high": 60}
        raise BadInput("--seconds", "setting.range", said)
    folder = config.data_folder(options.data)
    chosen = config.load(folder).lights
    with lights_of(folder):
        return run(chosen, say, options.seconds)


@contextmanager
def lights_of(folder: DataFolder) -> Iterator[None]:
    """The lights are ours: no table runs, and none starts meanwhile. Fault ``lights.in_use``.

    Whatever ends this program ends it in order, as Ctrl-C does: a strip keeps its last picture.
    """
    from companion.app import ENDS, ends_by_signal

    folder.create()
    lock = Lock(folder.root, "companion lights")
    try:
        lock.acquire()
    except Fault as fault:
        if fault.code != "data.locked":
            raise
        raise Fault("lights", "lights.in_use", fault.params, temporary=False) from None
    before = {number: signal.getsignal(number) for number in ENDS}
    ends_by_signal(_interrupt)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        lock.close()


def _interrupt(*_: object) -> NoReturn:
    raise KeyboardInterrupt


def lights_off(options: argparse.Namespace, say: Words) -> int:
    """``companion lights off``: dark, whatever was left on. Beside a running table: refused."""
    from hardware import off

    folder = config.data_folder(options.data)
    chosen = config.load(folder).lights
    try:
        with lights_of(folder):
            off(chosen)
    except Fault as fault:
        if not fault.code.startswith("data."):
            raise
        off(chosen)  # a full disk is no reason to leave a strip lit
    print(say.say("cli.lights.off"))
    return DONE


def lights_legend(options: argparse.Namespace, say: Words) -> int:
    """``companion lights legend``: what each light means, as a card to print."""
    write(options.out, legend_card(say))
    print(say.say("cli.lights.legend", {"path": str(options.out)}))
    return DONE


def legend_card(say: Words) -> str:
    """The card in a reader's words, as SVG text."""
    from babel.numbers import format_decimal

    from hardware import LEGEND, CardWords, card

    patterns = {sign.rhythm.pattern.value for sign in LEGEND.values()}
    return card(
        CardWords(
            title=say.say("ui.lights.card"),
            foot=say.say("ui.lights.card.foot"),
            meanings={name: say.say(f"ui.lights.meaning.{name}") for name in LEGEND},
            patterns={p: say.say(f"ui.lights.pattern.{p.replace(' ', '_')}") for p in patterns},
            number=lambda seconds: format_decimal(seconds, locale=say.language),
        )
    )


def lights_picture(options: argparse.Namespace, say: Words) -> int:
    """``companion lights picture --game FILE``, or a game's name: the lit table as SVG."""
    from companion.cli.games import the_game
    from companion.library import load_content
    from companion.table import views
    from companion.table.games import open_game
    from companion.table.scene import scene
    from hardware import painter, picture

    content = load_content()
    table = open_game(the_game(options), content)
    view = views.view(table, "table")
    table.journal.close()
    board = content.board(view["game"]["board"])
    chosen = config.load(config.data_folder(options.data)).lights
    layout = chosen.layout(board)
    shown = scene(view, board, calm=chosen.calm)
    frame = painter(board, layout, seat_one=chosen.seat_one, night=chosen.night).frame(shown, 0.25)
    drawn = picture(board, shown, frame, layout, labels={room: room for room in board.rooms})
    write(options.out, drawn)
    print(say.say("cli.lights.picture", {"path": str(options.out)}))
    return DONE


def run_bench(options: argparse.Namespace, say: Words) -> int:
    """``companion bench``: measured here, printed as figures and ratios."""
    from companion.bench import run

    return run(
        [options.what] if options.what else list(BENCHES), say, options.games, options.pictures
    )
