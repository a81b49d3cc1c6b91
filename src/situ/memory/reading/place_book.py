"""What was said of every place, whenever it was said; see `version_book`."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from situ.memory.file.database import Database

_ROWS = (
    "SELECT known_from, place_id, tag, count, first, last, body FROM place "
    "ORDER BY place_id, known_from LIMIT ?"
)
_MOST = 5_000  # rows, of some 200 bytes each; a day of one home has some hundreds
Row = tuple[int, int, int, float, float, bytes]  # number, number of the name, frames, first, last, spots


class Place(NamedTuple):
    """A place node: where the wearer was when told so."""

    id: int
    tag: str
    mean: tuple[float, float, float]
    covariance: NDArray[np.float64]
    frames: int
    first: float
    last: float

    @classmethod
    def of(cls, row: Row, tag: str) -> Self:
        number, _, count, first, last, body = row
        values = np.frombuffer(body)
        x, y, z = values[:3].tolist()
        return cls(number, tag, (x, y, z), values[3:].reshape(3, 3), count, first, last)


class PlaceBook(NamedTuple):
    """Of each place, by number: from when on each row was known, and the rows."""

    known: Sequence[Sequence[float]]
    rows: Sequence[Sequence[Row]]

    @classmethod
    def read(cls, connection: Database) -> Self | None:
        """None where there are too many to keep."""
        rows = connection.all(_ROWS, (_MOST + 1,))
        if len(rows) > _MOST:
            return None
        known: dict[int, list[float]] = {}
        said: dict[int, list[Row]] = {}
        for since, *row in rows:
            known.setdefault(row[0], []).append(since)
            said.setdefault(row[0], []).append((row[0], row[1], row[2], row[3], row[4], row[5]))
        return cls(list(known.values()), list(said.values()))

    def by(self, known: float) -> list[Row]:
        """The last that was said of each place by a time."""
        ends = (bisect_right(since, known) for since in self.known)
        return [rows[end - 1] for rows, end in zip(self.rows, ends, strict=True) if end]
