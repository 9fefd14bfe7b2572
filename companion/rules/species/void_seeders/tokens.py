"""What comes out of the bag: a creature by somebody's mind, somebody's own token, or the Blank."""

from __future__ import annotations

from companion.game import Ask, Need, Person, Steps
from companion.game.procedure import options
from companion.game.state import REMOVED, kind_of
from companion.rules.bag import empty_blank, stirs
from companion.rules.encounter import draw_token, meet
from companion.rules.markers import noise_around
from companion.rules.play import Play, tell
from companion.rules.species.void_seeders.insanity import LADDER, Level, creature_at
from companion.rules.species.void_seeders.lairs import TOKEN
from companion.rules.species.void_seeders.panic import panic

INSANITY = "insanity_"


def insanity_of(play: Play, person: Person) -> str:
    """The Insanity token of a person: that of the character's colour (VS-27)."""
    return f"{INSANITY}{play.content.characters[person.character].colour}"


def owner_of(play: Play, token: str) -> Person | None:
    """Whose Insanity token this is (VS-27)."""
    return next((p for p in play.order() if insanity_of(play, p) == kind_of(token)), None)


def awake(play: Play, person: Person) -> bool:
    """Whether somebody is neither dead, asleep nor in an Escape Pod (VS-66)."""
    return person in play.aboard()


def met(play: Play, token: str, seat: int, room: str) -> Steps:
    """By what came out of the bag (VS-52 to VS-56)."""
    kind = kind_of(token)
    if kind == "blank":
        yield tell("encounter_blank", "VS-56 VS-109", seat=seat, room=room)
        yield from noise_around(play, room, "VS-56 VS-106")
        yield tell("token_back", "VS-56", token=token)
    elif kind == TOKEN:
        creature = yield from creature_for(play, seat)
        yield from meet(play, token, creature, seat, room, "VS-23 VS-52 VS-53")
    else:
        yield from insanity_met(play, token, seat, room)


def creature_for(play: Play, seat: int) -> Steps:
    """The creature of the level of who caused the Encounter (VS-23, VS-52, VS-108)."""
    if play.switch("vs_insanity_afar") == "ask" and not play.takes_part(play.person(seat)):
        level = None
    else:
        level = yield Need(Level(seat, "VS-23 VS-52"))
    if level is not None:
        return (yield from creature_at(play, level))
    return (
        yield Ask(
            "card",
            "ask.creature_by_insanity",
            "VS-23 VS-52",
            {"seat": seat},
            options=options(list(LADDER), "ask.piece", "piece"),
        )
    )


def insanity_met(play: Play, token: str, seat: int, room: str) -> Steps:
    """Noise all around, a Panic card for who caused it, the token back (VS-55)."""
    owner = owner_of(play, token)
    gone = owner is None or not awake(play, owner)
    if gone and play.switch("vs_insanity_token_in_encounter") == "removed":
        yield from leaves(play, token)
        again = yield from draw_token(play, "VS-55 VS-66")
        if again is not None:
            yield from met(play, again, seat, room)
        return
    yield tell("encounter_insanity", "VS-55", seat=seat, room=room)
    yield from noise_around(play, room, "VS-55 VS-106")
    yield from panic(play, seat, "VS-55")
    yield tell("token_back", "VS-55", token=token)


def leaves(play: Play, token: str) -> Steps:
    """An Insanity token without its character is out of the game (VS-66)."""
    play.put_token(token, REMOVED)
    yield tell("token_gone", "VS-66", token=token)


def drawn(play: Play, token: str) -> Steps:
    """Bag development by the token drawn (VS-65 to VS-67)."""
    kind = kind_of(token)
    if kind == "blank":
        yield from empty_blank(play, token, TOKEN, "VS-67 VS-104")
    elif kind == TOKEN:
        yield from stirs(play, token, "VS-65")
    else:
        yield from insanity_stirs(play, token)


def insanity_stirs(play: Play, token: str) -> Steps:
    """A Panic card for the character of the colour; gone: the token too, draw again (VS-66)."""
    owner = owner_of(play, token)
    if owner is None or not awake(play, owner):
        yield from leaves(play, token)
        again = yield from draw_token(play, "VS-66")
        if again is not None:
            yield from drawn(play, again)
        return
    yield from panic(play, owner.seat, "VS-66")
    yield tell("token_back", "VS-66", token=token)
