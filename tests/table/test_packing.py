"""A game packed for a week: the list of every piece, ticked by bundle, line or camera."""

from __future__ import annotations

import contextlib
from collections import Counter
from typing import Any

import pytest

from companion.bench.play import Player
from companion.game import BadInput, Chance, Refused
from companion.game.state import kind_of
from companion.library import load_content
from companion.locale import words
from companion.rules import Play
from companion.rules.packing import GROUPS, rebuild
from companion.scenario.given import apply_given
from companion.table import views
from companion.table.journal import MemoryJournal
from companion.table.ledger import OPEN
from companion.table.session import Session
from companion.table.story import story
from companion.table.table import Table
from tests.table.people import begun, deck
from web.packing import packed
from web.present import page

CONTENT = load_content()


def game(**setup: Any) -> Table:
    deal = [
        c
        for p in zip(deck(CONTENT, "personal", 2), deck(CONTENT, "corporate", 2), strict=False)
        for c in p
    ]
    return begun(CONTENT, deal, ["captain", "scout"], **setup)


def test_unpacking_changes_nothing_and_lists_every_open_piece() -> None:
    table = game()
    for corridor in sorted(CONTENT.boards["nemesis/basic"].corridors)[:6]:
        table.command({"do": "door", "corridor": corridor, "state": "closed"})
        table.command({"do": "place", "piece": "noise", "to": corridor})
    before = table.state.digest()
    table.command({"do": "unpack"})
    assert table.state.digest() == before
    found = views.view(table, "table")["instructions"]
    assert {i["group"] for i in found} <= set(GROUPS)
    assert sum(i["kind"] == "noise" for i in found) == 6
    assert sum(i["kind"] == "door" for i in found) == 6
    assert {"captain", "scout"} <= {i["piece"] for i in found}
    assert all(i["from"] == "box" for i in found)


def test_the_list_is_ticked_by_bundle_and_by_line_and_survives_a_restart() -> None:
    table = game()
    table.command({"do": "unpack"})
    first = table.ledger.open()[0]
    table.command({"do": "tick", "batch": first["batch"], "group": "figures"})
    assert "figures" not in {i["group"] for i in table.ledger.open()}
    left = len(table.ledger.open())
    table.command({"do": "tick", "instruction": first["id"]})
    assert len(table.ledger.open()) == left - 1
    again = Table(CONTENT, table.journal, table.source)
    assert again.ledger.open() == table.ledger.open()


def test_a_long_list_loses_no_line_to_later_moves() -> None:
    table = game()
    table.command({"do": "unpack"})
    listed = [i["id"] for i in table.ledger.open()]
    moves = [
        {"piece": f"adult#{n}", "from": "room:006", "to": "room:007", "via": None}
        for n in range(60)
    ]
    event = {"to": "public", "rule": "", "type": "x", "instructions": moves}
    table.ledger.instruct(999, 999, "next", [event])
    held = [i["id"] for i in table.ledger.open()]
    assert set(listed) <= set(held)
    assert len(held) == len(listed) + OPEN


def place(table: Table, piece: str) -> dict[str, str] | None:
    """The open line of a piece."""
    return next((i for i in table.ledger.open() if i["piece"] == piece), None)


def test_an_undo_changes_the_list_that_is_still_open() -> None:
    table = game()
    table.command({"do": "place", "piece": "fire", "to": "006"})
    table.command({"do": "door", "corridor": "006-011", "state": "closed"})
    [door] = table.state.in_zone("corridor:006-011")
    table.command({"do": "place", "piece": "captain", "to": "006"})
    table.command({"do": "unpack"})
    assert place(table, "captain")["to"] == "006"
    table.command({"do": "undo"})
    assert (place(table, "captain")["from"], place(table, "captain")["to"]) == ("box", "011")
    assert place(table, "captain")["group"] == "figures"
    assert place(table, door)
    table.command({"do": "undo"})
    assert place(table, door) is None, "not laid out yet: its line goes"
    [fire] = [i for i in table.ledger.open() if i["kind"] == "fire"]
    table.command({"do": "tick", "instruction": fire["id"]})
    table.command({"do": "undo"})
    back = place(table, fire["piece"])
    assert (back["from"], back["to"]) == ("006", "box"), "it lies there: hands take it off"
    again = Table(CONTENT, table.journal, table.source)
    assert again.ledger.open() == table.ledger.open()


