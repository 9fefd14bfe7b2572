"""Optional libraries of this package, imported where they are needed."""

from __future__ import annotations

import importlib
from types import ModuleType

from companion.game.errors import Fault


def need(module: str, install: str, part: str = "camera") -> ModuleType:
    """The optional ``module``; a permanent `Fault` that names what to ``install`` without it."""
    try:
        found = importlib.import_module(module)
    except ImportError as error:
        raise Fault(
            part,
            "vision.library_missing",
            {"module": module, "install": install},
            temporary=False,
        ) from error
    if module == "cv2":  # it would write English lines of its own beside our sentence
        logging = getattr(found.utils, "logging", None)  # Debian's own build has none
        if logging is not None:
            logging.setLogLevel(logging.LOG_LEVEL_SILENT)
    return found
