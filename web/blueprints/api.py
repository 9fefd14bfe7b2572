"""``POST /api/…``: commands, claims, the host's key, the language. JSON in, JSON out."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from flask import Blueprint, Response, abort, jsonify, request

from companion.game.errors import BadInput, CompanionError, Fault, Refused
from companion.library.model import Rule
from companion.locale import languages, words
from companion.rules.cards import AFTERWARDS
from web import panel as shared
from web.blueprints.health import told
from web.blueprints.pages import BUTTONS, DAMAGE_READ, LIGHTS, PARTS, script_words
from web.keys import SEATS
from web.panel import body, is_host, language_of, must_hold, panel, seats_held, there
from web.present import lines
from web.security import set_cookie
from web.terms import Terms

api = Blueprint("api", __name__, url_prefix="/api")

#: What a page of the lobby lets choose besides how many play, each person's name and Character too.
CHOICES = frozenset({"characters", "numbers", "together", "board", "species", "preset", "dice"})
CHOICES |= {f"{what}-{seat}" for what in ("name", "character") for seat in SEATS}
MOST_LETTERS = 20  # of a name, and of every other choice

STATUS = {"done": 200, "already": 200, "refused": 422, "conflict": 409, "later": 503}
#: Refusals that are a matter of who asks, or of two asking at once.
CODES = {"not_yours": 403, "undo.secret": 403, "conflict": 409, "id_used": 409, "busy": 503}
NAME = 20  # characters
NOTES = 1500


@api.post("/command")
def command() -> tuple[Response, int]:
    """A command of the table, a seat or the host: ``{id, do, by, …}``."""
    given = dict(body())
    by = given.setdefault("by", "table")
    if not isinstance(by, str) or by.partition(":")[0] not in ("table", "seat", "host"):
        abort(403)
    must_hold(by)
    return answer(given, by)


def answer(given: dict[str, Any], by: str) -> tuple[Response, int]:
    """Submit a command and say what came of it, in the reader's language."""
    session = panel().session
    try:
        given = tidy(given)
        if given.get("do") == "take":
            reply = dict(session.take(str(given.get("difference", ""))[:60], by))
        else:
            reply = dict(session.submit(given))
    except CompanionError as error:
        reply = failed(error)
    status = STATUS.get(str(reply.get("status")), 200)
    code = reply.get("code")
    if code:
        status = int(reply.pop("http", 0)) or CODES.get(str(code), status)
        reply["text"] = sentence(reply)
    return jsonify(reply), status


def failed(error: CompanionError) -> dict[str, Any]:
    """A reply for an error that a command raised."""
    match error:
        case Refused():
            reply = {"status": "refused", "by_hand": error.by_hand, "rule": error.rule}
        case BadInput():
            reply = {"status": "refused", "http": 400, "kind": "bad"}
        case Fault():
            reply = {"status": "later", "http": 503, "kind": "fault"}
        case _:
            raise error
    return {**reply, "code": error.code, "params": error.params}


def spoken(error: CompanionError) -> dict[str, Any]:
    """The same with its sentence."""
    reply = failed(error)
    return {**reply, "text": sentence(reply)}


def sentence(reply: Mapping[str, Any]) -> str:
    """What a reply's code says, in the reader's language."""
    here = panel()
    _, view = here.session.view("table")
    terms = Terms(here.session.content, language_of(request), view)
    code, params = str(reply["code"]), dict(reply.get("params") or {})
    if code == "prompt_open":
        code, params = _awaited(view, terms)
    if reply.get("kind") == "bad":
        params["path"] = terms.field(str(params.get("path")))
    for kind in (str(reply.get("kind") or "refuse"), "refuse", "bad", "fault"):
        key = code if code.startswith(f"{kind}.") else f"{kind}.{code}"
        if terms.words.has(key):
            return told(terms.words, key, terms.all(params))
    return terms.say("refuse.unknown")


def _awaited(view: Mapping[str, Any], terms: Terms) -> tuple[str, dict[str, Any]]:
    """What everybody may know of the answer that a command has to wait for."""
    if view["prompts"]:
        asked = view["prompts"][0]
        return "prompt_open.asked", {"question": terms.say(asked["key"], asked["params"])}
    if view["waiting"]:
        return "prompt_open.secret", {"n": view["waiting"]}
    return "prompt_open", {}


