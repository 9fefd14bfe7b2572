"""Cues as sound: made by synthesis, played by ALSA's ``aplay`` or handed to a browser as WAV."""

from __future__ import annotations

import io
import logging
import math
import queue
import subprocess
import threading
import wave
from array import array
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from companion.game.errors import Fault, why
from companion.table.ports import Health, Status
from hardware.reasons import spoken
from hardware.settings import SoundSettings

PART: Final = "sound"
RATE: Final = 22_050  # samples a second
_FADE_S: Final = 0.012  # so that no tone begins or ends with a click
_WAITING: Final = 2  # cues that may wait; a late cue is worse than none
_LONGEST_S: Final = 6.0

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Tone:
    """One tone: pitch in Hz (gliding to ``to``), when and how long in seconds, how loud 0-1."""

    hz: float
    at: float
    length: float
    gain: float = 0.6
    to: float | None = None


#: Low and slow for what the ship does, high and short for what people wait for.
SCORE: Final[Mapping[str, tuple[Tone, ...]]] = MappingProxyType(
    {
        "over": (Tone(220, 0, 1.6, 0.5, 55), Tone(110, 0.2, 1.8, 0.5, 41)),
        "death": (Tone(196, 0, 0.5), Tone(147, 0.5, 0.5), Tone(98, 1.0, 1.2)),
        "alarm": (
            Tone(440, 0, 0.4),
            Tone(330, 0.45, 0.4),
            Tone(440, 0.9, 0.4),
            Tone(330, 1.35, 0.4),
        ),
        "encounter": (Tone(82, 0, 0.9, 0.8, 123), Tone(87, 0, 0.9, 0.5, 131)),
        "attack": (Tone(140, 0, 0.14, 0.9, 70), Tone(120, 0.18, 0.2, 0.9, 60)),
        "fire": (Tone(300, 0, 0.25, 0.4, 520), Tone(260, 0.12, 0.3, 0.4, 480)),
        "event": (Tone(523, 0, 0.18, 0.5), Tone(392, 0.2, 0.35, 0.5)),
        "noise": (Tone(900, 0, 0.05, 0.4), Tone(760, 0.12, 0.05, 0.4), Tone(840, 0.22, 0.05, 0.4)),
        "round": (Tone(392, 0, 0.2, 0.5), Tone(523, 0.22, 0.3, 0.5)),
    }
)


@lru_cache(maxsize=32)
def wav(cue: str, volume: float = 1.0) -> bytes:
    """A cue as a WAV file: mono, 16 bit. KeyError: no such cue."""
    tones = SCORE[cue]
    seconds = max(tone.at + tone.length for tone in tones)
    mixed = [0.0] * int(seconds * RATE + 1)
    for tone in tones:
        _mix(mixed, tone)
    loudest = max(1.0, max(map(abs, mixed)))
    samples = array("h", (int(32_000 * volume * v / loudest) for v in mixed))
    made = io.BytesIO()
    with wave.open(made, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(samples.tobytes())
    return made.getvalue()


def _mix(mixed: list[float], tone: Tone) -> None:
    count, start = int(tone.length * RATE), int(tone.at * RATE)
    fade = max(1, min(int(_FADE_S * RATE), count // 2))
    end = tone.hz if tone.to is None else tone.to
    turn = 0.0
    for i in range(count):
        part = i / count
        turn += (tone.hz + (end - tone.hz) * part) / RATE
        edge = min(1.0, i / fade, (count - i) / fade)
        fall = 1.0 - 0.6 * part
        over = math.sin(math.tau * turn) + 0.25 * math.sin(2 * math.tau * turn)
        mixed[start + i] += tone.gain * edge * fall * over / 1.25


Play = Callable[[bytes], None]
"""Plays a WAV file and returns when it has sounded. Raises Fault."""


class Speaker:
    """Plays cues from its own thread; never an exception, and nobody waits for it.

    A cue that comes while two wait is left out. Without ``play`` it is ALSA's ``aplay``. What
    goes wrong is its `health`; the next cue tries again, unless the fault is permanent.
    """

    def __init__(self, settings: SoundSettings, *, play: Play | None = None) -> None:
        self._settings = settings
        self._play = play or aplay(settings.device)
        self._fault: Fault | None = None
        self._cues: queue.Queue[str | None] = queue.Queue(_WAITING)
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin to listen for cues."""
        self._thread = threading.Thread(target=self._run, name="sound", daemon=True)
        self._thread.start()

    def cue(self, name: str) -> None:
        """Play this when what sounds now has ended. Returns at once."""
        try:
            self._cues.put_nowait(name)
        except queue.Full:
            _log.info("cli.note.cue_late", {"cue": name})

    def health(self) -> Health:
        """How the sound fares."""
        if self._thread is None:
            return Health(PART, Status.OFF)
        return Health(PART, Status.READY) if self._fault is None else Health.of(PART, self._fault)

    def stop(self) -> None:
        """Silence. More than once does no harm."""
        thread, self._thread = self._thread, None
        if thread is None:
            return
        while True:
            try:
                self._cues.get_nowait()
            except queue.Empty:
                break
        self._cues.put(None)
        thread.join(_LONGEST_S)

    def _run(self) -> None:
        while (name := self._cues.get()) is not None:
            if self._fault is not None and not self._fault.temporary:
                continue
            try:
                self._play(wav(name, self._settings.volume))
            except Fault as error:
                if self._fault is None:
                    _log.warning("%s", error)
                self._fault = error
            except Exception:
                _log.exception("cli.note.cue_failed", {"cue": name})
            else:
                self._fault = None


def aplay(device: str = "", program: str = "aplay") -> Play:
    """ALSA's own player. Playing raises Fault: ``sound.no_aplay`` (permanent), ``sound.failed``."""
    command = [program, "-q", *(["-D", device] if device else []), "-"]

    def play(data: bytes) -> None:
        try:
            done = subprocess.run(
                command, input=data, capture_output=True, timeout=_LONGEST_S, check=False
            )
        except FileNotFoundError as error:
            raise Fault(PART, "sound.no_aplay", temporary=False) from error
        except subprocess.TimeoutExpired as error:
            raise Fault(PART, "sound.failed", {"reason": "why.busy", "number": 0}) from error
        except OSError as error:
            raise Fault(PART, "sound.failed", why(error)) from error
        if done.returncode:
            said = done.stderr.decode("utf-8", "replace").strip().splitlines()
            raise Fault(PART, "sound.failed", spoken(said[-1] if said else "?"))

    return play