def test_an_undo_brings_back_what_was_gone_when_the_game_was_packed() -> None:
    table = game()
    table.command({"do": "place", "piece": "noise", "to": "006-011"})
    table.command({"do": "remove", "piece": "noise", "at": "006-011"})
    table.command({"do": "unpack"})
    assert not any(i["kind"] == "noise" for i in table.ledger.open())
    table.command({"do": "undo"})
    [noise] = [i for i in table.ledger.open() if i["kind"] == "noise"]
    assert (noise["from"], noise["to"], noise["group"]) == ("box", "006-011", "markers")


def test_a_game_is_resumed_until_somebody_plays_on() -> None:
    table = game()
    assert not Session(Table(CONTENT, MemoryJournal({"game": "g"}), table.source)).resumed
    session = Session(Table(CONTENT, table.journal, table.source))
    assert session.resumed
    session.submit({"do": "unpack"})
    session.submit({"do": "tick", "instruction": "all"})
    assert session.resumed
    session.submit({"do": "first_player", "seat": 2})
    assert not session.resumed


def test_equal_counters_stand_in_the_list_once_each_and_pods_with_their_locks() -> None:
    table = game(preset="everything")
    for room in ("006", "008"):
        tile = "canteen" if room == "006" else "cabins"
        table.command({"do": "reveal", "room": room, "tile": tile, "token": "silence"})
        table.command({"do": "items", "room": room, "count": 3})
    for seat in (1, 2):
        table.command({"do": "wound", "seat": seat})
    [first, second] = views.view(table, "table")["pods"]
    table.command({"do": "pod", "action": "unlock", "pod": first["id"]})
    table.command({"do": "unpack"})
    view = views.view(table, "table")
    found = view["instructions"]
    assert [i["to"] for i in found if i["kind"] == "items:3"] == ["006", "008"]
    assert [i["to"] for i in found if i["kind"] == "light:1"] == ["1", "2"]
    lines = {i["piece"]: i["to"] for i in found}
    assert lines[f"unlocked:{first['id']}"] == first["section"]
    assert lines[f"locked:{second['id']}"] == second["section"]
    assert lines["first_player"] == "1"
    table.command({"do": "pod", "action": "unlock", "pod": second["id"]})
    sheets = packed(story(table.journal.rows()), views.view(table, "table"), CONTENT, "en")
    assert "First Player token" in sheets["people"][0]["lines"]
    assert "First Player token" not in sheets["people"][1]["lines"]
    assert [line for line in sheets["tracks"] if "unlocked" in line and "Section" in line][1:]


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"check": "a step nobody has"}, "command.unknown_check"),
        ({"check": "own_5"}, "command.unknown_check"),
        ({"batch": 999}, "command.unknown_instruction"),
        ({"batch": "all"}, "command.unknown_instruction"),
        ({"batch": 2, "group": "nothing"}, "command.unknown_word"),
    ],
)
def test_what_is_not_there_is_not_ticked(wrong: dict[str, Any], code: str) -> None:
    table = game()
    table.command({"do": "unpack"})
    rows, open_lines = table.seq, table.ledger.open()
    with pytest.raises(BadInput) as problem:
        table.command({"do": "tick", **wrong})
    assert problem.value.code == code
    assert (table.seq, table.ledger.open(), table.ledger.checked) == (rows, open_lines, set())


