"""Where one object stayed, one place after the other, as known at a time."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from struct import Struct
from typing import NamedTuple

import numpy as np

from situ.compiled import plain
from situ.geometry.box import Box
from situ.geometry.pose import Matrix
from situ.memory.tables.offsets import from_offset
from situ.memory.tables.row_types import VERSION
from situ.state.diary import Stay
from situ.state.protocol import LIKELY

from_offset_uncompiled = plain(from_offset)  # for one object in the hands; reading needs no compiler
UNKNOWN_SIZE_M = 0.1  # a side of an object whose size was not stated: about what a hand takes
# The first fields of VERSION: held, position, size, offset to the wearer, here, last seen, absent since.
_STAYING = Struct("<B4x3d24x3f3f4xf4x8x2d")
assert VERSION.fields is not None
assert VERSION.fields["absent_since"][1] + 8 == _STAYING.size


class _Version(NamedTuple):
    """What was last said of a stay."""

    box: Box  # as stated: a size that is not known is 0
    offset: tuple[float, float, float] | None  # ahead, left and up of the wearer, if held
    here: float
    last_seen: float
    absent_since: float

    @classmethod
    def of(cls, body: bytes) -> "_Version":
        held, x, y, z, a, b, c, u, v, w, here, last, absent = _STAYING.unpack_from(
            body.ljust(_STAYING.size, b"\0")
        )
        return cls(Box((x, y, z), (a, b, c)), (u, v, w) if held & 1 else None, here, last, absent)

    def remains(self, at: float) -> float:
        """How likely the object has not been seen to be gone; seen there later on, it was there."""
        return self.here if at > self.last_seen and at >= self.absent_since else 1.0  # NaN: never missed

    @property
    def sized_box(self) -> Box:
        """The box, with the usual size where none was stated."""
        return self.box if self.box.size[0] > 0.0 else Box(self.box.center, (UNKNOWN_SIZE_M,) * 3)


class StayHistory:
    """The stays of one object, each with when it began and what was last said of it."""

    def __init__(self, number: int, rows: Sequence[tuple[float, bool, bytes | None]]) -> None:
        """`rows`: when each stay began, whether the object is alive at the time of knowledge, its version."""
        self._number, self._rows = number, rows
        self.began = [row[0] for row in rows]
        self._in_order = self.began == sorted(self.began)
        self._alive = bool(rows) and rows[0][1]
        self._read: dict[int, _Version | None] = {}

    def _version(self, k: int) -> _Version | None:
        if k not in self._read:
            body = self._rows[k][2] if k >= 0 else None
            self._read[k] = None if body is None else _Version.of(body)
        return self._read[k]

    def _at(self, at: float) -> int:
        """The number of the stay at a time, -1 before all of them."""
        if self._in_order:
            return bisect_right(self.began, at) - 1
        return max((k for k, began in enumerate(self.began) if began <= at), default=-1)

    def stays(self, at: float) -> list[Stay]:
        """Those that had begun by a time."""
        found = []
        for k, began in enumerate(self.began):
            version = self._version(k) if began <= at else None
            if version is not None:
                found.append(Stay(self._number, version.box, began, version.offset is not None))
        return found

    def where(self, at: float, pose: Callable[[], Matrix]) -> Box | None:
        """The box at a time, None if the object had not been seen by then or was gone. The wearer's `pose` is
        asked for where it was held."""
        version = self._version(self._at(at)) if self._alive else None
        if version is None or version.remains(at) < LIKELY:
            return None
        if version.offset is None:
            return version.sized_box
        x, y, z = from_offset_uncompiled(np.array([version.offset]), pose())[0].tolist()
        return Box((x, y, z), version.sized_box.size)

    def settled_since(self, at: float) -> float:
        """Since when it was where it was at a time; that time, if it was carried or had been missed."""
        k = self._at(at)
        version = self._version(k) if self._in_order and self._alive else None
        if version is None or version.offset is not None:
            return at
        missed = at > version.last_seen and at >= version.absent_since
        return at if missed else self.began[k]
