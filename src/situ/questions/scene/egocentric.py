"""What the wearer asks: where is it from here, how far, can I reach it, is it in view, where was it."""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from situ.errors import Unanswerable
from situ.geometry.box import Box
from situ.geometry.heading import HERE_M, SAME_LOCATION, SECTORS, Heading, named_way
from situ.questions.base import Answer, question_kind
from situ.questions.rules.about import About, FromHere, OfTheOneMeant
from situ.questions.rules.tally import Tally, first_shares, surest
from situ.questions.rules.things import OfThings
from situ.questions.rules.wearer import (
    WEARER_NOW,
    arm_gap,
    full_name,
    gap_from,
    heading_now,
    last_frame,
    last_frames,
    last_frames_of,
)
from situ.questions.scene.counting import certainty, ids
from situ.questions.scene.fit import ARM_M
from situ.questions.scene.view import NO, YES
from situ.questions.select import Selector
from situ.state.candidates import Searchable, candidates_near
from situ.state.protocol import LIKELY, Candidate, ObjectView, SpatialState

_NEIGHBOURS = 5  # so many things around one are enough to find the nearest, wherever exactly they are


@question_kind
@dataclass(frozen=True)
class WhereFromHere(FromHere):
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

    def said_from(self, here: Heading, thing: Candidate, box: Box) -> Answer:
        return _direction(here, thing, box, thing.last_shown)


@question_kind
@dataclass(frozen=True)
class WhereWas(OfTheOneMeant):
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

    def said_of(self, state: SpatialState, thing: Candidate, box: Box) -> Answer:
        before = _earlier(state, thing.id) if self.time is None else state.where(thing.id, self.time)
        if before is None:
            raise Unanswerable(f"where {self.name} was then is not known")
        frames = thing.last_shown if self.time is None else last_frame(state.as_of(self.time), thing.id)
        return _direction(heading_now(state), thing, before, frames)


@question_kind
@dataclass(frozen=True)
class DistanceFromHere(FromHere):
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

    def said_from(self, here: Heading, thing: Candidate, box: Box) -> Answer:
        distance = gap_from(here, box)
        numbers = {"distance_m": distance}
        return Answer(round(distance, 1), distance, thing.last_shown, numbers, (thing.id,))


@question_kind
@dataclass(frozen=True)
class CanReach(FromHere):
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

    def said_from(self, here: Heading, thing: Candidate, box: Box) -> Answer:
        spare = self.reach_m - arm_gap(here, box)
        numbers = {"distance_m": gap_from(here, box)}
        return Answer(YES if spare > 0 else NO, abs(spare), thing.last_shown, numbers, (thing.id,))


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
        things = [*self.left(state), *(c for c in self.found(state) if not c.likely)]
        seen = [thing for thing in things if thing.in_view(latest)]
        unseen = math.prod(1.0 - thing.chance for thing in seen)
        odds, numbers = {YES: 1.0 - unseen, NO: unseen}, {"frame": latest}
        if seen and unseen < LIKELY:
            clarity = max(thing.last.clarity for thing in seen if thing.last is not None)
            about = tuple(thing.id for thing in seen)
            return Answer(YES, clarity, (latest,), numbers, about, odds)
        return Answer(NO, 1.0, (latest,), numbers, tuple(thing.id for thing in things[:1]), odds)


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
        self.named(state)
        ends = [(next(iter(c.seen), None) if self.first else c.last, c) for c in self.found(state)]
        moments = [(end, thing) for end, thing in ends if end is not None]
        if not moments:
            raise Unanswerable(f"when {self.name} was seen is not on record")
        moments.sort(key=lambda pair: pair[0].time if self.first else -pair[0].time)
        shares = first_shares([thing.chance for _, thing in moments])
        best = max(range(len(shares)), key=lambda k: shares[k])
        odds: dict[str, float] = defaultdict(float)
        for (end, _), share in zip(moments, shares, strict=True):
            odds[str(end.time)] += share
        moment, thing = moments[best]
        numbers = {"age_s": state.now - moment.time}
        return Answer(moment.time, 1.0, (moment.frame,), numbers, (thing.id,), odds)


