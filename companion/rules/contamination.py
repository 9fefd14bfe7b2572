"""Reading Contamination cards: the scanner, what infects, and what makes cards leave the game.

With the scanner of the box (place of truth ``physical``, the default) one small question a scan
is enough: infected or not. Otherwise the program reads the cards and holds which of a character's
cards were read before: `Person.contamination` counts hand, deck and discard together.
"""

from __future__ import annotations

from collections import Counter

from companion.game import Ask, Draw, Need, Steps
from companion.game.procedure import Option, options
from companion.game.state import SUPPLY
from companion.rules.facts import Carriers
from companion.rules.play import Play, tell
from companion.rules.verbs import COUNT, SEAT, maybe, verb
from companion.rules.wounds import contaminate, death, larva_on_sheet, leave_creeper

DRAWN_AT_THE_CHECK = 4


def by_hand(play: Play) -> bool:
    """Whether the table reads its cards with the scanner of the box."""
    return play.state.truth.get("contamination") == "physical"


def cards_of(play: Play, seat: int) -> int:
    """How many Contamination cards a character has, in hand, deck and discard together."""
    return sum(play.person(seat).contamination.values())


# Reading cards ----------------------------------------------------------------------------------


def scan_card(play: Play, seat: int, rule: str) -> Steps:
    """Read one card that was not read before; the program draws it (BASE-214).

    Returns ``infected`` or ``clean``.
    """
    gone = Counter(play.state.contamination_gone)
    known = [gone, *(p.contamination for p in play.state.seats.values())]
    infected = max(play.game.infected - sum(c["infected"] for c in known), 0)
    clean = play.game.contamination - play.game.infected - sum(c["clean"] for c in known)
    odds = ("clean",) * max(clean, 0) + ("infected",) * infected
    outcome = yield Draw(
        "contamination",
        odds or ("clean",),  # more cards were told than there are
        "contamination",
        Ask(
            "choice",
            "ask.scan",
            rule,
            {"seat": seat},
            options=options(["infected", "clean"], "ask.scan_result", "result"),
        ),
    )
    cards = play.person(seat).contamination
    if cards["unscanned"]:
        cards["unscanned"] -= 1
        cards[outcome] += 1
    return outcome


def read_cards(play: Play, seat: int, rule: str, count: int | None = None) -> Steps:
    """Read ``count`` cards, or all a character has; returns what they show, read before or now.

    With the scanner of the box the answer is one word for all of them together.
    """
    if by_hand(play):
        infected = yield Ask("yes_no", "ask.infected", rule, {"seat": seat})
        cards = play.person(seat).contamination
        if infected and cards["unscanned"] and not cards["infected"]:
            cards["unscanned"] -= 1
            cards["infected"] += 1
        return ["infected" if infected else "clean"]
    shown: list[str] = []
    for kind in (yield from _which(play, seat, rule, count)):
        if kind == "unscanned":
            kind = yield from scan_card(play, seat, rule)
        shown.append(kind)
    if len(shown) > 1:
        for n, result in enumerate(shown, start=1):
            yield tell("card_scanned", f"{rule} BASE-214", seat=seat, n=n, result=result)
    return shown


def _which(play: Play, seat: int, rule: str, count: int | None) -> Steps:
    """Which of a character's cards are read: all, or some of them. Read ones come first."""
    held = play.person(seat).contamination
    total = cards_of(play, seat)
    if count is None or count >= total:
        rest = ["unscanned"] * (0 if count is None else count - total)
        return [k for k in ("infected", "clean", "unscanned") for _ in range(held[k])] + rest
    most = min(held["infected"], count)
    least = max(count - held["clean"] - held["unscanned"], 0)
    known = least
    if least < most:  # the players know which of their cards was red before
        known = yield from _number("ask.infected_before", rule, seat, least, most)
    chosen = ["infected"] * known
    others = ["clean"] * held["clean"] + ["unscanned"] * held["unscanned"]
    for _ in range(count - known):
        card = others[0]
        if len(set(others)) > 1:
            card = yield Draw(
                "draw", tuple(others), "contamination", Ask("choice", "ask.own_card", rule)
            )
        others.remove(card)
        chosen.append(card)
    return chosen


def _number(key: str, rule: str, seat: int, least: int, most: int) -> Steps:
    """A small number, from ``least`` to ``most``."""
    return (
        yield Ask(
            "choice",
            key,
            rule,
            {"seat": seat},
            options=tuple(Option(n, "ask.number", {"n": n}) for n in range(least, most + 1)),
        )
    )


# Scanning ---------------------------------------------------------------------------------------


@verb("scan", touches=("objects",), seat=SEAT, count=maybe(COUNT))
def scan(
    play: Play, seat: int, count: int | None = None, rule: str = "BASE-215", resting: bool = False
) -> Steps:
    """Scan Contamination cards; infected: a Larva, a second one kills (BASE-215, BASE-216).

    ``resting``: by Rest, in the Canteen or the Shower Room. Returns what the cards show.
    """
    count = yield from in_hand(play, seat, rule, count)
    shown = yield from read_cards(play, seat, rule, count)
    infected = "infected" in shown
    yield tell("scanned", f"{rule} BASE-216 FAQ-A56", seat=seat, infected=infected)
    if infected:
        yield from play.species.infected(play, seat, rule, resting=resting)
    return shown


@verb("rest", touches=("objects",), seat=SEAT, count=maybe(COUNT))
def rest(play: Play, seat: int, count: int | None = None) -> Steps:
    """Scan the Contamination cards of the hand; the clean ones leave the game (BASE-218)."""
    scans = yield from play.species.rests(play, seat, "BASE-218", count)
    if scans:
        yield from scan_hand(play, seat, "BASE-218", count)


