"""The packed game on its page: what to do, a sheet a person, and no secret."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.locale import words
from companion.rules.packing import GROUPS
from companion.table.session import Session
from tests.web.conftest import Phone
from tests.web.test_phones import browser, room  # noqa: F401  fixtures
from tests.web.test_rooms import Make, needs_browser


def test_the_page_says_what_lies_where_and_the_list_is_made_from_it(
    phone: Callable[[], Phone], playing: Session
) -> None:
    reader = phone()
    for language in ("en", "it", "fr"):
        text = reader.get(f"/pack?lang={language}").text
        assert "pack." not in text.split("<main", 1)[1].split("</main>", 1)[0]
        assert text.count('class="one"') >= 4
    assert reader.command("unpack").status_code == 200

    groups = {i["group"] for i in playing.view("table")[1]["instructions"]}
    assert {"figures", "ship"} <= groups


@pytest.mark.browser
@needs_browser
def test_the_list_lies_open_in_the_order_of_laying_out(room: Make) -> None:  # noqa: F811
    table = room(players=["captain", "scout"], digital=True)
    for command in (
        {"do": "place", "piece": "noise", "to": "006-011"},
        {"do": "place", "piece": "adult", "to": "001"},
        {"do": "unpack"},
    ):
        assert table.session.submit(command)["status"] == "done"
    listed = table.session.view("table")[1]["instructions"]
    groups = list(dict.fromkeys(i["group"] for i in listed))
    assert groups == [g for g in GROUPS if g in groups]
    assert len(groups) > 3

    phone = table.seat(1)
    phone.wait_for_selector("#todo .bundle h3")
    titles = phone.locator("#todo .bundle h3").all_inner_texts()
    said = words("en").say
    assert [t.casefold() for t in titles] == [said(f"pack.group.{g}").casefold() for g in groups]
    assert phone.locator("#todo .bundle").first.is_visible()
    assert phone.locator("#todo details.earlier").count() == 0
