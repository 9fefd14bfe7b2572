"""What stands beside the game: rules at hand, statistics, hints of a first game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.library import RuleSearch
from companion.locale import languages, words
from companion.table.session import Session
from tests.running import until
from tests.web.conftest import Phone
from tests.web.test_phones import (  # noqa: F401  fixtures of a real browser
    THREE,
    Room,
    browser,
    pytestmark,
    room,
)
from web.present import page as page_of

Phones = Callable[[], Phone]


def found(phone: Phone, text: str) -> list[dict[str, Any]]:
    answer = phone.get("/api/rules") if not text else phone.get(f"/api/rules?q={text}")
    assert answer.status_code == 200
    assert answer.json is not None
    rules: list[dict[str, Any]] = answer.json["rules"]
    return rules


def test_any_phone_finds_a_rule_in_its_language(phone: Phones, playing: Session) -> None:
    reader = phone()
    reader.get("/")
    assert reader.post("/api/language", {"language": "it"}).status_code == 200
    first = found(reader, "nido")[0]
    assert first["id"] == "BASE-247"
    assert first["title"] == "Nido"
    assert "Uovo" in first["text"]
    assert found(reader, "") == []


def test_a_room_number_tells_only_of_a_tile_that_lies_open(phone: Phones, playing: Session) -> None:
    reader = phone()
    assert found(reader, "011")[0]["title"] == "Hibernatorium"
    hidden = [r["title"] for r in found(reader, "006")]
    playing.start()
    playing.submit({"do": "reveal", "room": "006", "by": "table"})
    tile = playing.view("table")[1]["rooms"]["006"]["tile"]
    shown = found(reader, "006")[0]
    assert shown["title"] == playing.content.tiles[tile].names.get("en")
    assert shown["title"] not in hidden
    playing.stop()


def test_only_the_host_turns_statistics_on(phone: Phones, playing: Session) -> None:
    player, host = phone(), phone()
    assert player.command("statistics", on=True).status_code == 422
    assert host.post("/api/host", {"code": "271828"}).status_code == 200
    playing.start()
    assert host.command("statistics", by="host", on=True).status_code == 200
    _, view = playing.view("seat:2")
    shown = page_of(view, playing.content, "fr")["statistics"]
    assert sum(kind["count"] for kind in shown["bag"]) == view["bag"]["count"]
    assert [hand["label"] for hand in shown["surprise"]][:2] == ["0 carte", "1 carte"]
    playing.stop()


def test_every_hint_belongs_to_a_line_of_the_log() -> None:
    for language in languages():
        said = words(language)
        hints = [key for key in sorted(said.keys()) if key.startswith("hint.")]
        assert len(hints) > 20
        for key in hints:
            assert said.has(f"log.{key.split('.')[1]}"), key  # a species may word its own


def test_a_hint_comes_once_and_can_be_sent_away(room: Callable[..., Room]) -> None:  # noqa: F811
    table = room(players=THREE, digital=True)
    phone = table.seat(1)
    table.session.submit({"do": "place", "piece": "fire", "to": "006", "by": "table"})
    hint = phone.locator(".first-time")
    hint.get_by_text("ninth Fire").wait_for()
    phone.click("[data-keep=hint]")
    hint.wait_for(state="detached")
    table.session.submit({"do": "place", "piece": "fire", "to": "007", "by": "table"})
    phone.locator("#log li").filter(has_text="007").first.wait_for()
    assert hint.count() == 0
    table.session.submit({"do": "place", "piece": "malfunction", "to": "011", "by": "table"})
    hint.wait_for()
    phone.click(".first-time .plain")
    phone.reload()
    phone.locator("#log li").first.wait_for()
    assert hint.count() == 0


def test_a_hint_that_was_read_stays_away_when_the_page_is_loaded_anew(
    room: Callable[..., Room],  # noqa: F811
) -> None:
    table = room(players=THREE, digital=True)
    phone = table.seat(1)
    table.session.submit({"do": "place", "piece": "fire", "to": "006", "by": "table"})
    hint = phone.locator(".first-time:not(.reading)")
    hint.wait_for()
    phone.reload()
    hint.wait_for()  # not read yet
    phone.click("[data-keep=hint]")
    hint.wait_for(state="detached")
    phone.reload()
    phone.locator("#log li").filter(has_text="006").first.wait_for(state="attached")
    assert hint.count() == 0
    table.session.submit({"do": "place", "piece": "malfunction", "to": "011", "by": "table"})
    hint.wait_for()  # another one is news


@pytest.mark.parametrize("language", ["en", "it", "fr"])
def test_a_hint_leaves_a_small_phone_its_map_and_its_secrets(
    room: Callable[..., Room],  # noqa: F811
    language: str,
) -> None:
    table = room(players=THREE, digital=True)
    table.session.submit({"do": "tick", "check": "all"})
    phone = table.seat(1, language=language, size={"width": 360, "height": 780})
    box, text = phone.locator("#hint"), phone.locator("#hint .first-time p")
    table.session.submit({"do": "place", "piece": "fire", "to": "006", "by": "table"})
    text.wait_for()
    assert text.bounding_box()["height"] <= 42  # two lines
    assert box.bounding_box()["height"] <= 110
    text.click()  # the whole of it
    phone.wait_for_selector("#hint.whole")
    assert text.bounding_box()["height"] > 42
    assert phone.locator("[data-keep=hint]").is_visible()
    table.session.submit({"do": "slime", "seat": 1, "on": True})
    phone.wait_for_selector("#hint:not(.whole)")  # the next one begins small again
    assert text.bounding_box()["height"] <= 42
    phone.mouse.move(180, 300)
    phone.mouse.wheel(0, 700)  # on to the secrets
    phone.wait_for_selector("#hint.late")
    assert box.bounding_box()["height"] <= 40
    assert not phone.locator("[data-keep=hint]").is_visible()
    text.click()
    assert phone.locator("[data-keep=hint]").is_visible()


def test_a_log_out_of_sight_is_short_and_whole_where_somebody_looks(
    room: Callable[..., Room],  # noqa: F811
) -> None:
    table = room(players=THREE, digital=True)
    for n in range(20):
        table.session.submit({"do": "first_player", "seat": 1 + (n + 1) % 3})
    every = len(table.session.view("seat:1")[1]["log"])
    phone = table.seat(1)
    lines = phone.locator("#log li")
    lines.first.wait_for(state="attached")
    assert 0 < lines.count() < 20
    phone.evaluate("document.querySelector('#log').scrollIntoView()")
    phone.wait_for_function("n => document.querySelectorAll('#log li').length >= n", arg=every)


def test_rules_and_statistics_on_a_phone(room: Callable[..., Room]) -> None:  # noqa: F811
    table = room(players=THREE, digital=True)
    phone = table.seat(2, language="it")
    table.session.submit({"do": "statistics", "on": True, "by": "host"})
    phone.click("[data-do=more]")
    phone.click("[data-do=rules]")
    phone.fill(".search", "doccia")
    phone.locator(".found .rule h3", has_text="Doccia").first.wait_for()
    phone.locator(".symbols button").first.click()
    phone.locator(".found .rule").first.wait_for()
    wide = phone.evaluate("document.querySelector('#sheet').scrollWidth <= innerWidth")
    assert wide
    phone.click("#sheet header button")
    phone.click("[data-do=more]")
    phone.click("[data-do=statistics]")
    assert phone.locator("#sheet .odds").count() == 2
    assert phone.locator("#sheet .odds").nth(1).locator("tr").count() == 8


def test_the_rules_page_without_a_seat_and_without_the_wifi(
    room: Callable[..., Room],  # noqa: F811
) -> None:
    """Out of reach of the table the page finds what the table finds, in its order."""
    table = room(players=THREE, species="void_seeders")
    with_all = "**/api/rules/all"
    phone = table.page("/rules", language="fr")
    phone.route(with_all, lambda way: way.fulfill(response=way.fetch()))
    with phone.expect_response(with_all):
        phone.reload()
    search = RuleSearch(table.session.content, "fr")
    phone.context.set_offline(True)
    slips = (
        "génératirce",
        "brit de salle",
        "henerator",
        "générratrice",
        "hibernatoriun",
        "oeufs",
        "eteindre",
    )
    for text in ("bruit", "génératrice", "nid", "salle feu", "FAQ-A17", *slips):
        phone.fill(".search", text)
        phone.locator(".found").wait_for()
        ids = [hit.rule.id for hit in search.find(text, species="void_seeders")]
        phone.wait_for_function(
            """ids => [...document.querySelectorAll(".found > .rule > small")]
              .map((s) => s.textContent.split(" · ")[0]).join() === ids.join()""",
            arg=ids,
        )
        assert ids


@pytest.mark.parametrize(
    ("language", "typed"),
    [
        ("en", ("engine", "FIRE room", "FAQ-A17", "noise")),
        ("it", ("motore", "DOCCIA", "PUÒ", "rumore")),
        ("fr", ("generatrice", "GÉNÉRATRICE", "nid", "bruit")),
    ],
)
def test_a_seat_that_never_opened_the_rules_finds_them_out_of_reach(
    room: Callable[..., Room],  # noqa: F811
    language: str,
    typed: tuple[str, ...],
) -> None:
    """They come in a quiet moment: who loses the table before opening them finds what it finds."""
    table = room(players=THREE, digital=True)
    search = RuleSearch(table.session.content, language)
    phone = table.seat(1, language=language)
    phone.clock.install()
    phone.reload()
    phone.wait_for_selector("body[data-link=live] #head .round")
    with phone.expect_response("**/api/rules/all"):
        phone.clock.run_for(16_000)
    phone.context.set_offline(True)
    phone.click("[data-do=more]")
    phone.click("[data-do=rules]")
    for text in typed:
        phone.fill(".search", text)
        ids = [hit.rule.id for hit in search.find(text, species="intruders")]
        phone.wait_for_function(
            """ids => [...document.querySelectorAll(".found > .rule > small")]
              .map((s) => s.textContent.split(" · ")[0]).join() === ids.join()""",
            arg=ids,
        )
        assert ids


def test_what_can_be_answered_does_not_go_away(room: Callable[..., Room]) -> None:  # noqa: F811
    """A refusal that may be taken anyway stays; one that says something only goes by itself."""
    table = room(players=THREE, digital=True)
    table.session.submit({"do": "door", "corridor": "006-011", "state": "closed", "by": "table"})
    phone = table.seat(1)
    phone.clock.install()
    phone.click("#room-006 .floor")
    phone.locator("#notice button").first.wait_for()
    phone.clock.run_for(20_000)
    assert phone.locator("#notice").is_visible()
    phone.get_by_role("button", name="It happened anyway").click()
    phone.locator("#notice").wait_for(state="hidden")
    assert table.session.view("table")[1]["seats"][0]["room"] == "006"


def test_the_start_page_shows_the_way_to_a_new_game(room: Callable[..., Room]) -> None:  # noqa: F811
    table = room(players=THREE, digital=True)
    table.session.submit({"do": "game_end", "cause": "table", "by": "host"})
    page = table.page("/")
    page.locator("a", has_text="new game").click()
    page.wait_for_url("**/host")


def test_a_reading_is_offered_when_it_first_matters(room: Callable[..., Room]) -> None:  # noqa: F811
    table = room(players=THREE, digital=True)
    phone = table.seat(1)
    into_company = (
        {"do": "reveal", "room": "006", "tile": "canteen", "token": "malfunction/1"},
        {"do": "place", "piece": "scout", "to": "006"},
        {"do": "move", "seat": 1, "to": "006", "careful": True},
    )
    for command in into_company:
        assert phone.locator(".reading").count() == 0
        assert table.session.submit(command)["status"] == "done"
    phone.wait_for_selector(".reading summary")
    assert not phone.locator(".reading [data-value=yes]").is_visible()  # folded: no question
    phone.click(".reading summary")
    phone.click(".reading [data-value=yes]")
    phone.wait_for_selector(".reading", state="detached")
    assert until(lambda: table.session.view("table")[1]["switches"], 5) == {
        "careful_marks_occupied": "yes"
    }
    other = table.page("/table")
    other.locator("#log li").first.wait_for()
    assert other.locator(".reading").count() == 0  # the table has chosen
