"""The pages: lobby, table, seat, host. Shells that a stream fills; they hold no secret."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from flask import Blueprint, Response, make_response, render_template, request
from markupsafe import Markup

from companion.library.model import FIRST_BOARD
from companion.locale import Words, languages, words
from web import map as board_map
from web.blueprints.static import fingerprint
from web.ending import story_of
from web.keys import SEATS
from web.packing import packed
from web.panel import (
    device,
    is_host,
    language_of,
    panel,
    seat_cookie,
    seats_held,
)
from web.picture import BARS, picture
from web.qr import code, wifi
from web.terms import Terms

#: The table's buttons that the host's page mirrors.
BUTTONS = ("next", "draw", "undo", "break", "hourglass")
#: What the host's page says to the lights: what a knob would, deep night, and nothing moves.
LIGHTS = ("dimmer", "brighter", "night", "calm")
pages = Blueprint("pages", __name__)
#: Pages that show no game, and so can be shown while the program still starts.
WITHOUT_GAME = ("pages.rules", "pages.strip")
SCRIPT_WORDS = "ui.page."
DAMAGE_READ = "damage.read"  # kept beside the game: of which damaged file the table has read
#: Parts of the scripts whose words (``ui.<part>.…``) a page gets with them.
PARTS = ("back", "notes", "seen", "camera")
#: Symbols that the rules' search offers to tap (web/static/search.js).
SYMBOLS = (
    "fire",
    "malfunction",
    "noise",
    "slime",
    "door",
    "egg",
    "carcass",
    "corpse_red",
    "larva",
    "signal",
    "escape_pod",
)
#: Species that bring symbols of their own (web/templates/icons/).
DRAWN = ("void_seeders", "carnomorphs")
#: How a screen may look, and the colour round its page (web/static/tokens.css).
LOOKS = {"dark": "#0b0d10", "deep": "#070302", "light": "#f4f0e6", "contrast": "#000000"}
NATIVE = {"en": "English", "it": "Italiano", "fr": "Français"}


def render(
    template: str, *, status: int = 200, with_parts: tuple[str, ...] = (), **context: Any
) -> Response:
    """A page in the reader's language with what every page needs, and the words of some parts."""
    here = panel()
    language = language_of(request)
    said = words(language)
    mine = device()
    response = make_response(
        render_template(
            template,
            t=said.say,
            lang=language,
            languages={tag: NATIVE[tag] for tag in languages()},
            token=here.tokens.of(mine),
            boot=here.session.boot,
            mark=fingerprint(),
            script_words={
                **script_words(said, SCRIPT_WORDS, *(f"ui.{part}." for part in with_parts)),
                **symbol_words(language),
            },
            asset=lambda name: f"/static/{fingerprint()}/{name}",
            seats=seats_held(request),
            host=is_host(request),
            simulated=here.services.simulator is not None,
            lights_setup=here.services.light_setup is not None,
            camera_setup=here.services.camera is not None,
            lit=_lit,
            whole=whole,
            drawn=_drawn(),
            looks=LOOKS,
            **_display(),
            **context,
        ),
        status,
    )
    response.headers["Vary"] = "Cookie, Accept-Language"
    return response


def _lit() -> bool:
    """Whether there are lights to show; asked only by pages that have a place for them."""
    services = panel().services
    return services.lit() if services.lit is not None else services.strip() is not None


def _display() -> dict[str, Any]:
    """What this browser keeps of how it shows things (web/static/menu.js)."""
    look = request.cookies.get("companion_look")
    return {
        "look": look if look in LOOKS else "dark",
        "theatre": request.cookies.get("companion_theatre") != "off",
        "timer": request.cookies.get("companion_timer") == "on",
        "awake": request.cookies.get("companion_awake", ""),
        "turned": request.cookies.get("companion_turned") == "on",
    }


def _drawn() -> tuple[str, ...]:
    """Whose symbols a page needs: those of the species in play; all before one is chosen."""
    if not panel().services.ready():
        return ()
    species = panel().session.view("table")[1]["game"].get("species")
    return DRAWN if not species else tuple(s for s in DRAWN if s == species)


