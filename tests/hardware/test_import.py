from __future__ import annotations

import subprocess
import sys

CODE = """
import sys
import hardware
print(sorted({"gpiozero", "spidev", "numpy", "cv2", "lgpio"} & set(sys.modules)))
"""


def test_importing_needs_no_optional_library_and_touches_no_device() -> None:
    out = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


def test_every_public_name_is_there() -> None:
    import hardware

    assert [name for name in hardware.__all__ if not hasattr(hardware, name)] == []
