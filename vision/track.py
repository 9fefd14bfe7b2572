"""From single readings to settled facts. Pure: time and readings are passed in.

A piece that is not read stays where it was. It has left only when its place was seen empty, in
several readings and long enough. A move is taken over once, when enough readings agree on the
new place; one odd reading changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from math import hypot

from companion.table.ports import Placement, Registration, Sighting


@dataclass(frozen=True, slots=True)
class Patience:
    """How much the tracker wants to see. Counts are readings, ``_s`` seconds, ``_mm`` board mm."""

    agree: int = 2  # readings that name the same new place
    settle_s: float = 0.25  # between the first and the last of them
    same_mm: float = 9.0  # two readings nearer than this are one place
    gone_readings: int = 3
    gone_s: float = 2.5


@dataclass(slots=True)
class _Candidate:
    """A place where a piece may be now."""

    place: Placement
    since: float
    count: int = 1


@dataclass(slots=True)
class _Track:
    """What is known of one piece. ``settled`` is None until a first place is agreed on."""

    settled: Placement | None = None
    candidate: _Candidate | None = None
    empty_since: float | None = None
    empty_count: int = 0

    @property
    def place(self) -> Placement | None:
        """Where it is, or may be."""
        return self.settled or (self.candidate.place if self.candidate else None)


@dataclass(frozen=True, slots=True)
class Glimpse:
    """One reading for the tracker. ``empty`` names tracked pieces whose place shows bare board.

    ``judged``: whether bare board could be told at all; not while something moves in the picture.
    """

    at: float
    registration: Registration
    pieces: tuple[Placement, ...] = ()
    empty: frozenset[str] = frozenset()
    judged: bool = True
    unknown_ids: tuple[int, ...] = ()
    quality: Mapping[str, float] = field(default_factory=dict)


class Tracker:
    """Follows the pieces of a board of ``board_mm`` (width, height).

    ``unique`` says whether a piece exists only once; two places of such a piece at one moment are
    reported as a duplicate and the older place is kept.
    """

    def __init__(
        self,
        board_mm: tuple[float, float],
        patience: Patience | None = None,
        unique: Callable[[str], bool] = lambda _piece: True,
    ) -> None:
        self._size = board_mm
        self._patience = patience or Patience()
        self._unique = unique
        self._tracks: dict[str, _Track] = {}
        self._gone: dict[str, float] = {}

    @property
    def settled(self) -> dict[str, Placement]:
        """Where every piece is, as far as is settled; by the names of `followed`."""
        return {
            piece: track.settled
            for piece, track in sorted(self._tracks.items())
            if track.settled is not None
        }

    @property
    def pending(self) -> bool:
        """Whether another reading soon would settle something."""
        return any(t.candidate is not None or t.empty_count for t in self._tracks.values())

    @property
    def leaving(self) -> bool:
        """Whether a piece was not read and its place is bare: it stands elsewhere or was taken."""
        return any(t.empty_count for t in self._tracks.values())

    def forget(self) -> None:
        """Begin anew: another game, another board."""
        self._tracks.clear()
        self._gone.clear()

    def update(self, glimpse: Glimpse) -> Sighting:
        """Take in one reading and answer what is settled now.

        A reading that is not registered changes nothing.
        """
        doubles: dict[str, list[Placement]] = {}
        if glimpse.registration.ok:
            seen = self.followed(glimpse.pieces)
            for piece, places in seen.items():
                track = self._tracks.setdefault(piece, _Track())
                apart = self._distinct(places)
                if len(apart) > 1:
                    doubles[piece] = apart
                self._read(track, piece, apart, glimpse.at)
            for piece, track in list(self._tracks.items()):
                if piece not in seen:
                    empty = piece in glimpse.empty if glimpse.judged else None
                    self._missed(track, piece, empty, glimpse.at)
        return Sighting(
            glimpse.at,
            glimpse.registration,
            tuple(self.settled.values()),
            tuple(sorted(self._gone)),
            glimpse.unknown_ids,
            dict(glimpse.quality),
            tuple(sorted(doubles)),
            tuple(place for piece in sorted(doubles) for place in doubles[piece]),
        )

    def followed(self, pieces: Iterable[Placement]) -> dict[str, list[Placement]]:
        """The places read of everything that is followed, by the name it is followed under.

        That is the piece, but of interchangeable tokens each is followed by itself: the place
        nearest to where one was seen is that one, and any other place is a new one.
        """
        by_piece: dict[str, list[Placement]] = {}
        for place in pieces:
            by_piece.setdefault(place.piece, []).append(place)
        found: dict[str, list[Placement]] = {}
        for piece, places in by_piece.items():
            if self._unique(piece):
                found[piece] = places
                continue
            known = {
                key: track.place
                for key, track in self._tracks.items()
                if key.startswith(f"{piece}@") and track.place is not None
            }
            fresh = (f"{piece}@{n}" for n in count(1))
            for place in self._distinct(places):
                near = [
                    k for k, at in known.items() if at and k not in found and self._near(at, place)
                ]
                key = near[0] if near else next(k for k in fresh if k not in self._tracks)
                found[key] = [place]
        return found

    def _read(self, track: _Track, piece: str, places: list[Placement], at: float) -> None:
        track.empty_since, track.empty_count = None, 0
        old = track.settled
        if old is not None:
            for place in places:
                if self._near(old, place):
                    track.settled = replace(old, confidence=place.confidence)
                    track.candidate = None
                    return
        candidate = track.candidate
        place = max(places, key=lambda p: p.confidence)
        if candidate is not None:
            agreeing = [p for p in places if self._near(candidate.place, p)]
            if agreeing:
                candidate.count += 1
                enough = candidate.count >= self._patience.agree
                if enough and at - candidate.since >= self._patience.settle_s:
                    track.settled, track.candidate = agreeing[0], None
                    self._gone.pop(piece, None)
                return
        track.candidate = _Candidate(place, at)

    def _missed(self, track: _Track, piece: str, empty: bool | None, at: float) -> None:
        if track.settled is None:
            # A square read once and not again where nothing covers it was an error.
            if track.candidate is not None and at - track.candidate.since > self._patience.gone_s:
                del self._tracks[piece]
            return
        track.candidate = None
        if empty is None:  # nothing is known of its place: what was seen of it before stands
            return
        if not empty:
            track.empty_since, track.empty_count = None, 0
            return
        if track.empty_since is None:
            track.empty_since = at
        track.empty_count += 1
        long = at - track.empty_since >= self._patience.gone_s
        if long and track.empty_count >= self._patience.gone_readings:
            del self._tracks[piece]
            if "@" not in piece:  # of tokens that are alike, others may still lie elsewhere
                self._gone[piece] = at

    def _near(self, a: Placement, b: Placement) -> bool:
        width, height = self._size
        away = hypot((a.xy[0] - b.xy[0]) * width, (a.xy[1] - b.xy[1]) * height)
        return away <= self._patience.same_mm

    def _distinct(self, places: Iterable[Placement]) -> list[Placement]:
        apart: list[Placement] = []
        for place in sorted(places, key=lambda p: -p.confidence):
            if not any(self._near(place, other) for other in apart):
                apart.append(place)
        return apart
