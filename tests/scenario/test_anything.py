"""Whatever a file holds: BadInput from reading it, or a result; never anything else."""

from __future__ import annotations

import contextlib
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.game import BadInput
from companion.library.model import Content
from companion.rules import VERBS
from companion.scenario import load_case, run_case
from companion.scenario.case import SETUP, TOP, parse_case
from companion.scenario.queue import QUEUES
from companion.scenario.schema import scenario_schema

_FORM = scenario_schema()["properties"]
WORDS = [
    *("001", "006", "011", "005-006", "006-011", "technical", "canteen", "nest", "captain"),
    *("adult", "larva/1", "blank", "queen#1", "egg", "closed", "seat", "rooms", "characters"),
    *("pod_1", "silence", "2", "fire", "open", "dead", "everything", "a", "", "x" * 90),
]
scalars = st.one_of(
    st.sampled_from(WORDS),
    st.booleans(),
    st.integers(-2, 40),
    st.just(10**30),
    st.floats(allow_nan=True),
    st.dates(),
    st.text(max_size=4),
)
keys = st.one_of(
    st.sampled_from([*WORDS, *_FORM["given"]["properties"], "room", "to", "type", "injuries"]),
    st.text(max_size=3),
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
    max_leaves=8,
)


def table(names: Any) -> st.SearchStrategy[dict[str, Any]]:
    return st.dictionaries(st.sampled_from(sorted(names)), values, max_size=4)


commands = st.builds(
    lambda do, rest: {**rest, "do": do},
    st.sampled_from([*VERBS, "answer", "undo", "redo", "by_hand", "next", "event_phase", "?"]),
    st.dictionaries(
        st.sampled_from(
            ["seat", "to", "room", "value", "step", "piece", "intruder", "state", "on"]
        ),
        values,
        max_size=3,
    ),
)
files = st.fixed_dictionaries(
    {},
    optional={
        "title": scalars,
        "setup": table(SETUP),
        "given": table(_FORM["given"]["properties"]),
        "chance": table(QUEUES),
        "when": st.lists(commands, max_size=4),
        "then": table(_FORM["then"]["properties"]),
        "allow_unused": st.booleans(),
    },
)
FEW = settings(
    max_examples=120,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)


@FEW
@given(data=files)
def test_a_case_of_anything_gives_a_result(data: dict[str, Any], content: Content) -> None:
    try:
        case = parse_case(data)
    except BadInput:
        return
    result = run_case(case, content)
    assert result.passed or result.problems
    run_case(case, content, when=False)


@FEW
@given(data=st.dictionaries(st.sampled_from([*TOP, "x"]), values, max_size=4))
def test_reading_anything_gives_a_case_or_bad_input(data: dict[str, Any]) -> None:
    with contextlib.suppress(BadInput):
        parse_case(data)


@FEW
@given(text=st.binary(max_size=60))
def test_loading_any_bytes_gives_a_case_or_bad_input(text: bytes, tmp_path_factory) -> None:
    file = tmp_path_factory.getbasetemp() / "any.toml"
    file.write_bytes(text)
    with contextlib.suppress(BadInput):
        load_case(file)
