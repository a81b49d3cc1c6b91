"""What the wearer asks: where is it from here, how far, can I reach it, is it in view, where was it."""

import math
from dataclasses import dataclass
from typing import ClassVar

from situ.errors import Unanswerable
from situ.geometry.box import Box
from situ.geometry.heading import HERE_M, SAME_LOCATION, SECTORS, named_way
from situ.questions.about import About, OfTheNearest
from situ.questions.base import Answer, question_kind
from situ.questions.fit import ARM_M
from situ.questions.select import Selector
from situ.questions.view import NO, YES
from situ.questions.wearer import (
    WEARER_NOW,
    arm_gap,
    full_name,
    ground_gap,
    heading_now,
    last_frame,
    surely_there,
)
from situ.state.protocol import SpatialState


@question_kind
@dataclass(frozen=True)
class WhereFromHere(OfTheNearest):
    """The direction of a thing from the wearer, in eight sectors."""

    kind: ClassVar[str] = "where_from_here"
    margin_unit: ClassVar[str] = "degrees to the nearest other sector"
    min_margin: ClassVar[float] = 5.0

    @property
    def text(self) -> str:
        return f"Where is {self.name} from here?"

    @property
    def options(self) -> tuple[str, ...]:
        return (*SECTORS, SAME_LOCATION)

    def said_of(self, state: SpatialState, object_id: int, box: Box) -> Answer:
        return _direction(state, object_id, box)


@question_kind
@dataclass(frozen=True)
class WhereWas(OfTheNearest):
    """Where a thing was at an earlier time, as a direction from where the wearer is now.

    Without a `time` it is the last place before the present one.
    """

    time: float | None = None

    kind: ClassVar[str] = "where_was"
    margin_unit: ClassVar[str] = "degrees to the nearest other sector"
    min_margin: ClassVar[float] = 5.0

    @property
    def text(self) -> str:
        when = "before it was moved" if self.time is None else f"at {self.time:g} s"
        return f"Where was {self.name} {when}, from here?"

    @property
    def options(self) -> tuple[str, ...]:
        return (*SECTORS, SAME_LOCATION)

    def said_of(self, state: SpatialState, object_id: int, box: Box) -> Answer:
        before = _earlier(state, object_id) if self.time is None else state.where(object_id, self.time)
        if before is None:
            raise Unanswerable(f"where {self.name} was then is not known")
        return _direction(state, object_id, before, self.time)


@question_kind
@dataclass(frozen=True)
class DistanceFromHere(OfTheNearest):
    """Metres over the ground from the wearer to the closest point of a thing, to one decimal."""

    kind: ClassVar[str] = "distance_from_here"
    margin_unit: ClassVar[str] = "metres"
    min_margin: ClassVar[float] = 0.1

    @property
    def text(self) -> str:
        return f"How far away is {self.name}?"

    @property
    def options(self) -> tuple[str, ...]:
        return ()

    def said_of(self, state: SpatialState, object_id: int, box: Box) -> Answer:
        distance = ground_gap(state, box)
        return Answer(round(distance, 1), distance, last_frame(state, object_id), {"distance_m": distance})


@question_kind
@dataclass(frozen=True)
class CanReach(OfTheNearest):
    """Whether an arm of `reach_m` reaches a thing from where the wearer stands, without a step."""

    reach_m: float = ARM_M

    kind: ClassVar[str] = "can_reach"
    margin_unit: ClassVar[str] = "metres between the gap and the reach"
    min_margin: ClassVar[float] = 0.2

    @property
    def text(self) -> str:
        return f"Can I reach {self.name} from here without taking a step?"

    @property
    def options(self) -> tuple[str, ...]:
        return (YES, NO)

    def said_of(self, state: SpatialState, object_id: int, box: Box) -> Answer:
        spare = self.reach_m - arm_gap(state, box)
        numbers = {"distance_m": ground_gap(state, box)}
        return Answer(YES if spare > 0 else NO, abs(spare), last_frame(state, object_id), numbers)


@question_kind
@dataclass(frozen=True)
class InViewNow(About):
    """Whether a thing is in the wearer's view at this moment: seeing, not remembering."""

    kind: ClassVar[str] = "in_view_now"
    margin_unit: ClassVar[str] = "clarity of the view, 0 to 1"
    min_margin: ClassVar[float] = 0.5

    @property
    def text(self) -> str:
        return f"Can I see {self.name} right now?"

    @property
    def options(self) -> tuple[str, ...]:
        return (YES, NO)

    def answer(self, state: SpatialState) -> Answer:
        latest = state.path.index_at(state.now)
        for view in self.candidates(state):
            last = next(reversed(state.sightings(view.id)), None)
            if last is not None and last.frame == latest:
                return Answer(YES, last.clarity, (latest,), {"frame": latest})
        return Answer(NO, 1.0, (latest,), {"frame": latest})


