"""The past as a diary: where a thing stayed one after the other, and which places the wearer was in."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from situ.geometry.box import Box
from situ.state.protocol import Skill


@dataclass(frozen=True)
class Stay:
    """A thing at one place from `start` until its next stay; `held`: in the wearer's hands."""

    object_id: int
    box: Box
    start: float
    held: bool = False


@dataclass(frozen=True)
class Visit:
    """The wearer in a named place, from the first frame there to the last in one go."""

    tag: str
    start: float
    end: float


class WithStays(Skill):
    """A state that keeps where things stayed."""

    @abstractmethod
    def stays(self, object_id: int) -> Sequence[Stay]:
        """The stays of one thing in order of time."""

    @abstractmethod
    def moved_since(self, time: float) -> Sequence[int]:
        """Things that came to a new place, or into the hands, after a time; by number."""


class WithVisits(Skill):
    """A state that keeps which places the wearer was in."""

    @abstractmethod
    def visits(self) -> Sequence[Visit]:
        """In order of time; where no place is known there is no visit."""


def visits_from(tags: Sequence[str], times: Sequence[float]) -> list[Visit]:
    """Runs of the same tag along a path; "" is nowhere."""
    found: list[Visit] = []
    for i, (tag, time) in enumerate(zip(tags, times, strict=True)):
        if found and i and tags[i - 1] == tag and tag:
            found[-1] = Visit(tag, found[-1].start, time)
        elif tag:
            found.append(Visit(tag, time, time))
    return found
