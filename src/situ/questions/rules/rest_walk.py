"""The rests of a thing as a state tells them: a walk back through its sightings."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice, takewhile

from situ.geometry.box import Box
from situ.state.diary import Carrying, Settling
from situ.state.protocol import Sighting, SpatialState
from situ.state.sightings import before, since

SAME_PLACE_M = 0.4
OUT_OF_HAND_M = 0.75  # what is farther from the wearer than this is not in their hands
RESTING_S = 6.0  # nobody holds a thing quite still for so long
_EVERY_S = 0.9  # sightings closer to each other add nothing
_AT_ONCE = 32  # sightings of a thing that is carried: most are put down sooner
_LONG_S = 60.0  # at one place, so that it pays not to look at each sighting


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
    run: Rest | None = None
    rested = False
    for seen, first in back_in_time(state, object_id, time):
        if (time if run is None else run.first) - seen.time < _EVERY_S:
            continue
        box = state.where(object_id, seen.time)
        if box is None:
            continue
        if run is not None and math.dist(box.center, run.box.center) < SAME_PLACE_M:
            run = Rest(run.box, seen.time, run.last, seen.frame, run.last_frame)
            rested = rested or _out_of_hand(state, box, seen.time)
        else:
            if run is not None and (rested or run.last - run.first >= RESTING_S):
                yield run
            run = Rest(box, seen.time, seen.time, seen.frame, seen.frame)
            rested = _out_of_hand(state, box, seen.time)
        if first is not None:  # all the while it was seen there
            run = Rest(run.box, first.time, run.last, first.frame, run.last_frame)
    if run is not None and (rested or run.last - run.first >= RESTING_S):
        yield run


def back_in_time(
    state: SpatialState, object_id: int, end: float = math.inf
) -> Iterator[tuple[Sighting, Sighting | None]]:
    """The sightings of a thing before a time, the latest first. Of a long time at one place the last comes
    with the first of it, and the others are left out, where the state knows that."""
    sightings = state.sightings(object_id)
    walk = iter(reversed(sightings)) if end == math.inf else before(sightings, end)
    while (seen := next(walk, None)) is not None:
        began = state.settled_since(object_id, seen.time) if isinstance(state, Settling) else seen.time
        if seen.time - began > _LONG_S:
            yield seen, next(since(sightings, began), None)
            walk = before(sightings, began)
            continue
        stretch = [seen]
        if isinstance(state, Carrying) and (taken := state.carried_since(object_id, seen.time)) < seen.time:
            ahead = list(islice(walk, _AT_ONCE))
            stretch += takewhile(lambda one: one.time >= taken, ahead)
            walk = chain(ahead[len(stretch) - 1 :], walk)
            state.expect_where(object_id, [one.time for one in stretch])
        for one in stretch:
            yield one, None


def _out_of_hand(state: SpatialState, box: Box, time: float) -> bool:
    return math.dist(state.path.ground_at(time), box.center[:2]) > OUT_OF_HAND_M
