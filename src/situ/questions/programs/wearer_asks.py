"""Asks about the wearer's own day: where they are and were, for how long, how often, and how far on foot."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar, Literal

import numpy as np

from situ.errors import Unanswerable
from situ.geometry.heading import HERE_M, named_way
from situ.geometry.path import Path
from situ.questions.programs.relations import FAIR_DEG
from situ.questions.programs.run import Result, Run, Value
from situ.questions.programs.schema import Ask, fault, operator
from situ.questions.programs.table import FAIR_LOG_ODDS, SURE
from situ.questions.programs.tallies import measured
from situ.questions.rules.listing import NOTHING, SEPARATOR
from situ.questions.rules.places import Places
from situ.questions.rules.ways import ever_walked
from situ.questions.rules.wearer import heading_now
from situ.state.diary import WithVisits
from situ.state.protocol import SpatialState
from situ.state.visit_log import Visit, VisitLog

# The middle of a place moves while more of it is walked: by so much, and by this share of its spread.
MIDDLE_M, MIDDLE_SHARE = 0.2, 0.25
STEP_M = 0.03  # less in one frame is swaying
LEFT_S = 60.0  # a place that was left longer ago is not the present one
_ABOUT_S = 1.0  # between two frames
_OF_ONE = frozenset({"been", "time_in", "times_in", "last_in", "entered", "toward"})  # these name a place
_SHOWN = 6  # visits
_UNITS = {"times_in": "", "walked": "m", "time_in": "s", "last_in": "s", "entered": "s"}


def visits(state: SpatialState) -> VisitLog:
    """The wearer's stays in named places, in order; stepping through a door for a moment is none."""
    places = Places.of(state)
    if not places:
        raise Unanswerable("I have not been told the name of any place")
    if isinstance(state, WithVisits):
        return state.visits()
    tags, times = places.tags_of(state.path.positions), state.path.times.tolist()
    return VisitLog.along(zip(tags, times, times, strict=True), state.now)


