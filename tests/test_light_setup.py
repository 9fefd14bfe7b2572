"""Setting the lights up: the course, in a terminal and on the host's phone."""

from __future__ import annotations

import io
import json
import re
import time
import tomllib
from pathlib import Path
from typing import Any

import pytest

from companion.app import lightcourse
from companion.app.lightcourse import LightCourse
from companion.cli import main
from companion.game import BadInput, Fault
from companion.library import load_content
from companion.table.folder import DataFolder
from hardware import Build, Driver, Frame, LightSettings, setup
from hardware.layout import Side
from hardware.meanings import BLACK
from tests.test_light_failures import eventually
from tests.web.conftest import Phone, new_session
from web import Services, create_app

BOARD = load_content().board(None)
EDGE = ["edge", "apa102", 40, 1500, 0, 12, 20, 32, "", "", "left"]


class Shown:
    """A strip that keeps what it was shown."""

    def __init__(self, settings: LightSettings) -> None:
        self.settings = settings
        self.frames: list[Frame] = []
        self.closed = 0
        self.fault: Any = None
        self.simulated = False

    def send(self, frame: Frame, now: float) -> None:
        self.frames.append(frame)

    def close(self) -> None:
        self.closed += 1

    def lit(self) -> list[int]:
        return [i for i, colour in enumerate(self.frames[-1]) if colour != BLACK]


class Game:
    """What the program does with its lights meanwhile."""

    def __init__(self, folder: Path) -> None:
        self.calls: list[Any] = []
        self.strips: list[Shown] = []
        self.folder = DataFolder(folder)
        self.course = LightCourse(
            BOARD,
            self.folder,
            pause=lambda: self.calls.append("pause"),
            resume=self.calls.append,
            opened=self.open,
        )

    def open(self, settings: LightSettings) -> Any:
        self.strips.append(Shown(settings))
        return self.strips[-1]


@pytest.fixture
def game(tmp_path: Path) -> Game:
    return Game(tmp_path / "data")


def test_the_whole_course_on_a_strip(game: Game) -> None:
    course = game.course
    course.begin()
    assert game.calls == ["pause"]
    for value in EDGE[:4]:
        course.answer(value)
    (strip,) = game.strips
    assert (strip.settings.pixels, strip.settings.supply_ma) == (40, 1500)
    assert strip.lit() == [0]  # the corner that is asked for
    course.look((7,))
    assert strip.lit() == [7]
    course.answer(7)
    course.back()
    for value in EDGE[4:]:
        course.answer(value)
    assert course.question() is None
    assert len(strip.lit()) == 40
    made = course.save()
    assert made is not None
    assert made.corners == (0, 12, 20, 32)
    assert strip.closed == 1
    assert game.calls == ["pause", made]
    assert tomllib.loads(game.folder.config.read_text())["lights"]["pixels"] == 40


def test_another_driver_lets_the_strip_go(game: Game) -> None:
    game.course.begin()
    for value in EDGE[:4]:
        game.course.answer(value)
    for _ in range(3):
        game.course.back()
    assert game.strips[0].closed == 1
    game.course.cancel()
    game.course.cancel()
    assert game.calls == ["pause", None]
    assert not game.folder.config.exists()


def test_corners_that_go_neither_way_are_said_at_once(game: Game) -> None:
    game.course.begin()
    for value in (*EDGE[:4], 0, 20, 12):
        game.course.answer(value)
    with pytest.raises(BadInput) as caught:
        game.course.answer(32)
    assert caught.value.code == "lights.corners"
    question = game.course.question()
    assert question is not None
    assert question.name == "corner_bottom_left"
    game.course.cancel()