@question_kind
@dataclass(frozen=True)
class SeenWhen(About):
    """When a thing was seen last (or first), in seconds on the recording's clock."""

    first: bool = False

    kind: ClassVar[str] = "seen_when"
    margin_unit: ClassVar[str] = "seconds"
    min_margin: ClassVar[float] = 0.0

    @property
    def text(self) -> str:
        return f"When did I {'first' if self.first else 'last'} see {self.name}?"

    @property
    def options(self) -> tuple[str, ...]:
        return ()

    def answer(self, state: SpatialState) -> Answer:
        order = iter if self.first else reversed
        found = [next(order(state.sightings(view.id)), None) for view in self.named(state)]
        moments = [sighting for sighting in found if sighting is not None]
        if not moments:
            raise Unanswerable(f"when {self.name} was seen is not on record")
        moment = (min if self.first else max)(moments, key=lambda s: s.time)
        return Answer(moment.time, 1.0, (moment.frame,), {"age_s": state.now - moment.time})


@question_kind
@dataclass(frozen=True)
class CloserToMe:
    """Which of two things is closer to the wearer."""

    first: Selector
    second: Selector

    kind: ClassVar[str] = "closer_to_me"
    frame: ClassVar[str] = WEARER_NOW
    margin_unit: ClassVar[str] = "metres between the two distances"
    min_margin: ClassVar[float] = 0.3

    @property
    def text(self) -> str:
        return f"Which is closer to me, the {self.first.singular} or the {self.second.singular}?"

    @property
    def options(self) -> tuple[str, ...]:
        return (self.first.singular, self.second.singular)

    def answer(self, state: SpatialState) -> Answer:
        one, two = (WhereFromHere(which).candidates(state)[0] for which in (self.first, self.second))
        a, b = ground_gap(state, one.box), ground_gap(state, two.box)
        frames = tuple(sorted({*last_frame(state, one.id), *last_frame(state, two.id)}))
        return Answer(self.options[int(b < a)], abs(a - b), frames, {"first_m": a, "second_m": b})


@question_kind
@dataclass(frozen=True)
class CountNow:
    """How many things of a kind are still there, as far as is known."""

    which: Selector

    kind: ClassVar[str] = "count_now"
    frame: ClassVar[str] = "everything that is believed to be there at the time of asking"
    margin_unit: ClassVar[str] = "certainty that each object counts, 0 to 1"
    min_margin: ClassVar[float] = 0.5

    @property
    def text(self) -> str:
        return f"How many {self.which.plural} are there now?"

    @property
    def options(self) -> tuple[str, ...]:
        return ()

    def answer(self, state: SpatialState) -> Answer:
        views = self.which.select(state)
        there = surely_there(state, views)
        margin = min((abs(view.presence - 0.5) * 2 for view in views), default=1.0)
        frames = tuple(sorted({frame for view in there for frame in last_frame(state, view.id)}))
        return Answer(len(there), margin, frames, {"count": len(there)})


@question_kind
@dataclass(frozen=True)
class NextTo(About):
    """The kind of thing that stands nearest to a thing."""

    kind: ClassVar[str] = "next_to"
    margin_unit: ClassVar[str] = "metres between the nearest and the next"
    min_margin: ClassVar[float] = 0.2

    @property
    def text(self) -> str:
        return f"What is next to {self.name}?"

    @property
    def options(self) -> tuple[str, ...]:
        return ()

    def answer(self, state: SpatialState) -> Answer:
        view = self.candidates(state)[0]
        x, y, _ = view.box.center
        around = sorted(
            (math.hypot(o.box.center[0] - x, o.box.center[1] - y), o.id, full_name(o))
            for o in state.objects()
            if o.id != view.id and o.presence > 0.5
        )
        if not around:
            raise Unanswerable(f"I have seen nothing else than {self.name}")
        margin = next((gap for gap, _, name in around if name != around[0][2]), math.inf) - around[0][0]
        return Answer(
            around[0][2], min(margin, 99.0), last_frame(state, view.id), {"distance_m": around[0][0]}
        )


def _direction(state: SpatialState, object_id: int, box: Box, time: float | None = None) -> Answer:
    bearing, distance, up = heading_now(state).polar(box.center)
    frames = last_frame(state if time is None else state.as_of(time), object_id)
    numbers = {"bearing_deg": bearing, "distance_m": distance, "up_m": up}
    return Answer(*named_way(bearing, distance), frames, numbers)


def _earlier(state: SpatialState, object_id: int) -> Box | None:
    """The last place in which a thing was seen before its present one."""
    now = state.where(object_id, state.now)
    for seen in reversed(state.sightings(object_id)):
        box = state.where(object_id, seen.time)
        if box is not None and now is not None and math.dist(box.center[:2], now.center[:2]) > HERE_M:
            return box
    return None
