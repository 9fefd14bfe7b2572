"""A broken file is refused with file, key and reason; never with a traceback."""

from __future__ import annotations

import re
import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.game.errors import BadInput
from companion.library import check_pack, load_content
from companion.library.kinds import KINDS
from companion.library.links import check_links
from companion.library.read import SHIPPED, Entry, merged, read_pack
from companion.library.schema import Place

Pack = Callable[..., Path]


@pytest.fixture
def pack(tmp_path: Path) -> Pack:
    """Makes a pack of an owner: files by name, text as it stands."""

    def make(name: str = "mine", about: str | None = None, **files: str) -> Path:
        folder = tmp_path / name
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "rules").mkdir(parents=True)
        about = about or f'id = "{name}"\nversion = "1.0.0"\nschema = 1\nrequires = ["nemesis"]\n'
        (folder / "pack.toml").write_text(about)
        for stem, text in files.items():
            (folder / f"{stem.replace('__', '/')}.toml").write_text(text)
        return folder

    return make


def refusal(*folders: Path) -> BadInput:
    with pytest.raises(BadInput) as caught:
        len(load_content(folders).rules)
    assert caught.value.key.startswith("bad.content.")
    return caught.value


GOOD_EVENT = """
[leak]
names.en = "Leak"
corridors = [1]
moves = []
effect = "leak"
after = "discard"
rule = "BASE-302"
"""


def refused(run: Callable[[], object]) -> BadInput | None:
    """The refusal that ``run`` ends in, if any; every other exception fails the test."""
    try:
        run()
    except BadInput as error:
        return error
    return None


CASES = {
    # reason: (file, text, key that is named)
    "unknown_key_near": ("tiles", '[armory]\ncolor = "red"', "armory.color"),
    "unknown_key": ("tiles", "[armory]\nqqqqqq = 1", "armory.qqqqqq"),
    "missing_key": ("terms", "[gremlin]", "gremlin.names"),
    "want_text": ("tiles", "[armory]\nrule = 3", "armory.rule"),
    "want_whole": ("game", "[nemesis]\ninfected = 1.5", "nemesis.infected"),
    "want_number": ("boards", '["nemesis/basic"]\naspect = "wide"', "nemesis/basic.aspect"),
    "want_flag": ("tiles", "[armory]\ncomputer = 1", "armory.computer"),
    "want_list": ("events", "[hunt_2]\nmoves = 3", "hunt_2.moves"),
    "want_table": ("events", "hunt_2 = 3", "hunt_2"),
    "want_plain": ("events", "[hunt_2]\nparams = { n = [1] }", "hunt_2.params.n"),
    "text_length": ("terms", '[noise]\nnames.it = ""', "noise.names.it"),
    "list_length": ("events", "[hunt_2]\ncorridors = [1, 2, 3]", "hunt_2.corridors"),
    "out_of_range": ("events", "[hunt_2]\ncorridors = [-1]", "hunt_2.corridors[0]"),
    "not_one_of": ("tiles", '[armory]\ncolour = "blue"', "armory.colour"),
    "bad_id": ("terms", '[Noise]\nnames.en = "x"', "Noise"),
    "duplicate": ("events", '[hunt_2]\nmoves = ["adult", "adult"]', "hunt_2.moves[1]"),
    "duplicate_key": ("events", "[hunt_2]\n[hunt_2]", ""),
    "not_toml": ("events", "[hunt_2", ""),
    "unresolved_near": ("events", '[hunt_2]\nmoves = ["adults"]', "hunt_2.moves[0]"),
    "unresolved": ("tiles", '[armory]\nrule = "XYZ-99999"', "armory.rule"),
    "exits": (
        "boards",
        '["nemesis/basic".corridors.001-002]\nnumbers = [1]',
        "nemesis/basic.rooms.001",
    ),
    "corridor_id": (
        "boards",
        '["nemesis/basic".corridors.001-002]\nrooms = ["001", "003"]',
        "nemesis/basic.corridors.001-002",
    ),
    "fixed_room": (
        "boards",
        '["nemesis/basic".rooms.003]\nfixed = "cockpit"',
        "nemesis/basic.rooms.003.fixed",
    ),
    "starting_tokens": (
        "species",
        "[intruders.creatures.queen]\nstarting = 2",
        "intruders.creatures.queen.starting",
    ),
    "uneven_die": (
        "game",
        '[nemesis]\nnoise_die = ["1","1","1","2","3","3","4","4","silence","danger"]',
        "nemesis.noise_die",
    ),
    "known_or_unknown": ("characters", "[scientist]\nammo = 3", "scientist.ammo"),
}


