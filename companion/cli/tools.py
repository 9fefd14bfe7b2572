"""Boards, marker kits, pictures, schemas, packs: what can be asked without a game."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from companion import config
from companion.cli import DONE, FAILED, explain, sub, write
from companion.game import BadInput, CompanionError
from companion.library import board_json, check_pack, export_pack, load_content, new_pack
from companion.library.model import FIRST_BOARD, FIRST_SPECIES
from companion.locale import Words, languages, words


def add(commands: Any, say: Words) -> None:
    """Register the commands of this module."""
    board = sub(commands, "board", say, show_board)
    board.add_argument("board", metavar="NAME")
    board.add_argument("--json", action="store_true")

    markers = sub(commands, "markers", say)
    kinds = markers.add_subparsers(dest="kind", required=True, parser_class=type(markers))
    listing = sub(kinds, "markers.list", say, list_markers)
    listing.add_argument("--json", action="store_true")
    listing.add_argument("--board-mm", metavar="W,H")
    listing.add_argument("--board", default=FIRST_BOARD)
    listing.add_argument("--species", default=FIRST_SPECIES)
    listing.add_argument("--kit", choices=tuple(KITS), default="1+2")
    sheet = sub(kinds, "markers.sheet", say, print_sheet)
    sheet.add_argument("--out", required=True, metavar="F.pdf")
    sheet.add_argument("--paper", choices=("a4", "letter"), default="a4")
    sheet.add_argument(
        "--kit", choices=(*KITS, "lens"), default="1+2", help=say.say("cli.help.kit")
    )
    sheet.add_argument("--board-mm", metavar="W,H")
    sheet.add_argument("--board", default=FIRST_BOARD)
    sheet.add_argument("--species", default=FIRST_SPECIES)
    sheet.add_argument("--language")

    read = sub(commands, "read", say, read_images)
    read.add_argument("images", nargs="+", metavar="IMAGE")
    read.add_argument("--board", default=FIRST_BOARD)
    read.add_argument("--species", default=FIRST_SPECIES)
    read.add_argument("--kit", choices=tuple(KITS), default="1+2")
    read.add_argument("--board-mm", metavar="W,H")
    read.add_argument("--json", action="store_true")
    read.add_argument("--data")

    schema = sub(commands, "schema", say, show_schema)
    schema.add_argument("--json", action="store_true")

    pack = sub(commands, "pack", say)
    verbs = pack.add_subparsers(dest="verb", required=True, parser_class=type(pack))
    for name, command in (("new", pack_new), ("check", pack_check), ("export", pack_export)):
        one = sub(verbs, f"pack.{name}", say, command)
        one.add_argument("folder", type=Path)
        if name == "export":
            one.add_argument("--out", type=Path, required=True)


def the_board(name: str) -> Any:
    """A board by id or by the part of it that no other has. BadInput names those there are."""
    boards = load_content().boards
    short = [b for b in boards if b.partition("/")[2] == name]  # "basic", where only one is
    found = name if name in boards else short[0] if len(short) == 1 else None
    if found is None:
        raise BadInput("NAME", "unknown_board", {"value": name[:60], "allowed": ", ".join(boards)})
    return boards[found]


def millimetres(text: str | None) -> tuple[float, float] | None:
    """``W,H`` in millimetres; BadInput unless both are between 100 and 3000."""
    if text is None:
        return None
    try:
        width, height = (float(part) for part in text.split(","))
    except ValueError:
        raise BadInput("--board-mm", "board_mm", {"value": text[:30]}) from None
    if not all(100 <= side <= 3000 for side in (width, height)):
        raise BadInput("--board-mm", "board_mm", {"value": text[:30]})
    return width, height


def show_board(options: argparse.Namespace, say: Words) -> int:
    """``companion board NAME --json``."""
    board = the_board(options.board)
    data = board_json(board)
    if options.json:
        print(json.dumps(data, ensure_ascii=False, indent=1))
    else:
        print(
            say.say(
                "cli.board",
                {"board": board.id, "n": len(data["rooms"]), "corridors": len(data["corridors"])},
            )
        )
        for room in data["rooms"]:
            exits = [c["id"] for c in data["corridors"] if room["id"] in c["rooms"]]
            print(f"{room['id']}  {room['kind']:<10}  {'  '.join(exits)}")
    return DONE


KITS = {"1": (1,), "2": (2,), "3": (3,), "1+2": (1, 2), "all": (1, 2, 3)}


def the_kit(options: argparse.Namespace, kits: tuple[int, ...] = (1, 2)) -> Any:
    """The kit for the board, its size, and the pieces of the box."""
    from companion.app.profile import Profile
    from vision.box import box_kit

    size = millimetres(options.board_mm)
    if size is None:
        profile = Profile(config.data_folder(getattr(options, "data", None)))
        size = profile.board_mm(the_board(options.board).id)
    content, species = load_content(), options.species
    if species not in content.species:
        allowed = ", ".join(content.species)
        raise BadInput("--species", "answer.option", {"value": species[:40], "allowed": allowed})
    return box_kit(content, the_board(options.board), size, species=species, kits=kits)


#: What replacement tokens are called on the box, and their bands.
TERMS = {"door": "door_closed", "door_destroyed": "door_destroyed"}
COLOURS = {
    "fire": "#d9480f",
    "malfunction": "#e0b000",
    "door": "#30506e",
    "door_destroyed": "#6e3030",
}


def _copies(content: Any, board: str) -> dict[str, int]:
    """How many of each replacement token the box holds."""
    limits = content.games[board.partition("/")[0]].limits
    doors = limits["door"]
    return {
        "fire": limits["fire"],
        "malfunction": limits["malfunction"],
        "door": doors,
        "door_destroyed": doors,
    }


def list_markers(options: argparse.Namespace, say: Words) -> int:
    """``companion markers list``."""
    kit = the_kit(options, KITS[options.kit])
    data = kit.as_json()
    if options.json:
        print(json.dumps(data, ensure_ascii=False, indent=1))
        return DONE
    for fixed in data["fixed"]:
        print(f"{fixed['id']:>3}  {say.say('cli.marker.frame')}  {fixed['size_mm']:g} mm")
    for piece in data["pieces"]:
        print(f"{piece['id']:>3}  {piece['piece']}  {piece['size_mm']:g} mm")
    return DONE


def print_sheet(options: argparse.Namespace, say: Words) -> int:
    """``companion markers sheet``: the PDF to print at 100 %."""
    from vision import lens_pdf, sheet_pdf

    content = load_content()
    if options.language and options.language not in languages():
        given = {"value": options.language[:40], "allowed": ", ".join(languages())}
        raise BadInput("--language", "answer.option", given)
    speak = words(options.language) if options.language else say
    if options.kit == "lens":
        return _written(lens_pdf(say=speak.say, paper=options.paper), options.out, say)
    kits = KITS[options.kit]
    kit = the_kit(options, kits)
    if 1 not in kits:  # the frame was printed with kit 1
        kit = replace(kit, fixed=())
    creatures = content.species[options.species].creatures

    def name(piece: str) -> str:
        kind = piece.split("#")[0]
        copy = piece.partition("#")[2]
        known = content.characters.get(kind) or creatures.get(kind)
        printed = known.names if known else content.terms.get(TERMS.get(kind, kind))
        label = printed.get(speak.language) if printed else speak.say(f"vision.piece.{kind}")
        return f"{label} {copy}".strip()

    data = sheet_pdf(
        kit,
        say=speak.say,
        name=name,
        paper=options.paper,
        colours={**COLOURS, **{c.id: c.hex for c in content.characters.values()}},
        copies=_copies(content, the_board(options.board).id),
    )
    return _written(data, options.out, say)


def _written(data: bytes, path: str, say: Words) -> int:
    write(Path(path), data)
    print(say.say("cli.sheet.written", {"path": path}))
    return DONE


def read_images(options: argparse.Namespace, say: Words) -> int:
    """``companion read IMAGE…``: what the camera would conclude of each picture alone.

    A picture that cannot be read stops no other; the first such is what the exit code tells. A
    photo of a printed sheet is good when it may be used.
    """
    from companion.app.profile import Profile
    from vision import read_image

    board = the_board(options.board)
    kit = the_kit(options, KITS[options.kit])
    profile = Profile(config.data_folder(options.data))
    lens, look = profile.lens(), profile.look(board.id, kit.board_mm)
    found: list[dict[str, Any]] = []
    unread: list[CompanionError] = []
    for image in options.images:
        try:
            with _only_our_words():
                bent = lens.lens if lens else None
                found.append(read_image(image, board, kit, lens=bent, look=look))
        except CompanionError as problem:
            if "file" not in problem.params:  # it is not this picture that is at fault
                raise
            unread.append(problem)
            continue
        if not options.json:
            _print_reading(found[-1], kit, say)
    if options.json and found:
        print(json.dumps(found, ensure_ascii=False, indent=1))
    sheets = [one["print_scale"] for one in found if "print_scale" in one]
    lost = [
        one["image"] for one in found if not one["registration"]["ok"] and "print_scale" not in one
    ]
    if lost:
        print(say.say("cli.read.no_board", {"images": ", ".join(lost)}), file=sys.stderr)
    for other in unread[1:]:
        print(explain(other, say), file=sys.stderr)
    if unread:
        raise unread[0]
    return DONE if not lost and all(sheet["ok"] for sheet in sheets) else FAILED


@contextmanager
def _only_our_words() -> Iterator[None]:
    """The libraries of pictures write English lines of their own to standard error: not here."""
    kept, nothing = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nothing, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nothing)


def _place(piece: Mapping[str, Any], say: Words) -> str:
    """Where a piece was read, in words where the board has no name for it."""
    inside = all(0 <= share <= 1 for share in piece["xy"])
    beside = f"ui.place.{'between' if inside else 'beside'}"
    return piece["room"] or piece["corridor"] or say.say(beside)


def _print_reading(reading: dict[str, Any], kit: Any, say: Words) -> None:
    twice: dict[str, list[str]] = {}
    for piece in reading["pieces"]:
        if kit.piece_by_name[piece["piece"]].unique:
            twice.setdefault(piece["piece"], []).append(_place(piece, say))
    registration = reading["registration"]
    if "print_scale" in reading:
        sheet = reading["print_scale"]
        key = f"cli.read.sheet.{'ok' if sheet['ok'] else 'bad'}"
        shares = {way: f"{sheet[way]:.1%}" for way in ("scale", "down")}
        print(say.say(key, {"image": reading["image"], **shares}))
        return
    key = "cli.read.ok" if registration["ok"] else "cli.read.not_sure"
    print(say.say(key, {"image": reading["image"], "n": registration["points"]}))
    for piece in reading["pieces"]:
        print(f"  {piece['piece']:<14} {_place(piece, say):<12} {piece['confidence']:.0%}")
    for name, places in twice.items():
        if len(places) > 1:
            told = {"piece": name, "places": ", ".join(places)}
            print("  " + say.say("cli.read.twice", told))
    if reading["unknown_ids"]:
        ids = ", ".join(map(str, reading["unknown_ids"]))
        print("  " + say.say("cli.read.unknown", {"ids": ids}))


def all_schemas() -> dict[str, Any]:
    """Every JSON Schema by name."""
    from companion.library import schemas as content_schemas
    from companion.scenario.schema import scenario_schema
    from companion.table.schema import schemas as table_schemas

    return {
        **table_schemas(),
        "scenario": scenario_schema(),
        "content": content_schemas(),
        "configuration": config.schema(),
    }


def show_schema(options: argparse.Namespace, say: Words) -> int:
    """``companion schema --json``."""
    data = all_schemas()
    if options.json:
        json.dump(data, sys.stdout, ensure_ascii=False, indent=1, sort_keys=True)
        print()
    else:
        for name in sorted(data):
            print(name)
        print(say.say("cli.schema.hint"))
    return DONE


def pack_new(options: argparse.Namespace, say: Words) -> int:
    """``companion pack new FOLDER``."""
    print(say.say("cli.pack.new", {"path": str(new_pack(options.folder))}))
    return DONE


def pack_check(options: argparse.Namespace, say: Words) -> int:
    """``companion pack check FOLDER``."""
    content = check_pack(options.folder)
    print(say.say("cli.pack.good", {"path": str(options.folder), "hash": content.hash[:12]}))
    return DONE


def pack_export(options: argparse.Namespace, say: Words) -> int:
    """``companion pack export FOLDER --out FILE``."""
    print(say.say("cli.pack.exported", {"path": str(export_pack(options.folder, options.out))}))
    return DONE
