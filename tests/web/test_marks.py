"""What figures are marked with: whoever plays, no two alike, in every language."""

from __future__ import annotations

import unicodedata
from itertools import combinations

import pytest
from flask import Flask

from companion.library import load_content
from tests.web.conftest import new_session, panel_of
from web import Services, create_app


def plain(mark: str) -> str:
    return unicodedata.normalize("NFD", mark)[: len(mark)].lower()


@pytest.mark.parametrize("people", list(combinations(sorted(load_content().characters), 5)))
def test_no_two_figures_bear_the_same_letters(services: Services, people: tuple[str, ...]) -> None:
    session = new_session()
    session.submit({"do": "setup", "players": list(people)})
    app: Flask = create_app(session, services)
    with app.test_request_context():
        for language in ("en", "it", "fr"):
            seats = panel_of(app).page("table", language)["seats"]
            letters = [plain(seat["letter"]) for seat in seats]
            assert len(set(letters)) == len(letters)
            for seat, mark in zip(seats, letters, strict=True):
                assert 1 <= len(mark) <= 2
                assert mark[0] == plain(seat["label"])[0]
                alone = sum(plain(s["label"])[0] == mark[0] for s in seats) == 1
                assert len(mark) == (1 if alone else 2)
