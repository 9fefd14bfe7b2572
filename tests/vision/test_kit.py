from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.game.errors import BadInput
from companion.library import load_content
from vision import kit as kits
from vision.box import box_kit
from vision.kit import build_kit

# Numbers in people's boxes. This table may grow; no line of it may ever change.
PRINTED_OF = {
    "void_seeders": {
        "lurker#1": 32, "lurker#6": 37, "whisperer#1": 38, "whisperer#4": 41, "lair#1": 42,
        "lair#3": 44, "stalker#1": 50, "despoiler#1": 52,
    },
    "carnomorphs": {
        "metagorger#1": 32, "metagorger#8": 39, "shambler#1": 40, "shambler#8": 47,
        "fleshbeast#1": 50, "fleshbeast#3": 52, "butcher#1": 53,
    },
}  # fmt: skip
PRINTED = {
    "captain": 8, "pilot": 9, "scientist": 10, "scout": 11, "soldier": 12, "mechanic": 13,
    "medic": 14, "laika": 26, "card_next": 28, "card_break": 29, "card_encounter": 31,
    "larva#1": 32, "larva#6": 37, "creeper#1": 38, "creeper#3": 40, "adult#1": 41, "adult#8": 48,
    "breeder#1": 50, "breeder#2": 51, "queen#1": 52,
}  # fmt: skip


PRINTED_TOKENS = {"fire": 64, "malfunction": 65, "door": 67, "door_destroyed": 68}


def test_printed_numbers_are_never_reassigned() -> None:
    tokens = build_kit(kits=(3,)).pieces
    assert {m.piece: m.id for m in tokens} == PRINTED_TOKENS
    assert not any(m.unique for m in tokens)
    numbers = {m.piece: m.id for m in build_kit().pieces}
    assert {piece: numbers[piece] for piece in PRINTED} == PRINTED
    for species, printed in PRINTED_OF.items():
        numbers = {m.piece: m.id for m in build_kit(species=species).pieces}
        assert {piece: numbers[piece] for piece in printed} == printed


@pytest.mark.parametrize("name", ["intruders", *PRINTED_OF])
def test_every_character_and_miniature_of_the_box_has_its_own_number(name: str) -> None:
    content = load_content()
    species = content.species[name]
    made = box_kit(content, content.boards["nemesis/basic"], species=name)
    pieces = {m.piece for m in made.pieces}
    assert set(content.characters) <= pieces
    for kind, creature in species.creatures.items():
        assert {f"{kind}#{n + 1}" for n in range(creature.miniatures)} <= pieces
    everything = [m.id for m in (*made.fixed, *made.pieces)]
    everything += [i for pair in kits.SHEET_IDS.values() for i in pair]
    assert len(set(everything)) == len(everything)
    assert not set(everything) & kits.BARRED_IDS


def test_all_blocks_are_apart() -> None:
    numbers = [*kits.FRAME_IDS, *kits.TOKEN_IDS]
    for table in (kits.CHARACTER_IDS, kits.COMPANION_IDS, kits.COMMAND_IDS):
        numbers += table.values()
    for species in kits.MINIATURE_IDS.values():
        of_one = [n for block in species.values() for n in block]
        assert not set(of_one) & set(numbers)
        assert len(of_one) == len(set(of_one))
        assert not set(of_one) & kits.BARRED_IDS
    assert len(numbers) == len(set(numbers))


@pytest.mark.parametrize("name", ["intruders", *PRINTED_OF])
def test_no_mirrored_marker_reads_as_one_of_the_kit(name: str) -> None:
    """With two corrected bits a mirrored print must stay further than two modules from any."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_100)
    made = build_kit(species=name, kits=(1, 2, 3))
    numbers = [m.id for m in (*made.fixed, *made.pieces)]
    pictures = {n: cv2.aruco.generateImageMarker(dictionary, n, 7) > 0 for n in numbers}
    for n in numbers:
        mirrored = pictures[n][:, ::-1]
        nearest = min(
            int((np.rot90(mirrored, k) != other).sum())
            for other in pictures.values()
            for k in range(4)
        )
        assert nearest > 2, n


def test_frame_lies_just_outside_the_board() -> None:
    made = build_kit((750, 520))
    assert made.measured
    for marker in made.fixed:
        x, y = marker.xy_mm
        reach = marker.size_mm / 2 * 9 / 7
        assert x + reach <= 0 or y + reach <= 0 or x - reach >= 750 or y - reach >= 520
        assert max(-x, -y, x - 750, y - 520) < 15
    assert not build_kit().measured


def test_json_is_the_contract() -> None:
    answer = build_kit().as_json()
    assert answer["dictionary"] == "DICT_5X5_100"
    assert hasattr(cv2.aruco, answer["dictionary"])
    assert len(answer["board_mm"]) == 2
    assert all({"id", "xy_mm", "size_mm"} <= set(m) for m in answer["fixed"])
    wanted = {"id", "piece", "kind", "form", "size_mm", "unique"}
    assert all(set(m) == wanted for m in answer["pieces"])
    assert {m["form"] for m in answer["pieces"]} == {"mini", "token"}


@pytest.mark.parametrize("given", [(800,), (0, 500), (800, -1), (10**6, 500), (1, 2, 3)])
def test_impossible_board_sizes_are_refused(given: tuple[float, ...]) -> None:
    with pytest.raises(BadInput) as refused:
        build_kit(given)
    assert refused.value.key == "bad.vision.board_mm"


def test_a_piece_without_a_number_is_refused() -> None:
    with pytest.raises(BadInput):
        build_kit(characters=["nobody"])
    with pytest.raises(BadInput):
        build_kit(miniatures={"adult": 9})