def clean_name(name: str) -> str:
    """A name of 1-20 visible characters: no control, format or bidirectional marks.

    Raises BadInput ``web.name``.
    """
    kept = "".join(c for c in name if unicodedata.category(c)[0] not in "CZ" or c == " ")
    kept = " ".join(kept.split())
    if not 1 <= len(kept) <= NAME:
        raise BadInput("name", "web.name", {"low": 1, "high": NAME})
    return kept


def tidy(given: Mapping[str, Any]) -> dict[str, Any]:
    """A command with clean names of people. Raises BadInput ``web.name``."""
    kept = dict(given)
    if kept.get("do") == "join" and isinstance(kept.get("name"), str):
        kept["name"] = clean_name(kept["name"])
    if kept.get("do") == "setup":
        kept["players"] = _players(kept.get("players"))
    return kept


def _players(given: Any) -> Any:
    if not isinstance(given, list):
        return given
    cleaned: list[Any] = []
    for player in given:
        if isinstance(player, dict) and isinstance(player.get("name"), str):
            kept = {k: v for k, v in player.items() if k != "name"}
            if player["name"].strip():
                kept["name"] = clean_name(player["name"])
            cleaned.append(kept)
        else:
            cleaned.append(player)
    return cleaned


@api.post("/claim")
def claim() -> tuple[Response, int]:
    """``{token, share}`` of a seat's QR code: this phone is that seat from now on.

    ``share`` are random bits of the phone's own: its cut of the deck.
    """
    token, share = body().get("token"), body().get("share")
    if not isinstance(token, str) or not 16 <= len(token) <= 64:
        abort(400)
    here = panel()
    held = [seat for seat in SEATS if here.keys.taken(f"seat:{seat}")]
    try:
        seat, key = here.keys.claim(token)
    except Refused as refusal:
        return jsonify(spoken(refusal)), 409
    here.streams.leave(seat, "moved")
    here.streams.gain(seat, shared.device())
    here.notice(seat)
    if isinstance(share, str):
        here.share(seat, share[:64])
    news = {"seat": seat, "language": language_of(request), "present": True}
    here.join({**news, "phone": "code"} if seat in held else news)
    response = jsonify({"status": "done", "seat": seat, "pin": here.keys.pins.new(seat)})
    set_cookie(response, shared.seat_cookie(seat), key)
    return response, 200


@api.post("/recover")
def recover() -> tuple[Response, int]:
    """``{seat, pin}``: this phone is that seat again; the one before is told and loses it."""
    seat, pin = _seat(), body().get("pin")
    if not isinstance(pin, str) or len(pin) > 12:
        abort(400)
    here = panel()
    try:
        key = here.keys.recover(seat, pin.strip())
    except Refused as refusal:
        if refusal.code != "pin.none":
            here.notice(seat, "guess")
        return jsonify(spoken(refusal)), 429 if refusal.code == "pin.locked" else 403
    here.streams.leave(seat, "moved")
    here.streams.gain(seat, shared.device())
    here.notice(seat, "back")
    here.join({"seat": seat, "language": language_of(request), "present": True, "phone": "pin"})
    response = jsonify({"status": "done", "seat": seat})
    set_cookie(response, shared.seat_cookie(seat), key)
    return response, 200


@api.post("/pin")
def pin() -> tuple[Response, int]:
    """``{seat}``: new digits for an own seat, told this once; the old ones are void."""
    seat = _seat()
    must_hold(f"seat:{seat}")
    return jsonify({"status": "done", "seat": seat, "pin": panel().keys.pins.new(seat)}), 200


@api.post("/damage-read")
def damage_read() -> tuple[Response, int]:
    """Somebody at the table has read what became of a damaged file: no page tells it again."""
    session = panel().session
    for part in session.view("table")[1]["parts"]:
        if part["part"] == "journal" and part["code"].startswith("recovered."):
            session.keep(DAMAGE_READ, part["params"].get("path"))
    return jsonify({"status": "done"}), 200


@api.get("/notes/<int:seat>")
def notes(seat: int) -> dict[str, str]:
    """A seat's own notes, for its phone alone."""
    must_hold(f"seat:{seat}")
    text = panel().session.kept(_notes(seat))
    return {"text": text if isinstance(text, str) else ""}


