"""Where things stayed, as of any two times, from versions that are all at hand; see `version_book`."""

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from situ.geometry.box import Box
from situ.lazy import lazily
from situ.memory.reading.version_book import VersionBook
from situ.state.diary import Stay
from situ.state.stay_log import SettledStays, StayLog

_Resting = Callable[[bytes], tuple[Box, bool]]
_AsOf = tuple[NDArray[np.int64], NDArray[np.int64]]
_NONE = SettledStays(())


class StayBook:
    """What `situ.memory.reading.diary` looks up in the file."""

    def __init__(self, book: VersionBook, resting: _Resting) -> None:
        """`resting` says where a version has an object, and whether in the hands."""
        self._book = book
        self._resting = resting
        self._settled: dict[int, SettledStays] = {}  # by the place of the object in the list
        self._latest_asked: tuple[float, float, _AsOf] | None = None

    def stays(self, numbers: Sequence[int], at: float, known: float) -> dict[int, StayLog]:
        """What was last said, by a time, of each stay of some objects that had begun by another."""
        (counts, late), lives = self._as_of(at, known), self._lives
        places = {number: lives[number][0] for number in numbers if number in lives}
        wanted = np.zeros(len(self._book.objects), bool)
        wanted[[*places.values()]] = True
        latest: dict[int, list[Stay]] = {}
        for stay in self._said(self._last_by(late[wanted[self._book.of_stay[late]]], known)):
            latest.setdefault(stay.object_id, []).append(stay)
        found = {number: StayLog(_NONE, 0) for number in numbers if number not in places}
        for number, k in places.items():
            found[number] = StayLog(self._settled_of(k), int(counts[k]), latest.get(number, ()))
        return found

    def told_by(self, number: int, known: float) -> tuple[Sequence[float], Sequence[bytes | None]]:
        """When each stay of an object began that was known by a time, and what was last said of it then."""
        book, (k, born, died) = self._book, self._lives.get(number, (-1, math.inf, math.inf))
        if not born <= known < died:
            return [], []
        whole = slice(self._edges[0][k], self._edges[1][k])
        last, stays = self._rows[1][whole], book.stays[whole]
        if ((stays[:, 3] <= known) & (last >= 0) & (book.versions[last, 2] <= known)).all():  # mostly
            return stays[:, 2].tolist(), book.cut(last)
        rows = np.arange(whole.start, whole.stop)[stays[:, 3] <= known]
        last = self._last_by(rows, known)
        said = dict(zip(book.stay_of[last].tolist(), book.bodies_of(last), strict=True))
        return book.stays[rows, 2].tolist(), [said.get(row) for row in rows.tolist()]

    @lazily
    def _lives(self) -> dict[int, tuple[int, float, float]]:
        """The place of each object in the list, and from when until when there was one."""
        return {
            int(number): (k, born, died) for k, (number, born, died) in enumerate(self._book.objects.tolist())
        }

    def _as_of(self, at: float, known: float) -> _AsOf:
        """How many stays of each object (n,) had been settled by two times, and which are those after these;
        one question asks again and again."""
        if self._latest_asked is None or self._latest_asked[:2] != (at, known):
            valid, told = self._ready
            settled = (valid <= at) & (told <= known)
            counts = np.bincount(self._book.of_stay[settled], minlength=len(self._book.objects))
            self._latest_asked = at, known, (counts, np.flatnonzero(self._begun(at, known) & ~settled))
        return self._latest_asked[2]

    def _last_by(self, stays: NDArray[np.int64], known: float) -> NDArray[np.int64]:
        """The last version by a time of those of some stays of which there is one."""
        rows, keys, told = self._by_stay
        if not len(keys):
            return keys
        rank, wide = int(np.searchsorted(told, known, side="right")), len(told) + 1
        found = np.searchsorted(keys, stays * wide + rank) - 1
        return np.asarray(rows[found[(found >= 0) & (keys[found] >= stays * wide)]])

    @lazily
    def _by_stay(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
        """The versions of stays, in order; of each the stay and when it was said in one number; and all such
        times in order, by which the last of many stays are found in one search."""
        rows = np.flatnonzero(self._book.stay_of >= 0)
        said = self._book.versions[rows, 2]
        order = np.argsort(said, kind="stable")
        rank = np.empty(len(order), np.int64)
        rank[order] = np.arange(len(order))  # several times as fast as a search
        return rows, self._book.stay_of[rows] * (len(order) + 1) + rank, said[order]

    @lazily
    def _rows(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The first and the last version of each stay; the first is beyond the last where there is none."""
        of, count = self._book.stay_of, len(self._book.stays)
        rows = np.flatnonzero(of >= 0)
        first, last = np.full(count, 0), np.full(count, -1)
        last[of[rows]] = rows  # the last of a stay comes last and stays
        first[of[rows[::-1]]] = rows[::-1]
        return first, last

    @lazily
    def _ready(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """When each stay and all before it of its object had begun, and from when on all that was known."""
        stays, last = self._book.stays, self._rows[1]
        said = np.where(last >= 0, self._book.versions[last, 2], np.inf) if len(self._book) else np.inf
        valid, told = stays[:, 2].copy(), np.maximum(stays[:, 3], said)
        for start, stop in zip(*self._edges, strict=True):
            for column in (valid, told):
                np.maximum.accumulate(column[start:stop], out=column[start:stop])
        return valid, told

    @lazily
    def _edges(self) -> tuple[list[int], list[int]]:
        """Where the stays of each object begin and end in their list."""
        places = np.arange(len(self._book.objects))
        starts, stops = (np.searchsorted(self._book.of_stay, places, side) for side in ("left", "right"))
        return starts.tolist(), stops.tolist()

    def _settled_of(self, k: int) -> SettledStays:
        known = self._settled.get(k)
        if known is None:
            rows = self._rows[1][self._edges[0][k] : self._edges[1][k]]
            rows = rows[: len(rows) if (rows >= 0).all() else int((rows < 0).argmax())]
            known = self._settled[k] = SettledStays(self._said(rows))
        return known

    def _said(self, rows: NDArray[np.int64]) -> list[Stay]:
        """What versions say of their stays."""
        book, resting = self._book, self._resting
        numbers = book.versions[rows, 0].astype(np.int64).tolist()
        starts = book.stays[book.stay_of[rows], 2].tolist()
        found = []
        for number, start, body in zip(numbers, starts, book.bodies_of(rows), strict=True):
            box, held = resting(body)
            found.append(Stay(object_id=number, box=box, start=start, held=held))
        return found

    def _begun(self, at: float, known: float) -> NDArray[np.bool_]:
        _, began, told = self._columns
        return np.asarray((began <= at) & (told <= known))

    @lazily
    def _columns(self) -> tuple[NDArray[np.bool_], NDArray[np.float64], NDArray[np.float64]]:
        """Of each stay whether it is not the first, when it began and since when that was known, in one piece
        each: a third as slow as from rows."""
        _, number, began, told = self._book.stays.T.copy()
        return number > 0, began, told

    def moved_since(self, since: float, at: float, known: float) -> list[int]:
        """Objects that began another stay after a time."""
        book = self._book
        another, began, _ = self._columns
        later = self._begun(at, known) & another & (began > since)
        moved = np.zeros(len(book.objects), bool)
        moved[book.of_stay[later]] = True
        moved &= book.objects[:, 2] > at
        return book.objects[moved, 0].astype(np.int64).tolist()  # type: ignore[no-any-return]

    def count_staying(self, at: float, known: float) -> int:
        """How many objects were somewhere at a time."""
        book = self._book
        there = np.zeros(len(book.objects), bool)
        there[book.of_stay[self._begun(at, known)]] = True
        return int((there & (book.objects[:, 1] <= known) & (book.objects[:, 2] > known)).sum())
