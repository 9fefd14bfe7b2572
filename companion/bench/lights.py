"""``companion bench lights``: what a frame costs, how even its beat is, and other encoders."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from companion.bench.encoders import APA102, Encode, missing, peers
from companion.game.board import Board
from companion.library import load_content
from companion.locale import Words
from companion.table.ports import Meaning, Mood, RoomLight, Scene
from hardware import (
    Driver,
    Frame,
    LightLoop,
    LightSettings,
    SimulatedTransport,
    apa102,
    painter,
    ws2812,
)

PIXELS, RATE = 60, 30
SECONDS = 6.0
MOST_SHARE = 2.0  # percent of one core
ROUNDS, PER_ROUND = 12, 200


def run(say: Words) -> Iterator[tuple[bool, str]]:
    """Measure; pairs of whether a figure is as promised and its sentence."""
    board = load_content().board(None)
    beat = measure(board, SECONDS)
    figures = {
        "pixels": PIXELS,
        "rate": f"{beat.rate:.1f}",
        "frame": f"{beat.frame_us:.0f}",
        "share": f"{beat.share:.2f}",
        "jitter": f"{beat.jitter_ms:.2f}",
        "p99": f"{beat.p99_ms:.2f}",
        "worst": f"{beat.worst_ms:.2f}",
    }
    yield beat.share < MOST_SHARE, say.say("bench.lights.cost", figures)
    yield True, say.say("bench.lights.jitter", figures)
    frame = painter(board, _settings().layout(board)).frame(busy(board), 0.3)
    found = peers(PIXELS)
    for name, (chip, encode) in found.items():
        own_us, peer_us, same = compared(chip, encode, frame)
        text = {
            "chip": chip,
            "peer": name,
            "own": f"{own_us:.1f}",
            "other": f"{peer_us:.1f}",
            "ratio": f"{peer_us / own_us:.1f}",
        }
        key = "bench.lights.encode_same" if same else "bench.lights.encode"
        yield own_us <= peer_us, say.say(key, text)
    if absent := missing(found):
        yield True, say.say("bench.lights.no_peers", {"peers": " ".join(absent)})


@dataclass(frozen=True, slots=True)
class Beat:
    """A running light loop: its cost, and how far from 1/30 s its frames lie apart."""

    rate: float  # frames a second
    frame_us: float  # processor time a frame, waking up and sending included
    share: float  # percent of one core
    jitter_ms: float  # standard deviation
    p99_ms: float
    worst_ms: float


class _Clocked(SimulatedTransport):
    """A strip that notes when each frame came."""

    def __init__(self) -> None:
        super().__init__()
        self.at: list[float] = []

    def send(self, data: bytes) -> None:
        super().send(data)
        self.at.append(time.perf_counter())


def measure(board: Board, seconds: float) -> Beat:
    """Let the real loop show the busiest scene for so long, on a strip in memory."""
    strip = _Clocked()
    with LightLoop(_settings(), board, open_transport=lambda: strip) as lights:
        lights.show(busy(board))
        time.sleep(0.5)
        strip.at.clear()
        begun, used = time.perf_counter(), time.process_time()
        time.sleep(seconds)
        used = time.process_time() - used
        taken = time.perf_counter() - begun
        at = list(strip.at)
    away = sorted(abs(b - a - 1 / RATE) * 1000 for a, b in pairwise(at))
    return Beat(
        rate=(len(at) - 1) / (at[-1] - at[0]),
        frame_us=used / len(at) * 1e6,
        share=100 * used / taken,
        jitter_ms=statistics.pstdev(b - a for a, b in pairwise(at)) * 1000,
        p99_ms=away[int(len(away) * 0.99)],
        worst_ms=away[-1],
    )


def compared(chip: str, encode: Encode, frame: Frame) -> tuple[float, float, bool]:
    """Microseconds a frame, ours and the peer's, in turns, best of; whether the bytes agree."""
    ours: Encode = apa102 if chip == APA102 else ws2812
    own, other = [], []
    for _ in range(ROUNDS):
        own.append(_timed(ours, frame))
        other.append(_timed(encode, frame))
    return min(own), min(other), ours(frame) == encode(frame)


def busy(board: Board) -> Scene:
    """As much at once as a game can ask for: fire, contamination, alarm, crosshair, a turn."""
    rooms = sorted(board.rooms)
    burning = [RoomLight(room, Meaning.FIRE) for room in rooms[:5]]
    slimy = [RoomLight(room, Meaning.CONTAMINATION, n % 3 + 1) for n, room in enumerate(rooms[5:])]
    return Scene(
        Mood.EVENT,
        rooms=(*burning, *slimy),
        pointer=(rooms[0], rooms[-1]),
        alarm=True,
        countdown=3,
        side=2,
        seats=5,
        progress=0.4,
    )


def _settings() -> LightSettings:
    return LightSettings(driver=Driver.APA102, pixels=PIXELS)


def _timed(encode: Callable[[Frame], bytes], frame: Frame) -> float:
    begun = time.perf_counter()
    for _ in range(PER_ROUND):
        encode(frame)
    return (time.perf_counter() - begun) / PER_ROUND * 1e6
