"""Parts of an object's sightings, without walking through all of them where that can be helped."""

from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from situ.state.protocol import Candidate, Phrase, Sighting, Skill, SpatialState


class Indexed(ABC):
    """Sightings that are read from a file, which finds a frame at once."""

    @abstractmethod
    def since(self, time: float) -> Iterator[Sighting]: ...

    @abstractmethod
    def before(self, time: float) -> Iterator[Sighting]: ...

    @abstractmethod
    def in_frames(self, frames: Sequence[int]) -> Sequence[Sighting]: ...


class Foreseeing(Skill):
    """A state that reads together what is going to be asked for one by one."""

    @abstractmethod
    def expect_before(self, moments: Iterable[tuple[int, float]]) -> None:
        """The last sightings of things before times."""


class Recalling(Skill):
    """A state that finds what was seen of late without looking at all things."""

    @abstractmethod
    def candidates_since(self, which: Phrase, time: float) -> Sequence[Candidate]:
        """At least those that were seen from a time on, by id."""


def candidates_since(state: SpatialState, which: Phrase, time: float) -> Sequence[Candidate]:
    """The candidates that were seen from a time on, and perhaps others."""
    return state.candidates_since(which, time) if isinstance(state, Recalling) else state.candidates(which)


def since(seen: Sequence[Sighting], time: float) -> Iterator[Sighting]:
    """From a time on, in order."""
    if isinstance(seen, Indexed):
        return seen.since(time)
    return islice(seen, bisect_left(seen, time, key=_time_of), None)


def before(seen: Sequence[Sighting], time: float) -> Iterator[Sighting]:
    """Before a time, the latest first."""
    if isinstance(seen, Indexed):
        return seen.before(time)
    return reversed(seen[: bisect_left(seen, time, key=_time_of)])


def in_frames(seen: Sequence[Sighting], frames: Sequence[int]) -> Sequence[Sighting]:
    """Those in some frames, in order."""
    if isinstance(seen, Indexed):
        return seen.in_frames(frames)
    wanted = set(frames)
    return tuple(sighting for sighting in seen if sighting.frame in wanted)


def _time_of(sighting: Sighting) -> float:
    return sighting.time
