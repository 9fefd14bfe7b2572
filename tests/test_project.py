"""The promises of the project's own files."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def test_readme_names_the_two_commands() -> None:
    lines = (ROOT / "README.md").read_text("utf-8").splitlines()
    run = "python3 -m venv .venv && .venv/bin/pip install -e '.[vision]' && .venv/bin/companion run"
    assert lines.count(run) == 1
    assert lines.count(".venv/bin/pip install -e '.[dev]' && .venv/bin/pytest") == 1


def test_every_decision_is_listed_under_its_own_title() -> None:
    folder = ROOT / "docs" / "decisions"
    index = (folder / "README.md").read_text("utf-8")
    pages = sorted(page for page in folder.glob("*.md") if page.name != "README.md")
    assert [page.name[:4] for page in pages] == [f"{n:04}" for n in range(1, len(pages) + 1)]
    for page in pages:
        number, _, title = page.read_text("utf-8").splitlines()[0].removeprefix("# ").partition(" ")
        assert page.name.startswith(number)
        assert f"| [{number}]({page.name}) |" in index
        assert title


def test_links_between_documents_lead_somewhere() -> None:
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text("utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name}: {target}"


@pytest.mark.parametrize(
    "script", [".ci/run", ".ci/nightly", ".ci/camera-virtual", "systemd/install.sh"]
)
def test_scripts_can_be_run(script: str) -> None:
    path = ROOT / script
    assert path.stat().st_mode & 0o111
    subprocess.run(["bash", "-n", str(path)], check=True)


def test_no_file_names_a_place_of_one_machine() -> None:
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split("\0")
    for name in filter(None, listed):
        path = ROOT / name
        if path.suffix in {".py", ".md", ".toml", ".sh", ".html", ".js", ".css", ".yaml"}:
            text = path.read_text("utf-8") if path.exists() else ""
            assert not re.search(r"/(home|Users|work)/\w", text), name
