"""What every request must pass, and the headers every response carries.

Plain http in a living room: cookies cannot be ``Secure`` and reach every port of the host, so a
POST needs our own Origin *and* a token that only our own pages hold. A page of the internet that
points its name at our address is turned away by its Host; one that asks from where it is, by its
Origin: it could not read the answer, but its streams would end those of our pages.
"""

from __future__ import annotations

import hmac
import ipaddress
import secrets
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from hashlib import sha256

from flask import Flask, Request, Response, abort, g, request

from web.services import Services, Session

BODY = 8 * 1024  # bytes of a request body
COMMANDS_A_SECOND = 10
WEEK = 7 * 24 * 3600  # seconds a cookie lasts
DEVICE = "companion_device"
TOKEN = "X-Companion-Token"

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'; object-src 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cross-Origin-Resource-Policy": "same-origin",
}

#: Of these, what a script or a style sheet needs: the others are about documents.
OF_FILES = ("X-Content-Type-Options", "Cross-Origin-Resource-Policy")


class Hosts:
    """The Host names requests may use: ours, and addresses of a home network.

    A rebinding page reaches us under a *name* of its own, so private addresses are harmless and
    stay right when the router hands out a new one.
    """

    def __init__(self, addresses: Callable[[], Iterable[str]]) -> None:
        self._addresses = addresses
        own = socket.gethostname().lower()
        self._own = {"localhost", "companion.local", own, f"{own.split('.')[0]}.local"}

    def allows(self, host: str) -> bool:
        """Whether a Host header (``name``, ``name:port``, ``[::1]:port``) is one of ours."""
        name = bare(host)
        if name in self._own:
            return True
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            pass
        else:
            if address.is_loopback or address.is_private or address.is_link_local:
                return True
        return any(name == bare(a.split("://", 1)[-1].split("/", 1)[0]) for a in self._addresses())


def bare(host: str) -> str:
    """A Host header without its port, lower case, without brackets."""
    host = host.strip().lower()
    if host.startswith("["):
        return host[1:].split("]", 1)[0]
    return host.rsplit(":", 1)[0] if host.count(":") == 1 else host


class Pace:
    """At most so many events in so many seconds for each key. ``clock`` in seconds."""

    def __init__(
        self, most: int, seconds: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._most, self._seconds, self._clock = most, seconds, clock
        self._seen: dict[str, deque[float]] = {}
        self._lock = threading.Lock()

    def allows(self, key: str) -> bool:
        """Count one more for ``key``; False when it is too many."""
        now = self._clock()
        with self._lock:
            if len(self._seen) > 500:
                self._seen = {
                    k: times for k, times in self._seen.items() if times[-1] > now - self._seconds
                }
            times = self._seen.setdefault(key, deque(maxlen=self._most))
            if len(times) == self._most and times[0] > now - self._seconds:
                return False
            times.append(now)
            return True


class Tokens:
    """The device cookie and the token derived from it."""

    def __init__(self, session: Session) -> None:
        secret = session.kept("web.secret")
        if not isinstance(secret, str):
            secret = secrets.token_hex(32)
            session.keep("web.secret", secret)
        self._secret = secret.encode()

    def of(self, device: str) -> str:
        """The token that a page of this device sends with every POST."""
        return hmac.new(self._secret, raw(device), sha256).hexdigest()[:32]

    def fits(self, device: str, token: str) -> bool:
        """Whether a token belongs to a device."""
        return bool(device) and same(self.of(device), token)


def raw(text: str) -> bytes:
    """The bytes of any text, half characters of a stranger's JSON or header included."""
    return text.encode(errors="surrogatepass")


def same(ours: str, given: str) -> bool:
    """Whether somebody gave our secret; takes as long whatever was given."""
    return hmac.compare_digest(raw(ours), raw(given))


def device_of(wanted: Request) -> str:
    """The random name of the browser that asks; a new one when it has none yet."""
    held = wanted.cookies.get(DEVICE, "")
    if 20 <= len(held) <= 64:
        return held
    if "new_device" not in g:
        g.new_device = secrets.token_urlsafe(16)
    return str(g.new_device)


def _embedded(wanted: Request) -> bool:
    """Whether a page of another site, or of another port, asks for a part of itself: browsers say
    so where they trust the address. A link that is followed is none."""
    site = wanted.headers.get("Sec-Fetch-Site", "none")
    whole = wanted.headers.get("Sec-Fetch-Dest", "document") == "document"
    return site not in ("same-origin", "none") and not whole


def set_cookie(response: Response, name: str, value: str) -> None:
    """A cookie no script and no other site can use."""
    response.set_cookie(name, value, max_age=WEEK, httponly=True, samesite="Strict", path="/")


def guard(app: Flask, session: Session, services: Services) -> Tokens:
    """Hang the checks and headers on the application; returns its tokens."""
    hosts = Hosts(services.addresses)
    tokens = Tokens(session)
    pace = Pace(COMMANDS_A_SECOND, 1.0)
    app.config["MAX_CONTENT_LENGTH"] = BODY

    @app.before_request
    def check() -> None:
        if not hosts.allows(request.host):
            abort(400)
        reading = request.method in ("GET", "HEAD", "OPTIONS")
        ours = f"{request.scheme}://{request.host}"
        if request.headers.get("Origin", ours if reading else "") != ours or _embedded(request):
            abort(403, "ui.http.origin")
        if not reading:
            held = request.cookies.get(DEVICE, "")
            if not tokens.fits(held, request.headers.get(TOKEN, "")):
                abort(403, "ui.http.token")
            if (request.content_length or 0) > BODY:
                abort(413)
            if not request.is_json:
                abort(400)
            if not pace.allows(held):
                abort(429)

    @app.after_request
    def headers(response: Response) -> Response:
        file = response.mimetype in ("text/css", "text/javascript")
        response.headers.update({n: HEADERS[n] for n in (OF_FILES if file else HEADERS)})
        response.headers.setdefault("Cache-Control", "no-store")
        if "new_device" in g and response.mimetype == "text/html":
            set_cookie(response, DEVICE, g.new_device)
        return response

    return tokens
