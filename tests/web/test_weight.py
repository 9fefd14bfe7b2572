"""What a page weighs on the Wi-Fi: packed, few files, from nobody but us."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import pytest
from flask import Flask

from companion.bench import web as bench
from companion.table.session import Session
from tests.web.conftest import Phone, take_seat
from web import Server, packed
from web.blueprints.static import held

Phones = Callable[[], Phone]


@dataclass
class Near:
    """A server of this process as the benchmark asks one of its own."""

    port: int
    get: Any = None

    def __post_init__(self) -> None:
        self.get = lambda path, cookie="": bench.Server.get(cast(Any, self), path, cookie)


@pytest.mark.parametrize("page", ["seat", "table"])
def test_the_first_load_keeps_its_promise_and_asks_nobody_else(served: Server, page: str) -> None:
    kb, answers, foreign = bench.first_load(cast(bench.Server, Near(served.port)), page)
    assert kb <= bench.MOST_LOAD_KB[page]
    assert foreign == []
    assert answers > 10


def test_addresses_of_other_hosts_are_found() -> None:
    page = 'src="https://cdn.example/x.js" @import url(//fonts.example/a.css); src="/static/a.js"'
    assert bench._FOREIGN.findall(page) == ["https://cdn.example", "//fonts.example"]


def test_what_is_packed_is_what_was_sent_plain(phone: Phones, playing: Session, app: Flask) -> None:
    one = phone()
    take_seat(one, app, 1)
    for path in ("/table", "/seat/1", "/", "/api/cards"):
        plain = one.get(path, **{"Accept-Encoding": "identity"})
        small = one.get(path, **{"Accept-Encoding": "gzip"})
        assert "Content-Encoding" not in plain.headers
        assert small.headers["Content-Encoding"] == "gzip"
        assert "Accept-Encoding" in small.headers["Vary"]
        assert gzip.decompress(small.data) == plain.data
        assert len(small.data) < 0.4 * len(plain.data)


def test_files_joined_are_the_files_one_after_the_other(phone: Phones) -> None:
    one = phone()
    both = one.get("/static/x/tokens.css+base.css", **{"Accept-Encoding": "identity"})
    each = [
        one.get(f"/static/x/{n}.css", **{"Accept-Encoding": "identity"}) for n in ("tokens", "base")
    ]
    assert both.data == each[0].data + each[1].data
    assert both.mimetype == "text/css"
    for bad in ("tokens.css+", "tokens.css+tokens.css", "tokens.css+../app.py"):
        assert one.get(f"/static/x/{bad}").status_code == 404


def test_the_picture_that_keeps_a_screen_on_is_sent_in_parts(phone: Phones) -> None:
    whole = held()["awake.webm"]
    assert len(whole) < 4096
    part = phone().get("/static/x/awake.webm", Range="bytes=10-19")
    assert part.status_code == 206
    assert part.data == whole[10:20]


def test_scripts_lose_their_comments_and_nothing_else(phone: Phones) -> None:
    plain = {"Accept-Encoding": "identity"}
    for name, content in held().items():
        if not name.endswith(".js"):
            continue
        sent = phone().get(f"/static/x/{name}", **plain).data.decode().splitlines()
        kept = [line.strip() for line in content.decode().splitlines()]
        missing = [line for line in kept if line and line not in sent]
        assert all(
            line.startswith(("//", "/**", "* ", "*/")) or line.endswith("*/") for line in missing
        ), name
        assert not [line for line in sent if line.lstrip().startswith("//")], name
        assert content.count(b"`") % 2 == 0
        assert all(line.count("`") % 2 == 0 for line in kept), f"a text over two lines in {name}"


def test_a_stream_of_blocks_is_one_packed_file() -> None:
    texts = ["retry: 1000\n\n", "è" * 5000, "", "end"]
    stream = b"".join(packed.begun(iter(map(packed.block, texts))))
    assert zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(stream).decode() == "".join(texts)
