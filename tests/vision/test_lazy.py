from __future__ import annotations

import subprocess
import sys

import pytest

import vision


def test_nothing_heavy_is_imported_until_used() -> None:
    code = "import sys, vision; assert not {'cv2', 'numpy', 'pydyf'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_every_public_name_is_there() -> None:
    for name in vision.__all__:
        assert getattr(vision, name) is not None
    with pytest.raises(AttributeError):
        _ = vision.nothing


def test_without_opencv_the_fault_names_what_to_install() -> None:
    code = (
        "import sys; sys.modules['cv2'] = None\n"
        "from companion.game.errors import Fault\n"
        "from vision.optional import need\n"
        "try: need('cv2', 'opencv-python-headless')\n"
        "except Fault as f: assert 'opencv' in f.params['install'] and not f.temporary\n"
        "else: raise SystemExit('no fault')"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