def test_what_else_is_configured_stays_and_a_broken_file_is_left_alone(game: Game) -> None:
    game.folder.create()
    game.folder.config.write_text(
        "[web]\nport = 8099\n[lights]\nbuild = 'screen'\ncalm = true\nbrightness = 0.3\n"
    )
    game.course.begin()
    for value in EDGE:
        game.course.answer(value)
    made = game.course.save()
    assert made is not None
    assert (made.calm, made.brightness, made.pixels) == (True, 0.3, 40)
    text = game.folder.config.read_text()
    assert tomllib.loads(text)["web"]["port"] == 8099
    assert "screen" in game.folder.config.with_name("config.toml.before").read_text()
    broken = "[web]\nprot = 1\n"
    game.folder.config.write_text(broken)
    game.course.begin()
    for value in EDGE:
        game.course.answer(value)
    with pytest.raises(BadInput):
        game.course.save()
    assert game.folder.config.read_text() == broken
    game.course.cancel()


def ask_in_terminal(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, lines: list[str]
) -> tuple[int, Path]:
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines) + "\n"))
    code = main(["lights", "setup", "--data", str(tmp_path)])
    return code, tmp_path / "config.toml"


def test_in_a_terminal(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [
        "9",
        "1",
        "1",
        "40",
        "",
        "+",
        "+10",
        "-1",
        "",
        "<",
        "10",
        "22",
        "30",
        "2",
        "",
        "",
        "",
        "",
    ]
    code, file = ask_in_terminal(monkeypatch, tmp_path, lines)
    said = capsys.readouterr()
    assert code == 0, said
    assert tomllib.loads(file.read_text())["lights"] == {
        "build": "edge",
        "driver": "simulated",
        "pixels": 40,
        "supply_ma": 1000,
        "corners": [10, 22, 30, 2],
        "seat_one": "bottom",
    }
    assert str(file) in said.out
    assert "Type a number from 1 to 4." in said.out  # there is no 9
    assert [path.name for path in tmp_path.glob("config*")] == ["config.toml"]  # none was before
    assert "ui." not in said.out


def test_in_a_terminal_the_end_of_input_writes_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    code, file = ask_in_terminal(monkeypatch, tmp_path, ["1", "2"])
    assert code == 1
    assert not file.exists()


def test_a_single_light_is_put_right_in_a_terminal(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [
        "1",
        "1",
        "40",
        "",
        "0",
        "12",
        "20",
        "32",
        "",
        "7 30",
        "2",
        "101",
        "25",
        "",
        "",
        "",
        "",
    ]
    code, file = ask_in_terminal(monkeypatch, tmp_path, lines)
    said = capsys.readouterr()
    assert code == 0, said
    assert tomllib.loads(file.read_text())["lights"]["places"] == {
        "7": ["right", 0.25],
        "30": ["bottom", 0.5],
    }
    assert "0-100" in said.out.replace("–", "-") or "100" in said.out


def test_a_single_light_that_is_put_right_is_lit_meanwhile(game: Game) -> None:
    game.course.begin()
    for value in (*EDGE[:-2], "7"):
        game.course.answer(value)
    strip = game.strips[-1]
    question = game.course.question()
    assert question is not None
    assert (question.name, question.usual, game.course.state()["looked_at"]) == (
        "side_7",
        "top",
        [7],
    )
    before = strip.frames[-1]
    game.course.answer("left")
    game.course.answer(50)
    assert before[7] != strip.frames[-1][7] == before[35]  # the colour of the left side
    game.course.answer("bottom")
    made = game.course.save()
    assert made is not None
    assert made.places == {"7": ("left", 0.5)}


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test answers faster than a person: the panel's pace is not what is tried here."""
    monkeypatch.setattr("web.security.COMMANDS_A_SECOND", 1000)


def phone(game: Game, address: str) -> Phone:
    services = Services(host_code="271828", light_setup=game.course)
    made = Phone(create_app(new_session(), services).test_client(), address)
    if address == "127.0.0.1":
        assert made.post("/api/host", {"code": ""}).status_code == 200
    return made


def test_on_the_hosts_phone(game: Game) -> None:
    host = phone(game, "127.0.0.1")
    page = host.get("/host/lights").text
    assert "lights-setup.js" in page
    assert '"/host/lights"' in host.get("/host").text
    assert host.get("/api/lights").json == {
        "running": False,
        "mine": False,
        "who": "",
        "question": None,
        "answered": 0,
        "looked_at": [],
        "section": None,
        "fault": None,
        "picture": None,
    }
    host.post("/api/lights", {"act": "begin"})
    for value in EDGE:
        reply = host.post("/api/lights", {"act": "answer", "value": value})
        assert reply.status_code == 200, reply.json
        assert "ui." not in json.dumps(reply.json)
    assert "corners = [0, 12, 20, 32]" in str(reply.json["state"]["section"])
    wrong = host.post("/api/lights", {"act": "jump"})
    assert wrong.status_code == 400
    saved = host.post("/api/lights", {"act": "save"})
    assert saved.json is not None
    assert saved.json["state"]["running"] is False
    assert game.folder.config.exists()


def test_a_wrong_answer_on_the_phone_is_said_and_changes_nothing(game: Game) -> None:
    host = phone(game, "127.0.0.1")
    host.post("/api/lights", {"act": "begin"})
    reply = host.post("/api/lights", {"act": "answer", "value": "moon"})
    assert reply.status_code == 422
    assert reply.json is not None
    assert "moon" in reply.json["text"] or "edge" in reply.json["text"]
    assert reply.json["state"]["question"]["name"] == "build"
    host.post("/api/lights", {"act": "cancel"})


def test_another_phone_is_told_who_has_it_and_may_take_it_over(game: Game) -> None:
    app = create_app(new_session(), Services(host_code="271828", light_setup=game.course))
    first, second = (Phone(app.test_client(), a) for a in ("127.0.0.1", "192.168.1.20"))
    first.post("/api/host", {"code": "271828"})
    first.post("/api/lights", {"act": "begin"})
    first.post("/api/lights", {"act": "answer", "value": "edge"})
    second.post("/api/host", {"code": "271828"})  # the host is one phone at a time
    seen: Any = second.get("/api/lights").json
    assert (seen["running"], seen["mine"], seen["question"]) == (True, False, None)
    assert "127.0.0.1" in seen["taken"]
    reply: Any = second.post("/api/lights", {"act": "answer", "value": "apa102"})
    assert (reply.status_code, reply.json["code"]) == (422, "lights.taken")
    assert "127.0.0.1" in reply.json["text"]
    taken: Any = second.post("/api/lights", {"act": "begin"}).json
    assert taken["state"]["mine"] is True
    assert (taken["state"]["who"], taken["state"]["answered"]) == ("192.168.1.20", 0)
    game.course.cancel()
    assert game.calls == ["pause", None]


def test_nobody_but_the_host(game: Game) -> None:
    guest = phone(game, "192.168.1.20")
    assert guest.get("/host/lights").status_code == 401
    assert guest.get("/api/lights").status_code in (401, 403)
    assert guest.post("/api/lights", {"act": "begin"}).status_code in (401, 403)
    assert game.calls == []


SET_UP = [
    LightSettings(
        driver=Driver.WLED,
        wled="table.local:21325",
        pixels=40,
        supply_ma=1500,
        corners=(0, 12, 20, 32),
        hidden=(0, 5),
        places={"7": (Side.LEFT, 0.25)},
        seat_one=Side.LEFT,
    ),
    LightSettings(
        build=Build.ROOMS, driver=Driver.APA102, pixels=9, rooms={"003": (4, 5), "011": (8,)}
    ),
    LightSettings(
        build=Build.LAMPS, driver=Driver.LAMPS, lamps={"mood": (12, 13, 19), "alarm": (16,)}
    ),
    LightSettings(build=Build.SCREEN),
]


@pytest.mark.parametrize("before", SET_UP, ids=lambda chosen: chosen.build.value)
def test_it_begins_from_what_is_configured(game: Game, before: LightSettings) -> None:
    """Who takes every proposal has the lights of before."""
    answers = setup.answered(BOARD, before)
    game.folder.create()
    game.folder.config.write_text(setup.toml(setup.config(answers)))
    game.course.begin()
    while (question := game.course.question()) is not None:
        game.course.answer(question.usual)
    assert game.course.save() == before


def test_a_proposal_that_does_not_fit_any_more_is_not_made(game: Game) -> None:
    game.folder.create()
    game.folder.config.write_text(setup.toml(setup.config(setup.answered(BOARD, SET_UP[0]))))
    game.course.begin()
    for value in ("edge", "apa102", 10, 500, 0):
        game.course.answer(value)
    question = game.course.question()
    assert question is not None
    assert (question.name, question.usual) == ("corner_top_right", 2)  # not 12, of ten
    game.course.cancel()


def test_a_phone_that_is_gone_gives_the_lights_back_and_goes_on_where_it_was(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lightcourse, "_BEAT_S", 0.02)
    monkeypatch.setattr(lightcourse, "_AWAY_S", 0.3)
    course = game.course
    course.begin("phone", "Anna")
    for value in EDGE[:5]:
        course.answer(value)
    assert course.who == "Anna"
    assert eventually(lambda: game.calls == ["pause", None])
    assert course.who is None
    assert game.strips[0].closed == 1
    course.state("another")  # whoever else looks is not the one
    assert game.calls == ["pause", None]
    found = course.state("phone")
    assert (found["answered"], found["question"].name) == (5, "corner_top_right")
    assert game.calls == ["pause", None, "pause"]
    assert game.strips[1].lit()
    monkeypatch.setattr(lightcourse, "_FORGOTTEN_S", 0.5)
    assert eventually(lambda: course.state("another")["running"] is False)
    assert game.calls == ["pause", None, "pause", None]


def test_a_terminal_may_take_its_time(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lightcourse, "_BEAT_S", 0.01)
    monkeypatch.setattr(lightcourse, "_AWAY_S", 0.02)
    monkeypatch.setattr(lightcourse, "_FORGOTTEN_S", 0.03)
    game.course.begin()
    time.sleep(0.1)
    game.course.answer("screen")
    assert game.course.save() is not None


PIXEL = re.compile(r'cx="([0-9.]+)"[^>]*fill="(#[0-9a-f]{6})" data-pixel="(\d+)"')


def drawn(course: LightCourse) -> dict[int, float]:
    """The lights of the drawing that shine, each with its place from the left."""
    found = PIXEL.findall(course.state()["picture"])
    return {int(n): float(x) for x, colour, n in found if colour != "#000000"}


def test_where_no_strip_shows_them_the_lights_are_drawn(game: Game) -> None:
    course = game.course
    course.begin()
    course.answer("edge")
    course.answer("simulated")
    assert course.state()["picture"] is None
    course.answer(40)
    course.answer(1500)
    assert list(drawn(course)) == [0]
    course.look((7,))
    assert list(drawn(course)) == [7]
    for value in (*EDGE[4:8], ""):
        course.answer(value)
    assert len(drawn(course)) == 40
    top = drawn(course)[7]
    for value in ("7", "left", 50):
        course.answer(value)
    assert drawn(course)[7] < 60 < top
    course.cancel()


def test_a_strip_that_shows_them_needs_no_drawing(game: Game) -> None:
    game.course.begin()
    for value in EDGE[:4]:
        game.course.answer(value)
    assert game.course.state()["picture"] is None
    game.strips[-1].fault = Fault("lights", "lights.no_spi", {"device": "x", "reason": "why.gone"})
    assert list(drawn(game.course)) == [0]
    game.course.cancel()


def test_lights_in_rooms_are_drawn_in_the_room_that_is_asked_about(game: Game) -> None:
    game.course.begin()
    for value in ("rooms", "simulated", 9, 500):
        game.course.answer(value)
    game.course.look((3,))
    shining = re.findall(
        'stroke="#faf1d0"[^>]*data-room="([0-9]+)"', game.course.state()["picture"]
    )
    assert shining == sorted(BOARD.rooms)[:1]
    game.course.cancel()