@api.post("/notes")
def take_notes() -> tuple[Response, int]:
    """``{seat, text}``: a seat's notes from now on.

    They are kept beside the game and not in its journal: there a row more would tell everybody
    that somebody wrote. No export holds them; the next game begins without.
    """
    seat, text = _seat(), body().get("text")
    must_hold(f"seat:{seat}")
    if not isinstance(text, str) or len(text) > NOTES:
        abort(400)
    try:
        panel().session.keep(_notes(seat), text or None)
    except CompanionError as error:
        return jsonify(spoken(error)), 503
    return jsonify({"status": "done"}), 200


def _notes(seat: int) -> str:
    return f"note.seat:{seat}"


@api.post("/lend")
def lend() -> tuple[Response, int]:
    """``{seat}``: this screen is handed to a player without a phone; 409 when they have one.

    Any screen may ask, so every page is told and the log keeps it: nobody reads it unseen.
    """
    seat = _seat()
    here = panel()
    if not here.keys.phone(seat) and not here.streams.awake(seat):
        here.keys.free(seat)  # lent to a screen that never gave it back: it is lent again
    token = None if here.keys.taken(f"seat:{seat}") else here.keys.claim_token(seat)
    if token is None:
        abort(409)
    _, key = here.keys.claim(token)
    here.notice(seat, "lent")
    here.join({"seat": seat, "phone": "lent"})
    response = jsonify({"status": "done", "seat": seat})
    set_cookie(response, shared.seat_cookie(seat), key)
    return response, 200


@api.post("/players")
def players() -> tuple[Response, int]:
    """``{players}``: how many are to play, for every page of the lobby; 409 once a game runs."""
    count = body().get("players")
    if not isinstance(count, int) or isinstance(count, bool) or count not in SEATS:
        abort(400)
    here = panel()
    if here.session.view("table")[1]["phase"] != "lobby":
        abort(409)
    here.players = count
    return jsonify({"status": "done"}), 200


@api.post("/choice")
def choice() -> tuple[Response, int]:
    """``{name, value}``: what was chosen for the game to come, for every page of the lobby, which
    takes no value that it does not offer; 409 once a game runs.
    """
    given = body()
    name, value = given.get("name"), given.get("value")
    if not (isinstance(name, str) and name in CHOICES and isinstance(value, str)):
        abort(400)
    if len(value) > MOST_LETTERS:
        abort(400)
    here = panel()
    if here.session.view("table")[1]["phase"] != "lobby":
        abort(409)
    here.choices = {**here.choices, name: "".join(c for c in value if c.isprintable())}
    return jsonify({"status": "done"}), 200


@api.post("/renew")
def renew() -> tuple[Response, int]:
    """``{seat, sure}``: the host gives a seat a new code, for another phone.

    A phone that is awake is asked first (``asked``); ``sure`` goes on when it does not answer.
    """
    must_hold("host")
    seat, here = _seat(), panel()
    alive = here.streams.awake(seat) and seat not in seats_held(request)
    if alive and not (body().get("sure") is True and here.asking(seat)):
        here.ask(seat)
        return jsonify({"status": "asked", "seat": seat}), 200
    here.ask(seat, "")
    here.keys.renew(seat)
    return jsonify({"status": "done", "seat": seat}), 200


@api.post("/give")
def give() -> tuple[Response, int]:
    """``{seat, give}``: whether this phone gives its seat to another one, as the host asked."""
    seat, given = _seat(), body().get("give")
    must_hold(f"seat:{seat}")
    if not isinstance(given, bool):
        abort(400)
    here = panel()
    if not here.asking(seat):
        abort(409)
    here.ask(seat, "given" if given else "kept")
    if given:
        here.keys.renew(seat)
    return jsonify({"status": "done", "seat": seat}), 200


@api.post("/free")
def free() -> tuple[Response, int]:
    """``{seat}``: a phone gives its seat up, or the host says that was wrong."""
    seat = _seat()
    if not is_host(request):
        must_hold(f"seat:{seat}")
    here = panel()
    phone = here.keys.phone(seat)
    here.keys.free(seat)
    here.streams.leave(seat, "freed")
    if phone:  # a screen that is handed back is no news
        here.notice(seat, "freed")
    here.join({"seat": seat, "present": False})
    return jsonify({"status": "done", "seat": seat}), 200


