"""Things as the wearer has them: where from here, how far, seen when, and by what name."""

import math
from weakref import WeakKeyDictionary

from situ.errors import Unanswerable
from situ.geometry.box import Box
from situ.geometry.heading import Heading
from situ.questions.select import Selector
from situ.state.protocol import NO_ADJECTIVES, Called, SpatialState

LOWEST_M, HIGHEST_M = 0.0, 2.1  # what an arm reaches without climbing
WEARER_NOW = "the wearer's heading and place at the time of asking; only yaw counts"


def heading_now(state: SpatialState) -> Heading:
    known = _HEADINGS.get(state)  # samples of belief ask for it again and again
    if known is not None and known[0] == state.now:
        return known[1]
    if not len(state.path):
        raise Unanswerable("I have not seen anything yet")
    heading = state.path.heading_at(state.now)
    _HEADINGS[state] = state.now, heading
    return heading


_HEADINGS: "WeakKeyDictionary[object, tuple[float, Heading]]" = WeakKeyDictionary()


def full_name(view: Called) -> str:
    """The name of an object with its adjectives: "red wooden chair"."""
    if not view.attributes:
        return view.category or Selector().singular
    adjectives = {key: value for key, value in view.attributes.items() if key not in NO_ADJECTIVES}
    return Selector.make(view.category, adjectives).singular


def gap_from(here: Heading, box: Box) -> float:
    """Metres over the ground from somewhere to the closest point of a box."""
    if box.yaw_deg == 0.0:  # the same without arrays, which take long
        east = max(0.0, abs(here.x - box.center[0]) - box.size[0] / 2)
        north = max(0.0, abs(here.y - box.center[1]) - box.size[1] / 2)
        return math.hypot(east, north)
    x, y, z = box.closest_point((here.x, here.y, box.center[2])).tolist()
    return here.ground_distance((x, y, z))


def arm_gap(here: Heading, box: Box) -> float:
    """Metres that an arm has to bridge from where the wearer stands to a box, too high or low included."""
    return math.hypot(gap_from(here, box), max(0.0, box.bottom - HIGHEST_M, LOWEST_M - box.top))


def last_frame(state: SpatialState, object_id: int) -> tuple[int, ...]:
    """The last frame that shows an object."""
    sightings = state.sightings(object_id)
    return (sightings[-1].frame,) if sightings else ()
