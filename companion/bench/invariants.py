"""What must hold in every game after every input."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from companion.game.state import canonical, kind_of
from companion.table import views
from companion.table.session import AUDIENCES
from companion.table.table import Table

_PLACES = r"room:[^:]+|held:[1-5]"
#: Where the pieces of a kind may be, by the beginning of their identity.
ZONES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (start, re.compile(pattern))
    for start, pattern in (
        ("token:", r"bag|supply|aside|removed"),
        ("event:", r"deck|bottom|discard|removed"),
        ("attack:", r"deck|bottom|discard|removed"),
        ("panic:", r"deck|bottom|discard|removed"),
        ("exploration:", r"deck|removed"),
        ("objective:", r"deck|held:[1-5]|removed"),
        ("wound:", r"deck|held:[1-5]|discard"),
        ("noise#", r"supply|corridor:.+|space:.+"),
        ("door#", r"supply|corridor:.+"),
        ("fire#", r"supply|room:.+"),
        ("malfunction#", r"supply|room:.+"),
        ("egg#", rf"supply|intruder_board|removed|{_PLACES}"),
        ("carcass#", rf"supply|{_PLACES}"),
        ("corpse_blue#", rf"supply|removed|{_PLACES}"),
        ("corpse_", rf"supply|{_PLACES}"),
        ("pod_", r"section:[ab]|removed"),
        ("larva#", r"supply|sheet:[1-5]|room:.+"),
        ("queen#", r"supply|removed|room:.+"),
        ("mutation:", r"deck|discard|held:[1-5]"),
        ("shambler#", r"supply|adaptation:shambler|room:.+"),
        ("fleshbeast#", r"supply|adaptation:fleshbeast|room:.+"),
        ("butcher#", r"supply|removed|adaptation:butcher|room:.+"),
        ("despoiler#", r"supply|removed|room:.+"),
        ("lair#", r"supply|intruder_board|room:.+"),
        ("", r"supply|room:.+"),
    )
)


def problems(table: Table, box: Mapping[str, int]) -> Iterator[str]:
    """What does not hold in the state, in words for a developer; nothing when all is well.

    ``box`` is how many pieces of each kind the game was set up with (`contents`).
    """
    state = table.state
    now = contents(table)
    if state.phase not in ("lobby", "setup") and now != box:
        yield f"pieces made or lost: {Counter(now) - Counter(box)} {Counter(box) - Counter(now)}"
    alone: Counter[tuple[str, str]] = Counter()
    for piece, zone in state.where.items():
        if not _may_be(piece, zone):
            yield f"{piece} in {zone}"
        kind = kind_of(piece)
        if kind in ("noise", "door", "fire", "malfunction") and zone != "supply":
            alone[kind, zone] += 1
    yield from (f"{n} {kind} in {zone}" for (kind, zone), n in alone.items() if n > 1)
    for mini, count in state.injuries.items():
        if count < 1 or not state.where[mini].startswith("room:"):
            yield f"{count} injuries on {mini} in {state.where[mini]}"
    for door in state.destroyed:
        if not state.where[door].startswith("corridor:"):
            yield f"destroyed {door} in {state.where[door]}"
    between = table.root is None and state.phase != "over"
    if between and any(zone == "aside" for zone in state.where.values()):
        yield "a token was left aside"
    for person in state.seats.values():
        here = person.state in ("aboard", "pod_waiting")
        if state.phase != "over" and here != (person.room is not None):
            yield f"seat {person.seat} is {person.state} in {person.room}"
        waits = person.state == "pod_waiting"
        if state.phase != "over" and waits != (person.pod is not None):
            yield f"seat {person.seat} is {person.state} with pod {person.pod}"
        if min(person.contamination.values()) < 0 or person.light < 0:
            yield f"seat {person.seat} has less than nothing"
    if (state.phase == "over") != (state.ending is not None):
        yield f"phase {state.phase} with ending {state.ending}"
    last = table.journal.last
    if last is not None and last.state != state.digest():
        yield "the state is not the one in the journal"


@lru_cache(maxsize=1 << 15)
def _may_be(piece: str, zone: str) -> bool:
    allowed = next(pattern for start, pattern in ZONES if piece.startswith(start))
    return bool(allowed.fullmatch(zone))


def contents(table: Table) -> dict[str, int]:
    """How many pieces of each kind exist."""
    heads = (p.partition(":") for p in table.state.where)
    return dict(Counter(f"{deck}:" if colon else kind_of(deck) for deck, colon, _ in heads))


def picture(table: Table) -> str:
    """One digest of the state, the open questions and the views of all audiences."""
    shared = views.public(table)
    first = views.view(table, AUDIENCES[0], shared=shared)
    seen: list[Any] = [table.state.digest(), first]
    for audience in AUDIENCES[1:]:
        view = views.view(table, audience, shared=shared)
        own = {key: value for key, value in view.items() if key not in first or value != first[key]}
        seen.append([audience, own, sorted(first.keys() - view.keys())])
    return hashlib.sha256(canonical(seen).encode()).hexdigest()


def numbers(table: Table) -> dict[str, list[int]]:
    """The numbers of the log's lines by audience: each list must be consecutive."""
    found = {a: views.view(table, a, shared={})["log"] for a in AUDIENCES}
    return {audience: [line["n"] for line in log] for audience, log in found.items()}
