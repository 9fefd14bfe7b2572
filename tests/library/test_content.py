"""The shipped content: what is loaded, counted and said in three languages."""

from __future__ import annotations

import re
import time
import tomllib
from collections import Counter
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from companion.library import board_json, check_components, load_content, schemas
from companion.library.load import _load
from companion.library.model import Content
from companion.library.read import SHIPPED

LANGUAGES = {"en", "it", "fr"}


@pytest.fixture(scope="module")
def content() -> Content:
    return load_content()


def test_the_same_content_is_shared_and_loads_fast(content: Content) -> None:
    assert load_content() is content
    begun = time.process_time()
    again = _load(())
    assert time.process_time() - begun < 1.5  # of our own; 0.1 s on the developer's machine
    assert again.hash == content.hash
    assert re.fullmatch("[0-9a-f]{64}", content.hash)
    assert dict(content.packs) == {"nemesis": "1.0.0"}


def test_decks_stand_in_order_with_stable_ids(content: Content) -> None:
    intruders = content.species["intruders"]
    assert intruders.events[0] == "damaging_fire"
    assert intruders.events[-1] == "noise_in_technical_corridors"
    assert [card for card in intruders.attacks if card.startswith("bite")] == [
        "bite/4#1", "bite/4#2", "bite/6", "bite/retreat",
    ]  # fmt: skip
    assert content.attacks["bite/retreat"].blood is None
    assert content.attacks["bite/4#2"].blood == 4
    assert set(intruders.attacks) <= set(content.attacks)
    assert {content.events[card].effect for card in ("hunt_2", "hunt_3")} == {"hunt"}
    assert len({content.events[card].effect for card in intruders.events}) == 19
    assert "malfunction/2#4" in content.explorations
    assert content.explorations["fire/2"].items == 2


def test_creatures_hold_every_token(content: Content) -> None:
    adult = content.creature("intruders", "adult")
    assert Counter(adult.values) == {2: 4, 3: 5, 4: 3}
    assert (adult.miniatures, adult.check_cards, adult.starting_per_player) == (8, 1, 1)
    assert content.creature("intruders", "blank").values == (None,)
    with pytest.raises(KeyError):
        content.creature("intruders", "lurker")


def test_what_sources_disagree_about_stays_unknown(content: Content) -> None:
    assert [c.id for c in content.characters.values() if c.ammo is None] == ["scientist"]
    assert set(content.tiles["armory"].names.by_language) == {"en"}
    assert content.tiles["armory"].names.get("it") == "Armory"
    assert content.tiles["canteen"].names.get("it") == "Cambusa"


def test_own_descriptions_are_not_called_official(content: Content) -> None:
    names = content.terms["deep_space"]
    assert set(names.by_language) == LANGUAGES
    assert names.official == ("en",)
    assert content.terms["door"].official == ("en", "it", "fr")


def test_every_text_is_said_in_three_languages(content: Content) -> None:
    for text in [
        *(rule.text for rule in content.rules.values()),
        *(objective.text for objective in content.objectives.values()),
        *(switch.names for switch in content.switches.values()),
        *(words for switch in content.switches.values() for words in switch.value_names.values()),
        *(term.by_language for term in content.terms.values()),
    ]:
        assert set(text) >= LANGUAGES
        assert all(words.strip() for words in text.values())


def test_the_rule_index_is_complete(content: Content) -> None:
    wanted = {f"BASE-{n:02}" for n in range(1, 387)} | {f"FAQ-A{n}" for n in range(1, 65)}
    lockdown = {*range(77, 98), 102, 111, 112}
    wanted |= {f"VS-{n:02}" for n in range(1, 113) if n not in lockdown}
    cards = {"E": 14, "A": 7, "P": 14, "W": 1}
    wanted |= {f"VS-{kind}{n}" for kind, count in cards.items() for n in range(1, count + 1)}
    wanted |= _carnomorph_rules() | {f"FAQ-V{n}" for n in range(1, 12)}
    assert set(content.rules) == wanted
    said = [rule.text[language] for rule in content.rules.values() for language in ("it", "fr")]
    assert len(set(said)) > 0.95 * len(said)  # translations, not one text repeated
    for rule in content.rules.values():
        assert rule.source
        assert rule.text["it"] != rule.text["en"] != rule.text["fr"]
        for named in re.findall(r"(?:BASE|VS)-\w+", " ".join(rule.text.values())):
            assert named in content.rules
    marks = {rule.mark for rule in content.rules.values()}
    assert marks == {"", "single", "derived", "gap", "conflict"}


