"""A running companion for tests: everything simulated, differences asked about at once."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from companion.app import App
from companion.config import Config
from companion.table.folder import DataFolder
from vision.settings import VisionSettings
from web.settings import WebSettings


def until(true: Callable[[], Any], patience_s: float) -> Any:
    """Wait until something is so; fail after a while."""
    end = time.monotonic() + patience_s
    while not (found := true()):
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.05)
    return found


@contextmanager
def running(folder: Path, port: int = 0) -> Iterator[App]:
    """The program on ``port``, or a free one, stopped at the end."""
    web = WebSettings(host="127.0.0.1", port=port)
    config = Config(web=web, camera=VisionSettings(quiet_s=0))
    made = App(config, DataFolder(folder), simulate=True)
    made.start()
    try:
        yield made
    finally:
        made.stop()
