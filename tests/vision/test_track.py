"""The tracker is pure: readings in, settled facts out."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.table.ports import Placement, Registration, Sighting
from vision.track import Glimpse, Tracker

BOARD = (800.0, 547.0)
GOOD, BAD = Registration(True, 8, 0.5), Registration(False, 1, None)
SPOTS = {"006": (0.42, 0.30), "007": (0.33, 0.49), "011": (0.49, 0.49), "014": (0.61, 0.39)}


def at(piece: str, room: str, shake: float = 0.0) -> Placement:
    x, y = SPOTS[room]
    return Placement(1, piece, piece.split("#")[0], room, None, (x + shake, y), 0.9)


class Table:
    """Feeds a tracker one reading every ``step`` seconds."""

    def __init__(self) -> None:
        self.tracker = Tracker(BOARD)
        self.now = 0.0
        self.last: Sighting | None = None

    def read(
        self,
        *pieces: Placement,
        empty: frozenset[str] = frozenset(),
        registration: Registration = GOOD,
        step: float = 0.3,
    ) -> dict[str, str | None]:
        self.now += step
        self.last = self.tracker.update(Glimpse(self.now, registration, pieces, empty))
        return {p.piece: p.room for p in self.last.pieces}


def test_a_place_is_settled_when_two_readings_agree() -> None:
    table = Table()
    assert table.read(at("scout", "006")) == {}
    assert table.tracker.pending
    assert table.read(at("scout", "006")) == {"scout": "006"}
    assert not table.tracker.pending


def test_one_odd_reading_changes_nothing() -> None:
    table = Table()
    for _ in range(2):
        table.read(at("scout", "006"))
    assert table.read(at("scout", "014")) == {"scout": "006"}
    assert table.read(at("scout", "006")) == {"scout": "006"}
    assert table.read(at("scout", "014")) == {"scout": "006"}
    assert table.read(at("scout", "014")) == {"scout": "014"}


def test_two_readings_at_one_instant_settle_nothing() -> None:
    table = Table()
    table.read(at("scout", "006"))
    assert table.read(at("scout", "006"), step=0.01) == {}


def test_a_covered_piece_stays_for_ever() -> None:
    table = Table()
    for _ in range(2):
        table.read(at("scout", "006"), at("adult#1", "007"))
    for _ in range(400):
        rooms = table.read(at("adult#1", "007"))
    assert rooms == {"scout": "006", "adult#1": "007"}
    assert table.last is not None
    assert table.last.gone == ()


def test_a_piece_leaves_when_its_place_was_seen_empty_long_enough() -> None:
    table = Table()
    for _ in range(2):
        table.read(at("scout", "006"))
    bare = frozenset({"scout"})
    for _ in range(4):
        assert table.read(empty=bare) == {"scout": "006"}
    table.read()  # a hand over it: the count starts again
    for _ in range(8):
        assert table.read(empty=bare) == {"scout": "006"}
    while table.read(empty=bare):
        assert table.now < 10
    assert table.last is not None
    assert table.last.gone == ("scout",)
    for _ in range(2):
        rooms = table.read(at("scout", "014"))
    assert rooms == {"scout": "014"}
    assert table.last.gone == (), "a piece that is back is not gone"


def test_a_lamp_switched_off_or_a_nudge_changes_nothing() -> None:
    table = Table()
    for _ in range(2):
        table.read(at("scout", "006"))
    for _ in range(50):
        rooms = table.read(at("scout", "014"), empty=frozenset({"scout"}), registration=BAD)
    assert rooms == {"scout": "006"}
    assert table.last is not None
    assert not table.last.registration.ok


def test_two_pieces_with_one_number_are_noticed_and_the_older_place_kept() -> None:
    table = Table()
    for _ in range(2):
        table.read(at("scout", "006"))
    for _ in range(3):
        rooms = table.read(at("scout", "006"), at("scout", "014"))
    assert rooms == {"scout": "006"}
    assert table.last is not None
    assert table.last.duplicates == ("scout",)
    assert [p.room for p in table.last.twice] == ["006", "014"]
    table.read(at("scout", "006"))
    assert table.last.duplicates == table.last.twice == ()


def test_shaking_readings_do_not_change_the_room() -> None:
    table = Table()
    for _ in range(2):
        table.read(at("scout", "006"))
    for shake in (0.004, -0.006, 0.008):
        near = at("scout", "006", shake)
        wrong = Placement(1, "scout", "scout", None, "005-006", near.xy, 0.5)
        assert table.read(wrong) == {"scout": "006"}


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 10**6), pieces=st.integers(1, 5))
def test_random_evenings(seed: int, pieces: int) -> None:
    """Moves, hands, misses and false readings in any order: nothing vanishes, no ghost moves,
    and every real move is reported exactly once."""
    rng = random.Random(seed)
    table = Table()
    names = [f"adult#{n + 1}" for n in range(pieces)]
    truth = {name: rng.choice(list(SPOTS)) for name in names}
    moves: dict[str, list[str]] = {name: [truth[name]] for name in names}
    told: dict[str, list[str]] = {name: [] for name in names}

    def look(seen: list[Placement]) -> None:
        for piece, room in table.read(*seen).items():
            assert room is not None
            if not told[piece] or told[piece][-1] != room:
                told[piece].append(room)

    for _ in range(3):
        look([at(n, truth[n]) for n in names])
    for _ in range(25):
        happening = rng.random()
        if happening < 0.3:
            name = rng.choice(names)
            new = rng.choice([r for r in SPOTS if r != truth[name]])
            truth[name] = new
            moves[name].append(new)
        elif happening < 0.5:  # a hand: some or all are covered for a while
            for _ in range(rng.randrange(1, 6)):
                covered = {n for n in names if rng.random() < 0.6}
                # A covered piece may be read by nobody; none is seen in a wrong place.
                shown = [at(n, truth[n]) for n in names if n not in covered]
                look(shown)
        elif happening < 0.7:  # one false reading
            name = rng.choice(names)
            others = [at(n, truth[n]) for n in names if n != name]
            look([*others, at(name, rng.choice(list(SPOTS)))])
        for _ in range(3):  # settle
            look([at(n, truth[n]) for n in names])
    settled = {piece: place.room for piece, place in table.tracker.settled.items()}
    assert settled == truth
    assert told == moves


def test_tokens_that_are_alike_are_followed_one_by_one() -> None:
    table = Table()
    table.tracker = Tracker(BOARD, unique=lambda piece: piece != "fire")
    fires = [at("fire", room) for room in ("006", "007", "014")]
    for _ in range(2):
        table.read(*fires)

    def burning() -> list[str | None]:
        assert table.last is not None
        assert table.last.duplicates == ()
        return sorted(p.room for p in table.last.pieces if p.room)

    assert burning() == ["006", "007", "014"]
    (out,) = [k for k, p in table.tracker.settled.items() if p.room == "007"]
    table.read(fires[0], fires[2])  # a hand covers one
    assert burning() == ["006", "007", "014"]
    for _ in range(12):
        table.read(fires[0], fires[2], empty=frozenset({out}))
    assert burning() == ["006", "014"]
    assert table.last is not None
    assert table.last.gone == ()
    for _ in range(2):
        table.read(*fires)
    assert burning() == ["006", "007", "014"]
