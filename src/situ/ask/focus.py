"""The part of a memory that a question is about, and how sure its answer is."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np

from situ.errors import Unanswerable
from situ.geometry.box import Box
from situ.geometry.path import Path
from situ.memory.sampling import SampledState
from situ.memory.state import MemoryState
from situ.questions.base import Question
from situ.questions.egocentric import NextTo
from situ.questions.select import Selector
from situ.state.protocol import ObjectView, Sighting, SpatialState

SAMPLES = 64
UNKNOWN = "unknown"


class Focus:
    """A state that knows only the objects that a question's words can pick out."""

    def __init__(self, state: MemoryState, which: Sequence[Selector]) -> None:
        self._state = state
        self._views = tuple(v for v in state.objects() if any(w.matches(v) for w in which))

    @property
    def now(self) -> float:
        return self._state.now

    @property
    def path(self) -> Path:
        return self._state.path

    def objects(self) -> Sequence[ObjectView]:
        return self._views

    def sightings(self, object_id: int) -> Sequence[Sighting]:
        return self._state.sightings(object_id)

    def where(self, object_id: int, time: float) -> Box | None:
        return self._state.where(object_id, time)

    def as_of(self, time: float) -> "MemoryState":
        return self._state.as_of(time)


@dataclass(frozen=True)
class Odds:
    """Shares of the answers over samples of belief, and the middle 90 % of the distance."""

    shares: Mapping[str, float]
    distance_m: tuple[float, float] | None = None


def selectors(question: Question) -> tuple[Selector, ...]:
    """All names in a question."""
    found: list[Selector] = []
    for part in fields(question):  # type: ignore[arg-type]
        value = getattr(question, part.name)
        values = value if isinstance(value, tuple) else (value,)
        found += [v for v in values if isinstance(v, Selector)]
    return tuple(found)


def odds(question: Question, state: SpatialState, samples: int = SAMPLES) -> Odds:
    """Run a question on samples of what is believed. Truth has no doubt and gives one answer."""
    if not isinstance(state, MemoryState):
        return Odds({str(question.answer(state).value): 1.0})
    names = selectors(question)
    focus = state if isinstance(question, NextTo) or not names else Focus(state, names)
    counts: Counter[str] = Counter()
    distances: list[float] = []
    for seed in range(samples):
        sample = SampledState(focus, np.random.default_rng(seed))  # type: ignore[arg-type]
        try:
            answer = question.answer(sample)
        except Unanswerable:
            counts[UNKNOWN] += 1
            continue
        counts[str(answer.value)] += 1
        if answer.numbers and "distance_m" in answer.numbers:
            distances.append(answer.numbers["distance_m"])
    low_high = None
    if distances:
        low, high = np.percentile(distances, [5, 95]).tolist()
        low_high = (round(low, 2), round(high, 2))
    return Odds({value: count / samples for value, count in counts.most_common()}, low_high)
