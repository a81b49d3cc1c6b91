"""The past as a diary: where a thing stayed one after the other, and which places the wearer was in."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from situ.geometry.box import Box
from situ.state.protocol import Skill
from situ.state.visit_log import VisitLog

Point = tuple[float, float, float]


@dataclass(frozen=True)
class Stay:
    """A thing at one place from `start` until its next stay; `held`: in the wearer's hands."""

    object_id: int
    box: Box
    start: float
    held: bool = False


class WithStays(Skill):
    """A state that keeps where things stayed."""

    @abstractmethod
    def stays(self, object_id: int) -> Sequence[Stay]:
        """The stays of one thing in order of time."""

    @abstractmethod
    def moved_since(self, time: float) -> Sequence[int]:
        """Things that came to a new place, or into the hands, after a time; by number."""


class Settling(Skill):
    """A state that knows for how long a thing was at one place, without looking at each sighting."""

    @abstractmethod
    def settled_since(self, object_id: int, time: float) -> float:
        """Since when a thing was just where it was at a time; that time, if nothing is known of it."""


class WithVisits(Skill):
    """A state that keeps which places the wearer was in."""

    @abstractmethod
    def visits(self) -> VisitLog:
        """In order of time; where no place is known there is no visit."""
