"""Content: the types, the loader, the schema of its files, and the owner's packs."""

from companion.library.boards import board_json
from companion.library.components import check_components
from companion.library.kinds import schemas
from companion.library.load import load_content
from companion.library.model import Content
from companion.library.packs import check_pack, export_pack, new_pack
from companion.library.search import RuleSearch

__all__ = [
    "Content",
    "RuleSearch",
    "board_json",
    "check_components",
    "check_pack",
    "export_pack",
    "load_content",
    "new_pack",
    "schemas",
]
