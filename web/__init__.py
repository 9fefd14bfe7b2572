"""The panel: lobby, table, seats and host in the browsers of one living room."""

from web.app import create_app
from web.server import Server
from web.services import Services
from web.settings import WebSettings

__all__ = ["Server", "Services", "WebSettings", "create_app"]
