"""A seat and its phones: the PIN that brings it back, what everybody is told, the Wi-Fi's code."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask

from companion.game.errors import BadInput, Refused
from companion.locale import words
from companion.table.session import Session
from tests.web.conftest import Phone, new_session, panel_of, take_seat
from tests.web.test_phones import Room, browser  # noqa: F401  a fixture
from tests.web.test_rooms import needs_browser
from web import Services, create_app
from web.pins import LOCK, TRIES, Pins
from web.qr import wifi
from web.settings import WebSettings

Phones = Callable[[], Phone]


def claimed(app: Flask, phone: Phone, seat: int) -> str:
    """Take a seat; returns the digits the phone was shown."""
    token = panel_of(app).keys.claim_token(seat)
    answer = phone.post("/api/claim", {"token": token}).json
    assert answer
    assert re.fullmatch(r"\d{4}", answer["pin"])
    return str(answer["pin"])


def other(pin: str) -> str:
    return f"{(int(pin) + 1) % 10_000:04}"


def test_a_pin_brings_the_seat_back_and_the_old_phone_is_told(
    app: Flask, phone: Phones, playing: Session
) -> None:
    old, new, table = phone(), phone(), phone()
    pin = claimed(app, old, 2)
    stream = panel_of(app).streams.open("seat:2", "seat:2", [2])
    assert "data-back" in new.get("/").text
    assert new.post("/api/recover", {"seat": 2, "pin": pin}).status_code == 200
    assert stream.reason == "moved"
    assert new.get("/seat/2").status_code == 200
    assert old.get("/seat/2").status_code == 401
    assert old.get("/api/me").json == {"seats": [], "host": False}
    told = panel_of(app).presence("en")
    assert told["notice"] == words("en").say("ui.notice.back", {"seat": "Scout"})
    assert told["moved"] == 2
    log = panel_of(app).page("table", "en")["log"]  # for who looked away: it stays there
    assert "PIN" in log[-1]["text"]
    assert "Scout" in log[-1]["text"]
    forged = {"do": "join", "seat": 1, "phone": "pin", "by": "table"}
    assert table.post("/api/command", forged).status_code == 200
    assert panel_of(app).page("table", "en")["log"] == log
    assert table.get("/seat/2").status_code == 401
    # The PIN stays good: the phone that was lost may be found again.
    assert old.post("/api/recover", {"seat": 2, "pin": pin}).status_code == 200


def test_a_pin_is_kept_as_a_slow_hash_only(app: Flask, phone: Phones, playing: Session) -> None:
    pin = claimed(app, phone(), 1)
    salt, hashed = playing.kept("web.pin.seat:1")
    slow = hashlib.scrypt(pin.encode(), salt=salt.encode(), n=2**13, r=8, p=1, dklen=32)
    assert hashed == slow.hex()
    assert pin not in json.dumps([salt[:3], hashed[:3]])
    again = Pins(playing)
    again.check(1, pin)  # after a restart
    with pytest.raises(Refused, match=r"pin\.none"):
        again.check(2, pin)


def test_another_claim_and_a_new_pin_void_the_old_one(
    app: Flask, phone: Phones, playing: Session
) -> None:
    player, stranger = phone(), phone()
    first = claimed(app, player, 1)
    assert stranger.post("/api/pin", {"seat": 1}).status_code == 401
    answer = player.post("/api/pin", {"seat": 1}).json
    assert answer
    second = answer["pin"]
    if second != first:
        assert stranger.post("/api/recover", {"seat": 1, "pin": first}).status_code == 403
    assert player.post("/api/free", {"seat": 1}).status_code == 200
    gone = stranger.post("/api/recover", {"seat": 1, "pin": second})
    assert gone.status_code == 403
    assert gone.json
    assert "no PIN" in gone.json["text"]


def test_guessing_is_told_to_the_table_and_stops(
    app: Flask, phone: Phones, playing: Session
) -> None:
    owner, thief = phone(), phone()
    pin = claimed(app, owner, 3)
    for _ in range(TRIES):
        wrong = thief.post("/api/recover", {"seat": 3, "pin": other(pin)})
        assert wrong.status_code == 403
    assert "wrong PIN" in panel_of(app).presence("en", [3])["notice"]  # the owner too
    locked = thief.post("/api/recover", {"seat": 3, "pin": pin})
    assert locked.status_code == 429
    assert locked.json
    assert "5 minutes" in locked.json["text"]
    assert owner.get("/seat/3").status_code == 200
    for body in ({"seat": 3, "pin": 4711}, {"seat": 9, "pin": pin}, {"seat": 3, "pin": "1" * 13}):
        assert thief.post("/api/recover", body).status_code == 400


def test_the_lock_doubles_survives_a_restart_and_ends_with_the_right_digits() -> None:
    now = [0.0]
    session = new_session()
    pins = Pins(session, lambda: now[0])
    pin = pins.new(4)

    def wrong(pins: Pins, seat: int = 4) -> str:
        with pytest.raises(Refused) as refused:
            pins.check(seat, other(pin))
        return refused.value.code

    assert [wrong(pins) for _ in range(TRIES + 1)] == ["pin.wrong"] * TRIES + ["pin.locked"]
    pins = Pins(session, lambda: now[0])  # switched off and on again
    assert wrong(pins) == "pin.locked"
    now[0] += LOCK + 1
    assert [wrong(pins) for _ in range(TRIES + 1)] == ["pin.wrong"] * TRIES + ["pin.locked"]
    now[0] += LOCK + 1
    assert wrong(pins) == "pin.locked"  # ten minutes now
    now[0] += LOCK
    pins.check(4, pin)
    assert wrong(pins) == "pin.wrong"  # counted from nothing again


def test_all_seats_together_take_twenty_tries_a_minute() -> None:
    now = [0.0]
    pins = Pins(new_session(), lambda: now[0])
    held = {seat: pins.new(seat) for seat in range(1, 6)}
    codes = []
    for _ in range(TRIES):
        for seat, pin in held.items():
            with pytest.raises(Refused) as refused:
                pins.check(seat, other(pin))
            codes.append(refused.value.code)
    assert codes == ["pin.wrong"] * 20 + ["pin.locked"] * 5


def test_only_the_host_is_offered_that_it_was_wrong(app: Flask, phone: Phones) -> None:
    """The news names the seat; the button to free it at once is drawn for the host alone."""
    host = phone()
    host.post("/api/host", {"code": "271828"})
    take_seat(phone(), app, 1)
    assert panel_of(app).presence("it", [])["moved"] == 1
    assert host.post("/api/free", {"seat": 1}).status_code == 200
    assert phone().post("/api/free", {"seat": 1}).status_code == 401


def test_the_codes_are_drawn_anew_when_the_address_changes(session: Session) -> None:
    found = ["192.168.1.5"]
    app = create_app(session, Services(addresses=lambda: found))
    phone = Phone(app.test_client())
    assert 'data-address="192.168.1.5"' in phone.get("/").text
    found[:] = ["10.77.0.1"]
    panel_of(app)._base = ("", 0.0)  # some seconds later
    assert panel_of(app).presence("en")["address"] == "10.77.0.1"
    page = phone.get("/").text
    assert 'data-address="10.77.0.1"' in page
    assert "10.77.0.1" in page.split('class="address"', 1)[1][:200]


@pytest.mark.parametrize(
    ("name", "password", "text"),
    [
        ("Anna", "abcd2345", "WIFI:T:WPA;S:Anna;P:abcd2345;;"),
        ('a;b,c:d"e\\f', "pass;word", r"WIFI:T:WPA;S:a\;b\,c\:d\"e\\f;P:pass\;word;;"),
        ("open", "", "WIFI:T:nopass;S:open;P:;;"),
    ],
)
def test_the_wifi_code_escapes_what_its_readers_split_at(
    name: str, password: str, text: str
) -> None:
    assert wifi(name, password) == text


def test_the_wifi_code_stands_before_the_seats_codes(session: Session, services: Services) -> None:
    held = replace(services, wifi=('Anna & "Bo"', "abcd2345"))
    page = Phone(create_app(session, held).test_client()).get("/").text
    assert "Anna &amp; &#34;Bo&#34;" in page
    shown = page.split("<main>", 1)[1]
    assert shown.index("abcd2345") < shown.index("192.168.1.5")
    without = Phone(create_app(session, services).test_client()).get("/").text
    assert "Wi-Fi first" not in without


@pytest.mark.browser
@needs_browser
@pytest.mark.parametrize("language", ["en", "it", "fr"])
def test_with_a_wifi_code_the_seats_codes_are_on_the_tables_screen_without_scrolling(
    browser: Any,  # noqa: F811
    services: Services,
    language: str,
) -> None:
    net, addresses = ("Tavolo di Nemesis", "abcd2345efgh"), ["192.168.178.100", "127.0.0.1"]
    held = replace(services, wifi=net, addresses=lambda: addresses)
    table = Room(browser, new_session(), held)
    screen = table.page("/", language=language, size={"width": 1280, "height": 800})
    screen.wait_for_selector("body[data-link=live]")
    codes = [c.bounding_box() for c in screen.locator(".chair:not([hidden]) .show").all()]
    big = [c.bounding_box() for c in screen.locator(".both .qr-card").all()]
    assert (len(codes), len(big)) == (3, 2)
    assert all(c["y"] + c["height"] <= 800 for c in codes)
    assert all(c["width"] >= 140 for c in big), "a phone reads them from its seat"
    table.close()


@pytest.mark.browser
@needs_browser
def test_wrong_digits_make_room_for_the_next_try(
    browser: Any,  # noqa: F811
    services: Services,
) -> None:
    table = Room(browser, new_session(), replace(services, addresses=tuple))
    lost = table.page("/")
    lost.click(".chair[data-seat='1'] [data-claim]")
    lost.wait_for_selector("#pin:has-text('PIN')")
    [pin] = re.findall(r"\d{4}", lost.inner_text("#pin"))
    phone = table.page("/", size={"width": 360, "height": 780})
    phone.click("[data-back='1']")
    phone.fill("[data-pin='1']", other(pin))
    phone.click(".pin-form button")
    phone.wait_for_selector(".pin-form [role=alert]:not(:empty)")
    assert phone.input_value("[data-pin='1']") == ""
    phone.keyboard.type(pin)  # the finger need not go back into the field
    phone.keyboard.press("Enter")
    phone.wait_for_selector(".chair.mine[data-seat='1']")
    table.close()


@pytest.mark.parametrize(
    ("given", "key"),
    [({"wifi_name": "è" * 17}, "web.wifi_name"), ({"wifi_password": "short"}, "web.wifi_password")],
)
def test_a_wifi_that_cannot_be_is_refused(given: dict[str, str], key: str) -> None:
    with pytest.raises(BadInput) as refused:
        WebSettings(**given)  # type: ignore[arg-type]
    assert refused.value.path == key


def test_who_comes_during_the_draft_finds_a_seat(
    app: Flask, session: Session, phone: Phones
) -> None:
    assert session.submit({"do": "setup", "players": [{}, {}], "draft": True})["status"] == "done"
    assert session.view("table")[1]["seats"] == []  # nobody has a character yet
    late = phone()
    page = late.get("/").text
    assert [page.count(f'class="chair " data-seat="{seat}"') for seat in range(1, 6)] == [
        1,
        1,
        0,
        0,
        0,
    ]
    take_seat(late, app, 2)
    assert 'href="/seat/2"' in late.get("/").text


def test_a_name_that_arrives_after_the_start_is_the_persons_name(session: Session) -> None:
    session.submit({"do": "setup", "players": [{"character": "scout", "name": "Bo"}, "medic"]})
    for seat in (1, 2):
        session.submit({"do": "join", "seat": seat, "name": "Anna"})
    assert [p["name"] for p in session.view("table")[1]["seats"]] == ["Bo", "Anna"]


def test_the_log_of_a_draft_goes_on_naming_the_players(
    app: Flask, session: Session, phone: Phones
) -> None:
    session.submit({"do": "join", "by": "device", "seat": 2, "name": "Bo"})
    players = [{"name": "Anna"}, {}, {}]
    session.submit({"do": "setup", "players": players, "draft": True, "digital": True})
    one = phone()

    def lines(audience: str = "table") -> list[str]:
        log = one.get(f"/api/log/{audience}").json["log"]
        return [one["text"] for one in log if one["rule"] == "BASE-59"]

    before: list[str] = []
    while prompts := session.view("table")[1]["prompts"]:
        before += lines()[len(before) :]
        value = prompts[0]["options"][0]["id"]
        session.submit({"do": "answer", "prompt": prompts[0]["id"], "value": value})
    after = lines()
    assert after[: len(before)] == before
    assert [line.split(" · ")[0] for line in after] == [*["Anna"] * 2, *["Bo"] * 2, *["Seat 3"] * 2]
    assert sum("plays" in line for line in after) == 3
    take_seat(one, app, 1)
    assert lines("seat:1") == after


def test_how_many_play_is_a_number_of_the_lobby(session: Session, phone: Phones) -> None:
    one = phone()
    for wrong in (0, 6, "3", True, None, [3]):
        assert one.post("/api/players", {"players": wrong}).status_code == 400
    assert one.post("/api/players", {"players": 4}).status_code == 200
    page = phone().get("/").text
    assert re.search(r'value="4" checked', page)
    session.submit({"do": "setup", "players": ["captain", "scout"]})
    assert one.post("/api/players", {"players": 3}).status_code == 409


def test_a_choice_of_the_lobby_is_one_that_there_is(session: Session, phone: Phones) -> None:
    one = phone()
    for wrong in ({}, {"name": "host", "value": "x"}, {"name": "board", "value": 3}):
        assert one.post("/api/choice", wrong).status_code == 400
    assert one.post("/api/choice", {"name": "name-6", "value": "x"}).status_code == 400
    assert one.post("/api/choice", {"name": "name-1", "value": "x" * 21}).status_code == 400
    assert one.post("/api/choice", {"name": ["board"], "value": "x"}).status_code == 400
    assert one.post("/api/choice", {"name": "name-1", "value": "Bo"}).status_code == 200
    session.submit({"do": "setup", "players": ["captain", "scout"]})
    assert one.post("/api/choice", {"name": "name-1", "value": "Bea"}).status_code == 409