def _seat() -> int:
    seat = body().get("seat")
    if not isinstance(seat, int) or isinstance(seat, bool) or seat not in SEATS:
        abort(400)
    return seat


@api.post("/host")
def host() -> tuple[Response, int]:
    """``{code}``: the six digits the program shows; none needed first on the box itself."""
    code = body().get("code", "")
    if not isinstance(code, str) or len(code) > 12:
        abort(400)
    here = panel()
    try:
        key = here.keys.become_host(code, loopback=_on_the_box())
    except Refused as refusal:
        return jsonify(spoken(refusal)), 429 if refusal.code == "host.locked" else 403
    here.streams.end("host", "moved")
    response = jsonify({"status": "done"})
    set_cookie(response, shared.host_cookie(), key)
    return response, 200


def _on_the_box() -> bool:
    return request.remote_addr in ("127.0.0.1", "::1")


@api.post("/language")
def language() -> tuple[Response, int]:
    """``{language}`` for this browser, and for the seats it holds."""
    chosen = _language()
    for seat in seats_held(request):
        panel().join({"seat": seat, "language": chosen})
    response = jsonify({"status": "done"})
    response.set_cookie(shared.LANGUAGE, chosen, max_age=31536000, samesite="Strict", httponly=True)
    return response, 200


def _language() -> str:
    chosen = body().get("language")
    if not isinstance(chosen, str) or chosen not in languages():
        abort(400)
    return chosen


@api.post("/box")
def box() -> tuple[Response, int]:
    """``{language}``: what is printed on the cardboard of this table. The host says so."""
    must_hold("host")
    panel().set_box_language(_language())
    return jsonify({"status": "done"}), 200


@api.post("/group/forget")
def forget_group() -> tuple[Response, int]:
    """Delete what is remembered of the group: names, colours, languages, choices."""
    if (group := panel().services.group) is not None:
        group.forget()
    return jsonify({"status": "done"}), 200


@api.post("/press")
def press() -> tuple[Response, int]:
    """``{button}``: the host presses a button of the table."""
    must_hold("host")
    presses, button = there(panel().services.presses), str(body().get("button"))
    if button not in (*BUTTONS, *(LIGHTS if "lights" in presses.state() else ())):
        abort(400)
    try:
        reply = dict(presses.press(button))
    except CompanionError as error:
        reply = failed(error)
    if reply.get("code"):
        reply["text"] = sentence(reply)
    status = int(reply.pop("http", 0)) or STATUS.get(str(reply.get("status")), 200)
    return jsonify({**reply, "state": presses.state()}), status


@api.post("/turned")
def turned() -> tuple[Response, int]:
    """The card that lay face down on this screen is turned: lights and sound go on."""
    body()
    curtain = there(panel().services.curtain)
    curtain.rise()
    return jsonify({"status": "done"}), 200


@api.get("/press")
def pressed() -> dict[str, Any]:
    """Whether people take a break, and the sand left. For the host."""
    must_hold("host")
    return dict(there(panel().services.presses).state())


@api.get("/doctor")
def doctor() -> dict[str, Any]:
    """What the doctor finds on the machine, in words. For the host."""
    must_hold("host")
    say = words(language_of(request)).say
    return {
        "findings": [
            {
                "status": str(f.status),
                "text": say(f.key, f.params),
                "remedy": say(f.remedy, f.params) if f.remedy else "",
            }
            for f in panel().services.doctor()
        ]
    }


@api.get("/me")
def me() -> dict[str, Any]:
    """The seats this browser holds; for pages opened from another program."""
    return {"seats": seats_held(request), "host": is_host(request)}


@api.get("/words/<part>")
def said(part: str) -> dict[str, str]:
    """The messages of a part of the scripts that most pages never need."""
    found = script_words(words(language_of(request)), f"ui.{part}.") if part in PARTS else {}
    return found or abort(404)


