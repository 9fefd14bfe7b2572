"""What the Event cards of the base deck do, by the effect names of the content."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from companion.game import Ask, Need, Steps
from companion.game.procedure import options
from companion.game.state import (
    ABOARD,
    INTRUDER_BOARD,
    LAUNCHED,
    POD_WAITING,
    REMOVED,
    SUPPLY,
    kind_of,
)
from companion.library.model import EventCard
from companion.rules.contamination import by_hand, draw_four, scan_card
from companion.rules.ending import nobody_left
from companion.rules.facts import (
    Carriers,
    Characters,
    Doors,
    Explored,
    Intruders,
    Marked,
    NoActionCards,
    Noise,
    Slimed,
)
from companion.rules.facts.people import which_of
from companion.rules.markers import (
    nest_if_empty,
    noise_around,
    open_door,
    place_fire,
    place_malfunction,
    place_noise,
)
from companion.rules.movement import back_to_bag, step_through, token_to_bag
from companion.rules.play import Play, tell
from companion.rules.wounds import death, larva_on_sheet, leave_creeper

Effect = Callable[[Play, EventCard], Steps]


def fire_reaches(play: Play, rooms: Iterable[str]) -> list[str]:
    """Neighbours of burning rooms that fire can reach: not through closed doors (BASE-132)."""
    reached = {
        corridor.other(room)
        for room in rooms
        for corridor in play.board.corridors_of(room)
        if play.door(corridor.id) != "closed"
    }
    return sorted(reached)


def spread(play: Play, burning: list[str], rule: str) -> Steps:
    """Fire into the neighbours of the rooms that burned when the effect began (BASE-133)."""
    yield Need(Doors(rule))
    for room in fire_reaches(play, burning):
        if room not in burning:
            yield from place_fire(play, room, f"{rule} BASE-132 BASE-133")


def damaging_fire(play: Play, card: EventCard) -> Steps:
    """Malfunction in every burning room, then fire next to them (BASE-302)."""
    burning = yield Need(Marked("fire", card.rule))
    yield Need(Explored(card.rule))
    for room in burning:
        yield from place_malfunction(play, room, card.rule)
    yield from spread(play, burning, card.rule)


def regeneration(play: Play, card: EventCard) -> Steps:
    """Every intruder on the board loses two injuries (BASE-303)."""
    yield Need(Intruders(card.rule))
    for mini in play.intruders():
        before = play.state.injuries.get(mini, 0)
        if before:
            left = max(before - 2, 0)
            if left:
                play.state.injuries[mini] = left
            else:
                play.state.injuries.pop(mini)
            yield tell("healed", card.rule, piece=mini, count=before - left)


def scent_of_prey(play: Play, card: EventCard) -> Steps:
    """Noise in each empty corridor of rooms with a slimed character (BASE-304)."""
    yield Need(Characters(card.rule))
    for person in play.aboard():
        slimed = yield Need(Slimed(person.seat, card.rule))
        if slimed and person.room:
            yield from noise_around(play, person.room, f"{card.rule} BASE-35")


def flammable_compounds(play: Play, card: EventCard) -> Steps:
    """Fire in the Hibernatorium; burning already: in its neighbours (BASE-305)."""
    room = play.board.start_room
    burning = yield Need(Marked("fire", card.rule))
    if room in burning:
        yield from spread(play, [room], card.rule)
    else:
        yield from place_fire(play, room, card.rule)


def bulkheads_open(play: Play, card: EventCard) -> Steps:
    """All doors open; destroyed ones stay destroyed (BASE-306, BASE-43)."""
    yield Need(Doors(card.rule))
    for corridor in sorted(play.board.corridors):
        yield from open_door(play, corridor, f"{card.rule} BASE-43")


def hunt(play: Play, card: EventCard) -> Steps:
    """Each Adult not in Combat goes to a neighbouring character (BASE-307, BASE-308).

    A card may name other ``hunters``.
    """
    yield Need(Characters(card.rule))
    yield Need(Intruders(card.rule))
    hunters = str(card.params.get("hunters", "adult")).split()
    minis = [m for m in play.intruders() if kind_of(m) in hunters]
    yield from seek(play, minis, [r for r in play.board.rooms if play.people_in(r)], card.rule)


def seek(play: Play, minis: Iterable[str], goals: Iterable[str], rule: str) -> Steps:
    """Those not in Combat go to a neighbouring room among ``goals``, the lowest number."""
    groups: dict[tuple[str, str], list[str]] = {}
    for mini in minis:
        room = play.room_of(mini)
        if room is None or play.fighting(mini):
            continue
        near = [n for n in play.board.neighbours(room) if n in goals]
        if near:
            groups.setdefault((room, near[0]), []).append(mini)
    for (room, target), group in sorted(groups.items()):
        ways = play.board.between(room, target)
        open_ways = [c for c in ways if play.door(c.id) != "closed"] or list(ways)
        yield from step_through(play, group, room, open_ways[0].id, rule)


def eclosion(play: Play, card: EventCard) -> Steps:
    """Carriers of a Larva die, a Creeper stays; then everyone draws four and scans (BASE-309)."""
    carriers = yield Need(Carriers("larva", card.rule))
    died: list[int] = []
    for person in play.playing():
        if person.seat in carriers:
            room = person.room
            died.append(person.seat)
            yield from death(play, person.seat, card.rule)
            if room:
                yield from leave_creeper(play, room, f"{card.rule} BASE-222")
    people = play.playing()
    found: list[int] = []
    if by_hand(play) and people:
        found = yield which_of(people, "ask.four_cards_infected", card.rule)
    for person in people:
        infected = person.seat in found or (yield from four_cards(play, person.seat, card.rule))
        yield tell("four_drawn", card.rule, seat=person.seat, infected=infected)
        if infected:
            yield from larva_on_sheet(play, person.seat, f"{card.rule} BASE-215")


def four_cards(play: Play, seat: int, rule: str) -> Steps:
    """Four cards of the own deck, the Contamination among them scanned: True when infected."""
    if by_hand(play):
        return False  # the table has said who
    drawn = yield from draw_four(play, seat, rule)
    infected = "infected" in drawn
    for _ in range(drawn.count("unscanned")):
        infected |= (yield from scan_card(play, seat, rule)) == "infected"
    return infected


def coolant_leak(play: Play, card: EventCard) -> Steps:
    """Generator with a malfunction: self-destruct starts, sleepers or not (BASE-310, BASE-311)."""
    yield Need(Explored(card.rule))
    failing = yield Need(Marked("malfunction", card.rule))
    if play.state.self_destruct is not None:
        yield tell("self_destruct_runs", f"{card.rule} BASE-311")
    elif play.room_tile("generator") in failing:
        from companion.rules.phase import start_self_destruct

        yield from start_self_destruct(play, f"{card.rule} FAQ-A34")
    else:
        yield tell("nothing_happens", card.rule)


def nest(play: Play, card: EventCard) -> Steps:
    """Explored Nest: noise in each of its empty corridors (BASE-312)."""
    yield Need(Explored(card.rule))
    room = play.room_tile("nest")
    if room is None:
        yield tell("nothing_happens", card.rule)
        return
    yield from noise_around(play, room, f"{card.rule} BASE-35")


def fail_rooms(play: Play, card: EventCard, rooms: Iterable[str]) -> Steps:
    """A malfunction in each of these rooms."""
    anywhere = False
    for room in rooms:
        anywhere = True
        yield from place_malfunction(play, room, f"{card.rule} FAQ-A38")
    if not anywhere:
        yield tell("nothing_happens", card.rule)


def short_circuit(play: Play, card: EventCard) -> Steps:
    """Malfunction in every explored yellow room with a computer (BASE-313)."""
    yield Need(Explored(card.rule))
    yield from fail_rooms(play, card, coloured(play, "yellow", computer=True))


def life_support_failure(play: Play, card: EventCard) -> Steps:
    """Malfunction in every explored green room (BASE-323)."""
    yield Need(Explored(card.rule))
    yield from fail_rooms(play, card, coloured(play, "green"))


def coloured(play: Play, colour: str, *, computer: bool = False) -> list[str]:
    """Explored rooms of a colour, with a computer only if asked for, by number."""
    found = []
    for room in play.explored_rooms():
        tile = play.content.tiles.get(play.tile(room) or "")
        if tile and tile.colour == colour and (tile.computer or not computer):
            found.append(room)
    return found


def damage(play: Play, card: EventCard) -> Steps:
    """Malfunction in every room with an Adult, Breeder or Queen (BASE-314)."""
    yield Need(Intruders(card.rule))
    yield Need(Explored(card.rule))
    big = {play.room_of(m) for m in play.intruders() if kind_of(m) in ("adult", "breeder", "queen")}
    yield from fail_rooms(play, card, sorted(r for r in big if r))


def egg_protection(play: Play, card: EventCard) -> Steps:
    """An Encounter for each character in the Nest or carrying an Egg, in order (BASE-315)."""
    yield Need(Characters(card.rule))
    yield Need(Explored(card.rule))
    carriers = yield Need(Carriers("egg", card.rule))
    den = play.room_tile("nest")
    chosen = [p for p in play.playing() if p.seat in carriers or (den and p.room == den)]
    if not chosen:
        yield tell("nothing_happens", card.rule)
    for person in chosen:
        yield tell("eggs_protected", card.rule, seat=person.seat)
        play.due("encounter", seat=person.seat)


def consuming_fire(play: Play, card: EventCard) -> Steps:
    """Item counters of burning rooms to zero, then fire in all neighbours (BASE-316)."""
    burning = yield Need(Marked("fire", card.rule))
    for room in burning:
        if room in play.state.items:
            play.state.items[room] = 0
        yield tell("items_lost", card.rule, room=room)
    yield from spread(play, burning, card.rule)


def malfunction(play: Play, card: EventCard) -> Steps:
    """Malfunction in the explored room with the lowest number (BASE-317, BASE-318)."""
    yield Need(Explored(card.rule))
    failing = yield Need(Marked("malfunction", card.rule))
    from companion.rules.markers import may_fail

    rooms = play.explored_rooms()
    free = [r for r in rooms if may_fail(play, r) and r not in failing]
    rule = card.rule if free[:1] == rooms[:1] else f"{card.rule} BASE-318"
    if "001" not in rooms:
        rule += " BASE-385"
    if play.switch("malfunction_next_lowest") == "yes":
        rooms = free
    if rooms:
        yield from place_malfunction(play, rooms[0], rule)
    else:
        yield tell("nothing_happens", rule)


def lurking(play: Play, card: EventCard) -> Steps:
    """Intruders without a character in their room leave, a token each into the bag (BASE-319).

    A card may name a kind that it ``spares``.
    """
    yield Need(Characters(card.rule))
    yield Need(Intruders(card.rule))
    for mini in play.intruders():
        if not play.fighting(mini) and kind_of(mini) != card.params.get("spares"):
            yield from back_to_bag(play, mini, card.rule)


def evacuation_pod_ejection(play: Play, card: EventCard) -> Steps:
    """The Pod with the lowest number leaves the game (BASE-320).

    A card may name the ``highest`` number instead, or a ``switch`` that says which; and one
    ``section``.
    """
    where, section = play.state.where, str(card.params.get("section", ""))
    pods = [p for p in sorted(where) if p.startswith("pod_") and where[p].startswith("section:")]
    pods = [p for p in pods if where[p].endswith(section)]
    if not pods:
        yield tell("nothing_happens", card.rule)
        return
    switch = card.params.get("switch")
    which = play.switch(switch) if switch else card.params.get("pod")
    pod = pods[-1 if which == "highest" else 0]
    zone = where[pod]
    launched = play.switch("pod_ejection") == "launch"
    play.put(pod, REMOVED)
    yield tell("pod_gone", card.rule, pod=pod, launched=launched, move=[(pod, zone, REMOVED)])
    for person in play.order():
        if person.state == POD_WAITING and person.pod == pod:
            person.state = LAUNCHED if launched else ABOARD
            person.room = None if launched else person.room
            person.pod = None
            yield tell("pod_people", card.rule, seat=person.seat, launched=launched)
    yield from nobody_left(play)


def hatching(play: Play, card: EventCard) -> Steps:
    """An Egg off the board; empty-handed people in the Nest get a Larva, or a token goes in."""
    eggs = play.state.pieces("egg", INTRUDER_BOARD)
    if eggs:
        carried = any(play.state.pieces("egg", f"held:{s}") for s in play.state.seats)
        rule = f"{card.rule} BASE-301" if carried else card.rule
        play.put(eggs[-1], SUPPLY)
        yield tell("egg_hatches", rule, n=len(eggs) - 1, move=[("egg", INTRUDER_BOARD, SUPPLY)])
        yield from nest_if_empty(play)
    yield Need(Characters(card.rule))
    yield Need(Explored(card.rule))
    den = play.room_tile("nest")
    there = play.people_in(den) if den else []
    hit: list[int] = []
    if there:
        hit = yield Need(NoActionCards(tuple(p.seat for p in there), card.rule))
    for seat in hit:
        carriers = yield Need(Carriers("larva", f"{card.rule} BASE-322"))
        if seat not in carriers:
            yield from larva_on_sheet(play, seat, card.rule)
        elif play.switch("second_larva_event") == "death as by scan":
            yield from death(play, seat, f"{card.rule} BASE-322")
            yield from leave_creeper(play, den or "", f"{card.rule} BASE-322")
        else:
            yield tell("larva_already", f"{card.rule} BASE-322", seat=seat)
    if not hit:
        yield from token_to_bag(play, "larva", card.rule)


def noise_in_technical_corridors(play: Play, card: EventCard) -> Steps:
    """Noise on the technical space; there already: who stands at an entrance rolls (BASE-324)."""
    noisy = yield Need(Noise(card.rule))
    networks = sorted(play.board.spaces)
    both = " BASE-384" if len(networks) > 1 else ""
    reading = play.switch("technical_noise_networks") if both else "each"
    marked = [n for n in networks if n not in noisy]
    rolls = [n for n in networks if n in noisy]
    if reading == "ask":
        chosen = yield Ask(
            "place",
            "ask.technical_networks",
            "BASE-384",
            options=options(networks, "ask.corridor", "space"),
            prefill=networks,
            multiple=True,
        )
        marked, rolls = ([n for n in found if n in chosen] for found in (marked, rolls))
    elif reading == "both get a marker":
        rolls = []
    rolling: set[int] = set()
    for network in marked:
        yield from place_noise(play, network, f"{card.rule}{both}")
    if rolls:
        yield Need(Characters(card.rule))
    for network in rolls:
        near = play.board.entrances(network)
        rolling |= {p.seat for p in play.playing() if p.room in near}
    if both and not marked and not rolling:
        yield tell("nothing_happens", f"{card.rule}{both}")
    for person in play.playing():
        if person.seat in rolling:
            yield tell("must_roll", f"{card.rule}{both}", seat=person.seat)
            play.due("noise_roll", seat=person.seat)


def none(play: Play, card: EventCard) -> Steps:
    """A card whose text the table does by itself."""
    yield tell("card_by_table", card.rule, card=card.id, deck="event")


EFFECTS: dict[str, Effect] = {
    "damaging_fire": damaging_fire,
    "regeneration": regeneration,
    "scent_of_prey": scent_of_prey,
    "flammable_compounds": flammable_compounds,
    "bulkheads_open": bulkheads_open,
    "hunt": hunt,
    "eclosion": eclosion,
    "coolant_leak": coolant_leak,
    "nest": nest,
    "short_circuit": short_circuit,
    "damage": damage,
    "egg_protection": egg_protection,
    "consuming_fire": consuming_fire,
    "malfunction": malfunction,
    "lurking": lurking,
    "evacuation_pod_ejection": evacuation_pod_ejection,
    "hatching": hatching,
    "life_support_failure": life_support_failure,
    "noise_in_technical_corridors": noise_in_technical_corridors,
    "none": none,
}
