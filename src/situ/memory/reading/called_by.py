"""The words by which objects had been called by a time: every question asks for them."""

from bisect import bisect_right
from collections.abc import Sequence


class CalledBy:
    """Words by their numbers, each with the time from which on it was used."""

    def __init__(self, since: Sequence[tuple[int, float]]) -> None:
        self._words = since
        self._times = sorted(time for _, time in since)
        self._known: dict[int, tuple[int, ...]] = {}

    def by(self, known: float) -> tuple[int, ...]:
        """Those that had been used by a time, in order; the same ones between two times at which one was."""
        number = bisect_right(self._times, known)
        if number not in self._known:
            self._known[number] = tuple(word for word, time in self._words if time <= known)
        return self._known[number]
