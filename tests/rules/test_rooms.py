"""Room actions: what a page says can be done is what the rules allow, and hidden things decide
nothing that anybody could notice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.game import BadInput, Chance, Refused
from companion.library import load_content
from companion.rules.rooms import ACTIONS
from companion.scenario.given import apply_given
from companion.table import views
from companion.table.journal import MemoryJournal
from companion.table.table import Table

CONTENT = load_content()
PEOPLE = ["captain", "scout"]
SPECIAL = {r.fixed: n for n, r in CONTENT.boards["nemesis/basic"].rooms.items() if r.fixed}
PAIRS = [(tile, name) for tile, actions in sorted(ACTIONS.items()) for name in actions]
WEAKNESSES = sorted(CONTENT.species["intruders"].weaknesses)
FACES = CONTENT.games["nemesis"].coordinates

#: What everybody at the table may know.
PUBLIC = st.fixed_dictionaries(
    {
        "malfunction": st.booleans(),
        "fire": st.booleans(),
        "time": st.integers(1, 15),
        "self_destruct": st.sampled_from([False, 2, 5]),
        "asleep": st.booleans(),
        "eggs": st.integers(0, 2),
        "locked": st.booleans(),
        "objects": st.lists(st.sampled_from(["egg", "carcass", "corpse_red"]), max_size=2),
        "intruder": st.booleans(),
    }
)
#: What lies face down.
HIDDEN = st.fixed_dictionaries(
    {
        "engines": st.fixed_dictionaries(
            {n: st.sampled_from(["working", "damaged"]) for n in ("1", "2", "3")}
        ),
        "coordinates": st.sampled_from(FACES).map(list),
        "hidden_weaknesses": st.permutations(WEAKNESSES).map(
            lambda w: dict(zip(("corpse", "egg", "carcass"), w, strict=False))
        ),
        "tile": st.sampled_from(["storage", "surgery"]),
        "token": st.sampled_from(["fire/1", "danger/2", "malfunction/4"]),
    }
)


def place(tile: str) -> str:
    """Where a tile lies in these games."""
    return SPECIAL.get(tile) or ("003" if CONTENT.tiles[tile].kind == "1" else "006")


def begin(tile: str, public: Mapping[str, Any], hidden: Mapping[str, Any]) -> Table:
    """The captain stands on a tile; the scout too, or asleep."""
    room = place(tile)
    table = Table(CONTENT, MemoryJournal({}), Chance(bytes(32)))
    table.command({"do": "setup", "players": PEOPLE, "preset": "everything", "digital": True})
    here = {"fire": public["fire"], "objects": public["objects"], "tile": tile}
    if CONTENT.tiles[tile].malfunction:
        here["malfunction"] = public["malfunction"]
    if public["intruder"]:
        here["intruders"] = ["adult"]
    given = {
        "tracks": {"time": public["time"], "self_destruct": public["self_destruct"]},
        "eggs": public["eggs"],
        "pods": {"pod_1": "a", "pod_2": "b", "pod_3": False, "pod_4": False},
        "locked": ["pod_1", "pod_2"] if public["locked"] else [],
        "rooms": {
            room: here,
            "010": {"explored": False, "tile": hidden["tile"], "token": hidden["token"]},
        },
        "characters": {
            "captain": {"room": room},
            "scout": {"state": "hibernated"} if public["asleep"] else {"room": room},
        },
        **{k: hidden[k] for k in ("engines", "coordinates", "hidden_weaknesses")},
    }
    apply_given(table.state, given, CONTENT, "rooms")
    return table


def use(table: Table, action: str, **more: Any) -> str | None:
    """Use the room; the code of a refusal."""
    command = {"do": "room_action", "seat": 1, "action": action, "by": "scenario", **more}
    try:
        table.command(command)
    except (Refused, BadInput) as problem:
        return problem.code
    return None


def told(table: Table) -> list[Any]:
    """The lines of the public log."""
    return list(views.view(table, "table")["log"])


@pytest.mark.parametrize(("tile", "action"), PAIRS)
@settings(max_examples=6, deadline=None)
@given(public=PUBLIC, hidden=HIDDEN)
def test_what_is_offered_is_what_the_rules_allow(
    tile: str, action: str, public: dict[str, Any], hidden: dict[str, Any]
) -> None:
    table = begin(tile, public, hidden)
    seen = views.view(table, "table")
    offered = next(a for a in seen["rooms"][place(tile)]["actions"] if a["action"] == action)
    refused = use(table, action)
    if seen["seats"][0]["in_combat"]:
        assert refused == "room.in_combat"
    elif offered["refused"]:
        assert refused == offered["refused"]["code"]
    else:
        assert refused is None


@pytest.mark.parametrize(("tile", "action"), PAIRS)
@settings(max_examples=4, deadline=None)
@given(public=PUBLIC, one=HIDDEN, other=HIDDEN, data=st.data())
def test_hidden_things_show_in_no_refusal_and_no_public_line(
    tile: str,
    action: str,
    public: dict[str, Any],
    one: dict[str, Any],
    other: dict[str, Any],
    data: st.DataObject,
) -> None:
    tables = [begin(tile, public, hidden) for hidden in (one, other)]
    offered = [views.view(t, "table")["rooms"] for t in tables]
    assert offered[0] == offered[1]
    action_now = next(a for a in offered[0][place(tile)]["actions"] if a["action"] == action)
    target = data.draw(st.sampled_from([None, *action_now["targets"]]))
    more = {"target": target} if target else {}
    assert use(tables[0], action, **more) == use(tables[1], action, **more)
    if action == "study":  # the card it turns is seen by all from then on
        return
    assert told(tables[0]) == told(tables[1])
    for audience in ("table", "host", "seat:2"):
        views_of = [views.view(t, audience) for t in tables]
        for view in views_of:
            view.get("me", {}).get("secrets", {}).pop("objectives", None)
        assert views_of[0] == views_of[1], audience


def test_every_room_tile_has_an_action_or_is_passive() -> None:
    passive = {"cabins", "room_covered_with_slime"}
    assert set(CONTENT.tiles) == set(ACTIONS) | passive


def test_the_plans_show_no_token() -> None:
    table = begin("cabins", _calm(), {**_dealt(), "tile": "storage", "token": "fire/1"})
    table.command({"do": "peek", "seat": 1, "room": "010", "token": False})
    (seen,) = views.view(table, "seat:1")["me"]["secrets"]["seen"]
    assert seen["tile"] == "storage"
    assert "exploration" not in seen
    assert table.state.hidden["010"]["exploration"] == "fire/1"


def _calm() -> dict[str, Any]:
    return {
        **dict.fromkeys(("malfunction", "fire", "self_destruct", "asleep", "locked"), False),
        "time": 9,
        "eggs": 2,
        "objects": [],
        "intruder": False,
    }


def _dealt() -> dict[str, Any]:
    slots = dict(zip(("corpse", "egg", "carcass"), WEAKNESSES, strict=False))
    return {"engines": {}, "coordinates": list(FACES[0]), "hidden_weaknesses": slots}


@pytest.mark.parametrize(("token", "shown"), [(True, 1), (False, 0)])
def test_a_look_at_a_tile_of_cardboard_shows_no_empty_page(token: bool, shown: int) -> None:
    table = Table(CONTENT, MemoryJournal({"game": "g"}), Chance(b"a look at cardboard"))
    table.command(
        {"do": "setup", "players": PEOPLE, "digital": True, "truth": {"tiles": "physical"}}
    )
    table.command({"do": "peek", "seat": 2, "room": "014"})  # its token is digital: known now
    table.command({"do": "peek", "seat": 1, "room": "014", "token": token})
    secrets = views.view(table, "seat:1")["me"]["secrets"]["seen"]
    assert len(secrets) == shown
    assert all(set(entry) - {"kind", "room", "round"} for entry in secrets)
    log = views.view(table, "table")["log"]
    assert sum(line["type"] == "looks_at_room" for line in log) == 2, "all see who looks"
