"""How many, and which are more."""

from dataclasses import dataclass
from typing import ClassVar

from situ.questions.base import Answer, question_kind
from situ.questions.select import Selector
from situ.state.protocol import ObjectView, SpatialState

EQUAL = "equal"


@question_kind
@dataclass(frozen=True)
class Count:
    """How many of the objects seen so far match."""

    which: Selector

    kind: ClassVar[str] = "count"
    frame: ClassVar[str] = "everything seen so far"
    margin_unit: ClassVar[str] = "certainty that each object counts, 0 to 1"
    min_margin: ClassVar[float] = 0.5

    @property
    def text(self) -> str:
        return f"How many different {self.which.plural} did we see in total?"

    @property
    def options(self) -> tuple[str, ...]:
        return ()

    def answer(self, state: SpatialState) -> Answer:
        views = self.which.select(state)
        counted = _counted(views)
        return Answer(
            len(counted), _certainty(views), clearest_frames(state, counted), {"count": len(counted)}
        )


@question_kind
@dataclass(frozen=True)
class Compare:
    """Which of two kinds of object has more members among those seen so far."""

    first: Selector
    second: Selector

    kind: ClassVar[str] = "compare"
    frame: ClassVar[str] = "everything seen so far"
    margin_unit: ClassVar[str] = "certainty that each object counts, 0 to 1"
    min_margin: ClassVar[float] = 0.5

    @property
    def text(self) -> str:
        first, second = self.first.plural, self.second.plural
        return f"Did we see more {first} or more {second}, or equally many of both?"

    @property
    def options(self) -> tuple[str, ...]:
        return (self.first.plural, self.second.plural, EQUAL)

    def answer(self, state: SpatialState) -> Answer:
        firsts, seconds = self.first.select(state), self.second.select(state)
        n_first, n_second = len(_counted(firsts)), len(_counted(seconds))
        if n_first == n_second:
            value = EQUAL
        else:
            value = self.first.plural if n_first > n_second else self.second.plural
        everything = (*firsts, *seconds)
        return Answer(
            value,
            _certainty(everything),
            clearest_frames(state, _counted(everything)),
            {"first": n_first, "second": n_second},
        )


def _counted(views: tuple[ObjectView, ...]) -> tuple[ObjectView, ...]:
    return tuple(view for view in views if view.presence > 0.5)


def _certainty(views: tuple[ObjectView, ...]) -> float:
    return min((abs(view.presence - 0.5) * 2 for view in views), default=1.0)


def clearest_frames(state: SpatialState, views: tuple[ObjectView, ...]) -> tuple[int, ...]:
    """For each object the first frame that shows it clearly."""
    frames = set()
    for view in views:
        first = next((s.frame for s in state.sightings(view.id) if s.clarity == 1.0), None)
        if first is not None:
            frames.add(first)
    return tuple(sorted(frames))
