"""The camera is set up on the host's page: live quality, the board's size, and no secret shown."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("cv2", reason="needs the vision extra")

import cv2
import numpy as np

from companion.app.cameracourse import CameraCourse
from companion.app.camerapage import FORGOTTEN_S, PEEK_S, CameraPage
from companion.app.profile import Profile
from companion.game.errors import BadInput
from companion.library import load_content
from companion.table.folder import DataFolder
from tests.web.conftest import Phone, new_session
from vision.kit import build_kit
from vision.loop import CameraLoop
from vision.read import Reader
from vision.render import View
from vision.simulate import SimulatedTable
from web import Services, create_app

BOARD = load_content().boards["nemesis/basic"]
ASSUMED = build_kit((840, 575))
TRUE_MM = (800.0, 547.0)


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


class Setting:
    """A host's phone, a panel and a camera whose pictures are taken when the test says so."""

    def __init__(self, folder: Path) -> None:
        self.clock = Clock()
        self.folder = DataFolder(folder)
        self.profile = Profile(self.folder)
        self.changed = 0
        self.table = SimulatedTable(BOARD, build_kit(TRUE_MM), View(), clock=self.clock)
        self.loop = CameraLoop(self.table, Reader(BOARD, build_kit(TRUE_MM)), lambda _: None)
        self.page = CameraPage(self.profile, self._read_anew, self.clock)
        self.page.attach(self.loop, self._course)
        services = Services(host_code="271828", camera=self.page)
        app = create_app(new_session(), services)
        self.host, self.other = (Phone(app.test_client(), a) for a in ("127.0.0.1", "10.0.0.9"))
        assert self.host.post("/api/host", {"code": "271828"}).status_code == 200

    def _course(self) -> CameraCourse:
        return CameraCourse(BOARD, ASSUMED, self.profile, "simulated", live=False)

    def _read_anew(self) -> None:
        self.changed += 1
        self.page.detach()
        self.page.attach(self.loop, self._course)

    def look(self) -> None:
        self.clock.now += 2
        self.loop.step(self.table.frame())

    def state(self) -> dict[str, Any]:
        return dict(self.host.get("/api/camera").json or {})


@pytest.fixture
def setting(tmp_path: Path) -> Setting:
    return Setting(tmp_path / "data")


def view(waiting: int = 0, *lines: str) -> dict[str, Any]:
    return {"waiting": waiting, "log": [{"n": n, "type": t} for n, t in enumerate(lines)]}


def test_the_host_sees_how_good_the_picture_is_and_keeps_the_size(setting: Setting) -> None:
    host = setting.host
    assert setting.state()["running"] is False
    assert host.post("/api/camera", {"act": "begin"}).status_code == 200
    setting.look()
    said = setting.state()
    assert [(f["id"], f["grade"]) for f in said["figures"]] == [
        (name, "good") for name in ("frame", "modules", "sharp", "light", "glare")
    ]
    assert said["board"]["mm"] == pytest.approx(TRUE_MM, rel=0.01)
    assert "840" in said["told"]
    assert host.post("/api/camera", {"act": "board"}).status_code == 200
    assert setting.profile.board_mm("nemesis/basic") == pytest.approx(TRUE_MM, rel=0.01)
    assert setting.changed == 1
    assert setting.state()["running"] is True  # and it goes on with the camera taken anew
    told = {"act": "board", "value": [801, 548]}
    assert "801 × 548" in host.post("/api/camera", told).json["state"]["kept"]  # type: ignore[index]
    for bad in ([1, 2], [800, "x"], [800], "800"):
        refused = host.post("/api/camera", {"act": "board", "value": bad})
        assert refused.status_code == 422
        assert refused.json["text"]  # type: ignore[index]
    assert host.post("/api/camera", {"act": "end"}).status_code == 200
    assert setting.state()["running"] is False


def test_how_the_empty_board_looks_is_kept_by_the_host_once_nothing_stands_on_it(
    setting: Setting,
) -> None:
    page, table = setting.page, setting.table
    page.act("begin")
    setting.look()
    page.act("board")
    with pytest.raises(BadInput):
        page.act("keep_empty")
    assert setting.host.post("/api/camera", {"act": "empty"}).status_code == 200
    table.move("captain", sorted(BOARD.rooms)[0])
    setting.look()
    assert page.state()["empty"] == {"pictures": 0, "enough": False, "pieces": ("captain",)}
    assert "Captain" in setting.state()["empty"]["text"]
    with pytest.raises(BadInput):
        page.act("keep_empty")
    table.remove("captain")
    setting.look()
    assert page.state()["empty"] == {"pictures": 1, "enough": False, "pieces": ()}
    kept = setting.host.post("/api/camera", {"act": "keep_empty"}).json
    assert kept["state"]["kept_empty"]  # type: ignore[index]
    assert setting.changed == 2
    assert page.state()["empty"] is None
    size = setting.profile.board_mm(BOARD.id)
    assert size is not None
    assert setting.profile.look(BOARD.id, size) is not None


