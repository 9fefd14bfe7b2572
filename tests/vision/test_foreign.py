"""Pictures made by a renderer that shares nothing with this project.

``COMPANION_RAYTRACER`` names a script called as ``script OUT --markers M --board B --seed N
--count N --difficulty D --width W --height H`` that writes ``scene_*.jpg`` and, beside each, a
``.json`` with ``pieces``: ``id``, ``room``, ``xy`` and ``visible``. Nightly; its fast twin is
`tests.vision.test_read.test_rendered_tables_are_read`, with our own renderer.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from companion.game.board import Board
from vision.kit import Kit
from vision.read import Reader, load_grey

SCRIPT = os.environ.get("COMPANION_RAYTRACER", "")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not SCRIPT, reason="COMPANION_RAYTRACER is not set"),
    pytest.mark.skipif(shutil.which("povray") is None, reason="needs povray"),
]


@pytest.mark.parametrize(
    ("difficulty", "size", "least"),
    [
        ("normal", (2304, 1296), 0.90),
        ("normal", (4608, 2592), 0.98),
        ("hard", (4608, 2592), 0.85),
        ("hard", (2304, 1296), 0.45),
    ],
)
def test_ray_traced_tables(
    board: Board, kit: Kit, tmp_path: Path, difficulty: str, size: tuple[int, int], least: float
) -> None:
    markers = kit.as_json()
    for piece in markers["pieces"]:
        piece["size_mm"] = 10
    (tmp_path / "markers.json").write_text(json.dumps(markers))
    rooms = [{"id": r.id, "x": r.x, "y": r.y, "radius": r.radius} for r in board.rooms.values()]
    (tmp_path / "board.json").write_text(json.dumps({"rooms": rooms}))
    options = {"markers": "markers.json", "board": "board.json", "seed": "31", "count": "3"}
    options |= {"difficulty": difficulty, "width": str(size[0]), "height": str(size[1])}
    command = [sys.executable, SCRIPT, "out"]
    for name, value in options.items():
        command += [f"--{name}", value]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    reader = Reader(board, kit)
    wanted = read = placed = right = false = 0
    for file in sorted((tmp_path / "out").glob("scene_*.jpg")):
        truth = {p["id"]: p for p in json.loads(file.with_suffix(".json").read_text())["pieces"]}
        reading = reader.read(load_grey(file))
        found = {p.id: p for p in reading.pieces}
        clear = [i for i, p in truth.items() if p["visible"] >= 0.97]
        wanted += len(clear)
        read += sum(i in found for i in clear)
        for piece in reading.pieces:
            true = truth.get(piece.id)
            if true is None or np.hypot(*(np.array(true["xy"]) - piece.xy)) > 0.02:
                false += 1
            else:
                placed += 1
                right += piece.room == true["room"]
    print(f"{difficulty} {size}: {read}/{wanted} read, {right}/{placed} right room, {false} false")  # noqa: T201
    assert read >= least * wanted
    assert right >= 0.995 * placed
    assert false == 0
