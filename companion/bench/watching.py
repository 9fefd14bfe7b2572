"""A process that watches a table from raw frames and prints what that costs, as JSON.

``python -m companion.bench.watching FOLDER WIDTH HEIGHT``; see `companion.bench.vision`.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from pathlib import Path

STILL_S, EVERY_S = 60.0, 0.2


def main(folder: Path, width: int, height: int) -> dict[str, float]:
    """Watch the frames of ``folder``; memory above the program without camera, in MB, and the
    percentage of one core that five looks a second at an unchanged table take."""
    import web  # noqa: F401  # the program as it runs without a camera
    from companion.library import load_content

    content = load_content()
    board = content.board(None)
    base = memory()["VmRSS"]

    import numpy as np

    from vision.box import box_kit
    from vision.camera import Frame
    from vision.loop import CameraLoop
    from vision.optional import need
    from vision.read import Reader
    from vision.simulate import SimulatedTable

    need("cv2", "opencv-python-headless").setNumThreads(1)
    kit = box_kit(content, board)
    camera = SimulatedTable(board, kit)  # never opened: frames are handed in
    loop = CameraLoop(camera, Reader(board, kit), lambda _sighting: None)

    def look(name: str, at: float) -> None:
        grey = np.fromfile(folder / name, np.uint8).reshape(height, width)
        loop.step(Frame(grey, at))

    at = 0.0
    for name in [*["still_0"] * 10, *["moved"] * 10, *["still_1"] * 10]:
        look(name, at)
        at += EVERY_S
    frames = [np.fromfile(folder / f"still_{n}", np.uint8).reshape(height, width) for n in range(3)]
    used = time.process_time()
    for number in range(int(STILL_S / EVERY_S)):
        loop.step(Frame(frames[number % 3], at))
        at += EVERY_S
    used = time.process_time() - used
    del frames
    gc.collect()
    now = memory()
    return {
        "steady_mb": (now["VmRSS"] - base) / 1024,
        "peak_mb": (now["VmHWM"] - base) / 1024,
        "share": 100 * used / STILL_S,
    }


def memory() -> dict[str, int]:
    """This process's memory in kB as the system counts it."""
    lines = Path("/proc/self/status").read_text().splitlines()
    pairs = (line.split()[:2] for line in lines if line.startswith("Vm"))
    return {key.rstrip(":"): int(value) for key, value in pairs}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))))
