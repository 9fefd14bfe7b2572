"""Other aliens on the pages: meals as pictures, markers, a Mutation only its owner sees."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask

from companion.library import load_content
from companion.locale import words
from companion.rules import STEPS, VERBS
from companion.rules.facts import TOPICS
from companion.rules.species import strategy, written
from companion.rules.tables import TRUTH_COMPONENTS
from companion.table.session import Session
from tests.web.conftest import new_session, panel_of
from tests.web.test_phones import Room, browser, room  # noqa: F401  fixtures
from tests.web.test_rooms import THREE, Taps, needs_browser
from web.terms import Terms

LANGUAGES = ("en", "it", "fr")
FED = ("003", "007", "009", "014")


def feed_four(session: Session) -> None:
    """Metagorgers beside food in four rooms, away from everybody."""
    for where in FED:
        for piece in ("metagorger", "carcass"):
            assert session.submit({"do": "place", "piece": piece, "to": where})["status"] == "done"
            settle(session)  # the first miniature has objectives chosen


def settle(session: Session) -> None:
    """Everybody answers the secret questions that are open, the first card each."""
    while prompts := [
        (seat, p)
        for seat in (1, 2, 3)
        for p in session.view(f"seat:{seat}")[1]["prompts"]
        if p["secret"]
    ]:
        seat, prompt = prompts[0]
        value = prompt["options"][0]["id"]
        answer = {"do": "answer", "prompt": prompt["id"], "value": value, "by": f"seat:{seat}"}
        assert session.submit(answer)["status"] == "done"


@pytest.fixture
def carnomorphs(room: Callable[..., Room]) -> Room:  # noqa: F811
    return room(players=THREE, species="carnomorphs", digital=True)


@pytest.mark.browser
@needs_browser
def test_four_rooms_feed_in_five_taps_and_each_is_one_picture(carnomorphs: Room) -> None:
    feed_four(carnomorphs.session)
    carnomorphs.session.submit({"do": "tick", "instruction": "all"})
    phone = carnomorphs.seat(1)
    other = carnomorphs.page("/table", language="it", size={"width": 1280, "height": 800})
    taps = Taps(phone)
    taps.on("#actions button[data-do=event_phase]")
    taps.on("#actions button[data-do=next]")
    taps.on(".ask.place button.main", "As shown")  # where Objects lie is asked, not held
    taps.on(".ask.card [data-value=agile]")  # the first Shambler lays its Adaptation open
    phone.wait_for_selector("#feeding .meal >> nth=3")
    shown = [f.get_attribute("data-room") for f in phone.locator("#feeding .meal").all()]
    assert shown == list(FED)
    first = phone.locator("#feeding .meal").first
    assert first.locator(".lying").nth(0).get_attribute("aria-label") == (
        "before: Metagorger, Intruder Carcass"
    )
    assert first.locator(".lying").nth(1).get_attribute("aria-label") == "after: Shambler"
    assert "Metagorger eats: Intruder Carcass → Shambler" in first.inner_text()
    other.wait_for_selector("#feeding .meal")
    assert "Metavorace mangia: Carcassa" in other.inner_text("#feeding")
    assert phone.locator("#todo .bundle").count() == 0  # the pictures say it all
    taps.on("#feeding .done")
    phone.wait_for_selector("#feeding", state="hidden")
    other.wait_for_selector("#feeding", state="hidden")
    assert taps.count <= 5
    view = carnomorphs.session.view("table")[1]
    assert view["instructions"] == []
    assert {i["type"] for r in FED for i in view["rooms"][r]["intruders"]} == {"shambler"}


@pytest.mark.browser
@needs_browser
def test_a_question_is_in_sight_beside_four_pictures_of_feeding(carnomorphs: Room) -> None:
    session = carnomorphs.session
    feed_four(session)
    session.submit({"do": "event_phase", "step": "attack"})
    while prompts := session.view("table")[1]["prompts"]:
        value = True if prompts[0]["pieces"] else prompts[0]["options"][0]["id"]
        session.submit({"do": "answer", "prompt": prompts[0]["id"], "value": value})
    screen = carnomorphs.page("/table", size={"width": 1280, "height": 800})
    screen.wait_for_selector("#feeding .meal >> nth=3")
    below = screen.locator("#actions").bounding_box()["y"]
    done = screen.locator("#feeding .done")
    assert done.bounding_box()["y"] + done.bounding_box()["height"] <= below
    assert session.submit({"do": "encounter", "seat": 1})["status"] == "done"
    assert session.view("table")[1]["prompts"], "an Encounter that asks"
    screen.wait_for_selector("#asks .ask")
    assert screen.locator("#feeding .meal").count() == 4
    asked = screen.locator("#asks .ask").bounding_box()
    assert asked["y"] + asked["height"] <= below


@pytest.mark.browser
@needs_browser
def test_a_marker_taken_on_a_phone_stands_on_every_page(carnomorphs: Room) -> None:
    session = carnomorphs.session
    session.submit({"do": "mutation", "seat": 2, "on": True})
    settle(session)
    phone = carnomorphs.seat(1)
    table = carnomorphs.page("/table", language="fr", size={"width": 1280, "height": 800})
    taps = Taps(phone)
    taps.on(".chip[data-seat='2'] .who")
    taps.on(".chip[data-seat='2'] .more")
    assert phone.locator("#sheet button[data-do=larva]").count() == 0  # nobody carries one here
    taps.on("#sheet button[data-tool=mutation_marker]")
    phone.wait_for_selector(".chip[data-seat='2'] [data-sign=mutation_marker]")
    assert phone.inner_text(".chip[data-seat='2'] [data-sign=mutation_marker]") == "1"
    table.wait_for_selector(".chip[data-seat='2'] [data-sign=mutation_marker]")
    label = table.get_attribute(".chip[data-seat='2'] [data-sign=mutation_marker]", "aria-label")
    assert label == "Marqueurs Mutation\N{NO-BREAK SPACE}: 1"
    assert table.locator("#board .figure text.level").all_text_contents() == ["1"]
    assert taps.count == 3


@pytest.mark.browser
@needs_browser
def test_the_own_mutation_is_read_under_the_cover_and_nowhere_else(carnomorphs: Room) -> None:
    session = carnomorphs.session
    session.submit({"do": "mutation", "seat": 1, "on": True})
    settle(session)
    held = session.view("seat:1")[1]["me"]["secrets"]["species"]["mutation"]
    phone = carnomorphs.seat(1, language="it")
    assert phone.locator(".own-card").count() == 0
    phone.locator("#secret .second").tap()
    phone.wait_for_selector("#secret .own-card")
    assert "Mutazione" in phone.inner_text("#secret .own-card")
    assert held
    other = carnomorphs.seat(2)
    other.locator("#secret .second").tap()
    other.wait_for_selector("#secret.shown")
    assert other.locator("#secret .own-card").count() == 0
    for page in (phone, other):  # no sign of it on the row of seats
        assert page.locator(".chip [data-sign^=mutation]").count() == 0


def test_no_page_differs_before_a_mutation_is_used(app: Flask) -> None:
    """What others see is the same whether somebody holds a Mutation card or not."""
    session = new_session()
    setup = {"do": "setup", "players": THREE, "species": "carnomorphs", "digital": True}
    assert session.submit(setup)["status"] == "done"
    before = {a: session.view(a)[1] for a in ("table", "host", "seat:2")}
    assert session.submit({"do": "mutation", "seat": 1, "on": True})["status"] == "done"
    settle(session)
    card = session.view("seat:1")[1]["me"]["secrets"]["species"]["mutation"]
    panel = panel_of(app)
    for audience, old in before.items():
        _, view = session.view(audience)
        assert view["seats"] == old["seats"]
        assert view["species"] == old["species"]
        text = panel.text(audience, view, "en")
        assert card not in json.dumps(view)
        assert json.loads(text)["seats"][0]["badges"] == []
    assert session.submit({"do": "mutation", "seat": 1, "on": False})["status"] == "done"
    for audience in before:  # taken away unused, it is still nobody's business
        assert card not in json.dumps(session.view(audience)[1])


@pytest.mark.browser
@needs_browser
def test_insanity_and_panic_are_on_seat_row_and_map(room: Callable[..., Room]) -> None:  # noqa: F811
    table = room(players=THREE, species="void_seeders", digital=True)
    session = table.session
    assert session.submit({"do": "place", "piece": "lair", "to": "006"})["status"] == "done"
    settle(session)
    phone = table.seat(2, language="it")
    assert phone.locator("#room-006 use.m-lair").count() == 1
    assert phone.locator("#room-019 use.m-covered").count() == 1  # its token still lies
    assert phone.locator("#board .figure text.level").all_text_contents() == ["1", "1", "1"]
    taps = Taps(phone)
    taps.on(".chip.acting .more")
    assert phone.locator("#sheet button[data-do=slime]").count() == 0
    taps.on("#sheet button[data-do=insanity]")
    phone.wait_for_selector(".chip[data-seat='2'] [data-sign=insanity] >> text=2")
    label = phone.get_attribute(".chip[data-seat='2'] [data-sign=insanity]", "aria-label")
    assert label == "Pazzia 2"
    assert phone.locator("#board .figure text.level").all_text_contents() == ["1", "2", "1"]
    taps.on(".chip.acting .more")
    taps.on("#sheet button[data-do=panic]")
    phone.wait_for_selector("#card .card.panic")
    assert taps.count == 4


@pytest.mark.browser
@needs_browser
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_lobby_offers_every_species_that_can_be_played(
    room: Callable[..., Room],  # noqa: F811
    language: str,
) -> None:
    table = room()
    page = table.page("/", language=language)
    page.wait_for_selector("body[data-link=live]")
    chosen = page.locator("input[name=species]")
    assert chosen.first.get_attribute("value") == "intruders"
    assert chosen.first.is_checked()
    assert chosen.count() == len(written())
    page.locator(".together summary").tap()
    page.locator("[data-together=intruder_player]").tap()
    page.locator("label.pick", has=page.locator("input[name=species][value=carnomorphs]")).tap()
    assert page.locator("[data-together=intruder_player]").is_hidden(), "nobody plays these"
    page.locator("#setup button.main").tap()
    page.wait_for_url("**/table")
    game = table.session.view("table")[1]["game"]
    assert (game["species"], game["intruder_player"]) == ("carnomorphs", False)


def shown(audience: str, session: Session, app: Flask, language: str = "en") -> Any:
    return json.loads(panel_of(app).text(audience, session.view(audience)[1], language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_of_the_page_is_said(app: Flask, language: str) -> None:
    session = new_session()
    setup = {"do": "setup", "players": THREE, "species": "carnomorphs", "digital": True}
    assert session.submit(setup)["status"] == "done"
    feed_four(session)
    session.submit({"do": "event_phase", "step": "attack"})
    [asked] = session.view("table")[1]["prompts"]
    session.submit({"do": "answer", "prompt": asked["id"], "value": True})
    [asked] = session.view("table")[1]["prompts"]
    assert asked["key"] == "ask.adaptation"  # its text is on the card alone: the table reads it
    session.submit({"do": "answer", "prompt": asked["id"], "value": "agile"})
    page = shown("table", session, app, language)
    said = json.dumps(page["species"], ensure_ascii=False) + json.dumps(page["counts"])
    assert len(page["species"]["meals"]) == len(FED)
    assert page["species"]["open"]  # the first Shambler turned its Adaptation
    assert "ui." not in said
    assert "log." not in said


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_verb_step_component_and_fact_has_words(language: str) -> None:
    """Whatever a species adds is said in the undo button, the steps and the host's settings."""
    said, terms = words(language), load_content().terms
    own = [strategy(species) for species in written()]
    missing = [f"verb.{verb}" for verb in VERBS if not said.has(f"verb.{verb}")]
    missing += [
        f"step.{step}"
        for step in STEPS
        if not said.has(f"step.{step}") and not said.has(f"verb.{step}")
    ]
    components = {*TRUTH_COMPONENTS, *(c for ways in own for c in ways.truth)}
    missing += [c for c in sorted(components) if not said.has(f"truth.component.{c}")]
    topics = {*TOPICS, *(t for ways in own for t in ways.topics)}
    missing += [t for t in sorted(topics) if not said.has(f"tracking.topic.{t}")]
    missing += [
        tool["key"] for ways in own for tool in ways.tools if not said.has(f"ui.tool.{tool['key']}")
    ]
    species = load_content().species.values()
    decks = {"event", "attack", *(deck for one in species for deck in one.decks)}
    missing += [deck for deck in sorted(decks) if not said.has(f"ui.deck.{deck}")]
    missing += [deck for one in species for deck in one.decks if not terms.get(f"{deck}_card")]
    assert missing == []