def test_a_bundle_that_two_phones_tick_at_once_is_done_for_both() -> None:
    table = game()
    table.command({"do": "tick", "check": "markers"})
    table.command({"do": "unpack"})
    batch = table.ledger.open()[0]["batch"]
    again = Table(CONTENT, table.journal, table.source)  # also after a restart in between
    for _ in range(2):
        again.command({"do": "tick", "batch": batch})
    assert again.ledger.open() == []


COVERED = (
    *("tiles", "exploration", "engines", "coordinates", "weaknesses"),
    *("bag", "event", "attack"),
)


@pytest.mark.parametrize("digital", [False, True])
@pytest.mark.parametrize("language", ["en", "it", "fr"])
def test_what_is_packed_unseen_comes_back_by_name_and_place(digital: bool, language: str) -> None:
    table = game(truth=dict.fromkeys(COVERED, "digital" if digital else "physical"))
    view = views.view(table, "table")
    sheets = packed(story(table.journal.rows()), view, CONTENT, language)
    table.command({"do": "unpack"})
    view = views.view(table, "table")
    lines = [i for i in page(view, CONTENT, language)["instructions"] if i["group"] == "unseen"]
    assert len(lines) == len(sheets["steps"]) == (2 if digital else 10)
    for line in lines:
        assert "_" not in line["piece"] + line["to_label"]
        assert not (line["piece"] + line["to_label"]).startswith(("pack.", "unseen"))
    if not digital:
        places = {
            i["piece"].split(":")[1]: i["to"]
            for i in view["instructions"]
            if i["piece"].startswith("unseen:")
        }
        assert places["tiles"] == "unexplored"
        assert places["weaknesses"] == "intruder_board"
    assert place(table, "unseen:own")["from"] == "box"
    table.command({"do": "tick", "batch": lines[0]["batch"], "group": "unseen"})
    assert place(table, "unseen:own") is None


#: Which lines of the list name a component of the box, by the game's own list of them. What is in
#: the list once for each piece that lies open counts; stacks and envelopes stand for all in them.
NAMED = {
    **{k: {k} for k in ("fire", "malfunction", "noise", "carcass", "corpse_red", "corpse_blue")},
    "door": {"door", "destroyed"},
    "egg": {"eggs", "egg"},
    "status": {"time", "self_destruct", "destination", "signal"},
    "ammo": {"light", "injuries"},
    "engine": {"unseen:engines"},
    "pod": {"locked", "unlocked"},
    "exploration": {"unseen:exploration"},
    "event": {"unseen:event"},
    "attack": {"unseen:attack"},
    "weakness": {"unseen:weaknesses", "open"},
    "coordinates": {"unseen:coordinates"},
    **{k: {"unseen:own"} for k in ("action", "personal", "corporate", "solo_coop")},
    **{f"item_{k}": {"unseen:decks"} for k in ("red", "yellow", "green", "crafted")},
    **{k: {"unseen:decks", "unseen:own"} for k in ("contamination", "wound")},
    "panic": {"unseen:panic"},
    "mutation": {"unseen:mutations", "mutation_card"},
}
#: What only these aliens bring: what is given, and how many lines of a kind follow from it.
BROUGHT: dict[str, tuple[dict[str, Any], dict[str, Any], dict[str, int]]] = {
    "intruders": (
        {"weaknesses": {"egg": "reaction_to_danger"}},
        {"slime": True, "larva": True},
        {"slime": 1, "larva": 2, "adult": 1, "creeper": 1, "breeder": 1, "queen": 1},
    ),
    "void_seeders": (
        {"weaknesses": {"egg": "solid_bulkheads"}, "intruder_board": ["lair"]},
        {"insanity": 4},
        {"insanity": 2, "lair": 2, "lurker": 1, "whisperer": 1, "stalker": 1, "despoiler": 1},
    ),
    "carnomorphs": (
        {"adaptations": {"shambler": "voracious"}},
        {"slime": True, "mutation": "mimicry", "mutation_markers": 3},
        {"slime": 1, "mutation_markers": 1, "mutation_card": 1}
        | {"metagorger": 1, "shambler": 1, "fleshbeast": 2, "butcher": 1},
    ),
}
OF_ITS_OWN = {"void_seeders": ("panic",), "carnomorphs": ("mutations",), "intruders": ()}


