"""Setup for one to five players: what lies where, what goes into the bag, who holds what."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.game import Ask, BadInput, Draw, Refused, Steps
from companion.game.procedure import options
from companion.game.state import (
    BAG,
    DECK,
    INTRUDER_BOARD,
    REMOVED,
    SUPPLY,
    label_of,
    room_zone,
)
from companion.library.model import FIRST_BOARD, OwnDeck
from companion.rules.facedown import deal, explorations, laid
from companion.rules.facts import TOPICS
from companion.rules.movement import unseen
from companion.rules.play import Play, tell
from companion.rules.seating import entries, take_seats
from companion.rules.tables import PRESETS, levels, places
from companion.rules.verbs import DATA, FLAG, maybe, verb, word

FLAGS = ("solo", "coop", "intruder_player")
MARKERS = ("fire", "malfunction", "noise", "door", "egg", "carcass", "corpse_blue", "corpse_red")


@verb(
    "setup",
    game=maybe(word()),
    board=maybe(word()),
    species=maybe(word()),
    mode=maybe(word()),
    players=DATA,
    preset=maybe(word(*PRESETS)),
    tracking=maybe(DATA),
    truth=maybe(DATA),
    switches=maybe(DATA),
    first_player=maybe(DATA),
    digital=maybe(FLAG),
    numbers=maybe(word("by_seat", "dealt")),
    draft=maybe(FLAG),
    flags=maybe(DATA),
    solo=maybe(FLAG),
    coop=maybe(FLAG),
    intruder_player=maybe(FLAG),
)
def setup(
    play: Play,
    players: Any,
    game: str = "nemesis",
    board: str = FIRST_BOARD,
    species: str = "intruders",
    mode: str = "standard",
    preset: str = "bag_and_board",
    tracking: Any = None,
    truth: Any = None,
    switches: Any = None,
    first_player: Any = None,
    digital: bool = False,
    numbers: str = "by_seat",
    draft: bool = False,
    flags: Any = None,
    solo: bool = False,
    coop: bool = False,
    intruder_player: bool = False,
) -> Steps:
    """Begin a game. ``players``: one ``{character, name, language, number}`` a seat, clockwise, or
    only the character's id. ``digital``: everything not stated otherwise is drawn by the box,
    but for what only the table can hold (`unread`).

    ``numbers = "dealt"``: the Help cards are dealt (BASE-57). ``draft``: who has no character is
    shown two and keeps one (BASE-59). ``flags`` lists ``solo``, ``coop``, ``intruder_player``;
    each may also be given by its own name. Refused: a game is set up already; somebody shall play
    aliens that no player can.
    """
    state = play.state
    if state.phase != "lobby":
        raise Refused("setup.running")
    check_choices(play, game, board, species, mode)
    state.game, state.board, state.species, state.mode = game, board, species, mode
    state.preset = preset
    state.tracking = {**levels(play, preset), **_words(tracking, "tracking", play)}
    state.sure = {*TOPICS} - {"objects"}  # what can be carried off is never known
    state.truth = places(play, digital) | dict.fromkeys(unread(play), "physical")
    state.truth |= _words(truth, "truth", play) | dict.fromkeys(unheld(play), "physical")
    state.switches = _words(switches, "switches", play)
    dealt = numbers == "dealt"
    people = entries(play, players, draft=draft, dealt=dealt)
    named = {"solo": solo, "coop": coop, "intruder_player": intruder_player}
    _flags(play, flags, named, len(people))
    state.seating = {"numbers": numbers, "characters": "draft" if draft else "chosen"}
    state.phase = "setup"
    place_board(play, len(people))
    yield from take_seats(play, people, dealt=dealt)
    state.first_player = _first(play, first_player)
    yield from _told(play)
    yield from fill_bag(play)
    yield from deal(play)
    if covered := play.species.covered(play):
        state.own["covered"] = covered
    yield from play.species.prepare(play)
    yield from deal_objectives(play)
    state.phase = "player"
    state.round = 1
    state.turn = state.first_player
    yield tell("ready", "BASE-67", n=len(state.seats))


def unread(play: Play) -> list[str]:
    """Components that stay on the table unless setup says otherwise of them: Items, which nobody
    draws from the box (BASE-55), and decks with a card whose text is not known.
    """
    content = play.content
    found = ["items", *unheld(play)]
    for component in play.species.truth:
        if any(content.own_cards[card].unknown for card in _deck(play, component).known):
            found.append(component)
    if any(content.weaknesses[card].unknown for card in play.aliens.weaknesses):
        found.append("weaknesses")
    return found


def unheld(play: Play) -> list[str]:
    """Decks that only the table can hold, whatever setup says: content does not know every card."""
    species = play.aliens
    decks = {component: _deck(play, component) for component in play.species.truth}
    found = [component for component, deck in decks.items() if len(deck.known) < deck.cards]
    return found + ["weaknesses"] * (len(species.weaknesses) < species.weakness_cards)


def _deck(play: Play, component: str) -> OwnDeck:
    """The deck of a species' component, which bears its name or that of its cards."""
    return play.aliens.decks[component.removesuffix("s")]