def test_only_the_host_and_never_while_somebody_peeks(setting: Setting) -> None:
    picture: Callable[[], Any] = lambda: setting.host.get("/host/camera/board.png")  # noqa: E731
    assert picture().status_code == 204  # nothing was read yet
    setting.look()
    png = cv2.imdecode(np.frombuffer(picture().data, np.uint8), cv2.IMREAD_GRAYSCALE)
    assert png is not None
    assert png.shape[1] / png.shape[0] == pytest.approx(TRUE_MM[0] / TRUE_MM[1], rel=0.01)
    assert np.median(png) < 60  # the dark board alone, no bright table beside it
    for path in ("/host/camera/board.png", "/api/camera"):
        assert setting.other.get(path).status_code == 403
    assert setting.other.post("/api/camera", {"act": "begin"}).status_code == 403
    setting.page.follow(view(1))
    assert picture().status_code == 204
    assert setting.state()["hidden"]
    setting.page.follow(view(0))
    assert picture().status_code == 200
    setting.page.follow(view(0, "moved", "looks_at_engine"))
    assert picture().status_code == 204
    setting.clock.now += PEEK_S
    setting.page.follow(view(0, "moved", "looks_at_engine"))
    assert picture().status_code == 200


def test_a_page_that_went_away_costs_nothing_any_more(setting: Setting) -> None:
    setting.host.post("/api/camera", {"act": "begin"})
    setting.clock.now += FORGOTTEN_S + 1
    setting.look()
    assert setting.state()["running"] is False


def test_without_a_camera_the_page_says_so(setting: Setting) -> None:
    assert setting.host.get("/host/camera").status_code == 200
    setting.page.detach()
    assert setting.host.post("/api/camera", {"act": "begin"}).status_code == 422
    assert setting.host.post("/api/camera", {"act": "lens"}).status_code == 422
    assert setting.host.post("/api/camera", {"act": "dance"}).status_code == 400
    assert setting.host.get("/host/camera/board.png").status_code == 204
    bare = Phone(create_app(new_session(), Services(host_code="1")).test_client())
    assert bare.get("/host/camera").status_code == 404


@pytest.mark.parametrize(
    ("told", "said"),
    [((547, 800), "swapped"), ((400, 280), "measure again"), ((800, 2000), "measure again")],
)
def test_an_impossible_size_is_kept_only_when_it_is_said_twice(
    told: tuple[int, int], said: str, setting: Setting
) -> None:
    host, act = setting.host, {"act": "board", "value": list(told)}
    host.post("/api/camera", {"act": "begin"})
    if told != (400, 280):
        shape = host.post("/api/camera", act)  # nothing is measured yet: its shape speaks
        assert (shape.status_code, "as wide as" in shape.json["text"]) == (422, True)
    host.post("/api/camera", {"act": "board", "value": [801, 548]})
    setting.look()
    refused = host.post("/api/camera", act)
    assert refused.status_code == 422
    for part in (said, "{} × {}".format(*told), "The camera measures"):
        assert part in refused.json["text"]
    assert setting.profile.board_mm("nemesis/basic") == (801, 548)
    kept = host.post("/api/camera", act)
    assert kept.status_code == 200
    assert setting.profile.board_mm("nemesis/basic") == told


def test_a_kept_size_that_cannot_be_is_named_where_the_board_is_not_found(tmp_path: Path) -> None:
    for told, key in (((547, 800), "board_size"), (TRUE_MM, "")):
        table = SimulatedTable(BOARD, build_kit(TRUE_MM), View(), clock=Clock())
        loop = CameraLoop(table, Reader(BOARD, build_kit(told)), lambda _: None)
        services = Services(host_code="271828", health=lambda loop=loop: [loop.health()])
        phone = Phone(create_app(new_session(), services).test_client(), "127.0.0.1")
        table.open()
        frame = table.frame()
        loop.step(frame)
        loop.step(type(frame)(frame.grey, frame.at + 1))
        (part,) = (phone.get("/health").json or {})["parts"]
        assert part["code"] == (f"fault.vision.{key}" if key else "")
        assert ("547 × 800" in part["text"]) is bool(key)
    black = np.zeros_like(frame.grey) + 90
    for second in (2, 3):
        loop.step(type(frame)(black, frame.at + 10 * second))
    assert loop.health().code == "fault.vision.board_not_found"