def _carnomorph_rules() -> set[str]:
    on_lockdown = {*range(58, 67), 78, 79, 80}
    numbers = {f"CA-{n:02}" for n in range(1, 82) if n not in on_lockdown}
    cards = {f"CA-E{n}" for n in range(1, 17)} | {f"CA-A{n}" for n in range(1, 8)}
    return numbers | cards | {f"FAQ-C{n}" for n in range(1, 11)}


def test_translations_keep_the_numbers_of_the_rule(content: Content) -> None:
    """A rule reference in one language stands in the others too."""
    for rule in content.rules.values():
        named = {
            language: Counter(re.findall(r"(?:BASE|VS)-\w+", words))
            for language, words in rule.text.items()
        }
        assert named["it"] == named["en"] == named["fr"], rule.id


def test_switches_are_those_of_gaps_and_conflicts(content: Content) -> None:
    shared = {k for k, s in content.switches.items() if not s.species}
    asking = {"offer_cancels", "ask_last_rounds", "untold_serious_wounds", "short_event_phase"}
    assert len(shared - asking) == 26
    assert {s.species for s in content.switches.values()} == {"", "void_seeders", "carnomorphs"}
    for switch in content.switches.values():
        assert switch.default in switch.values
        assert set(switch.value_names) == set(switch.values)
    assert content.switches["summoning_blank"].values == ("as Encounter", "nothing")


def test_components_are_as_the_rules_say(content: Content) -> None:
    results = check_components(content)
    assert [result for result in results if not result[1]] == []
    assert {rule for rule, _, _ in results} <= set(content.rules)
    for rule in ("BASE-01", "BASE-06", "BASE-24", "BASE-214", "BASE-302", "VS-02", "VS-P14"):
        assert rule in {found for found, _, _ in results}


def test_a_species_brings_what_no_other_has(content: Content) -> None:
    seeders = content.species["void_seeders"]
    panic = seeders.decks["panic"]
    assert panic.known[5:7] == ("sabotage#1", "sabotage#2")
    assert (panic.cards, len(panic.known)) == (20, 20)
    assert content.own_cards["heart_attack#2"].params == {"level": 5}
    assert content.own_cards["insane_courage"].names.get("fr") == "Témérité"
    assert (len(seeders.weaknesses), seeders.weakness_cards) == (2, 8)
    assert [content.explorations[f"lair/unknown#{n}"].items for n in (1, 2, 3)] == [None] * 3
    assert content.creature("void_seeders", "insanity_blue").values == (None,)
    assert not content.species["intruders"].decks


def _wrong(content: Content, rule: str) -> bool:
    return any(found == rule and not ok for found, ok, _ in check_components(content))


def test_the_component_check_finds_slips(content: Content) -> None:
    game = content.games["nemesis"]
    less = replace(content, games={"nemesis": replace(game, infected=6)})
    assert _wrong(less, "BASE-214")
    assert not _wrong(less, "BASE-01")
    hunt = replace(content.events["hunt_2"], corridors=(3,))
    assert _wrong(replace(content, events={**content.events, "hunt_2": hunt}), "BASE-307")
    basic = content.boards["nemesis/basic"]
    corridors = {k: v for k, v in basic.corridors.items() if k != "001-002"}
    boards = {**content.boards, "nemesis/basic": replace(basic, corridors=corridors)}
    assert _wrong(replace(content, boards=boards), "BASE-24")
    scratch = replace(content.attacks["scratch/2"], attackers=("queen",))
    assert _wrong(replace(content, attacks={**content.attacks, "scratch/2": scratch}), "BASE-188")
    tile = replace(content.tiles["cockpit"], computer=True)
    assert _wrong(replace(content, tiles={**content.tiles, "cockpit": tile}), "BASE-238")