@pytest.mark.parametrize(("reason", "case"), CASES.items(), ids=CASES.keys())
def test_each_refusal_names_file_and_key(
    pack: Pack, reason: str, case: tuple[str, str, str]
) -> None:
    file, text, key = case
    error = refusal(pack(**{file: text}))
    assert error.code == f"content.{reason}"
    assert error.params["file"] == f"mine/{file}.toml"
    assert error.params["key"] == key
    assert error.path.startswith(f"mine/{file}.toml")


@pytest.mark.parametrize(
    ("file", "text", "key"),
    [
        ("species", "[intruders]\ntokens = 26", "intruders.tokens"),
        ("species", '[intruders]\nevents = ["hunt_2"]', "intruders.event_cards"),
        ("attacks", "[scratch]\nblood = [2]", "intruders.attack_cards"),
        ("attacks", "[scratch]\nblood_of.queen = [1]", "scratch.blood_of.queen"),
        ("game", "[nemesis.wounds.body]\ncards = 5", "nemesis.decks.wound"),
        ("game", "[nemesis]\ncontamination = 28", "nemesis.decks.contamination"),
    ],
)
def test_decks_and_tokens_must_add_up(pack: Pack, file: str, text: str, key: str) -> None:
    error = refusal(pack(**{file: text}))
    assert (error.code, error.params["key"]) == ("content.count", key)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('["nemesis/basic"]\nstart_room = "099"', "start_room"),
        (
            '["nemesis/basic".corridors.001-002]\nrooms = ["001", "099"]',
            "corridors.001-002.rooms[1]",
        ),
        ('["nemesis/basic".rooms.001]\nfixed = "cockpitt"', "rooms.001.fixed"),
        ('["nemesis/basic".rooms.005]\ntechnical = { tunnel = [4] }', "rooms.005.technical.tunnel"),
    ],
)
def test_board_references_must_resolve(pack: Pack, text: str, key: str) -> None:
    error = refusal(pack(boards=text))
    assert error.code.startswith("content.unresolved")
    assert error.params["key"] == f"nemesis/basic.{key}"


def test_broken_rule_texts_are_refused_at_once(pack: Pack) -> None:
    error = refusal(pack(rules__mine='[BASE-01]\ntext.xx = "?"'))
    assert error.params["file"] == "mine/rules/mine.toml"
    assert refusal(pack(rules__mine='[MY-01]\ntext.en = "x"\nsource = "y"')).params["key"] == (
        "MY-01.text.it"
    )
    folder = pack(rules__a='[BASE-01]\nsource = "a"', rules__b='[BASE-01]\nsource = "b"')
    assert refusal(folder).code == "content.duplicate"


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"\xff\xfe", "not_text"),
        (b"[noise]\nnames.en = '\xe0'", "not_text"),
        (b"a = " + b"[" * 20_000, "too_deep"),
        (b"a = " + b"9" * 5_000, "not_toml"),
        (b"a = 0x" + b"f" * 20_000, "want_table"),
        (b"[noise]\nnames.en = 0x" + b"f" * 20_000, "want_text"),
        (b"[noise]\n" + b"a." * 3_000 + b"b = 1", "unknown_key"),
        (b"#" * 4_000_001, "too_large"),
    ],
    ids=["utf-16", "latin-1", "nested", "digits", "hex", "hex inside", "dotted", "large"],
)
def test_hostile_bytes(pack: Pack, raw: bytes, reason: str) -> None:
    folder = pack()
    (folder / "terms.toml").write_bytes(raw)
    assert refusal(folder).code == f"content.{reason}"


def test_a_pack_needs_its_pack_toml(pack: Pack, tmp_path: Path) -> None:
    assert refusal(tmp_path / "nowhere").code == "content.missing_file"
    folder = pack()
    (folder / "pack.toml").unlink()
    (folder / "pack.toml").mkdir()
    assert refusal(folder).code == "content.unreadable"
    about = 'id = "mine"\nversion = "{}"\nschema = {}\nrequires = ["{}"]'
    assert refusal(pack(about=about.format("1.0", 1, "nemesis"))).code == "content.bad_id"
    assert refusal(pack(about=about.format("1.0.0", 2, "nemesis"))).code == "content.out_of_range"
    assert refusal(pack(about=about.format("1.0.0", 1, "nothing"))).code == "content.requires"


def test_unknown_files_are_refused(pack: Pack) -> None:
    error = refusal(pack(event=GOOD_EVENT))
    assert error.code == "content.unknown_file_near"
    assert error.params["nearest"] == "events"


def test_two_packs_with_one_id_or_one_entry_are_refused(pack: Pack) -> None:
    one = pack("one", events="[hunt_2]\ncorridors = [3]")
    two = pack("two", events='[hunt_2]\nafter = "remove"')
    error = refusal(one, two)
    assert error.code == "content.overridden_twice"
    assert (error.params["first"], error.params["second"]) == ("one", "two")
    assert error.params["file"] == "two/events.toml"
    assert refusal(one, one).code == "content.duplicate_pack"


