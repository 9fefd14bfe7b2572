from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from companion.locale.check import check_catalogues, doubled, scan

GOOD = 'msgid "log.moved"\nmsgstr "{piece} → {room}"\n'


def catalog(language: str, text: str) -> Catalog:
    plural = "nplurals=2; plural=(n != 1);"
    head = f'msgid ""\nmsgstr ""\n"Plural-Forms: {plural}\\n"\n\n'
    return read_po(BytesIO((head + text).encode()), locale=language)


def faults(italian: str, english: str = GOOD) -> list[str]:
    return check_catalogues({"en": catalog("en", english), "it": catalog("it", italian)})


def test_equal_catalogues_pass() -> None:
    assert faults(GOOD) == []


PLURAL = 'msgid "log.count"\nmsgid_plural "log.count"\nmsgstr[0] "{a} one"\nmsgstr[1] "{n} {a}"\n'


@pytest.mark.parametrize(
    ("italian", "english", "reason"),
    [
        ("", GOOD, "it: log.moved: missing"),
        (GOOD + 'msgid "log.new"\nmsgstr "x"\n', GOOD, "it: log.new: only here"),
        ('msgid "log.moved"\nmsgstr ""\n', GOOD, "empty"),
        ('msgid "log.moved"\nmsgstr "  "\n', GOOD, "empty"),
        ("#, fuzzy\n" + GOOD, GOOD, "fuzzy"),
        ('msgid "log.moved"\nmsgstr "{piece} → {place}"\n', GOOD, "placeholders differ"),
        ('msgid "log.moved"\nmsgstr "{piece} → {room"\n', GOOD, "plain name"),
        (
            'msgid "log.moved"\nmsgstr "{piece.__class__} {room}"\n',
            'msgid "log.moved"\nmsgstr "{piece.__class__} {room}"\n',
            "plain name",
        ),
        (PLURAL.replace('msgstr[1] "{n} {a}"', 'msgstr[1] ""'), PLURAL, "plural form is empty"),
        ('msgid "log.count"\nmsgstr "{a}"\n', PLURAL, "plural forms in one of"),
    ],
)
def test_fault_is_named(italian: str, english: str, reason: str) -> None:
    found = faults(italian, english)
    assert any(reason in fault for fault in found), found


def test_a_plural_form_may_leave_out_the_count() -> None:
    assert faults(PLURAL, PLURAL) == []


def test_doubled_key() -> None:
    assert doubled(GOOD + "\n" + GOOD) == ["log.moved"]
    assert doubled(GOOD) == []


def test_scan_finds_keys_in_code_templates_and_scripts(tmp_path: Path) -> None:
    (tmp_path / "companion").mkdir()
    (tmp_path / "web").mkdir()
    (tmp_path / "companion" / "a.py").write_text(
        'say("ask.cards")\nsay(f"log.{event}")\nRefused("no_room")\nBadInput("x", "odd")\n'
        'Fault("camera", "camera_gone")\nopen("log.txt")\nx = "something.else"\n'
        'y = f"{z} ask.cards"\nsay(f"ask.cards_{n}")\ntell("died", "BASE-1")\n'
    )
    (tmp_path / "web" / "t.html").write_text("{{ say('ui.yes') }} {{ say('phase.' ~ now) }}")
    (tmp_path / "web" / "t.js").write_text('t("ui.no"); t(`step.${name}`)')
    used = scan(tmp_path)
    assert set(used.keys) == {
        "ask.cards",
        "refuse.no_room",
        "bad.odd",
        "fault.camera_gone",
        "fault.camera_gone.remedy",
        "log.died",
        "ui.yes",
        "ui.no",
    }
    assert used.stems == {"log.", "phase.", "step.", "ask.cards_"}
    assert used.covers("log.moved")
    assert used.covers("bad.something.else")
    assert used.covers("fault.something.else.remedy")
    assert not used.covers("ui.other")
    assert used.keys["refuse.no_room"] == "companion/a.py:3"
