"""A card that nobody knows: its symbols in three taps, by its name in one the next time."""

from __future__ import annotations

import pytest

from tests.web.test_fight import enemy
from tests.web.test_phones import Room, browser, room  # noqa: F401  fixtures
from tests.web.test_rooms import THREE, Make, Taps, hears, needs_browser


@pytest.fixture
def table(room: Make) -> Room:  # noqa: F811
    made = room(players=THREE, digital=True, truth={"attack": "physical", "event": "physical"})
    for piece in THREE[1:]:
        made.session.submit({"do": "place", "piece": piece, "to": "001"})
    enemy(made, "011", "adult")
    return made


@pytest.mark.browser
@needs_browser
def test_an_attack_card_is_entered_in_three_taps_and_then_known(table: Room) -> None:
    page = table.seat(1)
    table.session.submit({"do": "event_phase", "step": "attack"})
    taps = Taps(page)
    taps.on("#asks details.line summary")
    assert page.locator("#asks details.line button.big").is_disabled()
    taps.on("#asks details.line button[data-value=adult]")
    taps.on("#asks details.line button.big")
    hears(page, "do what the card says")
    assert taps.count == 3
    table.session.submit({"do": "event_phase", "step": "attack"})
    page.locator("#asks details.line summary").tap()
    page.fill("#asks details.line input", "Whip")
    page.locator("#asks details.line button[data-value=adult]").tap()
    assert page.locator("#asks details.line button.big").is_disabled()  # a number is missing
    page.locator("#asks details.line button[data-value='6']").tap()
    page.locator("#asks details.line button.big").tap()
    hears(page, "Whip hits")
    table.session.submit({"do": "event_phase", "step": "attack"})
    again = Taps(page)
    again.on("#asks button.option[data-value='learnt:Whip']", "Whip")
    page.wait_for_selector("#asks details.line", state="detached")
    assert again.count == 1


@pytest.mark.browser
@needs_browser
def test_a_card_with_two_numbers_is_remembered_with_both(room: Make) -> None:  # noqa: F811
    truth = {"attack": "physical", "weaknesses": "digital"}
    setup = {"species": "carnomorphs", "preset": "everything", "truth": truth}
    made = room(players=THREE, digital=True, **setup)
    for piece in THREE[1:]:
        made.session.submit({"do": "place", "piece": piece, "to": "001"})
    enemy(made, "011", "shambler")
    page = made.seat(1)
    made.session.submit({"do": "event_phase", "step": "attack"})
    page.locator("#asks details.line summary").tap()
    page.fill("#asks details.line input", "Lash")
    rows = page.locator("#asks details.line .options")
    done = page.locator("#asks details.line button.big")
    rows.nth(0).locator("button[data-value='2']").tap()
    page.locator("#asks details.line button[data-value=shambler]").tap()
    assert done.is_disabled()  # the number of all others is missing
    rows.nth(1).locator("button[data-value='7']").tap()
    done.tap()
    hears(page, "Lash hits")
    learnt = made.session.view("host")[1]["host"]["learnt"]["attack:Lash"]
    assert learnt["blood"] == {"metagorger": 2, "other": 7}


@pytest.mark.browser
@needs_browser
def test_an_event_card_needs_its_corridor(table: Room) -> None:
    page = table.seat(1)
    table.session.submit({"do": "event_phase", "step": "event"})
    taps = Taps(page)
    taps.on("#asks details.line summary")
    taps.on("#asks details.line button[data-value=breeder]")
    assert page.locator("#asks details.line button.big").is_disabled()
    taps.on("#asks details.line button[data-value='4']")
    taps.on("#asks details.line button.big")
    hears(page, "do what the card says")
    last = table.session.view("table")[1]["last_card"]
    assert (last["corridors"], last["moves"]) == ([4], ["breeder"])


@pytest.mark.browser
@needs_browser
def test_the_host_forgets_what_was_mistyped(table: Room) -> None:
    table.session.submit({"do": "event_phase", "step": "attack"})
    [asked] = table.session.view("table")[1]["prompts"]
    line = {"name": "Wihp", "blood": 6, "attackers": ["adult"], "effect": "none"}
    table.session.submit({"do": "answer", "prompt": asked["id"], "value": line})
    host = table.page("/host")
    host.fill("#digits", "271828")
    host.click("#key button")
    host.locator("#learnt .setting", has_text="Intruder Attack cards: Wihp").wait_for()
    host.locator("#learnt button", has_text="Forget").tap()
    host.locator("#learnt .setting").wait_for(state="detached")
    table.session.submit({"do": "event_phase", "step": "attack"})
    [asked] = table.session.view("table")[1]["prompts"]
    assert "learnt:Wihp" not in [o["id"] for o in asked["options"]]


@pytest.mark.browser
@needs_browser
def test_a_mutation_nobody_knows_is_offered_once_and_its_name_apart(
    room: Make,  # noqa: F811
) -> None:
    made = room(players=THREE, species="carnomorphs")
    made.session.submit({"do": "mutation", "seat": 1, "on": True})
    made.session.submit({"do": "contaminate", "seat": 1})
    page = made.seat(1)
    made.session.submit({"do": "mutation_action", "seat": 1})
    page.wait_for_selector("#asks details.line")
    offered = [*page.locator("#asks .options .option").all_inner_texts()]
    form = page.locator("#asks details.line summary")
    assert form.inner_text() not in offered
    assert offered.count("Another card") == 1
    form.tap()
    page.fill("#asks details.line input", "Claws")
    page.locator("#asks details.line button.big").tap()
    hears(page, "Claws")
