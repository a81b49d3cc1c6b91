"""Where things stayed, as of any two times, from versions that are all at hand; see `version_book`."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from situ.geometry.box import Box
from situ.memory.reading.version_book import VersionBook
from situ.state.diary import Stay

_Resting = Callable[[bytes], tuple[Box, bool]]


class StayBook:
    """What `situ.memory.reading.diary` looks up in the file."""

    def __init__(self, book: VersionBook, resting: _Resting) -> None:
        """`resting` says where a version has an object, and whether in the hands."""
        self._book = book
        self._resting = resting
        self._made: dict[int, Stay] = {}  # by the version that tells of it

    def stays(self, numbers: Sequence[int], at: float, known: float) -> dict[int, list[Stay]]:
        """What was last said, by a time, of each stay of some objects that had begun by another."""
        book = self._book
        found: dict[int, list[Stay]] = {number: [] for number in numbers}
        wanted = np.isin(book.objects[:, 0], numbers)
        begun = self._begun(at, known) & wanted[book.of_stay]
        of = book.stay_of
        said = ((of >= 0) & begun[of] & (book.versions[:, 2] <= known)).nonzero()[0]
        last = np.ones(len(said), bool)
        np.not_equal(of[said[1:]], of[said[:-1]], out=last[:-1])
        for row in said[last].tolist():
            stay = self._stay(row)
            found[stay.object_id].append(stay)
        return found

    def _begun(self, at: float, known: float) -> NDArray[np.bool_]:
        stays = self._book.stays
        return np.asarray((stays[:, 2] <= at) & (stays[:, 3] <= known))

    def _stay(self, row: int) -> Stay:
        stay = self._made.get(row)
        if stay is None:
            box, held = self._resting(self._book.bodies[row])
            start = float(self._book.stays[self._book.stay_of[row], 2])
            stay = self._made[row] = Stay(int(self._book.versions[row, 0]), box, start, held)
        return stay

    def moved_since(self, since: float, at: float, known: float) -> list[int]:
        """Objects that began another stay after a time."""
        book = self._book
        later = self._begun(at, known) & (book.stays[:, 1] > 0) & (book.stays[:, 2] > since)
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
