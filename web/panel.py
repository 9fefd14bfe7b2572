"""What all blueprints share: the session, the services, keys, tokens, streams and the language."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

from flask import Flask, Request, abort, current_app, g, request

from companion.game.errors import CompanionError
from companion.library import RuleSearch
from companion.locale import best, languages
from companion.table.chain import exact
from web.keys import HOST, SEATS, Keys
from web.present import Said, page
from web.security import Tokens, device_of
from web.services import Services, Session, View
from web.streams import Streams
from web.terms import Terms

LANGUAGE = "companion_language"
NOTICE = 10.0  # seconds a notice stays
ASKED = 60.0  # seconds a phone has to say whether it gives its seat up
ADDRESS = 5.0  # seconds the box's address is taken to be the same
_EXTENSION = "companion_panel"
_log = logging.getLogger(__name__)
Part = TypeVar("Part")


class _Page:
    """A page's JSON text, once somebody has made it from ``view``."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.text: str | None = None
        self.making = threading.Lock()


class Shown:
    """Pages already put into words, shared by all streams of one audience and language."""

    def __init__(self, most: int = 48) -> None:
        self._most = most
        self._held: OrderedDict[tuple[str, ...], _Page] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: tuple[str, ...], view: View, make: Callable[[], str]) -> str:
        """The JSON for ``key`` made from this very ``view``; one makes it, others wait for it."""
        with self._lock:
            page = self._held.get(key)
            if page is None or page.view is not view:
                page = self._held[key] = _Page(view)
            self._held.move_to_end(key)
            while len(self._held) > self._most:
                self._held.popitem(last=False)
        with page.making:
            if page.text is None:
                page.text = make()
            return page.text


@dataclass
class Panel:
    """One application's parts."""

    session: Session
    services: Services
    keys: Keys
    tokens: Tokens
    streams: Streams
    shown: Shown = field(default_factory=Shown)
    said: Said = field(default_factory=Said)
    told: tuple[str, int, float] = ("", 0, 0.0)  # what was just seen, of which seat, until when
    players: int = 0  # how many are to play, as chosen on some page of the lobby; 0: nobody said
    choices: dict[str, str] = field(default_factory=dict)  # the others there: field → its value
    asked: tuple[str, int, float] = ("", 0, 0.0)  # `ask`: what became of it, which seat, until when
    _base: tuple[str, float] = ("", 0.0)
    _box: str | None = None
    _searches: dict[str, RuleSearch] = field(default_factory=dict)

    def search(self, language: str) -> RuleSearch:
        """The rule index in a language, made when it is first asked for."""
        if language not in self._searches:
            self._searches[language] = RuleSearch(self.session.content, language)
        return self._searches[language]

    def text(self, audience: str, view: View, language: str) -> str:
        """A view as the JSON text of its page in ``language``."""
        box = self.box_language()

        def make() -> str:
            return self.said.json(page(view, self.session.content, language, box, self.said))

        return self.shown.get((audience, language, box), view, make)

    def page(self, audience: str, language: str) -> dict[str, Any]:
        """The page of an audience now."""
        _, view = self.session.view(audience)
        return cast(dict[str, Any], json.loads(self.text(audience, view, language)))

    def presence(self, language: str, own: Collection[int] = ()) -> dict[str, Any]:
        """Who is connected: seat → ``here``, ``asleep`` or ``free``; what was just seen; where.

        A phone is not told what it did itself: ``own`` are the seats it holds, the only ones whose
        pages it can open. ``moved`` is the
        seat that another phone just took, for the host to say that was wrong; ``asked`` the seat
        whose phone is asked whether it gives the seat up, and what it said; ``address`` the box's
        first address now; ``players`` how many are to play, 0 while nobody chose; ``choices`` what
        else was chosen in the lobby.
        """
        states = {
            str(seat): "here"
            if self.streams.awake(seat)
            else "asleep"
            if self.keys.phone(seat)
            else "free"
            for seat in SEATS
        }
        what, seat, until = self.told
        notice, fresh = "", time.monotonic() < until
        if fresh and (seat not in own or what == "guess"):
            _, view = self.session.view("table")
            terms = Terms(self.session.content, language, view)
            notice = terms.say(f"ui.notice.{what}", {"seat": seat})
        moved = seat if notice and what in ("phone", "back", "lent") else 0
        state, whose, end = self.asked
        asked = {"seat": whose, "state": state} if state and time.monotonic() < end else None
        return {
            "seats": states,
            "own": sorted(own),
            "notice": notice,
            "moved": moved,
            "asked": asked,
            "address": self.base(),
            "players": self.players,
            "choices": dict(self.choices),
        }

    def ask(self, seat: int, state: str = "open") -> None:
        """Ask a seat's phone whether it gives the seat up; ``given`` or ``kept`` is its answer."""
        self.asked = (state, seat, time.monotonic() + ASKED)

    def asking(self, seat: int) -> bool:
        """Whether the phone of a seat is being asked, and has said nothing yet."""
        state, whose, end = self.asked
        return state == "open" and whose == seat and time.monotonic() < end

    def notice(self, seat: int, what: str = "phone") -> None:
        """Say on every page for a while: ``phone`` a phone took the seat, ``back`` its player came
        back by the PIN, ``lent`` its page is open on a screen passed round, ``freed`` nobody holds
        it, ``guess`` somebody tries PINs.
        """
        self.told = (what, seat, time.monotonic() + NOTICE)

    def base(self) -> str:
        """The box's first address; asked of the machine at most every few seconds."""
        found, until = self._base
        if time.monotonic() >= until:
            found = next(iter(self.services.addresses()), "")
            self._base = (found, time.monotonic() + ADDRESS)
        return found

    def join(self, news: Mapping[str, Any]) -> None:
        """Tell the game's ledger about a person; a full disk does not stop a phone.

        ``phone`` says that a seat somebody held moved by ``code`` or ``pin``, or that its page was
        ``lent`` to a screen: a line of the log.
        """
        playing = self.session.view("table")[1]["phase"] != "lobby"
        told = {k: v for k, v in news.items() if playing or k != "phone"}
        try:
            self.session.submit({"do": "join", "by": "device", **told})
        except CompanionError as error:
            _log.warning("cli.note.no_person", {"code": error.code})

    def share(self, seat: int, value: str) -> None:
        """A phone cuts the deck; bad bits are left out."""
        try:
            self.session.share(seat, value)
        except CompanionError as error:
            _log.warning("cli.note.no_share", {"code": error.code})

    def box_language(self) -> str:
        """The language printed on the table's cardboard; empty when nobody said."""
        if self._box is None:
            value = self.session.kept("web.box_language")
            self._box = value if value in languages() else ""
        return self._box

    def set_box_language(self, language: str) -> None:
        """Say what is printed on the table's cardboard."""
        self.session.keep("web.box_language", language)
        self._box = language


