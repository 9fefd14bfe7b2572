"""The data folder: where everything the product keeps lies, readable by its owner alone."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from companion.game.errors import Fault, why

_FOLDER_MODE = 0o700
_FILE_MODE = 0o600


@dataclass(frozen=True, slots=True)
class DataFolder:
    """The layout under ``root``. Nothing is touched before `create`.

    >>> DataFolder(Path("/srv/companion")).game("evening").as_posix()
    '/srv/companion/games/evening.game'
    """

    root: Path

    @property
    def config(self) -> Path:
        """The configuration file."""
        return self.root / "config.toml"

    @property
    def games(self) -> Path:
        """One SQLite file a game."""
        return self.root / "games"

    @property
    def packs(self) -> Path:
        """The owner's content packs."""
        return self.root / "packs"

    @property
    def profiles(self) -> Path:
        """What was measured once: board, camera, strip, group."""
        return self.root / "profiles"

    @property
    def backups(self) -> Path:
        """Copies made before an upgrade."""
        return self.root / "backups"

    def game(self, game_id: str) -> Path:
        """The file of one game."""
        return self.games / f"{game_id}.game"

    def create(self) -> None:
        """Make the folders that are missing and close them, and all files in them, to others.

        Raises:
            Fault: the folder cannot be made or written (``data.unwritable``).
        """
        try:
            for folder in (self.root, self.games, self.packs, self.profiles, self.backups):
                folder.mkdir(mode=_FOLDER_MODE, parents=True, exist_ok=True)
                _close(folder, _FOLDER_MODE)
                for path in folder.iterdir():
                    if path.is_file() and not path.is_symlink():
                        _close(path, _FILE_MODE)
        except OSError as error:
            raise Fault(
                "data",
                "data.unwritable",
                {"path": str(error.filename or self.root), **why(error)},
                temporary=False,
            ) from error


def _close(path: Path, mode: int) -> None:
    if path.stat().st_mode & 0o777 != mode:
        path.chmod(mode)


def write_private(path: Path, data: bytes) -> None:
    """Replace ``path`` by ``data`` in one step, mode 0600; on disk when this returns.

    A reader, or a power cut, finds the old bytes or the new ones, never a part.

    Raises:
        OSError: the disk is full or the folder is not writable; ``path`` is as it was.
    """
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)  # mode 0600
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
