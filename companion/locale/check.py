"""Checks the catalogues, and that code and catalogues agree: ``python -m companion.locale.check``.

Faults are: a key that is not in every catalogue, an empty, fuzzy or doubled entry, a missing
plural form, placeholders that differ between languages or are more than a name, and a key used
in code or templates that no catalogue has. Keys that nothing seems to use are only reported:
keys may be built from data (``log.<event type>``).
"""

from __future__ import annotations

import ast
import re
import string
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from babel.messages.catalog import Message

from companion.locale.catalogue import DEFAULT, languages, read

# A string in code that begins with one of these and a dot is a key, and has to be in a catalogue.
# Keys may begin otherwise too; then only what is said of them at run time can miss.
_PREFIXES = "ask|bad|cli|doctor|ending|fault|log|option|refuse|step|ui"
_SOURCES = ("companion", "hardware", "vision", "web")
# What makes a key of its argument: the class or helper, the key's first part, the argument's place.
_MAKERS = {
    "Refused": ("refuse", 0),
    "BadInput": ("bad", 1),
    "_bad": ("bad", 1),
    "Fault": ("fault", 1),
    "Event": ("log", 0),
    "tell": ("log", 0),
    "play.refuse": ("refuse", 0),
}
_DOTTED = re.compile(r"[a-z0-9_]+(?:\.[a-z0-9_]+)*\.[a-z0-9_]*[a-z0-9]")
_STEM = re.compile(r"[a-z0-9_]+\.(?:[a-z0-9_]+[._])*")
_KEY = re.compile(rf"(?:{_PREFIXES})\..*")
_FILE_NAME = re.compile(
    r"\.(py|po|toml|json|js|css|svg|html|txt|pdf|png|jpg|ico|db|lock|game|service|socket)$"
)
_QUOTED = re.compile(r"""(["'`])([a-z0-9_.]+)(?:\1|\$\{)""")


@dataclass
class Used:
    """What source text refers to."""

    keys: dict[str, str] = field(default_factory=dict)  # what must be in a catalogue -> where
    texts: set[str] = field(default_factory=set)  # dotted words: a key or the code of an error
    stems: set[str] = field(default_factory=set)  # beginnings of keys that end at run time

    def add(self, text: str, where: str) -> None:
        """Note ``text`` when it may be a key or the beginning of one."""
        if _DOTTED.fullmatch(text) and not _FILE_NAME.search(text):
            self.texts.add(text)
            if _KEY.fullmatch(text):
                self.keys.setdefault(text, where)
        elif _STEM.fullmatch(text):
            self.stems.add(text)

    def covers(self, key: str) -> bool:
        """Whether anything in the source text can mean ``key``."""
        said = key.removesuffix(".remedy")  # said with what it remedies
        code = said.partition(".")[2]
        return (
            key in self.keys
            or not self.texts.isdisjoint({key, said, code})
            or any(key.startswith(stem) or code.startswith(stem) for stem in self.stems)
        )


def check_catalogues(catalogues: Mapping[str, Iterable[Message]]) -> list[str]:
    """Faults inside the catalogues, as sentences; empty when all is well."""
    faults: list[str] = []
    entries = {language: dict(_entries(messages)) for language, messages in catalogues.items()}
    model = entries[DEFAULT]
    for language, messages in entries.items():
        faults += [f"{language}: {key}: only here" for key in sorted(messages.keys() - model)]
        faults += [f"{language}: {key}: missing" for key in sorted(model.keys() - messages)]
        for key, message in sorted(messages.items()):
            reasons = _faults_of(message)
            if key in model and _placeholders(message) != _placeholders(model[key]):
                reasons.append(f"placeholders differ from {DEFAULT}")
            if key in model and message.pluralizable != model[key].pluralizable:
                reasons.append(f"plural forms in one of {language}, {DEFAULT} only")
            faults += [f"{language}: {key}: {reason}" for reason in reasons]
    return faults


