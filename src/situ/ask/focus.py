"""The part of a memory that a question is about, and how sure its answer is."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import partial

import numpy as np

from situ.errors import Unanswerable
from situ.memory.remembered import RememberedObject
from situ.memory.sampling import draw, draw_nearest
from situ.memory.state import MemoryState
from situ.questions.about import OfTheNearest
from situ.questions.base import Answer, Question
from situ.questions.egocentric import NextTo
from situ.questions.rooms import ContentsOf
from situ.questions.select import Selector
from situ.questions.wearer import heading_now
from situ.state.protocol import SpatialState

SAMPLES = 64
UNKNOWN = "unknown"


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


def _about(question: Question, state: MemoryState) -> list[RememberedObject] | None:
    """The objects that a question's words can pick out; None for all."""
    names = selectors(question)
    if isinstance(question, (NextTo, ContentsOf)) or not names:
        return None
    found = {view.id: view for which in names for view in which.select(state)}
    return [view for view in found.values() if isinstance(view, RememberedObject)]


def odds(question: Question, state: SpatialState, samples: int = SAMPLES) -> Odds:
    """Run a question on samples of what is believed. Truth has no doubt and gives one answer."""
    if not isinstance(state, MemoryState):
        return Odds({str(question.answer(state).value): 1.0})
    counts: Counter[str] = Counter()
    distances: list[float] = []
    for answer in _answers(question, state, samples):
        if answer is None:
            counts[UNKNOWN] += 1
            continue
        counts[str(answer.value)] += 1
        if answer.numbers and "distance_m" in answer.numbers:
            distances.append(answer.numbers["distance_m"])
    low_high = None
    if distances:
        ranks = np.array([0.05, 0.95]) * (len(distances) - 1)
        low, high = np.interp(ranks, np.arange(len(distances)), sorted(distances)).tolist()
        low_high = (round(low, 2), round(high, 2))
    return Odds({value: count / samples for value, count in counts.most_common()}, low_high)


def _answers(question: Question, state: MemoryState, samples: int) -> Iterator[Answer | None]:
    """The answers in samples of belief, None where a sample holds none."""
    about, rng = _about(question, state), np.random.default_rng(0)
    if isinstance(question, OfTheNearest) and question.anchor is None and about is not None:
        x, y, _ = heading_now(state).position
        for found in draw_nearest(state, samples, rng, about, (x, y)):
            yield None if found is None else _tried(partial(question.said_of, state, *found))
        return
    for sample in draw(state, samples, rng, about):
        yield _tried(partial(question.answer, sample))


def _tried(answer: Callable[[], Answer]) -> Answer | None:
    try:
        return answer()
    except Unanswerable:
        return None
