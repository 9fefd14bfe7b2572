"""How far apart two colours look: CIEDE2000, also to eyes that lack one kind of cone.

The colour blindness is that of Brettel, Viénot and Mollon (1997), as two half planes in linear
sRGB a kind of cone; the coefficients are those libDaltonLens published into the public domain.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

Rgb = Sequence[float]
Lab = tuple[float, float, float]
_Matrix = tuple[tuple[float, float, float], ...]

#: For each kind: the matrix on one side of the plane, on the other side, the plane's normal.
_BLIND: Final[Mapping[str, tuple[_Matrix, _Matrix, tuple[float, float, float]]]] = {
    "protan": (
        ((0.14980, 1.19548, -0.34528), (0.10764, 0.84864, 0.04372), (0.00384, -0.00540, 1.00156)),
        ((0.14570, 1.16172, -0.30742), (0.10816, 0.85291, 0.03892), (0.00386, -0.00524, 1.00139)),
        (0.00048, 0.00393, -0.00441),
    ),
    "deutan": (
        ((0.36477, 0.86381, -0.22858), (0.26294, 0.64245, 0.09462), (-0.02006, 0.02728, 0.99278)),
        ((0.37298, 0.88166, -0.25464), (0.25954, 0.63506, 0.10540), (-0.01980, 0.02784, 0.99196)),
        (-0.00281, -0.00611, 0.00892),
    ),
    "tritan": (
        ((1.01277, 0.13548, -0.14826), (-0.01243, 0.86812, 0.14431), (0.07589, 0.80500, 0.11911)),
        ((0.93678, 0.18979, -0.12657), (0.06154, 0.81526, 0.12320), (-0.37562, 1.12767, 0.24796)),
        (0.03901, -0.02788, -0.01113),
    ),
}
KINDS: Final = tuple(_BLIND)
_XYZ: Final[_Matrix] = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
_WHITE: Final = (0.95047, 1.0, 1.08883)  # D65


def apart(one: Rgb, two: Rgb, kind: str = "") -> float:
    """CIEDE2000 between two screen colours (0-255), seen by a kind of eye; "" sees all."""
    return difference(_lab(_seen(one, kind)), _lab(_seen(two, kind)))


def least_apart(one: Rgb, two: Rgb) -> float:
    """The smallest difference over full colour sight and the three kinds of colour blindness."""
    return min(apart(one, two, kind) for kind in ("", *KINDS))


def difference(one: Lab, two: Lab) -> float:
    """CIEDE2000 with all weights 1, after Sharma, Wu and Dalal (2005)."""
    (l1, a1, b1), (l2, a2, b2) = one, two
    mean = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    grey = 0.5 * (1 - math.sqrt(mean**7 / (mean**7 + 25.0**7)))
    a1, a2 = a1 * (1 + grey), a2 * (1 + grey)
    c1, c2 = math.hypot(a1, b1), math.hypot(a2, b2)
    h1, h2 = (math.degrees(math.atan2(b, a)) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn = 0.0 if c1 * c2 == 0 else (h2 - h1 + 180) % 360 - 180
    if turn == -180 and h2 > h1:
        turn = 180.0
    light, chroma = l2 - l1, c2 - c1
    hue = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn) / 2)
    l_mean, c_mean = (l1 + l2) / 2, (c1 + c2) / 2
    if c1 * c2 == 0:
        h_mean = h1 + h2
    elif abs(h1 - h2) <= 180:
        h_mean = (h1 + h2) / 2
    else:
        h_mean = (h1 + h2 + (360 if h1 + h2 < 360 else -360)) / 2

    def cos(degrees: float) -> float:
        return math.cos(math.radians(degrees))

    t = (
        1
        - 0.17 * cos(h_mean - 30)
        + 0.24 * cos(2 * h_mean)
        + 0.32 * cos(3 * h_mean + 6)
        - 0.20 * cos(4 * h_mean - 63)
    )
    s_l = 1 + 0.015 * (l_mean - 50) ** 2 / math.sqrt(20 + (l_mean - 50) ** 2)
    s_c = 1 + 0.045 * c_mean
    s_h = 1 + 0.015 * c_mean * t
    blue = 30 * math.exp(-(((h_mean - 275) / 25) ** 2))
    r_c = 2 * math.sqrt(c_mean**7 / (c_mean**7 + 25.0**7))
    r_t = -r_c * math.sin(math.radians(2 * blue))
    return math.sqrt(
        (light / s_l) ** 2
        + (chroma / s_c) ** 2
        + (hue / s_h) ** 2
        + r_t * (chroma / s_c) * (hue / s_h)
    )


def _seen(colour: Rgb, kind: str) -> Rgb:
    """The linear colour, 0-1, that an eye of this kind sees."""
    linear = [
        v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4
        for v in (part / 255 for part in colour)
    ]
    if not kind:
        return linear
    one, other, normal = _BLIND[kind]
    side = sum(n * v for n, v in zip(normal, linear, strict=True))
    return [min(max(v, 0.0), 1.0) for v in _times(one if side >= 0 else other, linear)]


def _lab(linear: Rgb) -> Lab:
    def root(v: float) -> float:
        return v ** (1 / 3) if v > 216 / 24389 else (24389 / 27 * v + 16) / 116

    x, y, z = (root(v / w) for v, w in zip(_times(_XYZ, linear), _WHITE, strict=True))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _times(matrix: _Matrix, vector: Rgb) -> list[float]:
    return [sum(m * v for m, v in zip(row, vector, strict=True)) for row in matrix]