def check_choices(play: Play, game: str, board: str, species: str, mode: str) -> None:
    """Refuse what this version cannot play yet, in words."""
    from companion.rules.species import strategy

    if game not in play.content.games:
        raise BadInput("game", "setup.unknown", {"value": game})
    if board not in play.content.boards:
        raise BadInput("board", "setup.unknown", {"value": board})
    if mode != "standard":
        raise BadInput("mode", "setup.unknown", {"value": mode})
    try:
        strategy(species)
    except KeyError:
        raise BadInput("species", "setup.unknown", {"value": species}) from None


def _words(given: Any, field: str, play: Play) -> dict[str, str]:
    if given is None:
        return {}
    kinds: dict[str, Mapping[str, tuple[str, ...]]] = {
        "tracking": dict.fromkeys(levels(play, "everything"), ("tracked", "asked", "told")),
        "truth": dict.fromkeys(places(play), ("digital", "physical")),
        "switches": {name: s.values for name, s in play.content.switches.items()},
    }
    allowed = kinds[field]
    if not isinstance(given, Mapping):
        raise BadInput(field, "command.table")
    for name, value in given.items():
        if name not in allowed:
            raise BadInput(f"{field}.{name}", "setup.unknown", {"value": str(name)[:40]})
        if value not in allowed[name]:
            raise BadInput(f"{field}.{name}", "setup.unknown", {"value": str(value)[:40]})
    return {str(k): str(v) for k, v in given.items()}


def _flags(play: Play, given: Any, named: Mapping[str, bool], players: int) -> None:
    """How the group plays: alone, all together, with a player for the Intruders (BASE-63 on)."""
    listed = [] if given is None else given
    if not isinstance(listed, (list, tuple)):
        raise BadInput("flags", "command.table")
    for flag in listed:
        if flag not in FLAGS:
            raise BadInput("flags", "setup.unknown", {"value": str(flag)[:40]})
    wanted = {flag for flag in FLAGS if named[flag] or flag in listed}
    if "solo" in wanted and players > 1:
        raise BadInput("solo", "setup.solo_alone")
    for flag in ("coop", "intruder_player"):
        if flag in wanted and players == 1:
            raise BadInput(flag, "setup.together")
    if "intruder_player" in wanted and not play.species.by_player:
        raise Refused("setup.no_intruder_player", {"species": play.state.species}, rule="BASE-66")
    play.state.coop = "coop" in wanted
    play.state.intruder_player = "intruder_player" in wanted


def _first(play: Play, given: Any) -> int:
    """The holder of the First Player token: player number 1 unless said otherwise (BASE-61)."""
    if given is not None:
        if given not in play.state.seats:
            raise BadInput("first_player", "command.unknown_seat", {"value": str(given)[:20]})
        return int(given)
    return next(p.seat for p in play.state.seats.values() if p.number == 1)


def place_board(play: Play, players: int) -> None:
    """Give every piece of the box its identity and its first place."""
    state, content, game = play.state, play.content, play.game
    alone_or_together = players == 1 or state.coop
    where = state.where
    for kind in MARKERS:
        for n in range(1, game.limits[kind] + 1):
            where[f"{kind}#{n}"] = SUPPLY
    species = content.species[state.species]
    for creature in species.creatures.values():
        for token in token_identities(creature.id, creature.values):
            where[f"token:{token}"] = SUPPLY
        for n in range(1, creature.miniatures + 1):
            where[f"{creature.id}#{n}"] = SUPPLY
    for card in species.events:
        where[f"event:{card}"] = DECK
    for card in species.attacks:
        where[f"attack:{card}"] = DECK
    for deck, held in species.decks.items():
        for card in held.known:
            where[f"{deck}:{card}"] = DECK
    for token in explorations(play):
        where[f"exploration:{token}"] = DECK
    for kind, count in game.wounds.items():
        for n in range(1, count + 1):
            where[f"wound:{kind}#{n}"] = DECK
    for objective in content.objectives.values():
        if objective.deck != "solo_coop" or alone_or_together:
            where[f"objective:{objective.id}"] = DECK
    for n in range(1, play.species.eggs(play) + 1):
        where[f"egg#{n}"] = INTRUDER_BOARD
    where.update(play.species.components(play))
    where["corpse_blue#1"] = room_zone(play.board.start_room)
    state.explored = {r for r, room in play.board.rooms.items() if room.kind == "special"}
    state.time = game.time_start
    state.destination = "B"


