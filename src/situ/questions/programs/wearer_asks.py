"""Asks about the wearer's own day: where they are and were, for how long, how often, and how far on foot."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from situ.errors import Unanswerable
from situ.questions.programs.run import Result, Run, Value
from situ.questions.programs.schema import Ask, fault, operator
from situ.questions.programs.table import SURE
from situ.questions.rules.listing import NOTHING, SEPARATOR
from situ.state.visit_log import Visit

STEP_M = 0.03  # less in one frame is swaying
_OF_ONE = frozenset({"been", "time_in", "times_in", "last_in"})  # these name a place
_SHOWN = 6  # visits
_FAIR = {"times_in": "", "walked": "m", "time_in": "s", "last_in": "s"}


@operator
@dataclass(frozen=True)
class Me(Ask):
    """Where the wearer is, was, has been or has not, for how long and how often; and how far they walked."""

    tag: ClassVar[str] = "me"

    what: Literal[
        "place_at", "before", "places", "unvisited", "walked", "been", "time_in", "times_in", "last_in"
    ]
    place: str | None = None
    since: float | None = None
    until: float | None = None
    at: float | None = None
    while_: str | None = None

    def checked(self, place: str) -> None:
        if self.what in _OF_ONE and self.place is None:
            raise fault(place, f"'{self.what}' needs 'place', the name of one")

    def answer(self, run: Run) -> Result:
        begin = -math.inf if self.since is None else self.since
        end = run.table.now if self.until is None else min(self.until, run.table.now)
        if self.what == "walked":
            path = run.table.state.path
            if not len(path):
                raise Unanswerable("I have not seen anything yet")
            metres = path.walked(max(begin, path.start), STEP_M)
            if end < run.table.now:
                metres -= path.walked(end, STEP_M)
            return self._told(run, round(metres, 1), (), {"distance_m": metres})
        visits = self._visits(run)
        if self.what == "place_at":
            return self._place_at(run, visits)
        if self.what == "before":
            return self._before(run, visits)
        found = [visit for visit in visits if visit.end > begin and visit.start <= end]
        if self.what == "places":
            names = list(dict.fromkeys(visit.tag for visit in found))
            return self._told(run, SEPARATOR.join(names) or NOTHING, found, {"count": len(names)})
        if self.what == "unvisited":
            been = {visit.tag for visit in visits}
            names = sorted({node.tag for node in run.table.places.nodes} - been)
            return self._told(run, SEPARATOR.join(names) or NOTHING, (), {"count": len(names)})
        run.table.places.called(str(self.place), run.table.state)
        return self._of_one(run, [visit for visit in found if visit.tag == self.place], begin, end)

    def _of_one(self, run: Run, found: Sequence[Visit], begin: float, end: float) -> Result:
        if self.what == "been":
            return self._told(run, "yes" if found else "no", found, {"count": len(found)})
        if self.what == "times_in":
            return self._told(run, len(found), found, {"count": len(found)})
        if self.what == "time_in":
            seconds = sum(min(visit.end, end) - max(visit.start, begin) for visit in found)
            return self._told(run, round(seconds, 1), found, {"seconds": seconds, "visits": len(found)})
        if not found:
            raise Unanswerable(f"you have not been in the {self.place}")
        last = found[-1].end
        still = float(last >= run.table.now)
        return self._told(run, last, found[-1:], {"age_s": run.table.now - last, "still": still})

    def _place_at(self, run: Run, visits: Sequence[Visit]) -> Result:
        at = run.table.now if self.at is None else self.at
        if self.at is None:
            here = run.table.places.locate(run.table.state.path.heading_at(at).position)
            number = int(here.place[0])
            if number < 0:
                raise Unanswerable("you are in no place that I know the name of")
            margin = float(here.margin_of_name[0])
            tag, frames = run.table.places.nodes[number].tag, (run.table.state.path.index_at(at),)
            return Result(
                "me", tag, {tag: 1.0}, 1.0, margin / 0.7, frames, (), {"log_odds": margin}, self.what
            )
        during = next((visit for visit in visits if visit.start <= at <= visit.end), None)
        if during is None:
            raise Unanswerable(f"where you were at {at:g} s is not on record")
        return self._told(run, during.tag, [during], {})

    def _before(self, run: Run, visits: Sequence[Visit]) -> Result:
        last = visits[-1].tag if visits else ""
        earlier = next((visit for visit in reversed(visits) if visit.tag != last), None)
        if earlier is None:
            raise Unanswerable("you have not been in another place before")
        return self._told(run, earlier.tag, [earlier], {"age_s": run.table.now - earlier.end})

    def _visits(self, run: Run) -> Sequence[Visit]:
        if not run.table.places:
            raise Unanswerable("I have not been told the name of any place")
        state = run.table.state
        if hasattr(state, "visits"):
            return list(state.visits())
        raise Unanswerable("this state keeps no record of where you have been")

    def _told(self, run: Run, value: Value, visits: Sequence[Visit], numbers: dict[str, float]) -> Result:
        index = run.table.state.path.index_at
        frames = tuple(sorted({index(visit.start) for visit in visits[-_SHOWN:]}))
        return Result(
            "me",
            value,
            {str(value): 1.0},
            1.0,
            SURE,
            frames,
            (),
            numbers,
            self.what,
            _FAIR.get(self.what, ""),
        )
