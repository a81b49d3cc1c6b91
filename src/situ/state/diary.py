"""The past as a diary: where a thing stayed one after the other, and which places the wearer was in."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol, TypeGuard, runtime_checkable

from situ.geometry.box import Box


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


@runtime_checkable
class WithStays(Protocol):
    """A state that keeps where things stayed."""

    def stays(self, object_id: int) -> Sequence[Stay]:
        """The stays of one thing in order of time."""
        ...

    def moved_since(self, time: float) -> Sequence[int]:
        """Things that came to a new place, or into the hands, after a time; by number."""
        ...


@runtime_checkable
class WithVisits(Protocol):
    """A state that keeps which places the wearer was in."""

    def visits(self) -> Sequence[Visit]:
        """In order of time; where no place is known there is no visit."""
        ...


@cache
def _of_kind(kind: type, protocol: Any) -> bool:
    """Comparing a class with a protocol takes long, and a question does it for every thing."""
    return issubclass(kind, protocol)


def keeps_stays(state: object) -> TypeGuard[WithStays]:
    return _of_kind(type(state), WithStays)


def keeps_visits(state: object) -> TypeGuard[WithVisits]:
    return _of_kind(type(state), WithVisits)


def visits_from(tags: Sequence[str], times: Sequence[float]) -> list[Visit]:
    """Runs of the same tag along a path; "" is nowhere."""
    found: list[Visit] = []
    for i, (tag, time) in enumerate(zip(tags, times, strict=True)):
        if found and i and tags[i - 1] == tag and tag:
            found[-1] = Visit(tag, found[-1].start, time)
        elif tag:
            found.append(Visit(tag, time, time))
    return found
