"""What every test shares."""

from __future__ import annotations

from companion import locale

# A forgotten word is a failing test, not a log line.
locale.raise_on_missing(True)
