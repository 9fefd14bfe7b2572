from __future__ import annotations

import os
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal

import pytest

from companion import config
from companion.game.errors import BadInput, Fault
from companion.locale import languages, words
from companion.table.folder import DataFolder, write_private

RANGE = {"value": "99", "low": 0.1, "high": 20}


class Mode(StrEnum):
    SOFT = "soft"
    HARD = "hard"


@dataclass(frozen=True)
class Lamp:
    pin: int
    name: str = "lamp"


@dataclass(frozen=True)
class Limits:
    ampere: float = 1.0

    def __post_init__(self) -> None:
        if not 0.1 <= self.ampere <= 20:
            raise BadInput("lights.limits.ampere", "setting.range", RANGE)


@dataclass(frozen=True)
class Lights:
    count: int = 60
    calm: bool = False
    mode: Mode = Mode.SOFT
    driver: Literal["apa102", "wled"] = "apa102"
    size: tuple[float, float] = (1.0, 2.0)
    device: Path = Path("/dev/x")
    host: str | None = None
    lamps: tuple[Lamp, ...] = ()
    pins: dict[str, int] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        if self.driver == "wled" and self.host is None:
            raise BadInput("host", "lights.no_host")


@dataclass(frozen=True)
class All:
    lights: Lights = field(default_factory=Lights)


def examine(
    tmp_path: Path, text: str = "", environ: dict[str, str] | None = None, **overrides: Any
) -> tuple[Any, list[BadInput]]:
    if text:
        (tmp_path / "config.toml").write_text(text)
    given = {key.replace("__", "."): value for key, value in overrides.items()}
    return config.examine(DataFolder(tmp_path), given, environ or {}, All)


def test_defaults_without_a_file(tmp_path: Path) -> None:
    assert config.load(DataFolder(tmp_path), {}, {}) == config.Config()


