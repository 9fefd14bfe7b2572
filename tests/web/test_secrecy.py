"""What docs/secrecy.md promises: every row names tests that exist; and tests no part had yet."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask

from companion.table.session import Session
from tests.web.conftest import Phone, panel_of, take_seat
from tests.web.test_secrets import secret_words
from vision.kit import build_kit
from web import create_app
from web.blueprints.static import held

ROOT = Path(__file__).parents[2]
Phones = Callable[[], Phone]


def rows() -> list[list[str]]:
    """The cells of every row of the tables in docs/secrecy.md."""
    lines = (ROOT / "docs" / "secrecy.md").read_text().splitlines()
    found = [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in lines]
    return [
        cells
        for line, cells in zip(lines, found, strict=True)
        if line.startswith("| ") and not cells[0].startswith(("---", "Threat", "Way"))
    ]


def test_every_row_names_a_test_that_exists_or_a_reason() -> None:
    written: set[str] = set()
    for file in (ROOT / "tests").rglob("test_*.py"):
        written |= set(re.findall(r"^def (test_\w+)", file.read_text(), re.M))
    kept = rows()
    assert len(kept) > 40
    for threat, done, proof in kept:
        assert done, threat
        named = re.findall(r"`(test_\w+)`", proof)
        assert named or proof.startswith("Reason: "), threat
        assert not [name for name in named if name not in written], threat
    assert len({threat for threat, _, _ in kept}) == len(kept)


def test_notes_are_their_seats_alone(app: Flask, phone: Phones, playing: Session) -> None:
    owner, other = phone(), phone()
    take_seat(owner, app, 1)
    take_seat(other, app, 2)
    other.post("/api/host", {"code": "271828"})
    before = playing.seq, [playing.view(a) for a in ("table", "host", "seat:1", "seat:2")]
    canary = "The Scout lies, canary-4711"
    assert owner.post("/api/notes", {"seat": 1, "text": canary}).status_code == 200
    # No row and no new number for anybody: nothing tells that somebody wrote.
    assert (
        playing.seq,
        [playing.view(a) for a in ("table", "host", "seat:1", "seat:2")],
    ) == before
    assert owner.get("/api/notes/1").json == {"text": canary}
    assert "canary" not in owner.get("/seat/1").text  # in the page only while it is held
    assert other.get("/api/notes/1").status_code == 403
    assert phone().get("/api/notes/1").status_code == 401
    assert other.post("/api/notes", {"seat": 1, "text": ""}).status_code == 403
    assert other.get("/api/notes/2").json == {"text": ""}
    for text in (None, 3, "x" * 1501):
        assert owner.post("/api/notes", {"seat": 1, "text": text}).status_code == 400
    assert owner.post("/api/notes", {"seat": 1, "text": ""}).status_code == 200
    assert owner.get("/api/notes/1").json == {"text": ""}


def test_cookies_hold_random_keys_only(app: Flask, phone: Phones, playing: Session) -> None:
    player = phone()
    take_seat(player, app, 1)
    player.post("/api/host", {"code": "271828"})
    player.get("/seat/1")
    words = secret_words(playing, 1)
    cookies = {name for _, _, name in player.client._cookies or {}}
    assert {"companion_seat_1", "companion_host", "companion_device"} <= cookies
    for name in cookies:
        value = player.client.get_cookie(name)
        assert value
        assert re.fullmatch(r"[\w-]{20,40}", value.value), name
        assert not [w for w in words if w in value.value]
        assert (value.http_only, value.same_site) == (True, "Strict"), name


def test_the_panels_log_names_no_token_no_pin_and_no_secret(
    app: Flask, phone: Phones, playing: Session, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    owner, thief = phone(), phone()
    token = panel_of(app).keys.claim_token(1)
    pin = (owner.post("/api/claim", {"token": token}).json or {})["pin"]
    owner.get("/seat/1")
    thief.post("/api/recover", {"seat": 1, "pin": pin})
    owner.post("/api/notes", {"seat": 1, "text": "canary-4711"})
    thief.post("/api/notes", {"seat": 1, "text": "canary-4712"})
    thief.post("/api/host", {"code": "271828"})
    thief.command("answer", by="seat:1", value="canary-4713")
    thief.get("/nothing/here?secret=canary-4714")
    text = caplog.text
    told = [token, f" {pin} ", "canary", "271828", *secret_words(playing, 1)]
    assert not [w for w in told if w and w in text]


def test_a_debug_switch_shows_nobody_what_broke(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FLASK_DEBUG", "1")
    app = create_app(session)
    assert app.debug is False

    def broken() -> None:
        raise RuntimeError("canary-4711")

    monkeypatch.setattr(session, "story", broken)
    answer = Phone(app.test_client()).get("/story")
    assert answer.status_code == 500
    assert "canary" not in answer.text
    assert "Traceback" not in answer.text


def test_nothing_private_rings_wakes_or_vibrates(
    app: Flask, phone: Phones, playing: Session
) -> None:
    """No page of a seat is told what sounds, and no script has a way to stir a phone."""
    panel = panel_of(app)
    for seat in (1, 2, 3):
        page = panel.page(f"seat:{seat}", "en")
        assert [line for line in page["log"] if line["secret"]]
        assert not [line for line in page["log"] if "cue" in line or "say" in line]
    table = panel.page("table", "en")
    assert not [line for line in table["log"] if line["secret"]]
    for name, content in held().items():
        if name.endswith(".js"):
            for stir in (b"vibrate", b"Notification", b"document.title", b"setAppBadge"):
                assert stir not in content, name


def test_the_page_of_every_seat_is_built_alike(app: Flask, phone: Phones, playing: Session) -> None:
    """Before anything is shown a seat's page differs from another's by its number alone."""
    shells = set()
    for seat in (1, 2, 3):
        player = phone()
        take_seat(player, app, seat)
        page = player.get(f"/seat/{seat}").text
        shells.add(page.split("<main>", 1)[1].partition("<template")[0])
    assert len(shells) == 1
    (shell,) = shells
    assert 'class="note"></div>' in shell
    assert "earphones" in shell
    assert "yours alone" in shell


def test_no_stranger_gets_a_picture_of_the_table(app: Flask, phone: Phones) -> None:
    for rule in app.url_map.iter_rules():
        if "GET" not in (rule.methods or ()) or rule.arguments:
            continue
        answer = phone().get(rule.rule)
        assert not answer.mimetype.startswith(("image/png", "image/jpeg", "video/")), rule.rule


@pytest.mark.parametrize("species", ["intruders", "carnomorphs", "void_seeders"])
def test_no_marker_is_for_what_lies_face_down(species: str) -> None:
    """The camera has nothing to read on tiles, tokens and cards, however they are lifted."""
    kinds = {m.piece.split("#")[0] for m in build_kit(species=species).pieces}
    kinds -= {"card_next", "card_break", "card_encounter"}  # printed by us, to be laid down
    assert "captain" in kinds
    hidden = re.compile(r"tile|token|exploration|card|objective|engine|weakness|coordinates")
    assert not [kind for kind in kinds if hidden.search(kind)]
