from __future__ import annotations

import errno

import pytest

from companion.game.errors import Fault
from companion.locale import languages, words
from hardware.reasons import because, spoken


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (OSError(errno.EBUSY, "Device or resource busy"), "why.busy"),
        (RuntimeError("'GPIO busy'"), "why.busy"),  # lgpio
        (RuntimeError("pin GPIO17 is already in use by <gpiozero.LED>"), "why.busy"),
        (RuntimeError("can not open gpiochip: Permission denied"), "why.no_permission"),
        (ValueError("No such device"), "why.gone"),
        (RuntimeError("Unable to load any default pin factory!"), "why.no_library"),
        (RuntimeError("the moon is full"), "why.said"),
        (RuntimeError(), "why.said"),
    ],
)
def test_what_a_library_says_is_put_into_words(error: Exception, reason: str) -> None:
    params = because(error)
    assert params["reason"] == reason
    for language in languages():
        said = words(language).say("fault.lights.no_pins", Fault("lights", "x", params).params)
        assert "why." not in said
        quoted = reason == "why.said"
        assert ((str(error) or "RuntimeError") in said) is quoted


def test_the_last_words_of_aplay_too() -> None:
    text = "aplay: main:850: audio open error: Device or resource busy"
    assert spoken(text)["reason"] == "why.busy"
