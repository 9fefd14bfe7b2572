"""The base Intruders."""

from __future__ import annotations

from collections.abc import Mapping

from companion.game import Need, Steps
from companion.game.state import REMOVED, SUPPLY, kind_of
from companion.rules.bag import empty_blank, grows, queen, stirs
from companion.rules.contamination import infection, remove_larva
from companion.rules.facts import Carriers, Characters
from companion.rules.movement import token_to_bag
from companion.rules.nature import Nature
from companion.rules.play import Play, tell
from companion.rules.species import register
from companion.rules.species.common import Strategy
from companion.rules.wounds import contaminate, larva_on_sheet


class Intruders(Strategy):
    """Larva, Creeper, Adult, Breeder, Queen."""

    id = "intruders"
    trophy = "queen"
    slime = True
    larvae = True
    by_player = True
    natures: Mapping[str, Nature] = {
        "larva": Nature(draws=False),  # BASE-187
        "breeder": Nature(check="BASE-162"),
        "queen": Nature(check="BASE-162", grave=REMOVED),
    }

    def development(self, play: Play, token: str) -> Steps:
        """BASE-326 to BASE-338."""
        match kind_of(token):
            case "larva":
                yield from grows(play, token, "adult", "BASE-326")
            case "creeper":
                yield from grows(play, token, "breeder", "BASE-327")
            case "adult" | "breeder":
                yield from stirs(play, token, "BASE-328")
            case "queen":
                yield from queen(play, token)
            case _:
                yield from empty_blank(play, token, "adult")

    def only_blank_left(self, play: Play, rule: str) -> Steps:
        """An Adult goes in (BASE-146)."""
        yield from token_to_bag(play, "adult", rule)

    def figure(self, play: Play, kind: str, room: str) -> Steps:
        """The ninth Adult calls the others off the board (BASE-19)."""
        mini = play.spare(kind)
        if mini is None and kind == "adult":
            mini = yield from ninth_adult(play)
        return mini or (yield from super().figure(play, kind, room))

    def plain_attack(self, play: Play, mini: str, target: int, rule: str) -> Steps:
        """A Larva goes to the target's board with a Contamination card (BASE-187)."""
        carriers = yield Need(Carriers("larva", "BASE-187"))
        if target in carriers:
            zone = play.state.where[mini]
            play.put(mini, SUPPLY)
            yield tell(
                "larva_gone",
                f"{rule} BASE-187 FAQ-A20",
                piece=mini,
                seat=target,
                move=[(mini, zone, SUPPLY)],
            )
        else:
            yield from larva_on_sheet(play, target, f"{rule} BASE-187", mini)
        play.state.injuries.pop(mini, None)
        yield from contaminate(play, target, 1, "BASE-187")

    def taken_for(self, play: Play, target: str, face: str) -> Steps:
        """What hits a Creeper hits a Larva (BASE-157)."""
        yield from ()
        kind = kind_of(target)
        return "creeper" if kind == "larva" else kind

    def infected(self, play: Play, seat: int, rule: str, *, resting: bool) -> Steps:
        """A Larva, or death by a second one (BASE-215)."""
        yield from infection(play, seat, rule)

    def cleansed(self, play: Play, seat: int, rule: str) -> Steps:
        """The Larva goes too (BASE-220, BASE-250)."""
        yield from remove_larva(play, seat, rule)


def ninth_adult(play: Play) -> Steps:
    """All eight stand: those not in Combat leave, a token each into the bag (BASE-19, BASE-20)."""
    yield Need(Characters("BASE-19"))
    free = [m for m in play.intruders() if kind_of(m) == "adult" and not play.fighting(m)]
    if not free:
        yield tell("adults_all_fight", "BASE-20", kind="adult")
        return None
    for mini in free:
        zone = play.state.where[mini]
        play.put(mini, SUPPLY)
        play.state.injuries.pop(mini, None)
        yield tell("left_board", "BASE-19 FAQ-A60", piece=mini, move=[(mini, zone, SUPPLY)])
        yield from token_to_bag(play, "adult", "BASE-19 FAQ-A60")
    return play.spare("adult")


INTRUDERS = register(Intruders())
