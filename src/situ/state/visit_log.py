"""The places that the wearer was in, one visit after the other; stepping through a door is none."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import overload

Run = tuple[str, float, float]  # the name of a place, "" for none, and from when until when
BRIEF_S = 2.0  # less is walking past a door
AWAY_S = 3.0  # who is away for less has not left


@dataclass(frozen=True, slots=True)
class Visit:
    """The wearer in a named place, from the first frame there to the last in one go."""

    tag: str
    start: float
    end: float


class VisitLog(Sequence[Visit]):
    """Visits in order of time."""

    def __init__(self, visits: Iterable[Visit]) -> None:
        self._visits = tuple(visits)

    @classmethod
    def along(cls, runs: Iterable[Run], now: float) -> "VisitLog":
        """The log of a path, given the places along it."""
        kept: list[Visit] = []
        for visit in joined(runs):
            last = kept[-1] if kept else None
            if last is not None and last.tag == visit.tag and visit.start - last.end <= AWAY_S:
                kept[-1] = Visit(visit.tag, last.start, visit.end)
            elif visit.end >= now or visit.end - visit.start >= BRIEF_S:
                kept.append(visit)
        return cls(kept)

    def __len__(self) -> int:
        return len(self._visits)

    @overload
    def __getitem__(self, index: int) -> Visit: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Visit]: ...
    def __getitem__(self, index: int | slice) -> Visit | Sequence[Visit]:
        return self._visits[index]

    def of(self, tag: str) -> list[Visit]:
        """The visits of one place."""
        return [visit for visit in self._visits if visit.tag == tag]

    def since(self, time: float) -> Sequence[Visit]:
        """Those that ended after a time."""
        return self[bisect_right(self, time, key=lambda visit: visit.end) :]

    def begun_by(self, time: float) -> Visit | None:
        """The last that had begun by a time."""
        k = bisect_right(self, time, key=lambda visit: visit.start)
        return self[k - 1] if k else None


def joined(runs: Iterable[Run]) -> Iterator[Visit]:
    """Runs of one name that follow each other as one visit; "" is nowhere."""
    open_: Visit | None = None
    for tag, start, end in runs:
        if open_ is not None and open_.tag == tag:
            open_ = Visit(tag, open_.start, end)
            continue
        if open_ is not None:
            yield open_
        open_ = Visit(tag, start, end) if tag else None
    if open_ is not None:
        yield open_
