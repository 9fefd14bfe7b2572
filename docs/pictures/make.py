"""Makes the pictures of the README: ``python docs/pictures/make.py`` in a checkout with ``.[dev]``.

Starts the simulated table, plays to the middle of an event phase with a fixed look, and takes the
pages as people see them. Needs Debian's chromium. Look at the pictures before you commit them.
"""

from __future__ import annotations

import shutil
import struct
import tempfile
import time
from pathlib import Path
from typing import Any
from zlib import compress, crc32

import cv2
import numpy as np
from playwright.sync_api import sync_playwright

from companion.app import App
from companion.config import Config
from companion.library import load_content
from companion.table.folder import DataFolder
from companion.table.ports import Meaning, Mood, RoomLight, Scene
from hardware import LightSettings, painter, picture
from web.settings import WebSettings

HERE = Path(__file__).parent
PHONE = {"width": 390, "height": 844}
PLAYERS = [
    {"character": "captain", "name": "Anna"},
    {"character": "scout", "name": "Bea"},
    {"character": "soldier", "name": "Carlo"},
]
BEFORE: list[dict[str, Any]] = [
    {"do": "reveal", "room": "006", "tile": "canteen", "token": "fire/1"},
    {"do": "reveal", "room": "014", "tile": "monitoring_room", "token": "malfunction/2"},
    {"do": "reveal", "room": "007", "tile": "cabins", "token": "silence/1"},
    {"do": "reveal", "room": "010", "tile": "laboratory", "token": "slime/3"},
    {"do": "place", "piece": "captain", "to": "006"},
    {"do": "place", "piece": "scout", "to": "014"},
    {"do": "place", "piece": "noise", "to": "006-011"},
    {"do": "place", "piece": "noise", "to": "013-014"},
    {"do": "door", "corridor": "011-015", "state": "closed"},
    {"do": "place", "piece": "adult#1", "to": "010"},
    {"do": "place", "piece": "adult#2", "to": "006"},
    {"do": "place", "piece": "creeper#1", "to": "017", "injuries": 1},
    {"do": "event_phase"},
]


def lights() -> str:
    """The edge frame in an event phase, as SVG text."""
    board = load_content().board(None)
    layout = LightSettings(pixels=72).layout(board)
    burns = (RoomLight("006", Meaning.FIRE),)
    shown = Scene(Mood.EVENT, burns, pointer=("007", "012"), side=1, seats=3, progress=0.2)
    frame = painter(board, layout).frame(shown, 0.25)
    return picture(board, shown, frame, layout, labels={room: room for room in board.rooms})


def main() -> None:
    """Write table.png, seat.png, host.png, sim.png and lights-event.svg beside this file."""
    (HERE / "lights-event.svg").write_text(lights(), encoding="utf-8")
    config = Config(web=WebSettings(host="127.0.0.1", port=0))
    app = App(config, DataFolder(Path(tempfile.mkdtemp())), simulate=True)
    app.start()
    try:
        _take(app)
    finally:
        app.stop()


def _take(app: App) -> None:
    session = app.session
    assert session
    assert app.server
    session.submit({"do": "setup", "players": PLAYERS, "digital": True, "preset": "everything"})
    with sync_playwright() as started:
        browser = started.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        base = f"http://127.0.0.1:{app.server.port}"
        phone = browser.new_context(viewport=PHONE, locale="it-IT", has_touch=True).new_page()
        phone.goto(base + "/")
        phone.click(".chair[data-seat='1'] [data-claim]")
        for command in BEFORE:
            session.submit({**command, "by": "device"})
            _choose_objectives(app)
        time.sleep(2)  # the simulated hands put everything where it stands
        session.submit({"do": "tick", "by": "device", "instruction": "all"})
        app._eye._hands._delay = 3600  # and leave the next moves to the reader
        while not any(i["via"] for i in session.view("table")[1]["instructions"]):
            _step(app)
        shots = {
            "table": browser.new_context(viewport={"width": 1280, "height": 800}),
            "host": browser.new_context(viewport={"width": 1024, "height": 768}, locale="fr-FR"),
            "sim": browser.new_context(viewport={"width": 1280, "height": 800}),
        }
        pages = {name: context.new_page() for name, context in shots.items()}
        for name, page in pages.items():
            page.goto(f"{base}/{name}")
        if pages["host"].locator("#digits").count():
            pages["host"].fill("#digits", app.host_code)
            pages["host"].click("#key button")
        phone.wait_for_selector("body[data-link=live]")
        time.sleep(1.5)
        for name, page in {**pages, "seat": phone}.items():
            _write(HERE / f"{name}.png", page.screenshot(animations="disabled"))
        browser.close()


def _write(path: Path, png: bytes) -> None:
    """The picture in its 256 best colours: a third of the bytes."""
    pixels = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    height, width = pixels.shape[:2]
    colours, which = np.unique(pixels.reshape(-1, 3), axis=0, return_inverse=True)
    few = colours.astype(np.float32)
    rule = (cv2.TERM_CRITERIA_MAX_ITER, 20, 0)
    cv2.setRNGSeed(1)
    _, nearest, palette = cv2.kmeans(few, 256, None, rule, 1, cv2.KMEANS_PP_CENTERS)
    rows = nearest[which.ravel()].astype(np.uint8).reshape(height, width)
    lines = np.hstack([np.zeros((height, 1), np.uint8), rows]).tobytes()  # filter 0 each

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", crc32(kind + data))

    path.write_bytes(
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0))
        + chunk(b"PLTE", palette.round().astype(np.uint8)[:, ::-1].tobytes())
        + chunk(b"IDAT", compress(lines, 9))
        + chunk(b"IEND", b"")
    )


def _choose_objectives(app: App) -> None:
    assert app.session
    for seat in (1, 2, 3):
        for prompt in app.session.view(f"seat:{seat}")[1]["prompts"]:
            if prompt["secret"]:
                chosen = prompt["options"][0]["id"]
                app.session.submit(
                    {"do": "answer", "by": f"seat:{seat}", "prompt": prompt["id"], "value": chosen}
                )


def _step(app: App) -> None:
    assert app.session
    _choose_objectives(app)
    view = app.session.view("table")[1]
    if view["prompts"]:
        prompt = view["prompts"][0]
        plain = {"yes_no": False, "confirm": True}
        value = plain.get(prompt["kind"], prompt["options"][0]["id"] if prompt["options"] else True)
        value = [value] if prompt.get("multiple") else value
        app.session.submit({"do": "answer", "prompt": prompt["id"], "value": value})
    else:
        app.session.submit({"do": "next"})


if __name__ == "__main__":
    main()