@pytest.mark.parametrize(
    ("language", "name"),
    [("en", "Attack and Feeding"), ("it", "Attacco e Nutrizione"), ("fr", "Attaque et nutrition")],
)
def test_a_step_is_called_as_the_species_in_play_calls_it(
    app: Flask, language: str, name: str
) -> None:
    session = new_session()
    setup = {"do": "setup", "players": THREE, "species": "carnomorphs", "digital": True}
    assert session.submit(setup)["status"] == "done"
    assert session.submit({"do": "event_phase"})["status"] == "done"
    assert name in [step["label"] for step in shown("table", session, app, language)["steps"]]
    assert {step for one in load_content().species.values() for step in one.steps} <= set(STEPS)


@pytest.mark.parametrize(("language", "name"), [("en", "Lair"), ("it", "Tana"), ("fr", "Antre")])
def test_a_lairs_token_has_a_name_and_no_number(app: Flask, language: str, name: str) -> None:
    session = new_session()
    setup = {"do": "setup", "players": THREE, "species": "void_seeders", "digital": True}
    assert session.submit(setup)["status"] == "done"
    turned = {"do": "reveal", "room": "006", "tile": "canteen", "token": "lair"}
    assert session.submit(turned)["status"] == "done"
    log = json.dumps(shown("table", session, app, language)["log"], ensure_ascii=False)
    assert f" {name} " in log
    assert "unknown" not in log


