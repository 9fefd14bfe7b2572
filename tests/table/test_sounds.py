from __future__ import annotations

from typing import Any

import pytest

from companion.locale import words
from companion.table.sounds import CUES, SPOKEN, Ear, cue, spoken


def line(kind: str, n: int = 1, **changed: bool) -> dict[str, Any]:
    return {"n": n, "type": kind, "undone": False, "secret": False, **changed}


def view(*lines: dict[str, Any], game: str = "g") -> dict[str, Any]:
    return {"game": {"id": game}, "log": list(lines)}


def test_every_line_that_sounds_is_a_line_of_the_log() -> None:
    say = words("en")
    for kind in {k for kinds in CUES.values() for k in kinds} | SPOKEN:
        assert say.has(f"log.{kind}"), kind


def test_of_several_the_most_important_is_heard() -> None:
    assert cue([line("noise"), line("encounter"), line("moved")]) == "encounter"
    assert cue([line("moved")]) is None
    assert cue([]) is None


@pytest.mark.parametrize("mark", ["undone", "secret"])
def test_what_is_undone_or_secret_is_never_heard(mark: str) -> None:
    assert cue([line("encounter", **{mark: True})]) is None
    assert not spoken(line("encounter", **{mark: True}))
    assert spoken(line("encounter"))


@pytest.mark.parametrize(
    "kind", ["seen", "objective_kept", "looks_at_room", "looks_at_engine", "objectives_chosen"]
)
def test_private_actions_are_not_heard(kind: str) -> None:
    assert cue([line(kind)]) is None
    assert not spoken(line(kind))


def test_an_ear_hears_what_is_new() -> None:
    ear = Ear()
    old = view(line("encounter", 1), line("noise", 2))
    assert ear.hear(old) is None  # said before it listened
    assert ear.hear(old) is None
    assert ear.hear(view(line("noise", 2), line("event_drawn", 3))) == "event"
    undone = view(line("noise", 2), line("event_drawn", 3, undone=True), line("undone", 4))
    assert ear.hear(undone) is None
    assert ear.hear(view(line("round_begins", 1), game="another")) == "round"
