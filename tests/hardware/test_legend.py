from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from companion.cli import main
from companion.cli.devices import legend_card
from companion.locale import languages, words
from hardware.legend import WIDTH_MM, order
from hardware.meanings import LEGEND, RESERVED

PRINTED = Path(__file__).parents[2] / "docs" / "pictures" / "lights-legend.svg"


def test_the_card_in_the_docs_is_drawn_from_the_code() -> None:
    """Else: ``companion lights legend --out docs/pictures/lights-legend.svg``, in English."""
    assert PRINTED.read_text(encoding="utf-8") == legend_card(words("en"))


def test_every_meaning_is_on_it_once() -> None:
    assert sorted(order()) == sorted(set(LEGEND) - RESERVED)
    assert order()[:2] == ("look", "fire")


@pytest.mark.parametrize("language", languages())
def test_no_word_runs_over_the_cut(language: str) -> None:
    drawn = legend_card(words(language))
    for x, size, text in re.findall(
        r'<text x="([\d.]+)".*?font-size="([\d.]+)"[^>]*>([^<]+)', drawn
    ):
        assert float(x) + 0.56 * float(size) * len(text) < WIDTH_MM - 1, text


@pytest.mark.parametrize("language", languages())
def test_a_card_is_whole_in_every_language(language: str) -> None:
    say = words(language)
    drawn = ElementTree.fromstring(legend_card(say))
    assert (drawn.get("width"), drawn.get("height")) == ("105mm", "148mm")
    told = [element.text or "" for element in drawn.iter("{http://www.w3.org/2000/svg}text")]
    for name in order():
        assert say.say(f"ui.lights.meaning.{name}") in told
    assert not [text for text in told if "ui." in text]
    assert len(list(drawn.iter("{http://www.w3.org/2000/svg}polyline"))) == len(order())


def test_colours_and_periods_are_those_of_the_lights() -> None:
    text = legend_card(words("en"))
    for name in ("look", "fire", "alarm"):
        assert "#{:02x}{:02x}{:02x}".format(*LEGEND[name].colour) in text
        assert f"{LEGEND[name].rhythm.period:g} s" in text


def test_rhythms_are_drawn_between_dark_and_bright() -> None:
    rows = re.findall(r'points="([^"]+)"', legend_card(words("en")))
    heights = [[float(p.split(",")[1]) for p in row.split()] for row in rows]
    moving = [h for h in heights if max(h) - min(h) > 1.0]
    assert len(moving) == sum(LEGEND[name].rhythm.period > 0 for name in order())


def test_seconds_are_written_as_the_reader_writes_them() -> None:
    assert " · 1.2 s<" in legend_card(words("en"))
    for language in ("it", "fr"):
        assert " · 1,2 s<" in legend_card(words(language))


def test_the_command_writes_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "card.svg"
    assert main(["lights", "legend", "--out", str(file)]) == 0
    assert file.read_text(encoding="utf-8").startswith("<svg")
    assert str(file) in capsys.readouterr().out
