"""Two games that differ only in secrets look and sound the same to everybody at the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

import pytest

from companion.bench.play import Player
from companion.game import BadInput, Refused
from companion.library import load_content
from companion.table import views
from companion.table.journal import MemoryJournal
from companion.table.scene import scene
from companion.table.sounds import cue, spoken
from companion.table.table import Table
from hardware import LampLayout, LightSettings, painter
from tests.table.people import Dealer, deck

CONTENT = load_content()
PEOPLE = ("captain", "scout", "soldier")
PERSONAL = deck(CONTENT, "personal", len(PEOPLE))
CORPORATE = deck(CONTENT, "corporate", len(PEOPLE))
#: Builds B and C show what the rooms of the screen show; D has its lamps.
LAMPED = LampLayout(("mood", "alarm", "look", "fire", "contamination"))
#: What the box deals face down and nobody turns before the end.
HIDDEN = ("engine", "coordinates", "weakness")


def deal(start: int) -> list[str]:
    """An objective of each kind for every seat, from another place in the decks."""
    decks = PERSONAL[start:] + PERSONAL[:start], CORPORATE[start:] + CORPORATE[:start]
    return [cards[n] for n in range(len(PEOPLE)) for cards in decks]


class Otherwise(Dealer):
    """Chance that is the other game's, but for what lies face down in the box."""

    def pick(
        self, purpose: str, options: Sequence[str], *, epoch: int, count: int, key: str
    ) -> Any:
        if purpose in HIDDEN:
            return list(reversed(options))[count % len(options)]
        return super().pick(purpose, options, epoch=epoch, count=count, key=key)


def pair(seed: int, species: str) -> tuple[Table, Table]:
    """The same game twice, with other objectives, engines, course and weaknesses."""
    setup = {"do": "setup", "players": list(PEOPLE), "species": species, "digital": True}
    made = []
    for n, dealer in enumerate((Dealer, Otherwise)):
        journal = MemoryJournal({"game": "g", "commitment": "c"})
        made.append(Table(CONTENT, journal, dealer(deal(n), seed)))
        made[-1].command({**setup, "id": "s"})
    return made[0], made[1]


def theirs(command: Mapping[str, Any], one: Table, two: Table) -> dict[str, Any]:
    """The command for the other game: a secret choice is the choice at the same place."""
    if command["do"] == "answer" and command.get("prompt") in one.prompts():
        ask, other = (table.prompts()[command["prompt"]] for table in (one, two))
        ids = [option.id for option in ask.options]
        if ask.secret and command["value"] in ids:
            return {**command, "value": other.options[ids.index(command["value"])].id}
    return dict(command)


def outside(table: Table) -> tuple[Any, ...]:
    """What a table sees and hears: scene, frames of every build, each line's cue and speech."""
    view = views.view(table, "table")
    board = CONTENT.board(view["game"]["board"])
    shown = scene(view, board)
    settings = LightSettings(pixels=30)
    frames = [
        painter(board, layout).frame(shown, t)
        for layout in (settings.layout(board), settings.on_screen().layout(board), LAMPED)
        for t in (0.3, 1.1)
    ]
    heard = [(line["n"], cue([line]), spoken(line)) for line in view["log"]]
    return shown, frames, heard


def give(table: Table, command: Mapping[str, Any]) -> str:
    try:
        return str(table.command(command)["status"])
    except (Refused, BadInput) as problem:
        return problem.code


def play(seed: int, inputs: int, species: str = "intruders") -> set[str]:
    """Play both games on the same inputs; what the tables saw differ in (nothing, they say)."""
    one, two = pair(seed, species)
    player = Player(CONTENT, seed)
    done: set[str] = set()
    apart = False  # their own player saw that they differ, before an undo took all back or not
    for n in count():
        apart = apart or views.view(one, "seat:1")["me"] != views.view(two, "seat:1")["me"]
        command = player.command(one)
        if command["do"] in ("setup", "repair", "room_action", "scan"):
            command = {"do": "pass", "seat": n % len(PEOPLE) + 1, "id": f"p{n}"}
        if n == inputs // 3:  # the first meeting: everybody chooses an objective in secret
            command = {"do": "place", "piece": "adult", "to": "006", "id": "first"}
        secret = {i for i, ask in one.prompts().items() if ask.secret}
        other = theirs(command, one, two)
        before = len(views.view(one, "table")["log"])
        said = give(one, command), give(two, other)
        assert said[0] == said[1], (command, said)
        if one.state.weaknesses != two.state.weaknesses:
            break  # what lay face down was turned for all to see: from here they are two games
        assert outside(one) == outside(two), command
        if command.get("prompt") in secret and any(a.secret for a in one.prompts().values()):
            # A private choice among others that are still open: the table hears nothing.
            assert cue(views.view(one, "table")["log"][before:]) is None
        if said[0] == "done":
            done.add("secret answer" if command.get("prompt") in secret else command["do"])
        if n >= inputs or one.state.phase == "over":
            break
    assert apart
    return done


@pytest.mark.parametrize(
    ("seed", "species"), [(1, "intruders"), (4, "void_seeders"), (4, "carnomorphs")]
)
def test_secrets_change_no_light_and_no_sound(seed: int, species: str) -> None:
    done = play(seed, 40, species)
    assert "secret answer" in done
    assert len(done) > 6


@pytest.mark.slow
def test_secrets_change_nothing_in_many_games() -> None:
    for seed in range(20, 50):
        play(seed, 150, ("intruders", "void_seeders", "carnomorphs")[seed % 3])
