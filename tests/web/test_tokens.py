"""The colours of the panel can be read in every look: contrast by the WCAG formula."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from web.blueprints.pages import LOOKS

STATIC = Path(__file__).parents[2] / "web" / "static"
SHEET = (STATIC / "tokens.css").read_text()
TOKENS = {
    look: dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})\b", block))
    for look, block in re.findall(r':root\[data-look="(\w+)"\] \{(.*?)\n\}', SHEET, re.S)
}
GROUNDS = ("ground", "surface", "raised")
WORDS = (
    *("text", "dim", "main", "move", "alien", "fire", "alarm", "noise", "broken", "secret"),
    *("door", "red", "blue", "bone"),
)
#: Words on what they stand on, beside those of every ground: at least 4.5.
READ = [
    *((text, "floor") for text in ("label", "text", "alien", "fire", "broken", "noise", "red")),
    *((text, "floor-fire") for text in ("label", "alien", "fire", "broken")),
    *((text, "floor-chosen") for text in ("label", "alien")),
    *(("faded", "floor-closed"), ("text", "floor-closed"), ("text", "plate"), ("text", "hull")),
    *(("on-alarm", "alarm"), ("on-main", "alarm"), ("on-blood", "blood"), ("on-level", "level")),
    *(("dim", "cover"), ("dim", "cover-stripe"), ("on-shown", "shown"), ("text", "pressed")),
    *((text, card) for text in ("text", "dim", "alien") for card in ("card", "card-deep")),
]
#: Lines and shapes on what they stand on: at least 3.
SEEN = [
    *((line, "hull") for line in ("way", "way-noisy", "way-closed", "way-gone", "rim")),
    *((f"room-{c}", "hull") for c in ("red", "yellow", "green", "white", "none")),
    *(
        ("line", "ground"),
        ("strong", "floor"),
        ("move", "hull"),
        ("main", "hull"),
        ("door", "hull"),
    ),
]


def luminance(colour: str) -> float:
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(look: str, one: str, other: str) -> float:
    found = (luminance(TOKENS[look][one]), luminance(TOKENS[look][other]))
    light, dark = sorted(found, reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_every_look_says_every_colour() -> None:
    assert set(TOKENS) == set(LOOKS)
    assert len({frozenset(tokens) for tokens in TOKENS.values()}) == 1


@pytest.mark.parametrize("look", LOOKS)
def test_words_are_read(look: str) -> None:
    pairs = [*((text, ground) for text in WORDS for ground in GROUNDS), *READ]
    least = 7 if look == "contrast" else 4.5
    low = {p: round(contrast(look, *p), 2) for p in pairs if contrast(look, *p) < least}
    assert low == {}
    assert contrast(look, "on-main", "main") >= 7


@pytest.mark.parametrize("look", LOOKS)
def test_lines_are_seen(look: str) -> None:
    low = {p: round(contrast(look, *p), 2) for p in SEEN if contrast(look, *p) < 3}
    assert low == {}


def test_the_ground_is_near_black_but_not_black() -> None:
    for look in ("dark", "deep"):
        assert 0 < luminance(TOKENS[look]["ground"]) < 0.01


def test_deep_night_is_red_and_amber_only() -> None:
    for name, colour in TOKENS["deep"].items():
        red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
        assert red >= green >= blue, name
        assert red <= 0xF5, name


def test_no_colour_is_said_elsewhere() -> None:
    """A colour of a style sheet is a token; print has its own black on white."""
    said = re.compile(r"#[0-9a-fA-F]{3,8}\b(?![^{]*\{)")
    for sheet in STATIC.glob("*.css"):
        if sheet.name in ("tokens.css", "pack.css"):
            continue
        for line in sheet.read_text().splitlines():
            assert not said.search(line), f"{sheet.name}: {line}"
