"""The evening as one picture to share: who played, how it came out, round by round.

Made from the story, so from public facts only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

WIDTH, EDGE = 1080, 64
WIDE = WIDTH - 2 * EDGE
GROUND, SURFACE, TEXT, DIM = "#0b0d10", "#13171c", "#e9e4d8", "#a7b0ba"
MAIN, LINE = "#f2c14e", "#5b6876"
#: What the chart shows, and its colour.
BARS = {"encounters": "#b5e07a", "kills": "#4ecdb6", "wounds": "#ff6b5e"}
LETTER = 0.56  # of the size: how wide a letter is at most, on average
MOST = 12  # sentences


def picture(
    story: Mapping[str, Any],
    title: str,
    rounds: Sequence[Mapping[str, int]],
    names: Mapping[str, str],
) -> str:
    """The picture as SVG.

    ``story`` is what its page shows, each of its people with ``end``: how it came out for them;
    ``rounds`` count what ``names`` names.
    """
    parts: list[str] = []
    y = float(EDGE)
    for size, words, colour in _head(story, title):
        for line in wrap(words, size, WIDE):
            y += size * 1.25
            parts.append(_text(EDGE, y, line, size, colour, bold=size > 40))
    y += 40
    for person in story["people"]:
        parts.append(_shape("circle", cx=EDGE + 24, cy=y + 20, r=22, fill=person["hex"]))
        words = " · ".join(filter(None, (person["label"], person["name"], person["end"])))
        colour = MAIN if person["won"] else TEXT
        parts.append(_text(EDGE + 64, y + 32, words, 34, colour, bold=person["won"]))
        y += 62
    if rounds:
        parts += _chart(rounds, names, y + 20)
        y += 330
    for words in _sentences(story):
        y += 12
        for line in wrap(words, 30, WIDE):
            y += 38
            parts.append(_text(EDGE, y, line, 30, DIM))
    height = round(y + EDGE)
    ground = _shape("rect", width=WIDTH, height=height, fill=GROUND)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
        f'height="{height}" font-family="system-ui, sans-serif">'
        f"{ground}{''.join(_hexes())}{''.join(parts)}</svg>"
    )


def _lines(story: Mapping[str, Any], *, last: bool) -> list[str]:
    """The sentences of the story, or its last words: who won, that nobody lives."""
    lines = (line for chapter in story["chapters"] for line in chapter["lines"])
    return [line["text"] for line in lines if bool(line["tone"]) == last]


def _head(story: Mapping[str, Any], title: str) -> Iterator[tuple[int, str, str]]:
    yield 34, title, DIM
    last = _lines(story, last=True) or [chapter["title"] for chapter in story["chapters"]]
    yield 56, last[-1] if last else "", MAIN
    yield 32, " · ".join(story["sums"]), TEXT


def _sentences(story: Mapping[str, Any]) -> list[str]:
    return _lines(story, last=False)[-MOST:]


def _chart(
    rounds: Sequence[Mapping[str, int]], names: Mapping[str, str], top: float
) -> Iterator[str]:
    """Bars of every round, side by side, and what their colours are."""
    floor, high = top + 220, 190.0
    most = max(1, *(counted.get(what, 0) for counted in rounds for what in BARS))
    step = WIDE / max(len(rounds), 6)
    wide = step * 0.8 / len(BARS)
    yield _shape("rect", x=EDGE, y=floor, width=WIDE, height=2, fill=LINE)
    for n, counted in enumerate(rounds):
        for bar, (what, colour) in enumerate(BARS.items()):
            tall = high * counted.get(what, 0) / most
            x = EDGE + (n + 0.1) * step + bar * wide
            yield _shape("rect", x=x, y=floor - tall, width=wide - 2, height=tall, fill=colour)
        yield _text(EDGE + (n + 0.5) * step, floor + 30, str(n + 1), 24, DIM, middle=True)
    x = float(EDGE)
    for what, colour in BARS.items():
        yield _shape("rect", x=x, y=floor + 52, width=24, height=24, rx=5, fill=colour)
        yield _text(x + 34, floor + 73, names[what], 26, TEXT)
        x += 34 + len(names[what]) * 26 * LETTER + 44


def _hexes() -> Iterator[str]:
    """Our rooms as a faint pattern at the upper right edge."""
    for x, y, size in ((980, 110, 90), (1060, 250, 70), (880, 40, 60)):
        points = " ".join(
            f"{x + size * a:.0f},{y + size * b:.0f}"
            for a, b in ((1, 0), (0.5, 0.87), (-0.5, 0.87), (-1, 0), (-0.5, -0.87), (0.5, -0.87))
        )
        yield _shape("polygon", points=points, fill=SURFACE, stroke=LINE, opacity=0.5)


def wrap(words: str, size: int, wide: float) -> list[str]:
    """A sentence in lines that fit."""
    most = max(1, int(wide / (size * LETTER)))
    lines = [""]
    for word in words.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > most:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return [line[:most] for line in lines if line]


def _shape(name: str, **said: Any) -> str:
    values = {n: f"{v:.1f}" if isinstance(v, float) else str(v) for n, v in said.items()}
    return f"<{name} " + " ".join(f'{n}="{escape(v)}"' for n, v in values.items()) + "/>"


def _text(
    x: float,
    y: float,
    words: str,
    size: int,
    colour: str,
    *,
    bold: bool = False,
    middle: bool = False,
) -> str:
    more = (' font-weight="800"' if bold else "") + (' text-anchor="middle"' if middle else "")
    at = f'x="{x:.0f}" y="{y:.0f}" font-size="{size}" fill="{colour}"'
    return f"<text {at}{more}>{escape(words)}</text>"
