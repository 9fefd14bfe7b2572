"""Setting the lights up: one question after the other, and what the strip shows meanwhile.

The questions depend on the answers before them and on nothing else, so the same course runs in a
terminal and on a phone. The build comes first; an edge strip is mapped by the pixels at its four
corners, from which its direction follows.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final

from companion.game.board import Board
from companion.game.errors import BadInput
from hardware.layout import CORNERS, SIDES, Layout, RoomLayout, Side, corner_layout, edge_layout
from hardware.limits import COLOUR_MA, IDLE_MA
from hardware.meanings import BLACK, RESERVED, Colour, Frame
from hardware.settings import LAMPS, MAX_PIXELS, Build, Driver, LightSettings, wled_address

Answers = Mapping[str, Any]

_HERE: Final[Colour] = (250, 241, 208)
_AROUND: Final[Colour] = (40, 18, 0)
#: Lights enough of a known place to see which is which: one colour a side, in clockwise order.
_SIDES: Final[tuple[Colour, ...]] = ((200, 200, 200), (230, 110, 0), (0, 160, 200), (110, 60, 220))
_CORNER: Final = "corner_"
_ROOM: Final = "room_"
_LAMP: Final = "lamp_"
_ELSEWHERE: Final = "elsewhere"
_SIDE: Final = "side_"
_ALONG: Final = "along_"
#: Wishes that the course does not ask about: they outlive it.
_KEPT: Final = ("brightness", "night", "calm", "spi_bus", "spi_device")
_NONE: Final = LightSettings()


class Kind(StrEnum):
    """How a question is answered."""

    CHOICE = "choice"  # one of ``options``
    NUMBER = "number"  # a whole number from ``low`` to ``high``
    TEXT = "text"
    PIXEL = "pixel"  # the number of the light that is meant; it is lit while one looks for it
    PINS = "pins"  # none, one or three pin numbers
    PIXELS = "pixels"  # any number of lights


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked next. Its words are ``ui.lights.ask.<words>``, filled with ``params``.

    ``name`` is the answer's key; ``usual`` what is proposed.
    """

    name: str
    words: str
    kind: Kind
    usual: Any
    options: tuple[str, ...] = ()
    low: int = 0
    high: int = 0
    lit: tuple[int, ...] = ()  # the lights it is about
    params: Mapping[str, Any] = field(default_factory=dict)


def following(
    board: Board, answers: Answers, before: Answers = MappingProxyType({})
) -> Question | None:
    """The first question that ``answers`` leave open; None when all is known.

    It proposes what was answered ``before``, where that may still be said.
    """
    found = next((q for q in _course(board, answers) if q.name not in answers), None)
    if found is None or found.name not in before:
        return found
    try:
        return replace(found, usual=taken(found, before[found.name]))
    except BadInput:
        return found


def answered(board: Board, settings: LightSettings) -> Answers:
    """The answers that lead to ``settings``; none where no lights were set up."""
    if replace(settings, **{name: getattr(_NONE, name) for name in _KEPT}) == _NONE:
        return {}
    found: dict[str, Any] = {
        "build": settings.build.value,
        "driver": settings.driver.value,
        "wled": settings.wled,
        "pixels": settings.pixels,
        "supply_ma": settings.supply_ma,
        "hidden": settings.hidden,
        "seat_one": settings.seat_one.value,
        _ELSEWHERE: tuple(sorted(map(int, settings.places))),
    }
    for corner, pixel in zip(CORNERS, settings.corners, strict=False):
        found[_CORNER + corner.value] = pixel
    for n, (side, along) in settings.places.items():
        found |= {f"{_SIDE}{int(n)}": side.value, f"{_ALONG}{int(n)}": round(100 * along)}
    if settings.build is Build.ROOMS:
        found |= {_ROOM + room: settings.rooms.get(room, ()) for room in board.rooms}
    found |= {_LAMP + name: settings.lamps.get(name, ()) for name in LAMPS if settings.lamps}
    return found


def taken(question: Question, value: Any) -> Any:
    """The answer as it is kept. Raises BadInput that says what may be said."""
    path = f"lights.{question.name}"
    match question.kind:
        case Kind.CHOICE:
            if value not in question.options:
                allowed = ", ".join(question.options)
                raise BadInput(path, "setting.choice", {"value": str(value), "allowed": allowed})
            return value
        case Kind.NUMBER | Kind.PIXEL:
            return _whole(path, value, question.low, question.high)
        case Kind.TEXT:
            wled_address(str(value))
            return str(value).lower() if isinstance(value, bool) else str(value)
        case Kind.PINS | Kind.PIXELS:
            return _numbers(question, path, value)


