"""Lairs and what guards them: they stand where they are, and with the last the Despoiler falls."""

from __future__ import annotations

from companion.game import Steps
from companion.game.state import INTRUDER_BOARD, REMOVED, kind_of, room_zone
from companion.rules.combat import check_cards
from companion.rules.movement import retreat, token_to_bag
from companion.rules.play import Play, tell
from companion.rules.species.void_seeders.insanity import LADDER

LAIR, DESPOILER, TOKEN = "lair", "despoiler", "void_seeder"
LAIRS = 3  # slots of destroyed Lairs (VS-42)


def is_lair(mini: str) -> bool:
    """Whether a miniature is a Lair."""
    return kind_of(mini) == LAIR


def lair_in(play: Play, room: str | None) -> bool:
    """Whether a Lair stands in a room."""
    return bool(room and play.state.pieces(LAIR, room_zone(room)))


def destroyed(play: Play) -> int:
    """How many Lairs are destroyed: they lie on the Void Seeder board (VS-41)."""
    return len(play.state.pieces(LAIR, INTRUDER_BOARD))


def appears(play: Play, room: str) -> Steps:
    """A Lair where its token is turned: no first Encounter, no noise (VS-33, VS-34, VS-43)."""
    lair = play.spare(LAIR)
    if lair is None:
        yield tell("miniature_missing", "VS-33", kind=LAIR, room=room)
        return
    came = play.state.where[lair]
    play.put(lair, room_zone(room))
    combat = " VS-34" if play.people_in(room) else ""
    yield tell(
        "lair_found",
        f"VS-33{combat} VS-43",
        piece=lair,
        room=room,
        move=[(lair, came, room_zone(room))],
    )


def fallen(play: Play, rule: str) -> Steps:
    """After a Lair: a token by switch; with the third the Despoiler is defeated (VS-42, VS-105)."""
    if play.switch("vs_lair_gives_token") == "yes":
        yield from token_to_bag(play, TOKEN, "VS-49")
    spaced = " VS-40" if "BASE-252" in rule else ""
    yield tell("lairs_destroyed", f"VS-41 VS-42{spaced}", n=destroyed(play))
    if destroyed(play) < LAIRS:
        return
    for mini in play.state.pieces(DESPOILER):
        came = play.state.where[mini]
        aboard = play.room_of(mini) is not None
        play.put(mini, REMOVED)
        move = [(mini, came, REMOVED)] if aboard else []
        yield tell("despoiler_defeated", "VS-42 VS-48", piece=mini, move=move)
        if aboard and play.switch("vs_despoiler_token") == "when on board":
            yield from token_to_bag(play, TOKEN, "VS-105 VS-49")


def struck_despoiler(play: Play, mini: str) -> Steps:
    """A hit leaves no marker: one card, and only an arrow counts (VS-48)."""
    cards = yield from check_cards(play, mini, "VS-48")
    if any(card.blood is None for card in cards):
        yield tell("check_arrow", "VS-48 BASE-163", piece=mini)
        yield from retreat(play, mini, "VS-48")
    else:
        yield tell("unharmed", "VS-48", piece=mini)


def next_lower(play: Play, kind: str, rule: str) -> Steps:
    """A miniature of the kind, or of the next lower one that is left (VS-54); None: none."""
    ladder = list(LADDER[: LADDER.index(kind) + 1])[::-1]
    if play.switch("vs_no_lurker") == "next higher":
        ladder += LADDER[LADDER.index(kind) + 1 :]
    for lower in ladder:
        mini = play.spare(lower)
        if mini is not None:
            if lower != kind:
                yield tell("next_lower", rule, kind=kind, piece=mini)
            return mini
    return None