def scan_hand(play: Play, seat: int, rule: str, count: int | None = None) -> Steps:
    """Scan the hand and remove the clean cards: Rest, the Canteen, the Shower Room.

    ``rule`` is that of the action. ``count``: how many cards the hand holds; asked when only the
    player knows. Infected: BASE-215.
    """
    count = yield from in_hand(play, seat, rule, count)
    shown = yield from scan(play, seat, count, f"{rule} BASE-215", resting=True)
    held = play.person(seat).contamination
    if by_hand(play):
        most = cards_of(play, seat) - shown.count("infected")
        removed = 0
        if most > 0:
            removed = yield from _number("ask.clean_removed", rule, seat, 0, most)
        take_away(play, seat, removed, ("clean", "unscanned", "infected"))
    else:
        removed = min(shown.count("clean"), held["clean"])
        take_away(play, seat, removed, ("clean",))
    yield tell("rested", f"{rule} BASE-217", seat=seat, n=removed)


def in_hand(play: Play, seat: int, rule: str, count: int | None) -> Steps:
    """How many Contamination cards are scanned from a hand: said, asked, or all there are."""
    most = cards_of(play, seat)
    person = play.person(seat)
    if count is not None or by_hand(play) or not most or person.hand is not None:
        return count
    return (yield from _number("ask.contamination_in_hand", rule, seat, 0, most))


def infection(play: Play, seat: int, rule: str) -> Steps:
    """An infected card: a Larva on the board; one there already: death and a Creeper."""
    carriers = yield Need(Carriers("larva", rule))
    if seat in carriers:
        room = play.person(seat).room
        yield from death(play, seat, rule)
        if room:
            yield from leave_creeper(play, room, f"{rule} BASE-222")
        return
    yield from larva_on_sheet(play, seat, rule)


# What takes cards away ------------------------------------------------------------------------


@verb("alcohol", touches=(), seat=SEAT)
def alcohol(play: Play, seat: int) -> Steps:
    """One card of the hand is scanned and leaves the game; infected: a new one (BASE-219)."""
    rule = "BASE-219 FAQ-A50"
    shown = yield from read_cards(play, seat, rule, 1)
    order = ("infected", "unscanned", "clean") if shown == ["infected"] else ("clean", "unscanned")
    take_away(play, seat, 1, order)
    yield tell("card_removed", f"{rule} BASE-217", seat=seat, result=shown[0])
    if shown == ["infected"]:
        yield from contaminate(play, seat, 1, rule)


@verb("antidote", touches=("objects",), seat=SEAT)
def antidote(play: Play, seat: int) -> Steps:
    """All own cards scanned; infected ones and the Larva go; one new card; pass (BASE-220)."""
    from companion.rules.rounds import pass_turn

    rule = "BASE-220 FAQ-A54"
    yield from remove_infected(play, seat, rule)
    yield from contaminate(play, seat, 1, rule)
    yield tell("reshuffled_own", rule, seat=seat)
    if not play.person(seat).passed:
        yield from pass_turn(play, seat)


def remove_infected(play: Play, seat: int, rule: str) -> Steps:
    """Scan every card of a character; the infected ones leave (Surgery, Antidote), and what else
    the species says."""
    held = play.person(seat).contamination
    if by_hand(play):
        removed = 0
        if most := cards_of(play, seat):
            removed = yield from _number("ask.infected_removed", rule, seat, 0, most)
        take_away(play, seat, removed, ("infected", "unscanned", "clean"))
        held["clean"] += held["unscanned"] + held["infected"]
        held["unscanned"] = held["infected"] = 0
    else:
        yield from read_cards(play, seat, rule)
        removed = held["infected"]
        take_away(play, seat, removed, ("infected",))
    yield tell("infected_removed", f"{rule} BASE-217", seat=seat, n=removed)
    yield from play.species.cleansed(play, seat, rule)


def remove_larva(play: Play, seat: int, rule: str) -> Steps:
    """The Larva on a character's board goes back to the supply."""
    carriers = yield Need(Carriers("larva", rule))
    for larva in play.state.pieces("larva", f"sheet:{seat}") if seat in carriers else []:
        play.put(larva, SUPPLY)
        yield tell("larva_off", rule, seat=seat, move=[(larva, f"sheet:{seat}", SUPPLY)])


def take_away(play: Play, seat: int, count: int, order: tuple[str, ...]) -> None:
    """So many cards leave the game; what they showed is kept for the odds of the others."""
    held, gone = play.person(seat).contamination, Counter(play.state.contamination_gone)
    for kind in order:
        taken = min(count, held[kind])
        held[kind] -= taken
        gone[kind] += taken
        count -= taken
    play.state.contamination_gone = {kind: n for kind, n in sorted(gone.items()) if n}


# Four cards of the own deck -------------------------------------------------------------------


def draw_four(play: Play, seat: int, rule: str) -> Steps:
    """Draw four cards of all the own ones, shuffled; the program draws. Returns their kinds."""
    person = play.person(seat)
    deck = ["action"] * person.deck
    deck += [k for k, n in sorted(person.contamination.items()) for _ in range(n)]
    drawn: list[str] = []
    for _ in range(min(DRAWN_AT_THE_CHECK, len(deck))):
        left = DRAWN_AT_THE_CHECK - len(drawn)
        card = deck[0]
        if left < len(deck):  # otherwise all that is left is drawn: no chance in it
            card = yield Draw(
                "draw", tuple(deck), "contamination", Ask("choice", "ask.own_card", rule)
            )
        deck.remove(card)
        drawn.append(card)
    return drawn