def config(answers: Answers) -> dict[str, Any]:
    """The answers as the section ``[lights]`` of the configuration; only what is not usual."""
    build = Build(answers["build"])
    if build is Build.SCREEN:
        return {"build": build.value}
    found: dict[str, Any] = {"build": build.value, "driver": answers["driver"]}
    if build is Build.LAMPS:
        found["lamps"] = {n: list(answers[_LAMP + n]) for n in LAMPS if answers.get(_LAMP + n)}
        return found
    if answers["driver"] == Driver.WLED.value:
        found["wled"] = answers["wled"]
    found["pixels"], found["supply_ma"] = answers["pixels"], answers["supply_ma"]
    if build is Build.EDGE:
        found["corners"] = [answers[_CORNER + corner.value] for corner in CORNERS]
        if answers.get("hidden"):
            found["hidden"] = list(answers["hidden"])
        found["seat_one"] = answers["seat_one"]
        places = {str(n): _place(answers, n) for n in answers.get(_ELSEWHERE, ())}
        if places:
            found["places"] = places
    else:
        rooms = {n.removeprefix(_ROOM): v for n, v in answers.items() if n.startswith(_ROOM)}
        found["rooms"] = {room: list(own) for room, own in sorted(rooms.items()) if own}
    return found


def trial(answers: Answers) -> LightSettings | None:
    """Settings to light the strip with while it is being mapped; None before it is known how."""
    if "driver" not in answers or "supply_ma" not in answers:
        return None
    driver = Driver(answers["driver"])
    if driver is Driver.SIMULATED:
        return None
    return LightSettings(
        driver=driver,
        wled=answers.get("wled", ""),
        pixels=answers["pixels"],
        supply_ma=answers["supply_ma"],
    )


def picture(answers: Answers, looked_at: Sequence[int]) -> Frame:
    """What the strip shows: the lights one is looking at, and how far the answers have come.

    When all corners are known every side has a colour of its own, white on top.
    """
    count = int(answers.get("pixels", 0))
    frame = [BLACK] * count
    corners = [answers.get(_CORNER + corner.value) for corner in CORNERS]
    if None not in corners:  # each side in a colour of its own, to see whether it is right
        for i in range(count):
            side = answers.get(f"{_SIDE}{i}")
            frame[i] = _SIDES[SIDES.index(side) if side else _side_of(i, corners, count)]
    for corner in corners:
        if corner is not None and corner < count:
            frame[corner] = _AROUND
    for name, own in answers.items():
        if name.startswith(_ROOM):
            for i in own:
                frame[i] = _AROUND
    for i in looked_at:
        if 0 <= i < count:
            frame[i] = _HERE
    return tuple(frame)


def layout(board: Board, answers: Answers, looked_at: Sequence[int]) -> Layout | None:
    """Where `picture`'s lights are drawn for whom no strip shows them; None before they are known.

    Until its corners are known a frame begins at the top left and runs clockwise; lights one is
    looking at lie in the room that is asked about.
    """
    if "pixels" not in answers or "supply_ma" not in answers:
        return None
    count = int(answers["pixels"])
    if answers["build"] == Build.ROOMS.value:
        rooms = {n.removeprefix(_ROOM): v for n, v in answers.items() if n.startswith(_ROOM)}
        asked = following(board, answers)
        if asked is not None and asked.name.startswith(_ROOM):
            rooms[asked.name.removeprefix(_ROOM)] = tuple(i for i in looked_at if i < count)
        return RoomLayout(rooms, count)
    corners = [answers[_CORNER + c.value] for c in CORNERS if _CORNER + c.value in answers]
    if len(corners) < len(CORNERS):
        return edge_layout(count, board.aspect)
    known = [n for n in answers.get(_ELSEWHERE, ()) if f"{_ALONG}{n}" in answers]
    put = {n: (Side(side), along) for n, (side, along) in ((n, _place(answers, n)) for n in known)}
    return corner_layout(count, board.aspect, corners, places=put)


def toml(section: Mapping[str, Any]) -> str:
    """A section ``[lights]`` as TOML text."""
    plain = {k: v for k, v in section.items() if not isinstance(v, Mapping)}
    lines = ["[lights]", *(f"{key} = {_value(value)}" for key, value in plain.items())]
    for key, table in section.items():
        if isinstance(table, Mapping):
            lines += ["", f"[lights.{key}]", *(f"{k} = {_value(v)}" for k, v in table.items())]
    return "\n".join(lines) + "\n"


def replaced(text: str, section: Mapping[str, Any]) -> str:
    """A configuration's ``text`` with its lights replaced; everything else stays as it is.

    Of the lights that were there stay brightness, night, calm and the SPI bus.
    """
    try:
        before = tomllib.loads(text).get("lights")
    except ValueError:  # a file that is no TOML is refused by whoever reads it next
        before = None
    if isinstance(before, Mapping):
        section = {**{key: before[key] for key in _KEPT if key in before}, **section}
    kept, ours = [], False
    for line in text.splitlines():
        head = line.strip()
        if head.startswith("["):
            name = head.strip("[] ").split("]")[0]
            ours = name == "lights" or name.startswith("lights.")
        if not ours:
            kept.append(line)
    rest = "\n".join(kept).strip("\n")
    return f"{rest}\n\n{toml(section)}" if rest else toml(section)


