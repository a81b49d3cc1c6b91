"""Parts of a long string of bytes, each cut out when it is looked at."""

from collections.abc import Iterator, Sequence
from typing import overload


class Pieces(Sequence[bytes]):
    """From each start to the end beside it: of hundreds of versions most questions look at some."""

    def __init__(self, whole: bytes, starts: list[int], ends: list[int]) -> None:
        self._whole, self._starts, self._ends = whole, starts, ends

    def __len__(self) -> int:
        return len(self._starts)

    @overload
    def __getitem__(self, index: int) -> bytes: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[bytes]: ...
    def __getitem__(self, index: int | slice) -> bytes | Sequence[bytes]:
        if isinstance(index, slice):
            return Pieces(self._whole, self._starts[index], self._ends[index])
        return self._whole[self._starts[index] : self._ends[index]]

    def __iter__(self) -> Iterator[bytes]:
        whole = self._whole
        return iter([whole[start:end] for start, end in zip(self._starts, self._ends, strict=True)])
