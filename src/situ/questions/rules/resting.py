"""Where a thing has rested: its places one after the other, without the time in the wearer's hands."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from weakref import WeakKeyDictionary

from situ.errors import Unanswerable
from situ.geometry.box import Box
from situ.questions.select import Selector, with_article
from situ.state.candidates import first_meant
from situ.state.diary import Settling
from situ.state.protocol import ObjectView, Sighting, SpatialState
from situ.state.sightings import before, since

SAME_PLACE_M = 0.4
OUT_OF_HAND_M = 0.75  # what is farther from the wearer than this is not in their hands
RESTING_S = 6.0  # nobody holds a thing quite still for so long
_EVERY_S = 0.9  # sightings closer to each other add nothing
_FAR_M = 99.0
_LONG_S = 60.0  # at one place, so that it pays not to look at each sighting


@dataclass(frozen=True)
class Rest:
    """A stay at one place: the box there, and the first and last sighting of it."""

    box: Box
    first: float
    last: float
    first_frame: int
    last_frame: int


def rests(state: SpatialState, object_id: int) -> Iterator[Rest]:
    """The stays of a thing, the latest first; looked up once for all samples of a belief."""
    if not state.sightings(object_id):
        return
    believed: SpatialState = getattr(state, "believed", state)
    kept = _RESTS.setdefault(believed, {}).setdefault((believed.now, object_id), [])
    yield from kept
    for rest in _rests_before(believed, object_id, kept[-1].first if kept else math.inf):
        kept.append(rest)
        yield rest


def _rests_before(state: SpatialState, object_id: int, time: float) -> Iterator[Rest]:
    """Those before a time, which is the end of all or the beginning of one."""
    run: Rest | None = None
    rested = False
    for seen, first in _back_in_time(state, object_id, time):
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


def _back_in_time(
    state: SpatialState, object_id: int, end: float = math.inf
) -> Iterator[tuple[Sighting, Sighting | None]]:
    """The sightings of a thing before a time, the latest first. Of a long time at one place the last comes
    with the first of it, and the others are left out, where the state knows that."""
    sightings = state.sightings(object_id)
    walk = iter(reversed(sightings)) if end == math.inf else before(sightings, end)
    while (seen := next(walk, None)) is not None:
        began = state.settled_since(object_id, seen.time) if isinstance(state, Settling) else seen.time
        if seen.time - began <= _LONG_S:
            yield seen, None
            continue
        yield seen, next(since(sightings, began), None)
        walk = before(sightings, began)


def _out_of_hand(state: SpatialState, box: Box, time: float) -> bool:
    return state.path.heading_at(time).ground_distance(box.center) > OUT_OF_HAND_M


def meant(state: SpatialState, which: Selector) -> ObjectView:
    """The thing that a phrase means; see `situ.state.candidates`."""
    found = first_meant(state, which, lambda thing: thing.likely)
    if found is None:
        raise Unanswerable(f"I have not seen {with_article(which.singular)}")
    return found.view


def rest_before(state: SpatialState, object_id: int) -> Rest | None:
    """The stay before the present one; None if the thing is not known to have been elsewhere."""
    now = state.where(object_id, state.now)
    for rest in rests(state, object_id):
        if now is None or math.dist(rest.box.center[:2], now.center[:2]) > SAME_PLACE_M:
            return rest
    return None


def last_moved(state: SpatialState, object_id: int) -> float | None:
    """When a thing came to its present place: the last time it was seen elsewhere, in hands or not."""
    now = state.where(object_id, state.now)
    if now is None:
        return None
    for time, box in _places_back(state, object_id):
        elsewhere = box is not None and math.dist(box.center[:2], now.center[:2]) > SAME_PLACE_M
        if elsewhere and time < state.now:
            return time
    return None


def _places_back(state: SpatialState, object_id: int) -> Iterator[tuple[float, Box | None]]:
    """Where a thing was when it was seen, the latest first; looked up once for all samples of a belief."""
    believed: SpatialState = getattr(state, "believed", state)
    kept = _BACK.setdefault(believed, {}).setdefault((believed.now, object_id), [])
    yield from kept
    for seen, _ in islice(_back_in_time(believed, object_id), len(kept), None):
        kept.append((seen.time, believed.where(object_id, seen.time)))
        yield kept[-1]


# For as long as the states live; places hold no state, or it would live for ever.
_RESTS: "WeakKeyDictionary[object, dict[tuple[float, int], list[Rest]]]" = WeakKeyDictionary()
_BACK: "WeakKeyDictionary[object, dict[tuple[float, int], list[tuple[float, Box | None]]]]"
_BACK = WeakKeyDictionary()


def gap_to(state: SpatialState, box: Box, anchor: Selector) -> float:
    """Metres from the middle of a box to the nearest thing that a phrase picks out."""
    found = [thing.view.box for thing in state.candidates(anchor) if thing.likely]
    return min((each.distance_to_point(box.center) for each in found), default=_FAR_M)


def frames_between(state: SpatialState, start: float, end: float) -> tuple[int, ...]:
    """The frames of a span of time, both ends included."""
    first, last = state.path.index_at(start), state.path.index_at(end)
    return tuple(range(first, last + 1))