def script_words(said: Words, *begin: str) -> dict[str, str]:
    """The messages that scripts fill themselves: those whose keys ``begin`` so."""
    known = sorted(said.keys())
    return {key: said.say(key, _Unfilled()) for key in known if key.startswith(begin)}


def symbol_words(language: str) -> dict[str, str]:
    """What the symbols of the rules' search are called on the box."""
    terms = Terms(panel().session.content, language, {})
    return {f"{SCRIPT_WORDS}symbol.{name}": terms.piece(name) for name in SYMBOLS}


class _Unfilled(dict[str, str]):
    """Leaves every placeholder of a message as it is, for a script to fill."""

    def __missing__(self, name: str) -> str:
        return f"{{{name}}}"

    def __bool__(self) -> bool:
        return True


@pages.before_request
def wait_for_game() -> Response | None:
    """The waiting page instead of one that shows the game, until it is open."""
    if panel().services.ready() or request.endpoint in WITHOUT_GAME:
        return None
    return starting()


@pages.get("/")
def lobby() -> Response:
    """Joining and setup; once a game runs, where phones find their seat."""
    here = panel()
    language = language_of(request)
    page = here.page("table", language)
    _, view = here.session.view("table")
    last = _last_time(language)
    return render(
        "lobby.html",
        with_parts=("back",),
        audience="table",
        page=page,
        chairs=[_chair(seat) for seat in SEATS],
        base=address(),
        found=here.base(),
        join_qr=Markup(code(f"{address()}/", words(language).say("ui.lobby.scan"))),
        wifi=_wifi(language),
        choices=_choices(view, language),
        digits=here.services.host_code if is_host(request) else "",
        last=last,
        count=here.players or len((last or {}).get("names", ())) or 3,
        recap=_recap(view, language),
        damaged=_damaged(view, language),
    )


def _wifi(language: str) -> dict[str, Any] | None:
    """The code that joins the network, with name and password to type; None when nobody said."""
    held = panel().services.wifi
    if held is None:
        return None
    name, password = held
    label = words(language).say("ui.lobby.wifi", {"name": name})
    return {"name": name, "password": password, "qr": Markup(code(wifi(name, password), label))}


def _damaged(view: Any, language: str) -> str:
    """What the table must know of a game whose file was found damaged, until it was read."""
    for part in view["parts"]:
        if part["part"] == "journal" and part["code"].startswith("recovered."):
            if panel().session.kept(DAMAGE_READ) == part["params"].get("path"):
                return ""
            return words(language).say(part["code"], part["params"])
    return ""


def _recap(view: Any, language: str) -> list[str]:
    """Last time, in sentences, while the game of another evening lies packed."""
    session = panel().session
    if not session.resumed:
        return []
    told: list[str] = packed(session.story(), view, session.content, language)["recap"]
    return told


def _last_time(language: str) -> dict[str, Any] | None:
    """The remembered group in words, with the command that begins the same game again."""
    group = panel().services.group
    held = group.remembered() if group is not None else None
    if held is None:
        return None
    content = panel().session.content
    board = content.boards.get(str(held.get("board")))
    people = [p for p in held["players"] if isinstance(p, dict)]
    colours = {c.colour: c.hex for c in content.characters.values()}
    drafted = held.get("draft") is True
    players = [
        {k: p[k] for k in ("name", "language", "character") if not (drafted and k == "character")}
        for p in people
        if {"name", "language", "character"} <= p.keys()
    ]
    say = words(language).say
    how = [board.names.get(language) or board.names["en"]] if board else []
    how += [
        say(f"ui.setup.together.{flag}") for flag in ("coop", "intruder_player") if held.get(flag)
    ]
    how += [say("ui.setup.characters.draft")] if drafted else []
    how += [say("ui.setup.numbers.dealt")] if held.get("numbers") == "dealt" else []
    return {
        "command": {"do": "setup", **held, "players": players},
        "how": " · ".join(how),
        "players": [
            {
                "name": p.get("name") or say("ui.seat", {"seat": n}),
                "hex": colours.get(str(p.get("colour")), ""),
            }
            for n, p in enumerate(people, start=1)
        ],
        "names": [p.get("name", "") for p in people],
    }


