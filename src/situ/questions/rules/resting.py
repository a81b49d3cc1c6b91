"""Where a thing has rested: its places one after the other, without the time in the wearer's hands."""

import math
from collections.abc import Iterator, Sequence
from weakref import WeakKeyDictionary

from situ.errors import Unanswerable
from situ.geometry.box import Box
from situ.questions.rules.rest_walk import SAME_PLACE_M, Look, Rest, looks_back
from situ.questions.rules.rest_walk import rests as rests_of
from situ.questions.select import Selector, with_article
from situ.state.candidates import first_meant
from situ.state.protocol import ObjectView, SpatialState

_FAR_M = 99.0


def rests(state: SpatialState, object_id: int) -> Iterator[Rest]:
    """The places where an object rested, the latest first; looked up once for all worlds of a belief."""
    if not state.sightings(object_id):
        return iter(())
    believed: SpatialState = getattr(state, "believed", state)
    kept = _RESTS.setdefault(believed, {})
    if (believed.now, object_id) not in kept:
        kept[believed.now, object_id] = list(rests_of(believed, object_id))
    return iter(kept[believed.now, object_id])


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
    for look in _places_back(state, object_id):
        elsewhere = look.box is not None and math.dist(look.box.center[:2], now.center[:2]) > SAME_PLACE_M
        if elsewhere and look.time < state.now:
            return look.time
    return None


def _places_back(state: SpatialState, object_id: int) -> Sequence[Look]:
    """Where an object was when it was seen, the latest first; looked up once for all worlds of a belief."""
    believed: SpatialState = getattr(state, "believed", state)
    kept = _BACK.setdefault(believed, {})
    if (believed.now, object_id) not in kept:
        kept[believed.now, object_id] = list(looks_back(believed, object_id))
    return kept[believed.now, object_id]


# For as long as the states live; places hold no state, or it would live for ever.
_RESTS: "WeakKeyDictionary[object, dict[tuple[float, int], list[Rest]]]" = WeakKeyDictionary()
_BACK: "WeakKeyDictionary[object, dict[tuple[float, int], list[Look]]]" = WeakKeyDictionary()


def gap_to(state: SpatialState, box: Box, anchor: Selector) -> float:
    """Metres from the middle of a box to the nearest thing that a phrase picks out."""
    return gap_from(picked_out(state, anchor), box)


def picked_out(state: SpatialState, anchor: Selector) -> list[Box]:
    """The boxes of the things that a phrase picks out, for who asks for the gap to them again and again."""
    return [thing.view.box for thing in state.candidates(anchor) if thing.likely]


def gap_from(anchors: Sequence[Box], box: Box) -> float:
    """Metres from the nearest of some boxes to the middle of another."""
    return min((each.distance_to_point(box.center) for each in anchors), default=_FAR_M)


def frames_between(state: SpatialState, start: float, end: float) -> tuple[int, ...]:
    """The frames of a span of time, both ends included."""
    first, last = state.path.index_at(start), state.path.index_at(end)
    return tuple(range(first, last + 1))