def test_the_table_is_set_up_as_the_rulebook_of_the_aliens_says(app: Flask) -> None:
    """What leaves the box and what comes in besides, before all is shuffled (VS-06 to VS-21)."""
    session = new_session()
    truth = {"panic": "physical", "event": "physical"}
    setup = {"do": "setup", "players": THREE, "species": "void_seeders", "truth": truth}
    assert session.submit(setup)["status"] == "done"
    steps = {s["id"]: s["text"] for s in shown("table", session, app, "it")["checklist"]}
    order = list(steps)
    assert order.index("tiles_out") < order.index("tiles")
    assert order.index("tokens_changed") < order.index("exploration")
    assert "Stanza Piena di Secrezione" in steps["tiles_out"]
    assert "Secrezione ×2, Silenzio ×2" in steps["tokens_changed"]
    assert "Tana ×3" in steps["tokens_changed"]
    assert "mettine 19" in steps["exploration"]
    assert "Motore 3, 020 Motore 2, 021 Motore 1" in steps["exploration"]
    assert "3 carte Tracciato della Pazzia" in steps["insanity"]
    assert steps["panic"] == "Carte Panico · Annichiloidi: mescola le 20 carte."
    assert {"help", "event"} <= set(order)
    assert not [text for text in steps.values() if "plancia Intruso" in text]


