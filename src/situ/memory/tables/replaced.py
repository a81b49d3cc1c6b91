"""Things that were taken for others in the same place, of late."""

from dataclasses import dataclass

Words = tuple[tuple[int, int], ...]  # old and new; labels are counted downwards, attributes upwards


@dataclass
class Replaced:
    """A thing that gave way to one with a name that nothing here had before."""

    number: int
    stranger: int  # the same number once it is known to be the thing itself
    time: float
    words: Words
