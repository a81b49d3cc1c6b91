"""The wearer's own day: which places, for how long, how often, and how far on foot."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import ClassVar

from situ.errors import Unanswerable
from situ.questions.base import Answer, question_kind
from situ.questions.rules.listing import SEPARATOR
from situ.questions.rules.moves import begin, sure_of
from situ.questions.rules.places import Places
from situ.questions.rules.ways import ever_walked
from situ.questions.scene.view import NO, YES
from situ.state.diary import WithVisits
from situ.state.protocol import SpatialState
from situ.state.visit_log import Visit, VisitLog

_FRAME = "the places that the wearer was told the names of, along the path"
STEP_M = 0.03  # less in one frame is swaying
HERE_M = 1.5
LEFT_S = 60.0
_SHOWN = 6  # visits


def visits(state: SpatialState) -> VisitLog:
    """The wearer's stays in named places, in order; stepping through a door for a moment is none."""
    places = Places.of(state)
    if not places:
        raise Unanswerable("I have not been told the name of any place")
    if isinstance(state, WithVisits):
        return state.visits()
    tags, times = places.tags_of(state.path.positions), state.path.times.tolist()
    return VisitLog.along(zip(tags, times, times, strict=True), state.now)


@dataclass(frozen=True)
class _OfVisits:
    frame: ClassVar[str] = _FRAME
    margin_unit: ClassVar[str] = "seconds"
    min_margin: ClassVar[float] = 0.0

    @property
    def options(self) -> tuple[str, ...]:
        return ()


@dataclass(frozen=True)
class _OfOne(_OfVisits):
    place: str

    def found(self, state: SpatialState) -> list[Visit]:
        every = visits(state)
        if not any(place.tag == self.place for place in Places.of(state).nodes):
            raise Unanswerable(f"I do not know a place called {self.place}")
        return every.of(self.place)


def _frames(state: SpatialState, found: Sequence[Visit]) -> tuple[int, ...]:
    return tuple(sorted({state.path.index_at(visit.start) for visit in found[-_SHOWN:]}))


@question_kind
@dataclass(frozen=True)
class TimeIn(_OfOne):
    """For how many seconds the wearer was in a place, all visits together or the last one alone."""

    last: bool = False
    since: float | None = None

    kind: ClassVar[str] = "time_in"

    @property
    def text(self) -> str:
        return f"How long was I in the {self.place}{' the last time' if self.last else ''}?"

    def answer(self, state: SpatialState) -> Answer:
        found = [visit for visit in self.found(state) if visit.end > begin(self.since)]
        chosen = found[-1:] if self.last else found
        total = sum(visit.end - max(visit.start, begin(self.since)) for visit in chosen)
        return _certain(
            Answer(round(total, 1), 1.0, _frames(state, chosen), {"seconds": total, "visits": len(found)})
        )


@question_kind
@dataclass(frozen=True)
class Visits(_OfOne):
    """How many times the wearer was in a place."""

    since: float | None = None

    kind: ClassVar[str] = "visits"

    @property
    def text(self) -> str:
        return f"How many times was I in the {self.place}?"

    def answer(self, state: SpatialState) -> Answer:
        found = [visit for visit in self.found(state) if visit.end > begin(self.since)]
        return _certain(Answer(len(found), 1.0, _frames(state, found), {"count": len(found)}))


@question_kind
@dataclass(frozen=True)
class BeenTo(_OfOne):
    """Whether the wearer was in a place, since a time."""

    since: float | None = None

    kind: ClassVar[str] = "been_to"

    @property
    def text(self) -> str:
        return f"Have I been in the {self.place}?"

    @property
    def options(self) -> tuple[str, ...]:
        return (YES, NO)

    def answer(self, state: SpatialState) -> Answer:
        found = [visit for visit in self.found(state) if visit.end > begin(self.since)]
        numbers: dict[str, float] = {"count": len(found)}
        if found:
            numbers["age_s"] = state.now - found[-1].end
        return _certain(Answer(YES if found else NO, 1.0, _frames(state, found), numbers))


@question_kind
@dataclass(frozen=True)
class LastIn(_OfOne):
    """When the wearer last came into a place, or left it."""

    entered: bool = False

    kind: ClassVar[str] = "last_in"

    @property
    def text(self) -> str:
        return f"When did I {'enter' if self.entered else 'leave'} the {self.place}?"

    def answer(self, state: SpatialState) -> Answer:
        found = self.found(state)
        if not found:
            raise Unanswerable(f"you have not been in the {self.place}")
        moment = found[-1].start if self.entered else found[-1].end
        numbers = {"age_s": state.now - moment, "still": float(found[-1].end >= state.now)}
        return _certain(Answer(moment, 1.0, _frames(state, found[-1:]), numbers))


