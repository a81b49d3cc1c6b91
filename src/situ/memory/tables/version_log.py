"""Versions of objects on their way to the file, in the order in which they were said."""

import numpy as np
from numpy.typing import NDArray

from situ.memory.tables.row_types import VERSION, VERSION_NOTE

_ROOM = 1024  # at first, for what is said in a usual run of frames; it grows as needed


def to_bodies(versions: NDArray[np.void]) -> list[bytes]:
    """Versions as stored: zeros at the end, where attributes few objects have lie, are left out."""
    data, size = versions.tobytes(), VERSION.itemsize
    return [data[at : at + size].rstrip(b"\0") for at in range(0, len(data), size)]


class VersionLog:
    """Versions, and what each calls for; compiled code fills in rows beyond the last."""

    def __init__(self) -> None:
        self.versions: NDArray[np.void] = np.zeros(_ROOM, VERSION)
        self.notes: NDArray[np.void] = np.zeros(_ROOM, VERSION_NOTE)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def __getstate__(self) -> tuple[bytes, bytes]:
        return self.versions[: self._count].tobytes(), self.notes[: self._count].tobytes()

    def make_room(self, count: int) -> None:
        """For at least so many more."""
        stop = self._count + count
        if stop > len(self.versions):
            for name in ("versions", "notes"):
                table = getattr(self, name)
                larger = np.zeros(2 * stop, table.dtype)
                larger[: self._count] = table[: self._count]
                setattr(self, name, larger)

    @property
    def bodies_left(self) -> NDArray[np.void]:
        """Room for versions that are to be filled in."""
        return self.versions[self._count :]

    @property
    def notes_left(self) -> NDArray[np.void]:
        return self.notes[self._count :]

    def add(self, count: int) -> NDArray[np.void]:
        """So many have been filled in: what they call for."""
        notes = self.notes[self._count : self._count + count]
        self._count += count
        return notes

    def bodies(self) -> list[bytes]:
        return to_bodies(self.versions[: self._count])

    @property
    def features(self) -> list[list[int]]:
        """The attributes of each, by their numbers, zeros at the end."""
        features: list[list[int]] = self.versions["features"][: self._count].tolist()
        return features

    def as_tuples(self) -> list[tuple[int, int, float, int, int, int, float, float, float]]:
        """What each calls for."""
        notes: list[tuple[int, int, float, int, int, int, float, float, float]]
        notes = self.notes[: self._count].tolist()
        return notes

    def clear(self) -> None:
        self._count = 0