def _entries(messages: Iterable[Message]) -> Iterator[tuple[str, Message]]:
    for message in messages:
        if message.id:
            yield (message.id if isinstance(message.id, str) else message.id[0]), message


def _forms(message: Message) -> tuple[str, ...]:
    return (message.string,) if isinstance(message.string, str) else tuple(message.string or ())


def _faults_of(message: Message) -> list[str]:
    reasons = []
    if message.fuzzy:
        reasons.append("fuzzy")
    if not all(form.strip() for form in _forms(message)):
        reasons.append("empty, or a plural form is empty")
    try:
        odd = [name for name in _placeholders(message) if not name.isidentifier()]
    except ValueError as broken:
        odd = [str(broken)]
    if odd:
        reasons.append(f"a placeholder is a plain name in braces, not {', '.join(odd)}")
    return reasons


def _placeholders(message: Message) -> frozenset[str]:
    """All names in braces. The count ``n`` may be left to the grammar of a plural form."""
    try:
        names = {
            name
            for form in _forms(message)
            for _, name, _, _ in string.Formatter().parse(form)
            if name is not None
        }
    except ValueError:
        return frozenset({"{"})
    return frozenset(names - {"n"} if message.pluralizable else names)


def doubled(text: str) -> list[str]:
    """Keys that stand more than once in the text of a catalogue."""
    counts = Counter(re.findall(r'^msgid "(.+)"$', text, re.MULTILINE))
    return sorted(key for key, count in counts.items() if count > 1)


def scan(root: Path) -> Used:
    """Every key that Python code, templates and scripts under ``root`` refer to."""
    used = Used()
    for folder in _SOURCES:
        for path in sorted((root / folder).rglob("*")):
            where = path.relative_to(root).as_posix()
            if path.suffix == ".py" and where != "companion/locale/check.py":
                _scan_python(path.read_text("utf-8"), where, used)
            elif path.suffix in {".html", ".js", ".svg"}:
                for found in _QUOTED.finditer(path.read_text("utf-8")):
                    used.add(found[2], where)
    return used


def _scan_python(source: str, where: str, used: Used) -> None:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            used.add(node.value, f"{where}:{node.lineno}")
        elif isinstance(node, ast.Call):
            _scan_call(node, f"{where}:{node.lineno}", used)


def _scan_call(call: ast.Call, where: str, used: Used) -> None:
    """The keys of ``Refused("code")``, ``Fault(part, "code")``, ``Event("type")`` and the like."""
    name = ast.unparse(call.func)
    name = name if name in _MAKERS else name.rpartition(".")[2]
    if name not in _MAKERS:
        return
    first, position = _MAKERS[name]
    by_name = [keyword.value for keyword in call.keywords if keyword.arg in ("code", "type")]
    for code in by_name or call.args[position : position + 1]:
        if isinstance(code, ast.Constant) and isinstance(code.value, str):
            used.keys.setdefault(f"{first}.{code.value}", where)
            if name == "Fault":
                used.keys.setdefault(f"{first}.{code.value}.remedy", where)


def main() -> int:
    """Print what is wrong and what is unused; 1 when anything is wrong."""
    here = Path(__file__).parent
    faults = check_catalogues({language: read(language) for language in languages()})
    for language in languages():
        text = (here / f"{language}.po").read_text("utf-8")
        faults += [f"{language}: {key}: twice" for key in doubled(text)]
    used = scan(here.parents[1])
    known = {key for key, _ in _entries(read(DEFAULT))}
    faults += [
        f"{where}: {key}: in no catalogue" for key, where in used.keys.items() if key not in known
    ]
    unused = sorted(key for key in known if not used.covers(key))
    report = [*faults, *(f"note: {key}: nothing seems to use it" for key in unused)]
    report.append(f"{len(known)} messages, {len(faults)} faults, {len(unused)} unused")
    sys.stdout.write("\n".join(report) + "\n")
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
