"""The places that the wearer was in, one visit after the other; stepping through a door is none."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
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


class VisitBook:
    """Visits in order of time. Only the last of them ever changes, so what was there at an earlier time is
    there still: a `VisitLog` looks at the first so many."""

    def __init__(self, kept: Iterable[Visit] = ()) -> None:
        self.kept: list[Visit] = []
        self.of: dict[str, list[int]] = {}
        for visit in kept:
            self._append(visit)

    def add(self, visit: Visit, over: bool = True) -> None:
        """One more, in a place other than the one before it or after a time in none; `over`: it has ended."""
        last = self.kept[-1] if self.kept else None
        if last is not None and last.tag == visit.tag and visit.start - last.end <= AWAY_S:
            self.kept[-1] = Visit(visit.tag, last.start, visit.end)
        elif not over or visit.end - visit.start >= BRIEF_S:
            self._append(visit)

    def _append(self, visit: Visit) -> None:
        self.of.setdefault(visit.tag, []).append(len(self.kept))
        self.kept.append(visit)


class VisitLog(Sequence[Visit]):
    """The first visits of a book, and some more."""

    def __init__(self, book: VisitBook, count: int, latest: Sequence[Visit] = ()) -> None:
        self._book, self._count, self._latest = book, count, latest

    @classmethod
    def along(cls, runs: Iterable[Run], now: float) -> "VisitLog":
        """The log of a path, given the places along it."""
        book = VisitBook()
        for visit in joined(runs):
            book.add(visit, visit.end < now)
        return cls(book, len(book.kept))

    def __len__(self) -> int:
        return self._count + len(self._latest)

    @overload
    def __getitem__(self, index: int) -> Visit: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Visit]: ...
    def __getitem__(self, index: int | slice) -> Visit | Sequence[Visit]:
        if isinstance(index, slice):
            return [self[k] for k in range(*index.indices(len(self)))]
        k = index + len(self) if index < 0 else index
        if not 0 <= k < len(self):
            raise IndexError(f"visit {index} of {len(self)}")
        return self._book.kept[k] if k < self._count else self._latest[k - self._count]

    def __iter__(self) -> Iterator[Visit]:
        return chain(islice(self._book.kept, self._count), self._latest)

    def of(self, tag: str) -> list[Visit]:
        """The visits of one place."""
        numbers = self._book.of.get(tag, [])
        early = islice(numbers, bisect_left(numbers, self._count))
        return [*map(self._book.kept.__getitem__, early), *(v for v in self._latest if v.tag == tag)]

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
