"""Content: the types, the loader, the schema of its files, and the owner's packs."""

from companion.library.kinds import schemas
from companion.library.load import load_content
from companion.library.model import Content

__all__ = ["Content", "load_content", "schemas"]
