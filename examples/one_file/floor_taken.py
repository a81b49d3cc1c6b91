"""A question kind in one file: how much floor the things of a kind take up together.

SITU_PLUGINS=floor_taken.py situ ask walk.situ "how much floor do the cones take up"
"""

from dataclasses import dataclass
from typing import ClassVar

from situ.plugins import Answer, Saying, Selector, SpatialState, Unanswerable, declare, question_kind


@question_kind
@dataclass(frozen=True)
class FloorTaken:
    """How much floor the things of a kind take up together, in square metres."""

    which: Selector

    kind: ClassVar[str] = "floor_taken"
    frame: ClassVar[str] = "the world; boxes seen from above"
    margin_unit: ClassVar[str] = "none: an amount"
    min_margin: ClassVar[float] = 0.0
    options: ClassVar[tuple[str, ...]] = ()

    @property
    def text(self) -> str:
        return f"How much floor do the {self.which.plural} take up?"

    def answer(self, state: SpatialState) -> Answer:
        found = [view for view in self.which.select(state) if view.presence > 0.5]
        if not found:
            raise Unanswerable(f"no {self.which.singular} has been seen")
        area = sum(view.box.size[0] * view.box.size[1] for view in found)
        frames = [sighting.frame for view in found for sighting in state.sightings(view.id)[:1]]
        return Answer(
            round(area, 1), 1.0, tuple(frames), {"square_metres": area, "things": float(len(found))}
        )


def _say(said: Saying) -> str:
    return f"They take up {said.numbers['square_metres']:.1f} square metres."


declare(FloorTaken, "measure", _say, "how much floor (do|does) {which} (take up|take|need)")
