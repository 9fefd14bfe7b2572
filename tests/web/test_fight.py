"""Fighting on a phone, in taps: shot, blow, a card, and the offer beside a hit."""

from __future__ import annotations

from typing import Any

import pytest

from tests.running import until
from tests.web.test_phones import Room, browser, room  # noqa: F401  fixtures
from tests.web.test_rooms import THREE, Make, Taps, hears, needs_browser, stand


@pytest.fixture
def table(room: Make) -> Room:  # noqa: F811
    return room(players=THREE, digital=True)


def shoots(page: Any) -> list[str]:
    """What the buttons that shoot say, as it is read aloud."""
    said = [" ".join(t.split()) for t in page.locator("#actions .shoot").all_inner_texts()]
    return [t for t in said if t.startswith("Shoot ")]


def enemy(table: Room, where: str, piece: str = "queen") -> None:
    """An Intruder stands there by hand, and everybody has chosen an objective."""
    assert table.session.submit({"do": "place", "piece": piece, "to": where})["status"] == "done"
    while prompts := [
        (seat, p) for seat in range(1, 6) for p in table.session.view(f"seat:{seat}")[1]["prompts"]
    ]:
        seat, prompt = prompts[0]
        value = prompt["options"][0]["id"]
        answer = {"do": "answer", "prompt": prompt["id"], "value": value, "by": f"seat:{seat}"}
        assert table.session.submit(answer)["status"] == "done"


@pytest.mark.browser
@needs_browser
def test_a_shot_and_a_blow_are_one_tap_with_the_dice_of_the_box(table: Room) -> None:
    enemy(table, "011")
    page = table.seat(1)
    taps = Taps(page)
    taps.on("#actions button[data-do=injure]", "Shoot Queen")
    hears(page, "Queen · ")
    assert taps.count <= 2
    before = table.session.view("table")[1]["seats"][0]["contamination"]
    taps.on("#actions button[data-do=injure]", "Melee Queen")
    hears(page, "Contamination")
    until(lambda: table.session.view("table")[1]["seats"][0]["contamination"] == before + 1, 20)


@pytest.mark.browser
@needs_browser
def test_equal_intruders_of_a_room_are_one_row_of_buttons(table: Room) -> None:
    enemy(table, "011", "adult")
    for piece in ("adult", "creeper"):
        enemy(table, "011", piece)
    page = table.seat(1)
    page.wait_for_selector("#actions button[data-do=injure] >> nth=0")
    shots = shoots(page)
    assert shots == ["Shoot Adult ×2", "Shoot Creeper"]
    table.session.submit({"do": "injure", "intruder": "adult#1", "hits": 1})
    page.wait_for_selector("#actions .shoot:has-text('(1)')")
    shots = shoots(page)
    assert sorted(shots) == ["Shoot Adult", "Shoot Adult (1)", "Shoot Creeper"]


@pytest.mark.browser
@needs_browser
def test_a_card_is_played_from_the_row_of_buttons(table: Room) -> None:
    stand(table, "003", "comms_room")
    table.session.submit({"do": "place", "piece": "malfunction", "to": "003"})
    page = table.seat(1)
    taps = Taps(page)
    taps.on("#actions button[data-do=cards]")
    taps.on("#sheet button[data-card=tools]")
    hears(page, "Tools")
    assert taps.count == 2
    assert not table.session.view("table")[1]["rooms"]["003"]["malfunction"]


@pytest.mark.browser
@needs_browser
def test_what_may_be_cancelled_is_a_button_and_no_question(table: Room) -> None:
    for piece in ("captain", "scout"):
        table.session.submit({"do": "place", "piece": piece, "to": "006"})
    enemy(table, "011", "larva")
    table.session.submit({"do": "event_phase", "step": "attack"})
    [asked] = table.session.view("table")[1]["prompts"]  # who carries a Larva already
    table.session.submit({"do": "answer", "prompt": asked["id"], "value": []})
    page = table.seat(3)
    assert table.session.view("table")[1]["prompts"] == []
    assert table.session.view("table")[1]["seats"][2]["larva"]
    taps = Taps(page)
    taps.on("#asks .offer[data-offer=armor] button.option")
    hears(page, "Armor")
    page.wait_for_selector("#asks .offer", state="detached")
    assert taps.count == 1
    view = table.session.view("table")[1]
    assert not view["seats"][2]["larva"]
    assert [i["type"] for i in view["rooms"]["011"]["intruders"]] == ["larva"]


#: The question itself: what the card does then may ask on.
FEWEST = "#asks .ask.faces:has-text('fewest')"


def fewest(table: Room) -> None:
    """Two stand with an Intruder that attacks: who has the fewest cards is asked."""
    for piece in ("scout", "soldier"):
        table.session.submit({"do": "place", "piece": piece, "to": "006"})
    enemy(table, "006", "queen")
    table.session.submit({"do": "event_phase", "step": "attack"})
    [asked] = table.session.view("table")[1]["prompts"]
    assert asked["key"] == "ask.fewest_cards"


