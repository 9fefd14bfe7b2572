"""The lobby with several phones: like last time, the draft, the steps that set the table up."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.table.folder import DataFolder
from companion.table.group import Group
from tests.running import until
from tests.web.conftest import new_session
from tests.web.test_phones import CHROMIUM, PHONE, Room, browser  # noqa: F401
from web import Services

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed"),
]
WIDE = {"width": 1280, "height": 800}
SMALL = {"width": 360, "height": 740}


@pytest.fixture
def folder(tmp_path: Path) -> DataFolder:
    made = DataFolder(tmp_path)
    made.create()
    return made


@pytest.fixture
def lobby(
    browser: Any,  # noqa: F811
    services: Services,
    folder: DataFolder,
) -> Iterator[Callable[[], Room]]:
    made: list[Room] = []

    def make() -> Room:
        session = new_session()
        group = Group(folder)
        session.watch(group.follow)
        made.append(Room(browser, session, replace(services, addresses=tuple, group=group)))
        return made[-1]

    yield make
    for one in made:
        complaints = one.complaints
        one.close()
        assert complaints == []


def sit(table: Room, seat: int, *, size: dict[str, int] = PHONE, language: str = "en") -> Any:
    phone = table.page("/", size=size, language=language)
    phone.click(f".chair[data-seat='{seat}'] [data-claim]")
    phone.wait_for_url(f"**/?seat={seat}")
    phone.wait_for_selector("body[data-link=live]")
    return phone


def test_two_phones_draft_their_characters_in_the_order_of_the_numbers(
    lobby: Callable[[], Room],
) -> None:
    table = lobby()
    screen = table.page("/", size=WIDE)
    phones = {1: sit(table, 1, size=SMALL, language="it"), 2: sit(table, 2)}
    screen.wait_for_selector("body[data-link=live]")
    screen.click(".pick:has([name=count][value='2'])")
    screen.fill("input.name[data-seat='1']", "Anna")
    screen.fill("input.name[data-seat='2']", "Bo")
    screen.click(".pick:has([name=characters][value=draft])")
    assert not screen.locator("select.character[data-seat='1']").is_visible()
    screen.click("#setup button.main")
    for seat, phone in phones.items():
        phone.wait_for_url(f"**/seat/{seat}")
    asked = []
    for _ in range(2):
        prompt = table.session.view("table")[1]["prompts"][0]
        seat = int(prompt["to"][0].removeprefix("seat:"))
        asked.append(seat)
        phone = phones[seat]
        phone.wait_for_selector(f".ask[data-prompt='{prompt['id']}'] .option")
        options = phone.locator(".ask .option")
        assert options.count() == 2
        assert ("Anna", "Bo")[seat - 1] in phone.inner_text(".ask")
        options.nth(1).click()
        phone.wait_for_selector(f".ask[data-prompt='{prompt['id']}']", state="detached")
    people = table.session.view("table")[1]["seats"]
    assert [p["number"] for p in sorted(people, key=lambda p: asked.index(p["seat"]))] == [1, 2]
    assert [p["name"] for p in people] == ["Anna", "Bo"]
    for seat, phone in phones.items():
        phone.wait_for_selector(f".chip[data-seat='{seat}']")


def test_how_many_play_is_seen_on_every_device_before_the_start(
    lobby: Callable[[], Room],
) -> None:
    table = lobby()
    screen, phone = table.page("/", size=WIDE), sit(table, 1, size=SMALL, language="it")
    screen.wait_for_selector("body[data-link=live]")
    assert phone.locator(".chair:visible").count() == 3
    screen.click(".pick:has([name=count][value='5'])")
    phone.wait_for_selector(".chair[data-seat='5']:not([hidden])")
    assert phone.locator("[name=count]:checked").get_attribute("value") == "5"
    assert phone.locator(".player:visible").count() == 5
    phone.click(".pick:has([name=count][value='2'])")
    screen.wait_for_selector(".chair[data-seat='3']", state="hidden")
    assert screen.locator("[name=count]:checked").get_attribute("value") == "2"
    late = table.page("/", size=SMALL, language="fr")
    assert late.locator("[name=count]:checked").get_attribute("value") == "2"
    assert late.locator(".chair:visible").count() == 2
    late.wait_for_selector("body[data-link=live]")
    late.click("#setup button.main")
    late.wait_for_url("**/table")
    assert len(table.session.view("table")[1]["seats"]) == 2


def test_what_is_chosen_on_one_device_is_chosen_on_every_other(lobby: Callable[[], Room]) -> None:
    table = lobby()
    screen, phone = table.page("/", size=WIDE), sit(table, 1, size=SMALL, language="it")
    for page in (screen, phone):
        page.wait_for_selector("body[data-link=live]")
    screen.click(".pick:has([name=species][value='void_seeders'])")
    screen.click(".pick:has([name=preset][value='everything'])")
    screen.locator(".player .name[data-seat='2']").press_sequentially("Bea")
    screen.keyboard.press("Tab")
    screen.select_option(".player .character[data-seat='2']", "medic")
    phone.wait_for_selector("[name=species][value='void_seeders']:checked", state="attached")
    phone.wait_for_selector("[name=preset][value='everything']:checked", state="attached")
    chosen = phone.locator(".player .character[data-seat='2']")
    until(lambda: phone.input_value(".player .name[data-seat='2']"), 10)
    assert phone.input_value(".player .name[data-seat='2']") == "Bea"
    assert chosen.input_value() == "medic"
    late = table.page("/", size=SMALL, language="fr")  # who comes later finds it too
    late.wait_for_selector("[name=species][value='void_seeders']:checked", state="attached")
    phone.click(".pick:has([name=species][value='intruders'])")
    screen.wait_for_selector("[name=species][value='intruders']:checked", state="attached")
    phone.click("#setup button.main")
    phone.wait_for_url("**/seat/1")
    game = table.session.view("table")[1]
    assert game["preset"] == "everything"
    assert game["seats"][1]["name"] == "Bea"
    assert game["seats"][1]["character"] == "medic"


def test_each_of_two_seats_of_one_phone_has_its_own_name(lobby: Callable[[], Room]) -> None:
    table = lobby()
    phone = sit(table, 1, size=SMALL)
    phone.fill("#wish [name=name]", "Anna")
    phone.keyboard.press("Tab")
    phone.click(".chair[data-seat='2'] [data-claim]")
    phone.fill("#wish [data-seat='2'] [name=name]", "Dave")
    phone.select_option("#wish [data-seat='2'] [name=character]", "medic")
    phone.wait_for_selector(".chair[data-seat='2'] .name:has-text('Dave')")
    people = table.session.view("table")[1]["people"]
    assert people["1"]["name"] == "Anna"
    assert people["2"]["name"] == "Dave"
    assert "character" not in people["1"] or people["1"]["character"] != "medic"
    assert phone.inner_text("#wish [data-seat='2'] h3").endswith("Seat 2")


def test_two_seats_of_one_phone_lead_to_each_other_as_soon_as_they_are_there(
    lobby: Callable[[], Room],
) -> None:
    table = lobby()
    phone, other = sit(table, 1, size=SMALL), sit(table, 3, size=SMALL)
    table.session.submit({"do": "setup", "players": [{}, {}, {}], "draft": True})
    phone.wait_for_url("**/seat/1")
    other.wait_for_url("**/seat/3")
    tab = phone.context.new_page()
    tab.goto(table.base)
    tab.click(".chair[data-seat='2'] [data-claim]")
    tab.wait_for_url("**/seat/2")
    tab.close()
    while prompts := table.session.view("table")[1]["prompts"]:
        if prompts[0]["params"]["seat"] != 3:  # both of this phone may have theirs by then
            assert phone.locator("#also a").count() == 0, "seats without a character have no name"
        value = prompts[0]["options"][0]["id"]
        table.session.submit({"do": "answer", "prompt": prompts[0]["id"], "value": value})
    name = table.session.view("table")[1]["seats"][1]["character"]
    phone.wait_for_selector("#also a[href='/seat/2']")
    assert phone.inner_text("#also a").lower() == name
    assert phone.locator("#also a").count() == 1
    phone.locator("#also a").tap()
    phone.wait_for_url("**/seat/2")
    phone.wait_for_selector("#also a[href='/seat/1']")
    other.wait_for_selector(".chip[data-seat='3']")
    assert other.inner_text("#also") == "", "another phone's seats are not its own"
    tab = other.context.new_page()
    tab.goto(table.base)
    phone.click("[data-do=more]")
    phone.click("#sheet [data-do=ask-leave]")
    phone.click("#sheet [data-do=leave]")
    phone.wait_for_url(table.base + "/")
    tab.click(".chair[data-seat='2'] [data-claim]")
    other.wait_for_selector("#also a[href='/seat/2']")  # taken while the page lay open


def test_two_seats_of_one_phone_lead_to_each_other_during_the_draft(
    lobby: Callable[[], Room],
) -> None:
    table = lobby()
    phone, other = sit(table, 1, size=SMALL, language="fr"), sit(table, 3, size=SMALL)
    phone.click(".chair[data-seat='2'] [data-claim]")
    phone.wait_for_selector(".chair[data-seat='2'].mine")
    table.session.submit({"do": "setup", "players": [{"name": "Anna"}, {}, {}], "draft": True})
    phone.wait_for_url("**/seat/1")
    link = phone.locator("#asks a[href='/seat/2']")
    link.wait_for()
    assert link.inner_text() == "Place 2"
    box = link.bounding_box()
    assert box["height"] >= 44
    assert box["y"] + box["height"] <= SMALL["height"], "in sight, below the question"
    other.wait_for_url("**/seat/3")
    other.wait_for_selector("#asks .ask")
    assert other.locator("#asks a").count() == 0, "another phone's seats are not its own"
    link.tap()
    phone.wait_for_url("**/seat/2")
    phone.locator("#asks a[href='/seat/1']").wait_for()
    while prompts := table.session.view("table")[1]["prompts"]:
        value = prompts[0]["options"][0]["id"]
        table.session.submit({"do": "answer", "prompt": prompts[0]["id"], "value": value})
    phone.wait_for_selector("#also a[href='/seat/1']")
    assert phone.locator("#asks a").count() == 0
    assert phone.locator("a[href='/seat/1']").count() == 1


def test_the_steps_of_the_setup_are_split_and_ticked_on_any_phone(
    lobby: Callable[[], Room],
) -> None:
    table = lobby()
    phones = {1: sit(table, 1, size=SMALL), 2: sit(table, 2, language="fr")}
    table.session.submit({"do": "setup", "players": ["captain", "pilot"]})
    steps = table.session.view("table")[1]["checklist"]
    for seat, phone in phones.items():
        phone.wait_for_url(f"**/seat/{seat}")
        phone.wait_for_selector("#setup-list:not([hidden])")
        mine = {s["id"] for s in steps if s["seat"] == seat}
        shown = phone.locator(".steps-of-setup > ul .check")
        assert {one.get_attribute("data-check") for one in shown.all()} == mine
    assert "Mélangez" in phones[2].inner_text("#setup-list")
    phones[1].click("[data-check='own_1']")
    phones[1].wait_for_selector("li.done [data-check='own_1']")
    phones[2].click("#setup-list summary")
    phones[2].wait_for_selector("li.done [data-check='own_1']")
    table.restart()  # the panel goes and comes back: what is ticked stays
    fresh = table.page("/table", size=WIDE)
    fresh.wait_for_selector("li.done [data-check='own_1']")
    colour = "e => getComputedStyle(e).backgroundColor"
    waiting = fresh.locator("#actions .main").evaluate(colour)
    fresh.click("[data-keep='close']")
    for phone in phones.values():
        phone.wait_for_selector("#setup-list", state="hidden")
    fresh.wait_for_selector("#setup-list", state="hidden")
    assert fresh.locator("#actions .main").evaluate(colour) != waiting, "not yet what is due"


def test_like_last_time_is_one_tap(lobby: Callable[[], Room], folder: DataFolder) -> None:
    first = lobby()
    for seat, name, language in ((1, "Anna", "it"), (2, "Bo", "fr")):
        person = {"do": "join", "seat": seat, "name": name, "language": language}
        first.session.submit(person)
    begun = first.session.submit(
        {
            "do": "setup",
            "board": "nemesis/advanced",
            "players": ["medic", "soldier"],
            "preset": "bag",
            "switches": {"heal_others": "no"},
            "truth": {"dice": "digital"},
            "numbers": "dealt",
            "coop": True,
        }
    )
    assert begun["status"] == "done"
    secrets = [c for p in first.session._table.state.seats.values() for c in p.objectives]
    group = folder.profiles / "group.json"
    until(group.exists, 10)  # it is written once everybody has the answer
    kept = group.read_text()
    assert not any(secret in kept for secret in secrets)

    again = lobby()
    screen = again.page("/", size=WIDE)
    screen.wait_for_selector("body[data-link=live]")
    assert screen.locator("#again .one").all_inner_texts() == ["Anna", "Bo"]
    assert screen.input_value("input.name[data-seat='2']") == "Bo"
    how = screen.inner_text("#again .hint")
    assert "All together" in how
    assert "Player numbers dealt at random" in how
    screen.click("#again button.main")
    screen.wait_for_url("**/table")
    view = again.session.view("table")[1]
    assert view["game"]["board"] == "nemesis/advanced"
    assert view["game"]["coop"] is True
    assert view["game"]["seating"] == {"numbers": "dealt", "characters": "chosen"}
    assert (view["preset"], view["switches"]) == ("bag", {"heal_others": "no"})
    assert view["truth"]["dice"] == "digital"
    seats = [(p["name"], p["language"], p["character"]) for p in view["seats"]]
    assert seats == [("Anna", "it", "medic"), ("Bo", "fr", "soldier")]


def test_the_group_is_forgotten_at_a_tap(lobby: Callable[[], Room], folder: DataFolder) -> None:
    held = {"board": "nemesis/basic", "players": [{"name": "Anna", "colour": "red"}]}
    (folder.profiles / "group.json").write_text(json.dumps(held))
    table = lobby()
    phone = table.page("/", size=SMALL)
    phone.click("#again summary")
    phone.click("#again .forget")
    phone.wait_for_selector("#again", state="detached")
    assert not (folder.profiles / "group.json").exists()


def test_what_an_older_version_kept_does_not_put_every_deck_into_the_box(
    folder: DataFolder,
) -> None:
    """It kept of every deck where it lay, and said of those nobody can read: in the box."""
    person = {"name": "Anna", "language": "it", "colour": "red", "character": "soldier"}
    held = {"board": "nemesis/basic", "species": "void_seeders", "players": [person]}
    written = json.dumps({**held, "truth": {"items": "digital"}})
    (folder.profiles / "group.json").write_text(written)
    again = Group(folder).remembered()
    assert again == held
    session = new_session()
    assert session.submit({"do": "setup", **again})["status"] == "done"
    view = session.view("table")[1]
    assert view["truth"]["items"] == "physical"
    Group(folder).follow(view)
    kept = Group(folder).remembered()
    assert kept
    assert kept["truth"] == view["truth"]


@pytest.mark.parametrize("rubbish", ["", "[]", "{}", '{"players": 3}', "\x00"])
def test_a_broken_profile_is_nobody(folder: DataFolder, rubbish: str) -> None:
    (folder.profiles / "group.json").write_text(rubbish)
    assert Group(folder).remembered() is None


def test_the_first_eliminated_player_plays_the_intruders_on_the_own_phone(
    lobby: Callable[[], Room],
) -> None:
    table = lobby()
    table.session.submit(
        {
            "do": "setup",
            "players": ["captain", "scout"],
            "intruder_player": True,
            "preset": "everything",
            "digital": True,
        }
    )
    table.session.submit({"do": "tick", "check": "all"})
    screen = table.page("/table", size=WIDE)
    phone = table.page("/", size=SMALL)
    phone.click(".chair[data-seat='2'] [data-claim]")
    phone.wait_for_url("**/seat/2")
    table.session.submit({"do": "death", "seat": 2})
    table.session.submit({"do": "event_phase", "step": "end"})
    phone.wait_for_selector(".ask.yes_no")
    phone.click(".ask.yes_no [data-value='true']")
    phone.wait_for_selector("#intruders:not([hidden])")
    table.session.submit({"do": "reveal", "room": "006", "tile": "canteen", "token": "fire/2"})
    table.session.submit({"do": "place", "piece": "adult", "to": "006"})
    while prompts := table.session.view("seat:1")[1]["prompts"]:
        value = prompts[0]["options"][0]["id"]
        answer = {"do": "answer", "by": "seat:1", "prompt": prompts[0]["id"], "value": value}
        table.session.submit(answer)
    phone.wait_for_selector("#intruders [data-move='2']")
    phone.click("#intruders [data-move='2']")  # corridor 2 of 006 leads to 011
    phone.wait_for_selector("#intruders option:has-text('011')", state="attached")
    phone.click("#intruders [data-attack='3']")
    phone.wait_for_selector("#secret .secret-asks [data-place='3']")
    asked = table.session.view("seat:2")[1]["prompts"][0]
    assert asked["secret"] is True
    assert table.session.view("table")[1]["prompts"] == []
    phone.click(".second")
    phone.wait_for_selector("#secret.shown .objective")
    assert phone.locator("#secret .cover .objective").count() == 3
    for _ in range(2):
        phone.click(".secret-asks [data-place='1']")
    phone.wait_for_selector(".secret-asks .ask", state="detached")
    screen.wait_for_selector("body[data-link=live]")
    assert table.session.view("table")[1]["last_card"]["deck"] == "attack"
    assert table.session.view("table")[1]["last_card"]["card"] == asked["options"][0]["id"]


def test_an_open_objective_is_read_on_any_page(lobby: Callable[[], Room]) -> None:
    table = lobby()
    setup = {"do": "setup", "players": ["captain", "scout"], "coop": True, "digital": True}
    table.session.submit(setup)
    screen = table.page("/table", size=WIDE)
    screen.click(".chip[data-seat='2'] .more")
    (card,) = table.session.view("table")[1]["seats"][1]["objectives"]["open"]
    title = table.session.content.objectives[card].names.get("en")
    assert title in screen.inner_text("#sheet .open-objective")


def test_what_somebody_chooses_stays_while_others_sit_down_and_write_their_names(
    lobby: Callable[[], Room],
) -> None:
    table = lobby()
    early = table.page("/table", size=WIDE)  # there is no game yet, and it hears of those who come
    screen = table.page("/", size=WIDE)
    screen.wait_for_selector("body[data-link=live]")
    screen.click(".pick:has([name=count][value='2'])")
    screen.click(".pick:has([name=board][value$='advanced'])")
    screen.fill("input.name[data-seat='2']", "Bo")
    phone = sit(table, 1, size=SMALL, language="it")
    screen.wait_for_selector(".chair[data-seat='1'] [data-back]")
    screen.click(".chair[data-seat='2'] [data-claim]")  # the host plays too
    screen.wait_for_selector("#wish")
    assert screen.input_value("input.name[data-seat='2']") == "Bo"
    phone.locator("#wish [name=name]").press_sequentially("Anna")  # and stays in the field
    screen.click("#setup button.main")
    for seat, page in ((1, phone), (2, screen)):
        page.wait_for_url(f"**/seat/{seat}")
    view = table.session.view("table")[1]
    assert view["game"]["board"] == "nemesis/advanced"
    assert [p["name"] for p in view["seats"]] == ["Anna", "Bo"]
    early.wait_for_selector("#seats .chip[data-seat='2']")


def choose_language(page: Any, language: str) -> None:
    with page.expect_navigation():
        page.locator("#menu summary").click()
        page.select_option("#language", language)
    page.wait_for_selector(f"html[lang={language}] body[data-link=live]")


def test_another_language_leaves_what_is_chosen(lobby: Callable[[], Room]) -> None:
    table = lobby()
    phone = sit(table, 1, size=SMALL)
    phone.select_option("#wish [name=character]", "medic")
    phone.fill("#wish [name=name]", "Anna")  # sent with the next letter or after a moment
    until(lambda: table.session.view("table")[1]["people"].get("1", {}).get("name") == "Anna", 10)
    choose_language(phone, "fr")
    assert phone.input_value("#wish [name=name]") == "Anna"
    assert phone.input_value("#wish [name=character]") == "medic"

    screen = table.page("/", size=WIDE)
    screen.wait_for_selector("body[data-link=live]")
    screen.wait_for_function("() => document.querySelector('input.name[data-seat=\"1\"]').value")
    screen.fill("input.name[data-seat='1']", "Annie")  # the host knows better
    screen.fill("input.name[data-seat='2']", "Bo")
    screen.select_option("select.character[data-seat='2']", "mechanic")
    chosen = {
        "count": "2",
        "numbers": "by_seat",
        "together": "coop",
        "board": "nemesis/advanced",
        "species": "carnomorphs",
        "preset": "everything",
        "dice": "digital",
    }
    screen.click(".together summary")
    for name, value in chosen.items():
        screen.click(f".pick:has([name={name}][value='{value}'])")
    choose_language(screen, "it")
    for name, value in chosen.items():
        assert screen.input_value(f"#setup [name={name}]:checked") == value
    assert screen.locator("#setup .player:visible").count() == 2
    assert screen.locator("[data-together=coop]").is_visible()
    screen.click("#setup button.main")
    screen.wait_for_url("**/table")
    view = table.session.view("table")[1]
    assert [(p["name"], p["character"]) for p in view["seats"]] == [
        ("Annie", "medic"),
        ("Bo", "mechanic"),
    ]
    assert (view["game"]["board"], view["game"]["species"]) == ("nemesis/advanced", "carnomorphs")
    assert (view["preset"], view["game"]["coop"]) == ("everything", True)
    assert view["truth"]["dice"] == "digital"


def test_a_seat_without_a_character_in_this_game_says_so(lobby: Callable[[], Room]) -> None:
    table = lobby()
    phones = {seat: sit(table, seat, size=SMALL) for seat in (1, 3)}
    table.session.submit({"do": "setup", "players": ["captain"]})
    for seat, page in phones.items():
        page.wait_for_url(f"**/seat/{seat}")  # every phone that sat down goes to its page
        page.wait_for_selector("body[data-link=live] #head .round")
    assert "Seat 3 has no character" in phones[3].inner_text("main")
    assert "has no character" not in phones[1].inner_text("main")


def test_figures_of_one_initial_bear_two_letters(lobby: Callable[[], Room]) -> None:
    table = lobby()
    table.session.submit({"do": "setup", "players": ["scout", "soldier", "captain"]})
    screen = table.page("/table", size=WIDE)
    screen.wait_for_selector("#board .figure text")
    marks = screen.locator("#board .figure text").all_text_contents()
    assert sorted(marks) == ["C", "Sc", "So"]
    assert screen.locator("#seats .dot").all_inner_texts() == ["Sc", "So", "C"]


@pytest.mark.parametrize("language", ["en", "it", "fr"])
def test_letters_of_figures_that_begin_alike_tell_them_apart(
    lobby: Callable[[], Room], language: str
) -> None:
    table = lobby()
    players = ["scientist", "scout", "mechanic", "medic", "soldier"]
    table.session.submit({"do": "setup", "players": players})
    screen = table.page("/table", size=WIDE, language=language)
    screen.wait_for_selector("#board .figure text")
    marks = dict(zip(players, screen.locator("#seats .dot").all_inner_texts(), strict=True))
    it = {"scientist": "Sc", "scout": "E", "mechanic": "Mc", "medic": "Md", "soldier": "So"}
    own = {**it, "scientist": "Se", "scout": "Su"}
    assert marks == (it if language == "it" else own)
    drawn = screen.locator("#board .figure text").all_text_contents()
    assert sorted(drawn) == sorted(marks.values())
    inside = "all => all.map((e) => e.getBoundingClientRect().width)"
    [disc] = {*map(round, screen.locator("#board .figure circle").evaluate_all(inside))}
    letters = screen.locator("#board .figure text").evaluate_all(inside)
    assert all(4 < width <= 0.8 * disc for width in letters), "within the figure's circle"
    fits = "all => all.every((e) => e.scrollWidth <= e.clientWidth)"
    assert screen.locator("#seats .dot").evaluate_all(fits)


def test_hint_and_news_leave_the_own_room_free(lobby: Callable[[], Room]) -> None:
    table = lobby()
    told = table.session.submit
    setup = {"players": ["captain", "scout"], "digital": True, "truth": {"objectives": "physical"}}
    assert told({"do": "setup", **setup})["status"] == "done"
    told({"do": "tick", "check": "all"})
    told({"do": "place", "piece": "captain", "to": "015"})
    phone = sit_down(table, 1)
    told({"do": "place", "piece": "adult", "to": "015"})
    assert told({"do": "encounter", "seat": 1})["status"] == "done"
    phone.wait_for_selector("#asks .ask")
    phone.wait_for_selector("#hint .first-time")
    phone.wait_for_selector("#latest .told")
    phone.wait_for_function(
        """() => document.querySelector("#room-015").getBoundingClientRect().bottom
            <= document.querySelector(".front").getBoundingClientRect().top"""
    )


def sit_down(table: Room, seat: int) -> Any:
    """A phone of 360 by 780 on its seat of a running game."""
    return table.seat(seat, size={"width": 360, "height": 780})
