"""Rules at hand: what a hurried reader types finds the rule."""

from __future__ import annotations

import re

import pytest

from companion.library import RuleSearch, load_content
from companion.library.model import Content


@pytest.fixture(scope="module")
def content() -> Content:
    return load_content()


@pytest.mark.parametrize(
    ("language", "typed", "rule"),
    [
        ("en", "nest", "BASE-247"),
        ("it", "nido", "BASE-247"),
        ("it", "NID", "BASE-247"),
        ("fr", "generatrice", "BASE-245"),  # accents need not be typed
        ("fr", "Generator", "BASE-245"),  # the box may be in another language
        ("en", "base-115", "BASE-115"),
        ("it", "FAQ-A8", "FAQ-A8"),
        ("en", "scratch", "BASE-188"),
    ],
)
def test_a_name_or_an_id_comes_first(
    content: Content, language: str, typed: str, rule: str
) -> None:
    assert RuleSearch(content, language).find(typed)[0].rule.id == rule


def test_every_word_must_fit(content: Content) -> None:
    found = RuleSearch(content, "en").find("closed door destroyed")
    assert found
    for hit in found:
        said = f"{hit.rule.id} {hit.rule.text['en']} {hit.titles}".casefold()
        assert "closed" in said
        assert "door" in said


@pytest.mark.parametrize("typed", ["", "  ", "…", "qqqq", "\x00", "(" * 500])
def test_nothing_is_found_without_a_fault(content: Content, typed: str) -> None:
    assert RuleSearch(content, "en").find(typed) == []


def test_every_rule_is_found_by_its_own_id(content: Content) -> None:
    search = RuleSearch(content, "fr")
    for ident in content.rules:
        assert search.find(ident)[0].rule.id == ident


EVENTS = {"intruders": "BASE-302", "void_seeders": "VS-E9", "carnomorphs": "CA-E14"}  # all of fire


@pytest.mark.parametrize("species", EVENTS)
def test_what_other_aliens_bring_comes_last(content: Content, species: str) -> None:
    found = RuleSearch(content, "en").find("fire", len(content.rules), species=species)
    place = {hit.rule.id: n for n, hit in enumerate(found)}
    common = ("BASE-244", "FAQ-A15", "BASE-225")
    ours = max(place[rule] for rule in (*common, EVENTS[species]))
    assert all(place[rule] > ours for who, rule in EVENTS.items() if who != species)


def test_before_a_game_nobodys_rules_are_other(content: Content) -> None:
    assert RuleSearch(content, "en").find("panic")[0].rule.id == "VS-28"
    assert not any(found.other for found in RuleSearch(content, "en").index())


@pytest.mark.parametrize(
    ("language", "typed", "rule"),
    [
        ("en", "generatir", "BASE-245"),  # wrong
        ("en", "genertor", "BASE-245"),  # missing
        ("en", "generrator", "BASE-245"),  # too many
        ("en", "genreator", "BASE-245"),  # swapped
        ("en", "henerator", "BASE-245"),  # the first one
        ("en", "hibernatoriun", "BASE-267"),  # the last one
        ("it", "nifo", "BASE-247"),
        ("it", "generatoer", "BASE-245"),
        ("fr", "generatrive", "BASE-245"),
        ("en", "hibernatroi", "BASE-267"),  # not typed to the end
    ],
)
def test_one_slip_of_the_finger_is_forgiven_where_nothing_else_is_found(
    content: Content, language: str, typed: str, rule: str
) -> None:
    found = RuleSearch(content, language).find(typed)
    assert rule in [hit.rule.id for hit in found[:3]]


@pytest.mark.parametrize(
    ("language", "typed", "rule"),
    [
        ("fr", "oeuf", "BASE-171"),
        ("fr", "OEUFS", "BASE-171"),
        ("fr", "Œufs", "BASE-171"),
        ("fr", "eteindre", "BASE-283"),
        ("fr", "éteindre", "BASE-283"),
        ("it", "spegnere", "BASE-283"),
        ("en", "extinguishing", "BASE-283"),
        ("fr", "douche", "BASE-262"),
        ("fr", "cantine", "BASE-256"),
    ],
)
def test_joined_letters_endings_and_common_words_find_it_first(
    content: Content, language: str, typed: str, rule: str
) -> None:
    """Of what other aliens bring nothing stands before it."""
    found = RuleSearch(content, language).find(typed, species="intruders")
    assert rule in [hit.rule.id for hit in found[:3]]


def test_what_is_found_as_it_is_typed_brings_nothing_like_it(content: Content) -> None:
    search = RuleSearch(content, "en")
    named = {found.hit.rule.id: found.named for found in search.index()}
    told = [hit.rule for hit in search.find("nest", 999)]
    assert told
    for rule in told:  # no rest and no nearest
        words = [*named[rule.id], *re.findall(r"\w+", rule.text["en"].casefold())]
        assert any(word.startswith("nest") for word in words), rule.id


@pytest.mark.parametrize("typed", ["base-9999", "nst", "xyzzyq", "genxxator", "fire qqqq"])
def test_two_slips_a_short_word_and_a_number_are_not(content: Content, typed: str) -> None:
    assert RuleSearch(content, "en").find(typed) == []