@question_kind
@dataclass(frozen=True)
class WhereWasI(_OfVisits):
    """The place in which the wearer was at a time."""

    time: float

    kind: ClassVar[str] = "where_was_i"

    @property
    def text(self) -> str:
        return f"Where was I at {self.time:g} s?"

    def answer(self, state: SpatialState) -> Answer:
        if self.time < state.path.start - 1.0 or not len(state.path):
            raise Unanswerable("that was before I began to watch")
        last = visits(state).begun_by(self.time + 1.0)
        if last is None:
            raise Unanswerable("you were in no place that I know the name of")
        numbers = {"left_s": max(0.0, self.time - last.end)}
        margin = min(self.time - last.start, max(last.end - self.time, 0.0))
        return _certain(Answer(last.tag, margin, (state.path.index_at(self.time),), numbers))


@question_kind
@dataclass(frozen=True)
class PlaceBefore(_OfVisits):
    """The place in which the wearer was before this one."""

    steps: int = 1

    kind: ClassVar[str] = "place_before"

    @property
    def text(self) -> str:
        return "Where was I before this?"

    def answer(self, state: SpatialState) -> Answer:
        changes = _changes(visits(state))
        latest = next(changes, None)
        here = 1 if latest is not None and latest.end >= state.now - LEFT_S else 0
        visit = next(islice(changes, self.steps - 2 + here, None), None) if self.steps + here > 1 else latest
        if visit is None:
            raise Unanswerable("I know of no place where you were before")
        numbers = {"age_s": state.now - visit.end}
        return _certain(Answer(visit.tag, 1.0, _frames(state, [visit]), numbers))


@question_kind
@dataclass(frozen=True)
class PlacesVisited(_OfVisits):
    """The places in which the wearer was since a time, in the order of the first visit."""

    since: float | None = None

    kind: ClassVar[str] = "places_visited"

    @property
    def text(self) -> str:
        return "Which rooms have I been in?"

    def answer(self, state: SpatialState) -> Answer:
        log = visits(state)
        tags = log.tags_since(begin(self.since))
        if not tags:
            raise Unanswerable("you were in no place that I know the name of")
        words = SEPARATOR.join(f"the {tag}" for tag in tags)
        latest = [visit for visit in log[-_SHOWN:] if visit.end > begin(self.since)]
        return _certain(Answer(words, 1.0, _frames(state, latest), {"count": len(tags)}))


@question_kind
@dataclass(frozen=True)
class BeenHere(_OfVisits):
    """Whether the wearer was at this very spot before, and had left it in between."""

    kind: ClassVar[str] = "been_here"
    frame: ClassVar[str] = "the ground, where the wearer stands"
    margin_unit: ClassVar[str] = "metres between the nearest earlier spot and the limit"
    min_margin: ClassVar[float] = 0.3

    @property
    def text(self) -> str:
        return "Have I been here before?"

    @property
    def options(self) -> tuple[str, ...]:
        return (YES, NO)

    def answer(self, state: SpatialState) -> Answer:
        path = ever_walked(state)
        before = path.came_by(HERE_M, 2 * HERE_M)
        if before is None:
            return _certain(Answer(NO, 1.0, (path.first_frame + len(path) - 1,), {}))
        numbers = {"age_s": state.now - before.time}
        value = YES if before.gap_m <= HERE_M else NO
        return _certain(Answer(value, abs(before.gap_m - HERE_M), (before.frame,), numbers))


@question_kind
@dataclass(frozen=True)
class DistanceWalked(_OfVisits):
    """Metres that the wearer walked since a time."""

    since: float | None = None

    kind: ClassVar[str] = "distance_walked"
    frame: ClassVar[str] = "the ground"
    margin_unit: ClassVar[str] = "metres"

    @property
    def text(self) -> str:
        return "How far have I walked?"

    def answer(self, state: SpatialState) -> Answer:
        path = ever_walked(state)
        metres = path.walked(begin(self.since), STEP_M)
        return _certain(Answer(round(metres, 1), metres, (0, len(path) - 1), {"walked_m": metres}))


def _changes(log: VisitLog) -> Iterator[Visit]:
    """The latest first; of visits to one place that follow each other, the first."""
    for k in range(len(log) - 1, -1, -1):
        if k == 0 or log[k - 1].tag != log[k].tag:
            yield log[k]


def _certain(answer: Answer) -> Answer:
    """Where the wearer was is not in doubt, as far as it is known at all."""
    return replace(answer, odds=sure_of(answer.value, 1.0))
