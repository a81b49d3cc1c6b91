"""The walk: its shape, the direction between its ends, the way back, and whether it came by before."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from situ.errors import Unanswerable
from situ.geometry.box import Box
from situ.geometry.path import Path
from situ.geometry.route import (
    direction_between,
    plan_in_words,
    reverse_plan,
    route_shape,
    turn_certainty,
    turn_words,
)
from situ.questions.base import Answer
from situ.questions.programs.asks import NO, YES
from situ.questions.programs.schema import Set, operator
from situ.questions.programs.world import InWorlds, World
from situ.questions.rules.ways import LATEST_FRAMES, MIN_FRAMES

HERE_M = 1.5
CORNER, MIDSIDE, CENTER = "corner", "side", "center"
THIRD = 1 / 3


def walk_in(world: World, whole: bool = False) -> Path:
    """The walk in one world; of a memory of days the last of it, unless the `whole` is asked for."""
    path = world.path
    if len(path) < MIN_FRAMES:
        raise Unanswerable("there is no way to tell of: fewer than two frames have a place")
    return path if world.certain or whole else path.latest(LATEST_FRAMES)


def _ends(path: Path) -> tuple[int, ...]:
    return (path.first_frame, path.first_frame + len(path) - 1)


@operator
@dataclass(frozen=True)
class Route(InWorlds):
    """Of the walk, seen from above: its shape; where its end lies for somebody at its start ("to_end"), or
    its start for somebody at its end ("to_start"); the turns that lead back ("back"); whether the wearer
    was at the present spot before, and had left it ("been_here")."""

    tag: ClassVar[str] = "route"
    of_path: ClassVar[bool] = True
    fair: ClassVar[float] = 0.3

    what: Literal["shape", "to_end", "to_start", "back", "been_here"]

    def in_world(self, world: World) -> Answer:
        if self.what == "been_here":
            return self._been_here(world)
        path = walk_in(world)
        if self.what == "shape":
            shape = route_shape(path)
            return Answer(shape.name, shape.certainty, _ends(path), {"length_m": path.length})
        if self.what == "back":
            plan = reverse_plan(path)
            if not plan:
                raise Unanswerable("there is no way back to tell: the wearer never left the place")
            metres = {f"leg_{i + 1}_m": step.ahead_m for i, step in enumerate(plan)}
            return Answer(plan_in_words(turn_words(plan)), turn_certainty(plan), _ends(path), metres)
        found = direction_between(path, "start" if self.what == "to_end" else "end")
        numbers = {"bearing_deg": found.bearing_deg, "distance_m": found.distance}
        return Answer(found.name, found.margin_deg, _ends(path), numbers)

    @staticmethod
    def _been_here(world: World) -> Answer:
        path = walk_in(world, whole=True)
        before = path.came_by(HERE_M, 2 * HERE_M)
        if before is None:
            return Answer(NO, 1.0, _ends(path)[1:], {})
        value = YES if before.gap_m <= HERE_M else NO
        numbers = {"age_s": world.now - before.time}
        return Answer(value, abs(before.gap_m - HERE_M), (before.frame,), numbers)


@operator
@dataclass(frozen=True)
class StandsIn(InWorlds):
    """Where on an object the wearer stands: in a corner, at a side or in the center, by thirds of its
    width and depth."""

    tag: ClassVar[str] = "stands_in"
    fair: ClassVar[float] = 0.08

    of: Set

    def in_world(self, world: World) -> Answer:
        path, box = walk_in(world), world.only(self.of).box
        # The median of spots in a box that is not turned is that of the path, wherever the box is.
        level = type(box) is Box and box.yaw_deg == 0.0
        middle = path.middle if level else np.median(box.to_local(path.positions), axis=0)
        around = box.center if level else (0.0, 0.0)
        here = [(float(middle[k]) - around[k]) / box.size[k] + 0.5 for k in (0, 1)]
        value = (CENTER, MIDSIDE, CORNER)[sum(not THIRD <= share <= 1 - THIRD for share in here)]
        margin = min(abs(share - edge) for share in here for edge in (THIRD, 1 - THIRD))
        return Answer(value, margin, (0,), {"across": here[0], "along": here[1]})
