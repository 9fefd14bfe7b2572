"""Where every piece of a game belongs: what a table that packed it puts back from the box.

Only what everybody may see: face-down cardboard is packed by its place and comes back as a stack,
never named.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from companion.game.procedure import Instruction
from companion.game.state import INTRUDER_BOARD, OBJECTS, POD_WAITING, State, kind_of
from companion.rules.play import Play
from companion.rules.tables import TRACKED

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
    "panic": ("panic", "beside"),
    "mutations": ("mutations", "beside"),
    "decks": ("", "beside"),
}
UNSEEN = "unseen"
NOTED = "noted"
NOTES = "notes"
GROUPS = (
    *("rooms", "unseen", "ship", "doors", "markers", "things", "people", "intruders", "figures"),
    NOTED,
)
#: The kind of fact that what is laid out belongs to, where it is not named alike.
TOPIC = {
    "door": "doors",
    "destroyed": "doors",
    "tile": "rooms",
    "items": "counters",
    "light": "wounds",
}
#: Markers of a species that lie on a character board with a number, and its cards by name.
SHEET = ("light", "slime", "signal", "insanity", "mutation_markers", "mutation_card")


def group_of(piece: str) -> str:
    """The bundle of a piece of `rebuild`: one of ``GROUPS``, in the order of laying them out."""
    kind = kind_of(piece).split(":", 1)[0]
    if kind == UNSEEN:
        return UNSEEN
    if kind in ("tile", "items", "nest_destroyed"):
        return "rooms"
    if kind in ("time", "self_destruct", "destination", "eggs", "airlock", "first_player"):
        return "ship"
    if kind.startswith("pod_") or kind in ("locked", "unlocked"):
        return "ship"
    if kind in ("door", "destroyed"):
        return "doors"
    if kind in MARKERS:
        return "markers"
    if kind in SHEET:
        return "people"
    if kind in ("injuries", "open"):
        return "intruders"
    if kind == NOTED:
        return NOTED
    if kind in OBJECTS:
        return "things"
    return "intruders" if "#" in piece else "figures"


@lru_cache(maxsize=2048)
def subject_of(piece: str) -> str:
    """What a piece of `rebuild` is about, whatever it shows of it: ``time:9`` is about ``time``."""
    kind, colon, shown = piece.partition(":")
    if not colon or kind in ("tile", UNSEEN, NOTED, "slime", "signal"):
        return piece
    if kind in ("destroyed", "locked", "unlocked"):
        return shown
    return kind + "".join(shown.partition("#")[1:])


def topic_of(piece: str, *, room: bool) -> str:
    """The kind of fact that a piece of `rebuild` is held as; ``room``: it lies in one."""
    kind, group = kind_of(piece).split(":", 1)[0], group_of(piece)
    if kind in OBJECTS:
        return "rooms" if room else "objects"
    if group == "figures":
        return "characters"
    if group == "intruders" and "#" in piece and ":" not in piece:
        return "intruders" if room else "objects"  # a Larva on its bearer's board
    return TOPIC.get(kind, kind)


def unseen(truth: Mapping[str, str]) -> list[str]:
    """The `STEPS` of a game whose components have their truth there."""
    return [
        step
        for step, (component, _) in STEPS.items()
        if not component or truth.get(component) == "physical"
    ]


def noted(tracking: Mapping[str, str], *, slime: bool) -> list[str]:
    """Kinds of facts the box does not hold at this table: people note them before they pack.

    ``slime``: whether the species in play knows Slime at all.
    """
    return sorted(
        t for t, level in tracking.items() if level != TRACKED and (slime or t != "slime")
    )


def rebuild(play: Play) -> list[Instruction]:
    """Every open piece and every stack from the box to its place, bundle after bundle."""
    found = [Instruction(piece, BOX, zone) for piece, zone in lying(play)]
    return sorted(found, key=lambda i: GROUPS.index(group_of(i.piece)))


def lying(play: Play) -> Iterator[tuple[str, str]]:
    """Pieces with their zones, no two alike: what only shows a number bears its place too."""
    state = play.state
    for step in unseen(play.state.truth):
        yield f"{UNSEEN}:{step}", STEPS[step][1]
    for room in sorted(state.explored) if play.tracks("rooms") else ():
        if state.tiles.get(room):
            yield f"tile:{state.tiles[room]}", f"room:{room}"
        if state.items.get(room) is not None and play.tracks("counters"):
            yield f"items:{state.items[room]}#{room}", f"room:{room}"
    nest = next((r for r in sorted(state.explored) if state.tiles.get(r) == "nest"), None)
    if state.nest_destroyed and nest:
        yield "nest_destroyed", f"room:{nest}"
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
        if ":" not in piece and _lies(play, piece, zone):
            yield f"{_shown(state, piece)}{piece}", zone
            if state.injuries.get(piece) and play.tracks("injuries"):
                yield f"injuries:{state.injuries[piece]}#{piece}", zone
    if state.truth.get("weaknesses") == "physical":
        for slot, card in sorted(state.weaknesses.items()):
            yield f"open:{card}#{slot}", f"slot:{slot}"
    for seat, person in sorted(state.seats.items()):
        if person.light and play.tracks("wounds"):
            yield f"light:{person.light}#{seat}", f"sheet:{seat}"
        for mark in ("slime", "signal"):
            if getattr(person, mark) and play.tracks(mark):
                yield f"{mark}:{seat}", f"sheet:{seat}"
        for kind, shown in play.species.marks(play, person).items():
            yield f"{kind}:{shown}#{seat}", f"sheet:{seat}"
        if not play.tracks("characters"):
            continue
        if person.state == POD_WAITING and person.pod:
            yield person.character, state.where.get(person.pod, BOX)
        elif person.room:
            yield person.character, f"room:{person.room}"
    for topic in noted(state.tracking, slime=play.species.slime):
        yield f"{NOTED}:{topic}", NOTES


def _shown(state: State, piece: str) -> str:
    """What the side of a piece that lies up says, before its name; empty where it says nothing."""
    if piece.startswith("pod_"):
        return "locked:" if piece in state.locked else "unlocked:"
    return "destroyed:" if piece in state.destroyed else ""


def _lies(play: Play, piece: str, zone: str) -> bool:
    """Whether a piece is laid out by itself, and the box holds where at this table."""
    kind, place = kind_of(piece), zone.split(":", 1)[0]
    if place == "adaptation":
        return True
    if kind == "larva" and place == "sheet":
        return play.tracks("objects")
    if kind in play.aliens.creatures:  # destroyed Lairs lie on their own board
        return place == INTRUDER_BOARD or (place in LYING and play.tracks("intruders"))
    if place not in LYING:
        return False
    if kind in OBJECTS:
        return play.tracks("rooms" if place == "room" else "objects")
    return play.tracks(TOPIC.get(kind, kind))