def laid_out(species: str) -> Table:
    """A game with something of every kind of its box in play, all of it cardboard."""
    own, sheet, _ = BROUGHT[species]
    cards = (*COVERED, "dice", "contamination", "wounds", "items", *OF_ITS_OWN[species])
    table = game(species=species, preset="everything", truth=dict.fromkeys(cards, "physical"))
    aliens = [c.id for c in CONTENT.species[species].creatures.values() if c.miniatures]
    given = {
        **own,
        "tracks": {"time": 9, "self_destruct": 4},
        "airlock": "006",
        "technical": {"noise": True},
        "rooms": {
            "006": {
                "explored": True,
                "tile": "canteen",
                "items": 3,
                "fire": True,
                "malfunction": True,
                "intruders": [{"type": kind, "injuries": 1} for kind in aliens],
                "objects": ["carcass", "corpse_red", "egg"],
            }
        },
        "corridors": {
            "006-011": {"door": "closed", "noise": True},
            "006-007": {"door": "destroyed"},
        },
        "characters": {
            "captain": {"room": "006", "light_wounds": 1, "signal": True, "objects": ["egg"]}
            | sheet
        },
    }
    apply_given(table.state, given, CONTENT, "given")
    if "mutation" in sheet:
        table.state.seats[1].own["open"] = True
    return table


@pytest.mark.parametrize("species", list(BROUGHT))
def test_every_component_of_the_box_is_named_once_when_it_lies_on_the_table(species: str) -> None:
    table = laid_out(species)
    table.command(
        {"do": "pod", "action": "unlock", "pod": views.view(table, "table")["pods"][0]["id"]}
    )
    table.command({"do": "unpack"})
    pieces = [i["piece"] for i in table.ledger.open()]
    assert len(pieces) == len(set(pieces))
    kinds = Counter(p if p.startswith("unseen:") else p.split("#")[0].split(":")[0] for p in pieces)

    aliens = CONTENT.species[species]
    held = CONTENT.games["nemesis"]
    for component in (*held.limits, *held.decks, *aliens.decks):
        assert NAMED[component] <= {*kinds}, component
    assert [k for k, c in aliens.creatures.items() if c.miniatures and k not in kinds] == []
    for kind, count in BROUGHT[species][2].items():
        assert kinds[kind] == count, kind
    lying = Counter(
        kind_of(p)
        for p, zone in table.state.where.items()
        if zone.split(":")[0] in ("room", "corridor", "space", "held", "sheet") and ":" not in p
    )
    for kind in ("fire", "malfunction", "noise", "carcass", "corpse_red", "corpse_blue", "egg"):
        assert kinds[kind] == lying[kind], kind
    assert (kinds["door"], kinds["destroyed"], kinds["eggs"]) == (1, 1, 1)
    assert (kinds["tile"], kinds["items"], kinds["airlock"], kinds["signal"]) == (1, 1, 1, 1)
    assert kinds["injuries"] == sum(1 for c in aliens.creatures.values() if c.miniatures)
    assert not any(p.startswith("noted:") for p in pieces), "everything is held"


