"""The legend of the lights as a card to print and lay beside the board, drawn from the code.

Each meaning has its colour, its rhythm as a line over six seconds, and a word. The card is an A6
page in true millimetres; it holds no words but those it is given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from textwrap import wrap
from typing import Final
from xml.sax.saxutils import escape

from companion.table.ports import Mood
from hardware.meanings import LEGEND, RESERVED, Colour, Pattern, Rhythm, contamination_share

WIDTH_MM, HEIGHT_MM = 105.0, 148.0
_MARGIN: Final = 6.0
_TOP: Final = 17.0
_SECONDS: Final = 6.0  # what a line of rhythm shows
_LINE_MM: Final = 30.0
_SAMPLES: Final = 150
_LETTERS: Final = 66  # of the last line, so that it stays within the cut
_INK: Final = "#1a1a1a"


@dataclass(frozen=True, slots=True)
class CardWords:
    """The words of a card: its title, its last line, each meaning's and each pattern's.

    ``number`` writes a number of seconds as the reader does.
    """

    title: str
    foot: str
    meanings: Mapping[str, str]
    patterns: Mapping[str, str]
    number: Callable[[float], str] = "{:g}".format


def card(words: CardWords) -> str:
    """The legend as SVG text. KeyError: a meaning or pattern has no word."""
    parts = [*_head(words), *_rows(words), *_foot(words)]
    size = f'width="{WIDTH_MM:g}mm" height="{HEIGHT_MM:g}mm"'
    box = f'viewBox="0 0 {WIDTH_MM:g} {HEIGHT_MM:g}"'
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size} {box}>', *parts, "</svg>\n"])


def order() -> tuple[str, ...]:
    """The meanings as the card lists them: what calls first, then the moods, then the edge.

    Those that no game can show are not on it.
    """
    moods = [mood.value for mood in Mood]
    rooms = [name for name in LEGEND if name not in moods and name not in RESERVED]
    calling = [n for n in rooms if LEGEND[n].rhythm.pattern is not Pattern.STEADY]
    return (*calling, *moods, *(n for n in rooms if n not in calling))


def _head(words: CardWords) -> Iterator[str]:
    yield f'<rect width="{WIDTH_MM:g}" height="{HEIGHT_MM:g}" fill="#fff"/>'
    yield (
        f'<rect x="1" y="1" width="{WIDTH_MM - 2:g}" height="{HEIGHT_MM - 2:g}" fill="none" '
        f'stroke="{_INK}" stroke-width="0.2" stroke-dasharray="2 1"/>'
    )
    yield _text(_MARGIN, 11.0, 5.5, words.title, "bold")


def _rows(words: CardWords) -> Iterator[str]:
    names = order()
    step = (HEIGHT_MM - _TOP - 14.0) / len(names)
    for n, name in enumerate(names):
        y = _TOP + n * step
        rhythm = LEGEND[name].rhythm
        yield from _swatches(name, y, step)
        yield _text(_MARGIN + 16.5, y + 0.42 * step, 3.3, words.meanings[name], "bold")
        told = words.patterns[rhythm.pattern.value]
        if rhythm.period:
            told += f" · {words.number(rhythm.period)} s"
        yield _text(_MARGIN + 16.5, y + 0.80 * step, 2.7, told)
        yield _line(rhythm, WIDTH_MM - _MARGIN - _LINE_MM, y + 0.15 * step, 0.65 * step)


def _swatches(name: str, y: float, step: float) -> Iterator[str]:
    """The colour at full; contamination in its three levels."""
    shares = [contamination_share(k) for k in (1, 2, 3)] if name == "contamination" else [1.0]
    for n, share in enumerate(shares):
        red, green, blue = (round(part * share) for part in LEGEND[name].colour)
        wide = 14.6 / len(shares) - (0.4 if len(shares) > 1 else 0.0)
        at = _MARGIN + n * 14.6 / len(shares)
        yield _patch(at, y + 0.15 * step, wide, 0.65 * step, _hex((red, green, blue)))


def _line(rhythm: Rhythm, x: float, y: float, high: float) -> str:
    """The rhythm over six seconds, bright on top."""
    points = " ".join(
        f"{x + _LINE_MM * i / _SAMPLES:.2f},"
        f"{y + high * (1.0 - rhythm.level(_SECONDS * i / _SAMPLES)):.2f}"
        for i in range(_SAMPLES + 1)
    )
    return f'<polyline points="{points}" fill="none" stroke="{_INK}" stroke-width="0.35"/>'


def _foot(words: CardWords) -> Iterator[str]:
    lines = wrap(words.foot, _LETTERS)
    for n, line in enumerate(lines):
        yield _text(_MARGIN, HEIGHT_MM - 6.0 - 3.2 * (len(lines) - 1 - n), 2.6, line)


def _patch(x: float, y: float, width: float, height: float, fill: str) -> str:
    return (
        f'<rect x="{x:.2f}" y="{y:.2f}" width="{width:.2f}" height="{height:.2f}" rx="0.8" '
        f'fill="{fill}"/>'
    )


def _text(x: float, y: float, size: float, text: str, weight: str = "normal") -> str:
    return (
        f'<text x="{x:.2f}" y="{y:.2f}" font-family="sans-serif" font-size="{size:g}" '
        f'font-weight="{weight}" fill="{_INK}">{escape(text)}</text>'
    )


def _hex(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)
