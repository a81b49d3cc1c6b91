"""A thing's way from rest to rest, as its stays tell; of those that are settled it is worked out once."""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from situ.lazy import lazily
from situ.questions.rules.rest_walk import RESTING_S, SAME_PLACE_M
from situ.state.diary import Stay
from situ.state.stay_log import SettledStays, StayLog

Leg = tuple[int, int]  # the numbers of the stays at rest before and after
UNKNOWN = 2  # neither yes nor no


class Course:
    """The stays at rest among some of a thing, by their numbers, but for the last stay; and the legs from one
    of these to the next, of those that are apart."""

    def __init__(self, stays: Sequence[Stay]) -> None:
        self.stays = stays
        self.rests = [i for i in range(len(stays) - 1) if at_rest(stays[i], stays[i + 1].start)]
        self.legs = [(i, j) for i, j in pairwise(self.rests) if apart(stays[i], stays[j])]
        self.ends = [j for _, j in self.legs]
        self.arrived = [stays[j].start for j in self.ends]
        self.in_order = rising(self.arrived)
        # By leg: whether it was in the wearer's hands, where that is settled and was asked for.
        self.handled = bytearray([UNKNOWN]) * len(self.legs)

    @lazily
    def left_from(self) -> NDArray[np.float64]:
        """Where each leg began, over the ground (n, 2)."""
        return np.array([self.stays[i].box.center[:2] for i, _ in self.legs], float).reshape(-1, 2)

    @lazily
    def rested_at(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Where each rest was, over the ground (n, 2), and the longest side of what rested (n,)."""
        boxes = [self.stays[i].box for i in self.rests]
        ground = np.array([box.center[:2] for box in boxes], float).reshape(-1, 2)
        return ground, np.array([box.longest_side for box in boxes], float)


class Travelled(NamedTuple):
    """The course of what is settled, how many of its rests and legs count, and the rests after those: the
    last stay, too, wherever it is."""

    course: Course
    rests: int
    legs: int
    late: list[int]

    @classmethod
    def of(cls, stays: Sequence[Stay]) -> "Travelled":
        course, settled = _NOTHING, 0
        if isinstance(stays, StayLog) and stays.number > 1:
            settled = stays.number - 1  # how long the last one was is not known yet
            known = _COURSES.get(stays.settled)
            if known is None:
                known = _COURSES[stays.settled] = Course(stays.settled.stays)
            course = known
        rests = bisect_left(course.rests, settled)
        legs = bisect_right(course.ends, course.rests[rests - 1]) if rests else 0
        last = len(stays) - 1
        late = [i for i in range(settled, last + 1) if i == last or at_rest(stays[i], stays[i + 1].start)]
        return cls(course, rests, legs, late)

    @property
    def late_legs(self) -> Iterator[Leg]:
        """Those to the rests after the settled ones, however short."""
        before = self.course.rests[self.rests - 1 : self.rests] if self.rests else []
        return pairwise([*before, *self.late])


def at_rest(stay: Stay, end: float) -> bool:
    """Whether a thing rested during a stay; nobody holds a thing still for so long."""
    return not stay.held and end - stay.start >= RESTING_S


def apart(a: Stay, b: Stay) -> bool:
    """Whether two stays were more than a hand's width from each other."""
    return math.dist(a.box.center, b.box.center) > SAME_PLACE_M


def rising(times: Sequence[float]) -> bool:
    """Whether each of some times is after the one before."""
    return all(a < b for a, b in pairwise(times))


_NOTHING = Course(())
# For as long as the stays are kept by whoever read them.
_COURSES: "WeakKeyDictionary[SettledStays, Course]" = WeakKeyDictionary()
