"""The group that plays here: who they are and how they played last, kept in ``profiles/``.

Made from the table's public view alone, so it can hold no secret; it is one small JSON file that
anybody may read or delete.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from companion.game.errors import why
from companion.table.folder import DataFolder, write_private

NAME = "group.json"
FORM = 2  # of what is kept; before, decks that nobody can read were said to lie in the box
CHOICES = ("preset", "truth", "switches")  # of the view, as they stand
_log = logging.getLogger(__name__)


def choices(view: Mapping[str, Any]) -> dict[str, Any]:
    """How this table plays, out of its public view: enough to set up the same again."""
    game = view["game"]
    return {
        "form": FORM,
        **{key: game[key] for key in ("board", "species", "mode")},
        **{key: view[key] for key in CHOICES},
        **{flag: True for flag in ("coop", "intruder_player") if game[flag]},
        "numbers": game["seating"].get("numbers", "by_seat"),
        "draft": game["seating"].get("characters") == "draft",
        "players": [_player(seat, view["people"]) for seat in view["seats"]],
    }


def _player(seat: Mapping[str, Any], people: Mapping[str, Any]) -> dict[str, str]:
    told = people.get(str(seat["seat"]), {})
    return {
        "name": told.get("name") or seat["name"],
        "language": told.get("language") or seat["language"],
        "colour": seat["colour"],
        "character": seat["character"],
    }


class Group:
    """The remembered group of a data folder. Safe from any thread; a full disk only forgets."""

    def __init__(self, folder: DataFolder) -> None:
        self._path: Path = folder.profiles / NAME
        self._kept = b""

    def remembered(self) -> dict[str, Any] | None:
        """What was kept, None when nothing was or nobody can read it.

        Where everything lies is as usual again in what an older version kept.
        """
        try:
            held = json.loads(self._path.read_text())
        except (OSError, ValueError):
            return None
        fits = isinstance(held, dict) and isinstance(held.get("players"), list)
        if not fits:
            return None
        if held.pop("form", 1) != FORM:
            held.pop("truth", None)
        return dict(held)

    def follow(self, view: Mapping[str, Any]) -> None:
        """Keep the choices of a game in its first turn, as often as they change."""
        if view["phase"] != "player" or view["round"] != 1:
            return
        data = json.dumps(choices(view), ensure_ascii=False).encode()
        if data == self._kept:
            return
        self._kept = data
        try:
            write_private(self._path, data)
        except OSError as problem:
            _log.warning("cli.note.no_group", why(problem))

    def forget(self) -> None:
        """Delete what is remembered."""
        self._path.unlink(missing_ok=True)
