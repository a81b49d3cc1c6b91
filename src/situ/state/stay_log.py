"""Where a thing stayed, one stay after the other, as far as a state knows of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import overload

from situ.state.diary import Stay


@dataclass(frozen=True, eq=False)
class SettledStays:
    """Stays of one thing of which all has been said. All states share them, so that what is worked out from
    them can be kept for all."""

    stays: Sequence[Stay]


class StayLog(Sequence[Stay]):
    """The first settled stays of a thing, and some more."""

    def __init__(self, settled: SettledStays, number: int, latest: Sequence[Stay] = ()) -> None:
        self.settled, self.number, self._latest = settled, number, latest

    def __len__(self) -> int:
        return self.number + len(self._latest)

    @overload
    def __getitem__(self, index: int) -> Stay: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Stay]: ...
    def __getitem__(self, index: int | slice) -> Stay | Sequence[Stay]:
        if isinstance(index, slice):
            return [self[k] for k in range(*index.indices(len(self)))]
        if 0 <= index < self.number:  # most by far
            return self.settled.stays[index]
        k = index + len(self) if index < 0 else index
        if not 0 <= k < len(self):
            raise IndexError(f"stay {index} of {len(self)}")
        return self.settled.stays[k] if k < self.number else self._latest[k - self.number]

    def __iter__(self) -> Iterator[Stay]:
        return chain(islice(self.settled.stays, self.number), self._latest)
