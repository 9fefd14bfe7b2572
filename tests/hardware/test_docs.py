from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

from companion.settings import Builder
from hardware.limits import COLOUR_MA, IDLE_MA
from hardware.meanings import LEGEND
from hardware.settings import ButtonSettings, LightSettings, SoundSettings

PAGE = (Path(__file__).parents[2] / "docs" / "lights.md").read_text(encoding="utf-8")
ROWS = {
    match["name"]: match
    for match in re.finditer(
        r"^\| `(?P<name>\w+)`.*?\| (?P<hue>[^|]+) \| (?P<rhythm>[^|]+) \| *(?P<period>[\d.]*)",
        PAGE,
        re.MULTILINE,
    )
}


def test_the_page_names_every_meaning() -> None:
    assert list(ROWS) == list(LEGEND)


@pytest.mark.parametrize("name", LEGEND)
def test_the_page_tells_the_rhythm_of_the_code(name: str) -> None:
    rhythm = LEGEND[name].rhythm
    assert ROWS[name]["rhythm"].startswith(rhythm.pattern.value)
    assert float(ROWS[name]["period"] or 0) == rhythm.period


def test_the_configuration_on_the_page_is_accepted() -> None:
    import tomllib

    kinds = {"lights": LightSettings, "buttons": ButtonSettings, "sound": SoundSettings}
    blocks = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    assert len(blocks) == 6
    for block in blocks:
        for section, raw in tomllib.loads(block).items():
            builder = Builder(lambda key: key)
            builder.build(kinds[section], raw, f"{section}.")
            assert builder.problems == []


def test_the_page_counts_the_current_as_the_code_does() -> None:
    assert f"draws {COLOUR_MA:.0f} mA" in PAGE
    assert f"and {IDLE_MA:.0f} mA even when dark" in PAGE
    assert f"would want {60 * (3 * COLOUR_MA + IDLE_MA) / 1000:.1f} A" in PAGE


def test_the_picture_on_the_page_is_drawn_by_the_code() -> None:
    """Else: ``python docs/pictures/make.py``."""
    for module in ("cv2", "playwright"):
        pytest.importorskip(module, reason="the program that makes the pictures needs it")
    pictures = Path(__file__).parents[2] / "docs" / "pictures"
    drawn = runpy.run_path(str(pictures / "make.py"))["lights"]()
    assert (pictures / "lights-event.svg").read_text(encoding="utf-8") == drawn