def _chair(seat: int) -> dict[str, Any]:
    token = panel().keys.claim_token(seat)
    said = words(language_of(request))
    label = said.say("ui.seat", {"seat": seat})
    return {
        "seat": seat,
        "token": token,
        "taken": panel().keys.taken(f"seat:{seat}"),
        "qr": Markup(code(f"{address()}/join#{token}", label)) if token else None,
        "mine": seat in seats_held(request),
    }


def _choices(view: Any, language: str) -> dict[str, Any]:
    """What the setup form offers, in words."""
    content = panel().session.content
    said = words(language)
    choices = view.get("choices", {})
    return {
        "characters": [
            {"id": c, "label": held.names.get(language), "hex": held.hex}
            for c, held in content.characters.items()
            if c in choices.get("characters", ())
        ],
        "boards": [
            {
                "id": b,
                "label": content.boards[b].names.get(language) or content.boards[b].names["en"],
            }
            for b in sorted(choices.get("boards", ()), key=lambda b: not b.endswith("/basic"))
        ],
        "species": [
            {
                "id": s,
                "label": content.species[s].names.get(language),
                "by_player": s in choices.get("by_player", ()),
                "icon": max(content.species[s].creatures.values(), key=lambda c: c.size).id,
            }
            for s in choices.get("species", ())
        ],
        "presets": [
            {"id": p, "label": said.say(f"preset.{p}"), "text": said.say(f"preset.{p}.text")}
            for p in choices.get("presets", ())
        ],
    }


def address() -> str:
    """Where phones reach us: the first address of the box, else what this browser used."""
    found = panel().base()
    return full(found) if found else f"{request.scheme}://{request.host}"


def full(found: str) -> str:
    """What a phone types for one of the box's names: with ``http`` and the port."""
    port = panel().services.port
    if "://" in found:
        return found.rstrip("/")
    name = f"[{found}]" if found.count(":") > 1 else found
    if ":" in found and found.count(":") == 1:
        return f"http://{found}"
    return f"http://{name}" + ("" if port == 80 else f":{port}")


def whole(address: str) -> Markup:
    """An address that breaks between its parts only, where it does not fit in one line."""
    head, slashes, rest = address.rpartition("://")
    name, colon, port = rest.rpartition(":")
    ends = [name, colon + port] if name and port.isdigit() else [rest]
    parts = [head + slashes, *ends]
    return Markup("<wbr>").join(
        Markup('<span class="whole">{}</span>').format(part) for part in parts if part
    )


@pages.get("/join")
def join() -> Response:
    """What a QR code opens: one button; the token stays behind the ``#`` until it is pressed."""
    return render("join.html", audience="table", page=panel().page("table", language_of(request)))


def board_now() -> str:
    """The board that is played on, or the first while none is."""
    return str(panel().session.view("table")[1]["game"].get("board") or FIRST_BOARD)


def drawings(board: str) -> dict[str, Markup]:
    """Both drawings of a board side, empty before a game is set up."""
    held = panel().session.content.boards.get(board)
    if held is None:
        return {}
    return {
        "wide": Markup(board_map.drawing(held)),
        "upright": Markup(board_map.drawing(held, upright=True)),
    }


@pages.get("/table")
def table() -> Response:
    """The public screen: map, step, card, instructions, questions."""
    here, language = panel(), language_of(request)
    page = here.page("table", language)
    return render(
        "play.html",
        audience="table",
        seat=0,
        page=page,
        maps=drawings(page["board"]),
        origin=None,
        damaged=_damaged(here.session.view("table")[1], language),
    )


