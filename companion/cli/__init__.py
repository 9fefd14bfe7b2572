"""The command line. Exit codes: 0 done, 1 a check failed, 2 wrong usage or bad input, 3 a device
or file is unavailable. Errors are one plain sentence with a remedy, on standard error."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import version
from typing import Any, NoReturn

from companion.game import BadInput, CompanionError, Fault
from companion.locale import Words, words

DONE, FAILED, USAGE, UNAVAILABLE = 0, 1, 2, 3

Command = Callable[[argparse.Namespace, Words], int]


class Parser(argparse.ArgumentParser):
    """An argument parser that speaks the reader's language and never exits by itself."""

    say: Words

    def error(self, message: str) -> NoReturn:
        """Wrong usage: one sentence and how it is used (argparse's own English is left out)."""
        del message
        usage = " ".join(self.format_usage().split(":", 1)[-1].split())
        raise BadInput(self.prog, "usage", {"usage": usage})


def reader_words() -> Words:
    """The words in the language of the terminal (COMPANION_LANGUAGE, then the usual LANG)."""
    for name in ("COMPANION_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name)
        if value:
            return words(value.split(".")[0].replace("_", "-"))
    return words("en")


def build_parser(say: Words) -> Parser:
    """All commands, each with its function in ``command``."""
    from companion.cli import cases, devices, games, play, tools

    parser = Parser(prog="companion", description=say.say("cli.help.companion"))
    parser.add_argument("--version", action="store_true", help=say.say("cli.help.version"))
    commands = parser.add_subparsers(dest="name", parser_class=Parser, metavar="COMMAND")
    for module in (play, tools, cases, games, devices):
        module.add(commands, say)
    return parser


def sub(
    commands: Any, name: str, say: Words, command: Command | None = None
) -> argparse.ArgumentParser:
    """Add a subcommand with its help from the catalogue."""
    key = f"cli.help.{name}"
    parser: argparse.ArgumentParser = commands.add_parser(
        name.rsplit(".", 1)[-1], help=say.say(key), description=say.say(key)
    )
    if command is not None:
        parser.set_defaults(command=command)
    return parser


def explain(problem: CompanionError, say: Words) -> str:
    """The sentence of an error, and its remedy where there is one."""
    text = say.say(problem.key, problem.params)
    if isinstance(problem, Fault) and say.has(problem.remedy):
        text += " " + say.say(problem.remedy, problem.params)
    return text


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code. Never shows a traceback."""
    say = reader_words()
    try:
        options = build_parser(say).parse_args(arguments)
        if options.version:
            print(version("table-companion"))
            return DONE
        command: Command | None = getattr(options, "command", None)
        if command is None:
            raise BadInput("companion", "usage", {"usage": "companion COMMAND …"})
        return command(options, say)
    except BadInput as problem:
        print(explain(problem, say), file=sys.stderr)
        return USAGE
    except Fault as problem:
        print(explain(problem, say), file=sys.stderr)
        return UNAVAILABLE
    except CompanionError as problem:
        print(explain(problem, say), file=sys.stderr)
        return FAILED
    except BrokenPipeError:
        sys.stderr.close()
        return DONE
    except KeyboardInterrupt:
        return DONE
    except Exception as problem:  # a defect of ours: one sentence, and the details on request
        if os.environ.get("COMPANION_DEBUG"):
            raise
        reason = f"{type(problem).__name__}: {problem}"[:300]
        print(say.say("fault.unexpected", {"reason": reason}), file=sys.stderr)
        return FAILED


if __name__ == "__main__":
    sys.exit(main())
