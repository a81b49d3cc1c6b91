"""Results that were made ahead of time for pictures, until somebody asks for them."""

from collections.abc import Sequence
from typing import Generic, TypeVar

from situ.recording.codec import Rgb

T = TypeVar("T")
MOST = 64  # some are never asked for, as tracking was lost in their frame


class Ahead(Generic[T]):
    """The latest results, by the very picture (not one that looks alike) that they belong to."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._kept: list[tuple[Rgb, T]] = []

    def put(self, pictures: Sequence[Rgb], results: Sequence[T]) -> None:
        self._kept = [*self._kept, *zip(pictures, results, strict=True)][-self._most :]

    def get(self, rgb: Rgb) -> T | None:
        return next((result for picture, result in self._kept if picture is rgb), None)
