"""Feeding as a pure function: the seed's examples, and what holds for any room (CA-38 to CA-45)."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.game.state import kind_of
from companion.rules.species.carnomorphs.feeding import MENU, NEXT, ORDER, Larder, Meal, feed

BOX = {"metagorger": 8, "shambler": 8, "fleshbeast": 3, "butcher": 1}
LOOSE = {"corpse_red": 4, "egg": 8, "carcass": 4, "corpse_blue": 1, "noise": 2, "fire": 1}


def pieces(kinds: dict[str, int]) -> list[str]:
    return [f"{kind}#{n}" for kind, most in kinds.items() for n in range(1, most + 1)]


@st.composite
def larders(draw: st.DrawFn) -> Larder:
    """Any room of one box: some miniatures there, some elsewhere, the rest to be had."""
    minis = draw(st.lists(st.sampled_from(pieces(BOX)), max_size=8, unique=True))
    away = draw(st.sets(st.sampled_from(pieces(BOX))))
    loose = draw(st.lists(st.sampled_from(pieces(LOOSE)), max_size=6, unique=True))
    pile = draw(st.lists(st.sampled_from(pieces({"egg": 8})), max_size=4, unique=True))
    return Larder(
        minis=minis,
        injuries=draw(st.dictionaries(st.sampled_from(pieces(BOX)), st.integers(1, 9))),
        objects=loose,
        pile=[egg for egg in pile if egg not in loose],
        spare={
            kind: [m for m in pieces({kind: most}) if m not in minis and m not in away]
            for kind, most in BOX.items()
        },
    )


def after(room: Larder, meals: list[Meal]) -> list[str]:
    """What stands and lies in the room (and in the pile) when all have eaten."""
    here = [*room.minis, *room.objects, *room.pile]
    for meal in meals:
        here.remove(meal.food)
        if meal.into:
            here[here.index(meal.eater)] = meal.into
    return here


@given(larders())
def test_each_feeds_once_and_nothing_is_eaten_twice_or_eats_itself(room: Larder) -> None:
    meals = feed(room)
    eaters = [m.eater for m in meals]
    eaten = [m.food for m in meals]
    assert len(set(eaters)) == len(eaters)
    assert len(set(eaten)) == len(eaten)
    assert set(eaters) <= set(room.minis)
    assert all(m.eater != m.food for m in meals)
    assert set(eaten) <= {*room.minis, *room.objects, *room.pile}
    for n, meal in enumerate(meals):
        assert meal.eater not in eaten[:n], "what was eaten cannot eat"


@given(larders())
def test_butcher_then_fleshbeast_then_shambler_then_metagorger(room: Larder) -> None:
    ranks = [ORDER.index(kind_of(m.eater)) for m in feed(room)]
    assert ranks == sorted(ranks)


@given(larders())
def test_the_best_food_that_is_left_is_eaten(room: Larder) -> None:
    here = [*room.minis, *room.objects, *room.pile]
    for meal in feed(room):
        left = [MENU.index(kind_of(p)) for p in here if kind_of(p) in MENU and p != meal.eater]
        assert MENU.index(kind_of(meal.food)) == min(left)
        here.remove(meal.food)
        here[here.index(meal.eater)] = meal.into or meal.eater


@given(larders())
def test_nobody_goes_hungry_while_there_is_food(room: Larder) -> None:
    meals = feed(room)
    left = after(room, meals)
    hungry = set(room.minis) - {m.eater for m in meals} - {m.food for m in meals}
    assert all(m in left for m in hungry)
    for mini in hungry:
        assert not [p for p in left if kind_of(p) in MENU and p != mini]


@given(larders())
def test_who_feeds_becomes_the_next_kind_exactly_when_a_miniature_can_be_had(room: Larder) -> None:
    free = {kind: list(minis) for kind, minis in room.spare.items()}
    for meal in feed(room):
        larger = NEXT.get(kind_of(meal.eater))
        to_be_had = free.get(larger or "", [])
        assert bool(meal.into) == bool(to_be_had)
        if meal.into:
            assert meal.into == to_be_had[0], "the miniature on its card comes first"
            free[larger or ""] = to_be_had[1:]
            free[kind_of(meal.eater)] = [*free[kind_of(meal.eater)], meal.eater]


@given(larders())
def test_one_piece_goes_for_each_meal_and_none_appears_from_nowhere(room: Larder) -> None:
    meals = feed(room)
    left = after(room, meals)
    assert len(left) == len([*room.minis, *room.objects, *room.pile]) - len(meals)
    assert max(Counter(left).values(), default=1) == 1
    came = set(left) - {*room.minis, *room.objects, *room.pile}
    freed = {m.eater for m in meals if m.into}
    assert came <= {m for minis in room.spare.values() for m in minis} | freed


@given(larders(), st.randoms(use_true_random=False))
def test_how_the_pieces_are_listed_changes_nothing(room: Larder, chance: object) -> None:
    def mixed(listed: object) -> list[str]:
        found = list(listed)  # type: ignore[call-overload]
        chance.shuffle(found)  # type: ignore[attr-defined]
        return found  # type: ignore[no-any-return]

    other = Larder(
        mixed(room.minis), room.injuries, mixed(room.objects), mixed(room.pile), room.spare
    )
    assert feed(other) == feed(room)


SPARE = {"shambler": ["shambler#1", "shambler#2"], "fleshbeast": ["fleshbeast#3"]}


@pytest.mark.parametrize(
    ("room", "left"),
    [
        (Larder(["metagorger#1", "metagorger#2"], spare=SPARE), ["shambler"]),
        (
            Larder(
                ["fleshbeast#1", "metagorger#1"],
                pile=[f"egg#{n}" for n in range(1, 7)],
                spare={**SPARE, "butcher": ["butcher#1"]},
            ),
            ["butcher", "shambler", *["egg"] * 4],
        ),
        (
            Larder(
                ["shambler#3", "metagorger#1"], objects=["carcass#1", "corpse_red#1"], spare=SPARE
            ),
            ["fleshbeast", "shambler"],
        ),
        (
            Larder(["shambler#3"], objects=["corpse_red#1", "egg#1", "corpse_blue#1"], spare=SPARE),
            ["corpse_blue", "egg", "fleshbeast"],
        ),
        (Larder(["shambler#3", "metagorger#1"], spare=SPARE), ["fleshbeast"]),
        (
            Larder(
                ["fleshbeast#1", "shambler#3"],
                objects=["carcass#1"],
                spare={**SPARE, "butcher": ["butcher#1"]},
            ),
            ["butcher", "shambler"],
        ),
        (Larder(["fleshbeast#1"], objects=["carcass#1"], spare=SPARE), ["fleshbeast"]),
        (Larder(["metagorger#1", "metagorger#2"]), ["metagorger"]),
        (
            Larder(["shambler#1", "shambler#2"], objects=["corpse_blue#1"], spare={}),
            ["shambler"] * 2,
        ),
        (Larder(["metagorger#1"], spare=SPARE), ["metagorger"]),
    ],
)
def test_rooms_of_the_rulebook(room: Larder, left: list[str]) -> None:
    assert sorted(kind_of(p) for p in after(room, feed(room))) == sorted(left)


def test_a_miniature_that_evolving_freed_serves_the_next() -> None:
    """The only Fleshbeast becomes the Butcher, so the Shambler can become a Fleshbeast."""
    room = Larder(
        ["fleshbeast#1", "shambler#1", "metagorger#1"],
        objects=["carcass#1", "carcass#2", "carcass#3"],
        spare={"butcher": ["butcher#1"]},
    )
    assert [m.into for m in feed(room)] == ["butcher#1", "fleshbeast#1", "shambler#1"]


def test_of_equals_the_most_injured_eats_and_the_least_injured_is_eaten() -> None:
    room = Larder(
        [f"metagorger#{n}" for n in (1, 2, 3)], {"metagorger#2": 3, "metagorger#3": 1}, spare=SPARE
    )
    assert feed(room) == [Meal("metagorger#2", "metagorger#1", "shambler#1")]
