"""Who sits where: seats, player numbers, and the characters, chosen or drafted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.game import Ask, BadInput, Draw, Person, Steps
from companion.game.procedure import options
from companion.rules.play import Play, tell

MOST_PLAYERS = 5
DRAFTED = 2  # draft cards shown to each player

Entry = dict[str, Any]


def entries(play: Play, players: Any, *, draft: bool, dealt: bool) -> list[Entry]:
    """One checked entry a seat, clockwise: character (None when drafted), number, name, language.

    Raises BadInput for too many or too few, an unknown or a second equal character, and numbers
    that are not 1, 2, … each once. ``dealt``: numbers are left out, the box deals them.
    """
    if not isinstance(players, (list, tuple)) or not 1 <= len(players) <= MOST_PLAYERS:
        raise BadInput("players", "setup.players", {"low": 1, "high": MOST_PLAYERS})
    found = [_entry(play, seat, given, draft=draft) for seat, given in enumerate(players, start=1)]
    taken: set[str] = set()
    for seat, entry in enumerate(found, start=1):
        character = entry["character"]
        if character in taken:
            raise BadInput(f"players.{seat}", "setup.character_twice", {"value": character})
        if character is not None:
            taken.add(character)
        if not dealt and entry["number"] is None:
            entry["number"] = seat
    numbers = [entry["number"] for entry in found]
    if dealt and any(n is not None for n in numbers):
        raise BadInput("players", "setup.numbers_dealt")
    if not dealt and sorted(numbers) != list(range(1, len(found) + 1)):
        raise BadInput("players", "setup.numbers")
    return found


def _entry(play: Play, seat: int, given: Any, *, draft: bool) -> Entry:
    entry = {"character": given} if isinstance(given, str) else given
    if not isinstance(entry, Mapping):
        raise BadInput(f"players.{seat}", "command.table")
    character = entry.get("character") or None
    if character is None and draft:
        pass
    elif not isinstance(character, str) or character not in play.content.characters:
        raise BadInput(f"players.{seat}", "setup.unknown_character", {"value": str(character)[:40]})
    number = entry.get("number")
    return {
        "seat": seat,
        "character": character,
        "number": number if isinstance(number, int) and not isinstance(number, bool) else None,
        "name": str(entry.get("name") or "")[:20],
        "language": str(entry.get("language") or ""),
    }


def take_seats(play: Play, people: list[Entry], *, dealt: bool) -> Steps:
    """Numbers, then characters in the order of the numbers (BASE-57, BASE-59)."""
    if dealt:
        yield from deal_numbers(people)
    chosen = {e["character"] for e in people if e["character"]}
    for entry in people:
        if entry["character"]:
            _sit(play, entry)
    for entry in sorted(people, key=lambda e: e["number"]):
        if not entry["character"]:
            entry["character"] = yield from draft(play, entry, chosen)
            chosen.add(entry["character"])
            _sit(play, entry)


def _sit(play: Play, entry: Entry) -> None:
    state = play.state
    state.seats[entry["seat"]] = Person(**entry, room=play.board.start_room)
    state.seats = dict(sorted(state.seats.items()))


def _who(entry: Entry) -> dict[str, Any]:
    """Whom a question is about: somebody without a character goes by their name."""
    return {"seat": entry["seat"], **({"name": entry["name"]} if entry["name"] else {})}


def deal_numbers(people: list[Entry]) -> Steps:
    """Help cards at random: the number is the player number and the order of the draft."""
    left = [str(n) for n in range(1, len(people) + 1)]
    for entry in people:
        number = left[0]
        if len(left) > 1:
            number = yield Draw(
                "help_card",
                tuple(left),
                "help_cards",
                Ask(
                    "card",
                    "ask.help_card",
                    "BASE-57",
                    _who(entry),
                    options=options(left, "ask.player_number", "number"),
                    by_hand=False,
                ),
            )
        left.remove(number)
        entry["number"] = int(number)
        yield tell("number_dealt", "BASE-57", **_who(entry), number=entry["number"])


def draft(play: Play, entry: Entry, chosen: set[str]) -> Steps:
    """Two random draft cards, shown to all; one is kept, the other shuffled back (BASE-59)."""
    seat = entry["seat"]
    left = [c for c in sorted(play.content.characters) if c not in chosen]
    shown: list[str] = []
    for _ in range(min(DRAFTED, len(left))):
        card = yield Draw(
            "draft",
            tuple(left),
            "draft",
            Ask(
                "card",
                "ask.draft_card",
                "BASE-59",
                _who(entry),
                options=options(left, "ask.character", "character"),
                by_hand=False,
            ),
        )
        left.remove(card)
        shown.append(card)
    yield tell("draft_shown", "BASE-59", **_who(entry), characters=shown)
    kept = yield Ask(
        "card",
        "ask.draft_keep",
        "BASE-59",
        _who(entry),
        options=options(shown, "ask.character", "character"),
        to=seat,
        by_hand=False,
    )
    yield tell("draft_kept", "BASE-59", **_who(entry), character=kept)
    return kept