@question_kind
@dataclass(frozen=True)
class CloserToMe(OfThings):
    """Which of two things is closer to the wearer."""

    first: Selector
    second: Selector

    kind: ClassVar[str] = "closer_to_me"
    frame: ClassVar[str] = WEARER_NOW
    where_now: ClassVar[bool] = True
    margin_unit: ClassVar[str] = "metres between the two distances"
    min_margin: ClassVar[float] = 0.3

    @property
    def text(self) -> str:
        return f"Which is closer to me, the {self.first.singular} or the {self.second.singular}?"

    @property
    def options(self) -> tuple[str, ...]:
        return (self.first.singular, self.second.singular)

    @property
    def phrases(self) -> tuple[Selector, ...]:
        return self.first, self.second

    def answer(self, state: SpatialState) -> Answer:
        each = (WhereFromHere(which) for which in self.phrases)
        found = [(question.meant(state).view, question) for question in each]
        return self.said_of_things(state, [replace(v, box=q.box(state, v.id)) for v, q in found])

    def said_of_things(self, state: SpatialState, things: Sequence[ObjectView]) -> Answer:
        here = heading_now(state)
        a, b = gap_from(here, things[0].box), gap_from(here, things[1].box)
        about = things[0].id, things[1].id
        frames = last_frames_of(state, about)
        numbers = {"first_m": a, "second_m": b}
        value = (self.second if b < a else self.first).singular
        return Answer(value, abs(a - b), frames, numbers, about)


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
        found = state.candidates(self.which)
        chances = [thing.chance * thing.remains for thing in found]
        tally = Tally(chances)
        there = surest(found, chances, tally.value)
        frames, numbers = last_frames(there), {"count": tally.value}
        return Answer(tally.value, certainty(found), frames, numbers, ids(there), tally.odds)


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
        thing = self.meant(state)
        box = self.place(state, thing)
        x, y, _ = box.center
        around = [o for o in self.around(state, box) if o.id != thing.id and o.left and o.there > 0.0]
        if not around:
            raise Unanswerable(f"I have seen nothing else than {self.name}")
        around.sort(key=lambda other: other.id)
        gaps = [math.hypot(o.view.box.center[0] - x, o.view.box.center[1] - y) for o in around]
        names = [full_name(o.view) for o in around]
        nearest, margins = nearest_and_next(np.array([gaps]), names)
        k = int(nearest[0])
        return self.said_of(thing, around[k].id, names[k], gaps[k], float(margins[0]))

    @staticmethod
    def said_of(thing: Candidate, other: int, name: str, gap: float, margin: float) -> Answer:
        """The answer if something of a name is nearest to a thing."""
        about, numbers = (thing.id, other), {"distance_m": gap}
        return Answer(name, min(margin, 99.0), thing.last_shown, numbers, about)

    @staticmethod
    def around(state: SpatialState, box: Box) -> Sequence[Candidate]:
        """What stands around a box: as far as it takes to find a few things, or all that there is."""
        if not isinstance(state, Searchable):
            return state.candidates(Selector())
        found: Sequence[Candidate] = ()
        for radius in (1.0, 2.0, 4.0, 8.0, math.inf):
            found = candidates_near(state, Selector(), box.center, radius)
            if len(found) > _NEIGHBOURS:
                break
        return found


def nearest_and_next(
    gaps: NDArray[np.float64], names: Sequence[str]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """In each row of gaps to things by id: which is nearest, and by how much the nearest of another name is
    farther off. What is infinitely far is not there."""
    numbers = {name: k for k, name in enumerate(dict.fromkeys(names))}
    kinds = np.array([numbers[name] for name in names])
    nearest = gaps.argmin(axis=1)
    others = np.where(kinds == kinds[nearest][:, None], np.inf, gaps)
    least = gaps[np.arange(len(gaps)), nearest]
    margins = others.min(axis=1) - np.where(np.isfinite(least), least, 0.0)
    return nearest, margins


def _direction(here: Heading, thing: Candidate, box: Box, frames: tuple[int, ...]) -> Answer:
    bearing, distance, up = here.polar(box.center)
    numbers = {"bearing_deg": bearing, "distance_m": distance, "up_m": up}
    return Answer(*named_way(bearing, distance), frames, numbers, (thing.id,))


def _earlier(state: SpatialState, object_id: int) -> Box | None:
    """The last place in which a thing was seen before its present one."""
    now = state.where(object_id, state.now)
    for seen in reversed(state.sightings(object_id)):
        box = state.where(object_id, seen.time)
        if box is not None and now is not None and math.dist(box.center[:2], now.center[:2]) > HERE_M:
            return box
    return None
