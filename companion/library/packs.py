"""The owner's packs: begun as an empty folder, checked, handed on as one file."""

from __future__ import annotations

import re
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from companion.game.errors import BadInput, Fault
from companion.library.kinds import CONTENT_SCHEMA, ID, KINDS
from companion.library.load import load_content
from companion.library.model import Content
from companion.library.read import kind_files, read_pack
from companion.library.schema import shown

# the first date a zip file can hold: the same pack always makes the same bytes
_EPOCH = (1980, 1, 1, 0, 0, 0)


def new_pack(folder: Path) -> Path:
    """Begin a pack in ``folder``, whose name becomes the id; returns its ``pack.toml``.

    Raises `BadInput` ``content.pack_name`` for a name that cannot be an id, ``content.exists``
    when there is something already; `Fault` when the disk refuses.
    """
    if not re.fullmatch(ID, folder.name):
        raise BadInput(str(folder), "content.pack_name", {"value": shown(folder.name)})
    about = folder / "pack.toml"
    if folder.exists() and any(folder.iterdir()):
        raise BadInput(str(folder), "content.exists", {"value": shown(folder.name)})
    try:
        folder.mkdir(parents=True, exist_ok=True)
        about.write_text(
            f'id = "{folder.name}"\nversion = "0.1.0"\nschema = {CONTENT_SCHEMA}\n'
            'requires = ["nemesis"]\n',
            "utf-8",
        )
    except OSError as error:
        raise Fault("packs", "pack_write", {"path": str(folder)}, temporary=False) from error
    return about


def check_pack(folder: Path) -> Content:
    """The content with the pack in ``folder`` laid over it, every rule text read.

    Raises `BadInput` ``content.…`` that names file, key and reason.
    """
    content = load_content([folder])
    len(content.rules)  # has the whole index read and checked
    return content


def export_pack(folder: Path, target: Path) -> Path:
    """Check the pack in ``folder`` and write it as one zip file; returns ``target``.

    Only ``pack.toml`` and content files go in. Raises what `check_pack` raises, `Fault` when
    the disk refuses.
    """
    check_pack(folder)
    name = read_pack(folder).id
    files = [folder / "pack.toml", *(f for kind in sorted(KINDS) for f in kind_files(folder, kind))]
    part = target.with_name(target.name + ".part")  # an older export stays whole until the end
    try:
        with ZipFile(part, "w", ZIP_DEFLATED) as archive:
            for path in files:
                inside = f"{name}/{path.relative_to(folder).as_posix()}"
                archive.writestr(ZipInfo(inside, _EPOCH), path.read_bytes(), ZIP_DEFLATED)
        part.replace(target)
    except OSError as error:
        raise Fault("packs", "pack_write", {"path": str(target)}, temporary=False) from error
    return target