def install(app: Flask, panel: Panel) -> None:
    """Make the panel reachable from requests of ``app``."""
    app.extensions[_EXTENSION] = panel


def panel() -> Panel:
    """The panel of the running request."""
    return cast(Panel, current_app.extensions[_EXTENSION])


def language_of(wanted: Request) -> str:
    """The reader's language: query, cookie, then what the browser asks for."""
    asked = wanted.args.get("lang") or wanted.cookies.get(LANGUAGE)
    if asked in languages():
        return str(asked)
    return best(wanted.headers.get("Accept-Language"))


def seats_held(wanted: Request) -> list[int]:
    """The seats this browser holds the current key of."""
    keys = panel().keys
    return [s for s in SEATS if keys.holds(f"seat:{s}", wanted.cookies.get(seat_cookie(s)))]


def seat_cookie(seat: int) -> str:
    """The cookie that holds a seat's key."""
    return f"companion_seat_{seat}"


def host_cookie() -> str:
    """The cookie that holds the host's key."""
    return "companion_host"


def is_host(wanted: Request) -> bool:
    """Whether this browser holds the host's key."""
    return panel().keys.holds(HOST, wanted.cookies.get(host_cookie()))


def there(part: Part | None) -> Part:
    """A part of the services; 404 when this program has none."""
    if part is None:
        abort(404)
    return part


def must_hold(audience: str) -> None:
    """Stop unless this browser may act and read as ``audience``.

    403 when it is the host's or another seat's, 401 when this browser holds no seat at all.
    """
    if audience == "table":
        return
    if audience == "host":
        if not is_host(request):
            abort(403, "ui.http.host")
        return
    kind, _, number = audience.partition(":")
    if kind != "seat" or number not in map(str, SEATS):
        abort(404)
    held = seats_held(request)
    if int(number) not in held:
        abort(403 if held or seat_cookie(int(number)) in request.cookies else 401)


def body() -> Mapping[str, Any]:
    """The JSON object of a POST; 400 for anything else: no JSON, a name twice, half a character."""
    try:
        given = exact("body", json.loads(request.get_data(), object_pairs_hook=_once))
    except (ValueError, RecursionError):
        abort(400)
    if not isinstance(given, dict):
        abort(400)
    return given


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name stands twice")
    return found


def device() -> str:
    """The random name of this browser."""
    if "device" not in g:
        g.device = device_of(request)
    return str(g.device)
