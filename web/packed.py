"""Fewer bytes on the Wi-Fi: what we send is packed for every browser that can unpack it."""

from __future__ import annotations

import gzip
import threading
import zlib
from collections.abc import Iterator
from functools import lru_cache

from flask import Flask, Request, Response, request

#: What a stream of `block`s begins with: it is one endless gzip file.
BEGIN = b"\x1f\x8b\x08\0\0\0\0\0\0\x03"
LEAST = 800  # bytes: a smaller answer fits into one packet as it is
KINDS = ("text/html", "application/json", "image/svg+xml")


def unpacks(wanted: Request) -> bool:
    """Whether the browser that asks can unpack gzip."""
    return bool(wanted.accept_encodings["gzip"])


def mark(response: Response) -> Response:
    """Say that an answer is packed."""
    response.headers["Content-Encoding"] = "gzip"
    return response


@lru_cache(maxsize=32)
def _block(text: str) -> bytes:
    maker = zlib.compressobj(5, zlib.DEFLATED, -zlib.MAX_WBITS)
    return maker.compress(text.encode()) + maker.flush(zlib.Z_FULL_FLUSH)


_making = tuple(threading.Lock() for _ in range(16))


def block(text: str) -> bytes:
    """A part of a packed stream that looks at no other: one packs a page, others wait for it."""
    with _making[hash(text) % len(_making)]:
        return _block(text)


def veiled(text: str, begin: str) -> bytes:
    """A `block` whose size does not depend on what stands in ``text`` from ``begin`` on, only on
    how much that is: it goes as it is."""
    told, found, kept = text.partition(begin)
    sent = block(told)
    rest = (found + kept).encode()
    for n in range(0, len(rest), 0xFFFF):  # stored, as RFC 1951 has it (3.2.4)
        part = rest[n : n + 0xFFFF]
        sent += b"\0" + len(part).to_bytes(2, "little") + (len(part) ^ 0xFFFF).to_bytes(2, "little")
        sent += part
    return sent


def begun(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """A stream of blocks from its beginning."""
    yield BEGIN
    yield from blocks


def install(app: Flask) -> None:
    """Pack the pages and answers of an application; streams and files pack themselves."""

    @app.after_request
    def pack(response: Response) -> Response:
        if response.mimetype not in KINDS or response.is_streamed:
            return response
        response.vary.add("Accept-Encoding")
        if (
            response.status_code != 304
            and "Content-Encoding" not in response.headers
            and unpacks(request)
            and len(content := response.get_data()) >= LEAST
        ):
            response.set_data(gzip.compress(content, 6, mtime=0))
            mark(response)
        return response
