from __future__ import annotations

import io
import re
import threading
import time
import wave
from array import array
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.game.errors import BadInput, Fault
from companion.table.ports import Status
from companion.table.sounds import CUES
from hardware.settings import SoundSettings
from hardware.sound import RATE, SCORE, Speaker, aplay, wav

ON = SoundSettings(cues=True)
SCREEN = Path(__file__).parents[2] / "web" / "static" / "sound.js"


def eventually(condition: Callable[[], bool], seconds: float = 5.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.01)
    return condition()


def test_every_cue_has_a_sound_and_the_screen_knows_their_order() -> None:
    assert list(SCORE) == list(CUES)
    order = re.search(r"const ORDER = \[(.*)\];", SCREEN.read_text(encoding="utf-8"))
    assert order is not None
    assert re.findall(r'"(\w+)"', order[1]) == list(CUES)


@pytest.mark.parametrize("name", CUES)
def test_a_cue_is_a_short_clean_wave(name: str) -> None:
    with wave.open(io.BytesIO(wav(name))) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, RATE)
        samples = array("h", file.readframes(file.getnframes()))
    assert 0.1 < len(samples) / RATE < 2.5
    assert 8_000 < max(map(abs, samples)) <= 32_000
    assert abs(samples[0]) < 400
    assert abs(samples[-1]) < 400


def test_no_two_cues_sound_alike() -> None:
    assert len({wav(name) for name in CUES}) == len(CUES)


def test_the_volume_counts() -> None:
    loud, soft = (array("h", wav("event", v)[44:]) for v in (1.0, 0.25))
    assert max(soft) == pytest.approx(max(loud) / 4, rel=0.01)
    assert set(wav("event", 0.0)[44:]) == {0}
    with pytest.raises(BadInput, match="volume"):
        SoundSettings(volume=1.1)


def test_cues_are_played_in_turn_and_late_ones_left_out() -> None:
    go, played = threading.Event(), []

    def slow(data: bytes) -> None:
        go.wait(5)
        played.append(data)

    speaker = Speaker(ON, play=slow)
    speaker.start()
    begun = time.monotonic()
    for _ in range(10):
        speaker.cue("noise")
    assert time.monotonic() - begun < 1
    go.set()
    assert eventually(lambda: len(played) >= 2)
    time.sleep(0.05)
    assert len(played) <= 3
    assert speaker.health().status is Status.READY
    speaker.stop()
    speaker.stop()
    assert speaker.health().status is Status.OFF


def test_a_speaker_that_fails_is_said_and_tried_at_the_next_cue() -> None:
    broken = [True]

    def play(data: bytes) -> None:
        if broken:
            raise Fault("sound", "sound.failed", {"reason": "no card"})

    speaker = Speaker(ON, play=play)
    speaker.start()
    speaker.cue("event")
    assert eventually(lambda: speaker.health().status is Status.DEGRADED)
    assert speaker.health().code == "fault.sound.failed"
    broken.clear()
    speaker.cue("event")
    assert eventually(lambda: speaker.health().status is Status.READY)
    speaker.stop()


def program(folder: Path, text: str) -> str:
    file = folder / "aplay"
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)
    return str(file)


def test_alsa_gets_the_wave_on_its_device(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    player = aplay("hw:1", program(tmp_path, f'echo "$@" > {heard}.args; cat > {heard}'))
    player(wav("round"))
    assert heard.read_bytes() == wav("round")
    assert (tmp_path / "heard.args").read_text().split() == ["-q", "-D", "hw:1", "-"]


def test_alsa_that_is_missing_or_refuses(tmp_path: Path) -> None:
    with pytest.raises(Fault) as caught:
        aplay(program=str(tmp_path / "none"))(b"")
    assert (caught.value.code, caught.value.temporary) == ("sound.no_aplay", False)
    with pytest.raises(Fault) as caught:
        aplay(program=program(tmp_path, "cat > /dev/null; echo 'no such device' >&2; exit 1"))(b"")
    assert (caught.value.code, caught.value.params["reason"]) == ("sound.failed", "why.gone")