def _shipped() -> dict[str, dict[str, Entry]]:
    return merged([read_pack(SHIPPED / "nemesis")], [])


def test_the_shipped_content_passes_its_own_links() -> None:
    check_links(_shipped())


KEYS = st.sampled_from(
    ["names", "en", "moves", "effect", "rule", "numbers", "rooms", "hunt_2", "armory", "001", "",
     "nemesis/basic", "corridors", "ammo", "unknown", "values", "params", "é"]
)  # fmt: skip
VALUES = st.recursive(
    st.one_of(
        st.booleans(),
        st.integers(-(10**6), 10**6),
        st.floats(),
        st.text(max_size=8),
        st.dates(),
        st.sampled_from(["adult", "001", "red", "discard", "none", "retreat"]),
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)


@given(
    kind=st.sampled_from(sorted(KINDS)),
    key=st.sampled_from(["hunt_2", "armory", "nemesis", "nemesis/basic", "intruders", "BASE-01"]),
    value=VALUES,
)
@settings(max_examples=150, deadline=None)
def test_any_entry_is_accepted_or_refused_as_bad_input(kind: str, key: str, value: Any) -> None:
    """Whatever a file says, it is content or BadInput."""
    error = refused(lambda: KINDS[kind].check_entry(key, value, Place("mine/x.toml", key)))
    assert error is None or error.key.startswith("bad.content.")
    assert error is None or error.params["file"] == "mine/x.toml"


PATHS = [
    (kind, key, field)
    for kind, entries in _shipped().items()
    if kind != "rules"
    for key, entry in list(entries.items())[:3]
    for field in entry.value
]


@given(path=st.sampled_from(PATHS), value=VALUES, gone=st.booleans())
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_one_changed_field_never_ends_in_a_traceback(
    path: tuple[str, str, str], value: Any, gone: bool
) -> None:
    """Shape passed means that the links can be checked; both fail only as BadInput."""
    kind, key, field = path
    entries = SHIPPED_ENTRIES
    old = entries[kind][key]
    changed = {name: was for name, was in old.value.items() if name != field or not gone}
    if not gone:
        changed[field] = value
    error = refused(lambda: KINDS[kind].check_entry(key, changed, old.place))
    if error is None:
        together = {**entries, kind: {**entries[kind], key: Entry(changed, old.place)}}
        error = refused(lambda: check_links(together))
    assert error is None or error.params["file"].startswith("nemesis/")


SHIPPED_ENTRIES = _shipped()
LINES = (SHIPPED / "nemesis" / "events.toml").read_text("utf-8").splitlines()


@given(
    line=st.integers(0, len(LINES) - 1),
    at=st.integers(0, 40),
    insert=st.text(alphabet="[]{}=\"'.,\n\t#aé0-\\\x00", max_size=4),
    drop=st.integers(0, 5),
)
@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_a_torn_file_is_content_or_bad_input(
    tmp_path: Path, line: int, at: int, insert: str, drop: int
) -> None:
    text = LINES[line]
    torn = [*LINES[:line], text[:at] + insert + text[at + drop :], *LINES[line + 1 :]]
    folder = tmp_path / "mine"
    folder.mkdir(exist_ok=True)
    (folder / "pack.toml").write_text(
        'id = "mine"\nversion = "1.0.0"\nschema = 1\nrequires = ["nemesis"]\n'
    )
    (folder / "events.toml").write_bytes("\n".join(torn).encode())
    error = refused(lambda: load_content([folder]))
    assert error is None or error.params["file"] in ("mine/events.toml", "nemesis/species.toml")


def test_every_reason_has_a_sentence_somewhere() -> None:
    """Reasons in the code and sentences in the catalogue are the same set."""
    code = " ".join(path.read_text() for path in (SHIPPED.parent / "library").glob("*.py"))
    reasons = set(re.findall(r'refuse\(\s*"(\w+)"', code))
    reasons |= {
        f"{word}{end}"
        for word in re.findall(r'refuse_word\(\s*"(\w+)"', code)
        for end in ("", "_near")
    }
    reasons |= {"duplicate_key", "not_toml"}
    reasons |= set(re.findall(r'"content\.(\w+)"', code))
    catalogue = (SHIPPED.parent / "locale" / "en.po").read_text("utf-8")
    missing = {reason for reason in reasons if f'msgid "bad.content.{reason}"' not in catalogue}
    assert not missing


def test_a_good_pack_is_accepted(pack: Pack) -> None:
    content = check_pack(pack(events=GOOD_EVENT))
    assert content.events["leak"].effect == "leak"
    assert tomllib.loads(GOOD_EVENT)["leak"]["after"] == content.events["leak"].after
