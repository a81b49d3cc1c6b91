"""Where an object rested: a walk back through its sightings."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from situ.geometry.box import Box
from situ.state.diary import Settling
from situ.state.protocol import Sighting, SpatialState
from situ.state.sightings import before, since

_FAR_M = 99.0  # from what there is none of
SAME_PLACE_M = 0.4
OUT_OF_HAND_M = 0.75  # what is farther from the wearer than this is not in their hands
RESTING_S = 6.0  # nobody holds a thing quite still for so long
_EVERY_S = 0.9  # sightings closer to each other add nothing
_LONG_S = 60.0  # at one place, so that it pays not to look at each sighting


@dataclass(frozen=True)
class Look:
    """A sighting, where the object was then, and the first sighting of it there, where that is known."""

    time: float
    frame: int
    box: Box | None
    since: Sighting


@dataclass(frozen=True)
class Rest:
    """A stay at one place: the box there, and the first and last sighting of it."""

    box: Box
    first: float
    last: float
    first_frame: int
    last_frame: int


def rests(state: SpatialState, object_id: int) -> Iterator[Rest]:
    """The places where an object rested, the latest first."""
    spot: Box | None = None  # in which the walk has come to
    begun = ended = math.inf
    first_frame = last_frame = 0
    rested = False
    for look in looks_back(state, object_id):
        if begun - look.time < _EVERY_S or look.box is None:
            continue
        if spot is None or math.dist(look.box.center, spot.center) >= SAME_PLACE_M:
            if spot is not None and (rested or ended - begun >= RESTING_S):
                yield Rest(spot, begun, ended, first_frame, last_frame)
            spot, ended, last_frame, rested = look.box, look.time, look.frame, False
        if not rested:
            gap = math.dist(state.path.ground_at(look.time), look.box.center[:2])
            rested = gap > OUT_OF_HAND_M
        begun, first_frame = look.since.time, look.since.frame
    if spot is not None and (rested or ended - begun >= RESTING_S):
        yield Rest(spot, begun, ended, first_frame, last_frame)


def looks_back(state: SpatialState, object_id: int) -> Iterator[Look]:
    """The sightings of an object with where it was, the latest first. Of a long time in one place the last
    comes with the first, and those in between are left out, where the state knows that."""
    sightings = state.sightings(object_id)
    walk = iter(reversed(sightings))
    while (seen := next(walk, None)) is not None:
        began, first = seen.time, seen
        if isinstance(state, Settling):
            began = state.settled_since(object_id, seen.time)
        if seen.time - began > _LONG_S:
            first = next(since(sightings, began), seen)
            walk = before(sightings, began)
        yield Look(seen.time, seen.frame, state.where(object_id, seen.time), first)


def gap_from(anchors: Sequence[Box], box: Box) -> float:
    """Metres from the nearest of some boxes to the middle of another."""
    return min((each.distance_to_point(box.center) for each in anchors), default=_FAR_M)


def frames_between(state: SpatialState, start: float, end: float) -> tuple[int, ...]:
    """The frames of a span of time, both ends included."""
    first, last = state.path.index_at(start), state.path.index_at(end)
    return tuple(range(first, last + 1))
