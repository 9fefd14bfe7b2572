"""Drawing in millimetres from a page's top-left corner, on top of pydyf."""

from __future__ import annotations

import io
from typing import Any

from vision.optional import need

POINT = 72 / 25.4  # points a millimetre
PAPER_MM = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
Colour = tuple[float, float, float]
BLACK: Colour = (0.0, 0.0, 0.0)


class Page:
    """One page of ``size`` (width, height) in mm. Lengths are mm, text sizes points."""

    def __init__(self, size: tuple[float, float]) -> None:
        self.size = size
        self._stream: Any = need("pydyf", "pydyf", "sheet").Stream(compress=True)

    def _x(self, x: float) -> float:
        return round(x * POINT, 4)

    def _y(self, y: float) -> float:
        return round((self.size[1] - y) * POINT, 4)

    def box(self, x: float, y: float, width: float, height: float, colour: Colour = BLACK) -> None:
        """A filled rectangle with its top-left corner at (x, y)."""
        self._stream.set_color_rgb(*colour)
        self._stream.rectangle(
            self._x(x), self._y(y + height), round(width * POINT, 4), round(height * POINT, 4)
        )
        self._stream.fill()

    def path(
        self, points: list[tuple[float, float]], *, dashed: bool = False, close: bool = True
    ) -> None:
        """A thin line through ``points``: a cutting line, or a fold when ``dashed``."""
        stream = self._stream
        stream.push_state()
        stream.set_color_rgb(0.45, 0.45, 0.45, stroke=True)
        stream.set_line_width(0.15 * POINT)
        if dashed:
            stream.set_dash([2, 2], 0)
        stream.move_to(self._x(points[0][0]), self._y(points[0][1]))
        for x, y in points[1:]:
            stream.line_to(self._x(x), self._y(y))
        if close:
            stream.stroke_and_close()
        else:
            stream.stroke()
        stream.pop_state()

    def shape(self, points: list[tuple[float, float]], colour: Colour = BLACK) -> None:
        """A filled polygon through ``points``."""
        self._stream.set_color_rgb(*colour)
        self._stream.move_to(self._x(points[0][0]), self._y(points[0][1]))
        for x, y in points[1:]:
            self._stream.line_to(self._x(x), self._y(y))
        self._stream.fill()

    def text(
        self,
        words: str,
        x: float,
        y: float,
        size: float = 6.0,
        colour: Colour = BLACK,
        width: float | None = None,
    ) -> None:
        """``words`` with their baseline's left end at (x, y), made smaller to fit ``width``."""
        if width is not None and words:
            capitals = sum(letter.isupper() for letter in words)
            size = min(size, width * POINT / (0.56 * len(words) + 0.17 * capitals))
        stream = self._stream
        stream.begin_text()
        stream.set_color_rgb(*colour)
        stream.set_font_size("F1", round(size, 2))
        stream.set_text_matrix(1, 0, 0, 1, self._x(x), self._y(y))
        hexed = words.encode("cp1252", "replace").hex()
        stream.show_text(f"<{hexed}>" if hexed else "<20>")
        stream.end_text()

    def add_to(self, document: Any) -> None:
        """Put the finished page into a pydyf ``document``."""
        pydyf = need("pydyf", "pydyf", "sheet")
        document.add_object(self._stream)
        font = pydyf.Dictionary(
            {
                "Type": "/Font",
                "Subtype": "/Type1",
                "BaseFont": "/Helvetica",
                "Encoding": "/WinAnsiEncoding",
            }
        )
        document.add_object(font)
        document.add_page(
            pydyf.Dictionary(
                {
                    "Type": "/Page",
                    "Parent": document.pages.reference,
                    "MediaBox": pydyf.Array([0, 0, *(round(s * POINT, 4) for s in self.size)]),
                    "Contents": self._stream.reference,
                    "Resources": pydyf.Dictionary(
                        {"Font": pydyf.Dictionary({"F1": font.reference})}
                    ),
                }
            )
        )


def document(pages: list[Page]) -> bytes:
    """The PDF file of ``pages``; viewers are told not to scale it when printing."""
    pydyf = need("pydyf", "pydyf", "sheet")
    pdf = pydyf.PDF()
    for page in pages:
        page.add_to(pdf)
    pdf.catalog["ViewerPreferences"] = pydyf.Dictionary({"PrintScaling": "/None"})
    out = io.BytesIO()
    pdf.write(out)
    return out.getvalue()