@pytest.mark.parametrize("language", ["en", "it", "fr"])
@pytest.mark.parametrize("species", list(BROUGHT))
def test_what_a_species_brings_is_packed_and_laid_out_by_name(species: str, language: str) -> None:
    table = laid_out(species)
    view = views.view(table, "table")
    told = packed(story(table.journal.rows()), view, CONTENT, language)
    table.command({"do": "unpack"})
    shown = page(views.view(table, "table"), CONTENT, language)["instructions"]
    back = [f"{i['piece']} → {i['to_label']}" for i in shown]
    away = [*told["steps"], *told["tracks"], *(x for p in told["people"] for x in p["lines"])]
    for line in (*away, *back):
        assert "_" not in line, line
        assert not line.startswith(("pack.", "ui.", "open:"))
    own = BROUGHT[species][0]
    [card] = {**own.get("weaknesses", {}), **own.get("adaptations", {})}.values()
    name = CONTENT.weaknesses[card].names.get(language)
    for lines in (away, back):
        assert sum(name in line for line in lines) == 1, "the card that lies open, with its place"
    if species == "void_seeders":
        insanity = CONTENT.terms["insanity"].get(language)
        for lines in (away, back):
            assert sum(insanity in line and "4" in line for line in lines) == 1
    if species == "carnomorphs":
        weakness = {"en": "Weakness", "it": "Debolezza", "fr": "Point faible"}[language]
        assert not any(weakness in line for line in (*away, *back)), "Adaptations, not Weaknesses"
        mutation = CONTENT.own_cards["mimicry"].names.get(language)
        for lines in (away, back):
            assert sum(mutation in line for line in lines) == 1


@pytest.mark.parametrize("species", list(BROUGHT))
def test_what_this_table_does_not_have_held_is_noted_not_told(species: str) -> None:
    table = game(species=species, preset="bag")
    view = views.view(table, "table")
    told = packed(story(table.journal.rows()), view, CONTENT, "en")
    assert ("Insanity" in told["noted"]) == (species == "void_seeders")
    assert ("Slime" in told["noted"]) == (species != "void_seeders")
    assert {"Places of Characters", "Doors", "Wounds"} <= set(told["noted"])
    assert not any("011" in line for p in told["people"] for line in p["lines"])
    table.command({"do": "unpack"})
    found = views.view(table, "table")["instructions"]
    assert not {"captain", "scout"} & {i["piece"] for i in found}, "nobody said where they are"
    assert sum(i["group"] == "noted" for i in found) == len(told["noted"])


def listed(table: Table) -> dict[str, dict[str, str]]:
    """What the list alone says: figures and pieces by zone, numbers by what they belong to."""
    found: dict[str, dict[str, str]] = {"pieces": {}, "destroyed": {}, "injuries": {}, "shown": {}}
    for line in rebuild(Play(table.state, CONTENT)):
        kind, colon, rest = line.piece.partition(":")
        if not colon or kind in ("destroyed", "locked", "unlocked"):
            found["pieces"][rest or kind] = line.target
            if kind == "destroyed":
                found["destroyed"][rest] = line.target
        elif kind == "injuries":
            number, _, piece = rest.partition("#")
            found["injuries"][piece] = number
        else:
            found["shown"][line.piece] = line.target
    return found


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("species", list(BROUGHT))
def test_whatever_was_played_the_list_alone_lays_out_what_stood_there(
    species: str, seed: int
) -> None:
    people = ["captain", "scout", "soldier", "pilot", "scientist"]
    table = Table(CONTENT, MemoryJournal({"game": "g"}), Chance(bytes([seed]) * 32))
    setup = {"do": "setup", "players": people, "digital": True, "species": species}
    table.command({**setup, "preset": "everything"})
    player, compared = Player(CONTENT, seed), 0
    for n in range(260):
        with contextlib.suppress(Refused, BadInput):
            table.command(player.command(table))
        state = table.state
        if state.phase == "over":
            break
        if n % 10 or state.phase == "setup" or {*state.tracking.values()} != {"tracked"}:
            continue
        compared += 1
        told = listed(table)
        places = ("room", "corridor", "space", "held", "sheet", "section", "adaptation")
        stood = {
            piece: zone
            for piece, zone in state.where.items()
            if (zone.split(":")[0] in places and ":" not in piece)
            or (zone == "intruder_board" and piece.startswith("lair#"))
        }
        for person in state.seats.values():
            if person.state == "pod_waiting":
                stood[person.character] = state.where[str(person.pod)]
            elif person.room:
                stood[person.character] = f"room:{person.room}"
            shown = {"light": person.light, **person.own, "mutation_markers": 0}
            shown["mutation_markers"] = person.own.get("markers", 0)
            for kind in ("light", "insanity", "mutation_markers"):
                if shown.get(kind) and person.state != "dead":
                    assert f"{kind}:{shown[kind]}#{person.seat}" in told["shown"]
        told["pieces"].pop("nest_destroyed", None)
        extra = {"airlock": f"room:{state.airlock}", "first_player": f"held:{state.first_player}"}
        assert {p: z for p, z in told["pieces"].items() if extra.get(p) != z} == stood
        aboard = {p: str(n) for p, n in state.injuries.items() if n and "room:" in state.where[p]}
        assert told["injuries"] == aboard
        assert {*told["destroyed"]} == {d for d in state.destroyed if "corridor:" in state.where[d]}
    assert compared > 5


