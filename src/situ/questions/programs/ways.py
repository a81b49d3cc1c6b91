"""The way on foot to an object, a place, or where the walk began, along what was walked."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from situ.errors import Unanswerable
from situ.geometry.heading import sector
from situ.questions.programs.asks import most
from situ.questions.programs.run import Result, Run
from situ.questions.programs.schema import Ask, Set, fault, operator
from situ.questions.programs.tallies import voted
from situ.questions.rules.ways import TURNS, first_spot, last_in, shortest_way, walked, way_to_frame


@operator
@dataclass(frozen=True)
class Way(Ask):
    """How to walk to the one that is meant, to a named place, or to where the walk began: a few landmarks."""

    tag: ClassVar[str] = "way"

    of: Set | None = None
    place: str | None = None

    def checked(self, place: str) -> None:
        if self.of is not None and self.place is not None:
            raise fault(place, "a way leads to a set ('of') or to a place ('place'), not to both")

    def answer(self, run: Run) -> Result:
        state = run.table.state
        if self.of is None:
            goal, name, things = last_in(state, self.place or ""), self.place or "", run.ids([])
        else:
            goal, name, things = self._beside(run, self.of)
        told = way_to_frame(state, goal, name)
        # Landmarks are known again on the way; what a path that drifts puts in doubt is the first turn.
        rest = str(told.value).partition(", then ")[2]
        value, odds = voted(run, [f"{TURNS[turn]}, then {rest}" for turn in _first_turns(run, goal)])
        if self.of is None and not run.table.path_doubted:
            odds = {str(value): 1.0}
        sure, numbers = odds[str(value)], told.numbers or {}
        return Result("way", value, odds, sure, told.margin, told.evidence, things, numbers)

    @staticmethod
    def _beside(run: Run, of: Set) -> tuple[int, str, tuple[int, ...]]:
        """The frame at which the wearer was nearest to the one that is meant, its name, and which it is."""
        one = run.meant(of)
        lead = most(one)
        spot = np.median(run.table.centers[one == lead, lead], axis=0)
        away = walked(run.table.state).positions[:, :2] - spot[:2]
        goal, name = int(np.hypot(*away.T).argmin()), run.table.name(lead)
        if run.ground_gaps()[:, lead].mean() < 1.0:
            raise Unanswerable(f"you are beside the {name}")
        return goal, name, run.ids([lead])


def _first_turns(run: Run, goal: int) -> list[str]:
    """Which way the way begins, in each world."""
    path, here = walked(run.table.state), run.table.observer
    spot = np.array([*first_spot(shortest_way(path.positions[:, :2], goal)), 0.0])
    nearest = int(np.hypot(*(path.positions[:, :2] - spot[:2]).T).argmin())
    spots = run.table.as_walked(spot, float(path.times[nearest]))
    assert here.yaw is not None
    east, north = spots[:, 0] - here.x, spots[:, 1] - here.y
    cos, sin = np.cos(here.yaw), np.sin(here.yaw)
    bearings = np.degrees(np.arctan2(east * sin - north * cos, east * cos + north * sin))
    return [sector(bearing) for bearing in bearings.tolist()]