def token_identities(kind: str, values: tuple[int | None, ...]) -> list[str]:
    """``blank``; ``adult/3#1``, ``adult/3#2``, … counted within equal numbers."""
    if values == (None,):
        return [kind]
    counted: dict[str, int] = {}
    found = []
    for value in values:
        label = kind if value is None else f"{kind}/{value}"
        counted[label] = counted.get(label, 0) + 1
        found.append(f"{label}#{counted[label]}")
    return found


def _told(play: Play) -> Steps:
    """The steps of setup that hands do, with their amounts (BASE-48 to BASE-62)."""
    state, game = play.state, play.game
    players = len(state.seats)
    kinds = [r.kind for r in play.board.rooms.values()]
    yield tell("setup_tiles", "BASE-48 BASE-29", first=kinds.count("1"), second=kinds.count("2"))
    for room, printed in sorted(play.board.rooms.items()):
        if printed.kind == "fixed_tile":
            yield tell("setup_face_up", "BASE-380", room=room, tile=printed.fixed)
    yield tell("setup_exploration", "BASE-49", n=laid(play))
    yield tell("setup_coordinates", "BASE-50", place=state.destination)
    yield from _pods(play, game.pods_by_players[players])
    yield tell("setup_engines", "BASE-52")
    yield tell("setup_eggs", "BASE-53", n=play.species.eggs(play))
    yield tell("setup_decks", "BASE-55")
    yield tell("setup_time", "BASE-56", time=state.time)
    yield tell("setup_numbers", "BASE-57", n=players)
    if state.seating.get("characters") != "draft":
        yield tell("setup_draft", "BASE-59")
    yield tell("setup_characters", "BASE-60", room=play.board.start_room)
    yield tell("first_player", "BASE-61", seat=state.first_player)
    yield tell("setup_corpse", "BASE-62", room=play.board.start_room)


def _pods(play: Play, count: int) -> Steps:
    """Random Pods, the lowest to section A, alternating; all locked (BASE-51)."""
    state = play.state
    rest = [f"pod_{n}" for n in range(1, 5)]
    for pod in rest:
        state.where[pod] = REMOVED
    chosen: list[str] = []
    for _ in range(count):
        pod = yield Draw(
            "pod",
            tuple(rest),
            "pods",
            Ask(
                "card",
                "ask.pod",
                "BASE-51",
                options=options(rest, "ask.pod_token", "pod"),
                by_hand=False,
            ),
        )
        rest.remove(pod)
        chosen.append(pod)
    for place, pod in enumerate(sorted(chosen)):
        state.where[pod] = f"section:{'ab'[place % 2]}"
    state.locked = set(chosen)
    yield tell("setup_pods", "BASE-51", n=count, pods=sorted(chosen))


def fill_bag(play: Play) -> Steps:
    """The starting bag; which Adults is chance, every number equally likely (BASE-54, FAQ-A1)."""
    amounts: dict[str, int] = {}
    for kind, count in play.species.starting_bag(play).items():
        for _ in range(count):
            pool = play.draw_pool(kind)
            labels = {label_of(t) for t in pool}
            token = pool[0]
            if len(labels) > 1:
                token = yield unseen("setup_bag", pool)
            play.put_token(token, BAG)
        if count:
            amounts[kind] = count
    yield tell(
        "setup_bag", f"{play.cite('BASE-54')} FAQ-A1", n=sum(amounts.values()), tokens=amounts
    )


def deal_objectives(play: Play) -> Steps:
    """Objectives: one personal and one corporate each, secret (BASE-58); alone two of the solo
    and cooperative deck (BASE-63); all together one of it each, open to everybody (BASE-65).
    """
    state = play.state
    players = len(state.seats)
    decks: tuple[str, ...] = ("personal", "corporate")
    rule = "BASE-58"
    if state.coop:
        decks, rule = ("solo_coop",), "BASE-65"
    elif players == 1:
        decks, rule = ("solo_coop", "solo_coop"), "BASE-63"
    told = "setup_objectives_open" if state.coop else "setup_objectives"
    if state.truth["objectives"] == "physical":
        yield tell(told, rule, n=players)
        return
    for person in play.order():
        for deck in decks:
            pool = [
                o
                for o in state.cards("objective", DECK)
                if play.content.objectives[o].deck == deck
                and play.content.objectives[o].min_players <= players
            ]
            dealt = yield Draw("objective", tuple(pool), "objectives", Ask("card", "", rule))
            play.put(f"objective:{dealt}", f"held:{person.seat}")
            person.objectives.append(dealt)
        if state.coop:
            person.kept = dealt
            yield tell("objective_open", rule, seat=person.seat, objective=dealt)
            continue
        yield tell(
            "objectives_dealt",
            rule,
            to=(person.seat,),
            seat=person.seat,
            objectives=list(person.objectives),
        )
    yield tell(told, rule, n=players)
