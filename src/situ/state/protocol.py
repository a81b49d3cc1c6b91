"""The one interface that questions are asked of: truth and memory both implement it."""

from abc import ABCMeta, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from situ.geometry.box import Box
from situ.geometry.path import Path

LIKELY = 0.5  # more likely than not: the one threshold there is
FACTS_OF_KINDS = frozenset({"use", "flat_top"})  # attributes that all objects of a kind share
NO_ADJECTIVES = FACTS_OF_KINDS | {"room"}  # attributes that are no part of an object's name


class Called(Protocol):
    """What has a name."""

    @property
    def category(self) -> str: ...

    @property
    def attributes(self) -> Mapping[str, str]: ...


@dataclass(frozen=True)
class ObjectView:
    """One object as a state knows it at the state's time.

    `presence` is how sure the state is that the object is one of those it should count: 1 for sure, 0 for
    surely not. Truth gives 0.5 to an object that was only glimpsed; a memory gives its belief.
    `spread_m` is one standard deviation of the position.
    """

    id: int
    category: str
    box: Box
    attributes: Mapping[str, str] = field(default_factory=dict)
    presence: float = 1.0
    spread_m: float = 0.0


@dataclass(frozen=True)
class Sighting:
    """One frame in which an object was in view. `clarity` is 1 for a clear view, 0.5 for a mere glimpse."""

    frame: int
    time: float
    clarity: float = 1.0


class Skill(metaclass=ABCMeta):  # noqa: B024 (each skill adds its methods)
    """What a state can do beyond what all can: whoever has the methods has the skill. A question tests for it
    for every thing, which takes a hundred times as long with protocols that are checked at run time."""

    @classmethod
    def __subclasshook__(cls, other: type) -> bool:
        methods = cls.__abstractmethods__
        return bool(methods) and all(hasattr(other, name) for name in methods)


class WithNames(Skill):
    """A state that knows all names that its objects have gone under, without looking at each."""

    @abstractmethod
    def names(self) -> tuple[frozenset[str], frozenset[tuple[str, str]]]:
        """Categories, and attributes."""


class SpatialState(Protocol):
    """What is known at `now`, and nothing that was observed later."""

    @property
    def strict(self) -> bool:
        """Whether "the cup" must pick out one thing alone, as in keys; a belief takes the one meant."""
        ...

    @property
    def now(self) -> float:
        """Time of the state, in seconds on the recording's clock."""
        ...

    @property
    def path(self) -> Path:
        """The wearer's poses up to now."""
        ...

    def objects(self) -> Sequence[ObjectView]:
        """Every object that has been in view so far, where it is believed to be now, by id."""
        ...

    def sightings(self, object_id: int) -> Sequence[Sighting]:
        """The frames up to now in which the object was in view, in order."""
        ...

    def where(self, object_id: int, time: float) -> Box | None:
        """Where the object was at an earlier time, or None if that is not known."""
        ...

    def as_of(self, time: float) -> "SpatialState":
        """The state as it was known at an earlier time."""
        ...