def test_a_hint_says_what_is_so_among_the_aliens_in_play(app: Flask) -> None:
    """There is no Slime among Void Seeders, so Silence is never Danger (VS-68)."""
    said = {}
    for species in ("intruders", "void_seeders"):
        session = new_session()
        assert session.submit({"do": "setup", "players": THREE, "species": species})["status"]
        assert session.submit({"do": "noise_roll", "seat": 1})["status"] == "done"
        [asked] = session.view("table")[1]["prompts"]
        rolled = {"do": "answer", "prompt": asked["id"], "value": "silence"}
        assert session.submit(rolled)["status"] == "done"
        log = shown("table", session, app)["log"]
        said[species] = [line["hint"] for line in log if line.get("hint")][-1]
    assert "slimed" in said["intruders"]
    assert said["void_seeders"] == "Silence: nothing happens."


@pytest.mark.parametrize(
    ("species", "goes"), [("void_seeders", "Pazzia"), ("carnomorphs", "Mutazione")]
)
def test_an_item_does_what_the_rulebook_of_the_aliens_says(
    app: Flask, species: str, goes: str
) -> None:
    """The Antidote takes no Larva where there is none (VS-72, CA-18)."""
    session = new_session()
    assert session.submit({"do": "setup", "players": THREE, "species": species})["status"] == "done"
    terms = Terms(load_content(), "it", session.view("table")[1])
    assert goes in terms.card_text("antidote")
    assert "Larva" not in terms.card_text("antidote") + terms.card_text("alcohol")


