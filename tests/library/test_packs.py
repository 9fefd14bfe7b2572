"""The owner's packs: laid over the shipped content, begun, checked, handed on."""

from __future__ import annotations

import shutil
from pathlib import Path
from zipfile import ZipFile

import pytest

from companion.game.errors import BadInput, Fault
from companion.library import check_pack, export_pack, load_content, new_pack


def write(folder: Path, file: str, text: str) -> Path:
    new_pack(folder)
    path = folder / file
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, "utf-8")
    return folder


def test_a_new_pack_is_a_good_pack(tmp_path: Path) -> None:
    about = new_pack(tmp_path / "mine")
    assert about == tmp_path / "mine" / "pack.toml"
    content = check_pack(tmp_path / "mine")
    assert dict(content.packs) == {"nemesis": "1.0.0", "mine": "0.1.0"}
    assert content.version == "nemesis-1.0.0 mine-0.1.0"
    assert content.hash == load_content().hash


def test_a_new_pack_overwrites_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "diary.txt").write_text("mine")
    with pytest.raises(BadInput, match=r"content\.exists"):
        new_pack(folder)
    with pytest.raises(BadInput, match=r"content\.pack_name"):
        new_pack(tmp_path / "My Pack")
    (tmp_path / "file").write_text("")
    with pytest.raises(Fault):
        new_pack(tmp_path / "file" / "mine")


def test_a_name_is_added_without_repeating_the_entry(tmp_path: Path) -> None:
    folder = write(tmp_path / "mine", "tiles.toml", '[armory]\nnames.it = "Armeria"\n')
    content = check_pack(folder)
    assert content.tiles["armory"].names.get("it") == "Armeria"
    assert content.tiles["armory"].names.official == ("en", "it")
    assert content.tiles["armory"].colour == "red"
    assert content.hash == load_content().hash  # words do not make it another game


def test_a_number_makes_it_another_game(tmp_path: Path) -> None:
    folder = write(tmp_path / "mine", "characters.toml", "[scientist]\nammo = 3\nunknown = false\n")
    content = check_pack(folder)
    assert content.characters["scientist"].ammo == 3
    assert content.hash != load_content().hash


def test_a_rule_text_can_be_reworded_in_part(tmp_path: Path) -> None:
    folder = write(tmp_path / "mine", "rules/own.toml", '[BASE-11]\ntext.fr = "À tour de rôle."\n')
    rules = check_pack(folder).rules
    assert rules["BASE-11"].text["fr"] == "À tour de rôle."
    assert rules["BASE-11"].text["en"] == load_content().rules["BASE-11"].text["en"]
    assert len(rules) == len(load_content().rules)


def test_an_own_rule_may_be_cited_by_an_own_card(tmp_path: Path) -> None:
    folder = write(
        tmp_path / "mine",
        "rules/own.toml",
        '[ "MY-1" ]\nsource = "table"\ntext = { en = "a", it = "b", fr = "c" }\n',
    )
    (folder / "events.toml").write_text('[hunt_2]\nrule = "MY-1"\n')
    assert check_pack(folder).events["hunt_2"].rule == "MY-1"


def test_an_export_holds_the_pack_and_nothing_else(tmp_path: Path) -> None:
    folder = write(tmp_path / "mine", "tiles.toml", '[armory]\nnames.it = "Armeria"\n')
    (folder / "rules").mkdir()
    (folder / "rules" / "own.toml").write_text('[BASE-11]\nsource = "table"\n')
    (folder / "diary.txt").write_text("private")
    made = export_pack(folder, tmp_path / "mine.zip")
    with ZipFile(made) as archive:
        assert sorted(archive.namelist()) == [
            "mine/pack.toml", "mine/rules/own.toml", "mine/tiles.toml",
        ]  # fmt: skip
        archive.extractall(tmp_path / "elsewhere")
    there = check_pack(tmp_path / "elsewhere" / "mine")
    assert there.tiles["armory"].names.get("it") == "Armeria"
    again = export_pack(folder, tmp_path / "again.zip")
    assert again.read_bytes() == made.read_bytes()


def test_a_broken_pack_is_not_exported(tmp_path: Path) -> None:
    folder = write(tmp_path / "mine", "tiles.toml", "[armory]\ncolour = 1\n")
    with pytest.raises(BadInput):
        export_pack(folder, tmp_path / "mine.zip")
    assert not (tmp_path / "mine.zip").exists()


def test_a_full_or_missing_disk_is_a_fault(tmp_path: Path) -> None:
    new_pack(tmp_path / "mine")
    with pytest.raises(Fault) as caught:
        export_pack(tmp_path / "mine", tmp_path / "nowhere" / "mine.zip")
    assert caught.value.remedy == "fault.pack_write.remedy"


def test_the_shipped_pack_cannot_be_given_twice(tmp_path: Path) -> None:
    from companion.library.read import SHIPPED

    shutil.copytree(SHIPPED / "nemesis", tmp_path / "nemesis")
    with pytest.raises(BadInput, match="duplicate_pack"):
        load_content([tmp_path / "nemesis"])
