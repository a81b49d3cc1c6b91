"""Parts of an object's sightings."""

from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import islice

from situ.state.protocol import Sighting

_LATELY_S, _LATELY_SHARE = 10.0, 0.1  # seen within this of the latest, or within this share of its age


class InFrames(ABC):
    """Sightings that know by themselves which of them are in some frames."""

    @abstractmethod
    def in_frames(self, frames: Sequence[int]) -> Sequence[Sighting]: ...


def since(seen: Sequence[Sighting], time: float) -> Iterator[Sighting]:
    """From a time on, in order."""
    return islice(seen, bisect_left(seen, time, key=_time_of), None)


def before(seen: Sequence[Sighting], time: float) -> Iterator[Sighting]:
    """Before a time, the latest first."""
    return (seen[k] for k in range(bisect_left(seen, time, key=_time_of) - 1, -1, -1))


def in_frames(seen: Sequence[Sighting], frames: Sequence[int]) -> Sequence[Sighting]:
    """Those in some frames, in order."""
    if isinstance(seen, InFrames):
        return seen.in_frames(frames)
    found = ((bisect_left(seen, frame, key=_frame_of), frame) for frame in sorted({*frames}))
    return tuple(seen[k] for k, frame in found if k < len(seen) and seen[k].frame == frame)


def _time_of(sighting: Sighting) -> float:
    return sighting.time


def _frame_of(sighting: Sighting) -> int:
    return sighting.frame


def lately_since(moments: Sequence[float], now: float) -> float:
    """From when on something counts as seen lately: about as late as the latest of some moments."""
    latest = max(moments, default=now)
    return latest - max(_LATELY_S, _LATELY_SHARE * (now - latest))
