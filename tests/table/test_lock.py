"""Two programs on one data folder: the second is told where the first one is."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion.game import Fault
from companion.table.lock import Lock

FIRST = """
import sys
from pathlib import Path
from companion.table.lock import Lock
lock = Lock(Path(sys.argv[1]), "table.local:8080")
lock.acquire()
print("locked", flush=True)
sys.stdin.read()
"""


def refused(folder: Path) -> Fault:
    with pytest.raises(Fault) as raised:
        Lock(folder, "second:1").acquire()
    return raised.value


def test_a_second_program_names_the_first_until_it_is_killed(tmp_path: Path) -> None:
    first = subprocess.Popen(
        [sys.executable, "-c", FIRST, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert first.stdout is not None
    assert first.stdout.readline() == "locked\n"
    for _ in range(2):  # being refused changes nothing
        fault = refused(tmp_path)
        assert (fault.part, fault.code, fault.temporary) == ("data", "data.locked", False)
        assert fault.params["address"] == "table.local:8080"
        assert fault.params["pid"] == str(first.pid)
    first.kill()
    first.communicate()
    with Lock(tmp_path, "second:1"):
        assert refused(tmp_path).params["address"] == "second:1"
        assert refused(tmp_path).params["pid"] == str(os.getpid())


def test_the_lock_is_given_back(tmp_path: Path) -> None:
    lock = Lock(tmp_path, "a:1")
    lock.acquire()
    lock.close()
    lock.close()
    with Lock(tmp_path, "a longer address than the one before:12345"):
        pass
    with Lock(tmp_path, "b:2"):
        assert refused(tmp_path).params["address"] == "b:2"
    assert (tmp_path / "lock").stat().st_mode & 0o777 == 0o600


def test_a_first_program_that_has_not_said_its_address_yet(tmp_path: Path) -> None:
    with Lock(tmp_path, "a:1"):
        (tmp_path / "lock").write_text("")
        assert refused(tmp_path).params["address"] == "?"


def test_a_child_does_not_hold_the_lock(tmp_path: Path) -> None:
    with Lock(tmp_path, "a:1"):
        child = subprocess.Popen(["sleep", "30"])
    try:
        with Lock(tmp_path, "b:2"):
            pass
    finally:
        child.kill()
        child.wait()


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(Fault) as raised:
        Lock(tmp_path / "none", "a:1").acquire()
    assert raised.value.code == "data.unwritable"