def test_the_real_sections(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    folder.config.write_text(
        "[lights]\ndriver = 'apa102'\npixels = 72\nsides = [21, 15, 21, 15]\n"
        "[buttons]\npins = { next = 17 }\n"
    )
    made = config.load(folder, {"web.port": 0}, {"COMPANION_LIGHTS_SUPPLY_MA": "2000"})
    assert (made.lights.pixels, made.lights.supply_ma) == (72, 2000)
    assert dict(made.buttons.pins) == {"next": 17}
    with pytest.raises(BadInput) as caught:
        config.load(folder, {"web.port": 1_000_000}, {})
    assert (caught.value.path, caught.value.code) == ("--port", "setting.whole")
    folder.config.write_text("[lights]\nsupply_ma = -1\n")
    with pytest.raises(BadInput, match=r"lights\.supply_ma"):
        config.load(folder, {}, {})


def test_every_kind_of_value(tmp_path: Path) -> None:
    made, problems = examine(
        tmp_path,
        """
        [lights]
        count = 12
        calm = true
        mode = "hard"
        driver = "wled"
        size = [3, 4.5]
        device = "/dev/y"
        host = "lamp.local"
        lamps = [{ pin = 4 }, { pin = 5, name = "red" }]
        pins = { next = 17 }
        limits.ampere = 2
        """,
    )
    assert problems == []
    assert made.lights == Lights(
        12,
        True,
        Mode.HARD,
        "wled",
        (3.0, 4.5),
        Path("/dev/y"),
        "lamp.local",
        (Lamp(4), Lamp(5, "red")),
        {"next": 17},
        Limits(2.0),
    )


def test_order_of_the_sources(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    folder.config.write_text("[web]\nport = 1\nhost = 'file'\n")
    assert config.load(folder, {}, {}).web.port == 1
    environ = {"COMPANION_WEB_PORT": "2"}
    assert config.load(folder, {}, environ).web.port == 2
    assert config.load(folder, {"web.port": 3}, environ).web.port == 3
    assert config.load(folder, {"web.port": None}, environ).web.port == 2
    assert config.load(folder, {"web.port": 3}, environ).web.host == "file"


def test_environment_values_are_read_as_what_the_setting_is(tmp_path: Path) -> None:
    made, problems = examine(
        tmp_path,
        environ={
            "COMPANION_LIGHTS_CALM": "true",
            "COMPANION_LIGHTS_SIZE": "[3, 4]",
            "COMPANION_LIGHTS_MODE": "hard",
            "COMPANION_LIGHTS_HOST": "10",
            "COMPANION_LIGHTS_DEVICE": "/dev/z",
            "COMPANION_LIGHTS_LIMITS_AMPERE": "3.5",
            "COMPANION_LANGUAGE": "it",
            "COMPANION_DEBUG": "1",
            "HOME": "/nowhere",
        },
    )
    assert problems == []
    lights = made.lights
    assert (lights.calm, lights.size, lights.mode) == (True, (3.0, 4.0), Mode.HARD)
    assert (lights.device, lights.limits.ampere) == (Path("/dev/z"), 3.5)


@pytest.mark.parametrize(
    ("text", "code", "key", "params"),
    [
        ("[lights]\ncuont = 1", "setting.unknown", "lights.cuont", {"nearest": "lights.count"}),
        ("[lihgts]\ncount = 1", "setting.unknown", "lihgts", {"nearest": "lights"}),
        ("[lights.limits]\nampre = 1", "setting.unknown", "lights.limits.ampre", {}),
        ("[lights]\ncount = 1.5", "setting.not_integer", "lights.count", {}),
        ("[lights]\ncount = true", "setting.not_integer", "lights.count", {}),
        ("[lights]\ncalm = 1", "setting.not_switch", "lights.calm", {}),
        ("[lights]\nlimits.ampere = nan", "setting.not_number", "lights.limits.ampere", {}),
        ("[lights]\nlimits.ampere = 99", "setting.range", "lights.limits.ampere", RANGE),
        ("[lights]\nmode = 'loud'", "setting.choice", "lights.mode", {"allowed": "soft, hard"}),
        ("[lights]\ndriver = 'x'", "setting.choice", "lights.driver", {"allowed": "apa102, wled"}),
        ("[lights]\nsize = 3", "setting.not_list", "lights.size", {}),
        ("[lights]\nsize = [3]", "setting.length", "lights.size", {"n": 2}),
        ("[lights]\nsize = [3, 'x']", "setting.not_number", "lights.size", {}),
        ("[lights]\ndevice = 3", "setting.not_text", "lights.device", {}),
        ("[lights]\nlamps = [3]", "setting.not_table", "lights.lamps", {}),
        ("[lights]\nlamps = [{ name = 'a' }]", "setting.missing", "lights.lamps.pin", {}),
        ("[lights]\npins = { next = 'a' }", "setting.not_integer", "lights.pins.next", {}),
        ("[lights]\ndriver = 'wled'", "lights.no_host", "lights.host", {}),
        ("lights = 3", "setting.not_table", "lights", {}),
    ],
)
def test_a_wrong_value_is_named_and_changes_nothing(
    tmp_path: Path, text: str, code: str, key: str, params: dict[str, Any]
) -> None:
    made, problems = examine(tmp_path, text)
    assert [problem.code for problem in problems] == [code]
    assert problems[0].path == f"{tmp_path / 'config.toml'}: {key}"
    assert params.items() <= problems[0].params.items()
    assert made == All()
    if code.startswith("setting."):
        for language in languages():
            assert key in words(language).say(problems[0].key, problems[0].params)


def test_all_that_is_wrong_is_found_at_once(tmp_path: Path) -> None:
    _, problems = examine(
        tmp_path,
        "[lights]\ncount = 'x'\ncalm = 2\n",
        {"COMPANION_LIGHTS_SIZE": "wide", "COMPANION_LIGHTS_CUONT": "3"},
        lights__mode="loud",
    )
    assert {problem.path for problem in problems} == {
        f"{tmp_path / 'config.toml'}: lights.count",
        f"{tmp_path / 'config.toml'}: lights.calm",
        "COMPANION_LIGHTS_SIZE",
        "COMPANION_LIGHTS_CUONT",
        "--mode",
    }
    unknown = next(p for p in problems if p.path == "COMPANION_LIGHTS_CUONT")
    assert unknown.params["nearest"] == "COMPANION_LIGHTS_COUNT"


TOGETHER = {
    "a lamp": ("[lights]\nbuild = 'lamps'\n[lights.lamps]\nfire = [17]\n", 17),
    "the strip": ("[lights]\ndriver = 'apa102'\n", 10),
    "the strip's clock": ("[lights]\ndriver = 'ws2812'\n", 11),
    "the second bus": ("[lights]\ndriver = 'apa102'\nspi_bus = 1\n", 21),
}


@pytest.mark.parametrize(("lights", "pin"), TOGETHER.values(), ids=list(TOGETHER))
def test_a_pin_of_the_lights_is_no_button(tmp_path: Path, lights: str, pin: int) -> None:
    folder = DataFolder(tmp_path)
    for buttons in (f"[buttons.pins]\nnext = {pin}\n", f"[buttons]\nknob = [5, {pin}]\n"):
        folder.config.write_text(lights + buttons)
        [problem] = config.check(folder, {})[1]
        assert isinstance(problem, BadInput)
        assert (problem.code, problem.params["value"]) == ("setting.lit_pin", pin)
        assert "config.toml: buttons." in problem.path
    folder.config.write_text(f"{lights}[buttons.pins]\nnext = {26}\n")
    assert config.check(folder, {}) == (0, [])


def test_a_room_that_no_board_has_is_named(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    folder.config.write_text("[lights]\nbuild = 'rooms'\n[lights.rooms]\n001 = [0]\n099 = [1]\n")
    code, [problem] = config.check(folder, {})
    assert (code, problem.code, problem.params["value"]) == (1, "command.unknown_room", "099")


def test_config_check(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    assert config.check(folder, {}) == (0, [])
    folder.config.write_text("[web]\nport = -1\n[lights]\ncalm = 3\n")
    code, problems = config.check(folder, {"COMPANION_X": "1"})
    assert code == 1
    assert {problem.code for problem in problems} == {
        "setting.whole",
        "setting.not_switch",
        "setting.unknown",
    }
    folder.config.unlink()
    folder.config.mkdir()
    code, problems = config.check(folder, {})
    assert (code, [problem.code for problem in problems]) == (3, ["config.unreadable"])


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (b"[web", "syntax"),
        (b"\xff\xfe", "file_not_text"),
        (b"web.port = 1\nweb.port = 2", "file_duplicate_key"),
        (b"a = " + b"[" * 5000, "file_too_deep"),
    ],
)
def test_a_file_that_is_no_toml(tmp_path: Path, text: bytes, code: str) -> None:
    (tmp_path / "config.toml").write_bytes(text)
    with pytest.raises(BadInput) as caught:
        config.load(DataFolder(tmp_path), {}, {})
    assert caught.value.code == f"setting.{code}"
    assert str(tmp_path) in words("it").say(caught.value.key, caught.value.params)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "config.toml").mkdir()
    with pytest.raises(Fault) as caught:
        config.load(DataFolder(tmp_path), {}, {})
    assert caught.value.code == "config.unreadable"


@pytest.mark.parametrize(
    ("chosen", "environ", "root"),
    [
        ("/a", {"COMPANION_DATA": "/b", "STATE_DIRECTORY": "/c"}, "/a"),
        (None, {"COMPANION_DATA": "/b", "STATE_DIRECTORY": "/c"}, "/b"),
        (None, {"STATE_DIRECTORY": "/c", "XDG_DATA_HOME": "/d"}, "/c"),
        (None, {"XDG_DATA_HOME": "/d"}, "/d/table-companion"),
    ],
)
def test_where_the_data_lie(chosen: str | None, environ: dict[str, str], root: str) -> None:
    assert config.data_folder(chosen, environ).root == Path(root)


def test_the_data_folder_is_closed_to_others(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path / "new" / "data")
    previous = os.umask(0)
    try:
        folder.create()
        folder.game("a").write_bytes(b"")
        folder.games.chmod(0o755)
        folder.create()
        write_private(folder.config, b"[web]\n")
    finally:
        os.umask(previous)
    for path in (folder.root, folder.games, folder.packs, folder.profiles, folder.backups):
        assert path.stat().st_mode & 0o777 == 0o700
    assert folder.game("a").stat().st_mode & 0o777 == 0o600
    assert folder.config.stat().st_mode & 0o777 == 0o600


def test_a_data_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Fault) as caught:
        DataFolder(tmp_path / "file" / "data").create()
    assert caught.value.code == "data.unwritable"
    assert not caught.value.temporary


def test_a_file_is_replaced_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a"
    write_private(path, b"old")

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="space"):
        write_private(path, b"new")
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["a"]
