"""Every creature, token, marker and step has a symbol of its own, drawn by us."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.game.state import kind_of
from companion.library import load_content
from companion.rules.phase import PHASE
from companion.rules.species import written
from web.blueprints.pages import DRAWN, SYMBOLS

TEMPLATES = Path(__file__).parents[2] / "web" / "templates"
CONTENT = load_content()
MARKERS = (
    *("fire", "malfunction", "noise", "slime", "door", "door-open", "door-destroyed", "egg"),
    *("carcass", "corpse_red", "corpse_blue", "signal", "wound", "first", "airlock", "pod"),
    *("time", "bag", "event", "attack", "item", "weakness", "look", "covered"),
)


def drawn(species: str) -> dict[str, str]:
    """The symbols of a page while a species is in play: id → drawing."""
    files = [TEMPLATES / "icons.svg"]
    if species in DRAWN:
        files.append(TEMPLATES / "icons" / f"{species}.svg")
    text = "".join(file.read_text() for file in files)
    return dict(re.findall(r'<symbol id="i-([^"]+)"[^>]*>(.*?)</symbol>', text, re.S))


@pytest.mark.parametrize("species", sorted(written()))
def test_whatever_is_in_play_has_a_symbol(species: str) -> None:
    symbols = drawn(species)
    held = CONTENT.species[species]
    names = {kind_of(creature) for creature in held.creatures} | {*MARKERS, *PHASE}
    names |= {"lurk"} if species == "void_seeders" else set()
    names |= {"pod" if name == "escape_pod" else name for name in SYMBOLS}
    names |= {f"face-{face}" for face in CONTENT.games["nemesis"].noise_die if not face.isdigit()}
    assert names - set(symbols) == set()


@pytest.mark.parametrize("species", sorted(written()))
def test_no_two_creatures_look_the_same_and_every_reference_is_there(species: str) -> None:
    symbols = drawn(species)
    minis = [c.id for c in CONTENT.species[species].creatures.values() if c.miniatures]
    assert len({symbols[name] for name in minis}) == len(minis) > 2
    for name, drawing in symbols.items():
        for other in re.findall(r'href="#i-([^"]+)"', drawing):
            assert other in symbols, name
