"""Where one thing is relative to another that is never in view together with it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar
from weakref import WeakKeyDictionary

from situ.errors import BadInput, Unanswerable
from situ.geometry.box import Box
from situ.geometry.heading import Heading
from situ.questions.base import Answer, question_kind
from situ.questions.rules.things import OfThings
from situ.questions.select import Selector
from situ.state.protocol import ObjectView, Sighting, SpatialState
from situ.state.sightings import in_frames

SIDE, DEPTH, HEIGHT = "side", "depth", "height"
# The names of an axis's negative and positive direction in the anchor's camera axes.
ENDS = {SIDE: ("left", "right"), DEPTH: ("in front", "behind"), HEIGHT: ("above", "below")}
_COLUMN = {SIDE: 0, DEPTH: 2, HEIGHT: 1}  # of the camera's axes
_LATEST = 4  # sightings that a belief goes by: places are remembered as they were seen last
LEAST_SLOPE = 0.27  # the thing must be at least 15 degrees off the plane between the two answers


# Headings from which a thing was seen with an axis of the camera, and frames that show it.
_Seen = tuple[list[tuple[Heading, list[float]]], tuple[int, ...]]
_OF_STATES: "WeakKeyDictionary[object, dict[tuple[object, ...], _Seen]]" = WeakKeyDictionary()


@question_kind
@dataclass(frozen=True)
class PairRelation(OfThings):
    """On which side of `anchor` a thing lies, for the camera in the frames that show the anchor.

    `axis` "side" asks left or right, "depth" in front (nearer to the camera) or behind, "height" above or
    below. `frames` are those that the question is about; all where none are given.
    """

    thing: Selector
    anchor: Selector
    axis: str = SIDE
    frames: tuple[int, ...] = ()

    kind: ClassVar[str] = "pair_relation"
    frame: ClassVar[str] = (
        "the camera's axes in the frames that show the anchor, moved to the anchor's centre"
    )
    margin_unit: ClassVar[str] = "metres along the axis; 0 where people would not agree"
    min_margin: ClassVar[float] = 0.4

    def __post_init__(self) -> None:
        if self.axis not in ENDS:
            raise BadInput(f"the axis must be one of {', '.join(ENDS)}, got {self.axis!r}")

    @property
    def text(self) -> str:
        thing, anchor = self.thing.singular, self.anchor.singular
        if self.axis == HEIGHT:
            return f"Is the {thing} above or below the {anchor}?"
        view = f"From the camera's point of view when it sees the {anchor}, is the {thing}"
        if self.axis == SIDE:
            return f"{view} to the left or to the right of it?"
        return f"{view} in front of it (nearer to the camera) or behind it (farther away)?"

    @property
    def options(self) -> tuple[str, ...]:
        return ENDS[self.axis]

    @property
    def phrases(self) -> tuple[Selector, ...]:
        return self.thing, self.anchor

    def said_of_things(self, state: SpatialState, things: Sequence[ObjectView]) -> Answer:
        thing, anchor = things
        seen, evidence = self._seen(state, thing.id, anchor.id)
        if not seen:
            raise Unanswerable(f"the {self.anchor.singular} is in none of the frames")
        (x, y, z), (u, v, w) = thing.box.center, anchor.box.center
        offset = x - u, y - v, z - w
        readings = [reading for here, axis in seen for reading in self._readings(here, axis, offset)]
        value = ENDS[self.axis][int(readings[0] > 0)]
        agreed = len({reading > 0 for reading in readings}) == 1
        least = min(abs(reading) for reading in readings)
        flat = math.hypot(*offset) or 1.0
        margin = least if agreed and self._clearly_apart(thing.box, anchor.box, least / flat) else 0.0
        numbers = {"offset_m": readings[0], "distance_m": flat}
        return Answer(value, margin, evidence, numbers, (thing.id, anchor.id))

    def _clearly_apart(self, thing: Box, anchor: Box, slope: float) -> bool:
        """Whether people would agree: off the plane between the answers, or wholly above or below."""
        if self.axis == HEIGHT:
            return thing.bottom >= anchor.top or thing.top <= anchor.bottom
        return slope >= LEAST_SLOPE

    def _seen(self, state: SpatialState, thing: int, anchor: int) -> _Seen:
        """From where the anchor was seen, and frames that show the two."""
        known = _OF_STATES.setdefault(state, {})  # all samples of a belief ask for the same
        key = (state.now, self.axis, self.frames, thing, anchor)
        if key not in known:
            times = [sighting.time for sighting in sightings_in(state, anchor, self.frames)]
            path, column = state.path, _COLUMN[self.axis]
            seen = [(path.heading_at(time), path.pose_at(time)[:3, column].tolist()) for time in times]
            known[key] = seen, _one_of_each(state, (thing, anchor), self.frames)
        return known[key]

    def _readings(
        self, here: Heading, axis: Sequence[float], offset: tuple[float, float, float]
    ) -> tuple[float, float]:
        """The offset along the axis in the camera's own axes, and in those of a level head.

        A nod must not turn the answer: where the two differ, the question is not fair.
        """
        own = sum(a * b for a, b in zip(axis, offset, strict=True))
        right, ahead, up = here.local((here.x + offset[0], here.y + offset[1], here.z + offset[2]))
        return own, {SIDE: right, DEPTH: ahead, HEIGHT: -up}[self.axis]


def sightings_in(state: SpatialState, object_id: int, frames: Sequence[int]) -> tuple[Sighting, ...]:
    """The sightings of an object in some frames, or in all if none are named; of a belief, the latest few."""
    seen = state.sightings(object_id)
    if frames:
        return tuple(in_frames(seen, frames))
    return tuple(seen) if state.strict else tuple(islice(reversed(seen), _LATEST))[::-1]


def _one_of_each(state: SpatialState, ids: Sequence[int], frames: Sequence[int]) -> tuple[int, ...]:
    """The first frame that shows each object clearly."""
    found = set()
    for object_id in ids:
        clear = [s.frame for s in sightings_in(state, object_id, frames) if s.clarity == 1.0]
        found.update(clear[:1])
    return tuple(sorted(found))
