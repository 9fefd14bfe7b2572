"""Games as files: fairness, export, import, backup."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from companion import config
from companion.cli import DONE, FAILED, sub
from companion.game import BadInput
from companion.library import load_content
from companion.locale import Words
from companion.table.archive import SUFFIX


def add(commands: Any, say: Words) -> None:
    """Register the commands of this module."""
    verify = sub(commands, "verify", say, verify_game)
    export = sub(commands, "export", say, export_)
    export.add_argument("--out", type=Path, required=True)
    imported = sub(commands, "import", say, import_)
    imported.add_argument("file", type=Path)
    imported.add_argument("--data")
    backed = sub(commands, "backup", say, backup_)
    for one in (verify, export, backed):
        one.add_argument("game", metavar="GAME")
        one.add_argument("--data")


def the_game(options: argparse.Namespace) -> Path:
    """The file of a game: as named, or by the game's name in the data folder."""
    file = Path(options.game)
    if file.exists():
        return file
    folder = config.data_folder(options.data)
    inside = folder.game(options.game.removesuffix(SUFFIX))
    if inside.exists():
        return inside
    known = ", ".join(sorted(p.stem for p in folder.games.glob(f"*{SUFFIX}"))[-5:])
    if not known:
        raise BadInput(options.game, "journal.missing")
    raise BadInput(options.game, "game_file", {"allowed": known})


def verify_game(options: argparse.Namespace, say: Words) -> int:
    """Chain, draws and states of a whole game."""
    from companion.table.journal import Journal
    from companion.table.verify import verify

    journal = Journal.open(the_game(options))
    try:
        verdict = verify(journal, load_content())
    finally:
        journal.close()
    for code, params in verdict.problems:
        print(say.say(f"cli.{code}", params))
    if [code for code, _ in verdict.problems] == ["verify.rules"]:
        return FAILED  # sound, and not to be compared: that is said
    key = "cli.verify.bad" if verdict.problems else "cli.verify.good"
    print(say.say(key, {"n": verdict.rows, "draws": verdict.draws}))
    return FAILED if verdict.problems else DONE


def export_(options: argparse.Namespace, say: Words) -> int:
    """One file a game; redacted while it runs."""
    from companion.table.archive import export_game
    from companion.table.games import open_game

    file = the_game(options)
    table = open_game(file, load_content())
    over = table.finished
    table.journal.close()
    export_game(file, options.out, full=over)
    print(say.say("cli.exported" if over else "cli.exported_redacted", {"path": str(options.out)}))
    return DONE


def import_(options: argparse.Namespace, say: Words) -> int:
    """A game from its export file into the data folder."""
    from companion.table.archive import import_game

    folder = config.data_folder(options.data)
    folder.create()
    print(say.say("cli.imported", {"path": str(import_game(options.file, folder.games))}))
    return DONE


def backup_(options: argparse.Namespace, say: Words) -> int:
    """A copy of a game, whole and consistent, while it may be running."""
    from companion.table.archive import backup

    folder = config.data_folder(options.data)
    folder.create()
    print(say.say("cli.backed_up", {"path": str(backup(the_game(options), folder.backups))}))
    return DONE
