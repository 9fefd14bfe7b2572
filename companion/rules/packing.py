"""Where every piece of a game belongs: what a table that packed it puts back from the box.

Only what everybody may see: face-down cardboard is packed by its place and comes back as a stack,
never named.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.game.procedure import Instruction
from companion.game.state import INTRUDER_BOARD, OBJECTS, POD_WAITING, kind_of
from companion.rules.play import Play

BOX = "box"
LYING = ("room", "corridor", "space", "held", "sheet", "section", "adaptation")
MARKERS = ("fire", "malfunction", "noise")
#: What is packed unseen, in order: the component whose truth must lie on the table for it, and
#: where it goes back to.
STEPS = {
    "own": ("", "owners"),
    "tiles": ("tiles", "unexplored"),
    "exploration": ("exploration", "unturned"),
    "engines": ("engines", "engines"),
    "coordinates": ("coordinates", "its_place"),
    "weaknesses": ("weaknesses", INTRUDER_BOARD),
    "bag": ("bag", "beside"),
    "event": ("event", "beside"),
    "attack": ("attack", "beside"),
    "decks": ("", "beside"),
}
UNSEEN = "unseen"
GROUPS = ("rooms", "unseen", "ship", "doors", "markers", "things", "people", "intruders", "figures")


def group_of(piece: str) -> str:
    """The bundle of a piece of `rebuild`: one of ``GROUPS``, in the order of laying them out."""
    kind = kind_of(piece).split(":", 1)[0]
    if kind == UNSEEN:
        return UNSEEN
    if kind in ("tile", "items"):
        return "rooms"
    if kind in ("time", "self_destruct", "destination", "eggs", "airlock", "first_player"):
        return "ship"
    if kind.startswith("pod_") or kind in ("locked", "unlocked"):
        return "ship"
    if kind == "door":
        return "doors"
    if kind in MARKERS:
        return "markers"
    if kind in ("light", "slime", "signal", "mutation_markers"):
        return "people"
    if kind in OBJECTS:
        return "things"
    return "intruders" if "#" in piece else "figures"


def unseen(truth: Mapping[str, str]) -> list[str]:
    """The `STEPS` of a game whose components have their truth there."""
    return [
        step
        for step, (component, _) in STEPS.items()
        if not component or truth.get(component) == "physical"
    ]


def rebuild(play: Play) -> list[Instruction]:
    """Every open piece and every stack from the box to its place, bundle after bundle."""
    found = [Instruction(piece, BOX, zone) for piece, zone in _pieces(play)]
    return sorted(found, key=lambda i: GROUPS.index(group_of(i.piece)))


def _pieces(play: Play) -> Iterator[tuple[str, str]]:
    """Pieces with their zones, no two alike: what only shows a number bears its place too."""
    state = play.state
    for step in unseen(play.state.truth):
        yield f"{UNSEEN}:{step}", STEPS[step][1]
    for room in sorted(state.explored):
        if state.tiles.get(room):
            yield f"tile:{state.tiles[room]}", f"room:{room}"
        if state.items.get(room) is not None and room in state.explored:
            yield f"items:{state.items[room]}#{room}", f"room:{room}"
    yield f"time:{state.time}", "tracks"
    if state.self_destruct is not None:
        yield f"self_destruct:{state.self_destruct}", "tracks"
    yield f"destination:{state.destination}", "tracks"
    if state.airlock:
        yield "airlock", f"room:{state.airlock}"
    eggs = len(state.pieces("egg", INTRUDER_BOARD))
    if eggs:
        yield f"eggs:{eggs}", INTRUDER_BOARD
    if state.first_player in state.seats:
        yield "first_player", f"held:{state.first_player}"
    for piece in sorted(state.where):
        zone = state.where[piece]
        if ":" not in piece and zone.split(":", 1)[0] in LYING:
            yield piece, zone
            if piece.startswith("pod_"):
                yield f"{'locked' if piece in state.locked else 'unlocked'}:{piece}", zone
    for seat, person in sorted(state.seats.items()):
        if person.light:
            yield f"light:{person.light}#{seat}", f"sheet:{seat}"
        for mark in ("slime", "signal"):
            if getattr(person, mark):
                yield f"{mark}:{seat}", f"sheet:{seat}"
        for kind, count in play.species.marks(person).items():
            yield f"{kind}:{count}#{seat}", f"sheet:{seat}"
        if person.state == POD_WAITING and person.pod:
            yield person.character, state.where.get(person.pod, BOX)
        elif person.room:
            yield person.character, f"room:{person.room}"