def test_only_what_has_tokens_is_offered_for_the_bag(app: Flask) -> None:
    session = new_session()
    setup = {"do": "setup", "players": THREE, "species": "carnomorphs"}
    assert session.submit(setup)["status"] == "done"
    offered = {c["id"]: c["token"] for c in shown("table", session, app)["creatures"]}
    assert offered["metagorger_red"]
    assert not offered["metagorger"]


def test_objectives_are_read_as_the_aliens_in_play_have_them() -> None:
    """The one to be killed, and what is discarded instead of discovered (CA-57, VS-42)."""
    content = load_content()
    for species, killed in (("carnomorphs", "Butcher"), ("void_seeders", "Despoiler")):
        terms = Terms(content, "en", {"game": {"species": species}})
        assert killed in terms.objective_text("the_great_hunt")
        assert killed in terms.say("ask.fact_queen_killed", {"kind": strategy(species).trophy})
        told = [terms.objective_text(one) for one in content.objectives]
        assert not [text for text in told if "Queen" in text]
    carnomorphs = Terms(content, "en", {"game": {"species": "carnomorphs"}})
    assert not [o for o in content.objectives if "Weakness" in carnomorphs.objective_text(o)]
    assert "Queen" in Terms(content, "en", {}).objective_text("the_great_hunt")


OUTSIDE = """() => [...document.querySelectorAll(".front, .front *")]
  .filter((e) => e.getBoundingClientRect().width)
  .filter((e) => e.getBoundingClientRect().right > innerWidth || e.getBoundingClientRect().left < 0)
  .map((e) => e.outerHTML.slice(0, 80))"""


@pytest.mark.browser
@needs_browser
@pytest.mark.parametrize("language", LANGUAGES)
def test_questions_and_meals_stay_on_the_screen_where_letters_are_twice_as_large(
    room: Callable[..., Room],  # noqa: F811
    language: str,
) -> None:
    table = room(players=THREE, species="carnomorphs", digital=True)
    feed_four(table.session)
    phone = table.seat(1, language=language, size={"width": 360, "height": 780})
    phone.evaluate("document.documentElement.style.fontSize = '200%'")
    table.session.submit({"do": "event_phase", "step": "attack"})
    asked = []
    while prompts := table.session.view("table")[1]["prompts"]:
        prompt = prompts[0]
        phone.wait_for_selector(f".ask[data-prompt='{prompt['id']}']")
        assert phone.evaluate(OUTSIDE) == [], prompt["key"]
        asked.append(prompt["key"])
        value = True if prompt["pieces"] else prompt["options"][0]["id"]
        answer = {"do": "answer", "prompt": prompt["id"], "value": value}
        assert table.session.submit(answer)["status"] == "done"
    assert "ask.adaptation" in asked
    phone.wait_for_selector("#feeding .meal")
    phone.wait_for_selector(".ask", state="detached")
    assert phone.evaluate(OUTSIDE) == []
    table.session.submit({"do": "move", "seat": 1, "to": "006"})
    table.session.submit({"do": "encounter", "seat": 1})
    phone.wait_for_selector(".ask")
    assert phone.evaluate(OUTSIDE) == []
