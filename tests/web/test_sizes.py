"""How much is sent tells nothing: not which secrets a seat holds, and nothing of it to others."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest

from companion.library import load_content
from companion.table.session import Session
from tests.table.people import begun, deck
from tests.table.test_canary import mutated
from tests.web.conftest import Phone, take_seat
from web import Services, create_app

CONTENT = load_content()
PEOPLE = ("captain", "scout", "soldier")
PERSONAL, CORPORATE = (deck(CONTENT, name, 3) for name in ("personal", "corporate"))


class Line:
    """Everything that goes down to three phones, one of them the host's, and to a stranger."""

    def __init__(self, session: Session, services: Services) -> None:
        session.boot = "0123456789abcdef"
        self.session, self.app = session, create_app(session, services)
        self.phones = [Phone(self.app.test_client()) for _ in range(3)]
        for seat, phone in enumerate(self.phones, start=1):
            take_seat(phone, self.app, seat)
        self.phones[1].post("/api/host", {"code": "271828"})

    def view(self, audience: str, language: str, packed: str) -> tuple[int, str]:
        """Bytes of the first view of a stream as a browser gets it, and what they say."""
        phone = self.phones[int(audience[-1]) - 1 if audience.startswith("seat") else 1]
        answer = phone.get(f"/stream/{audience}?lang={language}", **{"Accept-Encoding": packed})
        opened = zlib.decompressobj(zlib.MAX_WBITS | 16) if packed == "gzip" else None
        for chunk in answer.iter_encoded():
            text = (opened.decompress(chunk) if opened else chunk).decode()
            if "event: view" in text:
                answer.close()
                return len(chunk), text
        raise AssertionError(audience)

    def sizes(self, language: str, packed: str) -> dict[str, int]:
        streams = ("table", "host", "seat:1", "seat:2", "seat:3")
        found = {a: self.view(a, language, packed)[0] for a in streams}
        shells = {f"/seat/{n}": len(p.get(f"/seat/{n}?lang={language}").data)
                  for n, p in enumerate(self.phones, start=1)}  # fmt: skip
        return found | shells


@pytest.mark.parametrize("packed", ["gzip", "identity"])
@pytest.mark.parametrize("language", ["en", "it", "fr"])
def test_what_goes_down_is_as_long_whatever_objectives_a_seat_holds(
    services: Services, language: str, packed: str
) -> None:
    """The shortest and the longest texts, and some between: before the choice, in it and after."""
    by_length = [
        sorted(cards, key=lambda o: len(CONTENT.objectives[o].text[language].encode()))
        for cards in (PERSONAL, CORPORATE)
    ]
    pairs = [(by_length[0][n], by_length[1][n]) for n in (0, 1, -2, -1)]
    others = [cards[n] for n in (3, 4) for cards in by_length]
    told = set()
    found = []
    for pair in pairs:
        line = Line(Session(begun(CONTENT, [*pair, *others], PEOPLE)), services)
        steps = [line.sizes(language, packed)]
        line.session.submit({"do": "place", "piece": "adult", "to": "006"})
        steps.append(line.sizes(language, packed))
        told.add(line.view("seat:1", language, packed)[1])
        (prompt,) = line.session.view("seat:1")[1]["prompts"]
        choice = {"do": "answer", "by": "seat:1", "prompt": prompt["id"], "value": pair[1]}
        assert line.session.submit(choice)["status"] == "done"
        steps.append(line.sizes(language, packed))
        found.append(steps)
    assert len(told) == len(pairs)
    assert all(steps == found[0] for steps in found)


@pytest.mark.parametrize("language", ["en", "it", "fr"])
def test_what_goes_down_is_as_long_whichever_mutation_a_seat_keeps(
    services: Services, language: str, tmp_path: Path
) -> None:
    lines = [Line(mutated(tmp_path / f"{n}.game", n)[1], services) for n in (0, 1)]
    assert lines[0].sizes(language, "gzip") == lines[1].sizes(language, "gzip")
    assert (
        lines[0].view("seat:1", language, "gzip")[1] != lines[1].view("seat:1", language, "gzip")[1]
    )
