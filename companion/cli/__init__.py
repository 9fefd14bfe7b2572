"""The command line. Exit codes: 0 done, 1 a check failed, 2 wrong usage or bad input, 3 a device
or file is unavailable. Errors are one plain sentence with a remedy, on standard error."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any, NoReturn

from companion.game import BadInput, CompanionError, Fault
from companion.game.errors import why
from companion.locale import Words, words

DONE, FAILED, USAGE, UNAVAILABLE = 0, 1, 2, 3

Command = Callable[[argparse.Namespace, Words], int]


class Parser(argparse.ArgumentParser):
    """An argument parser that speaks the reader's language and never exits by itself."""

    say: Words = words("en")

    def __init__(self, **options: Any) -> None:
        super().__init__(
            **{"formatter_class": _Help, **options, "add_help": False, "exit_on_error": False}
        )
        self._positionals.title = self.say.say("cli.help.arguments")
        self._optionals.title = self.say.say("cli.help.options")
        self.add_argument("-h", "--help", action="help", help=self.say.say("cli.help.help"))

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """As argparse; raises BadInput that names the argument which is wrong or missing."""
        try:
            found, unknown = super().parse_known_args(args, namespace)
        except argparse.ArgumentError as problem:
            raise self._wrong(problem.message, problem.argument_name) from None
        if unknown:
            raise self._bad("unknown", unknown[0])
        return found, unknown

    def error(self, message: str) -> NoReturn:
        """Wrong usage: one sentence and how it is used (argparse's own English is left out)."""
        raise self._wrong(message, None)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            allowed = ", ".join(map(str, action.choices))
            name = "/".join(action.option_strings) or self.prog
            raise self._bad("choice", name, value=str(value)[:40], allowed=allowed)

    def _wrong(self, message: str, name: str | None) -> BadInput:
        """What argparse found, by the form of its English: that is all it gives away."""
        missing = message.partition("required: ")[2]
        if missing:
            kinds = {a.dest: a for a in self._actions if not a.option_strings and a.choices}
            if missing in kinds:  # a command of commands: its own word says nothing
                missing = " | ".join(map(str, kinds[missing].choices or ()))
            return self._bad("missing", missing)
        if name and message.startswith("expected"):
            return self._bad("no_value", name)
        if name and message.startswith("ignored explicit"):
            return self._bad("takes_none", name)
        if name and message.startswith("invalid int"):
            return self._bad("number", name)
        return self._bad("", name or self.prog)

    def _bad(self, code: str, name: str, **more: str) -> BadInput:
        usage = self.format_usage().removeprefix(self.say.say("cli.help.usage"))
        key = f"usage.{code}" if code else "usage"
        return BadInput(name, key, {**more, "usage": " ".join(usage.split())})


class _Help(argparse.HelpFormatter):
    def add_usage(self, usage: Any, actions: Any, groups: Any, prefix: str | None = None) -> None:
        said = Parser.say.say("cli.help.usage") + " "
        super().add_usage(usage, actions, groups, said if prefix is None else prefix)


def reader_words() -> Words:
    """The words in the language of the terminal (COMPANION_LANGUAGE, then the usual LANG)."""
    for name in ("COMPANION_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name)
        if value:
            return words(value.split(".")[0].replace("_", "-"))
    return words("en")


def build_parser(say: Words) -> Parser:
    """All commands, each with its function in ``command``."""
    from companion.cli import calibration, cases, devices, games, play, tools

    Parser.say = say
    parser = Parser(prog="companion", description=say.say("cli.help.companion"))
    parser.add_argument("--version", action="store_true", help=say.say("cli.help.version"))
    commands = parser.add_subparsers(dest="name", parser_class=Parser, metavar="COMMAND")
    for module in (play, tools, calibration, cases, games, devices):
        module.add(commands, say)
    return parser


def write(path: Path, data: bytes | str) -> None:
    """Write what somebody asked for to a file. Fault ``file.unwritable`` when it cannot be: a
    file that was not there before is not there then either.
    """
    new = not path.exists()
    try:
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
    except OSError as problem:
        if new:
            with suppress(OSError):
                path.unlink(missing_ok=True)
        params = {"path": str(path), **why(problem)}
        raise Fault("file", "file.unwritable", params, temporary=False) from None


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
