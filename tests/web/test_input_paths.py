"""What a table has to say, by its shortest way on a phone; docs/input-paths.md keeps the counts."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.web.test_fight import enemy
from tests.web.test_phones import Room, browser, room  # noqa: F401  fixtures
from tests.web.test_rooms import Make, Taps, needs_browser

PAGE = Path(__file__).parents[2] / "docs" / "input-paths.md"
PLAYERS = ["captain", "scientist", "pilot", "scout"]
WAIT_MS = 400
NEWEST = 4  # lines of the log that one act may add

Way = Callable[["Hand"], None]
WAYS: dict[str, Way] = {}


def way(row: str) -> Callable[[Way], Way]:
    """Register the shortest way of a row of the page."""

    def keep(how: Way) -> Way:
        WAYS[row] = how
        return how

    return keep


class Hand:
    """A finger on the phones of a table; what is prepared is not counted."""

    def __init__(self, table: Room) -> None:
        self.table = table
        self.phones = {seat: table.seat(seat) for seat in (1, 2, 4)}
        self.count = 0

    def told(self, do: str, **what: Any) -> None:
        reply = self.table.session.submit({"do": do, **what})
        assert reply["status"] == "done", reply

    @property
    def view(self) -> Any:
        return self.table.session.view("table")[1]

    def tap(self, selector: str, text: str = "", seat: int = 1, *, hold: bool = False) -> None:
        page = self.phones[seat]
        taps = Taps(page)
        if hold:
            # out from under what lies over the lower edge, as a thumb would
            page.locator(selector).first.evaluate("e => e.scrollIntoView({block: 'start'})")
            box = page.locator(selector).first.bounding_box()
            x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
            page.mouse.move(x, y)
            page.mouse.down()
            page.wait_for_selector("#sheet[open]")
            page.mouse.up()
            taps.count = 1
        else:
            taps.on(selector, text)
        self.count += taps.count

    def sheet(self, opener: str, button: str, text: str = "", seat: int = 1, **more: bool) -> None:
        self.tap(opener, seat=seat, **more)
        self.tap(f"#sheet[open] {button}", text, seat=seat)

    def until(self, true: Callable[[], Any], line: str = "") -> None:
        """Until it holds; and somebody else's phone has `line` among the newest of its log."""
        page = self.phones[4]
        for _ in range(300):
            if true():
                break
            page.wait_for_timeout(100)
        else:
            raise AssertionError("it never came true")
        if line:
            page.locator(f"#log li:nth-child(-n+{NEWEST})", has_text=line).first.wait_for(
                state="attached"
            )


def chip(seat: int) -> str:
    return f".chip[data-seat='{seat}'] .more"


@way("3")
def picks_up(hand: Hand) -> None:
    hand.told("place", piece="carcass", to="011")
    hand.sheet("#room-011 .floor", "[data-do=pick_up]", "Carcass")
    hand.until(lambda: hand.view["seats"][0]["objects"], "Captain · picks up: Intruder Carcass")


@way("4")
def puts_down(hand: Hand) -> None:
    hand.sheet(chip(1), "[data-do=put_down]")
    hand.until(
        lambda: "carcass" in hand.view["rooms"]["011"]["objects"],
        "Captain · puts down: Intruder Carcass",
    )


@way("6")
def slime_comes_off(hand: Hand) -> None:
    hand.told("slime", seat=1, on=True)
    hand.tap("#actions [data-do=slime]")
    hand.until(lambda: not hand.view["seats"][0]["slime"], "Captain · Slime removed")


@way("7")
def larva_comes_off(hand: Hand) -> None:
    hand.told("larva", seat=1, on=True)
    hand.tap("#actions [data-do=larva]")
    hand.until(lambda: not hand.view["seats"][0]["larva"], "Captain · the Larva is gone")


@way("11")
def die_is_rolled_again(hand: Hand) -> None:
    hand.told("place", piece="scout", to="017")
    hand.told("noise_roll", seat=4)
    hand.tap("#asks .offer[data-offer=motion_scanner] button.option", seat=4)
    hand.until(lambda: not hand.view["offers"], "Scout · Motion Scanner")


@way("13")
def looks_at_the_event_deck(hand: Hand) -> None:
    hand.told("reveal", room="006", tile="monitoring_room", token="slime/2")
    hand.told("place", piece="scientist", to="006")
    hand.sheet("#actions [data-do=cards]", "[data-card=risk_assessment]", seat=2)
    hand.tap("#secret .second", seat=2)
    top = hand.table.session.view("seat:2")[1]["me"]["secrets"]["seen"][0]["card"]
    card = hand.table.session.content.events[top]
    hand.phones[2].wait_for_selector("#secret .seen strong")
    read = hand.phones[2].inner_text("#secret .cover .seen")
    assert card.names.get("en") in read
    assert f"Corridor {card.corridors[0]}: " in read
    assert card.names.get("en") not in hand.phones[1].inner_text("#secret")
    hand.tap("#asks .ask [data-value=bottom]", seat=2)
    hand.until(lambda: not hand.view["prompts"], "Scientist · puts the Event card at the bottom")


@way("15")
def orders_somebody(hand: Hand) -> None:
    hand.told("place", piece="scientist", to="011")
    hand.sheet("#actions [data-do=cards]", "[data-card=order]")
    hand.until(lambda: hand.view["prompts"])
    hand.tap("#asks .ask .person", "Scientist")
    hand.until(lambda: [p["kind"] for p in hand.view["prompts"]] == ["place"])
    hand.tap("#room-008 .floor")
    hand.until(lambda: hand.view["seats"][1]["room"] == "008")


@way("16")
def looks_in_from_outside(hand: Hand) -> None:
    hand.sheet("#room-014 .floor", "[data-do=reveal]", hold=True)
    hand.until(lambda: hand.view["rooms"]["014"]["explored"], "014 Shower Room · explored")


