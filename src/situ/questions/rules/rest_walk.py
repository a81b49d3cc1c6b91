"""The rests of a thing as a state tells them: a walk back through its sightings."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from situ.geometry.box import Box
from situ.state.diary import Carrying, Point, Settling
from situ.state.protocol import Sighting, SpatialState
from situ.state.sightings import before, since

SAME_PLACE_M = 0.4
OUT_OF_HAND_M = 0.75  # what is farther from the wearer than this is not in their hands
RESTING_S = 6.0  # nobody holds a thing quite still for so long
_EVERY_S = 0.9  # sightings closer to each other add nothing
_LONG_S = 60.0  # at one place, so that it pays not to look at each sighting


# A time and the frame that shows the thing then; if it was seen there for long, the first sighting there; and
# while it was carried, where that was, its size, and how far from the wearer.
Look = tuple[float, int, Sighting | None, Point | None, Point, float]
_NO_SIZE = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Rest:
    """A stay at one place: the box there, and the first and last sighting of it."""

    box: Box
    first: float
    last: float
    first_frame: int
    last_frame: int


def rests_before(state: SpatialState, object_id: int, time: float) -> Iterator[Rest]:
    """Those before a time, which is the end of all or the beginning of one."""
    # The sightings in one place that the walk has come to: where that is, and their ends.
    spot: Point | None = None
    box, size = None, _NO_SIZE
    begun, ended, first_frame, last_frame = time, time, 0, 0
    rested = False
    for moment, frame, first, carried_to, its_size, away_m in back_in_time(state, object_id, time):
        if begun - moment < _EVERY_S:
            continue
        there = state.where(object_id, moment) if carried_to is None else None
        point = carried_to if there is None else there.center
        if point is None:
            continue
        if spot is None or math.dist(point, spot) >= SAME_PLACE_M:
            if spot is not None and (rested or ended - begun >= RESTING_S):
                yield Rest(box or Box(spot, size), begun, ended, first_frame, last_frame)
            spot, box, size, ended, last_frame, rested = point, there, its_size, moment, frame, False
        if not rested:
            gap = away_m if there is None else math.dist(state.path.ground_at(moment), point[:2])
            rested = gap > OUT_OF_HAND_M
        begun, first_frame = moment, frame
        if first is not None:  # all the while it was seen there
            begun, first_frame = first.time, first.frame
    if spot is not None and (rested or ended - begun >= RESTING_S):
        yield Rest(box or Box(spot, size), begun, ended, first_frame, last_frame)


def back_in_time(state: SpatialState, object_id: int, end: float = math.inf) -> Iterator[Look]:
    """The sightings of a thing before a time, the latest first. Of a long time at one place the last comes
    with the first of it, and the others are left out, where the state knows that."""
    sightings = state.sightings(object_id)
    walk = iter(reversed(sightings)) if end == math.inf else before(sightings, end)
    while (seen := next(walk, None)) is not None:
        began = state.settled_since(object_id, seen.time) if isinstance(state, Settling) else seen.time
        if seen.time - began > _LONG_S:
            yield seen.time, seen.frame, next(since(sightings, began), None), None, _NO_SIZE, 0.0
            walk = before(sightings, began)
        elif isinstance(state, Carrying) and (taken := state.carried_since(object_id, seen.time)) < seen.time:
            for moment, frame, point, size, away_m in state.carried_back(object_id, seen.time):
                yield moment, frame, None, point, size, away_m
            walk = before(sightings, taken)
        else:
            yield seen.time, seen.frame, None, None, _NO_SIZE, 0.0
