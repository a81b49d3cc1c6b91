"""Parts of an object's sightings, without walking through all of them where that can be helped."""

from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from situ.state.protocol import Phrase, Sighting, Skill, SpatialState


class Indexed(ABC):
    """Sightings that are read from a file, which finds a frame at once."""

    @abstractmethod
    def since(self, time: float) -> Iterator[Sighting]: ...

    @abstractmethod
    def before(self, time: float) -> Iterator[Sighting]: ...

    @abstractmethod
    def in_frames(self, frames: Sequence[int]) -> Sequence[Sighting]: ...


class Recalled(NamedTuple):
    """A thing that was seen: the last frame that shows it, its number, how likely it is one of those that are
    meant, and what it is called."""

    frame: int
    id: int
    chance: float
    category: str
    attributes: Mapping[str, str]


class Recalling(Skill):
    """A state that finds what was seen of late without building all things."""

    @abstractmethod
    def recalled(self, since: float) -> Sequence[Recalled]:
        """The likely things that were seen from a time on, the latest first, then by number."""


def recalled(state: SpatialState, which: Phrase, since: float) -> Sequence[Recalled]:
    """Those that a phrase picks out of the likely things that were seen from a time on, in that order."""
    if which.category is None and not which.attributes and isinstance(state, Recalling):
        return state.recalled(since)
    likely = [(thing, thing.last) for thing in state.candidates(which) if thing.likely]
    seen = [(last, thing) for thing, last in likely if last is not None and last.time >= since]
    seen.sort(key=lambda pair: (-pair[0].time, pair[1].id))
    named = ((last, thing, thing.view) for last, thing in seen)
    return [Recalled(last.frame, c.id, c.chance, view.category, view.attributes) for last, c, view in named]


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
