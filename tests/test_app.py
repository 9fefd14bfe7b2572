"""The parts together: instruction → simulated hands → camera → instruction closed → light."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any
from urllib.request import HTTPCookieProcessor, Request, build_opener, urlopen

import pytest

from companion.app import App
from companion.config import Config
from companion.game import Fault
from companion.table.folder import DataFolder
from companion.table.ports import Status
from tests.running import running
from tests.running import until as _until
from web.settings import WebSettings

pytest.importorskip("cv2", reason="the simulated camera needs the vision extra")

PATIENCE_S = 90.0  # for a machine with much else to do; nothing waits longer than it must

until = partial(_until, patience_s=PATIENCE_S)


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    with running(tmp_path) as made:
        yield made


def table(app: App) -> Any:
    assert app.session
    return app.session.view("table")[1]


def do(app: App, **command: Any) -> dict[str, Any]:
    assert app.session
    reply = app.session.submit(command)
    assert reply["status"] == "done", reply
    return reply


def begin(app: App) -> None:
    do(
        app,
        do="setup",
        players=["captain", "scout", "soldier"],
        digital=True,
        preset="everything",
        truth={"objectives": "physical"},
    )


def test_an_instruction_closes_when_the_camera_sees_it_done(app: App) -> None:
    begin(app)
    dark = app._lights.frame()  # type: ignore[union-attr]
    drawn = 0
    while not table(app)["instructions"]:  # the Blank brings nobody
        do(app, do="encounter", seat=1)
        drawn += 1
        assert drawn < 10
        for prompt in table(app)["prompts"]:
            do(app, do="answer", prompt=prompt["id"], value=prompt["kind"] == "confirm")
    waiting = table(app)["instructions"][0]
    assert waiting["to"] == "011"
    until(lambda: app._lights.frame() != dark)  # type: ignore[union-attr]
    until(lambda: waiting["id"] not in [i["id"] for i in table(app)["instructions"]])
    assert app._eye.page.pieces()


def test_the_camera_ticks_the_figures_of_a_packed_game(app: App) -> None:
    begin(app)
    until(lambda: any(p["piece"] == "captain" for p in app._eye.page.pieces()))
    app._eye.page.remove("scout")
    do(app, do="unpack")
    seen = until(
        lambda: [i["piece"] for i in table(app)["instructions"] if i["group"] == "figures"]
    )
    assert "scout" in seen
    until(
        lambda: (
            [i["piece"] for i in table(app)["instructions"] if i["group"] == "figures"] == ["scout"]
        )
    )
    assert "ship" in {i["group"] for i in table(app)["instructions"]}, "no marker on those"
    room = app.content.boards["nemesis/basic"].rooms["011"]  # type: ignore[union-attr]
    app._eye.page.drag("scout", room.x, room.y)
    until(lambda: "scout" not in [i["piece"] for i in table(app)["instructions"]])
    assert table(app)["differences"] == []


def test_a_dragged_figure_becomes_a_proposal_that_a_person_takes(app: App) -> None:
    begin(app)
    until(lambda: any(p["piece"] == "captain" for p in app._eye.page.pieces()))
    room = app.content.boards["nemesis/basic"].rooms["006"]  # type: ignore[union-attr]
    until(lambda: app._eye.health().status is Status.SIMULATED)  # it has read the start
    app._eye.page.drag("captain", room.x, room.y)
    found = until(lambda: [d for d in table(app)["differences"] if d["piece"] == "captain"])
    assert (found[0]["from"], found[0]["to"]) == ("011", "006")
    assert table(app)["seats"][0]["room"] == "011", "the camera only proposes"
    assert app.session
    app.session.take(found[0]["id"], "table")
    assert table(app)["seats"][0]["room"] == "006"
    until(lambda: not table(app)["differences"])


def test_a_second_start_names_the_first(app: App) -> None:
    second = App(app.config, app.folder, simulate=True)
    with pytest.raises(Fault) as refused:
        second.start()
    assert refused.value.code == "data.locked"
    assert app.session
    assert app.server
    assert refused.value.params["address"] == app.url()  # can be opened; a free port was taken
    assert app.url() == f"http://127.0.0.1:{app.server.port}/"
    app.session.beat()


def test_the_codes_in_the_lobby_name_the_port_that_was_taken(app: App) -> None:
    assert app.server
    with urlopen(app.url(), timeout=5) as answer:
        page = answer.read().decode()
    shown = re.search(r'class="address">(.*?)</strong>', page)
    assert shown
    assert re.sub(r"<[^>]+>", "", shown[1]) == f"http://127.0.0.1:{app.server.port}"


def test_a_restart_goes_on_where_it_was(tmp_path: Path) -> None:
    config = Config(web=WebSettings(host="127.0.0.1", port=0))
    first = App(config, DataFolder(tmp_path), simulate=True)
    first.start()
    try:
        do(first, do="setup", players=["captain", "scout"], truth={"objectives": "physical"})
        do(first, do="move", seat=1, to="014")  # tiles are on the table: a question is open
        asked = table(first)["prompts"]
        assert asked
    finally:
        first.stop()
    again = App(config, DataFolder(tmp_path), simulate=True)
    again.start()
    try:
        assert table(again)["prompts"] == asked
        do(again, do="answer", prompt=asked[0]["id"], value="cabins")
        assert table(again)["rooms"]["014"]["tile"] == "cabins"
    finally:
        again.stop()


NOTES = (b"note one", b"note two", b"note six")


def flip(path: Path, *texts: bytes) -> None:
    """Change one bit where one of ``texts`` stands in a file; a page's border may split one."""
    data = bytearray(path.read_bytes())
    at = max(data.rfind(text) for text in texts)
    assert at > 0
    data[at] ^= 1
    path.write_bytes(data)


