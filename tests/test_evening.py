"""An evening as a newcomer sees it, in one go and by clicks only: phones join by the codes on the
screen, a game is set up, somebody moves and is heard, an intruder comes, an event moves another,
hands and a person move the pieces, the camera sees it, the lights follow; nobody learns a secret.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

playwright = pytest.importorskip("playwright.sync_api")
pytest.importorskip("cv2", reason="the simulated camera needs the vision extra")

from companion.bench.taps import drag  # noqa: E402
from tests.evening import CHROMIUM, NEAREST, PHONE, Evening, Wire, free_port, until  # noqa: E402
from tests.running import running  # noqa: E402
from web import create_app  # noqa: E402

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed"),
]

SCREEN_LANGUAGE = "it"
LANGUAGES = {1: "en", 2: "it", 3: "fr"}
LATE = 4
BLANKS = 12  # far more than come in a row
# Every event card moves Adults or Breeders. These rooms have a corridor of each number and no
# technical one, so whichever card comes moves one of the two from room to room.
MOST_PHASES = 4
FAR = {"adult": "017", "breeder": "021"}


@pytest.fixture
def evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Evening]:
    wire = Wire()
    monkeypatch.setattr("companion.app.create_app", lambda *given: wire.tap(create_app(*given)))
    with (
        running(tmp_path / "data", port=free_port()) as app,
        playwright.sync_playwright() as started,
    ):
        browser = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            yield Evening(app, wire, browser, tmp_path / "looks")
        finally:
            browser.close()


def test_an_evening_from_joining_to_a_dragged_piece(evening: Evening) -> None:
    screen = evening.open("/", "screen", SCREEN_LANGUAGE)
    for seat, language in LANGUAGES.items():
        evening.join(seat, screen, language)
    five_choices(evening, screen)
    somebody_comes_late(evening)
    becomes_host(evening)
    no_secret_has_left(evening)

    moves_and_is_heard(evening)
    sim = evening.open("/sim", "sim", "en")
    meets_an_intruder(evening, screen, sim)
    an_event_moves_a_piece(evening, screen, sim)
    a_person_moves_a_piece(evening, screen, sim)

    no_secret_has_left(evening)
    assert evening.complaints == []


def five_choices(evening: Evening, screen: Any) -> None:
    """All five are changed, the aliens there and back; the game then is what was chosen."""
    assert screen.locator("#setup fieldset").count() == 5
    chosen = {"count": evening.choose(screen, "count", str(LATE))}
    for name in ("board", "species", "preset", "dice"):
        chosen[name] = evening.choose(screen, name, "everything" if name == "preset" else "")
    chosen["species"] = evening.choose(screen, "species", "intruders")  # whose evening this is
    last = screen.locator("#setup select[data-seat='1'] option").last.get_attribute("value")
    screen.select_option("#setup select[data-seat='1']", last)
    evening.look(screen, "setup")
    screen.click("#setup button.main")
    screen.wait_for_selector("body[data-link=live] #head .round")
    for seat, phone in evening.phones.items():
        phone.wait_for_selector(f"body[data-link=live] .chip.acting[data-seat='{seat}']")
    game = evening.view
    assert chosen == {
        "count": str(len(game["seats"])),
        "board": game["game"]["board"],
        "species": game["game"]["species"],
        "preset": game["preset"],
        "dice": game["truth"]["dice"],
    }
    assert game["game"]["board"] == "nemesis/advanced"
    assert game["truth"]["dice"] == "physical"
    assert game["seats"][0]["character"] == last


def somebody_comes_late(evening: Evening) -> None:
    """The fourth finds the seat on the own phone while the game runs."""
    phone = evening.phones[LATE] = evening.open("/", f"phone {LATE}", "it", PHONE)
    phone.click(f".chair[data-seat='{LATE}'] [data-claim]")
    phone.wait_for_selector(f"body[data-link=live] .chip.acting[data-seat='{LATE}']")


def becomes_host(evening: Evening) -> None:
    """Another browser becomes the host by the code that the program prints."""
    host = evening.open("/host", "host", "fr")
    host.fill("#digits", evening.host_code)
    host.click("#key button")
    host.wait_for_selector("body[data-link=live][data-audience=host]")


def no_secret_has_left(evening: Evening) -> None:
    """Nobody was ever sent the name or id of an objective but the seat that was dealt it."""
    every = evening.words(evening.content.objectives)
    board = [evening.view["game"]["board"]]
    own = {f"phone {seat}": (seat, evening.words(evening.dealt(seat))) for seat in evening.phones}
    for name in evening.wire.browsers():
        _, mine = own.get(name, (0, set()))
        assert evening.wire.found(name, every - mine) == set(), f"secrets went to {name}"
    # That would have been seen: what everybody reads, and each owner's own, is seen.
    for name, (seat, _) in own.items():
        assert len(evening.dealt(seat)) == 2
        for objective in evening.dealt(seat):
            assert evening.wire.found(name, evening.words([objective]), f"/stream/seat:{seat}")
        assert evening.wire.found(name, board, f"/stream/seat:{seat}")
    for name, path in (("screen", "/stream/table"), ("host", "/stream/host")):
        assert evening.wire.found(name, board, path), f"{path} was not heard"


def moves_and_is_heard(evening: Evening) -> None:
    """A tap moves; the die lies on the table, its face is tapped, noise lies in the corridor."""
    phone = evening.phones[1]
    for _ in range(6):  # two tokens bring silence, two bring danger, at most
        reach = phone.locator(".room.reach")
        fresh = phone.locator(".room.reach:not(.explored)")
        room = (fresh if fresh.count() else reach).first
        number = room.get_attribute("data-id")
        room.locator(".floor").tap()
        heard = rolls_noise(evening, phone, number)
        phone.wait_for_selector(f".room.here[data-id='{number}']")
        assert evening.view["seats"][0]["room"] == number
        assert evening.view["rooms"][number]["explored"]
        if not heard and quiet_corridors(evening, number):  # silence, or danger
            evening.press(phone, "noise_roll")
            heard = rolls_noise(evening, phone, number)
        if heard:
            phone.wait_for_selector(f"#corridor-{heard}.noisy")
            assert evening.view["corridors"][heard]["noise"]
            return
    raise AssertionError("nobody was heard")


def quiet_corridors(evening: Evening, room: str) -> dict[str, str]:
    """The corridors of a room without noise, by the faces of the die that would bring it."""
    board = evening.content.boards[evening.view["game"]["board"]]
    noisy = {c for c, held in evening.view["corridors"].items() if held["noise"]}
    return {
        str(n): c
        for c, held in board.corridors.items()
        for n in held.numbers
        if room in held.rooms and c not in noisy
    }


def rolls_noise(evening: Evening, phone: Any, room: str) -> str:
    """Taps through what a move asks; returns the corridor of the face, empty without a roll."""
    heard = ""
    until(lambda: evening.view["prompts"] or evening.view["seats"][0]["room"] == room)
    while asked := evening.view["prompts"]:
        [one] = asked
        evening.look(phone, f"asks-{one['kind']}")
        if one["kind"] == "roll":
            face, heard = next(iter(quiet_corridors(evening, room).items()))
            evening.reply(phone, one, face)
        elif one["kind"] == "place":
            phone.locator(f"#corridor-{one['options'][0]['id']}.choose").tap()
            phone.wait_for_selector(f".ask[data-prompt='{one['id']}']", state="detached")
        else:
            evening.reply(phone, one)
    return heard


def meets_an_intruder(evening: Evening, screen: Any, sim: Any) -> None:
    """Encounters until the bag sends one; its piece is asked for, put down, seen, and lit."""
    phone = evening.phones[2]
    room = evening.view["seats"][1]["room"]
    screen.click("#lights summary")
    dark = evening.glow(screen)
    for _ in range(BLANKS):
        evening.press(phone, "encounter")
        if evening.view["waiting"]:
            break
        evening.answer(phone)
    else:
        raise AssertionError("the bag is full of blanks")
    objectives_are_kept(evening)
    evening.answer(phone)
    [intruder] = evening.view["rooms"][room]["intruders"]
    [(origin, _)] = evening.told(screen, intruder["type"])
    the_table_follows(evening, screen, sim, intruder["id"], origin, dark)


def objectives_are_kept(evening: Evening) -> None:
    """The first Intruder makes everybody keep one objective, each on the own phone."""
    for seat, phone in evening.phones.items():
        phone.wait_for_selector("#secret .ask")
        assert evening.waits(seat)
        assert len(evening.dealt(seat)) == 2
    assert not any(prompt["secret"] for prompt in evening.view["prompts"])
    no_secret_has_left(evening)
    evening.look(evening.phones[3], "objectives")
    evening.keep_objectives()
    for seat in evening.phones:
        me = evening.session.view(f"seat:{seat}")[1]["me"]
        assert me["secrets"]["kept"] in evening.dealt(seat)


def an_event_moves_a_piece(evening: Evening, screen: Any, sim: Any) -> None:
    """Event phases run whole until a card moves an Intruder from room to room.

    Nearly every card moves Adults or Breeders, but a door or a technical entrance may be in the
    way of both: then the next phase tries again.
    """
    somebody = {p["room"] for p in evening.view["seats"] if p["state"] == "aboard"}
    met = any(held["intruders"] for r, held in evening.view["rooms"].items() if r in somebody)
    assert met, "who met an Intruder is attacked by it"
    assert any(an_event_phase(evening, screen, sim) for _ in range(MOST_PHASES))
    assert "event" in evening.steps
    assert "attacks_begin" in {line["type"] for line in evening.view["log"]}


def an_event_phase(evening: Evening, screen: Any, sim: Any) -> bool:
    """One event phase with an Adult and a Breeder far from everybody.

    Whether one of them moved into a room where neither an Intruder nor fire was: only there the
    light has to become another.
    """
    placed: dict[str, str] = {}
    for kind, room in FAR.items():
        there = evening.view["rooms"][room]["intruders"]
        placed[there[0]["id"] if there else evening.place(screen, kind, room)] = room
    until(lambda: {piece: sim.evaluate(NEAREST, piece) for piece in placed} == placed)
    until(lambda: not {i["piece"] for i in evening.view["instructions"]} & set(placed))
    dark = evening.glow(screen)
    clear = {
        room
        for room, held in evening.view["rooms"].items()
        if not held["intruders"] and not held["fire"]
    }
    before = evening.view["round"]
    evening.event_phase(screen)
    evening.look(screen, "after-the-event")
    assert (evening.view["round"], evening.view["phase"]) == (before + 1, "player")
    moved = [p for p, room in placed.items() if evening.room_of(p) not in (room, None)]
    lit = {room: colour for room, colour in dark.items() if room in clear}
    for piece in moved:
        the_table_follows(evening, screen, sim, piece, placed[piece], lit)
    return any(evening.room_of(piece) in clear for piece in moved)


def the_table_follows(
    evening: Evening, screen: Any, sim: Any, piece: str, start: str, dark: dict[str, str]
) -> None:
    """The screen said which piece goes where in its language; hands move it, the camera closes
    the instruction, nobody presses a button for that, and the light of the room is another than
    in ``dark``, where the room is in there.
    """
    room = evening.room_of(piece)
    assert room
    ways = dict(evening.told(screen, piece.split("#")[0]))
    at = start
    while at in ways:  # an effect may send it further than the card's corridor
        at = ways.pop(at)
    assert at == room, (start, room, screen.evaluate("() => window.told"))
    until(lambda: sim.evaluate(NEAREST, piece) == room)
    until(lambda: piece not in {i["piece"] for i in evening.view["instructions"]})
    assert not {"tick", "take", "close_step"} & set(evening.done)
    assert evening.view["differences"] == []
    if room in dark:
        until(lambda: evening.glow(screen)[room] != dark[room])
    evening.look(screen, f"{piece}-{room}")
    evening.look(sim, f"sim-{piece}-{room}")


def a_person_moves_a_piece(evening: Evening, screen: Any, sim: Any) -> None:
    """Drag a character on the simulated table; the screen asks, a person takes it."""
    person = next(p for p in evening.view["seats"] if p["state"] == "aboard")
    piece, seat = person["character"], person["seat"]
    stood = {p["room"] for p in evening.view["seats"]}
    target = next(
        r for r, held in evening.view["rooms"].items() if r not in stood and not held["intruders"]
    )
    until(lambda: sim.evaluate(NEAREST, piece) == person["room"])
    drag(sim, piece, target)
    screen.wait_for_selector("#seen button")
    [found] = evening.view["differences"]
    assert (found["piece"], found["from"], found["to"]) == (piece, person["room"], target)
    name = evening.content.characters[piece].names.get(SCREEN_LANGUAGE)
    said = screen.inner_text("#seen")
    assert name in said
    assert target in said
    assert person["room"] in said
    assert evening.view["seats"][seat - 1]["room"] == person["room"], "the camera only proposes"
    evening.look(screen, "the-camera-asks")
    evening.look(sim, "dragged")
    screen.click("#seen [data-keep^='t']")
    screen.wait_for_selector(f".chip[data-seat='{seat}']:has-text('{target}')")
    assert evening.view["seats"][seat - 1]["room"] == target
    assert evening.done[-1] == "take"
    screen.wait_for_selector("#seen button", state="detached")
