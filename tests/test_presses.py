"""The table's buttons: what they do, on pins and on the host's page; break, hourglass, knob."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.app import App
from companion.app.buttons import Keeper, Presses
from companion.app.dial import Dial, Wish
from companion.config import Config
from companion.game import Fault
from companion.library import load_content
from companion.table.folder import DataFolder
from companion.table.ports import Mood, Status
from companion.table.scene import scene
from companion.table.session import Session
from hardware import ButtonSettings, Driver, LightSettings, painter
from hardware.layout import Side
from hardware.meanings import LEGEND, palette
from tests.web.conftest import Phone, new_session
from vision.settings import VisionSettings
from web import Services, create_app
from web.settings import WebSettings


class Clock:
    now = 50.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def playing() -> Session:
    made = new_session()
    made.submit({"do": "setup", "players": ["captain", "scout"], "digital": True})
    return made


def phase(session: Session) -> str:
    return str(session.view("table")[1]["phase"])


def test_next_begins_the_event_phase_and_undo_takes_it_back(playing: Session) -> None:
    presses = Presses(playing, 60)
    assert presses.press("next")["status"] == "done"
    assert phase(playing) == "event"
    assert presses.press("undo")["status"] == "done"
    assert phase(playing) == "player"


def test_draw_is_an_encounter_of_whoevers_turn_it_is_and_later_the_next_step(
    playing: Session,
) -> None:
    presses = Presses(playing, 60)
    assert playing.view("table")[1]["turn"] == 1
    assert presses.press("draw")["status"] == "done"
    view = playing.view("table")[1]
    drawn = [line for line in view["log"] if line["type"] == "encounter"]
    assert [line["params"]["seat"] for line in drawn] == [1]
    assert view["phase"] == "player"
    presses.press("undo")
    presses.press("next")
    waits = len(playing.view("table")[1]["agenda"])
    assert presses.press("draw")["status"] == "done"
    assert len(playing.view("table")[1]["agenda"]) < waits


def test_a_press_that_fits_nothing_is_refused_in_words() -> None:
    assert Presses(new_session(), 60).press("undo")["status"] == "refused"
    with pytest.raises(ValueError, match="jump"):
        Presses(new_session(), 60).press("jump")


@pytest.mark.parametrize(
    ("language", "question", "secret"),
    [
        ("en", "Captain · Noise die?", "Secret choices are still open: 2"),
        ("it", "· dado Rumore?", "Ci sono ancora scelte segrete aperte: 2"),
        ("fr", "dé de bruit\N{NO-BREAK SPACE}?", "secrets restent ouverts\N{NO-BREAK SPACE}: 2"),
    ],
)
def test_next_on_the_hosts_page_says_what_it_waits_for(
    language: str, question: str, secret: str
) -> None:
    session = new_session()
    session.submit({"do": "setup", "players": ["captain", "scout"], "truth": {"tiles": "digital"}})
    services = Services(host_code="271828", presses=Presses(session, 60))
    host = Phone(create_app(session, services).test_client(), "127.0.0.1")
    host.post("/api/host", {"code": ""})

    def pressed() -> Any:
        reply = host.post("/api/press", {"button": "next"}, **{"Accept-Language": language})
        assert reply.status_code == 422
        return reply.json["text"]  # type: ignore[index]

    session.submit({"do": "noise_roll", "seat": 1})
    assert question in pressed()
    session.submit({"do": "by_hand"})
    session.submit({"do": "place", "piece": "adult", "to": "006"})  # objectives are kept now
    assert session.view("table")[1]["waiting"] == 2
    assert secret in pressed()


def test_a_break_changes_the_lights_and_not_the_game(playing: Session) -> None:
    seen: list[bool] = []
    presses = Presses(playing, 60, changed=lambda: seen.append(presses.pause))
    view, rows = playing.view("table")[1], playing.seq
    presses.press("break")
    assert presses.state()["break"] is True
    assert playing.view("table")[1] == {**view, "pause": True}
    presses.press("break")
    assert seen == [True, False]
    assert (playing.view("table")[1], playing.seq) == (view, rows)
    board = load_content().board(None)
    assert scene(view, board, pause=True).mood is Mood.BREAK


def test_the_hourglass_runs_out_and_can_be_laid_down(playing: Session) -> None:
    clock = Clock()
    presses = Presses(playing, 60, clock=clock)
    assert presses.state() == {"break": False, "glass": None}
    presses.press("hourglass")
    clock.now += 15
    assert presses.glass == 0.75
    assert presses.state()["glass"] == 45
    presses.press("hourglass")
    assert presses.glass is None
    presses.press("hourglass")
    clock.now += 100
    assert presses.glass == 0.0
    assert eventually(lambda: presses.glass is None)
    presses.stop()


def test_the_sand_sinks_on_the_left_side(playing: Session) -> None:
    board = load_content().board(None)
    layout = LightSettings().layout(board)
    view = playing.view("table")[1]
    sand = [
        sum(
            painter(board, layout).frame(scene(view, board, glass=glass), 0.0)[i]
            == LEGEND["progress"].colour
            for i in layout.by_side[Side.LEFT]  # type: ignore[union-attr]
        )
        for glass in (1.0, 0.5, 0.0)
    ]
    assert sand[0] > sand[1] > sand[2] == 0


def test_the_knob_dims(playing: Session) -> None:
    turned: list[float] = []
    presses = Presses(playing, 60, dim=turned.append)
    presses.press("brighter")
    presses.press("dimmer")
    assert turned == [0.05, -0.05]


def eventually(condition: Callable[[], bool], seconds: float = 6.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.01)
    return condition()


class Pins:
    """Stands in for the pins: busy until `free`."""

    def __init__(self, code: str = "buttons.pin_busy", temporary: bool = True) -> None:
        self.fault: Fault | None = Fault("buttons", code, {"pin": "17"}, temporary=temporary)
        self.tries = 0
        self.closed = 0

    def open(self, settings: ButtonSettings, on_press: Callable[[str], None]) -> Any:
        self.tries += 1
        self.on_press = on_press
        if self.fault is not None:
            raise self.fault
        return self

    def health(self) -> Any:
        from companion.table.ports import Health

        return Health("buttons", Status.READY)

    def close(self) -> None:
        self.closed += 1


def test_busy_pins_are_said_and_tried_again_until_they_are_free() -> None:
    pins = Pins()
    keeper = Keeper(
        ButtonSettings(pins={"next": 17}), print, open_buttons=pins.open, first_pause=0.02
    )
    keeper.start()
    assert keeper.health().status is Status.DEGRADED
    assert keeper.health().code == "fault.buttons.pin_busy"
    assert eventually(lambda: pins.tries >= 3)
    pins.fault = None
    assert eventually(lambda: keeper.health().status is Status.READY)
    keeper.stop()
    keeper.stop()
    assert pins.closed >= 1


def test_no_pins_at_all_are_not_tried_again() -> None:
    pins = Pins("buttons.no_pins", temporary=False)
    keeper = Keeper(ButtonSettings(), print, open_buttons=pins.open, first_pause=0.01)
    keeper.start()
    time.sleep(0.1)
    assert (pins.tries, keeper.health().status) == (1, Status.FAILED)
    keeper.stop()


def test_a_press_on_a_full_disk_does_not_end_the_buttons() -> None:
    def full(name: str) -> None:
        raise Fault("journal", "journal.full")

    pins = Pins()
    pins.fault = None
    keeper = Keeper(ButtonSettings(), full, open_buttons=pins.open)
    keeper.start()
    pins.on_press("next")
    keeper.stop()


def test_the_host_presses_on_a_page_and_nobody_else(playing: Session) -> None:
    presses = Presses(playing, 60)
    app = create_app(playing, Services(host_code="271828", presses=presses))
    host, guest = Phone(app.test_client(), "127.0.0.1"), Phone(app.test_client())
    assert guest.post("/api/press", {"button": "break"}).status_code in (401, 403)
    host.post("/api/host", {"code": ""})
    assert 'data-press="hourglass"' in host.get("/host").text
    assert host.get("/api/press").json == {"break": False, "glass": None}
    reply = host.post("/api/press", {"button": "break"})
    assert reply.json == {"status": "done", "state": {"break": True, "glass": None}}
    assert host.post("/api/press", {"button": "next"}).status_code == 200
    assert phase(playing) == "event"
    assert host.post("/api/press", {"button": "brighter"}).status_code == 400
    host.post("/api/press", {"button": "undo"})
    refused = host.post("/api/press", {"button": "undo"})
    assert refused.json is not None
    assert refused.json["status"] in ("done", "refused")


KNOB = LightSettings(driver=Driver.APA102, pixels=24, supply_ma=500, brightness=0.5)


def dialled(folder: Path, lights: LightSettings, clicks: int = 0) -> float:
    """The brightness the lights have in a run of the program in which the knob is turned."""
    web, camera = WebSettings(host="127.0.0.1", port=0), VisionSettings(source="off")
    app = App(Config(web=web, camera=camera, lights=lights), DataFolder(folder), simulate=False)
    app.start()
    try:
        assert app._presses is not None
        for _ in range(abs(clicks)):
            app._presses.press("brighter" if clicks > 0 else "dimmer")
        assert app._lights is not None
        return app._lights._strip.limits.brightness
    finally:
        app.stop()


def test_what_the_knob_said_outlives_a_restart_but_no_new_wish_of_the_owner(
    tmp_path: Path,
) -> None:
    assert dialled(tmp_path, KNOB, clicks=3) == 0.65
    assert dialled(tmp_path, KNOB) == 0.65
    assert dialled(tmp_path, replace(KNOB, brightness=0.3)) == 0.3


def test_a_knob_leaves_a_little_light_and_forgets_a_file_it_cannot_read(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    folder.create()
    dial = Dial(folder, Wish())
    assert [dial.turn(step).brightness for step in (-0.3, -0.3, 0.05)] == [0.2, 0.05, 0.1]
    assert dial.switch("night").night == 1.0
    assert dial.switch("calm") == Wish(0.1, 1.0, True)
    dial.keep()
    kept = folder.profiles / "strip.json"
    assert kept.stat().st_mode & 0o777 == 0o600
    assert Dial(folder, Wish()).wish == Wish(0.1, 1.0, True)
    assert Dial(folder, Wish()).switch("night").night == 0.0
    assert Dial(folder, Wish(night=0.3)).wish == Wish(night=0.3)  # the owner's newer word
    sane = kept.read_text()
    for damage in ("{", "[]", sane.replace("0.1", "9"), sane.replace("wish", "will"), "{}"):
        kept.write_text(damage)
        assert Dial(folder, Wish()).wish == Wish()


def test_a_folder_that_cannot_be_written_only_forgets(tmp_path: Path) -> None:
    dial = Dial(DataFolder(tmp_path / "nowhere"), Wish())
    assert dial.turn(0.1).brightness == 0.6
    dial.keep()
    assert dial.wish.brightness == 0.6


@contextmanager
def program(folder: Path) -> Iterator[App]:
    """The running program without a camera, two seats set up."""
    web, camera = WebSettings(host="127.0.0.1", port=0), VisionSettings(source="off")
    app = App(Config(web=web, camera=camera), DataFolder(folder), simulate=True)
    app.start()
    try:
        assert app.session is not None
        setup = {"do": "setup", "players": ["captain", "scout"], "digital": True}
        assert app.session.submit(setup)["status"] == "done"
        yield app
    finally:
        app.stop()


def test_deep_night_and_calm_are_said_on_the_hosts_page_while_a_game_runs(tmp_path: Path) -> None:
    with program(tmp_path) as app:
        assert app.session is not None
        assert app.session.submit({"do": "place", "piece": "fire", "to": "006"})["status"] == "done"
        app.session.submit({"do": "tick", "instruction": "all"})
        services = Services(host_code="271828", presses=app._presses)
        host = Phone(create_app(app.session, services).test_client(), "127.0.0.1")
        host.post("/api/host", {"code": ""})
        page = host.get("/host").text
        assert all(f'data-press="{name}"' in page for name in ("dimmer", "night", "calm"))
        assert app._lights is not None
        seen = {app._lights.frame()}
        assert eventually(lambda: seen.add(app._lights.frame()) or len(seen) > 2)  # fire moves
        for name in ("night", "calm", "brighter"):
            assert host.post("/api/press", {"button": name}).status_code == 200
        said = host.get("/api/press").json["lights"]  # type: ignore[index]
        assert said == {"brightness": 0.55, "night": 1.0, "calm": True}
        amber = tuple(map(round, palette(1.0)["fire"]))
        assert eventually(lambda: amber in app._lights.frame())  # at full, and still


def test_an_hourglass_does_not_show_what_lies_behind_the_curtain(tmp_path: Path) -> None:
    """A card lies face down on the table's screen: turning the glass must not tell its room."""
    with program(tmp_path) as app:
        assert app.session is not None
        app.session.submit({"do": "tick", "instruction": "all"})
        shown: list[Any] = []
        assert app._lights is not None
        app._lights.show = shown.append  # type: ignore[method-assign]
        app._curtain._held = app.session.view("table")[1]  # as while a card lies there
        assert app.session.submit({"do": "place", "piece": "fire", "to": "006"})["status"] == "done"
        assert app._presses is not None
        app._presses.press("hourglass")
        app._presses.press("break")
        assert len(shown) >= 2
        assert not any(one.rooms or one.pointer for one in shown)
        app._curtain.rise()
        assert eventually(lambda: shown[-1].pointer == ("006",))
