from __future__ import annotations

from typing import Any

import pytest

from companion.game.board import Board
from companion.game.errors import BadInput
from hardware.layout import Corner, EdgeLayout, RoomLayout, ScreenLayout, Side
from hardware.settings import Build, ButtonSettings, Driver, LightSettings


@pytest.mark.parametrize(
    ("words", "path", "code"),
    [
        ({"build": Build.SCREEN, "driver": Driver.APA102}, "lights.driver", "setting.choice"),
        ({"pixels": 0}, "lights.pixels", "setting.whole"),
        ({"pixels": 10**6}, "lights.pixels", "setting.whole"),
        ({"brightness": 1.5}, "lights.brightness", "setting.range"),
        ({"brightness": float("nan")}, "lights.brightness", "setting.range"),
        ({"night": -0.1}, "lights.night", "setting.range"),
        ({"supply_ma": 60}, "lights.supply_ma", "setting.whole"),
        ({"supply_ma": -1}, "lights.supply_ma", "setting.whole"),
        ({"spi_bus": -1}, "lights.spi_bus", "setting.whole"),
        ({"spi_device": 9}, "lights.spi_device", "setting.whole"),
        ({"sides": (20, 10, 20)}, "lights.sides", "lights.sides"),
        ({"sides": (20, 10, 20, 11)}, "lights.sides", "lights.sides"),
        ({"sides": (-5, 35, 15, 15)}, "lights.sides[0]", "setting.whole"),
        ({"rooms": {"001": [60]}}, "lights.rooms.001", "setting.whole"),
        ({"rooms": {"001": [1], "002": [1]}}, "lights.rooms.002", "setting.twice"),
        ({"build": Build.ROOMS}, "lights.rooms", "setting.missing"),
    ],
)
def test_a_bad_light_setting_names_its_key(words: dict[str, Any], path: str, code: str) -> None:
    with pytest.raises(BadInput) as caught:
        LightSettings(**words)
    assert (caught.value.path, caught.value.code) == (path, code)


def test_a_range_is_named() -> None:
    with pytest.raises(BadInput) as caught:
        LightSettings(pixels=100, supply_ma=90)
    assert caught.value.params["low"] == 101
    assert caught.value.params["value"] == 90


def test_each_build_has_its_layout(board: Board) -> None:
    edge = LightSettings(
        pixels=10, corner=Corner.BOTTOM_LEFT, direction="anticlockwise", sides=(4, 1, 3, 2)
    ).layout(board)
    assert isinstance(edge, EdgeLayout)
    assert edge.pixels[0].side is Side.BOTTOM
    rooms = LightSettings(build=Build.ROOMS, pixels=8, rooms={"001": (0, 7)}).layout(board)
    assert rooms == RoomLayout({"001": (0, 7)}, 8)
    screen = LightSettings(driver=Driver.APA102).on_screen().layout(board)
    assert isinstance(screen, ScreenLayout)
    assert screen.edge.count == 60


@pytest.mark.parametrize(
    ("words", "path", "code"),
    [
        ({"pins": {"next": 1}}, "buttons.pins.next", "setting.whole"),
        ({"pins": {"jump": 17}}, "buttons.pins.jump", "setting.choice"),
        ({"pins": {"next": 17, "undo": 17}}, "buttons.pins.undo", "setting.twice"),
        ({"hold_s": 0}, "buttons.hold_s", "setting.range"),
        ({"debounce_s": 2}, "buttons.debounce_s", "setting.range"),
    ],
)
def test_a_bad_button_setting_names_its_key(words: dict[str, Any], path: str, code: str) -> None:
    with pytest.raises(BadInput) as caught:
        ButtonSettings(**words)
    assert (caught.value.path, caught.value.code) == (path, code)


def test_a_configuration_file_can_say_it_all() -> None:
    from companion.settings import Builder

    raw = {
        "build": "rooms",
        "driver": "ws2812",
        "corner": "bottom_right",
        "direction": "anticlockwise",
        "seat_one": "left",
        "order": "rgb",
        "rooms": {"001": [0, 1], "002": [2]},
        "calm": True,
    }
    builder = Builder(lambda key: key)
    made = builder.build(LightSettings, raw, "lights.")
    assert builder.problems == []
    assert (made.build, made.driver, made.rooms) == (
        Build.ROOMS,
        Driver.WS2812,
        {"001": (0, 1), "002": (2,)},
    )
    builder.build(LightSettings, {**raw, "pixels": 0}, "lights.")
    builder.build(ButtonSettings, {"pins": {"next": 99}}, "buttons.")
    assert [(p.path, p.code) for p in builder.problems] == [
        ("lights.pixels", "setting.whole"),
        ("buttons.pins.next", "setting.whole"),
    ]
