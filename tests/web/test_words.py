"""Whatever the rules tell, ask and refuse has words in every language, and pages use them."""

from __future__ import annotations

import ast
import json
import random
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import companion.game
import companion.rules
import companion.table
from companion.game import BadInput
from companion.game.procedure import KINDS
from companion.library import load_content
from companion.locale import languages, words
from companion.rules import STEPS, VERBS
from companion.rules.facts import TOPICS
from companion.rules.tables import PRESETS, TRUTH_COMPONENTS
from companion.table.ports import Status
from companion.table.session import Session
from tests.web.conftest import new_session
from web.present import page

GROWN = {"intruders": "adult", "void_seeders": "lurker", "carnomorphs": "metagorger"}
SOURCES = [Path(str(m.__file__)).parent for m in (companion.rules, companion.table, companion.game)]


def calls(*names: str) -> Iterator[ast.Call]:
    for folder in SOURCES:
        for path in sorted(folder.rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call):
                    called = getattr(node.func, "id", getattr(node.func, "attr", None))
                    if called in names:
                        yield node


def texts(node: ast.expr) -> set[str]:
    """The string constants a first argument can be."""
    match node:
        case ast.Constant(value=str(text)):
            return {text}
        case ast.IfExp(body=body, orelse=orelse):
            return texts(body) | texts(orelse)
    return set()


TOLD = sorted({t for c in calls("tell", "Event") if c.args for t in texts(c.args[0])})
ASKED = sorted(
    {t for c in calls("Ask", "which_of") if len(c.args) > 1 for t in texts(c.args[1]) if t}
)
REFUSED = sorted({t for c in calls("refuse", "Refused") if c.args for t in texts(c.args[0])})


@pytest.mark.parametrize("language", languages())
def test_everything_the_rules_say_has_words(language: str) -> None:
    said = words(language)
    wanted = [f"log.{t}" for t in TOLD] + ASKED + [f"refuse.{c}" for c in REFUSED]
    wanted += [f"log.door_now_{s}" for s in ("open", "closed", "destroyed")]
    wanted += [f"log.bag_{w}_by_hand" for w in ("in", "out")]
    wanted += [f"log.now_{s}" for s in ("aboard", "dead", "hibernated", "pod_waiting", "launched")]
    wanted += [f"verb.{v}" for v in [*VERBS, "next"]] + [f"step.{s}" for s in STEPS]
    wanted += [f"tracking.topic.{t}" for t in [*TOPICS, "hand"]]
    wanted += [f"truth.component.{c}" for c in TRUTH_COMPONENTS]
    wanted += [f"preset.{p}{end}" for p in PRESETS for end in ("", ".text")]
    wanted += [f"ui.page.status.{s.value}" for s in Status]
    wanted += [f"ui.http.{s}" for s in (400, 401, 403, 404, 409, 413, 422, 429, 500, 503)]
    assert len(TOLD) > 150
    assert len(ASKED) > 25
    assert len(REFUSED) > 20
    assert [key for key in wanted if not said.has(key)] == []


def answer_to(prompt: dict[str, Any], chance: random.Random) -> Any:
    ids = [o["id"] for o in prompt["options"]]
    match prompt["kind"]:
        case "yes_no":
            return chance.random() < 0.4
        case "confirm":
            return True
        case "place" if prompt["pieces"] is not None:
            return True
    chosen = chance.choice(ids)
    return [chosen] if prompt["multiple"] else chosen


def play(session: Session, species: str, preset: str, seed: int, steps: int) -> Iterator[None]:
    """A random evening through the commands that pages send; yields after each."""
    chance = random.Random(seed)
    players = ["captain", "scout", "soldier", "medic"]
    session.submit({"do": "setup", "players": players, "preset": preset, "species": species})
    kind = GROWN[species]
    for _ in range(steps):
        yield
        view = session.view("table")[1]
        asked = [p for s in (1, 2, 3, 4) for p in session.view(f"seat:{s}")[1]["prompts"]]
        if view["phase"] == "over":
            return
        if asked:
            prompt = chance.choice(asked)
            by = "table" if prompt["to"] == "any" else prompt["to"][0]
            value = answer_to(prompt, chance)
            session.submit({"do": "answer", "by": by, "prompt": prompt["id"], "value": value})
        elif view["can"]["next"]:
            session.submit({"do": "next"})
        else:
            seat = chance.choice(view["seats"])
            board = session.content.boards["nemesis/basic"]
            room = seat["room"] or "011"
            near = chance.choice(board.neighbours(room))
            command: dict[str, Any] = chance.choice(
                [
                    {"do": "move", "seat": seat["seat"], "to": near},
                    {"do": "encounter", "seat": seat["seat"]},
                    {"do": "event_phase"},
                    {"do": "place", "piece": kind, "to": room},
                    {"do": "injure", "intruder": kind, "room": room},
                    {"do": "injure", "seat": seat["seat"], "intruder": kind, "weapon": "classic"},
                ]
            )
            with suppress(BadInput):  # all its miniatures are on the board
                session.submit(command)


