"""The way that the wearer walked before or after an object was handled: what they passed, how they turned."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from situ.errors import Unanswerable
from situ.geometry.box import Box
from situ.geometry.path import Path
from situ.geometry.pose import wrap_deg
from situ.questions.base import Answer
from situ.questions.programs.moments import put_down_at
from situ.questions.programs.run import described
from situ.questions.programs.schema import Set, fault, operator
from situ.questions.programs.world import InWorlds, World
from situ.questions.rules.resting import frames_between
from situ.state.protocol import ObjectView

JITTER_S = 2.0  # nobody remembers to the second when a thing was put down
_FAR_M = 99.0
WITHIN_M = 0.4  # a way that keeps this near to a line goes straight
PUTTING_S = 6.0  # from when a thing is last seen elsewhere to when it lies, and two seconds' doubt of that
SHORTEST_M = 0.7  # a shorter stretch has no direction of its own
TURN_DEG, ABOUT_DEG = 40.0, 160.0  # less is going straight; more is turning round, to either side
LEFT, RIGHT, AROUND = "left", "right", "around"


def way_in_words(first: object, second: object) -> str:
    return f"past the {first}, then past the {second}"


def turns_in_words(first: str, second: str) -> str:
    return f"{first}, then {second}"


PAIRS = tuple(turns_in_words(a, b) for a, b in product((LEFT, RIGHT, AROUND), repeat=2))


@operator
@dataclass(frozen=True)
class WalkedPast(InWorlds):
    """What the wearer walked past, and in which order, in the seconds after an object had come to its
    present place, or before it was last taken up. `landmarks` are sets, `choices` pairs of their numbers
    from 1 up."""

    tag: ClassVar[str] = "walked_past"
    fair: ClassVar[float] = 0.5

    of: Set
    when: Literal["after_put", "before_taken"]
    seconds: float
    landmarks: tuple[Set, ...]
    choices: tuple[tuple[int, ...], ...]
    names: tuple[str, ...]

    def checked(self, place: str) -> None:
        numbers = {number for pair in self.choices for number in pair}
        if any(len(pair) != 2 for pair in self.choices) or max(numbers, default=1) > len(self.landmarks):
            raise fault(f"{place}.choices", "each is a pair of numbers of landmarks")
        if len(self.names) != len(self.landmarks):
            raise fault(f"{place}.names", f"{len(self.landmarks)} landmarks need as many names")

    def in_world(self, world: World) -> Answer:
        thing, start = self._start(world)
        boxes = [world.boxes(one) for one in self.landmarks]
        tries = [self._costs(world.path, start + shift, boxes) for shift in (0.0, -JITTER_S, JITTER_S)]
        best = int(np.argmin(tries[0]))
        margin = min(float(np.delete(costs, best).min() - costs[best]) for costs in tries)
        frames = frames_between(world.state, start, start + self.seconds)
        first, second = (self.names[number - 1] for number in self.choices[best])
        numbers = {"passed_m": float(tries[0][best])}
        return Answer(way_in_words(first, second), max(0.0, margin), frames, numbers, (thing.id,))

    def _start(self, world: World) -> tuple[ObjectView, float]:
        column, name = world.meant(self.of), described(self.of, "the")
        thing = world.view(column)
        if self.when == "after_put":
            return thing, put_down_at(world, column, name, self.seconds)
        moves = [move for move in world.moves(column) if move.by_wearer]
        if not moves or moves[-1].left - self.seconds < world.path.start:
            raise Unanswerable(f"when {name} was taken up is not known, or it was too soon")
        return thing, moves[-1].left - self.seconds

    def _costs(self, path: Path, start: float, boxes: Sequence[list[Box]]) -> NDArray[np.float64]:
        """For each pair, the metres by which its landmarks were missed, in this order."""
        ground = path.ground(path.index_at(start), path.index_at(start + self.seconds))
        gaps = [gaps_along(ground, found) for found in boxes]
        pairs = ((gaps[a - 1], gaps[b - 1]) for a, b in self.choices)
        return np.array([float((np.minimum.accumulate(a) + b).min()) for a, b in pairs])


def gaps_along(ground: NDArray[np.float64], boxes: list[Box]) -> NDArray[np.float64]:
    """Metres from each ground point (n, 2) to the footprint of the nearest of some boxes."""
    nearest = np.full(len(ground), _FAR_M)
    upright = [box for box in boxes if box.yaw_deg == 0.0]
    if upright:  # most are; the same of all at once
        away = ground - np.array([box.center[:2] for box in upright])[:, None]
        beyond = np.maximum(np.abs(away) - np.array([box.size[:2] for box in upright])[:, None] / 2, 0.0)
        nearest = np.minimum(nearest, np.hypot(beyond[..., 0], beyond[..., 1]).min(axis=0))
    for box in boxes:
        if box.yaw_deg == 0.0:
            continue
        points = np.column_stack([ground, np.full(len(ground), box.center[2])])
        beyond = np.maximum(np.abs(box.to_local(points)[:, :2]) - np.asarray(box.size[:2]) / 2, 0.0)
        nearest = np.minimum(nearest, np.hypot(beyond[:, 0], beyond[:, 1]))
    return nearest


@operator
@dataclass(frozen=True)
class TurnsTaken(InWorlds):
    """The first two turns that the wearer took on foot in the seconds after an object had come to its present
    place."""

    tag: ClassVar[str] = "turns_taken"
    fair: ClassVar[float] = 5.0

    of: Set
    seconds: float

    def in_world(self, world: World) -> Answer:
        column = world.meant(self.of)
        thing, start = world.view(column), put_down_at(world, column, described(self.of, "the"), self.seconds)
        tries = [self._turns(world.path, start + shift, thing) for shift in (0.0, -JITTER_S, JITTER_S)]
        value, margin = tries[0]
        if not value:
            raise Unanswerable("fewer than two turns were taken in that time")
        margin = min(m for _, m in tries) if all(v == value for v, _ in tries) else 0.0
        frames = frames_between(world.state, start, start + self.seconds)
        return Answer(value, margin, frames, {"least_turn_deg": margin + TURN_DEG}, (thing.id,))

    def _turns(self, path: Path, start: float, thing: ObjectView) -> tuple[str, float]:
        """The way begins where the wearer stood when putting the thing down, not with coming there."""
        middle = np.asarray(thing.box.center[:2])
        first, last = path.index_at(start), path.index_at(start + self.seconds)
        ground = path.ground(first, last)
        at_it = ground[: path.index_at(start + PUTTING_S) - first + 1]
        left = int(np.argmin(np.hypot(*(at_it - middle).T)))
        turns = turns_of(ground[left:])
        clear = [i for i, turn in enumerate(turns) if abs(turn) >= TURN_DEG]
        if len(clear) < 2:
            return "", 0.0
        before = turns[: clear[1] + 1]
        margin = min(min(abs(abs(turn) - limit) for limit in (TURN_DEG, ABOUT_DEG)) for turn in before)
        a, b = (_named(turns[i]) for i in clear[:2])
        return turns_in_words(a, b), float(margin)


def _named(turn_deg: float) -> str:
    return AROUND if abs(turn_deg) > ABOUT_DEG else RIGHT if turn_deg > 0 else LEFT


def turns_of(ground: NDArray[np.float64]) -> list[float]:
    """Degrees to the right between the straight stretches of a way over ground points (n, 2)."""
    corners = _corners(ground)
    legs = np.diff(corners, axis=0)
    legs = legs[np.hypot(*legs.T) >= SHORTEST_M] if len(legs) else legs
    yaws = np.degrees(np.arctan2(legs[:, 1], legs[:, 0])) if len(legs) else np.zeros(0)
    return [wrap_deg(float(a - b)) for a, b in pairwise(yaws)]


def _corners(ground: NDArray[np.float64]) -> NDArray[np.float64]:
    """The points of a way that a line through the others misses (Douglas and Peucker), or at which it has
    gone back on the line: there and back again is no straight way, even where it ends ahead."""
    kept, todo = {0, len(ground) - 1}, [(0, len(ground) - 1)]
    while todo:
        low, high = todo.pop()
        if high - low < 2:
            continue
        a, b = ground[low], ground[high]
        along = (b - a) / max(float(np.hypot(*(b - a))), 1e-9)
        offset = ground[low + 1 : high] - a
        ahead = offset @ along
        reach = np.clip(ahead, 0.0, float(np.hypot(*(b - a))))
        aside = np.hypot(*(offset - reach[:, None] * along).T)
        gaps = np.maximum(aside, np.maximum.accumulate(ahead) - ahead)
        worst = int(np.argmax(gaps))
        if gaps[worst] > WITHIN_M:
            middle = low + 1 + worst
            kept.add(middle)
            todo += [(low, middle), (middle, high)]
    return ground[sorted(kept)]