def test_board_json_is_the_contract(content: Content) -> None:
    made = board_json(content.boards["nemesis/basic"])
    assert set(made) == {"rooms", "corridors"}
    assert (len(made["rooms"]), len(made["corridors"])) == (21, 28)
    assert made["rooms"][1] == {
        "id": "002", "kind": "1", "x": 0.231, "y": 0.199, "radius": 0.049,
        "technical": [
            {"number": 1, "network": "technical"},
            {"number": 2, "network": "technical"},
        ],
    }  # fmt: skip
    assert made["corridors"][1] == {
        "id": "001-003", "rooms": ["001", "003"], "numbers": [1, 2], "x": 0.156, "y": 0.548,
    }  # fmt: skip


def test_rooms_do_not_overlap_and_every_corridor_lies_between_its_rooms(content: Content) -> None:
    for board in content.boards.values():
        for corridor in board.corridors.values():
            a, b = (board.rooms[room] for room in corridor.rooms)
            apart = _apart(board.aspect, (a.x, a.y), (b.x, b.y))
            there = _apart(board.aspect, (a.x, a.y), (corridor.x, corridor.y))
            back = _apart(board.aspect, (b.x, b.y), (corridor.x, corridor.y))
            assert there + back < 1.9 * apart + 0.1, corridor.id
        for a, b in combinations(board.rooms.values(), 2):
            apart = _apart(board.aspect, (a.x, a.y), (b.x, b.y))
            assert apart > 0.8 * (a.radius + b.radius), (board.id, a.id, b.id)


def _apart(aspect: float, a: tuple[float, float], b: tuple[float, float]) -> float:
    return float(((a[0] - b[0]) ** 2 + ((a[1] - b[1]) / aspect) ** 2) ** 0.5)


FILES = sorted(SHIPPED.glob("*/*.toml")) + sorted(SHIPPED.glob("*/*/*.toml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(SHIPPED).as_posix())
def test_the_shipped_files_match_their_json_schema(path: Path) -> None:
    kind = path.parent.name if path.parent.parent.parent == SHIPPED else path.stem
    jsonschema.Draft202012Validator(schemas()[kind]).validate(_toml(path))


def test_the_schemas_are_valid_and_refuse_what_the_loader_refuses() -> None:
    made = schemas()
    for schema in made.values():
        jsonschema.Draft202012Validator.check_schema(schema)
    events = _toml(SHIPPED / "nemesis/events.toml")
    events["hunt_2"]["corridors"] = [5]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(events, made["events"])
    events["hunt_2"] = {"surprise": 1}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(events, made["events"])


def _toml(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text("utf-8"))


def test_carnomorph_cards_print_a_number_for_metagorgers(content: Content) -> None:
    carnomorphs = content.species["carnomorphs"]
    card = content.attacks["bash/retreat"]
    assert (card.blood_for("shambler"), card.blood_for("metagorger")) == (None, 2)
    numbers = [content.attacks[c].blood_for("metagorger") for c in carnomorphs.attacks]
    assert Counter(numbers) == {None: 4, 1: 9, 2: 4, 3: 3}
    assert carnomorphs.creatures["metagorger_blue"].brings == "metagorger"
    assert carnomorphs.creatures["blank"].brings == ""


def test_cards_whose_text_no_source_has_keep_their_place(content: Content) -> None:
    carnomorphs = content.species["carnomorphs"]
    known = [c for c in carnomorphs.weaknesses if not content.weaknesses[c].unknown]
    assert (known, len(carnomorphs.weaknesses)) == (["voracious", "agile"], 8)
    mutations = carnomorphs.decks["mutation"].known
    assert [c for c in mutations if not content.own_cards[c].unknown] == ["mimicry"]
    assert len(mutations) == 12