@pytest.mark.parametrize("over", [False, True])
def test_a_game_damaged_between_two_evenings_goes_on_whole_and_the_table_is_told(
    tmp_path: Path, over: bool
) -> None:
    with running(tmp_path) as app:
        begin(app)
        for text in NOTES:
            do(app, do="note", text=text.decode())
        if over:
            do(app, do="game_end")
        rows = app.session.seq if app.session else 0
        game = app.folder.game(table(app)["game"]["id"])
    flip(game, *NOTES)
    with running(tmp_path) as again:
        assert again.server
        assert again.session
        base = f"http://127.0.0.1:{again.server.port}"
        phone = build_opener(HTTPCookieProcessor()).open
        lobby = phone(f"{base}/").read().decode()
        assert 'class="damaged"' in lobby
        assert f"{game.name}.damaged" in lobby
        assert 'class="damaged"' in urlopen(f"{base}/table").read().decode()
        token = re.search(r'name="token" content="([^"]+)"', lobby)
        assert token
        headers = {
            "Content-Type": "application/json",
            "X-Companion-Token": token[1],
            "Origin": base,
        }
        with phone(Request(f"{base}/api/damage-read", b"{}", headers)) as read:
            assert read.status == 200
        for page in ("/", "/table"):
            assert 'class="damaged"' not in urlopen(f"{base}{page}").read().decode()
        assert again.recovery is not None
        assert again.recovery.rows == rows, "a stop and an end leave a backup"
        assert again.recovery.over is over
    with running(tmp_path) as sound:
        assert sound.server
        assert (
            'class="damaged"'
            not in urlopen(f"http://127.0.0.1:{sound.server.port}/").read().decode()
        )


@pytest.mark.parametrize("source", ["folder", "off"])
def test_a_configured_camera_is_used_wherever_the_program_runs(source: str, tmp_path: Path) -> None:
    import cv2

    from companion.library import load_content
    from vision.kit import build_kit
    from vision.simulate import SimulatedTable

    board = load_content().boards["nemesis/basic"]
    stills, data = tmp_path / "stills", tmp_path / "data"
    for folder in (stills, data):
        folder.mkdir()
    cv2.imwrite(str(stills / "0.png"), SimulatedTable(board, build_kit((800, 547))).frame().grey)
    told = str(stills) if source == "folder" else source
    (data / "config.toml").write_text(f'[camera]\nsource = "{told}"\n')
    here = ("--host", "127.0.0.1", "--port", "0", "--data", str(data))
    command = (sys.executable, "-m", "companion", "run", *here)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as program:
        try:
            assert program.stdout is not None
            said = ""
            while not (found := re.search(r"http://\S+", said)):
                said += program.stdout.readline()
                assert program.poll() is None, said

            def camera() -> str:
                with urlopen(f"{found[0]}health", timeout=5) as answer:
                    parts = {p["part"]: p["status"] for p in json.load(answer)["parts"]}
                return str(parts["camera"])

            until(lambda: camera() == ("ready" if source == "folder" else "off"))
            if "No Raspberry Pi" in said:
                assert f"Camera: {told}." in said
        finally:
            program.send_signal(signal.SIGTERM)
            program.wait(30)