@pages.get("/seat/<int:seat>")
def seat(seat: int) -> Response:
    """One player's page; without the seat's key: how to get it (401)."""
    if seat not in SEATS:
        return problem(404)[0]
    if seat not in seats_held(request):
        # A link out of another program may arrive without the strict cookie: the page asks again.
        moved = seat_cookie(seat) in request.cookies
        return render(
            "nobody.html",
            status=401,
            with_parts=("back",),
            audience="table",
            seat=seat,
            moved=moved,
        )
    view = panel().session.view("table")[1]
    page = panel().page("table", language_of(request))
    origin = request.args.get("from", type=int)  # lent by the table (0) or by another seat
    return render(
        "play.html",
        audience=f"seat:{seat}",
        seat=seat,
        absent=view["phase"] != "lobby" and seat > view["game"]["players"],
        page=page,
        maps=drawings(page["board"]),
        origin=origin if origin in (0, *SEATS) else None,
        who=next((p["label"] for p in page["seats"] if p["seat"] == seat), ""),
    )


def key_wanted() -> Response:
    """The way to become the host, instead of a page of theirs."""
    return render("host_key.html", status=401, audience="table")


@pages.get("/host")
def host() -> Response:
    """The host's page, or the way to become the host."""
    if not is_host(request):
        return key_wanted()
    return render("host.html", audience="host", **_for_host())


@pages.get("/host/drawer")
def host_drawer() -> Response:
    """The same as a part of any page; whoever is not the host is asked for the digits (401)."""
    if not is_host(request):
        return render("host_drawer.html", status=401)
    return render("host_drawer.html", **_for_host())


def _for_host() -> dict[str, Any]:
    here = panel()
    return {
        "page": here.page("table", language_of(request)),
        "chairs": [_chair(seat) for seat in SEATS],
        "addresses": [full(a) for a in here.services.addresses()],
        "box": here.box_language(),
        "presses": BUTTONS if here.services.presses is not None else (),
        "dials": LIGHTS
        if here.services.presses and "lights" in here.services.presses.state()
        else (),
    }


@pages.get("/rules")
def rules() -> Response:
    """The rules at hand, for any phone."""
    return render("rules.html", audience="table", page={})


@pages.get("/story")
def story() -> Response:
    """The evening told again: what everybody saw, round by round, and how it came out."""
    here = panel()
    language = language_of(request)
    _, view = here.session.view("table")
    told = story_of(here.session.story(), view, here.session.content, language)
    page = here.page("table", language)
    maps = drawings(page["board"])
    return render("story.html", audience="table", page=page, story=told, drawings=maps)


@pages.get("/story.svg")
def story_picture() -> Response:
    """The evening as one picture to share."""
    here = panel()
    language = language_of(request)
    said = words(language)
    _, view = here.session.view("table")
    story = here.session.story()
    told = story_of(story, view, here.session.content, language)
    for person in told["people"]:
        person["end"] = said.say("ui.won") if person["won"] else person["state"]
    names = {what: said.say(f"ui.statistics.{what}") for what in BARS}
    drawn = picture(told, said.say("ui.story"), story["rounds"], names)
    return Response(drawn, mimetype="image/svg+xml")


@pages.get("/pack")
def pack() -> Response:
    """What to pack in which order, a sheet a person and room, and the way to the rebuild list."""
    here = panel()
    language = language_of(request)
    _, view = here.session.view("table")
    sheets = packed(here.session.story(), view, here.session.content, language)
    return render("pack.html", audience="table", page=here.page("table", language), pack=sheets)


@pages.get("/strip.svg")
def strip() -> Response:
    """The lights as the simulated strip shows them; 204 while there is none newer than ``have``."""
    drawn = panel().services.strip()
    if drawn is None:
        return problem(404)[0]
    if not drawn:
        return Response(status=204)
    mark = sha256(drawn.encode()).hexdigest()[:16]
    if request.args.get("have") == mark:
        return Response(status=204)
    return Response(drawn, mimetype="image/svg+xml", headers={"X-Companion-Mark": mark})


def starting() -> Response:
    """The program is still starting; the page looks again by itself."""
    response = render("starting.html", status=503, audience="table")
    response.headers["Retry-After"] = "1"
    return response


def problem(status: int) -> tuple[Response, int]:
    """A page for an error status: what it means and where to go."""
    from web.app import known

    return render("problem.html", status=status, audience="table", code=known(status)), status
