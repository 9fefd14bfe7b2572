"""Claiming a seat, losing it to another phone, the host's six digits."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask

from companion.game.errors import Refused
from companion.table.session import Session
from tests.web.conftest import Phone, new_session, panel_of, take_seat
from web import create_app
from web.keys import RECOVERY, Keys
from web.qr import code

Phones = Callable[[], Phone]


def test_a_code_is_claimed_once_and_leaves_no_trace_in_the_address(
    app: Flask, phone: Phones, playing: Session
) -> None:
    token = panel_of(app).keys.claim_token(2)
    assert token
    assert len(token) >= 22  # 128 bits
    elsewhere = create_app(new_session()).extensions["companion_panel"].keys
    seats = [keys.claim_token(seat) for keys in (panel_of(app).keys, elsewhere) for seat in (1, 2)]
    assert len(set(seats)) == 4  # by chance, and of nothing else
    opened = phone().get("/join")
    assert opened.status_code == 200
    lobby = phone().get("/").text
    assert code(f"http://192.168.1.5:8080/join#{token}", "Seat 2") in lobby  # never sent to us
    assert phone().get(f"/api/claim?token={token}").status_code == 405
    assert panel_of(app).keys.claim_token(2) == token  # a preview burns nothing
    first, second = phone(), phone()
    answer = first.post("/api/claim", {"token": token})
    assert answer.status_code == 200
    assert answer.json
    assert (answer.json["status"], answer.json["seat"]) == ("done", 2)
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert "Secure" not in cookie
    again = second.post("/api/claim", {"token": token})
    assert again.status_code == 409
    unknown = second.post("/api/claim", {"token": "x" * len(token)})
    assert (again.json, again.status_code) == (
        unknown.json,
        unknown.status_code,
    )  # no help to guess
    assert again.json
    assert "Scan the code on the table again" in again.json["text"]
    assert first.get("/seat/2").status_code == 200
    assert second.get("/seat/2").status_code == 401


def test_only_the_hash_of_a_key_is_kept(app: Flask, phone: Phones, playing: Session) -> None:
    player = phone()
    take_seat(player, app, 1)
    held = player.client.get_cookie("companion_seat_1")
    assert held
    kept = playing.kept("web.seat:1")
    assert isinstance(kept, str)
    assert held.value not in kept
    assert len(kept) == 64


def test_a_new_code_moves_the_seat_and_voids_the_old_phone(
    app: Flask, phone: Phones, playing: Session
) -> None:
    old, new, host = phone(), phone(), phone()
    take_seat(old, app, 3)
    assert panel_of(app).keys.claim_token(3) is None
    assert old.post("/api/renew", {"seat": 3}).status_code == 403
    assert host.post("/api/host", {"code": "271828"}).status_code == 200
    assert host.post("/api/renew", {"seat": 3}).status_code == 200
    assert old.get("/seat/3").status_code == 200  # until somebody uses the code
    stream = panel_of(app).streams.open("seat:3", "seat:3")
    take_seat(new, app, 3)
    assert stream.reason == "moved"
    assert new.get("/seat/3").status_code == 200
    assert playing.view("table")[1]["log"][-1]["type"] == "phone_by_code"
    assert old.get("/seat/3").status_code == 401
    moved = old.command("pass", by="seat:3", seat=3)
    assert moved.status_code == 403


def test_a_lent_screen_is_told_to_everybody(app: Flask, phone: Phones, playing: Session) -> None:
    curious, host = phone(), phone()
    host.post("/api/host", {"code": "271828"})
    here = panel_of(app)
    stream = here.streams.open("seat:3", "seat:3")
    before = {seat: here.presence("en", [seat])["notice"] for seat in (1, 2)}
    assert curious.post("/api/lend", {"seat": 3}).status_code == 200
    told = {seat: here.presence("en", [seat])["notice"] for seat in (1, 2)}
    assert not any(before.values())
    assert all("lent" in said for said in told.values())
    assert here.presence("en")["moved"] == 3  # the host may say that it was wrong
    assert playing.view("seat:1")[1]["log"][-1]["type"] == "phone_lent"
    assert host.post("/api/free", {"seat": 3}).status_code == 200
    assert curious.get("/seat/3").status_code == 401
    assert stream.reason == "freed"


def test_a_seat_lent_to_a_screen_that_is_gone_is_lent_again(
    app: Flask, phone: Phones, playing: Session
) -> None:
    """A tablet that forgot its key would hold the seat, and its secret choice, for good."""
    lost, other = phone(), phone()
    here = panel_of(app)
    assert lost.post("/api/lend", {"seat": 3}).status_code == 200
    stream = here.streams.open("seat:3", "seat:3", [3])
    assert here.presence("en")["seats"]["3"] == "here"
    assert other.post("/api/lend", {"seat": 3}).status_code == 409  # somebody reads there now
    here.streams.close(stream)
    assert here.presence("en")["seats"]["3"] == "free"
    assert other.post("/api/lend", {"seat": 3}).status_code == 200
    assert other.get("/seat/3").status_code == 200
    assert lost.get("/seat/3").status_code == 401


def test_a_phone_that_is_awake_is_asked_before_its_seat_moves(
    app: Flask, phone: Phones, playing: Session
) -> None:
    old, host = phone(), phone()
    take_seat(old, app, 3)
    host.post("/api/host", {"code": "271828"})
    here = panel_of(app)
    here.streams.open("seat:3", "seat:3", [3])
    assert host.post("/api/renew", {"seat": 3, "sure": True}).json == {"status": "asked", "seat": 3}
    assert here.presence("en")["asked"] == {"seat": 3, "state": "open"}
    assert here.keys.claim_token(3) is None
    assert host.post("/api/give", {"seat": 3, "give": True}).status_code == 401  # it is not theirs
    assert old.post("/api/give", {"seat": 3, "give": False}).status_code == 200
    assert here.presence("en")["asked"] == {"seat": 3, "state": "kept"}
    assert here.keys.claim_token(3) is None
    assert old.post("/api/give", {"seat": 3, "give": True}).status_code == 409  # nobody asks now
    host.post("/api/renew", {"seat": 3})
    assert host.post("/api/renew", {"seat": 3, "sure": True}).json == {"status": "done", "seat": 3}
    assert here.keys.claim_token(3)  # it did not answer, and the host went on
    assert here.presence("en")["asked"] is None


def test_the_hosts_drawer_is_the_hosts(phone: Phones) -> None:
    one = phone()
    asked = one.get("/host/drawer")
    assert asked.status_code == 401
    assert 'id="digits"' in asked.text
    assert 'id="tracking"' not in asked.text
    one.post("/api/host", {"code": "271828"})
    assert 'id="tracking"' in one.get("/host/drawer").text


def test_a_recovery_code_runs_out() -> None:
    now = [0.0]
    keys = Keys(new_session(), "123456", lambda: now[0])
    first = keys.claim_token(1)
    assert first
    keys.claim(first)
    keys.renew(1)
    code = keys.claim_token(1)
    assert code
    now[0] = RECOVERY + 1
    assert keys.claim_token(1) is None
    with pytest.raises(Refused, match=r"claim\.void"):
        keys.claim(code)


def test_keys_survive_a_restart() -> None:
    session = new_session()
    keys = Keys(session, "123456")
    _, key = keys.claim(keys.claim_token(4) or "")
    again = Keys(session, "123456")
    assert again.holds("seat:4", key)
    assert not again.holds("seat:4", "x" * 32)
    assert not again.holds("seat:3", key)
    assert not again.holds("seat:3", None)


def test_wrong_seat_and_no_seat(app: Flask, phone: Phones, playing: Session) -> None:
    stranger, player = phone(), phone()
    assert stranger.command("pass", by="seat:1", seat=1).status_code == 401
    take_seat(player, app, 1)
    assert player.command("pass", by="seat:1", seat=1).status_code == 200
    assert player.command("pass", by="seat:2", seat=2).status_code == 403
    for one in (player, stranger):
        refused = one.command("pass", by="host", seat=2)
        assert refused.status_code == 403
        assert refused.json
        assert "host" in refused.json["text"]
    for by in ("device", "scenario", "seats:1", 3):
        assert player.post("/api/command", {"do": "pass", "seat": 1, "by": by}).status_code == 403
    assert player.command("pass", by="seat:9", seat=1).status_code == 404
    assert player.command("pass", by="seat", seat=1).status_code == 404
    assert stranger.get("/stream/seat:1").status_code == 401
    assert player.get("/stream/seat:2").status_code == 403
    for one, seat in ((stranger, 1), (player, 2)):
        page = one.get(f"/seat/{seat}")
        assert page.status_code == 401
        assert 'id="secret"' not in page.text
    assert stranger.get("/stream/host").status_code == 403
    assert stranger.get("/stream/everybody").status_code == 404


def test_one_phone_may_hold_two_seats(app: Flask, phone: Phones, playing: Session) -> None:
    player = phone()
    take_seat(player, app, 1)
    take_seat(player, app, 2)
    assert player.get("/api/me").json == {"seats": [1, 2], "host": False}


def test_a_phone_gives_its_seat_up(app: Flask, phone: Phones, playing: Session) -> None:
    player, other = phone(), phone()
    take_seat(player, app, 1)
    assert other.post("/api/free", {"seat": 1}).status_code == 401
    assert player.post("/api/free", {"seat": 1}).status_code == 200
    assert player.get("/seat/1").status_code == 401
    take_seat(other, app, 1)
    assert other.get("/seat/1").status_code == 200


def test_joining_a_running_game_changes_nothing_in_it(
    app: Flask, phone: Phones, playing: Session
) -> None:
    beside = ("people", "checklist")  # the steps of the setup are dealt to who is there
    before = {k: v for k, v in playing.view("table")[1].items() if k not in beside}
    take_seat(phone(), app, 2)
    after = {k: v for k, v in playing.view("table")[1].items() if k not in beside}
    assert after == before


def test_the_host_needs_the_digits_except_first_on_the_box(app: Flask, phone: Phones) -> None:
    far, box, late = phone(), phone(), phone()
    assert far.post("/api/host", {"code": ""}).status_code == 403
    box.address = late.address = "127.0.0.1"
    assert box.post("/api/host", {"code": ""}).status_code == 200
    assert box.get("/host").status_code == 200
    assert late.post("/api/host", {"code": ""}).status_code == 403
    assert far.post("/api/host", {"code": "271828"}).status_code == 200
    assert far.get("/host").status_code == 200
    assert box.get("/host").status_code == 401  # the newest host is the host


def test_guessing_the_digits_is_locked_and_doubles() -> None:
    now = [0.0]
    keys = Keys(new_session(), "123456", lambda: now[0])
    for _ in range(5):
        with pytest.raises(Refused, match=r"host\.code"):
            keys.become_host("000000", loopback=False)
    with pytest.raises(Refused, match=r"host\.locked"):
        keys.become_host("123456", loopback=False)
    now[0] = 301
    for _ in range(5):
        with pytest.raises(Refused, match=r"host\.code"):
            keys.become_host("000000", loopback=True)
    now[0] = 301 + 590
    with pytest.raises(Refused, match=r"host\.locked"):
        keys.become_host("123456", loopback=False)
    now[0] = 301 + 601
    assert keys.become_host("123456", loopback=False)


def test_without_digits_nobody_becomes_host_from_afar() -> None:
    keys = Keys(new_session(), "")
    with pytest.raises(Refused):
        keys.become_host("", loopback=False)