@way("17")
def goes_by_the_technical_corridor(hand: Hand) -> None:
    hand.told("place", piece="captain", to="014")
    hand.sheet("#room-021 .floor", "[data-do=move]")
    hand.until(lambda: hand.view["seats"][0]["room"] == "021", "021 Engine 1 · Technical Corridors")


@way("18")
def closes_a_door(hand: Hand) -> None:
    hand.sheet("#corridor-006-011", "[data-do=door]", "closed")
    hand.until(
        lambda: hand.view["corridors"]["006-011"]["door"] == "closed", "006–011 · Door closed"
    )


@way("19")
def puts_out_a_fire(hand: Hand) -> None:
    hand.told("place", piece="fire", to="021")
    hand.sheet("#room-021 .floor", "[data-do=remove]", "Fire")
    hand.until(lambda: not hand.view["rooms"]["021"]["fire"], "Fire · 021 Engine 1 · taken away")


@way("20")
def takes_noise_away(hand: Hand) -> None:
    if not hand.view["corridors"]["001-002"]["noise"]:
        hand.told("place", piece="noise", to="001-002")
    hand.sheet("#corridor-001-002", "[data-do=remove]")
    hand.until(
        lambda: not hand.view["corridors"]["001-002"]["noise"], "Noise · 001–002 · taken away"
    )


@way("23")
def drags_an_intruder_along(hand: Hand) -> None:
    enemy(hand.table, "002", "adult")
    hand.sheet("#room-003 .floor", "[data-do=place]", "Adult · 002")
    hand.until(lambda: hand.view["rooms"]["003"]["intruders"], "Adult → 003 · by hand")


@way("22")
def makes_it_retreat(hand: Hand) -> None:
    hand.sheet("#room-003 .floor", "[data-do=retreat]")
    hand.until(lambda: not hand.view["rooms"]["003"]["intruders"], "Adult · 003 → ")


@way("21")
def throws_a_grenade(hand: Hand) -> None:
    hand.told("place", piece="creeper", to="016")
    hand.told("place", piece="larva", to="018")
    hand.sheet("#actions [data-do=cards]", "[data-card=grenade]")
    hand.until(lambda: hand.view["prompts"])
    hand.tap("#room-018 .floor")
    hand.until(lambda: not hand.view["rooms"]["018"]["intruders"], "Larva · 018 · killed")


@way("26")
def passes_the_token_on(hand: Hand) -> None:
    hand.told("first_player", seat=1)
    hand.sheet(chip(1), "[data-do=first_player]")
    hand.until(lambda: hand.view["first_player"] == 1, "First Player: Captain")


@way("28")
def unlocks_a_pod(hand: Hand) -> None:
    pod = hand.view["pods"][0]
    hand.sheet(f".pod[data-id={pod['id']}]", "[data-do=pod]", "unlocked")
    hand.until(lambda: hand.view["pods"][0]["locked"] is not pod["locked"], "Pod 2 · unlocked")


@way("30")
def sets_the_course(hand: Hand) -> None:
    hand.told("place", piece="captain", to="001")
    was = hand.view["destination"]
    hand.sheet("#room-001 .floor", ".room-action", "Set the course: C")
    hand.until(lambda: hand.view["destination"] == "C" != was, "Captain · Destination: C")


@way("31")
def a_signal_was_sent(hand: Hand) -> None:
    hand.sheet(chip(1), "[data-do=signal]")
    hand.until(lambda: hand.view["seats"][0]["signal"], "Captain · Signal sent")


@way("33")
def an_egg_is_gone(hand: Hand) -> None:
    hand.told("reveal", room="002", tile="nest", token="malfunction/1")
    eggs = hand.view["eggs"]
    hand.sheet("#room-002 .floor", "[data-do=remove]", "One Egg less", hold=True)
    hand.until(lambda: hand.view["eggs"] == eggs - 1, "Egg · 002 Nest · taken away")


@way("27")
def somebody_sleeps(hand: Hand) -> None:
    hand.sheet(chip(1), "[data-do=state]", "in hibernation")
    hand.until(lambda: hand.view["seats"][0]["state"] == "hibernated", "Captain · hibernates")


@way("54")
def a_token_is_found(hand: Hand) -> None:
    bag = hand.view["bag"]["count"]
    hand.sheet("#actions [data-do=more]", "[data-do=bag]", "+ Larva")
    hand.until(lambda: hand.view["bag"]["count"] == bag + 1, "+ Larva → Intruder bag")


@way("25")
def the_event_phase_begins(hand: Hand) -> None:
    hand.tap("#actions [data-do=event_phase]")
    hand.until(lambda: hand.view["phase"] == "event", "Time: 14")


def written() -> dict[str, str]:
    """The counts of the page, by row."""
    rows = re.findall(r"^\| (\d+) \|[^|]*\|[^|]*\| ([^|]*?) \|", PAGE.read_text(), re.MULTILINE)
    return dict(rows)


@pytest.mark.browser
@needs_browser
def test_every_way_takes_the_taps_that_the_page_says(room: Make) -> None:  # noqa: F811
    hand = Hand(room(players=PLAYERS, digital=True))
    counted = {}
    for row, how in WAYS.items():
        hand.count = 0
        how(hand)
        for phone in hand.phones.values():
            phone.wait_for_timeout(WAIT_MS)
        counted[row] = str(hand.count)
    told = {row: taps for row, taps in written().items() if row in counted or taps.isdigit()}
    elsewhere = {row: told.pop(row) for row in ("10", "12", "14", "29", "50", "51")}
    assert counted == told
    assert len(elsewhere) == 6, "counted in other tests, or by a person"
