"""The colours of the panel can be read in the dark: contrast by the WCAG formula."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TOKENS = dict(
    re.findall(
        r"--([a-z-]+): (#[0-9a-f]{6});",
        (Path(__file__).parents[2] / "web" / "static" / "tokens.css").read_text(),
    )
)


def luminance(colour: str) -> float:
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(TOKENS[one]), luminance(TOKENS[other])), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("ground", ["ground", "surface", "raised"])
@pytest.mark.parametrize(
    "text", ["text", "dim", "main", "move", "alien", "fire", "alarm", "noise", "broken", "secret"]
)
def test_words_are_read(text: str, ground: str) -> None:
    assert contrast(text, ground) >= 4.5


def test_borders_are_seen_and_main_buttons_are_read() -> None:
    assert contrast("line", "ground") >= 3
    assert contrast("on-main", "main") >= 7
    assert contrast("on-main", "alarm") >= 4.5


def test_the_ground_is_near_black_but_not_black() -> None:
    assert 0 < luminance(TOKENS["ground"]) < 0.01
