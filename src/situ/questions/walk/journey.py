"""The wearer's own way after something happened."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from situ.errors import Unanswerable
from situ.geometry.box import Box
from situ.geometry.path import Path
from situ.questions.base import Answer, question_kind
from situ.questions.rules.resting import frames_between, last_moved, meant
from situ.questions.select import Selector
from situ.state.protocol import ObjectView, SpatialState

JITTER_S = 2.0  # nobody remembers to the second when a thing was put down
_FAR_M = 99.0


@question_kind
@dataclass(frozen=True)
class WayAfter:
    """What the wearer walked past, and in which order, after a thing had come to its present place.

    `choices` are pairs of landmarks: past the first, then past the second.
    """

    which: Selector
    seconds: float
    choices: tuple[tuple[Selector, Selector], ...]

    kind: ClassVar[str] = "way_after"
    frame: ClassVar[str] = "the landmarks named, in order of time; no direction is involved"
    margin_unit: ClassVar[str] = "metres between how near the best pair was passed and the next"
    min_margin: ClassVar[float] = 0.5

    @property
    def text(self) -> str:
        return (
            f"Which way did I go in the {self.seconds:g} seconds after I last put down the "
            f"{self.which.singular}?"
        )

    @property
    def options(self) -> tuple[str, ...]:
        return tuple(way_in_words(a, b) for a, b in self.choices)

    def answer(self, state: SpatialState) -> Answer:
        thing, start = put_down(state, self.which, self.seconds)
        return self.said_from(state, start, (thing.id,))

    def said_from(self, state: SpatialState, start: float, things: tuple[int, ...]) -> Answer:
        """What was passed in the seconds after some moment."""
        named = {choice for pair in self.choices for choice in pair}
        boxes = {choice: _boxes(state, choice) for choice in named}
        tries = [self._costs(state.path, start + shift, boxes) for shift in (0.0, -JITTER_S, JITTER_S)]
        best = int(np.argmin(tries[0]))
        margin = min(float(np.delete(costs, best).min() - costs[best]) for costs in tries)
        frames = frames_between(state, start, start + self.seconds)
        return Answer(
            self.options[best], max(0.0, margin), frames, {"passed_m": float(tries[0][best])}, things
        )

    def _costs(self, path: Path, start: float, boxes: dict[Selector, list[Box]]) -> NDArray[np.float64]:
        """For each pair, the metres by which its landmarks were missed, in this order."""
        first, last = path.index_at(start), path.index_at(start + self.seconds)
        ground = path.ground(first, last)
        gaps = {choice: gaps_along(ground, found) for choice, found in boxes.items()}
        return np.array([float((np.minimum.accumulate(gaps[a]) + gaps[b]).min()) for a, b in self.choices])


def way_in_words(first: Selector, second: Selector) -> str:
    return f"past the {first.singular}, then past the {second.singular}"


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


def _boxes(state: SpatialState, which: Selector) -> list[Box]:
    return [thing.view.box for thing in state.candidates(which) if thing.likely]


def put_down(state: SpatialState, which: Selector, seconds: float) -> tuple[ObjectView, float]:
    """A thing and when it came to its present place, so long ago that what followed can be told."""
    thing = meant(state, which)
    start = last_moved(state, thing.id)
    if start is None:
        raise Unanswerable(f"when the {which.singular} was put down is not known")
    if start + seconds > state.now + 1e-6:
        raise Unanswerable(f"{seconds:g} seconds have not passed since")
    return thing, start