@operator
@dataclass(frozen=True)
class Me(Ask):
    """Where the wearer is, was, has been or has not, for how long and how often; and how far they walked.
    `steps` is how many places before, or before the last visit to `place`; `last` takes the last visit
    alone."""

    tag: ClassVar[str] = "me"

    what: Literal[
        "place_at", "before", "places", "unvisited", "walked", "toward",
        "been", "time_in", "times_in", "last_in", "entered", "longest",
    ]  # fmt: skip
    place: str | None = None
    since: float | None = None
    until: float | None = None
    at: float | None = None
    while_: str | None = None
    steps: int = 1
    last: bool = False

    def checked(self, place: str) -> None:
        if self.what in _OF_ONE and self.place is None:
            raise fault(place, f"'{self.what}' needs 'place', the name of one")

    def answer(self, run: Run) -> Result:
        if self.what == "walked":
            return self._walked(run)
        if self.what == "toward":
            return self._toward(run)
        if self.what == "place_at" and self.at is None:
            return self._here(run)
        log = visits(run.table.state)
        if self.what == "place_at":
            return self._at(run, log, float(self.at or 0.0))
        if self.what == "before":
            return self._before(run, log)
        begin, end = self._span(run)
        found = [visit for visit in log if visit.end > begin and visit.start <= end]
        if self.what == "longest":
            return self._longest(run, found, begin, end)
        if self.what == "places":
            names = list(dict.fromkeys(visit.tag for visit in found))
            return self._told(run, SEPARATOR.join(names) or NOTHING, found, {"count": len(names)})
        if self.what == "unvisited":
            names = sorted({node.tag for node in run.table.places.nodes} - {visit.tag for visit in log})
            return self._told(run, SEPARATOR.join(names) or NOTHING, (), {"count": len(names)})
        run.table.places.called(str(self.place), run.table.state)
        return self._of_one(run, [visit for visit in found if visit.tag == self.place], begin, end)

    def _span(self, run: Run) -> tuple[float, float]:
        now = run.table.now
        return -math.inf if self.since is None else self.since, now if self.until is None else min(
            self.until, now
        )

    def _walked(self, run: Run) -> Result:
        path, (begin, end) = ever_walked(run.table.state), self._span(run)
        frames = (path.first_frame, path.first_frame + len(path) - 1)
        metres = [self._along(path, begin, end, run.table.now) for path in run.table.paths]
        if len(metres) > 1:  # as long as the path may have been
            found = measured(run, np.array(metres))
            numbers, odds = {"distance_m": found.value}, found.odds
            return Result(
                "me", found.value, odds, found.confidence, SURE, frames, (), numbers, self.what, "m",
                interval=found.interval,
            )  # fmt: skip
        value, numbers = round(metres[0], 1), {"distance_m": metres[0]}
        return Result("me", value, {str(value): 1.0}, 1.0, SURE, frames, (), numbers, self.what, "m")

    @staticmethod
    def _along(path: Path, begin: float, end: float, now: float) -> float:
        return path.walked(begin, STEP_M) - (path.walked(end, STEP_M) if end < now else 0.0)

    def _here(self, run: Run) -> Result:
        places, path = run.table.places, run.table.state.path
        if not len(path) or not places:
            raise Unanswerable("I have not been told the name of any place")
        here = places.locate(path.heading_at(run.table.now).position)
        if here.place[0] < 0:
            raise Unanswerable("you are in no place that I know the name of")
        margin, tag = float(here.margin_of_name[0]), places.nodes[int(here.place[0])].tag
        frames, numbers = (path.index_at(run.table.now),), {"log_odds": margin}
        return Result("me", tag, {tag: 1.0}, 1.0, margin / FAIR_LOG_ODDS, frames, (), numbers, self.what)

    def _toward(self, run: Run) -> Result:
        """The direction of a place. Its middle is that of the spots walked so far, and moves while more of
        it is walked."""
        state, places = run.table.state, run.table.places
        place = places.nodes[places.called(str(self.place), state)[0]]
        here = heading_now(state)
        bearing, distance, _ = here.polar(place.mean)
        value, margin = named_way(bearing, distance)
        spots = run.table.as_walked(
            np.asarray(place.mean, float), place.last
        )  # where it is if the path is off
        ways = [named_way(*here.polar(spot)[:2])[0] for spot in spots.tolist()]
        spread = float(np.sqrt(np.trace(np.asarray(place.covariance)[:2, :2])))
        sigma = MIDDLE_M + MIDDLE_SHARE * spread
        sure = 0.5 * (1.0 + math.erf((HERE_M - distance) / (sigma * math.sqrt(2.0))))
        if distance >= HERE_M:
            aside = math.degrees(math.atan2(sigma, distance))
            sure = (1.0 - sure) * 0.5 * (1.0 + math.erf(margin / (aside * math.sqrt(2.0))))
        sure *= ways.count(value) / len(ways)
        numbers = {"bearing_deg": bearing, "distance_m": distance}
        return Result("me", value, {value: sure}, sure, margin / FAIR_DEG, (), (), numbers, self.what)

    def _at(self, run: Run, log: VisitLog, at: float) -> Result:
        path = run.table.state.path
        if not len(path) or at < path.start - _ABOUT_S:
            raise Unanswerable("that was before I began to watch")
        last = log.begun_by(at + _ABOUT_S)
        if last is None:
            raise Unanswerable("you were in no place that I know the name of")
        margin = min(at - last.start, max(last.end - at, 0.0)) / _ABOUT_S
        frames, numbers = (path.index_at(at),), {"left_s": max(0.0, at - last.end)}
        return Result("me", last.tag, {last.tag: 1.0}, 1.0, margin, frames, (), numbers, self.what)

    def _before(self, run: Run, log: VisitLog) -> Result:
        # The latest first; of visits to one place that follow each other, the first.
        stays = [next(of_one) for _, of_one in groupby(log, key=lambda visit: visit.tag)][::-1]
        inside = bool(len(log)) and log[len(log) - 1].end >= run.table.now - LEFT_S
        k = self.steps - 1 + inside
        if self.place is not None:
            visit = next((k for k, stay in enumerate(stays) if stay.tag == self.place), None)
            if visit is None:
                raise Unanswerable(f"you have not been in the {self.place}")
            k = visit + self.steps
        if k >= len(stays):
            raise Unanswerable("you have not been in another place before, as far as I know")
        return self._told(run, stays[k].tag, stays[k : k + 1], {"age_s": run.table.now - stays[k].end})

    def _longest(self, run: Run, found: Sequence[Visit], begin: float, end: float) -> Result:
        """The place of the longest visit."""
        if not found:
            raise Unanswerable("you have been in no place that I know the name of")
        longest = max(found, key=lambda visit: min(visit.end, end) - max(visit.start, begin))
        seconds = min(longest.end, end) - max(longest.start, begin)
        ago = {"seconds": seconds, "age_s": run.table.now - longest.end}
        return self._told(run, longest.tag, [longest], ago)

    def _of_one(self, run: Run, found: Sequence[Visit], begin: float, end: float) -> Result:
        count: dict[str, float] = {"count": len(found)}
        if self.what == "been":
            age = {"age_s": run.table.now - found[-1].end} if found else {}
            return self._told(run, "yes" if found else "no", found, count | age)
        if self.what == "times_in":
            return self._told(run, len(found), found, count)
        if self.what == "time_in":
            chosen = found[-1:] if self.last else found
            seconds = sum(min(visit.end, end) - max(visit.start, begin) for visit in chosen)
            return self._told(run, round(seconds, 1), chosen, {"seconds": seconds, "visits": len(found)})
        if not found:
            raise Unanswerable(f"you have not been in the {self.place}")
        moment = found[-1].start if self.what == "entered" else found[-1].end
        still = float(found[-1].end >= run.table.now)
        return self._told(run, moment, found[-1:], {"age_s": run.table.now - moment, "still": still})

    def _told(self, run: Run, value: Value, shown: Sequence[Visit], numbers: dict[str, float]) -> Result:
        index = run.table.state.path.index_at
        frames = tuple(sorted({index(visit.start) for visit in shown[-_SHOWN:]}))
        unit, odds = _UNITS.get(self.what, ""), {str(value): 1.0}
        return Result("me", value, odds, 1.0, SURE, frames, (), numbers, self.what, unit)