def _course(board: Board, answers: Answers) -> Iterator[Question]:
    builds = tuple(build.value for build in Build)
    yield Question("build", "build", Kind.CHOICE, Build.EDGE.value, builds)
    build = Build(answers["build"]) if "build" in answers else Build.SCREEN
    if build is Build.SCREEN:
        return
    if build is Build.LAMPS:
        yield Question("driver", "driver_lamps", Kind.CHOICE, "lamps", ("lamps", "simulated"))
        for name in (n for n in LAMPS if n not in RESERVED):
            params = {"lamp": name}
            yield Question(_LAMP + name, "lamp", Kind.PINS, (), low=2, high=27, params=params)
        return
    drivers = tuple(d.value for d in Driver if d is not Driver.LAMPS)
    yield Question("driver", "driver", Kind.CHOICE, Driver.APA102.value, drivers)
    if answers.get("driver") == Driver.WLED.value:
        yield Question("wled", "wled", Kind.TEXT, "wled.local")
    yield Question("pixels", "pixels", Kind.NUMBER, 60, low=4, high=MAX_PIXELS)
    count = int(answers.get("pixels", 60))
    least = int(IDLE_MA * count) + 1
    usual = min(max(1000, least), int(count * (3 * COLOUR_MA + IDLE_MA)))
    yield Question("supply_ma", "supply", Kind.NUMBER, usual, low=least, high=60_000)
    yield from _corners(answers, count) if build is Build.EDGE else _rooms(board, count)


def _corners(answers: Answers, count: int) -> Iterator[Question]:
    known = [answers[_CORNER + c.value] for c in CORNERS if _CORNER + c.value in answers]
    for n, corner in enumerate(CORNERS):
        step = count // 4 if len(known) < 2 or known[1] > known[0] else -(count // 4)
        usual = (known[-1] + step) % count if known else 0
        yield Question(
            *(_CORNER + corner.value, "corner", Kind.PIXEL, usual),
            high=count - 1,
            params={"corner": corner.value, "n": n + 1},
        )
    sides = tuple(side.value for side in SIDES)
    yield Question("hidden", "hidden", Kind.PIXELS, (), high=count - 1)
    yield Question(_ELSEWHERE, "elsewhere", Kind.PIXELS, (), high=count - 1)
    for n in answers.get(_ELSEWHERE, ()):
        usual = sides[_side_of(n, known, count)]
        params = {"n": n}
        yield Question(
            f"{_SIDE}{n}", "light_side", Kind.CHOICE, usual, sides, lit=(n,), params=params
        )
        side = answers.get(f"{_SIDE}{n}", usual)
        words = "along_long" if side in ("top", "bottom") else "along_short"
        yield Question(f"{_ALONG}{n}", words, Kind.NUMBER, 50, high=100, lit=(n,), params={"n": n})
    yield Question("seat_one", "seat_one", Kind.CHOICE, "bottom", sides)


def _rooms(board: Board, count: int) -> Iterator[Question]:
    for n, room in enumerate(sorted(board.rooms)):
        usual = (n,) if n < count else ()
        yield Question(
            _ROOM + room, "room", Kind.PIXELS, usual, high=count - 1, params={"room": room}
        )


def _place(answers: Answers, n: int) -> list[Any]:
    """A light's side, and how far along it from left or top (0-1)."""
    return [answers[f"{_SIDE}{n}"], answers[f"{_ALONG}{n}"] / 100]


def _side_of(pixel: int, corners: Sequence[Any], count: int) -> int:
    """Which side, in clockwise order from the top, a pixel lies on."""
    clockwise = (corners[1] - corners[0]) % count < (corners[3] - corners[0]) % count
    for n in range(4):
        start, end = corners[n], corners[(n + 1) % 4]
        if not clockwise:
            start, end = end, start
        if (pixel - start) % count < (end - start) % count:
            return n
    return 0


def _whole(path: str, value: Any, low: int, high: int) -> int:
    try:
        number = int(value)
    except (TypeError, ValueError):
        number = low - 1
    if isinstance(value, bool) or not low <= number <= high:
        raise BadInput(path, "setting.whole", {"value": str(value), "low": low, "high": high})
    return number


def _numbers(question: Question, path: str, value: Any) -> tuple[int, ...]:
    if isinstance(value, str):
        words: Sequence[Any] = value.replace(",", " ").split()
    else:
        words = list(value) if isinstance(value, list | tuple) else [value]
    numbers = tuple(_whole(path, word, question.low, question.high) for word in words)
    if question.kind is Kind.PINS and len(numbers) not in (0, 1, 3):
        raise BadInput(path, "lights.lamp_pins", {"n": len(numbers)})
    return numbers


def _value(value: Any) -> str:
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return str(value).lower() if isinstance(value, bool) else str(value)
