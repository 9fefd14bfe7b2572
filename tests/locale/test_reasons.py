"""What the operating system refused is said in the reader's words."""

from __future__ import annotations

import errno

import pytest

from companion.game.errors import why
from companion.locale import languages, words

KINDS = (errno.ENOSPC, errno.EACCES, errno.ENOENT, errno.EBUSY, errno.EROFS, errno.EIO, -2, 71)


@pytest.mark.parametrize("language", languages())
def test_a_reason_is_said_in_the_language_of_its_sentence(language: str) -> None:
    said = [
        words(language).say("fault.file.unwritable", {"path": "/x", **why(OSError(n, "English!"))})
        for n in KINDS
    ]
    assert len(set(said)) == len(KINDS)
    assert not [s for s in said if "English!" in s or "why." in s or "{" in s]
    assert "71" in said[-1]
