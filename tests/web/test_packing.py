"""The packed game on its page: what to do, a sheet a person, and no secret."""

from __future__ import annotations

from collections.abc import Callable

from companion.table.session import Session
from tests.web.conftest import Phone


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
