"""The stored versions of the objects as of two times: from the file, or at hand in working memory."""

from collections.abc import Mapping, Sequence, Set
from typing import NamedTuple

from situ.memory.reading import diary
from situ.memory.reading.history import History
from situ.memory.reading.version_book import LastSaid
from situ.memory.tables.pending_rows import AS_ATTRIBUTE, AS_LABEL

_FEW = 256  # things that are all read as soon as those around a point


class Told(NamedTuple):
    """What working memory last said: the version of each object, and the objects by label."""

    versions: Mapping[int, bytes]
    by_label: Mapping[int, Set[int]]


class InFile:
    """Versions as of two times, from the file."""

    def __init__(self, history: History, at: float, known: float) -> None:
        self._history = history
        self._at = at
        self._known = known

    def all(self) -> LastSaid:
        return self._history.views(self._at, self._known)

    def count(self) -> int:
        return diary.count_staying(self._history, self._at, self._known)

    def few(self) -> bool:
        return self._history.versions_at_hand or self._history.last_object <= _FEW

    def one(self, number: int) -> bytes | None:
        rows = self._history.view(self._at, self._known, number)
        return rows[0][1] if rows else None

    def some(self, numbers: Sequence[int]) -> Sequence[tuple[int, bytes]]:
        return self._history.views_of(self._at, self._known, numbers)

    def called(self, label: int) -> Sequence[tuple[int, bytes]]:
        return self._history.views_called(self._at, self._known, label)

    def near(self, x: float, y: float, radius: float) -> Sequence[tuple[int, bytes]]:
        return self._history.views_near(self._at, self._known, x, y, radius)

    def words(self) -> tuple[Sequence[int], Sequence[int]]:
        return self._history.called(AS_LABEL, self._known), self._history.called(AS_ATTRIBUTE, self._known)


class AtHand(InFile):
    """The same for the present, from working memory."""

    def __init__(self, history: History, at: float, known: float, told: Told) -> None:
        super().__init__(history, at, known)
        self._told = told

    def all(self) -> LastSaid:
        return LastSaid.of(sorted(self._told.versions.items()))

    def count(self) -> int:
        return len(self._told.versions)

    def one(self, number: int) -> bytes | None:
        return self._told.versions.get(number)

    def some(self, numbers: Sequence[int]) -> Sequence[tuple[int, bytes]]:
        versions = self._told.versions
        return [(number, versions[number]) for number in numbers if number in versions]

    def called(self, label: int) -> Sequence[tuple[int, bytes]]:
        versions = self._told.versions
        numbers = sorted(self._told.by_label.get(label, ()))
        return [(number, versions[number]) for number in numbers if number in versions]

    def near(self, x: float, y: float, radius: float) -> Sequence[tuple[int, bytes]]:
        versions = self._told.versions
        rows = self._history.views_near(self._at, self._known, x, y, radius)
        return [(number, versions[number]) for number, _ in rows if number in versions]