@api.get("/timeline")
def timeline() -> dict[str, Any]:
    """The evening's board moment by moment, with what the map needs to draw it."""
    here = panel()
    _, view = here.session.view("table")
    content = here.session.content
    terms = Terms(content, language_of(request), view)
    board = content.boards.get(view["game"].get("board") or "")
    species = content.species.get(view["game"].get("species") or "")
    if board is None or species is None:
        return {"moments": []}
    return {
        "moments": [
            {
                "round": terms.say("ui.round", {"n": moment["round"]}),
                "text": terms.happened(moment["line"]),
                "changes": moment["changes"],
            }
            for moment in here.session.timeline()
        ],
        "seats": [
            {
                "seat": s["seat"],
                "label": terms.seat(s["seat"]),
                "hex": content.characters[s["character"]].hex,
            }
            for s in view["seats"]
        ],
        "tiles": {tile: terms.tile(tile) for tile in content.tiles},
        "board": {
            "rooms": list(board.rooms),
            "corridors": {c: terms.space(c) for c in board.corridors},
            "spaces": {s: terms.space(s) for s in board.spaces},
            "fixed": {r: terms.tile(room.fixed) for r, room in board.rooms.items() if room.fixed},
            "creatures": {c: terms.piece(c) for c in species.creatures},
        },
    }


@api.get("/pace")
def pace() -> dict[str, Any]:
    """How the evening goes: seconds of this round, and about how many the game may still take."""
    return dict(panel().session.pace())


@api.get("/log/<audience>")
def log(audience: str) -> dict[str, Any]:
    """Log lines older than ``before``."""
    must_hold(audience)
    here = panel()
    before = request.args.get("before", type=int)
    _, view = here.session.view(audience)
    found = here.session.log(audience, before, 50)
    return {"log": lines(found, view, here.session.content, language_of(request))}


@api.get("/rule/<path:ids>")
def rule(ids: str) -> dict[str, Any]:
    """Our paraphrase of the rules with these ids, and where they come from."""
    known = panel().session.content.rules
    found = [_rule(known[i]) for i in ids.split()[:8] if i in known]
    if not found:
        abort(404)
    return {"rules": found}


@api.get("/cards")
def cards() -> dict[str, Any]:
    """Cards and Items that touch the table, with our words for what the companion does."""
    language = language_of(request)
    _, view = panel().session.view("table")
    terms = Terms(panel().session.content, language, view)
    return {
        "cards": [
            {
                "id": card.id,
                "label": card.names.get(language),
                "kind": card.kind,
                "text": terms.card_text(card.id),
                "rule": card.rule,
                "character": card.character,
                "combat": card.combat,
                "target": card.effect not in AFTERWARDS,
            }
            for card in panel().session.content.cards.values()
        ]
    }


@api.get("/rules")
def rules() -> dict[str, Any]:
    """``?q=``: rules found by words, or by the number of a Room whose tile lies open."""
    wanted = request.args.get("q", "")[:80].strip()
    here = panel()
    _, view = here.session.view("table")
    hits = here.search(language_of(request)).find(wanted, species=view["game"]["species"])
    tile = Terms(here.session.content, language_of(request), view).tile_of(wanted)
    if tile is not None and tile in here.session.content.tiles:
        entry = here.session.content.tiles[tile]
        about = entry.names.get(language_of(request))
        first = [_rule(here.session.content.rules[i], (about,)) for i in entry.rule.split()]
        hits = [h for h in hits if h.rule.id not in entry.rule.split()]
    else:
        first = []
    return {"rules": first + [_rule(h.rule, h.titles) for h in hits]}


@api.get("/rules/all")
def all_rules() -> dict[str, Any]:
    """Every rule, with the words that find it: for a page that the Wi-Fi may leave."""
    _, view = panel().session.view("table")
    found = panel().search(language_of(request)).index(view["game"]["species"])
    return {
        "rules": [
            {
                **_rule(f.hit.rule, f.hit.titles),
                "named": " ".join(f.named),
                "room": f.room,
                **({"other": True} if f.other else {}),
            }
            for f in found
        ]
    }


def _rule(entry: Rule, about: Sequence[str] = ()) -> dict[str, Any]:
    language = language_of(request)
    return {
        "id": entry.id,
        "title": " · ".join(about),
        "text": entry.text.get(language) or entry.text["en"],
        "mark": words(language).say(f"ui.mark.{entry.mark}") if entry.mark else "",
        "source": entry.source,
    }