def test_the_marker_of_a_destroyed_nest_is_laid_out() -> None:
    table = game()
    table.command({"do": "reveal", "room": "003", "tile": "nest", "token": "silence"})
    table.command({"do": "unpack"})
    assert place(table, "nest_destroyed") is None
    apply_given(table.state, {"nest_destroyed": True}, CONTENT, "given")
    table.command({"do": "unpack"})
    marker = place(table, "nest_destroyed")
    assert marker
    assert (marker["to"], marker["group"]) == ("003", "rooms")
    shown = page(views.view(table, "table"), CONTENT, "en")["instructions"]
    assert [i["piece"] for i in shown if "Nest is destroyed" in i["piece"]]


@pytest.mark.parametrize("language", ["en", "it", "fr"])
def test_what_is_unsure_is_packed_and_laid_out_as_last_known(language: str) -> None:
    table = laid_out("intruders")
    apply_given(table.state, {"unsure": ["intruders", "doors", "wounds"]}, CONTENT, "given")
    mark = " · " + words(language).say("pack.unsure")
    table.command({"do": "unpack"})
    view = views.view(table, "table")
    sheets = packed(story(table.journal.rows()), view, CONTENT, language)
    shown = {i["id"]: i["piece"] for i in page(view, CONTENT, language)["instructions"]}
    marked = {i["piece"].split("#")[0] for i in view["instructions"] if mark in shown[i["id"]]}
    creatures = set(CONTENT.species["intruders"].creatures)
    assert marked - creatures == {"door", "destroyed:door", "light:1"}
    assert creatures & marked == {"larva", "creeper", "adult", "breeder", "queen"}
    assert len(sheets["unsure"]) == 3
    [lines] = [r["lines"] for r in sheets["rooms"] if r["title"].startswith("006")]
    assert sum(mark in line for line in lines) == 5
    assert sum(mark in line for p in sheets["people"] for line in p["lines"]) == 1
    assert sum(mark in line for line in sheets["between"]) == 2
    table.state.unsure.clear()
    view = views.view(table, "table")
    again = packed(story(table.journal.rows()), view, CONTENT, language)
    assert mark not in str(again) + str(page(view, CONTENT, language)["instructions"])


@pytest.mark.parametrize("language", ["en", "it", "fr"])
def test_the_page_names_the_marker_of_a_destroyed_nest(language: str) -> None:
    table = game()
    told = words(language).say("ui.piece.nest_destroyed")
    for destroyed in (False, True):
        nest = {"rooms": {"006": {"explored": True, "tile": "nest"}}, "nest_destroyed": destroyed}
        apply_given(table.state, nest, CONTENT, "given")
        view = views.view(table, "table")
        sheets = packed(story(table.journal.rows()), view, CONTENT, language)
        [lines] = [r["lines"] for r in sheets["rooms"] if r["title"].startswith("006")]
        assert (told in lines) is destroyed