@pytest.mark.browser
@needs_browser
def test_who_has_the_fewest_is_one_tap_and_equal_ones_are_said_first(table: Room) -> None:
    fewest(table)
    page = table.seat(1)
    taps = Taps(page)
    taps.on("#asks .ask.faces .person", "Soldier")
    page.wait_for_selector(FEWEST, state="detached")
    assert taps.count == 1
    table.session.submit({"do": "undo"})
    page.wait_for_selector(FEWEST, state="detached")
    table.session.submit({"do": "event_phase", "step": "attack"})
    taps.on("#asks .ask.faces [data-keep=equal]")
    for who in ("Scout", "Soldier"):
        taps.on("#asks .ask.faces .person", who)
    taps.on("#asks .ask.faces [data-keep=send]")
    page.wait_for_selector(FEWEST, state="detached")
    assert taps.count == 5


@pytest.mark.browser
@needs_browser
def test_the_medic_shoots_with_the_needle_gun(room: Make) -> None:  # noqa: F811
    table = room(players=["medic", "scout"], truth={"dice": "physical"}, digital=True)
    enemy(table, "011")
    page = table.seat(1)
    taps = Taps(page)
    taps.on("#actions button[data-do=injure]", "Shoot Queen")
    taps.on("#asks .ask.roll [data-value=two_crosshairs]")
    page.wait_for_selector("#room-011:not(:has(.intruder))")
    assert taps.count == 2
    rooms = table.session.view("table")[1]["rooms"].values()
    assert [i["injuries"] for r in rooms for i in r["intruders"]] in ([0], [])


@pytest.mark.browser
@needs_browser
def test_who_waits_in_a_pod_launches_it_on_the_own_phone(table: Room) -> None:
    phone = table.seat(1)
    stand(table, "004", "evacuation_section_a")
    pod = next(p["id"] for p in table.session.view("table")[1]["pods"] if p["section"] == "a")
    for action in ("unlock", "board"):
        boards = {"do": "pod", "action": action, "pod": pod, "seat": 1, "by": "seat:1"}
        assert table.session.submit(boards)["status"] == "done"
    [asked] = table.session.view("table")[1]["prompts"]
    wait = {"do": "answer", "prompt": asked["id"], "value": "wait", "by": "seat:1"}
    assert table.session.submit(wait)["status"] == "done"
    phone.wait_for_selector(".chip.pod_waiting[data-seat='1']")
    assert phone.locator("#actions [data-do='pod']").count() == 0  # waiting is passing
    assert table.session.submit({"do": "event_phase", "step": "end"})["status"] == "done"
    phone.wait_for_selector("#actions [data-do='pod'] >> nth=1")
    assert phone.locator("#actions [data-do='pass']").is_visible()
    assert phone.locator(".chip[data-seat='1'] .more").is_visible()
    phone.locator("#actions [data-do='pod']").first.click()
    phone.wait_for_selector(".chip.launched[data-seat='1']")


def burns_and_is_attacked(table: Room) -> None:
    """Everybody stands in a Fire beside an Intruder, the first one hurt, as the phase begins."""
    enemy(table, "011", "adult")
    table.session.submit({"do": "wound", "seat": 1, "kind": "light"})
    table.session.submit({"do": "place", "piece": "fire", "to": "011"})
    table.session.submit({"do": "event_phase"})


@pytest.mark.browser
@needs_browser
def test_wounds_are_shown_as_they_were_told_and_a_tap_on_a_name_is_one_more(table: Room) -> None:
    burns_and_is_attacked(table)
    page = table.seat(1)
    page.wait_for_selector("#asks .pieces select")
    shown = [box.input_value() for box in page.locator("#asks .pieces select").all()]
    assert shown == ["2-0", "1-0", "1-0"], "the Fire's Light Wound is counted"
    taps = Taps(page)
    taps.on("#asks .pieces button", "Captain")
    page.wait_for_function("() => document.querySelector('#asks .pieces select').value === '0-1'")
    captain = page.locator(".figure[data-piece='captain']")
    assert captain.get_attribute("data-room") == "011", "a wound moves nobody on the map"
    taps.on("#asks button.main", "It is as shown")
    until(lambda: ("light_wounds_clear", 1) in told(table), 20)
    assert ("light_wound", 2) in told(table)
    assert taps.count == 2


@pytest.mark.browser
@needs_browser
def test_wounds_are_read_in_large_letters_and_no_tap_makes_the_dying_well(table: Room) -> None:
    burns_and_is_attacked(table)
    page = table.seat(1, size={"width": 360, "height": 780})
    page.wait_for_selector("#asks .pieces select")
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    row = page.locator("#asks .pieces .row").first.bounding_box()
    for part in ("button", "select"):
        box = page.locator(f"#asks .pieces {part}").first.bounding_box()
        assert box["width"] >= row["width"] - 1, "whole words want the whole row"
    captain = page.locator("#asks .pieces select").first
    captain.select_option("dead")
    page.locator("#asks .pieces button", has_text="Captain").tap()
    page.wait_for_function("() => document.querySelector('#asks .pieces select').value === '2-0'")


def told(table: Room) -> list[tuple[str, object]]:
    """The lines of the table's log: what, and of whom."""
    return [
        (line["type"], line["params"].get("seat")) for line in table.session.view("table")[1]["log"]
    ]