@pytest.mark.parametrize(
    ("species", "preset", "seed"),
    [
        ("intruders", "bag", 1),
        ("intruders", "bag_and_board", 2),
        ("intruders", "everything", 3),
        ("void_seeders", "bag_and_board", 4),
        ("carnomorphs", "bag_and_board", 5),
    ],
)
def test_a_random_evening_is_said_without_a_missing_word(
    species: str, preset: str, seed: int
) -> None:
    """Every view of it, in three languages; a missing message or parameter raises."""
    session = new_session()
    content = load_content()
    kinds: set[str] = set()
    for number, _ in enumerate(play(session, species, preset, seed, 90)):
        for audience in ("table", "host", "seat:1"):
            view = session.view(audience)[1]
            kinds |= {p["kind"] for p in view["prompts"]}
            language = languages()[number % 3]
            shown = page(view, content, language, box="en")
            text = json.dumps(shown, ensure_ascii=False)
            assert "{" not in "".join(line["text"] for line in shown["log"])
            assert '"ui.' not in text
            assert len(text) < 90_000
    assert kinds <= set(KINDS)
    assert len(kinds) >= 3


@pytest.mark.parametrize("species", ["intruders", "void_seeders", "carnomorphs"])
def test_the_faces_of_the_real_combat_die_have_names(species: str) -> None:
    session = new_session()
    truth = {"objectives": "physical", "dice": "physical"}
    players = ["captain", "scout"]
    session.submit({"do": "setup", "players": players, "species": species, "truth": truth})
    kind = GROWN[species]
    session.submit({"do": "place", "piece": kind, "to": "011"})
    session.submit({"do": "injure", "seat": 1, "intruder": kind, "weapon": "classic"})
    [roll] = page(session.view("table")[1], load_content(), "it")["prompts"]
    assert roll["kind"] == "roll"
    labels = {o["label"] for o in roll["options"]}
    assert {"Due mirini", "Intruso Adulto"} <= labels
    assert not [label for label in labels if "." in label]


def test_box_language_stands_beside_the_readers() -> None:
    session = new_session()
    session.submit({"do": "setup", "players": ["captain", "scout"], "digital": True})
    session.submit({"do": "place", "piece": "fire", "to": "009"})
    view = session.view("table")[1]
    french = page(view, load_content(), "fr", box="it")
    todo = french["instructions"][-1]
    assert (todo["piece"], todo["box"]) == ("Feu", "Fuoco")
    assert page(view, load_content(), "it", box="it")["instructions"][-1]["box"] == ""
    assert (todo["from_label"], todo["to_label"]) == ("réserve", "009")


def test_undo_says_what_it_takes_back() -> None:
    session = new_session()
    session.submit({"do": "setup", "players": ["captain", "scout"], "digital": True})
    session.submit({"do": "slime", "seat": 2, "on": True})
    undo = page(session.view("table")[1], load_content(), "en")["can"]["undo"]
    assert undo["label"] == "Slime · Scout"


@pytest.mark.parametrize("language", ["en", "it", "fr"])
def test_a_turn_is_the_games_and_a_round_is_a_players(language: str) -> None:
    """The box calls both phases a turn and two actions a round, in every language; so do we."""
    said = words(language)
    held = load_content().terms
    terms = {name: held[name].get(language).lower() for name in ("turn", "round")}
    for key in ("ui.round", "log.event_phase", "log.round_begins", "log.round_ends"):
        text = said.say(key, {"n": 2}).lower()
        assert terms["turn"] in text, key
        assert terms["round"] not in text, key
    for key in ("verb.end_turn", "log.stands_in_fire", "ui.page.end_turn"):
        text = said.say(key, {"seat": "A", "room": "B"}).lower()
        assert terms["round"] in text, key
        assert terms["turn"] not in text, key


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Captain · Serious Wound: see its card"),
        ("it", "Capitano · Ferita Grave: vedi la carta"),
        ("fr", "Captain · Blessure grave\N{NO-BREAK SPACE}: voir sa carte"),
    ],
)
def test_a_wound_of_unknown_kind_is_read_from_its_card(language: str, said: str) -> None:
    session = new_session()
    setup = {"do": "setup", "players": ["captain"], "preset": "bag_and_board"}
    assert session.submit(setup)["status"] == "done"
    assert session.submit({"do": "wound", "seat": 1, "kind": "serious"})["status"] == "done"
    shown = page(session.view("table")[1], load_content(), language)
    assert said in [line["text"] for line in shown["log"]]


@pytest.mark.parametrize(
    ("language", "term", "never"), [("it", "Ritirata", "freccia"), ("fr", "Fuite", "flèche")]
)
def test_the_retreat_icon_is_called_as_the_box_does(language: str, term: str, never: str) -> None:
    said = words(language)
    for key in ("log.check_arrow", "log.lair_holds"):
        text = said.say(key, {"piece": "X"})
        assert term in text
        assert never not in text
    params = {"piece": "X", "card": "Y", "blood": said.say("ui.arrow")}
    assert said.say("log.check_drawn", params).endswith(term)


def test_the_shower_has_one_name_in_italian() -> None:
    content = load_content()
    name = content.tiles["shower_room"].names.get("it")
    for rule in ("VS-69", "VS-101", "CA-19"):
        assert name in content.rules[rule].text["it"], rule


def test_only_insanity_of_characters_in_play_can_be_put_right_in_the_bag() -> None:
    session = new_session()
    players = ["captain", "scout"]
    setup = {"do": "setup", "players": players, "species": "void_seeders"}
    assert session.submit(setup)["status"] == "done"
    content = load_content()
    creatures = page(session.view("table")[1], content, "en")["creatures"]
    offered = {c["id"] for c in creatures if c["token"]}
    colours = {f"insanity_{content.characters[p].colour}" for p in players}
    assert {kind for kind in offered if kind.startswith("insanity_")} == colours
    assert {"void_seeder", "blank"} <= offered
